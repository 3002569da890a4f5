// sumtree_maths.cpp — priorities of TD errors, weights of samples, strata of draws (cores/sumtree/maths.py); what fits.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/log2exp2.hpp"
#include "rlcores/native/sumtree_kernels.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

constexpr std::size_t block = 256;

template <class T>
inline bool all_finite(const T* given, std::size_t n) {
    std::size_t strange = 0;
    for (std::size_t i = 0; i < n; ++i) strange += !(given[i] - given[i] == 0);
    return !strange;
}

// log2 of a normal double, given as its bits, with 20 fraction bits, as log2_fixed(), whose number has the same leading
// bits.
inline std::int64_t log2_of(std::int64_t bits) {
    const std::int64_t mantissa = (bits >> 26) & 0x3ffffff;
    const std::int64_t row = log2_rom[mantissa >> 17];
    const std::int64_t value = ((row >> 14) << 17) + (row & 0x3fff) * (mantissa & 0x1ffff);
    return ((bits >> 52) - 1023) * (1 << 20) + (value >> 19);
}

// Loops are short and in one type, so that the compiler makes vectors of them.
template <class T>
void priorities_of(const T* given, std::int64_t* priority, std::size_t n, const ErrorMaths& maths, Made& made) {
    const std::int64_t alpha = maths.alpha, width = maths.width, constant = maths.scale * (std::int64_t{1} << 27);
    const std::int64_t top = (std::int64_t{1} << width) - 1;
    constexpr std::int64_t least = __builtin_bit_cast(std::int64_t, __DBL_MIN__),
                           largest_bits = __builtin_bit_cast(std::int64_t, __DBL_MAX__);
    const double offset = maths.offset;
    const bool nothing = alpha && offset == 0;  // has a priority of its own, 1
    std::int64_t most = made.power, above = 0, coarse = 0;
    for (; n; n -= n < block ? n : block, given += block, priority += block) {
        const std::size_t m = n < block ? n : block;
        std::int64_t power[block];
        for (std::size_t i = 0; i < m; ++i) {
            // To the normal numbers, by their bits, whose order is theirs: of doubles GCC would make branches.
            const double size = __builtin_fabs(static_cast<double>(given[i])) + offset;
            const std::int64_t bits = __builtin_bit_cast(std::int64_t, size), low = bits < least ? least : bits;
            power[i] = low > largest_bits ? largest_bits : low;
        }
        for (std::size_t i = 0; i < m; ++i) power[i] = round_shift(alpha * log2_of(power[i]) + constant, 9);
        for (std::size_t i = 0; i < m; ++i) most = power[i] > most ? power[i] : most;
        for (std::size_t i = 0; i < m; ++i) power[i] = exp2_fixed(power[i], width, 0);
        if (nothing)
            for (std::size_t i = 0; i < m; ++i) power[i] = given[i] == 0 ? 1 : power[i];
        for (std::size_t i = 0; i < m; ++i) {
            const std::int64_t low = power[i] < 1 ? 1 : power[i];
            priority[i] = low > top ? top : low;
            above += power[i] > top;
            coarse += low < least_fine;
        }
    }
    made.power = most;
    made.above += static_cast<std::size_t>(above);
    made.coarse += static_cast<std::size_t>(coarse);
}

bool within(const std::int64_t* numbers, std::size_t n, std::int64_t end) {
    std::uint64_t wrong = 0;  // by signs
    const std::uint64_t last = static_cast<std::uint64_t>(end - 1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t number = static_cast<std::uint64_t>(numbers[i]);
        wrong |= number | (last - number);
    }
    return !(wrong >> 63);
}

std::int64_t largest(const std::int64_t* numbers, std::size_t n, std::int64_t least) {
    for (std::size_t i = 0; i < n; ++i) least = numbers[i] > least ? numbers[i] : least;
    return least;
}

bool fresh(const Tags& tags, const std::int64_t* slot, const std::int64_t* generation, std::uint32_t* index,
           std::size_t n) {
    if (!within(slot, n, tags.capacity)) return false;
    for (std::size_t i = 0; i < n; ++i) index[i] = static_cast<std::uint32_t>(slot[i]);
    if (!generation) return true;
    std::int64_t wrong = 0;
    const std::int64_t before = (tags.lap + 1) & tags.mask, now = tags.lap & tags.mask, next = tags.next;
    for (std::size_t i = 0; i < n; ++i) wrong |= generation[i] ^ (slot[i] < next ? before : now);
    return !wrong;
}

bool finite_floats(const float* given, std::size_t n) { return all_finite(given, n); }

bool finite_doubles(const double* given, std::size_t n) { return all_finite(given, n); }

void priorities_of_floats(const float* given, std::int64_t* priority, std::size_t n, const ErrorMaths& maths,
                          Made& made) {
    priorities_of(given, priority, n, maths, made);
}

