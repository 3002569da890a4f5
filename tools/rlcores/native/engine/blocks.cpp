// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/blocks.hpp"

#include <algorithm>
#include <cmath>

#include "rlcores/native/learner.hpp"

namespace rlcores::learner {

namespace {
constexpr Whole WORD = 1 << 15, LOW = 1 << (BLOCK_PIECE - 1), FULL = Whole{1} << 31;
constexpr Whole QUARTER = Blocks::ROWS / 8;  // pairs of rows whose sums are looked at together

Whole rounding(int shift) { return Whole{1} << (shift - 1); }

// What is added to the sum of a column.
void start(Lines<std::int32_t>& to, Whole columns, Whole column, Whole x) {
    to.data()[column] = static_cast<std::int32_t>(x & ((1 << BLOCK_PIECE) - 1));
    to.data()[in_units(columns) + column] = static_cast<std::int32_t>(x >> BLOCK_PIECE);
}
}  // namespace

void Rows::shape(Whole columns, int words) {
    block.stride = in_units(columns), block.words = words;
    for (int w = 0; w < words; ++w) {
        // A register more, which the last row is read with.
        block.rows[w] = rows[w].at_least(Blocks::ROWS * block.stride + 2 * BLOCK_UNIT);
        block.pairs[w] = pairs[w].at_least(Blocks::ROWS / 2 * block.stride);
    }
}

template <class Find>
Whole Rows::found(Whole columns, Find find) {
    // Of as many words as the block before this one, or more.
    int words = most < WORD ? 1 : 2;
    Reached reached;
    do {
        shape(columns, words), reached = find();
    } while (reached.most >= WORD && words++ == 1);
    most = reached.most, sum = reached.sum;
    return reached.limited;
}

Blocks::Blocks(const Shape& shape, const Whole* planes)
    : shape_(shape),
      planes_(planes),
      layers_(shape.sizes.size() - 1),
      vectors_(layers_.size()),
      deltas_(layers_.size() + 1) {
#if !defined(__x86_64__)
    able_ = false;  // products of 16 bits gain nothing there
#endif
    able_ &= *std::max_element(shape.sizes.begin(), shape.sizes.end()) <= BLOCK_DEPTH;
    Whole at = 0;
    for (std::size_t l = 1; l <= layers_.size(); ++l) {
        Layer& layer = layers_[l - 1];
        layer.at = at, layer.rows = shape.sizes[l], layer.columns = shape.sizes[l - 1];
        at += layer.rows * (layer.columns + 1);
        const Whole forward = WEIGHT_FRAC + shape.act_frac[l - 1] - shape.act_frac[l];
        const Whole back = l > 1 ? WEIGHT_FRAC + shape.delta_frac[l] - shape.delta_frac[l - 1] : BLOCK_PIECE;
        const auto moves = [](Whole shift) { return shift >= BLOCK_PIECE && shift <= 40; };
        able_ &= moves(forward) && moves(back);
        layer.forward_shift = static_cast<int>(forward), layer.backward_shift = static_cast<int>(back);
        layer.gradient_shift = static_cast<int>(shape.delta_frac[l] + shape.act_frac[l - 1] - shape.grad_frac[l]);
        layer.turned = layer.rows * in_units(layer.columns) > layer.columns * in_units(layer.rows);
    }
}

bool Blocks::ready() {
    if (!able_ || by_ == &isa()) return able_;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        Layer& layer = layers_[l];
        const Whole rows = layer.rows, columns = layer.columns, wide = in_units(rows);
        std::int32_t* forward = layer.forward.shape(kernels().blocks.room(columns, rows));
        std::int32_t* back = layer.back.shape(kernels().blocks.room(rows, columns));
        const Whole* weights = planes_ + layer.at;
        layer.most = (kernels().blocks.weights(weights, rows, columns, forward, back) >> BLOCK_PIECE) + 1;
        layer.start.shape(2 * wide), layer.start_most = 0;
        for (Whole j = 0; j < rows; ++j) {
            const Whole x = (weights[rows * columns + j] << shape_.act_frac[l]) + rounding(layer.forward_shift);
            layer.start_most = std::max(layer.start_most, (std::abs(x) >> BLOCK_PIECE) + 1);
            start(layer.start, rows, j, x);
        }
        layer.start_back.shape(2 * in_units(columns));
        for (Whole i = 0; i < columns; ++i) start(layer.start_back, columns, i, rounding(layer.backward_shift));
    }
    by_ = &isa();
    return true;
}

// Whether no sum of words leaves 32 bits, nor what becomes of them; nor the sum its accumulator.
bool Blocks::fits(const Rows& x, Whole depth, Whole weight, Whole start, int shift) const {
    if (x.sum * weight + start >= Whole{1} << (ACC_WIDTH - 3 - BLOCK_PIECE)) return false;
    if (x.block.words == 1) return x.sum * LOW + 2 * LOW < FULL && x.sum * weight + start < FULL / 2;
    const Whole low = std::min(x.sum, depth * LOW), high = (x.sum >> BLOCK_PIECE) + depth;
    const int over = std::max(0, 2 * BLOCK_PIECE - shift);
    return low * LOW + 2 * LOW < FULL && low * weight + high * LOW + start < FULL / 4 &&
           high * weight << over < FULL / 4;
}

