// rlc_nn_silu.v — SiLU by tanh: x · (1 + tanh(x / 2)) / 2.
// SPDX-License-Identifier: Apache-2.0
//
// x, y     sfix(18,FRAC), y rounded half up. Bit-exact model: rlcores.cores.mlp.activations
// error    below |x| · 2^-15.5 and half a unit for every x
// latency  9 clocks, one a clock, no reset
// cost     that of rlc_nn_tanh, and one DSP slice
`default_nettype none
module rlc_nn_silu #(
    parameter FRAC = 14 // fraction bits of x and y, 0 to 14
) (
    input  wire               clk,
    input  wire signed [17:0] x,
    output wire signed [17:0] y
);
    wire signed [17:0] t;
    wire signed [17:0] x_s6;
    rlc_nn_tanh #(.FRAC(FRAC), .HALF(1)) u_tanh (.clk(clk), .x(x), .y(t));
    rlc_delay #(.WIDTH(18), .CLOCKS(6)) u_x (.clk(clk), .d(x), .q(x_s6));

    // Stages 7 to 9: sigmoid with 17 fraction bits, product, half.
    reg signed [18:0] sigmoid_s7;
    reg signed [17:0] x_s7;
    reg signed [36:0] product_s8;
    reg signed [17:0] y_s9;
    wire signed [36:0] sum = product_s8 + 37'sd65536;
    always @(posedge clk) begin
        sigmoid_s7 <= t + 19'sd65536;
        x_s7       <= x_s6;
        product_s8 <= x_s7 * sigmoid_s7;
        y_s9       <= sum[34:17];
    end
    assign y = y_s9;

    wire unused = &{1'b0, sum[36:35], sum[16:0]};
endmodule
`default_nettype wire
