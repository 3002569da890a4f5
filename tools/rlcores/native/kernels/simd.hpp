// simd.hpp — what differs between instruction sets and compilers. All else is written in vector extensions, which GCC
// and clang have alike, or in loops that they make vectors of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define RLCORES_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define RLCORES_INDEPENDENT RLCORES_PRAGMA(clang loop vectorize(assume_safety))
#define RLCORES_UNROLL(times) RLCORES_PRAGMA(clang loop unroll(full))
#else
#define RLCORES_INDEPENDENT RLCORES_PRAGMA(GCC ivdep)
#define RLCORES_UNROLL(times) RLCORES_PRAGMA(GCC unroll times)
#endif
// for i = 0, 1, … count - 1, written out one after the other; and where no round writes what another one touches.
#define UNROLLED(i, count) \
    RLCORES_UNROLL(16)     \
    for (int i = 0; i < (count); ++i)
#define INDEPENDENT(i, count) RLCORES_INDEPENDENT for (decltype((count) + 0) i = 0; i < (count); ++i)

namespace rlcores::RLCORES_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int REGISTER = 64;  // bytes
#elif defined(__AVX2__)
constexpr int REGISTER = 32;
#else
constexpr int REGISTER = 16;
#endif

typedef std::int32_t Words __attribute__((vector_size(REGISTER), aligned(4), may_alias));
[[maybe_unused]] constexpr int LANES = REGISTER / 4;
// Half as many numbers of 64 bits, and of 32.
[[maybe_unused]] constexpr int WIDE = REGISTER / 8;
typedef double Doubles __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef std::int64_t Longs __attribute__((vector_size(8 * WIDE), aligned(4), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
[[maybe_unused]] constexpr double ROUND = 6755399441055744.0;  // 1.5 * 2**52: adding it rounds to a whole number

// To each lane of `sum`, the products of the halves, which are numbers of 16 bits.
[[maybe_unused]] inline void add_products(Words& sum, Words a, Words b) {
#if defined(__AVX512VNNI__)
    sum = (Words)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    sum += (Words)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    sum += (Words)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(RLCORES_NEON)
    const auto x = (int16x8_t)a, y = (int16x8_t)b;
    sum += (Words)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
#else
    sum += (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

[[maybe_unused]] inline Words magnitudes(Words x) {
#if defined(__AVX512F__)
    return (Words)_mm512_maskz_abs_epi32(0xffff, (__m512i)x);
#elif defined(__AVX2__)
    return (Words)_mm256_abs_epi32((__m256i)x);
#else
    return x > -x ? x : -x;
#endif
}

[[maybe_unused]] inline Words larger(Words a, Words b) {
#if defined(__AVX512F__)
    return (Words)_mm512_maskz_max_epi32(0xffff, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (Words)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return a > b ? a : b;
#endif
}
[[maybe_unused]] inline Words smaller(Words a, Words b) {
#if defined(__AVX512F__)
    return (Words)_mm512_maskz_min_epi32(0xffff, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (Words)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return a < b ? a : b;
#endif
}
[[maybe_unused]] inline std::int32_t most_of(Words x) {
    std::int32_t most = x[0];
    for (int i = 1; i < LANES; ++i) most = most > x[i] ? most : x[i];
    return most;
}

[[maybe_unused]] inline Doubles floor_of(Doubles x) {
#if defined(__AVX512F__)
    return (Doubles)_mm512_maskz_roundscale_pd(0xff, (__m512d)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (Doubles)_mm256_floor_pd((__m256d)x);
#elif defined(RLCORES_NEON)
    return (Doubles)vrndmq_f64((float64x2_t)x);
#else
    const Doubles near = (x + ROUND) - ROUND;
    return near > x ? near - 1.0 : near;
#endif
}
[[maybe_unused]] inline Doubles larger(Doubles a, Doubles b) {
#if defined(__AVX512F__)
    return (Doubles)_mm512_maskz_max_pd(0xff, (__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    return (Doubles)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return a > b ? a : b;
#endif
}
[[maybe_unused]] inline Doubles smaller(Doubles a, Doubles b) {
#if defined(__AVX512F__)
    return (Doubles)_mm512_maskz_min_pd(0xff, (__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    return (Doubles)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return a < b ? a : b;
#endif
}

// The lower or the upper half of a register, in doubles.
template <bool UPPER>
[[maybe_unused]] inline Doubles half_of(Words x) {
#if defined(__AVX512F__)
    return (Doubles)_mm512_maskz_cvtepi32_pd(0xff, _mm512_maskz_extracti64x4_epi64(0xf, (__m512i)x, UPPER));
#elif defined(__AVX2__)
    return (Doubles)_mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)x, UPPER));
#elif defined(__SSE2__)
    return (Doubles)_mm_cvtepi32_pd(UPPER ? _mm_unpackhi_epi64((__m128i)x, (__m128i)x) : (__m128i)x);
#else
    constexpr int AT = UPPER ? WIDE : 0;
    return Doubles{static_cast<double>(x[AT]), static_cast<double>(x[AT + 1])};
#endif
}
// The same of numbers in `COUNT` words, `up` the weight of each beside the one below it; from the uppermost one down.
template <bool UPPER, int COUNT>
[[maybe_unused]] inline Doubles joined_words(const Words* words, double up) {
    Doubles sum = half_of<UPPER>(words[COUNT - 1]);
    UNROLLED (j, COUNT - 1) sum = sum * up + half_of<UPPER>(words[COUNT - 2 - j]);
    return sum;
}

// A bit for each of 8 numbers that is not 0, the first one lowest.
[[maybe_unused]] inline std::uint64_t present(const double* x) {
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(_mm512_loadu_pd(x), _mm512_setzero_pd(), _CMP_NEQ_UQ);
#elif defined(__AVX2__)
    const auto half = [](const double* at) {
        return static_cast<std::uint64_t>(
            _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(at), _mm256_setzero_pd(), _CMP_NEQ_UQ)));
    };
    return half(x) | half(x + 4) << 4;
#elif defined(RLCORES_NEON)
    constexpr std::uint64_t places[] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64x2_t bits = vdupq_n_u64(0);
    for (int i = 0; i < 8; i += 2)
        bits = vorrq_u64(bits, vbicq_u64(vld1q_u64(places + i), vceqzq_f64(vld1q_f64(x + i))));
    return vaddvq_u64(bits);
#else
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(x[i] != 0.0) << i;
    return bits;
#endif
}

// How many of `count` numbers, whole aligned registers of them, are not above t. Only where it pays beside a search.
#if defined(__AVX512F__)
constexpr bool COUNTS = true;
inline std::uint32_t not_above_in_register(const std::int64_t* x, std::int64_t t) {
    return static_cast<std::uint32_t>(
        __builtin_popcount(_mm512_cmple_epi64_mask(_mm512_load_si512(x), _mm512_set1_epi64(t))));
}
inline std::uint32_t not_above_in_register(const std::int32_t* x, std::int32_t t) {
    return static_cast<std::uint32_t>(
        __builtin_popcount(_mm512_cmple_epi32_mask(_mm512_load_si512(x), _mm512_set1_epi32(t))));
}
#elif defined(__AVX2__)
constexpr bool COUNTS = true;
inline std::uint32_t not_above_in_register(const std::int64_t* x, std::int64_t t) {
    const __m256i above =
        _mm256_cmpgt_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(x)), _mm256_set1_epi64x(t));
    const int bits = _mm256_movemask_pd(_mm256_castsi256_pd(above));
    return 4 - static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(bits)));
}
inline std::uint32_t not_above_in_register(const std::int32_t* x, std::int32_t t) {
    const __m256i above =
        _mm256_cmpgt_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(x)), _mm256_set1_epi32(t));
    const int bits = _mm256_movemask_ps(_mm256_castsi256_ps(above));
    return 8 - static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(bits)));
}
#elif defined(RLCORES_NEON)
constexpr bool COUNTS = true;
inline std::uint32_t not_above_in_register(const std::int64_t* x, std::int64_t t) {
    return static_cast<std::uint32_t>(vaddvq_u64(vshrq_n_u64(vcleq_s64(vld1q_s64(x), vdupq_n_s64(t)), 63)));
}
inline std::uint32_t not_above_in_register(const std::int32_t* x, std::int32_t t) {
    return vaddvq_u32(vshrq_n_u32(vcleq_s32(vld1q_s32(x), vdupq_n_s32(t)), 31));
}
#else
constexpr bool COUNTS = false;
template <class T>
inline std::uint32_t not_above_in_register(const T* x, T t) {
    std::uint32_t below = 0;
    for (unsigned j = 0; j < REGISTER / sizeof(T); ++j) below += x[j] <= t;
    return below;
}
#endif
template <std::uint32_t COUNT, class T>
inline std::uint32_t not_above(const T* x, T t) {
    std::uint32_t below = 0;
    for (std::uint32_t j = 0; j < COUNT; j += REGISTER / sizeof(T)) below += not_above_in_register(x + j, t);
    return below;
}

}  // namespace

}  // namespace rlcores::RLCORES_ISA
