// rlc_replay_server_split.v — hands each datagram to the bank of its client: the client number modulo BANKS.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          beats of BYTES bytes, the first byte lowest; s_keep as AXI4-Stream's; s_head stands over the datagram
// m_*          one bit of m_valid and of m_ready per bank; the beat is the same for all. The low bits of the 16 bits at byte 8
//              are the bank; a datagram that is too short for them goes to bank 0, as in software (docs/net.md)
// waits        while the datagram's bank has no room, s_ready is low, and the datagrams behind it wait too. With
//              BYTES 8 a datagram's first beat waits for its second
// latency      1 clock; one beat per clock; s_ready is low during reset
// proof        verif/replay_server/formal/rlc_replay_server_split.sby: each datagram goes whole, in its order and to its bank alone
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_split #(
    parameter BYTES = 64, // bytes of a beat: 8, or a power of two from 16 on
    parameter BANKS = 8,  // a power of two, to 256
    parameter HEAD  = 48  // bits of s_head
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_valid,
    output wire               s_ready,
    input  wire [8*BYTES-1:0] s_data,
    input  wire [BYTES-1:0]   s_keep,
    input  wire               s_last,
    input  wire [HEAD-1:0]    s_head,
    output wire [BANKS-1:0]   m_valid,
    input  wire [BANKS-1:0]   m_ready,
    output wire [8*BYTES-1:0] m_data,
    output wire [BYTES-1:0]   m_keep,
    output wire               m_last,
    output wire [HEAD-1:0]    m_head
);
    `RLC_CHECK(BYTES >= 8 && (BYTES & (BYTES - 1)) == 0, rlc_replay_server_split_illegal_BYTES_must_be_a_power_of_two_from_8)
    `RLC_CHECK(BANKS >= 1 && BANKS <= 256 && (BANKS & (BANKS - 1)) == 0, rlc_replay_server_split_illegal_BANKS_must_be_a_power_of_two_to_256)
    localparam [31:0] OTHERS = BANKS - 1;

    reg               valid_q, last_q;
    reg [8*BYTES-1:0] data_q;
    reg [BYTES-1:0]   keep_q;
    reg [HEAD-1:0]    head_q;
    reg               first_q;  // the beat that stands here, or comes next, begins a datagram
    reg [7:0]         bank_q;   // of the beat before

    // Byte 8, where the datagram has bytes 8 and 9.
    wire       known;
    wire [7:0] number;
    if (BYTES == 8) begin : g_next
        assign known  = last_q || s_valid;
        assign number = (!last_q && s_keep[1]) ? s_data[7:0] : 8'd0;
    end else begin : g_here
        assign known  = 1'b1;
        assign number = keep_q[9] ? data_q[71:64] : 8'd0;
    end
    wire [7:0] bank  = first_q ? number & OTHERS[7:0] : bank_q;
    wire       there = valid_q && (known || !first_q);

    wire [BANKS-1:0] one  = 1;
    wire [BANKS-1:0] mine = one << bank;
    wire             gone = there && (m_ready & mine) != {BANKS{1'b0}};
    assign s_ready = !rst && (!valid_q || gone);
    assign m_valid = there ? mine : {BANKS{1'b0}};
    assign m_data  = data_q;
    assign m_keep  = keep_q;
    assign m_last  = last_q;
    assign m_head  = head_q;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= 1'b0;
            first_q <= 1'b1;
        end else begin
            if (s_ready) valid_q <= s_valid;
            if (gone)    first_q <= last_q;
        end
        if (gone) bank_q <= bank;
        if (s_ready) begin
            data_q <= s_data;
            keep_q <= s_keep;
            last_q <= s_last;
            head_q <= s_head;
        end
    end
endmodule
`default_nettype wire
