// squashed.hpp — SAC's head: a Gaussian behind tanh whose deviation the network gives. The model is
// cores/rl/squashed.py. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace rlcores::heads {

// Rows, and actions in each; numbers lie row by row.
struct SquashedShape {
    std::int64_t rows, actions;
};

// What squashed.Sample has.
struct Sampled {
    std::int64_t *u, *action, *noise;
    bool* inside;
    std::int64_t* log;  // (rows,)
};

// How many numbers did not fit.
struct Squashed {
    std::int64_t samples, logs;
};

// Samples from outputs (rows, 2 * actions), means and then log-deviations, and normal numbers.
Squashed squashed_sample(const SquashedShape& shape, const std::int64_t* outputs, const std::int64_t* normals,
                         const Sampled& to);
// Deltas (rows, 2 * actions), and where they were limited. to_action: -dQ/da with `frac` fraction bits.
void squashed_delta(const SquashedShape& shape, const Sampled& drawn, const std::int64_t* to_action, std::int64_t frac,
                    std::int64_t alpha, std::int64_t delta_frac, std::int64_t* delta, bool* limited);

// Standard normal numbers (rows, actions), a column after the other, by words of the generator with this state, which
// is left behind them.
void normals(std::array<std::uint32_t, 4>& state, std::int64_t rows, std::int64_t actions, std::int64_t* numbers);
// e**log of a temperature: 22 fraction bits, and 20.
std::int64_t exponential(std::int64_t log);

}  // namespace rlcores::heads
