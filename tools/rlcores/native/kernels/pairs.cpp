// pairs.cpp — products of 16 bits, two of them added in one instruction.
// SPDX-License-Identifier: Apache-2.0
#include "pairs_kernels.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#pragma GCC optimize("fp-contract=fast")  // whole numbers, exact either way

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

namespace {

#if defined(__AVX512VNNI__)
constexpr int LANES = 16;
#elif defined(__AVX2__)
constexpr int LANES = 8;
#else
constexpr int LANES = 4;
#endif
typedef std::int32_t Words __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

// To each lane of `sum`, the products of the halves.
inline void gather(Words &sum, Words a, Words b) {
#if defined(__AVX512VNNI__)
    sum = (Words)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    sum += (Words)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    sum += (Words)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    sum += (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

// As many numbers of 64 bits, and the halves of as many.
constexpr int WIDE = LANES / 2;
typedef double Doubles __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef std::int64_t Longs __attribute__((vector_size(8 * WIDE), aligned(4), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));

template <int STEP>
inline void exchange(Longs (&x)[WIDE]) {
    Longs first{}, second{};
#pragma GCC unroll 8
    for (int k = 0; k < WIDE; ++k) {
        first[k] = k & STEP ? WIDE + k - STEP : k;
        second[k] = k & STEP ? WIDE + k : k + STEP;
    }
#pragma GCC unroll 8
    for (int k = 0; k < WIDE; ++k)
        if (!(k & STEP)) {
            const Longs one = x[k], other = x[k + STEP];
            x[k] = __builtin_shuffle(one, other, first), x[k + STEP] = __builtin_shuffle(one, other, second);
        }
}

// WIDE rows of WIDE numbers become columns.
inline void transpose(Longs (&x)[WIDE]) {
    exchange<1>(x);
    if constexpr (WIDE > 2) exchange<2>(x);
    if constexpr (WIDE > 4) exchange<4>(x);
}

inline Words all(std::int32_t x) { return Words{} + x; }

template <int ROWS, int COUNT>
void tile(const Pieces &a, std::int64_t row, const std::int32_t *b, std::int64_t b_stride, std::int64_t depth,
          const Finish &finish, std::int32_t *out, std::int64_t out_stride) {
    Words low[ROWS][COUNT], high[ROWS][COUNT];
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < COUNT; ++c) low[i][c] = all(finish.low[row + i]), high[i][c] = all(finish.high[row + i]);
    const std::int32_t *of_low = a.low + row * a.row, *of_high = a.high + row * a.row;
    for (std::int64_t p = 0; p < depth; ++p, of_low += a.pair, of_high += a.pair, b += b_stride) {
        Words right[COUNT];
#pragma GCC unroll 8
        for (int c = 0; c < COUNT; ++c) right[c] = *reinterpret_cast<const Words *>(b + c * LANES);
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; ++i) {
            const Words left = all(of_low[i * a.row]), left_high = all(of_high[i * a.row]);
#pragma GCC unroll 8
            for (int c = 0; c < COUNT; ++c) {
                gather(low[i][c], left, right[c]);
                gather(high[i][c], left_high, right[c]);
            }
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < COUNT; ++c)
            *reinterpret_cast<Words *>(out + (row + i) * out_stride + c * LANES) =
                (high[i][c] + (low[i][c] >> finish.bits)) >> (finish.shift - finish.bits);
}

// One vector of columns, whose numbers are in pieces too: sums of 1, 2^bits and 2^(2 bits).
template <int ROWS>
void wide_tile(const Pieces &a, std::int64_t row, const std::int32_t *b_low, const std::int32_t *b_high,
               std::int64_t b_stride, std::int64_t depth, const Finish &finish, std::int32_t *out,
               std::int64_t out_stride) {
    Words low[ROWS], middle[ROWS], high[ROWS];
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; ++i)
        low[i] = all(finish.low[row + i]), middle[i] = all(finish.high[row + i]), high[i] = Words{};
    const std::int32_t *of_low = a.low + row * a.row, *of_high = a.high + row * a.row;
    for (std::int64_t p = 0; p < depth; ++p, of_low += a.pair, of_high += a.pair, b_low += b_stride, b_high += b_stride) {
        const Words right = *reinterpret_cast<const Words *>(b_low), upper = *reinterpret_cast<const Words *>(b_high);
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; ++i) {
            const Words left = all(of_low[i * a.row]), left_high = all(of_high[i * a.row]);
            gather(low[i], left, right);
            gather(middle[i], left_high, right);
            gather(middle[i], left, upper);
            gather(high[i], left_high, upper);
        }
    }
    const int left = 2 * finish.bits - finish.shift;
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; ++i) {
        const Words lower = middle[i] + (low[i] >> finish.bits);
        *reinterpret_cast<Words *>(out + (row + i) * out_stride) =
            left > 0 ? (high[i] << left) + (lower >> (finish.shift - finish.bits))
                     : (high[i] + (lower >> finish.bits)) >> -left;
    }
}

