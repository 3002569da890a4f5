// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/trained.hpp"

#include <algorithm>
#include <cmath>

namespace rlcores::learner {

namespace {
static_assert(PRODUCT_UNIT == BLOCK_UNIT);
// What one product needs: all networks of a thread have the same, because it is still in the cache.
struct Scratch {
    Lines<std::byte> left, right;
    Lines<std::int32_t> turned;
    Lines<double> sums;
    Tensor weights, kept;
    std::vector<double> totals;
    std::vector<Whole> numbers;
};
Scratch& scratch() {
    thread_local Scratch own;
    return own;
}

Side left(Numbers from, const Tensor& of) {
    Side side{nullptr, of.most, of.sign};
    side.data = scratch().left.at_least(kernels().products.left_room(from.rows, from.columns, side));
    kernels().products.left(from, side);
    return side;
}
Side right(Numbers from, const Tensor& of, Lines<std::byte>& room) {
    Side side{nullptr, of.most, of.sign};
    side.data = room.at_least(kernels().products.right_room(from.rows, from.columns, side));
    kernels().products.right(from, side);
    return side;
}
Numbers turned(const Tensor& of) {
    const Whole stride = in_units(of.rows);
    std::int32_t* to = scratch().turned.at_least(of.stride * stride);
    kernels().products.turn(of.numbers(), to, stride);
    return {to, of.columns, of.rows, stride};
}
// Rows that are not all 0, if a good part of them is; else none.
void rows_not_zero(const Whole* numbers, Whole rows, Whole columns, std::vector<Whole>& found) {
    found.clear();
    for (Whole r = 0; r < rows; ++r)
        if (std::any_of(numbers + r * columns, numbers + (r + 1) * columns, [](Whole x) { return x != 0; }))
            found.push_back(r);
    if (found.empty()) found.push_back(0);
    if (8 * static_cast<Whole>(found.size()) > 7 * rows) found.clear();
}
// Some rows, one behind the other; all of them where none is named.
const Tensor& rows_of(const Tensor& from, const std::vector<Whole>& rows) {
    if (rows.empty()) return from;
    Tensor& to = scratch().kept;
    to.shape(static_cast<Whole>(rows.size()), from.columns);
    to.most = from.most, to.sign = from.sign;
    for (std::size_t r = 0; r < rows.size(); ++r)
        std::copy_n(from.lines.data() + rows[r] * from.stride, from.stride, to.lines.data() + r * from.stride);
    return to;
}
// `from` without padding, its rows to their places and 0 into all others.
void spread(const Whole* from, const std::vector<Whole>& places, Whole rows, Whole columns, Whole* to) {
    std::fill_n(to, rows * columns, 0);
    for (std::size_t r = 0; r < places.size(); ++r) std::copy_n(from + r * columns, columns, to + places[r] * columns);
}
Product product(Side left, Side right, Whole rows, Whole depth, Whole columns) {
    return {left, right, rows, depth, columns, scratch().sums.at_least(rows * in_units(columns))};
}
}  // namespace

void Tensor::shape(Whole r, Whole c) {
    rows = r, columns = c, stride = in_units(c);
    lines.at_least(in_units(r) * stride);
}

bool Tensor::take(const Whole* from, Whole r, Whole c, int width, int shift) {
    shape(r, c);
    most = kernels().products.take(from, r, c, shift, lines.data(), stride), sign = true;
    return most >> (width - 1) == 0;
}

void Tensor::give(Whole* to) const {
    for (Whole r = 0; r < rows; ++r) std::copy_n(lines.data() + r * stride, columns, to + r * columns);
}

void Pass::give_delta(Whole layer, Whole* to) const {
    const Tensor& from = deltas[layer];
    if (kept.empty()) return from.give(to);
    std::vector<Whole>& numbers = scratch().numbers;
    numbers.resize(from.rows * from.columns);
    from.give(numbers.data());
    spread(numbers.data(), kept, rows, from.columns, to);
}

Trained::Trained(Shape given, Whole* planes)
    : layers(static_cast<Whole>(given.sizes.size()) - 1),
      size(count_of(given.sizes)),
      shape_(std::move(given)),
      planes_(planes) {
    for (Weights* each : {&online_, &target_}) {
        each->layers.resize(layers);
        for (Whole l = 0; l < layers; ++l) each->layers[l].biases.assign(in_units(shape_.sizes[l + 1]), 0.0);
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
            weights.layers[l].biases[j] = static_cast<double>((plane[at] >> shift) << shape_.act_frac[l]);
    }
}

std::vector<Trained::Layer>* Trained::weights(bool target) {
    Weights& weights = target ? target_ : online_;
    if (weights.by == &isa()) return &weights.layers;
    const Whole* plane = planes_ + (target ? TARGET : WEIGHTS) * size;
    const int shift = target && shape_.polyak ? static_cast<int>(POLYAK_FRAC) : 0;
    constexpr int WEIGHT_WIDTH = 27;
    Tensor& own = scratch().weights;
    for (Whole l = 0, at = 0; l < layers; ++l) {
        const Whole inputs = shape_.sizes[l], outputs = shape_.sizes[l + 1];
        // Of other shapes there may be something behind the rows and columns.
        own.lines.at_least(in_units(outputs) * in_units(inputs));
        std::fill_n(own.lines.data(), in_units(outputs) * in_units(inputs), 0);
        if (!own.take(plane + at, outputs, inputs, WEIGHT_WIDTH, shift)) return nullptr;
        Layer& layer = weights.layers[l];
        layer.forward = right(turned(own), own, layer.forward_room);
        if (!target) layer.backward = right(own.numbers(), own, layer.backward_room);
        at += outputs * (inputs + 1);
    }
    biases(weights, target);
    weights.by = &isa();
    return &weights.layers;
}

bool Trained::forward(Pass& pass, const Whole* inputs, Whole rows, bool target, Whole depth, Counts& counts,
                      Most& most) {
    std::vector<Layer>* known = weights(target);
    if (!known) return false;
    pass.rows = rows, pass.depth = depth;
    pass.vectors.resize(layers + 1), pass.deltas.resize(layers + 1);
    if (!pass.vectors[0].take(inputs, rows, shape_.sizes[0], ACT_WIDTH)) return false;
    for (Whole l = 1; l <= depth; ++l) {
        const Tensor& x = pass.vectors[l - 1];
        const Layer& layer = (*known)[l - 1];
        Tensor& out = pass.vectors[l];
        const bool last = l == layers;
        const Whole columns = shape_.sizes[l];
        out.shape(rows, columns);
        const Told told =
            kernels().products.narrow(product(left(x.numbers(), x), layer.forward, rows, x.columns, columns),
                                      {narrow(WEIGHT_FRAC + shape_.act_frac[l - 1] - shape_.act_frac[l],
                                              last ? shape_.output_width : ACT_WIDTH, !last),
                                       layer.biases.data(), nullptr, 0, out.lines.data(), out.stride});
        if (!told.safe) return false;
        counts[l] += told.limited, most[l] = out.most = told.most, out.sign = last;
    }
    return true;
}

bool Trained::backward(Pass& pass, const Whole* delta, const std::vector<Whole>& fractions, Counts& counts,
                       Most& most) {
    std::vector<Layer>* known = weights(false);
    const Whole outputs = shape_.sizes[layers];
    rows_not_zero(delta, pass.rows, outputs, pass.kept);
    Whole rows = pass.rows;
    if (!pass.kept.empty()) {
        rows = static_cast<Whole>(pass.kept.size());
        std::vector<Whole>& numbers = scratch().numbers;
        numbers.resize(rows * outputs);
        for (Whole r = 0; r < rows; ++r)
            std::copy_n(delta + pass.kept[r] * outputs, outputs, numbers.data() + r * outputs);
        delta = numbers.data();
    }
    if (!known || !pass.deltas[layers].take(delta, rows, outputs, ACT_WIDTH)) return false;
    for (Whole l = layers; l > 1; --l) {
        const Tensor &upper = pass.deltas[l], &vector = rows_of(pass.vectors[l - 1], pass.kept);
        Tensor& lower = pass.deltas[l - 1];
        lower.shape(rows, vector.columns);
        const Told told = kernels().products.narrow(
            product(left(upper.numbers(), upper), (*known)[l - 1].backward, rows, upper.columns, lower.columns),
            {narrow(WEIGHT_FRAC + fractions[l] - fractions[l - 1], ACT_WIDTH, false), nullptr, vector.lines.data(),
             vector.stride, lower.lines.data(), lower.stride});
        if (!told.safe) return false;
        counts[l] += told.limited, most[l - 1] = lower.most = told.most, lower.sign = true;
    }
    return true;
}

bool Trained::to_input(Pass& pass, const std::vector<Whole>& fractions, Whole* found) {
    std::vector<Layer>* known = weights(false);
    if (!known) return false;
    const Tensor& delta = pass.deltas[1];
    const Whole inputs = shape_.sizes[0];
    const bool all = pass.kept.empty();
    std::vector<Whole>& numbers = scratch().numbers;
    if (!all) numbers.resize(delta.rows * inputs);
    const Product by = product(left(delta.numbers(), delta), (*known)[0].backward, delta.rows, delta.columns, inputs);
    const Narrow to = narrow(WEIGHT_FRAC + fractions[1] - fractions[0], ACC_WIDTH, false);
    if (!kernels().products.wide(by, to, all ? found : numbers.data()).safe) return false;
    if (!all) spread(numbers.data(), pass.kept, pass.rows, inputs, found);
    return true;
}

bool Trained::gradient(Pass& pass, Whole* found, Counts& counts, Most& most) {
    if (pass.rows > PRODUCT_ROWS) return false;
    for (Whole l = 1, at = 0; l <= layers; ++l) {
        const Whole frac = shape_.act_frac[l - 1], shift = shape_.delta_frac[l] + frac - shape_.grad_frac[l];
        if (may_overflow(pass.rows, frac)) return false;
        const Tensor &x = rows_of(pass.vectors[l - 1], pass.kept), &delta = pass.deltas[l];
        const Whole inputs = x.columns, outputs = delta.columns;
        const Told told = kernels().products.gradient(
            product(left(turned(delta), delta), right(x.numbers(), x, scratch().right), outputs, delta.rows, inputs),
            std::ldexp(1.0, -static_cast<int>(shift)), shift ? 0.5 : 0.0, shape_.squared, found + at);
        at += inputs * outputs;
        std::vector<double>& totals = scratch().totals;
        totals.resize(in_units(outputs));
        kernels().products.totals(delta.numbers(), totals.data());
        counts[l] += told.limited + kernels().learner.gradient(totals.data(), 1, outputs, outputs, frac, shift,
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
