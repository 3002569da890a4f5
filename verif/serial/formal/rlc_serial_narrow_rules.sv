// rlc_serial_narrow_rules.sv — words go into beats, and beats into words, and a packet's end stays where it was.
// SPDX-License-Identifier: Apache-2.0
//
// What comes out of rlc_serial_widen goes into rlc_serial_narrow: a packet of words comes out in whole beats.
`default_nettype none
`include "rlc_rules.svh"
module rlc_serial_narrow_rules (
    input wire clk,
    input wire rst
);
    localparam WORDS = 3;
    `RLC_AXIS_SOURCE_FREE(s_word, 32)
    wire [32*WORDS-1:0] beat_tdata;
    wire                beat_tvalid, beat_tready, beat_tlast;
    wire [31:0]         m_word_tdata;
    wire                m_word_tvalid, m_word_tlast;
    (* anyseq *) wire   m_word_tready;

    rlc_serial_widen #(.WORDS(WORDS)) widen (
        .clk(clk), .rst(rst),
        .s_valid(s_word_tvalid), .s_ready(s_word_tready), .s_data(s_word_tdata), .s_last(s_word_tlast),
        .m_valid(beat_tvalid), .m_ready(beat_tready), .m_data(beat_tdata), .m_last(beat_tlast)
    );
    rlc_serial_narrow #(.WORDS(WORDS)) dut (
        .clk(clk), .rst(rst),
        .s_valid(beat_tvalid), .s_ready(beat_tready), .s_data(beat_tdata), .s_last(beat_tlast),
        .m_valid(m_word_tvalid), .m_ready(m_word_tready), .m_data(m_word_tdata), .m_last(m_word_tlast)
    );

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axis_rules #(.WIDTH(32), .SOURCE(0), .SINK(2)) u_in (
        .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_word)
    );
    rlc_axis_rules #(.WIDTH(32*WORDS), .SINK(2)) u_beat (
        .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(beat)
    );
    rlc_axis_rules #(.WIDTH(32), .MULTIPLE(WORDS), .SINK(2)) u_out (
        .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_word)
    );
endmodule
`default_nettype wire
