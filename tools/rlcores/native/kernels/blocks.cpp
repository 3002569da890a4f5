// blocks.cpp — a block of a batch's rows through one layer, in products of 16 bits.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/blocks_kernels.hpp"

#include <type_traits>
#include <utility>

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

namespace {

constexpr int PIECE = BLOCK_PIECE;
typedef std::int16_t Shorts __attribute__((vector_size(REGISTER / 2), aligned(2), may_alias));
typedef std::int16_t Halves __attribute__((vector_size(REGISTER), may_alias));
typedef std::int32_t Pair __attribute__((may_alias));

inline Words all(std::int32_t x) { return Words{} + x; }
inline Words words(const std::int32_t* from) { return *reinterpret_cast<const Words*>(from); }
inline Words widened(const std::int16_t* from) {
    return __builtin_convertvector(*reinterpret_cast<const Shorts*>(from), Words);
}
inline std::int64_t units(std::int64_t n) { return (n + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT; }
inline std::int64_t pairs_of(std::int64_t n) { return (n + 1) / 2; }
inline std::int32_t joined(std::int32_t first, std::int32_t second) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(first) & 0xffff) | static_cast<std::uint32_t>(second)
                                                                                        << 16);
}
inline std::int32_t above(std::int32_t x) { return (x + (1 << (PIECE - 1))) >> PIECE; }
inline std::int32_t piece(std::int32_t x, int word) { return word ? above(x) : x - (above(x) << PIECE); }

// Where a pair of weights lies: columns in registers, a register's pairs of the depth side by side, word by word.
inline std::int64_t place(std::int64_t pairs, std::int64_t pair, int word, std::int64_t column) {
    return ((column / LANES * pairs + pair) * 2 + word) * LANES + column % LANES;
}

// The last layer's columns are few. Then each is there a second time behind the others, a word behind the other, and
// its sums are found by adding up the lanes of registers with a piece of the depth in each.
constexpr int FEW = LANES / 4;
constexpr std::int64_t DEEP = 2 * LANES;  // numbers of a register
inline std::int64_t registers(std::int64_t depth) { return (depth + DEEP - 1) / DEEP; }
inline std::int64_t behind(std::int64_t depth, std::int64_t columns) { return units(columns) * pairs_of(depth) * 2; }

std::int64_t blocks_room(std::int64_t depth, std::int64_t columns) {
    return behind(depth, columns) + (columns <= FEW ? FEW * 2 * registers(depth) * LANES : 0);
}

std::int64_t blocks_weights(const std::int64_t* from, std::int64_t rows, std::int64_t columns, std::int32_t* forward,
                            std::int32_t* back) {
    const std::int64_t pairs = pairs_of(columns), deep = registers(columns) * DEEP;
    auto* few = reinterpret_cast<std::int16_t*>(forward + behind(columns, rows));
    std::uint64_t bits = 0;
    alignas(64) std::int32_t line[2][BLOCK_DEPTH] = {}, found[BLOCK_DEPTH / 2];
    for (std::int64_t row = 0; row < rows; row += 2) {
        for (std::int64_t j = row; j < row + 2; ++j) {
            std::int32_t* own = line[j - row];
            if (j == rows) {
                for (std::int64_t i = 0; i < columns; ++i) own[i] = 0;
                continue;
            }
            const std::int64_t* w = from + j * columns;
            INDEPENDENT (i, columns) {
                own[i] = static_cast<std::int32_t>(w[i]);
                bits |= static_cast<std::uint64_t>(w[i] ^ w[i] >> 63);
            }
            for (int word = 0; word < 2; ++word) {
                INDEPENDENT (p, pairs) found[p] = joined(piece(own[2 * p], word), piece(own[2 * p + 1], word));
                std::int32_t* to = forward + place(pairs, 0, word, j);
                for (std::int64_t p = 0; p < pairs; ++p) to[p * 2 * LANES] = found[p];
                if (rows > FEW) continue;
                INDEPENDENT (i, columns)
                    few[(2 * j + word) * deep + i] = static_cast<std::int16_t>(piece(own[i], word));
            }
        }
        for (int word = 0; word < 2; ++word)
            for (std::int64_t i = 0; i < columns; i += LANES) {
                std::int32_t* to = back + place(pairs_of(rows), row / 2, word, i);
                INDEPENDENT (lane, LANES)
                    to[lane] = joined(piece(line[0][i + lane], word), piece(line[1][i + lane], word));
            }
    }
    return static_cast<std::int64_t>(bits);
}

