// env_kernels.hpp — the physics of the environments over many copies. The models are rlcores/cores/env.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rlcores/native/gen/env_table.hpp"

namespace rlcores::env {

#define RLCORES_ENVIRONMENT(name) name,
enum class Name { RLCORES_ENVIRONMENTS(RLCORES_ENVIRONMENT) };
#undef RLCORES_ENVIRONMENT

constexpr int REWARD_FRACTION = 19;

// How many copies there are; an array of each element of a state, of an action and of an observation. All have numbers
// of 32 bits: for a flag of eight GCC would write out four times as many steps side by side, a quarter of a megabyte of
// code for the largest.
struct Copies {
    std::int64_t count;
    std::int32_t* state[STATES];  // becomes the next one
    const std::int32_t* action[COMPONENTS];
    std::int32_t* obs[OBSERVATIONS];
    std::int32_t* reward;
    std::int32_t *terminated, *limited;
};

}  // namespace rlcores::env
namespace rlcores {

struct EnvKernels {
    void (*step)(env::Name, const env::Copies&);
};

}  // namespace rlcores
