// returns.cpp — sums backwards in time for Python; rlcores.cores.gae.returns is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/returns.hpp"

#include "arrays.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

// double (steps, lanes) each; delta is overwritten.
void sums(nb::handle delta, nb::handle decay) {
    const View to(delta, true), by(decay, false);
    if (!to.is<double>(2) || !by.is<double>(2) || to.length(0) != by.length(0) || to.length(1) != by.length(1))
        throw nb::type_error("the engine was given arrays of another type or shape");
    const Released released;
    backward_sums(to.as<double>(), by.as<const double>(), to.length(0), to.length(1));
}

}  // namespace

void bind_returns(nb::module_& module) { module.def("backward_sums", &sums); }

}  // namespace rlcores
