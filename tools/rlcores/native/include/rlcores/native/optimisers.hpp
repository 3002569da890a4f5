// optimisers.hpp — a step of the weights by one of the optimisers: kernels/optimisers/NAME.cpp is the one of that name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rlcores/native/gen/optimiser_names.hpp"

namespace rlcores::learner {

// A layer's settings and the decays of Adam: num1, shift1, num2, shift2. An optimiser takes its own.
struct Rates {
    std::int64_t rate, momentum, log_rate, log_clip, eps, decay;
    int rate_shift, decay_shift;
    int betas[4];
    bool dithered;  // the rounding is stochastic
};

enum class RoundingMode { nearest, floor, stochastic };

// What a step of the weights adds before it drops 16 fraction bits.
struct Rounding {
    RoundingMode mode;
    const std::int64_t* dither;  // of stochastic rounding, 16 bits a parameter
};

// What the target's weights do behind those that have just moved: nothing, become those << shift, or go tau / 2**17 of
// the way there (shift is that of a copy).
enum class FollowMode { none, copy, average };

struct Follow {
    FollowMode mode;
    std::int64_t* target;
    int shift;
    std::int64_t tau;
};

// n parameters, their gradients, and what the optimiser keeps for them: number k at state + k * stride.
struct Step {
    std::int64_t *w, *state;
    std::int64_t stride;
    const std::int64_t* g;
    std::int64_t n;
    Rates rates;
    Rounding rounding;
    Follow behind;
};

// How many parameters saturated, or their targets.
using OptimiserStep = std::int64_t (*)(const Step&);

// The one of a name; null: there is none.
OptimiserStep optimiser_of(const char* name);

}  // namespace rlcores::learner

namespace rlcores {

// A step by each optimiser. Returns how many parameters saturated, or their targets.
struct OptimiserKernels {
#define RLCORES_OPTIMISER(name) learner::OptimiserStep name;
    RLCORES_OPTIMISERS(RLCORES_OPTIMISER)
#undef RLCORES_OPTIMISER
};

}  // namespace rlcores
