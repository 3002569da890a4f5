// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "rlcores/native/learner_kernels.hpp"
#include "rlcores/native/pairs_kernels.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores::learner {

namespace {
constexpr Whole PIECE = 12, DELTA_PIECE = 8;  // bits of the low pieces of a weight and of a delta
constexpr Whole SMALL = 1 << 15, LIMIT = Whole{1} << 31;

// What is added to a sum, in the pieces of its rows.
void start(Whole at, Whole x, Whole bits, std::vector<std::int32_t>& low, std::vector<std::int32_t>& high) {
    low[at] = static_cast<std::int32_t>(x & ((Whole{1} << bits) - 1));
    high[at] = static_cast<std::int32_t>(x >> bits);
}

Whole half_of(Whole shift) { return Whole{1} << (shift - 1); }
Whole even(Whole x) { return x + (x & 1); }
Whole wide(Whole x) { return (x + 15) / 16 * 16; }
}  // namespace

Pairs::Pairs(const Shape& shape, const Whole* planes)
    : shape_(shape),
      planes_(planes),
      layers_(static_cast<Whole>(shape.sizes.size()) - 1),
      size_(count_of(shape.sizes)),
      all_(layers_) {
#if !defined(__x86_64__)
    able_ = false;  // products of 16 bits gain nothing there
#endif
    for (const Whole n : shape.sizes) widest_ = std::max(widest_, wide(n));
    Whole at = 0;
    for (Whole l = 1; l <= layers_; ++l) {
        Layer& layer = all_[l - 1];
        layer.at = at, layer.rows = shape.sizes[l], layer.columns = shape.sizes[l - 1];
        layer.stride = even(layer.columns) / 2;
        const Whole forward = WEIGHT_FRAC + shape.act_frac[l - 1] - shape.act_frac[l];
        const Whole backward = WEIGHT_FRAC + shape.delta_frac[l] - (l > 1 ? shape.delta_frac[l - 1] : 0);
        const Whole gradient = shape.delta_frac[l] + shape.act_frac[l - 1] - shape.grad_frac[l];
        // Of sums below 2**43 none is near an accumulator's end then.
        able_ &= forward >= PIECE && forward <= 40 && gradient >= DELTA_PIECE && gradient <= 38;
        able_ &= l == 1 || (backward >= (l == layers_ ? 14 : PIECE) && backward <= 40);
        layer.forward_shift = static_cast<int>(forward), layer.backward_shift = static_cast<int>(backward);
        layer.gradient_shift = static_cast<int>(gradient);
        at += layer.rows * (layer.columns + 1);
    }
    if (!able_) return;
    for (Whole l = 1; l <= layers_; ++l) {
        Layer& layer = all_[l - 1];
        for (Half& half : layer.forward) {
            half.low.shape(2 * even(layer.rows) * layer.stride), half.high.shape(2 * even(layer.rows) * layer.stride);
            half.start_low.resize(layer.rows), half.start_high.resize(layer.rows);
        }
        layer.gradient_start_low.resize(layer.rows), layer.gradient_start_high.resize(layer.rows);
        for (Whole j = 0; j < layer.rows; ++j)
            start(j, half_of(layer.gradient_shift), DELTA_PIECE, layer.gradient_start_low, layer.gradient_start_high);
        if (l == 1 || l == layers_) continue;
        layer.back_low.shape(even(layer.rows) / 2 * layer.columns);
        layer.back_high.shape(even(layer.rows) / 2 * layer.columns);
        layer.back_start_low.resize(layer.columns), layer.back_start_high.resize(layer.columns);
        for (Whole k = 0; k < layer.columns; ++k)
            start(k, half_of(layer.backward_shift), PIECE, layer.back_start_low, layer.back_start_high);
    }
    for (auto& vectors : vectors_) vectors.resize(layers_);
}

