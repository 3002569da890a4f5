// exps.hpp — powers of 2 and e of outputs with 16 fraction bits, for kernels too. The model is cores/policy/density.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rlcores/native/log2exp2.hpp"

namespace rlcores::exps {

constexpr std::int64_t FAR = (1 << 21) - 1, LOG2E = 116050;  // (log2 e - 1) * 2**18
constexpr std::int64_t E_FRAC = 24;

// 2**y, 26 fraction bits, as `width` bits with `fraction` of them; the greatest number where it is too large.
static inline std::int64_t power_of(std::int64_t y, std::int64_t width, std::int64_t fraction) {
    const std::int64_t found = exp2_fixed(y, width, fraction), most = (std::int64_t{1} << width) - 1;
    return found < most ? found : most;
}

// log2(e) times a number >= 0 of 16 fraction bits.
static inline std::int64_t fall(std::int64_t below) {
    const std::int64_t d = below < FAR ? below : FAR;
    return ((d << 18) + d * LOG2E + (1 << 13)) >> 14;
}
static inline std::int64_t e_to_minus(std::int64_t fallen) { return exp2_fixed(-fallen * 64, 25, E_FRAC); }

}  // namespace rlcores::exps
