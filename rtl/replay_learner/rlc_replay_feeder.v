// rlc_replay_feeder.v — records from memory to the learner, with their importance weights; their tags to the updater.
// SPDX-License-Identifier: Apache-2.0
//
// s_rec_*      {void, last, weight, generation, index} of a record, in order
// s_beat_*     the beats of those that are not void
// m_*          records as rlc_learner_batch takes them: element 2 is the weight. A void record is made up: action
//              0x7FFFFFFF, which the learner trains nothing with, and zeros
// m_tag_*      one a record, when its first word leaves: {none, last, generation, index}; none: the learner gives no
//              priority for it, or 0 with the batch's last. Never refused
// ev_fed       pulse: a record's last word leaves; ev_void: a void one's first word does
// throughput   a word a clock
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_learner_words.vh"
module rlc_replay_feeder #(
    parameter LANES       = 4,   // 32-bit elements a word, >= 1
    parameter WORDS       = 3,   // words a record, >= 3
    parameter DATA_WIDTH  = 128, // bits of a beat
    parameter INDEX_WIDTH = 12,  // bits of a slot's number
    parameter TAG_WIDTH   = 8,   // bits of its generation
    // the learner's: a record whose INFO has this action or a greater one trains nothing and has no priority
    parameter ACTIONS     = 2,
    parameter WIDTH       = 2 + 18 + TAG_WIDTH + INDEX_WIDTH // derived, leave it alone
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             s_rec_valid,
    output wire                             s_rec_ready,
    input  wire [WIDTH-1:0]                 s_rec,
    `RLC_STREAM_SLAVE(s_beat, DATA_WIDTH),
    `RLC_STREAM_MASTER(m, LANES*32),
    output wire                             m_tag_valid,
    output wire [2+TAG_WIDTH+INDEX_WIDTH-1:0] m_tag,
    output wire                             ev_fed,
    output wire                             ev_void
);
    localparam PLACE = $clog2(WORDS);
    localparam [31:0] WEIGHT_WORD = `RLC_LEARNER_ELEMENT_WEIGHT / LANES;
    localparam [31:0] ACTIONS_32  = ACTIONS;

    wire                 word_valid;
    wire                 word_ready;
    wire [LANES*32-1:0]  word;
    rlc_replay_unpack #(.WORD(LANES*32), .DATA(DATA_WIDTH), .WORDS(WORDS)) u_unpack (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s_beat), .m_valid(word_valid), .m_ready(word_ready), .m_data(word)
    );

    wire                             is_void;
    wire                             is_last;
    wire [17:0]                      weight;
    wire [TAG_WIDTH+INDEX_WIDTH-1:0] slot;
    assign {is_void, is_last, weight, slot} = s_rec;

    // The slice behind keeps the learner's ready away from all this.
    wire [PLACE-1:0] place;
    wire             last;
    wire             slice_ready;
    wire             give  = s_rec_valid && (is_void || word_valid) && slice_ready;
    wire             first = place == {PLACE{1'b0}};
    assign s_rec_ready = give && last;
    assign word_ready  = give && !is_void;
    rlc_mod_counter #(.COUNT(WORDS)) u_place (.clk(clk), .restart(rst), .step(give), .at(place), .last(last));

    reg [LANES*32-1:0] data;
    always @* begin
        data = is_void ? {LANES*32{1'b0}} : word;
        if (is_void && first) data[31:0] = 32'h7FFF_FFFF;
        if (!is_void && place == WEIGHT_WORD[PLACE-1:0]) data[(`RLC_LEARNER_ELEMENT_WEIGHT % LANES)*32 +: 32] = {14'd0, weight};
    end
    rlc_skid #(.WIDTH(LANES*32)) u_slice (
        .clk(clk), .rst(rst), .s_valid(s_rec_valid && (is_void || word_valid)), .s_ready(slice_ready), .s_data(data),
        `RLC_STREAM_JOIN(m, m)
    );

    reg                                tag_valid_q;
    reg [2+TAG_WIDTH+INDEX_WIDTH-1:0]  tag_q;
    reg                                fed_q;
    reg                                void_q;
    wire                               foreign = {1'b0, word[30:0]} >= ACTIONS_32;
    always @(posedge clk) begin
        tag_valid_q <= give && first && !rst;
        fed_q       <= give && last && !rst;
        void_q      <= give && first && is_void && !rst;
        tag_q       <= {is_void || foreign, is_last, slot};
    end
    assign m_tag_valid = tag_valid_q;
    assign m_tag       = tag_q;
    assign ev_fed      = fed_q;
    assign ev_void     = void_q;
endmodule
`default_nettype wire
