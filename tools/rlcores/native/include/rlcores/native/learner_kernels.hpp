// learner_kernels.hpp — the learner's loops over numbers. Matrices are row by row, rows padded with zeros to 8 numbers.
// SPDX-License-Identifier: Apache-2.0
//
// Vectors hold whole numbers in doubles. A product is at most 2^43 and a sum at most 1,024 of them, which is 2^53:
// nothing is ever rounded, in any order, fused or not.
#pragma once

#include <cstdint>

namespace rlcores::learner {

// What a layer does with its sums: floor(sum * scale + half), then limits.
struct Narrow {
    double scale, half;
    double safe;  // |sum * scale + half| up to which the core's accumulator has not wrapped
    double top;   // results are -top … top - 1
    bool rectify;
};

}  // namespace rlcores::learner

namespace rlcores {

struct LearnerKernels {
    // out = x (rows, depth) * w (depth, columns): strides are multiples of 8 numbers, and so is `columns`.
    void (*dense)(const double* x, std::int64_t x_stride, std::int64_t rows, std::int64_t depth, const double* w,
                  std::int64_t w_stride, std::int64_t columns, double* out, std::int64_t out_stride);
    // In place; `bias` may be null, and `mask`: where it is 0, the result is. How many were limited; -1: a sum is not
    // safe.
    std::int64_t (*narrow)(double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                           const double* bias, const double* mask, learner::Narrow);
    void (*transpose)(const double* from, std::int64_t rows, std::int64_t columns, std::int64_t from_stride, double* to,
                      std::int64_t to_stride);
    // floor(x * one + 1/2), limited to low … high, which are within 2^50: how many were limited, or -1 where one is no
    // number.
    std::int64_t (*codes_float)(const float* x, std::int64_t n, double one, double low, double high, std::int64_t* out);
    std::int64_t (*codes_double)(const double* x, std::int64_t n, double one, double low, double high,
                                 std::int64_t* out);
    // Whole sums << left, >> shift with halves rounded up, limited to a gradient's 27 bits: into (rows, columns)
    // without padding. How many were limited; with `squared` also those whose square is.
    std::int64_t (*gradient)(const double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                             std::int64_t left, std::int64_t shift, bool squared, std::int64_t* out);
};

}  // namespace rlcores
