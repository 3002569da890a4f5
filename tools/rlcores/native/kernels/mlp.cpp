// mlp.cpp — biases, rounding, limits and activations of a deployed network.
// SPDX-License-Identifier: Apache-2.0
#include "mlp_kernels.hpp"

namespace rlcores::RLCORES_ISA {
using rlcores::mlp::Narrow;

namespace {

using Number = std::int64_t;

inline Number rounded(Number x, int drop) { return (x + ((Number{1} << drop) >> 1)) >> drop; }

inline Number limited(Number x, int width) {
    const Number top = (Number{1} << (width - 1)) - 1, low = -top - 1;
    const Number above = x < low ? low : x;
    return above > top ? top : above;
}

// tanh of x, or of half of it, with 16 fraction bits.
inline Number tanh_unit(Number x, bool half, const Narrow &by) {
    constexpr int REST = 8, STEP = 14, DROP = 12;
    Number moved = x << (14 - by.unit_frac);
    if (half) moved >>= 1;
    moved = limited(moved, 18);
    const Number magnitude = moved < 0 ? -moved : moved, top = (1 << 17) - 1;
    const Number size = magnitude > top ? top : magnitude, row = by.tanh[size >> REST];
    const Number value = (((row >> STEP) << REST) + (row & ((1 << STEP) - 1)) * (size & ((1 << REST) - 1))) >> DROP;
    return moved < 0 ? -value : value;
}

inline Number elu_unit(Number x, const Narrow &by) {
    constexpr int REST = 9, STEP = 15;
    if (x >= 0) return x;
    const Number shifted = -x << (14 - by.unit_frac), top = (1 << 18) - 1, size = shifted > top ? top : shifted;
    const Number row = by.elu[size >> REST];
    const Number value = ((row >> STEP) << REST) + (row & ((1 << STEP) - 1)) * (size & ((1 << REST) - 1));
    return -rounded(value, 29 - by.unit_frac);
}

}  // namespace

void mlp_narrow(double *sums, std::int64_t rows, std::int64_t columns, std::int64_t stride, const std::int64_t *biases,
                const Narrow &given) {
    const Narrow by = given;
    const auto all = [&](auto activation) {
        for (Number r = 0; r < rows; ++r) {
            double *row = sums + r * stride;
#pragma GCC ivdep
            for (Number c = 0; c < columns; ++c) {
                const Number z = limited(rounded(static_cast<Number>(row[c]) + biases[c], by.shift), 18);
                row[c] = static_cast<double>(limited(activation(z), by.width));
            }
        }
    };
    const auto unit = [&](auto of) { all([&](Number z) { return rounded(of(z), by.unit_shift); }); };
    switch (by.kind) {
    case 0: return all([](Number z) { return z; });
    case 1: return all([](Number z) { return z < 0 ? 0 : z; });
    case 2: return unit([&](Number z) { return z < 0 ? (z * by.slope + (1 << 15)) >> 16 : z; });
    case 3: return unit([&](Number z) { return tanh_unit(z, false, by); });
    case 4: return unit([&](Number z) { return (tanh_unit(z, true, by) + 65537) >> 1; });
    case 5: return unit([&](Number z) { return elu_unit(z, by); });
    default: return unit([&](Number z) { return (z * (tanh_unit(z, true, by) + 65536) + 65536) >> 17; });
    }
}

}  // namespace rlcores::RLCORES_ISA
