// draws.cpp — words of the generator for Python; rlcores.cores.common.native_draws is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/draws.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;

namespace rlcores {

namespace {

using State = nb::ndarray<std::uint32_t, nb::shape<4>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

}  // namespace

void bind_draws(nb::module_& module) {
    const auto a = nb::arg().noconvert();
    // Fills the words and leaves the state behind them.
    module.def(
        "draws_words",
        [](const State& state, const Words& words) {
            Draws draws(32);
            std::uint32_t* at = state.data();
            draws.load({at[0], at[1], at[2], at[3]});
            draws.take(words.data(), words.size());
            for (const std::uint32_t word : draws.state()) *at++ = word;
        },
        a, a);
}

}  // namespace rlcores
