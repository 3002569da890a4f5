// stages.cpp — the stages of one network for Python, each by itself: an algorithm there wires several networks.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "held_network.hpp"
#include "released.hpp"

namespace rlcores {

namespace stages {

using learner::Matrix;
using learner::Network;
using learner::Whole;
using Found = nb::ndarray<Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void take(const Codes& from, Matrix& to) {
    const auto rows = static_cast<Whole>(from.shape(0)), columns = static_cast<Whole>(from.shape(1));
    to.shape(rows, columns);
    for (Whole r = 0; r < rows; ++r)
        for (Whole c = 0; c < columns; ++c) to.row(r)[c] = static_cast<double>(from.data()[r * columns + c]);
}

inline void give(const Matrix& from, const Found& to) {
    for (Whole r = 0; r < from.rows; ++r)
        for (Whole c = 0; c < from.columns; ++c) to.data()[r * from.columns + c] = static_cast<Whole>(from.row(r)[c]);
}

// Matrices of layers first …, as many as there are, must have the network's neurons and this many rows.
template <class Each>
void check_all(const std::vector<Each>& matrices, const learner::Shape& shape, std::size_t first, std::size_t rows) {
    for (std::size_t i = 0; i < matrices.size(); ++i)
        if (first + i >= shape.sizes.size() || matrices[i].shape(0) != rows ||
            static_cast<Whole>(matrices[i].shape(1)) != shape.sizes[first + i] || !aligned<Whole>(matrices[i].data()))
            throw nb::value_error("the engine was given matrices of another shape");
}

}  // namespace stages

void bind_stages(nb::class_<Held>& network) {
    using learner::Network;
    using learner::Whole;
    using stages::check_all;
    // found: room for the vectors 1 … of as many layers as there are; before: for what activations took, but for ReLU.
    // False, and nothing written: a sum is not safe.
    network
        .def(
            "forward",
            [](Held& self, Codes inputs, bool target, std::vector<stages::Found> found, nb::handle counters, Whole base,
               std::vector<stages::Found> before) {
                Network& own = self.network;
                const std::size_t rows = inputs.shape(0);
                check_all(std::vector<Codes>{inputs}, own.shape, 0, rows), check_all(found, own.shape, 1, rows);
                check_all(before, own.shape, 1, rows);
                if (before.size() > found.size() || (!before.empty() && own.hidden() == learner::Hidden::relu))
                    throw nb::value_error("the engine has nothing in front of these layers");
                const Array<Whole> counts(counters, 64, true);
                if (base < 0 || base > 64 - 5) throw nb::value_error("the engine has no such counters");
                const Released released;
                self.vectors.resize(static_cast<std::size_t>(own.layers) + 1);
                stages::take(inputs, self.vectors[0]);
                Network::Counts limited{};
                if (!own.forward(self.vectors, target, static_cast<Whole>(found.size()), limited, &self.before))
                    return false;
                for (std::size_t l = 0; l < before.size(); ++l) stages::give(self.before[l + 1], before[l]);
                for (std::size_t l = 0; l < found.size(); ++l) stages::give(self.vectors[l + 1], found[l]);
                learner::add(limited, counts.data(), base, static_cast<Whole>(found.size()));
                return true;
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg("before") = std::vector<stages::Found>{})
        // Hidden layers are of the activation of this name.
        .def("activate",
             [](Held& self, const std::string& name) {
                 learner::Hidden kind;
                 if (!learner::hidden_of(name, kind)) throw nb::value_error("the engine has no such activation");
                 self.network.activate(kind);
             })
        // vectors 1 … M-1 say where neurons were above 0, or what another activation took; found: room for the deltas
        // of layers M-1 … 1.
        .def("backward",
             [](Held& self, std::vector<Codes> vectors, Codes delta, std::vector<Whole> fractions,
                std::vector<stages::Found> found, nb::handle counters, Whole base) {
                 Network& own = self.network;
                 const auto layers = static_cast<std::size_t>(own.layers), rows = delta.shape(0);
                 check_all(vectors, own.shape, 1, rows), check_all(std::vector<Codes>{delta}, own.shape, layers, rows);
                 check_all(std::vector<stages::Found>(found.rbegin(), found.rend()), own.shape, 1, rows);
                 const Array<Whole> counts(counters, 64, true);
                 if (vectors.size() != layers - 1 || found.size() != layers - 1 || fractions.size() != layers + 1 ||
                     base < 0 || base > 64 - 5)
                     throw nb::value_error("the engine was given a pass of another network");
                 const Released released;
                 self.vectors.resize(layers + 1), self.deltas.resize(layers + 1);
                 for (std::size_t l = 1; l < layers; ++l) stages::take(vectors[l - 1], self.vectors[l]);
                 stages::take(delta, self.deltas[layers]);
                 Network::Counts limited{};
                 if (!own.backward(self.vectors, self.deltas, fractions, limited)) return false;
                 for (std::size_t l = 1; l < layers; ++l) stages::give(self.deltas[l], found[layers - 1 - l]);
                 learner::add(limited, counts.data(), base, own.layers);
                 return true;
             })
        // vectors 0 … M-1 and deltas 1 … M.
        .def("gradient", [](Held& self, std::vector<Codes> vectors, std::vector<Codes> deltas, nb::handle found,
                            nb::handle counters, Whole base) {
            Network& own = self.network;
            const auto layers = static_cast<std::size_t>(own.layers);
            if (vectors.size() != layers || deltas.size() != layers || base < 0 || base > 64 - 5)
                throw nb::value_error("the engine was given a batch of another network");
            const std::size_t rows = vectors[0].shape(0);
            check_all(vectors, own.shape, 0, rows), check_all(deltas, own.shape, 1, rows);
            const Array<Whole> counts(counters, 64, true), to(found, self.size(), true);
            const Released released;
            self.vectors.resize(layers + 1), self.deltas.resize(layers + 1);
            for (std::size_t l = 0; l < layers; ++l)
                stages::take(vectors[l], self.vectors[l]), stages::take(deltas[l], self.deltas[l + 1]);
            Network::Counts limited{};
            if (!own.gradient(self.vectors, self.deltas, to.data(), limited)) return false;
            learner::add(limited, counts.data(), base, own.layers);
            return true;
        });
}

}  // namespace rlcores
