// ddpg.hpp — gradients of DDPG's critic and actor. The model is DdpgLearner in rlcores/cores/learner/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rlcores/native/learner.hpp"

namespace rlcores::learner {

// The critic's input is the state, padding of zeros, and from `action_at` on the action.
struct DdpgShape {
    Whole action_at, action_shift, tail_shift;
    std::vector<Whole> pass_frac;  // of dQ/d sum of the critic's layers 0 … M
};

class DdpgStep {
public:
    DdpgStep(DdpgShape shape, Network& critic, ValueStep& critic_step, Network& actor)
        : shape_(std::move(shape)),
          critic_(critic),
          critic_step_(critic_step),
          actor_(actor),
          vectors_(actor.layers + 1),
          deltas_(vectors_),
          through_(critic.layers + 1),
          passed_(through_) {}

    // The critic's gradient, as ValueStep::gradients. batch.actions: 0 of valid records, -1 of others; `actions`: codes
    // (count, N_a).
    Whole critic(const ValueStep::Batch& batch, const Whole* actions, const LossSettings& loss, Whole* gradient,
                 Whole* td, Whole* counters);
    // The actor's, through the critic's present weights. `delta`: d loss/d Q of a valid record.
    bool actor(const ValueStep::Batch& batch, Whole delta, Whole* gradient, Whole* counters);

private:
    // The critic's input of states and of what the actor says in vectors_.
    void join(Matrix& input) const;

    const DdpgShape shape_;
    Network& critic_;
    ValueStep& critic_step_;
    Network& actor_;
    std::vector<Matrix> vectors_, deltas_, through_, passed_;
};

}  // namespace rlcores::learner
