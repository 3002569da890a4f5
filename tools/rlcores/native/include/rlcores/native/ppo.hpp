// ppo.hpp — PPO in the core's integers: acting, rollouts, advantages, a gradient step. The model is cores/ppo/model.py.
// SPDX-License-Identifier: Apache-2.0
//
// A call that says false has changed nothing: a sum would leave an accumulator, and the model takes over. Arrays are
// row by row, numbers those of docs/ppo.md. Counters are the model's.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rlcores/native/draws.hpp"
#include "rlcores/native/environments.hpp"
#include "rlcores/native/gen/counters.hpp"
#include "rlcores/native/heads.hpp"
#include "rlcores/native/learner.hpp"

namespace rlcores::ppo {

using learner::Matrix;
using learner::Network;
using learner::Whole;

struct Registers {
    Whole gamma, gamma_lambda, reward_scale, clip, entropy, value, value_clip, norm;
    Whole logs_frac, eps, log_clip;  // of the log-deviations' gradient and their Adam
};

// What is answered to N observations: actions for the environment, samples (N, A) as the memory keeps them.
struct Acted {
    Whole *actions, *samples, *logs, *values;
};

// T steps of N environments, (T, N, …): samples as Acted, rewards as they were given, final: what each step led to.
struct Rollout {
    Whole *observations, *samples, *logs, *values, *rewards;
    std::uint8_t *terminated, *truncated;
    Whole* final;
};

struct Minibatch {
    Whole count;
    const Whole *observations, *actions, *before, *values, *advantages;
};

// Room for as many.
struct Samples {
    Whole *observations, *actions, *before, *values, *advantages;
};

struct Gradients {
    Whole *actor, *critic, *logs;  // critic null: a shared trunk
};

// The codes of a rollout's memory, as cores/ppo/records.py: exponents of their steps, and the bits that numbers used,
// of reward, value and advantage. bits 0: numbers are kept as they are.
struct Records {
    Whole bits;
    const Whole* steps;
    Whole* seen;
};

// Advantages (steps, envs), and rewards with their scale; finals: looked at where an episode was only truncated.
// baselines: values as the memory keeps them, where it has codes.
struct Window {
    Whole steps, envs;
    const Whole *given, *values, *finals, *bootstrap;
    const std::uint8_t *terminated, *truncated;
    Whole *rewards, *advantages, *baselines;
    Records records;
};
void advantages(const Window& window, const Registers& registers, Whole* counters);

class Ppo {
public:
    // critic null: the actor's last output is the value. logs: (3, A), log-deviations and their moments.
    Ppo(Network& actor, Network* critic, bool gaussian, Whole* logs, Registers registers);

    const Registers registers;
    Whole inputs() const { return actor_.shape.sizes.front(); }
    Whole outputs() const { return actor_.shape.sizes.back() - !critic_; }
    // Numbers of a sample.
    Whole width() const { return gaussian_ ? outputs() : 1; }
    bool gaussian() const { return gaussian_; }
    bool shared() const { return !critic_; }
    // Whether the last gradient was found in products of 16 bits.
    bool quick() const { return !rest_; }

    bool act(const Whole* observations, Whole count, Draws& noise, const Acted& to, Whole* counters);
    bool values(const Whole* observations, Whole count, Whole* found, Whole* counters);
    // Steps `from` … steps - 1; `now`: observations (N, inputs) before and after. How many steps are done: fewer where
    // the model has to do one.
    Whole collect(env::Environments& envs, Whole from, Whole steps, Whole* now, Draws& noise, const Rollout& to,
                  Whole* counters);
    // The samples of a rollout in the order of an epoch, which 12 keys choose (cores/ppo/permute.py).
    void shuffle(const Minibatch& from, const std::array<std::uint32_t, 12>& keys, const Samples& to) const;
    bool gradients(const Minibatch& batch, const Gradients& to, Whole* counters);
    // Limits the norm of gradients and moves the weights; the networks' rates have been set.
    void apply(const Gradients& gradients, Whole log_rate, Whole* counters);

private:
    // A network, what of it is limited, and its outputs and their deltas: of a block, or of a whole minibatch.
    struct Side {
        Network* network = nullptr;
        Network::Counts forward{}, back{}, gradient{};
        Matrix outputs, delta;
        std::vector<Matrix> vectors, deltas;
    };
    struct Losses {
        Whole policy, value;  // how many of their numbers were limited
    };
    void deviations();
    // Deltas of outputs, of the samples from `from` on; without a critic both sides are the actor's.
    void losses(const Minibatch& batch, Whole from, Side& actor, Side& critic, Losses& limited);
    // Gradients in products of 16 bits, or in doubles; whether that goes.
    bool in_blocks(const Minibatch& batch, const Gradients& to, Losses& limited);
    bool whole(const Minibatch& batch, const Gradients& to, Losses& limited);
    // Both networks' outputs, into outputs_.
    bool look(const Whole* observations, Whole count, Whole* counters);
    void discrete(const double* logits, const std::uint64_t* words, Whole& action, Whole& log);
    Whole continuous(const double* means, const std::uint64_t* words, Whole* actions, Whole* samples, Whole& log);
    Whole density(const Whole* samples, const double* means, Whole& log);  // into x_ and xx_; what was limited
    Whole gaussian_delta(const double* means, const Whole* samples, Whole before, Whole z, double* delta,
                         Whole* of_logs);
    Whole slope(Whole log, Whole before, Whole z, Whole& limited) const;

    Network& actor_;
    Network* const critic_;
    const bool gaussian_;
    Whole* const logs_;
    Matrix inputs_, outputs_[2];
    Side sides_[2];  // the second one without a network where the trunk is shared
    learner::Rows block_;
    Whole rest_ = 0;  // steps until blocks are tried again
    std::vector<heads::Wide> wide_;
    std::vector<Whole> l_, x_, xx_, z_, of_logs_, clipped_, actions_, room_;
    std::vector<std::uint64_t> words_;
    std::vector<float> obs_, final_;
    std::vector<double> reward_;
};

}  // namespace rlcores::ppo
