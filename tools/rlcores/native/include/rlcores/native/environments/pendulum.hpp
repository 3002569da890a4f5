// pendulum.hpp — a step and a reset of Pendulum. The model is rlcores/cores/env/pendulum.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

static inline void pendulum_seen(Whole theta, Whole speed, std::int32_t* const* obs, Whole i) {
    const Whole angle = round_shift(theta, 6);
    obs[0][i] = static_cast<std::int32_t>(round_shift(cosine(angle), 9));
    obs[1][i] = static_cast<std::int32_t>(round_shift(sine(angle), 9));
    obs[2][i] = static_cast<std::int32_t>(round_shift(speed, 9));
}

static inline void pendulum_step(const Copies& all, Whole i) {
    using namespace pendulum;
    const Whole theta = all.state[0][i], before = all.state[1][i];
    const Whole torque = limited(all.action[0][i], -TORQUE_END, TORQUE_END), angle = wrapped(round_shift(theta, 6), 26);
    const Whole cost = round_shift(angle * angle, 25) * TURN2 + round_shift(before * before, 27) * COST_SPEED +
                       (torque * torque >> 18) * COST_TORQUE;
    const Whole push = 3 * sine(angle) * 128 + torque * PUSH;
    const Whole speed = limited(before + round_shift(push, 12), -SPEED_END, SPEED_END);
    const Whole turned = wrapped(theta + round_shift(speed * TURN_RATE, 13), 32);
    all.state[0][i] = static_cast<std::int32_t>(turned);
    all.state[1][i] = static_cast<std::int32_t>(speed);
    pendulum_seen(turned, speed, all.obs, i);
    all.reward[i] = static_cast<std::int32_t>(-round_shift(cost, 18));
    all.terminated[i] = all.limited[i] = false;
}

static inline void pendulum_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    state[0] = static_cast<std::int32_t>(Whole{words[0]} - (Whole{1} << 31));
    state[1] = static_cast<std::int32_t>((words[1] >> 9)) - (1 << 22);
    std::int32_t* const each[] = {obs, obs + 1, obs + 2};
    pendulum_seen(state[0], state[1], each, 0);
}

}  // namespace rlcores::env
