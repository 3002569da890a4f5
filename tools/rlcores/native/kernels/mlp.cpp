// mlp.cpp — biases, rounding, limits and activations of a deployed network.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "rlcores/native/mlp_kernels.hpp"

namespace rlcores::RLCORES_ISA {
using rlcores::mlp::Activation;
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
inline Number tanh_unit(Number x, bool half, const Narrow& by) {
    constexpr int REST = 8, STEP = 14, DROP = 12;
    Number moved = x << (14 - by.unit_frac);
    if (half) moved >>= 1;
    moved = limited(moved, 18);
    const Number magnitude = moved < 0 ? -moved : moved, top = (1 << 17) - 1;
    const Number size = magnitude > top ? top : magnitude, row = by.tanh[size >> REST];
    const Number value = (((row >> STEP) << REST) + (row & ((1 << STEP) - 1)) * (size & ((1 << REST) - 1))) >> DROP;
    return moved < 0 ? -value : value;
}

inline Number elu_unit(Number x, const Narrow& by) {
    constexpr int REST = 9, STEP = 15;
    if (x >= 0) return x;
    const Number shifted = -x << (14 - by.unit_frac), top = (1 << 18) - 1, size = shifted > top ? top : shifted;
    const Number row = by.elu[size >> REST];
    const Number value = ((row >> STEP) << REST) + (row & ((1 << STEP) - 1)) * (size & ((1 << REST) - 1));
    return -rounded(value, 29 - by.unit_frac);
}

inline Number leaky(Number x, Number slope) { return x < 0 ? (x * slope + (1 << 15)) >> 16 : x; }

// In place, sums of one layer to their normalised ones.
inline void normalise(double* row, Number columns, const Number* biases, const Narrow& by) {
    constexpr int REST = 9, STEP = 15, MOST = 48;
    Number square = by.epsilon;
    for (Number c = 0; c < columns; ++c) {
        const Number z = limited(rounded(static_cast<Number>(row[c]) + biases[c], by.shift), 18);
        row[c] = static_cast<double>(z);
        square += z * z;
    }
    const int place = 63 - __builtin_clzll(static_cast<unsigned long long>(square)), shift = place >> 1;
    const Number top = square << (MOST - 1 - place), word = by.rsqrt[(place & 1) << 8 | ((top >> 39) & 255)];
    const Number rest = (top >> 30) & ((1 << REST) - 1);
    const Number root = (((word >> STEP) << REST) - (word & ((1 << STEP) - 1)) * rest + 2048) >> 12;
    for (Number c = 0; c < columns; ++c) {
        const Number u = limited(((static_cast<Number>(row[c]) * root * 2 >> shift) + 1) >> 1, 18);
        const Number y = u * by.factors[2 * c] + by.factors[2 * c + 1] * (Number{1} << by.offset_shift);
        row[c] = static_cast<double>(limited(rounded(y, by.norm_shift), 18));
    }
}

void mlp_narrow(double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride, const std::int64_t* biases,
                const Narrow& given) {
    const Narrow by = given;
    const bool normalised = by.epsilon != 0;
    const auto all = [&](auto activation) {
        for (Number r = 0; r < rows; ++r) {
            double* row = sums + r * stride;
            if (normalised) {
                normalise(row, columns, biases, by);
                for (Number c = 0; c < columns; ++c)
                    row[c] = static_cast<double>(limited(activation(static_cast<Number>(row[c])), by.width));
                continue;
            }
            INDEPENDENT (c, columns) {
                const Number z = limited(rounded(static_cast<Number>(row[c]) + biases[c], by.shift), 18);
                row[c] = static_cast<double>(limited(activation(z), by.width));
            }
        }
    };
    const auto unit = [&](auto of) { all([&](Number z) { return rounded(of(z), by.unit_shift); }); };
    switch (by.kind) {
        case Activation::identity: return all([](Number z) { return z; });
        case Activation::relu: return all([](Number z) { return z < 0 ? 0 : z; });
        case Activation::leaky_relu: return unit([&](Number z) { return leaky(z, by.slope); });
        case Activation::tanh: return unit([&](Number z) { return tanh_unit(z, false, by); });
        case Activation::sigmoid: return unit([&](Number z) { return (tanh_unit(z, true, by) + 65537) >> 1; });
        case Activation::elu: return unit([&](Number z) { return elu_unit(z, by); });
        case Activation::scaled_elu: return unit([&](Number z) { return leaky(elu_unit(z, by), by.slope); });
        case Activation::silu:
            return unit([&](Number z) { return (z * (tanh_unit(z, true, by) + 65536) + 65536) >> 17; });
    }
}

}  // namespace

extern const MlpKernels mlp_kernels;
const MlpKernels mlp_kernels = {.narrow = mlp_narrow};

}  // namespace rlcores::RLCORES_ISA