// The sums of both halves may need 33 bits together.
template <int ROWS, int COUNT>
void halves_tile(const std::int32_t *a, const std::int32_t *b, std::int64_t b_stride, std::int64_t depth, int shift,
                 std::int32_t *out, std::int64_t out_stride) {
    Words sum[2][ROWS][COUNT];
    const std::int32_t *of = a;
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; ++i)
#pragma GCC unroll 8
            for (int c = 0; c < COUNT; ++c) sum[half][i][c] = all(half ? 0 : 1 << (shift - 1));
        for (std::int64_t p = 0; p < depth / 2; ++p, ++of, b += b_stride) {
            Words right[COUNT];
#pragma GCC unroll 8
            for (int c = 0; c < COUNT; ++c) right[c] = *reinterpret_cast<const Words *>(b + c * LANES);
#pragma GCC unroll 8
            for (int i = 0; i < ROWS; ++i) {
                const Words left = all(of[i * depth]);
#pragma GCC unroll 8
                for (int c = 0; c < COUNT; ++c) gather(sum[half][i][c], left, right[c]);
            }
        }
    }
    const Words below = all((1 << shift) - 1);
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < COUNT; ++c) {
            const Words x = sum[0][i][c], y = sum[1][i][c];
            *reinterpret_cast<Words *>(out + i * out_stride + c * LANES) =
                (x >> shift) + (y >> shift) + (((x & below) + (y & below)) >> shift);
        }
}

template <int COUNT>
void halves_panel(const std::int32_t *a, std::int64_t rows, const std::int32_t *b, std::int64_t b_stride,
                  std::int64_t depth, int shift, std::int32_t *out, std::int64_t out_stride) {
    constexpr int ROWS = LANES == 16 ? 4 : 2;
    std::int64_t row = 0;
    for (; row + ROWS <= rows; row += ROWS)
        halves_tile<ROWS, COUNT>(a + row * depth, b, b_stride, depth, shift, out + row * out_stride, out_stride);
    for (; row < rows; ++row)
        halves_tile<1, COUNT>(a + row * depth, b, b_stride, depth, shift, out + row * out_stride, out_stride);
}

template <int COUNT>
void panel(const Pieces &a, const std::int32_t *b, std::int64_t b_stride, std::int64_t depth, const Finish &finish,
           std::int32_t *out, std::int64_t out_stride) {
    std::int64_t row = 0;
    if constexpr (COUNT == 1)
        for (; row + 4 <= a.rows; row += 4) tile<4, 1>(a, row, b, b_stride, depth, finish, out, out_stride);
    for (; row + 2 <= a.rows; row += 2) tile<2, COUNT>(a, row, b, b_stride, depth, finish, out, out_stride);
    if (row < a.rows) tile<1, COUNT>(a, row, b, b_stride, depth, finish, out, out_stride);
}

inline std::int32_t joined(std::int32_t first, std::int32_t second) {
    return (first & 0xffff) | static_cast<std::int32_t>(static_cast<std::uint32_t>(second) << 16);
}
inline std::int32_t limit(std::int32_t x, std::int32_t top) {
    const std::int32_t y = x < top ? x : top;
    return y > -top - 1 ? y : -top - 1;
}
inline std::int32_t magnitude(std::int32_t x) { return x < 0 ? -x : x; }

}  // namespace

void learner_pairs_product(const Pieces *a, const std::int32_t *b, std::int64_t b_stride, std::int64_t depth,
                           std::int64_t columns, const Finish *finish, std::int32_t *out, std::int64_t out_stride) {
    std::int64_t c = 0;
    if constexpr (LANES == 16)
        for (; c + 64 <= columns; c += 64) panel<4>(*a, b + c, b_stride, depth, *finish, out + c, out_stride);
    constexpr int COUNT = LANES == 16 ? 1 : 2;
    for (; c < columns; c += COUNT * LANES)
        panel<COUNT>(*a, b + c, b_stride, depth, *finish, out + c, out_stride);
}

void learner_pairs_halves(const std::int32_t *a, std::int64_t rows, const std::int32_t *b, std::int64_t b_stride,
                          std::int64_t depth, std::int64_t columns, int shift, std::int32_t *out,
                          std::int64_t out_stride) {
    std::int64_t c = 0;
    constexpr int COUNT = LANES == 16 ? 4 : 2;
    for (; c + COUNT * LANES <= columns; c += COUNT * LANES)
        halves_panel<COUNT>(a, rows, b + c, b_stride, depth, shift, out + c, out_stride);
    for (; c < columns; c += LANES) halves_panel<1>(a, rows, b + c, b_stride, depth, shift, out + c, out_stride);
}

