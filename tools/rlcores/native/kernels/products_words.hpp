// products_words.hpp — products of words of 16 bits, in pairs that are summed in 32 bits.
// SPDX-License-Identifier: Apache-2.0
//
// A right number is cut into two or three words that lie around 0, so that many pairs of the depth can be summed before
// 32 bits are full; then the lower word's sum is carried to the upper one's, or all are joined in doubles.
// A left number is one word. What few numbers have beyond it is multiplied by itself; of a side where many have, each
// number has two words.
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

constexpr int DROP = 9;            // of a left number of two words: its lower word has 9 bits
constexpr std::int64_t ROWS = 32;  // of a block
constexpr std::int64_t FEW = 32;   // one number of so many may have more than a word, and one of each row

inline std::int64_t pairs_of(std::int64_t depth) { return (depth + 1) / 2; }
inline std::int64_t left_row(std::int64_t depth) { return whole_units(pairs_of(depth)); }

// What a left number has beyond its word, and where in its row.
struct Excess {
    std::int32_t column, number;
};
// A packed left side: rows of words. Behind them, where a number may need more than a word: second words, or behind how
// many excesses each row's begin, and these.
struct LeftWords {
    const Side& side;
    std::int64_t row, plane;  // words of a row and of all rows, in pairs
    LeftWords(const Side& from, std::int64_t rows, std::int64_t depth)
        : side(from), row(left_row(depth)), plane(whole_units(rows) * row) {}

    static bool wide(const Side& side) { return width_of(side.most) + side.sign > 16; }
    std::int64_t room() const { return (wide(side) ? 2 * plane + UNIT : plane) * 4; }
    std::int32_t* words() const { return reinterpret_cast<std::int32_t*>(side.data); }
    std::int32_t* second() const { return words() + plane; }
    std::int32_t* begins() const { return second(); }
    Excess* excesses(std::int64_t rows) const { return reinterpret_cast<Excess*>(begins() + whole_units(rows) + UNIT); }
    std::int32_t& two() const { return words()[2 * plane]; }

    int count() const { return wide(side) && two() ? 2 : 1; }
    // Numbers without a sign are less this in their one word, and lie around 0.
    std::int32_t offset() const {
        return side.sign || count() == 2
                   ? 0
                   : static_cast<std::int32_t>(std::min<std::int64_t>(side.most + 1, 1 << 16) / 2);
    }
    // A bound of a word. A number below 0 may be one less than the bits of its magnitude say.
    std::int64_t most() const {
        if (count() == 2) return 1 << (DROP - 1);
        return std::min<std::int64_t>(side.sign ? side.most + 1 : std::max(offset(), 1), 1 << 15);
    }
};

// A packed right side: of each register of columns the words of a pair, one behind the other, pair by pair. Behind them
// the sum of each column, and a bound of the sum of a column's magnitudes.
struct RightWords {
    const Side& side;
    std::int64_t depth, columns;

    int bits() const { return width_of(side.most) + 1; }
    int count() const { return bits() <= 24 ? 2 : 3; }
    // Bits of each word but the uppermost one, which has the rest: of two it is the smaller one, because what is
    // carried must find room in its sum.
    int drop() const { return count() == 2 ? bits() / 2 + 1 : bits() / 3; }
    double* totals() const {
        return reinterpret_cast<double*>(side.data + whole_units(columns) * pairs_of(depth) * count() * 4);
    }
    double& magnitudes() const { return totals()[whole_units(columns)]; }
    std::int64_t room() const { return whole_units(columns) * (pairs_of(depth) * count() * 4 + 8) + 8; }
};

// What is left of x above its lowest word, and that word, which lies around 0.
template <class X>
inline X above(X x, int drop) {
    return (x + (1 << (drop - 1))) >> drop;
}
inline std::int32_t lowest(std::int32_t x, int drop) { return x - (above(x, drop) << drop); }

struct WordProduct {
    const Product& of;
    LeftWords left{of.left, of.rows, of.depth};
    RightWords right{of.right, of.depth, of.columns};

    // By how many pairs of the depth the sums of any two words stay below 2^31.
    std::int64_t pairs_at_once() const {
        const int drop = right.drop(), top = right.bits() - 1 - drop * (right.count() - 1);
        const std::int64_t other = std::int64_t{1} << std::max(top, drop - 1);
        return ((std::int64_t{1} << 31) - 1) / (2 * left.most() * other);
    }
    // The same of lower right words, beside what a carry leaves there and a start.
    std::int64_t lower_pairs_at_once() const {
        return ((std::int64_t{1} << 31) - (std::int64_t{2} << right.drop())) / (left.most() << right.drop());
    }
};

