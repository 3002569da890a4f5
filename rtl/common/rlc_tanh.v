// rlc_tanh.v — hyperbolic tangent of a signed fixed-point number, by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// x        sfix(18,14): -8 <= x < 8
// y        tanh(x) as sfix(18,16), rounded; -1.0 and 1.0 are reached
// error    below 2^-15.6 for every x (tests compare all 2^18); monotone; tanh(-x) is -tanh(x), tanh(0) is 0.
//          Bit-exact model: rlcores.cores.common.tanh
// latency  6 clocks, one a clock, no stall, no reset
// cost     one DSP slice (15 x 18), one table of 512 x 36 (rlc_tanh_rom)
`default_nettype none
module rlc_tanh #(
    parameter STYLE = "block"  // memory of the table: "block", "distributed" or "auto"
) (
    input  wire               clk,
    input  wire signed [17:0] x,
    output wire signed [17:0] y
);
    // Stage 1: magnitude; -8, which has no opposite, counts as the largest.
    wire [17:0] opposite = -x;
    reg  [16:0] size_s1;
    reg         negative_s1;
    always @(posedge clk) begin
        negative_s1 <= x[17];
        size_s1     <= !x[17] ? x[16:0] : opposite[17] ? {17{1'b1}} : opposite[16:0];
    end

    // Stages 2, 3: table.
    wire [35:0] row;
    wire [7:0]  rest_s3;
    rlc_tanh_rom #(.STYLE(STYLE)) u_rom (.clk(clk), .addr(size_s1[16:8]), .data(row));
    rlc_delay #(.WIDTH(8), .CLOCKS(2)) u_rest (.clk(clk), .d(size_s1[7:0]), .q(rest_s3));

    // Stages 4, 5: node + step * rest, with 28 fraction bits. The table's node includes the rounding.
    wire signed [14:0] step   = {1'b0, row[13:0]};
    wire signed [17:0] rest   = {10'd0, rest_s3};
    wire signed [30:0] addend = {2'b00, row[34:14], 8'd0};
    wire signed [30:0] sum;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(31), .P_WIDTH(31)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    wire negative_s5;
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_negative (.clk(clk), .d(negative_s1), .q(negative_s5));

    // Stage 6: sign.
    wire signed [17:0] rounded = {1'b0, sum[28:12]};
    reg  signed [17:0] y_s6;
    always @(posedge clk) y_s6 <= negative_s5 ? -rounded : rounded;
    assign y = y_s6;

    wire unused = &{1'b0, row[35], sum[30:29], sum[11:0]};
endmodule
`default_nettype wire
