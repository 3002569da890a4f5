// rlc_ppo.sv — Proximal Policy Optimization: acts in N environments, keeps the rollout, and trains actor and critic on it.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/ppo_core.md; definition: docs/ppo.md. Network 0 of SIZES, LANES, .. is the critic, 1 the actor, DP the
// columns of both (rlc_ppo_networks); BATCH_MAX is the longest minibatch.
//
// s_*, m_*     the stream of docs/env.md: answers of N_ENVS environments, and actions: indices, or with GAUSSIAN
//              sfix(18,15) per dimension
// s_external_* with cfg_external_rollout at start: rollouts that were collected elsewhere (rlc_ppo_external_rollout); environments are not used
// start, resume, halt, drop, idle, resumes, iteration, ev_iteration   as in rlc_ppo_phase_fsm
// rate_restart pulse, while idle: the next update is Adam's first, for new weights
// cfg_seed     state of the generators, taken at start: its stream 64 draws actions, 65 permutations
// cfg_*        as in rlc_ppo_train_ctrl and rlc_ppo_networks; they change only while idle
// host_*, s_load_*, m_read_*   parameter banks of weights, while idle
// avg_in, avg_out   as of rlc_ppo_networks. step_done: pulse, a minibatch is in the weights
// sat          how many numbers were saturated in this clock, 8 bits per stage, in the order of COUNTERS in cores/ppo/model.py,
//              from stage 1 on
// ev_dropped   an answer of an environment that was not due
// model        rlcores.cores.ppo.model
`default_nettype none
`include "rlc_ppo_ports.vh"
`include "rlc_env_words.vh"
`include "rlc_ppo_words.vh"
module rlc_ppo #(
    `include "rlc_ppo_parameters.vh"
    , parameter STYLE  = "auto",                 // of the rollout's memories: rlc_ram_1r1w
    parameter AVERAGE  = 0,                      // as of rlc_ppo_networks
    // Derived; leave them alone.
    parameter INPUTS   = field(SIZES, 0),        // numbers of an observation
    parameter BEAT     = `RLC_ENV_ANSWER_WIDTH(INPUTS),       // bits of an answer
    parameter ACTIONS  = field(acting(SIZES), acting_layers(SIZES)),    // outputs of the actor
    parameter RAW      = (GAUSSIAN != 0) ? 27 * ACTIONS : 8,             // bits of an action as it was drawn
    parameter MOVE     = (GAUSSIAN != 0) ? 18 * ACTIONS : 8,             // .. and as the environment gets it
    parameter RECORD   = 18 * INPUTS + RAW + `RLC_PPO_ROLLOUT_BITS + ((RECORD_BITS != 0) ? 1 : 0)     // bits of a record of elsewhere
) (
    input  wire         clk,
    input  wire         rst,
    `RLC_PPO_RUN,
    input  wire         rate_restart,
    output wire         ev_dropped,
    output wire         cfg_ok,
    output wire [319:0] sat,
    output wire         step_done,
    input  wire `RLC_PPO_AVERAGE avg_in,
    output wire `RLC_PPO_AVERAGE avg_out,

    `RLC_PPO_LOOP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_PPO_TRAIN_SETTINGS(input wire, `RLC_COMMA),

    `RLC_STREAM_SLAVE(s, BEAT),
    `RLC_STREAM_SLAVE(s_external, RECORD),
    `RLC_STREAM_MASTER(m, MOVE),

    `RLC_LEARNER_HOST,
    input  wire         host_drop
);
    `include "rlc_learner_defs.vh"

    wire                 train, quiet, flush, seed_load, done;
    wire [31:0]          remaining;
    wire                 s_o_act, s_o_last, m_a_act, s_t_valid, s_t_ready, s_t_last;
    wire [RAW-1:0]       m_a_raw, s_t_raw;
    wire [MOVE-1:0]      m_a_move;
    wire                 m_a_valid, m_a_ready;
    wire [26:0]          m_a_log, m_a_value, s_t_log, s_t_before, s_t_advantage;
    wire [INPUTS*18-1:0] s_t_obs;
    wire [17:0]          s_t_scaled;
    wire [7:0]           sat_record, sat_gae, sat_standard;
    wire [319:0]         networks_sat;
    `RLC_STREAM_WIRES(s_o, INPUTS*18);

    rlc_ppo_train_ctrl #(
        .N_ENVS(N_ENVS), .STEPS(STEPS), .BATCH(BATCH_MAX), .OBS(INPUTS), .RAW_BITS(RAW), .MOVE_BITS(MOVE), .COLUMNS(DP),
        .STYLE(STYLE), .RECORD_BITS(RECORD_BITS)
    ) u_train_ctrl (
        .*, .o_valid(s_o_valid), .o_ready(s_o_ready), .o_obs(s_o_data), .o_act(s_o_act), .o_last(s_o_last),
        .a_valid(m_a_valid), .a_ready(m_a_ready), .a_act(m_a_act), .a_raw(m_a_raw), .a_move(m_a_move), .a_log(m_a_log),
        .a_value(m_a_value), .t_valid(s_t_valid), .t_ready(s_t_ready), .t_obs(s_t_obs), .t_raw(s_t_raw),
        .t_log(s_t_log), .t_before(s_t_before), .t_advantage(s_t_advantage), .t_scaled(s_t_scaled), .t_last(s_t_last)
    );

    rlc_ppo_networks #(
        `include "rlc_learner_args.vh"
        , .GAUSSIAN(GAUSSIAN), .AVERAGE(AVERAGE)
    ) u_networks (.*, .seed(cfg_seed), .sat(networks_sat));
    assign step_done = done;

    // Rewards and advantages are not the networks'.
    genvar i;
    for (i = 1; i < `RLC_PPO_STAGE_ALL; i = i + 1) begin : g_sat
        wire [7:0] own = (i == `RLC_PPO_STAGE_RECORD)   ? sat_record
                       : (i == `RLC_PPO_STAGE_GAE)      ? sat_gae
                       : (i == `RLC_PPO_STAGE_STANDARD) ? sat_standard : 8'd0;
        assign sat[8*(i-1) +: 8] = networks_sat[8*(i-1) +: 8] + own;
    end
endmodule
`default_nettype wire
