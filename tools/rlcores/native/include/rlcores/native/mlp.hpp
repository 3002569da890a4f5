// mlp.hpp — a deployed network: the integers of rlc_mlp. The model is rlcores/cores/mlp/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rlcores/native/mlp_kernels.hpp"

namespace rlcores::mlp {

// A layer: weights (outputs, inputs), biases in their own format, and what follows the sums.
struct Layer {
    std::int64_t inputs, outputs;
    int bias_shift;
    Narrow narrow;
    std::vector<double> weights;        // (inputs, outputs), rows padded to 8
    std::vector<std::int64_t> biases;   // in the sums' format
    std::vector<std::int64_t> factors;  // (outputs, 2): gains and offsets, where it is normalised
};

class Network {
public:
    // A layer behind the last one. weights: (outputs, inputs) of at most 18 bits.
    void add(std::int64_t inputs, std::int64_t outputs, int bias_shift, const Narrow& narrow,
             const std::int64_t* weights, const std::int64_t* biases, const std::int64_t* factors);
    std::int64_t inputs() const { return layers_.empty() ? 0 : layers_.front().inputs; }
    std::int64_t outputs() const { return layers_.empty() ? 0 : layers_.back().outputs; }
    // Outputs (rows, outputs) of observations (rows, inputs) of at most 18 bits.
    void run(const std::int64_t* observations, std::int64_t rows, std::int64_t* found) const;

private:
    std::vector<Layer> layers_;
};

}  // namespace rlcores::mlp
