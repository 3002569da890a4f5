// products_carried.hpp — what becomes of sums in whole numbers of 32 bits, a register of columns at once.
//
// A sum has digits of more bits than their weights are apart. floor((sum + start) / 2^shift) is made from the lowest
// one up: what a digit has above the next one's weight goes there, and what stays below `shift` is left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rlcores::RLCORES_ISA {
namespace {

// What is added to the sums of a register of columns: units of the uppermost digit, and of Digits::lower.
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
    if (!carries(p)) return {};
    const Digits of = digits_of(p);
    const int shift = -std::ilogb(scale);
    if (shift < of.top - of.below || shift > of.top + 31) return {};
    std::int64_t lost = 0, most = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
        const auto x = static_cast<std::int64_t>(start(c));
        lost |= x & ((std::int64_t{1} << of.lower) - 1);
        most = std::max(most, x < 0 ? -x : x);
        to.upper[c] = static_cast<std::int32_t>(x >> of.top);
        to.lower[c] = static_cast<std::int32_t>((x & ((std::int64_t{1} << of.top) - 1)) >> of.lower);
    }
    const double bound = sum_most(p) + static_cast<double>(most);
    const double room = std::ldexp(1.0, (shift < of.top ? shift : of.top) + 31);
    return {lost == 0 && bound < room, std::max(of.top - shift, 0), std::max(shift - of.top, 0),
            std::min(shift - of.top + of.below, 31)};
}

inline Words floors(Carried sum, const Carries& by) {
    return by.up ? (sum.top << by.up) + (sum.below >> by.below) : sum.top >> by.down;
}

struct WholeRange {
    Words high = Words{} + INT32_MIN, low = Words{} + INT32_MAX;
    void see(Words x) { high = larger(high, x), low = smaller(low, x); }
    std::int32_t most() const { return most_of(high); }
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
    const auto soon = [&](std::int64_t r, std::int64_t c) {
        __builtin_prefetch(to.out + r * to.stride + c, 1);
        if constexpr (MASK) __builtin_prefetch(to.mask + r * to.mask_stride + c);
    };
    carried_blocks(product, soon, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c, std::int64_t) {
        const std::int64_t at = BIAS ? c : 0;
        const Words upper = *reinterpret_cast<const Words*>(starts.upper + at);
        const Words lower = *reinterpret_cast<const Words*>(starts.lower + at);
        WholeRange wide_here = wides, kept_here = kept;
        Words limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r) {
            Words x = floors(carried(sums, r, upper, lower), by);
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
    const auto soon = [&](std::int64_t r, std::int64_t c) {
        std::int64_t* row = found + r * product.columns + c;
        __builtin_prefetch(row, 1), __builtin_prefetch(row + LANES - 1, 1);
    };
    carried_blocks(product, soon, [&](auto sums, std::int64_t r0, std::int64_t rows, std::int64_t c, std::int64_t) {
        WholeRange here = exacts;
        Words limited_here = limited;
        for (std::int64_t r = 0; r < rows; ++r) {
            const Words exact = floors(carried(sums, r, upper, lower), by);
            here.see(exact);
            limited_here += (exact > edge) | (exact < least);
            const Words x = smaller(larger(exact, Words{} - TOP), Words{} + TOP);
            std::int64_t* row = found + (r0 + r) * product.columns + c;
            const std::int64_t columns = product.columns - c;
            if (columns >= LANES) {
                UNROLLED (i, LANES) row[i] = x[i];
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
