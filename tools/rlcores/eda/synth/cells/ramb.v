// ramb.v — the part of AMD's RAMB18E2 and RAMB36E2 that yosys' map of our memories uses, written from UG573.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. Ports of 18 bits and more, without output registers, resets, sleep, cascade and ECC; any other use
// inverts what is read. A byte is eight data bits and a parity bit.
`default_nettype none

// What both are: PINS bytes of data at each port, 1024 times as many in all.
module cell_ramb #(
    parameter integer PINS = 2,  // 2 or 4
    parameter [8192*PINS-1:0] DATA = 0,
    parameter [1024*PINS-1:0] PARITY = 0,
    parameter integer READ_WIDTH_A = 0, WRITE_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "NO_CHANGE", WRITE_MODE_B = "NO_CHANGE"
) (
    input  wire                    plain,  // nothing is used that this model leaves out
    input  wire                    a_clk, b_clk, a_en, b_en,
    input  wire [PINS-1:0]         a_we,
    input  wire [2*PINS-1:0]       b_we,
    input  wire [$clog2(PINS)+12:0] a_address, b_address,
    input  wire [8*PINS-1:0]       a_d, b_d,
    input  wire [PINS-1:0]         a_dp, b_dp,
    output wire [8*PINS-1:0]       a_q, b_q,
    output wire [PINS-1:0]         a_qp, b_qp
);
    // A word as wide as the data pins of both ports takes them all; A alone reads it and B alone writes it.
    localparam FULL       = 9 * PINS;
    localparam WIDE_READ  = READ_WIDTH_A == 2*FULL;
    localparam WIDE_WRITE = WRITE_WIDTH_B == 2*FULL;
    // A port of 18 bits that could be wider takes its two enables twice.
    wire known = plain
        && (READ_WIDTH_A == 0 || READ_WIDTH_A == 18 || READ_WIDTH_A == FULL || WIDE_READ)
        && (WRITE_WIDTH_A == 0 || WRITE_WIDTH_A == 18 || WRITE_WIDTH_A == FULL)
        && (WRITE_WIDTH_B == 0 || WRITE_WIDTH_B == 18 || WRITE_WIDTH_B == FULL || WIDE_WRITE)
        && (READ_WIDTH_B == 0 || READ_WIDTH_B == 18 || READ_WIDTH_B == FULL)
        && (!(WIDE_READ || WIDE_WRITE) || (WRITE_WIDTH_A == 0 && READ_WIDTH_B == 0))
        && (WRITE_WIDTH_A != 0 || a_we == 0) && (WRITE_WIDTH_B != 0 || b_we == 0)
        && (WRITE_WIDTH_A != 18 || a_we == {PINS/2{a_we[1:0]}})
        && (WRITE_WIDTH_B != 18 || b_we[PINS-1:0] == {PINS/2{b_we[1:0]}});

    wire [FULL-1:0] a_data, b_data;
    wire [71:0] a_word, b_word;
    genvar i;
    generate
        for (i = 0; i < PINS; i = i + 1) begin : g_byte
            assign a_data[9*i +: 9] = {a_dp[i], a_d[8*i +: 8]};
            assign b_data[9*i +: 9] = {b_dp[i], b_d[8*i +: 8]};
            assign {a_qp[i], a_q[8*i +: 8]} = a_word[9*i +: 9];
            assign {b_qp[i], b_q[8*i +: 8]} = WIDE_READ ? a_word[FULL + 9*i +: 9] : b_word[9*i +: 9];
        end
    endgenerate

    integer at;
    initial for (at = 0; at < 1024*PINS; at = at + 1) u_ram.mem[at] = {PARITY[at], DATA[8*at +: 8]};

    cell_block_ram #(
        .BYTES(1024 * PINS),
        .A_READ_BYTES(READ_WIDTH_A / 9), .A_WRITE_BYTES(WRITE_WIDTH_A / 9),
        .A_MODE((WRITE_MODE_A == "READ_FIRST") ? 2 : (WRITE_MODE_A == "WRITE_FIRST") ? 1 : 0),
        .A_OLD((WRITE_MODE_A == "READ_FIRST") ? 1 : 0),
        .B_READ_BYTES(READ_WIDTH_B / 9), .B_WRITE_BYTES(WRITE_WIDTH_B / 9),
        .B_MODE((WRITE_MODE_B == "READ_FIRST") ? 2 : (WRITE_MODE_B == "WRITE_FIRST") ? 1 : 0),
        .B_OLD((WRITE_MODE_B == "READ_FIRST") ? 1 : 0)
    ) u_ram (
        .known(known),
        .a_clk(a_clk), .a_en(a_en), .a_we(8'd0 | a_we), .a_byte(12'd0 | a_address[$clog2(PINS)+12:3]),
        .a_data(72'd0 | a_data), .a_q(a_word),
        .b_clk(b_clk), .b_en(b_en), .b_we(8'd0 | b_we), .b_byte(12'd0 | b_address[$clog2(PINS)+12:3]),
        .b_data(WIDE_WRITE ? 72'd0 | {b_data, a_data} : 72'd0 | b_data), .b_q(b_word)
    );
endmodule

module RAMB18E2 #(
    parameter [255:0] INIT_00 = 0, INIT_01 = 0, INIT_02 = 0, INIT_03 = 0,
    parameter [255:0] INIT_04 = 0, INIT_05 = 0, INIT_06 = 0, INIT_07 = 0,
    parameter [255:0] INIT_08 = 0, INIT_09 = 0, INIT_0A = 0, INIT_0B = 0,
    parameter [255:0] INIT_0C = 0, INIT_0D = 0, INIT_0E = 0, INIT_0F = 0,
    parameter [255:0] INIT_10 = 0, INIT_11 = 0, INIT_12 = 0, INIT_13 = 0,
    parameter [255:0] INIT_14 = 0, INIT_15 = 0, INIT_16 = 0, INIT_17 = 0,
    parameter [255:0] INIT_18 = 0, INIT_19 = 0, INIT_1A = 0, INIT_1B = 0,
    parameter [255:0] INIT_1C = 0, INIT_1D = 0, INIT_1E = 0, INIT_1F = 0,
    parameter [255:0] INIT_20 = 0, INIT_21 = 0, INIT_22 = 0, INIT_23 = 0,
    parameter [255:0] INIT_24 = 0, INIT_25 = 0, INIT_26 = 0, INIT_27 = 0,
    parameter [255:0] INIT_28 = 0, INIT_29 = 0, INIT_2A = 0, INIT_2B = 0,
    parameter [255:0] INIT_2C = 0, INIT_2D = 0, INIT_2E = 0, INIT_2F = 0,
    parameter [255:0] INIT_30 = 0, INIT_31 = 0, INIT_32 = 0, INIT_33 = 0,
    parameter [255:0] INIT_34 = 0, INIT_35 = 0, INIT_36 = 0, INIT_37 = 0,
    parameter [255:0] INIT_38 = 0, INIT_39 = 0, INIT_3A = 0, INIT_3B = 0,
    parameter [255:0] INIT_3C = 0, INIT_3D = 0, INIT_3E = 0, INIT_3F = 0,
    parameter [255:0] INITP_00 = 0, INITP_01 = 0, INITP_02 = 0, INITP_03 = 0,
    parameter [255:0] INITP_04 = 0, INITP_05 = 0, INITP_06 = 0, INITP_07 = 0,
    parameter [35:0] INIT_A = 0, INIT_B = 0, SRVAL_A = 0, SRVAL_B = 0,
    parameter integer READ_WIDTH_A = 0, WRITE_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "NO_CHANGE", WRITE_MODE_B = "NO_CHANGE",
    parameter integer DOA_REG = 1, DOB_REG = 1
) (
    input  wire        CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, ADDRENA, ADDRENB,
    input  wire        REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB, SLEEP,
    input  wire [1:0]  WEA,
    input  wire [3:0]  WEBWE,
    input  wire [13:0] ADDRARDADDR, ADDRBWRADDR,
    input  wire [15:0] DINADIN, DINBDIN,
    input  wire [1:0]  DINPADINP, DINPBDINP,
    output wire [15:0] DOUTADOUT, DOUTBDOUT,
    output wire [1:0]  DOUTPADOUTP, DOUTPBDOUTP
);
    localparam [16383:0] DATA = {
        INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38,
        INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
        INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
        INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20,
        INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
        INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
        INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
        INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
    };
    localparam [2047:0] PARITY = {
        INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
    };

    cell_ramb #(
        .PINS(2), .DATA(DATA), .PARITY(PARITY),
        .READ_WIDTH_A(READ_WIDTH_A), .WRITE_WIDTH_A(WRITE_WIDTH_A), .WRITE_MODE_A(WRITE_MODE_A),
        .READ_WIDTH_B(READ_WIDTH_B), .WRITE_WIDTH_B(WRITE_WIDTH_B), .WRITE_MODE_B(WRITE_MODE_B)
    ) u_ramb (
        .plain(DOA_REG == 0 && DOB_REG == 0 && ADDRENA && ADDRENB && !SLEEP
               && {RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB} == 0),
        .a_clk(CLKARDCLK), .a_en(ENARDEN), .a_we(WEA), .a_address(ADDRARDADDR),
        .a_d(DINADIN), .a_dp(DINPADINP), .a_q(DOUTADOUT), .a_qp(DOUTPADOUTP),
        .b_clk(CLKBWRCLK), .b_en(ENBWREN), .b_we(WEBWE), .b_address(ADDRBWRADDR),
        .b_d(DINBDIN), .b_dp(DINPBDINP), .b_q(DOUTBDOUT), .b_qp(DOUTPBDOUTP)
    );
endmodule

module RAMB36E2 #(
    parameter [255:0] INIT_00 = 0, INIT_01 = 0, INIT_02 = 0, INIT_03 = 0,
    parameter [255:0] INIT_04 = 0, INIT_05 = 0, INIT_06 = 0, INIT_07 = 0,
    parameter [255:0] INIT_08 = 0, INIT_09 = 0, INIT_0A = 0, INIT_0B = 0,
    parameter [255:0] INIT_0C = 0, INIT_0D = 0, INIT_0E = 0, INIT_0F = 0,
    parameter [255:0] INIT_10 = 0, INIT_11 = 0, INIT_12 = 0, INIT_13 = 0,
    parameter [255:0] INIT_14 = 0, INIT_15 = 0, INIT_16 = 0, INIT_17 = 0,
    parameter [255:0] INIT_18 = 0, INIT_19 = 0, INIT_1A = 0, INIT_1B = 0,
    parameter [255:0] INIT_1C = 0, INIT_1D = 0, INIT_1E = 0, INIT_1F = 0,
    parameter [255:0] INIT_20 = 0, INIT_21 = 0, INIT_22 = 0, INIT_23 = 0,
    parameter [255:0] INIT_24 = 0, INIT_25 = 0, INIT_26 = 0, INIT_27 = 0,
    parameter [255:0] INIT_28 = 0, INIT_29 = 0, INIT_2A = 0, INIT_2B = 0,
    parameter [255:0] INIT_2C = 0, INIT_2D = 0, INIT_2E = 0, INIT_2F = 0,
    parameter [255:0] INIT_30 = 0, INIT_31 = 0, INIT_32 = 0, INIT_33 = 0,
    parameter [255:0] INIT_34 = 0, INIT_35 = 0, INIT_36 = 0, INIT_37 = 0,
    parameter [255:0] INIT_38 = 0, INIT_39 = 0, INIT_3A = 0, INIT_3B = 0,
    parameter [255:0] INIT_3C = 0, INIT_3D = 0, INIT_3E = 0, INIT_3F = 0,
    parameter [255:0] INIT_40 = 0, INIT_41 = 0, INIT_42 = 0, INIT_43 = 0,
    parameter [255:0] INIT_44 = 0, INIT_45 = 0, INIT_46 = 0, INIT_47 = 0,
    parameter [255:0] INIT_48 = 0, INIT_49 = 0, INIT_4A = 0, INIT_4B = 0,
    parameter [255:0] INIT_4C = 0, INIT_4D = 0, INIT_4E = 0, INIT_4F = 0,
    parameter [255:0] INIT_50 = 0, INIT_51 = 0, INIT_52 = 0, INIT_53 = 0,
    parameter [255:0] INIT_54 = 0, INIT_55 = 0, INIT_56 = 0, INIT_57 = 0,
    parameter [255:0] INIT_58 = 0, INIT_59 = 0, INIT_5A = 0, INIT_5B = 0,
    parameter [255:0] INIT_5C = 0, INIT_5D = 0, INIT_5E = 0, INIT_5F = 0,
    parameter [255:0] INIT_60 = 0, INIT_61 = 0, INIT_62 = 0, INIT_63 = 0,
    parameter [255:0] INIT_64 = 0, INIT_65 = 0, INIT_66 = 0, INIT_67 = 0,
    parameter [255:0] INIT_68 = 0, INIT_69 = 0, INIT_6A = 0, INIT_6B = 0,
    parameter [255:0] INIT_6C = 0, INIT_6D = 0, INIT_6E = 0, INIT_6F = 0,
    parameter [255:0] INIT_70 = 0, INIT_71 = 0, INIT_72 = 0, INIT_73 = 0,
    parameter [255:0] INIT_74 = 0, INIT_75 = 0, INIT_76 = 0, INIT_77 = 0,
    parameter [255:0] INIT_78 = 0, INIT_79 = 0, INIT_7A = 0, INIT_7B = 0,
    parameter [255:0] INIT_7C = 0, INIT_7D = 0, INIT_7E = 0, INIT_7F = 0,
    parameter [255:0] INITP_00 = 0, INITP_01 = 0, INITP_02 = 0, INITP_03 = 0,
    parameter [255:0] INITP_04 = 0, INITP_05 = 0, INITP_06 = 0, INITP_07 = 0,
    parameter [255:0] INITP_08 = 0, INITP_09 = 0, INITP_0A = 0, INITP_0B = 0,
    parameter [255:0] INITP_0C = 0, INITP_0D = 0, INITP_0E = 0, INITP_0F = 0,
    parameter [71:0] INIT_A = 0, INIT_B = 0, SRVAL_A = 0, SRVAL_B = 0,
    parameter integer READ_WIDTH_A = 0, WRITE_WIDTH_A = 0, READ_WIDTH_B = 0, WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "NO_CHANGE", WRITE_MODE_B = "NO_CHANGE",
    parameter integer DOA_REG = 1, DOB_REG = 1
) (
    input  wire        CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, ADDRENA, ADDRENB,
    input  wire        REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB, SLEEP,
    input  wire [3:0]  WEA,
    input  wire [7:0]  WEBWE,
    input  wire [14:0] ADDRARDADDR, ADDRBWRADDR,
    input  wire [31:0] DINADIN, DINBDIN,
    input  wire [3:0]  DINPADINP, DINPBDINP,
    output wire [31:0] DOUTADOUT, DOUTBDOUT,
    output wire [3:0]  DOUTPADOUTP, DOUTPBDOUTP
);
    localparam [32767:0] DATA = {
        INIT_7F, INIT_7E, INIT_7D, INIT_7C, INIT_7B, INIT_7A, INIT_79, INIT_78,
        INIT_77, INIT_76, INIT_75, INIT_74, INIT_73, INIT_72, INIT_71, INIT_70,
        INIT_6F, INIT_6E, INIT_6D, INIT_6C, INIT_6B, INIT_6A, INIT_69, INIT_68,
        INIT_67, INIT_66, INIT_65, INIT_64, INIT_63, INIT_62, INIT_61, INIT_60,
        INIT_5F, INIT_5E, INIT_5D, INIT_5C, INIT_5B, INIT_5A, INIT_59, INIT_58,
        INIT_57, INIT_56, INIT_55, INIT_54, INIT_53, INIT_52, INIT_51, INIT_50,
        INIT_4F, INIT_4E, INIT_4D, INIT_4C, INIT_4B, INIT_4A, INIT_49, INIT_48,
        INIT_47, INIT_46, INIT_45, INIT_44, INIT_43, INIT_42, INIT_41, INIT_40,
        INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38,
        INIT_37, INIT_36, INIT_35, INIT_34, INIT_33, INIT_32, INIT_31, INIT_30,
        INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
        INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20,
        INIT_1F, INIT_1E, INIT_1D, INIT_1C, INIT_1B, INIT_1A, INIT_19, INIT_18,
        INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
        INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08,
        INIT_07, INIT_06, INIT_05, INIT_04, INIT_03, INIT_02, INIT_01, INIT_00
    };
    localparam [4095:0] PARITY = {
        INITP_0F, INITP_0E, INITP_0D, INITP_0C, INITP_0B, INITP_0A, INITP_09, INITP_08,
        INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
    };

    cell_ramb #(
        .PINS(4), .DATA(DATA), .PARITY(PARITY),
        .READ_WIDTH_A(READ_WIDTH_A), .WRITE_WIDTH_A(WRITE_WIDTH_A), .WRITE_MODE_A(WRITE_MODE_A),
        .READ_WIDTH_B(READ_WIDTH_B), .WRITE_WIDTH_B(WRITE_WIDTH_B), .WRITE_MODE_B(WRITE_MODE_B)
    ) u_ramb (
        .plain(DOA_REG == 0 && DOB_REG == 0 && ADDRENA && ADDRENB && !SLEEP
               && {RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB} == 0),
        .a_clk(CLKARDCLK), .a_en(ENARDEN), .a_we(WEA), .a_address(ADDRARDADDR),
        .a_d(DINADIN), .a_dp(DINPADINP), .a_q(DOUTADOUT), .a_qp(DOUTPADOUTP),
        .b_clk(CLKBWRCLK), .b_en(ENBWREN), .b_we(WEBWE), .b_address(ADDRBWRADDR),
        .b_d(DINBDIN), .b_dp(DINPBDINP), .b_q(DOUTBDOUT), .b_qp(DOUTPBDOUTP)
    );
endmodule
`default_nettype wire
