// rlc_net_learner_serve.v — what rlc_replay_server_front asks of its memory, where a learner is: experiences in, weights out.
// SPDX-License-Identifier: Apache-2.0
//
// s_do_*, head, s_word_*, m_part_*, m_text_*   as rlc_replay_server_memory's; PUT and GET alone
// m_beat_*     beats of 64 bits of the records of a PUT, one record behind the other
// may_store    an experience may be let in; let_in: pulse, one was
// published, newest_*, older_*, read_begin, read_end, s_weights_*  of rlc_net_learner_weights
// records      experiences that were let in
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_net_learner_serve #(
    parameter RECORD_BYTES = 48,   // bytes of a record, a multiple of 8
    parameter PART_BYTES   = 1392, // bytes of the longest payload
    parameter TEXT_WORDS   = 600,  // words of 64 bits of a set of weights
    parameter PLACE        = 10    // bits of a word's place in it
) (
    input  wire             clk,
    input  wire             rst,
    `RLC_STREAM_SLAVE(s_do, `RLC_SERVER_ASKED_BITS),
    input  wire `RLC_SERVER_HEAD head,
    `RLC_STREAM_SLAVE(s_word, 64),
    `RLC_STREAM_MASTER(m_part, `RLC_SERVER_ANSWER_BITS),
    `RLC_STREAM_MASTER(m_text, 64),
    `RLC_STREAM_MASTER(m_beat, 64),
    input  wire             may_store,
    output wire             let_in,
    output reg  [63:0]      records,
    input  wire             published,
    input  wire             newest_there,
    input  wire [63:0]      newest,
    input  wire             older_there,
    input  wire [63:0]      older,
    output wire             read_begin,
    output wire             begin_newest,
    output wire [PLACE-1:0] at,
    output wire             read_end,
    `RLC_STREAM_SLAVE(s_weights, 64)
);
    `include "rlc_replay_server_defs.vh"
    localparam [31:0] LAST_32 = RECORD_BYTES / 8, TEXT_32 = TEXT_WORDS, BYTES_32 = 8 * TEXT_WORDS;
    localparam [31:0] CHUNK_32 = (PART_BYTES - 16) / 8;
    localparam [15:0] LAST = LAST_32[15:0];       // number of a record's last word, from its priority on

    localparam [3:0] IDLE = 4'd0, STORE = 4'd1, WHICH = 4'd2, WHERE = 4'd3, LOOK = 4'd4, FOUND = 4'd5, PART = 4'd6,
                     VERSION = 4'd7, LENGTH = 4'd8, TEXT = 4'd9, OVER = 4'd10;
    reg  [3:0]  at_q;
    reg  [15:0] remaining_q;       // records behind this one
    reg  [15:0] word_q;            // of a record: its priority, then its beats
    reg  [63:0] asked_q, number_q; // the set that is asked for, and that is given
    reg  [31:0] offset_q;
    reg  [31:0] rest_q;            // words of the text from there on
    reg  [12:0] words_q;           // of the answer that are still to come
    reg  [3:0]  status_q;
    reg         newest_q, moved_q;

    // ---- a PUT: the words of a record, behind its priority, go on when it may come in.
    wire store  = at_q == STORE;
    wire leads  = word_q == 16'd0;
    wire taken  = s_word_valid && s_word_ready;
    wire ends   = store && taken && word_q == LAST;
    assign m_beat_valid = store && !leads && s_word_valid;
    assign m_beat_data  = s_word_data;
    assign s_word_ready = store ? (leads ? may_store : m_beat_ready) : at_q == WHICH || at_q == WHERE;
    assign let_in       = ends;

    // ---- a GET: which set, and from where on. A set may be published meanwhile; then it is looked for again.
    wire        is_newest = newest_there && (asked_q == 64'd0 || asked_q == newest);
    wire        is_older = older_there && asked_q == older;
    wire        looks     = at_q == FOUND && !moved_q;
    wire        gives     = status_q == ST_OK;
    wire        more      = rest_q > CHUNK_32;
    wire        text_over = at_q == TEXT && m_text_ready && s_weights_valid && words_q == 13'd1;
    assign read_begin       = looks && gives;
    assign begin_newest = newest_q;
    assign at           = offset_q[3 +: PLACE];
    assign read_end         = at_q == OVER;
    always @(posedge clk) begin
        if (rst) at_q <= IDLE;
        else case (at_q)
            IDLE:    if (s_do_valid) at_q <= (head[`RLC_SERVER_HEAD_OP] == OP_PUT) ? STORE : WHICH;
            STORE:   if (ends && remaining_q == 16'd0) at_q <= PART;
            WHICH:   if (taken) at_q <= WHERE;
            WHERE:   if (taken) at_q <= LOOK;
            LOOK:    at_q <= FOUND;
            FOUND:   at_q <= looks ? PART : LOOK;
            PART:    if (m_part_ready) at_q <= (words_q == 13'd0) ? IDLE : VERSION;
            VERSION: if (m_text_ready) at_q <= LENGTH;
            LENGTH:  if (m_text_ready) at_q <= TEXT;
            TEXT:    if (text_over) at_q <= OVER;
            default: at_q <= IDLE;
        endcase
        moved_q <= published;
        if (at_q == IDLE) begin
            remaining_q <= head[`RLC_SERVER_HEAD_COUNT] - 16'd1;
            word_q      <= 16'd0;
            status_q    <= ST_OK;
            words_q     <= 13'd0;
        end
        if (store && taken) begin
            word_q <= ends ? 16'd0 : word_q + 16'd1;
            if (ends) remaining_q <= remaining_q - 16'd1;
        end
        if (at_q == WHICH) asked_q  <= s_word_data;
        if (at_q == WHERE) offset_q <= s_word_data[31:0];
        if (at_q == LOOK) begin
            newest_q <= is_newest;
            number_q <= is_newest ? newest : older;
            rest_q   <= TEXT_32 - {3'd0, offset_q[31:3]};
            status_q <= !newest_there ? ST_NONE : (is_newest || is_older) && offset_q < BYTES_32 ? ST_OK : ST_GONE;
        end
        if (looks) words_q <= !gives ? 13'd0 : (more ? CHUNK_32[12:0] : rest_q[12:0]) + 13'd2;
        if ((at_q == VERSION || at_q == LENGTH || at_q == TEXT) && m_text_valid && m_text_ready) words_q <= words_q - 13'd1;
        if (rst)         records <= 64'd0;
        else if (let_in) records <= records + 64'd1;
    end
    assign s_do_ready    = at_q == IDLE;
    assign m_part_valid  = at_q == PART;
    assign m_part_data[`RLC_SERVER_ANSWER_LAST]   = 1'b1;
    assign m_part_data[`RLC_SERVER_ANSWER_STATUS] = status_q;
    assign m_part_data[`RLC_SERVER_ANSWER_PART]   = 16'd0;
    assign m_part_data[`RLC_SERVER_ANSWER_PARTS]  = 16'd1;
    assign m_part_data[`RLC_SERVER_ANSWER_WORDS]  = words_q;
    assign m_text_valid  = at_q == VERSION || at_q == LENGTH || (at_q == TEXT && s_weights_valid);
    assign m_text_data   = (at_q == VERSION) ? number_q : (at_q == LENGTH) ? {offset_q, BYTES_32} : s_weights_data;
    assign s_weights_ready = at_q == TEXT && m_text_ready;
    wire unused = &{1'b0, more, offset_q[2:0], head, s_do_data};
endmodule
`default_nettype wire
