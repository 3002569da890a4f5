// sumtree_kernels.hpp — what the sum tree does to many numbers at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rlcores {

// A tree in lines of memory. A node above the leaves has sixteen sums: of all children before each. A child is found by
// comparing a target with all of them, and a change is added to those behind the child. The upper levels have sums of
// 64 bits, those below them of 32, where these fit. The leaves themselves stand in lines of sixteen: a write touches
// one number, and find() adds up the line.
struct Lines {
    static constexpr int most = 6, child_bits = 4;
    static constexpr std::uint32_t children = 1 << child_bits;
    void* upper[most];     // nodes of a level, the root first
    int uppers, wide;      // levels above the leaves, and how many of them have sums of 64 bits
    std::uint32_t second;  // nodes of the level below the root
    std::uint32_t* leaves;
};

// Slots of a tree and their tags: those below `next` were taken once more often than the others.
struct Tags {
    std::uint32_t capacity, next, lap, mask;
};

// What a priority is made of, as in the core's registers.
struct PriorityMaths {
    std::int64_t alpha, epsilon, scale;
    int width;
};

// The same of TD errors in floating point: `offset` is added to their size.
struct ErrorMaths {
    std::int64_t alpha, scale;
    int width;
    double offset;
};

// What came of them: log2 of the largest one before it was limited, with 26 fraction bits; how many were larger than
// their bits, and how many are too small for their share to be within 1 %.
struct Made {
    std::int64_t power = INT64_MIN;
    std::size_t above = 0, coarse = 0;
};
constexpr std::int64_t least_fine = 50;  // a unit's half is 1 % of it

}  // namespace rlcores

namespace rlcores {

struct TreeKernels {
    // The leaves at n targets, each 0 to total - 1: their indices, and in the targets' place their priorities.
    void (*find)(const Lines& lines, std::int64_t* target, std::uint32_t* index, std::size_t n);
    // Write n leaves in order; a negative value leaves the leaf as it is. old: the leaf before. Returns the total's
    // change.
    std::int64_t (*write)(const Lines& lines, const std::uint32_t* index, const std::int64_t* value, std::int64_t* old,
                          std::size_t n);
};

struct TreeMathsKernels {
    // Whether all n numbers are 0 to end - 1.
    bool (*within)(const std::int64_t* numbers, std::size_t n, std::int64_t end);
    // The largest of n numbers, or `least` where that is more.
    std::int64_t (*largest)(const std::int64_t* numbers, std::size_t n, std::int64_t least);
    // Whether all n indices are of slots, whose tags are those given where there are any; `index` then holds them.
    bool (*fresh)(const Tags& tags, const std::int64_t* slot, const std::int64_t* generation, std::uint32_t* index,
                  std::size_t n);
    // Whether all n numbers are finite.
    bool (*finite_floats)(const float* given, std::size_t n);
    bool (*finite_doubles)(const double* given, std::size_t n);
    // The priorities of finite TD errors (maths.of_errors); what is limited is added up.
    void (*priorities_of_floats)(const float* given, std::int64_t* priority, std::size_t n, const ErrorMaths& maths,
                                 Made& made);
    void (*priorities_of_doubles)(const double* given, std::int64_t* priority, std::size_t n, const ErrorMaths& maths,
                                  Made& made);
    // The priorities of TD errors sfix(32,20). saturated (n,): where one was larger than its bits.
    void (*priorities)(const std::int64_t* delta, std::int64_t* priority, std::uint8_t* saturated, std::size_t n,
                       const PriorityMaths& maths);
    // Sampled slots, and their tags.
    void (*tagged)(const Tags& tags, const std::uint32_t* index, std::int64_t* slot, std::int64_t* generation,
                   std::size_t n);
    // priority / total.
    void (*shares)(const std::int64_t* priority, std::int64_t total, double* share, std::size_t n);
    // ufix(32,31) as floats.
    void (*weight_floats)(const std::uint32_t* weight, float* found, std::size_t n);
    // ufix(32,31) weights of one batch that was drawn from one total; priority 0 stands for an answer that has none.
    void (*weights)(const std::int64_t* priority, std::uint32_t* weight, std::size_t n, std::int64_t beta);
    // Draws in their strata: (j * 2^width + u) / strata for j = stratum, stratum + 1, … modulo strata; strata below
    // 2^16.
    void (*stratify)(std::uint64_t* u, std::size_t n, std::uint32_t stratum, std::uint32_t strata, int width);
};

}  // namespace rlcores
