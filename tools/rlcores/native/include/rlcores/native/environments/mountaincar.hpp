// mountaincar.hpp — steps and resets of MountainCar and MountainCarContinuous. The model is
// rlcores/cores/env/mountaincar.py. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

template <bool continuous>
static inline void car_step(const Copies& all, Whole i) {
    using namespace mountaincar;
    constexpr Whole one = 1 << 15;
    const Whole action = all.action[0][i], before = all.state[0][i];
    const Whole force = continuous ? limited(action, -one, one) * POWER : (action - 1) * FORCE;
    const Whole slope = cosine(round_shift((before >> 4) * TURNS, 17)) * GRAVITY;
    const Whole sum = round_shift(Whole{all.state[1][i]} * (1 << 21) + force - slope, 21);
    const Whole velocity = limited(sum, -SPEED, SPEED);
    const Whole position = limited(before + velocity, POSITION_LOW, POSITION_HIGH);
    const Whole kept = ((position == POSITION_LOW) & (velocity < 0)) ? 0 : velocity;
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

static inline void mountaincar_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    using namespace mountaincar;
    bool unused = false;
    state[0] = static_cast<std::int32_t>(RESET_LOW + (Whole{words[0] >> 6} * RESET_LENGTH >> 16));
    state[1] = 0;
    obs[0] = static_cast<std::int32_t>(seen(state[0], 13, unused));
    obs[1] = 0;
}

static inline void mountaincar_step(const Copies& all, Whole i) { car_step<false>(all, i); }
static inline void mountaincar_continuous_step(const Copies& all, Whole i) { car_step<true>(all, i); }

static inline void mountaincar_continuous_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    mountaincar_reset(words, state, obs);
}

}  // namespace rlcores::env
