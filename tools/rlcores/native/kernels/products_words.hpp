// products_words.hpp — products of words of 16 bits, in pairs that are summed in 32 bits.
//
// A right number is cut into two or three words that lie around 0, so that many pairs of the depth can be summed before
// 32 bits are full; then the words' sums are joined in doubles. A left number is one word, where it fits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

constexpr int DROP = 9;            // of a left number that 16 bits do not hold: its lower word has 9 bits
constexpr std::int64_t ROWS = 16;  // of a block

// A left side's words: one, or two. Numbers without a sign are less an offset in their one, and lie around 0.
inline int left_words(const Side& side) { return width_of(side.most) + side.sign <= 16 ? 1 : 2; }
inline std::int32_t left_offset(const Side& side) {
    return side.sign || left_words(side) == 2 ? 0 : static_cast<std::int32_t>((side.most + 1) / 2);
}
// A right side's: two or three, of `drop` bits each but the uppermost one, which has the rest.
inline int right_words(const Side& side) { return width_of(side.most) + 1 <= 24 ? 2 : 3; }
inline int right_drop(const Side& side) { return (width_of(side.most) + 1) / right_words(side); }

// What is left of x above its lowest word, and that word, which lies around 0.
inline std::int32_t above(std::int32_t x, int drop) { return (x + (1 << (drop - 1))) >> drop; }
inline std::int32_t lowest(std::int32_t x, int drop) { return x - (above(x, drop) << drop); }

// By how many pairs of the depth the sums of two words stay below 2^31.
inline std::int64_t pairs_at_once(const Side& left, const Side& right) {
    const int drop = right_drop(right), top = width_of(right.most) - drop * (right_words(right) - 1);
    const std::int64_t offset = left_offset(left);
    // A number below 0 may be one less than the bits of its magnitude say.
    const std::int64_t one = left_words(left) == 2 ? 1 << (DROP - 1) : offset ? offset : left.most + 1;
    const std::int64_t other = std::int64_t{1} << (top > drop - 1 ? top : drop - 1);
    return ((std::int64_t{1} << 31) - 1) / (2 * one * other);
}

struct WordStrip {
    const std::int32_t* left;  // pairs of the first row; others `row` behind each other, second words `plane`
    std::int64_t row, plane;
    const Words* right;  // a pair of each column of the block, a word behind the other
    std::int64_t pairs, at_once;
    int drop;
    const double* start;  // of each column
};

template <bool UPPER, int L, int R>
inline void add_joined(const Words* sums, double up, const double* before, double* to) {
    constexpr int AT = UPPER ? WIDE : 0;
    Doubles sum = load(before + AT) + joined_words<UPPER, R>(sums, up);
    if constexpr (L == 2) sum += joined_words<UPPER, R>(sums + R, up) * (1 << DROP);
    *reinterpret_cast<Doubles*>(to + AT) = sum;
}

// Sums of `COUNT` rows and a register of columns, of L words a left number and R a right one.
template <int L, int R, int COUNT>
void word_sums(const WordStrip& of, double* found) {
    for (std::int64_t from = 0; from < of.pairs; from += of.at_once) {
        const std::int64_t to = from + of.at_once < of.pairs ? from + of.at_once : of.pairs;
        Words sums[COUNT][L * R];
        UNROLLED (r, COUNT)
            UNROLLED (i, L * R) sums[r][i] = Words{};
        for (std::int64_t k = from; k < to; ++k) {
            Words right[R];
            UNROLLED (j, R) right[j] = of.right[k * R + j];
            UNROLLED (r, COUNT)
                UNROLLED (i, L) {
                    const Words left = Words{} + of.left[r * of.row + i * of.plane + k];
                    UNROLLED (j, R) add_products(sums[r][i * R + j], left, right[j]);
                }
        }
        const double up = 1 << of.drop;
        UNROLLED (r, COUNT) {
            double* at = found + r * LANES;
            const double* before = from ? at : of.start;
            add_joined<false, L, R>(sums[r], up, before, at), add_joined<true, L, R>(sums[r], up, before, at);
        }
    }
}

struct BlockSums {
    const double* found;
    Doubles operator()(std::int64_t r, std::int64_t c) const { return load(found + r * LANES + c); }
};

inline std::int64_t pairs_of(std::int64_t depth) { return (depth + 1) / 2; }
inline std::int64_t left_row(std::int64_t depth) { return whole_units(pairs_of(depth)); }
// Behind the words of a right side: the sum of each column.
inline std::int64_t right_totals(std::int64_t depth, std::int64_t columns, const Side& side) {
    return whole_units(columns) * pairs_of(depth) * right_words(side) * 4;
}

