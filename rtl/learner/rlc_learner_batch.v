// rlc_learner_batch.v — takes records in, one after the other, and hands them out as batch slices of DP columns.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        records, LANES 32-bit words a beat. A record is INFO, S, A (where SIZE_A > 0), S2, each padded to whole
//            beats; what the padding holds does not matter. Elements are sfix18, sign-extended. INFO: action |
//            terminated << 31; reward, sfix(27,16); importance weight, ufix(18,17)
// m_s_*      states, ceil(SIZE_S / LANES) words a batch slice, column d lane k at element d*LANES + k, padding 0; m_a_*, m_s2_*
//            actions and next states alike
// m_info_*   one word a batch slice, 64 bits a column: {last, valid, terminated, action[15:0], reward[26:0], weight[17:0]};
//            last: the batch's last record. A column without a record is all zero; one with an action out of range is
//            not valid and has action 0
// cfg_batch  records a batch, taken while busy is low, and constant while run is high; with 0 none begins
// run, busy  a batch begins only while run is high; once begun it is taken in to its end. busy: one is being taken in
// whole      pulse, a clock behind a batch's last beat
// sat_in     how many words were saturated in this clock, actions out of range and weights over 1.0 among them
// latency    3 clocks from the last column's beat to the word, 4 where a queue is longer than 64 words
// throughput one beat a clock with RECORDS of 4 and more
// room       a batch slice begins only when every stream has room for all of it, so it never waits half way
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
`include "rlc_learner_words.vh"
module rlc_learner_batch #(
    parameter DP        = 2,                // columns, >= 1: a batch slice is DP records that follow one another
    parameter LANES     = 4,                // elements a word and column, >= 1
    parameter SIZE_S    = 4,                // elements of a state, >= 1
    parameter SIZE_A    = 0,                // elements of an action vector, 0 where actions are numbers
    parameter ACTIONS   = 2,                // an action's number is less, 1..65535
    parameter RECORDS   = 4,                // batch slices held at most, >= 1
    parameter SAT_COUNT = $clog2(LANES + 1) // derived, leave it alone
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     run,
    input  wire [15:0]              cfg_batch,
    output wire                     busy,
    output reg                      whole,
    `RLC_STREAM_SLAVE(s, LANES*32),
    `RLC_STREAM_MASTER(m_s, DP*LANES*18),
    `RLC_STREAM_MASTER(m_a, DP*LANES*18),
    `RLC_STREAM_MASTER(m_s2, DP*LANES*18),
    `RLC_STREAM_MASTER(m_info, DP*64),
    output wire [SAT_COUNT-1:0]     sat_in
);
    `RLC_CHECK(DP >= 1 && LANES >= 1 && RECORDS >= 1,
               rlc_learner_batch_illegal_DP_and_LANES_and_RECORDS_must_be_at_least_1)
    `RLC_CHECK(SIZE_S >= 1 && SIZE_A >= 0, rlc_learner_batch_illegal_SIZE_S_must_be_at_least_1_and_SIZE_A_0_or_more)
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 65535, rlc_learner_batch_illegal_ACTIONS_must_be_1_to_65535)

    localparam WORDS_I = (`RLC_LEARNER_ELEMENTS + LANES - 1) / LANES;
    localparam WORDS_S = (SIZE_S + LANES - 1) / LANES;
    localparam WORDS_A = (SIZE_A + LANES - 1) / LANES;
    localparam LONGER  = (WORDS_S > WORDS_A) ? WORDS_S : WORDS_A;
    localparam LONGEST = (LONGER > WORDS_I) ? LONGER : WORDS_I;
    localparam BEAT_WIDTH = $clog2(LONGEST + 1);
    localparam [31:0] LAST_I = WORDS_I - 1;
    localparam [31:0] LAST_S = WORDS_S - 1;
    localparam [31:0] LAST_A = (WORDS_A > 0) ? WORDS_A - 1 : 0;
    localparam [31:0] ACTIONS_32 = ACTIONS;
    localparam [31:0] ONE_POINT_0 = 32'h0002_0000;
    localparam [31:0] REWARD_BEAT = `RLC_LEARNER_ELEMENT_REWARD / LANES;   // where in INFO the reward and the weight stand
    localparam [31:0] WEIGHT_BEAT = `RLC_LEARNER_ELEMENT_WEIGHT / LANES;

    // Sections of a record, one bit each.
    localparam INFO = 0;
    localparam S    = 1;
    localparam A    = 2;
    localparam S2   = 3;

    // Stage 0: beats in. What the next beat is, is known beforehand.
    reg  [3:0]            section_q;
    reg  [BEAT_WIDTH-1:0] beat_q;
    reg  [DP-1:0]         column_q;      // one bit: where the record goes
    reg                   in_batch_slice_q, in_batch_q;
    reg  [15:0]           remaining_q;   // records of the batch still to come, this one too
    reg                   may_begin_q;
    wire                  room_s, room_a, room_s2, room_info;
    wire                  room   = room_s && room_a && room_s2 && room_info;
    assign s_ready = in_batch_slice_q || (room && (in_batch_q || (run && may_begin_q)));

    wire take               = s_valid && s_ready;
    wire begin_batch_slice  = take && !in_batch_slice_q;
    wire last_beat          = beat_q == (section_q[INFO] ? LAST_I[BEAT_WIDTH-1:0]
                                : section_q[A]    ? LAST_A[BEAT_WIDTH-1:0] : LAST_S[BEAT_WIDTH-1:0]);
    wire last_record     = remaining_q == 16'd1;
    wire end_record      = s_valid && in_batch_slice_q && last_beat && section_q[S2];  // taken: within a batch slice nothing waits
    wire end_batch       = end_record && last_record;
    wire end_batch_slice = end_record && (column_q[DP-1] || last_record);

    reg [3:0] section_d;
    always @* begin
        section_d = 4'd0;
        section_d[S]    = section_q[INFO];
        section_d[A]    = section_q[S] && WORDS_A > 0;
        section_d[S2]   = section_q[A] || (section_q[S] && WORDS_A == 0);
        section_d[INFO] = section_q[S2];
    end

    localparam [DP-1:0] FIRST_COLUMN = 1;
    always @(posedge clk) begin
        if (rst) begin
            section_q        <= 4'd1 << INFO;
            beat_q           <= {BEAT_WIDTH{1'b0}};
            column_q         <= FIRST_COLUMN;
            in_batch_slice_q <= 1'b0;
            in_batch_q       <= 1'b0;
            may_begin_q      <= 1'b0;
        end else begin
            if (take) beat_q <= last_beat ? {BEAT_WIDTH{1'b0}} : beat_q + 1'b1;
            if (take && last_beat) section_q <= section_d;
            if (end_batch_slice) column_q <= FIRST_COLUMN;
            else if (end_record) column_q <= column_q << 1;
            if (take) in_batch_slice_q <= !end_batch_slice;
            if (take) in_batch_q <= !end_batch;
            may_begin_q <= cfg_batch != 16'd0;
        end
        if (end_record && !last_record) remaining_q <= remaining_q - 1'b1;
        else if (end_record || !in_batch_q) remaining_q <= cfg_batch;
    end

    // Stage 1: the beat as it came. The last record's beats also go, as zeros, to the columns that have none.
    reg                  valid_s1;
    reg [3:0]            section_s1;
    reg [BEAT_WIDTH-1:0] beat_s1;
    reg                  last_beat_s1;
    reg [LANES*32-1:0]   data_s1;
    reg [DP-1:0]         column_s1, write_s1;
    reg                  last_s1;
    reg [DP-1:0]         behind;
    integer              c;
    always @* begin
        behind = {DP{1'b0}};
        for (c = 1; c < DP; c = c + 1) behind[c] = behind[c-1] || column_q[c-1];
    end
    always @(posedge clk) valid_s1 <= take && !rst;
    always @(posedge clk) begin
        section_s1   <= section_q;
        beat_s1      <= beat_q;
        last_beat_s1 <= last_beat;
        data_s1      <= s_data;
        column_s1    <= column_q;
        write_s1     <= column_q | (behind & {DP{last_record}});
        last_s1      <= last_record;
    end

    // Stage 2: elements narrowed, padding cleared; the three words of INFO, each in its own beat and lane.
    reg  [3:0]          push_s2;
    reg                 last_beat_s2;
    reg  [DP-1:0]       column_s2, write_s2;
    reg                 last_s2;
    reg  [LANES*18-1:0] word_s2;
    reg  [LANES-1:0]    over_s2;
    reg                 known_s2, terminated_s2;
    reg  [15:0]         action_s2;
    reg  [26:0]         reward_s2;
    reg  [17:0]         weight_s2;

    wire [31:0] action_word = data_s1[(`RLC_LEARNER_ELEMENT_ACTION % LANES)*32 +: 32];
    wire [31:0] reward_word = data_s1[(`RLC_LEARNER_ELEMENT_REWARD % LANES)*32 +: 32];
    wire [31:0] weight_word = data_s1[(`RLC_LEARNER_ELEMENT_WEIGHT % LANES)*32 +: 32];
    wire        action_over = {1'b0, action_word[`RLC_LEARNER_KIND_ACTION]} >= ACTIONS_32;
    wire        weight_over = weight_word > ONE_POINT_0;
    wire        reward_over;
    wire [26:0] reward;
    rlc_round_sat #(.WIN(32), .FRAC(0), .WOUT(27)) u_reward (
        .in_data(reward_word), .out_data(reward), .saturated(reward_over)
    );
    wire        action_here = section_s1[INFO] && beat_s1 == {BEAT_WIDTH{1'b0}};
    wire        reward_here = section_s1[INFO] && beat_s1 == REWARD_BEAT[BEAT_WIDTH-1:0];
    wire        weight_here = section_s1[INFO] && beat_s1 == WEIGHT_BEAT[BEAT_WIDTH-1:0];

    wire [LANES*18-1:0] word;
    wire [LANES-1:0]    over;
    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        // In the last word of a vector the lanes from PADS up are padding.
        localparam PAD_S = SIZE_S <= (WORDS_S - 1) * LANES + k;
        localparam PAD_A = SIZE_A <= (WORDS_A - 1) * LANES + k;
        wire        used  = !(last_beat_s1 && (section_s1[A] ? PAD_A : PAD_S));
        wire [31:0] value = data_s1[k*32 +: 32];
        wire [17:0] element;
        wire        element_over;
        rlc_round_sat #(.WIN(32), .FRAC(0), .WOUT(18)) u_element (
            .in_data(value), .out_data(element), .saturated(element_over)
        );
        assign word[k*18 +: 18] = used ? element : 18'd0;

        wire info_over = (k == `RLC_LEARNER_ELEMENT_ACTION % LANES && action_here && action_over)
                      || (k == `RLC_LEARNER_ELEMENT_REWARD % LANES && reward_here && reward_over)
                      || (k == `RLC_LEARNER_ELEMENT_WEIGHT % LANES && weight_here && weight_over);
        assign over[k] = valid_s1 && (section_s1[INFO] ? info_over : used && element_over);
    end

    always @(posedge clk) begin
        push_s2 <= section_s1 & {4{valid_s1 && !rst}};
        over_s2 <= over & {LANES{!rst}};
    end
    always @(posedge clk) begin
        last_beat_s2 <= last_beat_s1;
        column_s2    <= column_s1;
        write_s2     <= write_s1;
        last_s2      <= last_s1;
        word_s2      <= word;
        if (action_here) begin
            known_s2      <= !action_over;
            terminated_s2 <= action_word[31];
            action_s2     <= action_over ? 16'd0 : action_word[15:0];
        end
        if (reward_here) reward_s2 <= reward;
        if (weight_here) weight_s2 <= weight_over ? ONE_POINT_0[17:0] : weight_word[17:0];
    end

    always @(posedge clk) whole <= end_batch && !rst;
    assign busy = in_batch_q || valid_s1 || push_s2 != 4'd0;

    rlc_popcount #(.WIDTH(LANES)) u_sat (.clk(clk), .rst(rst), .d(over_s2), .count(sat_in));

    // Stage 3: into the queues.
    rlc_learner_columns #(.DP(DP), .WIDTH(LANES*18), .WORDS(WORDS_S), .BATCH_SLICES(RECORDS)) u_s (
        .clk(clk), .rst(rst), .begin_batch_slice(begin_batch_slice), .room(room_s), .push(write_s2 & {DP{push_s2[S]}}),
        .keep(column_s2), .s_data(word_s2), `RLC_STREAM_JOIN(m, m_s)
    );
    if (WORDS_A > 0) begin : g_a
        rlc_learner_columns #(.DP(DP), .WIDTH(LANES*18), .WORDS(WORDS_A), .BATCH_SLICES(RECORDS)) u_a (
            .clk(clk), .rst(rst), .begin_batch_slice(begin_batch_slice), .room(room_a), .push(write_s2 & {DP{push_s2[A]}}),
            .keep(column_s2), .s_data(word_s2), `RLC_STREAM_JOIN(m, m_a)
        );
    end else begin : g_no_a
        assign room_a    = 1'b1;
        assign m_a_valid = 1'b0;
        assign m_a_data  = {(DP*LANES*18){1'b0}};
        wire unused = &{1'b0, m_a_ready, push_s2[A]};
    end
    rlc_learner_columns #(.DP(DP), .WIDTH(LANES*18), .WORDS(WORDS_S), .BATCH_SLICES(RECORDS)) u_s2 (
        .clk(clk), .rst(rst), .begin_batch_slice(begin_batch_slice), .room(room_s2), .push(write_s2 & {DP{push_s2[S2]}}),
        .keep(column_s2), .s_data(word_s2), `RLC_STREAM_JOIN(m, m_s2)
    );
    rlc_learner_columns #(.DP(DP), .WIDTH(64), .WORDS(1), .BATCH_SLICES(RECORDS)) u_info (
        .clk(clk), .rst(rst), .begin_batch_slice(begin_batch_slice), .room(room_info),
        .push(write_s2 & {DP{push_s2[INFO] && last_beat_s2}}), .keep(column_s2),
        .s_data({last_s2, known_s2, terminated_s2, action_s2, reward_s2, weight_s2}), `RLC_STREAM_JOIN(m, m_info)
    );
endmodule
`default_nettype wire