void Pairs::refresh(bool target) {
    fresh_[target] = true;
    const int shift = target && shape_.polyak ? POLYAK_FRAC : 0;
    const Whole* plane = planes_ + (target ? TARGET : WEIGHTS) * size_;
    for (Whole l = 1; l <= layers_; ++l) {
        Layer& layer = all_[l - 1];
        Half& half = layer.forward[target];
        const bool back = !target && l > 1 && l < layers_;
        const std::uint32_t seen = kernels().pairs.split(
            plane + layer.at, layer.rows, layer.columns, shift, half.low.data(), half.high.data(), layer.stride,
            back ? layer.back_low.data() : nullptr, back ? layer.back_high.data() : nullptr);
        half.most = (static_cast<Whole>(seen) >> PIECE) + 1;
        const Whole* biases = plane + layer.at + layer.rows * layer.columns;
        half.fits = true, half.start = 0;
        for (Whole j = 0; j < layer.rows; ++j) {
            const Whole x = ((biases[j] >> shift) << shape_.act_frac[l - 1]) + half_of(layer.forward_shift);
            half.fits &= std::abs(x) < Whole{1} << (29 + PIECE);
            if (half.fits) start(j, x, PIECE, half.start_low, half.start_high);
            half.start = std::max(half.start, (std::abs(x) >> PIECE) + 1);
        }
    }
    if (target || layers_ == 1) return;
    // The last layer's as they are.
    const Layer& layer = all_[layers_ - 1];
    double* to = weights_.shape(layer.rows * layer.columns);
    for (Whole i = 0; i < layer.rows * layer.columns; ++i) to[i] = static_cast<double>(plane[layer.at + i]);
}

bool Pairs::take(const Matrix& inputs, bool keep, Vector& to) {
    Word* numbers = numbers_.shape(widest_ * std::max(width_, widest_));
    Word *pairs = to.pairs.shape(even(inputs.columns) / 2 * width_), *sums = to.sums.shape(width_);
    std::fill(sums, sums + width_, 0);
    std::fill_n(numbers, even(inputs.columns) * width_, 0);
    Whole most = 0;
    for (Whole r = 0; r < inputs.rows; ++r) {
        const double* row = inputs.row(r);
        Whole sum = 0;
        for (Whole k = 0; k < inputs.columns; ++k) {
            const Whole x = static_cast<Whole>(row[k]), magnitude = std::abs(x);
            most = std::max(most, magnitude);
            sum += magnitude;
            numbers[k * width_ + r] = static_cast<Word>(x);
        }
        sums[r] = static_cast<Word>(sum);
    }
    for (Whole k = 0; k < inputs.columns; k += 2)
        for (Whole r = 0; r < width_; ++r) {
            const auto upper = static_cast<std::uint32_t>(numbers[(k + 1) * width_ + r]);
            pairs[k / 2 * width_ + r] = (numbers[k * width_ + r] & 0xffff) | static_cast<Word>(upper << 16);
        }
    return split(to, inputs.columns, most, keep);
}

bool Pairs::split(Vector& x, Whole elements, Whole most, bool keep) {
    x.most = most, x.small = most < SMALL;
    if (x.small) return true;
    // With a sign, 18 bits.
    if (most > Whole{1} << (ACT_WIDTH - 1)) return false;
    const Whole room = even(elements) / 2 * width_;
    kernels().pairs.pieces(numbers_.data(), elements, width_, PIECE, x.low.shape(room), x.high.shape(room));
    if (keep)
        kernels().pairs.pieces(numbers_.data(), elements, width_, DELTA_PIECE, x.fine_low.shape(room),
                               x.fine_high.shape(room));
    return true;
}

bool Pairs::product(const Pieces& a, const Finish& finish, Whole start, Whole weight, const Vector& x, Whole elements) {
    const Whole sum = *std::max_element(x.sums.data(), x.sums.data() + width_), depth = even(elements) / 2;
    Word* numbers = numbers_.data();
    if (x.small) {
        if ((sum << (PIECE - 1)) + (1 << PIECE) >= LIMIT || start + sum * weight >= LIMIT / 2) return false;
        kernels().pairs.product(&a, x.pairs.data(), width_, depth, width_, &finish, numbers, width_);
    } else {
        // Sums of the pieces' magnitudes, and by how much that of the high ones goes up.
        const Whole lower = std::min(sum, elements << (PIECE - 1)), upper = ((sum + lower) >> PIECE) + 1;
        const Whole left = std::max<Whole>(0, 2 * PIECE - finish.shift);
        if ((lower << (PIECE - 1)) + (1 << PIECE) >= LIMIT || (upper * weight) << left >= LIMIT / 4) return false;
        if (start + lower * weight + (upper << (PIECE - 1)) >= LIMIT / 2) return false;
        kernels().pairs.product_wide(&a, x.low.data(), x.high.data(), width_, depth, width_, &finish, numbers, width_);
    }
    return true;
}

