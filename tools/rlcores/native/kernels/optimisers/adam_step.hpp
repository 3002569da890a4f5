// adam_step.hpp — steps of Adam, with or without a weight's decay beside them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/simd.hpp"
#include "kernels/optimisers/steps.hpp"
#include "rlcores/native/gen/tables.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

// Word f of a memory less 4 * f, as a polynomial: a processor without fast look-ups computes it sooner.
constexpr float LOG[] = {0x1.c3e54p+1f,   0x1.bf08acp+0f,   -0x1.62e4c4p-7f,
                         0x1.8a4a0cp-16f, -0x1.53ac3cp-25f, 0x1.25fba6p-35f};
constexpr float EXP[] = {0x1.03bfa2p+7f, -0x1.39072ep+0f, 0x1.ebcaf2p-9f, 0x1.be988ap-19f, 0x1.95c7eep-29f};
constexpr int EXP_OFFSET = 128;  // else it would be negative

template <int COUNT>
constexpr float polynomial(const float (&of)[COUNT], float x) {
    float y = of[COUNT - 1];
    RLCORES_UNROLL(8)
    for (int k = COUNT - 2; k >= 0; --k) y = y * x + of[k];
    return y;
}

// Every word, and at least 2**-8 from where it would be another one: rounding errors are below 2**-15.
template <int COUNT>
constexpr bool is_table(const float (&of)[COUNT], const std::int64_t (&table)[256], int offset) {
    for (int f = 0; f < 256; ++f) {
        const float beyond = polynomial(of, static_cast<float>(f)) - static_cast<float>(table[f] - 4 * f + offset);
        if (!(beyond > 0x1p-8f && beyond < 1 - 0x1p-8f)) return false;
    }
    return true;
}
static_assert(is_table(LOG, log_rom, 0) && is_table(EXP, exp_rom, EXP_OFFSET));

// 1024 * log2 of 1 … 2**53 - 1, by the exponent and 8 bits of fraction of its double: its upper 20 bits. Of 0 far below
// 0.
inline std::int32_t log_of(std::int32_t bits) {
    const std::int32_t f = bits & 255, exponent = (bits >> 8) - 1023;
    return (exponent << 10) + 4 * f + static_cast<std::int32_t>(polynomial(LOG, static_cast<float>(f)));
}
inline std::int32_t upper(std::int64_t x) {
    const double exact = __builtin_bit_cast(double, x | 0x4330000000000000) - 0x1p52;  // x < 2**52
    return static_cast<std::int32_t>(__builtin_bit_cast(std::int64_t, exact) >> 44);
}

// What a weight loses beside Adam's step: nothing.
struct NoDecay {
    template <class Added>
    static std::int32_t part(std::int32_t, const Rates&, Added, std::int64_t) {
        return 0;
    }
};

template <class Decay>
std::int64_t adam_step(const Step& s) {
    std::int64_t *w = s.w, *m = s.state, *v = s.state + s.stride;
    const std::int64_t *g = s.g, n = s.n;
    const Rates& by = s.rates;
    const Rates decaying = by;
    constexpr std::int64_t SQUARED = (1 << 17) - 1;
    constexpr std::int32_t LAST = 44 * 256 - 1, TOO_LARGE = 1 << 27, LIMIT = TOP;
    constexpr int BLOCK = 256;
    const int num1 = by.betas[0], shift1 = by.betas[1], num2 = by.betas[2], shift2 = by.betas[3];
    const std::int64_t half1 = shift1 ? std::int64_t{1} << (shift1 - 1) : 0;
    const std::int64_t half2 = shift2 ? std::int64_t{1} << (shift2 - 1) : 0;
    const auto eps = static_cast<std::int32_t>(by.eps), clip = static_cast<std::int32_t>(by.log_clip);
    const auto rate = static_cast<std::int32_t>(by.log_rate);
    const bool stochastic = s.rounding.mode == RoundingMode::stochastic;
    const float half = s.rounding.mode == RoundingMode::floor ? 0.0f : 0.5f;
    return with(s.rounding, s.behind, [=](auto added, auto follow) {
        std::int64_t saturated = 0;
        const float up = half;  // else it is looked up in what the lambda holds, and the loop gets no vectors
        alignas(64) std::int32_t moments[BLOCK], squares[BLOCK], signs[BLOCK], steps[BLOCK];
        for (std::int64_t i0 = 0; i0 < n; i0 += BLOCK) {
            const int count = n - i0 < BLOCK ? static_cast<int>(n - i0) : BLOCK;
            INDEPENDENT (k, count) {
                const std::int64_t i = i0 + k;
                const std::int64_t moment = m[i] + ((((g[i] << 6) - m[i]) * num1 + half1) >> shift1);
                const std::int64_t narrow = clamped((g[i] + 256) >> 9, -SQUARED, SQUARED);
                const std::int64_t square = v[i] + ((((narrow * narrow << 14) - v[i]) * num2 + half2) >> shift2);
                const std::int64_t sign = moment >> 63;
                m[i] = moment, v[i] = square;
                moments[k] = upper((moment ^ sign) - sign), squares[k] = upper(square);
                signs[k] = static_cast<std::int32_t>(sign);
            }
            INDEPENDENT (k, count) {
                const std::int32_t of_square = log_of(squares[k]), least = of_square > eps ? of_square : eps;
                const std::int32_t ratio = 2 * log_of(moments[k]) - least - 16384;
                const std::int32_t index = (((ratio < clip ? ratio : clip) + rate) >> 3) + (18 << 8);
                const std::int32_t low = index > 0 ? index : 0, at = low < LAST ? low : LAST, f = at & 255;
                const std::int32_t word =
                    1024 + 4 * f - EXP_OFFSET + static_cast<std::int32_t>(polynomial(EXP, static_cast<float>(f)));
                if (stochastic) {
                    moments[k] = index > LAST ? 1 << 20 : index < 0 ? 0 : word << 6 | at >> 8;
                } else {
                    // 11 bits, and what rounds them: exact, or below 1 and no matter. Of an index below 0 it is 0.
                    const float exact =
                        static_cast<float>(word) * __builtin_bit_cast(float, ((at >> 8) - 28 + 127) << 23);
                    steps[k] = index > LAST ? TOO_LARGE : static_cast<std::int32_t>(exact + up);
                }
            }
            if (stochastic)
                INDEPENDENT (k, count) {
                    const std::int64_t x = moments[k], wide = ((x >> 6) << (x & 63)) >> 12;
                    steps[k] = x == 1 << 20 ? TOO_LARGE : static_cast<std::int32_t>((wide + added(i0 + k)) >> 16);
                }
            std::int32_t here = 0;
            INDEPENDENT (k, count) {
                const std::int64_t i = i0 + k;
                // A step that is too large counts even where it leaves the weight in its range.
                const bool large = steps[k] == TOO_LARGE;
                const std::int32_t step = large ? LIMIT : steps[k], sign = signs[k];
                const auto now = static_cast<std::int32_t>(w[i]);
                const std::int32_t decay = Decay::part(now, decaying, added, i);
                const std::int32_t exact = now - ((step ^ sign) - sign) - decay;
                const std::int32_t below = exact < LIMIT ? exact : LIMIT,
                                   moved = below > -LIMIT - 1 ? below : -LIMIT - 1;
                w[i] = moved;
                here += static_cast<std::int32_t>(large) | static_cast<std::int32_t>(moved != exact) |
                        static_cast<std::int32_t>(follow(i, moved));
            }
            saturated += here;
        }
        return saturated;
    });
}

}  // namespace

}  // namespace rlcores::RLCORES_ISA
