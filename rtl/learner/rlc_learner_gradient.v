// rlc_learner_gradient.v — the gradient of a weight, from its exact sum over the batch.
// SPDX-License-Identifier: Apache-2.0
//
// sum, bias  the sum, and whether it is one of a group of biases
// shift      fraction bits to drop, 0..47; factor: with CLIP, what the gradient is multiplied by, ufix(18,17) of at most 1.0.
//            Both stand still while anything is inside
// g          round half up, symmetric range; LATENCY clocks after sum
// saturated  beside g, without CLIP: g was clipped
// latency    4 clocks, 7 with CLIP; one a clock, no reset
// cost       with CLIP one DSP slice
`default_nettype none
module rlc_learner_gradient #(
    parameter GRAD_WIDTH = 27,  // bits of a gradient, 19..27
    parameter MASKED     = 0,   // 1: in a group of biases there is none, and the gradient is 0
    parameter CLIP       = 0,   // 1 multiplies by a factor
    parameter SUM_WIDTH  = 48   // bits of a sum
) (
    input  wire                  clk,
    input  wire [SUM_WIDTH-1:0]  sum,
    input  wire                  bias,
    input  wire [5:0]            shift,
    input  wire [17:0]           factor,
    output wire [GRAD_WIDTH-1:0] g,
    output wire                  saturated
);
    // Stages 1..4: the gradient.
    reg  [SUM_WIDTH-1:0]         sum_s1;
    wire signed [GRAD_WIDTH-1:0] g_s4;
    wire                         none = (MASKED != 0) && bias;
    always @(posedge clk) sum_s1 <= none ? {SUM_WIDTH{1'b0}} : sum;
    rlc_shift_sat #(.WIN(SUM_WIDTH), .WOUT(GRAD_WIDTH), .SHIFT_WIDTH(6), .SYMMETRIC(1)) u_gradient (
        .clk(clk), .s_data(sum_s1), .shift(shift), .m_data(g_s4), .m_saturated(saturated)
    );

    // 5..7: times its factor, rounded half up. 1.0 has 18 bits without a sign, so the factor enters the DSP's signed
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
endmodule
`default_nettype wire
