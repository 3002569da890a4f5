// ppo_kernels.hpp — PPO's loops over samples and over gradients. Formats: docs/ppo.md; scalars of them: heads.hpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::ppo {

// Rows of a network's outputs, whole numbers in doubles.
struct Outputs {
    const double* data;
    std::int64_t rows, columns, stride;
};

constexpr std::int64_t LOSS_ROWS = 256;  // that are looked at together

}  // namespace rlcores::ppo

namespace rlcores {

struct PpoKernels {
    // Deltas of logits, limited to 18 bits with `frac` of them, laid out as the logits; how many numbers were limited.
    // room: 2 * columns * LOSS_ROWS numbers.
    std::int64_t (*categorical)(const ppo::Outputs& logits, const std::int64_t* actions, const std::int64_t* before,
                                const std::int64_t* z, std::int64_t clip, std::int64_t entropy, std::int64_t frac,
                                std::int64_t* room, double* delta);
    // Those of values, in the last column.
    std::int64_t (*value)(const ppo::Outputs& values, const std::int64_t* before, const std::int64_t* advantages,
                          std::int64_t coefficient, std::int64_t clip, std::int64_t frac, double* delta);
    // Standardised advantages: ((a * count - total) >> bits + 1) * mantissa >> shift, rounded and limited to 18 bits.
    std::int64_t (*standard)(const std::int64_t* a, std::int64_t count, std::int64_t total, std::int64_t bits,
                             std::int64_t mantissa, std::int64_t shift, std::int64_t* z);
    // Sum of the squares of gradients in 18 bits; and gradients times a factor with 17 fraction bits.
    std::int64_t (*squares)(const std::int64_t* g, std::int64_t count);
    void (*clip)(const std::int64_t* g, std::int64_t count, std::int64_t factor, std::int64_t* found);
};

}  // namespace rlcores
