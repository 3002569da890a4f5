// acting.hpp — the policy core in its integers: observations in, actions and log-probabilities out. The model is
// cores/policy/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rlcores/native/draws.hpp"
#include "rlcores/native/gen/counters.hpp"
#include "rlcores/native/heads.hpp"
#include "rlcores/native/learner.hpp"

namespace rlcores::policy {

using learner::Matrix;
using learner::Network;
using learner::Whole;

enum class Squash : Whole { none, mean, sample };

struct Settings {
    Whole epsilon;
    bool noise;
    Squash squash;
    Whole scale;
};

// actions, samples: (rows, width()); logs (rows,).
struct Answers {
    Whole *actions, *samples, *logs;
};

class Acting {
public:
    // weights: layer by layer, W row by row and then b, with 22 fraction bits. logs: log-deviations of a continuous
    // head, else none. logp: numbers that only log-probabilities need count as well when they are limited.
    Acting(std::vector<Whole> sizes, std::vector<Whole> act_frac, int output_width, bool logp,
           const std::vector<Whole>& weights, const std::vector<Whole>& logs);

    Whole inputs() const { return network_.shape.sizes.front(); }
    // Numbers of an action.
    Whole width() const { return wide_.empty() ? 1 : outputs(); }
    // Observations (rows, inputs) of 18 bits. False, and nothing has changed: a sum comes near the end of its
    // accumulator, and the model has to act.
    bool act(const Whole* observations, Whole rows, Draws& draws, const Settings& settings, const Answers& to,
             Whole* counters);

private:
    Whole outputs() const { return network_.shape.sizes.back(); }
    // Of one observation's outputs and words; what was limited.
    Whole discrete(const double* out, const std::uint64_t* words, const Settings& settings, Whole& action, Whole& log);
    Whole continuous(const double* out, const std::uint64_t* words, const Settings& settings, Whole* actions,
                     Whole* samples, Whole& log);

    std::vector<Whole> planes_;  // the second one is the target's, which nobody asks for
    Network network_;
    const bool logp_;
    std::vector<heads::Wide> wide_;
    Matrix inputs_, outputs_;
    std::vector<double> logits_;
    std::vector<Whole> logs_;
    std::vector<std::uint64_t> words_;
};

}  // namespace rlcores::policy
