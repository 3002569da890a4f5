// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/gae_rollout.hpp"
#include "rlcores/native/isa.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>

namespace rlcores::gae {

namespace {
constexpr std::int64_t BLOCK = 64;       // of the kernels
constexpr std::int64_t WORTH = 1 << 15;  // elements below which a further thread costs more than it brings

template <class T>
void keep(std::vector<T>& x, std::int64_t size) {
    if (static_cast<std::int64_t>(x.size()) < size) x.resize(static_cast<std::size_t>(size));
}

bool take(Numbers from, std::int64_t row, double* out, std::int64_t rows, Lanes at, Range& range) {
    double least, most;
    const std::int64_t skip = row * at.stride;
    const bool good =
        from.single ? kernels().gae.take32(from.single + skip, out, rows, at.stride, at.low, at.high, &least, &most)
                    : kernels().gae.take64(from.twice + skip, out, rows, at.stride, at.low, at.high, &least, &most);
    range = {std::min(range.least, least), std::max(range.most, most)};
    return good;
}

double at(Numbers x, std::int64_t i) { return x.single ? x.single[i] : x.twice[i]; }

// Ends as 0 and 1, a truncation only where nothing terminates. Returns whether there is one. Bytes may alias anything,
// so that nothing is done side by side unless somebody says that these do not.
bool normal(const std::uint8_t* __restrict terminated, const std::uint8_t* __restrict truncated,
            std::uint8_t* __restrict stops, std::uint8_t* __restrict cuts, std::int64_t size) {
    std::uint8_t any = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const std::uint8_t stop = terminated[i] != 0;
        stops[i] = stop;
        cuts[i] = (truncated[i] != 0) & ~stop & 1;
        any |= cuts[i];
    }
    return any;
}

constexpr Range NONE{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
}  // namespace

void split(int threads, std::int64_t rows, std::int64_t lanes, const std::function<void(int, Lanes)>& work) {
    // Whole cache lines of doubles a thread.
    const std::int64_t most = std::max<std::int64_t>(1, std::min<std::int64_t>((lanes + 7) / 8, rows * lanes / WORTH));
    const int count = static_cast<int>(std::clamp<std::int64_t>(threads, 1, most));
    const std::int64_t share = ((lanes + count - 1) / count + 7) / 8 * 8;
    std::vector<std::thread> others;
    others.reserve(count);
    const auto part = [&](int i) {
        const Lanes mine{rows, lanes, std::min(i * share, lanes), std::min((i + 1) * share, lanes)};
        if (mine.low < mine.high) work(i, mine);
    };
    int i = 1;
    try {
        for (; i < count; ++i) others.emplace_back(part, i);
    } catch (const std::system_error&) {  // the system has no more threads
        for (; i < count; ++i) part(i);
    }
    work(0, {rows, lanes, 0, std::min(share, lanes)});
    for (auto& other : others) other.join();
}

double Rollout::total(const std::vector<double>& lane_sums) const {
    double sum = -0.0;
    for (std::int64_t n = 0; n < lanes; ++n) sum += lane_sums[n];
    return sum;
}

std::int64_t Rollout::sent() const {
    const std::int64_t all = (steps + 1) * lanes;
    return boots ? all + std::count(truncated_.begin(), truncated_.begin() + (steps - 1) * lanes, 1) : all;
}

bool Rollout::load(std::int64_t given_steps, std::int64_t given_lanes, Numbers given_rewards, Numbers given_values,
                   const std::uint8_t* terminated, const std::uint8_t* truncated, Numbers bootstrap,
                   Numbers final_values) {
    steps = given_steps, lanes = given_lanes;
    const std::int64_t size = steps * lanes, more = size + lanes;
    for (auto* x : {&rewards_, &centred_rewards_, &scratch_}) keep(*x, size);
    for (auto* x : {&values_, &centred_values_}) keep(*x, more);
    for (auto* x : {&reward_codes_, &codes_}) keep(*x, size);
    keep(value_codes_, more), keep(boot_row_, steps), keep(place_, lanes);
    for (auto* x : {&sums_, &found_}) keep(*x, 2 * lanes);
    for (auto* x : {&terminated_, &truncated_}) keep(*x, size);
    const bool any_cut = normal(terminated, truncated, terminated_.data(), truncated_.data(), size);
    std::vector<Range> of_rewards(threads_, NONE), of_values(threads_, NONE);
    std::vector<char> good(threads_, 1);
    split(steps, [&](int i, Lanes mine) {
        const bool rewards = take(given_rewards, 0, rewards_.data(), steps, mine, of_rewards[i]);
        good[i] = take(given_values, 0, values_.data(), steps, mine, of_values[i]) && rewards;
    });
    rewards = values = NONE;
    for (int i = 0; i < threads_; ++i) {
        if (!good[i]) return false;
        rewards = {std::min(rewards.least, of_rewards[i].least), std::max(rewards.most, of_rewards[i].most)};
        values = {std::min(values.least, of_values[i].least), std::max(values.most, of_values[i].most)};
    }
    double* last = values_.data() + size;
    Range any = NONE;
    if (!take(bootstrap, 0, last, 1, all(1), any)) return false;
    boots = 0;
    std::fill_n(boot_row_.begin(), steps, -1);
    if (any_cut && !final_values.single && !final_values.twice) return false;
    const auto sent = [&](double x) {
        values = {std::min(values.least, x), std::max(values.most, x)};
        return std::isfinite(x);
    };
    for (std::int64_t t = 0; any_cut && t < steps; ++t) {
        const std::uint8_t* cut = truncated_.data() + t * lanes;
        if (!std::memchr(cut, 1, static_cast<std::size_t>(lanes))) continue;
        double* row = last;
        if (t + 1 < steps) {
            boot_row_[t] = static_cast<std::int32_t>(boots);
            keep(boots_, (boots + 1) * lanes);
            row = boots_.data() + boots++ * lanes;
            std::fill_n(row, lanes, 0.0);
        }
        for (std::int64_t n = 0; n < lanes; ++n) {
            if (!cut[n]) continue;
            row[n] = at(final_values, t * lanes + n);
            if (!sent(row[n])) return false;
        }
    }
    for (std::int64_t n = 0; n < lanes; ++n) sent(last[n]);
    keep(centred_boots_, boots * lanes), keep(boot_codes_, boots * lanes);
    first_reward = rewards_[0], first_value = values_[0];
    return true;
}

void Rollout::scale(double unit, double shift) {
    std::vector<Range> ranges(threads_, NONE);
    split(steps, [&](int i, Lanes mine) {
        kernels().gae.unit(rewards_.data(), mine, unit, shift);
        take({nullptr, rewards_.data()}, 0, rewards_.data(), steps, mine, ranges[i]);
    });
    rewards = NONE;
    for (const Range& one : ranges) rewards = {std::min(rewards.least, one.least), std::max(rewards.most, one.most)};
    first_reward = rewards_[0];
}

double Rollout::sum(bool of_values, int exponent, double base, bool square) {
    const std::int64_t rows = of_values ? steps + 1 : steps;
    const double* boot = of_values && boots ? boots_.data() : nullptr;
    split(rows, [&](int, Lanes mine) {
        kernels().gae.sum((of_values ? values_ : rewards_).data(), boot, mine, ends(), power_of(exponent), base, square,
                          sums_.data());
    });
    return total(sums_);
}

void Rollout::centre(int exponent, double reward_centre, double value_centre, double mantissa) {
    const Power power = power_of(exponent);
    split(steps, [&](int, Lanes mine) {
        kernels().gae.centre(rewards_.data(), centred_rewards_.data(), mine, power, reward_centre, mantissa);
        ++mine.steps;
        kernels().gae.centre(values_.data(), centred_values_.data(), mine, power, value_centre, mantissa);
    });
    for (std::int64_t t = 0; boots && t < steps; ++t)
        for (std::int64_t n = 0; boot_row_[t] >= 0 && n < lanes; ++n) {
            const std::int64_t i = boot_row_[t] * lanes + n;
            const double x = boots_[i] * power.a * power.b - value_centre;
            centred_boots_[i] = truncated_[t * lanes + n] ? x / mantissa : 0.0;
        }
}

std::array<double, 3> Rollout::errors(double gamma) {
    std::vector<double> largest(threads_, 0.0);
    split(steps, [&](int i, Lanes mine) {
        largest[i] = kernels().gae.errors(centred_rewards_.data(), centred_values_.data(), centred_boots_.data(), mine,
                                          ends(), gamma, scratch_.data(), sums_.data());
    });
    const double count = static_cast<double>(steps * lanes), mean = total(sums_) / count;
    split(steps, [&](int, Lanes mine) {
        kernels().gae.sum(scratch_.data(), nullptr, mine, ends(), power_of(0), mean, true, sums_.data());
    });
    return {mean, std::sqrt(total(sums_) / count), *std::max_element(largest.begin(), largest.end())};
}

double Rollout::spread(double gamma) {
    std::vector<double> variance(threads_, __DBL_MAX__);
    split(steps, [&](int i, Lanes mine) {
        variance[i] = kernels().gae.spread(rewards_.data(), values_.data(), boots_.data(), mine, ends(), gamma);
    });
    return std::sqrt(*std::min_element(variance.begin(), variance.end()));
}

Sums Rollout::exact(int point) {
    std::vector<Sums> found(threads_, Sums{0, 0});
    split(steps, [&](int i, Lanes mine) {
        kernels().gae.exact(centred_rewards_.data(), mine, power_of(point), &found[i].total, &found[i].squares);
    });
    Sums sums{0, 0};
    for (const Sums& one : found) sums.total += one.total, sums.squares += one.squares;
    return sums;
}

std::array<std::int64_t, 2> Rollout::quantise(int reward_point, int reward_shift, int value_point,
                                              std::int64_t value_inv, int value_shift, std::int64_t limit,
                                              const std::vector<std::int64_t>& cuts) {
    // A shift of 44 or more leaves nothing.
    const auto by = [&](int point, std::int64_t mantissa, int shift) {
        const Power down = power_of(2 - std::min(shift, 44));
        return Quantiser{power_of(point), static_cast<double>(mantissa) * down.a, static_cast<double>(limit)};
    };
    const Quantiser of_rewards = by(reward_point, 1 << 16, reward_shift);
    const Quantiser of_values = by(value_point, value_inv, value_shift);
    std::vector<std::array<std::int64_t, 2>> clipped(threads_, {0, 0});
    split(steps, [&](int i, Lanes mine) {
        clipped[i][0] = kernels().gae.quantise(centred_rewards_.data(), reward_codes_.data(), mine, of_rewards);
        ++mine.steps;
        clipped[i][1] = kernels().gae.quantise(centred_values_.data(), value_codes_.data(), mine, of_values);
    });
    std::array<std::int64_t, 2> sum{0, 0};
    for (const auto& one : clipped) sum[0] += one[0], sum[1] += one[1];
    if (boots) sum[1] += kernels().gae.quantise(centred_boots_.data(), boot_codes_.data(), all(boots), of_values);
    // Where a piece ends, the next one's first values are sent as its BOOT records, but behind a truncation.
    for (std::size_t i = 1; sum[1] && i + 1 < cuts.size(); ++i) {
        std::vector<std::int32_t> codes(lanes);
        std::vector<double> row(centred_values_.begin() + cuts[i] * lanes,
                                centred_values_.begin() + (cuts[i] + 1) * lanes);
        for (std::int64_t n = 0; n < lanes; ++n)
            if (truncated_[(cuts[i] - 1) * lanes + n]) row[n] = 0;
        sum[1] += kernels().gae.quantise(row.data(), codes.data(), all(1), of_values);
    }
    return sum;
}

Peak Rollout::run(const Registers& registers, const std::vector<std::int64_t>& cuts) {
    std::vector<Peak> peaks(threads_, Peak{0, 0, 0});
    split(steps, [&](int i, Lanes mine) {
        std::vector<std::int64_t> state((3 * registers.lookahead + 1) * BLOCK);
        for (std::size_t piece = 1; piece < cuts.size(); ++piece) {
            const Peak one =
                kernels().gae.array(reward_codes_.data(), value_codes_.data(), boot_codes_.data(), mine, ends(),
                                    cuts[piece - 1], cuts[piece], registers, state.data(), codes_.data());
            peaks[i] = {std::max(peaks[i].code, one.code), peaks[i].sum | one.sum, peaks[i].value | one.value};
        }
    });
    Peak peak{0, 0, 0};
    for (const Peak& one : peaks) peak = {std::max(peak.code, one.code), peak.sum | one.sum, peak.value | one.value};
    return peak;
}

std::array<double, 2> Rollout::lost(double reward_step, double value_step) {
    std::vector<double> of_values(lanes);
    split(steps, [&](int, Lanes mine) {
        kernels().gae.lost(centred_rewards_.data(), reward_codes_.data(), reward_step, centred_values_.data(),
                           value_codes_.data(), centred_boots_.data(), boot_codes_.data(), value_step, mine, ends(),
                           sums_.data(), of_values.data());
    });
    return {total(sums_) / static_cast<double>(steps * lanes), total(of_values) / static_cast<double>(sent())};
}

void Rollout::outcome(const Outcome& outcome, const std::vector<std::int64_t>& cuts, const double* ahead,
                      double* advantages, double* returns) {
    split(steps, [&](int, Lanes mine) {
        for (std::size_t piece = cuts.size() - 1; piece > 0; --piece)
            kernels().gae.outcome(centred_rewards_.data(), reward_codes_.data(), centred_values_.data(),
                                  value_codes_.data(), codes_.data(), values_.data(), mine, ends(), cuts[piece - 1],
                                  cuts[piece], piece + 1 < cuts.size() ? ahead : nullptr, outcome, found_.data(),
                                  place_.data(), advantages, returns);
    });
}

void Rollout::seen(const Outcome& by, double* rewards, double* values, double* bootstrap, double* final_values) {
    const auto put = [&](const std::int32_t* codes, Lanes mine, double step, double constant, double* out) {
        kernels().gae.seen(codes, mine, step, constant, by.mantissa, by.unit, out);
    };
    split(steps, [&](int, Lanes mine) {
        put(reward_codes_.data(), mine, by.reward_step, by.constant_reward, rewards);
        put(value_codes_.data(), mine, by.value_step, by.constant_value, values);
    });
    put(value_codes_.data() + steps * lanes, all(1), by.value_step, by.constant_value, bootstrap);
    std::fill_n(final_values, steps * lanes, std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t t = 0; t < steps; ++t) {
        const std::int32_t* codes = t + 1 == steps     ? value_codes_.data() + steps * lanes
                                    : boot_row_[t] < 0 ? nullptr
                                                       : boot_codes_.data() + boot_row_[t] * lanes;
        if (!codes) continue;
        put(codes, all(1), by.value_step, by.constant_value, scratch_.data());
        for (std::int64_t n = 0; n < lanes; ++n)
            if (truncated_[t * lanes + n]) final_values[t * lanes + n] = scratch_[n];
    }
}

double Rollout::rms(double gamma, double discount, const double* advantages) {
    std::vector<double> exact(steps * lanes), returns(steps * lanes), finals;
    if (boots || std::any_of(truncated_.begin() + (steps - 1) * lanes, truncated_.begin() + steps * lanes,
                             [](std::uint8_t x) { return x; })) {
        finals.resize(steps * lanes);
        for (std::int64_t t = 0; t < steps; ++t) {
            const double* row = t + 1 == steps ? values_.data() + steps * lanes : boots_.data() + boot_row_[t] * lanes;
            if (t + 1 == steps || boot_row_[t] >= 0) std::copy_n(row, lanes, finals.data() + t * lanes);
        }
    }
    split(steps, [&](int, Lanes mine) {
        kernels().gae.plain64(rewards_.data(), values_.data(), mine, terminated_.data(), truncated_.data(),
                              values_.data() + steps * lanes, finals.empty() ? nullptr : finals.data(), gamma, discount,
                              exact.data(), returns.data());
    });
    double largest = 0;
    for (double x : exact) largest = std::max(largest, std::abs(x));
    if (largest == 0) largest = 1;
    for (std::int64_t i = 0; i < steps * lanes; ++i) exact[i] = advantages[i] / largest - exact[i] / largest;
    split(steps, [&](int, Lanes mine) {
        kernels().gae.sum(exact.data(), nullptr, mine, ends(), power_of(0), 0.0, true, sums_.data());
    });
    return largest * std::sqrt(total(sums_) / static_cast<double>(steps * lanes));
}

}  // namespace rlcores::gae
