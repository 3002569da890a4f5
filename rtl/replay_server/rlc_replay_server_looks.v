// rlc_replay_server_looks.v — a list that comes from memory, or with a READ: its slots are looked at in the tree.
// SPDX-License-Identifier: Apache-2.0
//
// s_word_*     entries of a READ, a word each; s_beat_*: those of a list from memory, two words each, taken with takes_beat
// list_ready   a READ's word is taken
// first        pulse: s_word_data is the first word of an update
// place        the first half of an entry from memory; of an update, generation and slot
// m_look_*     a slot that the tree is asked for; s_had_*: what it has, in the order of asking
// m_entry_*    an entry: weight, priority, generation with `gone` as its highest bit, slot
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_replay_server_looks (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [4:0]           phase,
    input  wire `RLC_SERVER_JOB    job,
    input  wire                 does,
    input  wire                 first,
    input  wire                 s_word_valid,
    input  wire [63:0]          s_word_data,
    output wire                 list_ready,
    input  wire                 s_beat_valid,
    input  wire [63:0]          s_beat_data,
    output wire                 takes_beat,
    output wire [63:0]          place,
    `RLC_STREAM_MASTER(m_look, 64),
    input  wire                 s_had_valid,
    input  wire `RLC_SERVER_HAD    s_had_data,
    output wire                 m_entry_valid,
    output wire [127:0]         m_entry_data
);
    `include "rlc_replay_server_phases.vh"
    reg         half_q;        // place_q is the first half of an entry
    reg  [63:0] place_q;
    reg  [15:0] looked_q;      // entries that were looked at
    wire        pending_valid, pending_ready;
    wire        lists   = phase == PH_LIST;
    wire        read    = job[`RLC_SERVER_JOB_READ];
    wire        more    = looked_q != job[`RLC_SERVER_JOB_COUNT] && pending_ready;
    wire        look    = m_look_valid && m_look_ready;
    wire        to_half = lists && !read && !half_q && s_beat_valid;
    assign m_look_valid = lists && more && (read ? s_word_valid : half_q && s_beat_valid);
    assign m_look_data  = read ? s_word_data : place_q;
    assign list_ready   = more && m_look_ready;
    assign takes_beat   = to_half || (look && !read);
    assign place        = place_q;
    always @(posedge clk) begin
        if (rst || does) half_q <= 1'b0;
        else             half_q <= to_half || (half_q && !look);
        if (does)      looked_q <= 16'd0;
        else if (look) looked_q <= looked_q + 16'd1;
        if (to_half)    place_q <= s_beat_data;
        else if (first) place_q <= s_word_data;
    end

    // ---- what is told of an entry waits here until the tree has answered. A generation with its highest bit is no slot's.
    wire [127:0] pending;
    rlc_fifo #(.WIDTH(128), .DEPTH(32)) u_pending (
        .clk(clk), .rst(rst), .s_valid(look), .s_ready(pending_ready), .s_data({read ? 64'd0 : s_beat_data, m_look_data}),
        .m_valid(pending_valid), .m_ready(s_had_valid), .m_data(pending), .count()
    );
    wire gone = s_had_data[`RLC_SERVER_HAD_FAILED] || s_had_data[`RLC_SERVER_HAD_GENERATION] != pending[63:32];
    assign m_entry_valid = s_had_valid;
    assign m_entry_data  = {pending[127:96], read ? s_had_data[`RLC_SERVER_HAD_PRIORITY] : pending[95:64], gone, pending[62:0]};
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(s_had_valid && !pending_valid));
    wire unused = &{1'b0, job, pending_valid};
endmodule
`default_nettype wire
