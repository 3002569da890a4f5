// rlc_learner_update.v — weight update of one layer: keeps its weights, takes the batch's gradients, sends the new ones.
// SPDX-License-Identifier: Apache-2.0
//
// start           a pulse while not busy: the batch's sums are in the scratchpad; sync and measure are looked at in this
//                 clock
// ready           a start would begin at once. Units of several learners that start in one clock have each group's weights
//                 in one clock, too
// average         looked at with start: the new weights are not own_w but shared_w, AVERAGE clocks later, and so is the bus
// measure         with CLIP: this pass writes nothing and sums the squares of the gradients, exactly
// measured        a pulse when squares has that sum, which stands until the next such pass; busy falls with it
// factor          with CLIP, of an update: what gradients are multiplied by, ufix(18,17), at most 1.0
// updated         a pulse in the clock after the update's last word on the bus; busy falls with it
// settings        of the optimiser (rlc_nn_optimisers.vh), and grad_frac, the fraction bits of a gradient, which some need;
//                 they and all others stand still while busy. settings_fit: they can be used together
// seed_load       seeds the dither; with ROUND 2 a start that comes during the next 270 clocks waits for it. Reset
//                 seeds it too, with the seed that stands there then
// grad_*          asks for the sums at an address, JB * IB * SUM_WIDTH bits, lane a * IB + b
// bus_*           a group of new weights, lanes as above, and its address: of the online net (bus_w) and of the target net
//                 (bus_t). Places are those of rlc_nn_weight_addr_gen
// host_*          while host_en is high and no update runs: moves the parameter bank host_param_bank (0 weights, 1 target, 2 and 3
//                 the optimiser's state) from s_*, or with host_read to m_*, one word of 64 bits a lane, groups in order. A parameter bank
//                 that the optimiser lacks swallows words and reads as zeros. host_done pulses after the last
//                 word has been written and sent, or taken. host_en then falls before it asks again. Should it fall
//                 before, the parameter bank is given up: loaded in part, it must be loaded again
// m_last          with the last word of the parameter bank
// sat_*           lanes that saturated this clock; with CLIP sat_grad in the pass that measures, where no factor hides it
// throughput      one group a clock: from start to updated the groups and the latency
// latency         start to the first word on the bus: 2 + GRAD_LATENCY clocks, and those of rlc_learner_gradient, of the
//                 optimiser and of rlc_nn_weight; start to measured: the groups, 12 + GRAD_LATENCY + ceil(log2(U)) clocks
// reset           none on memories: software loads every parameter bank before the first update
`default_nettype none
`include "rlc_learner_ports.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
module rlc_learner_update #(
    parameter LAYER        = 1,            // number of the layer, from 1, and
    parameter NETWORK      = 0,            // number of its network: they choose the seed of this layer's dither
    parameter WORDS_J      = 2,            // words of the layer's outputs (rows of weights)
    parameter LANES_J      = 4,            // lanes of its outputs
    parameter WORDS_I      = 2,            // words of its inputs
    parameter LANES_I      = 4,            // lanes of its inputs
    parameter JB           = 2,            // rows of a group, which divide LANES_J: U = JB * IB weights a clock
    parameter IB           = 2,            // columns of a group, which divide LANES_I
    parameter FORWARD      = 1,            // words of outputs that the forward unit takes together
    parameter BACKWARD     = 1,            // words of inputs that the backward unit takes together
    parameter OPTIMISER    = 0,            // rlc_nn_optimisers.vh
    parameter ROUND        = 0,            // of the step: 0 nearest, 1 floor, 2 stochastic
    parameter POLYAK       = 0,            // 1 builds averaging of the target network's weights
    parameter TARGET       = 1,            // 0 keeps no weights of a target network
    parameter CLIP         = 0,            // 1: gradients are measured, and multiplied by a factor
    parameter AVERAGE      = 0,            // clocks from own_w to shared_w; 0 builds no averaging of learners
    parameter WEIGHT_WIDTH = 27,           // bits of a weight, 19..27
    parameter WEIGHT_FRAC  = 22,           // bits of fraction of a weight
    parameter GRAD_WIDTH   = 27,           // bits of a gradient, 19..27
    parameter BETA1_NUM    = 205,          // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT  = 11,           // see BETA1_NUM
    parameter BETA2_NUM    = 131,          // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT  = 17,           // see BETA2_NUM
    parameter SUM_WIDTH    = 48,           // bits of a sum
    parameter GRAD_LATENCY = 4,            // clocks from grad_en to grad_data, >= 1
    parameter U            = JB * IB,      // derived, leave it alone
    parameter COUNT_WIDTH  = $clog2(U + 1) // derived, leave it alone
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      start,
    output wire                      ready,
    input  wire                      average,
    output wire [U*WEIGHT_WIDTH-1:0] own_w,
    input  wire [U*WEIGHT_WIDTH-1:0] shared_w,
    output reg                       updated,
    output wire                      busy,
    input  wire                      measure,
    output wire                      measured,
    output wire [55:0]               squares,
    input  wire [17:0]               factor,
    input  wire [5:0]                grad_shift,
    input  wire [5:0]                grad_frac,
    input  wire `RLC_NN_SETTINGS     settings,
    output wire                      settings_fit,
    input  wire                      sync,
    input  wire [16:0]               tau,
    input  wire                      seed_load,
    input  wire [31:0]               seed,
    output wire                      grad_en,
    output wire `RLC_NN_WEIGHT_ADDR   grad_addr,
    input  wire [U*SUM_WIDTH-1:0]    grad_data,
    input  wire                      host_en,
    input  wire                      host_read,
    input  wire [1:0]                host_param_bank,
    output reg                       host_done,
    `RLC_STREAM_SLAVE(s, 64),
    `RLC_STREAM_MASTER(m, 64),
    output wire                      m_last,
    output reg                       bus_w,
    output reg                       bus_t,
    output wire `RLC_NN_WEIGHT_ADDR   bus_addr,
    output wire [U*WEIGHT_WIDTH-1:0] bus_wdata,
    output wire [U*WEIGHT_WIDTH-1:0] bus_tdata,
    output wire [COUNT_WIDTH-1:0]    sat_grad,
    output wire [COUNT_WIDTH-1:0]    sat_weight
);
    `RLC_CHECK(WORDS_J >= 1 && LANES_J >= 1 && WORDS_I >= 1 && LANES_I >= 1,
               rlc_learner_update_illegal_WORDS_J_and_LANES_J_and_WORDS_I_and_LANES_I_must_be_at_least_1)
    `RLC_CHECK(JB >= 1 && IB >= 1 && LANES_J % ((JB >= 1) ? JB : 1) == 0 && LANES_I % ((IB >= 1) ? IB : 1) == 0,
               rlc_learner_update_illegal_JB_must_divide_LANES_J_and_IB_must_divide_LANES_I)
    `RLC_CHECK(ROUND >= 0 && ROUND <= 2 && (POLYAK == 0 || POLYAK == 1),
               rlc_learner_update_illegal_ROUND_must_be_0_or_1_or_2_and_POLYAK_0_or_1)
    `RLC_CHECK(WEIGHT_WIDTH >= 19 && WEIGHT_WIDTH <= 27 && GRAD_WIDTH >= 19 && GRAD_WIDTH <= 27,
               rlc_learner_update_illegal_WEIGHT_WIDTH_and_GRAD_WIDTH_must_be_19_to_27)
    `RLC_CHECK(GRAD_LATENCY >= 1, rlc_learner_update_illegal_GRAD_LATENCY_must_be_at_least_1)
    `RLC_CHECK(AVERAGE >= 0 && AVERAGE <= 64, rlc_learner_update_illegal_AVERAGE_must_be_0_to_64)
    `RLC_CHECK(TARGET != 0 || POLYAK == 0, rlc_learner_update_illegal_POLYAK_needs_a_TARGET)

    // A stand-in for an illegal value, so that no range is empty until the check ends the run.
    localparam AFTER        = (GRAD_LATENCY >= 1) ? GRAD_LATENCY : 1;
    localparam SHARED       = (AVERAGE >= 0 && AVERAGE <= 64) ? AVERAGE : 0;
    localparam STEPS_J      = LANES_J / JB;
    localparam STEPS_I      = LANES_I / IB;
    localparam GROUPS       = WORDS_J * STEPS_J * (WORDS_I * STEPS_I + 1);
    localparam TARGET_WIDTH = WEIGHT_WIDTH + 9 * POLYAK;
    localparam READ         = `RLC_NN_READ;             // clocks of rlc_nn_param_bank
    localparam PIPE         = AFTER + 4 + 3 * CLIP;     // clocks from grad_en to a gradient: rlc_learner_gradient
    localparam ALONE        = READ + 2 + 6 * POLYAK;    // from m_soon of the optimiser to the new weights: rlc_nn_weight
    localparam BACK         = ALONE + SHARED;           // .. where they are averaged
    `include "rlc_nn_state.vh"
    localparam WORD         = (TARGET_WIDTH > STATE_BITS) ? TARGET_WIDTH : STATE_BITS; // the widest number that the host moves

    // Control: an update, or the host, or nothing.
    localparam [1:0] REST = 2'd0, LOAD = 2'd1, SEND = 2'd2, OVER = 2'd3;
    reg  [1:0] host_q;
    reg        pending_q, busy_q, issue_q, sync_q;
    reg        average_q;      // this update takes shared_w; never without AVERAGE
    reg        measure_q;      // this pass only measures; never without CLIP
    wire       seeding, issue_last, out_last;
    wire       accepted;       // the host's last lane of a group came in or went out
    wire       host_ends;      // .. and that was the last group
    reg        commit_q;       // a group from the host goes to its parameter bank and to the bus
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
            average_q <= average && SHARED != 0;
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
    assign ready     = rest && !seeding && !pending_q;

    // Two counters of groups: what is asked for, or moved by the host; and what is on the bus. When nothing runs,
    // and when a host's parameter bank is over, everything goes back to the first group.
    wire restart = rest || (host_q == OVER);
    rlc_nn_weight_addr_gen #(
        .WORDS_J(WORDS_J), .STEPS_J(STEPS_J), .WORDS_I(WORDS_I), .STEPS_I(STEPS_I), .FORWARD(FORWARD),
        .BACKWARD(BACKWARD)
    ) u_issue (
        .clk(clk), .restart(restart), .step(issue_q || accepted), .weight_addr(grad_addr), .last(issue_last)
    );
    rlc_nn_weight_addr_gen #(
        .WORDS_J(WORDS_J), .STEPS_J(STEPS_J), .WORDS_I(WORDS_I), .STEPS_I(STEPS_I), .FORWARD(FORWARD),
        .BACKWARD(BACKWARD)
    ) u_out (
        .clk(clk), .restart(restart), .step(out_update_q || out_host_q), .weight_addr(bus_addr), .last(out_last)
    );
    assign grad_en = issue_q;

    // valid[k]: a group was asked for k clocks ago; step[k]: the optimiser said k clocks ago that it comes out soon.
    wire          step_soon;
    reg  [PIPE:1] valid_q;
    reg  [BACK:1] step_q;
    wire [PIPE:0] valid = {valid_q, issue_q && !measure_q};
    wire [BACK:0] step  = {step_q, step_soon};
    wire          back  = average_q ? step[BACK] : step[ALONE];
    always @(posedge clk) begin
        valid_q <= rst ? {PIPE{1'b0}} : valid[PIPE-1:0];
        step_q  <= rst ? {BACK{1'b0}} : step[BACK-1:0];
    end
    reg  [AFTER:1] bias_q;
    wire [AFTER:0] bias = {bias_q, grad_addr[`RLC_NN_WEIGHT_ADDR_BIAS]};
    always @(posedge clk) bias_q <= bias[AFTER-1:0];

    // Weight and target are written with the bus; the optimiser keeps the rest.
    wire                      fetch;      // the host reads the next group
    reg  [U*WORD-1:0]         pack_q;     // the host's group
    wire                      w_soon;
    wire [U*WEIGHT_WIDTH-1:0] w_old, w_new;
    wire [U*TARGET_WIDTH-1:0] t_old, t_new;
    reg  [U*WEIGHT_WIDTH-1:0] w_out_q;
    reg  [U*TARGET_WIDTH-1:0] t_out_q;
    rlc_nn_param_bank #(.WIDTH(U * WEIGHT_WIDTH), .GROUPS(GROUPS)) u_w (
        .clk(clk), .restart(restart), .first(16'd0), .rd_en(w_soon || fetch), .rd_data(w_old), .wr_en(bus_w), .wr_data(w_out_q)
    );
    if (TARGET != 0) begin : g_t
        rlc_nn_param_bank #(.WIDTH(U * TARGET_WIDTH), .GROUPS(GROUPS)) u_t (
            .clk(clk), .restart(restart), .first(16'd0), .rd_en((average_q ? step[READ+SHARED] : step[READ]) || fetch), .rd_data(t_old), .wr_en(bus_t), .wr_data(t_out_q)
        );
    end else begin : g_t
        assign t_old = {(U*TARGET_WIDTH){1'b0}};
    end
    // What the host loads, as wide as each number.
    wire [U*WEIGHT_WIDTH-1:0] w_host;
    wire [U*TARGET_WIDTH-1:0] t_host;
    genvar k;
    for (k = 0; k < U; k = k + 1) begin : g_host
        assign w_host[k*WEIGHT_WIDTH +: WEIGHT_WIDTH] = pack_q[k*WORD +: WEIGHT_WIDTH];
        assign t_host[k*TARGET_WIDTH +: TARGET_WIDTH] = pack_q[k*WORD +: TARGET_WIDTH];
    end

    // Dither: a word of the generator a group, turned differently for every lane.
    wire [31:0] word;
    wire        dither_next;
    if (ROUND == 2) begin : g_dither
        localparam [31:0] OWN = LAYER + 16 * NETWORK;
        reg          reset_q;      // the last clock was a reset
        reg          load_q;
        reg  [31:0]  own_q, word_q;
        wire         seed_busy, seeded;
        wire [127:0] state, unused_state;
        wire [31:0]  next;
        always @(posedge clk) begin
            reset_q <= rst;
            load_q  <= seed_load || reset_q;
            own_q   <= seed + OWN;
            if (dither_next) word_q <= next;
        end
        rlc_learner_seed u_seed (
            .clk(clk), .rst(rst), .load(load_q && !rst), .seed(own_q), .busy(seed_busy), .done(seeded), .state(state)
        );
        rlc_xoshiro128pp u_generator (
            .clk(clk), .rst(rst), .load(seeded), .state(state), .step(dither_next),
            .state_q(unused_state), .value(next)
        );
        assign seeding = seed_load || reset_q || load_q || seed_busy || seeded;
        assign word    = word_q;
        wire unused = &{1'b0, unused_state};
    end else begin : g_dither
        assign seeding = 1'b0;
        assign word    = 32'd0;
        wire unused = &{1'b0, seed_load, seed, dither_next};
    end

    // The gradients of a group, the optimiser, and the weights it moves.
    wire [U-1:0]                  g_over, grad_over, step_over, weight_over, w_carry;
    wire [U*GRAD_WIDTH-1:0]       g;
    wire [U*16-1:0]               dither;
    wire [U*WEIGHT_WIDTH-1:0]     w_before;
    wire [U*(WEIGHT_WIDTH+1)-1:0] w_add;
    wire [U*34-1:0]               lane_squares;
    wire                          counted;
    wire [1:0]                    g_tag, square_tag;   // {last, valid} of what the pass that measures asked for
    wire [U*WORD-1:0]             state;               // the host's group
    wire                          state_sign;
    rlc_nn_optimiser #(
        .OPTIMISER(OPTIMISER), .LANES(U), .GROUPS(GROUPS), .WORD(WORD), .WEIGHT_WIDTH(WEIGHT_WIDTH),
        .WEIGHT_FRAC(WEIGHT_FRAC), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND), .SQUARES(CLIP), .BETA1_NUM(BETA1_NUM),
        .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
    ) u_optimiser (
        .clk(clk), .rst(rst), .restart(restart), .first(16'd0), .settings(settings), .grad_frac(grad_frac), .settings_fit(settings_fit),
        .s_soon(valid[PIPE-`RLC_NN_SOON]), .s_grad(g), .s_over(g_over), .s_counted(counted), .s_tag(g_tag),
        .m_tag(square_tag), .m_squares(lane_squares), .m_grad_over(grad_over), .dither_next(dither_next), .dither(dither),
        .w_soon(w_soon), .w(w_old), .m_soon(step_soon), .m_w(w_before), .m_add(w_add), .m_carry(w_carry),
        .m_over(step_over), .host_word(host_param_bank[0]), .host_load(commit_q && host_param_bank[1]), .host_data(pack_q),
        .host_fetch(fetch), .host_q(state), .host_sign(state_sign)
    );
    for (k = 0; k < U; k = k + 1) begin : g_lane
        localparam TURN = (5 * k) % 32;
        wire        [63:0]             twice = {word, word};
        wire signed [WEIGHT_WIDTH-1:0] w     = w_before[k*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire signed [TARGET_WIDTH-1:0] t     = t_old[k*TARGET_WIDTH +: TARGET_WIDTH];
        assign dither[k*16 +: 16] = twice[TURN +: 16];
        rlc_learner_gradient #(.GRAD_WIDTH(GRAD_WIDTH), .MASKED((k % IB != 0) ? 1 : 0), .CLIP(CLIP), .SUM_WIDTH(SUM_WIDTH)) u_gradient (
            .clk(clk), .sum(grad_data[k*SUM_WIDTH +: SUM_WIDTH]), .bias(bias[AFTER]), .shift(grad_shift),
            .factor(measure_q ? 18'h20000 : factor), .g(g[k*GRAD_WIDTH +: GRAD_WIDTH]), .saturated(g_over[k])
        );
        rlc_nn_weight #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .POLYAK(POLYAK), .AVERAGE(SHARED)) u_weight (
            .clk(clk), .w(w), .add(w_add[k*(WEIGHT_WIDTH+1) +: WEIGHT_WIDTH+1]), .carry(w_carry[k]),
            .s_over(step_over[k]), .own(own_w[k*WEIGHT_WIDTH +: WEIGHT_WIDTH]), .averaged(average_q),
            .shared(shared_w[k*WEIGHT_WIDTH +: WEIGHT_WIDTH]), .t(t), .sync(sync_q), .tau(tau), .new_w(w_new[k*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
            .new_t(t_new[k*TARGET_WIDTH +: TARGET_WIDTH]), .saturated(weight_over[k])
        );
        wire unused = &{1'b0, twice};
    end

    // The pass that measures: a tree of sums over the lanes, a register a level, and their sum over the groups.
    if (CLIP != 0) begin : g_measure
        localparam LEVELS = $clog2(U);
        localparam LEAVES = 1 << LEVELS;
        reg  [2*PIPE-1:0]   asked_q;
        reg  [2*LEVELS+1:0] sum_tag_q;
        wire [2*LEVELS+3:0] sum_tag = {sum_tag_q, square_tag};
        wire                sum_valid, over;
        reg  [55:0]         squares_q;
        assign {measured, over, measured_d, sum_valid} = sum_tag[2*LEVELS +: 4];
        for (k = 1; k < 2 * LEAVES; k = k + 1) begin : g_node
            wire [47:0] sum;
            if (k >= LEAVES) begin : g_leaf
                if (k - LEAVES < U) begin : g_lane
                    assign sum = {14'd0, lane_squares[(k-LEAVES)*34 +: 34]};
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
            asked_q   <= rst ? {(2*PIPE){1'b0}} : {asked_q[2*PIPE-3:0], {issue_last, 1'b1} & {2{issue_q && measure_q}}};
            sum_tag_q <= rst ? {(2*LEVELS+2){1'b0}} : sum_tag[2*LEVELS+1:0];
            if (start && measure) squares_q <= 56'd0;
            else if (sum_valid)   squares_q <= squares_q + {8'd0, g_node[1].sum};
        end
        assign g_tag   = asked_q[2*PIPE-1 -: 2];
        assign squares = squares_q;
        assign counted = g_tag[0];
        wire unused = over;
    end else begin : g_measure
        assign measured_d = 1'b0;
        assign measured   = 1'b0;
        assign squares    = 56'd0;
        assign g_tag      = 2'd0;
        assign counted    = valid[PIPE];
        wire unused = &{1'b0, measure, factor, lane_squares, square_tag};
    end
    rlc_popcount #(.WIDTH(U)) u_sat_grad (
        .clk(clk), .rst(rst), .d(grad_over), .count(sat_grad)
    );
    rlc_popcount #(.WIDTH(U)) u_sat_weight (
        .clk(clk), .rst(rst), .d(back ? weight_over : {U{1'b0}}), .count(sat_weight)
    );

    // Bus: the new weights, or what the host loads.
    always @(posedge clk) begin
        if (rst) begin
            out_update_q <= 1'b0;
            out_host_q   <= 1'b0;
            bus_w        <= 1'b0;
            bus_t        <= 1'b0;
        end else begin
            out_update_q <= back;
            out_host_q   <= commit_q;
            bus_w        <= back || (commit_q && host_param_bank == 2'd0);
            bus_t        <= (back && sync_q) || (commit_q && host_param_bank == 2'd1);
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
    reg               all_in_q;      // the parameter bank's last word was loaded
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
    rlc_mod_counter #(.COUNT(U)) u_lane (.clk(clk), .restart(rst || restart), .step(taken || given), .at(), .last(full));
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
        wire [WORD-1:0] w_word, t_word;
        assign w_word = {{(WORD-WEIGHT_WIDTH+1){w_old[(k+1)*WEIGHT_WIDTH-1]}},
                         w_old[k*WEIGHT_WIDTH +: WEIGHT_WIDTH-1]};
        assign t_word = {{(WORD-TARGET_WIDTH+1){t_old[(k+1)*TARGET_WIDTH-1]}},
                         t_old[k*TARGET_WIDTH +: TARGET_WIDTH-1]};
        assign group[k*WORD +: WORD] = host_param_bank[1] ? state[k*WORD +: WORD] : host_param_bank[0] ? t_word : w_word;
    end
    assign m_data = {{(64-WORD){pack_q[WORD-1] && (!host_param_bank[1] || state_sign)}}, pack_q[WORD-1:0]};

    wire unused = &{1'b0, s_data[63:WORD], wide};
endmodule
`default_nettype wire
