// sgd.cpp — steps of SGD.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "kernels/optimisers/steps.hpp"

namespace rlcores::RLCORES_ISA {

std::int64_t optimise_sgd(const Step& s) {
    std::int64_t* w = s.w;
    const std::int64_t *g = s.g, n = s.n, rate = s.rates.rate;
    const int shift = s.rates.rate_shift;
    return with(s.rounding, s.behind, [=](auto added, auto follow) {
        std::int64_t saturated = 0;
        INDEPENDENT (i, n) {
            const std::int64_t step = ((((g[i] * rate) << 16) >> shift) + added(i)) >> 16;
            const std::int64_t exact = w[i] - step, moved = clamped(exact, -TOP - 1, TOP);
            w[i] = moved;
            saturated += (moved != exact) | follow(i, moved);
        }
        return saturated;
    });
}

}  // namespace rlcores::RLCORES_ISA
