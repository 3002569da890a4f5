// rlc_nn_rsqrt.v — one over the square root of a whole number, as a mantissa and a shift: by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// x         1 and more; of 0 the result has no meaning
// y, shift  1 / sqrt(x) = y / 2^(17 + shift), y from 2^16 to 2^17 - 1
// error     below 2^-16.5 of the result: see rlcores.cores.mlp.norm, its bit-exact model
// latency   8 clocks, one a clock, no reset
// cost      one DSP slice (16 x 18), one table of 512 x 36 (rlc_nn_rsqrt_rom)
`default_nettype none
module rlc_nn_rsqrt (
    input  wire               clk,
    input  wire [47:0]        x,
    output wire signed [17:0] y,
    output wire [4:0]         shift
);
    // Stages 1..3: up by an even number of bits, until one of the two highest is set.
    wire        low32   = x[47:16] == 32'd0;
    wire [47:0] by32    = low32 ? {x[15:0], 32'd0} : x;
    wire        low16   = by32[47:32] == 16'd0;
    reg  [47:0] x_s1;
    reg  [4:0]  up_s1;
    wire        low8    = x_s1[47:40] == 8'd0;
    wire [47:0] by8     = low8 ? {x_s1[39:0], 8'd0} : x_s1;
    wire        low4    = by8[47:44] == 4'd0;
    reg  [47:0] x_s2;
    reg  [4:0]  up_s2;
    wire        low2    = x_s2[47:46] == 2'd0;
    reg  [47:0] x_s3;
    reg  [4:0]  up_s3;
    always @(posedge clk) begin
        x_s1  <= low16 ? {by32[31:0], 16'd0} : by32;
        up_s1 <= {low32, low16, 3'd0};
        x_s2  <= low4 ? {by8[43:0], 4'd0} : by8;
        up_s2 <= up_s1 | {2'd0, low8, low4, 1'b0};
        x_s3  <= low2 ? {x_s2[45:0], 2'd0} : x_s2;
        up_s3 <= up_s2 | {4'd0, low2};
    end

    // Stages 4, 5: table. A number from 1 to 2 has the even half, one from 2 to 4 the odd one.
    wire [35:0] row;
    wire [8:0]  rest_s5;
    wire [7:0]  segment = x_s3[47] ? x_s3[46:39] : x_s3[45:38];
    wire [8:0]  rest    = x_s3[47] ? x_s3[38:30] : x_s3[37:29];
    rlc_nn_rsqrt_rom u_rom (.clk(clk), .addr({x_s3[47], segment}), .data(row));
    rlc_delay #(.WIDTH(9), .CLOCKS(2)) u_rest (.clk(clk), .d(rest), .q(rest_s5));

    // Stages 6, 7: node - step * rest, with 29 fraction bits; stage 8: rounded.
    wire signed [15:0] fall   = -{1'b0, row[14:0]};
    wire signed [17:0] factor = {9'd0, rest_s5};
    wire signed [32:0] node   = {3'd0, row[35:15], 9'd0};
    wire signed [32:0] sum;
    rlc_mac #(.A_WIDTH(16), .B_WIDTH(18), .C_WIDTH(33), .P_WIDTH(33)) u_mac (
        .clk(clk), .a(fall), .b(factor), .c(node), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    wire signed [32:0] half = sum + 33'sd2048;
    reg  signed [17:0] y_s8;
    always @(posedge clk) y_s8 <= half[29:12];
    assign y = y_s8;
    rlc_delay #(.WIDTH(5), .CLOCKS(5)) u_shift (.clk(clk), .d(5'd23 - up_s3), .q(shift));

    wire unused = &{1'b0, half[32:30], half[11:0], x_s3[28:0]};
endmodule
`default_nettype wire
