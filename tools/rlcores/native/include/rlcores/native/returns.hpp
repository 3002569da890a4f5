// returns.hpp — sums backwards in time over rollouts: what λ-returns, V-trace and Retrace have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace rlcores {

// x[t] = delta[t] + decay[t] * x[t + 1], of (steps, lanes) in place of delta; x is 0 behind the last step.
void backward_sums(double* delta, const double* decay, std::size_t steps, std::size_t lanes);

}  // namespace rlcores
