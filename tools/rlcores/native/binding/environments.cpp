// environments.cpp — environments for Python; rlcores.cores.env.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/environments.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "arrays.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

using env::Environments;

// An array of T with `count` elements, in any number of dimensions.
template <class T>
T* of(const View& view, std::int64_t n) {
    if (!view.is<T>(view.dimensions()) || view.size() != static_cast<std::size_t>(n))
        throw nb::value_error("the engine was given an array of another type or shape");
    return view.as<T>();
}

void start(Environments& self, const env::Generators::State& state, nb::handle obs) {
    const View seen(obs, true);
    self.start(state, of<float>(seen, self.count() * self.observations()));
}

void step(Environments& self, nb::handle actions, nb::handle obs, nb::handle final, nb::handle reward,
          nb::handle terminated, nb::handle truncated) {
    const Array<std::int64_t> given(actions);
    const auto turns = static_cast<std::int64_t>(given.size()) / self.components(),
               numbers = turns * self.observations();
    if (!self.running()) throw nb::value_error("there is no episode before start()");
    const View views[] = {{obs, true}, {final, true}, {reward, true}, {terminated, true}, {truncated, true}};
    const auto flags = [&](const View& view) { return reinterpret_cast<std::uint8_t*>(of<bool>(view, turns)); };
    const env::Answers answers{of<float>(views[0], numbers), of<float>(views[1], numbers), of<double>(views[2], turns),
                               flags(views[3]), flags(views[4])};
    // What takes less than giving the lock back and taking it again keeps it.
    std::optional<Released> released;
    if (turns >= 64) released.emplace();
    self.step(given.data(), turns, answers);
}

void going(Environments& self, bool load, nb::handle states, nb::handle elapsed, nb::handle generators,
           nb::handle turn) {
    const View views[] = {{states, true}, {elapsed, true}, {generators, true}, {turn, true}};
    const env::Environments::Going to{of<std::int64_t>(views[0], self.count() * self.states()),
                                      of<std::int64_t>(views[1], self.count()),
                                      of<std::int64_t>(views[2], 4 * self.draws()), of<std::int64_t>(views[3], 1)};
    if (load && (*to.turn < 0 || *to.turn >= self.count()))
        throw nb::value_error("there is no environment with such a turn");
    self.going(load, to);
}

}  // namespace

void bind_environments(nb::module_& module) {
    nb::class_<Environments>(module, "Environments", "Many copies of one environment, in turns.")
        .def("__init__",
             [](Environments* self, const std::string& name, std::int64_t count, std::int64_t time_limit) {
                 const auto found = env::named(name);
                 if (!found) throw nb::value_error("the engine has no such environment");
                 new (self) Environments(*found, count, time_limit);
             })
        .def("start", &start)
        .def("step", &step)
        .def("going", &going)
        .def("counters", &Environments::counters);
}

}  // namespace rlcores
