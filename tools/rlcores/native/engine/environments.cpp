// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/environments.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "rlcores/native/gen/env_steps.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores::env {

namespace {

constexpr Whole BLOCK = 256;
// What an episode starts with. words: of each draw.
using Reset = void (*)(const std::uint32_t* words, std::int32_t* state, std::int32_t* obs);
#define RLCORES_ENVIRONMENT(name) name##_reset,
constexpr Reset RESETS[] = {RLCORES_ENVIRONMENTS(RLCORES_ENVIRONMENT)};
#undef RLCORES_ENVIRONMENT

std::uint32_t rotated(std::uint32_t x, int by) { return x << by | x >> (32 - by); }

}  // namespace

std::optional<Name> named(std::string_view name) {
    const auto* const end = std::end(ABOUT);
    const auto* const found =
        std::find_if(std::begin(ABOUT), end, [&](const About& one) { return std::string_view(one.name) == name; });
    if (found == end) return {};
    return static_cast<Name>(found - std::begin(ABOUT));
}

void Generators::start(const State& given) {
    for (int e = 0; e < DRAWS; ++e) {
        State own;
        for (int w = 0; w < 4; ++w) own[w] = given[w] ^ 0x9E3779B9u * static_cast<std::uint32_t>(4 * e + w + 1);
        if (!(own[0] | own[1] | own[2] | own[3])) own[0] = 1;
        s0_[e] = own[0], s1_[e] = own[1], s2_[e] = own[2], s3_[e] = own[3];
    }
}

void Generators::take(Words* words, std::int64_t count) {
    Words s0 = s0_, s1 = s1_, s2 = s2_, s3 = s3_;
    for (std::int64_t i = 0; i < count; ++i)
        for (int e = 0; e < DRAWS; ++e) {
            words[i][e] = rotated(s0[e] + s3[e], 7) + s0[e];
            const std::uint32_t x = s1[e] << 9;
            s2[e] ^= s0[e];
            s3[e] ^= s1[e];
            s1[e] ^= s2[e];
            s0[e] ^= s3[e];
            s2[e] ^= x;
            s3[e] = rotated(s3[e], 11);
        }
    s0_ = s0, s1_ = s1, s2_ = s2, s3_ = s3;
}

Environments::Environments(Name name, std::int64_t count, std::int64_t time_limit)
    : name_(name), about_(ABOUT[static_cast<int>(name)]), count_(count), time_limit_(time_limit), elapsed_(count) {
    for (int i = 0; i < about_.states; ++i) state_[i].resize(count);
    for (int i = 0; i < about_.observations; ++i) unit_[i] = std::ldexp(1.0f, -about_.fractions[i]);
}

void Environments::start(const Generators::State& state, float* obs) {
    const std::lock_guard held(mutex_.get());
    generators_.start(state);
    Generators::Words words[BLOCK];
    for (Whole first = 0; first < count_; first += BLOCK) {
        const Whole turns = std::min(BLOCK, count_ - first);
        generators_.take(words, turns);
        for (Whole i = 0; i < turns; ++i) begin(first + i, words[i], obs + (first + i) * about_.observations);
    }
    turn_ = 0;
    running_ = true;
}

// Of one environment a new episode, and what is seen of it.
void Environments::begin(Whole who, const Generators::Words& words, float* obs) {
    std::int32_t state[STATES], codes[OBSERVATIONS];
    RESETS[static_cast<int>(name_)](words.data(), state, codes);
    for (int j = 0; j < about_.states; ++j) state_[j][who] = state[j];
    for (int j = 0; j < about_.observations; ++j) obs[j] = static_cast<float>(codes[j]) * unit_[j];
    elapsed_[who] = 0;
}

