// learner.hpp — one network of the learner core in its integers. The model is rlcores/cores/learner/network.py.
// SPDX-License-Identifier: Apache-2.0
//
// The planes (weights, target weights, moments) are the caller's memory. A stage says false, or a step -1, where a sum
// would leave the accumulators: then nothing of the caller's has changed, and the model takes the step over.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rlcores/native/blocks.hpp"
#include "rlcores/native/gen/loss_settings.hpp"
#include "rlcores/native/hidden.hpp"
#include "rlcores/native/learner_kernels.hpp"
#include "rlcores/native/learner_shape.hpp"
#include "rlcores/native/pairs.hpp"

namespace rlcores::learner {

// This network's rates, and what the update needs of the registers.
struct NetworkRates {
    Whole rate, log_rate, momentum, log_clip, tau, decay, decay_shift;
    std::vector<Whole> rate_shift, eps;  // a layer each
};

// What a layer does with its sums, by how many bits they are too wide, and how many bits its results have.
Narrow narrow(Whole shift, int width, bool rectify);

// One step of the optimiser on all layers, with gradient g; then the targets follow if `sync`.
void move_planes(const Shape& shape, const NetworkRates& rates, Whole* planes, const Whole* g, bool sync,
                 const Whole* dither, Counts& counts);

class Network {
public:
    Network(Shape shape, Whole* planes);

    const Shape shape;
    const Whole layers, size;
    Pairs pairs;    // the quick way, of small numbers
    Blocks blocks;  // the one of large batches
    using Counts = learner::Counts;

    void rates(NetworkRates rates) { rates_ = std::move(rates); }
    void log_rate(Whole rate) { rates_.log_rate = rate; }
    // The weights, or the target's, were written.
    void refresh(bool target) {
        fresh_[target] = false, pairs.stale(target);
        if (!target) blocks.stale();
    }

    // Hidden layers are ReLU until they are this. The quick way and ValueStep know no other one than ReLU.
    void activate(Hidden kind) { hidden_ = kind; }
    Hidden hidden() const { return hidden_; }

    // Vectors 0 … `depth` of (rows, N_0), which is vectors[0]. before: of another activation than ReLU what it takes,
    // at 1 … M-1; false, too, where that has more than SUM_WIDTH bits.
    bool forward(std::vector<Matrix>& vectors, bool target, Whole depth, Counts& counts,
                 std::vector<Matrix>* before = nullptr);
    // Outputs (rows, N_M) of inputs (rows, N_0), by the quick way where that goes.
    bool look(const Matrix& inputs, Matrix& found, Counts& counts);
    // The same of whole inputs, nothing counted.
    bool outputs(const double* inputs, Whole rows, double* found);
    // deltas[M] is given; deltas[M-1] … deltas[1] are found. fractions: of the deltas, 0 … M. vectors: of another
    // activation than ReLU forward()'s `before`.
    bool backward(const std::vector<Matrix>& vectors, std::vector<Matrix>& deltas, const std::vector<Whole>& fractions,
                  Counts& counts);
    // delta (rows, N_layer) times the weights of a layer, rounded and limited to `width` bits. Only of the inputs
    // from `first` on, which begin the rows of `found`.
    bool through(const Matrix& delta, Whole layer, const std::vector<Whole>& fractions, const Matrix* mask,
                 Matrix& found, Whole& limited, Whole first = 0, int width = ACT_WIDTH);
    bool gradient(const std::vector<Matrix>& vectors, const std::vector<Matrix>& deltas, Whole* found, Counts& counts);
    // One step with gradient g; then the target follows if `sync`. Dither of stochastic rounding, else null.
    void update(const Whole* g, bool sync, const Whole* dither, Counts& counts);

private:
    struct Layer {
        Whole at, rows, columns;      // of W in the flat planes; the biases follow
        Matrix forward[2], backward;  // W transposed, online and target; W
        std::vector<double> bias[2];
    };
    // The matrices that the products use, as the planes are now.
    const std::vector<Layer>& matrices(bool target);

    std::vector<Layer> layers_;
    Whole* planes_;
    bool fresh_[2] = {false, false};
    NetworkRates rates_;
    Hidden hidden_ = Hidden::relu;
    Matrix turned_, sums_;
    std::vector<Matrix> looked_;  // of look() and outputs()
    std::vector<double> bias_sums_;
};

// A network that only goes forward: its shape, and its weights as planes.
Shape acting_shape(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width);
std::vector<Whole> twice(const std::vector<Whole>& weights);

// Codes (count, columns) limited to 18 bits, into the columns from `at` on of rows that zeros fill up; how many were
// limited.
Whole take(const Whole* codes, Whole count, Whole columns, Matrix& found, Whole at = 0);
// Counts of layers, added to the core's counters from `base` on.
void add(const Network::Counts& counts, Whole* counters, Whole base, Whole layers);

inline Whole saturated(Whole x, Whole low, Whole high) { return x < low ? low : x > high ? high : x; }
// x limited to 18 bits.
inline Whole as_act(Whole x) { return saturated(x, -(Whole{1} << 17), (Whole{1} << 17) - 1); }

// Q learning: one step on a batch, after which td and priorities are there.
class ValueStep {
public:
    explicit ValueStep(Network& network)
        : network_(network), online_(network.layers + 1), next_(online_), target_(online_), deltas_(online_) {}

    struct Batch {
        Whole count, rows;  // rows: with those of zeros that fill the last batch slice
        const Whole *states, *actions, *rewards, *next_states;
        const std::uint8_t* terminated;
        const Whole* weights;
    };
    // Gradient and TD errors (of the valid records) into the caller's; how many TD errors, or -1.
    // counters: 64, as the core's registers.
    Whole gradients(const Batch& batch, const LossSettings& loss, Whole* gradient, Whole* td, Whole* counters);
    // The same from inputs that are there already, `online` and `target` of batch.rows rows; states are not looked at.
    Whole learn(const Batch& batch, const LossSettings& loss, Whole* gradient, Whole* td, Whole* counters);
    Matrix& online() { return online_[0]; }
    Matrix& target() { return target_[0]; }

private:
    Network& network_;
    std::vector<Matrix> online_, next_, target_, deltas_;
    Whole rest_ = 0;  // steps until the quick way is tried again
};

}  // namespace rlcores::learner
