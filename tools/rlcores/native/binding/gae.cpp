// gae.cpp — rollouts for Python; rlcores.cores.gae.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "rlcores/native/gae_rollout.hpp"
#include "rlcores/native/isa.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

using gae::Numbers;
using gae::Rollout;
using Given = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
template <class T>
using Filled = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

bool has(const Given& x, std::int64_t rows, std::int64_t lanes) {
    if (rows == 0) return x.ndim() == 1 && static_cast<std::int64_t>(x.shape(0)) == lanes;
    return x.ndim() == 2 && static_cast<std::int64_t>(x.shape(0)) == rows &&
           static_cast<std::int64_t>(x.shape(1)) == lanes;
}

// Null twice for what is neither float32 nor float64, or lies askew.
Numbers numbers(const Given& x) {
    if (x.dtype() == nb::dtype<float>() && aligned<float>(x.data()))
        return {static_cast<const float*>(x.data()), nullptr};
    if (x.dtype() == nb::dtype<double>() && aligned<double>(x.data()))
        return {nullptr, static_cast<const double*>(x.data())};
    return {nullptr, nullptr};
}
bool numeric(const Given& x) { return numbers(x).single || numbers(x).twice; }

const std::uint8_t* marks(const Given& x) {
    return x.dtype() == nb::dtype<bool>() ? static_cast<const std::uint8_t*>(x.data()) : nullptr;
}

template <class T>
bool fits(const Filled<T>& x, std::int64_t rows, std::int64_t lanes) {
    return static_cast<std::int64_t>(x.size()) == rows * lanes && aligned<T>(x.data());
}
template <class... T>
void check_all(const Rollout& self, const Filled<T>&... x) {
    if (!(fits(x, self.steps, self.lanes) && ...))
        throw nb::value_error("the engine was given arrays of another shape");
}

bool load(Rollout& self, const Given& rewards, const Given& values, const Given& terminated, const Given& truncated,
          const Given& bootstrap, const std::optional<Given>& final_values) {
    if (rewards.ndim() != 2) return false;
    const auto steps = static_cast<std::int64_t>(rewards.shape(0)), lanes = static_cast<std::int64_t>(rewards.shape(1));
    if (!steps || !lanes || !has(values, steps, lanes) || !has(terminated, steps, lanes) ||
        !has(truncated, steps, lanes) || !has(bootstrap, 0, lanes))
        return false;
    if (final_values && !(has(*final_values, steps, lanes) && numeric(*final_values))) return false;
    if (!numeric(rewards) || !numeric(values) || !numeric(bootstrap) || !marks(terminated) || !marks(truncated))
        return false;
    const Numbers last = final_values ? numbers(*final_values) : Numbers{nullptr, nullptr};
    const Released released;
    return self.load(steps, lanes, numbers(rewards), numbers(values), marks(terminated), marks(truncated),
                     numbers(bootstrap), last);
}

template <class T, class Kernel>
int plain(const Given& rewards, const Given& values, const Given& terminated, const Given& truncated,
          const Given& bootstrap, const std::optional<Given>& final_values, double gamma, double discount,
          Filled<T> advantages, Filled<T> returns, int threads, Kernel kernel) {
    const auto steps = static_cast<std::int64_t>(rewards.shape(0)), lanes = static_cast<std::int64_t>(rewards.shape(1));
    const auto of = [](const Given& x) { return static_cast<const T*>(x.data()); };
    const auto right = [&](const Given& x, std::int64_t t) {
        return has(x, t, lanes) && x.dtype() == nb::dtype<T>() && numeric(x);
    };
    if (rewards.ndim() != 2 || !right(rewards, steps) || !right(values, steps) || !right(bootstrap, 0) ||
        (final_values && !right(*final_values, steps)) || !has(terminated, steps, lanes) || !marks(terminated) ||
        !has(truncated, steps, lanes) || !marks(truncated) || !fits(advantages, steps, lanes) ||
        !fits(returns, steps, lanes))
        throw nb::value_error("the engine was given a rollout of another type or shape");
    const T* last = final_values ? of(*final_values) : nullptr;
    const Released released;
    std::vector<int> found(std::max(threads, 1), 0);
    gae::split(threads, steps, lanes, [&](int i, gae::Lanes mine) {
        found[i] = kernel(of(rewards), of(values), mine, marks(terminated), marks(truncated), of(bootstrap), last,
                          static_cast<T>(gamma), static_cast<T>(discount), advantages.data(), returns.data());
    });
    int worst = 0;
    for (int one : found) worst = one == 1 || !worst ? one : worst;
    return worst;
}

nb::object whole(unsigned __int128 x) {
    const auto part = [](unsigned __int128 y) { return nb::int_(static_cast<std::uint64_t>(y)); };
    return (part(x >> 64) << nb::int_(64)) | part(x);
}

}  // namespace

