// products_carried.hpp — what becomes of sums of tiles, in whole numbers of 32 bits, a register of columns at once.
//
// A sum has digits of weights 1, 256, 256^2, … that need more than 8 bits each. floor((sum + start) / 2^shift) is made
// from the lowest one up: what a digit has above its 8 bits goes to the next one, and the bits below `shift` are left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

static_assert(LANES == UNIT);

inline Words larger(Words a, Words b) { return (Words)_mm512_maskz_max_epi32(0xffff, (__m512i)a, (__m512i)b); }
inline Words smaller(Words a, Words b) { return (Words)_mm512_maskz_min_epi32(0xffff, (__m512i)a, (__m512i)b); }

// The digit to which the lower part of what is added to a sum goes, and how many bits below the uppermost digit's are
// looked at: more where numbers have more bytes, as then the result's lowest bit is further down.
constexpr int lower_digit(int top) { return top < 4 ? top - 2 : top - 3; }
constexpr int bits_below(int top) { return top < 4 ? 8 : 16; }

// What is added to the sums of a register of columns: units of the uppermost digit, and of the lower one.
struct Starts {
    alignas(64) std::int32_t upper[PRODUCT_DEPTH + UNIT], lower[PRODUCT_DEPTH + UNIT];
};

struct Carries {
    bool hold = false;  // all numbers on the way fit 32 bits, and nothing of a start is lost
    int up = 0, down = 0, below = 0;
};

// start(c): whole numbers, of `columns` columns in whole units.
template <class Start>
Carries carries_of(const Product& p, double scale, std::int64_t columns, Start start, Starts& to) {
    const int top = bytes_of(p.left) + bytes_of(p.right) - 2;
    const int shift = -std::ilogb(scale), unit = 8 * top, lower = 8 * lower_digit(top);
    if (shift < unit - bits_below(top) || shift > unit + 31) return {};
    std::int64_t lost = 0, most = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
        const auto x = static_cast<std::int64_t>(start(c));
        lost |= x & ((std::int64_t{1} << lower) - 1);
        most = std::max(most, x < 0 ? -x : x);
        to.upper[c] = static_cast<std::int32_t>(x >> unit);
        to.lower[c] = static_cast<std::int32_t>((x & ((std::int64_t{1} << unit) - 1)) >> lower);
    }
    // A number below 0 may be one more than the bits of its magnitude say.
    const double bound =
        static_cast<double>(p.depth) * static_cast<double>(p.left.most + 1) * static_cast<double>(p.right.most + 1) +
        static_cast<double>(most);
    const double room = std::ldexp(1.0, (shift < unit ? shift : unit) + 30);
    return {lost == 0 && bound < room, std::max(unit - shift, 0), std::max(shift - unit, 0),
            std::min(shift - unit + bits_below(top), 31)};
}

template <int SUMS>
inline Words carried(const Sums<SUMS>& sums, std::int64_t r, const Carries& by, Words upper, Words lower) {
    constexpr int TOP = SUMS - 1;
    const auto at = [&](int d) { return *reinterpret_cast<const Words*>(sums.found + (d * UNIT + r) * UNIT); };
    Words digits[TOP];
    UNROLLED (d, TOP) {
        digits[d] = at(d);
        if (d) digits[d] += digits[d - 1] >> 8;
        if (d == lower_digit(TOP)) digits[d] += lower;
    }
    Words below = digits[TOP - 1] & 255;
    if constexpr (bits_below(TOP) > 8) below = below << 8 | (digits[TOP - 2] & 255);
    const Words top = at(TOP) + upper + (digits[TOP - 1] >> 8);
    return ((top << by.up) >> by.down) + (below >> by.below);
}

struct WholeRange {
    Words high = Words{} + INT32_MIN, low = Words{} + INT32_MAX;
    void see(Words x) { high = larger(high, x), low = smaller(low, x); }
    std::int32_t most() const {
        std::int32_t found = high[0];
        for (int i = 1; i < LANES; ++i) found = std::max(found, high[i]);
        return found;
    }
    std::int32_t least() const {
        std::int32_t found = low[0];
        for (int i = 1; i < LANES; ++i) found = std::min(found, low[i]);
        return found;
    }
};
inline std::int64_t counted(Words marks) {
    std::int64_t sum = 0;
    for (int i = 0; i < LANES; ++i) sum -= marks[i];
    return sum;
}
// The larger magnitude of two numbers, each within these ends.
inline std::int32_t largest(const WholeRange& seen, std::int32_t low, std::int32_t high) {
    const std::int32_t least = std::clamp(seen.least(), low, high), most = std::clamp(seen.most(), low, high);
    return std::max(most, -least);
}

template <bool BIAS, bool MASK, bool RECTIFY>
Told narrowed_carried(const Product& product, const Outcome& to, const Carries& by, const Starts& starts) {
    const auto top = static_cast<std::int32_t>(to.by.top);
    const std::int32_t least = RECTIFY ? 0 : -top, most = top - 1;
    const Words low = Words{} + least, high = Words{} + most;
    WholeRange wides, kept;
    Words limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c, std::int64_t) {
        const std::int64_t at = BIAS ? c : 0;
        const Words upper = *reinterpret_cast<const Words*>(starts.upper + at);
        const Words lower = *reinterpret_cast<const Words*>(starts.lower + at);
        WholeRange wide_here = wides, kept_here = kept;
        Words limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r) {
            Words x = carried(sums, r, by, upper, lower);
            wide_here.see(x);
            if constexpr (MASK) {
                const Words of = *reinterpret_cast<const Words*>(to.mask + (r0 + r) * to.mask_stride + c);
                x = of > 0 ? x : Words{};
                kept_here.see(x);
            }
            limited_here += RECTIFY ? x > high : (x > high) | (x < low);
            *reinterpret_cast<Words*>(to.out + (r0 + r) * to.stride + c) = smaller(larger(x, low), high);
        }
        wides = wide_here, kept = kept_here, limited = limited_here;
    });
    // One less, for what a floor does not show.
    const double safe = to.by.safe - 1;
    return {counted(limited), largest(MASK ? kept : wides, least, most),
            wides.most() <= safe && wides.least() >= -safe};
}

Told gradient_carried(const Product& product, const Carries& by, const Starts& starts, bool squared,
                      std::int64_t* found) {
    constexpr std::int32_t TOP = (1 << 26) - 1;
    // Rounded half up, so one less goes below.
    const Words edge = Words{} + (squared ? TOP - 256 : TOP), least = Words{} + (squared ? 255 - TOP : -TOP);
    const Words upper = *reinterpret_cast<const Words*>(starts.upper);
    const Words lower = *reinterpret_cast<const Words*>(starts.lower);
    WholeRange exacts;
    Words limited = {};
    blocks(product, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c, std::int64_t) {
        WholeRange here = exacts;
        Words limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r) {
            const Words exact = carried(sums, r, by, upper, lower);
            here.see(exact);
            limited_here += (exact > edge) | (exact < least);
            const Words x = smaller(larger(exact, Words{} - TOP), Words{} + TOP);
            std::int64_t* row = found + (r0 + r) * product.columns + c;
            const std::int64_t columns = std::min(product.columns - c, UNIT);
            if (columns == UNIT) {
                UNROLLED (i, UNIT) row[i] = x[i];
            } else {
                for (std::int64_t i = 0; i < columns; ++i) row[i] = x[i];
            }
        }
        exacts = here, limited = limited_here;
    });
    return {counted(limited), largest(exacts, -TOP, TOP), true};
}

}  // namespace
}  // namespace rlcores::RLCORES_ISA
