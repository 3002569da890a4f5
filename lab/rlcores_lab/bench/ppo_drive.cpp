// Drives the Verilated ppo_with_env: loads and reads planes of weights, runs iterations, and notes the clocks of every
// phase and minibatch, every action, and every episode that ends. What they should be is the Python side's business.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "Vtop.h"
#include "native.h"
#include "parameters.h"

// Every setting of the core and its environments; Python asks for the names.
// clang-format off
#define SETTINGS(X)                                                                                                        \
    X(env_seed) X(env_time_limit) X(cfg_seed) X(cfg_external_rollout) X(cfg_lockstep) X(cfg_todo) X(cfg_iterations) X(cfg_steps) X(cfg_epochs)        \
    X(cfg_batch) X(cfg_batch_bits) X(cfg_batch_log) X(cfg_gamma) X(cfg_gamma_lambda) X(cfg_reward_scale) X(cfg_batch_slices)      \
    X(cfg_fracs) X(cfg_logs_frac) X(cfg_log_eps) X(cfg_log_clip) X(cfg_clip) X(cfg_entropy) X(cfg_value)         \
    X(cfg_value_clip) X(cfg_norm) X(cfg_rate)
// clang-format on

namespace {

constexpr uint64_t STUCK = 10'000'000;  // clocks of an iteration, at most
constexpr unsigned STATES = 9;          // of rlc_ppo_phase_fsm
constexpr unsigned TRAIN = 6;
constexpr unsigned COUNTERS = 40;

}  // namespace

extern "C" {

// All fields are 64 bits wide, so that Python has the same structure.
struct Iteration {
    uint64_t clocks;
    uint64_t states[STATES];  // of each state of rlc_ppo_phase_fsm
    uint64_t first;           // of training, before the first minibatch began
    uint64_t minibatches;
    uint64_t actions;
    uint64_t episodes;
};

struct Episode {
    uint64_t iteration, step, env;  // step of its rollout
    int64_t reward;                 // the sum of its rewards
    uint64_t length;
};

}  // extern "C"

namespace {

class Bench {
public:
    Bench() : model_(&context_), returns_(RLC_N_ENVS), lengths_(RLC_N_ENVS) {
        model_.start = model_.resume = model_.halt = model_.drop = model_.rate_restart = 0;
        model_.host_start = model_.host_drop = model_.s_load_valid = model_.m_read_ready = 0;
        model_.rst = 1;
        for (int k = 0; k < 8; ++k) edge();
        model_.rst = 0;
        edge();
    }
    ~Bench() { model_.final(); }

    // WORDS words of 64 bits each, in the order of SETTINGS.
    bool configure(const uint64_t* values) {
#define PUT(name) put_words(model_.name, values), values += WORDS;
        SETTINGS(PUT)
#undef PUT
        for (int k = 0; k < 64; ++k) edge();
        return model_.cfg_ok && model_.idle;
    }

    void restart_rate() {
        model_.rate_restart = 1;
        edge();
        model_.rate_restart = 0;
    }

    // Moves one plane of one network, all layers. Returns the clocks it took, 0 when the core does not answer.
    uint64_t host(bool read, unsigned network, unsigned plane, uint64_t* words, uint64_t count) {
        const uint64_t before = clock_;
        model_.host_read = read;
        model_.host_network = network;
        model_.host_param_bank = static_cast<uint8_t>(plane);
        model_.host_start = 1;
        edge();
        model_.host_start = 0;
        model_.m_read_ready = read;
        uint64_t at = 0;
        for (uint64_t quiet = 0; quiet < 100'000; ++quiet) {
            model_.s_load_valid = !read && at < count;
            if (model_.s_load_valid) model_.s_load_data = words[at];
            model_.clk = 0;
            model_.eval();
            if (read ? model_.m_read_valid : model_.s_load_valid && model_.s_load_ready) {
                if (at >= count || (read && model_.m_read_last != (at + 1 == count))) break;
                if (read) words[at] = model_.m_read_data;
                ++at;
                quiet = 0;
            }
            const bool over = at == count && !model_.host_busy;
            rise();
            if (over) {
                model_.m_read_ready = model_.s_load_valid = 0;
                return clock_ - before;
            }
        }
        return 0;
    }

