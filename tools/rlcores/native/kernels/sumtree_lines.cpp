// sumtree_lines.cpp — walks through the sum tree, many at a time, a level after the other: misses overlap.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/sumtree_kernels.hpp"

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

constexpr std::size_t chunk = 256;

// Sums of a node.
template <class T>
struct Node {
    static constexpr std::uint32_t children = Lines::children, lanes = REGISTER / sizeof(T);
    typedef T Vector __attribute__((vector_size(REGISTER), may_alias));

    // The child that a target is in: the last one whose sum is not above it. The first sum is 0.
    static std::uint32_t child(const T* sums, T t) {
        if constexpr (COUNTS) return not_above<children>(sums, t) - 1;
        // By signs: a branch would be guessed wrong.
        T c = 0;
        for (T step = children / 2; step; step /= 2) c += step & ~((t - sums[c + step]) >> (8 * sizeof(T) - 1));
        return static_cast<std::uint32_t>(c);
    }

    // Add to the sums from `first` on; first may be the number of children.
    static void add(T* sums, std::uint32_t first, T delta) {
        const T from = static_cast<T>(first);
        for (std::uint32_t j = 0; j < children; j += lanes) {
            const Vector at = *reinterpret_cast<const Vector*>(numbers.of + j);
            *reinterpret_cast<Vector*>(sums + j) += (Vector)(at >= from) & delta;
        }
    }
    struct Numbers {
        alignas(64) T of[children] = {};
        constexpr Numbers() {
            for (std::uint32_t j = 0; j < children; ++j) of[j] = static_cast<T>(j);
        }
    };
    static constexpr Numbers numbers{};
};

// One level down: to the child's node, of `stride` bytes at `next`.
template <class T, std::size_t stride>
void find_upper(const void* level, const char* next, std::uint32_t* node, std::int64_t* target, std::size_t n) {
    constexpr std::uint32_t K = Lines::children;
    for (std::size_t i = 0; i < n; ++i) {
        const T* sums = static_cast<const T*>(level) + std::size_t{node[i]} * K;
        const std::uint32_t c = Node<T>::child(sums, static_cast<T>(target[i]));
        target[i] -= sums[c];
        node[i] = node[i] * K + c;
        for (std::size_t line = 0; line < stride; line += 64) __builtin_prefetch(next + node[i] * stride + line);
    }
}

// Changes of leaves go into the nodes above them; a node's children have this many bits of an index each.
template <class T>
void write_upper(void* level, int bits, const std::uint32_t* index, const std::int64_t* delta, std::size_t n) {
    constexpr std::uint32_t K = Lines::children;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t child = index[i] >> bits;
        Node<T>::add(static_cast<T*>(level) + (child & ~(K - 1)), child % K + 1, static_cast<T>(delta[i]));
    }
}

// Changes of the children of some nodes go into these, and give the nodes' own.
template <class T>
void write_few(void* level, std::uint32_t nodes, std::int64_t* changes) {
    constexpr std::uint32_t K = Lines::children;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        T* sums = static_cast<T*>(level) + node * K;
        std::int64_t sum = 0;
        for (std::uint32_t c = 0; c < K; ++c) {
            sums[c] += static_cast<T>(sum);
            sum += changes[node * K + c];
        }
        changes[node] = sum;
    }
    for (std::uint32_t node = nodes; node < K; ++node) changes[node] = 0;
}

// A line of leaves as eight pairs, the first leaf of a pair in the low half.
typedef std::int64_t Pairs __attribute__((vector_size(64), may_alias));

// How many sums are not above a target.
[[gnu::always_inline]] inline std::uint32_t below(const Pairs& sums, std::int64_t t) {
    if constexpr (COUNTS) return not_above<8>(reinterpret_cast<const std::int64_t*>(&sums), t);
    const Pairs behind = sums <= t;
    std::int64_t c = 0;
    for (std::uint32_t j = 0; j < 8; ++j) c -= behind[j];
    return static_cast<std::uint32_t>(c);
}

