// squashed.cpp — SAC's head for Python; rlcores.cores.rl.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/squashed.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <array>
#include <utility>

#include "arrays.hpp"
#include "rlcores/native/heads.hpp"

namespace rlcores {

void bind_squashed(nb::module_& module) {
    using learner::Whole;
    module.def("normals", [](nb::handle state, Whole actions, nb::handle numbers) {
        const Array<std::uint32_t> at(state, 4, true);
        const Array<Whole> to(numbers, true);
        const auto count = static_cast<Whole>(to.size());
        if (actions < 1 || count % actions) throw nb::value_error("the engine was given samples of another shape");
        std::array<std::uint32_t, 4> words;
        std::copy_n(at.data(), 4, words.begin());
        heads::normals(words, count / actions, actions, to.data());
        std::copy_n(words.begin(), 4, at.data());
    });
    module.def("exponential", &heads::exponential);
    // Arrays as squashed.Sample has them: u, action, noise and inside (rows * actions,), log (rows,).
    module.def("squashed_sample", [](nb::handle outputs, nb::handle normals, nb::handle u, nb::handle action,
                                     nb::handle noise, nb::handle inside, nb::handle log) {
        const Array<Whole> to_log(log, true);
        const std::size_t rows = to_log.size(), count = Array<Whole>(normals).size();
        const Array<Whole> from(outputs, 2 * count), words(normals, count), to_u(u, count, true);
        const Array<Whole> to_action(action, count, true), to_noise(noise, count, true);
        const Array<bool> to_inside(inside, count, true);
        if (!rows || count % rows) throw nb::value_error("the engine was given samples of another shape");
        const heads::Squashed limited = heads::squashed_sample(
            {static_cast<Whole>(rows), static_cast<Whole>(count / rows)}, from.data(), words.data(),
            {to_u.data(), to_action.data(), to_noise.data(), to_inside.data(), to_log.data()});
        return std::pair(limited.samples, limited.logs);
    });
    module.def("squashed_delta",
               [](nb::handle action, nb::handle noise, nb::handle inside, nb::handle to_action, Whole rows, Whole frac,
                  Whole alpha, Whole delta_frac, nb::handle delta, nb::handle limited) {
                   const Array<Whole> a(action);
                   const std::size_t count = a.size();
                   const Array<Whole> n(noise, count), back(to_action, count), to(delta, 2 * count, true);
                   const Array<bool> in(inside, count), cut(limited, 2 * count, true);
                   if (rows < 1 || static_cast<Whole>(count) % rows || delta_frac < 0 || delta_frac > 31 ||
                       frac + 16 < delta_frac || frac > 31)
                       throw nb::value_error("the engine was given samples of another shape");
                   heads::squashed_delta({rows, static_cast<Whole>(count) / rows},
                                         {nullptr, a.data(), n.data(), in.data(), nullptr}, back.data(), frac, alpha,
                                         delta_frac, to.data(), cut.data());
               });
}

}  // namespace rlcores
