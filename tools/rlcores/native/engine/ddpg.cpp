// ddpg.cpp — DDPG's critic learns from what the target actor would do, its actor from the critic's slope.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/ddpg.hpp"

#include <algorithm>

#include "rlcores/native/gen/counters.hpp"
#include "rlcores/native/tanh.hpp"

namespace rlcores::learner {

namespace {
// Places of counters; of those of layers, the place of layer 0.
constexpr Whole ACTOR_FW = STAGE_FW1 - 1, ACTOR_TFW = STAGE_TFW1 - 1, PASS_FW = STAGE_PASS_FW - 1,
                PASS_BW = STAGE_PASS_BW - 1, ACTOR_BW = STAGE_BW1 - 1, ACTOR_GRAD = STAGE_WA1 - 1;
}  // namespace

void DdpgStep::join(Matrix& input) const {
    const Matrix &states = vectors_.front(), &outputs = vectors_.back();
    input.shape(states.rows, critic_.shape.sizes[0]);
    for (Whole r = 0; r < states.rows; ++r) {
        std::copy_n(states.row(r), states.columns, input.row(r));
        for (Whole c = 0; c < outputs.columns; ++c)
            input.row(r)[shape_.action_at + c] =
                static_cast<double>(round_shift(tanh_of(static_cast<Whole>(outputs.row(r)[c])), shape_.action_shift));
    }
}

Whole DdpgStep::critic(const ValueStep::Batch& b, const Whole* actions, const LossSettings& s, Whole* gradient,
                       Whole* td, Whole* counters) {
    const Whole in = actor_.shape.sizes.front(), out = actor_.shape.sizes.back();
    Matrix& online = critic_step_.online();
    vectors_[0].shape(b.rows, in), online.shape(b.rows, critic_.shape.sizes[0]);
    const Whole limited = take(b.states, b.count, in, online) + take(b.next_states, b.count, in, vectors_[0]) +
                          take(actions, b.count, out, online, shape_.action_at);
    Network::Counts target{};
    if (!actor_.forward(vectors_, true, actor_.layers, target)) return -1;
    join(critic_step_.target());
    const Whole found = critic_step_.learn(b, s, gradient, td, counters);
    if (found < 0) return -1;
    counters[STAGE_IN] += limited;
    add(target, counters, ACTOR_TFW, actor_.layers);
    return found;
}

bool DdpgStep::actor(const ValueStep::Batch& b, Whole slope, Whole* gradient, Whole* counters) {
    const Whole in = actor_.shape.sizes.front(), out = actor_.shape.sizes.back();
    vectors_[0].shape(b.rows, in);
    take(b.states, b.count, in, vectors_[0]);
    Network::Counts forward{}, pass{}, pass_back{}, back{}, gradients{};
    if (!actor_.forward(vectors_, false, actor_.layers, forward)) return false;
    // Through the critic's hidden layers and back; of the first layer only what leads to the action.
    join(through_[0]);
    if (!critic_.forward(through_, false, critic_.layers - 1, pass)) return false;
    Matrix &first = passed_.back(), &action = passed_.front();
    first.shape(b.rows, 1);
    for (Whole r = 0; r < b.rows; ++r)
        *first.row(r) = r < b.count && b.actions[r] == 0 ? static_cast<double>(slope) : 0.0;
    if (!critic_.backward(through_, passed_, shape_.pass_frac, pass_back)) return false;
    if (!critic_.through(passed_[1], 1, shape_.pass_frac, nullptr, action, pass_back[1], shape_.action_at))
        return false;

    Matrix& delta = deltas_.back();
    delta.shape(b.rows, out);
    Whole limited = 0;
    for (Whole r = 0; r < b.rows; ++r)
        for (Whole c = 0; c < out; ++c) {
            const Whole a = tanh_of(static_cast<Whole>(vectors_.back().row(r)[c]));
            const Whole of_tanh = round_shift((Whole{1} << 2 * TANH_FRAC) - a * a, TANH_FRAC);
            const Whole exact = round_shift(static_cast<Whole>(action.row(r)[c]) * of_tanh, shape_.tail_shift);
            delta.row(r)[c] = static_cast<double>(as_act(exact));
            limited += as_act(exact) != exact;
        }
    if (!actor_.backward(vectors_, deltas_, actor_.shape.delta_frac, back)) return false;
    if (!actor_.gradient(vectors_, deltas_, gradient, gradients)) return false;
    counters[STAGE_TAIL] += limited;
    add(forward, counters, ACTOR_FW, actor_.layers), add(pass, counters, PASS_FW, critic_.layers);
    add(pass_back, counters, PASS_BW, critic_.layers), add(back, counters, ACTOR_BW, actor_.layers);
    add(gradients, counters, ACTOR_GRAD, actor_.layers);
    return true;
}

}  // namespace rlcores::learner
