// rlc_nn_sgd_lane.v — plain gradient descent on one lane: the step rate * g / 2^shift.
// SPDX-License-Identifier: Apache-2.0
//
// g              gradient
// rate           0 .. 2^17 - 1; rate and shift are settings that stand still while gradients pass
// dither         16 bits for ROUND 2, a clock before the result
// add, carry     the weight's change is add + carry: the caller's adder takes both
// latency        6 clocks, one a clock
// cost           one DSP slice
`default_nettype none
module rlc_nn_sgd_lane #(
    parameter WEIGHT_WIDTH = 27, // bits of a weight, 19..27
    parameter GRAD_WIDTH   = 27, // bits of a gradient, 19..27
    parameter ROUND        = 0   // of the step: 0 nearest, 1 floor, 2 stochastic
) (
    input  wire                         clk,
    input  wire signed [GRAD_WIDTH-1:0] g,
    input  wire signed [17:0]           rate,
    input  wire [5:0]                   shift,
    input  wire [15:0]                  dither,
    output wire [WEIGHT_WIDTH:0]        add,
    output wire                         carry
);
    // Stages 1..3: product. rate is not negative, so the product has a bit less than its factors together.
    localparam PRODUCT = GRAD_WIDTH + 17;
    wire signed [47:0] product;
    rlc_mac #(.A_WIDTH(GRAD_WIDTH), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1), .B_REG(1)) u_rate (
        .clk(clk), .a(g), .b(rate), .c(48'sd0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(product)
    );

    // Stages 4..6: shift and round. -(whole + carry) = ~whole + !carry.
    wire [WEIGHT_WIDTH:0] whole;
    wire                  up;
    rlc_nn_step #(.WIN(PRODUCT), .WOUT(WEIGHT_WIDTH + 1), .ROUND(ROUND)) u_step (
        .clk(clk), .value(product[PRODUCT-1:0]), .shift(shift), .dither(dither), .whole(whole), .carry(up)
    );
    assign add   = ~whole;
    assign carry = !up;

    wire unused = &{1'b0, product[47:PRODUCT]};
endmodule
`default_nettype wire