bool Pairs::forward(const Matrix& inputs, bool target, bool keep, Matrix& outputs, Counts& counts) {
    if (!able_) return false;
    if (!fresh_[target]) refresh(target);
    width_ = wide(inputs.rows);
    std::vector<Vector>& vectors = vectors_[keep];
    if (!take(inputs, keep, vectors[0])) return false;
    for (Whole l = 1; l <= layers_; ++l) {
        const Layer& layer = all_[l - 1];
        const Half& of = layer.forward[target];
        const Pieces pieces{reinterpret_cast<const Word*>(of.low.data()), reinterpret_cast<const Word*>(of.high.data()),
                            layer.rows, layer.stride, 1};
        const Finish finish{of.start_low.data(), of.start_high.data(), PIECE, layer.forward_shift};
        if (!of.fits || !product(pieces, finish, of.start, of.most, vectors[l - 1], layer.columns)) return false;
        if (l == layers_) break;
        Word* numbers = numbers_.data();
        if (layer.rows & 1) std::fill_n(numbers + layer.rows * width_, width_, 0);
        Vector& y = vectors[l];
        Word *pairs = y.pairs.shape(even(layer.rows) / 2 * width_), *sums = y.sums.shape(width_);
        std::fill(sums, sums + width_, 0);
        const Whole most = kernels().pairs.rectify(numbers, layer.rows, width_, pairs, sums);
        // One more would be limited, and counted.
        if (most >= Whole{1} << (ACT_WIDTH - 1) || !split(y, layer.rows, most, keep)) return false;
    }
    const Whole rows = inputs.rows, out = shape_.sizes.back();
    const Word top = Word{1} << (shape_.output_width - 1);
    outputs.shape(rows, out);
    for (Whole a = 0; a < out; ++a) {
        const Word* numbers = numbers_.data() + a * width_;
        for (Whole r = 0; r < rows; ++r) {
            const Word x = std::min(std::max(numbers[r], -top), top - 1);
            counts[layers_] += x != numbers[r];
            outputs.row(r)[a] = x;
        }
    }
    return true;
}

bool Pairs::collect(const Layer& layer, const Vector& x, Whole* found, Counts& counts, Whole l) {
    const Whole stride = wide(layer.columns), pairs = even(layer.columns) / 2, depth = width_ / 2;
    Word *numbers = numbers_.shape(widest_ * std::max(width_, widest_)), *turned = turned_.shape(depth * widest_);
    bias_sums_.resize(layer.rows);
    kernels().pairs.totals(numbers, layer.rows, width_, bias_sums_.data());
    const bool small = x.small && masked_.small && layer.gradient_shift <= 30 &&
                       masked_.most_half * x.most + half_of(layer.gradient_shift) < LIMIT;
    // Sums of the deltas' pieces.
    const Whole lower = width_ << (DELTA_PIECE - 1), upper = ((masked_.most + lower) >> DELTA_PIECE) + 1;
    if (!small) kernels().pairs.fine(numbers, layer.rows * width_, low_.data(), high_.data());
    const Pieces pieces{reinterpret_cast<const Word*>(low_.data()), reinterpret_cast<const Word*>(high_.data()),
                        layer.rows, depth, 1};
    const Finish finish{layer.gradient_start_low.data(), layer.gradient_start_high.data(), DELTA_PIECE,
                        layer.gradient_shift};
    if (small) {
        kernels().pairs.turn(x.pairs.data(), pairs, width_, turned, stride);
        kernels().pairs.halves(reinterpret_cast<const Word*>(whole_.data()), layer.rows, turned, stride, depth, stride,
                               layer.gradient_shift, numbers, stride);
    } else if (x.small) {
        if (std::max(lower, upper) * x.most >= LIMIT / 2) return false;
        kernels().pairs.turn(x.pairs.data(), pairs, width_, turned, stride);
        kernels().pairs.product(&pieces, turned, stride, depth, stride, &finish, numbers, stride);
    } else {
        const Whole high = (x.most >> DELTA_PIECE) + 1,
                    left = std::max<Whole>(0, 2 * DELTA_PIECE - layer.gradient_shift);
        if (lower << (DELTA_PIECE - 1) >= LIMIT / 2 || (upper * high) << left >= LIMIT / 4) return false;
        if ((upper << (DELTA_PIECE - 1)) + lower * high >= LIMIT / 2) return false;
        Word* turned_high = turned_high_.shape(depth * widest_);
        kernels().pairs.turn(x.fine_low.data(), pairs, width_, turned, stride);
        kernels().pairs.turn(x.fine_high.data(), pairs, width_, turned_high, stride);
        kernels().pairs.product_wide(&pieces, turned, turned_high, stride, depth, stride, &finish, numbers, stride);
    }
    Whole* to = found + layer.at;
    counts[l] += kernels().pairs.gradient(numbers, layer.rows, layer.columns, stride, shape_.squared, to);
    counts[l] += kernels().learner.gradient(bias_sums_.data(), 1, layer.rows, layer.rows, shape_.act_frac[l - 1],
                                            layer.gradient_shift, shape_.squared, to + layer.rows * layer.columns);
    return true;
}

