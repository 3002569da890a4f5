// gae.hpp — a PPO rollout in the GAE core's integers, or in plain floating point. The model is rlcores/cores/gae.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rlcores::gae {

// Two powers of two, because one alone may be beyond a double: x * a * b is x * 2**exponent rounded once.
struct Power {
    double a, b;
};
// (T, N) arrays, time by time, of which a kernel works on lanes [low, high).
struct Lanes {
    std::int64_t steps, stride, low, high;
};

// Where a rollout's records are. A row t has BOOT records behind it where boot_row[t] is not negative: of the lanes
// that were truncated, row boot_row[t] of the boots. The window's final BOOT is row T of the values.
struct Ends {
    const std::uint8_t *terminated, *truncated;  // (T, N), never both
    const std::int32_t* boot_row;                // (T,)
};

// A number's code: floor(rint(x * point) * 4 * mantissa / 2**shift + 1/2), limited.
struct Quantiser {
    Power point;
    double step;  // 4 * mantissa / 2**shift
    double limit;
};

// The registers that the array reads (docs/gae.md, "Numbers").
struct Registers {
    std::int64_t value_scale, value_offset, s_vn, k_cut, k_keep, b_step, b_loop;
    int shift, fraction, coefficient, drop, out_bits, lookahead;
};

struct Peak {
    std::int64_t code;        // the largest |code| of an advantage
    std::int64_t sum, value;  // bits that sums and values need: x ^ (x >> 63), all or-ed
};

// How the codes of a rollout become the caller's numbers.
struct Outcome {
    double reward_step, value_step, result_step;
    bool clip;
    double lost, lost_value;  // what rounding took off on average
    const double* constants;  // what they contribute, by the steps 0 … T to an end; then to a termination
    double constant_reward, constant_value;
    double mantissa;
    Power unit;
};

}  // namespace rlcores::gae

namespace rlcores {

struct GaeKernels {
    // Least and greatest of an array, and whether all are finite.
    bool (*take32)(const float*, double*, std::int64_t rows, std::int64_t stride, std::int64_t low, std::int64_t high,
                   double* least, double* most);
    bool (*take64)(const double*, double*, std::int64_t rows, std::int64_t stride, std::int64_t low, std::int64_t high,
                   double* least, double* most);
    // x / unit - shift in place.
    void (*unit)(double*, gae::Lanes, double unit, double shift);
    // Lane sums of x * power - base of `rows`, or of its square, with the boots behind the rows where `boots` is given.
    void (*sum)(const double* rows, const double* boots, gae::Lanes, gae::Ends, gae::Power, double base, bool square,
                double* sums);
    // (x * power - centre) / mantissa of rows that are all sent.
    void (*centre)(const double*, double*, gae::Lanes, gae::Power, double centre, double mantissa);
    // TD errors; their lane sums; the largest size.
    double (*errors)(const double* rewards, const double* values, const double* boots, gae::Lanes, gae::Ends,
                     double gamma, double* errors, double* sums);
    // The least variance of a lane's TD errors, their square where all are equal, that is more than the rounding of
    // float32 numbers; 0: there is none.
    double (*spread)(const double* rewards, const double* values, const double* boots, gae::Lanes, gae::Ends,
                     double gamma);
    // Exact sums of rint(x * power): total and squares.
    void (*exact)(const double*, gae::Lanes, gae::Power, std::int64_t* total, unsigned __int128* squares);
    std::int64_t (*quantise)(const double*, std::int32_t*, gae::Lanes, gae::Quantiser);
    // The array over rows [first, last): codes in, codes of advantages out. `state` has 3 * lookahead + 1 rows of 64
    // words.
    gae::Peak (*array)(const std::int32_t* rewards, const std::int32_t* values, const std::int32_t* boots, gae::Lanes,
                       gae::Ends, std::int64_t first, std::int64_t last, const gae::Registers&, std::int64_t* state,
                       std::int32_t* advantages);
    // Lane sums of what rounding took off rewards, and off values with their boots.
    void (*lost)(const double* rewards, const std::int32_t* reward_codes, double reward_step, const double* values,
                 const std::int32_t* value_codes, const double* boots, const std::int32_t* boot_codes,
                 double value_step, gae::Lanes, gae::Ends, double* reward_sums, double* value_sums);
    // Advantages and returns of rows [first, last); `ahead` is null for the last piece, else discount**n.
    void (*outcome)(const double* rewards, const std::int32_t* reward_codes, const double* values,
                    const std::int32_t* value_codes, const std::int32_t* codes, const double* given, gae::Lanes,
                    gae::Ends, std::int64_t first, std::int64_t last, const double* ahead, const gae::Outcome&,
                    double* found, std::int32_t* place, double* advantages, double* returns);
    // (code * step + constant) * mantissa * unit.
    void (*seen)(const std::int32_t*, gae::Lanes, double step, double constant, double mantissa, gae::Power, double*);
    // The plain recurrence. Returns whether all inputs, and all results, are finite: 0, 1 for an input, 2 for a result.
    int (*plain32)(const float* rewards, const float* values, gae::Lanes, const std::uint8_t* terminated,
                   const std::uint8_t* truncated, const float* bootstrap, const float* final_values, float gamma,
                   float discount, float* advantages, float* returns);
    int (*plain64)(const double* rewards, const double* values, gae::Lanes, const std::uint8_t* terminated,
                   const std::uint8_t* truncated, const double* bootstrap, const double* final_values, double gamma,
                   double discount, double* advantages, double* returns);
};

}  // namespace rlcores
