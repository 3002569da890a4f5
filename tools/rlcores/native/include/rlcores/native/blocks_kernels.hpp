// blocks_kernels.hpp — a block of a batch's rows through one layer, in products of 16 bits.
// SPDX-License-Identifier: Apache-2.0
//
// A number is one word of 16 bits, or two: high * 2^12 + low, of which the low one lies around 0. A weight always has
// two.
#pragma once

#include <cstdint>

namespace rlcores::learner {

constexpr int BLOCK_PIECE = 12;
constexpr std::int64_t BLOCK_UNIT = 16;     // rows and columns of a block are multiples of it
constexpr std::int64_t BLOCK_DEPTH = 1024;  // at most, of a layer

// Numbers (rows, stride) of a block, word by word. A row's lie side by side for the next layer, and those of two rows,
// as pairs (rows / 2, stride), for the gradient.
struct Block {
    std::int16_t* rows[2];
    std::int32_t* pairs[2];
    std::int64_t stride;
    int words;
};

// What a layer does with its sums: (sum + start) >> shift. `start` is of each column, in words; shift is 12 or more.
struct Through {
    const std::int32_t* weights;  // as BlockKernels::weights leaves them
    std::int64_t depth, columns;  // before and behind
    const std::int32_t *low, *high;
    int shift;
    std::int64_t rows, counted;  // how many, and of how many what is limited counts
};

// The largest magnitude; of no row the sum of all is larger than `sum`; how many were limited.
struct Reached {
    std::int64_t most, sum, limited;
};

}  // namespace rlcores::learner

namespace rlcores {

struct BlockKernels {
    // Words of a matrix of weights on the right side.
    std::int64_t (*room)(std::int64_t depth, std::int64_t columns);
    // Weights (rows, columns) as the right side of a way forward (depth: columns) and of one back. All bits of their
    // magnitudes, or'ed.
    std::int64_t (*weights)(const std::int64_t* from, std::int64_t rows, std::int64_t columns, std::int32_t* forward,
                            std::int32_t* back);
    // Rectified, and limited to 18 bits. With one word to each result none is limited, and they are right only where
    // `most` fits.
    learner::Reached (*forward)(const learner::Block& from, const learner::Through& by, const learner::Block& to);
    // Limited in the same way; 0 where the layer's vector is.
    learner::Reached (*back)(const learner::Block& from, const learner::Through& by, const learner::Block& vector,
                             const learner::Block& to);
    // Of the last layer, the rows that count: limited to -top … top - 1. How many were.
    std::int64_t (*outputs)(const learner::Block& from, const learner::Through& by, std::int32_t top, double* to,
                            std::int64_t stride);
    // sums (outers, inners) += products of the columns of some pairs of rows. No sum of words may leave 32 bits.
    void (*gradient)(const learner::Block& outer, std::int64_t outers, const learner::Block& inner, std::int64_t inners,
                     std::int64_t first, std::int64_t pairs, double* sums, std::int64_t stride);
    // Each column's numbers of some pairs of rows, added to `sums`; the largest sum of a column's magnitudes, of words.
    std::int64_t (*totals)(const learner::Block& of, std::int64_t columns, std::int64_t first, std::int64_t pairs,
                           double* sums);
};

}  // namespace rlcores
