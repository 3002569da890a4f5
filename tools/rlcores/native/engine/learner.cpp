// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/learner.hpp"
#include "rlcores/native/gen/counters.hpp"
#include "rlcores/native/isa.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rlcores::learner {

namespace {
constexpr Whole FACTOR_FRAC = 17, REWARD_FRAC = 16;
constexpr Whole FACTOR_ONE = 1 << FACTOR_FRAC;
// Places of counters; of those of layers, the place of layer 0.
constexpr Whole IN = STAGE_IN, TD = STAGE_TD, DELTA = STAGE_DELTA;
constexpr Whole FW = STAGE_FW0 - 1, TFW = STAGE_TFW0 - 1, BW = STAGE_BW0 - 1, GRAD = STAGE_WA0 - 1;

// Every number of a matrix by `each` of it and its place, limited to 18 bits; how many were.
template <class Each>
Whole limited_all(Matrix& to, Each each) {
    Whole limited = 0;
    for (std::size_t i = 0; i < to.data.size(); ++i) {
        const Whole x = each(static_cast<Whole>(to.data[i]), i), y = as_act(x);
        limited += x != y;
        to.data[i] = static_cast<double>(y);
    }
    return limited;
}

Whole best(const double* row, Whole count) {
    Whole found = 0;
    for (Whole i = 1; i < count; ++i)
        if (row[i] > row[found]) found = i;
    return found;
}
}  // namespace

Narrow narrow(Whole shift, int width, bool rectify) {
    const auto power = [](Whole exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); };
    return {power(-shift), shift ? 0.5 : 0.0, power(ACC_WIDTH - 2 - shift) - 1, power(width - 1), rectify};
}

Whole count_of(const std::vector<Whole>& sizes) {
    Whole count = 0;
    for (std::size_t l = 1; l < sizes.size(); ++l) count += (sizes[l - 1] + 1) * sizes[l];
    return count;
}

std::vector<Whole> twice(const std::vector<Whole>& weights) {
    std::vector<Whole> planes = weights;
    planes.resize(2 * weights.size());
    return planes;
}

Shape acting_shape(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width) {
    const std::vector<Whole> none(sizes.size());
    return {std::move(sizes),
            std::move(act_frac),
            none,
            none,
            output_width,
            nullptr,
            false,
            RoundingMode::nearest,
            false,
            {}};
}

Whole take(const Whole* codes, Whole count, Whole columns, Matrix& found, Whole at) {
    Whole limited = 0;
    for (Whole r = 0; r < found.rows; ++r)
        for (Whole c = 0; c < columns; ++c) {
            const Whole x = r < count ? codes[r * columns + c] : 0, y = as_act(x);
            limited += x != y;
            found.row(r)[at + c] = static_cast<double>(y);
        }
    return limited;
}

void add(const Network::Counts& counts, Whole* counters, Whole base, Whole layers) {
    for (Whole l = 1; l <= layers; ++l) counters[base + l] += counts[l];
}

void Matrix::shape(Whole r, Whole c) {
    if (r == rows && c == columns) return;
    rows = r, columns = c, stride = (c + 7) / 8 * 8;
    data.assign(r * stride, 0.0);
}

Network::Network(Shape given, Whole* planes)
    : shape(std::move(given)),
      layers(static_cast<Whole>(shape.sizes.size()) - 1),
      size(count_of(shape.sizes)),
      pairs(shape, planes),
      blocks(shape, planes),
      layers_(layers),
      planes_(planes) {
    Whole at = 0;
    for (Whole l = 0; l < layers; ++l) {
        Layer& layer = layers_[l];
        layer.at = at, layer.rows = shape.sizes[l + 1], layer.columns = shape.sizes[l];
        for (Matrix& w : layer.forward) w.shape(layer.columns, layer.rows);
        layer.backward.shape(layer.rows, layer.columns);
        for (auto& b : layer.bias) b.assign(layer.forward[0].stride, 0.0);
        at += layer.rows * (layer.columns + 1);
    }
}