// Sums of `ROWS` rows and `COUNT` registers of columns, of 1, 2^12 and (of L words on the left side) 2^24, finished.
template <int L, int ROWS, int COUNT>
inline void sums_of(const Block& from, std::int64_t row, const Through& by, std::int64_t column,
                    Words (&out)[ROWS][COUNT]) {
    const std::int64_t pairs = pairs_of(by.depth);
    Words sum[ROWS][COUNT][L + 1];
    UNROLLED (r, ROWS)
        UNROLLED (c, COUNT) {
            sum[r][c][0] = words(by.low + column + c * LANES), sum[r][c][1] = words(by.high + column + c * LANES);
            if constexpr (L == 2) sum[r][c][2] = Words{};
        }
    const std::int32_t* right = by.weights + place(pairs, 0, 0, column);
    const std::int64_t next = pairs * 2 * LANES;
    const Pair* left[L];
    UNROLLED (i, L) left[i] = reinterpret_cast<const Pair*>(from.rows[i] + row * from.stride);
    for (std::int64_t p = 0; p < pairs; ++p, right += 2 * LANES) {
        Words weight[COUNT][2];
        UNROLLED (c, COUNT)
            UNROLLED (w, 2) weight[c][w] = words(right + c * next + w * LANES);
        UNROLLED (r, ROWS)
            UNROLLED (i, L) {
                const Words one = all(left[i][r * (from.stride / 2) + p]);
                UNROLLED (c, COUNT)
                    UNROLLED (w, 2) add_products(sum[r][c][i + w], one, weight[c][w]);
            }
    }
    const int over = 2 * PIECE - by.shift;
    UNROLLED (r, ROWS)
        UNROLLED (c, COUNT) {
            const Words lower = sum[r][c][1] + (sum[r][c][0] >> PIECE);
            if constexpr (L == 1)
                out[r][c] = lower >> (by.shift - PIECE);
            else
                out[r][c] = over > 0 ? (sum[r][c][2] << over) + (lower >> (by.shift - PIECE))
                                     : (sum[r][c][2] + (lower >> PIECE)) >> -over;
        }
}

// Results of two rows, in W words each.
template <int W>
inline void put(Words one, Words other, const Block& to, std::int64_t row, std::int64_t column) {
    UNROLLED (w, W) {
        const Words half = all(1 << (PIECE - 1)), x_high = (one + half) >> PIECE, y_high = (other + half) >> PIECE;
        const Words x = W == 1 ? one : w ? x_high : one - (x_high << PIECE);
        const Words y = W == 1 ? other : w ? y_high : other - (y_high << PIECE);
        *reinterpret_cast<Shorts*>(to.rows[w] + row * to.stride + column) = __builtin_convertvector(x, Shorts);
        *reinterpret_cast<Shorts*>(to.rows[w] + (row + 1) * to.stride + column) = __builtin_convertvector(y, Shorts);
        *reinterpret_cast<Words*>(to.pairs[w] + row / 2 * to.stride + column) = (x & 0xffff) | (y << 16);
    }
}

