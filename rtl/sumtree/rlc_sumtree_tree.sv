// rlc_sumtree_tree.sv — the K-ary sum tree itself: one operation and one sample enter every clock and nothing stalls.
// SPDX-License-Identifier: Apache-2.0
//
// op_*        one slot a clock: op_write sets leaf op_index to op_priority; op_read looks it up; op_sweep zeroes the
//             leaf word of op_index and every sum above it; op_mark travels beside
// old         the leaf's priority before the operation, OLD_CLOCK clocks later
// sample_*    the sample of the same slot sees its operation and every one before it. Target: floor(draw*total / 2^U);
//             sample_target itself for SAMPLE_TARGET, and for SAMPLE_SOFT when it is below the total
// answer_*    EXIT_CLOCK clocks after the sample entered, in the order of entry; total is what the sample saw;
//             index and priority mean something with SAMPLE_OK only
// exit_mark   op_mark of the slot whose answer comes in the next clock
// shared      with SHARED = 1 the leaves have one read port: no operation may enter LEAF_CLOCK clocks after a sample
//
// Timing. Every level is written at a fixed clock of an operation, and read at a fixed clock of a sample, one clock
// later: so a sample finds exactly the operations of its own and earlier slots, in every level.
//
//      slot s     0           DELTA      TOTAL        place_clock(top)      ...   place_clock(0)     EXIT
//      operation  head r/w    delta      total+delta  write (clock - 1)     ...   write (clock - 1)
//      sample                            multiply     read, add, choose     ...   read, add, choose  answer
//
// With SHARED = 0 the head has a copy of the leaves of its own, read and written in clock 0.
`default_nettype none
module rlc_sumtree_tree #(
    `include "rlc_sumtree_parameters.vh"
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      op_write,
    input  wire                      op_read,
    input  wire                      op_sweep,
    input  wire [1:0]                op_mark,
    input  wire [INDEX_WIDTH-1:0]    op_index,
    input  wire [PRIORITY_WIDTH-1:0] op_priority,
    output wire [PRIORITY_WIDTH-1:0] old,
    input  wire                      sample_valid,
    input  wire [1:0]                sample_kind,
    input  wire [DRAW_WIDTH-1:0]     sample_draw,
    input  wire [SUM_WIDTH-1:0]      sample_target,
    output wire                      answer_valid,
    output wire [1:0]                answer_status,
    output wire [INDEX_WIDTH-1:0]    answer_index,
    output wire [PRIORITY_WIDTH-1:0] answer_priority,
    output wire [SUM_WIDTH-1:0]      answer_total,
    output wire [1:0]                exit_mark,
    output wire [SUM_WIDTH-1:0]      total
);
    `include "rlc_sumtree_defs.vh"

    localparam LEAF_INDEX  = (word_bits(0) > 0) ? word_bits(0) : 1;  // bits that number a leaf word
    localparam DELTA_WIDTH = PRIORITY_WIDTH + 1;
    localparam MULTIPLY    = TARGET_CLOCK - 1 - TOTAL_CLOCK;
    localparam WRITE_LEAF  = LEAF_CLOCK - 1;
    localparam TOP         = LEVELS - 1;

    // ---- operations: what is done, in lines that every level taps.
    wire [EXIT_CLOCK-1:0]   write_at, sweep_at;
    wire [2*EXIT_CLOCK-1:0] mark_at;
    rlc_sumtree_line #(.WIDTH(1), .TAPS(EXIT_CLOCK)) u_write (.clk(clk), .rst(rst), .d(op_write), .q(write_at));
    rlc_sumtree_line #(.WIDTH(1), .TAPS(EXIT_CLOCK)) u_sweep (.clk(clk), .rst(rst), .d(op_sweep), .q(sweep_at));
    rlc_sumtree_line #(.WIDTH(2), .TAPS(EXIT_CLOCK)) u_mark (.clk(clk), .rst(rst), .d(op_mark), .q(mark_at));
    assign exit_mark = mark_at[2*(EXIT_CLOCK-1) +: 2];

    // Clock 0: the leaf word that holds the old priority.
    wire [LEAF_LANES*PRIORITY_WIDTH-1:0] head_word, leaf_word;
    if (SHARED == 0) begin : g_head
        wire [LEAF_LANES-1:0] lane = {{(LEAF_LANES-1){1'b0}}, 1'b1} << op_index[LEAF_BITS-1:0];
        rlc_sumtree_words #(
            .LANES(LEAF_LANES), .LANE_WIDTH(PRIORITY_WIDTH), .WORD_BITS(word_bits(0)),
            .READ_LATENCY(HEAD_CLOCKS), .STYLE(HEAD_STYLE), .BYPASS(BYPASS)
        ) u_head (
            .clk(clk),
            .wr_en((op_write ? lane : {LEAF_LANES{1'b0}}) | {LEAF_LANES{op_sweep}}),
            .wr_index(op_index[INDEX_WIDTH-1 -: LEAF_INDEX]),
            .wr_data({LEAF_LANES{op_sweep ? {PRIORITY_WIDTH{1'b0}} : op_priority}}),
            .rd_en(op_write || op_read),
            .rd_index(op_index[INDEX_WIDTH-1 -: LEAF_INDEX]),
            .rd_data(head_word)
        );
    end else begin : g_head
        assign head_word = leaf_word;
    end

    // Clock HEAD_CLOCKS: its lane.
    wire [LEAF_BITS-1:0]      old_lane;
    reg  [PRIORITY_WIDTH-1:0] stored_q;
    rlc_delay #(.WIDTH(LEAF_BITS), .CLOCKS(HEAD_CLOCKS)) u_lane (.clk(clk), .d(op_index[LEAF_BITS-1:0]), .q(old_lane));
    always @(posedge clk) stored_q <= head_word[old_lane*PRIORITY_WIDTH +: PRIORITY_WIDTH];

    if (SHARED == 0) begin : g_old
        assign old = stored_q;
    end else begin : g_old
        wire                      hit;
        wire [PRIORITY_WIDTH-1:0] recent;
        rlc_sumtree_recent #(
            .INDEX_WIDTH(INDEX_WIDTH), .VALUE_WIDTH(PRIORITY_WIDTH), .WINDOW(WRITE_LEAF), .WAIT((OLD_CLOCK > 3) ? OLD_CLOCK - 3 : 0)
        ) u_recent (
            .clk(clk), .rst(rst), .valid(op_write), .index(op_index), .given(op_priority), .hit(hit), .value(recent)
        );
        assign old = hit ? recent : stored_q;
    end

    // Clock OLD_CLOCK: what the operation changes its leaf by.
    wire [PRIORITY_WIDTH-1:0] given;
    rlc_delay #(.WIDTH(PRIORITY_WIDTH), .CLOCKS(OLD_CLOCK)) u_given (.clk(clk), .d(op_priority), .q(given));
    reg signed [DELTA_WIDTH-1:0] delta_q;
    always @(posedge clk) delta_q <= write_at[OLD_CLOCK] ? {1'b0, given} - {1'b0, old} : {DELTA_WIDTH{1'b0}};

    // Clock DELTA_CLOCK: the total. The same sum once more at the exit spares every sample to carry its total.
    rlc_sumtree_total #(.WIDTH(SUM_WIDTH), .DELTA_WIDTH(DELTA_WIDTH)) u_total (
        .clk(clk), .rst(rst), .sweep(sweep_at[DELTA_CLOCK]), .delta(delta_q), .total(total)
    );
    localparam LAST_DELTA = (LEVELS > 1) ? place_clock(1) - 2 : DELTA_CLOCK;  // when the level above the leaves adds it
    wire signed [DELTA_WIDTH-1:0] last_delta, exit_delta;
    rlc_delay_ram #(.WIDTH(DELTA_WIDTH), .CLOCKS(EXIT_CLOCK-1-LAST_DELTA)) u_exit_delta (
        .clk(clk), .rst(rst), .d(last_delta), .q(exit_delta)
    );
    rlc_sumtree_total #(.WIDTH(SUM_WIDTH), .DELTA_WIDTH(DELTA_WIDTH)) u_exit_total (
        .clk(clk), .rst(rst),
        .sweep(sweep_at[EXIT_CLOCK-1]), .delta(exit_delta), .total(answer_total)
    );

    // ---- samples. Clock TOTAL_CLOCK: the target.
    wire                  sample_valid_t;
    wire [1:0]            sample_kind_t;
    wire [DRAW_WIDTH-1:0] sample_draw_t;
    wire [SUM_WIDTH-1:0]  sample_target_t;
    wire [EXIT_CLOCK:0]   valid_at;
    rlc_sumtree_line #(.WIDTH(1), .TAPS(EXIT_CLOCK+1)) u_valid (
        .clk(clk), .rst(rst), .d(sample_valid), .q(valid_at)
    );
    assign sample_valid_t = valid_at[TOTAL_CLOCK];
    rlc_delay_ram #(.WIDTH(2+DRAW_WIDTH+SUM_WIDTH), .CLOCKS(TOTAL_CLOCK)) u_sample (
        .clk(clk), .rst(rst),
        .d({sample_kind, sample_draw, sample_target}), .q({sample_kind_t, sample_draw_t, sample_target_t})
    );

    reg empty_q, below_q;
    reg [1:0] kind_q;
    always @(posedge clk) begin
        empty_q <= sample_valid_t && total == {SUM_WIDTH{1'b0}};
        below_q <= sample_target_t < total;
        kind_q  <= sample_kind_t;
    end
    wire by_target = kind_q == SAMPLE_TARGET || (kind_q == SAMPLE_SOFT && below_q);
    wire missed    = kind_q == SAMPLE_TARGET && !below_q;

    wire [SUM_WIDTH+DRAW_WIDTH-1:0] product;
    // As with the leaves' latency above, what is illegal is for rlc_sumtree to say, and not for what is below it.
    rlc_umul #(.A_WIDTH((SUM_WIDTH < 52) ? SUM_WIDTH : 52), .B_WIDTH(DRAW_WIDTH), .C_REG(BYPASS)) u_scale (
        .clk(clk), .a(total), .b(sample_draw_t), .p(product)
    );
    wire                 by_target_m;
    wire [SUM_WIDTH-1:0] target_m;
    rlc_delay #(.WIDTH(1), .CLOCKS(MULTIPLY-1)) u_by_target (.clk(clk), .d(by_target), .q(by_target_m));
    rlc_delay_ram #(.WIDTH(SUM_WIDTH), .CLOCKS(MULTIPLY)) u_target (
        .clk(clk), .rst(rst), .d(sample_target_t), .q(target_m)
    );
    reg [SUM_WIDTH-1:0] target_q;
    always @(posedge clk) target_q <= by_target_m ? target_m : product[DRAW_WIDTH +: SUM_WIDTH];

    // ---- levels, from the children of the root to the leaves.
    genvar p;
    for (p = TOP; p >= 0; p = p - 1) begin : g_place
        localparam BITS   = radix_bits(p);
        localparam BELOW  = bits_below(p);
        localparam WORDS  = word_bits(p);                  // log2 of the words
        localparam WORD_WIDTH = (WORDS > 0) ? WORDS : 1;
        localparam NODES  = WORDS + BITS;                  // log2 of the nodes
        localparam WIDTH  = PRIORITY_WIDTH + BELOW;        // of a node
        localparam CHILDREN = 1 << BITS;
        // The search never looks at the last child of a word; only a leaf's own value is wanted.
        localparam LANES  = (p == 0) ? CHILDREN : CHILDREN - 1;
        localparam CLOCK  = place_clock(p);
        localparam READ   = read_clocks(p);
        localparam SEARCH = level_clocks(p) - READ;

        // Operations: index and change come down from level to level. The new value of a node is written in the
        // clock before the sample of its slot reads it.
        localparam ENTER = enter_clock(p);
        wire [INDEX_WIDTH-1:0] index;  // in clock ENTER
        if (p == TOP) begin : g_index
            rlc_delay_ram #(.WIDTH(INDEX_WIDTH), .CLOCKS(ENTER)) u_index (
                .clk(clk), .rst(rst), .d(op_index), .q(index)
            );
        end else begin : g_index
            rlc_delay_ram #(.WIDTH(INDEX_WIDTH), .CLOCKS(ENTER-enter_clock(p+1))) u_index (
                .clk(clk), .rst(rst), .d(g_place[p+1].index), .q(index)
            );
        end
        wire             wr_valid, wr_sweep;
        wire [NODES-1:0] wr_node;
        wire [WIDTH-1:0] wr_value;
        if (p == 0) begin : g_leaf
            wire [PRIORITY_WIDTH-1:0] leaf;
            rlc_delay_ram #(.WIDTH(PRIORITY_WIDTH), .CLOCKS(WRITE_LEAF-OLD_CLOCK)) u_leaf (
                .clk(clk), .rst(rst), .d(given), .q(leaf)
            );
            assign wr_valid = write_at[ENTER];
            assign wr_sweep = sweep_at[ENTER];
            assign wr_node  = index;
            assign wr_value = wr_sweep ? {WIDTH{1'b0}} : leaf;
        end else begin : g_inner
            wire signed [DELTA_WIDTH-1:0] delta;  // in clock CLOCK-2
            wire                          written;
            if (p == TOP) begin : g_delta
                rlc_delay_ram #(.WIDTH(DELTA_WIDTH), .CLOCKS(CLOCK-2-DELTA_CLOCK)) u_delta (
                    .clk(clk), .rst(rst), .d(delta_q), .q(delta)
                );
            end else begin : g_delta
                rlc_delay_ram #(.WIDTH(DELTA_WIDTH), .CLOCKS(CLOCK-place_clock(p+1))) u_delta (
                    .clk(clk), .rst(rst), .d(g_place[p+1].g_inner.delta), .q(delta)
                );
            end
            rlc_sumtree_sums #(
                .WIDTH(WIDTH), .DELTA_WIDTH(DELTA_WIDTH), .NODE_WIDTH(NODES),
                .READ_LATENCY(digit_of(NARROW_LATENCY, p - 1)), .STYLE(digit_of(NARROW_STYLE, p - 1))
            ) u_sums (
                .clk(clk),
                .s_valid(write_at[ENTER]), .s_sweep(sweep_at[ENTER]),
                .s_node(index[INDEX_WIDTH-1 -: NODES]), .s_delta(delta),
                .m_valid(written), .m_sweep(wr_sweep), .m_node(wr_node), .m_sum(wr_value)
            );
            assign wr_valid = written && !wr_sweep;
        end
        wire [CHILDREN-1:0] wr_lane = ({{(CHILDREN-1){1'b0}}, wr_valid} << wr_node[BITS-1:0])
                                    | {CHILDREN{wr_sweep}};

        // Samples: the word, then the choice in it.
        wire [SUM_WIDTH-1-WORDS:0] target;
        wire [INDEX_WIDTH-1:0]     above;  // choices above, in the low WORDS bits
        wire [CHILDREN*WIDTH-1:0]  word;
        wire [BITS-1:0]            choice;
        wire [WIDTH-1:0]           rest, value;
        wire [SUM_WIDTH-1-WORDS:0] target_r;
        wire [INDEX_WIDTH-1:0]     above_x;
        wire                       read_op = SHARED != 0 && p == 0 && (op_write || op_read);
        wire [WORD_WIDTH-1:0]      rd_index = read_op ? op_index[INDEX_WIDTH-1 -: WORD_WIDTH]
                                                      : above[WORD_WIDTH-1:0];
        rlc_sumtree_words #(
            .LANES(LANES), .LANE_WIDTH(WIDTH), .WORD_BITS(WORDS), .READ_LATENCY(READ),
            .STYLE(digit_of(WIDE_STYLE, p)), .BYPASS(BYPASS)
        ) u_words (
            .clk(clk),
            .wr_en(wr_lane[LANES-1:0]), .wr_index(wr_node[NODES-1 -: WORD_WIDTH]), .wr_data({LANES{wr_value}}),
            .rd_en(valid_at[CLOCK] || read_op), .rd_index(rd_index), .rd_data(word[LANES*WIDTH-1:0])
        );
        if (LANES < CHILDREN) begin : g_last
            assign word[CHILDREN*WIDTH-1 -: WIDTH] = {WIDTH{1'b0}};
        end
        rlc_delay #(.WIDTH(SUM_WIDTH-WORDS), .CLOCKS(READ)) u_target (.clk(clk), .d(target), .q(target_r));
        rlc_sumtree_pick #(.BITS(BITS), .WIDTH(WIDTH), .ADDS(ADDS), .LEAF(p == 0)) u_pick (
            .clk(clk), .word(word), .target(target_r), .choice(choice), .rest(rest), .value(value)
        );
        if (p == TOP) begin : g_top
            assign target   = target_q;
            assign above   = {INDEX_WIDTH{1'b0}};
            assign above_x = {INDEX_WIDTH{1'b0}};
        end else begin : g_below
            assign target = g_place[p+1].rest;
            assign above = g_place[p+1].after;
            rlc_delay_ram #(.WIDTH(WORD_WIDTH), .CLOCKS(READ+SEARCH)) u_above (
                .clk(clk), .rst(rst), .d(above[WORD_WIDTH-1:0]), .q(above_x[WORD_WIDTH-1:0])
            );
            if (WORD_WIDTH < INDEX_WIDTH) begin : g_upper
                assign above_x[INDEX_WIDTH-1:WORD_WIDTH] = {(INDEX_WIDTH-WORD_WIDTH){1'b0}};
            end
        end
        wire [INDEX_WIDTH+BITS-1:0] longer = {above_x, choice};
        wire [INDEX_WIDTH-1:0]      after = longer[INDEX_WIDTH-1:0];
    end
    assign leaf_word = g_place[0].word;
    if (LEVELS > 1) begin : g_last_delta
        assign last_delta = g_place[1].g_inner.delta;
    end else begin : g_last_delta
        assign last_delta = delta_q;
    end

    // Clock EXIT_CLOCK: the answer.
    wire empty_x, missed_x;
    rlc_delay_ram #(.WIDTH(2), .CLOCKS(EXIT_CLOCK-TOTAL_CLOCK-1)) u_status (
        .clk(clk), .rst(rst), .d({empty_q, missed}), .q({empty_x, missed_x})
    );
    assign answer_valid    = valid_at[EXIT_CLOCK];
    assign answer_status   = empty_x ? SAMPLE_EMPTY : missed_x ? SAMPLE_RANGE : SAMPLE_OK;
    assign answer_index    = g_place[0].after;
    assign answer_priority = g_place[0].value;
endmodule
`default_nettype wire
