// products.cpp — products of whole-number matrices: bytes in AMX's tiles, or doubles.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/products_kernels.hpp"

#include <utility>

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

#if !defined(RLCORES_TILES)
extern const LearnerKernels learner_kernels;
#endif

namespace {

constexpr std::int64_t UNIT = PRODUCT_UNIT;

inline std::int64_t whole_units(std::int64_t n) { return (n + UNIT - 1) / UNIT * UNIT; }
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef std::int64_t EightLongs __attribute__((vector_size(64), aligned(8), may_alias));
typedef std::int32_t EightWords __attribute__((vector_size(32), aligned(4), may_alias));
inline Eight load(const double* from) { return *reinterpret_cast<const Eight*>(from); }
inline EightWords load(const std::int32_t* from) { return *reinterpret_cast<const EightWords*>(from); }

// --- sums, in blocks: each(sums, first row, rows, first column, behind the last one), columns in whole units;
// sums(row, column) are eight side by side, of a row and a column counted from the first ones ---

#if defined(RLCORES_TILES)

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
    // Nothing here writes what is read, so no memory is named.
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(TO));
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
void tile_sums(const Strip& of, std::int32_t* found) {
    constexpr int SUMS = A + B - 1, FREE = 8 - SUMS;
    repeat<SUMS>([]<int D>() { zero_tile<D>(); });
    const std::int64_t row = of.row, plane = of.plane;
    const std::byte *left = of.left, *right = of.right, *const end = left + of.depth * DEEP;
    for (; left != end; left += DEEP, right += B * TILE) {
        if constexpr (FREE > A) {
            repeat<A>([=]<int I>() { load_tile<SUMS + I>(left + I * plane, row); });
            repeat<B>([=]<int J>() {
                constexpr int AT = SUMS + A + J % (FREE - A);
                load_tile<AT>(right + J * TILE, 64);
                repeat<A>([&]<int I>() {
                    multiply_tiles<I + J, SUMS + I, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        } else {
            repeat<A>([=]<int I>() {
                load_tile<SUMS>(left + I * plane, row);
                repeat<B>([=]<int J>() {
                    constexpr int AT = SUMS + 1 + J % (FREE - 1);
                    load_tile<AT>(right + J * TILE, 64);
                    multiply_tiles<I + J, SUMS, AT, A_SIGN && I + 1 == A, B_SIGN && J + 1 == B>();
                });
            });
        }
    }
    repeat<SUMS>([=]<int D>() { store_tile<D>(found + D * UNIT * UNIT); });
}

// Eight sums, from the uppermost bytes down, so that what is there is a whole number below 2^53 at any time.
template <int SUMS>
struct Sums {
    const std::int32_t* found;
    Eight operator()(std::int64_t r, std::int64_t c) const {
        const auto at = [&](int d) { return __builtin_convertvector(load(found + (d * UNIT + r) * UNIT + c), Eight); };
        Eight sum = at(SUMS - 1);
        UNROLLED (d, SUMS - 1) sum = sum * 256.0 + at(SUMS - 2 - d);
        return sum;
    }
};

using TileSums = void (*)(const Strip&, std::int32_t*);

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

template <int SUMS, class Each>
void blocks_of(const Product& p, TileSums sums_of, Each each) {
    const std::int64_t depth = deep(p.depth), row = depth * DEEP, plane = whole_units(p.rows) * row;
    // Two in turn: the sums of a block are looked at while the tiles make those of the next one.
    alignas(64) std::int32_t found[2][SUMS * UNIT * UNIT];
    std::int64_t last_r = -1, last_c = 0;
    int turn = 0;
    const auto look = [&](const std::int32_t* at) {
        if (last_r >= 0)
            each(Sums<SUMS>{at}, last_r, p.rows - last_r < UNIT ? p.rows - last_r : UNIT, last_c, last_c + UNIT);
    };
    for (std::int64_t c = 0; c < p.columns; c += UNIT) {
        const std::byte* right = p.right.data + c / UNIT * depth * p.right.bytes * TILE;
        for (std::int64_t r = 0; r < p.rows; r += UNIT, turn ^= 1) {
            sums_of({p.left.data + r * row, row, plane, right, depth}, found[turn]);
            look(found[turn ^ 1]);
            last_r = r, last_c = c;
        }
    }
    look(found[turn ^ 1]);
}

template <class Each>
void blocks(const Product& p, Each each) {
    const TileConfig config;
    asm volatile("ldtilecfg %0" ::"m"(config) : "memory");
    const TileSums sums_of = tile_sums_of(p.left, p.right);
    switch (p.left.bytes + p.right.bytes - 1) {
        case 3: blocks_of<3>(p, sums_of, each); break;
        case 4: blocks_of<4>(p, sums_of, each); break;
        case 5: blocks_of<5>(p, sums_of, each); break;
        default: blocks_of<6>(p, sums_of, each);
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
    const double* sums = p.scratch;
    each([=](std::int64_t r, std::int64_t c) { return load(sums + r * stride + c); }, 0, p.rows, 0, stride);
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

#if defined(__AVX512F__)
inline Eight floor_of(Eight x) {
    return (Eight)_mm512_maskz_roundscale_pd(0xff, (__m512d)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
inline Eight larger(Eight a, Eight b) { return (Eight)_mm512_maskz_max_pd(0xff, (__m512d)a, (__m512d)b); }
inline Eight smaller(Eight a, Eight b) { return (Eight)_mm512_maskz_min_pd(0xff, (__m512d)a, (__m512d)b); }
#else
constexpr double NEAR = 6755399441055744.0;  // 1.5 * 2**52: adding it rounds to a whole number
inline Eight floor_of(Eight x) {
    const Eight near = (x + NEAR) - NEAR;
    return near > x ? near - 1.0 : near;
}
inline Eight larger(Eight a, Eight b) { return a > b ? a : b; }
inline Eight smaller(Eight a, Eight b) { return a < b ? a : b; }
#endif
inline Eight all(double x) { return Eight{} + x; }

// The largest and the smallest of numbers that are looked at eight by eight.
struct Range {
    Eight high = all(-0x1p100), low = all(0x1p100);
    void see(Eight x) { high = larger(high, x), low = smaller(low, x); }
    double most() const {
        double found = high[0];
        for (int i = 1; i < 8; ++i) found = found > high[i] ? found : high[i];
        return found;
    }
    double least() const {
        double found = low[0];
        for (int i = 1; i < 8; ++i) found = found < low[i] ? found : low[i];
        return found;
    }
};
inline std::int64_t counted(EightLongs marks) {
    std::int64_t sum = 0;
    for (int i = 0; i < 8; ++i) sum -= marks[i];
    return sum;
}
inline std::int32_t largest(double low, double high) { return static_cast<std::int32_t>(high > -low ? high : -low); }

template <bool BIAS, bool MASK, bool RECTIFY>
Told narrowed(const Product& product, const Outcome& to) {
    const Narrow by = to.by;
    const Eight scale = all(by.scale), low = all(RECTIFY ? 0.0 : -by.top), high = all(by.top - 1.0);
    alignas(64) double start[BIAS ? PRODUCT_DEPTH + UNIT : 1];
    if constexpr (BIAS)
        for (std::int64_t c = 0; c < whole_units(product.columns); ++c) start[c] = to.bias[c] * by.scale + by.half;
    const Eight half = all(by.half);
    Range wides, kept;
    EightLongs limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        Range wide_here = wides, kept_here = kept;
        EightLongs limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += 8) {
                const Eight wide = sums(r, c - c0) * scale + (BIAS ? load(start + c) : half);
                wide_here.see(wide);
                Eight x = floor_of(wide);
                if constexpr (MASK) {
                    const EightWords of = load(to.mask + (r0 + r) * to.mask_stride + c);
                    x = __builtin_convertvector(of, Eight) > 0.0 ? x : Eight{};
                    kept_here.see(x);
                }
                // What is rectified is not limited.
                limited_here += RECTIFY ? x > high : (x > high) | (x < low);
                const Eight y = smaller(larger(x, low), high);
                *reinterpret_cast<EightWords*>(to.out + (r0 + r) * to.stride + c) =
                    __builtin_convertvector(y, EightWords);
            }
        wides = wide_here, kept = kept_here, limited = limited_here;
    });
    const Range& ends = MASK ? kept : wides;
    const Eight reached = smaller(larger(floor_of(Eight{ends.least(), ends.most()}), low), high);
    return {counted(limited), largest(reached[0], reached[1]), wides.most() <= by.safe && wides.least() >= -by.safe};
}

Told products_narrow(const Product& product, const Outcome& to) {
    if (to.bias)
        return to.by.rectify ? narrowed<true, false, true>(product, to) : narrowed<true, false, false>(product, to);
    return narrowed<false, true, false>(product, to);
}

// Eight numbers into a row that has no padding.
inline void put(Eight x, std::int64_t* row, std::int64_t c, std::int64_t columns) {
    const auto whole = __builtin_convertvector(x, EightLongs);
    if (c + 8 <= columns) {
        *reinterpret_cast<EightLongs*>(row + c) = whole;
    } else {
        for (std::int64_t i = c; i < columns; ++i) row[i] = whole[i - c];
    }
}

Told products_wide(const Product& product, Narrow by, std::int64_t* out) {
    Range wides;
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += 8) {
                const Eight wide = sums(r, c - c0) * by.scale + by.half;
                wides.see(wide);
                put(floor_of(wide), out + (r0 + r) * product.columns, c, product.columns);
            }
    });
    return {0, 0, wides.most() <= by.safe && wides.least() >= -by.safe};
}

Told products_gradient(const Product& product, double scale, double half, bool squared, std::int64_t* found) {
    constexpr double TOP = (1 << 26) - 1;
    // Rounded half up, so one less goes below.
    const Eight edge = all(squared ? TOP - 256 : TOP), least = all(squared ? 255 - TOP : -TOP);
    Range exacts;
    EightLongs limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        Range here = exacts;
        EightLongs limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += 8) {
                const Eight exact = floor_of(sums(r, c - c0) * scale + half);
                here.see(exact);
                limited_here += (exact > edge) | (exact < least);
                put(smaller(larger(exact, all(-TOP)), all(TOP)), found + (r0 + r) * product.columns, c,
                    product.columns);
            }
        exacts = here, limited = limited_here;
    });
    const Eight reached = smaller(larger(Eight{exacts.least(), exacts.most()}, all(-TOP)), all(TOP));
    return {counted(limited), largest(reached[0], reached[1]), true};
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
