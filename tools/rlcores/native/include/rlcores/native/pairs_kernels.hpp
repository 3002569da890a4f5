// pairs_kernels.hpp — the learner's loops over whole numbers of 16 bits, two of them in a word.
// SPDX-License-Identifier: Apache-2.0
//
// A pair holds two neighbours of the sum that is made: the first one in the lower half. Columns are multiples of 16.
#pragma once

#include <cstdint>

namespace rlcores::learner {

// The left side of a product, in pieces: high * 2^bits + low. Pair p of row i is at [i * row + p * pair].
struct Pieces {
    const std::int32_t *low, *high;
    std::int64_t rows, row, pair;
};

// What becomes of a row's sum: (sum + start) >> shift. `start` is in pieces as well; shift is bits or more.
struct Finish {
    const std::int32_t *low, *high;
    int bits, shift;
};

// How many deltas were limited; the largest sum of a row's magnitudes, and of half a row's; whether all have 16 bits.
struct Masked {
    std::int64_t limited, most, most_half;
    bool small;
};

}  // namespace rlcores::learner

namespace rlcores {

struct PairKernels {
    // out (rows, columns) = a (rows, depth pairs) * b (depth pairs, columns), finished. No sum of a piece may leave 32
    // bits.
    void (*product)(const learner::Pieces* a, const std::int32_t* b, std::int64_t b_stride, std::int64_t depth,
                    std::int64_t columns, const learner::Finish* finish, std::int32_t* out, std::int64_t out_stride);
    // out (rows, columns) = (a * b + 2^(shift - 1)) >> shift, of a left side of 16 bits, (rows, depth pairs). No sum
    // over half of the depth, with what is added, may leave 32 bits; depth is even.
    void (*halves)(const std::int32_t* a, std::int64_t rows, const std::int32_t* b, std::int64_t b_stride,
                   std::int64_t depth, std::int64_t columns, int shift, std::int32_t* out, std::int64_t out_stride);
    // Rectified in place, and as pairs, in which a number of more than 15 bits is some other than 0; adds each column's
    // to `sums`. The largest of them.
    std::int32_t (*rectify)(std::int32_t* numbers, std::int64_t rows, std::int64_t columns, std::int32_t* pairs,
                            std::int32_t* sums);
    // The same with a right side in pieces of finish->bits, low and high. Any shift from `bits` on.
    void (*product_wide)(const learner::Pieces* a, const std::int32_t* low, const std::int32_t* high,
                         std::int64_t stride, std::int64_t depth, std::int64_t columns, const learner::Finish* finish,
                         std::int32_t* out, std::int64_t out_stride);
    // Deltas limited to 18 bits, 0 where the vector's number is 0: in place; and if they have 16 bits, as pairs, and
    // for the gradient at whole[row * columns]. Adds the columns' magnitudes to `sums`.
    learner::Masked (*mask)(std::int32_t* numbers, const std::int32_t* vector, std::int64_t rows, std::int64_t columns,
                            std::int32_t* pairs, std::int16_t* whole, std::int32_t* sums);
    // The same numbers for the gradient in pieces of 8 bits, two columns a pair, at low and high[row * columns].
    void (*fine)(const std::int32_t* numbers, std::int64_t count, std::int16_t* low, std::int16_t* high);
    // Deltas in pieces of `bits` as pairs of rows.
    void (*pieces)(const std::int32_t* from, std::int64_t rows, std::int64_t columns, int bits, std::int32_t* low,
                   std::int32_t* high);
    // The last layer's deltas back through its weights (outputs, stride): sums below 2^44, >> shift and rounded to 32
    // bits.
    void (*last)(const double* w, std::int64_t stride, std::int64_t outputs, const double* delta, std::int64_t columns,
                 std::int64_t rows, int shift, std::int32_t* out);
    // Pairs of rows (pairs, columns) become pairs of columns (columns / 2, stride).
    void (*turn)(const std::int32_t* from, std::int64_t pairs, std::int64_t columns, std::int32_t* to,
                 std::int64_t stride);
    // Sums of the rows, of 32 bits.
    void (*totals)(const std::int32_t* numbers, std::int64_t rows, std::int64_t columns, double* out);
    // Sums as a gradient's 27 bits; how many were limited, as learner_gradient() has it.
    std::int64_t (*gradient)(const std::int32_t* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                             bool squared, std::int64_t* out);
    // Weights (rows, columns) >> shift in pieces of 12 bits: pairs of columns at [row * stride], and of rows (if not
    // null) at [row / 2 * columns]. All bits of the weights' magnitudes, or'ed.
    std::uint32_t (*split)(const std::int64_t* from, std::int64_t rows, std::int64_t columns, int shift,
                           std::int16_t* low, std::int16_t* high, std::int64_t stride, std::int32_t* rows_low,
                           std::int32_t* rows_high);
};

}  // namespace rlcores
