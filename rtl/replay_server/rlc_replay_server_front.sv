// rlc_replay_server_front.sv — the front of a replay server: frames in and out, exactly once, in one order, for any memory behind it.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_udp_*      payloads of datagrams, BYTES a beat, with their source; m_udp_* the answers, with their destination and length
// cfg_*        steady from reset on
// m_do_*       a request for the memory, good and accepted, in its order: PUT, SAMPLE, READ, PRIO, and with WEIGHTS_MAX also
//              WEIGHTS and GET. again: a SAMPLE that was accepted before; the memory still has the batch, or answers OLD. keep: a new
//              part of a PUT: the memory keeps it, at the client's place `way`. whole: all parts are now there, and the PUT is
//              carried out from them. Otherwise the memory's answer is not sent
// head         the request's, steady until the last part of the answer is taken
// comes        pulse: the head is there. It comes some clocks before each request, and also for what becomes none
// m_word_*     the request's payload. The memory takes all of it before it gives the last part of its answer
// s_part_*     the memory's answer, in one or more parts; s_text_* the words of their payloads
// state        what STAT reports of the memory, valid while state_valid is high. It does not change while the memory has no
//              request, and a STAT waits for it
// The fields of head, m_do, s_part and state: rlc_replay_server_words.vh
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`include "rlc_check.vh"
module rlc_replay_server_front #(
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

    `RLC_STREAM_MASTER(m_do, `RLC_SERVER_ASKED_BITS),
    output wire `RLC_SERVER_HEAD head,
    output wire               comes,
    `RLC_STREAM_MASTER(m_word, 64),
    `RLC_STREAM_SLAVE(s_part, `RLC_SERVER_ANSWER_BITS),
    `RLC_STREAM_SLAVE(s_text, 64),
    input  wire               state_valid,
    input  wire `RLC_SERVER_STATE state
);
    `include "rlc_replay_server_defs.vh"
    `RLC_CHECK(BYTES == 8, rlc_replay_server_front_illegal_BYTES_must_be_8)
    `RLC_CHECK(LEARNS == 0 || LEARNS == 1, rlc_replay_server_front_illegal_LEARNS_must_be_0_or_1)
    `RLC_CHECK(KEYED == 0 || KEYED == 1, rlc_replay_server_front_illegal_KEYED_must_be_0_or_1)
    // Two of the longest payloads, so that one comes while the other is carried out.
    localparam HOLD = PART_BYTES / 4;

    // ---- heads and payloads.
    wire        head_valid, head_ready, word_valid, word_ready;
    rlc_replay_server_rx #(
        .CLIENTS(CLIENTS), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .SAMPLE_MAX(SAMPLE_MAX),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .LEARNS(LEARNS), .KEYED(KEYED), .HOLD(HOLD)
    ) u_rx (
        .*, .bank(cfg_bank), .s_valid(s_udp_tvalid), .s_ready(s_udp_tready), .s_data(s_udp_tdata), .s_ragged(!(&s_udp_tkeep)), .s_last(s_udp_tlast),
        .s_addr(s_udp_addr), .s_port(s_udp_port), .m_head_valid(head_valid), .m_head_ready(head_ready),
        .m_bad(head[`RLC_SERVER_HEAD_BAD]), .m_op(head[`RLC_SERVER_HEAD_OP]), .m_flags(head[`RLC_SERVER_HEAD_FLAGS]),
        .m_client(head[`RLC_SERVER_HEAD_CLIENT]), .m_epoch(head[`RLC_SERVER_HEAD_EPOCH]), .m_sequence(head[`RLC_SERVER_HEAD_SEQUENCE]),
        .m_instance(head[`RLC_SERVER_HEAD_INSTANCE]), .m_count(head[`RLC_SERVER_HEAD_COUNT]), .m_part(head[`RLC_SERVER_HEAD_PART]),
        .m_parts(head[`RLC_SERVER_HEAD_PARTS]), .m_behind(head[`RLC_SERVER_HEAD_BEHIND]), .m_refused(head[`RLC_SERVER_HEAD_REFUSED]),
        .m_chunk(head[`RLC_SERVER_HEAD_CHUNK]), .m_words(head[`RLC_SERVER_HEAD_WORDS]), .m_addr(head[`RLC_SERVER_HEAD_ADDR]),
        .m_port(head[`RLC_SERVER_HEAD_PORT]), .m_word_valid(word_valid), .m_word_ready(word_ready), .m_word_data(m_word_data)
    );
    wire [2:0]  op        = head[`RLC_SERVER_HEAD_OP];
    wire [15:0] client    = head[`RLC_SERVER_HEAD_CLIENT];
    wire [31:0] epoch     = head[`RLC_SERVER_HEAD_EPOCH];
    wire [63:0] seq_number = head[`RLC_SERVER_HEAD_SEQUENCE];
    wire [15:0] part      = head[`RLC_SERVER_HEAD_PART];
    wire [15:0] parts     = head[`RLC_SERVER_HEAD_PARTS];

    // ---- what is known of a request: by its HELLO, by its client's window, by the table of parts.
    localparam NUMBER = (CLIENTS > 1) ? $clog2(CLIENTS) : 1;
    wire        h_takes, h_done, welcome;
    wire [63:0] cookie, nonce, schema;
    wire [47:0] source;
    wire `RLC_SERVER_GREETING greeting;
    rlc_replay_server_hello #(.RECORD_BYTES(RECORD_BYTES)) u_hello (
        .*, .begins(comes), .s_head(head), .s_word_valid(h_takes), .s_word_data(m_word_data), .done(h_done)
    );
    wire        w_ask, w_done, w_accept, w_ready, prove, window_ready;
    wire [3:0]  w_status;
    wire `RLC_SERVER_SEEN seen;
    wire `RLC_SERVER_WAY  way;
    rlc_replay_server_window #(.CLIENTS(CLIENTS), .CREDIT(CREDIT)) u_window (
        .*, .ask(w_ask), .hello(op == OP_HELLO), .sequenced(way[`RLC_SERVER_WAY_SEQUENCED]),
        .client(client[NUMBER-1:0]), .behind(head[`RLC_SERVER_HEAD_BEHIND]), .done(w_done), .says(seen[`RLC_SERVER_SEEN_SAYS]),
        .present(seen[`RLC_SERVER_SEEN_PRESENT]), .same(seen[`RLC_SERVER_SEEN_SAME]), .repeated(seen[`RLC_SERVER_SEEN_REPEATED]),
        .accept(w_accept), .status(w_status), .ready(window_ready)
    );
    wire        p_known, keep, p_ready;
    wire [63:0] mask;
    wire `RLC_SERVER_ASSEMBLY assembly;
    assign w_ready = window_ready && p_ready;
    generate
        if (ASSEMBLIES != 0) begin : g_parts
            rlc_replay_server_parts #(.CLIENTS(CLIENTS), .ASSEMBLIES(ASSEMBLIES)) u_parts (
                .*, .ask(w_ask), .client(client[NUMBER-1:0]), .count(head[`RLC_SERVER_HEAD_COUNT]), .part(part[5:0]), .parts(parts[6:0]),
                .unknown(head[`RLC_SERVER_HEAD_REFUSED]), .known(p_known), .way(m_do_data[`RLC_SERVER_ASKED_WAY]),
                .room(assembly[`RLC_SERVER_ASSEMBLY_ROOM]), .lies(assembly[`RLC_SERVER_ASSEMBLY_LIES]), .had(assembly[`RLC_SERVER_ASSEMBLY_HAD]),
                .whole(assembly[`RLC_SERVER_ASSEMBLY_WHOLE]), .refused(assembly[`RLC_SERVER_ASSEMBLY_REFUSED]),
                .accept(w_accept), .ready(p_ready)
            );
        end else begin : g_no_parts
            assign assembly = {`RLC_SERVER_ASSEMBLY_BITS{1'b0}};
            assign m_do_data[`RLC_SERVER_ASKED_WAY] = 2'd0;
            assign p_known = 1'b0;
            assign mask    = 64'd0;
            assign p_ready = 1'b1;
            wire unused = &{1'b0, keep};
        end
    endgenerate

    // ---- what it comes to, and its answer.
    wire        clears, judged, tells, passes;
    wire [4:0]  at;
    wire [63:0] text;
    wire `RLC_SERVER_VERDICT verdict;
    wire `RLC_SERVER_COUNTED counted;
    `RLC_STREAM_WIRES(e, `RLC_SERVER_ANSWER_BITS);
    `RLC_STREAM_WIRES(e_text, 64);
    rlc_replay_server_verdict #(.WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .LEARNS(LEARNS)) u_verdict (
        .*, .s_head(head), .looked(w_done)
    );
    rlc_replay_server_serve u_serve (
        .*, .s_head_valid(head_valid), .s_head_ready(head_ready), .s_head_data(head), .s_word_valid(word_valid), .s_word_ready(word_ready),
        .begins(comes)
    );
    assign m_do_data[`RLC_SERVER_ASKED_AGAIN] = verdict[`RLC_SERVER_VERDICT_AGAIN];
    assign m_do_data[`RLC_SERVER_ASKED_KEEP]  = verdict[`RLC_SERVER_VERDICT_KEEP];
    assign m_do_data[`RLC_SERVER_ASKED_WHOLE] = verdict[`RLC_SERVER_VERDICT_WHOLE];
    rlc_replay_server_texts #(
        .CAPACITY(CAPACITY), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX),
        .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .WEIGHTS_MAX(WEIGHTS_MAX),
        .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .KEYED(KEYED)
    ) u_texts (
        .*, .s_head(head), .begins(comes), .foreign(way[`RLC_SERVER_WAY_FOREIGN]), .accepts(w_accept)
    );
    assign e_text_valid = tells || (passes && s_text_valid);
    assign e_text_data  = tells ? text : s_text_data;
    assign s_text_ready = passes && e_text_ready;
    rlc_replay_server_emit #(.CREDIT(CREDIT), .KEYED(KEYED)) u_emit (
        .*, .s_valid(e_valid), .s_ready(e_ready), .s_op(op), .s_status(e_data[`RLC_SERVER_ANSWER_STATUS]), .s_client(client), .s_epoch(epoch),
        .s_sequence(seq_number), .s_count(head[`RLC_SERVER_HEAD_COUNT]), .s_part(e_data[`RLC_SERVER_ANSWER_PART]),
        .s_parts(e_data[`RLC_SERVER_ANSWER_PARTS]), .s_words(e_data[`RLC_SERVER_ANSWER_WORDS]), .s_addr(head[`RLC_SERVER_HEAD_ADDR]),
        .s_port(head[`RLC_SERVER_HEAD_PORT]), `RLC_STREAM_JOIN(s_text, e_text),
        .m_valid(m_udp_tvalid), .m_ready(m_udp_tready), .m_data(m_udp_tdata), .m_last(m_udp_tlast),
        .m_length(m_udp_length), .m_addr(m_udp_addr), .m_port(m_udp_port)
    );
    assign m_udp_tkeep = {BYTES{1'b1}};
    wire unused = &{1'b0, part, parts, e_data};
endmodule
`default_nettype wire
