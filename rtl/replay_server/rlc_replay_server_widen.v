// rlc_replay_server_widen.v — words of an answer to beats of BYTES bytes, one word per clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          words of 8 bytes, s_last with a datagram's last one; s_head is steady over the datagram
// m_*          its beats, the first word lowest, zeros after the last word of a datagram; m_head is valid with each beat
// latency      1 clock from the last word of a beat
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_widen #(
    parameter BYTES = 64, // bytes of a beat, a multiple of 8
    parameter HEAD  = 64  // bits of s_head
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_valid,
    output wire               s_ready,
    input  wire [63:0]        s_data,
    input  wire               s_last,
    input  wire [HEAD-1:0]    s_head,
    output wire               m_valid,
    input  wire               m_ready,
    output wire [8*BYTES-1:0] m_data,
    output wire               m_last,
    output wire [HEAD-1:0]    m_head
);
    `RLC_CHECK(BYTES >= 8 && BYTES % 8 == 0, rlc_replay_server_widen_illegal_BYTES_must_be_a_multiple_of_8)
    localparam WORDS = BYTES / 8;
    localparam WIDTH = (WORDS > 1) ? $clog2(WORDS) : 1;

    reg               valid_q, last_q;
    reg [8*BYTES-1:0] data_q;
    reg [HEAD-1:0]    head_q;
    wire [WIDTH-1:0]  at;
    wire              at_last;
    assign s_ready = !valid_q || m_ready;
    wire take = s_valid && s_ready;
    wire ends = take && (s_last || at_last);
    rlc_mod_counter #(.COUNT(WORDS)) u_at (.clk(clk), .restart(rst || ends), .step(take), .at(at), .last(at_last));
    genvar i;
    for (i = 0; i < WORDS; i = i + 1) begin : g_word
        localparam [31:0] PLACE = i;
        always @(posedge clk)
            if (take && at == PLACE[WIDTH-1:0]) data_q[64*i +: 64] <= s_data;
            else if (take && at == {WIDTH{1'b0}}) data_q[64*i +: 64] <= 64'd0;
    end
    always @(posedge clk) begin
        if (rst)          valid_q <= 1'b0;
        else if (s_ready) valid_q <= ends;
        if (take) begin
            last_q <= s_last;
            head_q <= s_head;
        end
    end
    assign m_valid = valid_q;
    assign m_data  = data_q;
    assign m_last  = last_q;
    assign m_head  = head_q;
endmodule
`default_nettype wire
