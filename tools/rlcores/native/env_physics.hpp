// env_physics.hpp — one step and one reset of each environment. The models are rlcores/cores/env, a file each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env_constants.hpp"
#include "env_kernels.hpp"
#include "log2exp2.hpp"

namespace rlcores::env {

using Whole = std::int64_t;

static inline Whole limited(Whole x, Whole low, Whole high) { return x < low ? low : x > high ? high : x; }

// A number of a state seen with `drop` bits fewer; beyond: it did not fit.
static inline Whole seen(Whole x, int drop, bool &beyond) {
    constexpr Whole top = (1 << 17) - 1;
    const Whole code = round_shift(x, drop), kept = limited(code, -top, top);
    beyond |= kept != code;
    return kept;
}

// The cosine of an angle in units of 2^-26 turns, sfix(27,25): rlcores/cores/common/sincos.py.
static inline Whole cosine(Whole angle) {
    constexpr Whole eighth = 1 << 23, turn = 102944, top = (1 << 17) - 1, mask = (1 << 30) - 1;
    const Whole octant = (angle >> 23) & 7, inside = angle & (eighth - 1);
    const Whole place = octant & 1 ? eighth - inside : inside;
    const Whole segment = (place >> 14) - (place >> 23);  // the end of the eighth is in the last one
    const Whole rho = round_shift((place - (segment << 14) - (1 << 13)) * turn, 13);
    const bool swap = ((octant + 1) >> 1) & 1;  // the sine of the eighth's place, and not its cosine
    const Whole row = sincos_rom[segment], c = row >> 30, s = row & mask;
    const Whole near = swap ? s : c, other = swap ? c : s;
    const Whole bend = (near >> 24) * (rho >> 11) * 128;  // of the slope, which is the other one's
    const Whole slope = round_shift(swap ? other - bend : other + bend, 13);
    const Whole change = (slope > top ? top : slope) * rho;
    const Whole size = (near * (1 << 14) + (swap ? change : -change)) >> 19;
    return ((octant + 2) >> 2) & 1 ? -size : size;
}
static inline Whole sine(Whole angle) { return cosine(angle - (1 << 24)); }

// Copy i steps.
static inline void cartpole_step(const Copies &all, Whole i) {
    using namespace cartpole;
    constexpr int FRACTION[] = {28, 27, 30, 27}, DROP[] = {13, 13, 12, 13};
    const Whole state[] = {all.state[0][i], all.state[1][i], all.state[2][i], all.state[3][i]};
    bool beyond = false, unused = false;
    const Whole vel = seen(state[1], DROP[1], unused), angle = seen(state[2], DROP[2], unused),
                spin = seen(state[3], DROP[3], unused);
    const Whole sign = all.action[i] ? 1 : -1;
    const Whole u = round_shift(angle * angle, 17), spin2 = round_shift(spin * spin, 17);
    const Whole p = P0 + round_shift(u * P1, 19), q1 = Q1 + round_shift(u * Q2, 19);
    const Whole r = R0 + round_shift(u * R1, 19), k = K0 + round_shift(u * K1, 19);
    const Whole turn = round_shift(spin2 * angle, 16), q = Q0 + round_shift(u * q1, 10);
    const Whole e = round_shift(turn * r, 17);
    const Whole fall = angle * p * 4 - sign * q * 2048 - round_shift(q, 9) * e;
    const Whole push = sign * T * 4096 + T_SHORT * e - k * round_shift(fall, 20);
    const Whole next[] = {state[0] + round_shift(vel * DT, 36 - FRACTION[0]), state[1] + round_shift(push, 39 - FRACTION[1]),
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

static inline void cartpole_reset(const std::uint32_t *words, std::int32_t *state, std::int32_t *obs) {
    constexpr int FRACTION[] = {28, 27, 30, 27}, DROP[] = {13, 13, 12, 13};
    bool unused = false;
    for (int j = 0; j < 4; ++j) {
        const Whole tenth = (2 * Whole{words[j] >> 14} + 1 - (1 << 18)) * 13107;
        state[j] = static_cast<std::int32_t>(tenth >> (36 - FRACTION[j]));
        obs[j] = static_cast<std::int32_t>(seen(state[j], DROP[j], unused));
    }
}

template <bool continuous>
static inline void mountaincar_step(const Copies &all, Whole i) {
    using namespace mountaincar;
    constexpr Whole one = 1 << 15;
    const Whole action = all.action[i], before = all.state[0][i];
    const Whole force = continuous ? limited(action, -one, one) * POWER : (action - 1) * FORCE;
    const Whole slope = cosine(round_shift((before >> 4) * TURNS, 17)) * GRAVITY;
    const Whole sum = round_shift(Whole{all.state[1][i]} * (1 << 21) + force - slope, 21);
    const Whole velocity = limited(sum, -SPEED, SPEED);
    const Whole position = limited(before + velocity, POSITION_LOW, POSITION_HIGH);
    const Whole kept = (position == POSITION_LOW) & (velocity < 0) ? 0 : velocity;
    const bool goal = (position >= (continuous ? GOAL_CONTINUOUS : GOAL)) & (kept >= 0);
    bool beyond = false;
    all.state[0][i] = static_cast<std::int32_t>(position);
    all.state[1][i] = static_cast<std::int32_t>(kept);
    all.obs[0][i] = static_cast<std::int32_t>(seen(position, 13, beyond));
    all.obs[1][i] = static_cast<std::int32_t>(seen(kept, 9, beyond));
    const Whole cost = continuous ? round_shift(round_shift(action * action, 9) * COST, 22) : 1 << REWARD_FRACTION;
    all.reward[i] = static_cast<std::int32_t>((continuous && goal ? 100 << REWARD_FRACTION : 0) - cost);
    all.terminated[i] = goal;
    all.limited[i] = false;
}

static inline void mountaincar_reset(const std::uint32_t *words, std::int32_t *state, std::int32_t *obs) {
    using namespace mountaincar;
    bool unused = false;
    state[0] = static_cast<std::int32_t>(RESET_LOW + (Whole{words[0] >> 6} * RESET_LENGTH >> 16));
    state[1] = 0;
    obs[0] = static_cast<std::int32_t>(seen(state[0], 13, unused));
    obs[1] = 0;
}

}  // namespace rlcores::env
