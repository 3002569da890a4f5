// learner_shape.hpp — what a network of the learner is made of, and its numbers as they lie in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rlcores/native/optimisers.hpp"

namespace rlcores::learner {

using Whole = std::int64_t;

constexpr Whole WEIGHT_FRAC = 22, ACC_WIDTH = 48, ACT_WIDTH = 18, POLYAK_FRAC = 9;

constexpr Whole WEIGHTS = 0, TARGET = 1, STATE = 2;  // planes of a network; STATE: the first of the optimiser's

struct Shape {
    std::vector<Whole> sizes, act_frac, delta_frac, grad_frac;
    int output_width;
    OptimiserStep optimiser;  // null: the weights stand still
    bool squared;             // it squares gradients, and counts those whose square is limited
    RoundingMode rounding;
    bool polyak;
    std::array<int, 4> betas;  // num1, shift1, num2, shift2
};

// Floor to a right shift of `bits` with halves rounded up.
inline Whole round_shift(Whole x, Whole bits) { return bits ? (x + (Whole{1} << (bits - 1))) >> bits : x; }

// Weights and biases of a network of these sizes.
Whole count_of(const std::vector<Whole>& sizes);

// Saturations of a step, by layer 1 … M (index 0 of the input).
using Counts = std::array<Whole, 5>;

// (rows, columns) whole numbers in doubles, rows padded with zeros to 8 numbers.
struct Matrix {
    Whole rows = 0, columns = 0, stride = 0;
    std::vector<double> data;
    void shape(Whole r, Whole c);
    double* row(Whole r) { return data.data() + r * stride; }
    const double* row(Whole r) const { return data.data() + r * stride; }
};

// Whether the sum of a batch's gradient could leave its accumulator, from inputs with `frac` fraction bits.
inline bool may_overflow(Whole rows, Whole frac) {
    return rows << (ACT_WIDTH - 1 + (frac > ACT_WIDTH - 1 ? frac : ACT_WIDTH - 1)) >= Whole{1} << (ACC_WIDTH - 1);
}

}  // namespace rlcores::learner
