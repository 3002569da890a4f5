// momentum.cpp — steps of SGD with momentum.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "kernels/optimisers/steps.hpp"

namespace rlcores::RLCORES_ISA {

std::int64_t optimise_momentum(const Step& s) {
    std::int64_t *w = s.w, *m = s.state;
    const std::int64_t *g = s.g, n = s.n, rate = s.rates.rate, momentum = s.rates.momentum;
    const int shift = s.rates.rate_shift;
    return with(s.rounding, s.behind, [=](auto added, auto follow) {
        std::int64_t saturated = 0;
        INDEPENDENT (i, n) {
            const std::int64_t sum = g[i] + ((m[i] * momentum + (1 << 16)) >> 17), moment = clamped(sum, -TOP, TOP);
            const std::int64_t step = ((((moment * rate) << 16) >> shift) + added(i)) >> 16;
            const std::int64_t exact = w[i] - step, moved = clamped(exact, -TOP - 1, TOP);
            w[i] = moved, m[i] = moment;
            saturated += (moved != exact) | (moment != sum) | follow(i, moved);
        }
        return saturated;
    });
}

}  // namespace rlcores::RLCORES_ISA
