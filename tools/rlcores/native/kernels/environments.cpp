// environments.cpp — a step of many copies of an environment.
// SPDX-License-Identifier: Apache-2.0
#include "gen/env_steps.hpp"

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
#define RLCORES_ENVIRONMENT(name) \
    case Name::name: return each<name##_step>(all);
        RLCORES_ENVIRONMENTS(RLCORES_ENVIRONMENT)
#undef RLCORES_ENVIRONMENT
    }
}

}  // namespace rlcores::RLCORES_ISA
