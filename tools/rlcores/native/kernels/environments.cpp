// environments.cpp — a step of many copies of an environment.
// SPDX-License-Identifier: Apache-2.0
#include "env_physics.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

using namespace env;

// Copies never share memory; without this the compiler would have to look.
template <void (*step)(const Copies &, Whole)>
void each(const Copies &given) {
    const Copies all = given;
#pragma GCC ivdep
    for (Whole i = 0; i < all.count; ++i) step(all, i);
}

}  // namespace

void env_step(Name name, const Copies &all) {
    switch (name) {
        case Name::cartpole: return each<cartpole_step>(all);
        case Name::mountaincar: return each<mountaincar_step<false>>(all);
        case Name::mountaincar_continuous: return each<mountaincar_step<true>>(all);
        case Name::pendulum: return each<pendulum_step>(all);
        case Name::acrobot: return each<acrobot_step>(all);
    }
}

}  // namespace rlcores::RLCORES_ISA
