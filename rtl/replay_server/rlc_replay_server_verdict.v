// rlc_replay_server_verdict.v — what a request comes to, by what window, HELLO and the table of parts say of it.
// SPDX-License-Identifier: Apache-2.0
//
// s_head       stands from `begins` of rlc_replay_server_serve on; `foreign` and `sequenced` of way stand with it
// clears       level until the request begins
// looked       pulse: `seen` of the window and `greeting` of a HELLO stand. judged: pulse, a part alone: `assembly` stands
// way          where the request goes: valid with `looked`, and again with `judged`
// verdict      from the clock behind. accept: the answer that is made here accepts the request. keep: a new part, for the
//              memory; whole: with it all are there. told: the epoch that a HELLO is told
// welcome      with `looked`: a HELLO begins its epoch. prove: the client is at this address. keep: with `judged`, a part that is
//              there from now on but is not the last one
// counted      pulses of what STAT counts
`default_nettype none
`include "rlc_replay_server_words.vh"
module rlc_replay_server_verdict #(
    parameter WEIGHTS_MAX = 0, // bytes of the largest set of weights
    parameter ASSEMBLIES  = 0, // PUTs in many parts of a client at once, to 4; 0: such have no credit
    parameter LEARNS      = 0  // 1: the memory takes PUT and GET; SAMPLE, READ, PRIO and WEIGHTS are REFUSED
) (
    input  wire                     clk,
    input  wire [31:0]              cfg_instance,
    input  wire `RLC_SERVER_HEAD       s_head,
    input  wire                     clears,
    input  wire                     looked,
    input  wire `RLC_SERVER_SEEN       seen,
    input  wire `RLC_SERVER_GREETING   greeting,
    input  wire                     judged,
    input  wire `RLC_SERVER_ASSEMBLY   assembly,
    output wire `RLC_SERVER_WAY        way,
    output wire `RLC_SERVER_VERDICT    verdict,
    output wire                     welcome,
    output wire                     prove,
    output wire                     keep,
    output wire `RLC_SERVER_COUNTED    counted
);
    `include "rlc_replay_server_defs.vh"
    localparam [12:0] TOLD_WORDS = 13'd7, STAT_WORDS = 13'd25, ONE_WORD = 13'd1; // of a HELLO's answer, of STAT's; cookie, mask

    // ---- the request.
    wire [2:0]  op        = s_head[`RLC_SERVER_HEAD_OP];
    wire [31:0] epoch     = s_head[`RLC_SERVER_HEAD_EPOCH];
    wire        refused   = s_head[`RLC_SERVER_HEAD_REFUSED];
    wire        hello     = op == OP_HELLO;
    wire        sequenced = op == OP_PUT || op == OP_SAMPLE || op == OP_PRIO || op == OP_WEIGHTS;
    wire        own       = LEARNS != 0 && (op == OP_READ || (sequenced && op != OP_PUT)); // what the memory does by itself
    wire        looks     = op == OP_READ || (op == OP_GET && WEIGHTS_MAX != 0);
    wire        in_parts  = op == OP_PUT && s_head[`RLC_SERVER_HEAD_PARTS] != 16'd1;
    assign way[`RLC_SERVER_WAY_SEQUENCED] = sequenced;
    assign way[`RLC_SERVER_WAY_FOREIGN] = !hello && s_head[`RLC_SERVER_HEAD_INSTANCE] != cfg_instance;

    // ---- a HELLO.
    wire [31:0] present   = seen[`RLC_SERVER_SEEN_PRESENT];
    wire        same      = seen[`RLC_SERVER_SEEN_SAME];
    wire        proves    = greeting[`RLC_SERVER_GREETING_PROVES];
    wire        other_kind = greeting[`RLC_SERVER_GREETING_OTHER_RECORDS] || greeting[`RLC_SERVER_GREETING_OTHER_SCHEMA];
    wire        newer     = epoch == ((&present) ? 32'd1 : present + 32'd1);
    wire        greets    = looked && hello && proves && !other_kind;
    wire        unwelcome = greets && !newer && !same;
    assign welcome = greets && newer;
    assign prove   = greets && !unwelcome;

    // ---- another request, by the window.
    wire [2:0]  says      = seen[`RLC_SERVER_SEEN_SAYS];
    wire [3:0]  repeated  = seen[`RLC_SERVER_SEEN_REPEATED];
    wire        unproved  = looked && (hello ? !proves : says == SAYS_ADDRESS);
    wire        other     = looked && !hello && says == SAYS_EPOCH;
    wire        repeats   = looked && !hello && says == SAYS_REPEAT;
    wire        waits     = looked && !hello && says == SAYS_WAIT;
    wire        accepts   = looked && !hello && says == SAYS_ACCEPT;
    wire        assembles = accepts && in_parts && ASSEMBLIES != 0;
    wire        no_credit = looked && !hello && (says == SAYS_CREDIT || (accepts && in_parts && !assembles));
    wire        refuses   = accepts && sequenced && (refused || own) && !in_parts;
    wire        batch_again = repeats && op == OP_SAMPLE && repeated == ST_OK;
    wire        again     = batch_again && LEARNS == 0;         // a memory that learns has no batches
    wire        gives     = again || (accepts && !refused && !own && !in_parts && (sequenced || looks));

    // ---- a part: there is no place for it, it is another request's, it was there, it is the last one of what is refused, or it
    // is new.
    wire        had       = assembly[`RLC_SERVER_ASSEMBLY_HAD];
    wire        whole     = assembly[`RLC_SERVER_ASSEMBLY_WHOLE];
    wire        whole_refused = whole && assembly[`RLC_SERVER_ASSEMBLY_REFUSED];
    wire        no_room   = judged && !assembly[`RLC_SERVER_ASSEMBLY_ROOM];
    wire        lies      = judged && !no_room && assembly[`RLC_SERVER_ASSEMBLY_LIES];
    wire        tells     = had || whole_refused;
    assign keep = judged && !no_room && !lies && !had && !whole;

    assign way[`RLC_SERVER_WAY_REST] = no_credit || no_room || lies;
    assign way[`RLC_SERVER_WAY_HOLD] = assembles;
    assign way[`RLC_SERVER_WAY_GIVE] = gives || (judged && !tells);
    assign counted[`RLC_SERVER_COUNTED_UNPROVED] = unproved;
    assign counted[`RLC_SERVER_COUNTED_EPOCH]    = other || unwelcome;
    assign counted[`RLC_SERVER_COUNTED_WAITS]    = waits;
    assign counted[`RLC_SERVER_COUNTED_CREDIT]   = no_credit || no_room;
    assign counted[`RLC_SERVER_COUNTED_LIES]     = lies;
    assign counted[`RLC_SERVER_COUNTED_REPEATS]  = repeats;

    reg  [3:0]  status_q;
    reg  [12:0] words_q;
    reg         accept_q, again_q, keep_q, whole_q;
    reg  [31:0] told_q;
    always @(posedge clk) begin
        if (clears) begin
            status_q <= ST_INSTANCE;
            words_q  <= 13'd0;
            accept_q <= 1'b0;
            keep_q   <= 1'b0;
        end
        if (looked) begin
            again_q  <= again;
            accept_q <= welcome || refuses;
            told_q   <= (welcome || same) && !other_kind ? epoch : present;
            words_q  <= hello ? (proves ? TOLD_WORDS : ONE_WORD) : (accepts && op == OP_STAT) ? STAT_WORDS : 13'd0;
            status_q <= hello ? (!proves ? ST_COOKIE : other_kind ? ST_SCHEMA : unwelcome ? ST_EPOCH : ST_OK)
                      : other ? ST_EPOCH : unproved ? ST_ADDRESS : batch_again ? ST_OLD : repeats ? repeated : waits ? ST_WAIT
                      : op == OP_GET ? ST_NONE : refuses || (accepts && own) ? ST_REFUSED : ST_OK;
        end
        if (judged) begin
            keep_q   <= !tells;
            whole_q  <= whole;
            accept_q <= whole_refused;
            words_q  <= whole ? 13'd0 : ONE_WORD;
            status_q <= whole ? ST_REFUSED : ST_PART;
        end
    end
    assign verdict[`RLC_SERVER_VERDICT_STATUS] = status_q;
    assign verdict[`RLC_SERVER_VERDICT_WORDS]  = words_q;
    assign verdict[`RLC_SERVER_VERDICT_ACCEPT] = accept_q;
    assign verdict[`RLC_SERVER_VERDICT_AGAIN]  = again_q;
    assign verdict[`RLC_SERVER_VERDICT_KEEP]   = keep_q;
    assign verdict[`RLC_SERVER_VERDICT_WHOLE]  = whole_q;
    assign verdict[`RLC_SERVER_VERDICT_TOLD]   = told_q;
    wire unused = &{1'b0, s_head};
endmodule
`default_nettype wire
