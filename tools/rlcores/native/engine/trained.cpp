// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/trained.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rlcores::learner {

namespace {
constexpr Whole in_units(Whole n) { return (n + PRODUCT_UNIT - 1) / PRODUCT_UNIT * PRODUCT_UNIT; }
}  // namespace

Side Packed::packed(Numbers from, Whole most, bool sign, bool is_left) {
    if (by_ == &isa()) return side_;
    const ProductKernels& with = kernels().products;
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most))) + sign;
    side_.bytes = std::max((bits + 7) / 8, 2), side_.sign = sign;
    const Whole room = is_left ? with.left_room(from.rows, from.columns, side_.bytes)
                               : with.right_room(from.rows, from.columns, side_.bytes);
    side_.data = memory_.at_least(room);
    (is_left ? with.left : with.right)(from, side_);
    by_ = &isa();
    return side_;
}

void Tensor::shape(Whole r, Whole c) {
    rows = r, columns = c, stride = in_units(c);
    lines_.at_least(in_units(r) * stride);
    for (Packed* each : {&left_, &right_, &turned_left_, &turned_right_}) each->stale();
}

bool Tensor::take(const Whole* from, Whole r, Whole c, int width, int shift) {
    shape(r, c);
    most = kernels().products.take(from, r, c, shift, data(), stride), sign = true;
    return most >> (width - 1) == 0;
}

void Tensor::give(Whole* to) const {
    for (Whole r = 0; r < rows; ++r) std::copy_n(lines_.data() + r * stride, columns, to + r * columns);
}

Numbers Tensor::turned(Lines<std::int32_t>& room) const {
    const Whole to_stride = in_units(rows);
    kernels().products.turn(numbers(), room.at_least(stride * to_stride), to_stride);
    return {room.data(), columns, rows, to_stride};
}

Trained::Trained(Shape given, Whole* planes)
    : layers(static_cast<Whole>(given.sizes.size()) - 1),
      size(count_of(given.sizes)),
      shape_(std::move(given)),
      planes_(planes) {
    for (Weights* each : {&online_, &target_}) {
        each->layers.resize(layers), each->biases.resize(layers);
        for (Whole l = 0; l < layers; ++l) each->biases[l].assign(in_units(shape_.sizes[l + 1]), 0.0);
    }
}

void Trained::formats(std::vector<Whole> act, std::vector<Whole> delta, std::vector<Whole> grad) {
    shape_.act_frac = std::move(act), shape_.delta_frac = std::move(delta), shape_.grad_frac = std::move(grad);
    biases(online_, false), biases(target_, true);
}

void Trained::biases(Weights& weights, bool target) {
    const Whole* plane = planes_ + (target ? TARGET : WEIGHTS) * size;
    const Whole shift = target && shape_.polyak ? POLYAK_FRAC : 0;
    for (Whole l = 0, at = 0; l < layers; ++l) {
        at += shape_.sizes[l] * shape_.sizes[l + 1];
        for (Whole j = 0; j < shape_.sizes[l + 1]; ++j, ++at)
            weights.biases[l][j] = static_cast<double>((plane[at] >> shift) << shape_.act_frac[l]);
    }
}

std::vector<Tensor>* Trained::weights(bool target) {
    Weights& weights = target ? target_ : online_;
    if (weights.fresh) return &weights.layers;
    const Whole* plane = planes_ + (target ? TARGET : WEIGHTS) * size;
    const int shift = target && shape_.polyak ? static_cast<int>(POLYAK_FRAC) : 0;
    constexpr int WEIGHT_WIDTH = 27;
    for (Whole l = 0, at = 0; l < layers; ++l) {
        const Whole inputs = shape_.sizes[l], outputs = shape_.sizes[l + 1];
        if (!weights.layers[l].take(plane + at, outputs, inputs, WEIGHT_WIDTH, shift)) return nullptr;
        at += outputs * (inputs + 1);
    }
    biases(weights, target);
    weights.fresh = true;
    return &weights.layers;
}

Product Trained::product(Side left, Side right, Whole rows, Whole depth, Whole columns) {
    return {left, right, rows, depth, columns, sums_.at_least(rows * in_units(columns))};
}

