// trained.cpp — networks of SAC, TD3 and DQN for Python; rlcores.cores.rl.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "held_network.hpp"
#include "released.hpp"
#include "rlcores/native/trained.hpp"

namespace rlcores {

namespace trained {

using learner::Pass;
using learner::Trained;
using learner::Whole;
using Grid = nb::ndarray<Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Free = std::shared_ptr<std::vector<std::unique_ptr<Pass>>>;

// A batch's vectors; their memory serves the next batch when Python has forgotten this one.
struct HeldPass {
    Free free;
    std::unique_ptr<Pass> pass;
    explicit HeldPass(Free from) : free(std::move(from)) {
        if (free->empty()) free->push_back(std::make_unique<Pass>());
        pass = std::move(free->back());
        free->pop_back();
    }
    ~HeldPass() { free->push_back(std::move(pass)); }
    HeldPass(const HeldPass&) = delete;
};

struct HeldTrained {
    Grid planes;  // (4, size)
    Trained network;
    Free free = std::make_shared<Free::element_type>();

    HeldTrained(Grid given, learner::Shape shape)
        : planes(std::move(given)), network(std::move(shape), planes.data()) {}
    HeldTrained(const HeldTrained&) = delete;

    const std::vector<Whole>& sizes() const { return network.shape().sizes; }
    std::size_t size() const { return static_cast<std::size_t>(network.size); }
    void check_fractions(const std::vector<Whole>& fractions) const {
        if (fractions.size() != sizes().size())
            throw nb::value_error("the engine was given fractions of another network");
    }
    Pass& of(HeldPass& held) const {
        if (held.free != free || held.pass->depth < network.layers - 1)
            throw nb::value_error("the engine was given a pass of another network");
        return *held.pass;
    }
};

inline void check_rows(const Grid& room, Whole rows, Whole columns) {
    if (static_cast<Whole>(room.shape(0)) != rows || static_cast<Whole>(room.shape(1)) != columns ||
        !aligned<Whole>(room.data()))
        throw nb::value_error("the engine was given an array of another shape");
}

// Counts of a stage, added to its caller's counters from `base` on, and its largest magnitudes, by layer.
struct Seen {
    Array<Whole> counts, most;
    Whole base;
    learner::Counts counted{};
    Trained::Most found{};
    Seen(nb::handle counters, Whole from, nb::handle magnitudes)
        : counts(counters, std::size_t{64}, true), most(magnitudes, std::size_t{5}, true), base(from) {
        if (base < 0 || base > 64 - 5) throw nb::value_error("the engine has no such counters");
    }
    bool told(bool fits) {
        for (std::size_t l = 0; fits && l < 5; ++l) counts[base + l] += counted[l], most[l] = found[l];
        return fits;
    }
};

}  // namespace trained

void bind_trained(nb::module_& module) {
    using namespace trained;
    nb::class_<HeldPass>(module, "TrainedPass", "A batch's vectors and deltas in a TrainedNetwork.")
        .def("vector",
             [](const HeldPass& self, Whole layer, Grid room) {
                 if (layer < 0 || layer > self.pass->depth) throw nb::value_error("the engine has no such layer");
                 const learner::Tensor& from = self.pass->vectors[layer];
                 check_rows(room, self.pass->rows, from.columns), from.give(room.data());
             })
        .def("delta", [](const HeldPass& self, Whole layer, Grid room) {
            if (layer < 1 || layer >= static_cast<Whole>(self.pass->deltas.size()))
                throw nb::value_error("the engine has no such layer");
            check_rows(room, self.pass->rows, self.pass->deltas[layer].columns);
            self.pass->give_delta(layer, room.data());
        });
    // Stages give None or false, and have changed nothing, where a number or a sum might not fit.
    nb::class_<HeldTrained>(module, "TrainedNetwork", "A network at moving fractions, in planes of its caller.")
        .def("__init__",
             [](HeldTrained* self, Grid planes, std::vector<Whole> sizes, int output_width,
                const std::string& optimiser, bool squared, bool polyak, std::array<int, 4> betas) {
                 const std::size_t vectors = sizes.size();
                 if (vectors < 2 || vectors > 5 || *std::min_element(sizes.begin(), sizes.end()) < 1 ||
                     *std::max_element(sizes.begin(), sizes.end()) > learner::PRODUCT_DEPTH ||
                     !learner::optimiser_of(optimiser.c_str()) || planes.shape(0) != 4 ||
                     !aligned<Whole>(planes.data()) || static_cast<Whole>(planes.shape(1)) != learner::count_of(sizes))
                     throw nb::value_error("the engine has no such network");
                 const std::vector<Whole> none(vectors);
                 new (self) HeldTrained(std::move(planes), {std::move(sizes), none, none, none, output_width,
                                                            learner::optimiser_of(optimiser.c_str()), squared,
                                                            learner::RoundingMode::nearest, polyak, betas});
             })
        .def("formats",
             [](HeldTrained& self, std::vector<Whole> act, std::vector<Whole> delta, std::vector<Whole> grad) {
                 self.check_fractions(act), self.check_fractions(delta), self.check_fractions(grad);
                 self.network.formats(std::move(act), std::move(delta), std::move(grad));
             })
        .def("refresh", [](HeldTrained& self, bool target) { self.network.stale(target); })
        .def("rates",
             [](HeldTrained& self, Whole rate, Whole log_rate, Whole momentum, Whole log_clip, Whole tau,
                std::vector<Whole> rate_shift, std::vector<Whole> eps, Whole decay, Whole decay_shift) {
                 const auto layers = static_cast<std::size_t>(self.network.layers);
                 if (rate_shift.size() != layers || eps.size() != layers)
                     throw nb::value_error("the engine was given rates of another network");
                 self.network.rates({rate, log_rate, momentum, log_clip, tau, decay, decay_shift, std::move(rate_shift),
                                     std::move(eps)});
             })
        .def("log_rate", [](HeldTrained& self, Whole rate) { self.network.log_rate(rate); })
        // found: room for vector `depth`.
        .def("forward",
             [](HeldTrained& self, Codes inputs, bool target, Whole depth, Grid found, nb::handle counts, Whole base,
                nb::handle most) -> HeldPass* {
                 const auto rows = static_cast<Whole>(inputs.shape(0));
                 if (depth < 1 || depth > self.network.layers || rows < 1)
                     throw nb::value_error("the engine has no such pass");
                 check(inputs, rows, self.sizes()[0]), check_rows(found, rows, self.sizes()[depth]);
                 Seen seen(counts, base, most);
                 auto held = std::make_unique<HeldPass>(self.free);
                 const Released released;
                 if (!seen.told(self.network.forward(*held->pass, inputs.data(), rows, target, depth, seen.counted,
                                                     seen.found)))
                     return nullptr;
                 held->pass->vectors[depth].give(found.data());
                 return held.release();
             })
        .def("backward",
             [](HeldTrained& self, HeldPass& pass, Codes delta, std::vector<Whole> fractions, nb::handle counts,
                Whole base, nb::handle most) {
                 Pass& own = self.of(pass);
                 check(delta, own.rows, self.sizes().back()), self.check_fractions(fractions);
                 Seen seen(counts, base, most);
                 const Released released;
                 return seen.told(self.network.backward(own, delta.data(), fractions, seen.counted, seen.found));
             })
        .def("to_input",
             [](HeldTrained& self, HeldPass& pass, std::vector<Whole> fractions, Grid found) {
                 Pass& own = self.of(pass);
                 check_rows(found, own.rows, self.sizes()[0]), self.check_fractions(fractions);
                 const Released released;
                 return self.network.to_input(own, fractions, found.data());
             })
        .def("gradient",
             [](HeldTrained& self, HeldPass& pass, nb::handle found, nb::handle counts, Whole base, nb::handle most) {
                 Pass& own = self.of(pass);
                 const Array<Whole> to(found, self.size(), true);
                 Seen seen(counts, base, most);
                 const Released released;
                 return seen.told(self.network.gradient(own, to.data(), seen.counted, seen.found));
             })
        .def("update", [](HeldTrained& self, nb::handle gradient, bool sync, nb::handle counters, Whole base) {
            const Array<Whole> g(gradient, self.size()), counts(counters, 64, true);
            if (base < 0 || base > 64 - 5) throw nb::value_error("the engine has no such counters");
            const Released released;
            learner::Counts found{};
            self.network.update(g.data(), sync, found);
            learner::add(found, counts.data(), base, self.network.layers);
        });
}

}  // namespace rlcores
