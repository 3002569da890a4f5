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

static inline Whole wrapped(Whole x, int width) {
    const Whole half = Whole{1} << (width - 1);
    return ((x + half) & (2 * half - 1)) - half;
}

static inline void pendulum_seen(Whole theta, Whole speed, std::int32_t *const *obs, Whole i) {
    const Whole angle = round_shift(theta, 6);
    obs[0][i] = static_cast<std::int32_t>(round_shift(cosine(angle), 9));
    obs[1][i] = static_cast<std::int32_t>(round_shift(sine(angle), 9));
    obs[2][i] = static_cast<std::int32_t>(round_shift(speed, 9));
}

static inline void pendulum_step(const Copies &all, Whole i) {
    using namespace pendulum;
    const Whole theta = all.state[0][i], before = all.state[1][i];
    const Whole torque = limited(all.action[i], -TORQUE_END, TORQUE_END), angle = wrapped(round_shift(theta, 6), 26);
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

static inline void pendulum_reset(const std::uint32_t *words, std::int32_t *state, std::int32_t *obs) {
    state[0] = static_cast<std::int32_t>(Whole{words[0]} - (Whole{1} << 31));
    state[1] = static_cast<std::int32_t>((words[1] >> 9)) - (1 << 22);
    std::int32_t *const each[] = {obs, obs + 1, obs + 2};
    pendulum_seen(state[0], state[1], each, 0);
}

// The accelerations of both links: Stage and accelerations() of rlcores/cores/env/acrobot.py.
struct Links {
    Whole one, two;
};
template <int V, int A, int R, int R_BITS, int N>
static inline Links acrobot_accelerations(Links theta, Links v, Whole action, bool &beyond) {
    using namespace acrobot;
    constexpr Whole top = (Whole{1} << (R_BITS - 1)) - 1;
    const Whole c = cosine(theta.two), p = round_shift(sine(theta.two) * PI, 31);
    const Whole fall1 = round_shift(sine(theta.one) * G3, 33), fall12 = round_shift(sine(theta.one + theta.two) * G, 34);
    const Whole both = round_shift(v.two * (v.two + 2 * v.one), 2 * V - A), one = round_shift(v.one * v.one, 2 * V - A);
    const Whole spin = round_shift(p * both, 24 + A - R), slow = round_shift(p * one, 24 + A - R);
    const Whole s1 = spin - round_shift(fall1 + fall12, 28 - R);
    const Whole s2 = (action - 1) * (TORQUE >> (26 - R)) - slow - round_shift(fall12, 28 - R);
    const Whole r1 = limited(s1, -top - 1, top), r2 = limited(s2, -top - 1, top);
    beyond |= (r1 != s1) | (r2 != s2);
    // The reciprocal of 2.8125 - c^2/4, 27 fraction bits: inverse() there.
    const Whole square = round_shift(c * c, 25), segment = (square >> 16) - (square >> 25), row = env_acrobot_rom[segment];
    const Whole steep = (1 << 14) + (row & ((1 << 12) - 1));
    const Whole f = (11 << 22) + round_shift(((row >> 12) << 16) + steep * (square - (segment << 16)), 17);
    const Whole cr1 = round_shift(c * r1, 25), cr2 = round_shift(c * r2, 25);
    const Whole n1 = round_shift(5 * (r1 - r2) - 2 * cr2, 2 + R - N);
    const Whole n2 = round_shift(14 * r2 - 5 * r1 + 4 * cr2 - 2 * cr1, 2 + R - N);
    return {round_shift(f * n1, 27), round_shift(f * n2, 27)};
}

static inline void acrobot_seen(Links t, Links v, std::int32_t *const *obs, Whole i) {
    using namespace acrobot;
    const Whole seen[] = {round_shift(cosine(t.one), 9), round_shift(sine(t.one), 9), round_shift(cosine(t.two), 9),
                          round_shift(sine(t.two), 9), round_shift(v.one * TO_RADIANS, 24), round_shift(v.two * TO_RADIANS, 25)};
    for (int j = 0; j < 6; ++j) obs[j][i] = static_cast<std::int32_t>(seen[j]);
}

static inline void acrobot_step(const Copies &all, Whole i) {
    using namespace acrobot;
    const Whole action = all.action[i];
    const Links t{all.state[0][i], all.state[1][i]}, v{all.state[2][i], all.state[3][i]};
    bool beyond = false;
    // A speed of a later stage has 27 bits.
    const auto speed = [&](Whole x) {
        constexpr Whole top = (1 << 26) - 1;
        const Whole kept = limited(x, -top - 1, top);
        beyond |= kept != x;
        return kept;
    };
    const auto pair = [](const Links &a, const Links &b, auto of) { return Links{of(a.one, b.one), of(a.two, b.two)}; };
    const Links a1 = acrobot_accelerations<26, 26, 26, 31, 26>(t, v, action, beyond);
    const Links v2 = pair(v, a1, [&](Whole x, Whole a) { return speed(round_shift(2 * x + a, 3)); });
    const Links t2 = pair(t, v, [](Whole x, Whole y) { return round_shift(2 * x + y, 1); });
    const Links a2 = acrobot_accelerations<24, 26, 26, 31, 26>(t2, v2, action, beyond);
    const Links v3 = pair(v, a2, [&](Whole x, Whole a) { return speed(round_shift(2 * x + a, 4)); });
    const Links t3{round_shift(4 * t.one + 2 * v.one + a1.one, 2), round_shift(4 * t.two + 2 * v.two + a1.two, 2)};
    Links a3 = acrobot_accelerations<23, 26, 26, 33, 25>(t3, v3, action, beyond);
    a3 = {2 * a3.one, 2 * a3.two};
    const Links v4 = pair(v, a3, [&](Whole x, Whole a) { return speed(round_shift(x + a, 5)); });
    const Links t4{round_shift(2 * t.one + 2 * v.one + a2.one, 1), round_shift(2 * t.two + 2 * v.two + a2.two, 1)};
    const Links a4 = acrobot_accelerations<21, 22, 22, 34, 20>(t4, v4, action, beyond);
    const auto next = [&](Whole Links::*link, Whole end, Whole &angle) {
        constexpr Whole top = 0x7fffffff;
        const Whole sum = a1.*link + a2.*link + a3.*link;
        const Whole whole = limited(a1.*link + 2 * (a2.*link) + 2 * (a3.*link) + a4.*link * 64, -top - 1, top);
        angle = wrapped(t.*link + v.*link + round_shift(sum * SIXTH, 28), 26);
        return limited(v.*link + round_shift(whole * SIXTH, 28), -end, end);
    };
    Links angle{};
    const Links fast{next(&Links::one, V1_END, angle.one), next(&Links::two, V2_END, angle.two)};
    const bool high = -cosine(angle.one) - cosine(angle.one + angle.two) > (1 << 25);
    const Whole state[] = {angle.one, angle.two, fast.one, fast.two};
    for (int j = 0; j < 4; ++j) all.state[j][i] = static_cast<std::int32_t>(state[j]);
    acrobot_seen(angle, fast, all.obs, i);
    all.reward[i] = high ? 0 : -(1 << REWARD_FRACTION);
    all.terminated[i] = high;
    all.limited[i] = beyond;
}

static inline void acrobot_reset(const std::uint32_t *words, std::int32_t *state, std::int32_t *obs) {
    using namespace acrobot;
    for (int j = 0; j < 4; ++j) {
        const Whole odd = 2 * Whole{words[j] >> 14} + 1 - (1 << 18);
        state[j] = static_cast<std::int32_t>(j < 2 ? round_shift(odd * START_ANGLE, 14) : round_shift(odd * START_SPEED, 16));
    }
    std::int32_t *each[6];
    for (int j = 0; j < 6; ++j) each[j] = obs + j;
    acrobot_seen({state[0], state[1]}, {state[2], state[3]}, each, 0);
}

}  // namespace rlcores::env
