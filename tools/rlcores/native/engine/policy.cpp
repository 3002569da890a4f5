// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/policy.hpp"

#include <cmath>

#include "rlcores/native/tanh.hpp"

namespace rlcores::learner {

namespace {

constexpr double TOP = 1 << 17;  // inputs have 18 bits

}  // namespace

Policy::Policy(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool squashes,
               const std::vector<Whole>& weights)
    : planes_(twice(weights)),
      network_(acting_shape(std::move(sizes), std::move(act_frac), output_width), planes_.data()),
      vectors_(network_.layers + 1),
      squashes_(squashes) {}

template <class T>
bool Policy::act(const T* states, Whole rows, double* found) {
    const Shape& shape = network_.shape;
    const Whole in = inputs(), out = outputs();
    const double one = std::ldexp(1.0, static_cast<int>(shape.act_frac.front()));
    vectors_[0].shape(rows, in);
    for (Whole r = 0; r < rows; ++r)
        for (Whole c = 0; c < in; ++c) {
            const double code = std::floor(static_cast<double>(states[r * in + c]) * one + 0.5);
            if (!std::isfinite(code)) return false;
            vectors_[0].row(r)[c] = code < -TOP ? -TOP : code > TOP - 1 ? TOP - 1 : code;
        }
    Network::Counts counts{};
    if (!network_.forward(vectors_, false, network_.layers, counts)) return false;
    const double unit = std::ldexp(1.0, -static_cast<int>(squashes_ ? TANH_FRAC : shape.act_frac.back()));
    for (Whole r = 0; r < rows; ++r)
        for (Whole c = 0; c < out; ++c) {
            const double x = vectors_[network_.layers].row(r)[c];
            found[r * out + c] = unit * (squashes_ ? static_cast<double>(tanh_of(static_cast<Whole>(x))) : x);
        }
    return true;
}

template bool Policy::act(const float*, Whole, double*);
template bool Policy::act(const double*, Whole, double*);

}  // namespace rlcores::learner