// kept(row, column, sums): what a layer makes of its sums before limits, and -FLOOR … TOP are those.
template <int L, int W, bool SIGN, int ROWS, int COUNT, class Kept>
void panel(const Block& from, const Through& by, std::int64_t column, const Block& to, Reached& reached, Kept kept) {
    constexpr std::int32_t TOP = (1 << 17) - 1;
    Words most = {}, sum = {}, limited = {};
    for (std::int64_t row = 0; row < by.rows; row += ROWS) {
        Words out[ROWS][COUNT];
        sums_of<L, ROWS, COUNT>(from, row, by, column, out);
        UNROLLED (r, ROWS) {
            Words here = {};
            UNROLLED (c, COUNT) {
                Words x = kept(row + r, column + c * LANES, out[r][c]);
                if constexpr (W == 2) {
                    Words y = smaller(x, all(TOP));
                    if constexpr (SIGN) y = larger(y, all(-TOP - 1));
                    limited -= (x != y) & all(row + r < by.counted ? -1 : 0);
                    x = y;
                }
                const Words size = SIGN ? magnitudes(x) : x;
                most = larger(most, size), here += size, out[r][c] = x;
            }
            sum = larger(sum, here);
        }
        UNROLLED (r, ROWS / 2)
            UNROLLED (c, COUNT) put<W>(out[2 * r][c], out[2 * r + 1][c], to, row + 2 * r, column + c * LANES);
    }
    for (int i = 0; i < LANES; ++i) {
        reached.most = reached.most > most[i] ? reached.most : most[i];
        reached.sum += sum[i], reached.limited += limited[i];
    }
}

constexpr int ROWS = LANES == 16 ? 4 : 2;

template <int L, int W, bool SIGN, class Kept>
Reached through(const Block& from, const Through& by, const Block& to, Kept kept) {
    Reached reached{0, 0, 0};
    std::int64_t c = 0;
    for (; c + 2 * LANES <= units(by.columns); c += 2 * LANES)
        panel<L, W, SIGN, ROWS, 2>(from, by, c, to, reached, kept);
    if (c < units(by.columns)) panel<L, W, SIGN, ROWS, 1>(from, by, c, to, reached, kept);
    return reached;
}
template <bool SIGN, class Kept>
Reached through(const Block& from, const Through& by, const Block& to, Kept kept) {
    if (from.words == 1)
        return to.words == 1 ? through<1, 1, SIGN>(from, by, to, kept) : through<1, 2, SIGN>(from, by, to, kept);
    return to.words == 1 ? through<2, 1, SIGN>(from, by, to, kept) : through<2, 2, SIGN>(from, by, to, kept);
}

Reached blocks_forward(const Block& from, const Through& by, const Block& to) {
    return through<false>(from, by, to, [](std::int64_t, std::int64_t, Words x) { return larger(x, Words{}); });
}

Reached blocks_back(const Block& from, const Through& by, const Block& vector, const Block& to) {
    const std::int16_t *low = vector.rows[0], *high = vector.rows[1];
    const std::int64_t stride = vector.stride;
    if (vector.words == 1)
        return through<true>(from, by, to, [=](std::int64_t r, std::int64_t c, Words x) {
            return widened(low + r * stride + c) != 0 ? x : Words{};
        });
    return through<true>(from, by, to, [=](std::int64_t r, std::int64_t c, Words x) {
        const Words of = widened(low + r * stride + c) | widened(high + r * stride + c);
        return of != 0 ? x : Words{};
    });
}

// Sums of the lanes of COUNT registers, a lane each.
template <int STEP = 1, int... AT>
inline Words added(Words* x, std::integer_sequence<int, AT...> at) {
    if constexpr (STEP == LANES) {
        return x[0];
    } else {
        UNROLLED (k, LANES / STEP / 2) {
            const Words one = x[2 * k], other = x[2 * k + 1];
            x[k] = __builtin_shufflevector(one, other, (AT & STEP ? LANES + AT - STEP : AT)...) +
                   __builtin_shufflevector(one, other, (AT & STEP ? LANES + AT : AT + STEP)...);
        }
        return added<2 * STEP>(x, at);
    }
}