const std::vector<Network::Layer>& Network::matrices(bool target) {
    if (fresh_[target]) return layers_;
    fresh_[target] = true;
    const Whole shift = target && shape.polyak ? POLYAK_FRAC : 0;
    const Whole* plane = planes_ + (target ? TARGET : WEIGHTS) * size;
    for (Whole l = 0; l < layers; ++l) {
        Layer& layer = layers_[l];
        // The target is never gone through backwards: there, this is room for the transpose only.
        Matrix& whole = target ? sums_ : layer.backward;
        whole.shape(layer.rows, layer.columns);
        for (Whole j = 0; j < layer.rows; ++j) {
            const Whole* from = plane + layer.at + j * layer.columns;
            double* to = whole.row(j);
            for (Whole k = 0; k < layer.columns; ++k) to[k] = static_cast<double>(from[k] >> shift);
        }
        Matrix& turned = layer.forward[target];
        kernels().learner.transpose(whole.row(0), layer.rows, layer.columns, whole.stride, turned.row(0),
                                    turned.stride);
        const Whole* biases = plane + layer.at + layer.rows * layer.columns;
        for (Whole j = 0; j < layer.rows; ++j)
            layer.bias[target][j] = static_cast<double>((biases[j] >> shift) << shape.act_frac[l]);
    }
    return layers_;
}

bool Network::forward(std::vector<Matrix>& vectors, bool target, Whole depth, Counts& counts,
                      std::vector<Matrix>* before) {
    vectors.resize(layers + 1);
    if (before) before->resize(layers);
    const Whole rows = vectors[0].rows;
    for (Whole l = 1; l <= depth; ++l) {
        const Layer& layer = matrices(target)[l - 1];
        const Matrix &x = vectors[l - 1], &w = layer.forward[target];
        Matrix& out = vectors[l];
        out.shape(rows, layer.rows);
        kernels().learner.dense(x.row(0), x.stride, rows, x.columns, w.row(0), w.stride, w.stride, out.row(0),
                                out.stride);
        const bool activated = l < layers && hidden_ != Hidden::relu;
        const Whole act = shape.act_frac[l], frac = activated ? before_frac(hidden_, act) : act;
        const int width = activated ? SUM_WIDTH : l < layers ? ACT_WIDTH : shape.output_width;
        const Whole limited = kernels().learner.narrow(
            out.row(0), rows, out.stride, out.stride, layer.bias[target].data(), nullptr,
            narrow(WEIGHT_FRAC + shape.act_frac[l - 1] - frac, width, l < layers && !activated));
        if (limited < 0 || (activated && limited)) return false;
        counts[l] += limited;
        if (!activated) continue;
        if (before) (*before)[l] = out;
        counts[l] += with_hidden(hidden_, [&]<Hidden KIND>() {
            return limited_all(out, [&](Whole z, std::size_t) { return result_of<KIND>(z, act); });
        });
    }
    return true;
}

bool Network::look(const Matrix& inputs, Matrix& found, Counts& counts) {
    if (hidden_ == Hidden::relu && pairs.forward(inputs, false, false, found, counts)) return true;
    counts = {};
    looked_.resize(layers + 1);
    looked_[0] = inputs;
    if (!forward(looked_, false, layers, counts)) return false;
    found = looked_[layers];
    return true;
}

bool Network::outputs(const double* inputs, Whole rows, double* found) {
    looked_.resize(layers + 1);
    looked_[0].shape(rows, shape.sizes[0]);
    for (Whole r = 0; r < rows; ++r) std::copy_n(inputs + r * shape.sizes[0], shape.sizes[0], looked_[0].row(r));
    Counts counts{};
    if (!forward(looked_, false, layers, counts)) return false;
    for (Whole r = 0; r < rows; ++r)
        std::copy_n(looked_[layers].row(r), shape.sizes.back(), found + r * shape.sizes.back());
    return true;
}

bool Network::through(const Matrix& delta, Whole l, const std::vector<Whole>& fractions, const Matrix* mask,
                      Matrix& found, Whole& limited, Whole first, int width) {
    const Layer& layer = matrices(false)[l - 1];
    found.shape(delta.rows, layer.columns);
    kernels().learner.dense(delta.row(0), delta.stride, delta.rows, delta.columns, layer.backward.row(0),
                            layer.backward.stride, layer.backward.stride, found.row(0), found.stride);
    for (Whole r = 0; first && r < found.rows; ++r)
        std::fill(std::copy(found.row(r) + first, found.row(r) + layer.columns, found.row(r)),
                  found.row(r) + found.stride, 0.0);
    limited = kernels().learner.narrow(found.row(0), delta.rows, found.stride, found.stride, nullptr,
                                       mask ? mask->row(0) : nullptr,
                                       narrow(WEIGHT_FRAC + fractions[l] - fractions[l - 1], width, false));
    return limited >= 0;
}