// Some rows of a product, and a register of its columns.
struct WordStrip {
    const std::int32_t* left;  // pairs of the first row; others `row` behind each other, second words `plane`
    std::int64_t row, plane;
    const std::int32_t* begins;  // of the first row's excesses, and of each one's behind it; or null
    const Excess* excesses;
    const Words* right;
    std::int64_t pairs, at_once;
    int drop;
    const double* start;  // of each column
};

// To sums of `COUNT` rows, of L words a left number and R a right one: some pairs.
template <int L, int R, int COUNT>
inline void add_pairs(const WordStrip& of, std::int64_t from, Words (&sums)[COUNT][L * R]) {
    const std::int64_t to = std::min(from + of.at_once, of.pairs);
    for (std::int64_t k = from; k < to; ++k) {
        Words right[R];
        UNROLLED (j, R) right[j] = of.right[k * R + j];
        UNROLLED (r, COUNT)
            UNROLLED (i, L) {
                const Words left = Words{} + of.left[r * of.row + i * of.plane + k];
                UNROLLED (j, R) add_products(sums[r][i * R + j], left, right[j]);
            }
    }
}

// each(products of an excess with R right words), of a row of the strip.
template <int R, class Each>
inline void add_excesses(const WordStrip& of, int r, Each each) {
    if (!of.begins) return;
    for (std::int32_t i = of.begins[r]; i < of.begins[r + 1]; ++i) {
        const Excess one = of.excesses[i];
        Words products[R];
        UNROLLED (j, R) {
            const Words pair = of.right[one.column / 2 * R + j];
            products[j] = (one.column % 2 ? pair >> 16 : pair << 16 >> 16) * one.number;
        }
        each(products);
    }
}

// begin(strip) for each register of columns, sums(strip, first row of a block, row in it, first column), and
// look(first row, rows, first column) for each block.
template <int L, int R, int COUNT, class Begin, class Sum, class Look>
inline void strips(const WordProduct& p, std::int64_t at_once, Begin begin, Sum sums, Look look) {
    const LeftWords& left = p.left;
    const std::int64_t pairs = pairs_of(p.of.depth);
    const double offset = left.offset();
    const bool excess = LeftWords::wide(left.side) && L == 1;
    WordStrip of{nullptr,
                 left.row,
                 left.plane,
                 nullptr,
                 excess ? left.excesses(p.of.rows) : nullptr,
                 reinterpret_cast<const Words*>(p.right.side.data),
                 pairs,
                 at_once,
                 p.right.drop(),
                 nullptr};
    for (std::int64_t c = 0; c < whole_units(p.of.columns); c += LANES, of.right += pairs * R) {
        alignas(64) double start[LANES];
        UNROLLED (i, LANES) start[i] = p.right.totals()[c + i] * offset;
        of.start = start;
        begin(of);
        for (std::int64_t r = 0; r < p.of.rows; r += ROWS) {
            const std::int64_t rows = std::min(p.of.rows - r, ROWS);
            for (std::int64_t n = 0; n < rows; n += COUNT) {
                of.left = left.words() + (r + n) * left.row;
                if (excess) of.begins = left.begins() + r + n;
                sums(of, r, n, c);
            }
            look(r, rows, c);
        }
    }
}
// As many rows as the registers hold sums of.
constexpr int rows_at_once(int words) { return (words < 4 ? 4 : 2) * (REGISTER == 64 ? 2 : 1); }

// --- joined in doubles ---

template <bool UPPER, int L, int R>
inline void add_joined(const Words* sums, double up, const double* before, double* to) {
    constexpr int AT = UPPER ? WIDE : 0;
    Doubles sum = load(before + AT) + joined_words<UPPER, R>(sums, up);
    if constexpr (L == 2) sum += joined_words<UPPER, R>(sums + R, up) * (1 << DROP);
    *reinterpret_cast<Doubles*>(to + AT) = sum;
}

template <int L, int R, int COUNT>
void word_sums(const WordStrip& of, double* found) {
    const double up = 1 << of.drop;
    const auto add = [up](const auto& sums, const double* before, double* at) {
        add_joined<false, sizeof(sums) / sizeof(Words) / R, R>(sums, up, before, at);
        add_joined<true, sizeof(sums) / sizeof(Words) / R, R>(sums, up, before, at);
    };
    for (std::int64_t from = 0; from < of.pairs; from += of.at_once) {
        Words sums[COUNT][L * R];
        UNROLLED (r, COUNT)
            UNROLLED (i, L * R) sums[r][i] = Words{};
        add_pairs<L, R>(of, from, sums);
        UNROLLED (r, COUNT) add(sums[r], from ? found + r * LANES : of.start, found + r * LANES);
    }
    for (int r = 0; r < COUNT; ++r)
        add_excesses<R>(of, r, [&](const Words(&products)[R]) { add(products, found + r * LANES, found + r * LANES); });
}

