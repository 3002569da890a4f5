// loss_settings.hpp — settings of the learner's loss as the core's registers have them. Written by `rlcores generate` from
// cores/learner/loss_settings.py; do not edit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// X(name) for each setting of a critic's loss, and with the choice of the next action.
#define RLCORES_CRITIC_LOSS(X) X(gamma) X(reward_scale) X(huber)
#define RLCORES_LOSS(X) RLCORES_CRITIC_LOSS(X) X(double_dqn)

namespace rlcores::learner {

struct LossSettings {
    std::int64_t gamma, reward_scale, huber, double_dqn;

    std::int64_t clipped(std::int64_t td) const;  // a TD error as it counts in the gradient
};

}  // namespace rlcores::learner
