// tanh.hpp — tanh by the core's table and linear interpolation. The model is rlcores/cores/common/tanh.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "rlcores/native/gen/tables.hpp"

namespace rlcores {

constexpr int TANH_FRAC = 16;

// tanh of sfix(18,14) as sfix(18,TANH_FRAC).
inline std::int64_t tanh_of(std::int64_t x) {
    constexpr int REST = 8, STEP = 14, DROP = 20 + REST - TANH_FRAC;
    const std::int64_t size = std::min<std::int64_t>(x < 0 ? -x : x, (1 << 17) - 1), row = tanh_rom[size >> REST];
    const std::int64_t value =
        (((row >> STEP) << REST) + (row & ((1 << STEP) - 1)) * (size & ((1 << REST) - 1))) >> DROP;
    return x < 0 ? -value : value;
}

}  // namespace rlcores
