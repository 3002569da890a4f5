// adam.cpp — steps of Adam.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/optimisers/adam_step.hpp"

namespace rlcores::RLCORES_ISA {

std::int64_t optimise_adam(const Step& s) { return adam_step<NoDecay>(s); }

}  // namespace rlcores::RLCORES_ISA
