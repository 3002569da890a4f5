// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/critics.hpp"

#include <algorithm>
#include <cmath>

#include "rlcores/native/heads.hpp"

namespace rlcores::heads {

namespace {
constexpr Whole FACTOR_FRAC = 17, REWARD_FRAC = 16, RECORD_FRAC = 16, VALUE_MOST = (1 << 26) - 1;

Whole magnitude(Whole x) { return x < 0 ? -x : x; }
// What fits of an exact number.
Whole kept(Limits& limits, Whole exact, Whole x) {
    limits.limited += x != exact;
    limits.most = std::max(limits.most, magnitude(x));
    return x;
}
}  // namespace

Limits target_value(std::span<const Whole* const> values, Whole rows, const Whole* less, Whole* target) {
    Limits limits{};
    for (Whole r = 0; r < rows; ++r) {
        Whole exact = values[0][r];
        for (const Whole* each : values.subspan(1)) exact = std::min(exact, each[r]);
        if (less) exact -= less[r];
        target[r] = kept(limits, exact, as_output(exact));
    }
    return limits;
}

CriticLimits critic_errors(const Targets& of, const Whole* values, Whole* td, Whole* delta) {
    CriticLimits limits{};
    for (Whole r = 0; r < of.rows; ++r) {
        const Whole scaled = round_shift(of.rewards[r] * (1 << FACTOR_FRAC), REWARD_FRAC + FACTOR_FRAC - of.frac);
        const Whole reward = as_output(scaled);
        limits.reward = std::max(limits.reward, magnitude(reward));
        limits.td.limited += reward != scaled;
        const Whole error =
            round_shift((values[r] - reward) * (1 << FACTOR_FRAC) - of.discounts[r] * of.target[r], FACTOR_FRAC);
        td[r] = kept(limits.td, error, saturated(error, -VALUE_MOST, VALUE_MOST));
        const Whole exact = round_shift(td[r] * of.weights[r], FACTOR_FRAC + of.frac - of.delta_frac);
        delta[r] = kept(limits.delta, exact, as_act(exact));
    }
    return limits;
}

void least_value(std::span<const Whole* const> values, Whole rows, Whole slope, Whole* deltas) {
    const auto critics = static_cast<Whole>(values.size());
    for (Whole r = 0; r < rows; ++r) {
        Whole least = 0;
        for (Whole n = 1; n < critics; ++n)
            if (values[n][r] < values[least][r]) least = n;
        for (Whole n = 0; n < critics; ++n) deltas[n * rows + r] = n == least ? slope : 0;
    }
}

Limits limited_sum(std::span<const Whole* const> parts, Whole count, Whole* sum) {
    Limits limits{};
    for (Whole i = 0; i < count; ++i) {
        Whole exact = 0;
        for (const Whole* each : parts) exact += each[i];
        sum[i] = kept(limits, exact, as_act(exact));
    }
    return limits;
}

bool transition_codes(const TransitionShape& shape, const Transitions& from, Whole frac, const TransitionCodes& to,
                      Limits& inputs) {
    bool fits = true;
    const auto code = [&](double x, Whole bits) {
        constexpr double MOST = 0x1p45;  // beyond every number's bits; else the conversion would not be defined
        const double exact = std::floor(x * static_cast<double>(Whole{1} << bits) + 0.5);
        fits &= std::isfinite(x);
        return static_cast<Whole>(exact > MOST ? MOST : exact > -MOST ? exact : -MOST);
    };
    const auto input = [&](const double* x, Whole count, Whole* found) {
        for (Whole i = 0; i < count; ++i) {
            const Whole exact = round_shift(code(x[i], RECORD_FRAC), RECORD_FRAC - frac);
            found[i] = kept(inputs, exact, as_act(exact));
        }
    };
    input(from.states, shape.rows * shape.states, to.states);
    input(from.next_states, shape.rows * shape.states, to.next_states);
    input(from.actions, shape.rows * shape.actions, to.actions);
    for (Whole r = 0; r < shape.rows; ++r) {
        to.rewards[r] = code(from.rewards[r], REWARD_FRAC);
        fits &= to.rewards[r] == as_output(to.rewards[r]);
        to.discounts[r] = code(from.discounts[r], FACTOR_FRAC), to.weights[r] = code(from.weights[r], FACTOR_FRAC);
    }
    return fits;
}

}  // namespace rlcores::heads
