// A gradient step of a DQN on a CPU in float32, as good as we can write it: the peer of the learner core.
// SPDX-License-Identifier: Apache-2.0
//
// Vectors of a batch are rows, weights lie with their outputs side by side, so that forward, backward and weight
// gradient are one kind of matrix product: a broadcast number times a row of vector registers. The output layer has few
// outputs and a TD error for one of them, so its three products take one row of weights a record. Sizes and batch are
// known when this is compiled: -DPEER_SIZES=4,64,64,2 -DPEER_BATCH=64 -DPEER_ADAM=1.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

namespace {

constexpr std::size_t SIZES[] = {PEER_SIZES};
constexpr std::size_t LAYERS = sizeof SIZES / sizeof SIZES[0] - 1, BATCH = PEER_BATCH;
constexpr std::size_t INPUTS = SIZES[0], ACTIONS = SIZES[LAYERS];
constexpr bool ADAM = PEER_ADAM;

#if defined(__AVX512F__)
constexpr std::size_t LANES = 16, TILE = 6;  // TILE rows by 4 registers, and 4 more, fit the register file
#else
constexpr std::size_t LANES = 8, TILE = 2;
#endif
typedef float Vector __attribute__((vector_size(LANES * sizeof(float)), may_alias));
constexpr std::size_t ALIGN = sizeof(Vector);

constexpr std::size_t padded(std::size_t n) { return (n + LANES - 1) / LANES * LANES; }

float sum(Vector v) {
    float parts[LANES];
    std::memcpy(parts, &v, sizeof parts);
    for (std::size_t half = LANES / 2; half > 0; half /= 2)
        for (std::size_t k = 0; k < half; ++k) parts[k] += parts[k + half];
    return parts[0];
}

enum class Mode { PLAIN, RELU, MASK };

// c[m][n] = start[n] + sum over k of a[m * AM + k * AK] * b[k][n], for ROWS rows and COLS vectors. RELU: not below 0;
// MASK: 0 where mask[m][n] is.
template <std::size_t ROWS, std::size_t COLS, std::size_t N, std::size_t K, std::size_t AM, std::size_t AK, Mode MODE>
inline void tile(const float* a, const float* b, const float* start, const float* mask, float* c) {
    Vector acc[ROWS][COLS];
#pragma GCC unroll 8
    for (std::size_t n = 0; n < COLS; ++n)
#pragma GCC unroll 8
        for (std::size_t m = 0; m < ROWS; ++m)
            acc[m][n] = start ? *reinterpret_cast<const Vector*>(start + n * LANES) : Vector{};
    for (std::size_t k = 0; k < K; ++k) {
#pragma GCC unroll 8
        for (std::size_t m = 0; m < ROWS; ++m)
#pragma GCC unroll 8
            for (std::size_t n = 0; n < COLS; ++n)
                acc[m][n] += a[m * AM + k * AK] * *reinterpret_cast<const Vector*>(b + k * N + n * LANES);
    }
#pragma GCC unroll 8
    for (std::size_t m = 0; m < ROWS; ++m)
#pragma GCC unroll 8
        for (std::size_t n = 0; n < COLS; ++n) {
            Vector v = acc[m][n];
            if (MODE == Mode::RELU) v = v > Vector{} ? v : Vector{};
            if (MODE == Mode::MASK)
                v = *reinterpret_cast<const Vector*>(mask + m * N + n * LANES) > Vector{} ? v : Vector{};
            *reinterpret_cast<Vector*>(c + m * N + n * LANES) = v;
        }
}

template <std::size_t M, std::size_t N, std::size_t K, std::size_t AM, std::size_t AK, Mode MODE>
void product(const float* a, const float* b, const float* start, const float* mask, float* c) {
    constexpr std::size_t VECTORS = N / LANES, WIDE = 4, LEFT = VECTORS % WIDE, ROWS_LEFT = M % TILE;
    const auto rows = [&]<std::size_t ROWS>(std::integral_constant<std::size_t, ROWS>, std::size_t m) {
        const auto at = [&]<std::size_t COLS>(std::integral_constant<std::size_t, COLS>, std::size_t n) {
            tile<ROWS, COLS, N, K, AM, AK, MODE>(a + m * AM, b + n, start ? start + n : nullptr,
                                                 MODE == Mode::MASK ? mask + m * N + n : nullptr, c + m * N + n);
        };
        for (std::size_t v = 0; v + WIDE <= VECTORS; v += WIDE)
            at(std::integral_constant<std::size_t, WIDE>{}, v * LANES);
        if constexpr (LEFT != 0) at(std::integral_constant<std::size_t, LEFT>{}, (VECTORS - LEFT) * LANES);
    };
    for (std::size_t m = 0; m + TILE <= M; m += TILE) rows(std::integral_constant<std::size_t, TILE>{}, m);
    if constexpr (ROWS_LEFT != 0) rows(std::integral_constant<std::size_t, ROWS_LEFT>{}, M - ROWS_LEFT);
}

// One layer. Hidden: weights[input][output]; output layer: weights[output][input]; biases after the weights. Padding is
// 0 and stays it.
template <std::size_t LAYER>
struct Layer {
    static constexpr std::size_t IN = SIZES[LAYER - 1], OUT = SIZES[LAYER];
    static constexpr bool OUTPUT = LAYER == LAYERS;
    static constexpr std::size_t STRIDE = LAYER == 1 ? IN : padded(IN);  // of the records at its input
    static constexpr std::size_t WIDTH = padded(OUTPUT ? IN : OUT), ROWS = OUTPUT ? OUT : IN;
    static constexpr std::size_t BIAS = ROWS * WIDTH, COUNT = BIAS + padded(OUT);
    static constexpr bool TURNED = !OUTPUT && LAYER != 1;