struct Limit {
    std::int32_t top;
    std::int64_t limited;
    double of(std::int32_t x) {
        const std::int32_t below = x < top ? x : top - 1, y = below > -top ? below : -top;
        limited += x != y;
        return y;
    }
};

// Of up to COLUMNS columns, whose sums of LANES / (2 * COLUMNS) rows fill a register.
template <int COLUMNS>
void few_outputs(const Block& from, const Through& by, Limit& limit, double* to, std::int64_t stride) {
    constexpr int SOME = LANES / (2 * COLUMNS);
    const std::int32_t* few = by.weights + behind(by.depth, by.columns);
    const std::int64_t deep = registers(by.depth);
    for (std::int64_t row = 0; row < by.counted; row += SOME) {
        Words sums[LANES], x[SOME];
        UNROLLED (i, LANES) sums[i] = Words{};
        for (std::int64_t k = 0; k < deep; ++k) {
            UNROLLED (r, SOME)
                x[r] = *reinterpret_cast<const Words*>(from.rows[0] + (row + r) * from.stride + k * DEEP);
            UNROLLED (o, 2 * COLUMNS) {
                const Words weight = words(few + (o * deep + k) * LANES);
                UNROLLED (r, SOME) add_products(sums[r * 2 * COLUMNS + o], x[r], weight);
            }
        }
        const Words found = added(sums, std::make_integer_sequence<int, LANES>{});
        alignas(64) std::int32_t each[LANES];
        *reinterpret_cast<Words*>(each) = found;
        for (std::int64_t r = 0; r < SOME && row + r < by.counted; ++r)
            for (std::int64_t o = 0; o < by.columns; ++o) {
                const std::int32_t* own = each + (r * COLUMNS + o) * 2;
                to[(row + r) * stride + o] =
                    limit.of((own[1] + by.high[o] + ((own[0] + by.low[o]) >> PIECE)) >> (by.shift - PIECE));
            }
    }
}

template <int L>
void many_outputs(const Block& from, const Through& by, Limit& limit, double* to, std::int64_t stride) {
    constexpr int HERE = 2 * ROWS;
    for (std::int64_t c = 0; c < by.columns; c += LANES)
        for (std::int64_t row = 0; row < by.counted; row += HERE) {
            Words out[HERE][1];
            sums_of<L, HERE, 1>(from, row, by, c, out);
            for (std::int64_t r = 0; r < HERE && row + r < by.counted; ++r)
                for (std::int64_t o = c; o < by.columns && o < c + LANES; ++o)
                    to[(row + r) * stride + o] = limit.of(out[r][0][o - c]);
        }
}

std::int64_t blocks_outputs(const Block& from, const Through& by, std::int32_t top, double* to, std::int64_t stride) {
    Limit limit{top, 0};
    if (from.words == 2)
        many_outputs<2>(from, by, limit, to, stride);
    else if (by.columns > FEW)
        many_outputs<1>(from, by, limit, to, stride);
    else if (by.columns == 1)
        few_outputs<1>(from, by, limit, to, stride);
    else if (LANES == 4 || by.columns > 2)
        few_outputs<FEW>(from, by, limit, to, stride);
    else
        few_outputs<2>(from, by, limit, to, stride);
    return limit.limited;
}

template <bool UPPER, int COUNT>
inline void add_words(const Words* of, double* to) {
    *reinterpret_cast<Doubles*>(to + (UPPER ? WIDE : 0)) += joined_words<UPPER, COUNT>(of, 1 << PIECE);
}

