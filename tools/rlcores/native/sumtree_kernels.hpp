// sumtree_kernels.hpp — what the sum tree does to many numbers at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa.hpp"

namespace rlcores {

// The sums of a tree, in lines of memory. A node above the leaves has sixteen sums: of all children before each. A child
// is found by comparing a target with all of them, and a change is added to those behind the child. The upper levels
// have sums of 64 bits, those below them of 32, where these fit. The leaves are in lines of sixteen sums of 32 bits where
// these fit, else of eight of 64, which include the leaf itself.
struct Lines {
    static constexpr int most = 6, upper_bits = 4;
    static constexpr std::uint32_t upper_children = 1 << upper_bits;
    void* upper[most];  // nodes of a level, the root first
    int uppers, wide;   // levels above the leaves, and how many of them have sums of 64 bits
    std::uint32_t second;  // nodes of the level below the root
    void* leaves;
    bool narrow;  // of 32 bits
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

}  // namespace rlcores

// The leaves at n targets, each 0 to total - 1: their indices, and in the targets' place their priorities.
RLCORES_KERNEL(void, find, const Lines& lines, std::int64_t* target, std::uint32_t* index, std::size_t n)
// Write n leaves in order; a negative value leaves the leaf as it is. old: the leaf before. Returns the total's change.
RLCORES_KERNEL(std::int64_t, write, const Lines& lines, const std::uint32_t* index, const std::int64_t* value,
               std::int64_t* old, std::size_t n)
// Whether all n numbers are 0 to end - 1.
RLCORES_KERNEL(bool, within, const std::int64_t* numbers, std::size_t n, std::int64_t end)
// The largest of n numbers, or `least` where that is more.
RLCORES_KERNEL(std::int64_t, largest, const std::int64_t* numbers, std::size_t n, std::int64_t least)
// Whether all n indices are of slots, whose tags are those given where there are any; `index` then holds them.
RLCORES_KERNEL(bool, fresh, const Tags& tags, const std::int64_t* slot, const std::int64_t* generation,
               std::uint32_t* index, std::size_t n)
// TD errors as sfix(32,20), rounded half up. limited: how many did not fit, or are +-limit or beyond. Returns false when
// one is not finite.
RLCORES_KERNEL(bool, raw_floats, const float* given, std::int64_t* raw, std::size_t n, std::int64_t limit,
               std::size_t& limited)
RLCORES_KERNEL(bool, raw_doubles, const double* given, std::int64_t* raw, std::size_t n, std::int64_t limit,
               std::size_t& limited)
// The priorities of TD errors sfix(32,20). saturated (n,): where one was larger than its bits.
RLCORES_KERNEL(void, priorities, const std::int64_t* delta, std::int64_t* priority, std::uint8_t* saturated, std::size_t n,
               const PriorityMaths& maths)
// ufix(32,31) weights of one batch that was drawn from one total; priority 0 stands for an answer that has none.
RLCORES_KERNEL(void, weights, const std::int64_t* priority, std::uint32_t* weight, std::size_t n, std::int64_t beta)
// Draws in their strata: (j * 2^width + u) / strata for j = stratum, stratum + 1, … modulo strata; strata below 2^16.
RLCORES_KERNEL(void, stratify, std::uint64_t* u, std::size_t n, std::uint32_t stratum, std::uint32_t strata, int width)
