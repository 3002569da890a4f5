// floats.hpp — floating-point functions with the same bits on every processor.
// SPDX-License-Identifier: Apache-2.0
//
// Every operation is one of IEEE 754's, in the order that is written: a product adds its terms from the first to the
// last, and neither a library's exp nor its log is called.
#pragma once

#include <cstdint>

namespace rlcores {

struct FloatKernels {
    // out (rows, columns) = a (rows, depth) * b (depth, columns). Number (r, k) of a is at r * a_row + k * a_column; b
    // and out are in one piece. `out` is none of the others.
    void (*product32)(const float* a, std::int64_t a_row, std::int64_t a_column, const float* b, float* out,
                      std::int64_t rows, std::int64_t depth, std::int64_t columns);
    void (*product64)(const double* a, std::int64_t a_row, std::int64_t a_column, const double* b, double* out,
                      std::int64_t rows, std::int64_t depth, std::int64_t columns);
    // In place.
    void (*exp)(double* x, std::int64_t n);
    void (*log)(double* x, std::int64_t n);
    // Numbers in 0 … 1, the ends left out, become those of a normal distribution of which so much lies below.
    void (*normal)(double* x, std::int64_t n);
};

}  // namespace rlcores
