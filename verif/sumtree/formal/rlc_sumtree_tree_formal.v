// rlc_sumtree_tree_formal.v — the tree answers as an array of priorities would, one operation and one sample a clock.
// SPDX-License-Identifier: Apache-2.0
//
// Beside the tree stands the array itself: `leaves`, changed by an operation in the clock in which it enters. Delayed
// by c clocks it is the array as it was before the operation that entered c clocks ago. So each memory and each sum
// of the tree has one such array that it must agree with, at every clock: the head with c = 0, the total with the
// clock of the total, a level with the clock of its write. These agreements are the whole of what the tree
// remembers; everything else is a pipeline, which a trace longer than EXIT_CLOCK fills with what the trace itself
// sent in. That is why the induction holds.
//
// Sums of the array are taken one bit wider than any sum of the tree, so agreement also says that nothing overflows.
// It starts with everything 0, as a clear leaves it (rlc_sumtree_clear_formal.v proves that it does), and no sweep
// comes later.
`default_nettype none
module rlc_sumtree_tree_formal #(
    parameter LEAVES_LOG2    = 2,    // levels of two children each; 2 or 3
    parameter PRIORITY_WIDTH = 2,
    parameter DRAW_WIDTH     = 2,
    parameter SHARED         = 0,
    parameter WIDE_LATENCY   = 1
) (
    input wire                                  clk,
    input wire                                  op_write,
    input wire                                  op_read,
    input wire [1:0]                            op_mark,
    input wire [LEAVES_LOG2-1:0]                op_index,
    input wire [PRIORITY_WIDTH-1:0]             op_priority,
    input wire                                  sample_valid,
    input wire [1:0]                            sample_kind,
    input wire [DRAW_WIDTH-1:0]                 sample_draw,
    input wire [LEAVES_LOG2+PRIORITY_WIDTH-1:0] sample_target
);
    localparam RADIX_LOG2       = 1;
    localparam CAPACITY         = 1 << LEAVES_LOG2;
    localparam GENERATION_WIDTH = 1;
    localparam HEAD_STYLE       = 2;
    localparam HEAD_LATENCY     = 1;
    localparam NARROW_STYLE     = 2;
    localparam NARROW_LATENCY   = 1;
    localparam WIDE_STYLE       = 2;
    localparam BYPASS           = 0;
    localparam ADDS             = 2;
    localparam SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2;
    `include "rlc_sumtree_defs.vh"

    localparam W      = PRIORITY_WIDTH;
    localparam LEAVES = 1 << LEAVES_LOG2;
    localparam BITS   = LEAVES * W;
    localparam SUM    = SUM_WIDTH + 1;

    wire [W-1:0]           old;
    wire                   answer_valid;
    wire [1:0]             answer_status;
    wire [LEAVES_LOG2-1:0] answer_index;
    wire [W-1:0]           answer_priority;
    wire [SUM_WIDTH-1:0] answer_total;
    wire [1:0]             exit_mark;
    wire [SUM_WIDTH-1:0] total;
    rlc_sumtree_tree #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .PRIORITY_WIDTH(W), .DRAW_WIDTH(DRAW_WIDTH),
        .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_LATENCY(HEAD_LATENCY),
        .NARROW_LATENCY(NARROW_LATENCY), .WIDE_LATENCY(WIDE_LATENCY)
    ) dut (
        .clk(clk), .rst(1'b0),
        .op_write(op_write), .op_read(op_read), .op_sweep(1'b0), .op_mark(op_mark), .op_index(op_index),
        .op_priority(op_priority), .old(old),
        .sample_valid(sample_valid), .sample_kind(sample_kind), .sample_draw(sample_draw),
        .sample_target(sample_target),
        .answer_valid(answer_valid), .answer_status(answer_status), .answer_index(answer_index),
        .answer_priority(answer_priority), .answer_total(answer_total), .exit_mark(exit_mark), .total(total)
    );

    // ---- the array, and what it was for each operation on the way.
    reg  [BITS-1:0]            leaves = 0;
    reg  [EXIT_CLOCK*BITS-1:0] earlier = 0;      // c clocks ago at (c-1)*BITS
    wire [(EXIT_CLOCK+1)*BITS-1:0] leaves_at = {earlier, leaves};
    integer n;
    always @(posedge clk) begin
        if (op_write) leaves[op_index*W +: W] <= op_priority;
        earlier <= {earlier, leaves};
    end

    // Sum of `count` leaves from `first` on.
    function [SUM-1:0] sum_of;
        input [BITS-1:0] array;
        input integer    first;
        input integer    count;
        integer i;
        begin
            sum_of = 0;
            for (i = 0; i < LEAVES; i = i + 1)
                if (i >= first && i < first + count) sum_of = sum_of + array[i*W +: W];
        end
    endfunction

    // ---- operations and samples on the way.
    wire                   write_o, read_o;
    wire [LEAVES_LOG2-1:0] index_o;
    reg  [OLD_CLOCK*(2+LEAVES_LOG2)-1:0] op_line = 0;
    always @(posedge clk) op_line <= {op_line, op_write, op_read, op_index};
    assign {write_o, read_o, index_o} = op_line[(OLD_CLOCK-1)*(2+LEAVES_LOG2) +: 2+LEAVES_LOG2];

    localparam SAMPLE = 1 + 2 + DRAW_WIDTH + SUM_WIDTH;
    reg  [EXIT_CLOCK*SAMPLE-1:0] sample_line = 0;
    reg  [EXIT_CLOCK*2-1:0]      mark_line = 0;
    always @(posedge clk) begin
        sample_line <= {sample_line, sample_valid, sample_kind, sample_draw, sample_target};
        mark_line   <= {mark_line, op_mark};
    end
    wire                   valid_x;
    wire [1:0]             kind_x;
    wire [DRAW_WIDTH-1:0]  draw_x;
    wire [SUM_WIDTH-1:0] target_x;
    assign {valid_x, kind_x, draw_x, target_x} = sample_line[(EXIT_CLOCK-1)*SAMPLE +: SAMPLE];

    // Shared leaves: the caller keeps an operation away from the leaf read of a sample.
    always @* if (SHARED != 0 && sample_line[LEAF_CLOCK*SAMPLE-1]) assume (!op_write && !op_read);

    // ---- the promise. The array that a sample saw includes the operation of its own clock.
    wire [BITS-1:0] seen = leaves_at[(EXIT_CLOCK-1)*BITS +: BITS];
    wire [SUM-1:0]  seen_total = sum_of(seen, 0, LEAVES);
    wire [SUM+DRAW_WIDTH-1:0] product = seen_total * draw_x;
    wire [SUM-1:0]  drawn  = product >> DRAW_WIDTH;
    wire            below  = target_x < seen_total;
    wire [SUM-1:0]  target = (kind_x == SAMPLE_TARGET || (kind_x == SAMPLE_SOFT && below)) ? target_x : drawn;
    wire [SUM-1:0]  before = sum_of(seen, 0, answer_index);
    wire            ok     = answer_status == SAMPLE_OK;

    always @* begin
        assert (answer_valid == valid_x);
        assert (exit_mark == mark_line[(EXIT_CLOCK-1)*2-1 -: 2]);
        assert (answer_total == seen_total);
        if (answer_valid) begin
            assert ((answer_status == SAMPLE_EMPTY) == (seen_total == 0));
            assert ((answer_status == SAMPLE_RANGE) == (seen_total != 0 && kind_x == SAMPLE_TARGET && !below));
            if (ok) begin
                // The least index whose prefix passes the target, hence never one of priority 0.
                assert (before <= target && target < before + answer_priority);
                assert (answer_priority == seen[answer_index*W +: W]);
                assert (answer_priority != 0);
            end
        end
        if (write_o || read_o) assert (old == leaves_at[OLD_CLOCK*BITS + index_o*W +: W]);
        assert (total == sum_of(leaves_at[DELTA_CLOCK*BITS +: BITS], 0, LEAVES));
    end

    // ---- memories: every stored parent is the sum of the leaves below it.
    (* hierconn *) wire [2*W-1:0] \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[2] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[3] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[2] ;
    (* hierconn *) wire [2*W-1:0] \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[3] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].u_words.g_registers.word_q ;
    (* hierconn *) wire [W:0] \dut.g_place[1].u_words.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].u_words.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[2] ;
    (* hierconn *) wire [W:0] \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[3] ;
    (* hierconn *) wire [W+1:0] \dut.g_place[2].u_words.g_registers.word_q ;
    (* hierconn *) wire [W+1:0] \dut.g_place[2].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] ;
    (* hierconn *) wire [W+1:0] \dut.g_place[2].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ;

    // Only as many words as there are, and the words of the levels that there are, are connected.
    wire [8*W-1:0] head_words = {
        \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[3] , \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[2] ,
        \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[1] , \dut.g_head.u_head.g_memory.u_ram.g_memory.mem[0] };
    wire [8*W-1:0] leaf_words = {
        \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[3] , \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[2] ,
        \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[1] , \dut.g_place[0].u_words.g_memory.u_ram.g_memory.mem[0] };
    wire [4*(W+1)-1:0] sums_1 = {
        \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[3] ,
        \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[2] ,
        \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ,
        \dut.g_place[1].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] };
    wire [2*(W+1)-1:0] words_1 = {\dut.g_place[1].u_words.g_memory.u_ram.g_memory.mem[1] ,
        (LEAVES_LOG2 == 2) ? \dut.g_place[1].u_words.g_registers.word_q
                           : \dut.g_place[1].u_words.g_memory.u_ram.g_memory.mem[0] };
    wire [2*(W+2)-1:0] sums_2 = {
        \dut.g_place[2].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[1] ,
        \dut.g_place[2].g_inner.u_sums.u_sums.g_memory.u_ram.g_memory.mem[0] };
    wire [W+1:0] words_2 = \dut.g_place[2].u_words.g_registers.word_q ;

    wire [BITS-1:0] array_0 = leaves_at[(place_clock(0)-1)*BITS +: BITS];
    wire [BITS-1:0] array_1 = leaves_at[(place_clock(1)-1)*BITS +: BITS];
    wire [BITS-1:0] array_2 = leaves_at[(place_clock(2)-1)*BITS +: BITS];
    always @* begin
        if (SHARED == 0) assert (head_words[BITS-1:0] == leaves);
        assert (leaf_words[BITS-1:0] == array_0);
        for (n = 0; n < LEAVES/2; n = n + 1) begin
            assert (sums_1[n*(W+1) +: W+1] == sum_of(array_1, 2*n, 2));
            if (n % 2 == 0) assert (words_1[n/2*(W+1) +: W+1] == sum_of(array_1, 2*n, 2));
        end
        if (LEAVES_LOG2 == 3) begin
            assert (sums_2[0 +: W+2] == sum_of(array_2, 0, 4));
            assert (sums_2[W+2 +: W+2] == sum_of(array_2, 4, 4));
            assert (words_2 == sum_of(array_2, 0, 4));
        end
    end

    // At rest the arrays of all clocks are one, so each stored parent is the sum of the stored children as well.

    // Not vacuous: a sample sees the operation of its own clock; all leaves at their greatest; every status.
    reg [7:0] clocks = 8'd0;
    always @(posedge clk) clocks <= clocks + 8'd1;
    always @* begin
        cover (answer_valid && ok && answer_index == LEAVES - 2 && before != 0 && seen != leaves_at[EXIT_CLOCK*BITS +: BITS]);
        cover (answer_valid && ok && &seen && &answer_index);
        cover (answer_valid && answer_status == SAMPLE_RANGE);
        cover (answer_valid && answer_status == SAMPLE_EMPTY && clocks > EXIT_CLOCK + 2);
    end
endmodule
`default_nettype wire
