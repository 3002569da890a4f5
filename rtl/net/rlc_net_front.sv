// rlc_net_front.sv — the front of a replay server: frames in and out, exactly once, in one order, for any memory behind it.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_udp_*      payloads of datagrams, BYTES a beat, with their source; m_udp_* the answers, with their destination and length
// cfg_*        steady from reset on
// m_do_*, m_word_*  requests for the memory, and their payloads; s_part_*, s_text_* its answers (rlc_net_serve)
// state_*      what STAT tells of the memory, while state_valid is high
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_net_front #(
    parameter BYTES            = 8,       // of a beat: 8
    parameter CAPACITY         = 1048576, // slots
    parameter RECORD_BYTES     = 48,      // bytes of a record
    parameter PART_BYTES       = 1392,    // bytes of the longest payload
    parameter CLIENTS          = 256,     // client numbers
    parameter SAMPLE_MAX       = 1024,    // largest batch
    parameter CREDIT           = 32,      // sequences from the first that was not accepted on
    parameter PRIORITY_WIDTH   = 18,      // bits of a priority
    parameter GENERATION_WIDTH = 16,      // bits of a generation
    parameter WEIGHTS_MAX      = 0,       // bytes of the largest set of weights; 0: it has none
    parameter ASSEMBLIES       = 0,       // PUTs in many parts of a client at once, to 4
    parameter BANKS            = 1,       // servers behind one address; this one is cfg_bank
    parameter LEARNS           = 0,       // 1: the memory learns by itself. It takes PUT and GET; all else of it is REFUSED
    parameter KEYED            = 0        // 1: each frame, in both directions, has a MAC with cfg_key
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_udp_tvalid,
    output wire               s_udp_tready,
    input  wire [8*BYTES-1:0] s_udp_tdata,
    input  wire [BYTES-1:0]   s_udp_tkeep,
    input  wire               s_udp_tlast,
    input  wire [31:0]        s_udp_addr,
    input  wire [15:0]        s_udp_port,
    output wire               m_udp_tvalid,
    input  wire               m_udp_tready,
    output wire [8*BYTES-1:0] m_udp_tdata,
    output wire [BYTES-1:0]   m_udp_tkeep,
    output wire               m_udp_tlast,
    output wire [31:0]        m_udp_addr,
    output wire [15:0]        m_udp_port,
    output wire [15:0]        m_udp_length,
    input  wire [31:0]        cfg_instance,
    input  wire [15:0]        cfg_alpha,
    input  wire [15:0]        cfg_scale,
    input  wire [31:0]        cfg_epsilon,
    input  wire [7:0]         cfg_bank,
    input  wire [127:0]       cfg_key,

    output wire               m_do_valid,
    input  wire               m_do_ready,
    output wire               m_do_again,
    output wire               m_do_comes,
    output wire               m_do_keep,
    output wire               m_do_whole,
    output wire [1:0]         s_way,
    output wire [2:0]         s_op,
    output wire [2:0]         s_flags,
    output wire [15:0]        s_client,
    output wire [31:0]        s_epoch,
    output wire [63:0]        s_sequence,
    output wire [15:0]        s_count,
    output wire [15:0]        s_part,
    output wire [15:0]        s_parts,
    output wire [22:0]        s_chunk,
    output wire [12:0]        s_words,
    `RLC_STREAM_MASTER(m_word, 64),
    input  wire               s_part_valid,
    output wire               s_part_ready,
    input  wire               s_part_last,
    input  wire [3:0]         s_part_status,
    input  wire [15:0]        s_part_part,
    input  wire [15:0]        s_part_parts,
    input  wire [12:0]        s_part_words,
    `RLC_STREAM_SLAVE(s_text, 64),
    input  wire               state_valid,
    input  wire [31:0]        state_size,
    input  wire [31:0]        state_next,
    input  wire [63:0]        state_total,
    input  wire [31:0]        state_largest,
    input  wire [63:0]        state_version,
    input  wire [63:0]        state_records,
    input  wire [63:0]        state_samples,
    input  wire [63:0]        state_updates,
    input  wire [63:0]        state_stale,
    input  wire [63:0]        state_range,
    input  wire [63:0]        state_saturated
);
    `RLC_CHECK(BYTES == 8, rlc_net_front_illegal_BYTES_must_be_8)
    `RLC_CHECK(LEARNS == 0 || LEARNS == 1, rlc_net_front_illegal_LEARNS_must_be_0_or_1)
    `RLC_CHECK(KEYED == 0 || KEYED == 1, rlc_net_front_illegal_KEYED_must_be_0_or_1)
    // Two of the longest payloads, so that one comes while the other is carried out.
    localparam HOLD = PART_BYTES / 4;

    wire        s_head_valid, s_head_ready;
    wire [2:0]  s_bad;
    wire [31:0] s_instance, s_addr;
    wire [5:0]  s_behind;
    wire        s_refused;
    wire [15:0] s_port;
    wire        s_word_valid, s_word_ready;
    wire [63:0] s_word_data;
    rlc_net_rx #(
        .CLIENTS(CLIENTS), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .SAMPLE_MAX(SAMPLE_MAX),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .LEARNS(LEARNS), .KEYED(KEYED), .HOLD(HOLD)
    ) u_intake (
        .*, .bank(cfg_bank), .s_valid(s_udp_tvalid), .s_ready(s_udp_tready), .s_data(s_udp_tdata), .s_ragged(!(&s_udp_tkeep)), .s_last(s_udp_tlast),
        .s_addr(s_udp_addr), .s_port(s_udp_port),
        .m_head_valid(s_head_valid), .m_head_ready(s_head_ready), .m_bad(s_bad), .m_op(s_op), .m_flags(s_flags), .m_client(s_client),
        .m_epoch(s_epoch), .m_sequence(s_sequence), .m_instance(s_instance), .m_count(s_count), .m_part(s_part), .m_parts(s_parts),
        .m_behind(s_behind), .m_refused(s_refused), .m_chunk(s_chunk), .m_words(s_words), .m_addr(s_addr), .m_port(s_port),
        .m_word_valid(s_word_valid), .m_word_ready(s_word_ready), .m_word_data(s_word_data)
    );

    wire        w_ask, w_hello, w_sequenced, w_done, w_same, w_accept, w_ready, window_ready;
    wire [63:0] w_nonce;
    wire [47:0] w_source;
    wire        w_prove;
    wire [2:0]  w_says;
    wire [31:0] w_present;
    wire [3:0]  w_repeated, w_status;
    localparam NUMBER = (CLIENTS > 1) ? $clog2(CLIENTS) : 1;
    rlc_net_window #(.CLIENTS(CLIENTS), .CREDIT(CREDIT)) u_window (
        .*, .ask(w_ask), .hello(w_hello), .sequenced(w_sequenced), .client(s_client[NUMBER-1:0]), .epoch(s_epoch), .sequence_(s_sequence),
        .behind(s_behind), .nonce(w_nonce), .source(w_source), .prove(w_prove), .done(w_done), .says(w_says), .present(w_present), .same(w_same),
        .repeated(w_repeated), .accept(w_accept), .status(w_status), .ready(window_ready)
    );

    wire        p_known, p_room, p_lies, p_had, p_whole, p_refused, p_keep, p_ready;
    wire [63:0] p_mask;
    assign w_ready = window_ready && p_ready;
    generate
        if (ASSEMBLIES != 0) begin : g_parts
            rlc_net_parts #(.CLIENTS(CLIENTS), .ASSEMBLIES(ASSEMBLIES)) u_parts (
                .clk(clk), .rst(rst), .ask(w_ask), .client(s_client[NUMBER-1:0]), .epoch(s_epoch), .sequence_(s_sequence),
                .count(s_count), .part(s_part[5:0]), .parts(s_parts[6:0]), .unknown(s_refused), .known(p_known), .room(p_room),
                .way(s_way), .lies(p_lies), .had(p_had), .mask(p_mask), .whole(p_whole), .refused(p_refused),
                .keep(p_keep), .accept(w_accept), .ready(p_ready)
            );
        end else begin : g_no_parts
            assign {p_known, p_room, p_lies, p_had, p_whole, p_refused} = 6'd0;
            assign p_mask  = 64'd0;
            assign s_way   = 2'd0;
            assign p_ready = 1'b1;
            wire unused = &{1'b0, p_keep};
        end
    endgenerate

    wire        e_valid, e_ready, e_text_valid, e_text_ready;
    wire [3:0]  e_status;
    wire [15:0] e_part, e_parts;
    wire [12:0] e_words;
    wire [63:0] e_text_data;
    rlc_net_serve #(
        .CAPACITY(CAPACITY), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX),
        .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .WEIGHTS_MAX(WEIGHTS_MAX),
        .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .LEARNS(LEARNS), .KEYED(KEYED)
    ) u_serve (.*);

    rlc_net_emit #(.CREDIT(CREDIT), .KEYED(KEYED)) u_emit (
        .*, .s_valid(e_valid), .s_ready(e_ready), .s_status(e_status), .s_part(e_part), .s_parts(e_parts), .s_words(e_words),
        .s_text_valid(e_text_valid), .s_text_ready(e_text_ready), .s_text_data(e_text_data),
        .m_valid(m_udp_tvalid), .m_ready(m_udp_tready), .m_data(m_udp_tdata), .m_last(m_udp_tlast),
        .m_length(m_udp_length), .m_addr(m_udp_addr), .m_port(m_udp_port)
    );
    assign m_udp_tkeep = {BYTES{1'b1}};
endmodule
`default_nettype wire
