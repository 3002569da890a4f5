// module.cpp — the Python module: a function bind_<what> a file in this folder.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "rlcores/native/isa.hpp"

namespace nb = nanobind;

namespace rlcores {

void bind_critics(nb::module_& module);
void bind_ddpg(nb::module_& module);
void bind_environments(nb::module_& module);
void bind_draws(nb::module_& module);
void bind_file_lock(nb::module_& module);
void bind_floats(nb::module_& module);
void bind_gae(nb::module_& module);
void bind_learner(nb::module_& module);
void bind_mlp(nb::module_& module);
void bind_net(nb::module_& module);
void bind_acting(nb::module_& module);
void bind_net_client(nb::module_& module);
void bind_policy(nb::module_& module);
void bind_ppo(nb::module_& module);
void bind_replay(nb::module_& module);
void bind_returns(nb::module_& module);
void bind_squashed(nb::module_& module);
void bind_sumtree(nb::module_& module);
void bind_trained(nb::module_& module);

namespace {

void bind_isa(nb::module_& module) {
    module.def(
        "isas",
        [] {
            nb::list found;
            for (const Isa& each : isas())
                if (each.supported()) found.append(nb::str(each.name.data(), each.name.size()));
            return found;
        },
        "Names of the instruction sets that the kernels can run on here, the best one last.");
    module.def(
        "isa", [] { return std::string(isa().name); }, "The one in force.");
    module.def(
        "choose_isa",
        [](const std::string& name) {
            if (!choose_isa(name)) throw nb::value_error("this processor has no such instruction set");
        },
        "Make one of isas() the one in force. Not while other threads compute.");
}

}  // namespace

}  // namespace rlcores

NB_MODULE(_rlcores_native, module)
{
    nb::set_leak_warnings(false);  // threads that still run when the interpreter ends hold objects
    rlcores::ndarray = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
    rlcores::bind_isa(module);
    rlcores::bind_critics(module);
    rlcores::bind_environments(module);
    rlcores::bind_draws(module);
    rlcores::bind_file_lock(module);
    rlcores::bind_floats(module);
    rlcores::bind_gae(module);
    rlcores::bind_learner(module);
    rlcores::bind_mlp(module);
    rlcores::bind_net(module);
    rlcores::bind_net_client(module);
    rlcores::bind_ddpg(module);
    rlcores::bind_acting(module);
    rlcores::bind_policy(module);
    rlcores::bind_ppo(module);
    rlcores::bind_replay(module);
    rlcores::bind_returns(module);
    rlcores::bind_squashed(module);
    rlcores::bind_sumtree(module);
    rlcores::bind_trained(module);
}
