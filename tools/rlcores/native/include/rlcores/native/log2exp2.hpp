// log2exp2.hpp — log2 and exp2 by table and line, the integers of rlc_log2 and rlc_exp2 (cores/common/log2exp2.py).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rlcores/native/gen/tables.hpp"

namespace rlcores {

// floor(x / 2^bits + 1/2), bits >= 1.
static inline std::int64_t round_shift(std::int64_t x, int bits) {
    return (x + (std::int64_t{1} << (bits - 1))) >> bits;
}

// log2 with 20 fraction bits, 0 of 0. x < 2^52: a double holds it, and has its exponent and mantissa ready.
static inline std::int64_t log2_fixed(std::int64_t x) {
    const double number = __builtin_bit_cast(double, x | 0x4330000000000000) - 0x1p52;
    const std::int64_t bits = __builtin_bit_cast(std::int64_t, number);
    const std::int64_t mantissa = (bits >> 26) & 0x3ffffff;
    const std::int64_t row = log2_rom[mantissa >> 17];
    const std::int64_t value = ((row >> 14) << 17) + (row & 0x3fff) * (mantissa & 0x1ffff);
    const std::int64_t found = ((bits >> 52) - 1023) * (1 << 20) + (value >> 19);
    return x ? found : 0;
}

// 2^y as an integer of `width` bits with `fraction` of them, rounded half up; 2^width where that is too large. y has 26
// fraction bits; width 1 to 39.
static inline std::int64_t exp2_fixed(std::int64_t y, std::int64_t width, std::int64_t fraction) {
    const std::int64_t row = exp2_rom[(y >> 17) & 511];
    const std::int64_t mantissa = (((row >> 14) + (1 << 22)) << 17) + (row & 0x3fff) * (y & 0x1ffff);
    const std::int64_t shift = width - 1 - fraction - (y >> 26);
    std::int64_t by = shift < 0 ? 0 : shift;
    by = by > width + 1 ? width + 1 : by;
    const std::int64_t value = (((mantissa >> (39 - width)) >> by) + 1) >> 1;
    return shift < 0 ? std::int64_t{1} << width : value;
}

}  // namespace rlcores