struct BlockSums {
    const double* found;
    Doubles operator()(std::int64_t r, std::int64_t c) const { return load(found + r * LANES + c); }
};

template <int L, int R, class Each>
void blocks_of(const WordProduct& p, Each each) {
    constexpr int COUNT = rows_at_once(L * R);
    alignas(64) double found[ROWS * LANES];
    strips<L, R, COUNT>(
        p, p.pairs_at_once(), [](const WordStrip&) {},
        [&](const WordStrip& of, std::int64_t, std::int64_t n, std::int64_t) {
            word_sums<L, R, COUNT>(of, found + n * LANES);
        },
        [&](std::int64_t r, std::int64_t rows, std::int64_t c) { each(BlockSums{found}, r, rows, c, c + LANES); });
}
template <class Each>
void blocks(const Product& product, Each each) {
    const WordProduct p{product};
    if (p.left.count() == 1)
        p.right.count() == 2 ? blocks_of<1, 2>(p, each) : blocks_of<1, 3>(p, each);
    else
        p.right.count() == 2 ? blocks_of<2, 2>(p, each) : blocks_of<2, 3>(p, each);
}

// --- carried, of one left word and two right ones ---

bool carries(const Product& product) {
    const WordProduct p{product};
    return p.left.count() == 1 && p.right.count() == 2;
}
Digits digits_of(const Product& product) {
    const int drop = WordProduct{product}.right.drop();
    return {drop, 0, drop};
}
double sum_most(const Product& product) {
    return static_cast<double>(product.left.most + 1) * WordProduct{product}.right.magnitudes();
}

// Sums of rows, a register of columns: a lower word's and an upper one's.
struct WordSums {
    const Words* found;
    int drop;
};
inline Carried carried(const WordSums& sums, std::int64_t r, Words upper, Words lower) {
    const Words below = sums.found[2 * r] + lower;
    return {sums.found[2 * r + 1] + upper + (below >> sums.drop), below & ((1 << sums.drop) - 1)};
}

// An upper sum may leave 32 bits on its way: what it is in the end does not.
template <int COUNT>
void carried_sums(const WordStrip& of, Words upper, Words lower, Words* found) {
    const auto carry = [&](Words(&sums)[2]) { sums[1] += sums[0] >> of.drop, sums[0] &= (1 << of.drop) - 1; };
    Words sums[COUNT][2];
    UNROLLED (r, COUNT) sums[r][0] = lower, sums[r][1] = upper;
    for (std::int64_t from = 0; from < of.pairs; from += of.at_once) {
        if (from)
            UNROLLED (r, COUNT) carry(sums[r]);
        add_pairs<1, 2>(of, from, sums);
    }
    UNROLLED (r, COUNT)
        UNROLLED (j, 2) found[2 * r + j] = sums[r][j];
    for (int r = 0; r < COUNT; ++r)
        add_excesses<2>(of, r, [&](const Words(&products)[2]) {
            Words sum[2] = {found[2 * r], found[2 * r + 1]};
            carry(sum);
            UNROLLED (j, 2) found[2 * r + j] = sum[j] + products[j];
        });
}

// soon(row, column): what is in memory there will be looked at when the row's sums are there.
template <class Soon, class Each>
void carried_blocks(const Product& product, Soon soon, Each each) {
    constexpr int COUNT = rows_at_once(2);
    const WordProduct p{product};
    Words found[2 * ROWS], upper = {}, lower = {};
    strips<1, 2, COUNT>(
        p, p.lower_pairs_at_once(),
        [&](const WordStrip& of) {
            UNROLLED (i, LANES) {
                const auto start = static_cast<std::int64_t>(of.start[i]);
                upper[i] = static_cast<std::int32_t>(start >> of.drop);
                lower[i] = static_cast<std::int32_t>(start & ((1 << of.drop) - 1));
            }
        },
        [&](const WordStrip& of, std::int64_t r, std::int64_t n, std::int64_t c) {
            UNROLLED (i, COUNT) soon(r + n + i, c);
            carried_sums<COUNT>(of, upper, lower, found + 2 * n);
        },
        [&](std::int64_t r, std::int64_t rows, std::int64_t c) {
            each(WordSums{found, p.right.drop()}, r, rows, c, c + LANES);
        });
}