void Environments::step(const std::int64_t* actions, std::int64_t turns, Answers answers) {
    const std::lock_guard held(mutex_.get());
    while (turns) {
        const Whole now = std::min({BLOCK, turns, count_ - turn_});
        block(actions, turn_, now, answers);
        turn_ = turn_ + now == count_ ? 0 : turn_ + now;
        turns -= now, actions += now * about_.components;
        const Whole seen = now * about_.observations;
        answers = {answers.obs + seen, answers.final + seen, answers.reward + now, answers.terminated + now,
                   answers.truncated + now};
    }
}

void Environments::block(const std::int64_t* actions, Whole first, Whole turns, const Answers& answers) {
    std::int32_t action[COMPONENTS][BLOCK], obs[OBSERVATIONS][BLOCK], reward[BLOCK], ended[BLOCK], limited[BLOCK];
    std::uint32_t illegal = 0, beyond = 0, terminated = 0, truncated = 0;
    if (about_.actions)
        for (Whole i = 0; i < turns; ++i) {
            const Whole index = actions[i] & ((1 << 18) - 1), last = about_.actions - 1;
            illegal += index > last;
            action[0][i] = static_cast<std::int32_t>(std::min(index, last));
        }
    else
        for (int j = 0; j < about_.components; ++j)
            for (Whole i = 0, at = j; i < turns; ++i, at += about_.components)
                action[j][i] = static_cast<std::int32_t>(actions[at]);
    Copies all{turns, {}, {}, {}, reward, ended, limited};
    for (int j = 0; j < about_.components; ++j) all.action[j] = action[j];
    for (int j = 0; j < about_.states; ++j) all.state[j] = state_[j].data() + first;
    for (int j = 0; j < about_.observations; ++j) all.obs[j] = obs[j];
    kernels().env.step(name_, all);
    Generators::Words words[BLOCK];
    generators_.take(words, turns);
    for (int j = 0; j < about_.observations; ++j)
        for (Whole i = 0, at = j; i < turns; ++i, at += about_.observations)
            answers.final[at] = answers.obs[at] = static_cast<float>(obs[j][i]) * unit_[j];
    for (Whole i = 0; i < turns; ++i) {
        answers.reward[i] = static_cast<double>(reward[i]) * (1.0 / (1 << REWARD_FRACTION));
        answers.terminated[i] = ended[i] != 0;
        answers.truncated[i] = ++elapsed_[first + i] == time_limit_;
        terminated += answers.terminated[i], truncated += answers.truncated[i], beyond += limited[i] != 0;
    }
    if (terminated + truncated)
        for (Whole i = 0; i < turns; ++i)
            if (answers.terminated[i] | answers.truncated[i])
                begin(first + i, words[i], answers.obs + i * about_.observations);
    const std::uint32_t events[] = {static_cast<std::uint32_t>(turns), terminated, truncated, beyond, illegal};
    for (std::size_t k = 0; k < counters_.size(); ++k) counters_[k] += events[k];
}

void Environments::going(bool load, const Going& to) {
    const std::lock_guard held(mutex_.get());
    const auto exchange = [load](auto& mine, std::int64_t& theirs) {
        if (load)
            mine = static_cast<std::remove_reference_t<decltype(mine)>>(theirs);
        else
            theirs = mine;
    };
    for (Whole i = 0; i < count_; ++i) {
        for (int j = 0; j < about_.states; ++j) exchange(state_[j][i], to.states[i * about_.states + j]);
        exchange(elapsed_[i], to.elapsed[i]);
    }
    generators_.all([&](int e, auto& s0, auto& s1, auto& s2, auto& s3) {
        std::int64_t* words = to.generators + 4 * e;
        if (e < about_.draws)
            exchange(s0, words[0]), exchange(s1, words[1]), exchange(s2, words[2]), exchange(s3, words[3]);
    });
    exchange(turn_, *to.turn);
    running_ = running_ || load;
}

Environments::Counters Environments::counters() {
    const std::lock_guard held(mutex_.get());
    return counters_;
}

}  // namespace rlcores::env
