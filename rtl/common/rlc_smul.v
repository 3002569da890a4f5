// rlc_smul.v — signed product of up to 27 x 35 bits, rounded half up, from one or two DSP slices.
// SPDX-License-Identifier: Apache-2.0
//
// p          floor(a * b / 2^DROP + 1/2)
// latency    3 clocks, or 4 when B_WIDTH > 18; one a clock, no stall, no reset
// cost       one DSP48E2 while B_WIDTH <= 18, else two
`default_nettype none
`include "rlc_check.vh"
module rlc_smul #(
    parameter A_WIDTH = 27, // 2..27 bits
    parameter B_WIDTH = 35, // 2..35 bits, taken in chunks of 17 and 18 above 18
    parameter DROP    = 0   // low bits to drop, 0 <= DROP < A_WIDTH + B_WIDTH - 1, at most 44
) (
    input  wire                                  clk,
    input  wire signed [A_WIDTH-1:0]             a,
    input  wire signed [B_WIDTH-1:0]             b,
    output wire signed [A_WIDTH+B_WIDTH-DROP-1:0] p
);
    `RLC_CHECK(A_WIDTH >= 2 && A_WIDTH <= 27, rlc_smul_illegal_A_WIDTH_must_be_2_to_27)
    `RLC_CHECK(B_WIDTH >= 2 && B_WIDTH <= 35, rlc_smul_illegal_B_WIDTH_must_be_2_to_35)
    `RLC_CHECK(DROP >= 0 && DROP < A_WIDTH + B_WIDTH - 1 && DROP <= 44,
               rlc_smul_illegal_DROP_must_be_0_to_44_and_less_than_A_WIDTH_plus_B_WIDTH_minus_1)

    // Stand-ins for illegal values, with which Icarus would stumble over a range before the check ends the run.
    localparam A_BITS = (A_WIDTH >= 2 && A_WIDTH <= 27) ? A_WIDTH : 2;
    localparam B_BITS = (B_WIDTH >= 2 && B_WIDTH <= 35) ? B_WIDTH : 2;
    localparam SHIFT  = (DROP >= 0 && DROP < A_BITS + B_BITS - 1 && DROP <= 44) ? DROP : 0;
    localparam HALF_AT = (SHIFT == 0) ? 0 : SHIFT - 1;
    localparam signed [47:0] HALF = (SHIFT == 0) ? 48'sd0 : 48'sd1 << HALF_AT;

    if (B_BITS <= 18) begin : g_one
        wire signed [47:0] sum;
        rlc_mac #(.A_WIDTH(A_BITS), .B_WIDTH(B_BITS), .A_REG(1), .B_REG(1)) u_mac (
            .clk(clk), .a(a), .b(b), .c(HALF), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
        );
        assign p = sum[A_BITS+B_BITS-1:SHIFT];
        wire unused = &{1'b0, sum};
    end else begin : g_two
        // The lower 17 bits of b first. Their sum's lower 17 bits are final; the rest goes on with the upper bits.
        wire signed [47:0] low;
        wire signed [47:0] high;
        rlc_mac #(.A_WIDTH(A_BITS), .B_WIDTH(18), .A_REG(1), .B_REG(1)) u_low (
            .clk(clk), .a(a), .b({1'b0, b[16:0]}), .c(HALF), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(low)
        );
        wire signed [A_BITS-1:0]  a_late;
        wire signed [B_BITS-18:0] b_late;
        rlc_delay #(.WIDTH(A_BITS + B_BITS - 17), .CLOCKS(1)) u_late (
            .clk(clk), .d({a, b[B_BITS-1:17]}), .q({a_late, b_late})
        );
        rlc_mac #(.A_WIDTH(A_BITS), .B_WIDTH(B_BITS - 17), .A_REG(1), .B_REG(1), .C_REG(0)) u_high (
            .clk(clk), .a(a_late), .b(b_late), .c(low >>> 17), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(high)
        );
        wire [16:0] early;
        rlc_delay #(.WIDTH(17), .CLOCKS(1)) u_early (.clk(clk), .d(low[16:0]), .q(early));
        wire signed [A_BITS+B_BITS-1:0] whole = {high[A_BITS+B_BITS-18:0], early};
        assign p = whole[A_BITS+B_BITS-1:SHIFT];
        wire unused = &{1'b0, high, early, whole};
    end
endmodule
`default_nettype wire
