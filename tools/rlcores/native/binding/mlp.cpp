// mlp.cpp — deployed networks for Python; rlcores.cores.mlp.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/mlp.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "released.hpp"

namespace rlcores {

// A call with more observations than this gives Python's lock back.
constexpr std::int64_t MLP_ALONE = 64;

void bind_mlp(nb::module_& module) {
    nb::class_<mlp::Network>(module, "Mlp", "A deployed network in the integers of rlc_mlp.")
        .def(nb::init<>())
        .def("add",
             [](mlp::Network& self, std::int64_t inputs, std::int64_t outputs, int bias_shift, int kind, int shift,
                int unit_frac, int unit_shift, int width, std::int64_t slope, std::int64_t epsilon, int norm_shift,
                int offset_shift, nb::handle weights, nb::handle biases, nb::handle factors) {
                 const auto n = static_cast<std::size_t>(outputs);
                 const Array<std::int64_t> w(weights, n * static_cast<std::size_t>(inputs)), b(biases, n),
                     f(factors, 2 * n);
                 const mlp::Narrow narrow{static_cast<mlp::Activation>(kind),
                                          shift,
                                          unit_frac,
                                          unit_shift,
                                          width,
                                          slope,
                                          epsilon,
                                          norm_shift,
                                          offset_shift,
                                          nullptr,
                                          nullptr,
                                          nullptr,
                                          nullptr};
                 self.add(inputs, outputs, bias_shift, narrow, w.data(), b.data(), f.data());
             })
        .def("run", [](const mlp::Network& self, nb::handle observations, nb::handle found, std::int64_t rows) {
            const auto n = static_cast<std::size_t>(rows);
            const Array<std::int64_t> x(observations, n * static_cast<std::size_t>(self.inputs()));
            const Array<std::int64_t> y(found, n * static_cast<std::size_t>(self.outputs()), true);
            const Released released(rows > MLP_ALONE);
            self.run(x.data(), rows, y.data());
        });
}

}  // namespace rlcores
