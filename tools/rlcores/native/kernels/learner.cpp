// learner.cpp — products of sparse rows with dense matrices.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/learner_kernels.hpp"

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

namespace {

inline double floor_of(double x) {
    const double near = (x + ROUND) - ROUND;
    return near > x ? near - 1.0 : near;
}

// A bit for each of 64 numbers, or fewer, that is not 0.
inline std::uint64_t present(const double* x, std::int64_t count) {
    std::uint64_t bits = 0;
    for (std::int64_t k = 0; k < count; k += 8) bits |= present(x + k) << k;
    return count < 64 ? bits & ((std::uint64_t{1} << count) - 1) : bits;
}

// `COUNT` vectors of columns of all rows; rectified activations and their deltas are 0 half of the time.
template <int COUNT>
void panel(const double* x, std::int64_t x_stride, std::int64_t rows, std::int64_t depth, const double* w,
           std::int64_t w_stride, double* out, std::int64_t out_stride) {
    // A block of the matrix side by side, because rows of 2 KiB apart would meet in the first cache.
    constexpr int DEEP = 32;
    alignas(64) double packed[DEEP * COUNT * WIDE];
    const bool packs = w_stride > COUNT * WIDE && rows >= 16;
    for (std::int64_t k0 = 0; k0 < depth; k0 += DEEP) {
        const std::int64_t count = depth - k0 < DEEP ? depth - k0 : DEEP;
        const double* block = w + k0 * w_stride;
        const std::int64_t stride = packs ? COUNT * WIDE : w_stride;
        if (packs) {
            for (std::int64_t k = 0; k < count; ++k)
                for (int c = 0; c < COUNT * WIDE; ++c) packed[k * COUNT * WIDE + c] = block[k * w_stride + c];
            block = packed;
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const double* from = x + r * x_stride + k0;
            double* to = out + r * out_stride;
            Doubles sum[COUNT];
            UNROLLED (c, COUNT) sum[c] = k0 ? *reinterpret_cast<const Doubles*>(to + c * WIDE) : Doubles{};
            for (std::uint64_t left = present(from, count); left; left &= left - 1) {
                const int k = __builtin_ctzll(left);
                const double one = from[k];
                const double* row = block + k * stride;
                UNROLLED (c, COUNT) sum[c] += one * *reinterpret_cast<const Doubles*>(row + c * WIDE);
            }
            UNROLLED (c, COUNT) *reinterpret_cast<Doubles*>(to + c * WIDE) = sum[c];
        }
    }
}

// One vector of columns of all rows, zeros too: four sums at a time, because one has to wait for itself.
void narrow_panel(const double* x, std::int64_t x_stride, std::int64_t rows, std::int64_t depth, const double* w,
                  std::int64_t w_stride, double* out, std::int64_t out_stride) {
    const auto at = [&](std::int64_t k) { return *reinterpret_cast<const Doubles*>(w + k * w_stride); };
    for (std::int64_t r = 0; r < rows; ++r) {
        const double* from = x + r * x_stride;
        Doubles sum[4] = {};
        std::int64_t k = 0;
        for (; k + 4 <= depth; k += 4) {
            sum[0] += from[k] * at(k);
            sum[1] += from[k + 1] * at(k + 1);
            sum[2] += from[k + 2] * at(k + 2);
            sum[3] += from[k + 3] * at(k + 3);
        }
        for (; k < depth; ++k) sum[0] += from[k] * at(k);
        *reinterpret_cast<Doubles*>(out + r * out_stride) = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

inline std::int64_t least_of(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
inline std::int64_t most_of(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
constexpr std::int64_t TOP = (1 << 26) - 1;
inline std::int64_t clamped(std::int64_t x, std::int64_t low, std::int64_t high) {
    return least_of(most_of(x, low), high);
}

template <class T>
std::int64_t codes(const T* x, std::int64_t n, double one, double low, double high, std::int64_t* out) {
    std::int64_t limited = 0, none = 0;
    INDEPENDENT (i, n) {
        const double code = __builtin_floor(static_cast<double>(x[i]) * one + 0.5);
        none += !(code - code == 0.0);  // NaN and the infinities
        const double below = code < high ? code : high, inside = below > low ? below : low;
        limited += inside != code;
        // Adding 1.5 * 2**52 leaves a whole number in the last bits; a conversion would be one by one with AVX2.
        out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(__builtin_bit_cast(std::int64_t, inside + ROUND))
                                           << 13) >>
                 13;
    }
    return none ? -1 : limited;
}

std::int64_t learner_codes_float(const float* x, std::int64_t n, double one, double low, double high,
                                 std::int64_t* out) {
    return codes(x, n, one, low, high, out);
}

std::int64_t learner_codes_double(const double* x, std::int64_t n, double one, double low, double high,
                                  std::int64_t* out) {
    return codes(x, n, one, low, high, out);
}

void learner_dense(const double* x, std::int64_t x_stride, std::int64_t rows, std::int64_t depth, const double* w,
                   std::int64_t w_stride, std::int64_t columns, double* out, std::int64_t out_stride) {
    std::int64_t c = 0;
    for (; c + 8 * WIDE <= columns; c += 8 * WIDE)
        panel<8>(x, x_stride, rows, depth, w + c, w_stride, out + c, out_stride);
    for (; c + 4 * WIDE <= columns; c += 4 * WIDE)
        panel<4>(x, x_stride, rows, depth, w + c, w_stride, out + c, out_stride);
    for (; c < columns; c += WIDE) narrow_panel(x, x_stride, rows, depth, w + c, w_stride, out + c, out_stride);
}

std::int64_t learner_narrow(double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                            const double* bias, const double* mask, Narrow by) {
    std::int64_t unsafe = 0, limited = 0;
    // Rectified first, which limits nothing.
    const double low = -by.top, high = by.top - 1.0, least = by.rectify ? 0.0 : -0x1p60;
    for (std::int64_t r = 0; r < rows; ++r) {
        double* row = sums + r * stride;
        const double* of = mask ? mask + r * stride : nullptr;
        const auto all = [&](auto sum, auto kept) {
            INDEPENDENT (c, columns) {
                const double wide = sum(c) * by.scale + by.half;
                unsafe += (wide > by.safe) | (wide < -by.safe);
                const double whole = kept(c, floor_of(wide)), x = whole < least ? least : whole;
                double y = x > high ? high : x;
                y = y < low ? low : y;
                limited += x != y;
                row[c] = y;
            }
        };
        const auto bare = [&](std::int64_t c) { return row[c]; };
        const auto as_it_is = [](std::int64_t, double x) { return x; };
        if (bias)
            all([&](std::int64_t c) { return row[c] + bias[c]; }, as_it_is);
        else if (of)
            all(bare, [&](std::int64_t c, double x) { return of[c] > 0.0 ? x : 0.0; });
        else
            all(bare, as_it_is);
    }
    return unsafe ? -1 : limited;
}

void learner_transpose(const double* from, std::int64_t rows, std::int64_t columns, std::int64_t from_stride,
                       double* to, std::int64_t to_stride) {
    for (std::int64_t r0 = 0; r0 < rows; r0 += 8)
        for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t r = r0; r < least_of(r0 + 8, rows); ++r)
                to[c * to_stride + r] = from[r * from_stride + c];
}

std::int64_t learner_gradient(const double* sums, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                              std::int64_t left, std::int64_t shift, bool squared, std::int64_t* out) {
    const std::int64_t half = shift ? std::int64_t{1} << (shift - 1) : 0, edge = squared ? TOP - 256 : TOP;
    const std::int64_t least = squared ? 255 - TOP : -TOP;  // rounded half up, so one less goes below
    std::int64_t limited = 0;
    for (std::int64_t r = 0; r < rows; ++r)
        INDEPENDENT (c, columns) {
            const std::int64_t exact = ((static_cast<std::int64_t>(sums[r * stride + c]) << left) + half) >> shift;
            limited += exact > edge || exact < least;
            out[r * columns + c] = clamped(exact, -TOP, TOP);
        }
    return limited;
}

}  // namespace

extern const LearnerKernels learner_kernels;
const LearnerKernels learner_kernels = {.dense = learner_dense,
                                        .narrow = learner_narrow,
                                        .transpose = learner_transpose,
                                        .codes_float = learner_codes_float,
                                        .codes_double = learner_codes_double,
                                        .gradient = learner_gradient};

}  // namespace rlcores::RLCORES_ISA
