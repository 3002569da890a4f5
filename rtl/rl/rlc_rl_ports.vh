// rlc_rl_ports.vh — what all losses have at their ports, and all heads, said once, as macros.
// SPDX-License-Identifier: Apache-2.0
//
// `RLC_RL_LOSS(OUTPUTS, INFO, DELTAS)   a loss stands behind one network: words of its outputs and, of the same samples, what
//                            else is known of them come in, words of deltas of these outputs leave, in the same order
// `RLC_RL_HEAD(ACTION)       a head makes an action of ACTION bits and its log-probability from outputs that come one by one,
//                            and takes words of a generator. cfg_* stand still while anything is inside
`ifndef RLC_RL_PORTS_VH
`define RLC_RL_PORTS_VH
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_rl_words.vh"
`include "rlc_rl_td_loss.vh"

`define RLC_RL_LOSS(OUTPUTS, INFO, DELTAS) \
    `RLC_STREAM_SLAVE(s_q, OUTPUTS), \
    `RLC_STREAM_SLAVE(s_info, INFO), \
    `RLC_STREAM_MASTER(m_delta, DELTAS)

`define RLC_RL_HEAD(ACTION) \
    input  wire [4:0]          cfg_frac, \
    input  wire [16:0]         cfg_epsilon, \
    input  wire                cfg_noise, \
    input  wire                start, \
    input  wire [31:0]         draw, \
    output wire                draw_step, \
    input  wire                s_valid, \
    input  wire signed [26:0]  s_data, \
    output wire                m_valid, \
    output wire [(ACTION)-1:0] m_action, \
    output wire                m_log_valid, \
    output wire [26:0]         m_log, \
    output wire [2:0]          saturated

`endif
