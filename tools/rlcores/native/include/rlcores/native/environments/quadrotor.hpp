// quadrotor.hpp — a step and a reset of a quadrotor that hovers. The model is rlcores/cores/env/quadrotor.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

static inline void quadrotor_step(const Copies& all, Whole i) {
    using namespace quadrotor;
    constexpr int DROP[] = {12, 12, 12, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    constexpr Whole top27 = (1 << 26) - 1, top32 = 0x7fffffff;
    bool beyond = false, unused = false;
    const auto number = [&](int j) { return wrapped(all.state[j][i], 27); };
    const auto fitted = [&](Whole x, Whole top) {
        const Whole kept = limited(x, -top - 1, top);
        beyond |= kept != x;
        return kept;
    };
    const auto force = [&](int j) { return limited(all.action[j][i], -ONE, ONE); };
    const Whole f1 = force(0), f2 = force(1), f3 = force(2), f4 = force(3);

    // Rates of turning.
    const Whole x = seen(number(10), 9, unused), y = seen(number(11), 9, unused), z = seen(number(12), 9, unused);
    const Whole roll = round_shift((f2 - f4) * 64 * ROLL - round_shift(y * z, 9) * GYRO, 17);
    const Whole pitch = round_shift((f3 - f1) * 64 * ROLL + round_shift(x * z, 9) * GYRO, 17);
    const Whole yaw = round_shift((f1 - f2 + f3 - f4) * YAW, 15);
    const Whole wx = limited(number(10) + roll, -W_END, W_END), wy = limited(number(11) + pitch, -W_END, W_END);
    const Whole wz = limited(number(12) + yaw, -W_END, W_END);

    // The attitude.
    const Whole hx = round_shift(wx * HALF_STEP, 26), hy = round_shift(wy * HALF_STEP, 26),
                hz = round_shift(wz * HALF_STEP, 26);
    const Whole q0 = number(6), q1 = number(7), q2 = number(8), q3 = number(9);
    const Whole t0 = fitted(q0 + round_shift(-q1 * hx - q2 * hy - q3 * hz, 19), top27);
    const Whole t1 = fitted(q1 + round_shift(q0 * hx + q2 * hz - q3 * hy, 19), top27);
    const Whole t2 = fitted(q2 + round_shift(q0 * hy + q3 * hx - q1 * hz, 19), top27);
    const Whole t3 = fitted(q3 + round_shift(q0 * hz + q1 * hy - q2 * hx, 19), top27);
    const Whole size =
        round_shift(t0 * t0, 25) + round_shift(t1 * t1, 25) + round_shift(t2 * t2, 25) + round_shift(t3 * t3, 25);
    const Whole part = seen((1 << 25) - size, 6, beyond);
    const auto whole = [&](Whole t) { return t + round_shift(t * part, 20); };

    // The body's axis before the step, half of it, and the thrust along it, twice.
    const Whole a = seen(q0, 9, unused), b = seen(q1, 9, unused), c = seen(q2, 9, unused), d = seen(q3, 9, unused);
    const Whole lift = round_shift((f1 + f2 + f3 + f4) * LIFT + HOVER, 19);
    const Whole pulls[] = {round_shift(b * d + a * c, 10) * lift, round_shift(c * d - a * b, 10) * lift,
                           round_shift((Whole{1} << 31) - b * b - c * c, 10) * lift - FALL};
    Whole next[] = {0, 0, 0, 0, 0, 0, whole(t0), whole(t1), whole(t2), whole(t3), wx, wy, wz};
    bool ends = false;
    for (int j = 0; j < 3; ++j) {
        const Whole v = limited(number(3 + j) + round_shift(pulls[j], 18), -V_END, V_END);
        const Whole p = fitted(all.state[j][i] + round_shift(v * STEP, 16), top32);
        ends |= (p > P_END) | (p < -P_END);
        next[j] = p, next[3 + j] = v;
    }
    Whole codes[13];
    for (int j = 0; j < 13; ++j) {
        codes[j] = seen(next[j], DROP[j], beyond);
        all.state[j][i] = static_cast<std::int32_t>(next[j]);
        all.obs[j][i] = static_cast<std::int32_t>(codes[j]);
    }
    Whole cost = 0;
    for (int j = 0; j < 3; ++j) cost += codes[j] * codes[j] + 2 * (codes[10 + j] * codes[10 + j]);
    all.reward[i] = static_cast<std::int32_t>((1 << REWARD_FRACTION) - round_shift(cost, 14));
    all.terminated[i] = ends | (codes[7] * codes[7] + codes[8] * codes[8] > 1 << 30);
    all.limited[i] = beyond;
}

static inline void quadrotor_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    constexpr int FREE[] = {0, 1, 2, 3, 4, 5, 7, 8}, UP[] = {12, 12, 12, 6, 6, 6, 7, 7};
    constexpr int DROP[] = {12, 12, 12, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    for (int j = 0; j < 13; ++j) state[j] = j == 6 ? 1 << 25 : 0;
    for (int j = 0; j < 8; ++j)
        state[FREE[j]] = static_cast<std::int32_t>(wrapped(words[j / 2] >> (j % 2 ? 0 : 16), 16) * (1 << UP[j]));
    for (int j = 0; j < 13; ++j) obs[j] = static_cast<std::int32_t>(round_shift(Whole{state[j]}, DROP[j]));
}

}  // namespace rlcores::env
