// sumtree_maths.cpp — priorities of TD errors, weights of samples, strata of draws (cores/sumtree/maths.py).
// SPDX-License-Identifier: Apache-2.0
#include "log2exp2.hpp"
#include "sumtree_kernels.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;

template <class T>
inline bool raw(const T* given, std::int64_t* found, std::size_t n, std::size_t& limited) {
    std::size_t beyond = 0, strange = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = __builtin_floor(static_cast<double>(given[i]) * 0x1p20 + 0.5);
        // Of what is no number both comparisons are false, and so it is of infinity less itself.
        strange += !(given[i] - given[i] == 0);
        const double low = x < -0x1p31 ? -0x1p31 : x, kept = low > 0x1p31 - 1 ? 0x1p31 - 1 : low;
        beyond += kept != x;
        found[i] = static_cast<std::int32_t>(kept);
    }
    limited = beyond;
    return !strange;
}

}  // namespace

bool raw_floats(const float* given, std::int64_t* found, std::size_t n, std::size_t& limited) {
    return raw(given, found, n, limited);
}

bool raw_doubles(const double* given, std::int64_t* found, std::size_t n, std::size_t& limited) {
    return raw(given, found, n, limited);
}

void priorities(const std::int64_t* delta, std::int64_t* priority, std::uint8_t* saturated, std::size_t n,
                const PriorityMaths& maths) {
    const std::int64_t alpha = maths.alpha, epsilon = maths.epsilon;
    const int width = maths.width;
    const std::int64_t constant = maths.scale * (std::int64_t{1} << 27) - (alpha * 20 << 20);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t magnitude = (delta[i] < 0 ? -delta[i] : delta[i]) + epsilon;
        const std::int64_t log = log2_fixed(static_cast<std::uint64_t>(magnitude));
        const bool nothing = magnitude == 0 && alpha != 0;
        bool beyond;
        const std::int64_t value = exp2_fixed(round_shift(alpha * log + constant, 9), width, 0, beyond);
        priority[i] = nothing || value < 1 ? 1 : value;
        saturated[i] = beyond && !nothing;
    }
}

void weights(const std::uint8_t* status, const std::int64_t* priority, std::uint32_t* weight, std::size_t n,
             std::int64_t beta) {
    std::int64_t least = std::int64_t{1} << 62;
    constexpr std::size_t chunk = 256;
    std::int64_t kept[chunk];  // the logarithms of a batch that is not larger are not taken twice
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t log = log2_fixed(static_cast<std::uint64_t>(priority[i]));
        kept[i % chunk] = log;
        least = status[i] == 0 && log < least ? log : least;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t log = n <= chunk ? kept[i] : log2_fixed(static_cast<std::uint64_t>(priority[i]));
        bool beyond;
        const std::int64_t value = exp2_fixed(round_shift(-beta * (log - least), 9), 32, 31, beyond);
        weight[i] = status[i] == 0 ? static_cast<std::uint32_t>(value) : 0;
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
        u[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(u[i])) / parts));
}

}  // namespace rlcores::RLCORES_ISA
