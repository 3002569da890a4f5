// rlc_ram_1r1w.v — RAM with one write port and one read port on one clock; the read is synchronous.
// SPDX-License-Identifier: Apache-2.0
//
// The case of one lane of rlc_ram_1r1w_lane, whose parameters these are.
//
// rd_data       the word read READ_LATENCY clocks ago; holds while nothing newer was read
// collision     a read and a write of one address on the same edge: the read returns the OLD word
// throughput    one read and one write a clock
// reset         none: contents and rd_data are undefined until written
`default_nettype none
`include "rlc_check.vh"
module rlc_ram_1r1w #(
    parameter WIDTH        = 8,      // bits a word, >= 1
    parameter DEPTH        = 16,     // words
    parameter READ_LATENCY = 1,      // clocks from rd_en to rd_data
    parameter STYLE        = "auto", // "auto", "block", "ultra" or "distributed"
    parameter READ_ANY     = 0,      // 1: nothing is promised of a read that meets a write
    parameter BYPASS       = 0,      // 1: for RAMs that do not read before they write
    parameter ADDR_WIDTH   = (DEPTH > 1) ? $clog2(DEPTH) : 1 // derived; leave it alone
) (
    input  wire                  clk,
    input  wire                  wr_en,
    input  wire [ADDR_WIDTH-1:0] wr_addr,
    input  wire [WIDTH-1:0]      wr_data,
    input  wire                  rd_en,
    input  wire [ADDR_WIDTH-1:0] rd_addr,
    output wire [WIDTH-1:0]      rd_data
);
    `RLC_CHECK(WIDTH >= 1, rlc_ram_1r1w_illegal_WIDTH_must_be_at_least_1)

    rlc_ram_1r1w_lane #(
        .LANES(1), .LANE_WIDTH((WIDTH >= 1) ? WIDTH : 1), .DEPTH(DEPTH), .READ_LATENCY(READ_LATENCY), .STYLE(STYLE),
        .READ_ANY(READ_ANY), .BYPASS(BYPASS), .ADDR_WIDTH(ADDR_WIDTH)
    ) u_lane (
        .clk(clk),
        .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data),
        .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(rd_data)
    );
endmodule
`default_nettype wire