bool Network::backward(const std::vector<Matrix>& vectors, std::vector<Matrix>& deltas,
                       const std::vector<Whole>& fractions, Counts& counts) {
    for (Whole l = layers; l > 1; --l) {
        const bool activated = hidden_ != Hidden::relu;
        const Matrix& own = vectors[l - 1];
        Matrix& lower = deltas[l - 1];
        Whole limited;
        const bool safe = activated
                              ? through(deltas[l], l, fractions, nullptr, lower, limited, 0, SUM_WIDTH) && !limited
                              : through(deltas[l], l, fractions, &own, lower, limited);
        if (!safe) return false;
        counts[l] += limited;
        if (!activated) continue;
        const Whole frac = slope_frac(hidden_);
        counts[l] += with_hidden(hidden_, [&]<Hidden KIND>() {
            return limited_all(lower, [&](Whole d, std::size_t i) {
                return round_shift(d * slope_of<KIND>(static_cast<Whole>(own.data[i])), frac);
            });
        });
    }
    return true;
}

bool Network::gradient(const std::vector<Matrix>& vectors, const std::vector<Matrix>& deltas, Whole* found,
                       Counts& counts) {
    const Whole rows = vectors[0].rows;
    for (Whole l = 1; l <= layers; ++l) {
        const Whole frac = shape.act_frac[l - 1], shift = shape.delta_frac[l] + frac - shape.grad_frac[l];
        if (may_overflow(rows, frac)) return false;
        const Layer& layer = layers_[l - 1];
        const Matrix &x = vectors[l - 1], &delta = deltas[l];
        turned_.shape(layer.rows, rows);
        kernels().learner.transpose(delta.row(0), rows, layer.rows, delta.stride, turned_.row(0), turned_.stride);
        sums_.shape(layer.rows, layer.columns);
        kernels().learner.dense(turned_.row(0), turned_.stride, layer.rows, rows, x.row(0), x.stride, x.stride,
                                sums_.row(0), sums_.stride);
        Whole* to = found + layer.at;
        Whole wrong = kernels().learner.gradient(sums_.row(0), layer.rows, layer.columns, sums_.stride, 0, shift,
                                                 shape.squared, to);
        bias_sums_.resize(layer.rows);
        for (Whole j = 0; j < layer.rows; ++j)
            bias_sums_[j] = std::accumulate(turned_.row(j), turned_.row(j) + rows, 0.0);
        wrong += kernels().learner.gradient(bias_sums_.data(), 1, layer.rows, layer.rows, frac, shift, shape.squared,
                                            to + layer.rows * layer.columns);
        counts[l] += wrong;
    }
    return true;
}

void move_planes(const Shape& shape, const NetworkRates& rates, Whole* planes, const Whole* g, bool sync,
                 const Whole* dither, Counts& counts) {
    const Whole size = count_of(shape.sizes);
    Whole *w = planes, *t = planes + TARGET * size, *state = planes + STATE * size;
    const auto& betas = shape.betas;
    Whole at = 0;
    for (std::size_t l = 1; l < shape.sizes.size(); ++l) {
        const Whole count = shape.sizes[l] * (shape.sizes[l - 1] + 1);
        counts[l] += shape.optimiser({w + at,
                                      state + at,
                                      size,
                                      g + at,
                                      count,
                                      {rates.rate,
                                       rates.momentum,
                                       rates.log_rate,
                                       rates.log_clip,
                                       rates.eps[l - 1],
                                       rates.decay,
                                       static_cast<int>(rates.rate_shift[l - 1]),
                                       static_cast<int>(rates.decay_shift),
                                       {betas[0], betas[1], betas[2], betas[3]},
                                       shape.rounding == RoundingMode::stochastic},
                                      {shape.rounding, dither ? dither + at : nullptr},
                                      {!sync                       ? FollowMode::none
                                       : shape.polyak && rates.tau ? FollowMode::average
                                                                   : FollowMode::copy,
                                       t + at, shape.polyak ? static_cast<int>(POLYAK_FRAC) : 0, rates.tau}});
        at += count;
    }
}

void Network::update(const Whole* g, bool sync, const Whole* dither, Counts& counts) {
    move_planes(shape, rates_, planes_, g, sync, dither, counts);
    refresh(false);
    if (sync) refresh(true);
}

Whole LossSettings::clipped(Whole td) const { return huber ? saturated(td, -huber, huber) : td; }