std::int32_t learner_pairs_rectify(std::int32_t *numbers, std::int64_t rows, std::int64_t columns, std::int32_t *pairs,
                                    std::int32_t *sums) {
    std::int32_t most = 0;
    for (std::int64_t row = 0; row < rows; row += 2) {
        std::int32_t *one = numbers + row * columns, *other = one + columns, *to = pairs + row / 2 * columns;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int32_t x = one[c] > 0 ? one[c] : 0, y = other[c] > 0 ? other[c] : 0;
            const std::int32_t larger = x > y ? x : y;
            most = most > larger ? most : larger;
            sums[c] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[c]) + static_cast<std::uint32_t>(x) +
                                                static_cast<std::uint32_t>(y));
            one[c] = x, other[c] = y, to[c] = joined(x < 32767 ? x : 32767, y < 32767 ? y : 32767);
        }
    }
    return most;
}

void learner_pairs_product_wide(const Pieces *a, const std::int32_t *low, const std::int32_t *high, std::int64_t stride,
                                std::int64_t depth, std::int64_t columns, const Finish *finish, std::int32_t *out,
                                std::int64_t out_stride) {
    for (std::int64_t c = 0; c < columns; c += LANES) {
        std::int64_t row = 0;
        for (; row + 4 <= a->rows; row += 4)
            wide_tile<4>(*a, row, low + c, high + c, stride, depth, *finish, out + c, out_stride);
        for (; row < a->rows; ++row)
            wide_tile<1>(*a, row, low + c, high + c, stride, depth, *finish, out + c, out_stride);
    }
}

Masked learner_pairs_mask(std::int32_t *numbers, const std::int32_t *vector, std::int64_t rows, std::int64_t columns,
                          std::int32_t *pairs, std::int16_t *whole, std::int32_t *sums) {
    constexpr std::int32_t TOP = (1 << 17) - 1;
    std::uint32_t beyond = 0;
    std::int32_t limited = 0, most = 0, most_half = 0;
    for (std::int64_t row = 0; row < rows; row += 2) {
        std::int32_t *one = numbers + row * columns, *other = one + columns, *to = pairs + row / 2 * columns;
        const std::int32_t *of = vector + row / 2 * columns;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int32_t x = of[c] & 0xffff ? one[c] : 0, y = of[c] >> 16 ? other[c] : 0;
            const std::int32_t first = limit(x, TOP), second = limit(y, TOP);
            limited += (first != x) + (second != y);
            beyond |= (static_cast<std::uint32_t>(first) + 32768) | (static_cast<std::uint32_t>(second) + 32768);
            sums[c] += magnitude(first) + magnitude(second);
            one[c] = first, other[c] = second, to[c] = joined(first, second);
        }
        for (int k = 0; k < 2; ++k) {
            std::int16_t *to_whole = whole + (row + k) * columns;
            const std::int32_t *from = k ? other : one;
            std::int32_t sum[2];
            for (int half = 0; half < 2; ++half, from += columns / 2, to_whole += columns / 2) {
                std::int32_t magnitudes = 0;
#pragma GCC ivdep
                for (std::int64_t c = 0; c < columns / 2; ++c) {
                    to_whole[c] = static_cast<std::int16_t>(from[c]);
                    magnitudes += magnitude(from[c]);
                }
                sum[half] = magnitudes;
                most_half = most_half > magnitudes ? most_half : magnitudes;
            }
            most = most > sum[0] + sum[1] ? most : sum[0] + sum[1];
        }
    }
    return {limited, most, most_half, beyond < 65536};
}

void learner_pairs_fine(const std::int32_t *numbers, std::int64_t count, std::int16_t *low, std::int16_t *high) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t upper = (numbers[i] + 128) >> 8;
        low[i] = static_cast<std::int16_t>(numbers[i] - (upper << 8));
        high[i] = static_cast<std::int16_t>(upper);
    }
}

void learner_pairs_pieces(const std::int32_t *from, std::int64_t rows, std::int64_t columns, int bits,
                          std::int32_t *low, std::int32_t *high) {
    const std::int32_t half = 1 << (bits - 1);
    for (std::int64_t row = 0; row < rows; row += 2) {
        const std::int32_t *one = from + row * columns, *other = one + columns;
        std::int32_t *to_low = low + row / 2 * columns, *to_high = high + row / 2 * columns;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int32_t x = (one[c] + half) >> bits, y = (other[c] + half) >> bits;
            to_high[c] = joined(x, y);
            to_low[c] = joined(one[c] - (x << bits), other[c] - (y << bits));
        }
    }
}

