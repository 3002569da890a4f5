// products_kernels.hpp — products of whole-number matrices in the learner's widths, and what becomes of their sums.
// SPDX-License-Identifier: Apache-2.0
//
// left (rows, depth) * right (depth, columns), exact. A left side has at most 18 bits a number, a right side 27, and
// depth is at most PRODUCT_DEPTH of such: a sum is at most 2^53. With 18 bits on both sides depth is at most
// PRODUCT_ROWS. A side is packed once into the form of the kernels in force, and is used by as many products as need
// it: bytes for AMX's tiles, words of 16 bits on other x86-64, elsewhere doubles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rlcores/native/learner_kernels.hpp"

namespace rlcores::learner {

constexpr std::int64_t PRODUCT_DEPTH = 1024, PRODUCT_ROWS = 8192, PRODUCT_UNIT = 16;

// Numbers as they come: row r begins at data + r * stride, a multiple of PRODUCT_UNIT, zeros fill it up; rows are there
// in whole units, too.
struct Numbers {
    const std::int32_t* data;
    std::int64_t rows, columns, stride;
};

// A packed side: the largest magnitude of its numbers, or all their bits, and whether one may be below 0.
struct Side {
    std::byte* data;
    std::int64_t most;
    bool sign;
};

struct Product {
    Side left, right;
    std::int64_t rows, depth, columns;
    double* scratch;  // rows * columns, columns in whole units: where the kernels in force are doubles'
};

// Where results go, after `by`. bias: of columns in whole units. mask: where it is 0, the result is. One of them is
// null, and with a mask nothing is rectified.
struct Outcome {
    Narrow by;
    const double* bias;
    const std::int32_t* mask;
    std::int64_t mask_stride;
    std::int32_t* out;
    std::int64_t stride;
};

// How many results were limited, the largest magnitude of a result, and whether every sum is safe.
struct Told {
    std::int64_t limited = 0;
    std::int32_t most = 0;
    bool safe = true;
};

}  // namespace rlcores::learner

namespace rlcores {

struct ProductKernels {
    // Memory of a side, in bytes.
    std::int64_t (*left_room)(std::int64_t rows, std::int64_t depth, const learner::Side& side);
    std::int64_t (*right_room)(std::int64_t depth, std::int64_t columns, const learner::Side& side);
    void (*left)(learner::Numbers from, const learner::Side& to);
    void (*right)(learner::Numbers from, const learner::Side& to);
    // Columns become rows; `to` has room for whole units of both.
    void (*turn)(learner::Numbers from, std::int32_t* to, std::int64_t stride);
    // Whole numbers >> shift of (rows, columns) without padding. All their bits that are not their sign's, or'ed.
    std::int64_t (*take)(const std::int64_t* from, std::int64_t rows, std::int64_t columns, int shift, std::int32_t* to,
                         std::int64_t stride);
    // Sums of the columns, exact, in whole units.
    void (*totals)(learner::Numbers from, double* sums);
    learner::Told (*narrow)(const learner::Product& product, const learner::Outcome& to);
    // The same into numbers of 64 bits, (rows, columns) without padding, which are not limited.
    learner::Told (*wide)(const learner::Product& product, learner::Narrow by, std::int64_t* out);
    // floor(sum * scale + half) as a gradient's 27 bits, without padding; `squared`: as learner.gradient.
    learner::Told (*gradient)(const learner::Product& product, double scale, double half, bool squared,
                              std::int64_t* out);
};

}  // namespace rlcores