bool Blocks::begin(Whole rows) {
    if (rows > PRODUCT_ROWS || !ready()) return false;
    for (std::size_t l = 0; l < layers_.size(); ++l)
        if (may_overflow(rows, shape_.act_frac[l])) return false;
    for (Layer& layer : layers_) {
        const Whole outer = layer.turned ? layer.columns : layer.rows,
                    inner = layer.turned ? layer.rows : layer.columns;
        const Whole count = outer * in_units(inner), wide = in_units(layer.rows);
        std::fill_n(layer.sums.shape(count), count, 0.0);
        std::fill_n(layer.biases.shape(wide), wide, 0.0);
    }
    return true;
}

bool Blocks::forward(const Rows& inputs, Whole count, Matrix& outputs, Whole at, Counts& counts) {
    if (!ready()) return false;
    const std::size_t layers = layers_.size();
    count_ = count, inputs_ = &inputs;
    for (std::size_t l = 1; l <= layers; ++l) {
        const Layer& layer = layers_[l - 1];
        const Rows& x = l == 1 ? inputs : vectors_[l - 1];
        if (!fits(x, layer.columns, layer.most, layer.start_most, layer.forward_shift)) return false;
        const std::int32_t* start = layer.start.data();
        const Through by{layer.forward.data(),         layer.columns,       layer.rows,      start,
                         start + in_units(layer.rows), layer.forward_shift, in_units(count), count};
        if (l < layers) {
            Rows& y = vectors_[l];
            counts[l] += y.found(layer.rows, [&] { return kernels().blocks.forward(x.block, by, y.block); });
        } else {
            counts[l] +=
                kernels().blocks.outputs(x.block, by, 1 << (shape_.output_width - 1), outputs.row(at), outputs.stride);
        }
    }
    return true;
}

void Blocks::collect(Layer& layer, const Rows& x, const Rows& delta) {
    const Whole pairs = in_units(count_) / 2;
    const int words = x.block.words + delta.block.words;
    const Block &outer = layer.turned ? x.block : delta.block, &inner = layer.turned ? delta.block : x.block;
    const Whole outers = layer.turned ? layer.columns : layer.rows, inners = layer.turned ? layer.rows : layer.columns;
    const auto add = [&](Whole first, Whole some, Whole at_once) {
        for (Whole p = first; p < first + some; p += at_once)
            kernels().blocks.gradient(outer, outers, inner, inners, p, std::min(at_once, first + some - p),
                                      layer.sums.data(), in_units(inners));
    };
    const Whole narrow = words == 2 ? delta.most : LOW, other = words == 4           ? LOW
                                                                : x.block.words == 1 ? x.most
                                                                                     : delta.most;
    const Whole at_once = std::max<Whole>(1, (FULL - 1) / (2 * std::max<Whole>(1, narrow * other)));
    Whole from = 0, sum = 0;
    for (Whole p = 0; p < pairs; p += QUARTER) {
        const Whole some = std::min(QUARTER, pairs - p);
        const Whole here = kernels().blocks.totals(delta.block, layer.rows, p, some, layer.biases.data());
        if (words > 2) continue;
        if ((sum + here) * x.most >= FULL && from < p)
            add(from, p - from, sum * x.most < FULL ? p - from : at_once), from = p, sum = 0;
        sum += here;
    }
    add(from, pairs - from, words == 2 && sum * x.most < FULL ? pairs - from : at_once);
}

bool Blocks::backward(const Matrix& delta, Counts& counts) {
    const std::size_t layers = layers_.size();
    deltas_[layers].take(count_, delta.columns, [&](Whole r, Whole c) { return static_cast<Whole>(delta.row(r)[c]); });
    for (std::size_t l = layers; l > 0; --l) {
        Layer& layer = layers_[l - 1];
        const Rows& upper = deltas_[l];
        collect(layer, l == 1 ? *inputs_ : vectors_[l - 1], upper);
        if (l == 1) break;
        const Rows& vector = vectors_[l - 1];
        if (!fits(upper, layer.rows, layer.most, rounding(layer.backward_shift) >> BLOCK_PIECE, layer.backward_shift))
            return false;
        const std::int32_t* start = layer.start_back.data();
        const Through by{layer.back.data(),    layer.rows,       layer.columns, start, start + in_units(layer.columns),
                         layer.backward_shift, in_units(count_), count_};
        Rows& lower = deltas_[l - 1];
        counts[l] += lower.found(layer.columns,
                                 [&] { return kernels().blocks.back(upper.block, by, vector.block, lower.block); });
    }
    return true;
}

void Blocks::gradient(Whole* found, Counts& counts) {
    for (std::size_t l = 1; l <= layers_.size(); ++l) {
        Layer& layer = layers_[l - 1];
        const Whole rows = layer.rows, columns = layer.columns;
        const double* sums = layer.sums.data();
        Whole stride = in_units(columns);
        if (layer.turned) {
            kernels().learner.transpose(sums, columns, rows, in_units(rows), turned_.at_least(rows * stride), stride);
            sums = turned_.data();
        }
        Whole* to = found + layer.at;
        counts[l] +=
            kernels().learner.gradient(sums, rows, columns, stride, 0, layer.gradient_shift, shape_.squared, to);
        counts[l] += kernels().learner.gradient(layer.biases.data(), 1, rows, rows, shape_.act_frac[l - 1],
                                                layer.gradient_shift, shape_.squared, to + rows * columns);
    }
}

}  // namespace rlcores::learner
