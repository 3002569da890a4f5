// rlc_nn_elu.v — ELU: x where it is not negative, e^x - 1 where it is, by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// x, y     sfix(18,FRAC), y rounded; -1.0 is reached. Bit-exact model: rlcores.cores.mlp.activations
// error    below 2^-13.4 and half a unit for every x; monotone; ELU(0) is 0
// latency  6 clocks, one a clock, no reset
// cost     one DSP slice (16 x 18), one table of 512 x 36 (rlc_nn_elu_rom)
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_elu #(
    parameter FRAC = 14 // fraction bits of x and y, 0 to 14
) (
    input  wire               clk,
    input  wire signed [17:0] x,
    output wire signed [17:0] y
);
    `RLC_CHECK(FRAC >= 0 && FRAC <= 14, rlc_nn_elu_illegal_FRAC_must_be_0_to_14)
    localparam F    = (FRAC >= 0 && FRAC <= 14) ? FRAC : 14;
    localparam DROP = 29 - F;

    // Stage 1: -x with 14 fraction bits, below 16.
    wire [18:0] opposite = -{x[17], x};
    wire [32:0] moved    = {14'd0, opposite} << (14 - F);
    reg  [17:0] size_s1;
    always @(posedge clk) size_s1 <= (|moved[32:18]) ? {18{1'b1}} : moved[17:0];

    // Stages 2, 3: table.
    wire [35:0] row;
    wire [8:0]  rest_s3;
    rlc_nn_elu_rom u_rom (.clk(clk), .addr(size_s1[17:9]), .data(row));
    rlc_delay #(.WIDTH(9), .CLOCKS(2)) u_rest (.clk(clk), .d(size_s1[8:0]), .q(rest_s3));

    // Stages 4, 5: node + step * rest, with 29 fraction bits.
    wire signed [15:0] step   = {1'b0, row[14:0]};
    wire signed [17:0] rest   = {9'd0, rest_s3};
    wire signed [32:0] addend = {3'b000, row[35:15], 9'd0};
    wire signed [32:0] sum;
    rlc_mac #(.A_WIDTH(16), .B_WIDTH(18), .C_WIDTH(33), .P_WIDTH(33)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    wire signed [17:0] x_s5;
    rlc_delay #(.WIDTH(18), .CLOCKS(5)) u_x (.clk(clk), .d(x), .q(x_s5));

    // Stage 6: round, sign, choice.
    wire signed [32:0] half    = sum + (33'sd1 <<< (DROP - 1));
    wire signed [32:0] rounded = half >>> DROP;
    reg  signed [17:0] y_s6;
    always @(posedge clk) y_s6 <= x_s5[17] ? -rounded[17:0] : x_s5;
    assign y = y_s6;

    wire unused = &{1'b0, rounded[32:18]};
endmodule
`default_nettype wire
