// rlc_sync_pulse.v — carries one-clock pulses from one clock domain to another, any ratio of clocks.
// SPDX-License-Identifier: Apache-2.0
//
// s_pulse     one clock of s_clk high is one pulse; taken when s_busy is low, ignored when it is high
// s_busy      high from the clock after a pulse was taken until the other side has seen it: a caller that
//             watches it loses nothing
// m_pulse     one clock of m_clk high for every pulse taken
// reset       s_rst and m_rst must overlap for STAGES + 1 clocks of either side: reset both sides or neither
// latency     s_pulse to m_pulse: 1 s_clk, then STAGES m_clk, one more as metastability resolves;
//             s_busy falls STAGES s_clk after m_pulse's clock, one more likewise
// proof       verif/common/formal/rlc_sync_pulse.sby: any two clocks, as many pulses out as were taken
`default_nettype none
`include "rlc_check.vh"
module rlc_sync_pulse #(
    parameter STAGES = 2  // flip-flops in each synchroniser, 2..4
) (
    input  wire s_clk,
    input  wire s_rst,
    input  wire s_pulse,
    output wire s_busy,
    input  wire m_clk,
    input  wire m_rst,
    output wire m_pulse
);
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, rlc_sync_pulse_illegal_STAGES_must_be_2_or_3_or_4)

    // A pulse is a change of a level, because a level survives into a slower clock and a pulse does not.
    reg  request_q;
    reg  answer_q;
    wire request_m;
    wire answer_s;

    initial request_q = 1'b0;
    initial answer_q  = 1'b0;

    assign s_busy  = request_q != answer_s;
    assign m_pulse = request_m != answer_q;

    always @(posedge s_clk) begin
        if (s_rst) request_q <= 1'b0;
        else if (s_pulse && !s_busy) request_q <= !request_q;
    end

    rlc_sync_level #(.STAGES(STAGES)) u_request (.clk(m_clk), .level_in(request_q), .level_out(request_m));

    always @(posedge m_clk) begin
        if (m_rst) answer_q <= 1'b0;
        else answer_q <= request_m;
    end

    rlc_sync_level #(.STAGES(STAGES)) u_answer (.clk(s_clk), .level_in(answer_q), .level_out(answer_s));
endmodule
`default_nettype wire