bool Trained::forward(Pass& pass, const Whole* inputs, Whole rows, bool target, Whole depth, Counts& counts,
                      Most& most) {
    std::vector<Tensor>* known = weights(target);
    if (!known) return false;
    pass.rows = rows, pass.depth = depth;
    pass.vectors.resize(layers + 1), pass.deltas.resize(layers + 1);
    if (!pass.vectors[0].take(inputs, rows, shape_.sizes[0], ACT_WIDTH)) return false;
    const Weights& own = target ? target_ : online_;
    for (Whole l = 1; l <= depth; ++l) {
        Tensor &x = pass.vectors[l - 1], &out = pass.vectors[l], &w = (*known)[l - 1];
        const bool last = l == layers;
        out.shape(rows, w.rows);
        const Told told = kernels().products.narrow(product(x.left(), w.turned_right(turned_), rows, w.columns, w.rows),
                                                    {narrow(WEIGHT_FRAC + shape_.act_frac[l - 1] - shape_.act_frac[l],
                                                            last ? shape_.output_width : ACT_WIDTH, !last),
                                                     own.biases[l - 1].data(), nullptr, 0, out.data(), out.stride});
        if (!told.safe) return false;
        counts[l] += told.limited, most[l] = out.most = told.most, out.sign = last;
    }
    return true;
}

bool Trained::backward(Pass& pass, const Whole* delta, const std::vector<Whole>& fractions, Counts& counts,
                       Most& most) {
    std::vector<Tensor>* known = weights(false);
    if (!known || !pass.deltas[layers].take(delta, pass.rows, shape_.sizes[layers], ACT_WIDTH)) return false;
    for (Whole l = layers; l > 1; --l) {
        Tensor &w = (*known)[l - 1], &upper = pass.deltas[l], &lower = pass.deltas[l - 1];
        const Numbers of = pass.vectors[l - 1].numbers();
        lower.shape(pass.rows, w.columns);
        const Told told =
            kernels().products.narrow(product(upper.left(), w.right(), pass.rows, w.rows, w.columns),
                                      {narrow(WEIGHT_FRAC + fractions[l] - fractions[l - 1], ACT_WIDTH, false), nullptr,
                                       of.data, of.stride, lower.data(), lower.stride});
        if (!told.safe) return false;
        counts[l] += told.limited, most[l - 1] = lower.most = told.most, lower.sign = true;
    }
    return true;
}

bool Trained::to_input(Pass& pass, const std::vector<Whole>& fractions, Whole* found) {
    std::vector<Tensor>* known = weights(false);
    if (!known) return false;
    Tensor &w = (*known)[0], &delta = pass.deltas[1];
    constexpr int NO_LIMIT = 54;
    return kernels()
        .products
        .wide(product(delta.left(), w.right(), pass.rows, w.rows, w.columns),
              narrow(WEIGHT_FRAC + fractions[1] - fractions[0], NO_LIMIT, false), found)
        .safe;
}

bool Trained::gradient(Pass& pass, Whole* found, Counts& counts, Most& most) {
    if (pass.rows > PRODUCT_ROWS) return false;
    for (Whole l = 1, at = 0; l <= layers; ++l) {
        const Whole frac = shape_.act_frac[l - 1], shift = shape_.delta_frac[l] + frac - shape_.grad_frac[l];
        if (may_overflow(pass.rows, frac)) return false;
        Tensor &x = pass.vectors[l - 1], &delta = pass.deltas[l];
        const Whole inputs = x.columns, outputs = delta.columns;
        const Told told = kernels().products.gradient(
            product(delta.turned_left(turned_), x.right(), outputs, pass.rows, inputs),
            std::ldexp(1.0, -static_cast<int>(shift)), shift ? 0.5 : 0.0, shape_.squared, found + at);
        at += inputs * outputs;
        totals_.resize(in_units(outputs));
        kernels().products.totals(delta.numbers(), totals_.data());
        counts[l] += told.limited + kernels().learner.gradient(totals_.data(), 1, outputs, outputs, frac, shift,
                                                               shape_.squared, found + at);
        most[l] = told.most;
        for (Whole j = 0; j < outputs; ++j, ++at) most[l] = std::max(most[l], std::abs(found[at]));
    }
    return true;
}

void Trained::update(const Whole* g, bool sync, Counts& counts) {
    move_planes(shape_, rates_, planes_, g, sync, nullptr, counts);
    stale(false);
    if (sync) stale(true);
}

}  // namespace rlcores::learner
