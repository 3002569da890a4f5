// sumtree_lines.cpp — walks through the sum tree, many at a time, a level after the other: misses overlap.
// SPDX-License-Identifier: Apache-2.0
#include "sumtree_kernels.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

constexpr std::size_t chunk = 256;

// How many of K running sums are at most t; the last one is above it.
template <int K, class T>
inline std::uint32_t below(const T* line, T t) {
    std::uint32_t c = 0;
    for (std::uint32_t step = K / 2; step; step /= 2) c += line[c + step - 1] <= t ? step : 0;
    return c;
}

// The sum before child c. Memory begins with a line that is none, so line[-1] can be read.
template <class T>
inline T before(const T* line, std::uint32_t c) {
    return line[static_cast<std::ptrdiff_t>(c) - 1] & -static_cast<T>(c != 0);
}

template <int K, class T>
inline void add(T* line, std::uint32_t c, T delta) {
    for (std::uint32_t j = 0; j < K; ++j) line[j] += j >= c ? delta : 0;
}

template <int K, class T>
void find_leaves(const T* leaves, const std::uint32_t* node, std::int64_t* target, std::uint32_t* index,
                 std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const T* line = leaves + std::size_t{node[i]} * K;
        const std::uint32_t c = below<K>(line, static_cast<T>(target[i]));
        target[i] = line[c] - before(line, c);
        index[i] = node[i] * K + c;
    }
}

template <int K, class T>
void write_leaves(T* leaves, const Lines& lines, const std::uint32_t* index, const std::int64_t* value,
                  std::int64_t* old, std::int64_t* delta, std::size_t n) {
    const std::int64_t* above = lines.uppers ? lines.upper[lines.uppers - 1] : nullptr;
    for (std::size_t i = 0; i < n; ++i) {
        __builtin_prefetch(leaves + index[i], 1);
        if (above) __builtin_prefetch(above + index[i] / K, 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t c = index[i] % K;
        T* line = leaves + (index[i] - c);
        old[i] = line[c] - before(line, c);
        delta[i] = value[i] < 0 ? 0 : value[i] - old[i];
        add<K>(line, c, static_cast<T>(delta[i]));
    }
}

}  // namespace

void find(const Lines& lines, std::int64_t* target, std::uint32_t* index, std::size_t n) {
    const int leaf_bits = lines.narrow ? 4 : 3;
    for (; n; n -= n < chunk ? n : chunk, target += chunk, index += chunk) {
        const std::size_t m = n < chunk ? n : chunk;
        std::uint32_t node[chunk] = {};
        for (int level = 0; level < lines.uppers; ++level) {
            const std::int64_t* here = lines.upper[level];
            const bool last = level + 1 == lines.uppers;
            const char* next = last ? static_cast<const char*>(lines.leaves)
                                    : reinterpret_cast<const char*>(lines.upper[level + 1]);
            for (std::size_t i = 0; i < m; ++i) {
                const std::int64_t* line = here + std::size_t{node[i]} * 8;
                const std::uint32_t c = below<8>(line, target[i]);
                target[i] -= before(line, c);
                node[i] = node[i] * 8 + c;
                __builtin_prefetch(next + std::size_t{node[i]} * 64);
            }
        }
        if (leaf_bits == 4)
            find_leaves<16>(static_cast<const std::int32_t*>(lines.leaves), node, target, index, m);
        else
            find_leaves<8>(static_cast<const std::int64_t*>(lines.leaves), node, target, index, m);
    }
}

std::int64_t write(const Lines& lines, const std::uint32_t* index, const std::int64_t* value, std::int64_t* old,
                   std::size_t n) {
    std::int64_t change = 0;
    for (; n; n -= n < chunk ? n : chunk, index += chunk, value += chunk, old += chunk) {
        const std::size_t m = n < chunk ? n : chunk;
        std::int64_t delta[chunk];
        if (lines.narrow)
            write_leaves<16>(static_cast<std::int32_t*>(lines.leaves), lines, index, value, old, delta, m);
        else
            write_leaves<8>(static_cast<std::int64_t*>(lines.leaves), lines, index, value, old, delta, m);
        int bits = lines.narrow ? 4 : 3;
        for (int level = lines.uppers - 1; level >= 0; --level, bits += 3) {
            std::int64_t* here = lines.upper[level];
            for (std::size_t i = 0; i < m; ++i) {
                const std::uint32_t child = index[i] >> bits;
                add<8>(here + (child & ~7u), child & 7, delta[i]);
            }
        }
        for (std::size_t i = 0; i < m; ++i) change += delta[i];
    }
    return change;
}

}  // namespace rlcores::RLCORES_ISA
