// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/mlp.hpp"

#include <algorithm>
#include <utility>

#include "rlcores/native/learner_kernels.hpp"
#include "rlcores/native/gen/tables.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores::mlp {

namespace {

constexpr std::int64_t TOGETHER = 64;  // observations that go through the layers at once

std::int64_t padded(std::int64_t n) { return (n + 7) / 8 * 8; }

}  // namespace

void Network::add(std::int64_t inputs, std::int64_t outputs, int bias_shift, const Narrow& narrow,
                  const std::int64_t* weights, const std::int64_t* biases, const std::int64_t* factors) {
    Layer layer{inputs, outputs, bias_shift, narrow, {}, {}, {factors, factors + 2 * outputs}};
    layer.narrow.tanh = tanh_rom;
    layer.narrow.elu = elu_rom;
    layer.narrow.rsqrt = rsqrt_rom;
    const std::int64_t stride = padded(outputs);
    layer.weights.assign(static_cast<std::size_t>(inputs * stride), 0.0);
    for (std::int64_t o = 0; o < outputs; ++o)
        for (std::int64_t i = 0; i < inputs; ++i)
            layer.weights[static_cast<std::size_t>(i * stride + o)] = static_cast<double>(weights[o * inputs + i]);
    for (std::int64_t o = 0; o < outputs; ++o)
        layer.biases.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(biases[o]) << bias_shift));
    layers_.push_back(std::move(layer));
    layers_.back().narrow.factors = layers_.back().factors.data();
}

void Network::run(const std::int64_t* observations, std::int64_t rows, std::int64_t* found) const {
    std::int64_t most = padded(inputs());
    for (const Layer& layer : layers_) most = std::max(most, padded(layer.outputs));
    std::vector<double> from(static_cast<std::size_t>(TOGETHER * most)), to(from.size());
    for (std::int64_t begin = 0; begin < rows; begin += TOGETHER) {
        const std::int64_t count = std::min(TOGETHER, rows - begin), in = inputs(), out = outputs();
        for (std::int64_t r = 0; r < count; ++r)
            std::copy_n(observations + (begin + r) * in, in, from.begin() + r * most);
        for (const Layer& layer : layers_) {
            const std::int64_t stride = padded(layer.outputs);
            kernels().learner.dense(from.data(), most, count, layer.inputs, layer.weights.data(), stride, stride,
                                    to.data(), most);
            kernels().mlp.narrow(to.data(), count, layer.outputs, most, layer.biases.data(), layer.narrow);
            std::swap(from, to);
        }
        for (std::int64_t r = 0; r < count; ++r)
            for (std::int64_t o = 0; o < out; ++o)
                found[(begin + r) * out + o] = static_cast<std::int64_t>(from[static_cast<std::size_t>(r * most + o)]);
    }
}

}  // namespace rlcores::mlp
