// ppo.cpp — PPO's losses sample by sample, and the limit of a gradient's norm.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/ppo_kernels.hpp"

#include "kernels/simd.hpp"
#include "rlcores/native/exps.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::ppo;

namespace {

typedef std::int64_t Whole;
constexpr Whole ONE = 1 << 17, RATIO_ONE = 1 << 20, RATIO_MOST = (1 << 26) - 1, OUTPUT_MOST = (1 << 26) - 1;

inline Whole within(Whole x, Whole low, Whole high) {
    const Whole y = x < high ? x : high;
    return y > low ? y : low;
}
inline Whole as_act(Whole x) { return within(x, -ONE, ONE - 1); }
inline Whole as_output(Whole x) { return within(x, -OUTPUT_MOST - 1, OUTPUT_MOST); }
inline Whole magnitude(Whole x) { return x < 0 ? -x : x; }
inline Whole rounded(Whole x, Whole half, Whole bits) { return (x + half) >> bits; }
inline Whole half_of(Whole bits) { return bits ? Whole{1} << (bits - 1) : 0; }

std::int64_t ppo_categorical(const Outputs& logits, const std::int64_t* actions, const std::int64_t* before,
                             const std::int64_t* z, std::int64_t clip, std::int64_t entropy, std::int64_t frac,
                             std::int64_t* room, double* delta) {
    const Whole columns = logits.columns, stride = logits.stride, drop = 36 - frac, half = half_of(drop);
    Whole *logs = room, *chances = room + columns * LOSS_ROWS;
    alignas(64) Whole most[LOSS_ROWS], sums[LOSS_ROWS], spread[LOSS_ROWS], slopes[LOSS_ROWS];
    Whole limited = 0;
    for (Whole r0 = 0; r0 < logits.rows; r0 += LOSS_ROWS) {
        const Whole count = logits.rows - r0 < LOSS_ROWS ? logits.rows - r0 : LOSS_ROWS;
        const double* from = logits.data + r0 * stride;
        double* to = delta + r0 * stride;
        INDEPENDENT (r, count) most[r] = static_cast<Whole>(from[r * stride]), sums[r] = 0, spread[r] = 0;
        for (Whole k = 1; k < columns; ++k)
            INDEPENDENT (r, count) {
                const Whole x = static_cast<Whole>(from[r * stride + k]);
                most[r] = most[r] > x ? most[r] : x;
            }
        for (Whole k = 0; k < columns; ++k) {
            Whole* own = logs + k * LOSS_ROWS;
            INDEPENDENT (r, count) {
                const Whole fallen = exps::fall(most[r] - static_cast<Whole>(from[r * stride + k]));
                own[r] = fallen, sums[r] += exps::e_to_minus(fallen);
            }
        }
        INDEPENDENT (r, count) sums[r] = log2_fixed(sums[r]) - (exps::E_FRAC << 20);
        for (Whole k = 0; k < columns; ++k) {
            Whole *own = logs + k * LOSS_ROWS, *chance = chances + k * LOSS_ROWS;
            INDEPENDENT (r, count) {
                const Whole log = -(own[r] + sums[r]), p = exps::power_of(log * 64, 18, 17);
                own[r] = log, chance[r] = p, spread[r] -= p * log;
            }
        }
        const Whole *chosen = actions + r0, *now = before + r0, *advantages = z + r0;
        INDEPENDENT (r, count) {
            spread[r] = rounded(spread[r], 1 << 16, 17);
            const Whole found = exp2_fixed((logs[chosen[r] * LOSS_ROWS + r] - now[r]) * 64, 26, 20);
            const Whole ratio = found < RATIO_MOST ? found : RATIO_MOST, of = advantages[r];
            const bool cut = ((of > 0) & (ratio > RATIO_ONE + clip)) | ((of < 0) & (ratio < RATIO_ONE - clip));
            const Whole exact = cut ? 0 : -rounded(of * ratio, 1 << 19, 20), slope = as_act(exact);
            limited += (!cut & (found != ratio)) + (exact != slope);
            slopes[r] = slope;
        }
        for (Whole k = 0; k < columns; ++k) {
            const Whole *own = logs + k * LOSS_ROWS, *chance = chances + k * LOSS_ROWS;
            INDEPENDENT (r, count) {
                const Whole pull = rounded(chance[r] * (own[r] + spread[r]), 1 << 20, 21), u = as_act(pull);
                const Whole apart = (k == chosen[r] ? ONE : 0) - chance[r];
                const Whole exact = rounded(slopes[r] * apart * 128 + entropy * u, half, drop), d = as_act(exact);
                limited += (pull != u) + (exact != d);
                to[r * stride + k] = static_cast<double>(d);
            }
        }
    }
    return limited;
}

std::int64_t ppo_value(const Outputs& values, const std::int64_t* before, const std::int64_t* advantages,
                       std::int64_t coefficient, std::int64_t clip, std::int64_t frac, double* delta) {
    const Whole drop = 33 - frac, half = half_of(drop), stride = values.stride;
    const double* from = values.data + values.columns - 1;
    double* to = delta + values.columns - 1;
    Whole limited = 0;
    INDEPENDENT (r, values.rows) {
        const Whole value = static_cast<Whole>(from[r * stride]), sum = advantages[r] + before[r], ret = as_output(sum);
        const Whole apart = value - ret, error = as_output(apart);
        const Whole held = before[r] + within(value - before[r], -clip, clip) - ret;
        const bool out = (clip != 0) & (magnitude(held) > magnitude(error));
        const Whole exact = rounded((out ? 0 : error) * coefficient, half, drop), d = as_act(exact);
        limited += (sum != ret) + (apart != error) + (exact != d);
        to[r * stride] = static_cast<double>(d);
    }
    return limited;
}

std::int64_t ppo_standard(const std::int64_t* a, std::int64_t count, std::int64_t total, std::int64_t bits,
                          std::int64_t mantissa, std::int64_t shift, std::int64_t* z) {
    const Whole half = half_of(shift);
    Whole limited = 0;
    INDEPENDENT (i, count) {
        const Whole centred = rounded(a[i] * count - total, Whole{1} << bits, bits + 1);
        const Whole exact = rounded(centred * mantissa, half, shift), held = as_act(exact);
        limited += exact != held;
        z[i] = held;
    }
    return limited;
}

std::int64_t ppo_squares(const std::int64_t* g, std::int64_t count) {
    Whole sum = 0;
    INDEPENDENT (i, count) {
        const Whole x = within((g[i] + 256) >> 9, 1 - ONE, ONE - 1);
        sum += x * x;
    }
    return sum;
}

void ppo_clip(const std::int64_t* g, std::int64_t count, std::int64_t factor, std::int64_t* found) {
    INDEPENDENT (i, count) found[i] = rounded(g[i] * factor, 1 << 16, 17);
}

}  // namespace

extern const PpoKernels ppo_kernels;
const PpoKernels ppo_kernels = {.categorical = ppo_categorical,
                                .value = ppo_value,
                                .standard = ppo_standard,
                                .squares = ppo_squares,
                                .clip = ppo_clip};

}  // namespace rlcores::RLCORES_ISA
