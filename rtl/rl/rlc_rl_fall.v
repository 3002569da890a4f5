// rlc_rl_fall.v — e to the power of a number below zero: d log2(e), and two to minus that.
// SPDX-License-Identifier: Apache-2.0
//
// d        ufix(21,16)
// t        round(d log2(e)), ufix(26,20), 2 clocks later: d + d * 116050 / 2^18, one multiplier
// e        2^-t, ufix(25,24), 10 clocks after d
// cost     two DSP slices, one table (rlc_exp2)
`default_nettype none
module rlc_rl_fall (
    input  wire        clk,
    input  wire [20:0] d,
    output wire [25:0] t,
    output wire [24:0] e
);
    // The half rounds to 20 of 34 fraction bits.
    wire signed [21:0] a = {1'b0, d};
    wire signed [40:0] addend = {2'b00, d, 4'd0, 1'b1, 13'd0};
    wire signed [40:0] sum;
    rlc_mac #(.A_WIDTH(22), .B_WIDTH(18), .C_WIDTH(41), .P_WIDTH(41)) u_mac (
        .clk(clk), .a(a), .b(18'sd116050), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    assign t = sum[39:14];

    wire signed [34:0] power = -{3'b000, t, 6'd0};
    wire               saturated;
    rlc_exp2 #(.IN_WIDTH(35), .OUT_WIDTH(25), .OUT_FRAC(24)) u_exp (.clk(clk), .x(power), .y(e), .saturated(saturated));
    wire unused = &{1'b0, saturated, sum[40], sum[13:0]};
endmodule
`default_nettype wire