void priorities_of_doubles(const double* given, std::int64_t* priority, std::size_t n, const ErrorMaths& maths,
                           Made& made) {
    priorities_of(given, priority, n, maths, made);
}

void tagged(const Tags& tags, const std::uint32_t* index, std::int64_t* slot, std::int64_t* generation, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) slot[i] = index[i];
    const std::int64_t before = (tags.lap + 1) & tags.mask, now = tags.lap & tags.mask, next = tags.next;
    for (std::size_t i = 0; i < n; ++i) generation[i] = slot[i] < next ? before : now;
}

void shares(const std::int64_t* priority, std::int64_t total, double* share, std::size_t n) {
    const double all = static_cast<double>(total);
    for (std::size_t i = 0; i < n; ++i) share[i] = static_cast<double>(priority[i]) / all;
}

void weight_floats(const std::uint32_t* weight, float* found, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        found[i] = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(weight[i])) * 0x1p-31);
}

void priorities(const std::int64_t* delta, std::int64_t* priority, std::uint8_t* saturated, std::size_t n,
                const PriorityMaths& maths) {
    const std::int64_t alpha = maths.alpha, epsilon = maths.epsilon, width = maths.width;
    const std::int64_t constant = maths.scale * (std::int64_t{1} << 27) - (alpha * 20 << 20);
    const std::int64_t top = (std::int64_t{1} << width) - 1;
    const bool nothing = alpha && !epsilon;  // has a priority of its own, 1
    for (; n; n -= n < block ? n : block, delta += block, priority += block, saturated += block) {
        const std::size_t m = n < block ? n : block;
        std::int64_t power[block];
        for (std::size_t i = 0; i < m; ++i) {
            const std::int64_t log = log2_fixed((delta[i] < 0 ? -delta[i] : delta[i]) + epsilon);
            power[i] = round_shift(alpha * log + constant, 9);
        }
        for (std::size_t i = 0; i < m; ++i) power[i] = exp2_fixed(power[i], width, 0);
        if (nothing)
            for (std::size_t i = 0; i < m; ++i) power[i] = delta[i] ? power[i] : 1;
        for (std::size_t i = 0; i < m; ++i) saturated[i] = power[i] > top;
        for (std::size_t i = 0; i < m; ++i) {
            const std::int64_t low = power[i] < 1 ? 1 : power[i];
            priority[i] = low > top ? top : low;
        }
    }
}

void weights(const std::int64_t* priority, std::uint32_t* weight, std::size_t n, std::int64_t beta) {
    std::int64_t least = std::int64_t{1} << 62;
    std::int64_t log[block];
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t m = n - first < block ? n - first : block;
        for (std::size_t i = 0; i < m; ++i) {
            log[i] = log2_fixed(priority[first + i]);
            const std::int64_t counted = priority[first + i] ? log[i] : std::int64_t{1} << 62;
            least = counted < least ? counted : least;
        }
    }
    if (least >> 62) least = 0;  // there is none
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t m = n - first < block ? n - first : block;
        if (n > block)
            for (std::size_t i = 0; i < m; ++i) log[i] = log2_fixed(priority[first + i]);
        for (std::size_t i = 0; i < m; ++i) log[i] = exp2_fixed(round_shift(-beta * (log[i] - least), 9), 32, 31);
        for (std::size_t i = 0; i < m; ++i)
            weight[first + i] = static_cast<std::uint32_t>(priority[first + i] ? log[i] : 0);
    }
}

void stratify(std::uint64_t* u, std::size_t n, std::uint32_t stratum, std::uint32_t strata, int width) {
    // Both are below 2^48, so a double holds them, and the quotient's nearest double is on its side of a whole number.
    const double parts = strata;
    std::uint32_t j = stratum;
    for (std::size_t i = 0; i < n; ++i) {
        u[i] += std::uint64_t{j} << width;
        j = j + 1 == strata ? 0 : j + 1;
    }
    for (std::size_t i = 0; i < n; ++i)
        u[i] = static_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(u[i])) / parts);
}

}  // namespace

extern const TreeMathsKernels tree_maths_kernels;
const TreeMathsKernels tree_maths_kernels = {.within = within,
                                             .largest = largest,
                                             .fresh = fresh,
                                             .finite_floats = finite_floats,
                                             .finite_doubles = finite_doubles,
                                             .priorities_of_floats = priorities_of_floats,
                                             .priorities_of_doubles = priorities_of_doubles,
                                             .priorities = priorities,
                                             .tagged = tagged,
                                             .shares = shares,
                                             .weight_floats = weight_floats,
                                             .weights = weights,
                                             .stratify = stratify};

}  // namespace rlcores::RLCORES_ISA