template <int A, int B, int OUTER, int COUNT>
void gradient_tile(const Block& outer, std::int64_t o, const Block& inner, std::int64_t column, std::int64_t first,
                   std::int64_t pairs, double* sums, std::int64_t stride) {
    Words sum[OUTER][COUNT][A + B - 1];
    UNROLLED (j, OUTER)
        UNROLLED (c, COUNT)
            UNROLLED (w, A + B - 1) sum[j][c][w] = Words{};
    for (std::int64_t p = first; p < first + pairs; ++p) {
        Words right[B][COUNT];
        UNROLLED (b, B)
            UNROLLED (c, COUNT) right[b][c] = words(inner.pairs[b] + p * inner.stride + column + c * LANES);
        UNROLLED (j, OUTER)
            UNROLLED (a, A) {
                const Words one = all(outer.pairs[a][p * outer.stride + o + j]);
                UNROLLED (b, B)
                    UNROLLED (c, COUNT) add_products(sum[j][c][a + b], one, right[b][c]);
            }
    }
    UNROLLED (j, OUTER)
        UNROLLED (c, COUNT) {
            double* to = sums + (o + j) * stride + column + c * LANES;
            add_words<false, A + B - 1>(sum[j][c], to), add_words<true, A + B - 1>(sum[j][c], to);
        }
}

template <int A, int B>
void gradient_of(const Block& outer, std::int64_t outers, const Block& inner, std::int64_t inners, std::int64_t first,
                 std::int64_t pairs, double* sums, std::int64_t stride) {
    constexpr int OUTER = LANES == 16 ? (A + B == 2 ? 8 : 4) : 2, COUNT = 2;
    std::int64_t c = 0;
    const auto column = [&]<int HERE>(std::integral_constant<int, HERE>) {
        std::int64_t o = 0;
        for (; o + OUTER <= outers; o += OUTER)
            gradient_tile<A, B, OUTER, HERE>(outer, o, inner, c, first, pairs, sums, stride);
        for (; o < outers; ++o) gradient_tile<A, B, 1, HERE>(outer, o, inner, c, first, pairs, sums, stride);
    };
    for (; c + COUNT * LANES <= units(inners); c += COUNT * LANES) column(std::integral_constant<int, COUNT>{});
    if (c < units(inners)) column(std::integral_constant<int, 1>{});
}

void blocks_gradient(const Block& outer, std::int64_t outers, const Block& inner, std::int64_t inners,
                     std::int64_t first, std::int64_t pairs, double* sums, std::int64_t stride) {
    const auto of = outer.words == 1   ? inner.words == 1 ? gradient_of<1, 1> : gradient_of<1, 2>
                      : inner.words == 1 ? gradient_of<2, 1>
                                       : gradient_of<2, 2>;
    of(outer, outers, inner, inners, first, pairs, sums, stride);
}

std::int64_t blocks_totals(const Block& of, std::int64_t columns, std::int64_t first, std::int64_t pairs,
                           double* sums) {
    std::int64_t most = 0;
    const Words ones = all(joined(1, 1));
    for (std::int64_t c = 0; c < units(columns); c += LANES)
        for (int w = 0; w < of.words; ++w) {
            Words sum = {}, sizes = {};
            for (std::int64_t p = first; p < first + pairs; ++p) {
                const Words x = words(of.pairs[w] + p * of.stride + c);
                const Halves halves = (Halves)x, size = halves > -halves ? halves : -halves;
                add_products(sum, x, ones);
                add_products(sizes, (Words)size, ones);
            }
            for (int i = 0; i < LANES; ++i) most = most > sizes[i] ? most : sizes[i];
            const double up = w ? 1 << PIECE : 1;
            *reinterpret_cast<Doubles*>(sums + c) += half_of<false>(sum) * up;
            *reinterpret_cast<Doubles*>(sums + c + WIDE) += half_of<true>(sum) * up;
        }
    return most;
}

}  // namespace

extern const BlockKernels blocks_kernels;
const BlockKernels blocks_kernels = {.room = blocks_room,
                                     .weights = blocks_weights,
                                     .forward = blocks_forward,
                                     .back = blocks_back,
                                     .outputs = blocks_outputs,
                                     .gradient = blocks_gradient,
                                     .totals = blocks_totals};

}  // namespace rlcores::RLCORES_ISA
