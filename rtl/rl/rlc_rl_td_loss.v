// rlc_rl_td_loss.v — LOSS: TD errors of DP columns, their priorities, and the deltas of the output layer.
// SPDX-License-Identifier: Apache-2.0
//
// s_q_*        the online network's Q values, column d lane k at element d*LANES + k. kind 0: Q(s, .); kind 1:
//              Q(s', .), with cfg_double one vector before each of kind 0, else none
// s_t_*        the target network's Q'(s', .)
// s_info_*     one word a batch slice: `RLC_RL_INFO_BITS a column
// m_delta_*    delta vectors, W words a batch slice: zero but for the action taken, zero in columns that are not valid
// m_prio_*     |TD| of the valid records in order, one a word; m_prio_last with the batch's last record. If that one
//              is not valid, a 0 goes in its place, so that a batch always ends with m_prio_last
// cfg_*        constant while anything is inside. cfg_reward_shift = 33 - f and cfg_delta_shift = 17 + f - f_delta
//              for Q values with f fraction bits. cfg_huber < 2^(VALUE_WIDTH-1); 0: squared error
// sat_td       how many scaled rewards and TD errors saturated in this clock, columns without a record included
// sat_delta    how many deltas of valid records did
// latency      AT + 14 clocks from the last word of Q(s, .) to the first delta, AT + 9 to the first priority;
//              AT = ceil(log2(LANES)), at least 1. An info has to come 7 clocks earlier, or adds to that
// throughput   a batch slice in max(W, 2W with cfg_double, DP, 2) clocks; stalls of m_prio or m_delta stop the batch slices
// cost         three DSPs a column
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_td_loss #(
    parameter DP          = 2,             // columns, >= 1
    parameter ACTIONS     = 2,             // elements of a Q vector, 1..32768; an info's action is less
    parameter LANES       = 2,             // elements a word and column, 1..1024; a vector takes W = ceil(ACTIONS / LANES) words
    parameter VALUE_WIDTH = 27,            // bits of a Q value, 18..27
    parameter TD_COUNT    = $clog2(2*DP + 1), // derived, leave it alone
    parameter DELTA_COUNT = $clog2(DP + 1) // derived, leave it alone
) (
    input  wire                            clk,
    input  wire                            rst,
    `RLC_RL_LOSS(DP*LANES*VALUE_WIDTH, DP*`RLC_RL_INFO_BITS, DP*LANES*18),
    input  wire                            s_q_kind,
    `RLC_STREAM_SLAVE(s_t, DP*LANES*VALUE_WIDTH),
    `RLC_RL_TD_LOSS_SETTINGS(input wire, `RLC_COMMA),
    input  wire [5:0]                      cfg_reward_shift,
    input  wire [5:0]                      cfg_delta_shift,
    `RLC_STREAM_MASTER(m_prio, 32),
    output wire                            m_prio_last,
    output wire [TD_COUNT-1:0]             sat_td,
    output wire [DELTA_COUNT-1:0]          sat_delta
);
    `RLC_CHECK(DP >= 1 && LANES >= 1 && LANES <= 1024,
               rlc_rl_td_loss_illegal_DP_must_be_at_least_1_and_LANES_1_to_1024)
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 32768, rlc_rl_td_loss_illegal_ACTIONS_must_be_1_to_32768)
    `RLC_CHECK(VALUE_WIDTH >= 18 && VALUE_WIDTH <= 27, rlc_rl_td_loss_illegal_VALUE_WIDTH_must_be_18_to_27)

    localparam W            = VALUE_WIDTH;
    localparam WORDS        = (ACTIONS + LANES - 1) / LANES;
    localparam AT_WIDTH     = (LANES > 2) ? $clog2(LANES) : 1;
    localparam BASE_WIDTH   = $clog2(ACTIONS + LANES + 1);  // numbers of actions, of the lanes behind the last one too
    localparam PICK_STAGES  = AT_WIDTH + 1;                 // from a word in its register to the picked values
    localparam TD_STAGE     = 5;                            // and on to the priority, and to the delta
    localparam DELTA_STAGE  = 10;
    localparam BATCH_SLICES = 16;                        // places for batch slices from the first register to the outputs
    localparam [31:0] LANES_32 = LANES;
    localparam [31:0] LAST_32  = (WORDS - 1) * LANES;
    localparam [BASE_WIDTH-1:0] STEP  = LANES_32[BASE_WIDTH-1:0];
    localparam [BASE_WIDTH-1:0] LAST  = LAST_32[BASE_WIDTH-1:0];
    localparam [BASE_WIDTH-1:0] FIRST = {BASE_WIDTH{1'b0}};

    wire                     info_valid, info_pop;
    wire [DP-1:0]            info_last, info_record, info_terminated;
    wire [DP*BASE_WIDTH-1:0] info_action;
    wire [DP*18-1:0]         info_weight;
    wire [DP*W-1:0]          info_reward;
    wire [DP-1:0]            info_saturated;
    rlc_rl_info #(.DP(DP), .WIDTH(W), .AT_WIDTH(BASE_WIDTH)) u_info (
        .clk(clk), .rst(rst), .reward_scale(cfg_reward_scale), .reward_shift(cfg_reward_shift),
        `RLC_STREAM_JOIN(s, s_info), .m_valid(info_valid), .m_ready(info_pop), .m_last(info_last),
        .m_record(info_record), .m_terminated(info_terminated), .m_action(info_action), .m_weight(info_weight),
        .m_reward(info_reward), .m_saturated(info_saturated)
    );

    // Stage 0: words in. From here nothing stalls, so a batch slice enters only when both queues at the end have a place for
    // it. A vector of Q(s', .) makes no batch slice of its own and may always enter.
    wire delta_room, prio_room;
    wire batch_slice_ready = s_t_valid && info_valid && delta_room && prio_room;
    assign s_q_ready = s_q_kind || batch_slice_ready;
    assign s_t_ready = s_q_valid && !s_q_kind && info_valid && delta_room && prio_room;

    reg  [BASE_WIDTH-1:0] base_q;   // number of the next word's first action
    wire pass        = s_q_valid && s_q_ready;
    wire last        = base_q == LAST;
    wire batch_slice = pass && last && !s_q_kind;
    assign info_pop = batch_slice;
    always @(posedge clk)
        if (rst) base_q <= FIRST;
        else if (pass) base_q <= last ? FIRST : base_q + STEP;

    // Lanes of no action can never be the best one: they hold the least number, and come last.
    localparam USED = ACTIONS - (WORDS - 1) * LANES;       // lanes of the last word that are actions
    wire [DP*LANES*W-1:0] competing;
    genvar d;
    genvar k;
    for (d = 0; d < DP; d = d + 1) begin : g_competing
        for (k = 0; k < LANES; k = k + 1) begin : g_lane
            localparam AT = (d*LANES + k) * W;
            wire [W-1:0] value = s_q_kind ? s_q_data[AT +: W] : s_t_data[AT +: W];
            assign competing[AT +: W] = (k >= USED && last) ? {1'b1, {(W-1){1'b0}}} : value;
        end
    end

    // Stage 1: the word in registers.
    reg                      valid_s1, online_s1, first_s1, batch_slice_s1;
    reg  [BASE_WIDTH-1:0]    base_s1;
    reg  [DP*LANES*W-1:0]    q_s1, t_s1, x_s1;
    reg  [DP*BASE_WIDTH-1:0] action_s1;
    always @(posedge clk) begin
        valid_s1       <= pass && !rst;
        batch_slice_s1 <= batch_slice && !rst;
    end
    always @(posedge clk) begin
        online_s1 <= s_q_kind;
        first_s1  <= base_q == FIRST;
        base_s1   <= base_q;
        q_s1      <= s_q_data;
        t_s1      <= s_t_data;
        x_s1      <= competing;
        action_s1 <= info_action;
    end

    // The batch slices on their way: a bit for each clock behind stage 1, moved along by one every clock.
    localparam STAGES = PICK_STAGES + DELTA_STAGE;
    reg  [STAGES:1] batch_slice_q;
    always @(posedge clk)
        if (rst) batch_slice_q <= {STAGES{1'b0}};
        else     batch_slice_q <= {batch_slice_q[STAGES-1:1], batch_slice_s1};
    wire td_valid    = batch_slice_q[PICK_STAGES + TD_STAGE];
    wire delta_valid = batch_slice_q[PICK_STAGES + DELTA_STAGE];

    // Columns.
    wire [DP*(W-1)-1:0] magnitude;
    wire [DP-1:0]       td_saturated;
    wire [DP*18-1:0]    delta;
    wire [DP-1:0]       delta_saturated;
    for (d = 0; d < DP; d = d + 1) begin : g_column
        wire [W-1:0]  q_taken, q_next, r_s;
        wire [17:0]   weight_s;
        wire          terminated_s, record_s;
        rlc_rl_pick #(.LANES(LANES), .WIDTH(W), .BASE_WIDTH(BASE_WIDTH)) u_pick (
            .clk(clk), .double_dqn(cfg_double),
            .valid(valid_s1), .online(online_s1), .first(first_s1), .base(base_s1),
            .q(q_s1[d*LANES*W +: LANES*W]), .t(t_s1[d*LANES*W +: LANES*W]), .x(x_s1[d*LANES*W +: LANES*W]),
            .action(action_s1[d*BASE_WIDTH +: BASE_WIDTH]), .q_taken(q_taken), .q_next(q_next)
        );
        rlc_delay #(.WIDTH(W + 20), .CLOCKS(1 + PICK_STAGES)) u_beside (
            .clk(clk), .d({info_reward[d*W +: W], info_weight[d*18 +: 18], info_terminated[d], info_record[d]}),
            .q({r_s, weight_s, terminated_s, record_s})
        );
        rlc_rl_td_error #(.WIDTH(W)) u_td (
            .clk(clk), `RLC_RL_TD_ERROR_JOIN, .delta_shift(cfg_delta_shift),
            .q_taken(q_taken), .q_next(q_next), .r(r_s), .terminated(terminated_s), .has_record(record_s),
            .weight(weight_s), .magnitude(magnitude[d*(W-1) +: W-1]), .td_saturated(td_saturated[d]),
            .delta(delta[d*18 +: 18]), .delta_saturated(delta_saturated[d])
        );
    end

    // Priorities: their own queue, so that they leave while the deltas are still made.
    wire [DP-1:0] end_td, record_td, saturated_td;
    rlc_delay #(.WIDTH(3*DP), .CLOCKS(1 + PICK_STAGES + TD_STAGE)) u_beside_td (
        .clk(clk), .d({info_last, info_record, info_saturated}), .q({end_td, record_td, saturated_td})
    );

    wire                prio_valid, prio_ready;
    wire [DP*(W+1)-1:0] prio;
    rlc_credit #(.PLACES(BATCH_SLICES)) u_prio_credit (
        .clk(clk), .rst(rst), .take(batch_slice), .give(prio_valid && prio_ready), .room(prio_room)
    );
    rlc_queue #(.WIDTH(DP*(W+1)), .DEPTH(BATCH_SLICES)) u_prio_queue (
        .clk(clk), .rst(rst), .s_valid(td_valid), .s_data({end_td, record_td, magnitude}),
        .m_valid(prio_valid), .m_ready(prio_ready), .m_data(prio)
    );
    rlc_rl_prio #(.DP(DP), .WIDTH(W - 1)) u_prio (
        .clk(clk), .rst(rst), .s_valid(prio_valid), .s_ready(prio_ready), .s_data(prio[DP*(W-1)-1:0]),
        .s_record(prio[DP*(W-1) +: DP]), .s_last(prio[DP*W +: DP]), `RLC_STREAM_JOIN(m, m_prio), .m_last(m_prio_last)
    );

    // Deltas: a batch slice waits in the queue as one number a column and its action, and leaves as a vector.
    wire [DP*BASE_WIDTH-1:0] action_delta;
    rlc_delay #(.WIDTH(DP*BASE_WIDTH), .CLOCKS(PICK_STAGES + DELTA_STAGE)) u_beside_delta (
        .clk(clk), .d(action_s1), .q(action_delta)
    );

    wire                     head_valid, head_pop;
    wire [DP*BASE_WIDTH-1:0] head_action;
    wire [DP*18-1:0]         head_delta;
    rlc_credit #(.PLACES(BATCH_SLICES)) u_delta_credit (
        .clk(clk), .rst(rst), .take(batch_slice), .give(head_pop), .room(delta_room)
    );
    rlc_queue #(.WIDTH(DP*(BASE_WIDTH+18)), .DEPTH(BATCH_SLICES)) u_delta_queue (
        .clk(clk), .rst(rst), .s_valid(delta_valid), .s_data({action_delta, delta}),
        .m_valid(head_valid), .m_ready(head_pop), .m_data({head_action, head_delta})
    );

    reg                    out_valid_q;
    reg  [DP*LANES*18-1:0] out_data_q;
    reg  [BASE_WIDTH-1:0]  out_base_q;
    wire [DP*LANES*18-1:0] spread;
    wire                   out_step = head_valid && (!out_valid_q || m_delta_ready);
    assign head_pop      = out_step && out_base_q == LAST;
    assign m_delta_valid = out_valid_q;
    assign m_delta_data  = out_data_q;
    for (d = 0; d < DP; d = d + 1) begin : g_spread
        for (k = 0; k < LANES; k = k + 1) begin : g_lane
            localparam [31:0] LANE = k;
            wire here = head_action[d*BASE_WIDTH +: BASE_WIDTH] == out_base_q + LANE[BASE_WIDTH-1:0];
            assign spread[(d*LANES + k)*18 +: 18] = head_delta[d*18 +: 18] & {18{here}};
        end
    end
    always @(posedge clk) begin
        if (rst) begin
            out_valid_q <= 1'b0;
            out_base_q  <= FIRST;
        end else begin
            if (out_step) out_valid_q <= 1'b1;
            else if (m_delta_ready) out_valid_q <= 1'b0;
            if (out_step) out_base_q <= head_pop ? FIRST : out_base_q + STEP;
        end
    end
    always @(posedge clk) if (out_step) out_data_q <= spread;

    // Counts.
    rlc_popcount #(.WIDTH(2*DP)) u_sat_td (
        .clk(clk), .rst(rst), .d({saturated_td, td_saturated} & {(2*DP){td_valid}}), .count(sat_td)
    );
    rlc_popcount #(.WIDTH(DP)) u_sat_delta (
        .clk(clk), .rst(rst), .d(delta_saturated & {DP{delta_valid}}), .count(sat_delta)
    );
endmodule
`default_nettype wire
