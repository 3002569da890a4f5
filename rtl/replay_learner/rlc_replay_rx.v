// rlc_replay_rx.v — takes experiences in: words to beats, and the initial priority beside.
// SPDX-License-Identifier: Apache-2.0
//
// enable      records are taken; one that has begun is taken to its end
// packets     0: s_last comes with a record's last word, and with no other; 1: with the last word of some records
// s_*         records, LANES elements a word; element 2 is the initial priority
// discard     pulse: a record that is not whole yet is dropped; the next word is the first of a record
// framing     pulse: a record had too few words, or more than it should. It is dropped; the word behind s_last is the
//             first of the next one
// dropped     pulse: a record is gone, without a trace
// m_beat_*    beats of whole records, as memory keeps them; whole: a pulse a record when its last beat stands in the queue
// m_prio_*    their priorities, in order
// done_a, done_b  pulses: a record is out of the writer
// busy        a record is inside: from its first word until done
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_learner_words.vh"
module rlc_replay_rx #(
    parameter LANES      = 4,   // 32-bit elements a word, >= 1
    parameter WORDS      = 3,   // words a record, >= 3
    parameter DATA_WIDTH = 128, // bits of a beat
    parameter BEATS      = 3,   // beats a record
    parameter PLACES     = 8    // whole records held, >= 2
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  enable,
    input  wire                  packets,
    input  wire                  discard,
    output reg                   framing,
    output wire                  dropped,
    `RLC_STREAM_SLAVE(s, LANES*32),
    input  wire                  s_last,
    `RLC_STREAM_MASTER(m_beat, DATA_WIDTH),
    output wire                  m_beat_last,
    output wire                  whole,
    `RLC_STREAM_MASTER(m_prio, 32),
    input  wire                  done_a,
    input  wire                  done_b,
    output wire                  busy
);
    localparam PLACE      = $clog2(WORDS);
    localparam DEPTH      = PLACES * BEATS;
    // A priority waits until its record is committed: as many records as are whole, and as many that are being written.
    localparam PRIORITIES = 2 * PLACES;
    localparam INSIDE     = $clog2(2 * PLACES + 5);
    localparam [31:0] LAST       = WORDS - 1;
    localparam [31:0] PRIO_WORD  = `RLC_LEARNER_ELEMENT_WEIGHT / LANES;

    // ---- words in. A record begins only while enabled, and none while one is being dropped.
    reg  [PLACE-1:0] place_q;
    reg              open_q;
    reg              skip_q;      // the rest of a record that is too long goes by
    reg              drop_q;      // what was taken of a record is to be forgotten
    reg  [31:0]      prio_q;
    wire             pack_ready;
    wire             prio_ready;
    wire             forget;      // .. and is
    wire             accepts     = open_q && !drop_q && !skip_q && prio_ready;
    wire             take        = s_valid && accepts && pack_ready;
    wire             skip        = s_valid && skip_q;
    wire             first       = place_q == {PLACE{1'b0}};
    wire             last        = place_q == LAST[PLACE-1:0];
    wire             too_short   = take && s_last && !last;
    wire             too_long    = take && last && !s_last && !packets;
    wire             cut         = discard && !drop_q && (take ? !last : !first);
    wire             bad         = too_short || too_long || cut;
    wire [PLACE-1:0] place_d     = bad || (take && last) ? {PLACE{1'b0}} : take ? place_q + 1'b1 : place_q;
    wire             skip_d      = !discard && (too_long || (skip_q && !(skip && s_last)));
    wire             drop_d      = bad || (drop_q && !forget);
    assign s_ready = skip_q || (accepts && pack_ready);
    always @(posedge clk) begin
        if (rst) begin
            place_q   <= {PLACE{1'b0}};
            open_q    <= 1'b0;
            skip_q    <= 1'b0;
            drop_q    <= 1'b0;
            framing   <= 1'b0;
        end else begin
            place_q   <= place_d;
            open_q    <= enable || place_d != {PLACE{1'b0}};
            skip_q    <= skip_d;
            drop_q    <= drop_d;
            framing   <= too_short || too_long;
        end
    end
    assign dropped = forget;
    always @(posedge clk) begin
        if (take && place_q == PRIO_WORD[PLACE-1:0]) prio_q <= s_data[(`RLC_LEARNER_ELEMENT_WEIGHT % LANES)*32 +: 32];
    end

    wire                  beat_valid;
    wire                  beat_ready;
    wire [DATA_WIDTH-1:0] beat;
    wire                  beat_last;
    rlc_replay_pack #(.WORD(LANES*32), .DATA(DATA_WIDTH)) u_pack (
        .clk(clk), .rst(rst || forget),
        .s_valid(s_valid && accepts), .s_ready(pack_ready), .s_data(s_data), .s_last(last && !too_long),
        .m_valid(beat_valid), .m_ready(beat_ready), .m_data(beat), .m_last(beat_last)
    );

    // ---- queues. What leaves is of whole records alone, so that nothing offered is ever taken back.
    wire held, stands;
    assign m_beat_valid = held && stands;
    rlc_fifo #(.WIDTH(DATA_WIDTH+1), .DEPTH(DEPTH), .STYLE((DEPTH > 32) ? "block" : "distributed")) u_beats (
        .clk(clk), .rst(rst || forget), .s_valid(beat_valid), .s_ready(beat_ready), .s_data({beat_last, beat}),
        .m_valid(held), .m_ready(m_beat_ready && stands), .m_data({m_beat_last, m_beat_data}), .count()
    );
    rlc_fifo #(.WIDTH(32), .DEPTH(PRIORITIES)) u_prios (
        .clk(clk), .rst(rst), .s_valid(take && last && !too_long), .s_ready(prio_ready), .s_data(prio_q),
        `RLC_STREAM_JOIN(m, m_prio), .count()
    );
    assign whole = beat_valid && beat_ready && beat_last;

    // ---- records inside: one coming in, one on its way to the queue, and PLACES before and behind the writer's start.
    reg [INSIDE-1:0] inside_q;
    always @(posedge clk) begin
        if (rst) inside_q <= {INSIDE{1'b0}};
        else     inside_q <= inside_q + {{(INSIDE-1){1'b0}}, take && first} - {{(INSIDE-1){1'b0}}, done_a}
                           - {{(INSIDE-1){1'b0}}, done_b} - {{(INSIDE-1){1'b0}}, forget};
    end
    assign busy = inside_q != {INSIDE{1'b0}};

    // A record that is dropped stands behind all whole ones: when the writer has those, the queue is emptied.
    reg [INSIDE-1:0] whole_q;
    always @(posedge clk) begin
        if (rst) whole_q <= {INSIDE{1'b0}};
        else     whole_q <= whole_q + {{(INSIDE-1){1'b0}}, take && last && !too_long}
                          - {{(INSIDE-1){1'b0}}, m_beat_valid && m_beat_ready && m_beat_last};
    end
    assign stands = whole_q != {INSIDE{1'b0}};
    assign forget = drop_q && !stands;
endmodule
`default_nettype wire
