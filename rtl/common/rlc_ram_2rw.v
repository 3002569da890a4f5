// rlc_ram_2rw.v — true dual-port RAM: two ports on one clock, each reads or writes one word a clock.
// SPDX-License-Identifier: Apache-2.0
//
// x_en, x_we    en & !we reads, en & we writes (x is port a or b)
// x_rd_data     the word read READ_LATENCY clocks ago; unchanged by the port's own writes (NO_CHANGE)
// collision     one port reads what the other writes on the same edge: that read is undefined in hardware
//               (simulation gives the old word). Both ports write one address: undefined, and reported in
//               simulation.
// throughput    two operations a clock
// reset         none: contents and x_rd_data are undefined until written
`default_nettype none
`include "rlc_check.vh"
module rlc_ram_2rw #(
    parameter WIDTH        = 18,            // bits a word, >= 1
    parameter DEPTH        = 1024,          // words, >= 2; an address >= DEPTH is the caller's error
    parameter READ_LATENCY = 1,             // 1..2 clocks from x_en to x_rd_data
    parameter STYLE        = "block",       // "auto", "block" or "ultra": the kind of memory asked of synthesis
    parameter ADDR_WIDTH   = $clog2(DEPTH)  // derived; leave it alone
) (
    input  wire                  clk,
    input  wire                  a_en,
    input  wire                  a_we,
    input  wire [ADDR_WIDTH-1:0] a_addr,
    input  wire [WIDTH-1:0]      a_wr_data,
    output wire [WIDTH-1:0]      a_rd_data,
    input  wire                  b_en,
    input  wire                  b_we,
    input  wire [ADDR_WIDTH-1:0] b_addr,
    input  wire [WIDTH-1:0]      b_wr_data,
    output wire [WIDTH-1:0]      b_rd_data
);
    `RLC_CHECK(WIDTH >= 1, rlc_ram_2rw_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(DEPTH >= 2, rlc_ram_2rw_illegal_DEPTH_must_be_at_least_2)
    `RLC_CHECK(READ_LATENCY >= 1 && READ_LATENCY <= 2, rlc_ram_2rw_illegal_READ_LATENCY_must_be_1_or_2)
    `RLC_CHECK(STYLE == "auto" || STYLE == "block" || STYLE == "ultra",
               rlc_ram_2rw_illegal_STYLE_must_be_auto_or_block_or_ultra)

    // no_rw_check: Yosys need not build logic that keeps the old word for a colliding read.
    (* ram_style = STYLE, no_rw_check *)
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    reg [WIDTH-1:0] a_read_s1;
    reg [WIDTH-1:0] b_read_s1;

    // One block a port, so that neither write has priority: priority would cost an address comparator.
    always @(posedge clk) begin
        if (a_en) begin
            if (a_we) mem[a_addr] <= a_wr_data;
            else a_read_s1 <= mem[a_addr];
        end
    end

    always @(posedge clk) begin
        if (b_en) begin
            if (b_we) mem[b_addr] <= b_wr_data;
            else b_read_s1 <= mem[b_addr];
        end
    end

    if (READ_LATENCY <= 1) begin : g_latency1
        assign a_rd_data = a_read_s1;
        assign b_rd_data = b_read_s1;
    end else begin : g_latency2
        reg [WIDTH-1:0] a_read_s2;
        reg [WIDTH-1:0] b_read_s2;
        always @(posedge clk) begin
            a_read_s2 <= a_read_s1;
            b_read_s2 <= b_read_s1;
        end
        assign a_rd_data = a_read_s2;
        assign b_rd_data = b_read_s2;
    end

`ifndef SYNTHESIS
    always @(posedge clk) begin
        if (a_en && a_we && b_en && b_we && a_addr == b_addr)
            $display("rlc_ram_2rw: error: both ports write address %0d at time %0t", a_addr, $time);
    end
`endif
endmodule
`default_nettype wire
