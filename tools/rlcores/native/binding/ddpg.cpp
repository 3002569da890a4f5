// ddpg.cpp — DDPG's gradients for Python; rlcores.cores.learner.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/ddpg.hpp"

#include <nanobind/stl/vector.h>

#include "held_network.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

using learner::Whole;

// A critic and its actor, both kept by Python while this is.
class Ddpg {
public:
    Ddpg(Held& critic, Held& actor, Whole action_at, Whole action_shift, Whole tail_shift, std::vector<Whole> pass_frac)
        : critic_(critic),
          actor_(actor),
          step_({action_at, action_shift, tail_shift, checked(critic, actor, action_at, std::move(pass_frac))},
                critic.network, critic.step, actor.network) {}

    // Takes a batch in, and finds the critic's gradient: as LearnerNetwork.gradients.
    Whole critic(Codes states, Codes actions, nb::handle rewards, Codes next_states, nb::handle terminated,
                 nb::handle weights, nb::handle chosen, Whole rows,
                 RLCORES_CRITIC_LOSS(RLCORES_PARAMETER) nb::handle gradient, nb::handle td, nb::handle counters) {
        const auto count = static_cast<Whole>(states.shape(0));
        const auto n = static_cast<std::size_t>(count);
        check(states, count, in()), check(next_states, count, in()),
            check(actions, count, actor_.network.shape.sizes.back());
        if (rows < count) throw nb::value_error("the engine was given fewer rows than records");
        const Array<Whole> reward(rewards, n), weight(weights, n), valid(chosen, n);
        const Array<bool> end(terminated, n);
        const Array<Whole> found(td, n, true), counts(counters, 64, true), to(gradient, critic_.size(), true);
        const Released released;
        return step_.critic({count, rows, states.data(), valid.data(), reward.data(), next_states.data(),
                             reinterpret_cast<const std::uint8_t*>(end.data()), weight.data()},
                            actions.data(), {RLCORES_CRITIC_LOSS(RLCORES_NAME) 0}, to.data(), found.data(),
                            counts.data());
    }

    bool actor(Codes states, nb::handle chosen, Whole rows, Whole slope, nb::handle gradient, nb::handle counters) {
        const auto count = static_cast<Whole>(states.shape(0));
        check(states, count, in());
        if (rows < count) throw nb::value_error("the engine was given fewer rows than records");
        const Array<Whole> valid(chosen, static_cast<std::size_t>(count));
        const Array<Whole> counts(counters, 64, true), to(gradient, actor_.size(), true);
        const Released released;
        return step_.actor({count, rows, states.data(), valid.data(), nullptr, nullptr, nullptr, nullptr}, slope,
                           to.data(), counts.data());
    }

private:
    static std::vector<Whole> checked(const Held& critic, const Held& actor, Whole at, std::vector<Whole> pass_frac) {
        const auto& sizes = critic.network.shape.sizes;
        const auto& outer = actor.network.shape.sizes;
        if (sizes.size() < 3 || sizes.back() != 1 || at < outer.front() || at + outer.back() != sizes.front() ||
            pass_frac.size() != sizes.size())
            throw nb::value_error("the engine has no such critic and actor");
        return pass_frac;
    }
    Whole in() const { return actor_.network.shape.sizes.front(); }

    Held &critic_, &actor_;
    learner::DdpgStep step_;
};

}  // namespace

void bind_ddpg(nb::module_& module) {
    nb::class_<Ddpg>(module, "LearnerDdpg", "Gradients of a critic and its actor.")
        .def(nb::init<Held&, Held&, Whole, Whole, Whole, std::vector<Whole>>(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>())
        .def("critic", &Ddpg::critic)
        .def("actor", &Ddpg::actor);
}

}  // namespace rlcores
