// ppo_with_env.sv — rlc_ppo and rlc_env side by side, nothing between them: both begin with `start`.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_ppo_ports.vh"
`include "rlc_env_words.vh"
`include "rlc_ppo_words.vh"
module ppo_with_env #(
    `include "rlc_learner_parameters.vh"
    , parameter N_ENVS = 8,
    parameter STEPS    = 16,
    parameter ENV      = 0,
    parameter GAUSSIAN = 0,
    parameter RECORD_BITS = 0,
    parameter INPUTS   = field(SIZES, 0),
    parameter BEAT     = `RLC_ENV_ANSWER_WIDTH(INPUTS),
    parameter MOVE     = (GAUSSIAN != 0) ? 18 * field(acting(SIZES), acting_layers(SIZES)) : 8
) (
    input  wire         clk,
    input  wire         rst,
    `RLC_PPO_RUN,
    input  wire         rate_restart,
    output wire         ev_dropped,
    output wire         cfg_ok,
    output wire [319:0] sat,
    input  wire [127:0] env_seed,
    input  wire [15:0]  env_time_limit,
    `RLC_PPO_LOOP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_PPO_TRAIN_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_HOST,
    input  wire         host_drop,
    output wire         act_valid,
    output wire         act_ready,
    output wire [MOVE-1:0] act_data,

    // What a bench counts: states of rlc_ppo_phase_fsm, minibatches, answers of the environments that are taken.
    output wire [8:0]   phase,
    output wire         batch_begun,
    output wire         batch_done,
    output wire         answer_valid,
    output wire         answer_first,
    output wire         answer_ended,
    output wire [26:0]  answer_reward
);
    `include "rlc_learner_defs.vh"
    localparam RECORD = 18 * INPUTS + ((GAUSSIAN != 0) ? MOVE / 18 * 27 : 8) + `RLC_PPO_ROLLOUT_BITS + ((RECORD_BITS != 0) ? 1 : 0);
    `RLC_STREAM_WIRES(s, BEAT);
    `RLC_STREAM_WIRES(m, MOVE);
    assign act_valid = m_valid;
    assign act_ready = m_ready;
    assign act_data  = m_data;
    assign phase         = u_ppo.u_train_ctrl.u_phase_fsm.at_q;
    assign batch_begun   = u_ppo.u_train_ctrl.u_phase_fsm.begun;
    assign batch_done    = u_ppo.u_train_ctrl.u_phase_fsm.done;
    assign answer_valid  = s_valid && s_ready;
    wire   truncated, terminated;
    assign {answer_first, truncated, terminated, answer_reward} = s_data[`RLC_ENV_ANSWER_HEAD(INPUTS)];
    assign answer_ended  = truncated || terminated;
    rlc_ppo #(
        `include "rlc_learner_args.vh"
        , .N_ENVS(N_ENVS), .STEPS(STEPS), .GAUSSIAN(GAUSSIAN), .RECORD_BITS(RECORD_BITS)
    ) u_ppo (.*, .s_external_valid(1'b0), .s_external_ready(), .s_external_data({RECORD{1'b0}}), .step_done(), .avg_in('0), .avg_out());
    localparam TAKEN = (MOVE > 18) ? MOVE : 18;
    wire [MOVE+17:0] action = {18'd0, m_data};
    rlc_env #(.ENV(ENV), .N_ENVS(N_ENVS)) u_env (
        .clk(clk), .rst(rst), .start(start), .stop(drop), .cfg_seed(env_seed), .cfg_time_limit(env_time_limit),
        .s_valid(m_valid), .s_ready(m_ready), .s_data(action[TAKEN-1:0]), .m_valid(s_valid), .m_ready(s_ready),
        .m_data(s_data), .stale(), .running(), .ev_step(), .ev_terminated(), .ev_truncated(), .ev_saturated(), .ev_illegal(),
        .ev_dropped()
    );
endmodule
`default_nettype wire
