// optimisers.cpp — the optimisers by name.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/optimisers.hpp"
#include "rlcores/native/isa.hpp"

#include <string_view>

namespace rlcores::learner {

OptimiserStep optimiser_of(const char* name) {
    const std::string_view wanted = name;
#define RLCORES_OPTIMISER(one) \
    if (wanted == #one) return [](const Step& s) { return kernels().optimisers.one(s); };
    RLCORES_OPTIMISERS(RLCORES_OPTIMISER)
#undef RLCORES_OPTIMISER
    return nullptr;
}

}  // namespace rlcores::learner
