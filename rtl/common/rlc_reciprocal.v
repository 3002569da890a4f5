// rlc_reciprocal.v — 1/x of a number between 1 and 2, by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// x        what stands behind the point: 1.0 <= 1 + x / 2^26 < 2.0
// y        ufix(24,23), rounded; 1.0 is reached. A caller whose numbers are not between 1 and 2 shifts them there.
// error    below 2^-19.9 for every x (tests compare all 2^26), 2^-21.4 from 1.25 on; never rises with x; 1.0 is exact.
//          Bit-exact model: rlcores.cores.common.divide
// latency  5 clocks, one a clock, no stall, no reset
// cost     one DSP slice (15 x 18), one table of 512 x 36 (rlc_reciprocal_rom)
`default_nettype none
module rlc_reciprocal #(
    parameter STYLE = "block"  // memory of the table: "block", "distributed" or "auto"
) (
    input  wire        clk,
    input  wire [25:0] x,
    output wire [23:0] y
);
    // Stages 1, 2: table.
    wire [35:0] row;
    wire [16:0] rest_s2;
    rlc_reciprocal_rom #(.STYLE(STYLE)) u_rom (.clk(clk), .addr(x[25:17]), .data(row));
    rlc_delay #(.WIDTH(17), .CLOCKS(2)) u_rest (.clk(clk), .d(x[16:0]), .q(rest_s2));

    // Stages 3, 4: 1 - 1/x = node + step * rest, with 40 fraction bits, and half a unit of the result.
    wire signed [14:0] step   = {1'b0, row[13:0]};
    wire signed [17:0] rest   = {1'b0, rest_s2};
    wire signed [40:0] addend = {2'b00, row[35:14], 1'b1, 16'd0};
    wire signed [40:0] sum;
    rlc_mac #(.A_WIDTH(15), .B_WIDTH(18), .C_WIDTH(41), .P_WIDTH(41)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );

    // Stage 5: 1/x.
    reg [23:0] y_s5;
    always @(posedge clk) y_s5 <= 24'h800000 - {1'b0, sum[39:17]};
    assign y = y_s5;

    wire unused = &{1'b0, sum[40], sum[16:0]};
endmodule
`default_nettype wire
