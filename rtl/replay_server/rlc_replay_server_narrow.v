// rlc_replay_server_narrow.v — beats of a datagram to its words of 8 bytes, one word per clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          beats of BYTES bytes, the first byte lowest. Only the last beat may be partly full, from byte 0 on.
//              A beat stands until its last word is taken
// m_*          its words. The last beat gives the words that have a byte, at least one
// latency      none; nothing is stored here
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_narrow #(
    parameter BYTES = 64 // bytes of a beat, a multiple of 8
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_valid,
    output wire               s_ready,
    input  wire [8*BYTES-1:0] s_data,
    input  wire [BYTES-1:0]   s_keep,
    input  wire               s_last,
    output wire               m_valid,
    input  wire               m_ready,
    output wire [63:0]        m_data,
    output wire [7:0]         m_keep,
    output wire               m_last
);
    `RLC_CHECK(BYTES >= 8 && BYTES % 8 == 0, rlc_replay_server_narrow_illegal_BYTES_must_be_a_multiple_of_8)
    localparam WORDS = BYTES / 8;
    localparam WIDTH = (WORDS > 1) ? $clog2(WORDS) : 1;

    wire [WIDTH-1:0] at;
    wire [BYTES:0]   kept = {1'b0, s_keep};   // behind the last word there is no byte
    wire             more = kept[8*at + 8];
    wire             step = m_valid && m_ready;
    wire             at_last;
    rlc_mod_counter #(.COUNT(WORDS)) u_at (.clk(clk), .restart(rst || (step && !more)), .step(step), .at(at), .last(at_last));
    assign m_valid = s_valid;
    assign m_data  = s_data[64*at +: 64];
    assign m_keep  = s_keep[8*at +: 8];
    assign m_last  = s_last && !more;
    assign s_ready = m_ready && !more;
    wire unused = &{1'b0, at_last};
endmodule
`default_nettype wire
