// dp16kd.v — the part of Lattice's DP16KD that yosys' map of our memories uses, written from TN1264.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. Ports of 9, 18 and 36 bits, without output registers, resets and chip selects; any other use inverts
// what is read. A word of 36 bits is written at port A and read at port B, with the data pins of both.
`default_nettype none
module DP16KD #(
    parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0,
    parameter [319:0] INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0,
    parameter [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
    parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0,
    parameter [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
    parameter [319:0] INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
    parameter [319:0] INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0,
    parameter [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
    parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
    parameter [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0,
    parameter [319:0] INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0,
    parameter [319:0] INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
    parameter [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0,
    parameter integer DATA_WIDTH_A = 18, DATA_WIDTH_B = 18,
    parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL",
    parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000",
    parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB", GSR = "ENABLED"
) (
    input  wire CLKA, CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
    input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
        DIA3, DIA2, DIA1, DIA0,
    output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
        DOA3, DOA2, DOA1, DOA0,
    input  wire CLKB, CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
    input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
        DIB3, DIB2, DIB1, DIB0,
    output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
        DOB3, DOB2, DOB1, DOB0
);
    wire [13:0] a_address = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] b_address = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [17:0] a_data = {
        DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
        DIA3, DIA2, DIA1, DIA0
    };
    wire [17:0] b_data = {
        DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
        DIB3, DIB2, DIB1, DIB0
    };

    localparam WIDE_WRITE = DATA_WIDTH_A == 36;
    localparam WIDE_READ  = DATA_WIDTH_B == 36;
    wire known = REGMODE_A == "NOREG" && REGMODE_B == "NOREG" && CSDECODE_A == "0b000" && CSDECODE_B == "0b000"
        && {CSA2, CSA1, CSA0, CSB2, CSB1, CSB0} == 0 && !RSTA && !RSTB && CLKAMUX == "CLKA" && CLKBMUX == "CLKB"
        && (DATA_WIDTH_A == 9 || DATA_WIDTH_A == 18 || WIDE_WRITE)
        && (DATA_WIDTH_B == 9 || DATA_WIDTH_B == 18 || WIDE_READ)
        // With the pins of the other port lent, A only writes and B only reads.
        && (!(WIDE_READ || WIDE_WRITE) || !WEB);

    // The lowest address pins enable the bytes of a write, where a word has more than one.
    wire [7:0]  a_we = !WEA ? 8'd0 : (DATA_WIDTH_A == 9) ? 8'd1 : a_address[3:0] & (WIDE_WRITE ? 4'hF : 4'h3);
    wire [7:0]  b_we = !WEB ? 8'd0 : (DATA_WIDTH_B == 9) ? 8'd1 : b_address[3:0] & 4'h3;
    wire [71:0] a_q, b_q;
    assign {
        DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
        DOA3, DOA2, DOA1, DOA0
    } = WIDE_READ ? b_q[17:0] : a_q[17:0];
    assign {
        DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
        DOB3, DOB2, DOB1, DOB0
    } = WIDE_READ ? b_q[35:18] : b_q[17:0];

    // Sixteen words of 18 bits a parameter, each in 20.
    localparam [20479:0] WORDS = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    integer at;
    initial for (at = 0; at < 2048; at = at + 1) u_ram.mem[at] = WORDS[20*(at/2) + 9*(at%2) +: 9];

    // A write that reads the old word does so at its own port; the other port's read stays undefined.
    cell_block_ram #(
        .BYTES(2048),
        .A_READ_BYTES(WIDE_WRITE ? 0 : DATA_WIDTH_A / 9), .A_WRITE_BYTES(DATA_WIDTH_A / 9),
        .A_MODE((WRITEMODE_A == "READBEFOREWRITE") ? 2 : (WRITEMODE_A == "WRITETHROUGH") ? 1 : 0),
        .B_READ_BYTES(DATA_WIDTH_B / 9), .B_WRITE_BYTES(WIDE_READ ? 0 : DATA_WIDTH_B / 9),
        .B_MODE((WRITEMODE_B == "READBEFOREWRITE") ? 2 : (WRITEMODE_B == "WRITETHROUGH") ? 1 : 0)
    ) u_ram (
        .known(known),
        .a_clk(CLKA), .a_en(CEA), .a_we(a_we), .a_byte({1'b0, a_address[13:3]}),
        .a_data(WIDE_WRITE ? {36'd0, b_data, a_data} : {54'd0, a_data}), .a_q(a_q),
        .b_clk(CLKB), .b_en(CEB), .b_we(b_we), .b_byte({1'b0, b_address[13:3]}), .b_data({54'd0, b_data}), .b_q(b_q)
    );
endmodule
`default_nettype wire
