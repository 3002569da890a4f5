// learner.cpp — networks for Python; rlcores.cores.learner.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/learner.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "held_network.hpp"
#include "released.hpp"
#include "rlcores/native/replay_learner.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores {

namespace {

using learner::Network;
using learner::Whole;

// floor(x * 2**frac + 1/2) of floats, as format.quantise() has them. False: another type, or beyond `low` to `high`
// where `strict`; else they are limited to that.
bool codes(const View& x, Whole frac, Whole low, Whole high, bool strict, std::vector<Whole>& found) {
    found.resize(x.size());
    const double one = static_cast<double>(Whole{1} << frac), least = static_cast<double>(low),
                 most = static_cast<double>(high);
    const auto n = static_cast<Whole>(x.size());
    const auto fits = [strict](Whole limited) { return limited == 0 || (limited > 0 && !strict); };
    if (x.is<float>(x.dimensions()))
        return fits(kernels().learner.codes_float(x.as<const float>(), n, one, least, most, found.data()));
    if (x.is<double>(x.dimensions()))
        return fits(kernels().learner.codes_double(x.as<const double>(), n, one, least, most, found.data()));
    return false;
}

// How many numbers are not 0 but have the code 0.
Whole lost(const View& x, const std::vector<Whole>& codes) {
    const auto count = [&codes](const auto* given) {
        Whole found = 0;
        for (std::size_t i = 0; i < codes.size(); ++i) found += (codes[i] == 0) & (given[i] != 0);
        return found;
    };
    return x.is<float>(x.dimensions()) ? count(x.as<const float>()) : count(x.as<const double>());
}

// Whether all of them have the code 0, and some are not 0.
bool vanished(const View& x, const std::vector<Whole>& codes) {
    return std::none_of(codes.begin(), codes.end(), [](Whole code) { return code != 0; }) && lost(x, codes) != 0;
}

}  // namespace

#define RLCORES_ARG(name) nb::arg(),

void bind_stages(nb::class_<Held>& network);

