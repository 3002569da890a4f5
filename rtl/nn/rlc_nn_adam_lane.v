// rlc_nn_adam_lane.v — Adam on one lane, without a divider: docs/learner_update.md.
// SPDX-License-Identifier: Apache-2.0
//
// g              gradient, in stage 0 of rlc_nn_adam.vh, where all stages below are named
// m, v           the old moments, in stages M_READ and V_READ
// new_m, new_v   in stages M_DONE and V_DONE; neither can overflow, for it lies between the old one and a new value
// g_over         a clock after g: its square was saturated
// squared        in stage SQUARE: the square of g / 2^9, rounded
// log_rate, log_clip, eps, clip_rate
//                settings: log_clip is the largest log of m / sqrt(v); clip_rate = log_clip + log_rate; eps is the
//                least 1024 * log2(v)
// dither         16 bits for ROUND 2, in stage STEP_DONE - 1
// add, carry     in stage STEP_DONE: the weight's change is add + carry
// saturated      beside them: the step was clipped
// cost           one DSP slice, for the square; no memory block
`default_nettype none
module rlc_nn_adam_lane #(
    parameter WEIGHT_WIDTH = 27,            // bits of a weight, 19..27
    parameter GRAD_WIDTH   = 27,            // bits of a gradient, 19..27
    parameter ROUND        = 0,             // rounding of the step: 0 nearest, 1 floor, 2 stochastic
    parameter BETA1_NUM    = 205,           // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT  = 11,            // see BETA1_NUM
    parameter BETA2_NUM    = 131,           // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT  = 17,            // see BETA2_NUM
    parameter MOMENT_WIDTH = GRAD_WIDTH + 6 // derived, leave it alone
) (
    input  wire                           clk,
    input  wire signed [GRAD_WIDTH-1:0]   g,
    input  wire signed [MOMENT_WIDTH-1:0] m,
    input  wire [47:0]                    v,
    input  wire signed [19:0]             log_rate,
    input  wire signed [19:0]             log_clip,
    input  wire signed [20:0]             clip_rate,
    input  wire [15:0]                    eps,
    input  wire [15:0]                    dither,
    output wire [MOMENT_WIDTH-1:0]        new_m,
    output wire [47:0]                    new_v,
    output wire                           g_over,
    output wire [33:0]                    squared,
    output wire [WEIGHT_WIDTH:0]          add,
    output wire                           carry,
    output wire                           saturated
);
    `include "rlc_nn_adam.vh"

    // First moment, stage M_READ + 1: its distance to the gradient, which has 6 fraction bits less.
    localparam M1 = MOMENT_WIDTH + 1;
    localparam P1 = M1 + $clog2(BETA1_NUM + 1);
    wire signed [MOMENT_WIDTH-1:0] g_wide = {g, 6'd0};
    reg  signed [M1-1:0]           m_gap_q;
    always @(posedge clk) m_gap_q <= g_wide - m;

    // .. M_DONE - 1: the part of the distance to go.
    wire signed [P1-1:0]           m_part;
    wire signed [MOMENT_WIDTH-1:0] m_old;
    rlc_nn_const_mult #(.WIDTH(M1), .NUMBER(BETA1_NUM)) u_beta1 (.clk(clk), .x(m_gap_q), .product(m_part));
    rlc_delay #(.WIDTH(MOMENT_WIDTH), .CLOCKS(1 + B1_CLOCKS)) u_m (.clk(clk), .d(m), .q(m_old));

    // .. M_DONE: the new moment, rounded by the bit below the point.
    wire signed [P1-1:0]         m_whole = m_part >>> BETA1_SHIFT;
    reg  signed [MOMENT_WIDTH-1:0] m_q;
    always @(posedge clk)
        m_q <= m_old + m_whole[MOMENT_WIDTH-1:0] + {{(MOMENT_WIDTH-1){1'b0}}, m_part[BETA1_SHIFT-1]};
    assign new_m = m_q;

    // .. M_LOG: the logarithm of its magnitude.
    reg  [MOMENT_WIDTH-1:0] m_size_q;
    wire [15:0]             m_log;
    wire                    m_zero;
    always @(posedge clk) m_size_q <= m_q[MOMENT_WIDTH-1] ? -m_q : m_q;
    rlc_nn_log #(.WIDTH(MOMENT_WIDTH)) u_m_log (.clk(clk), .x(m_size_q), .y(m_log), .zero(m_zero));

    // Second moment, .. SQUARE: the square of the gradient's first 18 bits.
    wire [17:0]        short_d;
    wire               over;
    reg  signed [17:0] short_q;
    reg                over_q;
    wire signed [47:0] square;
    rlc_round_sat #(.WIN(GRAD_WIDTH), .FRAC(GRAD_WIDTH - 18), .WOUT(18), .SYMMETRIC(1)) u_short (
        .in_data(g), .out_data(short_d), .saturated(over)
    );
    always @(posedge clk) begin
        short_q <= short_d;
        over_q  <= over;
    end
    assign g_over = over_q;
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1), .B_REG(1)) u_square (
        .clk(clk), .a(short_q), .b(short_q), .c(48'sd0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(square)
    );
    assign squared = square[33:0];

    // .. V_DONE: the same way as the first.
    localparam P2 = 49 + $clog2(BETA2_NUM + 1);
    reg  signed [48:0]   v_gap_q;
    wire signed [P2-1:0] v_part;
    wire [47:0]          v_old;
    wire signed [P2-1:0] v_whole = v_part >>> BETA2_SHIFT;
    reg  [47:0]          v_q;
    always @(posedge clk) v_gap_q <= {1'b0, square[33:0], 14'd0} - {1'b0, v};
    rlc_nn_const_mult #(.WIDTH(49), .NUMBER(BETA2_NUM)) u_beta2 (.clk(clk), .x(v_gap_q), .product(v_part));
    rlc_delay #(.WIDTH(48), .CLOCKS(1 + B2_CLOCKS)) u_v (.clk(clk), .d(v), .q(v_old));
    always @(posedge clk) v_q <= v_old + v_whole[47:0] + {47'd0, v_part[BETA2_SHIFT-1]};
    assign new_v = v_q;

    // .. V_LOG.
    wire [15:0] v_log;
    wire        v_zero;
    rlc_nn_log #(.WIDTH(48)) u_v_log (.clk(clk), .x(v_q), .y(v_log), .zero(v_zero));

    // BOTH: the logarithms side by side.
    wire [15:0] m_log_both, v_log_both;
    wire        v_zero_both;
    rlc_delay #(.WIDTH(16), .CLOCKS(BOTH - M_LOG)) u_m_both (.clk(clk), .d(m_log), .q(m_log_both));
    rlc_delay #(.WIDTH(17), .CLOCKS(BOTH - V_LOG)) u_v_both (
        .clk(clk), .d({v_log, v_zero}), .q({v_log_both, v_zero_both})
    );

    // BOTH + 1, + 2: v not below eps^2; m's logarithm in units of 1/2048, and with the difference of the fractions.
    localparam signed [17:0] OFFSET = 2048 * (GRAD_WIDTH - 19);
    reg                v_least_s1;
    reg  [15:0]        v_log_s1, v_log_s2;
    reg  signed [17:0] m_log_s1, m_log_s2;
    always @(posedge clk) begin
        v_least_s1 <= v_zero_both || v_log_both < eps;
        v_log_s1   <= v_log_both;
        m_log_s1   <= $signed({1'b0, m_log_both, 1'b0}) - OFFSET;
        v_log_s2   <= v_least_s1 ? eps : v_log_s1;
        m_log_s2   <= m_log_s1;
    end

    // BOTH + 3: log2(|m| / sqrt(v)). + 4, + 5: times the rate, unless the ratio is beyond the clip.
    reg  signed [17:0] ratio_s3;
    reg  signed [20:0] scaled_s4;
    reg                clip_s4;
    reg  signed [20:0] scaled_s5;
    wire signed [19:0] ratio = {{2{ratio_s3[17]}}, ratio_s3};
    always @(posedge clk) begin
        ratio_s3  <= m_log_s2 - $signed({2'b00, v_log_s2});
        scaled_s4 <= ratio + log_rate;
        clip_s4   <= ratio > log_clip;
        scaled_s5 <= clip_s4 ? clip_rate : scaled_s4;
    end

    // .. STEP_DONE: the step, against the sign of m; none where m is 0.
    wire [WEIGHT_WIDTH-2:0] whole;
    wire                    up, beyond, minus, nothing;
    rlc_nn_exp #(.WIDTH(WEIGHT_WIDTH), .ROUND(ROUND)) u_exp (
        .clk(clk), .x(scaled_s5), .dither(dither), .whole(whole), .carry(up), .beyond(beyond)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(STEP_DONE - M_DONE)) u_sign (.clk(clk), .d(m_q[MOMENT_WIDTH-1]), .q(minus));
    rlc_delay #(.WIDTH(1), .CLOCKS(STEP_DONE - M_LOG)) u_zero (.clk(clk), .d(m_zero), .q(nothing));
    wire [WEIGHT_WIDTH:0] size = {2'b00, whole};
    assign add       = nothing ? {(WEIGHT_WIDTH+1){1'b0}} : minus ? size : ~size;
    assign carry     = !nothing && (minus ? up : !up);
    assign saturated = beyond && !nothing;

    wire unused = &{1'b0, m_whole[P1-1:MOMENT_WIDTH], v_whole[P2-1:48], square[47:34]};
endmodule
`default_nettype wire
