// gae_rollout.hpp — one rollout after the other through the kernels of gae.hpp, its buffers kept.
// SPDX-License-Identifier: Apache-2.0
//
// load, then scale (statistics) if wanted, centre, quantise and run as often as scales are tried, outcome and seen.
// rlcores/cores/gae/native.py is the one user; what the numbers mean stands in rlcores/cores/gae/scales.py.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "rlcores/native/gae.hpp"

namespace rlcores::gae {

inline Power power_of(int exponent) {
    const auto one = [](int e) {
        double x = 1.0;
        for (; e > 0; --e) x *= 2.0;
        for (; e < 0; ++e) x *= 0.5;
        return x;
    };
    if (exponent > 1000) return {one(1000), one(exponent - 1000)};
    return {one(exponent < -1074 ? -1074 : exponent), 1.0};
}

// (rows, N) numbers of one of two types.
struct Numbers {
    const float* single;
    const double* twice;
};

struct Sums {
    std::int64_t total;
    unsigned __int128 squares;
};

struct Range {
    double least, most;
};

// Give every thread whole cache lines of the lanes of (rows, N), as many threads as are worth it.
void split(int threads, std::int64_t rows, std::int64_t lanes, const std::function<void(int, Lanes)>& work);

class Rollout {
public:
    std::int64_t steps = 0, lanes = 0, boots = 0;
    Range rewards{}, values{};  // as given; of values, what is sent
    double first_reward = 0, first_value = 0;

    // Values that are sent: one a step, one a truncation inside, and the window's last.
    std::int64_t sent() const;
    // The number of threads; no result depends on it.
    void threads(int count) { threads_ = count; }
    // Take a rollout over. False: a number is not finite, or a truncation has no final value.
    bool load(std::int64_t steps, std::int64_t lanes, Numbers rewards, Numbers values, const std::uint8_t* terminated,
              const std::uint8_t* truncated, Numbers bootstrap, Numbers final_values);
    void scale(double unit, double shift);
    // Of rewards, or of values, times 2**exponent less base: the sum of the numbers, or of their squares.
    double sum(bool of_values, int exponent, double base, bool square);
    void centre(int exponent, double reward_centre, double value_centre, double mantissa);
    // Mean, standard deviation and largest size of the TD errors.
    std::array<double, 3> errors(double gamma);
    // The least standard deviation of a lane's TD errors; 0 where float32 would see none.
    double spread(double gamma);
    Sums exact(int point);
    // Rewards and values beyond the limit; a value that a piece begins with counts again.
    std::array<std::int64_t, 2> quantise(int reward_point, int reward_shift, int value_point, std::int64_t value_inv,
                                         int value_shift, std::int64_t limit, const std::vector<std::int64_t>& cuts);
    // cuts: 0, the first row of every further piece, T.
    Peak run(const Registers& registers, const std::vector<std::int64_t>& cuts);
    // Means of what rounding took off rewards and off values.
    std::array<double, 2> lost(double reward_step, double value_step);
    void outcome(const Outcome& outcome, const std::vector<std::int64_t>& cuts, const double* ahead, double* advantages,
                 double* returns);
    // What the array saw. Of final values: where truncated, else NaN.
    void seen(const Outcome& outcome, double* rewards, double* values, double* bootstrap, double* final_values);
    // Root mean square distance of advantages to the plain recurrence in float64.
    double rms(double gamma, double discount, const double* advantages);

private:
    Lanes all(std::int64_t rows) const { return {rows, lanes, 0, lanes}; }
    Ends ends() const { return {terminated_.data(), truncated_.data(), boot_row_.data()}; }
    void split(std::int64_t rows, const std::function<void(int, Lanes)>& work) const {
        gae::split(threads_, rows, lanes, work);
    }
    double total(const std::vector<double>& lane_sums) const;

    int threads_ = 1;
    std::vector<double> rewards_, values_, boots_;  // as given: (T, N), (T + 1, N), (boots, N)
    std::vector<double> centred_rewards_, centred_values_, centred_boots_, scratch_, sums_, found_;
    std::vector<std::int32_t> reward_codes_, value_codes_, boot_codes_, codes_, boot_row_, place_;
    std::vector<std::uint8_t> terminated_, truncated_;
};

}  // namespace rlcores::gae
