// pairs.hpp — a network's step in products of 16 bits, where its numbers are small enough.
// SPDX-License-Identifier: Apache-2.0
//
// An element of 16 bits times a weight in two pieces of 12 to 15: two sums of 32 bits, which together are the core's.
// Elements of 17 and 18 bits go in two pieces as well.
// Each layer's numbers are looked at before: where a sum might not fit, a call says false, and nothing has happened.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rlcores/native/learner_shape.hpp"
#include "rlcores/native/memory.hpp"
#include "rlcores/native/pairs_kernels.hpp"

namespace rlcores::learner {

// Numbers from the beginning of a line on, 0 at first.
template <class T>
class Lines {
public:
    // How many they are; 0 where they are others than before.
    T* shape(Whole count) {
        if (count != count_) memory_.emplace(static_cast<std::size_t>(count) * sizeof(T)), count_ = count;
        return data();
    }
    // This many, or more that were there before; whatever they are.
    T* at_least(Whole count) { return count > count_ ? shape(count) : data(); }
    T* data() const { return reinterpret_cast<T*>(memory_->data()); }

private:
    std::optional<Memory> memory_;
    Whole count_ = 0;
};

class Pairs {
public:
    Pairs(const Shape& shape, const Whole* planes);

    // Weights, or the target's, have changed.
    void stale(bool target) { fresh_[target] = false; }
    // Outputs of inputs (rows, N_0); the online network's vectors are kept for gradient() if `keep`.
    bool forward(const Matrix& inputs, bool target, bool keep, Matrix& outputs, Counts& counts);
    // The gradient from the outputs' deltas, one that is not 0 a row, after a forward pass that kept its vectors.
    // counts: back, of the deltas on their way.
    bool gradient(const Matrix& delta, Whole* found, Counts& back, Counts& counts);

private:
    using Word = std::int32_t;
    struct Half {
        Lines<std::int16_t> low, high;  // pairs of a row's weights
        std::vector<Word> start_low, start_high;
        Whole most = 0, start = 0;  // of the high pieces' magnitudes
        bool fits = false;
    };
    struct Layer {
        Whole at, rows, columns, stride;  // pairs of a row
        int forward_shift, backward_shift, gradient_shift;
        Half forward[2];
        Lines<Word> back_low, back_high;  // pairs of a column's weights
        std::vector<Word> back_start_low, back_start_high, gradient_start_low, gradient_start_high;
    };
    // Elements of a layer for all rows: pairs (elements / 2, width), the columns' sums of magnitudes.
    struct Vector {
        Lines<Word> pairs, sums, low, high, fine_low, fine_high;
        Whole most = 0;
        bool small =
            true;  // 16 bits; else low and high are pieces of PIECE bits, and the fine ones those of a gradient
    };

    void refresh(bool target);
    bool take(const Matrix& inputs, bool keep, Vector& to);
    bool split(Vector& x, Whole elements, Whole most, bool keep);
    bool product(const Pieces& a, const Finish& finish, Whole start, Whole weight, const Vector& x, Whole elements);
    bool collect(const Layer& layer, const Vector& x, Whole* found, Counts& counts, Whole l);

    const Shape& shape_;
    const Whole* planes_;
    Whole layers_, size_, widest_ = 0, width_ = 0;
    Masked masked_{};  // what is known of the present deltas
    bool able_ = true, fresh_[2] = {false, false};
    std::vector<Layer> all_;
    std::array<std::vector<Vector>, 2> vectors_;
    Vector delta_;
    Lines<Word> numbers_, turned_, turned_high_;
    Lines<std::int16_t> low_, high_, whole_;
    Lines<double> weights_, last_;
    std::vector<double> bias_sums_;
};

}  // namespace rlcores::learner
