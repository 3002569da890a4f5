// hidden.hpp — activations of hidden layers that are trained. The model is rlcores/cores/learner/activations.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "rlcores/native/learner_shape.hpp"
#include "rlcores/native/log2exp2.hpp"
#include "rlcores/native/tanh.hpp"

namespace rlcores::learner {

// Numbered as rlcores.base.limits.ACTIVATIONS.
enum class Hidden { relu, leaky_relu, tanh, elu, silu };

inline constexpr const char* HIDDEN_NAMES[] = {"relu", "leaky_relu", "tanh", "elu", "silu"};

// The activation of a name; ReLU and false where there is none.
inline bool hidden_of(const std::string& name, Hidden& found) {
    const auto at = std::find(std::begin(HIDDEN_NAMES), std::end(HIDDEN_NAMES), name);
    found = at == std::end(HIDDEN_NAMES) ? Hidden::relu : static_cast<Hidden>(at - std::begin(HIDDEN_NAMES));
    return at != std::end(HIDDEN_NAMES);
}

constexpr int SUM_WIDTH = 27;  // of what an activation takes, and of what comes back to it
constexpr Whole Z_FRAC = 14, HALF_FRAC = 13, WIDE_FRAC = 20;
constexpr Whole LEAKY_SLOPE = 655, LEAKY_FRAC = 16, LOG2E = 378194, LOG2E_FRAC = 18, POWER_FRAC = 20, POWER_WIDTH = 26;
constexpr Whole SIGMOID_FRAC = TANH_FRAC + 1;

// Of what it takes the fraction bits, where the layer's results have `act` of them; of its derivative.
inline Whole before_frac(Hidden kind, Whole act) {
    switch (kind) {
        case Hidden::tanh:
        case Hidden::elu: return Z_FRAC;
        case Hidden::silu: return HALF_FRAC;
        default: return act;
    }
}
inline Whole slope_frac(Hidden kind) {
    switch (kind) {
        case Hidden::tanh: return TANH_FRAC;
        case Hidden::elu: return Z_FRAC;
        case Hidden::silu: return SIGMOID_FRAC;
        default: return LEAKY_FRAC;
    }
}

inline Whole tanh_within(Whole z) { return tanh_of(std::clamp<Whole>(z, -(1 << 17), (1 << 17) - 1)); }
inline Whole elu_of(Whole z) {
    if (z >= 0) return z;
    const Whole power = round_shift(z * LOG2E, LOG2E_FRAC + Z_FRAC - POWER_FRAC) + (Z_FRAC << POWER_FRAC);
    return exp2_fixed(power << 6, POWER_WIDTH, 0) - (Whole{1} << Z_FRAC);
}

// The result, unlimited, and the derivative of one number, which has 27 bits.
template <Hidden KIND>
Whole result_of(Whole z, Whole act) {
    if constexpr (KIND == Hidden::leaky_relu) return std::max(z, round_shift(z * LEAKY_SLOPE, LEAKY_FRAC));
    if constexpr (KIND == Hidden::tanh) return round_shift(tanh_within(z) << (WIDE_FRAC - TANH_FRAC), WIDE_FRAC - act);
    if constexpr (KIND == Hidden::elu) return round_shift(elu_of(z) * (1 << (WIDE_FRAC - Z_FRAC)), WIDE_FRAC - act);
    if constexpr (KIND == Hidden::silu)
        return round_shift(z * (tanh_within(z) + (1 << TANH_FRAC)), HALF_FRAC + SIGMOID_FRAC - act);
    return std::max<Whole>(z, 0);
}
template <Hidden KIND>
Whole slope_of(Whole z) {
    if constexpr (KIND == Hidden::tanh) {
        const Whole y = tanh_within(z);
        return round_shift((Whole{1} << 2 * TANH_FRAC) - y * y, TANH_FRAC);
    }
    if constexpr (KIND == Hidden::elu) {
        constexpr Whole ONE = Whole{1} << Z_FRAC;
        return std::min(elu_of(z) + ONE, ONE);
    }
    if constexpr (KIND == Hidden::silu) {
        const Whole s = tanh_within(z) + (1 << TANH_FRAC);
        const Whole rest = round_shift(z * ((Whole{1} << SIGMOID_FRAC) - s), HALF_FRAC);
        return round_shift((s << SIGMOID_FRAC) + rest * s, SIGMOID_FRAC);
    }
    return z > 0 ? 1 << LEAKY_FRAC : LEAKY_SLOPE;
}

// run.template operator()<KIND>() of an activation that is not ReLU.
template <class Run>
auto with_hidden(Hidden kind, Run run) {
    switch (kind) {
        case Hidden::tanh: return run.template operator()<Hidden::tanh>();
        case Hidden::elu: return run.template operator()<Hidden::elu>();
        case Hidden::silu: return run.template operator()<Hidden::silu>();
        default: return run.template operator()<Hidden::leaky_relu>();
    }
}

}  // namespace rlcores::learner
