// rlc_learns.sv — a chip that learns by itself: environments, PPO, first weights, and a serial line that reports the returns.
// SPDX-License-Identifier: Apache-2.0
//
// It begins when rst falls, and goes on for ever. tools/rlcores/train/learns.yaml defines what it is and learns.
//
// rxd          a byte asks for the actor's weights
// txd          the line; rlc_learns_control says what is reported, rlc_learns_text how it is written
// bar          lamps: the mean return of the last iteration in which an episode ended; all eight at the goal
// model        rlcores.train.learns
`include "rlc_axi.vh"
`include "rlc_learns_settings.vh"
`include "rlc_env_words.vh"
`include "rlc_ppo_words.vh"
`default_nettype none
module rlc_learns #(
    parameter CLOCKS_PER_BIT = 217  // of the line
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,
    output wire       txd,
    output wire [7:0] bar
);
    `RLC_LEARNS_SETTINGS
    localparam BEAT    = `RLC_ENV_ANSWER_WIDTH(INPUTS);
    localparam RECORD  = `RLC_PPO_ROLLOUT_BITS + 8 + 18 * INPUTS;    // of a rollout of elsewhere, which this chip has not
    localparam ADDRESS = $clog2(ACTOR_WORDS + CRITIC_WORDS);

    // ---- the core and its environments, side by side
    wire         idle, start, resume, halt, rate_restart, ev_iteration, resumes, ev_dropped, cfg_ok, external_ready, step_done;
    wire [31:0]  iteration;
    wire [319:0] sat;
    wire         drop      = 1'b0;
    wire         host_drop = 1'b0;
    wire         host_start, host_read, host_network, host_busy, m_read_last;
    wire [1:0]   host_param_bank;
    `RLC_STREAM_WIRES(s_load, 64);
    `RLC_STREAM_WIRES(m_read, 64);
    `RLC_STREAM_WIRES(s, BEAT);
    `RLC_STREAM_WIRES(m, 8);
    rlc_ppo #(`RLC_LEARNS_SHAPE) u_ppo (
        .*, .s_external_valid(1'b0), .s_external_ready(external_ready), .s_external_data({RECORD{1'b0}}), .step_done(step_done),
        .avg_in('0), .avg_out()
    );

    wire stale, running, ev_step, ev_terminated, ev_truncated, ev_saturated, ev_illegal, ev_dropped_action;
    rlc_env #(.ENV(ENV), .N_ENVS(N_ENVS)) u_env (
        .*, .stop(1'b0), .cfg_seed(env_seed), .cfg_time_limit(env_time_limit), .s_valid(m_valid), .s_ready(m_ready),
        .s_data({10'd0, m_data}), .m_valid(s_valid), .m_ready(s_ready), .m_data(s_data), .ev_dropped(ev_dropped_action)
    );

    // ---- what it begins with, and what it tells
    wire               clear, take, scored, asked, title, text_ready, line_last, overrun, bad, brk;
    wire [15:0]        episodes, mean;
    wire [23:0]        returns;
    wire [3:0]         line_digits;
    wire [7:0]         byte_in;
    wire [ADDRESS-1:0] rom_address;
    wire [26:0]        rom_data;
    `RLC_STREAM_WIRES(line, 40);
    rlc_learns_rom u_rom (.clk(clk), .addr(rom_address), .data(rom_data));
    rlc_learns_control #(
        .ACTOR(ACTOR_WORDS), .CRITIC(CRITIC_WORDS), .DIGITS(DIGITS), .WEIGHT_DIGITS(WEIGHT_DIGITS)
    ) u_control (
        .*, `RLC_STREAM_JOIN(load, s_load), `RLC_STREAM_JOIN(read, m_read)
    );
    wire [`RLC_ENV_ANSWER_BITS-1:0] head = s_data[`RLC_ENV_ANSWER_HEAD(INPUTS)];
    wire [26:0] reward = head[`RLC_ENV_ANSWER_REWARD];
    rlc_learns_score #(.N_ENVS(N_ENVS), .GOAL(GOAL)) u_score (
        .*, .s_valid(s_valid && s_ready), .s_first(head[`RLC_ENV_ANSWER_FIRST]),
        .s_end(head[`RLC_ENV_ANSWER_TRUNCATED] || head[`RLC_ENV_ANSWER_TERMINATED]), .s_reward(reward[26 -: 8]), .done(scored)
    );
    rlc_learns_text #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT), .LETTERS(LETTERS), .TITLE(TITLE)) u_text (
        .*, .ready(text_ready), `RLC_STREAM_JOIN(s, line), .s_digits(line_digits), .s_last(line_last)
    );
    rlc_uart_rx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_asked (
        .*, .m_valid(asked), .m_ready(1'b1), .m_data(byte_in)
    );
    wire unused = &{
        1'b0, resumes, ev_dropped, cfg_ok, external_ready, reward, step_done, sat, m_read_last, stale, running, ev_step,
        ev_terminated, ev_truncated, ev_saturated, ev_illegal, ev_dropped_action, overrun, bad, brk, byte_in
    };
endmodule
`default_nettype wire
