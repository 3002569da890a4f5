// policy.cpp — policies for Python; rlcores.cores.learner.policy is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/policy.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"

namespace rlcores {

namespace {

using learner::Policy;
using learner::Whole;
template <class T>
using States = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Acts = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
bool act(Policy& self, const States<T>& states, const Acts& found) {
    const auto wide = [&](const auto& x, Whole columns) {
        return x.shape(0) == states.shape(0) && x.shape(1) == static_cast<std::size_t>(columns);
    };
    if (!wide(states, self.inputs()) || !wide(found, self.outputs()))
        throw nb::value_error("the engine was given states of another shape");
    return self.act(states.data(), static_cast<Whole>(states.shape(0)), found.data());
}

}  // namespace

// A policy has room for one call: Python's lock stays held, for some microseconds.
void bind_policy(nb::module_& module) {
    const auto a = nb::arg().noconvert();
    nb::class_<Policy>(module, "LearnerPolicy", "A network of the learner core that only goes forward.")
        .def("__init__",
             [](Policy* self, std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool squashes,
                nb::handle weights) {
                 const Array<Whole> codes(weights);
                 new (self) Policy(std::move(sizes), std::move(act_frac), output_width, squashes,
                                   std::vector<Whole>(codes.data(), codes.data() + codes.size()));
             })
        .def("activate",
             [](Policy& self, const std::string& name) {
                 learner::Hidden kind;
                 if (!learner::hidden_of(name, kind)) throw nb::value_error("the engine has no such activation");
                 self.activate(kind);
             })
        .def("act", &act<float>, a, a)
        .def("act", &act<double>, a, a);
}

}  // namespace rlcores