Whole ValueStep::gradients(const Batch& b, const LossSettings& s, Whole* gradient, Whole* td, Whole* counters) {
    const Whole in = network_.shape.sizes[0];
    online().shape(b.rows, in), target().shape(b.rows, in);
    const Whole limited = take(b.states, b.count, in, online()) + take(b.next_states, b.count, in, target());
    const Whole found = learn(b, s, gradient, td, counters);
    if (found >= 0) counters[IN] += limited;
    return found;
}

Whole ValueStep::learn(const Batch& b, const LossSettings& s, Whole* gradient, Whole* td, Whole* counters) {
    const Shape& shape = network_.shape;
    const Whole layers = network_.layers, actions = shape.sizes.back();
    const Whole act = shape.act_frac.back(), delta_frac = shape.delta_frac.back();
    std::array<Whole, 64> counted{};
    Network::Counts forward{}, next{}, back{}, gradients{};
    constexpr Whole REST = 15;
    Pairs& pairs = network_.pairs;
    // Whose numbers are too large now will hardly have small ones in the next step.
    bool quick = rest_ ? --rest_, false
                       : pairs.forward(online_[0], false, true, online_[layers], forward) &&
              (!s.double_dqn || pairs.forward(target_[0], false, false, next_[layers], forward)) &&
              pairs.forward(target_[0], true, false, target_[layers], next);
    if (!quick) {
        rest_ = rest_ ? rest_ : REST;
        forward = next = {};
        if (!network_.forward(online_, false, layers, forward)) return -1;
        if (s.double_dqn) {
            next_[0] = target_[0];
            if (!network_.forward(next_, false, layers, forward)) return -1;
        }
        if (!network_.forward(target_, true, layers, next)) return -1;
    }

    Matrix& delta = deltas_[layers];
    delta.shape(b.rows, actions);
    std::fill(delta.data.begin(), delta.data.end(), 0.0);
    Whole found = 0;
    constexpr Whole VALUE_MAX = (1 << 26) - 1;
    for (Whole r = 0; r < b.rows; ++r) {
        const bool real = r < b.count, valid = real && b.actions[r] >= 0 && b.actions[r] < actions;
        const Whole action = valid ? b.actions[r] : 0;
        const Whole given = real ? b.rewards[r] : 0, reward = saturated(given, -(Whole{1} << 26), VALUE_MAX);
        const Whole weight = real ? std::min<Whole>(b.weights[r] & 0xFFFFFFFF, FACTOR_ONE) : 0;
        if (real) counted[IN] += !valid + (reward != given) + (weight != b.weights[r]);
        const double* after = target_[layers].row(r);
        const Whole chosen = best((s.double_dqn ? next_ : target_)[layers].row(r), actions);
        const Whole q_next = real && b.terminated[r] ? 0 : static_cast<Whole>(after[chosen]);
        const Whole scaled = round_shift(reward * s.reward_scale, REWARD_FRAC + FACTOR_FRAC - act);
        const Whole limited = saturated(scaled, -(Whole{1} << 26), VALUE_MAX);
        const Whole q = static_cast<Whole>(online_[layers].row(r)[action]);
        const Whole exact = round_shift(((q - limited) << FACTOR_FRAC) - s.gamma * q_next, FACTOR_FRAC);
        const Whole error = saturated(exact, -VALUE_MAX, VALUE_MAX);
        counted[TD] += (scaled != limited) + (exact != error);
        if (!valid) continue;
        td[found++] = error;
        const Whole wide = round_shift(s.clipped(error) * weight, FACTOR_FRAC + act - delta_frac);
        const Whole d = as_act(wide);
        counted[DELTA] += d != wide;
        delta.row(r)[action] = static_cast<double>(d);
    }
    if (!quick || !pairs.gradient(delta, gradient, back, gradients)) {
        back = gradients = {};
        Network::Counts again{};
        if (quick && !network_.forward(online_, false, layers, again)) return -1;
        if (!network_.backward(online_, deltas_, shape.delta_frac, back)) return -1;
        if (!network_.gradient(online_, deltas_, gradient, gradients)) return -1;
    }
    add(forward, counted.data(), FW, layers), add(next, counted.data(), TFW, layers);
    add(back, counted.data(), BW, layers), add(gradients, counted.data(), GRAD, layers);
    for (std::size_t i = 0; i < counted.size(); ++i) counters[i] += counted[i];
    return found;
}

}  // namespace rlcores::learner
