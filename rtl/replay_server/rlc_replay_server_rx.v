// rlc_replay_server_rx.v — takes datagrams, word by word, finds what is wrong with each, and gives heads and payloads.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          words of 8 bytes, the first byte lowest. s_ragged: a byte of the word is missing. s_last: the datagram ends.
//              s_addr, s_port: its source, steady over the datagram. s_ready falls for 5 clocks behind each datagram, for 34
//              behind a GET; behind WEIGHTS at least until 36 clocks after the second word of payload, 37 with KEYED; and
//              while there is no room
// m_head_*     one head a datagram, in their order: m_bad says the counter (rlc_replay_server_defs.vh), BAD_NONE for a good one, and only
//              then have the fields a meaning, but m_words
// m_words      words of payload that stand in m_word_*, of a bad datagram too: whoever takes the head takes them
// m_refused    the payload has a priority of an unknown kind
// m_chunk      of a WEIGHTS, and of a GET whose offset is in a set: which chunk
// m_word_*     the payloads' words; all of them stand here, or are a clock away, when the head does
// cfg_key      with KEYED: a frame has its MAC before the CRC's word, and one with another MAC is BAD_KEY. All 64 bits are
//              compared in one clock, and no clock depends on what differs
// cost         a block RAM for HOLD words; a queue of 4 heads in LUTs
// proof        verif/replay_server/formal/rlc_replay_server_rx.sby: which rule each datagram breaks first, and which words are its
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_replay_server_rx #(
    parameter CLIENTS      = 256,  // client numbers, 1 to 65536
    parameter RECORD_BYTES = 48,   // bytes of a record, a multiple of 8
    parameter PART_BYTES   = 1392, // bytes of the longest payload, a multiple of 8
    parameter SAMPLE_MAX   = 1024, // largest batch
    parameter WEIGHTS_MAX  = 0,    // bytes of the largest set of weights
    parameter ASSEMBLIES   = 0,    // PUTs in many parts of a client at once
    parameter BANKS        = 1,    // a client is this server's when its number modulo BANKS is `bank`
    parameter LEARNS       = 0,    // 1: the memory learns by itself
    parameter KEYED        = 0,    // 1: frames have a MAC, with cfg_key
    parameter HOLD         = 512   // words of payload held, at least PART_BYTES / 8 + 4
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [7:0]  bank,
    input  wire [127:0] cfg_key,
    `RLC_STREAM_SLAVE(s, 64),
    input  wire        s_ragged,
    input  wire        s_last,
    input  wire [31:0] s_addr,
    input  wire [15:0] s_port,

    output wire        m_head_valid,
    input  wire        m_head_ready,
    output wire [2:0]  m_bad,
    output wire [2:0]  m_op,
    output wire [2:0]  m_flags,
    output wire [15:0] m_client,
    output wire [31:0] m_epoch,
    output wire [63:0] m_sequence,
    output wire [31:0] m_instance,
    output wire [15:0] m_count,
    output wire [15:0] m_part,
    output wire [15:0] m_parts,
    output wire [5:0]  m_behind,
    output wire        m_refused,
    output wire [22:0] m_chunk,
    output wire [12:0] m_words,
    output wire [31:0] m_addr,
    output wire [15:0] m_port,
    `RLC_STREAM_MASTER(m_word, 64)
);
    `include "rlc_replay_server_defs.vh"
    `RLC_CHECK(PART_BYTES >= 256 && PART_BYTES <= 65408 && PART_BYTES % 8 == 0,
               rlc_replay_server_rx_illegal_PART_BYTES_must_be_a_multiple_of_8_from_256_to_65408)
    `RLC_CHECK(HOLD >= PART_BYTES / 8 + 4, rlc_replay_server_rx_illegal_HOLD_must_be_at_least_PART_BYTES_by_8_and_4)
    localparam [31:0] FIRST_32 = (KEYED != 0) ? 6 : 5, MOST_32 = PART_BYTES / 8 + FIRST_32;
    localparam [13:0] FIRST   = FIRST_32[13:0];   // words beside the payload, but the last one
    localparam [13:0] MOST    = MOST_32[13:0];    // number of the last word of the longest datagram
    localparam [13:0] ONE     = 14'd1;

    // ---- words in: five of header, then payload, with a key the MAC, and the last is the CRC's. A datagram that is too long
    // stays at MOST + 1. With a key a word goes on when the next one is not the last: what is held at the end is the MAC.
    reg         open_q;      // a word may be taken, if there is room for it
    reg  [13:0] at_q;
    reg         ragged_q, full_crc_q;
    reg  [31:0] crc_q;
    wire        room;        // for a word of payload
    wire [31:0] crc;
    assign s_ready = open_q && room;
    wire        take  = s_valid && s_ready;
    wire        ends  = take && s_last;
    wire        body  = take && !s_last && at_q >= FIRST;
    wire        store = body && at_q < MOST;
    wire [63:0] body_data;
    wire        key_ok;
    wire        pushed;
    rlc_replay_server_crc32c #(.BYTES(8)) u_crc (.crc_in(crc_q), .data(s_data), .crc_out(crc));

    reg [63:0] word0_q, word1_q, word2_q, word3_q, word4_q;
    reg [12:0] words_q;
    reg [31:0] addr_q;
    reg [15:0] port_q;
    reg        judging_q;    // a datagram has ended, and its head is not in the queue yet
    always @(posedge clk) begin
        if (take && at_q == 14'd0) word0_q <= s_data;
        if (take && at_q == 14'd1) word1_q <= s_data;
        if (take && at_q == 14'd2) word2_q <= s_data;
        if (take && at_q == 14'd3) word3_q <= s_data;
        if (take && at_q == 14'd4) word4_q <= s_data;
        if (take) begin
            addr_q     <= s_addr;
            port_q     <= s_port;
            crc_q      <= crc;
            full_crc_q <= s_data == {32'd0, ~crc_q};
            ragged_q   <= ragged_q || s_ragged;
            if (at_q <= MOST && !s_last) at_q <= at_q + ONE;
        end
        if (store) words_q <= words_q + 13'd1;
        if (rst || pushed) begin
            at_q     <= 14'd0;
            words_q  <= 13'd0;
            ragged_q <= 1'b0;
            crc_q    <= 32'hFFFFFFFF;
        end
        open_q <= !rst && !ends && (pushed || !judging_q);
    end

    generate
        if (KEYED != 0) begin : g_key
            reg  [63:0] held_q;
            wire [63:0] mac;
            wire        hashed;
            reg         same_q;
            rlc_replay_server_siphash u_mac (
                .clk(clk), .key(cfg_key), .restart(rst || pushed), .s_valid(take && !s_last && at_q != 14'd0), .s_data(held_q),
                .s_end(ends), .done(hashed), .mac(mac)
            );
            always @(posedge clk) begin
                if (take && !s_last) held_q <= s_data;
                same_q <= hashed && mac == held_q;
            end
            assign body_data = held_q;
            assign key_ok    = same_q;
        end else begin : g_no_key
            assign body_data = s_data;
            assign key_ok    = 1'b1;
            wire unused = &{1'b0, cfg_key};
        end
    endgenerate

    // ---- behind the last word: what is wrong first.
    wire head_ready, checked, malformed, refused;
    wire [22:0] chunk;
    always @(posedge clk) begin
        if (rst || pushed) judging_q <= 1'b0;
        else if (ends)     judging_q <= 1'b1;
    end
    rlc_replay_server_check #(
        .CLIENTS(CLIENTS), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .SAMPLE_MAX(SAMPLE_MAX),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .LEARNS(LEARNS)
    ) u_check (
        .clk(clk), .rst(rst), .bank(bank), .begins(take && at_q == 14'd0), .s_valid(body), .s_data(body_data),
        .ends(ends),
        .op(word0_q[47:40]), .status(word0_q[63:48]), .client(word1_q[31:0]), .epoch(word1_q[63:32]),
        .seq_number(word2_q), .server_instance(word3_q[31:0]), .length(word3_q[63:32]), .count(word4_q[15:0]),
        .part(word4_q[31:16]), .parts(word4_q[47:32]), .behind(word4_q[55:48]), .credit(word4_q[63:56]),
        .done(checked), .malformed(malformed), .refused(refused), .chunk(chunk)
    );
    wire length_ok  = !ragged_q && at_q >= FIRST && at_q <= MOST && word3_q[63:32] == {15'd0, at_q - FIRST, 3'd0};
    wire version_ok = word0_q[39:0] == {8'd2, 32'h4E434C52};
    reg [2:0] bad_q;
    always @(posedge clk)
        bad_q <= !length_ok ? BAD_LENGTH : !version_ok ? BAD_VERSION : !full_crc_q ? BAD_CRC
               : !key_ok ? BAD_KEY : malformed ? BAD_MALFORMED : BAD_NONE;
    reg  settled_q;
    always @(posedge clk) settled_q <= !rst && judging_q && checked && !pushed;
    assign pushed = settled_q && head_ready;

    localparam HEAD = 3 + 3 + 3 + 16 + 32 + 64 + 32 + 16 + 16 + 16 + 6 + 1 + 23 + 13 + 32 + 16;
    rlc_fifo #(.WIDTH(HEAD), .DEPTH(4)) u_heads (
        .clk(clk), .rst(rst), .s_valid(settled_q), .s_ready(head_ready),
        .s_data({bad_q, word0_q[42:40], word0_q[50:48], word1_q[15:0], word1_q[63:32], word2_q, word3_q[31:0],
                 word4_q[15:0], word4_q[31:16], word4_q[47:32], word4_q[53:48], refused, chunk, words_q, addr_q, port_q}),
        .m_valid(m_head_valid), .m_ready(m_head_ready),
        .m_data({m_bad, m_op, m_flags, m_client, m_epoch, m_sequence, m_instance, m_count, m_part, m_parts, m_behind,
                 m_refused, m_chunk, m_words, m_addr, m_port}), .count()
    );
    rlc_fifo #(.WIDTH(64), .DEPTH(HOLD), .STYLE("block")) u_words (
        .clk(clk), .rst(rst), .s_valid(store), .s_ready(room), .s_data(body_data),
        .m_valid(m_word_valid), .m_ready(m_word_ready), .m_data(m_word_data), .count()
    );
endmodule
`default_nettype wire
