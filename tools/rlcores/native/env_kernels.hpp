// env_kernels.hpp — the physics of the environments over many copies. The models are rlcores/cores/env.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa.hpp"

namespace rlcores::env {

enum class Name { cartpole, mountaincar, mountaincar_continuous, pendulum, acrobot };
constexpr const char *NAMES[] = {"cartpole", "mountaincar", "mountaincar_continuous", "pendulum", "acrobot"};

constexpr int STATES = 4, OBSERVATIONS = 6, DRAWS = 4;  // the most of any
constexpr int REWARD_FRACTION = 19;

struct About {
    int states, observations, draws;
    int actions;                  // 0: a continuous one
    int fractions[OBSERVATIONS];  // bits
};

// So many copies; an array of each element of a state and of an observation. All have numbers of 32 bits: for a flag of
// eight GCC would write out four times as many steps side by side, a quarter of a megabyte of code for acrobot.
struct Copies {
    std::int64_t count;
    std::int32_t *state[STATES];  // becomes the next one
    const std::int32_t *action;
    std::int32_t *obs[OBSERVATIONS];
    std::int32_t *reward;
    std::int32_t *terminated, *limited;
};

}  // namespace rlcores::env

RLCORES_KERNEL(void, env_step, rlcores::env::Name, const rlcores::env::Copies &)
