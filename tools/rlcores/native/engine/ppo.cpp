// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/ppo.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "rlcores/native/heads.hpp"
#include "rlcores/native/isa.hpp"
#include "rlcores/native/ppo_kernels.hpp"

namespace rlcores::ppo {

namespace {

// Counters, as the model's; those of layers are at these places plus the layer.
constexpr Whole FW = STAGE_FW1 - 1, CRITIC_FW = STAGE_FW0 - 1;
constexpr Whole BW = STAGE_BW1 - 1, CRITIC_BW = STAGE_BW0 - 1;
constexpr Whole GRAD = STAGE_GRAD1 - 1, CRITIC_GRAD = STAGE_GRAD0 - 1;
constexpr Whole WEIGHT = STAGE_WEIGHT1 - 1, CRITIC_WEIGHT = STAGE_WEIGHT0 - 1;
constexpr Whole ACT = STAGE_ACT, REWARD = STAGE_RECORD, GAE = STAGE_GAE, STANDARD = STAGE_STANDARD;
constexpr Whole POLICY = STAGE_POLICY, VALUE = STAGE_VALUE, DEVIATION = STAGE_DEVIATION;

constexpr Whole FACTOR_FRAC = 17;
constexpr Whole ONE = 1 << FACTOR_FRAC, RATIO_ONE = 1 << 20;

using heads::as_act;
using heads::as_output;
using heads::bits_of;
using heads::LOG_FRAC;
using heads::power_of;
using heads::round_shift;
using heads::saturated;

// log2 of any 128-bit number but 0: of its first bits, as the model has it.
Whole log2_wide(unsigned __int128 x) {
    const auto high = static_cast<std::uint64_t>(x >> 64), low = static_cast<std::uint64_t>(x);
    const int bits = high ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
    const int drop = std::max(0, bits - 52);
    return log2_fixed(static_cast<Whole>(x >> drop)) + (static_cast<Whole>(drop) << LOG_FRAC);
}

// Standardised advantages, as standardise.py; how many did not fit.
Whole standardise(const Whole* a, Whole count, Whole* z) {
    Whole total = 0;
    unsigned __int128 squares = 0;
    for (Whole i = 0; i < count; ++i) total += a[i], squares += static_cast<std::uint64_t>(a[i] * a[i]);
    const auto sum = static_cast<__int128>(total);
    const auto spread = static_cast<unsigned __int128>(static_cast<__int128>(squares) * count - sum * sum);
    if (!spread) {
        std::fill_n(z, count, 0);
        return 0;
    }
    const Whole bits = bits_of(count - 1);
    const Whole h = std::max(log2_wide(spread) + log2_fixed(count) - log2_fixed(count - 1), (2 * bits) << LOG_FRAC);
    const Whole mantissa = power_of((-h * 32) & ((1 << 26) - 1), 17, 16), exponent = (-h * 32) >> 26;
    return kernels().ppo.standard(a, count, total, bits, mantissa, std::max<Whole>(0, 3 - exponent - bits), z);
}

Whole numbers_of(const learner::Shape& shape, std::size_t layer) {
    return (shape.sizes[layer - 1] + 1) * shape.sizes[layer];
}

}  // namespace

void advantages(const Window& w, const Registers& r, Whole* counters) {
    constexpr std::size_t OF_REWARD = 0, OF_VALUE = 1, OF_ADVANTAGE = 2;
    constexpr Whole KIND_BITS = 2;  // of a record, which an advantage has too
    Whole beyond = 0, limited = 0, coarse = 0;
    const auto kept = [&](Whole x, std::size_t kind) {
        if (!w.records.bits) return x;
        w.records.seen[kind] |= x < 0 ? ~x : x;
        const Whole half = Whole{1} << (w.records.bits + (kind == OF_ADVANTAGE ? KIND_BITS : 0) - 1);
        const Whole step = w.records.steps[kind], exact = round_shift(x, step),
                    code = saturated(exact, -half, half - 1);
        coarse += code != exact;
        return code << step;
    };
    const auto held = [](Whole exact, Whole& count) {
        const Whole found = as_output(exact);
        count += found != exact;
        return found;
    };
    for (Whole i = 0; i < w.steps * w.envs; ++i)
        w.rewards[i] = held(round_shift(w.given[i] * r.reward_scale, 20), beyond);
    std::vector<Whole> next(w.bootstrap, w.bootstrap + w.envs), advantage(next.size());
    for (Whole t = w.steps - 1; t >= 0; --t)
        for (Whole j = 0; j < w.envs; ++j) {
            const Whole i = t * w.envs + j;
            const bool ends = w.terminated[i] | w.truncated[i], cut = w.truncated[i] && !w.terminated[i];
            const Whole whole =
                held(w.rewards[i] + (cut ? round_shift(r.gamma * w.finals[i], FACTOR_FRAC) : 0), limited);
            const Whole reward = kept(whole, cut ? OF_VALUE : OF_REWARD), value = kept(w.values[i], OF_VALUE);
            const Whole v = ends ? 0 : next[j], a = ends ? 0 : advantage[j];
            const Whole delta = held(reward - value + round_shift(r.gamma * v, FACTOR_FRAC), limited);
            advantage[j] = held(delta + round_shift(r.gamma_lambda * a, FACTOR_FRAC), limited);
            w.advantages[i] = kept(advantage[j], OF_ADVANTAGE);
            next[j] = value;
            if (w.records.bits) w.baselines[i] = value;
        }
    counters[REWARD] += beyond + coarse, counters[GAE] += limited;
}

Ppo::Ppo(Network& actor, Network* critic, bool gaussian, Whole* logs, Registers given)
    : registers(given),
      actor_(actor),
      critic_(critic),
      gaussian_(gaussian),
      logs_(logs),
      wide_(gaussian ? outputs() : 0),
      l_(outputs()),
      x_(outputs()),
      xx_(outputs()),
      of_logs_(wide_.size()) {
    sides_[0].network = &actor, sides_[1].network = critic;
}

void Ppo::deviations() {
    for (std::size_t i = 0; i < wide_.size(); ++i) wide_[i] = heads::deviation(logs_[i]);
}

// --- acting ---

bool Ppo::look(const Whole* observations, Whole count, Whole* counters) {
    Network* const networks[] = {&actor_, critic_};
    Network::Counts counts[2]{};
    inputs_.shape(count, inputs());
    const Whole limited = learner::take(observations, count, inputs(), inputs_);
    const auto in_blocks = [&](int s) {
        learner::Blocks& blocks = networks[s]->blocks;
        outputs_[s].shape(count, networks[s]->shape.sizes.back());
        for (Whole from = 0; from < count; from += learner::Blocks::ROWS) {
            const Whole rows = std::min(learner::Blocks::ROWS, count - from);
            block_.take(rows, inputs(), [&](Whole r, Whole c) { return static_cast<Whole>(inputs_.row(from + r)[c]); });
            if (!blocks.forward(block_, rows, outputs_[s], from, counts[s])) return false;
        }
        return true;
    };
    for (int s = 0; s < (critic_ ? 2 : 1); ++s) {
        if (networks[s]->hidden() == learner::Hidden::relu && in_blocks(s)) continue;
        counts[s] = {};
        if (!networks[s]->look(inputs_, outputs_[s], counts[s])) return false;
    }
    counters[ACT] += limited;
    learner::add(counts[0], counters, FW, actor_.layers);
    if (critic_) learner::add(counts[1], counters, CRITIC_FW, critic_->layers);
    return true;
}

bool Ppo::values(const Whole* observations, Whole count, Whole* found, Whole* counters) {
    if (!look(observations, count, counters)) return false;
    const Matrix& value = outputs_[critic_ ? 1 : 0];
    for (Whole i = 0; i < count; ++i) found[i] = static_cast<Whole>(value.row(i)[value.columns - 1]);
    return true;
}

bool Ppo::act(const Whole* observations, Whole count, Draws& noise, const Acted& to, Whole* counters) {
    if (!look(observations, count, counters)) return false;
    Whole limited = 0;
    const Matrix& value = outputs_[critic_ ? 1 : 0];
    const Whole words = 1 + outputs();
    words_.resize(count * words);
    noise.take(words_.data(), words_.size());
    if (gaussian_) deviations();
    for (Whole i = 0; i < count; ++i) {
        const double* out = outputs_[0].row(i);
        const std::uint64_t* drawn = words_.data() + i * words + 1;
        to.values[i] = static_cast<Whole>(value.row(i)[value.columns - 1]);
        if (gaussian_) {
            limited += continuous(out, drawn, to.actions + i * outputs(), to.samples + i * outputs(), to.logs[i]);
        } else {
            discrete(out, drawn, to.actions[i], to.logs[i]);
            to.samples[i] = to.actions[i];
        }
    }
    counters[ACT] += limited;
    return true;
}

void Ppo::discrete(const double* logits, const std::uint64_t* words, Whole& action, Whole& log) {
    Whole best = 0, most = 0;
    for (Whole k = 0; k < outputs(); ++k) {
        const Whole score = static_cast<Whole>(logits[k]) + heads::gumbel(words[k]);
        if (!k || score > most) best = k, most = score;
    }
    heads::softmax(logits, outputs(), l_.data());
    action = best, log = l_[best];
}

Whole Ppo::density(const Whole* samples, const double* means, Whole& log) {
    Whole total = 0, limited = 0;
    for (Whole i = 0; i < outputs(); ++i) {
        const heads::Scaled one = heads::scaled(wide_[i], samples[i], static_cast<Whole>(means[i]));
        x_[i] = one.x, xx_[i] = one.squared;
        limited += one.limited, total -= one.term;
    }
    log = as_output(total);
    return limited + (log != total);
}

Whole Ppo::continuous(const double* means, const std::uint64_t* words, Whole* actions, Whole* samples, Whole& log) {
    Whole limited = 0;
    for (Whole i = 0; i < outputs(); ++i) {
        const Whole exact = static_cast<Whole>(means[i]) + heads::noise(wide_[i], words[i]);
        samples[i] = as_output(exact);
        const Whole scaled = round_shift(samples[i], 1);
        actions[i] = as_act(scaled);
        limited += (samples[i] != exact) + (actions[i] != scaled);
    }
    return limited + density(samples, means, log);
}

Whole Ppo::collect(env::Environments& envs, Whole from, Whole steps, Whole* now, Draws& noise, const Rollout& to,
                   Whole* counters) {
    const Whole n = envs.count(), in = inputs(), wide = width();
    actions_.resize(n * wide), obs_.resize(n * in), final_.resize(n * in), reward_.resize(n);
    std::vector<double> unit(in);
    for (Whole e = 0; e < in; ++e) unit[e] = std::ldexp(1.0, envs.fraction(static_cast<int>(e)));
    for (Whole t = from; t < steps; ++t) {
        const Whole at = t * n;
        if (!act(now, n, noise, {actions_.data(), to.samples + at * wide, to.logs + at, to.values + at}, counters))
            return t;
        std::copy_n(now, n * in, to.observations + at * in);
        envs.step(actions_.data(), n,
                  {obs_.data(), final_.data(), reward_.data(), to.terminated + at, to.truncated + at});
        for (Whole i = 0; i < n; ++i) {
            to.rewards[at + i] = static_cast<Whole>(reward_[i] * (1 << env::REWARD_FRACTION));
            for (Whole e = 0; e < in; ++e) {
                now[i * in + e] = static_cast<Whole>(obs_[i * in + e] * unit[e]);
                to.final[(at + i) * in + e] = static_cast<Whole>(final_[i * in + e] * unit[e]);
            }
        }
    }
    return steps;
}

// --- training ---

void Ppo::shuffle(const Minibatch& from, const std::array<std::uint32_t, 12>& keys, const Samples& to) const {
    constexpr int WORD = 24;  // bits of a round's arithmetic
    const int bits = std::max(1, bits_of(from.count - 1)), low_bits = bits / 2, high_bits = bits - low_bits;
    const Whole in = inputs(), wide = width();
    const auto hash = [&](std::uint64_t x, int round, int of) {
        const std::uint64_t k1 = keys[2 * round] >> (32 - WORD) | 1, k2 = keys[2 * round + 1] >> (32 - WORD);
        return ((k1 * x + k2) & ((1 << WORD) - 1)) >> (WORD - of);
    };
    Whole at = 0;
    for (std::uint64_t x = 0; x < std::uint64_t{1} << bits; ++x) {
        std::uint64_t high = x >> low_bits, low = x & ((std::uint64_t{1} << low_bits) - 1);
        for (int round = 0; round < 6; round += 2)
            high ^= hash(low, round, high_bits), low ^= hash(high, round + 1, low_bits);
        const auto chosen = static_cast<Whole>(high << low_bits | low);
        if (chosen >= from.count) continue;
        for (Whole k = 0; k < in; ++k) to.observations[at * in + k] = from.observations[chosen * in + k];
        for (Whole k = 0; k < wide; ++k) to.actions[at * wide + k] = from.actions[chosen * wide + k];
        to.before[at] = from.before[chosen], to.values[at] = from.values[chosen];
        to.advantages[at] = from.advantages[chosen];
        ++at;
    }
}

Whole Ppo::slope(Whole log, Whole before, Whole z, Whole& limited) const {
    const Whole found = exp2_fixed((log - before) * 64, 26, 20), r = std::min(found, (Whole{1} << 26) - 1);
    const Whole clip = registers.clip;
    if ((z > 0 && r > RATIO_ONE + clip) || (z < 0 && r < RATIO_ONE - clip)) return 0;
    const Whole exact = -round_shift(z * r, 20), slope = as_act(exact);
    limited += (found != r) + (exact != slope);
    return slope;
}

Whole Ppo::gaussian_delta(const double* means, const Whole* samples, Whole before, Whole z, double* delta,
                          Whole* of_logs) {
    const Whole frac = actor_.shape.delta_frac.back();
    Whole log;
    Whole limited = density(samples, means, log);
    const Whole g = slope(log, before, z, limited);
    for (Whole i = 0; i < outputs(); ++i) {
        const Whole exact = round_shift(g * x_[i], 8), pushed = as_output(exact);
        const Whole moved = round_shift(pushed * wide_[i].mantissa, 34 - wide_[i].exponent - frac), d = as_act(moved);
        limited += (exact != pushed) + (moved != d);
        of_logs[i] += round_shift(g * (xx_[i] - (1 << 16)), 8) - registers.entropy;
        delta[i] = static_cast<double>(d);
    }
    return limited;
}

void Ppo::losses(const Minibatch& b, Whole from, Side& actor, Side& critic, Losses& limited) {
    for (Side* side : {&actor, &critic}) side->delta.shape(side->outputs.rows, side->outputs.columns);
    const auto of = [](const Side& side) {
        return Outputs{side.outputs.row(0), side.outputs.rows, side.outputs.columns, side.outputs.stride};
    };
    const Registers& r = registers;
    if (gaussian_) {
        for (Whole i = 0; i < actor.outputs.rows; ++i)
            limited.policy += gaussian_delta(actor.outputs.row(i), b.actions + (from + i) * outputs(),
                                             b.before[from + i], z_[from + i], actor.delta.row(i), of_logs_.data());
    } else {
        Outputs logits = of(actor);
        logits.columns = outputs();
        room_.resize(2 * outputs() * LOSS_ROWS);
        limited.policy +=
            kernels().ppo.categorical(logits, b.actions + from, b.before + from, z_.data() + from, r.clip, r.entropy,
                                      actor_.shape.delta_frac.back(), room_.data(), actor.delta.row(0));
    }
    limited.value += kernels().ppo.value(of(critic), b.values + from, b.advantages + from, r.value, r.value_clip,
                                         (critic_ ? critic_ : &actor_)->shape.delta_frac.back(), critic.delta.row(0));
}

bool Ppo::in_blocks(const Minibatch& b, const Gradients& to, Losses& limited) {
    constexpr Whole REST = 15;
    // Whose numbers are too large now will hardly have small ones in the next step.
    if (rest_) return --rest_, false;
    rest_ = REST;
    const Whole in = inputs();
    for (Side& side : sides_)
        if (side.network && (side.network->hidden() != learner::Hidden::relu || !side.network->blocks.begin(b.count)))
            return false;
    for (Whole from = 0; from < b.count; from += learner::Blocks::ROWS) {
        const Whole count = std::min(learner::Blocks::ROWS, b.count - from);
        const Whole* seen = b.observations + from * in;
        block_.take(count, in, [&](Whole r, Whole c) { return as_act(seen[r * in + c]); });
        for (Side& side : sides_) {
            if (!side.network) continue;
            side.outputs.shape(count, side.network->shape.sizes.back());
            if (!side.network->blocks.forward(block_, count, side.outputs, 0, side.forward)) return false;
        }
        losses(b, from, sides_[0], sides_[critic_ ? 1 : 0], limited);
        for (Side& side : sides_)
            if (side.network && !side.network->blocks.backward(side.delta, side.back)) return false;
    }
    Whole* const found[] = {to.actor, to.critic};
    for (int s = 0; s < 2; ++s)
        if (sides_[s].network) sides_[s].network->blocks.gradient(found[s], sides_[s].gradient);
    rest_ = 0;
    return true;
}

bool Ppo::whole(const Minibatch& b, const Gradients& to, Losses& limited) {
    const Whole in = inputs();
    for (Side& side : sides_) {
        if (!side.network) continue;
        const Whole last = side.network->layers;
        side.vectors.resize(last + 1), side.deltas.resize(last + 1);
        side.vectors[0].shape(b.count, in);
        learner::take(b.observations, b.count, in, side.vectors[0]);
        if (!side.network->forward(side.vectors, false, last, side.forward)) return false;
        std::swap(side.outputs, side.vectors[last]);
    }
    losses(b, 0, sides_[0], sides_[critic_ ? 1 : 0], limited);
    Whole* const found[] = {to.actor, to.critic};
    for (int s = 0; s < 2; ++s) {
        Side& side = sides_[s];
        if (!side.network) continue;
        std::swap(side.delta, side.deltas[side.network->layers]);
        if (!side.network->backward(side.vectors, side.deltas, side.network->shape.delta_frac, side.back)) return false;
        if (!side.network->gradient(side.vectors, side.deltas, found[s], side.gradient)) return false;
    }
    return true;
}

bool Ppo::gradients(const Minibatch& b, const Gradients& to, Whole* counters) {
    z_.resize(b.count);
    const Whole standard = standardise(b.advantages, b.count, z_.data());
    if (gaussian_) deviations();
    Losses limited{};
    const auto begun = [&] {
        limited = {};
        std::fill(of_logs_.begin(), of_logs_.end(), 0);
        for (Side& side : sides_) side.forward = side.back = side.gradient = {};
        return true;
    };
    if (!(begun() && in_blocks(b, to, limited)) && !(begun() && whole(b, to, limited))) return false;
    constexpr Whole TOP = (1 << 26) - 1;
    for (std::size_t i = 0; i < of_logs_.size(); ++i) {
        const Whole exact = round_shift(of_logs_[i], LOG_FRAC - registers.logs_frac);
        counters[DEVIATION] += exact >= TOP - 255 || exact <= 254 - TOP;
        to.logs[i] = saturated(exact, -TOP, TOP);
    }
    for (int s = 0; s < 2; ++s) {
        const Side& side = sides_[s];
        if (!side.network) continue;
        learner::add(side.forward, counters, s ? CRITIC_FW : FW, side.network->layers);
        learner::add(side.back, counters, s ? CRITIC_BW : BW, side.network->layers);
        learner::add(side.gradient, counters, s ? CRITIC_GRAD : GRAD, side.network->layers);
    }
    counters[STANDARD] += standard, counters[POLICY] += limited.policy, counters[VALUE] += limited.value;
    return true;
}

void Ppo::apply(const Gradients& g, Whole log_rate, Whole* counters) {
    Network* const networks[] = {&actor_, critic_};
    const Whole* const found[] = {g.actor, g.critic};
    const int sides = critic_ ? 2 : 1;
    Whole least = gaussian_ ? registers.logs_frac : 64, total = 0;
    for (int s = 0; s < sides; ++s)
        for (Whole l = 1; l <= networks[s]->layers; ++l) least = std::min(least, networks[s]->shape.grad_frac[l]);
    const auto add = [&](const Whole* from, Whole count, Whole frac) {
        total += kernels().ppo.squares(from, count) >> 2 * (frac - least);
    };
    for (int s = 0; s < sides; ++s) {
        const Whole* from = found[s];
        for (Whole l = 1; l <= networks[s]->layers; ++l) {
            const Whole count = numbers_of(networks[s]->shape, l);
            add(from, count, networks[s]->shape.grad_frac[l]);
            from += count;
        }
    }
    const Whole logs = static_cast<Whole>(of_logs_.size());
    if (gaussian_) add(g.logs, logs, registers.logs_frac);
    const Whole over = total ? registers.norm - log2_wide(static_cast<unsigned __int128>(total)) : 0;
    const Whole factor = over >= 0 ? ONE : power_of(over * 32, 18, 17);
    const auto clip = [&](const Whole* from, Whole count) {
        clipped_.resize(count);
        kernels().ppo.clip(from, count, factor, clipped_.data());
        return clipped_.data();
    };
    for (int s = 0; s < sides; ++s) {
        Network::Counts counts{};
        networks[s]->update(clip(found[s], networks[s]->size), false, nullptr, counts);
        learner::add(counts, counters, s ? CRITIC_WEIGHT : WEIGHT, networks[s]->layers);
    }
    if (!gaussian_) return;
    const auto& betas = actor_.shape.betas;
    counters[DEVIATION] += actor_.shape.optimiser(
        {logs_,
         logs_ + logs,
         logs,
         clip(g.logs, logs),
         logs,
         {0, 0, log_rate, registers.log_clip, registers.eps, 0, 0, 0, {betas[0], betas[1], betas[2], betas[3]}, false},
         {learner::RoundingMode::nearest, nullptr},
         {learner::FollowMode::none, nullptr, 0, 0}});
}

}  // namespace rlcores::ppo
