// products.cpp — products of whole-number matrices: bytes in AMX's tiles, or doubles.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/products_kernels.hpp"

#include <utility>

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

#if !defined(__AMX_INT8__)
extern const LearnerKernels learner_kernels;
#endif

namespace {

constexpr std::int64_t UNIT = PRODUCT_UNIT;
constexpr double NEAR = 6755399441055744.0;  // 1.5 * 2**52: adding it rounds to a whole number
constexpr std::int32_t GRADIENT_TOP = (1 << 26) - 1;

inline std::int64_t whole_units(std::int64_t n) { return (n + UNIT - 1) / UNIT * UNIT; }
inline double floor_of(double x) {
    const double near = (x + NEAR) - NEAR;
    return near > x ? near - 1.0 : near;
}
inline std::int32_t magnitude(std::int32_t x) { return x < 0 ? -x : x; }

// --- sums, in blocks: each(sums, stride, first row, rows, first column, columns) ---

#if defined(__AMX_INT8__)

// 16 rows of 64 bytes, all of them.
struct TileConfig {
    std::uint8_t palette = 1, start = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

constexpr std::int64_t DEEP = 64, TILE = 1024;  // numbers of the sum in a tile; bytes of a tile
inline std::int64_t deep(std::int64_t n) { return (n + DEEP - 1) / DEEP; }

template <int TO>
inline void zero_tile() {
    asm volatile("tilezero %%tmm%c0" ::"i"(TO));
}
template <int TO>
inline void load_tile(const std::byte* from, std::int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(TO) : "memory");
}
template <int FROM>
inline void store_tile(std::int32_t* to) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(std::int64_t{64}), "i"(FROM) : "memory");
}
template <int TO, int A, int B, bool A_SIGN, bool B_SIGN>
inline void multiply_tiles() {
    if constexpr (A_SIGN && B_SIGN)
        asm volatile("tdpbssd %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else if constexpr (A_SIGN)
        asm volatile("tdpbsud %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else if constexpr (B_SIGN)
        asm volatile("tdpbusd %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
    else
        asm volatile("tdpbuud %%tmm%c0, %%tmm%c1, %%tmm%c2" ::"i"(B), "i"(A), "i"(TO));
}
template <int COUNT, class Do>
inline void repeat(Do what) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (what.template operator()<I>(), ...); }
    (std::make_integer_sequence<int, COUNT>{});
}

struct Strip {
    const std::byte* left;  // its first byte; others `plane` behind each other
    std::int64_t row, plane;
    const std::byte* right;
    std::int64_t depth;  // tiles
};

// Sums of bytes i and j of the sides are those of 256^(i + j): a tile each. All bytes but a number's last are unsigned.
template <int A, bool A_SIGN, int B, bool B_SIGN>
void tile_sums(const Strip& of, double* sums) {
    constexpr int SUMS = A + B - 1, FREE = 8 - SUMS;
    repeat<SUMS>([&]<int D>() { zero_tile<D>(); });
    const std::byte *left = of.left, *right = of.right;
    for (std::int64_t k = 0; k < of.depth; ++k, left += DEEP, right += B * TILE) {
        if constexpr (FREE > A) {
            repeat<A>([&]<int I>() { load_tile<SUMS + I>(left + I * of.plane, of.row); });
            repeat<B>([&]<int J>() {
                constexpr int AT = SUMS + A + J % (FREE - A);
                load_tile<AT>(right + J * TILE, 64);
                repeat<A>([&]<int I>() {
                    multiply_tiles<I + J, SUMS + I, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        } else {
            repeat<A>([&]<int I>() {
                load_tile<SUMS>(left + I * of.plane, of.row);
                repeat<B>([&]<int J>() {
                    constexpr int AT = SUMS + 1 + J % (FREE - 1);
                    load_tile<AT>(right + J * TILE, 64);
                    multiply_tiles<I + J, SUMS, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        }
    }
    alignas(64) std::int32_t found[SUMS][UNIT * UNIT];
    repeat<SUMS>([&]<int D>() { store_tile<D>(found[D]); });
    // From the top, so that what is there is a whole number below 2^53 at any time.
    INDEPENDENT (i, UNIT * UNIT) {
        double sum = found[SUMS - 1][i];
        UNROLLED (d, SUMS - 1) sum = sum * 256.0 + found[SUMS - 2 - d][i];
        sums[i] = sum;
    }
}

using TileSums = void (*)(const Strip&, double*);

template <int A, bool A_SIGN, int B>
TileSums tile_sums_of(bool b_sign) {
    return b_sign ? tile_sums<A, A_SIGN, B, true> : tile_sums<A, A_SIGN, B, false>;
}
template <int A, bool A_SIGN>
TileSums tile_sums_of(const Side& right) {
    return right.bytes == 2   ? tile_sums_of<A, A_SIGN, 2>(right.sign)
           : right.bytes == 3 ? tile_sums_of<A, A_SIGN, 3>(right.sign)
                              : tile_sums_of<A, A_SIGN, 4>(right.sign);
}
TileSums tile_sums_of(const Side& left, const Side& right) {
    if (left.bytes == 2) return left.sign ? tile_sums_of<2, true>(right) : tile_sums_of<2, false>(right);
    return left.sign ? tile_sums_of<3, true>(right) : tile_sums_of<3, false>(right);
}

template <class Each>
void blocks(const Product& p, Each each) {
    const TileConfig config;
    asm volatile("ldtilecfg %0" ::"m"(config));
    const TileSums sums_of = tile_sums_of(p.left, p.right);
    const std::int64_t depth = deep(p.depth), row = depth * DEEP, plane = whole_units(p.rows) * row;
    alignas(64) double sums[UNIT * UNIT];
    for (std::int64_t c = 0; c < p.columns; c += UNIT) {
        const std::byte* right = p.right.data + c / UNIT * depth * p.right.bytes * TILE;
        for (std::int64_t r = 0; r < p.rows; r += UNIT) {
            sums_of({p.left.data + r * row, row, plane, right, depth}, sums);
            each(sums, UNIT, r, p.rows - r < UNIT ? p.rows - r : UNIT, c, p.columns - c < UNIT ? p.columns - c : UNIT);
        }
    }
    asm volatile("tilerelease");
}

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, int bytes) {
    return whole_units(rows) * deep(depth) * DEEP * bytes;
}
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, int bytes) {
    return whole_units(columns) / UNIT * deep(depth) * TILE * bytes;
}

// What lies behind the depth meets zeros of the right side.
void products_left(Numbers from, Side to) {
    const std::int64_t row = deep(from.columns) * DEEP, plane = whole_units(from.rows) * row;
    for (int b = 0; b < to.bytes; ++b)
        for (std::int64_t r = 0; r < from.rows; ++r) {
            const std::int32_t* x = from.data + r * from.stride;
            auto* out = reinterpret_cast<std::int8_t*>(to.data) + b * plane + r * row;
            INDEPENDENT (k, from.columns) out[k] = static_cast<std::int8_t>(x[k] >> 8 * b);
        }
}

// A word has the same byte of four neighbours of the sum.
void products_right(Numbers from, Side to) {
    alignas(64) static constexpr std::int32_t NONE[UNIT] = {};
    const std::int64_t tiles = deep(from.rows), strip = tiles * to.bytes * TILE;
    for (std::int64_t k = 0; k < tiles * DEEP; k += 4) {
        const std::int32_t* x[4];
        std::int64_t step[4];
        for (int q = 0; q < 4; ++q) {
            const bool there = k + q < from.rows;
            x[q] = there ? from.data + (k + q) * from.stride : NONE, step[q] = there ? UNIT : 0;
        }
        std::byte* out = to.data + k / DEEP * to.bytes * TILE + k % DEEP * UNIT;
        for (std::int64_t c = 0; c < from.columns; c += UNIT, out += strip) {
            for (int b = 0; b < to.bytes; ++b) {
                auto* word = reinterpret_cast<std::uint32_t*>(out + b * TILE);
                const int drop = 8 * b;
                INDEPENDENT (i, UNIT) {
                    const auto byte = [&](int q) { return static_cast<std::uint32_t>(x[q][i]) >> drop & 255; };
                    word[i] = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
                }
            }
            for (int q = 0; q < 4; ++q) x[q] += step[q];
        }
    }
}

#else

template <class Each>
void blocks(const Product& p, Each each) {
    const std::int64_t stride = whole_units(p.columns);
    learner_kernels.dense(reinterpret_cast<const double*>(p.left.data), whole_units(p.depth), p.rows, p.depth,
                          reinterpret_cast<const double*>(p.right.data), stride, stride, p.scratch, stride);
    for (std::int64_t r = 0; r < p.rows; ++r) each(p.scratch + r * stride, stride, r, 1, 0, p.columns);
}

std::int64_t products_left_room(std::int64_t rows, std::int64_t depth, int) { return rows * whole_units(depth) * 8; }
std::int64_t products_right_room(std::int64_t depth, std::int64_t columns, int) {
    return depth * whole_units(columns) * 8;
}

void products_left(Numbers from, Side to) {
    const std::int64_t stride = whole_units(from.columns);
    for (std::int64_t r = 0; r < from.rows; ++r) {
        const std::int32_t* x = from.data + r * from.stride;
        double* out = reinterpret_cast<double*>(to.data) + r * stride;
        INDEPENDENT (k, stride) out[k] = x[k];
    }
}
void products_right(Numbers from, Side to) { products_left(from, to); }

#endif

// --- what becomes of them ---

Told products_narrow(const Product& product, const Outcome& to) {
    Told told;
    const Narrow by = to.by;
    const double low = -by.top, high = by.top - 1.0, least = by.rectify ? 0.0 : -0x1p60;
    std::int64_t unsafe = 0, limited = 0;
    std::int32_t most = 0;
    blocks(product, [&](const double* sums, std::int64_t stride, std::int64_t r0, std::int64_t rows, std::int64_t c0,
                        std::int64_t columns) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const double* row = sums + r * stride;
            std::int32_t* out = to.out + (r0 + r) * to.stride + c0;
            std::int32_t wrong = 0, cut = 0, top = 0;
            const auto all = [&](auto sum, auto kept) {
                const auto one = [&](std::int64_t c) {
                    const double wide = sum(c) * by.scale + by.half;
                    wrong += (wide > by.safe) | (wide < -by.safe);
                    const double whole = kept(c, floor_of(wide)), x = whole < least ? least : whole;
                    const double below = x > high ? high : x, y = below < low ? low : below;
                    cut += x != y;
                    const auto code = static_cast<std::int32_t>(y);
                    out[c] = code;
                    top = top > magnitude(code) ? top : magnitude(code);
                };
                if (columns == UNIT)
                    INDEPENDENT (c, UNIT) one(c);
                else
                    INDEPENDENT (c, columns) one(c);
            };
            const auto as_it_is = [](std::int64_t, double x) { return x; };
            const auto bare = [&](std::int64_t c) { return row[c]; };
            if (to.bias) {
                const double* bias = to.bias + c0;
                all([&](std::int64_t c) { return row[c] + bias[c]; }, as_it_is);
            } else if (to.mask) {
                const std::int32_t* mask = to.mask + (r0 + r) * to.mask_stride + c0;
                all(bare, [&](std::int64_t c, double x) { return mask[c] > 0 ? x : 0.0; });
            } else {
                all(bare, as_it_is);
            }
            unsafe += wrong, limited += cut, most = most > top ? most : top;
        }
    });
    told.safe = !unsafe, told.limited = limited, told.most = most;
    return told;
}

Told products_wide(const Product& product, Narrow by, std::int64_t* out) {
    Told told;
    blocks(product, [&](const double* sums, std::int64_t stride, std::int64_t r0, std::int64_t rows, std::int64_t c0,
                        std::int64_t columns) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) {
                const double wide = sums[r * stride + c] * by.scale + by.half;
                told.safe &= wide <= by.safe && wide >= -by.safe;
                out[(r0 + r) * product.columns + c0 + c] = static_cast<std::int64_t>(floor_of(wide));
            }
    });
    return told;
}

Told products_gradient(const Product& product, double scale, double half, bool squared, std::int64_t* found) {
    const double top = GRADIENT_TOP, edge = squared ? top - 256 : top;
    const double least = squared ? 255 - top : -top;  // rounded half up, so one less goes below
    std::int64_t limited = 0;
    std::int32_t most = 0;
    blocks(product, [&](const double* sums, std::int64_t stride, std::int64_t r0, std::int64_t rows, std::int64_t c0,
                        std::int64_t columns) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const double* row = sums + r * stride;
            std::int64_t* out = found + (r0 + r) * product.columns + c0;
            std::int32_t cut = 0, here = 0;
            const auto one = [&](std::int64_t c) {
                const double exact = floor_of(row[c] * scale + half);
                cut += (exact > edge) | (exact < least);
                const double below = exact < top ? exact : top, y = below > -top ? below : -top;
                const auto code = static_cast<std::int32_t>(y);
                out[c] = code;
                here = here > magnitude(code) ? here : magnitude(code);
            };
            if (columns == UNIT)
                INDEPENDENT (c, UNIT) one(c);
            else
                INDEPENDENT (c, columns) one(c);
            limited += cut, most = most > here ? most : here;
        }
    });
    return {limited, most, true};
}

// --- numbers on their way ---

constexpr int LANES = REGISTER / 4;
template <int STEP, bool ODD, int... AT>
inline Words every_other(Words one, Words other, std::integer_sequence<int, AT...>) {
    return __builtin_shufflevector(one, other, (AT & STEP ? LANES + AT - (ODD ? 0 : STEP) : AT + (ODD ? STEP : 0))...);
}
template <int STEP>
inline void exchange(Words (&x)[LANES]) {
    constexpr std::make_integer_sequence<int, LANES> at;
    UNROLLED (k, LANES)
        if (!(k & STEP)) {
            const Words one = x[k], other = x[k + STEP];
            x[k] = every_other<STEP, false>(one, other, at), x[k + STEP] = every_other<STEP, true>(one, other, at);
        }
}

void products_turn(Numbers from, std::int32_t* to, std::int64_t stride) {
    for (std::int64_t r = 0; r < whole_units(from.rows); r += LANES)
        for (std::int64_t c = 0; c < whole_units(from.columns); c += LANES) {
            Words x[LANES];
            UNROLLED (k, LANES) x[k] = *reinterpret_cast<const Words*>(from.data + (r + k) * from.stride + c);
            exchange<1>(x);
            if constexpr (LANES > 2) exchange<2>(x);
            if constexpr (LANES > 4) exchange<4>(x);
            if constexpr (LANES > 8) exchange<8>(x);
            UNROLLED (k, LANES) *reinterpret_cast<Words*>(to + (c + k) * stride + r) = x[k];
        }
}

std::int64_t products_take(const std::int64_t* from, std::int64_t rows, std::int64_t columns, int shift,
                           std::int32_t* to, std::int64_t stride) {
    std::uint64_t bits = 0;
    for (std::int64_t r = 0; r < rows; ++r)
        INDEPENDENT (c, columns) {
            const std::int64_t x = from[r * columns + c] >> shift;
            to[r * stride + c] = static_cast<std::int32_t>(x);
            bits |= static_cast<std::uint64_t>(x ^ x >> 63);
        }
    return static_cast<std::int64_t>(bits);
}

void products_totals(Numbers from, double* sums) {
    for (std::int64_t c = 0; c < whole_units(from.columns); ++c) sums[c] = 0.0;
    for (std::int64_t r = 0; r < from.rows; ++r)
        INDEPENDENT (c, from.columns) sums[c] += from.data[r * from.stride + c];
}

}  // namespace

extern const ProductKernels products_kernels;
const ProductKernels products_kernels = {.left_room = products_left_room,
                                         .right_room = products_right_room,
                                         .left = products_left,
                                         .right = products_right,
                                         .turn = products_turn,
                                         .take = products_take,
                                         .totals = products_totals,
                                         .narrow = products_narrow,
                                         .wide = products_wide,
                                         .gradient = products_gradient};

}  // namespace rlcores::RLCORES_ISA
