// trained.hpp — a network of SAC, TD3 or DQN at moving fractions: its vectors stay here between the stages of a step.
// SPDX-License-Identifier: Apache-2.0
//
// The stages are those of rlcores/cores/learner/network.py, of rectified hidden layers. Planes are the caller's memory.
// A stage says false where a number or a sum might not fit: then nothing of the caller's has changed, and the model
// takes the stage over. Products: products_kernels.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rlcores/native/isa.hpp"
#include "rlcores/native/learner.hpp"
#include "rlcores/native/memory.hpp"
#include "rlcores/native/pairs.hpp"

namespace rlcores::learner {

// (rows, columns) whole numbers of at most 27 bits.
struct Tensor {
    // For new numbers, which are not there yet.
    void shape(Whole rows, Whole columns);
    // Of whole numbers without padding, >> shift. Whether they fit `width` bits.
    bool take(const Whole* from, Whole rows, Whole columns, int width, int shift = 0);
    void give(Whole* to) const;
    Numbers numbers() const { return {lines.data(), rows, columns, stride}; }

    Whole rows = 0, columns = 0, stride = 0;
    Whole most = 0;    // the largest magnitude, or all bits of the numbers but their signs, or'ed
    bool sign = true;  // a number may be below 0
    Lines<std::int32_t> lines;
};

// Vectors 0 … depth of a batch on its way forward, and deltas 1 … M of its way back.
struct Pass {
    // Deltas of a layer, (rows, N_l).
    void give_delta(Whole layer, Whole* to) const;

    Whole rows = 0, depth = 0;
    std::vector<Tensor> vectors, deltas;
    // Deltas have these rows alone, as those of all others are 0; none: they have all rows.
    std::vector<Whole> kept;
};

class Trained {
public:
    using Most = std::array<Whole, 5>;  // the largest magnitudes of layers 0 … M

    // planes (4, size), as Network's.
    Trained(Shape shape, Whole* planes);

    const Whole layers, size;
    const Shape& shape() const { return shape_; }
    // Fractions 0 … M of activations, deltas and gradients.
    void formats(std::vector<Whole> act, std::vector<Whole> delta, std::vector<Whole> grad);
    void rates(NetworkRates rates) { rates_ = std::move(rates); }
    void log_rate(Whole rate) { rates_.log_rate = rate; }
    void stale(bool target) { (target ? target_ : online_).by = nullptr; }

    // Vectors 0 … depth of (rows, N_0) inputs.
    bool forward(Pass& pass, const Whole* inputs, Whole rows, bool target, Whole depth, Counts& counts, Most& most);
    // Deltas M … 1 of a pass from delta (rows, N_M), with these fractions 0 … M.
    bool backward(Pass& pass, const Whole* delta, const std::vector<Whole>& fractions, Counts& counts, Most& most);
    // The derivative by all inputs (rows, N_0), unlimited, of a pass that went back to its first layer.
    bool to_input(Pass& pass, const std::vector<Whole>& fractions, Whole* found);
    bool gradient(Pass& pass, Whole* found, Counts& counts, Most& most);
    // One step with gradient g; then the target follows if `sync`.
    void update(const Whole* g, bool sync, Counts& counts);

private:
    // Weights as right sides: turned on the way forward, as they are on the way back.
    struct Layer {
        Side forward, backward;
        Lines<std::byte> forward_room, backward_room;
        std::vector<double> biases;
    };
    struct Weights {
        std::vector<Layer> layers;
        const Isa* by = nullptr;  // whose sides they are; null: others than the planes
    };
    std::vector<Layer>* weights(bool target);
    void biases(Weights& weights, bool target);

    Shape shape_;
    Whole* planes_;
    Weights online_, target_;
    NetworkRates rates_{};
};

}  // namespace rlcores::learner