    // Iterations one behind the other until the core is idle. marks: of each minibatch the clock at which it begins and
    // that at which it is in the weights, behind the iteration's begin; counts: COUNTERS sums. Returns the iterations
    // done.
    uint64_t run(bool resume, uint64_t count, Iteration* found, uint64_t* marks, uint64_t batches, uint64_t* actions,
                 uint64_t room, Episode* episodes, uint64_t most, uint64_t* counts) {
        uint64_t done = 0, begun = 0, trained = 0, acted = 0, ended = 0, answers = 0;
        (resume ? model_.resume : model_.start) = 1;
        if (!resume)
            for (unsigned env = 0; env < RLC_N_ENVS; ++env) returns_[env] = 0, lengths_[env] = 0;
        found[0] = Iteration{};
        for (bool first = true; done < count && found[done].clocks < STUCK; first = false) {
            model_.clk = 0;
            model_.eval();
            Iteration& now = found[done];
            const unsigned phase = model_.phase;
            ++now.clocks;
            for (unsigned k = 0; k < STATES; ++k) now.states[k] += phase >> k & 1;
            if (phase >> TRAIN & 1 && begun == 0 && !model_.batch_begun) ++now.first;
            if (model_.batch_begun && begun < batches) marks[2 * (done * batches + begun++)] = now.clocks;
            if (model_.batch_done && trained < batches) marks[2 * (done * batches + trained++) + 1] = now.clocks;
            if (model_.act_valid && model_.act_ready) {
                if (acted == room) return done;
                actions[acted++] = get(model_.act_data);
                ++now.actions;
            }
            if (model_.answer_valid && !model_.answer_first) {
                const uint64_t env = answers % RLC_N_ENVS, step = answers / RLC_N_ENVS;
                ++answers;
                returns_[env] += int64_t(uint64_t{model_.answer_reward} << 37) >> 37;
                ++lengths_[env];
                if (model_.answer_ended) {
                    if (ended == most) return done;
                    episodes[ended++] = Episode{done, step, env, returns_[env], lengths_[env]};
                    ++now.episodes;
                    returns_[env] = 0, lengths_[env] = 0;
                }
            }
            for (unsigned word = 0; word < COUNTERS / 4; ++word)
                if (model_.sat[word])
                    for (unsigned k = 0; k < 4; ++k) counts[4 * word + k] += model_.sat[word] >> 8 * k & 255;
            if (model_.ev_iteration) {
                now.minibatches = trained;
                begun = trained = answers = 0;
                if (++done < count) found[done] = Iteration{};
            }
            rise();
            if (first) model_.start = model_.resume = 0;
        }
        for (int k = 0; k < 8; ++k) edge();
        return done;
    }

private:
    void rise() {
        model_.clk = 1;
        model_.eval();
        ++clock_;
    }
    void edge() {
        model_.clk = 0;
        model_.eval();
        rise();
    }

    VerilatedContext context_;
    Vtop model_;
    std::vector<int64_t> returns_;
    std::vector<uint64_t> lengths_;
    uint64_t clock_ = 0;
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* drive_new() { return new Bench; }
EXPORT void drive_delete(void* bench) { delete static_cast<Bench*>(bench); }
EXPORT const char* drive_settings(void*) {
#define NAME(name) #name " "
    return SETTINGS(NAME);
#undef NAME
}
EXPORT int drive_configure(void* bench, const uint64_t* values) {
    return static_cast<Bench*>(bench)->configure(values);
}
EXPORT void drive_restart_rate(void* bench) { static_cast<Bench*>(bench)->restart_rate(); }
EXPORT uint64_t drive_host(void* bench, int read, unsigned network, unsigned plane, uint64_t* words, uint64_t count) {
    return static_cast<Bench*>(bench)->host(read != 0, network, plane, words, count);
}
EXPORT uint64_t drive_run(void* bench, int resume, uint64_t count, Iteration* found, uint64_t* marks, uint64_t batches,
                          uint64_t* actions, uint64_t room, Episode* episodes, uint64_t most, uint64_t* counts) {
    return static_cast<Bench*>(bench)->run(resume != 0, count, found, marks, batches, actions, room, episodes, most,
                                           counts);
}