bool Pairs::gradient(const Matrix& delta, Whole* found, Counts& back, Counts& counts) {
    std::vector<Vector>& vectors = vectors_[true];
    for (Whole l = 1; l <= layers_; ++l)
        if (may_overflow(delta.rows, shape_.act_frac[l - 1])) return false;
    low_.shape(widest_ * width_), high_.shape(widest_ * width_);
    std::int16_t* whole = whole_.shape(widest_ * width_);
    Word* deltas = numbers_.shape(widest_ * std::max(width_, widest_));
    const Whole out = shape_.sizes.back();
    double* last = last_.shape(out * width_);
    masked_ = {0, 0, 0, true};
    for (Whole a = 0; a < out; ++a) {
        Whole sums[2] = {0, 0};
        for (Whole r = 0; r < width_; ++r) {
            const Whole x = r < delta.rows ? static_cast<Whole>(delta.row(r)[a]) : 0;
            last[a * width_ + r] = static_cast<double>(x);
            deltas[a * width_ + r] = static_cast<Word>(x);
            whole[a * width_ + r] = static_cast<std::int16_t>(x);
            masked_.small &= x >= -SMALL && x < SMALL;
            sums[r >= width_ / 2] += std::abs(x);
        }
        masked_.most = std::max(masked_.most, sums[0] + sums[1]);
        masked_.most_half = std::max(masked_.most_half, std::max(sums[0], sums[1]));
    }
    for (Whole l = layers_; l >= 1; --l) {
        const Layer& layer = all_[l - 1];
        if (!collect(layer, vectors[l - 1], found, counts, l)) return false;
        if (l == 1) break;
        Word* numbers = numbers_.data();
        if (l == layers_) {
            kernels().pairs.last(weights_.data(), layer.columns, out, last, width_, layer.columns, layer.backward_shift,
                                 numbers);
        } else {
            const Pieces pieces{layer.back_low.data(), layer.back_high.data(), layer.columns, 1, layer.columns};
            const Finish finish{layer.back_start_low.data(), layer.back_start_high.data(), PIECE, layer.backward_shift};
            const Whole start = half_of(layer.backward_shift - PIECE + 1);
            if (!product(pieces, finish, start, layer.forward[0].most, delta_, layer.rows)) return false;
        }
        if (layer.columns & 1) std::fill_n(numbers + layer.columns * width_, width_, 0);
        Word *pairs = delta_.pairs.shape(widest_ / 2 * width_), *sums = delta_.sums.shape(width_);
        std::fill(sums, sums + width_, 0);
        masked_ = kernels().pairs.mask(numbers, vectors[l - 1].pairs.data(), layer.columns, width_, pairs, whole, sums);
        back[l] += masked_.limited;
        delta_.small = masked_.small;
        const Whole room = widest_ / 2 * width_;
        if (!masked_.small && l > 2)
            kernels().pairs.pieces(numbers, layer.columns, width_, PIECE, delta_.low.shape(room),
                                   delta_.high.shape(room));
    }
    return true;
}

}  // namespace rlcores::learner
