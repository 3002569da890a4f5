// rlc_sumtree_clear_formal.v — a clear leaves the core as the other proofs of the sum tree begin, whatever it was before.
// SPDX-License-Identifier: Apache-2.0
//
// The trace starts in any state at all, reachable or not, in the clock in which a CLEAR is taken or a reset is seen. A
// clear takes a fixed number of clocks, so a bounded trace is the whole proof: when busy falls, every memory, sum and
// line of operations is 0 and the ring is at its first slot.
`default_nettype none
module rlc_sumtree_clear_formal #(
    parameter SHARED       = 0,
    parameter WIDE_LATENCY = 1
) (
    input wire       clk,
    input wire       rst,
    input wire       s_op_valid,
    input wire [2:0] s_op_kind,
    input wire       s_sample_valid,
    input wire       m_op_ready,
    input wire       m_sample_ready
);
    localparam LEAVES_LOG2      = 2;
    localparam RADIX_LOG2       = 1;
    localparam CAPACITY         = 3;
    localparam PRIORITY_WIDTH   = 2;
    localparam DRAW_WIDTH       = 1;
    localparam GENERATION_WIDTH = 2;
    localparam HEAD_STYLE       = 2;
    localparam HEAD_LATENCY     = 1;
    localparam NARROW_STYLE     = 2;
    localparam NARROW_LATENCY   = 1;
    localparam WIDE_STYLE       = 2;
    localparam BYPASS           = 0;
    localparam ADDS             = 2;
    localparam SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2;
    `include "rlc_sumtree_defs.vh"

    localparam W    = PRIORITY_WIDTH;
    wire       s_op_ready, m_op_valid, s_sample_ready, m_sample_valid, busy;
    wire [1:0] next;
    wire       full;
    wire [2:0] capacity;
    wire [W-1:0] largest;
    rlc_sumtree #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(W),
        .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_LATENCY(HEAD_LATENCY),
        .NARROW_LATENCY(NARROW_LATENCY), .WIDE_LATENCY(WIDE_LATENCY)
    ) dut (
        .clk(clk), .rst(rst),
        .cfg_capacity(3'd3), .cfg_initial(2'd1), .cfg_strata(16'd0), .cfg_restart(1'b0),
        .cfg_seed_valid(1'b0), .cfg_seed(128'd0),
        .s_op_valid(s_op_valid), .s_op_ready(s_op_ready), .s_op_kind(s_op_kind), .s_op_check(1'b0), .s_op_max(1'b0),
        .s_op_beyond(1'b0), .s_op_index(2'd0), .s_op_generation(2'd0), .s_op_priority(2'd0),
        .m_op_valid(m_op_valid), .m_op_ready(m_op_ready),
        .s_sample_valid(s_sample_valid), .s_sample_ready(s_sample_ready), .s_sample_kind(2'd0), .s_sample_value(4'd0),
        .m_sample_valid(m_sample_valid), .m_sample_ready(m_sample_ready),
        .busy(busy), .next(next), .full(full), .capacity(capacity), .largest(largest)
    );

    (* hierconn *) wire [2:0] \dut.limit_q ;
    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* begin
        // The configuration has stood for a clock.
        if (!past) assume (\dut.limit_q == CAPACITY);
        if (!past) assume (rst || (s_op_valid && s_op_ready && s_op_kind == OP_CLEAR));
        if (past) assume (!rst);
    end

    // Up to and with the first clock in which it is not busy.
    reg cleared = 1'b0;
    always @(posedge clk) if (past && !busy) cleared <= 1'b1;

    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].u_words.g_registers.word_q ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [SUM_WIDTH-1:0] \dut.u_tree.u_total.total_q ;
    (* hierconn *) wire [SUM_WIDTH-1:0] \dut.u_tree.u_exit_total.total_q ;
    (* hierconn *) wire       \dut.u_slots.u_ring.only_q ;
    (* hierconn *) wire       \dut.u_slots.u_ring.last_q ;
    (* hierconn *) wire [2:0] \dut.u_slots.u_ring.second_q ;
    (* hierconn *) wire [1:0] \dut.u_exit_ring.next ;
    (* hierconn *) wire       \dut.u_exit_ring.last_q ;
    (* hierconn *) wire [2:0] \dut.u_exit_ring.capacity ;
    (* hierconn *) wire [EXIT_CLOCK-2:0] \dut.u_tree.u_write.g_line.line_q ;
    (* hierconn *) wire [EXIT_CLOCK-2:0] \dut.u_tree.u_sweep.g_line.line_q ;
    (* hierconn *) wire [2*EXIT_CLOCK-3:0] \dut.u_tree.u_mark.g_line.line_q ;
    (* hierconn *) wire [EXIT_CLOCK-1:0] \dut.u_tree.u_valid.g_line.line_q ;
    always @* if (past && !busy && !cleared) begin
        assert (SHARED != 0 || {\dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[1] , \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[0] } == 0);
        assert (\dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] == 0);
        assert (\dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] == 0);
        assert (\dut.u_tree.g_place[1].u_words.g_registers.word_q == 0);
        assert (\dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] == 0);
        assert (\dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] == 0);
        assert (\dut.u_tree.u_total.total_q == 0 && \dut.u_tree.u_exit_total.total_q == 0);
        assert (next == 0 && !full && capacity == CAPACITY && largest == 2'd1);
        assert (!\dut.u_slots.u_ring.only_q && !\dut.u_slots.u_ring.last_q && \dut.u_slots.u_ring.second_q == CAPACITY - 2);
        assert (\dut.u_exit_ring.next == 0 && !\dut.u_exit_ring.last_q && \dut.u_exit_ring.capacity == CAPACITY);
        // Nothing is on the way, neither an operation nor a sweep nor a sample.
        assert (\dut.u_tree.u_write.g_line.line_q == 0 && \dut.u_tree.u_sweep.g_line.line_q == 0);
        assert (\dut.u_tree.u_mark.g_line.line_q == 0 && \dut.u_tree.u_valid.g_line.line_q == 0);
    end

    // And busy does fall.
    reg [5:0] clocks = 6'd0;
    always @(posedge clk) clocks <= clocks + 6'd1;
    always @* if (clocks == 6'd24) assert (cleared);
endmodule
`default_nettype wire
