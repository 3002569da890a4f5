// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/acting.hpp"

#include <utility>

#include "rlcores/native/tanh.hpp"

namespace rlcores::policy {

namespace {

using heads::as_act;
using heads::as_output;
using heads::round_shift;
using heads::saturated;

constexpr Whole OUT_FRAC = 16, ONE = 1 << OUT_FRAC;

// An output with `frac` fraction bits, with 16 of them.
Whole exact(double out, Whole frac) { return round_shift(static_cast<Whole>(out) << OUT_FRAC, frac); }

Whole tanh(Whole x) { return tanh_of(as_act(round_shift(x, 2))); }

bool explores(const std::uint64_t* words, const Settings& settings) {
    return static_cast<Whole>(words[0] >> 16) < settings.epsilon;
}

}  // namespace

Acting::Acting(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool logp,
               const std::vector<Whole>& weights, const std::vector<Whole>& logs)
    : planes_(learner::twice(weights)),
      network_(learner::acting_shape(std::move(sizes), std::move(act_frac), output_width), planes_.data()),
      logp_(logp),
      logits_(outputs()),
      logs_(outputs()) {
    for (const Whole log : logs) wide_.push_back(heads::deviation(log));
}

bool Acting::act(const Whole* observations, Whole rows, Draws& draws, const Settings& settings, const Answers& to,
                 Whole* counters) {
    inputs_.shape(rows, inputs());
    learner::take(observations, rows, inputs(), inputs_);
    Network::Counts counts{};
    if (!network_.look(inputs_, outputs_, counts)) return false;
    learner::add(counts, counters, STAGE_SATURATED - 1, network_.layers);
    const Whole words = 1 + outputs();
    words_.resize(rows * words);
    draws.take(words_.data(), words_.size());
    for (Whole i = 0; i < rows; ++i) {
        const double* out = outputs_.row(i);
        const std::uint64_t* drawn = words_.data() + i * words;
        if (wide_.empty()) {
            counters[STAGE_HEAD_SATURATED] += discrete(out, drawn, settings, to.actions[i], to.logs[i]);
            to.samples[i] = to.actions[i];
        } else {
            const Whole at = i * outputs();
            counters[STAGE_HEAD_SATURATED] +=
                continuous(out, drawn, settings, to.actions + at, to.samples + at, to.logs[i]);
        }
    }
    return true;
}

Whole Acting::discrete(const double* out, const std::uint64_t* words, const Settings& settings, Whole& action,
                       Whole& log) {
    const Whole frac = network_.shape.act_frac.back();
    const bool anywhere = explores(words, settings), noisy = anywhere || settings.noise;
    Whole best = 0, most = 0, limited = 0;
    for (Whole k = 0; k < outputs(); ++k) {
        const Whole noise = noisy ? round_shift(heads::gumbel(words[1 + k]) << 15, 31 - frac) : 0;
        const Whole score = (anywhere ? 0 : static_cast<Whole>(out[k])) + noise, logit = exact(out[k], frac);
        if (!k || score > most) best = k, most = score;
        logits_[k] = static_cast<double>(as_output(logit));
        limited += logit != as_output(logit);
    }
    heads::softmax(logits_.data(), outputs(), logs_.data());
    action = best, log = logs_[best];
    return logp_ ? limited : 0;
}

Whole Acting::continuous(const double* out, const std::uint64_t* words, const Settings& settings, Whole* actions,
                         Whole* samples, Whole& log) {
    const Whole frac = network_.shape.act_frac.back();
    const bool anywhere = explores(words, settings);
    Whole limited = 0, of_logs = 0, total = 0;
    for (Whole k = 0; k < outputs(); ++k) {
        const Whole aligned = exact(out[k], frac), mean = as_output(aligned);
        const Whole base = settings.squash == Squash::mean ? tanh(mean) : mean;
        const Whole noisy = base + (settings.noise ? heads::noise(wide_[k], words[1 + k]) : 0), held = as_output(noisy);
        const Whole sample = settings.squash == Squash::mean ? saturated(held, -ONE, ONE) : held;
        const heads::Scaled one = heads::scaled(wide_[k], sample, base);
        of_logs += one.limited, total -= one.term;
        if (settings.squash == Squash::sample) total -= heads::tanh_slope(sample);
        const Whole uniform = static_cast<std::int32_t>(words[1 + k]) >> 15;
        const Whole value = anywhere ? uniform : settings.squash == Squash::sample ? tanh(sample) : sample;
        const Whole moved = round_shift(value * settings.scale, OUT_FRAC);
        samples[k] = sample, actions[k] = as_act(moved);
        limited += (aligned != mean) + (noisy != held) + (moved != actions[k]);
    }
    log = as_output(total);
    of_logs += log != total;
    return limited + (logp_ ? of_logs : 0);
}

}  // namespace rlcores::policy
