// products.cpp — products of whole-number matrices, and what becomes of their sums.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/products_kernels.hpp"

#include <algorithm>
#include <cmath>
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
// Bits of the largest magnitude, without a sign.
[[maybe_unused]] inline int width_of(std::int64_t most) {
    return 64 - __builtin_clzll(static_cast<unsigned long long>(most) | 1);
}
inline Doubles load(const double* from) { return *reinterpret_cast<const Doubles*>(from); }
inline Ints load(const std::int32_t* from) { return *reinterpret_cast<const Ints*>(from); }

// Digits of a sum, in bits: the weight of the uppermost one; that of the one to which the lower part of what is added
// to a sum goes; and how many bits below the uppermost one are looked at.
struct Digits {
    int top, lower, below;
};
// The uppermost digit, with all that is carried to it, and the bits below it.
struct Carried {
    Words top, below;
};

}  // namespace
}  // namespace rlcores::RLCORES_ISA

// Packed sides, and sums in blocks: each(sums, first row, rows, first column, behind the last one), in all whole units
// of columns; sums(row, column) are a register of them, of a row and a column counted from the first ones.
#if defined(RLCORES_TILES)
#include "kernels/products_tiles.hpp"
#elif defined(__SSE2__)
#include "kernels/products_words.hpp"
#else
#include "kernels/products_doubles.hpp"
#endif

#if defined(__SSE2__)
#include "kernels/products_carried.hpp"
#endif

namespace rlcores::RLCORES_ISA {
namespace {

// --- what becomes of the sums ---

inline Doubles all(double x) { return Doubles{} + x; }

// The largest and the smallest of numbers that are looked at a register at a time.
struct Range {
    Doubles high = all(-0x1p100), low = all(0x1p100);
    void see(Doubles x) { high = larger(high, x), low = smaller(low, x); }
    double most() const {
        double found = high[0];
        for (int i = 1; i < WIDE; ++i) found = found > high[i] ? found : high[i];
        return found;
    }
    double least() const {
        double found = low[0];
        for (int i = 1; i < WIDE; ++i) found = found < low[i] ? found : low[i];
        return found;
    }
};
inline std::int64_t counted(Longs marks) {
    std::int64_t sum = 0;
    for (int i = 0; i < WIDE; ++i) sum -= marks[i];
    return sum;
}
// The larger magnitude of two numbers, each a whole number within these ends.
inline std::int32_t largest(const Range& seen, Doubles low, Doubles high) {
    const Doubles ends = smaller(larger(floor_of(Doubles{seen.least(), seen.most()}), low), high);
    return static_cast<std::int32_t>(ends[1] > -ends[0] ? ends[1] : -ends[0]);
}

template <bool BIAS, bool MASK, bool RECTIFY>
Told narrowed(const Product& product, const Outcome& to) {
    const Narrow by = to.by;
    const Doubles scale = all(by.scale), low = all(RECTIFY ? 0.0 : -by.top), high = all(by.top - 1.0);
    alignas(64) double start[BIAS ? PRODUCT_DEPTH + UNIT : 1];
    if constexpr (BIAS)
        for (std::int64_t c = 0; c < whole_units(product.columns); ++c) start[c] = to.bias[c] * by.scale + by.half;
    const Doubles half = all(by.half);
    Range wides, kept;
    Longs limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        Range wide_here = wides, kept_here = kept;
        Longs limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += WIDE) {
                const Doubles wide = sums(r, c - c0) * scale + (BIAS ? load(start + c) : half);
                wide_here.see(wide);
                Doubles x = floor_of(wide);
                if constexpr (MASK) {
                    const Ints of = load(to.mask + (r0 + r) * to.mask_stride + c);
                    x = __builtin_convertvector(of, Doubles) > 0.0 ? x : Doubles{};
                    kept_here.see(x);
                }
                // What is rectified is not limited.
                limited_here += RECTIFY ? x > high : (x > high) | (x < low);
                const Doubles y = smaller(larger(x, low), high);
                *reinterpret_cast<Ints*>(to.out + (r0 + r) * to.stride + c) = __builtin_convertvector(y, Ints);
            }
        wides = wide_here, kept = kept_here, limited = limited_here;
    });
    return {counted(limited), largest(MASK ? kept : wides, low, high),
            wides.most() <= by.safe && wides.least() >= -by.safe};
}

Told products_narrow(const Product& product, const Outcome& to) {
#if defined(__SSE2__)
    Starts starts;
    const double unit = 1 / to.by.scale;
    const auto start = [&](std::int64_t c) { return (to.bias ? to.bias[c] : 0.0) + to.by.half * unit; };
    if (const Carries by =
            carries_of(product, to.by.scale, to.bias ? whole_units(product.columns) : UNIT, start, starts);
        by.hold) {
        if (to.bias)
            return to.by.rectify ? narrowed_carried<true, false, true>(product, to, by, starts)
                                 : narrowed_carried<true, false, false>(product, to, by, starts);
        return narrowed_carried<false, true, false>(product, to, by, starts);
    }
#endif
    if (to.bias)
        return to.by.rectify ? narrowed<true, false, true>(product, to) : narrowed<true, false, false>(product, to);
    return narrowed<false, true, false>(product, to);
}

// Whole numbers of less than 52 bits into a row that has no padding.
inline void put(Doubles x, std::int64_t* row, std::int64_t c, std::int64_t columns) {
    const Longs whole = (Longs)(x + ROUND) - (Longs)all(ROUND);
    if (c + WIDE <= columns) {
        *reinterpret_cast<Longs*>(row + c) = whole;
    } else {
        for (std::int64_t i = c; i < columns; ++i) row[i] = whole[i - c];
    }
}

Told products_wide(const Product& product, Narrow by, std::int64_t* out) {
    Range wides;
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += WIDE) {
                const Doubles wide = sums(r, c - c0) * by.scale + by.half;
                wides.see(wide);
                put(floor_of(wide), out + (r0 + r) * product.columns, c, product.columns);
            }
    });
    return {0, 0, wides.most() <= by.safe && wides.least() >= -by.safe};
}

Told products_gradient(const Product& product, double scale, double half, bool squared, std::int64_t* found) {
#if defined(__SSE2__)
    Starts starts;
    if (const Carries by = carries_of(
            product, scale, UNIT, [&](std::int64_t) { return half / scale; }, starts);
        by.hold)
        return gradient_carried(product, by, starts, squared, found);
#endif
    constexpr double TOP = (1 << 26) - 1;
    // Rounded half up, so one less goes below.
    const Doubles edge = all(squared ? TOP - 256 : TOP), least = all(squared ? 255 - TOP : -TOP);
    Range exacts;
    Longs limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c0, std::int64_t c1) {
        Range here = exacts;
        Longs limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = c0; c < c1; c += WIDE) {
                const Doubles exact = floor_of(sums(r, c - c0) * scale + half);
                here.see(exact);
                limited_here += (exact > edge) | (exact < least);
                put(smaller(larger(exact, all(-TOP)), all(TOP)), found + (r0 + r) * product.columns, c,
                    product.columns);
            }
        exacts = here, limited = limited_here;
    });
    return {counted(limited), largest(exacts, all(-TOP), all(TOP)), true};
}

// --- numbers on their way ---

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