    alignas(ALIGN) float w[COUNT] = {};
    alignas(ALIGN) float target[COUNT] = {};
    alignas(ALIGN) float g[COUNT] = {};
    alignas(ALIGN) float m[COUNT] = {};
    alignas(ALIGN) float v[COUNT] = {};
    alignas(ALIGN) float turned[TURNED ? OUT * padded(IN) : LANES] = {};  // weights[output][input], for backward
    alignas(ALIGN) float out[BATCH * (OUTPUT ? OUT : WIDTH)] = {};
    alignas(ALIGN) float delta[BATCH * (OUTPUT ? 1 : WIDTH)] = {};  // of the output layer: of the action taken

    static constexpr std::size_t at(std::size_t output, std::size_t input) {
        return OUTPUT ? output * WIDTH + input : input * WIDTH + output;
    }

    void forward(const float* x, const float* weights) {
        if constexpr (!OUTPUT) {
            product<BATCH, WIDTH, IN, STRIDE, 1, Mode::RELU>(x, weights, weights + BIAS, nullptr, out);
        } else if constexpr (STRIDE == WIDTH) {
            for (std::size_t b = 0; b < BATCH; ++b)
                for (std::size_t k = 0; k < OUT; ++k) {
                    Vector total = {};
                    for (std::size_t i = 0; i < WIDTH; i += LANES)
                        total += *reinterpret_cast<const Vector*>(x + b * WIDTH + i) *
                                 *reinterpret_cast<const Vector*>(weights + k * WIDTH + i);
                    out[b * OUT + k] = sum(total) + weights[BIAS + k];
                }
        } else {
            for (std::size_t b = 0; b < BATCH; ++b)
                for (std::size_t k = 0; k < OUT; ++k) {
                    out[b * OUT + k] = weights[BIAS + k];
                    for (std::size_t i = 0; i < IN; ++i) out[b * OUT + k] += x[b * STRIDE + i] * weights[k * WIDTH + i];
                }
        }
    }

    // Gradients of the weights and, but for the first layer, the delta of the layer below: `below` masked by its x.
    void backward(const float* x, const uint32_t* action, float* below) {
        if constexpr (OUTPUT) {
            std::fill(g, g + COUNT, 0.0f);
            // Sums stay in registers when every output goes through all records, with 0 for the other actions' ones.
            float chosen[OUT][BATCH];
            for (std::size_t k = 0; k < OUT; ++k)
                for (std::size_t b = 0; b < BATCH; ++b) {
                    chosen[k][b] = action[b] == k ? delta[b] : 0.0f;
                    g[BIAS + k] += chosen[k][b];
                }
            if constexpr (STRIDE == WIDTH) {
                product<OUT, WIDTH, BATCH, BATCH, 1, Mode::PLAIN>(chosen[0], x, nullptr, nullptr, g);
            } else {
                for (std::size_t b = 0; b < BATCH; ++b)
                    for (std::size_t i = 0; i < IN; ++i) g[action[b] * WIDTH + i] += delta[b] * x[b * STRIDE + i];
            }
            // By registers: as a branch an element, the rectifier's would be guessed wrong half of the time.
            if constexpr (LAYER != 1)
                for (std::size_t b = 0; b < BATCH; ++b)
                    for (std::size_t i = 0; i < WIDTH; i += LANES) {
                        const Vector v = delta[b] * *reinterpret_cast<const Vector*>(w + action[b] * WIDTH + i);
                        const Vector h = *reinterpret_cast<const Vector*>(x + b * WIDTH + i);
                        *reinterpret_cast<Vector*>(below + b * WIDTH + i) = h > Vector{} ? v : Vector{};
                    }
        } else {
            product<IN, WIDTH, BATCH, 1, STRIDE, Mode::PLAIN>(x, delta, nullptr, nullptr, g);
            std::fill(g + BIAS, g + COUNT, 0.0f);
            for (std::size_t b = 0; b < BATCH; ++b)
                for (std::size_t j = 0; j < WIDTH; ++j) g[BIAS + j] += delta[b * WIDTH + j];
            if constexpr (LAYER != 1)
                product<BATCH, STRIDE, OUT, WIDTH, 1, Mode::MASK>(delta, turned, nullptr, x, below);
        }
    }

