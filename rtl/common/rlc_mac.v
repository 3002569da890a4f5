// rlc_mac.v — multiply-add shaped like one DSP slice: p = c + a*b, signed, or p = p + c + a*b.
// SPDX-License-Identifier: Apache-2.0
//
// acc           counts in the clock in which the sum is registered: beside M's and C's outputs, it has no register
// m_clear       the product that enters M counts as 0 (synchronous reset of M)
// c_clear       the addend that enters C counts as 0 (synchronous reset of C)
// latency       a: A_REG + M_REG + 1 clocks, b: B_REG + M_REG + 1, c: C_REG + 1
// range         the caller guarantees that p fits P_WIDTH; nothing saturates here
// cost          one DSP48E2 while A_WIDTH <= 27, B_WIDTH <= 18, P_WIDTH <= 48
`default_nettype none
`include "rlc_check.vh"
module rlc_mac #(
    parameter A_WIDTH = 27, // bits of a, >= 1
    parameter B_WIDTH = 18, // bits of b, >= 1
    parameter C_WIDTH = 48, // bits of c, >= 1
    parameter P_WIDTH = 48, // bits of p, >= 1
    parameter A_REG   = 0,  // input register on a (0 or 1)
    parameter B_REG   = 0,  // input register on b (0 or 1)
    parameter C_REG   = 1,  // input register on c (0 or 1)
    parameter M_REG   = 1,  // register on the product (0 or 1)
    parameter ACC     = 0   // 1 builds the accumulator: p_next = (acc ? p : 0) + c + a*b; 0 ignores acc
) (
    input  wire                      clk,
    input  wire signed [A_WIDTH-1:0] a,
    input  wire signed [B_WIDTH-1:0] b,
    input  wire signed [C_WIDTH-1:0] c,
    input  wire                      m_clear,
    input  wire                      c_clear,
    input  wire                      acc,
    output reg  signed [P_WIDTH-1:0] p
);
    `RLC_CHECK(A_WIDTH >= 1 && B_WIDTH >= 1 && C_WIDTH >= 1 && P_WIDTH >= 1,
               rlc_mac_illegal_A_WIDTH_and_B_WIDTH_and_C_WIDTH_and_P_WIDTH_must_be_at_least_1)
    `RLC_CHECK((A_REG == 0 || A_REG == 1) && (B_REG == 0 || B_REG == 1) && (C_REG == 0 || C_REG == 1)
               && (M_REG == 0 || M_REG == 1),
               rlc_mac_illegal_A_REG_and_B_REG_and_C_REG_and_M_REG_must_be_0_or_1)
    `RLC_CHECK(ACC == 0 || ACC == 1, rlc_mac_illegal_ACC_must_be_0_or_1)

    wire signed [A_WIDTH-1:0]         a_s;
    wire signed [B_WIDTH-1:0]         b_s;
    wire signed [A_WIDTH+B_WIDTH-1:0] m_s;
    wire signed [C_WIDTH-1:0]         c_s;

    // Stage 1 (optional): operands.
    if (A_REG != 0) begin : g_a
        reg signed [A_WIDTH-1:0] a_q;
        always @(posedge clk) a_q <= a;
        assign a_s = a_q;
    end else begin : g_a
        assign a_s = a;
    end
    if (B_REG != 0) begin : g_b
        reg signed [B_WIDTH-1:0] b_q;
        always @(posedge clk) b_q <= b;
        assign b_s = b_q;
    end else begin : g_b
        assign b_s = b;
    end

    // Stage 2 (optional): product, and the addend beside it.
    if (M_REG != 0) begin : g_m
        reg signed [A_WIDTH+B_WIDTH-1:0] m_q;
        always @(posedge clk)
            if (m_clear) m_q <= 0;
            else         m_q <= a_s * b_s;
        assign m_s = m_q;
    end else begin : g_m
        wire signed [A_WIDTH+B_WIDTH-1:0] product = a_s * b_s;
        assign m_s = m_clear ? 1'sb0 : product;
    end
    if (C_REG != 0) begin : g_c
        reg signed [C_WIDTH-1:0] c_q;
        always @(posedge clk)
            if (c_clear) c_q <= 0;
            else         c_q <= c;
        assign c_s = c_q;
    end else begin : g_c
        assign c_s = c_clear ? 1'sb0 : c;
    end

    // Stage 3: sum.
    if (ACC != 0) begin : g_acc
        wire signed [P_WIDTH-1:0] kept = acc ? p : {P_WIDTH{1'b0}};
        always @(posedge clk) p <= kept + m_s + c_s;
    end else begin : g_sum
        wire unused_acc = acc;
        always @(posedge clk) p <= m_s + c_s;
    end
endmodule
`default_nettype wire
