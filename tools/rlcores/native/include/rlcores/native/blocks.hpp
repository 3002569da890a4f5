// blocks.hpp — the gradient of a network over a batch, in blocks of rows that stay in the cache.
// SPDX-License-Identifier: Apache-2.0
//
// Products are of 16 bits (blocks_kernels.hpp). Each layer's numbers are looked at before: where a sum might not fit, a
// call says false, and nothing of the caller's has changed.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rlcores/native/blocks_kernels.hpp"
#include "rlcores/native/isa.hpp"
#include "rlcores/native/learner_shape.hpp"
#include "rlcores/native/memory.hpp"
#include "rlcores/native/pairs.hpp"

namespace rlcores::learner {

constexpr Whole in_units(Whole n) { return (n + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT; }

// Whole numbers of 18 bits of a block's rows.
struct Rows {
    void shape(Whole columns, int words);
    // `count` rows of numbers (count, columns); rows of zeros fill the last unit.
    template <class At>
    void take(Whole count, Whole columns, At at);

    // The results of a layer; how many of them were limited.
    template <class Find>
    Whole found(Whole columns, Find find);

    Block block{};
    Whole most = 0, sum = 0;  // the largest magnitude; no row's sum of magnitudes is larger
    Lines<std::int16_t> rows[2];
    Lines<std::int32_t> pairs[2];
};

class Blocks {
public:
    static constexpr Whole ROWS = 256;  // of a block

    Blocks(const Shape& shape, const Whole* planes);

    // Weights have changed.
    void stale() { by_ = nullptr; }
    // A gradient over `rows` rows begins.
    bool begin(Whole rows);
    // Outputs (count, N_M) of a block, into rows from `at` on.
    bool forward(const Rows& inputs, Whole count, Matrix& outputs, Whole at, Counts& counts);
    // Adds the gradient of that block, from its outputs' deltas of 18 bits.
    bool backward(const Matrix& delta, Counts& counts);
    // The gradient over all blocks.
    void gradient(Whole* found, Counts& counts);

private:
    struct Layer {
        Whole at, rows, columns, most = 0;  // most: of the high words of its weights
        int forward_shift, backward_shift, gradient_shift;
        bool turned;  // sums are (columns, rows)
        Lines<std::int32_t> forward, back;
        Lines<std::int32_t> start, start_back;  // low words, and high ones behind them
        Whole start_most = 0;
        Lines<double> sums, biases;
    };
    // Weights as the products take them; whether that goes.
    bool ready();
    bool fits(const Rows& x, Whole depth, Whole weight, Whole start, int shift) const;
    void collect(Layer& layer, const Rows& x, const Rows& delta);

    const Shape& shape_;
    const Whole* planes_;
    Whole count_ = 0;  // rows of the present block
    bool able_ = true;
    const Isa* by_ = nullptr;  // whose weights they are; null: others than the planes
    std::vector<Layer> layers_;
    const Rows* inputs_ = nullptr;
    std::vector<Rows> vectors_, deltas_;  // of layers 1 … M - 1, and 1 … M
    Lines<double> turned_;
};

template <class At>
void Rows::take(Whole count, Whole columns, At at) {
    Whole bits = 0;
    sum = 0;
    for (Whole r = 0; r < count; ++r) {
        Whole of_row = 0;
        for (Whole c = 0; c < columns; ++c) {
            const Whole x = at(r, c), size = x < 0 ? -x : x;
            bits |= size, of_row += size;
        }
        sum = of_row > sum ? of_row : sum;
    }
    most = bits;
    shape(columns, bits < 1 << 15 ? 1 : 2);
    const auto fill = [&]<int WORDS>(std::integral_constant<int, WORDS>) {
        for (Whole r = 0; r < in_units(count); ++r) {
            const Whole first = r * block.stride;
            auto* pair = reinterpret_cast<std::int16_t*>(block.pairs[0] + r / 2 * block.stride) + (r & 1);
            auto* high_pair = reinterpret_cast<std::int16_t*>(block.pairs[WORDS - 1] + r / 2 * block.stride) + (r & 1);
            for (Whole c = 0; c < columns; ++c) {
                const auto x = r < count ? static_cast<std::int32_t>(at(r, c)) : 0;
                const std::int32_t high = (x + (1 << (BLOCK_PIECE - 1))) >> BLOCK_PIECE;
                const auto low = static_cast<std::int16_t>(WORDS == 1 ? x : x - (high << BLOCK_PIECE));
                if (WORDS == 2) block.rows[1][first + c] = high_pair[2 * c] = static_cast<std::int16_t>(high);
                block.rows[0][first + c] = pair[2 * c] = low;
            }
        }
    };
    block.words == 1 ? fill(std::integral_constant<int, 1>{}) : fill(std::integral_constant<int, 2>{});
}

}  // namespace rlcores::learner
