// env_physics.hpp — what the kernels of environments share. Each is a file of environments/: NAME_step moves one copy,
// and NAME_reset says what an episode starts with, by words of each draw. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/gen/env_constants.hpp"
#include "rlcores/native/env_kernels.hpp"
#include "rlcores/native/log2exp2.hpp"

namespace rlcores::env {

using Whole = std::int64_t;

static inline Whole limited(Whole x, Whole low, Whole high) { return x < low ? low : x > high ? high : x; }

// A number of a state seen with `drop` bits fewer; beyond: it did not fit.
static inline Whole seen(Whole x, int drop, bool& beyond) {
    constexpr Whole top = (1 << 17) - 1;
    const Whole code = round_shift(x, drop), kept = limited(code, -top, top);
    beyond |= kept != code;
    return kept;
}

// The cosine of an angle in units of 2^-26 turns, sfix(27,25): rlcores/cores/common/sincos.py.
static inline Whole cosine(Whole angle) {
    constexpr Whole eighth = 1 << 23, turn = 102944, top = (1 << 17) - 1, mask = (1 << 30) - 1;
    const Whole octant = (angle >> 23) & 7, inside = angle & (eighth - 1);
    const Whole place = octant & 1 ? eighth - inside : inside;
    const Whole segment = (place >> 14) - (place >> 23);  // the end of the eighth is in the last one
    const Whole rho = round_shift((place - (segment << 14) - (1 << 13)) * turn, 13);
    const bool swap = ((octant + 1) >> 1) & 1;  // the sine of the eighth's place, and not its cosine
    const Whole row = sincos_rom[segment], c = row >> 30, s = row & mask;
    const Whole near = swap ? s : c, other = swap ? c : s;
    const Whole bend = (near >> 24) * (rho >> 11) * 128;  // of the slope, which is the other one's
    const Whole slope = round_shift(swap ? other - bend : other + bend, 13);
    const Whole change = (slope > top ? top : slope) * rho;
    const Whole size = (near * (1 << 14) + (swap ? change : -change)) >> 19;
    return ((octant + 2) >> 2) & 1 ? -size : size;
}
static inline Whole sine(Whole angle) { return cosine(angle - (1 << 24)); }

static inline Whole wrapped(Whole x, int width) {
    const Whole half = Whole{1} << (width - 1);
    return ((x + half) & (2 * half - 1)) - half;
}

}  // namespace rlcores::env
