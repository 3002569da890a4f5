// ppo_with_env.sv — rlc_ppo and rlc_env side by side, nothing between them: both begin with `start`.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_learner_ports.vh"
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
    input  wire         start,
    input  wire         resume,
    input  wire         halt,
    input  wire         drop,
    input  wire         rate_restart,
    output wire         idle,
    output wire         resumes,
    output wire [31:0]  iteration,
    output wire         ev_iteration,
    output wire         ev_dropped,
    output wire         cfg_ok,
    output wire [319:0] sat,
    input  wire [127:0] env_seed,
    input  wire [15:0]  env_time_limit,
    input  wire [127:0] cfg_seed,
    input  wire [31:0]  cfg_todo,
    input  wire [12:0]  cfg_steps,
    input  wire [7:0]   cfg_epochs,
    input  wire [15:0]  cfg_batch,
    input  wire [4:0]   cfg_batch_bits,
    input  wire [20:0]  cfg_batch_log,
    input  wire [16:0]  cfg_waves,
    input  wire [17:0]  cfg_gamma,
    input  wire [17:0]  cfg_gamma_lambda,
    input  wire [17:0]  cfg_reward_scale,
    input  wire [24:0]  cfg_act_frac,
    input  wire [24:0]  cfg_delta_frac,
    input  wire [29:0]  cfg_grad_frac,
    input  wire [24:0]  cfg_actor_act_frac,
    input  wire [24:0]  cfg_actor_delta_frac,
    input  wire [29:0]  cfg_actor_grad_frac,
    input  wire [19:0]  cfg_log_eps,
    input  wire [19:0]  cfg_log_clip,
    input  wire [19:0]  cfg_clip,
    input  wire [16:0]  cfg_entropy,
    input  wire [17:0]  cfg_value,
    input  wire [25:0]  cfg_value_clip,
    input  wire [27:0]  cfg_norm,
    input  wire [27:0]  cfg_rate,
    input  wire [31:0]  cfg_iterations,
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