// --- sides ---

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, const Side& side) {
    return LeftWords(side, rows, depth).room();
}
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, const Side& side) {
    return RightWords{side, depth, columns}.room();
}

// Whether only few numbers of a wide side are more than a word: then those are listed.
bool list_excesses(Numbers from, std::int64_t least, std::int64_t most, const LeftWords& to) {
    std::int32_t* begins = to.begins();
    Excess* next = to.excesses(from.rows);
    const Excess *const first = next, *const end = first + from.rows * std::max<std::int64_t>(from.columns / FEW, 1);
    const auto low = static_cast<std::int32_t>(least), high = static_cast<std::int32_t>(most);
    for (std::int64_t r = 0; r < whole_units(from.rows); ++r) {
        begins[r] = static_cast<std::int32_t>(next - first);
        if (r >= from.rows) continue;
        const std::int32_t* x = from.data + r * from.stride;
        std::int32_t outside = 0;
        INDEPENDENT (k, from.columns) outside += (x[k] < low) | (x[k] > high);
        if (outside > end - next) return false;
        for (std::int64_t k = 0; outside; ++k)
            if (x[k] < low || x[k] > high)
                *next++ = {static_cast<std::int32_t>(k), x[k] - (x[k] < low ? low : high)}, --outside;
    }
    begins[whole_units(from.rows)] = static_cast<std::int32_t>(next - first);
    return true;
}

// What lies behind the depth meets zeros of the right side.
void products_left(Numbers from, const Side& side) {
    const LeftWords to(side, from.rows, from.columns);
    const std::int64_t row = to.row * 2;
    std::int64_t least = side.sign ? -0x8000 : 0, most = side.sign ? 0x7fff : 0xffff;
    if (LeftWords::wide(side)) to.two() = !list_excesses(from, least, most, to);
    const std::int32_t less = to.offset();
    const bool two = to.count() == 2;
    for (std::int64_t r = 0; r < from.rows; ++r) {
        const std::int32_t* x = from.data + r * from.stride;
        auto* out = reinterpret_cast<std::int16_t*>(to.words()) + r * row;
        auto* second = reinterpret_cast<std::int16_t*>(to.second()) + r * row;
        if (two) {
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int16_t>(lowest(x[k], DROP));
            INDEPENDENT (k, from.columns) second[k] = static_cast<std::int16_t>(above(x[k], DROP));
        } else {
            const auto low = static_cast<std::int32_t>(least), high = static_cast<std::int32_t>(most);
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int16_t>(std::clamp(x[k], low, high) - less);
        }
    }
}

template <int R>
void right_words(Numbers from, const RightWords& to) {
    alignas(64) static constexpr std::int32_t NONE[LANES] = {};
    const int drop = to.drop();
    const std::int64_t pairs = pairs_of(from.rows), columns = whole_units(from.columns);
    auto* out = reinterpret_cast<Words*>(to.side.data);
    Words most = {};
    for (std::int64_t c = 0; c < columns; c += LANES) {
        Words sums[R] = {}, uppermost = {};
        for (std::int64_t k = 0; k < pairs; ++k, out += R) {
            const std::int32_t* x = from.data + 2 * k * from.stride + c;
            const std::int32_t* y = 2 * k + 1 < from.rows ? x + from.stride : NONE;
            Words one = *reinterpret_cast<const Words*>(x), other = *reinterpret_cast<const Words*>(y);
            UNROLLED (j, R - 1) {
                const Words one_above = above(one, drop), other_above = above(other, drop);
                one -= one_above << drop, other -= other_above << drop;
                out[j] = (one & 0xffff) | other << 16;
                sums[j] += one + other;
                one = one_above, other = other_above;
            }
            out[R - 1] = (one & 0xffff) | other << 16;
            sums[R - 1] += one + other;
            uppermost += magnitudes(one) + magnitudes(other);
        }
        UNROLLED (i, LANES) {
            std::int64_t total = sums[R - 1][i];
            UNROLLED (j, R - 1) total = (total << drop) + sums[R - 2 - j][i];
            to.totals()[c + i] = static_cast<double>(total);
        }
        most = larger(most, uppermost);
    }
    // What the uppermost words say, and a half for each number that they do not.
    to.magnitudes() =
        std::ldexp(static_cast<double>(most_of(most)) + 0.5 * static_cast<double>(from.rows), drop * (R - 1));
}
void products_right(Numbers from, const Side& side) {
    const RightWords to{side, from.rows, from.columns};
    to.count() == 2 ? right_words<2>(from, to) : right_words<3>(from, to);
}

}  // namespace
}  // namespace rlcores::RLCORES_ISA
