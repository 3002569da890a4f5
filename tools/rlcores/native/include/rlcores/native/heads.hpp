// heads.hpp — what acting and PPO make of a network's outputs. The models are cores/policy/noise.py and density.py.
// SPDX-License-Identifier: Apache-2.0
//
// Logits, means and samples have 16 fraction bits, log-probabilities are base 2 and have 20.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "rlcores/native/exps.hpp"
#include "rlcores/native/learner.hpp"
#include "rlcores/native/log2exp2.hpp"
#include "rlcores/native/gen/tables.hpp"

namespace rlcores::heads {

using learner::as_act;
using learner::round_shift;
using learner::saturated;
using learner::Whole;

using exps::E_FRAC;
using exps::e_to_minus;
using exps::fall;
using exps::LOG2E;
using exps::power_of;

constexpr Whole LOG_FRAC = 20, HALF_LOG2E = 94548, NORMALISER = 1390148, OCTAVES = Whole{8} << LOG_FRAC;

inline Whole as_output(Whole x) { return saturated(x, -(Whole{1} << 26), (Whole{1} << 26) - 1); }

inline int bits_of(Whole x) { return 64 - std::countl_zero(static_cast<std::uint64_t>(x)); }

// Where a word lies in the tables of quantiles.
struct Place {
    bool above;
    Whole row, rest;
};
inline Place place(std::uint64_t word) {
    const Whole t = static_cast<Whole>(2 * (word & 0x7fffffff) + 1), octave = bits_of(t) - 1;
    const Whole mantissa = (t << (31 - octave)) & 0x7fffffff;
    return {(word >> 31) != 0, octave * 16 + (mantissa >> 27), (mantissa >> 10) & 0x1ffff};
}
inline Whole node(Whole word) { return ((word >> 14) ^ (1 << 21)) - (1 << 21); }
inline Whole step(Whole word) { return word & 0x3fff; }

// sfix(18,14)
inline Whole normal(std::uint64_t word) {
    const Place at = place(word);
    const Whole row = rl_normal_rom[at.row], size = (node(row) * (1 << 17) - step(row) * at.rest) >> 21;
    return at.above ? size : -size;
}

// 16 fraction bits
inline Whole gumbel(std::uint64_t word) {
    const Place at = place(word);
    const Whole row = rl_gumbel_rom[at.row + 512 * at.above], change = step(row) * at.rest;
    return (node(row) * (1 << 17) + (at.above ? -change : change) + (1 << 16)) >> 17;
}

// log2 of a softmax's probabilities.
inline void softmax(const double* logits, Whole count, Whole* logs) {
    const Whole most = static_cast<Whole>(*std::max_element(logits, logits + count));
    Whole sum = 0;
    for (Whole k = 0; k < count; ++k) {
        logs[k] = fall(most - static_cast<Whole>(logits[k]));
        sum += e_to_minus(logs[k]);
    }
    const Whole log = log2_fixed(sum) - (E_FRAC << LOG_FRAC);
    for (Whole k = 0; k < count; ++k) logs[k] = -(logs[k] + log);
}

// A deviation: its log2; 1 / deviation = mantissa * 2**(exponent - 16); what multiplies noise, 17 fraction bits.
struct Wide {
    Whole c, mantissa, exponent, noise;
};
inline Wide deviation(Whole log) {
    const Whole c = saturated(round_shift(log * (1 << 18) + log * LOG2E, 20), -OCTAVES, OCTAVES - 1), y = -c * 64;
    return {c, power_of(y & ((1 << 26) - 1), 17, 16), y >> 26, power_of(c * 64, 26, 17)};
}

// log2(1 - tanh(u)**2), |u| counts as 16 at most.
inline Whole tanh_slope(Whole u) {
    const Whole t = fall(2 * (u < 0 ? -u : u));
    return (Whole{2} << LOG_FRAC) - t - 2 * (log2_fixed((1 << E_FRAC) + e_to_minus(t)) - (E_FRAC << LOG_FRAC));
}

// What is added to a mean.
inline Whole noise(const Wide& wide, std::uint64_t word) { return round_shift(normal(word) * wide.noise, 15); }

// One dimension of a density: (sample - mean) / deviation, its square, and what it takes from the logarithm; how many
// numbers did not fit.
struct Scaled {
    Whole x, squared, term, limited;
};
inline Scaled scaled(const Wide& wide, Whole sample, Whole mean) {
    const Whole apart = sample - mean, held = as_output(apart);
    const Whole exact = round_shift(held * wide.mantissa, 18 - wide.exponent), x = as_act(exact);
    const Whole squared = round_shift(x * x, 12);
    return {x, squared, round_shift(squared * HALF_LOG2E, 13) + wide.c + NORMALISER, (apart != held) + (exact != x)};
}

}  // namespace rlcores::heads
