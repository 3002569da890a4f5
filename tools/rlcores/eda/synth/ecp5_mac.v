// ecp5_mac.v — technology map for yosys: rlc_mac on the multipliers of an ECP5.
// SPDX-License-Identifier: Apache-2.0
//
// The M register becomes the output registers of one or two MULT18X18D (TN1267 of Lattice calls them REG_OUTPUT).
// A first operand of 19..35 bits is split: a = 2^17 * high + low, with low unsigned. The two products meet in the sum
// stage, where plain inference would add them in front of M and so put multiplier and adder into one clock.
// Same clocks, same results; verif/house/test_synth.py proves it equal to rlc_mac. Without M_REG, or with
// wider operands, rlc_mac is left to the plain Verilog.
(* techmap_celltype = "rlc_mac" *)
module _80_rlc_mac (clk, a, b, c, m_clear, c_clear, acc, p);
    parameter A_WIDTH = 27;
    parameter B_WIDTH = 18;
    parameter C_WIDTH = 48;
    parameter P_WIDTH = 48;
    parameter A_REG   = 0;
    parameter B_REG   = 0;
    parameter C_REG   = 1;
    parameter M_REG   = 1;
    parameter ACC     = 0;

    input                       clk;
    input  signed [A_WIDTH-1:0] a;
    input  signed [B_WIDTH-1:0] b;
    input  signed [C_WIDTH-1:0] c;
    input                       m_clear;
    input                       c_clear;
    input                       acc;
    output signed [P_WIDTH-1:0] p;

    wire _TECHMAP_FAIL_ = M_REG == 0 || A_WIDTH > 35 || B_WIDTH > 18;

    // Stage 1 (optional): operands.
    reg signed [A_WIDTH-1:0] a_q;
    reg signed [B_WIDTH-1:0] b_q;
    always @(posedge clk) begin
        a_q <= a;
        b_q <= b;
    end
    wire signed [A_WIDTH-1:0] a_s = (A_REG != 0) ? a_q : a;
    wire signed [17:0]        b_s = (B_REG != 0) ? b_q : b;

    // Stage 2: products, and the addend beside them.
    reg  signed [C_WIDTH-1:0] c_q;
    always @(posedge clk)
        if (c_clear) c_q <= {C_WIDTH{1'b0}};
        else         c_q <= c;
    wire signed [C_WIDTH-1:0] c_s = (C_REG != 0) ? c_q : c_clear ? {C_WIDTH{1'b0}} : c;
    reg  signed [P_WIDTH-1:0] p_q;
    // An accumulator has one operand more; the others not even a zero, which would move their netlist.
    wire signed [P_WIDTH-1:0] kept = acc ? p_q : {P_WIDTH{1'b0}};
    wire signed [P_WIDTH-1:0] base = (ACC != 0) ? kept + c_s : c_s;

    // Stage 3: sum.
    generate
        if (A_WIDTH > 18) begin : g_two
            wire signed [35:0] low;
            wire signed [35:0] high;
            wire signed [17:0] a_high = $signed(a_s[A_WIDTH-1:17]);
            \$__RLC_MULT18 m_low  (.clk(clk), .clear(m_clear), .a({1'b0, a_s[16:0]}), .b(b_s), .m(low));
            \$__RLC_MULT18 m_high (.clk(clk), .clear(m_clear), .a(a_high), .b(b_s), .m(high));
            wire signed [52:0] high_shifted = {high, 17'b0};
            always @(posedge clk) p_q <= base + low + high_shifted;
        end else begin : g_one
            wire signed [17:0] a_wide = a_s;
            wire signed [35:0] m;
            \$__RLC_MULT18 m_one (.clk(clk), .clear(m_clear), .a(a_wide), .b(b_s), .m(m));
            always @(posedge clk) p_q <= base + m;
        end
    endgenerate
    assign p = p_q;
endmodule

// Signed 18x18 multiplier with its output register; `clear` is that register's synchronous reset.
module \$__RLC_MULT18 (clk, clear, a, b, m);
    input         clk;
    input         clear;
    input  [17:0] a;
    input  [17:0] b;
    output [35:0] m;
    MULT18X18D #(
        .REG_INPUTA_CLK("NONE"), .REG_INPUTB_CLK("NONE"), .REG_INPUTC_CLK("NONE"), .REG_PIPELINE_CLK("NONE"),
        .REG_OUTPUT_CLK("CLK0"), .REG_OUTPUT_CE("CE0"), .REG_OUTPUT_RST("RST0"), .RESETMODE("SYNC"),
        .MULT_BYPASS("DISABLED"), .CAS_MATCH_REG("FALSE"), .GSR("DISABLED")
    ) _TECHMAP_REPLACE_ (
        .CLK0(clk), .CLK1(1'b0), .CLK2(1'b0), .CLK3(1'b0), .CE0(1'b1), .CE1(1'b1), .CE2(1'b1), .CE3(1'b1),
        .RST0(clear), .RST1(1'b0), .RST2(1'b0), .RST3(1'b0),
        .SIGNEDA(1'b1), .SIGNEDB(1'b1), .SOURCEA(1'b0), .SOURCEB(1'b0),
        .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]), .A6(a[6]), .A7(a[7]), .A8(a[8]),
        .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]), .A16(a[16]),
        .A17(a[17]),
        .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]), .B6(b[6]), .B7(b[7]), .B8(b[8]),
        .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]),
        .B17(b[17]),
        .C0(1'b0), .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0), .C6(1'b0), .C7(1'b0), .C8(1'b0),
        .C9(1'b0), .C10(1'b0), .C11(1'b0), .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0), .C16(1'b0),
        .C17(1'b0),
        .P0(m[0]), .P1(m[1]), .P2(m[2]), .P3(m[3]), .P4(m[4]), .P5(m[5]), .P6(m[6]), .P7(m[7]), .P8(m[8]),
        .P9(m[9]), .P10(m[10]), .P11(m[11]), .P12(m[12]), .P13(m[13]), .P14(m[14]), .P15(m[15]), .P16(m[16]),
        .P17(m[17]), .P18(m[18]), .P19(m[19]), .P20(m[20]), .P21(m[21]), .P22(m[22]), .P23(m[23]), .P24(m[24]),
        .P25(m[25]), .P26(m[26]), .P27(m[27]), .P28(m[28]), .P29(m[29]), .P30(m[30]), .P31(m[31]), .P32(m[32]),
        .P33(m[33]), .P34(m[34]), .P35(m[35])
    );
endmodule
