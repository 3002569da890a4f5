// mlp_kernels.hpp — what a deployed network does with a layer's sums. The model is rlcores/cores/mlp/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa.hpp"

namespace rlcores::mlp {

// From a layer's sums of products to its results. kind: its number in rlcores.cores.mlp.activations.KINDS.
struct Narrow {
    int kind, shift, unit_frac, unit_shift, width;
    std::int64_t slope;                      // of leaky ReLU or scaled ELU, in units of 2^-16
    std::int64_t epsilon;                    // of the layer's normalisation; 0: it has none
    int norm_shift, offset_shift;
    const std::int64_t *tanh, *elu, *rsqrt;  // tables of 512 words
    const std::int64_t *factors;             // (columns, 2): gains and offsets
};

}  // namespace rlcores::mlp

// In place, whole numbers in doubles: sums (rows, columns), rows `stride` apart; biases in the sums' format. Sums of
// products have at most 46 bits; with their biases they are taken in 64, as the model does.
RLCORES_KERNEL(void, mlp_narrow, double *sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
               const std::int64_t *biases, const rlcores::mlp::Narrow &)
