// acting.cpp — the policy core for Python; rlcores.cores.policy.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/acting.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "held_network.hpp"

namespace rlcores {

namespace {

using learner::Whole;
using policy::Acting;

bool act(Acting& self, const Codes& observations, nb::handle state, nb::handle actions, nb::handle samples,
         nb::handle logs, std::array<Whole, 4> settings, nb::handle counters) {
    const auto rows = static_cast<Whole>(observations.shape(0));
    check(observations, rows, self.inputs());
    const auto numbers = static_cast<std::size_t>(rows * self.width());
    const Array<Whole> action(actions, numbers, true), sample(samples, numbers, true);
    const Array<Whole> log(logs, static_cast<std::size_t>(rows), true), counts(counters, policy::COUNTERS, true);
    const Array<std::uint32_t> words(state, 4, true);
    Draws draws(32);
    draws.load({words[0], words[1], words[2], words[3]});
    const bool done = self.act(observations.data(), rows, draws,
                               {settings[0], settings[1] != 0, static_cast<policy::Squash>(settings[2]), settings[3]},
                               {action.data(), sample.data(), log.data()}, counts.data());
    std::copy_n(draws.state().begin(), 4, words.data());
    return done;
}

}  // namespace

// It has room for one call: Python's lock stays held.
void bind_acting(nb::module_& module) {
    nb::class_<Acting>(module, "Acting", "The policy core: observations in, actions and log-probabilities out.")
        .def("__init__",
             [](Acting* self, std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool logp,
                nb::handle weights, nb::handle logs) {
                 const Array<Whole> codes(weights), deviations(logs);
                 if (codes.size() != static_cast<std::size_t>(learner::count_of(sizes)) ||
                     (deviations.size() && deviations.size() != static_cast<std::size_t>(sizes.back())))
                     throw nb::value_error("the engine was given weights of another network");
                 new (self) Acting(std::move(sizes), std::move(act_frac), output_width, logp,
                                   std::vector<Whole>(codes.data(), codes.data() + codes.size()),
                                   std::vector<Whole>(deviations.data(), deviations.data() + deviations.size()));
             })
        .def("act", &act);
}

}  // namespace rlcores
