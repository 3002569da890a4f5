// optimisers.hpp — a step of the weights by one of the optimisers: kernels/optimisers/NAME.cpp is the one of that name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa.hpp"
#include "optimiser_names.hpp"

namespace rlcores::learner {

// A layer's settings and the decays of Adam: num1, shift1, num2, shift2. An optimiser takes its own.
struct Rates {
    std::int64_t rate, momentum, log_rate, log_clip, eps, decay;
    int rate_shift, decay_shift;
    int betas[4];
    bool dithered;  // the rounding is stochastic
};

// What a step of the weights adds before it drops 16 fraction bits: 0 nearest, 1 floor, 2 stochastic.
struct Rounding {
    int mode;
    const std::int64_t *dither;  // of stochastic rounding, 16 bits a parameter
};

// What the target's weights do behind those that have just moved: 0 nothing, 1 they become those << shift, 2 they go
// tau / 2**17 of the way there (shift is that of a copy).
struct Follow {
    int mode;
    std::int64_t *target;
    int shift;
    std::int64_t tau;
};

// n parameters, their gradients, and what the optimiser keeps for them: number k at state + k * stride.
struct Step {
    std::int64_t *w, *state;
    std::int64_t stride;
    const std::int64_t *g;
    std::int64_t n;
    Rates rates;
    Rounding rounding;
    Follow behind;
};

// How many parameters saturated, or their targets.
using OptimiserStep = std::int64_t (*)(const Step &);

// The one of a name; null: there is none.
OptimiserStep optimiser_of(const char *name);

}  // namespace rlcores::learner

#define RLCORES_OPTIMISER(name) RLCORES_KERNEL(std::int64_t, optimise_##name, const rlcores::learner::Step &)
RLCORES_OPTIMISERS(RLCORES_OPTIMISER)
#undef RLCORES_OPTIMISER
