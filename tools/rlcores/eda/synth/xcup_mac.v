// xcup_mac.v — technology map for yosys: one rlc_mac becomes one configured DSP48E2 of UltraScale+.
// SPDX-License-Identifier: Apache-2.0
//
// For synthesis reports only. rlc_mac stays plain Verilog, which Vivado packs into a DSP slice by itself;
// yosys 0.70 packs neither adders nor registers into a DSP48E2, so this map states the packing.
// Ports and attributes: AMD UG579. verif/house/test_synth.py proves the result equal to rlc_mac.
// Wider operands than the slice has are left to the plain Verilog.
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

    // The multiplier is 27x18; the operands may take either place.
    localparam SWAP  = B_WIDTH > 18;
    localparam WIDE  = SWAP ? B_WIDTH : A_WIDTH;
    localparam SHORT = SWAP ? A_WIDTH : B_WIDTH;
    wire _TECHMAP_FAIL_ = WIDE > 27 || SHORT > 18 || C_WIDTH > 48 || P_WIDTH > 48;

    localparam WIDE_REG  = SWAP ? B_REG : A_REG;
    localparam SHORT_REG = SWAP ? A_REG : B_REG;
    wire signed [29:0] port_a;
    wire signed [17:0] port_b;
    wire signed [47:0] port_c = c;
    wire        [47:0] port_p;
    generate
        if (SWAP) begin : g_swap
            assign port_a = b;
            assign port_b = a;
        end else begin : g_straight
            assign port_a = a;
            assign port_b = b;
        end
    endgenerate
    assign p = port_p[P_WIDTH-1:0];

    // OPMODE picks the product (X = Y = M), C (Z) and the sum so far (W = P). Without its register an operand is
    // cleared there instead.
    wire [1:0] use_m = (M_REG == 0 && m_clear) ? 2'b00 : 2'b01;
    wire [1:0] use_p = (ACC != 0 && acc) ? 2'b01 : 2'b00;
    wire [2:0] use_c = (C_REG == 0 && c_clear) ? 3'b000 : 3'b011;

    DSP48E2 #(
        .AREG(WIDE_REG), .ACASCREG(WIDE_REG), .BREG(SHORT_REG), .BCASCREG(SHORT_REG),
        .CREG(C_REG), .MREG(M_REG), .PREG(1),
        .ADREG(0), .DREG(0), .INMODEREG(0), .OPMODEREG(0), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0),
        .A_INPUT("DIRECT"), .B_INPUT("DIRECT"), .AMULTSEL("A"), .BMULTSEL("B"), .PREADDINSEL("A"),
        .USE_MULT("MULTIPLY"), .USE_SIMD("ONE48"), .USE_PATTERN_DETECT("NO_PATDET")
    ) _TECHMAP_REPLACE_ (
        .CLK(clk), .A(port_a), .B(port_b), .C(port_c), .D(27'b0), .P(port_p),
        .OPMODE({use_p, use_c, use_m, use_m}), .ALUMODE(4'b0000), .INMODE(5'b00000),
        .CARRYIN(1'b0), .CARRYINSEL(3'b000),
        .ACIN(30'b0), .BCIN(18'b0), .PCIN(48'b0), .CARRYCASCIN(1'b0), .MULTSIGNIN(1'b0),
        .CEA1(1'b0), .CEA2(WIDE_REG != 0), .CEB1(1'b0), .CEB2(SHORT_REG != 0), .CEC(C_REG != 0), .CEM(M_REG != 0),
        .CEP(1'b1), .CEAD(1'b0), .CED(1'b0), .CEALUMODE(1'b0), .CECARRYIN(1'b0), .CECTRL(1'b0), .CEINMODE(1'b0),
        .RSTM(M_REG != 0 && m_clear), .RSTC(C_REG != 0 && c_clear),
        .RSTA(1'b0), .RSTB(1'b0), .RSTP(1'b0), .RSTD(1'b0), .RSTCTRL(1'b0), .RSTINMODE(1'b0),
        .RSTALUMODE(1'b0), .RSTALLCARRYIN(1'b0)
    );
endmodule
