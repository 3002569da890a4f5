// mlp_kernels.hpp — what a deployed network does with a layer's sums. The model is rlcores/cores/mlp/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::mlp {

// Numbered as in rlcores.cores.mlp.activations.KINDS.
enum class Activation { identity, relu, leaky_relu, tanh, sigmoid, elu, silu, scaled_elu };

// From a layer's sums of products to its results.
struct Narrow {
    Activation kind;
    int shift, unit_frac, unit_shift, width;
    std::int64_t slope;    // of leaky ReLU or scaled ELU, in units of 2^-16
    std::int64_t epsilon;  // of the layer's normalisation; 0: it has none
    int norm_shift, offset_shift;
    const std::int64_t *tanh, *elu, *rsqrt;  // tables of 512 words
    const std::int64_t* factors;             // (columns, 2): gains and offsets
};

}  // namespace rlcores::mlp

namespace rlcores {

struct MlpKernels {
    // In place, whole numbers in doubles: sums (rows, columns), rows `stride` apart; biases in the sums' format. Sums
    // of products have at most 46 bits; with their biases they are taken in 64, as the model does.
    void (*narrow)(double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   const std::int64_t* biases, const mlp::Narrow&);
};

}  // namespace rlcores
