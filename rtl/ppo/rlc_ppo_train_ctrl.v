// rlc_ppo_train_ctrl.v — everything of PPO around its networks: rollouts, advantages, shuffled minibatches, and their order.
// SPDX-License-Identifier: Apache-2.0
//
//   answers of environments --> rx --> o_*   (networks)   a_* --> step_result --> actions
//                               |                                     |
//                               +-----------> memory <----------------+
//  records of elsewhere --> external_rollout --> GAE ^ |  ^ minibatch_order
//                                                      v
//                                                    feed --> t_*   (networks)
//
// s_*, m_*     the stream of docs/env.md: answers of N_ENVS environments, actions
// s_external_* with cfg_external_rollout: rollouts that were collected elsewhere (rlc_ppo_external_rollout); environments are not used
// o_*, a_*, t_*  acting and training, to and from rlc_ppo_networks' s_o_*, m_a_*, s_t_*
// train, remaining, seed_load, flush, quiet, done   as in rlc_ppo_networks
// start, resume, halt, drop, cfg_todo, cfg_iterations, idle, resumes, iteration   rlc_ppo_phase_fsm's
// cfg_steps    T, 1..STEPS; cfg_batch B, 2..BATCH, divides N_ENVS * T; cfg_batch_bits = ceil(log2 B), cfg_batch_log =
//              log2 B - log2 (B - 1), 20 fraction bits; cfg_epochs K, 1..255. They change only while idle
// cfg_lockstep rlc_ppo_rx's; changes only while idle
// sat_*        how many numbers were saturated in this clock: codes of records, rewards and advantages, standardised advantages
// ev_dropped   an answer that was not due
// model        rlcores.cores.ppo.model
`default_nettype none
`include "rlc_ppo_ports.vh"
`include "rlc_env_words.vh"
`include "rlc_ppo_words.vh"
module rlc_ppo_train_ctrl #(
    parameter N_ENVS    = 8,       // environments, which take turns, 1..1024
    parameter STEPS     = 16,      // most steps of a rollout, 1..4096
    parameter BATCH     = 16,      // most records of a minibatch, at least 2
    parameter OBS       = 4,       // numbers of an observation
    parameter RAW_BITS  = 8,       // of an action in the memory
    parameter MOVE_BITS = 8,       // of an action as the environment wants it
    parameter COLUMNS   = 5,       // vectors that the networks take together
    parameter STYLE     = "auto",  // of the memory: rlc_ram_1r1w
    parameter RECORD_BITS = 0,     // of a reward or a value in it: rlc_ppo_memory
    parameter BEAT      = `RLC_ENV_ANSWER_WIDTH(OBS),         // derived, leave them alone
    parameter OBS_BITS  = 18 * OBS,              // see BEAT
    parameter RECORD    = OBS_BITS + RAW_BITS + `RLC_PPO_ROLLOUT_BITS + ((RECORD_BITS != 0) ? 1 : 0) // see BEAT
) (
    input  wire                 clk,
    input  wire                 rst,
    `RLC_PPO_RUN,
    output wire                 ev_dropped,
    output wire [7:0]           sat_record,
    output wire [7:0]           sat_gae,
    output wire [7:0]           sat_standard,
    `RLC_PPO_LOOP_SETTINGS(input wire, `RLC_COMMA),

    `RLC_STREAM_SLAVE(s, BEAT),
    `RLC_STREAM_MASTER(m, MOVE_BITS),
    `RLC_STREAM_SLAVE(s_external, RECORD),

    output wire                 train,
    input  wire                 quiet,
    output wire                 flush,
    output wire                 seed_load,
    output wire [31:0]          remaining,
    input  wire                 done,
    output wire                 o_valid,
    input  wire                 o_ready,
    output wire [OBS_BITS-1:0]  o_obs,
    output wire                 o_act,
    output wire                 o_last,
    input  wire                 a_valid,
    output wire                 a_ready,
    input  wire                 a_act,
    input  wire [RAW_BITS-1:0]  a_raw,
    input  wire [MOVE_BITS-1:0] a_move,
    input  wire [26:0]          a_log,
    input  wire [26:0]          a_value,
    output wire                 t_valid,
    input  wire                 t_ready,
    output wire [OBS_BITS-1:0]  t_obs,
    output wire [RAW_BITS-1:0]  t_raw,
    output wire [26:0]          t_log,
    output wire [26:0]          t_before,
    output wire [26:0]          t_advantage,
    output wire [17:0]          t_scaled,
    output wire                 t_last
);
    `RLC_CHECK(STEPS >= 1 && STEPS <= 4096, rlc_ppo_train_ctrl_illegal_STEPS_must_be_1_to_4096)
    `RLC_CHECK(BATCH >= 2, rlc_ppo_train_ctrl_illegal_BATCH_which_is_BATCH_MAX_must_be_at_least_2)
    `RLC_CHECK(N_ENVS * STEPS >= 2, rlc_ppo_train_ctrl_illegal_a_rollout_has_at_least_2_records)

    localparam RECORDS   = N_ENVS * STEPS;
    localparam ADDR_BITS = $clog2(RECORDS);
    localparam ENV_BITS  = (N_ENVS > 1) ? $clog2(N_ENVS) : 1;

    // What follows what.
    wire fill, filled, collect, sent, answers, answered, gae_start, gae_done, shuffle_start, finished, feeds, feed_busy, begun;
    wire take, taken, external, clear;
    wire core_rst = rst || clear;
    rlc_ppo_phase_fsm u_phase_fsm (
        .clk(clk), .rst(rst), .start(start), .resume(resume), .halt(halt), .drop(drop), .idle(idle), .resumes(resumes),
        .iteration(iteration), .ev_iteration(ev_iteration), .cfg_external_rollout(cfg_external_rollout), .cfg_todo(cfg_todo),
        .cfg_iterations(cfg_iterations), .take(take), .taken(taken), .external(external),
        .seed_load(seed_load), .fill(fill), .filled(filled), .collect(collect), .sent(sent), .answers(answers),
        .answered(answered), .gae_start(gae_start), .gae_done(gae_done), .shuffle_start(shuffle_start),
        .shuffle_finished(finished), .train(train), .feeds(feeds), .feed_busy(feed_busy), .begun(begun), .done(done),
        .quiet(quiet), .clear(clear), .flush(flush), .remaining(remaining)
    );

    // From answers of the environments to vectors.
    wire                 step_valid, step_ends, step_cut, obs_en, vector_valid;
    wire [26:0]          step_reward;
    wire [ADDR_BITS-1:0] obs_addr;
    assign o_valid = vector_valid && !clear;
    rlc_ppo_rx #(.N_ENVS(N_ENVS), .OBS(OBS), .COLUMNS(COLUMNS), .ADDR_BITS(ADDR_BITS)) u_rx (
        .clk(clk), .rst(core_rst), .cfg_steps(cfg_steps), .cfg_lockstep(cfg_lockstep), .fill(fill), .filled(filled),
        .collect(collect), .sent(sent), `RLC_STREAM_JOIN(s, s), .m_valid(vector_valid), .m_ready(o_ready), .m_data(o_obs),
        .m_act(o_act), .m_last(o_last), .step_valid(step_valid), .step_reward(step_reward), .step_ends(step_ends), .step_cut(step_cut), .wr_en(obs_en),
        .wr_addr(obs_addr), .ev_dropped(ev_dropped)
    );

    // From what the networks say to actions and records.
    `RLC_STREAM_WIRES(move, MOVE_BITS);
    wire                 act_en, reward_en, reward_cut, answer_boots, reward_sat;
    wire [ADDR_BITS-1:0] act_addr, reward_addr;
    wire [27:0]          reward_data;
    wire [ENV_BITS-1:0]  answer_env;
    wire [ADDR_BITS:0]   answer_records;
    assign a_ready = 1'b1;
    localparam WRITE = (RECORD_BITS != 0) ? 3 : 0;
    rlc_ppo_step_result #(.N_ENVS(N_ENVS), .MOVE_BITS(MOVE_BITS), .ADDR_BITS(ADDR_BITS), .WRITE(WRITE)) u_step_result (
        .clk(clk), .rst(core_rst), .cfg_gamma(cfg_gamma), .cfg_reward_scale(cfg_reward_scale), .collect(answers),
        .step_valid(step_valid), .step_reward(step_reward), .step_ends(step_ends), .step_cut(step_cut),
        .s_valid(a_valid && !clear), .s_act(a_act), .s_move(a_move), .s_value(a_value), `RLC_STREAM_JOIN(m, move),
        .act_en(act_en), .act_addr(act_addr), .adv_en(reward_en), .adv_addr(reward_addr), .adv_data(reward_data),
        .adv_cut(reward_cut), .boot_valid(answer_boots), .boot_env(answer_env), .answered(answered), .records(answer_records), .sat(reward_sat)
    );
    // What is offered to the environments stays, whatever is given up here.
    rlc_abort_out #(.WIDTH(MOVE_BITS)) u_actions (
        .clk(clk), .rst(rst), .drop(drop || clear), `RLC_STREAM_JOIN(s, move), `RLC_STREAM_JOIN(m, m), .stale()
    );

    // What was collected elsewhere. It and what is collected here come in different runs.
    wire                 external_en, external_cut, external_boots;
    wire [ADDR_BITS-1:0] external_addr;
    wire [OBS_BITS-1:0]  external_obs;
    wire [RAW_BITS-1:0]  external_raw;
    wire [26:0]          external_log, external_value;
    wire [27:0]          external_reward;
    wire [ENV_BITS-1:0]  external_env;
    wire [ADDR_BITS:0]   external_records;
    localparam CUT = (RECORD_BITS != 0) ? 1 : 0;
    rlc_ppo_external_rollout #(
        .N_ENVS(N_ENVS), .OBS_BITS(OBS_BITS), .RAW_BITS(RAW_BITS), .ADDR_BITS(ADDR_BITS), .CUT(CUT)
    ) u_external_rollout (
        .clk(clk), .rst(core_rst), .cfg_steps(cfg_steps), .take(take), .taken(taken), `RLC_STREAM_JOIN(s, s_external),
        .wr_en(external_en), .wr_addr(external_addr), .wr_obs(external_obs), .wr_raw(external_raw), .wr_log(external_log),
        .wr_value(external_value), .wr_reward(external_reward), .wr_cut(external_cut), .boot_valid(external_boots),
        .boot_env(external_env), .records(external_records)
    );
    wire [ADDR_BITS:0]   records    = external ? external_records : answer_records;
    wire                 boot_valid = external_boots || answer_boots;
    wire [ENV_BITS-1:0]  boot_env   = external ? external_env : answer_env;
    wire [26:0]          boot_value = external ? external_value : a_value;

    // The rollout. The feed reads before the shuffle; GAE reads while neither does.
    wire                 gae_rd_en, feed_rd_en, feed_adv_en, shuffle_rd_en, gae_en;
    wire [ADDR_BITS-1:0] gae_rd_addr, feed_rd_addr, feed_adv_addr, shuffle_rd_addr, gae_addr;
    wire [27:0]          gae_data, adv_data;
    wire [OBS_BITS-1:0]  rd_obs;
    wire [RAW_BITS-1:0]  rd_raw;
    wire [26:0]          rd_log, rd_value;
    wire [1:0]           record_sat;
    rlc_ppo_memory #(
        .RECORDS(RECORDS), .OBS_BITS(OBS_BITS), .RAW_BITS(RAW_BITS), .RECORD_BITS(RECORD_BITS), .STYLE(STYLE)
    ) u_memory (
        .clk(clk), .rst(core_rst), .first(seed_load), .next(ev_iteration), .obs_wr_en(obs_en || external_en),
        .obs_wr_addr(external ? external_addr : obs_addr),
        .obs_wr_data(external ? external_obs : o_obs), .act_wr_en(act_en || external_en),
        .act_wr_addr(external ? external_addr : act_addr), .act_wr_raw(external ? external_raw : a_raw),
        .act_wr_log(external ? external_log : a_log), .act_wr_value(boot_value),
        .adv_wr_en(reward_en || external_en || gae_en),
        .adv_wr_addr(gae_en ? gae_addr : external ? external_addr : reward_addr),
        .adv_wr_data(gae_en ? gae_data : external ? external_reward : reward_data),
        .adv_wr_cut(external ? external_cut : reward_cut), .adv_wr_of_advantage(gae_en),
        .rd_en(gae_rd_en || feed_rd_en), .rd_addr(gae_rd_en ? gae_rd_addr : feed_rd_addr), .rd_obs(rd_obs), .rd_raw(rd_raw),
        .rd_log(rd_log), .rd_value(rd_value),
        .adv_rd_en(gae_rd_en || feed_adv_en || shuffle_rd_en),
        .adv_rd_addr(gae_rd_en ? gae_rd_addr : feed_adv_en ? feed_adv_addr : shuffle_rd_addr),
        .adv_rd_of_advantage(!gae_rd_en), .adv_rd_data(adv_data), .sat(record_sat)
    );

    wire [1:0] gae_sat;
    rlc_ppo_advantages #(.N_ENVS(N_ENVS), .ADDR_BITS(ADDR_BITS)) u_advantages (
        .clk(clk), .rst(core_rst), .cfg_gamma(cfg_gamma), .cfg_gamma_lambda(cfg_gamma_lambda), .boot_valid(boot_valid),
        .boot_env(boot_env), .boot_value(boot_value), .start(gae_start), .records(records), .rd_en(gae_rd_en),
        .rd_addr(gae_rd_addr), .rd_value(rd_value), .rd_reward(adv_data), .wr_en(gae_en), .wr_addr(gae_addr),
        .wr_data(gae_data), .done(gae_done), .sat(gae_sat)
    );

    // Minibatches.
    `RLC_STREAM_WIRES(order, ADDR_BITS);
    wire               scale_valid;
    wire signed [42:0] scale_total;
    wire [16:0]        scale_mantissa;
    wire signed [6:0]  scale_exponent;
    wire               feed_valid, feed_sat;
    rlc_ppo_minibatch_order #(.BATCH(BATCH), .ADDR_BITS(ADDR_BITS)) u_minibatch_order (
        .clk(clk), .rst(core_rst), .seed(cfg_seed), .seed_load(seed_load), .cfg_epochs(cfg_epochs), .cfg_batch(cfg_batch),
        .cfg_batch_bits(cfg_batch_bits), .cfg_batch_log(cfg_batch_log), .start(shuffle_start), .records(records),
        .rd_en(shuffle_rd_en), .rd_ready(!feed_adv_en), .rd_addr(shuffle_rd_addr), .rd_data(adv_data[26:0]),
        `RLC_STREAM_JOIN(m, order), .scale_valid(scale_valid), .scale_take(begun), .scale_total(scale_total),
        .scale_mantissa(scale_mantissa), .scale_exponent(scale_exponent), .finished(finished)
    );
    assign t_valid = feed_valid && !clear;
    rlc_ppo_feed #(.OBS_BITS(OBS_BITS), .RAW_BITS(RAW_BITS), .ADDR_BITS(ADDR_BITS)) u_feed (
        .clk(clk), .rst(core_rst), .cfg_batch(cfg_batch), .cfg_batch_bits(cfg_batch_bits), .enable(feeds),
        .scale_valid(scale_valid), .scale_take(begun), .scale_total(scale_total), .scale_mantissa(scale_mantissa),
        .scale_exponent(scale_exponent), `RLC_STREAM_JOIN(s, order), .adv_rd_en(feed_adv_en), .adv_rd_addr(feed_adv_addr),
        .adv_rd_data(adv_data[26:0]), .rd_en(feed_rd_en), .rd_addr(feed_rd_addr), .rd_obs(rd_obs), .rd_raw(rd_raw),
        .rd_log(rd_log), .rd_value(rd_value), .m_valid(feed_valid), .m_ready(t_ready), .m_obs(t_obs), .m_raw(t_raw),
        .m_log(t_log), .m_before(t_before), .m_advantage(t_advantage), .m_scaled(t_scaled), .m_last(t_last),
        .busy(feed_busy), .sat(feed_sat)
    );

    reg [1:0] gae_sat_q;
    reg       feed_sat_q;
    always @(posedge clk) begin
        gae_sat_q  <= core_rst ? 2'd0 : gae_sat + {1'b0, reward_sat};   // rewards and advantages are made in different phases
        feed_sat_q <= feed_sat && !core_rst;
    end
    assign sat_record   = {6'd0, record_sat};
    assign sat_gae      = {6'd0, gae_sat_q};
    assign sat_standard = {7'd0, feed_sat_q};
endmodule
`default_nettype wire
