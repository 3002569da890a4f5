// rlc_replay_server_serve.v — takes requests one by one, in their order, and sees to it that each is answered or given to the memory.
// SPDX-License-Identifier: Apache-2.0
//
// s_head_*     heads of rlc_replay_server_rx; s_word_valid, _ready: words of their payloads, whose data go past this module
// begins       pulse: a request begins, and its head stands until s_head_ready
// h_takes      the words that come are a HELLO's; h_done: its cookie stands
// w_*          to and from rlc_replay_server_window. p_known: level, rlc_replay_server_parts knows the part
// clears, judged, way, verdict   to and from rlc_replay_server_verdict
// m_do_*       a request for the memory, good and accepted, in its order; m_word_*: its payload goes to the memory
// s_part_*     the memory's answer, in one or more parts (RLC_SERVER_ANSWER); words of payload follow each. The first part's status
//              is kept for repetitions (of a SAMPLE, only whether it was EMPTY)
// e_*          answers for rlc_replay_server_emit. Of a part of a PUT that is kept, the memory's is not sent
// tells, at    level: the answer's payload is made here, and word `at` of it goes; passes: it is the memory's
//
// order        a request begins when the one before was carried out and its answer is with rlc_replay_server_emit. Counters count a
//              datagram at its place in this order, so a STAT reports those before it, and itself
// throughput   2 clocks and one per word for a bad datagram; 8 clocks and one per word for one that is answered from its header;
//              and the memory's time for the others
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
module rlc_replay_server_serve (
    input  wire                     clk,
    input  wire                     rst,
    `RLC_STREAM_SLAVE(s_head, `RLC_SERVER_HEAD_BITS),
    input  wire                     s_word_valid,
    output wire                     s_word_ready,
    output wire                     begins,
    output wire                     h_takes,
    input  wire                     h_done,
    output wire                     w_ask,
    input  wire                     w_done,
    output wire                     w_accept,
    output wire [3:0]               w_status,
    input  wire                     w_ready,
    input  wire                     p_known,
    output wire                     clears,
    output wire                     judged,
    input  wire `RLC_SERVER_WAY        way,
    input  wire `RLC_SERVER_VERDICT    verdict,
    output wire                     m_do_valid,
    input  wire                     m_do_ready,
    output wire                     m_word_valid,
    input  wire                     m_word_ready,
    `RLC_STREAM_SLAVE(s_part, `RLC_SERVER_ANSWER_BITS),
    `RLC_STREAM_MASTER(e, `RLC_SERVER_ANSWER_BITS),
    input  wire                     state_valid,
    output wire                     tells,
    output wire [4:0]               at,
    output wire                     passes,
    input  wire                     e_text_ready
);
    `include "rlc_replay_server_defs.vh"
    localparam [3:0] HEAD = 4'd0, SAID = 4'd1, ASKED = 4'd2, ANSWER = 4'd3, TEXT = 4'd4, GIVE = 4'd5, PARTS = 4'd6, LAST = 4'd7,
                     REST = 4'd8, HELD = 4'd9;
    reg  [3:0]  at_q;
    reg         first_q;       // the memory has given no part yet
    reg  [12:0] taken_q;       // words of the request's payload
    reg  [12:0] text_q;        // words of the answer's

    wire [2:0]  op        = s_head_data[`RLC_SERVER_HEAD_OP];
    wire        hello     = op == OP_HELLO;
    wire        sequenced = way[`RLC_SERVER_WAY_SEQUENCED];
    wire        bad       = s_head_data[`RLC_SERVER_HEAD_BAD] != BAD_NONE;
    wire        foreign   = way[`RLC_SERVER_WAY_FOREIGN];
    wire        row_last  = s_head_data[`RLC_SERVER_HEAD_PART] == s_head_data[`RLC_SERVER_HEAD_PARTS] - 16'd1;
    wire        again     = verdict[`RLC_SERVER_VERDICT_AGAIN];
    wire        partial   = verdict[`RLC_SERVER_VERDICT_KEEP] && !verdict[`RLC_SERVER_VERDICT_WHOLE];
    wire [12:0] words     = verdict[`RLC_SERVER_VERDICT_WORDS];
    wire [3:0]  part_status = s_part_data[`RLC_SERVER_ANSWER_STATUS];
    assign begins = at_q == HEAD && s_head_valid && (bad || foreign || hello || w_ready);
    assign clears = at_q == HEAD;
    assign judged = at_q == HELD && p_known;

    // ---- the payload: to the memory, into HELLO's fields, or nowhere.
    wire   some         = taken_q != s_head_data[`RLC_SERVER_HEAD_WORDS];
    wire   taken        = s_word_valid && s_word_ready;
    assign m_word_valid = s_word_valid && some && at_q == PARTS;
    assign s_word_ready = some && (at_q == SAID || at_q == REST || (at_q == PARTS && m_word_ready));
    assign h_takes      = at_q == SAID && taken;

    // ---- the window.
    wire   part_taken = s_part_valid && s_part_ready;
    wire   answers    = at_q == ANSWER && (op != OP_STAT || state_valid);
    assign w_ask      = (begins && !bad && !foreign && !hello) || (at_q == SAID && !some && h_done && w_ready);
    assign w_accept   = (answers && verdict[`RLC_SERVER_VERDICT_ACCEPT] && e_ready) || (part_taken && first_q && sequenced && !again && !partial);
    assign w_status   = (at_q == ANSWER) ? verdict[`RLC_SERVER_VERDICT_STATUS] : (op == OP_SAMPLE && part_status != ST_EMPTY) ? ST_OK : part_status;

    // ---- one by one.
    wire [3:0] given = way[`RLC_SERVER_WAY_REST] ? REST : way[`RLC_SERVER_WAY_HOLD] ? HELD : way[`RLC_SERVER_WAY_GIVE] ? GIVE : ANSWER;
    always @(posedge clk) begin
        if (rst) at_q <= HEAD;
        else case (at_q)
            HEAD:    if (begins) at_q <= bad ? REST : foreign ? ANSWER : hello ? SAID : ASKED;
            SAID:    if (w_ask) at_q <= ASKED;
            ASKED:   if (w_done) at_q <= given;
            HELD:    if (p_known) at_q <= given;
            ANSWER:  if (answers && e_ready) at_q <= (words != 13'd0) ? TEXT : REST;
            TEXT:    if (e_text_ready && text_q == words - 13'd1) at_q <= REST;
            GIVE:    if (m_do_ready) at_q <= PARTS;
            PARTS:   if (part_taken && s_part_data[`RLC_SERVER_ANSWER_LAST])
                         at_q <= partial ? (row_last ? ANSWER : REST) : (s_part_data[`RLC_SERVER_ANSWER_WORDS] != 13'd0) ? LAST : REST;
            LAST:    if (e_ready) at_q <= REST;
            default: if (s_head_ready) at_q <= HEAD;
        endcase
        if (clears) begin
            text_q  <= 13'd0;
            taken_q <= 13'd0;
            first_q <= 1'b1;
        end
        if (taken)                 taken_q <= taken_q + 13'd1;
        if (part_taken)            first_q <= 1'b0;
        if (tells && e_text_ready) text_q  <= text_q + 13'd1;
    end
    assign s_head_ready = at_q == REST && !some && w_ready;
    assign m_do_valid   = at_q == GIVE;

    // ---- the answer.
    assign e_valid      = answers || (at_q == PARTS && s_part_valid && !partial);
    wire `RLC_SERVER_ANSWER own;
    assign own[`RLC_SERVER_ANSWER_LAST]   = 1'b1;
    assign own[`RLC_SERVER_ANSWER_STATUS] = verdict[`RLC_SERVER_VERDICT_STATUS];
    assign own[`RLC_SERVER_ANSWER_PART]   = 16'd0;
    assign own[`RLC_SERVER_ANSWER_PARTS]  = 16'd1;
    assign own[`RLC_SERVER_ANSWER_WORDS]  = words;
    assign e_data       = (at_q == ANSWER) ? own : s_part_data;
    assign s_part_ready = at_q == PARTS && (e_ready || partial);
    assign tells        = at_q == TEXT;
    assign at           = text_q[4:0];
    assign passes       = at_q == PARTS || at_q == LAST;
    wire unused = &{1'b0, s_head_data, verdict};
endmodule
`default_nettype wire
