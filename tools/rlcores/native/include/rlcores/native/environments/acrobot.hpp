// acrobot.hpp — a step and a reset of Acrobot. The model is rlcores/cores/env/acrobot.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

// The accelerations of both links: Stage and accelerations() of rlcores/cores/env/acrobot.py.
struct Links {
    Whole one, two;
};
template <int V, int A, int R, int R_BITS, int N>
static inline Links acrobot_accelerations(Links theta, Links v, Whole action, bool& beyond) {
    using namespace acrobot;
    constexpr Whole top = (Whole{1} << (R_BITS - 1)) - 1;
    const Whole c = cosine(theta.two), p = round_shift(sine(theta.two) * PI, 31);
    const Whole fall1 = round_shift(sine(theta.one) * G3, 33),
                fall12 = round_shift(sine(theta.one + theta.two) * G, 34);
    const Whole both = round_shift(v.two * (v.two + 2 * v.one), 2 * V - A), one = round_shift(v.one * v.one, 2 * V - A);
    const Whole spin = round_shift(p * both, 24 + A - R), slow = round_shift(p * one, 24 + A - R);
    const Whole s1 = spin - round_shift(fall1 + fall12, 28 - R);
    const Whole s2 = (action - 1) * (TORQUE >> (26 - R)) - slow - round_shift(fall12, 28 - R);
    const Whole r1 = limited(s1, -top - 1, top), r2 = limited(s2, -top - 1, top);
    beyond |= (r1 != s1) | (r2 != s2);
    // The reciprocal of 2.8125 - c^2/4, 27 fraction bits: inverse() there.
    const Whole square = round_shift(c * c, 25), segment = (square >> 16) - (square >> 25),
                row = env_acrobot_rom[segment];
    const Whole steep = (1 << 14) + (row & ((1 << 12) - 1));
    const Whole f = (11 << 22) + round_shift(((row >> 12) << 16) + steep * (square - (segment << 16)), 17);
    const Whole cr1 = round_shift(c * r1, 25), cr2 = round_shift(c * r2, 25);
    const Whole n1 = round_shift(5 * (r1 - r2) - 2 * cr2, 2 + R - N);
    const Whole n2 = round_shift(14 * r2 - 5 * r1 + 4 * cr2 - 2 * cr1, 2 + R - N);
    return {round_shift(f * n1, 27), round_shift(f * n2, 27)};
}

static inline void acrobot_seen(Links t, Links v, std::int32_t* const* obs, Whole i) {
    using namespace acrobot;
    const Whole seen[] = {round_shift(cosine(t.one), 9),       round_shift(sine(t.one), 9),
                          round_shift(cosine(t.two), 9),       round_shift(sine(t.two), 9),
                          round_shift(v.one * TO_RADIANS, 24), round_shift(v.two * TO_RADIANS, 25)};
    for (int j = 0; j < 6; ++j) obs[j][i] = static_cast<std::int32_t>(seen[j]);
}

static inline void acrobot_step(const Copies& all, Whole i) {
    using namespace acrobot;
    const Whole action = all.action[0][i];
    const Links t{all.state[0][i], all.state[1][i]}, v{all.state[2][i], all.state[3][i]};
    bool beyond = false;
    // A speed of a later stage has 27 bits.
    const auto speed = [&](Whole x) {
        constexpr Whole top = (1 << 26) - 1;
        const Whole kept = limited(x, -top - 1, top);
        beyond |= kept != x;
        return kept;
    };
    const auto pair = [](const Links& a, const Links& b, auto of) { return Links{of(a.one, b.one), of(a.two, b.two)}; };
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
    const auto next = [&](Whole Links::*link, Whole end, Whole& angle) {
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

static inline void acrobot_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    using namespace acrobot;
    for (int j = 0; j < 4; ++j) {
        const Whole odd = 2 * Whole{words[j] >> 14} + 1 - (1 << 18);
        state[j] =
            static_cast<std::int32_t>(j < 2 ? round_shift(odd * START_ANGLE, 14) : round_shift(odd * START_SPEED, 16));
    }
    std::int32_t* each[6];
    for (int j = 0; j < 6; ++j) each[j] = obs + j;
    acrobot_seen({state[0], state[1]}, {state[2], state[3]}, each, 0);
}

}  // namespace rlcores::env
