// rlc_replay_server_join.v — datagrams of several banks into one stream: whole, and one bank's after another's.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          one bit or slice per bank. A datagram's head and length (in bytes) are steady from its first beat to its last. If a
//              bank stalls inside a datagram, all wait, so datagrams should be whole when they come (rlc_replay_server_store)
// m_*          beats of BYTES bytes, registered; m_head and m_length are steady over a datagram; m_keep follows from the length
// order        round robin over the banks that have a datagram
// latency      1 clock; one beat per clock
// proof        verif/replay_server/formal/rlc_replay_server_join.sby: each datagram comes whole and in its bank's order, and no bank waits for ever
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_join #(
    parameter BYTES = 64, // bytes of a beat, a power of two
    parameter BANKS = 8,  // streams
    parameter HEAD  = 48  // bits of m_head
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [BANKS-1:0]         s_valid,
    output wire [BANKS-1:0]         s_ready,
    input  wire [BANKS*8*BYTES-1:0] s_data,
    input  wire [BANKS-1:0]         s_last,
    input  wire [BANKS*HEAD-1:0]    s_head,
    input  wire [BANKS*16-1:0]      s_length,
    output wire                     m_valid,
    input  wire                     m_ready,
    output wire [8*BYTES-1:0]       m_data,
    output wire [BYTES-1:0]         m_keep,
    output wire                     m_last,
    output wire [HEAD-1:0]          m_head,
    output wire [15:0]              m_length
);
    `RLC_CHECK(BYTES >= 2 && (BYTES & (BYTES - 1)) == 0, rlc_replay_server_join_illegal_BYTES_must_be_a_power_of_two_from_2)
    `RLC_CHECK(BANKS >= 1, rlc_replay_server_join_illegal_BANKS_must_be_at_least_1)
    localparam WIDTH = (BANKS > 1) ? $clog2(BANKS) : 1;
    localparam B     = $clog2(BYTES);

    // ---- whose turn it is, one bit per bank.
    reg  [BANKS-1:0] turn_q;   // of the datagram that goes, or went last
    reg              inside_q; // that datagram has beats to come
    wire [BANKS-1:0] one     = 1;
    wire [BANKS-1:0] after   = s_valid & ~(turn_q | (turn_q - one));  // who stands behind it
    wire [BANKS-1:0] asks    = (after != {BANKS{1'b0}}) ? after : s_valid;
    wire [BANKS-1:0] next    = asks & (~asks + one);
    wire [BANKS-1:0] turn    = inside_q ? turn_q : next;
    wire             room;
    wire             there   = (s_valid & turn) != {BANKS{1'b0}};
    wire             ends    = (s_last & turn) != {BANKS{1'b0}};
    assign s_ready = room ? turn : {BANKS{1'b0}};
    always @(posedge clk) begin
        if (rst) begin
            turn_q   <= one;
            inside_q <= 1'b0;
        end else if (there && room) begin
            turn_q   <= turn;
            inside_q <= !ends;
        end
    end

    // ---- its beat.
    reg [WIDTH-1:0] at;
    integer i;
    always @* begin
        at = {WIDTH{1'b0}};
        for (i = 0; i < BANKS; i = i + 1) if (turn[i]) at = at | i[WIDTH-1:0];
    end
    wire [15:0]      length = s_length[16*at +: 16];
    wire [15:0]      most   = length - 16'd1;    // bytes of the last beat, less one, in its low bits
    wire [BYTES-1:0] ones   = {BYTES{1'b1}};
    wire [BYTES-1:0] keep   = ends ? ones >> (BYTES - 1 - {{(32-B){1'b0}}, most[B-1:0]}) : ones;
    rlc_skid #(.WIDTH(9 * BYTES + 1 + HEAD + 16)) u_out (
        .clk(clk), .rst(rst), .s_valid(there), .s_ready(room),
        .s_data({s_data[8*BYTES*at +: 8*BYTES], keep, ends, s_head[HEAD*at +: HEAD], length}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data({m_data, m_keep, m_last, m_head, m_length})
    );
    wire unused = &{1'b0, most[15:B]};
endmodule
`default_nettype wire
