// floats.cpp — products, exp, log and the normal distribution, each sum in one order.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/floats.hpp"

#include "kernels/simd.hpp"

namespace rlcores::RLCORES_ISA {

namespace {

// What lies side by side: a vector, or one number. Not template arguments themselves, which would lose their alignment.
struct FloatKind {
    typedef float Number;
    typedef float Some __attribute__((vector_size(REGISTER), aligned(4), may_alias));
};
struct DoubleKind {
    typedef double Number;
    typedef double Some __attribute__((vector_size(REGISTER), aligned(8), may_alias));
};
template <class T>
struct One {
    typedef T Number;
    typedef T Some;
};

// ROWS rows by COUNT vectors of columns; a sum waits for itself, so many go on together. Each is a plain loop's.
template <class Kind, int ROWS, int COUNT, class T = typename Kind::Number>
void block(const T* a, std::int64_t a_row, std::int64_t a_column, const T* b, T* out, std::int64_t depth,
           std::int64_t columns) {
    typedef typename Kind::Some Some;
    constexpr int WIDE = sizeof(Some) / sizeof(T);
    Some sum[ROWS][COUNT] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const T* row = b + k * columns;
        UNROLLED (r, ROWS) {
            const T one = a[r * a_row + k * a_column];
            UNROLLED (c, COUNT) sum[r][c] += one * *reinterpret_cast<const Some*>(row + c * WIDE);
        }
    }
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COUNT; ++c) *reinterpret_cast<Some*>(out + r * columns + c * WIDE) = sum[r][c];
}

template <class Kind, int ROWS, int COUNT, class T = typename Kind::Number>
void panel(const T* a, std::int64_t a_row, std::int64_t a_column, const T* b, T* out, std::int64_t rows,
           std::int64_t depth, std::int64_t columns) {
    std::int64_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        block<Kind, ROWS, COUNT>(a + r * a_row, a_row, a_column, b, out + r * columns, depth, columns);
    for (; r < rows; ++r) block<Kind, 1, COUNT>(a + r * a_row, a_row, a_column, b, out + r * columns, depth, columns);
}

template <class Kind, class T = typename Kind::Number>
void product(const T* a, std::int64_t a_row, std::int64_t a_column, const T* b, T* out, std::int64_t rows,
             std::int64_t depth, std::int64_t columns) {
    constexpr int WIDE = sizeof(typename Kind::Some) / sizeof(T);
    std::int64_t c = 0;
    for (; c + 4 * WIDE <= columns; c += 4 * WIDE)
        panel<Kind, 2, 4>(a, a_row, a_column, b + c, out + c, rows, depth, columns);
    for (; c + WIDE <= columns; c += WIDE) panel<Kind, 8, 1>(a, a_row, a_column, b + c, out + c, rows, depth, columns);
    for (; c < columns; ++c) panel<One<T>, 8, 1>(a, a_row, a_column, b + c, out + c, rows, depth, columns);
}

constexpr double INF = __builtin_inf();
// ln 2 in two parts, the first with so few bits that whole numbers times it are exact.
constexpr double LN2 = 0x1.62e42feep-1, LN2_REST = 0x1.a39ef35793c76p-33;

inline double power(std::int64_t n) { return __builtin_bit_cast(double, (n + 1023) << 52); }

// 2**n times the power series of the rest, which is ln 2 / 2 at most; 13 terms are enough for 2**-58.
inline double exp_of(double given) {
    const double x = given > 710.0 ? 710.0 : given < -746.0 ? -746.0 : given;
    const double whole = (x * 0x1.71547652b82fep+0 + ROUND) - ROUND;
    const double r = (x - whole * LN2) - whole * LN2_REST;
    double sum = 1.0;
    RLCORES_UNROLL(13)
    for (int k = 13; k > 0; --k) sum = sum * r * (1.0 / k) + 1.0;
    const auto n = static_cast<std::int64_t>(whole == whole ? whole : 0.0);
    return sum * power(n >> 1) * power(n - (n >> 1));
}

// The exponent times ln 2, and 2 * artanh(s) of a mantissa m between sqrt(1/2) and sqrt(2), with s = (m - 1) / (m + 1).
inline double log_of(double given) {
    const bool small = given < 0x1p-1022;
    const double x = small ? given * 0x1p54 : given;
    const auto bits = __builtin_bit_cast(std::int64_t, x);
    const std::int64_t above = (bits - 0x3fe6a09e667f3bcd) >> 52;
    const double m = __builtin_bit_cast(double, bits - above * (std::int64_t{1} << 52));
    const double e = static_cast<double>(above - (small ? 54 : 0));
    const double s = (m - 1.0) / (m + 1.0), square = s * s;
    double sum = 1.0 / 25;
    RLCORES_UNROLL(12)
    for (int k = 23; k > 0; k -= 2) sum = sum * square + 1.0 / k;
    const double found = e * LN2 + (2.0 * s * sum + e * LN2_REST);
    const double wrong = given == 0.0 ? -INF : given == INF ? INF : __builtin_nan("");
    return given > 0.0 && given < INF ? found : wrong;
}

// sqrt(2) * erfinv(2 u - 1), single precision's polynomials of Giles (2010): within 1e-6 of the number up to 5.6
// deviations, and up to a tenth less than it beyond, where one number in 50 million is.
inline double normal_of(double u) {
    const double x = 2.0 * u - 1.0, w = -log_of(4.0 * u * (1.0 - u));
    constexpr double middle[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                 -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
    constexpr double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                               -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
    const bool in_tail = w >= 5.0;
    const double t = in_tail ? __builtin_sqrt(w) - 3.0 : w - 2.5;
    double sum = 0.0;
    UNROLLED (k, 9) sum = sum * t + (in_tail ? tail[k] : middle[k]);
    return sum * x * 0x1.6a09e667f3bcdp+0;
}

template <class Function>
void each(double* x, std::int64_t n, Function function) {
    for (std::int64_t i = 0; i < n; ++i) x[i] = function(x[i]);
}

void floats_product32(const float* a, std::int64_t a_row, std::int64_t a_column, const float* b, float* out,
                      std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    product<FloatKind>(a, a_row, a_column, b, out, rows, depth, columns);
}
void floats_product64(const double* a, std::int64_t a_row, std::int64_t a_column, const double* b, double* out,
                      std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    product<DoubleKind>(a, a_row, a_column, b, out, rows, depth, columns);
}

void floats_exp(double* x, std::int64_t n) { each(x, n, exp_of); }
void floats_log(double* x, std::int64_t n) { each(x, n, log_of); }
void floats_normal(double* x, std::int64_t n) { each(x, n, normal_of); }

}  // namespace

extern const FloatKernels floats_kernels;
const FloatKernels floats_kernels = {.product32 = floats_product32,
                                     .product64 = floats_product64,
                                     .exp = floats_exp,
                                     .log = floats_log,
                                     .normal = floats_normal};

}  // namespace rlcores::RLCORES_ISA
