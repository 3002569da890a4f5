// rlc_learner_update.v — weight update of one layer: keeps its weights, takes the batch's gradients, sends the new ones.
// SPDX-License-Identifier: Apache-2.0
//
// start           a pulse while not busy: the batch's sums are in the scratchpad; sync and measure are looked at in this
//                 clock
// measure         with CLIP: this pass writes nothing and sums the squares of the gradients, exactly
// measured        a pulse when squares has that sum, which stands until the next such pass; busy falls with it
// factor          with CLIP, of an update: what gradients are multiplied by, ufix(18,17), at most 1.0
// updated         a pulse in the clock after the update's last word on the bus; busy falls with it
// settings        stand still while busy. rate and momentum are 0 .. 2^17 - 1; the rest as docs/learner_update.md says
// seed_load       seeds the dither; with ROUND 2 a start that comes during the next 270 clocks waits for it. Reset
//                 seeds it too, with the seed that stands there then
// grad_*          asks for the sums at a place, JB * IB * 48 bits, lane a * IB + b
// bus_*           a group of new weights, lanes as above, and its place: of the online net (bus_w) and of the target net
//                 (bus_t). Places are those of rlc_learner_order
// host_*          while host_en is high and no update runs: moves the plane host_plane (0 weights, 1 target, 2 and 3
//                 moments) from s_*, or with host_read to m_*, one word of 64 bits a lane, groups in order. A plane
//                 that the optimiser lacks swallows words and reads as zeros. host_done pulses after the last
//                 word has been written and sent, or taken. host_en then falls before it asks again. Should it fall
//                 before, the plane is given up: loaded in part, it must be loaded again
// m_last          with the last word of the plane
// sat_*           lanes that saturated this clock; with CLIP sat_grad in the pass that measures, where no factor hides it
// throughput      one group a clock: from start to updated the groups and the latency
// latency         start to the first word on the bus: 2 + GRAD_LATENCY + ALL_DONE clocks (rlc_learner_update.vh); start to
//                 measured: the groups, 1 + GRAD_LATENCY + SQUARE + ceil(log2(U)) clocks
// reset           none on memories: software loads every plane before the first update
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_update #(
    parameter LAYER        = 1,            // number of the layer, from 1, and
    parameter ACTOR        = 0,            // 1 for the actor's: they choose the seed of this layer's dither
    parameter WORDS_J      = 2,            // words of the layer's outputs (rows of weights)
    parameter LANES_J      = 4,            // lanes of its outputs
    parameter WORDS_I      = 2,            // words of its inputs
    parameter LANES_I      = 4,            // lanes of its inputs
    parameter JB           = 2,            // rows of a group, which divide LANES_J: U = JB * IB weights a clock
    parameter IB           = 2,            // columns of a group, which divide LANES_I
    parameter FORWARD      = 1,            // words of outputs that the forward unit takes together
    parameter BACKWARD     = 1,            // words of inputs that the backward unit takes together
    parameter OPTIMISER    = 0,            // 0 SGD, 1 momentum, 2 Adam
    parameter ROUND        = 0,            // of the step: 0 nearest, 1 floor, 2 stochastic
    parameter POLYAK       = 0,            // 1 builds averaging of the target network's weights
    parameter TARGET       = 1,            // 0 keeps no weights of a target network
    parameter CLIP         = 0,            // 1: gradients are measured, and multiplied by a factor; Adam only
    parameter WEIGHT_WIDTH = 27,           // bits of a weight, 19..27
    parameter WEIGHT_FRAC  = 22,           // bits of fraction of a weight
    parameter GRAD_WIDTH   = 27,           // bits of a gradient, 19..27
    parameter BETA1_NUM    = 205,          // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT  = 11,           // see BETA1_NUM
    parameter BETA2_NUM    = 131,          // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT  = 17,           // see BETA2_NUM
    parameter GRAD_LATENCY = 4,            // clocks from grad_en to grad_data, >= 1
    parameter U            = JB * IB,      // derived, leave it alone
    parameter COUNT_WIDTH  = $clog2(U + 1) // derived, leave it alone
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      start,
    output reg                       updated,
    output wire                      busy,
    input  wire                      measure,
    output wire                      measured,
    output wire [55:0]               squares,
    input  wire [17:0]               factor,
    input  wire [5:0]                grad_shift,
    input  wire [17:0]               rate,
    input  wire [6:0]                rate_shift,
    input  wire [17:0]               momentum,
    input  wire [19:0]               log_rate,
    input  wire [19:0]               log_eps_l,
    input  wire [19:0]               log_clip,
    input  wire                      sync,
    input  wire [16:0]               tau,
    input  wire                      seed_load,
    input  wire [31:0]               seed,
    output wire                      grad_en,
    output wire `RLC_LEARNER_PLACE   grad_place,
    input  wire [U*48-1:0]           grad_data,
    input  wire                      host_en,
    input  wire                      host_read,
    input  wire [1:0]                host_plane,
    output reg                       host_done,
    `RLC_STREAM_SLAVE(s, 64),
    `RLC_STREAM_MASTER(m, 64),
    output wire                      m_last,
    output reg                       bus_w,
    output reg                       bus_t,
    output wire `RLC_LEARNER_PLACE   bus_place,
    output wire [U*WEIGHT_WIDTH-1:0] bus_wdata,
    output wire [U*WEIGHT_WIDTH-1:0] bus_tdata,
    output wire [COUNT_WIDTH-1:0]    sat_grad,
    output wire [COUNT_WIDTH-1:0]    sat_weight
);
    `include "rlc_learner_update.vh"

    `RLC_CHECK(WORDS_J >= 1 && LANES_J >= 1 && WORDS_I >= 1 && LANES_I >= 1,
               rlc_learner_update_illegal_WORDS_J_and_LANES_J_and_WORDS_I_and_LANES_I_must_be_at_least_1)
    `RLC_CHECK(JB >= 1 && IB >= 1 && LANES_J % ((JB >= 1) ? JB : 1) == 0 && LANES_I % ((IB >= 1) ? IB : 1) == 0,
               rlc_learner_update_illegal_JB_must_divide_LANES_J_and_IB_must_divide_LANES_I)
    `RLC_CHECK(OPTIMISER >= 0 && OPTIMISER <= 2 && ROUND >= 0 && ROUND <= 2 && (POLYAK == 0 || POLYAK == 1),
               rlc_learner_update_illegal_OPTIMISER_and_ROUND_must_be_0_or_1_or_2_and_POLYAK_0_or_1)
    `RLC_CHECK(WEIGHT_WIDTH >= 19 && WEIGHT_WIDTH <= 27 && GRAD_WIDTH >= 19 && GRAD_WIDTH <= 27,
               rlc_learner_update_illegal_WEIGHT_WIDTH_and_GRAD_WIDTH_must_be_19_to_27)
    `RLC_CHECK(BETA1_SHIFT >= 1 && BETA1_SHIFT <= 20 && BETA1_NUM >= 1 && BETA1_NUM <= (1 << BETA1_SHIFT)
               && BETA1_NUM < 16384 && BETA2_SHIFT >= 1 && BETA2_SHIFT <= 20 && BETA2_NUM >= 1
               && BETA2_NUM <= (1 << BETA2_SHIFT) && BETA2_NUM < 16384,
               rlc_learner_update_illegal_BETA1_NUM_and_BETA2_NUM_must_be_1_to_16383_and_at_most_2_to_BETA1_SHIFT_and_BETA2_SHIFT_of_1_to_20)
    `RLC_CHECK(GRAD_LATENCY >= 1, rlc_learner_update_illegal_GRAD_LATENCY_must_be_at_least_1)
    `RLC_CHECK(CLIP == 0 || OPTIMISER == 2, rlc_learner_update_illegal_CLIP_needs_Adam)
    `RLC_CHECK(TARGET != 0 || POLYAK == 0, rlc_learner_update_illegal_POLYAK_needs_a_TARGET)

    // A stand-in for an illegal value, so that no range is empty until the check ends the run.
    localparam AFTER        = (GRAD_LATENCY >= 1) ? GRAD_LATENCY : 1;
    localparam STEPS_J      = LANES_J / JB;
    localparam STEPS_I      = LANES_I / IB;
    localparam GROUPS       = WORDS_J * STEPS_J * (WORDS_I * STEPS_I + 1);
    localparam TARGET_WIDTH = WEIGHT_WIDTH + 9 * POLYAK;
    localparam MOMENT_WIDTH = (OPTIMISER == 2) ? GRAD_WIDTH + 6 : GRAD_WIDTH;
    localparam READ         = 2;                        // clocks of rlc_learner_plane
    localparam PIPE         = AFTER + ALL_DONE;         // clocks from grad_en to the lanes' results
    // The widest number that the host moves.
    localparam WORD_1       = (TARGET_WIDTH > MOMENT_WIDTH) ? TARGET_WIDTH : MOMENT_WIDTH;
    localparam WORD         = (OPTIMISER == 2) ? 48 : WORD_1;

    // Settings as the lanes want them.
    reg         [15:0] eps_q;
    reg  signed [20:0] clip_rate_q;
    wire signed [19:0] eps_wide    = log_eps_l;
    wire signed [19:0] rate_signed = log_rate;
    wire signed [19:0] clip_signed = log_clip;
    wire signed [17:0] rate_number = rate;
    wire signed [17:0] mu_number   = momentum;
    always @(posedge clk) begin
        eps_q       <= (eps_wide < 20'sd0) ? 16'd0 : (eps_wide > 20'sd49151) ? 16'd49151 : eps_wide[15:0];
        clip_rate_q <= rate_signed + clip_signed;
    end

    // Control: an update, or the host, or nothing.
    localparam [1:0] REST = 2'd0, LOAD = 2'd1, SEND = 2'd2, OVER = 2'd3;
    reg  [1:0] host_q;
    reg        pending_q, busy_q, issue_q, sync_q;
    reg        measure_q;      // this pass only measures; never without CLIP
    wire       seeding, issue_last, out_last;
    wire       accepted;       // the host's last lane of a group came in or went out
    wire       host_ends;      // .. and that was the last group
    reg        commit_q;       // a group from the host goes to its plane and to the bus
    reg        out_update_q;   // a group of the update is on the bus
    reg        out_host_q;     // a group of the host is
    wire       rest  = !busy_q && (host_q == REST);
    wire       begins = (start || pending_q) && rest && !seeding;
    wire       done_d = out_update_q && out_last;
    wire       measured_d;
    always @(posedge clk) begin
        if (rst) begin
            pending_q <= 1'b0;
            busy_q    <= 1'b0;
            issue_q   <= 1'b0;
            updated   <= 1'b0;
        end else begin
            pending_q <= (pending_q || start) && !begins;
            updated   <= done_d;
            if (begins)                     busy_q <= 1'b1;
            else if (done_d || measured_d)  busy_q <= 1'b0;
            if (begins)                     issue_q <= 1'b1;
            else if (issue_q && issue_last) issue_q <= 1'b0;
        end
        if (start) begin
            sync_q    <= sync;
            measure_q <= measure && CLIP != 0;
        end
    end
    wire       moved = (host_q == LOAD && out_host_q && out_last) || (host_q == SEND && host_ends);
    always @(posedge clk) begin
        host_done <= !rst && host_en && moved;
        if (rst || (!host_en && host_q != REST)) host_q <= REST;
        else if (moved) host_q <= OVER;
        else if (host_en && rest && !start && !pending_q) host_q <= host_read ? SEND : LOAD;
    end
    assign busy      = busy_q || pending_q;

    // Two counters of groups: what is asked for, or moved by the host; and what is on the bus. When nothing runs,
    // and when a host's plane is over, everything goes back to the first group.
    wire restart = rest || (host_q == OVER);
    rlc_learner_order #(
        .WORDS_J(WORDS_J), .STEPS_J(STEPS_J), .WORDS_I(WORDS_I), .STEPS_I(STEPS_I), .FORWARD(FORWARD),
        .BACKWARD(BACKWARD)
    ) u_issue (
        .clk(clk), .restart(restart), .step(issue_q || accepted), .place(grad_place), .last(issue_last)
    );
    rlc_learner_order #(
        .WORDS_J(WORDS_J), .STEPS_J(STEPS_J), .WORDS_I(WORDS_I), .STEPS_I(STEPS_I), .FORWARD(FORWARD),
        .BACKWARD(BACKWARD)
    ) u_out (
        .clk(clk), .restart(restart), .step(out_update_q || out_host_q), .place(bus_place), .last(out_last)
    );
    assign grad_en = issue_q;

    // valid[k]: a group was asked for k clocks ago. Everything that happens to it is timed by this.
    reg  [PIPE:1] valid_q;
    wire [PIPE:0] valid = {valid_q, issue_q && !measure_q};
    always @(posedge clk) valid_q <= rst ? {PIPE{1'b0}} : valid[PIPE-1:0];
    reg  [AFTER:1] bias_q;
    wire [AFTER:0] bias = {bias_q, grad_place[80]};     // the first number of a place
    always @(posedge clk) bias_q <= bias[AFTER-1:0];

    // Planes. A moment is written as soon as it is there; weight and target with the bus.
    wire                      fetch;      // the host reads the next group
    reg  [U*WORD-1:0]         pack_q;     // the host's group
    wire [U*WEIGHT_WIDTH-1:0] w_old;
    wire [U*TARGET_WIDTH-1:0] t_old;
    wire [U*MOMENT_WIDTH-1:0] m_old;
    wire [U*48-1:0]           v_old;
    wire [U*WEIGHT_WIDTH-1:0] w_new;
    wire [U*TARGET_WIDTH-1:0] t_new;
    wire [U*MOMENT_WIDTH-1:0] m_new;
    wire [U*48-1:0]           v_new;
    reg  [U*WEIGHT_WIDTH-1:0] w_out_q;
    reg  [U*TARGET_WIDTH-1:0] t_out_q;
    rlc_learner_plane #(.WIDTH(U * WEIGHT_WIDTH), .GROUPS(GROUPS)) u_w (
        .clk(clk), .restart(restart), .rd_en(valid[AFTER+W_READ-READ] || fetch), .rd_data(w_old),
        .wr_en(bus_w), .wr_data(w_out_q)
    );
    if (TARGET != 0) begin : g_t
        rlc_learner_plane #(.WIDTH(U * TARGET_WIDTH), .GROUPS(GROUPS)) u_t (
            .clk(clk), .restart(restart), .rd_en(valid[AFTER+T_READ-READ] || fetch), .rd_data(t_old),
            .wr_en(bus_t), .wr_data(t_out_q)
        );
    end else begin : g_t
        assign t_old = {(U*TARGET_WIDTH){1'b0}};
    end
    // What the host loads, as wide as each plane's numbers.
    wire [U*WEIGHT_WIDTH-1:0] w_host;
    wire [U*TARGET_WIDTH-1:0] t_host;
    wire [U*MOMENT_WIDTH-1:0] m_host;
    genvar k;
    for (k = 0; k < U; k = k + 1) begin : g_host
        assign w_host[k*WEIGHT_WIDTH +: WEIGHT_WIDTH] = pack_q[k*WORD +: WEIGHT_WIDTH];
        assign t_host[k*TARGET_WIDTH +: TARGET_WIDTH] = pack_q[k*WORD +: TARGET_WIDTH];
        assign m_host[k*MOMENT_WIDTH +: MOMENT_WIDTH] = pack_q[k*WORD +: MOMENT_WIDTH];
    end
    if (OPTIMISER >= 1) begin : g_m
        rlc_learner_plane #(.WIDTH(U * MOMENT_WIDTH), .GROUPS(GROUPS)) u_m (
            .clk(clk), .restart(restart), .rd_en(valid[AFTER+M_READ-READ] || fetch), .rd_data(m_old),
            .wr_en(valid[AFTER+M_DONE] || (commit_q && host_plane == 2'd2)),
            .wr_data(busy_q ? m_new : m_host)
        );
    end else begin : g_m
        assign m_old = {(U*MOMENT_WIDTH){1'b0}};
        wire unused = &{1'b0, m_new, m_host};
    end
    if (OPTIMISER == 2) begin : g_v
        rlc_learner_plane #(.WIDTH(U * 48), .GROUPS(GROUPS)) u_v (
            .clk(clk), .restart(restart), .rd_en(valid[AFTER+V_READ-READ] || fetch), .rd_data(v_old),
            .wr_en(valid[AFTER+V_DONE] || (commit_q && host_plane == 2'd3)),
            .wr_data(busy_q ? v_new : pack_q)
        );
    end else begin : g_v
        assign v_old = {(U*48){1'b0}};
        wire unused = &{1'b0, v_new};
    end

    // Dither: a word of the generator a group, turned differently for every lane.
    wire [31:0] word;
    if (ROUND == 2) begin : g_dither
        localparam [31:0] OWN = LAYER + 16 * ACTOR;
        reg          reset_q;      // the last clock was a reset
        reg          load_q;
        reg  [31:0]  own_q, word_q;
        wire         sowing, sown;
        wire [127:0] state, unused_state;
        wire [31:0]  next;
        always @(posedge clk) begin
            reset_q <= rst;
            load_q  <= seed_load || reset_q;
            own_q   <= seed + OWN;
            if (valid[AFTER+DITHER-1]) word_q <= next;
        end
        rlc_learner_seed u_seed (
            .clk(clk), .rst(rst), .load(load_q && !rst), .seed(own_q), .busy(sowing), .done(sown), .state(state)
        );
        rlc_xoshiro128pp u_generator (
            .clk(clk), .rst(rst), .load(sown), .state(state), .step(valid[AFTER+DITHER-1]),
            .state_q(unused_state), .value(next)
        );
        assign seeding = seed_load || reset_q || load_q || sowing || sown;
        assign word    = word_q;
        wire unused = &{1'b0, unused_state};
    end else begin : g_dither
        assign seeding = 1'b0;
        assign word    = 32'd0;
        wire unused = &{1'b0, seed_load, seed};
    end

    // Lanes.
    wire [U-1:0]    grad_over, weight_over;
    wire [U*34-1:0] lane_squared;
    for (k = 0; k < U; k = k + 1) begin : g_lane
        localparam TURN = (5 * k) % 32;
        wire        [63:0]             twice  = {word, word};
        wire        [15:0]             dither = twice[TURN +: 16];
        wire signed [MOMENT_WIDTH-1:0] m      = m_old[k*MOMENT_WIDTH +: MOMENT_WIDTH];
        wire signed [WEIGHT_WIDTH-1:0] w      = w_old[k*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire signed [TARGET_WIDTH-1:0] t      = t_old[k*TARGET_WIDTH +: TARGET_WIDTH];
        rlc_learner_lane #(
            .OPTIMISER(OPTIMISER), .ROUND(ROUND), .POLYAK(POLYAK), .WEIGHT_WIDTH(WEIGHT_WIDTH),
            .GRAD_WIDTH(GRAD_WIDTH), .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM),
            .BETA2_SHIFT(BETA2_SHIFT), .MASKED((k % IB != 0) ? 1 : 0), .CLIP(CLIP)
        ) u_lane (
            .clk(clk), .sum(grad_data[k*48 +: 48]), .bias(bias[AFTER]), .m(m), .v(v_old[k*48 +: 48]),
            .w(w), .t(t), .dither(dither), .grad_shift(grad_shift), .rate(rate_number),
            .rate_shift(rate_shift[5:0]), .momentum(mu_number), .log_rate(rate_signed), .log_clip(clip_signed),
            .clip_rate(clip_rate_q), .eps(eps_q), .sync(sync_q), .tau(tau),
            .factor(measure_q ? 18'h20000 : factor), .squared(lane_squared[k*34 +: 34]),
            .new_m(m_new[k*MOMENT_WIDTH +: MOMENT_WIDTH]), .new_v(v_new[k*48 +: 48]),
            .new_w(w_new[k*WEIGHT_WIDTH +: WEIGHT_WIDTH]), .new_t(t_new[k*TARGET_WIDTH +: TARGET_WIDTH]),
            .grad_saturated(grad_over[k]), .weight_saturated(weight_over[k])
        );
        wire unused = &{1'b0, twice};
    end

    // The pass that measures: a tree of sums over the lanes, a register a level, and their sum over the groups.
    wire counts_grad;
    if (CLIP != 0) begin : g_measure
        localparam LEVELS = $clog2(U);
        localparam LEAVES = 1 << LEVELS;
        localparam AT     = AFTER + SQUARE + LEVELS;      // stage of a group's sum
        reg  [AT+1:1]  measure_valid_q;
        wire [AT+1:0]  measure_valid = {measure_valid_q, issue_q && measure_q};
        wire [AT:0]    last_tap;
        reg  [AT:1]    last_q;
        reg  [55:0]    squares_q;
        reg            measured_q;
        assign last_tap = {last_q, issue_q && measure_q && issue_last};
        for (k = 1; k < 2 * LEAVES; k = k + 1) begin : g_node
            wire [47:0] sum;
            if (k >= LEAVES) begin : g_leaf
                if (k - LEAVES < U) begin : g_lane
                    assign sum = {14'd0, lane_squared[(k-LEAVES)*34 +: 34]};
                end else begin : g_none
                    assign sum = 48'd0;
                end
            end else begin : g_sum
                reg [47:0] sum_q;
                always @(posedge clk) sum_q <= g_node[2*k].sum + g_node[2*k+1].sum;
                assign sum = sum_q;
            end
        end
        always @(posedge clk) begin
            measure_valid_q <= rst ? {(AT+1){1'b0}} : measure_valid[AT:0];
            last_q          <= rst ? {AT{1'b0}} : last_tap[AT-1:0];
            measured_q      <= !rst && last_tap[AT];
            if (start && measure)       squares_q <= 56'd0;
            else if (measure_valid[AT]) squares_q <= squares_q + {8'd0, g_node[1].sum};
        end
        assign measured_d  = last_tap[AT];
        assign measured    = measured_q;
        assign squares     = squares_q;
        assign counts_grad = measure_valid[AFTER+S_DONE];
        wire unused = &{1'b0, measure_valid[AT+1]};
    end else begin : g_measure
        assign measured_d  = 1'b0;
        assign measured    = 1'b0;
        assign squares     = 56'd0;
        assign counts_grad = valid[AFTER+S_DONE];
        wire unused = &{1'b0, measure, factor, lane_squared};
    end
    rlc_popcount #(.WIDTH(U)) u_sat_grad (
        .clk(clk), .d(counts_grad ? grad_over : {U{1'b0}}), .count(sat_grad)
    );
    rlc_popcount #(.WIDTH(U)) u_sat_weight (
        .clk(clk), .d(valid[PIPE] ? weight_over : {U{1'b0}}), .count(sat_weight)
    );

    // Bus: the new weights, or what the host loads.
    always @(posedge clk) begin
        if (rst) begin
            out_update_q <= 1'b0;
            out_host_q   <= 1'b0;
            bus_w        <= 1'b0;
            bus_t        <= 1'b0;
        end else begin
            out_update_q <= valid[PIPE];
            out_host_q   <= commit_q;
            bus_w        <= valid[PIPE] || (commit_q && host_plane == 2'd0);
            bus_t        <= (valid[PIPE] && sync_q) || (commit_q && host_plane == 2'd1);
        end
        w_out_q <= busy_q ? w_new : w_host;
        t_out_q <= busy_q ? t_new : t_host;
    end
    for (k = 0; k < U; k = k + 1) begin : g_bus
        assign bus_tdata[k*WEIGHT_WIDTH +: WEIGHT_WIDTH]
            = t_out_q[k*TARGET_WIDTH + TARGET_WIDTH - WEIGHT_WIDTH +: WEIGHT_WIDTH];
    end
    assign bus_wdata = w_out_q;

    // The host's words: a group goes through pack_q, lane 0 at the bottom, one lane a clock. Loading, a full pack is
    // committed in the clock after its last word, while the next word may come. Sending, a group is fetched, and
    // arrives READ clocks later.
    reg               all_in_q;      // the plane's last word was loaded
    reg               shown_q;       // pack_q holds a group to send
    reg               ask_q;         // the next group is to be fetched
    reg  [READ-1:0]   coming_q;
    wire              loading = host_q == LOAD;
    wire              sending = host_q == SEND;
    wire              full;
    wire              taken   = s_valid && s_ready;
    wire              given   = m_valid && m_ready;
    wire [U*WORD-1:0] group;
    // pack_q with the host's word at the top, and without its lowest lane; a lane sent leaves in the same way.
    wire [(U+1)*WORD-1:0] wide = {s_data[WORD-1:0], pack_q};
    assign s_ready   = loading && !all_in_q;
    assign m_valid   = shown_q;
    assign m_last    = full && issue_last;
    assign accepted  = (taken || given) && full;
    assign host_ends = given && full && issue_last;
    assign fetch     = sending && ask_q;
    rlc_turn #(.COUNT(U)) u_lane (.clk(clk), .restart(rst || restart), .step(taken || given), .at(), .last(full));
    always @(posedge clk) begin
        commit_q <= !rst && taken && full;
        coming_q <= rst ? {READ{1'b0}} : {coming_q[READ-2:0], fetch};
        if (rst || restart) begin
            all_in_q <= 1'b0;
            shown_q  <= 1'b0;
            ask_q    <= 1'b1;
        end else begin
            if (accepted && loading)  all_in_q <= issue_last;
            if (coming_q[READ-1])     shown_q <= 1'b1;
            else if (given && full)   shown_q <= 1'b0;
            ask_q <= given && full && !issue_last;
        end
        if (coming_q[READ-1])    pack_q <= group;
        else if (taken || given) pack_q <= wide[(U+1)*WORD-1:WORD];
    end
    for (k = 0; k < U; k = k + 1) begin : g_group
        wire [WORD-1:0] w_word, t_word, m_word, v_word;
        assign w_word = {{(WORD-WEIGHT_WIDTH+1){w_old[(k+1)*WEIGHT_WIDTH-1]}},
                         w_old[k*WEIGHT_WIDTH +: WEIGHT_WIDTH-1]};
        assign t_word = {{(WORD-TARGET_WIDTH+1){t_old[(k+1)*TARGET_WIDTH-1]}},
                         t_old[k*TARGET_WIDTH +: TARGET_WIDTH-1]};
        assign m_word = {{(WORD-MOMENT_WIDTH+1){m_old[(k+1)*MOMENT_WIDTH-1]}},
                         m_old[k*MOMENT_WIDTH +: MOMENT_WIDTH-1]};
        assign v_word = v_old[k*48 +: WORD];
        assign group[k*WORD +: WORD] = (host_plane == 2'd0) ? w_word : (host_plane == 2'd1) ? t_word
                                     : (host_plane == 2'd2) ? m_word : v_word;
    end
    // Only the second moment has no sign.
    assign m_data = {{(64-WORD){pack_q[WORD-1] && host_plane != 2'd3}}, pack_q[WORD-1:0]};

    wire unused = &{1'b0, rate_shift[6], s_data[63:WORD], wide, WEIGHT_FRAC[0]};
endmodule
`default_nettype wire