void bind_learner(nb::module_& module) {
    nb::class_<Held> network(module, "LearnerNetwork", "One network of the learner core, in planes of its caller.");
    bind_stages(network);
    network
        .def("__init__",
             [](Held* self, decltype(Held::planes) planes, std::vector<Whole> sizes, std::vector<Whole> act_frac,
                std::vector<Whole> delta_frac, std::vector<Whole> grad_frac, int output_width,
                const std::string& optimiser, bool squared, int rounding, bool polyak, std::array<int, 4> betas) {
                 const std::size_t vectors = sizes.size();
                 if (vectors < 2 || vectors > 5 || *std::min_element(sizes.begin(), sizes.end()) < 1 ||
                     act_frac.size() != vectors || delta_frac.size() != vectors || grad_frac.size() != vectors ||
                     !learner::optimiser_of(optimiser.c_str()) || planes.shape(0) != 4 ||
                     !aligned<Whole>(planes.data()) || static_cast<Whole>(planes.shape(1)) != learner::count_of(sizes))
                     throw nb::value_error("the engine has no such network");
                 new (self) Held(std::move(planes),
                                 {std::move(sizes), std::move(act_frac), std::move(delta_frac), std::move(grad_frac),
                                  output_width, learner::optimiser_of(optimiser.c_str()), squared,
                                  static_cast<learner::RoundingMode>(rounding), polyak, betas});
             })
        .def("refresh", [](Held& self, bool target) { self.network.refresh(target); })
        .def("rates",
             [](Held& self, Whole rate, Whole log_rate, Whole momentum, Whole log_clip, Whole tau,
                std::vector<Whole> rate_shift, std::vector<Whole> eps, Whole decay, Whole decay_shift) {
                 const auto layers = static_cast<std::size_t>(self.network.layers);
                 if (rate_shift.size() != layers || eps.size() != layers)
                     throw nb::value_error("the engine was given rates of another network");
                 self.network.rates({rate, log_rate, momentum, log_clip, tau, decay, decay_shift, std::move(rate_shift),
                                     std::move(eps)});
             })
        .def("log_rate", [](Held& self, Whole rate) { self.network.log_rate(rate); })
        .def("gradients",
             [](Held& self, Codes states, nb::handle actions, nb::handle rewards, Codes next_states,
                nb::handle terminated, nb::handle weights, Whole rows,
                RLCORES_LOSS(RLCORES_PARAMETER) nb::handle gradient, nb::handle td, nb::handle counters) {
                 const auto count = static_cast<Whole>(states.shape(0));
                 const auto n = static_cast<std::size_t>(count);
                 check(states, count, self.network.shape.sizes[0]),
                     check(next_states, count, self.network.shape.sizes[0]);
                 if (rows < count) throw nb::value_error("the engine was given fewer rows than records");
                 const Array<Whole> chosen(actions, n), reward(rewards, n), weight(weights, n);
                 const Array<bool> end(terminated, n);
                 const Array<Whole> found(td, n, true), counts(counters, 64, true);
                 const Array<Whole> to(gradient, self.size(), true);
                 const Released released;
                 return self.step.gradients(
                     {count, rows, states.data(), chosen.data(), reward.data(), next_states.data(),
                      reinterpret_cast<const std::uint8_t*>(end.data()), weight.data()},
                     {RLCORES_LOSS(RLCORES_NAME)}, to.data(), found.data(), counts.data());
             })
        .def(
            "stepped",
            [](Held& self, nb::handle states, nb::handle actions, nb::handle rewards, nb::handle next_states,
               nb::handle terminated, nb::handle weights, nb::handle errors, Whole rows,
               RLCORES_LOSS(RLCORES_PARAMETER) nb::handle gradient, nb::handle td, nb::handle counters, bool sync,
               Whole base) -> Whole {
                // How many rewards are not 0 but became 0. -2: not the plain arrays of right numbers that are taken
                // here, or states that all became 0, of which Python warns. Without an update where base is -1.
                constexpr Whole WORD = Whole{1} << 31, REWARD = Whole{1} << 26, ONE = Whole{1} << 17;
                View state, action, reward, next, end, weight;
                if (!state.tried(states, false) || !action.tried(actions, false) || !reward.tried(rewards, false) ||
                    !next.tried(next_states, false) || !end.tried(terminated, false) ||
                    (!weights.is_none() && !weight.tried(weights, false)))
                    return -2;
                const learner::Shape& shape = self.network.shape;
                const std::size_t n = reward.size(), in = static_cast<std::size_t>(shape.sizes[0]);
                const Whole frac = shape.act_frac[0];
                const auto flat = [n](const View& x) { return x.dimensions() == 1 && x.size() == n; };
                const auto deep = [n, in](const View& x) {
                    return x.dimensions() == 2 && x.length(0) == n && x.length(1) == in;
                };
                if (!flat(reward) || !action.is<Whole>() || !flat(action) || !end.is<bool>() || !flat(end) ||
                    !deep(state) || !deep(next) || (!weights.is_none() && !flat(weight)))
                    return -2;
                const auto* chosen = action.as<const Whole>();
                for (std::size_t i = 0; i < n; ++i)
                    if (chosen[i] < 0 || chosen[i] >= shape.sizes.back()) return -2;
                if (!codes(state, frac, -WORD, WORD - 1, false, self.states) ||
                    !codes(next, frac, -WORD, WORD - 1, false, self.next_states) ||
                    !codes(reward, 16, -REWARD, REWARD - 1, true, self.rewards) || vanished(state, self.states))
                    return -2;
                if (weights.is_none())
                    self.weights.assign(n, ONE);
                else if (!codes(weight, 17, 0, ONE, true, self.weights))
                    return -2;
                if (rows < static_cast<Whole>(n)) throw nb::value_error("the engine was given fewer rows than records");
                if (base > 64 - 5 || (base < 0) != (shape.rounding == learner::RoundingMode::stochastic))
                    throw nb::value_error("the engine was given an update of another network");
                const Array<Whole> found(td, n, true), counts(counters, 64, true);
                const Array<double> real(errors, n, true);
                const Array<Whole> to(gradient, self.size(), true);
                const Released released;
                const Whole trained =
                    self.step.gradients({static_cast<Whole>(n), rows, self.states.data(), chosen, self.rewards.data(),
                                         self.next_states.data(), end.as<const std::uint8_t>(), self.weights.data()},
                                        {RLCORES_LOSS(RLCORES_NAME)}, to.data(), found.data(), counts.data());
                const double unit = std::ldexp(1.0, -static_cast<int>(shape.act_frac.back()));
                if (trained < 0) return trained;
                for (std::size_t i = 0; i < n; ++i)
                    real[i] = static_cast<double>(found[i] < 0 ? -found[i] : found[i]) * unit;
                const Whole rounded_away = lost(reward, self.rewards);
                if (base < 0) return rounded_away;
                Network::Counts limited{};
                self.network.update(to.data(), sync, nullptr, limited);
                learner::add(limited, counts.data(), base, self.network.layers);
                return rounded_away;
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
            RLCORES_LOSS(RLCORES_ARG) nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg())
        .def(
            "update",
            [](Held& self, nb::handle gradient, bool sync, nb::handle dither, nb::handle counters, Whole base) {
                const Array<Whole> g(gradient, self.size()), counts(counters, 64, true);
                std::optional<Array<Whole>> noise;
                if (!dither.is_none()) noise.emplace(dither, self.size());
                if (noise.has_value() != (self.network.shape.rounding == learner::RoundingMode::stochastic) ||
                    base < 0 || base > 64 - 5)
                    throw nb::value_error("the engine was given an update of another network");
                const Released released;
                Network::Counts found{};
                self.network.update(g.data(), sync, noise ? noise->data() : nullptr, found);
                learner::add(found, counts.data(), base, self.network.layers);
            },
            nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg())
        .def("replayed",
             [](Held& self, SumTree& tree, nb::handle memory, Whole states_at, Whole next_states_at, nb::handle answers,
                Whole rows, int td_shift, bool sync, RLCORES_LOSS(RLCORES_PARAMETER) nb::handle gradient,
                nb::handle counters, Whole base) {
                 const View records(memory, false), drawn(answers, false);
                 const auto in = self.network.shape.sizes[0];
                 const std::size_t n = drawn.bytes() / sizeof(SampleAnswer);
                 if (!records.is<std::uint32_t>(2) || drawn.bytes() != n * sizeof(SampleAnswer) ||
                     rows < static_cast<Whole>(n) || std::min(states_at, next_states_at) < 2 ||
                     std::max(states_at, next_states_at) + in > static_cast<Whole>(records.length(1)) || td_shift < 0 ||
                     td_shift > 20 || self.network.shape.rounding == learner::RoundingMode::stochastic || base < 0 ||
                     base > 64 - 5)
                     throw nb::value_error("the engine was given a batch of another replay learner");
                 const Array<Whole> counts(counters, 64, true), to(gradient, self.size(), true);
                 const Released released;
                 return ReplayStep{tree, self.network, self.step}(
                     {records.as<const std::uint32_t>(), records.length(0), records.length(1),
                      static_cast<std::size_t>(states_at), static_cast<std::size_t>(next_states_at)},
                     {n, drawn.as<const SampleAnswer>(), rows, td_shift, sync}, {RLCORES_LOSS(RLCORES_NAME)}, to.data(),
                     counts.data(), base);
             })
        .def("outputs", [](Held& self, nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> inputs,
                           nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> found) {
            const auto& sizes = self.network.shape.sizes;
            if (found.shape(0) != inputs.shape(0) || static_cast<Whole>(inputs.shape(1)) != sizes.front() ||
                static_cast<Whole>(found.shape(1)) != sizes.back() || !aligned<double>(inputs.data()) ||
                !aligned<double>(found.data()))
                throw nb::value_error("the engine was given inputs of another shape");
            const Released released;
            return self.network.outputs(inputs.data(), static_cast<Whole>(inputs.shape(0)), found.data());
        });
}

}  // namespace rlcores
