// learner.cpp — networks for Python; rlcores.cores.learner.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "learner.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"

namespace rlcores {

namespace {

using learner::Network;
using learner::ValueStep;
using learner::Whole;
using Planes = nb::ndarray<Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Given = nb::ndarray<const Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A network whose planes are an array of Python's, (4, size).
struct Held {
    Planes planes;
    Network network;
    ValueStep step;
    Held(Planes given, learner::Shape shape)
        : planes(std::move(given)), network(std::move(shape), planes.data()), step(network) {}
};

}  // namespace

void bind_learner(nb::module_& module) {
    nb::class_<Held>(module, "LearnerNetwork", "One network of the learner core, in planes of its caller.")
        .def("__init__",
             [](Held* self, Planes planes, std::vector<Whole> sizes, std::vector<Whole> act_frac,
                std::vector<Whole> delta_frac, std::vector<Whole> grad_frac, int output_width, int optimiser,
                int rounding, bool polyak, std::array<int, 4> betas) {
                 new (self) Held(std::move(planes),
                                 {std::move(sizes), std::move(act_frac), std::move(delta_frac), std::move(grad_frac),
                                  output_width, static_cast<learner::Optimiser>(optimiser), rounding, polyak, betas});
             })
        .def("refresh", [](Held& self, bool target) { self.network.refresh(target); })
        .def("rates",
             [](Held& self, Whole rate, Whole log_rate, Whole momentum, Whole log_clip, Whole tau,
                std::vector<Whole> rate_shift, std::vector<Whole> eps) {
                 self.network.rates({rate, log_rate, momentum, log_clip, tau, std::move(rate_shift), std::move(eps)});
             })
        .def("gradients",
             [](Held& self, Given states, nb::handle actions, nb::handle rewards, Given next_states,
                nb::handle terminated, nb::handle weights, Whole rows, Whole gamma, Whole reward_scale, Whole huber,
                bool twice, nb::handle gradient, nb::handle td, nb::handle counters) {
                 const auto count = static_cast<Whole>(states.shape(0));
                 const auto n = static_cast<std::size_t>(count);
                 const Array<Whole> chosen(actions, n), reward(rewards, n), weight(weights, n);
                 const Array<bool> end(terminated, n);
                 const Array<Whole> found(td, n, true), counts(counters, 64, true);
                 const Array<Whole> to(gradient, static_cast<std::size_t>(self.network.size), true);
                 const nb::gil_scoped_release released;
                 return self.step.gradients({count, rows, states.data(), chosen.data(), reward.data(),
                                             next_states.data(), reinterpret_cast<const std::uint8_t*>(end.data()),
                                             weight.data()},
                                            {gamma, reward_scale, huber, twice}, to.data(), found.data(),
                                            counts.data());
             })
        .def("update",
             [](Held& self, nb::handle gradient, bool sync, nb::handle dither, nb::handle counters, Whole base) {
                 const auto size = static_cast<std::size_t>(self.network.size);
                 const Array<Whole> g(gradient, size), counts(counters, 64, true);
                 std::optional<Array<Whole>> noise;
                 if (!dither.is_none()) noise.emplace(dither, size);
                 const nb::gil_scoped_release released;
                 Network::Counts found{};
                 self.network.update(g.data(), sync, noise ? noise->data() : nullptr, found);
                 for (Whole l = 1; l <= self.network.layers; ++l) counts[base + l] += found[l];
             },
             nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg())
        .def("values", [](Held& self, Given codes, nb::ndarray<double, nb::ndim<2>, nb::c_contig> found) {
            const nb::gil_scoped_release released;
            return self.step.values(codes.data(), static_cast<Whole>(codes.shape(0)), found.data());
        });
}

}  // namespace rlcores
