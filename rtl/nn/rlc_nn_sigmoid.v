// rlc_nn_sigmoid.v — logistic function by tanh: (1 + tanh(x / 2)) / 2.
// SPDX-License-Identifier: Apache-2.0
//
// x        sfix(18,FRAC)
// y        sfix(18,16), 0 to 1.0, rounded half up. Bit-exact model: rlcores.cores.mlp.activations
// error    below 2^-15.4 for every x
// latency  7 clocks, one a clock, no reset
// cost     that of rlc_nn_tanh
`default_nettype none
module rlc_nn_sigmoid #(
    parameter FRAC = 14 // fraction bits of x, 0 to 14
) (
    input  wire               clk,
    input  wire signed [17:0] x,
    output wire signed [17:0] y
);
    wire signed [17:0] t;
    rlc_nn_tanh #(.FRAC(FRAC), .HALF(1)) u_tanh (.clk(clk), .x(x), .y(t));

    reg signed [17:0] y_s7;
    wire signed [18:0] twice = t + 19'sd65537;
    always @(posedge clk) y_s7 <= twice[18:1];
    assign y = y_s7;

    wire unused = &{1'b0, twice[0]};
endmodule
`default_nettype wire
