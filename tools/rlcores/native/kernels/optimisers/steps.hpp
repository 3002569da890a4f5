// steps.hpp — what the kernels of the optimisers share: limits, rounding, and the target's weights behind those that
// moved. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rlcores/native/optimisers.hpp"

namespace rlcores::RLCORES_ISA {
using namespace rlcores::learner;

namespace {

constexpr std::int64_t TOP = (1 << 26) - 1;
inline std::int64_t clamped(std::int64_t x, std::int64_t low, std::int64_t high) {
    const std::int64_t y = x < high ? x : high;
    return y > low ? y : low;
}

// Calls a loop with what is added to number i before 16 fraction bits go, and what the target does behind number i.
template <class Loop>
std::int64_t with(Rounding by, Follow behind, Loop loop) {
    std::int64_t* t = behind.target;
    const auto chosen = [&](auto follow) {
        const std::int64_t* dither = by.dither;
        if (by.mode == RoundingMode::stochastic) return loop([dither](std::int64_t i) { return dither[i]; }, follow);
        const std::int64_t half = by.mode == RoundingMode::floor ? 0 : 1 << 15;
        return loop([half](std::int64_t) { return half; }, follow);
    };
    if (behind.mode == FollowMode::none) return chosen([](std::int64_t, std::int64_t) { return false; });
    const int shift = behind.shift;
    if (behind.mode == FollowMode::copy)
        return chosen([t, shift](std::int64_t i, std::int64_t w) {
            t[i] = w << shift;
            return false;
        });
    const std::int64_t tau = behind.tau;
    return chosen([t, shift, tau](std::int64_t i, std::int64_t w) {
        const std::int64_t exact = w - (t[i] >> shift), d = clamped(exact, -TOP - 1, TOP);
        t[i] += (d * tau + 128) >> 8;
        return d != exact;
    });
}

}  // namespace

}  // namespace rlcores::RLCORES_ISA
