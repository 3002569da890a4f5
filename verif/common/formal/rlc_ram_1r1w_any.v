// rlc_ram_1r1w_any.v — rlc_ram_1r1w without its contents: a read gives anything, as late as READ_LATENCY says.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of buses, in which no word of the memory matters.
`default_nettype none
module rlc_ram_1r1w #(
    parameter WIDTH        = 8,
    parameter DEPTH        = 16,
    parameter READ_LATENCY = 1,
    parameter STYLE        = "auto",
    parameter READ_ANY     = 0,
    parameter BYPASS       = 0,
    parameter ADDR_WIDTH   = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
    input  wire                  clk,
    input  wire                  wr_en,
    input  wire [ADDR_WIDTH-1:0] wr_addr,
    input  wire [WIDTH-1:0]      wr_data,
    input  wire                  rd_en,
    input  wire [ADDR_WIDTH-1:0] rd_addr,
    output wire [WIDTH-1:0]      rd_data
);
    (* anyseq *) wire [WIDTH-1:0] anything;
    reg [WIDTH-1:0] read_s1;
    always @(posedge clk) if (rd_en) read_s1 <= anything;
    rlc_delay #(.WIDTH(WIDTH), .CLOCKS(READ_LATENCY - 1)) u_follow (.clk(clk), .d(read_s1), .q(rd_data));
endmodule
`default_nettype wire