void find_leaves(const std::uint32_t* leaves, const std::uint32_t* node, std::int64_t* target, std::uint32_t* index,
                 std::size_t n) {
    constexpr std::int64_t low = 0xffffffff;
    const Pairs none = {};
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t* line = leaves + std::size_t{node[i]} * Lines::children;
        const Pairs both = *reinterpret_cast<const Pairs*>(line), pair = (both & low) + (both >> 32 & low);
        Pairs sums = pair + __builtin_shufflevector(none, pair, 0, 8, 9, 10, 11, 12, 13, 14);
        sums += __builtin_shufflevector(none, sums, 0, 0, 8, 9, 10, 11, 12, 13);
        sums += __builtin_shufflevector(none, sums, 0, 0, 0, 0, 8, 9, 10, 11);
        const std::uint32_t p = below(sums, target[i]);
        const Pairs before = sums - pair;
        const std::uint32_t c = 2 * p + (line[2 * p] <= target[i] - reinterpret_cast<const std::int64_t*>(&before)[p]);
        target[i] = line[c];
        index[i] = node[i] * Lines::children + c;
    }
}

void write_leaves(const Lines& lines, const std::uint32_t* index, const std::int64_t* value, std::int64_t* old,
                  std::int64_t* delta, std::size_t n) {
    // Of a wide node the sums behind one child are in one line or in both.
    const char* above = lines.uppers ? static_cast<const char*>(lines.upper[lines.uppers - 1]) : nullptr;
    const std::size_t sum = lines.wide == lines.uppers ? sizeof(std::int64_t) : sizeof(std::int32_t);
    for (std::size_t i = 0; i < n; ++i) {
        __builtin_prefetch(lines.leaves + index[i], 1);
        if (above) __builtin_prefetch(above + index[i] / Lines::children * sum, 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t* leaf = lines.leaves + index[i];
        old[i] = *leaf;
        const std::int64_t now = value[i] < 0 ? old[i] : value[i];
        *leaf = static_cast<std::uint32_t>(now);
        delta[i] = now - old[i];
    }
}

void find(const Lines& lines, std::int64_t* target, std::uint32_t* index, std::size_t n) {
    for (; n; n -= n < chunk ? n : chunk, target += chunk, index += chunk) {
        const std::size_t m = n < chunk ? n : chunk;
        std::uint32_t node[chunk];
        for (std::size_t i = 0; i < m; ++i) node[i] = 0;
        for (int level = 0; level < lines.uppers; ++level) {
            const bool last = level + 1 == lines.uppers;
            const char* next =
                last ? reinterpret_cast<const char*>(lines.leaves) : static_cast<const char*>(lines.upper[level + 1]);
            if (level + 1 < lines.wide)
                find_upper<std::int64_t, 128>(lines.upper[level], next, node, target, m);
            else if (level < lines.wide)
                find_upper<std::int64_t, 64>(lines.upper[level], next, node, target, m);
            else
                find_upper<std::int32_t, 64>(lines.upper[level], next, node, target, m);
        }
        find_leaves(lines.leaves, node, target, index, m);
    }
}

std::int64_t write(const Lines& lines, const std::uint32_t* index, const std::int64_t* value, std::int64_t* old,
                   std::size_t n) {
    constexpr std::uint32_t K = Lines::children;
    std::int64_t change = 0;
    for (; n; n -= n < chunk ? n : chunk, index += chunk, value += chunk, old += chunk) {
        const std::size_t m = n < chunk ? n : chunk;
        std::int64_t delta[chunk];
        write_leaves(lines, index, value, old, delta, m);
        int bits = Lines::child_bits, level = lines.uppers - 1;
        for (; level > 1 || (level >= 0 && m < K); --level, bits += Lines::child_bits) {
            if (level < lines.wide)
                write_upper<std::int64_t>(lines.upper[level], bits, index, delta, m);
            else
                write_upper<std::int32_t>(lines.upper[level], bits, index, delta, m);
        }
        // Of a few nodes that all writes meet in, the changes are added up first.
        if (level >= 0) {
            std::int64_t changes[K * K] = {};
            for (std::size_t i = 0; i < m; ++i) changes[index[i] >> bits] += delta[i];
            for (std::uint32_t nodes = level ? lines.second : 1; level >= 0; --level, nodes = 1) {
                if (level < lines.wide)
                    write_few<std::int64_t>(lines.upper[level], nodes, changes);
                else
                    write_few<std::int32_t>(lines.upper[level], nodes, changes);
            }
        }
        for (std::size_t i = 0; i < m; ++i) change += delta[i];
    }
    return change;
}

}  // namespace

extern const TreeKernels tree_kernels;
const TreeKernels tree_kernels = {.find = find, .write = write};

}  // namespace rlcores::RLCORES_ISA
