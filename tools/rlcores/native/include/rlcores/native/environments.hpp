// environments.hpp — many copies of one environment, in turns. The model is rlcores/cores/env/model.py.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rlcores/native/env_kernels.hpp"
#include "rlcores/native/fork.hpp"

namespace rlcores::env {

// The environment that rlcores/cores/env calls so.
std::optional<Name> named(std::string_view name);

// The generators of all draws of a reset, each with a state of its own; they go on together.
class Generators {
public:
    using State = std::array<std::uint32_t, 4>;
    using Words = std::array<std::uint32_t, DRAWS>;

    void start(const State& given);
    void take(Words* words, std::int64_t count);
    // Calls with each generator's number and its four words, which may be changed.
    template <class Each>
    void all(Each&& each) {
        for (int e = 0; e < DRAWS; ++e) each(e, s0_[e], s1_[e], s2_[e], s3_[e]);
    }

private:
    Words s0_{}, s1_{}, s2_{}, s3_{};
};

// What a turn is answered, in the environment's units: obs and final (turns, observations), the others (turns,).
// final is what the step led to, obs what to act on next: where the episode ended, a new one's first observation.
struct Answers {
    float *obs, *final;
    double* reward;
    std::uint8_t *terminated, *truncated;
};

class Environments {
public:
    // Steps, ends of both kinds, steps in which a number was limited, and illegal actions.
    using Counters = std::array<std::uint32_t, 5>;

    // time_limit: steps after which an episode is truncated; 0: never.
    Environments(Name name, std::int64_t count, std::int64_t time_limit);

    std::int64_t count() const { return count_; }
    int observations() const { return about_.observations; }
    // Numbers of an action, of a discrete one too.
    int components() const { return about_.components; }
    // Fraction bits of an element of an observation.
    int fraction(int element) const { return about_.fractions[element]; }
    bool running() const { return running_; }
    Counters counters();
    // New episodes everywhere. obs: (count, observations).
    void start(const Generators::State& state, float* obs);
    // Answers actions (turns, components) in the order of the turns, any number of them; running() must hold.
    void step(const std::int64_t* actions, std::int64_t turns, Answers answers);

    // What goes on from here: states (count, states), steps of the present episodes, words of the generators (draws,
    // 4), and whose turn it is. With `load` it is taken from there; running() holds then.
    struct Going {
        std::int64_t *states, *elapsed, *generators, *turn;
    };
    void going(bool load, const Going& to);
    int states() const { return about_.states; }
    int draws() const { return about_.draws; }

private:
    void begin(std::int64_t who, const Generators::Words& words, float* obs);
    void block(const std::int64_t* actions, std::int64_t first, std::int64_t turns, const Answers& answers);

    const Name name_;
    const About about_;
    const std::int64_t count_, time_limit_;
    std::vector<std::int32_t> state_[STATES];
    std::vector<std::int64_t> elapsed_;  // steps of the present episodes
    float unit_[OBSERVATIONS]{};
    Generators generators_;
    Counters counters_{};
    std::int64_t turn_ = 0;
    bool running_ = false;
    ForkableMutex mutex_;
};

}  // namespace rlcores::env
