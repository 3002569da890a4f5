// rlc_ram_1r1w_lane.v — RAM with one write port, enabled by lane, and one read port on one clock; synchronous read.
// SPDX-License-Identifier: Apache-2.0
//
// READ_ANY      0: see collision; 1: a colliding read is undefined in hardware, which spares the logic that
//               a family without read-before-write RAM (ECP5) needs for it
// BYPASS        1: the collision keeps its meaning on a RAM that has none of its own, with the logic placed for
//               speed: writes reach the RAM a clock later, and a read that misses one for that takes it from a
//               multiplexer between registers. READ_LATENCY >= 2, READ_ANY 0. Nothing else changes at the ports.
//
// wr_en         bit i writes lane i, which is wr_data[i*LANE_WIDTH +: LANE_WIDTH]
// rd_data       the word read READ_LATENCY clocks ago; holds while nothing newer was read
// collision     a read and a write of one address on the same edge: the read returns the OLD word
// throughput    one read and one write a clock
// reset         none: contents and rd_data are undefined until written
`default_nettype none
`include "rlc_check.vh"
module rlc_ram_1r1w_lane #(
    parameter LANES        = 4,      // lanes a word, >= 1
    parameter LANE_WIDTH   = 8,      // bits a lane, >= 1; 8 or 9 fills the byte enables of a block RAM
    // words, >= 1; an address >= DEPTH is the caller's error; 1 is a register, its address ignored
    parameter DEPTH        = 16,
    parameter READ_LATENCY = 1,      // 1..5 clocks from rd_en to rd_data
    parameter STYLE        = "auto", // "auto", "block", "ultra" or "distributed": the kind of memory asked of synthesis
    parameter READ_ANY     = 0,      // 1: as above, of a read that meets a write
    parameter BYPASS       = 0,      // 1: as above, for RAMs that do not read before they write
    parameter ADDR_WIDTH   = (DEPTH > 1) ? $clog2(DEPTH) : 1 // derived; leave it alone
) (
    input  wire                        clk,
    input  wire [LANES-1:0]            wr_en,
    input  wire [ADDR_WIDTH-1:0]       wr_addr,
    input  wire [LANES*LANE_WIDTH-1:0] wr_data,
    input  wire                        rd_en,
    input  wire [ADDR_WIDTH-1:0]       rd_addr,
    output wire [LANES*LANE_WIDTH-1:0] rd_data
);
    `RLC_CHECK(LANES >= 1, rlc_ram_1r1w_lane_illegal_LANES_must_be_at_least_1)
    `RLC_CHECK(LANE_WIDTH >= 1, rlc_ram_1r1w_lane_illegal_LANE_WIDTH_must_be_at_least_1)
    `RLC_CHECK(DEPTH >= 1, rlc_ram_1r1w_lane_illegal_DEPTH_must_be_at_least_1)
    `RLC_CHECK(READ_LATENCY >= 1 && READ_LATENCY <= 5, rlc_ram_1r1w_lane_illegal_READ_LATENCY_must_be_1_to_5)
    `RLC_CHECK(STYLE == "auto" || STYLE == "block" || STYLE == "ultra" || STYLE == "distributed",
               rlc_ram_1r1w_lane_illegal_STYLE_must_be_auto_or_block_or_ultra_or_distributed)
    `RLC_CHECK(READ_ANY == 0 || READ_ANY == 1, rlc_ram_1r1w_lane_illegal_READ_ANY_must_be_0_or_1)
    `RLC_CHECK(BYPASS == 0 || (BYPASS == 1 && READ_LATENCY >= 2 && READ_ANY == 0),
               rlc_ram_1r1w_lane_illegal_BYPASS_must_be_0_or_1_with_READ_LATENCY_at_least_2_and_READ_ANY_0)

    // Icarus takes no empty range, so illegal values have stand-ins until the check ends the run.
    localparam STEP     = (LANE_WIDTH >= 1) ? LANE_WIDTH : 1;
    localparam COUNT    = (LANES >= 1) ? LANES : 1;
    localparam WIDTH    = COUNT * STEP;
    localparam WORDS    = (DEPTH >= 1) ? DEPTH : 1;
    // A register, unlike a RAM, always reads the old word.
    localparam BYPASSED = (BYPASS != 0 && WORDS > 1) ? 1 : 0;
    localparam NO_CHECK = (READ_ANY != 0 || BYPASSED != 0) ? 1 : 0;
    localparam FOLLOW   = READ_LATENCY - 1 - BYPASSED;   // registers behind the RAM or the multiplexer

    // Stage 0: with BYPASS a write waits here for one clock.
    wire [COUNT-1:0]      mem_wr_en;
    wire [ADDR_WIDTH-1:0] mem_wr_addr;
    wire [WIDTH-1:0]      mem_wr_data;
    rlc_delay #(.WIDTH(COUNT + ADDR_WIDTH + WIDTH), .CLOCKS(BYPASSED)) u_write (
        .clk(clk), .d({wr_en, wr_addr, wr_data}), .q({mem_wr_en, mem_wr_addr, mem_wr_data})
    );

    // Stage 1: the memory.
    reg [WIDTH-1:0] read_s1;
    integer lane;
    if (WORDS == 1) begin : g_register
        reg [WIDTH-1:0] word_q;
        always @(posedge clk) begin
            for (lane = 0; lane < COUNT; lane = lane + 1)
                if (mem_wr_en[lane])
                    word_q[lane*STEP +: STEP] <= mem_wr_data[lane*STEP +: STEP];
            if (rd_en) read_s1 <= word_q;
        end
        wire unused = &{1'b0, rd_addr, mem_wr_addr};
    end else begin : g_memory
        // no_rw_check is Yosys' word for READ_ANY; behind a bypass nobody looks at a collision's word either.
        (* ram_style = `RLC_LUT_STYLE(STYLE), no_rw_check = NO_CHECK *)
        reg [WIDTH-1:0] mem [0:WORDS-1];
        // Non-blocking on both sides is what makes a colliding read return the old word.
        always @(posedge clk) begin
            for (lane = 0; lane < COUNT; lane = lane + 1)
                if (mem_wr_en[lane])
                    mem[mem_wr_addr][lane*STEP +: STEP] <= mem_wr_data[lane*STEP +: STEP];
            if (rd_en) read_s1 <= mem[rd_addr];
        end
    end

    // Stage 2: the RAM's output register and the multiplexer behind it. A write that enters the RAM on the edge of
    // the read was asked for a clock before the read, which therefore must see it.
    wire [WIDTH-1:0] read;
    genvar i;
    if (BYPASSED != 0) begin : g_bypass
        reg  [COUNT-1:0] hit_s1;
        reg  [WIDTH-1:0] late_s1;
        wire [COUNT-1:0] hit_s2;
        wire [WIDTH-1:0] late_s2;
        wire [WIDTH-1:0] read_s2;
        always @(posedge clk) begin
            if (rd_en) begin
                hit_s1  <= mem_wr_en & {COUNT{mem_wr_addr == rd_addr}};
                late_s1 <= mem_wr_data;
            end
        end
        rlc_delay #(.WIDTH(COUNT + 2 * WIDTH), .CLOCKS(1)) u_stage2 (
            .clk(clk), .d({hit_s1, late_s1, read_s1}), .q({hit_s2, late_s2, read_s2})
        );
        for (i = 0; i < COUNT; i = i + 1) begin : g_lane
            assign read[i*STEP +: STEP] = hit_s2[i] ? late_s2[i*STEP +: STEP] : read_s2[i*STEP +: STEP];
        end
    end else begin : g_plain
        assign read = read_s1;
    end

    // Free-running output registers: a held word stays held, only later.
    rlc_delay #(.WIDTH(WIDTH), .CLOCKS((FOLLOW >= 0) ? FOLLOW : 0)) u_follow (.clk(clk), .d(read), .q(rd_data));
endmodule
`default_nettype wire
