// pairs.cpp — products of 16 bits, two of them added in one instruction.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/pairs_kernels.hpp"

#include <utility>

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

namespace {

// Of one row and another: every other STEP numbers of both, those at even or at odd places.
template <int STEP, bool ODD, int... AT>
inline Longs every_other(Longs one, Longs other, std::integer_sequence<int, AT...>) {
    return __builtin_shufflevector(one, other, (AT & STEP ? WIDE + AT - (ODD ? 0 : STEP) : AT + (ODD ? STEP : 0))...);
}

template <int STEP>
inline void exchange(Longs (&x)[WIDE]) {
    constexpr std::make_integer_sequence<int, WIDE> at;
    UNROLLED (k, WIDE)
        if (!(k & STEP)) {
            const Longs one = x[k], other = x[k + STEP];
            x[k] = every_other<STEP, false>(one, other, at), x[k + STEP] = every_other<STEP, true>(one, other, at);
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
void tile(const Pieces& a, std::int64_t row, const std::int32_t* b, std::int64_t b_stride, std::int64_t depth,
          const Finish& finish, std::int32_t* out, std::int64_t out_stride) {
    Words low[ROWS][COUNT], high[ROWS][COUNT];
    UNROLLED (i, ROWS)
        UNROLLED (c, COUNT) low[i][c] = all(finish.low[row + i]), high[i][c] = all(finish.high[row + i]);
    const std::int32_t *of_low = a.low + row * a.row, *of_high = a.high + row * a.row;
    for (std::int64_t p = 0; p < depth; ++p, of_low += a.pair, of_high += a.pair, b += b_stride) {
        Words right[COUNT];
        UNROLLED (c, COUNT) right[c] = *reinterpret_cast<const Words*>(b + c * LANES);
        UNROLLED (i, ROWS) {
            const Words left = all(of_low[i * a.row]), left_high = all(of_high[i * a.row]);
            UNROLLED (c, COUNT) {
                add_products(low[i][c], left, right[c]);
                add_products(high[i][c], left_high, right[c]);
            }
        }
    }
    UNROLLED (i, ROWS)
        UNROLLED (c, COUNT)
            *reinterpret_cast<Words*>(out + (row + i) * out_stride + c * LANES) =
                (high[i][c] + (low[i][c] >> finish.bits)) >> (finish.shift - finish.bits);
}

// One vector of columns, whose numbers are in pieces too: sums of 1, 2^bits and 2^(2 bits).
template <int ROWS>
void wide_tile(const Pieces& a, std::int64_t row, const std::int32_t* b_low, const std::int32_t* b_high,
               std::int64_t b_stride, std::int64_t depth, const Finish& finish, std::int32_t* out,
               std::int64_t out_stride) {
    Words low[ROWS], middle[ROWS], high[ROWS];
    UNROLLED (i, ROWS) low[i] = all(finish.low[row + i]), middle[i] = all(finish.high[row + i]), high[i] = Words{};
    const std::int32_t *of_low = a.low + row * a.row, *of_high = a.high + row * a.row;
    for (std::int64_t p = 0; p < depth;
         ++p, of_low += a.pair, of_high += a.pair, b_low += b_stride, b_high += b_stride) {
        const Words right = *reinterpret_cast<const Words*>(b_low), upper = *reinterpret_cast<const Words*>(b_high);
        UNROLLED (i, ROWS) {
            const Words left = all(of_low[i * a.row]), left_high = all(of_high[i * a.row]);
            add_products(low[i], left, right);
            add_products(middle[i], left_high, right);
            add_products(middle[i], left, upper);
            add_products(high[i], left_high, upper);
        }
    }
    const int left = 2 * finish.bits - finish.shift;
    UNROLLED (i, ROWS) {
        const Words lower = middle[i] + (low[i] >> finish.bits);
        *reinterpret_cast<Words*>(out + (row + i) * out_stride) =
            left > 0 ? (high[i] << left) + (lower >> (finish.shift - finish.bits))
                     : (high[i] + (lower >> finish.bits)) >> -left;
    }
}

// The sums of both halves may need 33 bits together.
template <int ROWS, int COUNT>
void halves_tile(const std::int32_t* a, const std::int32_t* b, std::int64_t b_stride, std::int64_t depth, int shift,
                 std::int32_t* out, std::int64_t out_stride) {
    Words sum[2][ROWS][COUNT];
    const std::int32_t* of = a;
    UNROLLED (half, 2) {
        UNROLLED (i, ROWS)
            UNROLLED (c, COUNT) sum[half][i][c] = all(half ? 0 : 1 << (shift - 1));
        for (std::int64_t p = 0; p < depth / 2; ++p, ++of, b += b_stride) {
            Words right[COUNT];
            UNROLLED (c, COUNT) right[c] = *reinterpret_cast<const Words*>(b + c * LANES);
            UNROLLED (i, ROWS) {
                const Words left = all(of[i * depth]);
                UNROLLED (c, COUNT) add_products(sum[half][i][c], left, right[c]);
            }
        }
    }
    const Words below = all((1 << shift) - 1);
    UNROLLED (i, ROWS)
        UNROLLED (c, COUNT) {
            const Words x = sum[0][i][c], y = sum[1][i][c];
            *reinterpret_cast<Words*>(out + i * out_stride + c * LANES) =
                (x >> shift) + (y >> shift) + (((x & below) + (y & below)) >> shift);
        }
}

template <int COUNT>
void halves_panel(const std::int32_t* a, std::int64_t rows, const std::int32_t* b, std::int64_t b_stride,
                  std::int64_t depth, int shift, std::int32_t* out, std::int64_t out_stride) {
    constexpr int ROWS = LANES == 16 ? 4 : 2;
    std::int64_t row = 0;
    for (; row + ROWS <= rows; row += ROWS)
        halves_tile<ROWS, COUNT>(a + row * depth, b, b_stride, depth, shift, out + row * out_stride, out_stride);
    for (; row < rows; ++row)
        halves_tile<1, COUNT>(a + row * depth, b, b_stride, depth, shift, out + row * out_stride, out_stride);
}

template <int COUNT>
void panel(const Pieces& a, const std::int32_t* b, std::int64_t b_stride, std::int64_t depth, const Finish& finish,
           std::int32_t* out, std::int64_t out_stride) {
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

void learner_pairs_product(const Pieces* a, const std::int32_t* b, std::int64_t b_stride, std::int64_t depth,
                           std::int64_t columns, const Finish* finish, std::int32_t* out, std::int64_t out_stride) {
    std::int64_t c = 0;
    if constexpr (LANES == 16)
        for (; c + 64 <= columns; c += 64) panel<4>(*a, b + c, b_stride, depth, *finish, out + c, out_stride);
    constexpr int COUNT = LANES == 16 ? 1 : 2;
    for (; c < columns; c += COUNT * LANES) panel<COUNT>(*a, b + c, b_stride, depth, *finish, out + c, out_stride);
}

void learner_pairs_halves(const std::int32_t* a, std::int64_t rows, const std::int32_t* b, std::int64_t b_stride,
                          std::int64_t depth, std::int64_t columns, int shift, std::int32_t* out,
                          std::int64_t out_stride) {
    std::int64_t c = 0;
    constexpr int COUNT = LANES == 16 ? 4 : 2;
    for (; c + COUNT * LANES <= columns; c += COUNT * LANES)
        halves_panel<COUNT>(a, rows, b + c, b_stride, depth, shift, out + c, out_stride);
    for (; c < columns; c += LANES) halves_panel<1>(a, rows, b + c, b_stride, depth, shift, out + c, out_stride);
}

std::int32_t learner_pairs_rectify(std::int32_t* numbers, std::int64_t rows, std::int64_t columns, std::int32_t* pairs,
                                   std::int32_t* sums) {
    std::int32_t most = 0;
    for (std::int64_t row = 0; row < rows; row += 2) {
        std::int32_t *one = numbers + row * columns, *other = one + columns, *to = pairs + row / 2 * columns;
        INDEPENDENT (c, columns) {
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

void learner_pairs_product_wide(const Pieces* a, const std::int32_t* low, const std::int32_t* high, std::int64_t stride,
                                std::int64_t depth, std::int64_t columns, const Finish* finish, std::int32_t* out,
                                std::int64_t out_stride) {
    for (std::int64_t c = 0; c < columns; c += LANES) {
        std::int64_t row = 0;
        for (; row + 4 <= a->rows; row += 4)
            wide_tile<4>(*a, row, low + c, high + c, stride, depth, *finish, out + c, out_stride);
        for (; row < a->rows; ++row)
            wide_tile<1>(*a, row, low + c, high + c, stride, depth, *finish, out + c, out_stride);
    }
}

Masked learner_pairs_mask(std::int32_t* numbers, const std::int32_t* vector, std::int64_t rows, std::int64_t columns,
                          std::int32_t* pairs, std::int16_t* whole, std::int32_t* sums) {
    constexpr std::int32_t TOP = (1 << 17) - 1;
    std::uint32_t beyond = 0;
    std::int32_t limited = 0, most = 0, most_half = 0;
    for (std::int64_t row = 0; row < rows; row += 2) {
        std::int32_t *one = numbers + row * columns, *other = one + columns, *to = pairs + row / 2 * columns;
        const std::int32_t* of = vector + row / 2 * columns;
        INDEPENDENT (c, columns) {
            const std::int32_t x = of[c] & 0xffff ? one[c] : 0, y = of[c] >> 16 ? other[c] : 0;
            const std::int32_t first = limit(x, TOP), second = limit(y, TOP);
            limited += (first != x) + (second != y);
            beyond |= (static_cast<std::uint32_t>(first) + 32768) | (static_cast<std::uint32_t>(second) + 32768);
            sums[c] += magnitude(first) + magnitude(second);
            one[c] = first, other[c] = second, to[c] = joined(first, second);
        }
        for (int k = 0; k < 2; ++k) {
            std::int16_t* to_whole = whole + (row + k) * columns;
            const std::int32_t* from = k ? other : one;
            std::int32_t sum[2];
            for (int half = 0; half < 2; ++half, from += columns / 2, to_whole += columns / 2) {
                std::int32_t magnitudes = 0;
                INDEPENDENT (c, columns / 2) {
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

void learner_pairs_fine(const std::int32_t* numbers, std::int64_t count, std::int16_t* low, std::int16_t* high) {
    INDEPENDENT (i, count) {
        const std::int32_t upper = (numbers[i] + 128) >> 8;
        low[i] = static_cast<std::int16_t>(numbers[i] - (upper << 8));
        high[i] = static_cast<std::int16_t>(upper);
    }
}

void learner_pairs_pieces(const std::int32_t* from, std::int64_t rows, std::int64_t columns, int bits,
                          std::int32_t* low, std::int32_t* high) {
    const std::int32_t half = 1 << (bits - 1);
    for (std::int64_t row = 0; row < rows; row += 2) {
        const std::int32_t *one = from + row * columns, *other = one + columns;
        std::int32_t *to_low = low + row / 2 * columns, *to_high = high + row / 2 * columns;
        INDEPENDENT (c, columns) {
            const std::int32_t x = (one[c] + half) >> bits, y = (other[c] + half) >> bits;
            to_high[c] = joined(x, y);
            to_low[c] = joined(one[c] - (x << bits), other[c] - (y << bits));
        }
    }
}

void learner_pairs_last(const double* w, std::int64_t stride, std::int64_t outputs, const double* delta,
                        std::int64_t columns, std::int64_t rows, int shift, std::int32_t* out) {
    const double scale = 1.0 / static_cast<double>(std::int64_t{1} << shift), above = scale / 2;
    constexpr int COUNT = 16 / WIDE;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t c = 0; c < columns; c += COUNT * WIDE) {
            Doubles sum[COUNT] = {};
            for (std::int64_t a = 0; a < outputs; ++a) {
                const double* of = delta + a * columns + c;
                UNROLLED (k, COUNT) sum[k] += w[a * stride + row] * *reinterpret_cast<const Doubles*>(of + k * WIDE);
            }
            UNROLLED (k, COUNT) {
                // Its last bits are the number to the nearest, and `above` sends the middle between two up.
                const Doubles whole = (sum[k] * scale + above) + ROUND;
                *reinterpret_cast<Ints*>(out + row * columns + c + k * WIDE) =
                    __builtin_convertvector((Longs)whole, Ints);
            }
        }
}

void learner_pairs_turn(const std::int32_t* from, std::int64_t pairs, std::int64_t columns, std::int32_t* to,
                        std::int64_t stride) {
    std::int64_t p = 0;
    for (; p + WIDE <= pairs; p += WIDE)
        for (std::int64_t c = 0; c < columns; c += 2 * WIDE) {
            Longs x[WIDE];
            UNROLLED (k, WIDE) {
                const Longs two = *reinterpret_cast<const Longs*>(from + (p + k) * columns + c);
                x[k] = (two & ~0xffffffff0000) | ((two & 0xffff0000) << 16) | ((two >> 16) & 0xffff0000);
            }
            transpose(x);
            UNROLLED (k, WIDE) *reinterpret_cast<Longs*>(to + (c / 2 + k) * stride + 2 * p) = x[k];
        }
    for (; p < pairs; ++p)
        for (std::int64_t c = 0; c < columns; c += 2) {
            const std::int32_t one = from[p * columns + c], other = from[p * columns + c + 1];
            std::int32_t* at = to + c / 2 * stride + 2 * p;
            at[0] = joined(one, other);
            at[1] = static_cast<std::int32_t>((static_cast<std::uint32_t>(one) >> 16) |
                                              (static_cast<std::uint32_t>(other) & 0xffff0000u));
        }
}

void learner_pairs_totals(const std::int32_t* numbers, std::int64_t rows, std::int64_t columns, double* out) {
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int32_t sum = 0;
        for (std::int64_t c = 0; c < columns; ++c) sum += numbers[row * columns + c];
        out[row] = static_cast<double>(sum);
    }
}

std::int64_t learner_pairs_gradient(const std::int32_t* from, std::int64_t rows, std::int64_t columns,
                                    std::int64_t stride, bool squared, std::int64_t* out) {
    constexpr std::int32_t TOP = (1 << 26) - 1;
    const std::int32_t edge = squared ? TOP - 256 : TOP, least = squared ? 255 - TOP : -TOP;
    std::int64_t limited = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int32_t* row = from + r * stride;
        std::int64_t* to = out + r * columns;
        std::int32_t here = 0;
        INDEPENDENT (c, columns) {
            const std::int32_t x = row[c], y = x < TOP ? x : TOP;
            here += (x > edge) | (x < least);
            to[c] = y > -TOP ? y : -TOP;
        }
        limited += here;
    }
    return limited;
}

std::uint32_t learner_pairs_split(const std::int64_t* from, std::int64_t rows, std::int64_t columns, int shift,
                                  std::int16_t* low, std::int16_t* high, std::int64_t stride, std::int32_t* rows_low,
                                  std::int32_t* rows_high) {
    std::uint32_t seen = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t* w = from + row * columns;
        std::int16_t *to_low = low + 2 * row * stride, *to_high = high + 2 * row * stride;
        INDEPENDENT (c, columns) {
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
            std::int32_t* to = (piece ? rows_high : rows_low) + row / 2 * columns;
            INDEPENDENT (c, columns) to[c] = joined(one[c], other[c]);
        }
    return seen;
}

}  // namespace

extern const PairKernels pairs_kernels;
const PairKernels pairs_kernels = {.product = learner_pairs_product,
                                   .halves = learner_pairs_halves,
                                   .rectify = learner_pairs_rectify,
                                   .product_wide = learner_pairs_product_wide,
                                   .mask = learner_pairs_mask,
                                   .fine = learner_pairs_fine,
                                   .pieces = learner_pairs_pieces,
                                   .last = learner_pairs_last,
                                   .turn = learner_pairs_turn,
                                   .totals = learner_pairs_totals,
                                   .gradient = learner_pairs_gradient,
                                   .split = learner_pairs_split};

}  // namespace rlcores::RLCORES_ISA
