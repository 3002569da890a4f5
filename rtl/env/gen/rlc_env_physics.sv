// rlc_env_physics.sv — the physics that ENV names, all of the same ports. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md, "The environments". Each leaf takes one state and one action per clock and answers LATENCY clocks
// later. The random words of a first state go in RESET_LATENCY clocks before it comes out. Nothing stalls, nothing is reset.
`default_nettype none
`include "rlc_check.vh"
module rlc_env_physics #(
    `include "rlc_env_parameters.vh"
) (
    input  wire                 clk,
    input  wire [32*STATES-1:0]     s_state,
    input  wire [18*COMPONENTS-1:0] s_action,       // an index below ACTIONS, or sfix(18,15) each, the first lowest
    input  wire [32*DRAWS-1:0]      s_draw,
    output wire [32*STATES-1:0]     m_state,
    output wire [18*OBS-1:0]        m_obs,
    output wire [26:0]              m_reward,       // sfix(27,19)
    output wire                     m_terminated,
    output wire                     m_saturated,    // a number did not fit its format
    output wire [32*STATES-1:0]     m_reset_state,
    output wire [18*OBS-1:0]        m_reset_obs
);
    if (ENV == 0) begin : g_cartpole
        rlc_env_cartpole #(.LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 1) begin : g_mountaincar
        rlc_env_mountaincar #(.CONTINUOUS(0), .LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 2) begin : g_mountaincar_continuous
        rlc_env_mountaincar #(.CONTINUOUS(1), .LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 3) begin : g_pendulum
        rlc_env_pendulum #(.LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 4) begin : g_acrobot
        rlc_env_acrobot #(.LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 5) begin : g_quadrotor
        rlc_env_quadrotor #(.LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else if (ENV == 6) begin : g_pmsm
        rlc_env_pmsm #(.LATENCY(LATENCY), .RESET_LATENCY(RESET_LATENCY)) u_physics (.*);
    end else begin : g_none
        `RLC_CHECK(1'b0, rlc_env_physics_illegal_ENV_must_be_0_to_6)
    end
endmodule
`default_nettype wire
