// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/squashed.hpp"

#include <vector>

#include "rlcores/native/draws.hpp"
#include "rlcores/native/heads.hpp"
#include "rlcores/native/tanh.hpp"

namespace rlcores::heads {

Squashed squashed_sample(const SquashedShape& shape, const Whole* outputs, const Whole* normals, const Sampled& to) {
    constexpr Whole LOW = -5 * (1 << 16), HIGH = 2 * (1 << 16), LN2 = 90852;  // limits of logs; ln 2 * 2**17
    Squashed limited{};
    for (Whole r = 0; r < shape.rows; ++r) {
        const Whole *means = outputs + 2 * r * shape.actions, *logs = means + shape.actions;
        Whole sum = 0;
        for (Whole k = 0; k < shape.actions; ++k) {
            const Whole at = r * shape.actions + k, log = saturated(logs[k], LOW, HIGH), x = normals[at];
            const Wide wide = deviation(log * (1 << 6));
            const Whole noise = round_shift(x * wide.noise, 15), exact = means[k] + noise, u = as_output(exact);
            to.u[at] = u, to.noise[at] = noise, to.inside[at] = log == logs[k];
            to.action[at] = tanh_of(as_act(round_shift(u, 2)));
            limited.samples += u != exact;
            sum += round_shift(round_shift(x * x, 12) * HALF_LOG2E, 13) + wide.c + NORMALISER + tanh_slope(u);
        }
        const Whole total = round_shift(-sum * LN2, 21), log = as_output(total);
        to.log[r] = log;
        limited.logs += log != total;
    }
    return limited;
}

void squashed_delta(const SquashedShape& shape, const Sampled& drawn, const Whole* to_action, Whole frac, Whole alpha,
                    Whole delta_frac, Whole* delta, bool* limited) {
    const Whole less = round_shift(alpha * (1 << 11), 31 - delta_frac);
    for (Whole r = 0; r < shape.rows; ++r) {
        const Whole first = 2 * r * shape.actions;
        const auto put = [&](Whole at, Whole exact) { delta[at] = as_act(exact), limited[at] = delta[at] != exact; };
        for (Whole k = 0; k < shape.actions; ++k) {
            const Whole at = r * shape.actions + k, a = drawn.action[at];
            const Whole slope = round_shift((Whole{1} << 32) - a * a, 16);
            const Whole back = round_shift(to_action[at] * slope, frac + 16 - delta_frac);
            const Whole twice = round_shift(a * alpha, 35 - delta_frac), noise = drawn.noise[at];
            put(first + k, back + twice);
            put(first + shape.actions + k,
                drawn.inside[at] ? round_shift(back * noise, 16) + round_shift(twice * noise, 16) - less : 0);
        }
    }
}

void normals(std::array<std::uint32_t, 4>& state, Whole rows, Whole actions, Whole* numbers) {
    std::vector<std::uint64_t> words(rows * actions);
    Draws draws(32);
    draws.load(state);
    draws.take(words.data(), words.size());
    for (Whole k = 0; k < actions; ++k)
        for (Whole r = 0; r < rows; ++r) numbers[r * actions + k] = normal(words[k * rows + r]);
    state = draws.state();
}

Whole exponential(Whole log) { return power_of(round_shift(log * (1 << 18) + log * LOG2E, 20) * 64, 26, 20); }

}  // namespace rlcores::heads
