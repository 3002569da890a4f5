// rlc_fifo_async.v — FIFO between any two clocks, with first-word fall-through.
// SPDX-License-Identifier: Apache-2.0
//
// DEPTH_LOG2  log2 of the items it holds, 2..10; LUT memory, read combinationally on the m side. One item a clock of the
//             slower side needs about 2*STAGES + 4 places when the clocks are alike: DEPTH_LOG2 4 with two stages
//
// s_* / m_*   valid/ready, each on its own clock; data stable while stalled; s_ready and m_valid are registers,
//             low during their side's reset
// reset       s_rst and m_rst must overlap for STAGES + 1 clocks of either side: reset both sides or neither
// latency     s to m: 1 s_clk, then STAGES + 1 m_clk, one more as metastability resolves; a place given back is seen
//             likewise: 1 m_clk, then STAGES + 1 s_clk
// crossing    only the two pointers, in Gray code: one bit changes at a time. Their bits must reach the other side within
//             a clock of each other (set_bus_skew), and an item must reach m_data within STAGES clocks of m_clk
// proof       verif/common/formal/rlc_fifo_async.sby: any two clocks: no loss, no duplicate, order kept, none overwritten
`default_nettype none
`include "rlc_check.vh"
module rlc_fifo_async #(
    parameter WIDTH      = 8, // payload bits, >= 1
    parameter DEPTH_LOG2 = 4, // log2 of the items it holds
    parameter STAGES     = 2  // flip-flops in each synchroniser, 2..4
) (
    input  wire             s_clk,
    input  wire             s_rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             m_clk,
    input  wire             m_rst,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
    `RLC_CHECK(WIDTH >= 1, rlc_fifo_async_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(DEPTH_LOG2 >= 2 && DEPTH_LOG2 <= 10, rlc_fifo_async_illegal_DEPTH_LOG2_must_be_2_to_10)
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, rlc_fifo_async_illegal_STAGES_must_be_2_or_3_or_4)

    // Pointers count items, one bit more than addresses have: the top bit tells full from empty. An illegal DEPTH_LOG2
    // has a stand-in until the check ends the run.
    localparam A = (DEPTH_LOG2 >= 2 && DEPTH_LOG2 <= 10) ? DEPTH_LOG2 : 2;

    `RLC_LUT_RAM
    reg [WIDTH-1:0] mem [0:(1 << A)-1];

    // The side that writes.
    reg  [A:0] wr_q;
    reg  [A:0] wr_gray_q;
    reg        s_ready_q;
    wire [A:0] rd_gray_s;  // what this side knows of the other one's pointer: at most what it is

    initial wr_q      = {(A+1){1'b0}};
    initial wr_gray_q = {(A+1){1'b0}};
    initial s_ready_q = 1'b0;

    wire       push      = s_valid && s_ready_q;
    wire [A:0] wr_d      = wr_q + {{A{1'b0}}, push};
    wire [A:0] wr_gray_d = wr_d ^ (wr_d >> 1);

    assign s_ready = s_ready_q;

    always @(posedge s_clk) begin
        if (s_rst) begin
            wr_q      <= {(A+1){1'b0}};
            wr_gray_q <= {(A+1){1'b0}};
            s_ready_q <= 1'b0;
        end else begin
            wr_q      <= wr_d;
            wr_gray_q <= wr_gray_d;
            // Full: the other pointer is a whole turn behind, which in Gray code turns the two top bits.
            s_ready_q <= wr_gray_d != {~rd_gray_s[A:A-1], rd_gray_s[A-2:0]};
        end
    end

    always @(posedge s_clk) begin
        if (push) mem[wr_q[A-1:0]] <= s_data;
    end

    // The side that reads.
    reg  [A:0] rd_q;
    reg  [A:0] rd_gray_q;
    reg        m_valid_q;
    wire [A:0] wr_gray_m;  // at most what it is

    initial rd_q      = {(A+1){1'b0}};
    initial rd_gray_q = {(A+1){1'b0}};
    initial m_valid_q = 1'b0;

    wire       pop       = m_valid_q && m_ready;
    wire [A:0] rd_d      = rd_q + {{A{1'b0}}, pop};
    wire [A:0] rd_gray_d = rd_d ^ (rd_d >> 1);

    assign m_valid = m_valid_q;
    assign m_data  = mem[rd_q[A-1:0]];

    always @(posedge m_clk) begin
        if (m_rst) begin
            rd_q      <= {(A+1){1'b0}};
            rd_gray_q <= {(A+1){1'b0}};
            m_valid_q <= 1'b0;
        end else begin
            rd_q      <= rd_d;
            rd_gray_q <= rd_gray_d;
            m_valid_q <= rd_gray_d != wr_gray_m;
        end
    end

    // The pointers cross, a synchroniser a bit.
    genvar i;
    for (i = 0; i <= A; i = i + 1) begin : g_bit
        rlc_sync_level #(.STAGES(STAGES)) u_wr (.clk(m_clk), .level_in(wr_gray_q[i]), .level_out(wr_gray_m[i]));
        rlc_sync_level #(.STAGES(STAGES)) u_rd (.clk(s_clk), .level_in(rd_gray_q[i]), .level_out(rd_gray_s[i]));
    end
endmodule
`default_nettype wire
