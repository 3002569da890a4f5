// rlc_sumtree_formal.v — the whole core answers as the contract says, for any traffic at its ports.
// SPDX-License-Identifier: Apache-2.0
//
// Beside the core stands its contract: leaves, next slot, lap, full and largest priority, changed by an operation in
// the clock in which it is taken. Delayed by c clocks it is the state before the operation taken c clocks ago, and
// each answer is compared with the state that belongs to it, where it enters the queue of answers. rlc_fifo proves
// that the queue hands it on; here is proved that the queue always has room. Draws are any numbers
// (rlc_sumtree_draw_any). Memories and registers that remember must agree with the delayed state, as in
// rlc_sumtree_tree_formal.v; the rest is a pipeline that the trace fills by itself.
//
// It starts as a clear leaves the core, which rlc_sumtree_clear.sby proves. With CLEARS = 0 nobody asks for another
// clear, and the proof is by induction; with CLEARS = 1 they may, and the proof is bounded.
`default_nettype none
module rlc_sumtree_formal #(
    parameter SHARED         = 0,
    parameter WIDE_LATENCY   = 1,
    parameter PRIORITY_WIDTH = 1,
    parameter CLEARS         = 0
) (
    input wire                      clk,
    input wire                      s_op_valid,
    input wire [2:0]                s_op_kind,
    input wire                      s_op_check,
    input wire                      s_op_max,
    input wire                      s_op_beyond,
    input wire [1:0]                s_op_index,
    input wire [1:0]                s_op_generation,
    input wire [PRIORITY_WIDTH-1:0] s_op_priority,
    input wire                      m_op_ready,
    input wire                      s_sample_valid,
    input wire [1:0]                s_sample_kind,
    input wire [PRIORITY_WIDTH+1:0] s_sample_value,
    input wire                      m_sample_ready
);
    localparam LEAVES_LOG2      = 2;
    localparam RADIX_LOG2       = 1;
    localparam CAPACITY         = 3;
    localparam DRAW_WIDTH       = 1;
    localparam GENERATION_WIDTH = 2;
    localparam HEAD_STYLE       = 2;
    localparam HEAD_LATENCY     = 1;
    localparam NARROW_STYLE     = 2;
    localparam NARROW_LATENCY   = 1;
    localparam WIDE_STYLE       = 2;
    localparam BYPASS           = 0;
    localparam ADDS             = 2;
    localparam [31:0] INITIAL   = 1;
    localparam SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2;
    `include "rlc_sumtree_defs.vh"

    localparam W    = PRIORITY_WIDTH;
    localparam BITS = 4 * W;
    localparam SUM  = SUM_WIDTH + 1;
    localparam OP_DEPTH     = OLD_CLOCK + 8;
    localparam SAMPLE_DEPTH = EXIT_CLOCK + 8;
    localparam ENTER        = 3;     // clocks from acceptance to the tree

    wire       s_op_ready, m_op_valid, s_sample_ready, m_sample_valid, busy;
    wire [1:0] next;
    wire       full;
    rlc_sumtree #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(W),
        .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_LATENCY(HEAD_LATENCY),
        .NARROW_LATENCY(NARROW_LATENCY), .WIDE_LATENCY(WIDE_LATENCY)
    ) dut (
        .clk(clk), .rst(1'b0),
        .cfg_capacity(3'd3), .cfg_initial(INITIAL[W-1:0]), .cfg_strata(16'd0), .cfg_restart(1'b0),
        .cfg_seed_valid(1'b0), .cfg_seed(128'd0),
        .s_op_valid(s_op_valid), .s_op_ready(s_op_ready), .s_op_kind(s_op_kind), .s_op_check(s_op_check),
        .s_op_max(s_op_max), .s_op_beyond(s_op_beyond), .s_op_index(s_op_index), .s_op_generation(s_op_generation),
        .s_op_priority(s_op_priority),
        .m_op_valid(m_op_valid), .m_op_ready(m_op_ready),
        .s_sample_valid(s_sample_valid), .s_sample_ready(s_sample_ready), .s_sample_kind(s_sample_kind),
        .s_sample_value(s_sample_value),
        .m_sample_valid(m_sample_valid), .m_sample_ready(m_sample_ready),
        .busy(busy), .next(next), .full(full)
    );
    always @* if (CLEARS == 0) assume (s_op_kind != OP_CLEAR);

    // ---- the contract.
    wire op_taken     = s_op_valid && s_op_ready;
    wire sample_taken = s_sample_valid && s_sample_ready;
    reg [BITS-1:0] leaves = 0;
    reg [1:0]      place = 0;
    reg [1:0]      lap = 0;
    reg            all = 0;
    reg [W-1:0]    greatest = INITIAL;

    wire takes  = s_op_kind == OP_INSERT || s_op_kind == OP_RESERVE;
    wire names  = s_op_kind == OP_UPDATE || s_op_kind == OP_COMMIT || s_op_kind == OP_READ;
    wire clears = s_op_kind == OP_CLEAR;
    wire gives  = s_op_kind == OP_UPDATE || s_op_kind == OP_COMMIT || s_op_kind == OP_INSERT;
    wire checks = s_op_kind == OP_COMMIT || (s_op_kind == OP_UPDATE && s_op_check);
    wire [1:0] present = lap + (s_op_index < place ? 2'd1 : 2'd0);
    wire [1:0] status  = !(takes || names || clears) ? OP_KIND
                       : names && (s_op_beyond || s_op_index >= CAPACITY) ? OP_RANGE
                       : checks && present != s_op_generation ? OP_STALE : OP_OK;
    wire       done  = op_taken && status == OP_OK;
    wire [1:0] slot  = takes ? place : clears ? 2'd0 : s_op_index;
    wire [W-1:0] given = !gives ? {W{1'b0}} : s_op_max ? greatest : s_op_priority;
    wire [W-1:0] before = (status == OP_OK && !clears) ? leaves[slot*W +: W] : {W{1'b0}};
    wire [1:0] tag   = (clears || status == OP_RANGE || status == OP_KIND) ? 2'd0 : takes ? lap + 2'd1 : present;
    always @(posedge clk) begin
        if (done && clears) leaves <= 0;
        else if (done && (gives || takes)) leaves[slot*W +: W] <= given;
        if (done && clears) begin
            place    <= 2'd0;
            lap      <= lap + 2'd2;
            all      <= 1'b0;
            greatest <= INITIAL;
        end else begin
            if (done && takes) begin
                place <= (place == CAPACITY - 1) ? 2'd0 : place + 2'd1;
                if (place == CAPACITY - 1) lap <= lap + 2'd1;
                if (place == CAPACITY - 1) all <= 1'b1;
            end
            if (done && given > greatest) greatest <= given;
        end
    end

    // ---- the same, delayed: clock c at c-1.
    localparam CLOCKS = EXIT_CLOCK + ENTER + 1;
    localparam STATE  = BITS + 2 + 2 + 1 + W;
    reg  [CLOCKS*STATE-1:0] state_line = {CLOCKS{{BITS{1'b0}}, 5'd0, INITIAL[W-1:0]}};
    wire [(CLOCKS+1)*STATE-1:0] state_at = {state_line, leaves, place, lap, all, greatest};
    always @(posedge clk) state_line <= state_at[CLOCKS*STATE-1:0];

    localparam OP = 1 + 3 + 2 + 2 + 2 + W;
    localparam OP_CLOCKS = OLD_CLOCK + ENTER;
    reg  [OP_CLOCKS*OP-1:0] op_line = 0;
    always @(posedge clk) op_line <= {op_line, op_taken, s_op_kind, status, slot, tag, before};

    (* hierconn *) wire \dut.draw ;
    wire drawn_1 = (s_sample_kind == SAMPLE_GIVEN) ? s_sample_value[0] : \dut.draw ;
    localparam SAMPLE = 1 + 2 + 1 + SUM_WIDTH;
    reg  [CLOCKS*SAMPLE-1:0] sample_line = 0;
    always @(posedge clk) sample_line <= {sample_line, sample_taken, s_sample_kind, drawn_1, s_sample_value};

    function [SUM-1:0] sum_of;
        input [BITS-1:0] array;
        input integer    first;
        input integer    count;
        integer i;
        begin
            sum_of = 0;
            for (i = 0; i < 4; i = i + 1)
                if (i >= first && i < first + count) sum_of = sum_of + array[i*W +: W];
        end
    endfunction

    // ---- answers to operations, where they enter the queue.
    (* hierconn *) wire         \dut.op_valid_x ;
    (* hierconn *) wire         \dut.op_old_x ;
    (* hierconn *) wire [2:0]   \dut.op_kind_x ;
    (* hierconn *) wire [1:0]   \dut.op_status_x ;
    (* hierconn *) wire [1:0]   \dut.op_index_x ;
    (* hierconn *) wire [1:0]   \dut.op_generation_x ;
    (* hierconn *) wire [W-1:0] \dut.old ;
    wire         op_valid_x;
    wire [2:0]   op_kind_x;
    wire [1:0]   op_status_x, op_slot_x, op_tag_x;
    wire [W-1:0] op_before_x;
    assign {op_valid_x, op_kind_x, op_status_x, op_slot_x, op_tag_x, op_before_x} = op_line[(OP_CLOCKS-1)*OP +: OP];
    always @* begin
        assert (\dut.op_valid_x == op_valid_x);
        if (op_valid_x) begin
            assert (\dut.op_kind_x == op_kind_x);
            assert (\dut.op_status_x == op_status_x);
            assert (\dut.op_index_x == op_slot_x);
            assert (\dut.op_generation_x == op_tag_x);
            assert ((\dut.op_old_x ? \dut.old : {W{1'b0}}) == op_before_x);
        end
    end

    // ---- answers to samples, where they enter the queue.
    (* hierconn *) wire                   \dut.answer_q ;
    (* hierconn *) wire [1:0]             \dut.answer_status_q ;
    (* hierconn *) wire [1:0]             \dut.answer_index_q ;
    (* hierconn *) wire [W-1:0]           \dut.answer_priority_q ;
    (* hierconn *) wire [SUM_WIDTH-1:0] \dut.answer_total_q ;
    (* hierconn *) wire [1:0]             \dut.answer_generation_q ;
    wire [1:0]   index    = \dut.answer_index_q ;
    wire [W-1:0] priority = \dut.answer_priority_q ;
    wire                   valid_x;
    wire [1:0]             kind_x;
    wire                   draw_x;
    wire [SUM_WIDTH-1:0] target_x;
    assign {valid_x, kind_x, draw_x, target_x} = sample_line[(CLOCKS-1)*SAMPLE +: SAMPLE];
    wire [BITS-1:0] seen;
    wire [1:0]      seen_place, seen_lap;
    wire            seen_all;
    wire [W-1:0]    seen_greatest;
    assign {seen, seen_place, seen_lap, seen_all, seen_greatest} = state_at[(EXIT_CLOCK+ENTER)*STATE +: STATE];
    wire [SUM-1:0] seen_total = sum_of(seen, 0, 4);
    wire           below      = target_x < seen_total;
    wire [SUM-1:0] target     = (kind_x == SAMPLE_TARGET || (kind_x == SAMPLE_SOFT && below)) ? target_x
                              : draw_x ? seen_total >> 1 : {SUM{1'b0}};
    wire [SUM-1:0] prefix     = sum_of(seen, 0, index);
    always @* begin
        assert (\dut.answer_q == valid_x);
        if (valid_x) begin
            assert (\dut.answer_total_q == seen_total);
            assert ((\dut.answer_status_q == SAMPLE_EMPTY) == (seen_total == 0));
            assert ((\dut.answer_status_q == SAMPLE_RANGE) == (seen_total != 0 && kind_x == SAMPLE_TARGET && !below));
            if (\dut.answer_status_q == SAMPLE_OK) begin
                assert (priority != 0 && index < CAPACITY);
                assert (priority == seen[index*W +: W]);
                assert (prefix <= target && target < prefix + priority);
                assert (\dut.answer_generation_q == seen_lap + (index < seen_place ? 2'd1 : 2'd0));
            end else begin
                assert (index == 0 && priority == 0 && \dut.answer_generation_q == 0);
            end
        end
    end

    // ---- the queues of answers have room for what comes, and nothing is ever stuck.
    (* hierconn *) wire [$clog2(OP_DEPTH+1)-1:0]     \dut.u_op_credit.free_q ;
    (* hierconn *) wire [$clog2(OP_DEPTH+1)-1:0]     \dut.u_op_answers.u_fifo.count_q ;
    (* hierconn *) wire [$clog2(SAMPLE_DEPTH+1)-1:0] \dut.u_sample_credit.free_q ;
    (* hierconn *) wire [$clog2(SAMPLE_DEPTH+1)-1:0] \dut.u_sample_answers.u_fifo.count_q ;
    (* hierconn *) wire \dut.u_op_credit.room_q ;
    (* hierconn *) wire \dut.u_op_answers.u_fifo.m_valid_q ;
    (* hierconn *) wire \dut.u_sample_credit.room_q ;
    (* hierconn *) wire \dut.u_sample_answers.u_fifo.m_valid_q ;
    reg [7:0] ops_inside, samples_inside;
    integer n;
    always @* begin
        ops_inside     = \dut.u_op_answers.u_fifo.count_q ;
        samples_inside = \dut.u_sample_answers.u_fifo.count_q ;
        for (n = 0; n < OP_CLOCKS; n = n + 1) ops_inside = ops_inside + op_line[(n+1)*OP-1];
        for (n = 0; n < CLOCKS; n = n + 1) samples_inside = samples_inside + sample_line[(n+1)*SAMPLE-1];
        assert (\dut.u_op_credit.free_q + ops_inside == OP_DEPTH);
        assert (\dut.u_sample_credit.free_q + samples_inside == SAMPLE_DEPTH);
        assert (\dut.u_op_credit.room_q == (\dut.u_op_credit.free_q != 0));
        assert (\dut.u_sample_credit.room_q == (\dut.u_sample_credit.free_q != 0));
        assert (\dut.u_op_answers.u_fifo.m_valid_q == (\dut.u_op_answers.u_fifo.count_q != 0));
        assert (\dut.u_sample_answers.u_fifo.m_valid_q == (\dut.u_sample_answers.u_fifo.count_q != 0));
    end

    // ---- what the core remembers.
    (* hierconn *) wire         \dut.clearing_q ;
    (* hierconn *) wire         \dut.sweep_q ;
    (* hierconn *) wire [1:0]   \dut.u_slots.u_ring.next ;
    (* hierconn *) wire [1:0]   \dut.u_slots.u_ring.lap ;
    (* hierconn *) wire         \dut.u_slots.u_ring.full ;
    (* hierconn *) wire [2:0]   \dut.u_slots.u_ring.capacity ;
    (* hierconn *) wire [W-1:0] \dut.u_slots.largest ;
    (* hierconn *) wire [1:0]   \dut.u_exit_ring.next ;
    (* hierconn *) wire [1:0]   \dut.u_exit_ring.lap ;
    (* hierconn *) wire [2:0]   \dut.u_exit_ring.capacity ;
    (* hierconn *) wire [1:0]   \dut.u_slots.u_ring.ahead ;
    (* hierconn *) wire [1:0]   \dut.u_exit_ring.ahead ;
    (* hierconn *) wire         \dut.u_slots.u_ring.only_q ;
    (* hierconn *) wire         \dut.u_exit_ring.only_q ;
    (* hierconn *) wire         \dut.u_slots.u_ring.last_q ;
    (* hierconn *) wire         \dut.u_exit_ring.last_q ;
    (* hierconn *) wire [2:0]   \dut.u_slots.u_ring.second_q ;
    (* hierconn *) wire [2:0]   \dut.u_exit_ring.second_q ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].u_words.g_registers.word_q ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [W:0] \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [SUM_WIDTH-1:0] \dut.u_tree.u_total.total_q ;
    (* hierconn *) wire [SUM_WIDTH-1:0] \dut.u_tree.u_exit_total.total_q ;
    wire [BITS-1:0] array_0 = state_at[(place_clock(0)+ENTER)*STATE-1 -: BITS];
    wire [BITS-1:0] array_1 = state_at[(place_clock(1)+ENTER)*STATE-1 -: BITS];
    wire [2*W-1:0]  head_0 = \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[0] ;
    wire [2*W-1:0]  head_1 = \dut.u_tree.g_head.u_head.g_memory.u_ram.g_memory.mem[1] ;
    wire [2*W-1:0]  leaf_0 = \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] ;
    wire [2*W-1:0]  leaf_1 = \dut.u_tree.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] ;
    wire [W:0]      sum_0  = \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] ;
    wire [W:0]      sum_1  = \dut.u_tree.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ;
    wire [W:0]      word_1 = \dut.u_tree.g_place[1].u_words.g_registers.word_q ;
    always @* if (CLEARS == 0) begin
        assert (!\dut.clearing_q && !\dut.sweep_q );
        assert (place < CAPACITY && leaves[3*W +: W] == 0);
        assert (\dut.u_slots.u_ring.next == state_at[STATE+W+3 +: 2]);
        assert (\dut.u_slots.u_ring.lap == state_at[STATE+W+1 +: 2]);
        assert (\dut.u_slots.u_ring.full == state_at[STATE+W]);
        assert (\dut.u_slots.largest == state_at[2*STATE +: W]);
        assert (\dut.u_slots.u_ring.capacity == CAPACITY && \dut.u_exit_ring.capacity == CAPACITY);
        assert (\dut.u_exit_ring.next == state_at[(EXIT_CLOCK+ENTER-1)*STATE+W+3 +: 2]);
        assert (\dut.u_exit_ring.lap == state_at[(EXIT_CLOCK+ENTER-1)*STATE+W+1 +: 2]);
        assert (\dut.u_slots.u_ring.ahead == \dut.u_slots.u_ring.lap + 2'd1);
        assert (\dut.u_exit_ring.ahead == \dut.u_exit_ring.lap + 2'd1);
        assert (!\dut.u_slots.u_ring.only_q && !\dut.u_exit_ring.only_q );
        assert (\dut.u_slots.u_ring.second_q == CAPACITY - 2 && \dut.u_exit_ring.second_q == CAPACITY - 2);
        assert (\dut.u_slots.u_ring.last_q == (\dut.u_slots.u_ring.next == CAPACITY - 1));
        assert (\dut.u_exit_ring.last_q == (\dut.u_exit_ring.next == CAPACITY - 1));
        if (SHARED == 0) assert ({head_1, head_0} == state_at[(ENTER+1)*STATE-1 -: BITS]);
        assert ({leaf_1, leaf_0} == array_0);
        assert (sum_0 == sum_of(array_1, 0, 2) && sum_1 == sum_of(array_1, 2, 2) && word_1 == sum_of(array_1, 0, 2));
        assert (\dut.u_tree.u_total.total_q == sum_of(state_at[(DELTA_CLOCK+ENTER+1)*STATE-1 -: BITS], 0, 4));
        assert (\dut.u_tree.u_exit_total.total_q == sum_of(state_at[(EXIT_CLOCK+ENTER)*STATE-1 -: BITS], 0, 4));
    end

    // Not vacuous.
    always @* begin
        cover (valid_x && \dut.answer_status_q == SAMPLE_OK && index == 2'd2 && prefix != 0 && seen_place == 2'd0);
        cover (op_valid_x && op_status_x == OP_STALE && op_kind_x == OP_COMMIT && \dut.answer_q );
        cover (\dut.u_sample_answers.u_fifo.count_q == 5'd2 && m_op_valid);
    end
endmodule
`default_nettype wire
