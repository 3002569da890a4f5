// rlc_learner_lane.v — one lane of the weight update: from the sum of the gradients to the new weight.
// SPDX-License-Identifier: Apache-2.0
//
// sum, bias  in stage 0 of rlc_learner_update.vh, where all stages below are named
// m, v, w, t the old numbers, in stages M_READ, V_READ, W_READ, T_READ
// factor     with CLIP the gradient's, ufix(18,17) of at most 1.0; constant while anything is inside
// squared    with CLIP, in stage SQUARE: the square of the gradient / 2^(GRAD_WIDTH-18), rounded; 0 without
// new_m, new_v          in stages M_DONE, V_DONE
// new_w, new_t          in stage ALL_DONE; new_t as if the target network is synchronised now
// grad_saturated        in stage S_DONE
// weight_saturated      in stage ALL_DONE: of the weight, its momentum or its step; the target's only with sync
// settings   stand still from stage 0 to ALL_DONE
// throughput one gradient a clock, no stall, no reset
// cost       DSP slices: SGD 1, momentum 2, Adam 1; one more with POLYAK, one with CLIP
`default_nettype none
module rlc_learner_lane #(
    parameter OPTIMISER    = 0,   // 0 SGD, 1 momentum, 2 Adam
    parameter ROUND        = 0,   // of the step: 0 nearest, 1 floor, 2 stochastic
    parameter POLYAK       = 0,   // 1 builds averaging of the target network's weights
    parameter CLIP         = 0,   // 1 multiplies gradients by a factor; Adam only
    parameter WEIGHT_WIDTH = 27,  // bits of a weight, 19..27
    parameter GRAD_WIDTH   = 27,  // bits of a gradient, 19..27
    parameter BETA1_NUM    = 205, // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT  = 11,  // see BETA1_NUM
    parameter BETA2_NUM    = 131, // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT  = 17,  // see BETA2_NUM
    parameter MASKED       = 0,   // 1: in a group of biases this lane has none, and its gradient is 0
    parameter MOMENT_WIDTH = (OPTIMISER == 2) ? GRAD_WIDTH + 6 : GRAD_WIDTH, // derived, leave it alone
    parameter TARGET_WIDTH = WEIGHT_WIDTH + 9 * POLYAK // derived, leave it alone
) (
    input  wire                           clk,
    input  wire [47:0]                    sum,
    input  wire                           bias,
    input  wire signed [MOMENT_WIDTH-1:0] m,
    input  wire [47:0]                    v,
    input  wire signed [WEIGHT_WIDTH-1:0] w,
    input  wire signed [TARGET_WIDTH-1:0] t,
    input  wire [15:0]                    dither,
    input  wire [5:0]                     grad_shift,
    input  wire signed [17:0]             rate,
    input  wire [5:0]                     rate_shift,
    input  wire signed [17:0]             momentum,
    input  wire signed [19:0]             log_rate,
    input  wire signed [19:0]             log_clip,
    input  wire signed [20:0]             clip_rate,
    input  wire [15:0]                    eps,
    input  wire                           sync,
    input  wire [16:0]                    tau,
    input  wire [17:0]                    factor,
    output wire [33:0]                    squared,
    output wire [MOMENT_WIDTH-1:0]        new_m,
    output wire [47:0]                    new_v,
    output wire [WEIGHT_WIDTH-1:0]        new_w,
    output wire [TARGET_WIDTH-1:0]        new_t,
    output wire                           grad_saturated,
    output wire                           weight_saturated
);
    `include "rlc_learner_update.vh"

    // Stages 1..4: the gradient.
    reg  [47:0]                  sum_s1;
    wire signed [GRAD_WIDTH-1:0] g, g_s4;
    wire                         g_over;
    wire                         none = (MASKED != 0) && bias;
    always @(posedge clk) sum_s1 <= none ? 48'd0 : sum;
    rlc_shift_sat #(.WIN(48), .WOUT(GRAD_WIDTH), .SHIFT_WIDTH(6), .SYMMETRIC(1)) u_gradient (
        .clk(clk), .s_data(sum_s1), .shift(grad_shift), .m_data(g_s4), .m_saturated(g_over)
    );

    // .. G_DONE: times its factor, rounded half up. 1.0 has 18 bits without a sign, so the factor enters the DSP's signed
    // port negated: the product comes out as -1 - x, and its inverted bits are x.
    if (CLIP != 0) begin : g_clip
        localparam P = GRAD_WIDTH + 18;
        reg  signed [17:0]  minus_q;
        wire signed [P-1:0] inverted;
        wire        [P-1:0] product = ~inverted;
        always @(posedge clk) minus_q <= 18'd0 - factor;
        rlc_mac #(
            .A_WIDTH(GRAD_WIDTH), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(P), .A_REG(1), .B_REG(0), .C_REG(0)
        ) u_clip (
            .clk(clk), .a(g_s4), .b(minus_q), .c(-18'sd65537), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(inverted)
        );
        assign g = product[17 +: GRAD_WIDTH];
        wire unused = &{1'b0, product[P-1], product[16:0]};
    end else begin : g_whole
        assign g = g_s4;
        wire unused = &{1'b0, factor};
    end

    // .. STEP_DONE: the optimiser.
    wire [WEIGHT_WIDTH:0] add;
    wire                  carry, step_over;
    if (OPTIMISER == 2) begin : g_adam
        rlc_learner_adam #(
            .WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND), .BETA1_NUM(BETA1_NUM),
            .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
        ) u_adam (
            .clk(clk), .g(g), .m(m), .v(v), .log_rate(log_rate), .log_clip(log_clip), .clip_rate(clip_rate),
            .eps(eps), .dither(dither), .new_m(new_m), .new_v(new_v), .g_over(grad_saturated), .squared(squared),
            .add(add), .carry(carry), .saturated(step_over)
        );
        wire unused = &{1'b0, g_over, rate, rate_shift, momentum};
    end else if (OPTIMISER == 1) begin : g_momentum
        rlc_learner_momentum #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND)) u_momentum (
            .clk(clk), .m(m), .g(g), .mu(momentum), .rate(rate), .shift(rate_shift), .dither(dither),
            .new_m(new_m), .add(add), .carry(carry), .saturated(step_over)
        );
        assign new_v          = 48'd0;
        assign squared        = 34'd0;
        assign grad_saturated = g_over;
        wire unused = &{1'b0, v, log_rate, log_clip, clip_rate, eps};
    end else begin : g_sgd
        rlc_learner_sgd #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(ROUND)) u_sgd (
            .clk(clk), .g(g), .rate(rate), .shift(rate_shift), .dither(dither), .add(add), .carry(carry)
        );
        assign new_m          = {MOMENT_WIDTH{1'b0}};
        assign new_v          = 48'd0;
        assign squared        = 34'd0;
        assign step_over      = 1'b0;
        assign grad_saturated = g_over;
        wire unused = &{1'b0, m, v, momentum, log_rate, log_clip, clip_rate, eps};
    end

    // W_READ + 1: the weight moves. W_DONE: limit.
    localparam SUM = WEIGHT_WIDTH + 2;
    reg  [SUM-1:0]          w_s1;
    reg  [WEIGHT_WIDTH-1:0] w_s2;
    reg                     over_s1, over_s2;
    wire [WEIGHT_WIDTH-1:0] w_limited;
    wire                    w_over;
    rlc_round_sat #(.WIN(SUM), .FRAC(0), .WOUT(WEIGHT_WIDTH)) u_weight (
        .in_data(w_s1), .out_data(w_limited), .saturated(w_over)
    );
    always @(posedge clk) begin
        w_s1    <= {{2{w[WEIGHT_WIDTH-1]}}, w} + {add[WEIGHT_WIDTH], add} + {{(SUM-1){1'b0}}, carry};
        over_s1 <= step_over;
        w_s2    <= w_limited;
        over_s2 <= over_s1 || w_over;
    end

    if (POLYAK != 0) begin : g_average
        // T_READ + 1, + 2: the distance from the target's weight, which has 9 fraction bits more, limited.
        localparam GAP = WEIGHT_WIDTH + 1;
        wire signed [WEIGHT_WIDTH-1:0] new_weight = w_s2;
        wire signed [WEIGHT_WIDTH-1:0] old_target = t[TARGET_WIDTH-1:9];
        reg  signed [GAP-1:0]          gap_s1;
        reg  signed [WEIGHT_WIDTH-1:0] gap_s2;
        reg                            gap_over_s2;
        wire [WEIGHT_WIDTH-1:0]        gap_limited;
        wire                           gap_over;
        rlc_round_sat #(.WIN(GAP), .FRAC(0), .WOUT(WEIGHT_WIDTH)) u_gap (
            .in_data(gap_s1), .out_data(gap_limited), .saturated(gap_over)
        );
        always @(posedge clk) begin
            gap_s1      <= new_weight - old_target;
            gap_s2      <= gap_limited;
            gap_over_s2 <= gap_over;
        end

        // + 3 .. + 5: t + gap * tau / 2^8, rounded half up.
        wire [TARGET_WIDTH-1:0] t_s3;
        wire signed [47:0]      addend = {{(40-TARGET_WIDTH){t_s3[TARGET_WIDTH-1]}}, t_s3, 8'h80};
        wire signed [17:0]      part   = {1'b0, tau};
        wire signed [47:0]      average;
        rlc_delay #(.WIDTH(TARGET_WIDTH), .CLOCKS(3)) u_t (.clk(clk), .d(t), .q(t_s3));
        rlc_mac #(
            .A_WIDTH(WEIGHT_WIDTH), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1), .B_REG(1)
        ) u_average (
            .clk(clk), .a(gap_s2), .b(part), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(average)
        );

        // + 6: without a tau, a copy.
        reg                     copy_q;
        reg  [TARGET_WIDTH-1:0] t_s6;
        reg  [WEIGHT_WIDTH-1:0] w_s6;
        reg                     over_s6;
        wire [WEIGHT_WIDTH-1:0] w_s5;
        wire                    over_s5, gap_over_s5;
        rlc_delay #(.WIDTH(WEIGHT_WIDTH + 1), .CLOCKS(5)) u_w (
            .clk(clk), .d({w_s2, over_s2}), .q({w_s5, over_s5})
        );
        rlc_delay #(.WIDTH(1), .CLOCKS(3)) u_over (.clk(clk), .d(gap_over_s2), .q(gap_over_s5));
        always @(posedge clk) begin
            copy_q  <= tau == 17'd0;
            t_s6    <= copy_q ? {w_s5, 9'd0} : average[8 +: TARGET_WIDTH];
            w_s6    <= w_s5;
            over_s6 <= over_s5 || (gap_over_s5 && sync && !copy_q);
        end
        assign new_w            = w_s6;
        assign new_t            = t_s6;
        assign weight_saturated = over_s6;
        wire unused = &{1'b0, average[47:8+TARGET_WIDTH], average[7:0]};
    end else begin : g_copy
        assign new_w            = w_s2;
        assign new_t            = w_s2;
        assign weight_saturated = over_s2;
        wire unused = &{1'b0, t, sync, tau};
    end
endmodule
`default_nettype wire
