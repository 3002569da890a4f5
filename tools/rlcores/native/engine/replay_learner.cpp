// replay_learner.cpp — a gradient step of the replay learner.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/replay_learner.hpp"

#include <algorithm>
#include <vector>

namespace rlcores {

using learner::Whole;

namespace {

constexpr std::uint32_t no_action = 0x7FFFFFFF;  // the bit above it: the episode terminated
constexpr Whole delta_max = (Whole{1} << 31) - 1;
constexpr int weight_shift = 31 - 17;  // of importance weights, to the learner's fraction

struct Records {
    std::vector<Whole> states, next_states, actions, rewards, weights, td;
    std::vector<std::uint8_t> terminated;
    std::vector<std::int64_t> index, generation;

    void resize(std::size_t n, std::size_t in) {
        states.resize(n * in), next_states.resize(n * in);
        for (auto* each : {&actions, &rewards, &weights, &td, &index, &generation}) each->resize(n);
        terminated.resize(n);
    }
};

}  // namespace

std::int64_t ReplayStep::operator()(const ReplayMemory& memory, const Batch& batch, const learner::LossSettings& loss,
                                    Whole* gradient, Whole* counters, Whole base) {
    thread_local Records r;
    const std::size_t n = batch.count, in = static_cast<std::size_t>(network.shape.sizes[0]);
    r.resize(n, in);
    for (std::size_t i = 0; i < n; ++i) {
        const SampleAnswer& answer = batch.answers[i];
        if (answer.status != SampleStatus::found || answer.index >= memory.slots) return -1;
        const std::uint32_t* row = memory.elements + answer.index * memory.width;
        for (std::size_t k = 0; k < in; ++k) {
            r.states[i * in + k] = static_cast<std::int32_t>(row[memory.states_at + k]);
            r.next_states[i * in + k] = static_cast<std::int32_t>(row[memory.next_states_at + k]);
        }
        r.actions[i] = row[0] & no_action;
        r.rewards[i] = static_cast<std::int32_t>(row[1]);
        r.terminated[i] = row[0] > no_action;
        r.weights[i] = learner::round_shift(answer.weight, weight_shift);
    }
    const Whole trained =
        value.gradients({static_cast<Whole>(n), batch.rows, r.states.data(), r.actions.data(), r.rewards.data(),
                         r.next_states.data(), r.terminated.data(), r.weights.data()},
                        loss, gradient, r.td.data(), counters);
    if (trained < 0) return -1;
    learner::Network::Counts counts{};
    network.update(gradient, batch.sync, nullptr, counts);
    learner::add(counts, counters, base, network.layers);
    // Those that have a TD error, in order.
    std::size_t known = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (r.actions[i] >= network.shape.sizes.back()) continue;
        const Whole error = r.td[known];
        r.td[known] = std::min((error < 0 ? -error : error) << batch.td_shift, delta_max);
        r.index[known] = batch.answers[i].index;
        r.generation[known++] = batch.answers[i].generation;
    }
    const Writes errors{known, Kind::update, r.index.data(), r.td.data(), r.generation.data(), true, false, true};
    return static_cast<std::int64_t>(tree.write(errors, nullptr, nullptr, nullptr).stale);
}

}  // namespace rlcores