template <int L, int R, class Each>
void blocks_of(const Product& p, Each each) {
    // As many rows as the registers hold sums of.
    constexpr int COUNT = (L * R < 4 ? 4 : 2) * (REGISTER == 64 ? 2 : 1);
    const std::int64_t row = left_row(p.depth), pairs = pairs_of(p.depth);
    const auto* left = reinterpret_cast<const std::int32_t*>(p.left.data);
    const auto* totals = reinterpret_cast<const double*>(p.right.data + right_totals(p.depth, p.columns, p.right));
    const double offset = left_offset(p.left);
    WordStrip of{left,
                 row,
                 whole_units(p.rows) * row,
                 reinterpret_cast<const Words*>(p.right.data),
                 pairs,
                 pairs_at_once(p.left, p.right),
                 right_drop(p.right),
                 nullptr};
    alignas(64) double start[LANES], found[ROWS * LANES];
    of.start = start;
    for (std::int64_t c = 0; c < whole_units(p.columns); c += LANES, of.right += pairs * R) {
        UNROLLED (i, LANES) start[i] = totals[c + i] * offset;
        for (std::int64_t r = 0; r < p.rows; r += ROWS) {
            const std::int64_t rows = p.rows - r < ROWS ? p.rows - r : ROWS;
            for (std::int64_t n = 0; n < rows; n += COUNT) {
                of.left = left + (r + n) * row;
                word_sums<L, R, COUNT>(of, found + n * LANES);
            }
            each(BlockSums{found}, r, rows, c, c + LANES);
        }
    }
}

template <class Each>
void blocks(const Product& p, Each each) {
    if (left_words(p.left) == 1)
        right_words(p.right) == 2 ? blocks_of<1, 2>(p, each) : blocks_of<1, 3>(p, each);
    else
        right_words(p.right) == 2 ? blocks_of<2, 2>(p, each) : blocks_of<2, 3>(p, each);
}

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, const Side& side) {
    return whole_units(rows) * left_row(depth) * left_words(side) * 4;
}
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, const Side& side) {
    return right_totals(depth, columns, side) + whole_units(columns) * 8;
}

// What lies behind the depth meets zeros of the right side.
void products_left(Numbers from, const Side& to) {
    const std::int64_t row = left_row(from.columns) * 2, plane = whole_units(from.rows) * row;
    const bool two = left_words(to) == 2;
    const std::int32_t less = left_offset(to);
    for (std::int64_t r = 0; r < from.rows; ++r) {
        const std::int32_t* x = from.data + r * from.stride;
        auto* out = reinterpret_cast<std::int16_t*>(to.data) + r * row;
        if (two) {
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int16_t>(lowest(x[k], DROP));
            INDEPENDENT (k, from.columns) out[plane + k] = static_cast<std::int16_t>(above(x[k], DROP));
        } else {
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int16_t>(x[k] - less);
        }
    }
}

void products_right(Numbers from, const Side& to) {
    alignas(64) static constexpr std::int32_t NONE[LANES] = {};
    const int words = right_words(to), drop = right_drop(to);
    const std::int64_t pairs = pairs_of(from.rows);
    auto* totals = reinterpret_cast<double*>(to.data + right_totals(from.rows, from.columns, to));
    for (std::int64_t c = 0; c < whole_units(from.columns); c += LANES) {
        auto* out = reinterpret_cast<std::int32_t*>(to.data) + c * pairs * words;
        std::int64_t sums[LANES] = {};
        for (std::int64_t k = 0; k < pairs; ++k) {
            const std::int32_t* x = from.data + 2 * k * from.stride + c;
            const std::int32_t* y = 2 * k + 1 < from.rows ? x + from.stride : NONE;
            alignas(64) std::int32_t one[LANES], other[LANES];
            INDEPENDENT (i, LANES) one[i] = x[i], other[i] = y[i], sums[i] += one[i] + other[i];
            for (int j = 1; j < words; ++j, out += LANES)
                INDEPENDENT (i, LANES) {
                    out[i] = (lowest(one[i], drop) & 0xffff) | lowest(other[i], drop) << 16;
                    one[i] = above(one[i], drop), other[i] = above(other[i], drop);
                }
            INDEPENDENT (i, LANES) out[i] = (one[i] & 0xffff) | other[i] << 16;
            out += LANES;
        }
        INDEPENDENT (i, LANES) totals[c + i] = static_cast<double>(sums[i]);
    }
}

}  // namespace
}  // namespace rlcores::RLCORES_ISA
