// Drives the Verilated rlc_policy at full speed: observations without a pause, sets of weights one behind the other,
// answers taken at once. parameters.h holds RLC_<parameter> of the build. SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "Vtop.h"
#include "native.h"
#include "parameters.h"

namespace {

constexpr unsigned WEIGHT = 27, ACT = 18;
constexpr uint64_t STUCK = 100'000;

}  // namespace

// What one observation met and got; clocks since the reset.
extern "C" struct AgentAnswer {
    int64_t set;      // how many sets had been taken before it entered
    int64_t entered;  // the clock that took its last word
    int64_t acted, logged;
};

extern "C" struct AgentPlan {
    uint64_t layers, widest, lanes, words;  // of a group of weights the most; of an observation
    uint64_t groups[4], width[4];           // a layer's groups, and weights of each
    uint64_t act_frac, noise, pause;        // clocks between two sets
    uint64_t observations, sets, logp;
    uint64_t squash, scale, dimensions, act_lanes, act_width, log_lanes;  // numbers of an action; of a log-probability
    int64_t log_std;                                                      // of every dimension
};

// observations: words * lanes codes each; planes: the weights of a set in the order of the bus, set after set. actions
// and logs: act_lanes and log_lanes numbers an observation.
extern "C" __attribute__((visibility("default"))) uint64_t agent_run(const AgentPlan* plan, const int32_t* observations,
                                                                     const int32_t* planes, AgentAnswer* answers,
                                                                     int64_t* actions, int64_t* logs) {
    VerilatedContext context;
    Vtop model(&context);
    model.rst = 1;
    model.s_obs_valid = model.w_abort = model.seed_load = model.sat_clear = 0;
    put(model.w_valid, 0);
    model.m_act_ready = model.m_log_ready = 1;
    put(model.cfg_act_frac, plan->act_frac);
    model.cfg_epsilon = 0;
    model.cfg_noise = static_cast<uint8_t>(plan->noise);
    model.cfg_squash = static_cast<uint8_t>(plan->squash);
    model.cfg_scale = static_cast<uint32_t>(plan->scale);
    for (uint64_t i = 0; i < plan->dimensions; ++i)
        put_lane(model.w_log_std, unsigned(i), WEIGHT, uint64_t(plan->log_std) & low_bits(WEIGHT));
    const auto edge = [&] {
        model.clk = 0;
        model.eval();
        model.clk = 1;
        model.eval();
    };
    for (int k = 0; k < 4; ++k) edge();
    model.rst = 0;

    uint64_t beats = 0;
    for (uint64_t l = 0; l < plan->layers; ++l) beats += plan->groups[l] * plan->width[l];
    const uint64_t size = plan->words * plan->lanes;
    uint64_t word = 0, entered = 0, acted = 0, logged = 0, set = 0, taken = 0, waits = 0, clock = 0, quiet = 0;
    uint64_t at[4] = {};
    while ((acted < plan->observations || (plan->logp && logged < plan->observations)) && quiet < STUCK) {
        model.s_obs_valid = entered < plan->observations;
        if (model.s_obs_valid)
            for (uint64_t i = 0; i < plan->lanes; ++i)
                put_lane(model.s_obs_data, unsigned(i), ACT,
                         uint64_t(int64_t(observations[entered * size + word * plan->lanes + i])));
        // The layers of a set come beside each other.
        uint64_t valid = 0, base = set * beats;
        if (set < plan->sets && waits == 0) {
            for (uint64_t l = 0; l < plan->layers; ++l) {
                if (at[l] < plan->groups[l]) {
                    valid |= uint64_t{1} << l;
                    for (uint64_t i = 0; i < plan->width[l]; ++i)
                        put_lane(model.w_data, unsigned(l * plan->widest + i), WEIGHT,
                                 uint64_t(int64_t(planes[base + at[l] * plan->width[l] + i])));
                    ++at[l];
                }
                base += plan->groups[l] * plan->width[l];
            }
        } else if (waits != 0) {
            --waits;
        }
        put(model.w_valid, valid);
        model.clk = 0;
        model.eval();
        ++quiet;
        if (model.s_obs_valid && model.s_obs_ready && ++word == plan->words) {
            word = 0;
            answers[entered].set = int64_t(taken);
            answers[entered++].entered = int64_t(clock);
            quiet = 0;
        }
        if (model.m_act_valid) {
            for (uint64_t i = 0; i < plan->act_lanes; ++i)
                actions[acted * plan->act_lanes + i] =
                    int64_t(get_lane(model.m_act_data, unsigned(i), unsigned(plan->act_width)));
            answers[acted++].acted = int64_t(clock);
        }
        if (model.m_log_valid) {
            for (uint64_t i = 0; i < plan->log_lanes; ++i)
                logs[logged * plan->log_lanes + i] = int64_t(get_lane(model.m_log_data, unsigned(i), WEIGHT));
            answers[logged++].logged = int64_t(clock);
        }
        if (valid != 0) {
            bool whole = true;
            for (uint64_t l = 0; l < plan->layers; ++l) whole = whole && at[l] == plan->groups[l];
            if (whole) {
                std::memset(at, 0, sizeof at);
                ++set;
                ++taken;
                waits = plan->pause;
            }
        }
        model.clk = 1;
        model.eval();
        ++clock;
    }
    model.final();
    return entered == plan->observations && acted == entered ? taken : 0;
}
