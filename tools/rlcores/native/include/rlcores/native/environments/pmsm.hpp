// pmsm.hpp — a step and a reset of a motor's currents. The model is rlcores/cores/env/pmsm.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/env_physics.hpp"

namespace rlcores::env {

static inline void pmsm_step(const Copies& all, Whole i) {
    using namespace pmsm;
    constexpr Whole top = (1 << 26) - 1, most = (1 << 17) - 1;
    const Whole i_d = wrapped(all.state[0][i], 27), i_q = wrapped(all.state[1][i], 27),
                speed = wrapped(all.state[2][i], 18);
    const Whole goal_d = wrapped(all.state[3][i], 18), goal_q = wrapped(all.state[4][i], 18);
    const Whole u_d = limited(all.action[0][i], -ONE, ONE), u_q = limited(all.action[1][i], -ONE, ONE);
    const Whole flux_d = round_shift(i_q * X_D, 17), flux_q = round_shift(i_d * X_Q + FLUX_Q, 21);
    const Whole change_d = u_d * 512 * A_D - round_shift(i_d, 4) * R_D + flux_d * speed;
    const Whole change_q = u_q * 128 * A_Q - round_shift(i_q, 4) * R_Q - flux_q * speed;
    const Whole sum_d = i_d + round_shift(change_d, 18), sum_q = i_q + round_shift(change_q, 18);
    const Whole new_d = limited(sum_d, -top - 1, top), new_q = limited(sum_q, -top - 1, top);
    bool beyond = (new_d != sum_d) | (new_q != sum_q);
    const Whole seen_d = seen(new_d, 9, beyond), seen_q = seen(new_q, 9, beyond);
    const bool over = seen_d * seen_d + seen_q * seen_q > Whole{1} << 32;
    const Whole away_d = seen_d - goal_d, away_q = seen_q - goal_q;
    const Whole missed = (away_d < 0 ? -away_d : away_d) + (away_q < 0 ? -away_q : away_q);
    const Whole next[] = {new_d, new_q, speed, goal_d, goal_q};
    const Whole shown[] = {seen_d, seen_q, limited(speed, -most, most), limited(goal_d, -most, most),
                           limited(goal_q, -most, most)};
    for (int j = 0; j < 5; ++j) {
        all.state[j][i] = static_cast<std::int32_t>(next[j]);
        all.obs[j][i] = static_cast<std::int32_t>(shown[j]);
    }
    all.reward[i] = static_cast<std::int32_t>(over ? FAILURE : (1 << REWARD_FRACTION) - missed * 4);
    all.terminated[i] = over;
    all.limited[i] = beyond;
}

static inline void pmsm_reset(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs) {
    const auto half = [&](int word, int low) { return static_cast<std::int32_t>(wrapped(words[word] >> low, 16)); };
    const std::int32_t speed = static_cast<std::int32_t>(wrapped(words[0] >> 14, 18));
    state[2] = speed, obs[2] = speed < 1 - (1 << 17) ? 1 - (1 << 17) : speed;
    obs[3] = state[3] = half(1, 16), obs[4] = state[4] = half(1, 0);
    obs[0] = half(2, 16), obs[1] = half(2, 0);
    state[0] = obs[0] * 512, state[1] = obs[1] * 512;
}

}  // namespace rlcores::env
