// critics.hpp — what TD3 and SAC make of critics' values. The model is cores/rl/stages.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace rlcores::heads {

// How many numbers did not fit, and the largest magnitude of one.
struct Limits {
    std::int64_t limited, most;
};

// The smallest of the critics' values less `less`, which may be null.
Limits target_value(std::span<const std::int64_t* const> values, std::int64_t rows, const std::int64_t* less,
                    std::int64_t* target);

// A batch of transitions in integers.
struct Targets {
    const std::int64_t *target, *rewards, *discounts, *weights;
    std::int64_t rows, frac, delta_frac;
};
struct CriticLimits {
    Limits td, delta;
    std::int64_t reward;  // the largest one
};
CriticLimits critic_errors(const Targets& of, const std::int64_t* values, std::int64_t* td, std::int64_t* delta);

// `slope` where a value is its row's smallest one, the first of equals; else 0. (critics, rows)
void least_value(std::span<const std::int64_t* const> values, std::int64_t rows, std::int64_t slope,
                 std::int64_t* deltas);

// Sums in 18 bits.
Limits limited_sum(std::span<const std::int64_t* const> parts, std::int64_t count, std::int64_t* sum);

// Transitions in real numbers, rewards already scaled, and in integers: states and actions as inputs of 18 bits with
// `frac` fraction bits.
struct Transitions {
    const double *states, *actions, *rewards, *next_states, *discounts, *weights;
};
struct TransitionCodes {
    std::int64_t *states, *actions, *rewards, *next_states, *discounts, *weights;
};
struct TransitionShape {
    std::int64_t rows, states, actions;
};
// Of the inputs. False: a reward does not fit its 27 bits, or a number is not finite.
bool transition_codes(const TransitionShape& shape, const Transitions& from, std::int64_t frac,
                      const TransitionCodes& to, Limits& inputs);

}  // namespace rlcores::heads