    // correction: 1 / (1 - beta1^n) and 1 / sqrt(1 - beta2^n) of the n-th update.
    void update(float rate, float correction1, float correction2) {
        constexpr float BETA1 = 0.9f, BETA2 = 0.999f, EPSILON = 1e-8f;
        for (std::size_t k = 0; k < COUNT; ++k) {
            if constexpr (ADAM) {
                m[k] += (g[k] - m[k]) * (1.0f - BETA1);
                v[k] += (g[k] * g[k] - v[k]) * (1.0f - BETA2);
                w[k] -= rate * correction1 * m[k] / (std::sqrt(v[k]) * correction2 + EPSILON);
            } else {
                w[k] -= rate * g[k];
            }
        }
        turn();
    }

    void turn() {
        if constexpr (TURNED)
            for (std::size_t j = 0; j < OUT; ++j)
                for (std::size_t i = 0; i < IN; ++i) turned[j * padded(IN) + i] = w[i * WIDTH + j];
    }
};

template <std::size_t... L>
auto layers_of(std::index_sequence<L...>) -> std::tuple<Layer<L + 1>...>;

struct Peer {
    decltype(layers_of(std::make_index_sequence<LAYERS>{})) layers;
    float gamma = 0.99f, rate = 1e-3f, huber = 0.0f;
    uint64_t sync_interval = 0, updates = 0;

    template <std::size_t L>
    auto& layer() {
        return std::get<L - 1>(layers);
    }

    template <std::size_t L = 1>
    const float* forward(const float* x, bool target) {
        layer<L>().forward(x, target ? layer<L>().target : layer<L>().w);
        if constexpr (L < LAYERS)
            return forward<L + 1>(layer<L>().out, target);
        else
            return layer<L>().out;
    }

    template <std::size_t L = LAYERS>
    void backward(const float* states, const uint32_t* action) {
        if constexpr (L == 1) {
            layer<1>().backward(states, action, nullptr);
        } else {
            layer<L>().backward(layer<L - 1>().out, action, layer<L - 1>().delta);
            backward<L - 1>(states, action);
        }
    }

    // One gradient step on the mean over the batch; |td| goes to priority.
    void step(const float* states, const uint32_t* action, const float* reward, const float* next,
              const uint8_t* terminated, const float* weight, float* priority) {
        float best[BATCH];
        const float* values = forward(next, true);
        for (std::size_t b = 0; b < BATCH; ++b)
            best[b] = terminated[b] ? 0.0f : *std::max_element(values + b * ACTIONS, values + (b + 1) * ACTIONS);
        values = forward(states, false);
        for (std::size_t b = 0; b < BATCH; ++b) {
            const float td = values[b * ACTIONS + action[b]] - reward[b] - gamma * best[b];
            priority[b] = std::fabs(td);
            const float e = huber > 0.0f ? std::clamp(td, -huber, huber) : td;
            layer<LAYERS>().delta[b] = e * weight[b] / BATCH;
        }
        backward(states, action);
        ++updates;
        const auto n = static_cast<double>(updates);
        const auto correction1 = static_cast<float>(1.0 / (1.0 - std::pow(0.9, n)));
        const auto correction2 = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(0.999, n)));
        std::apply([&](auto&... l) { (l.update(rate, correction1, correction2), ...); }, layers);
        if (sync_interval != 0 && updates % sync_interval == 0) copy_target();
    }

    void copy_target() {
        std::apply([](auto&... l) { (std::copy_n(l.w, l.COUNT, l.target), ...); }, layers);
    }

    // Weights as PyTorch lists them: of each layer (output, input), then biases.
    template <bool WRITE, std::size_t L = 1>
    void move(float* flat) {
        auto& l = layer<L>();
        const auto one = [&](float& there) { WRITE ? void(there = *flat++) : void(*flat++ = there); };
        for (std::size_t j = 0; j < l.OUT; ++j)
            for (std::size_t i = 0; i < l.IN; ++i) one(l.w[l.at(j, i)]);
        for (std::size_t j = 0; j < l.OUT; ++j) one(l.w[l.BIAS + j]);
        if (WRITE) l.turn();
        if constexpr (L < LAYERS) move<WRITE, L + 1>(flat);
    }
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* peer_new(float gamma, float rate, float huber, uint64_t sync_interval) {
    auto* peer = new Peer;
    peer->gamma = gamma;
    peer->rate = rate;
    peer->huber = huber;
    peer->sync_interval = sync_interval;
    return peer;
}
EXPORT void peer_delete(void* peer) { delete static_cast<Peer*>(peer); }
// Online and target weights, in order of the layers: (output, input), then biases.
EXPORT void peer_load(void* peer, float* flat) {
    static_cast<Peer*>(peer)->move<true>(flat);
    static_cast<Peer*>(peer)->copy_target();
}
EXPORT void peer_read(void* peer, float* flat) { static_cast<Peer*>(peer)->move<false>(flat); }
// `count` steps, the arrays of each behind the last one's, so that the cost of a call from Python is not in a step.
EXPORT void peer_steps(void* peer, std::size_t count, const float* states, const uint32_t* action, const float* reward,
                       const float* next, const uint8_t* terminated, const float* weight, float* priority) {
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t at = n * BATCH;
        static_cast<Peer*>(peer)->step(states + at * INPUTS, action + at, reward + at, next + at * INPUTS,
                                       terminated + at, weight + at, priority + at);
    }
}
