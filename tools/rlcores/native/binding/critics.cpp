// critics.cpp — the stages of TD3 and SAC for Python; rlcores.cores.rl.native_stages is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/critics.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace rlcores {

namespace {

using Whole = std::int64_t;
using Integers = Array<Whole>;

// Several arrays of `count` numbers each.
struct Several {
    Several(const nb::list& given, std::size_t count) {
        if (!given.size()) throw nb::value_error("the engine was given no array");
        for (nb::handle each : given) data.push_back(held.emplace_back(each, count).data());
    }
    std::deque<Integers> held;
    std::vector<const Whole*> data;
};
std::pair<Whole, Whole> told(const heads::Limits& limits) { return {limits.limited, limits.most}; }
bool is_fraction(Whole bits) { return bits >= 0 && bits < 32; }

}  // namespace

void bind_critics(nb::module_& module) {
    // Each gives how many numbers did not fit, and the largest magnitude.
    module.def(
        "target_value",
        [](const nb::list& values, nb::handle less, nb::handle target) {
            const Integers to(target, true);
            const Several from(values, to.size());
            const std::optional<Integers> taken =
                less.is_none() ? std::nullopt : std::optional<Integers>(std::in_place, less, to.size());
            return told(heads::target_value(from.data, static_cast<Whole>(to.size()), taken ? taken->data() : nullptr,
                                            to.data()));
        },
        nb::arg(), nb::arg().none(), nb::arg());
    module.def("critic_errors", [](nb::handle values, nb::handle target, nb::handle rewards, nb::handle discounts,
                                   nb::handle weights, Whole frac, Whole delta_frac, nb::handle td, nb::handle delta) {
        const Integers from(values);
        const std::size_t rows = from.size();
        const Integers goal(target, rows), reward(rewards, rows), discount(discounts, rows), weight(weights, rows);
        const Integers to_td(td, rows, true), to_delta(delta, rows, true);
        if (!is_fraction(frac) || !is_fraction(delta_frac) || delta_frac > 17 + frac)
            throw nb::value_error("the engine was given fractions that do not fit");
        const auto found = heads::critic_errors(
            {goal.data(), reward.data(), discount.data(), weight.data(), static_cast<Whole>(rows), frac, delta_frac},
            from.data(), to_td.data(), to_delta.data());
        return std::tuple(told(found.td), told(found.delta), found.reward);
    });
    module.def("least_value", [](const nb::list& values, Whole slope, nb::handle deltas) {
        const Integers to(deltas, true);
        const std::size_t rows = to.size() / std::max<std::size_t>(values.size(), 1);
        const Several from(values, rows);
        if (rows * values.size() != to.size())
            throw nb::value_error("the engine was given arrays of different lengths");
        heads::least_value(from.data, static_cast<Whole>(rows), slope, to.data());
    });
    module.def("limited_sum", [](const nb::list& parts, nb::handle sum) {
        const Integers to(sum, true);
        const Several from(parts, to.size());
        return told(heads::limited_sum(from.data, static_cast<Whole>(to.size()), to.data()));
    });
    // None: a number that does not fit.
    module.def("transition_codes", [](const nb::list& reals, Whole frac, const nb::list& codes) {
        if (reals.size() != 6 || codes.size() != 6 || !is_fraction(frac) || frac > 16)
            throw nb::value_error("the engine was given transitions of another shape");
        std::deque<Array<double>> from;
        std::deque<Integers> to;
        for (std::size_t k = 0; k < 6; ++k) to.emplace_back(codes[k], from.emplace_back(reals[k]).size(), true);
        const std::size_t rows = from[2].size();
        const auto columns = [&](std::size_t k) {
            if (!rows || from[k].size() % rows)
                throw nb::value_error("the engine was given transitions of another shape");
            return static_cast<Whole>(from[k].size() / rows);
        };
        const heads::TransitionShape shape{static_cast<Whole>(rows), columns(0), columns(1)};
        if (columns(3) != shape.states || columns(4) != 1 || columns(5) != 1)
            throw nb::value_error("the engine was given transitions of another shape");
        heads::Limits inputs{};
        const bool fits = heads::transition_codes(
            shape, {from[0].data(), from[1].data(), from[2].data(), from[3].data(), from[4].data(), from[5].data()},
            frac, {to[0].data(), to[1].data(), to[2].data(), to[3].data(), to[4].data(), to[5].data()}, inputs);
        return fits ? std::optional(told(inputs)) : std::nullopt;
    });
}

}  // namespace rlcores
