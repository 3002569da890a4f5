// rlc_net_serve.v — takes requests one by one, in their order, and decides what is counted, answered, and given to the memory.
// SPDX-License-Identifier: Apache-2.0
//
// s_head_*, s_word_*  heads and payloads of rlc_net_rx
// w_*          to and from rlc_net_window, which reads the head's fields from s_*
// p_*          to and from rlc_net_parts, with ASSEMBLIES
// m_do_*       a request for the memory, good and accepted, in its order: PUT, SAMPLE, READ, PRIO, and with WEIGHTS_MAX also
//              WEIGHTS and GET. m_do_again: a SAMPLE that was accepted before; the memory still has the batch, or answers OLD.
//              The head's fields stay at s_* until the last part of the answer is taken. The payload comes at m_word_*, and the
//              memory takes all of it before it gives that part
// m_do_comes   pulse: the head's fields are there. It comes some clocks before each request, and also for what becomes none
// m_do_keep    a new part of a PUT: the memory keeps it, at the client's place s_way. m_do_whole: all parts are now there, and
//              the PUT is carried out from them. Otherwise the memory's answer is not sent
// s_part_*     the memory's answer, in one or more parts; s_part_last with the last. A part has a status, its number, the number
//              of parts, and words of payload, which follow at s_text_*. The first part's status is kept for repetitions (of a
//              SAMPLE, only whether it was EMPTY)
// e_*          answers for rlc_net_emit, e_text_* their payloads
// state_*      what STAT reports of the memory, valid while state_valid is high. It does not change while the memory has no
//              request, and a STAT waits for it
//
// order        a request begins when the one before was carried out and its answer is with rlc_net_emit. Counters count a
//              datagram at its place in this order, so a STAT reports those before it, and itself
// throughput   2 clocks and one per word for a bad datagram; 8 clocks and one per word for one that is answered from its header;
//              and the memory's time for the others
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_net_serve #(
    parameter CAPACITY         = 1048576, // slots
    parameter RECORD_BYTES     = 48,      // bytes of a record
    parameter PART_BYTES       = 1392,    // bytes of the longest payload
    parameter CLIENTS          = 256,     // client numbers
    parameter SAMPLE_MAX       = 1024,    // largest batch
    parameter PRIORITY_WIDTH   = 18,      // bits of a priority
    parameter GENERATION_WIDTH = 16,      // bits of a generation
    parameter WEIGHTS_MAX      = 0,       // bytes of the largest set of weights
    parameter ASSEMBLIES       = 0,       // PUTs in many parts of a client at once, to 4; 0: such have no credit
    parameter BANKS            = 1,       // servers behind one address; this one is cfg_bank
    parameter LEARNS           = 0,       // 1: the memory takes PUT and GET; SAMPLE, READ, PRIO and WEIGHTS are REFUSED
    parameter KEYED            = 0        // 1: frames have a MAC
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] cfg_instance,
    input  wire [15:0] cfg_alpha,
    input  wire [15:0] cfg_scale,
    input  wire [31:0] cfg_epsilon,
    input  wire [7:0]  cfg_bank,
    input  wire [127:0] cfg_key,

    input  wire        s_head_valid,
    output wire        s_head_ready,
    input  wire [2:0]  s_bad,
    input  wire [2:0]  s_op,
    input  wire [15:0] s_client,
    input  wire [31:0] s_addr,
    input  wire [15:0] s_port,
    input  wire [31:0] s_epoch,
    input  wire [31:0] s_instance,
    input  wire [15:0] s_part,
    input  wire [15:0] s_parts,
    input  wire        s_refused,
    input  wire [12:0] s_words,
    `RLC_STREAM_SLAVE(s_word, 64),

    output wire        w_ask,
    output wire        w_hello,
    output wire        w_sequenced,
    output wire [63:0] w_nonce,
    output wire [47:0] w_source,
    output wire        w_prove,
    input  wire        w_done,
    input  wire [2:0]  w_says,
    input  wire [31:0] w_present,
    input  wire        w_same,
    input  wire [3:0]  w_repeated,
    output wire        w_accept,
    output wire [3:0]  w_status,
    input  wire        w_ready,

    input  wire        p_known,
    input  wire        p_room,
    input  wire        p_lies,
    input  wire        p_had,
    input  wire        p_whole,
    input  wire        p_refused,
    input  wire [63:0] p_mask,
    output wire        p_keep,

    output wire        m_do_valid,
    input  wire        m_do_ready,
    output wire        m_do_again,
    output wire        m_do_comes,
    output wire        m_do_keep,
    output wire        m_do_whole,
    `RLC_STREAM_MASTER(m_word, 64),
    input  wire        s_part_valid,
    output wire        s_part_ready,
    input  wire        s_part_last,
    input  wire [3:0]  s_part_status,
    input  wire [15:0] s_part_part,
    input  wire [15:0] s_part_parts,
    input  wire [12:0] s_part_words,
    `RLC_STREAM_SLAVE(s_text, 64),

    output wire        e_valid,
    input  wire        e_ready,
    output wire [3:0]  e_status,
    output wire [15:0] e_part,
    output wire [15:0] e_parts,
    output wire [12:0] e_words,
    `RLC_STREAM_MASTER(e_text, 64),

    input  wire        state_valid,
    input  wire [31:0] state_size,
    input  wire [31:0] state_next,
    input  wire [63:0] state_total,
    input  wire [31:0] state_largest,
    input  wire [63:0] state_version,
    input  wire [63:0] state_records,
    input  wire [63:0] state_samples,
    input  wire [63:0] state_updates,
    input  wire [63:0] state_stale,
    input  wire [63:0] state_range,
    input  wire [63:0] state_saturated
);
    `include "rlc_net_defs.vh"
    localparam [31:0] CAPACITY_32 = CAPACITY, RECORD_32 = RECORD_BYTES, PART_32 = PART_BYTES, CLIENTS_32 = CLIENTS;
    localparam [31:0] WEIGHTS_32 = WEIGHTS_MAX, SAMPLE_32 = SAMPLE_MAX, PRIORITY_32 = PRIORITY_WIDTH, GENERATION_32 = GENERATION_WIDTH;
    localparam [31:0] OTHERS_32 = BANKS - 1, ASSEMBLIES_32 = ASSEMBLIES;
    localparam [12:0] TOLD_WORDS = 13'd7, STAT_WORDS = 13'd25, MASK_WORDS = 13'd1;

    localparam [3:0] HEAD = 4'd0, SAID = 4'd1, ASKED = 4'd2, ANSWER = 4'd3, TEXT = 4'd4, GIVE = 4'd5, PARTS = 4'd6, LAST = 4'd7,
                     REST = 4'd8, HELD = 4'd9;
    reg  [3:0]  at_q;
    reg  [3:0]  status_q;      // of an answer that is made here
    reg  [12:0] words_q;       // of its payload
    reg         accept_q;      // it is accepted with this answer
    reg         again_q;
    reg         keep_q, whole_q; // a part for the memory; with it all are there
    reg         first_q;       // the memory has given no part yet
    reg  [12:0] taken_q;       // words of the request's payload
    reg  [12:0] text_q;        // words of the answer's
    reg  [31:0] told_q;        // the epoch that a HELLO is told
    reg  [63:0] nonce_q, said_q, proof_q;
    reg  [31:0] bytes_q;
    reg  [63:0] schema_q;      // the one that the first client gave

    wire hello   = s_op == OP_HELLO;
    wire sequenced = s_op == OP_PUT || s_op == OP_SAMPLE || s_op == OP_PRIO || s_op == OP_WEIGHTS;
    wire own     = LEARNS != 0 && (s_op == OP_READ || (sequenced && s_op != OP_PUT));   // what the memory does by itself
    wire looks   = s_op == OP_READ || (s_op == OP_GET && WEIGHTS_32 != 32'd0);
    wire bad     = s_bad != BAD_NONE;
    wire foreign = !hello && s_instance != cfg_instance;
    wire begins  = at_q == HEAD && s_head_valid && (bad || foreign || hello || w_ready);
    wire looked  = at_q == ASKED && w_done;
    wire some    = taken_q != s_words;

    // ---- the payload: to the memory, into HELLO's fields, or nowhere.
    assign m_word_valid = s_word_valid && some && at_q == PARTS;
    assign m_word_data  = s_word_data;
    assign s_word_ready = some && (at_q == SAID || at_q == REST || (at_q == PARTS && m_word_ready));
    wire   taken        = s_word_valid && s_word_ready;
    always @(posedge clk)
        if (at_q == SAID && taken) begin
            if (taken_q == 13'd0) nonce_q <= s_word_data;
            if (taken_q == 13'd1) said_q  <= s_word_data;
            if (taken_q == 13'd2) bytes_q <= s_word_data[31:0];
            proof_q <= s_word_data;
        end

    // ---- the cookie of this client at this address, which a HELLO waits for.
    wire        cookie_done;
    wire [63:0] cookie;
    rlc_net_cookie u_cookie (
        .clk(clk), .rst(rst), .key(cfg_key), .begins(begins), .source(w_source), .client(s_client), .instance_(cfg_instance),
        .done(cookie_done), .cookie(cookie)
    );
    assign w_source = {s_port, s_addr};
    wire   proves   = proof_q == cookie;

    // ---- the window.
    wire   partial     = keep_q && !whole_q;
    assign w_ask       = (begins && !bad && !foreign && !hello) || (at_q == SAID && !some && cookie_done && w_ready);
    assign w_hello     = hello;
    assign w_sequenced = sequenced;
    assign w_nonce     = nonce_q;
    wire   part_taken  = s_part_valid && s_part_ready;
    wire   answers     = at_q == ANSWER && (s_op != OP_STAT || state_valid);
    assign w_accept    = (answers && accept_q && e_ready) || (part_taken && first_q && sequenced && !again_q && !partial);
    assign w_status    = (at_q == ANSWER) ? status_q : (s_op == OP_SAMPLE && s_part_status != ST_EMPTY) ? ST_OK : s_part_status;

    // ---- what the request comes to.
    wire other_records = bytes_q != 32'd0 && bytes_q != RECORD_32;
    wire other_schema  = said_q != 64'd0 && schema_q != 64'd0 && said_q != schema_q;
    wire newer         = s_epoch == ((&w_present) ? 32'd1 : w_present + 32'd1);
    wire known         = looked && hello && proves && !other_records && !other_schema;
    wire welcome       = known && newer;
    wire unwelcome     = known && !newer && !w_same;
    wire unproved      = looked && (hello ? !proves : w_says == SAYS_ADDRESS);
    assign w_prove     = known && !unwelcome;
    wire other         = looked && !hello && w_says == SAYS_EPOCH;
    wire repeats       = looked && !hello && w_says == SAYS_REPEAT;
    wire waits         = looked && !hello && w_says == SAYS_WAIT;
    wire accepts       = looked && !hello && w_says == SAYS_ACCEPT;
    wire in_parts      = s_op == OP_PUT && s_parts != 16'd1;
    wire assembles     = accepts && in_parts && ASSEMBLIES_32 != 32'd0;
    wire no_credit     = looked && !hello && (w_says == SAYS_CREDIT || (accepts && in_parts && !assembles));
    wire refuses       = accepts && sequenced && (s_refused || own) && !in_parts;
    wire batch_again   = repeats && s_op == OP_SAMPLE && w_repeated == ST_OK;
    wire keeps         = batch_again && LEARNS == 0;           // a memory that learns has no batches
    // A part: there is no place for it, it is another request's, it was there, it is the last one of what is refused, or it is new.
    wire judged        = at_q == HELD && p_known;
    wire no_room       = judged && !p_room;
    wire lies          = judged && p_room && p_lies;
    wire tells         = p_had || (p_whole && p_refused);
    assign p_keep      = judged && p_room && !p_lies && !p_had && !p_whole;
    wire row_last      = s_part == s_parts - 16'd1;
    wire gives         = keeps || (accepts && !s_refused && !own && !in_parts && (sequenced || looks));
    always @(posedge clk) begin
        if (rst) at_q <= HEAD;
        else case (at_q)
            HEAD:    if (begins) at_q <= bad ? REST : foreign ? ANSWER : hello ? SAID : ASKED;
            SAID:    if (w_ask) at_q <= ASKED;
            ASKED:   if (w_done) at_q <= no_credit ? REST : assembles ? HELD : gives ? GIVE : ANSWER;
            HELD:    if (p_known) at_q <= (no_room || lies) ? REST : tells ? ANSWER : GIVE;
            ANSWER:  if (answers && e_ready) at_q <= (words_q != 13'd0) ? TEXT : REST;
            TEXT:    if (e_text_ready && text_q == words_q - 13'd1) at_q <= REST;
            GIVE:    if (m_do_ready) at_q <= PARTS;
            PARTS:   if (part_taken && s_part_last)
                         at_q <= partial ? (row_last ? ANSWER : REST) : (s_part_words != 13'd0) ? LAST : REST;
            LAST:    if (e_ready) at_q <= REST;
            default: if (s_head_ready) at_q <= HEAD;
        endcase
        if (at_q == HEAD) begin
            status_q <= ST_INSTANCE;
            words_q  <= 13'd0;
            accept_q <= 1'b0;
            text_q   <= 13'd0;
            taken_q  <= 13'd0;
            first_q  <= 1'b1;
            keep_q   <= 1'b0;
        end
        if (taken)      taken_q <= taken_q + 13'd1;
        if (part_taken) first_q <= 1'b0;
        if (at_q == TEXT && e_text_ready) text_q <= text_q + 13'd1;
        if (looked) begin
            again_q  <= keeps;
            accept_q <= welcome || refuses;
            told_q   <= (welcome || w_same) && !other_records && !other_schema ? s_epoch : w_present;
            words_q  <= hello ? (proves ? TOLD_WORDS : MASK_WORDS) : (accepts && s_op == OP_STAT) ? STAT_WORDS : 13'd0;
            status_q <= hello ? (!proves ? ST_COOKIE : other_records || other_schema ? ST_SCHEMA : unwelcome ? ST_EPOCH : ST_OK)
                      : other ? ST_EPOCH : unproved ? ST_ADDRESS : batch_again ? ST_OLD : repeats ? w_repeated : waits ? ST_WAIT
                      : s_op == OP_GET ? ST_NONE : refuses || (accepts && own) ? ST_REFUSED : ST_OK;
        end
        if (judged) begin
            keep_q   <= !tells;
            whole_q  <= p_whole;
            accept_q <= p_whole && p_refused;
            words_q  <= p_whole ? 13'd0 : MASK_WORDS;
            status_q <= p_whole ? ST_REFUSED : ST_PART;
        end
        if (rst)                              schema_q <= 64'd0;
        else if (welcome && schema_q == 64'd0) schema_q <= said_q;
    end
    assign s_head_ready = at_q == REST && !some && w_ready;
    assign m_do_valid   = at_q == GIVE;
    assign m_do_again   = again_q;
    assign m_do_comes   = begins;
    assign m_do_keep    = keep_q;
    assign m_do_whole   = whole_q;

    // ---- the answer.
    assign e_valid      = answers || (at_q == PARTS && s_part_valid && !partial);
    assign e_status     = (at_q == ANSWER) ? status_q : s_part_status;
    assign e_part       = (at_q == ANSWER) ? 16'd0 : s_part_part;
    assign e_parts      = (at_q == ANSWER) ? 16'd1 : s_part_parts;
    assign e_words      = (at_q == ANSWER) ? words_q : s_part_words;
    assign s_part_ready = at_q == PARTS && (e_ready || partial);
    assign e_text_valid = at_q == TEXT || ((at_q == PARTS || at_q == LAST) && s_text_valid);
    assign s_text_ready = (at_q == PARTS || at_q == LAST) && e_text_ready;

    // ---- counters, in the order of STAT but for those of the memory.
    localparam COUNTERS = 13;
    wire [COUNTERS-1:0] counts;
    assign counts = {unproved, begins && !bad && foreign, other || unwelcome, waits, no_credit || no_room,
                     (begins && s_bad == BAD_MALFORMED) || lies, KEYED != 0 && begins && s_bad == BAD_KEY, begins && s_bad == BAD_CRC,
                     begins && s_bad == BAD_VERSION, begins && s_bad == BAD_LENGTH, repeats, w_accept, begins};
    reg [64*COUNTERS-1:0] count_q;
    integer i;
    always @(posedge clk)
        for (i = 0; i < COUNTERS; i = i + 1)
            if (rst)            count_q[64*i +: 64] <= 64'd0;
            else if (counts[i]) count_q[64*i +: 64] <= count_q[64*i +: 64] + 64'd1;

    wire [64*7-1:0]  told = {
        8'd0, cfg_bank & OTHERS_32[7:0], OTHERS_32[15:0], cfg_epsilon,
        cfg_scale, cfg_alpha, GENERATION_32[15:0], PRIORITY_32[15:0],
        ASSEMBLIES_32[15:0], 16'd4, told_q,
        WEIGHTS_32, SAMPLE_32,
        CLIENTS_32, PART_32,
        RECORD_32, CAPACITY_32,
        schema_q};
    wire [64*25-1:0] stat = {
        count_q[64*3 +: 64*10],
        state_saturated, state_range, state_stale, state_updates, state_samples, state_records,
        count_q[0 +: 64*3],
        state_version, 32'd0, state_largest, state_total, 32'd0, state_next, 32'd0, state_size, 32'd0, CAPACITY_32};
    assign e_text_data = (at_q != TEXT) ? s_text_data : hello ? ((status_q == ST_COOKIE) ? cookie : told[64*text_q[2:0] +: 64])
                       : (ASSEMBLIES != 0 && s_op == OP_PUT) ? p_mask : stat[64*text_q[4:0] +: 64];
endmodule
`default_nettype wire
