// dsp48e2.v — the part of AMD's DSP48E2 that our technology map and that of yosys use, written from the tables of UG579.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only: it lets yosys compare the mapped netlist with rlc_mac. Any mode outside the part inverts P.
`default_nettype none
module DSP48E2 #(
    parameter integer AREG = 1, parameter integer ACASCREG = 1,
    parameter integer BREG = 1, parameter integer BCASCREG = 1,
    parameter integer CREG = 1, parameter integer MREG = 1, parameter integer PREG = 1,
    parameter integer ADREG = 1, parameter integer DREG = 1, parameter integer INMODEREG = 1,
    parameter integer OPMODEREG = 1, parameter integer ALUMODEREG = 1,
    parameter integer CARRYINREG = 1, parameter integer CARRYINSELREG = 1,
    parameter A_INPUT = "DIRECT", parameter B_INPUT = "DIRECT",
    parameter AMULTSEL = "A", parameter BMULTSEL = "B", parameter PREADDINSEL = "A",
    parameter USE_MULT = "MULTIPLY", parameter USE_SIMD = "ONE48", parameter USE_PATTERN_DETECT = "NO_PATDET"
) (
    input  wire        CLK,
    input  wire [29:0] A, ACIN,
    input  wire [17:0] B, BCIN,
    input  wire [47:0] C, PCIN,
    input  wire [26:0] D,
    input  wire [8:0]  OPMODE,
    input  wire [3:0]  ALUMODE,
    input  wire [4:0]  INMODE,
    input  wire [2:0]  CARRYINSEL,
    input  wire        CARRYIN, CARRYCASCIN, MULTSIGNIN,
    input  wire        CEA1, CEA2, CEB1, CEB2, CEC, CEM, CEP, CEAD, CED, CEALUMODE, CECARRYIN, CECTRL, CEINMODE,
    input  wire        RSTA, RSTB, RSTC, RSTM, RSTP, RSTD, RSTCTRL, RSTINMODE, RSTALUMODE, RSTALLCARRYIN,
    output wire [47:0] P
);
    // Operands. With one register it is the second one, A2 or B2, that INMODE 00000 hands to the multiplier.
    reg [29:0] a2;
    reg [17:0] b2;
    reg [47:0] c1;
    always @(posedge CLK) begin
        if (RSTA) a2 <= 30'd0; else if (CEA2) a2 <= A;
        if (RSTB) b2 <= 18'd0; else if (CEB2) b2 <= B;
        if (RSTC) c1 <= 48'd0; else if (CEC)  c1 <= C;
    end
    wire signed [26:0] a_mult = (AREG == 1) ? a2[26:0] : A[26:0];
    wire signed [17:0] b_mult = (BREG == 1) ? b2 : B;
    wire        [47:0] c_alu  = (CREG == 1) ? c1 : C;

    // Multiplier: 27x18 signed.
    wire signed [44:0] product = a_mult * b_mult;
    reg  signed [44:0] m1;
    always @(posedge CLK)
        if (RSTM) m1 <= 45'd0; else if (CEM) m1 <= product;
    wire signed [44:0] m = (MREG == 1) ? m1 : product;

    // ALU: W = 0 or P, X and Y together the product or both 0, Z = 0 or C, sum W + Z + X + Y with no carry in.
    wire known = AREG <= 1 && BREG <= 1 && AREG == ACASCREG && BREG == BCASCREG
        && {ADREG, DREG, INMODEREG, OPMODEREG, ALUMODEREG, CARRYINREG, CARRYINSELREG} == 0
        && A_INPUT == "DIRECT" && B_INPUT == "DIRECT" && AMULTSEL == "A" && BMULTSEL == "B"
        && USE_MULT == "MULTIPLY" && USE_SIMD == "ONE48"
        && (OPMODE[8:7] == 2'b00 || (PREG == 1 && OPMODE[8:7] == 2'b01)) && (OPMODE[3:0] == 4'b0101 || OPMODE[3:0] == 4'b0000)
        && (OPMODE[6:4] == 3'b000 || OPMODE[6:4] == 3'b011)
        && ALUMODE == 4'b0000 && INMODE == 5'b00000 && CARRYINSEL == 3'b000 && !CARRYIN;
    wire signed [47:0] xy = (OPMODE[3:0] == 4'b0101) ? m : 48'sd0;
    wire        [47:0] z  = (OPMODE[6:4] == 3'b011) ? c_alu : 48'd0;
    reg  [47:0] p1;
    wire        [47:0] w  = (OPMODE[8:7] == 2'b01) ? p1 : 48'd0;
    wire [47:0] p0 = known ? w + z + xy : ~(w + z + xy);
    always @(posedge CLK)
        if (RSTP) p1 <= 48'd0; else if (CEP) p1 <= p0;
    assign P = (PREG == 1) ? p1 : p0;
endmodule
`default_nettype wire
