// ppo_with_env.sv — rlc_ppo and rlc_env side by side, nothing between them: both begin with `start`.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_ppo_ports.vh"
module ppo_with_env #(
    `include "rlc_learner_parameters.vh"
    , parameter N_ENVS = 8,
    parameter STEPS    = 16,
    parameter ENV      = 0,
    parameter INPUTS   = field(SIZES, 0),
    parameter BEAT     = 30 + 36 * INPUTS
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
    output wire [7:0]   act_data
);
    `include "rlc_learner_defs.vh"
    `RLC_STREAM_WIRES(s, BEAT);
    `RLC_STREAM_WIRES(m, 8);
    assign act_valid = m_valid;
    assign act_ready = m_ready;
    assign act_data  = m_data;
    rlc_ppo #(
        `include "rlc_learner_pass.vh"
        , .N_ENVS(N_ENVS), .STEPS(STEPS)
    ) u_ppo (.*);
    rlc_env #(.ENV(ENV), .N_ENVS(N_ENVS)) u_env (
        .clk(clk), .rst(rst), .start(start), .stop(drop), .cfg_seed(env_seed), .cfg_time_limit(env_time_limit),
        .s_valid(m_valid), .s_ready(m_ready), .s_data({10'd0, m_data}), .m_valid(s_valid), .m_ready(s_ready),
        .m_data(s_data), .left(), .running(), .ev_step(), .ev_terminated(), .ev_truncated(), .ev_limited(), .ev_illegal(),
        .ev_dropped()
    );
endmodule
`default_nettype wire
