// returns.cpp — sums backwards in time over rollouts.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/returns.hpp"

namespace rlcores {

void backward_sums(double* delta, const double* decay, std::size_t steps, std::size_t lanes) {
    for (std::size_t t = steps; t-- > 1;) {
        const double* after = delta + t * lanes;
        double* now = delta + (t - 1) * lanes;
        const double* by = decay + (t - 1) * lanes;
        for (std::size_t n = 0; n < lanes; ++n) now[n] = now[n] + by[n] * after[n];
    }
}

}  // namespace rlcores
