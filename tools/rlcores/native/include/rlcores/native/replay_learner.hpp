// replay_learner.hpp — a gradient step of the replay learner on a batch that was sampled
// (cores/replay_learner/model.py). SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "rlcores/native/learner.hpp"
#include "rlcores/native/sumtree.hpp"

namespace rlcores {

// Experiences as the core has them in memory: the elements of each, and where in them the states begin.
struct ReplayMemory {
    const std::uint32_t* elements;
    std::size_t slots, width, states_at, next_states_at;
};

// The batch's records, the step on them, and the priorities back into the tree.
struct ReplayStep {
    SumTree& tree;
    learner::Network& network;
    learner::ValueStep& value;

    struct Batch {
        std::size_t count;
        const SampleAnswer* answers;
        learner::Whole rows;  // with those that fill the last batch slice
        int td_shift;         // of |TD error| to 20 fraction bits
        bool sync;            // the target follows
    };
    // How many updates were stale; -1, and nothing has changed, where the model has to do the step.
    // gradient: of the network's size. counters: 64, of which the update's begin at `base`.
    std::int64_t operator()(const ReplayMemory& memory, const Batch& batch, const learner::LossSettings& loss,
                            learner::Whole* gradient, learner::Whole* counters, learner::Whole base);
};

}  // namespace rlcores
