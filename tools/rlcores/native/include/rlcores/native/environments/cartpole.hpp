// cartpole.hpp — a step and a reset of CartPole. The model is rlcores/cores/env/cartpole.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

static inline void cartpole_step(const Copies& all, Whole i) {
    using namespace cartpole;
    constexpr int FRACTION[] = {28, 27, 30, 27}, DROP[] = {13, 13, 12, 13};
    const Whole state[] = {all.state[0][i], all.state[1][i], all.state[2][i], all.state[3][i]};
    bool beyond = false, unused = false;
    const Whole vel = seen(state[1], DROP[1], unused), angle = seen(state[2], DROP[2], unused),
                spin = seen(state[3], DROP[3], unused);
    const Whole sign = all.action[0][i] ? 1 : -1;
    const Whole u = round_shift(angle * angle, 17), spin2 = round_shift(spin * spin, 17);
    const Whole p = P0 + round_shift(u * P1, 19), q1 = Q1 + round_shift(u * Q2, 19);
    const Whole r = R0 + round_shift(u * R1, 19), k = K0 + round_shift(u * K1, 19);
    const Whole turn = round_shift(spin2 * angle, 16), q = Q0 + round_shift(u * q1, 10);
    const Whole e = round_shift(turn * r, 17);
    const Whole fall = angle * p * 4 - sign * q * 2048 - round_shift(q, 9) * e;
    const Whole push = sign * T * 4096 + T_SHORT * e - k * round_shift(fall, 20);
    const Whole next[] = {
        state[0] + round_shift(vel * DT, 36 - FRACTION[0]), state[1] + round_shift(push, 39 - FRACTION[1]),
        state[2] + round_shift(spin * DT, 36 - FRACTION[2]), state[3] + round_shift(fall, 38 - FRACTION[3])};
    constexpr Whole top = 0x7fffffff;
    Whole kept[4];
    for (int j = 0; j < 4; ++j) {
        kept[j] = limited(next[j], -top - 1, top);
        beyond |= kept[j] != next[j];
        all.state[j][i] = static_cast<std::int32_t>(kept[j]);
        all.obs[j][i] = static_cast<std::int32_t>(seen(kept[j], DROP[j], beyond));
    }
    all.reward[i] = 1 << REWARD_FRACTION;
    all.terminated[i] = (kept[0] > X_END) | (kept[0] < -X_END) | (kept[2] > THETA_END) | (kept[2] < -THETA_END);
    all.limited[i] = beyond;
}

static inline void cartpole_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    constexpr int FRACTION[] = {28, 27, 30, 27}, DROP[] = {13, 13, 12, 13};
    bool unused = false;
    for (int j = 0; j < 4; ++j) {
        const Whole tenth = (2 * Whole{words[j] >> 14} + 1 - (1 << 18)) * 13107;
        state[j] = static_cast<std::int32_t>(tenth >> (36 - FRACTION[j]));
        obs[j] = static_cast<std::int32_t>(seen(state[j], DROP[j], unused));
    }
}

}  // namespace rlcores::env
