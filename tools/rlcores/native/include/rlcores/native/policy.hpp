// policy.hpp — a network of the learner core that only goes forward, for acting. The model is learner/policy.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rlcores/native/learner.hpp"

namespace rlcores::learner {

class Policy {
public:
    // weights: layer by layer, W row by row and then b, with 22 fraction bits. squashes: the output goes through tanh.
    Policy(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool squashes,
           const std::vector<Whole>& weights);

    // Hidden layers are of this activation, and not of ReLU.
    void activate(Hidden kind) { network_.activate(kind); }
    Whole inputs() const { return network_.shape.sizes.front(); }
    Whole outputs() const { return network_.shape.sizes.back(); }
    // Real states (rows, inputs) to real outputs (rows, outputs). False, and nothing is written: a state is no finite
    // number, or a sum would leave the accumulators.
    template <class T>
    bool act(const T* states, Whole rows, double* found);

private:
    std::vector<Whole> planes_;  // the second one is the target's, which nobody asks for
    Network network_;
    std::vector<Matrix> vectors_;
    bool squashes_;
};

}  // namespace rlcores::learner
