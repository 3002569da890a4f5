// environments.cpp — a step of many copies of an environment.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "rlcores/native/gen/env_steps.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

using namespace env;

// Copies never share memory; without this the compiler would have to look.
template <void (*step)(const Copies&, Whole)>
void each(const Copies& given) {
    const Copies all = given;
    INDEPENDENT (i, all.count) step(all, i);
}

void env_step(Name name, const Copies& all) {
    switch (name) {
#define RLCORES_ENVIRONMENT(name) \
    case Name::name: return each<name##_step>(all);
        RLCORES_ENVIRONMENTS(RLCORES_ENVIRONMENT)
#undef RLCORES_ENVIRONMENT
    }
}

}  // namespace

extern const EnvKernels env_kernels;
const EnvKernels env_kernels = {.step = env_step};

}  // namespace rlcores::RLCORES_ISA