void learner_pairs_last(const double *w, std::int64_t stride, std::int64_t outputs, const double *delta,
                        std::int64_t columns, std::int64_t rows, int shift, std::int32_t *out) {
    const double scale = 1.0 / static_cast<double>(std::int64_t{1} << shift), above = scale / 2;
    constexpr double ROUND = 6755399441055744.0;  // 1.5 * 2**52
    constexpr int COUNT = 16 / WIDE;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t c = 0; c < columns; c += COUNT * WIDE) {
            Doubles sum[COUNT] = {};
            for (std::int64_t a = 0; a < outputs; ++a) {
                const double *of = delta + a * columns + c;
#pragma GCC unroll 8
                for (int k = 0; k < COUNT; ++k)
                    sum[k] += w[a * stride + row] * *reinterpret_cast<const Doubles *>(of + k * WIDE);
            }
#pragma GCC unroll 8
            for (int k = 0; k < COUNT; ++k) {
                // Its last bits are the number to the nearest, and `above` sends the middle between two up.
                const Doubles whole = (sum[k] * scale + above) + ROUND;
                *reinterpret_cast<Ints *>(out + row * columns + c + k * WIDE) = __builtin_convertvector((Longs)whole, Ints);
            }
        }
}

void learner_pairs_turn(const std::int32_t *from, std::int64_t pairs, std::int64_t columns, std::int32_t *to,
                        std::int64_t stride) {
    std::int64_t p = 0;
    for (; p + WIDE <= pairs; p += WIDE)
        for (std::int64_t c = 0; c < columns; c += 2 * WIDE) {
            Longs x[WIDE];
#pragma GCC unroll 8
            for (int k = 0; k < WIDE; ++k) {
                const Longs two = *reinterpret_cast<const Longs *>(from + (p + k) * columns + c);
                x[k] = (two & ~0xffffffff0000) | ((two & 0xffff0000) << 16) | ((two >> 16) & 0xffff0000);
            }
            transpose(x);
#pragma GCC unroll 8
            for (int k = 0; k < WIDE; ++k) *reinterpret_cast<Longs *>(to + (c / 2 + k) * stride + 2 * p) = x[k];
        }
    for (; p < pairs; ++p)
        for (std::int64_t c = 0; c < columns; c += 2) {
            const std::int32_t one = from[p * columns + c], other = from[p * columns + c + 1];
            std::int32_t *at = to + c / 2 * stride + 2 * p;
            at[0] = joined(one, other);
            at[1] = static_cast<std::int32_t>((static_cast<std::uint32_t>(one) >> 16) |
                                              (static_cast<std::uint32_t>(other) & 0xffff0000u));
        }
}

void learner_pairs_totals(const std::int32_t *numbers, std::int64_t rows, std::int64_t columns, double *out) {
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int32_t sum = 0;
        for (std::int64_t c = 0; c < columns; ++c) sum += numbers[row * columns + c];
        out[row] = static_cast<double>(sum);
    }
}

std::int64_t learner_pairs_gradient(const std::int32_t *from, std::int64_t rows, std::int64_t columns,
                                    std::int64_t stride, bool squared, std::int64_t *out) {
    constexpr std::int32_t TOP = (1 << 26) - 1;
    const std::int32_t edge = squared ? TOP - 256 : TOP, least = squared ? 255 - TOP : -TOP;
    std::int64_t limited = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int32_t *row = from + r * stride;
        std::int64_t *to = out + r * columns;
        std::int32_t here = 0;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int32_t x = row[c], y = x < TOP ? x : TOP;
            here += (x > edge) | (x < least);
            to[c] = y > -TOP ? y : -TOP;
        }
        limited += here;
    }
    return limited;
}

std::uint32_t learner_pairs_split(const std::int64_t *from, std::int64_t rows, std::int64_t columns, int shift,
                                  std::int16_t *low, std::int16_t *high, std::int64_t stride, std::int32_t *rows_low,
                                  std::int32_t *rows_high) {
    std::uint32_t seen = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t *w = from + row * columns;
        std::int16_t *to_low = low + 2 * row * stride, *to_high = high + 2 * row * stride;
#pragma GCC ivdep
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int32_t x = static_cast<std::int32_t>(w[c] >> shift);
            seen |= static_cast<std::uint32_t>(x ^ (x >> 31));
            to_low[c] = static_cast<std::int16_t>(((x + 2048) & 4095) - 2048);
            to_high[c] = static_cast<std::int16_t>((x + 2048) >> 12);
        }
    }
    if (!rows_low) return seen;
    for (std::int64_t row = 0; row < rows; row += 2)
        for (int piece = 0; piece < 2; ++piece) {
            const std::int16_t *one = (piece ? high : low) + 2 * row * stride, *other = one + 2 * stride;
            std::int32_t *to = (piece ? rows_high : rows_low) + row / 2 * columns;
#pragma GCC ivdep
            for (std::int64_t c = 0; c < columns; ++c) to[c] = joined(one[c], other[c]);
        }
    return seen;
}

}  // namespace rlcores::RLCORES_ISA
