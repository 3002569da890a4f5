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

// A side of a product, packed when it is asked for, by the kernels in force.
class Packed {
public:
    void stale() { by_ = nullptr; }
    // most: all bits of the numbers but their signs, or'ed, or the largest magnitude.
    Side left(Numbers from, Whole most, bool sign) { return packed(from, most, sign, true); }
    Side right(Numbers from, Whole most, bool sign) { return packed(from, most, sign, false); }

private:
    Side packed(Numbers from, Whole most, bool sign, bool is_left);
    Side side_{};
    const Isa* by_ = nullptr;
    Lines<std::byte> memory_;
};

// (rows, columns) whole numbers of at most 27 bits.
class Tensor {
public:
    // For new numbers, which are not there yet.
    void shape(Whole rows, Whole columns);
    // Of whole numbers without padding, >> shift. Whether they fit `width` bits.
    bool take(const Whole* from, Whole rows, Whole columns, int width, int shift = 0);
    void give(Whole* to) const;
    Numbers numbers() const { return {lines_.data(), rows, columns, stride}; }
    std::int32_t* data() { return lines_.data(); }
    Side left() { return left_.left(numbers(), most, sign); }
    Side right() { return right_.right(numbers(), most, sign); }
    // As a left or right side after columns have become rows.
    Side turned_left(Lines<std::int32_t>& room) { return turned_left_.left(turned(room), most, sign); }
    Side turned_right(Lines<std::int32_t>& room) { return turned_right_.right(turned(room), most, sign); }

    Whole rows = 0, columns = 0, stride = 0;
    Whole most = 0;    // as Packed has it
    bool sign = true;  // a number may be below 0

private:
    Numbers turned(Lines<std::int32_t>& room) const;
    Lines<std::int32_t> lines_;
    Packed left_, right_, turned_left_, turned_right_;
};

// Vectors 0 … depth of a batch on its way forward, and deltas 1 … M of its way back.
struct Pass {
    Whole rows = 0, depth = 0;
    std::vector<Tensor> vectors, deltas;
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
    void stale(bool target) { (target ? target_ : online_).fresh = false; }

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
    struct Weights {
        std::vector<Tensor> layers;
        std::vector<std::vector<double>> biases;
        bool fresh = false;
    };
    std::vector<Tensor>* weights(bool target);
    void biases(Weights& weights, bool target);
    Product product(Side left, Side right, Whole rows, Whole depth, Whole columns);

    Shape shape_;
    Whole* planes_;
    Weights online_, target_;
    NetworkRates rates_{};
    Lines<std::int32_t> turned_;
    Lines<double> sums_;
    std::vector<double> totals_;
    std::vector<Whole> wide_;
};

}  // namespace rlcores::learner