void bind_gae(nb::module_& module) {
    nb::class_<gae::Registers>(module, "GaeRegisters")
        .def(nb::init<>())
        .def_rw("value_scale", &gae::Registers::value_scale)
        .def_rw("value_offset", &gae::Registers::value_offset)
        .def_rw("s_vn", &gae::Registers::s_vn)
        .def_rw("k_cut", &gae::Registers::k_cut)
        .def_rw("k_keep", &gae::Registers::k_keep)
        .def_rw("b_step", &gae::Registers::b_step)
        .def_rw("b_loop", &gae::Registers::b_loop)
        .def_rw("shift", &gae::Registers::shift)
        .def_rw("fraction", &gae::Registers::fraction)
        .def_rw("coefficient", &gae::Registers::coefficient)
        .def_rw("drop", &gae::Registers::drop)
        .def_rw("out_bits", &gae::Registers::out_bits)
        .def_rw("lookahead", &gae::Registers::lookahead);

    nb::class_<gae::Outcome>(module, "GaeOutcome")
        .def("__init__", [](gae::Outcome* self, double reward_step, double value_step, double result_step, bool clip,
                            std::array<double, 2> lost, double constant_reward, double constant_value, double mantissa,
                            int exponent) {
            new (self) gae::Outcome{reward_step,
                                    value_step,
                                    result_step,
                                    clip,
                                    lost[0],
                                    lost[1],
                                    nullptr,
                                    constant_reward,
                                    constant_value,
                                    mantissa,
                                    gae::power_of(exponent)};
        });

    nb::class_<Rollout>(module, "GaeRollout", "One rollout after the other in the GAE core's integers.")
        .def(nb::init<>())
        .def_ro("steps", &Rollout::steps)
        .def_ro("lanes", &Rollout::lanes)
        .def_ro("boots", &Rollout::boots)
        .def_ro("first_reward", &Rollout::first_reward)
        .def_ro("first_value", &Rollout::first_value)
        .def_prop_ro("rewards",
                     [](const Rollout& x) {
                         return std::array{x.rewards.least, x.rewards.most};
                     })
        .def_prop_ro("values",
                     [](const Rollout& x) {
                         return std::array{x.values.least, x.values.most};
                     })
        .def_prop_ro("sent", &Rollout::sent)
        .def("threads", &Rollout::threads)
        .def("load", &load, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
        .def("scale", &Rollout::scale, nb::call_guard<Released>())
        .def("sum", &Rollout::sum, nb::call_guard<Released>())
        .def("centre", &Rollout::centre, nb::call_guard<Released>())
        .def("errors", &Rollout::errors, nb::call_guard<Released>())
        .def("spread", &Rollout::spread, nb::call_guard<Released>())
        .def("exact",
             [](Rollout& self, int point) {
                 gae::Sums sums;
                 {
                     const Released released;
                     sums = self.exact(point);
                 }
                 return nb::make_tuple(sums.total, whole(sums.squares));
             })
        .def("quantise", &Rollout::quantise, nb::call_guard<Released>())
        .def("run",
             [](Rollout& self, const gae::Registers& registers, const std::vector<std::int64_t>& cuts) {
                 const Released released;
                 const gae::Peak peak = self.run(registers, cuts);
                 return std::array{peak.code, peak.sum, peak.value};
             })
        .def("lost", &Rollout::lost, nb::call_guard<Released>())
        .def("outcome",
             [](Rollout& self, gae::Outcome by, Filled<const double> constants, const std::vector<std::int64_t>& cuts,
                Filled<const double> ahead, Filled<double> advantages, Filled<double> returns) {
                 check_all(self, advantages, returns);
                 by.constants = constants.data();
                 const Released released;
                 self.outcome(by, cuts, ahead.data(), advantages.data(), returns.data());
             })
        .def("seen",
             [](Rollout& self, const gae::Outcome& by, Filled<double> rewards, Filled<double> values,
                Filled<double> bootstrap, Filled<double> final_values) {
                 check_all(self, rewards, values, final_values);
                 if (!fits(bootstrap, 1, self.lanes))
                     throw nb::value_error("the engine was given arrays of another shape");
                 const Released released;
                 self.seen(by, rewards.data(), values.data(), bootstrap.data(), final_values.data());
             })
        .def("rms", [](Rollout& self, double gamma, double discount, Filled<const double> advantages) {
            check_all(self, advantages);
            const Released released;
            return self.rms(gamma, discount, advantages.data());
        });

    // The plain recurrence of arrays of one type and of shapes that the caller has checked.
    module.def(
        "gae_plain",
        [](const Given& rewards, const Given& values, const Given& terminated, const Given& truncated,
           const Given& bootstrap, const std::optional<Given>& final_values, double gamma, double discount,
           Filled<float> advantages, Filled<float> returns, int threads) {
            return plain<float>(rewards, values, terminated, truncated, bootstrap, final_values, gamma, discount,
                                advantages, returns, threads, kernels().gae.plain32);
        },
        nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
        nb::arg().noconvert(), nb::arg().noconvert(), nb::arg());
    module.def(
        "gae_plain",
        [](const Given& rewards, const Given& values, const Given& terminated, const Given& truncated,
           const Given& bootstrap, const std::optional<Given>& final_values, double gamma, double discount,
           Filled<double> advantages, Filled<double> returns, int threads) {
            return plain<double>(rewards, values, terminated, truncated, bootstrap, final_values, gamma, discount,
                                 advantages, returns, threads, kernels().gae.plain64);
        },
        nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
        nb::arg().noconvert(), nb::arg().noconvert(), nb::arg());
}

}  // namespace rlcores
