// env_table.hpp — the environments in the order of their numbers. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define RLCORES_ENVIRONMENTS(X) X(cartpole) X(mountaincar) X(mountaincar_continuous) X(pendulum) X(acrobot) X(quadrotor) X(pmsm)

namespace rlcores::env {

// The most of any.
constexpr int STATES = 13;
constexpr int OBSERVATIONS = 13;
constexpr int DRAWS = 4;
constexpr int COMPONENTS = 4;

struct About {
    const char *name;
    int states, observations, draws;
    int actions;                  // 0: numbers
    int components;               // numbers of an action, 1 for an index
    int fractions[OBSERVATIONS];  // bits
};

constexpr About ABOUT[] = {
    {"cartpole", 4, 4, 4, 2, 1, {15, 14, 18, 14}},
    {"mountaincar", 2, 2, 1, 3, 1, {16, 20}},
    {"mountaincar_continuous", 2, 2, 1, 0, 1, {16, 20}},
    {"pendulum", 2, 3, 2, 0, 1, {16, 16, 13}},
    {"acrobot", 4, 6, 4, 3, 1, {16, 16, 16, 16, 13, 12}},
    {"quadrotor", 13, 13, 4, 0, 4, {16, 16, 16, 13, 13, 13, 16, 16, 16, 16, 13, 13, 13}},
    {"pmsm", 5, 5, 3, 0, 2, {16, 16, 17, 16, 16}},
};

}  // namespace rlcores::env
