// rlc_nn_leaky.v — leaky ReLU: x where it is not negative, x · SLOPE / 2^16 rounded half up where it is.
// SPDX-License-Identifier: Apache-2.0
//
// x, y        signed, of one format; the caller sees to it that y fits if SLOPE is 2^16 and more. Bit-exact model: rlcores.cores.mlp.activations
// latency     3 clocks, one a clock, no reset
// cost        one DSP slice
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_leaky #(
    parameter WIDTH = 18,  // bits of x and y, >= 2
    parameter SLOPE = 655  // slope of negative numbers, in units of 2^-16, 0 to 131071
) (
    input  wire                    clk,
    input  wire signed [WIDTH-1:0] x,
    output wire signed [WIDTH-1:0] y
);
    `RLC_CHECK(WIDTH >= 2 && SLOPE >= 0 && SLOPE <= 131071,
               rlc_nn_leaky_illegal_WIDTH_must_be_at_least_2_and_SLOPE_0_to_131071)
    localparam integer             WHOLE  = SLOPE;
    localparam signed [17:0]       FACTOR = WHOLE[17:0];
    localparam signed [WIDTH+17:0] HALF   = 32768;

    // Stages 1, 2: product and half; stage 3: choice.
    reg  signed [WIDTH+17:0] product_s1;
    reg  signed [WIDTH+17:0] sum_s2;
    reg  signed [WIDTH-1:0]  y_s3;
    wire signed [WIDTH-1:0]  x_s2;
    rlc_delay #(.WIDTH(WIDTH), .CLOCKS(2)) u_x (.clk(clk), .d(x), .q(x_s2));
    always @(posedge clk) begin
        product_s1 <= x * FACTOR;
        sum_s2     <= product_s1 + HALF;
        y_s3       <= x_s2[WIDTH-1] ? sum_s2[WIDTH+15:16] : x_s2;
    end
    assign y = y_s3;

    wire unused = &{1'b0, sum_s2[WIDTH+17:WIDTH+16], sum_s2[15:0]};
endmodule
`default_nettype wire
