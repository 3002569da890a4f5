// rlc_gae_mac2.v — multiply-add of two DSP slices in a cascade: p = c + a*b, signed, exact.
// SPDX-License-Identifier: Apache-2.0
//
//   low    a * b[16:0] + c[16:0]                       b's low bits count as unsigned
//   high   a * (b >>> 17) + (c >>> 17) + (low >>> 17)
//
// m_clear      the product of this clock's operands counts as 0
// c_clear      the addend of this clock counts as 0
// range        the caller guarantees that p fits P_WIDTH
// cost         two DSP slices and an adder of P_WIDTH - 17 bits
`default_nettype none
`include "rlc_check.vh"
module rlc_gae_mac2 #(
    parameter A_WIDTH = 27,  // bits of a, at most 27
    parameter B_WIDTH = 35,  // bits of b, 19 to 35
    parameter C_WIDTH = 62,  // bits of c, 18 to P_WIDTH
    parameter P_WIDTH = 62,  // bits of p
    parameter STAGES  = 3,   // clocks from a and b to p: 3 registers both products, 2 the high one, 1 neither (a slow clock)
    parameter C_STILL = 0    // 1: c stands still while numbers pass, and takes no registers
) (
    input  wire                      clk,
    input  wire signed [A_WIDTH-1:0] a,
    input  wire signed [B_WIDTH-1:0] b,
    input  wire signed [C_WIDTH-1:0] c,
    input  wire                      m_clear,
    input  wire                      c_clear,
    output wire signed [P_WIDTH-1:0] p
);
    localparam LOW       = 17;                // bits of b that fit the B port of a DSP beside a sign
    localparam LOW_WIDTH = A_WIDTH + LOW + 2; // the low product and its addend
    localparam HIGH      = P_WIDTH - LOW;

    `RLC_CHECK(A_WIDTH <= 27 && B_WIDTH > 18 && B_WIDTH <= 35,
               rlc_gae_mac2_illegal_A_WIDTH_must_be_at_most_27_and_B_WIDTH_19_to_35)
    `RLC_CHECK(C_WIDTH > LOW && C_WIDTH <= P_WIDTH, rlc_gae_mac2_illegal_C_WIDTH_must_be_18_to_P_WIDTH)
    `RLC_CHECK(STAGES >= 1 && STAGES <= 3, rlc_gae_mac2_illegal_STAGES_must_be_1_to_3)

    if (STAGES == 1) begin : g_one
        rlc_mac #(
            .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .C_WIDTH(C_WIDTH), .P_WIDTH(P_WIDTH), .C_REG(0), .M_REG(0)
        ) u_mac (
            .clk(clk), .a(a), .b(b), .c(c), .m_clear(m_clear), .c_clear(c_clear), .acc(1'b0), .p(p)
        );
    end else begin : g_two
        localparam LAG = (STAGES == 3) ? 1 : 0;   // clocks that the high operands wait for the low product

        wire signed [LOW_WIDTH-1:0] low;
        wire                        m_clear_high;
        rlc_mac #(
            .A_WIDTH(A_WIDTH), .B_WIDTH(LOW + 1), .C_WIDTH(LOW + 1), .P_WIDTH(LOW_WIDTH),
            .C_REG((C_STILL != 0) ? 0 : LAG), .M_REG(LAG)
        ) u_low (
            .clk(clk), .a(a), .b({1'b0, b[LOW-1:0]}), .c({1'b0, c[LOW-1:0]}),
            .m_clear(m_clear), .c_clear(c_clear), .acc(1'b0), .p(low)
        );
        rlc_delay #(.WIDTH(1), .CLOCKS(LAG)) u_clear (.clk(clk), .d(m_clear), .q(m_clear_high));

        // The high part of the addend waits until the low sum is there.
        wire signed [C_WIDTH-LOW-1:0] c_high;
        if (C_STILL != 0) begin : g_still
            assign c_high = c[C_WIDTH-1:LOW];
        end else begin : g_moving
            wire [C_WIDTH-LOW-1:0] kept = c_clear ? {(C_WIDTH-LOW){1'b0}} : c[C_WIDTH-1:LOW];
            rlc_delay #(.WIDTH(C_WIDTH-LOW), .CLOCKS(STAGES-1)) u_c (.clk(clk), .d(kept), .q(c_high));
        end
        wire signed [HIGH-1:0]           addend = c_high + $signed(low[LOW_WIDTH-1:LOW]);
        wire signed [HIGH-1:0]           high;
        wire        [LOW-1:0]            low_last;
        rlc_mac #(
            .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH - LOW), .C_WIDTH(HIGH), .P_WIDTH(HIGH),
            .A_REG(LAG), .B_REG(LAG), .C_REG(0), .M_REG(1)
        ) u_high (
            .clk(clk), .a(a), .b(b[B_WIDTH-1:LOW]), .c(addend),
            .m_clear(m_clear_high), .c_clear(1'b0), .acc(1'b0), .p(high)
        );
        rlc_delay #(.WIDTH(LOW), .CLOCKS(1)) u_low_last (.clk(clk), .d(low[LOW-1:0]), .q(low_last));
        assign p = {high, low_last};
    end
endmodule
`default_nettype wire
