// rlc_sumtree.sv — the Replay Management Module of one bank: prioritised sampling, update and insertion, one sample
// and one operation a clock, exact, in one order.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/sumtree.md (operations, order, latency, cost). Kinds and status: rlc_sumtree_kinds.vh.
//
// s_op_* / m_op_*          operations and their answers, valid/ready; every operation is answered, in order.
//                          s_op_beyond: the index is beyond the tree, whatever s_op_index says
// s_sample_* / m_sample_*  requests and answers, valid/ready, in order. A request taken in the clock in which an
//                          operation is taken sees that operation
// cfg_*                    capacity and initial priority are taken by CLEAR and reset, and have to stand from the clock
//                          before until busy falls; strata by restart and seed
// busy                     the memories are being cleared, after reset and after CLEAR; both ready are low
// total, size, next, full, largest, capacity  state after the operations that entered some clocks ago
// ev_*                     one pulse for each refused operation, empty answer and missed target
// throughput               SHARED = 0: one operation and one sample a clock. SHARED = 1: half of each
`include "rlc_sumtree_ports.vh"
`default_nettype none
module rlc_sumtree #(
    `include "rlc_sumtree_parameters.vh"
    , parameter STRATA = 1 // 1: draws may be stratified
) (
    input  wire clk,
    input  wire rst,
    `RLC_SUMTREE_CFG(input wire, `RLC_COMMA),
    `RLC_SUMTREE_REQUESTS(input wire, input wire, output wire, 1, `RLC_COMMA),
    `RLC_SUMTREE_ANSWERS(output wire, input wire, output wire, 1, SUM_WIDTH, `RLC_COMMA),
    `RLC_SUMTREE_STATE(output wire, output wire, `RLC_COMMA),
    output wire [INDEX_WIDTH-1:0] next,
    output wire                   full
);
    `include "rlc_sumtree_defs.vh"

    `RLC_SUMTREE_LEGAL(rlc_sumtree)
    `RLC_CHECK(digits_ok(RADIX_LOG2, 1, 6), rlc_sumtree_illegal_every_digit_of_RADIX_LOG2_must_be_1_to_6)
    `RLC_CHECK(CAPACITY <= (1 << LEAVES_LOG2), rlc_sumtree_illegal_CAPACITY_must_be_at_most_2_to_the_LEAVES_LOG2)
    `RLC_CHECK(PRIORITY_WIDTH + LEAVES_LOG2 <= 52,
               rlc_sumtree_illegal_PRIORITY_WIDTH_and_LEAVES_LOG2_must_be_at_most_52_together)
    `RLC_CHECK(digits_ok(NARROW_STYLE, 0, 3) && digits_ok(WIDE_STYLE, 0, 3),
               rlc_sumtree_illegal_every_digit_of_NARROW_STYLE_and_WIDE_STYLE_must_be_0_to_3)
    `RLC_CHECK(digits_ok(NARROW_LATENCY, 1, 5) && digits_ok(WIDE_LATENCY, 1, 5),
               rlc_sumtree_illegal_every_digit_of_NARROW_LATENCY_and_WIDE_LATENCY_must_be_1_to_5)
    `RLC_CHECK(SHARED == 0 || (LEVELS > 1 && digit_of(WIDE_LATENCY, 0) >= 2),
               rlc_sumtree_illegal_SHARED_needs_two_levels_and_a_leaf_WIDE_LATENCY_of_2_or_more)
    `RLC_CHECK(BYPASS == 0 || ((SHARED == 1 || HEAD_LATENCY >= 2) && digits_ok(WIDE_LATENCY, 2, 5)),
               rlc_sumtree_illegal_BYPASS_needs_HEAD_LATENCY_and_WIDE_LATENCY_of_2_or_more)
    `RLC_CHECK(enter_in_order(0),
               rlc_sumtree_illegal_a_digit_of_NARROW_LATENCY_must_not_exceed_the_next_one_by_more_than_a_level_takes)

    localparam CLEAR_WORDS = word_bits(0);          // log2 of the words that a clear sweeps
    localparam SETTLE      = EXIT_CLOCK + 5;        // and the clocks until the last of them has arrived everywhere
    localparam OP_DEPTH     = OLD_CLOCK + 8;        // answers on the way or waiting, enough for one a clock
    localparam SAMPLE_DEPTH = EXIT_CLOCK + 8;
    localparam TREE_CLOCK   = 3;                    // from acceptance to the tree
    localparam [31:0] MOST        = CAPACITY;
    localparam [31:0] SETTLE_LAST = SETTLE - 1;
    localparam SETTLE_WIDTH = $clog2(SETTLE + 1);

    // ---- acceptance: an answer needs a place, a clear stops both ports, shared leaves are read by one at a time.
    wire op_accept     = s_op_valid && s_op_ready;
    wire sample_accept = s_sample_valid && s_sample_ready;
    wire op_room, sample_room, op_turn, sample_turn, draw_valid;
    reg  clearing_q;
    assign s_op_ready     = !clearing_q && op_room && op_turn;
    assign s_sample_ready = !clearing_q && sample_room && sample_turn && draw_valid;
    assign busy           = clearing_q;

    rlc_credit #(.PLACES(OP_DEPTH)) u_op_credit (
        .clk(clk), .rst(rst), .take(op_accept), .give(m_op_valid && m_op_ready), .room(op_room)
    );
    rlc_credit #(.PLACES(SAMPLE_DEPTH)) u_sample_credit (
        .clk(clk), .rst(rst), .take(sample_accept), .give(m_sample_valid && m_sample_ready), .room(sample_room)
    );

    if (SHARED == 0) begin : g_turn
        assign op_turn     = 1'b1;
        assign sample_turn = 1'b1;
    end else begin : g_turn
        // The leaf read of a sample that was taken LEAF_CLOCK clocks ago falls on that of an operation taken now.
        // While an operation waits, samples are taken every other clock only, so that it finds a gap.
        reg [LEAF_CLOCK-1:0] booked_q;
        reg                  even_q, asked_q;
        always @(posedge clk)
            if (rst) begin
                booked_q <= {LEAF_CLOCK{1'b0}};
                even_q   <= 1'b0;
                asked_q  <= 1'b0;
            end else begin
                booked_q <= {booked_q[LEAF_CLOCK-2:0], sample_accept};
                even_q   <= !even_q;
                asked_q  <= s_op_valid;
            end
        assign op_turn     = !booked_q[LEAF_CLOCK-1];
        assign sample_turn = even_q || !asked_q;
    end

    // ---- clear: after reset and after CLEAR, one leaf word a clock, in the lines of the operations.
    reg                    sweep_q;
    reg [CLEAR_WORDS:0]    word_q;
    reg [SETTLE_WIDTH-1:0] settle_q;
    wire start_clear = op_accept && s_op_kind == OP_CLEAR;
    wire [CLEAR_WORDS:0] word_next = word_q + 1'b1;
    always @(posedge clk) begin
        if (rst || start_clear) begin
            clearing_q <= 1'b1;
            sweep_q    <= 1'b1;
            word_q     <= {(CLEAR_WORDS+1){1'b0}};
            settle_q   <= {SETTLE_WIDTH{1'b0}};
        end else if (sweep_q) begin
            word_q  <= word_next;
            sweep_q <= !word_next[CLEAR_WORDS];
        end else if (clearing_q) begin
            settle_q   <= settle_q + 1'b1;
            clearing_q <= settle_q != SETTLE_LAST[SETTLE_WIDTH-1:0];
        end
    end

    // ---- clock of acceptance: register what was taken.
    reg                      op_q, op_takes_q, op_clears_q;
    reg [2:0]                op_kind_q;
    reg                      op_check_q, op_max_q, op_beyond_q;
    reg [INDEX_WIDTH-1:0]    op_index_q;
    reg [GENERATION_BITS-1:0]      op_generation_q;
    reg [PRIORITY_WIDTH-1:0] op_priority_q;
    reg                      sample_q;
    always @(posedge clk) begin
        op_q            <= op_accept && !rst;
        op_takes_q      <= op_accept && !rst && (s_op_kind == OP_INSERT || s_op_kind == OP_RESERVE);
        op_clears_q     <= start_clear && !rst;
        op_kind_q       <= s_op_kind;
        op_check_q      <= s_op_check;
        op_max_q        <= s_op_max;
        op_beyond_q     <= s_op_beyond;
        op_index_q      <= s_op_index;
        op_generation_q <= s_op_generation;
        op_priority_q   <= s_op_priority;
        sample_q        <= sample_accept && !rst;
    end

    wire [DRAW_WIDTH-1:0] draw;
    rlc_sumtree_draw #(.DRAW_WIDTH(DRAW_WIDTH), .STRATA(STRATA), .BITS((ADDS > 1) ? 2 : 1)) u_draw (
        .*, .m_valid(draw_valid),
        .m_ready(sample_accept && (s_sample_kind == SAMPLE_DRAW || s_sample_kind == SAMPLE_SOFT)),
        .m_draw(draw)
    );

    // As long as an operation takes to the tree.
    wire                  sample_t;
    wire [1:0]            sample_kind_t;
    wire [DRAW_WIDTH-1:0] sample_draw_t;
    wire [SUM_WIDTH-1:0]  sample_target_t;
    wire [DRAW_WIDTH-1:0] sample_draw = (s_sample_kind == SAMPLE_GIVEN) ? s_sample_value[DRAW_WIDTH-1:0] : draw;
    rlc_delay #(.WIDTH(2+DRAW_WIDTH+SUM_WIDTH), .CLOCKS(TREE_CLOCK)) u_sample (
        .clk(clk),
        .d({s_sample_kind, sample_draw, s_sample_value[SUM_WIDTH-1:0]}),
        .q({sample_kind_t, sample_draw_t, sample_target_t})
    );

    // ---- two clocks: slots.
    wire                       tree_valid, tree_write, tree_read, tree_advance, tree_clear;
    wire [2:0]                 tree_kind;
    wire [1:0]                 tree_status;
    wire [INDEX_WIDTH-1:0]     tree_index;
    wire [GENERATION_BITS-1:0] tree_generation;
    wire [PRIORITY_WIDTH-1:0]  tree_priority;
    reg [INDEX_WIDTH:0] limit_q;
    always @(posedge clk)
        limit_q <= (cfg_capacity == {(INDEX_WIDTH+1){1'b0}} || cfg_capacity > MOST[INDEX_WIDTH:0]) ? MOST[INDEX_WIDTH:0]
                                                                                                  : cfg_capacity;
    rlc_sumtree_slots #(
        .INDEX_WIDTH(INDEX_WIDTH), .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH)
    ) u_slots (
        .*, .cfg_limit(limit_q), .op_valid(op_q), .op_kind(op_kind_q), .op_takes(op_takes_q), .op_clears(op_clears_q),
        .op_check(op_check_q), .op_max(op_max_q), .op_beyond(op_beyond_q), .op_index(op_index_q),
        .op_generation(op_generation_q), .op_priority(op_priority_q)
    );
    assign size = full ? capacity : {1'b0, next};

    // The sweep joins where the operations enter the tree; the word of CLEAR's own slot is the first.
    wire                   sweep_t;
    wire [CLEAR_WORDS:0]   word_t;
    wire [2*TREE_CLOCK-1:0] enter_at;
    rlc_sumtree_line #(.WIDTH(2), .TAPS(TREE_CLOCK)) u_enter (
        .clk(clk), .rst(rst), .d({sweep_q, sample_q}), .q(enter_at)
    );
    rlc_delay #(.WIDTH(CLEAR_WORDS+1), .CLOCKS(TREE_CLOCK-1)) u_word (.clk(clk), .d(word_q), .q(word_t));
    assign {sweep_t, sample_t} = enter_at[2*(TREE_CLOCK-1) +: 2];
    wire [INDEX_WIDTH:0] sweep_index = {{LEAF_BITS{1'b0}}, word_t} << LEAF_BITS;

    // ---- the tree.
    wire [PRIORITY_WIDTH-1:0] old;
    wire                      answer_valid;
    wire [1:0]                answer_status;
    wire [INDEX_WIDTH-1:0]    answer_index;
    wire [PRIORITY_WIDTH-1:0] answer_priority;
    wire [SUM_WIDTH-1:0]      answer_total;
    wire                      exit_advance, exit_clear;
    rlc_sumtree_tree #(
        `include "rlc_sumtree_args.vh"
    ) u_tree (
        .*, .op_write(tree_write), .op_read(tree_read), .op_sweep(sweep_t), .op_mark({tree_clear, tree_advance}),
        .op_index(sweep_t ? sweep_index[INDEX_WIDTH-1:0] : tree_index), .op_priority(tree_priority),
        .sample_valid(sample_t), .sample_kind(sample_kind_t), .sample_draw(sample_draw_t),
        .sample_target(sample_target_t), .exit_mark({exit_clear, exit_advance})
    );

    // ---- answers to operations.
    wire                   op_valid_x, op_old_x;
    wire [2:0]             op_kind_x;
    wire [1:0]             op_status_x;
    wire [INDEX_WIDTH-1:0] op_index_x;
    wire [GENERATION_BITS-1:0]   op_generation_x;
    wire [OLD_CLOCK:0]     op_valid_at;
    rlc_sumtree_line #(.WIDTH(1), .TAPS(OLD_CLOCK+1)) u_op_valid (
        .clk(clk), .rst(rst), .d(tree_valid), .q(op_valid_at)
    );
    assign op_valid_x = op_valid_at[OLD_CLOCK];
    rlc_delay #(.WIDTH(1+3+2+INDEX_WIDTH+GENERATION_BITS), .CLOCKS(OLD_CLOCK)) u_op (
        .clk(clk),
        .d({tree_write || tree_read, tree_kind, tree_status, tree_index, tree_generation}),
        .q({op_old_x, op_kind_x, op_status_x, op_index_x, op_generation_x})
    );
    // The credits keep this queue and that of the samples from overflowing.
    rlc_queue #(.WIDTH(3+2+INDEX_WIDTH+GENERATION_BITS+PRIORITY_WIDTH), .DEPTH(OP_DEPTH)) u_op_answers (
        .*, .s_valid(op_valid_x),
        .s_data({op_kind_x, op_status_x, op_index_x, op_generation_x, op_old_x ? old : {PRIORITY_WIDTH{1'b0}}}),
        .m_valid(m_op_valid), .m_ready(m_op_ready),
        .m_data({m_op_kind, m_op_status, m_op_index, m_op_generation, m_op_priority})
    );

    // ---- answers to samples: the slot's generation as it was for the sample.
    wire [GENERATION_BITS-1:0]   exit_generation;
    wire [INDEX_WIDTH-1:0] exit_next;
    wire [GENERATION_BITS-1:0]   exit_lap, exit_ahead;
    wire                   exit_full;
    wire [INDEX_WIDTH:0]   exit_capacity;
    rlc_sumtree_ring #(.INDEX_WIDTH(INDEX_WIDTH), .GENERATION_WIDTH(GENERATION_BITS)) u_exit_ring (
        .clk(clk), .rst(rst),
        .advance(exit_advance), .clear(exit_clear), .limit(rst ? limit_q : capacity),
        .index(answer_index), .generation(exit_generation), .next(exit_next), .lap(exit_lap), .ahead(exit_ahead),
        .full(exit_full), .capacity(exit_capacity)
    );

    wire                     found = answer_status == SAMPLE_OK;
    reg                      answer_q;
    reg [1:0]                answer_status_q;
    reg [INDEX_WIDTH-1:0]    answer_index_q;
    reg [PRIORITY_WIDTH-1:0] answer_priority_q;
    reg [SUM_WIDTH-1:0]      answer_total_q;
    reg [GENERATION_BITS-1:0]      answer_generation_q;
    always @(posedge clk) begin
        answer_q            <= answer_valid && !rst;
        answer_status_q     <= answer_status;
        answer_index_q      <= found ? answer_index : {INDEX_WIDTH{1'b0}};
        answer_priority_q   <= found ? answer_priority : {PRIORITY_WIDTH{1'b0}};
        answer_total_q      <= answer_total;
        answer_generation_q <= (GENERATION_WIDTH > 0 && found) ? exit_generation : {GENERATION_BITS{1'b0}};
    end
    assign ev_empty = answer_q && answer_status_q == SAMPLE_EMPTY;
    assign ev_miss  = answer_q && answer_status_q == SAMPLE_RANGE;

    rlc_queue #(.WIDTH(2+INDEX_WIDTH+PRIORITY_WIDTH+SUM_WIDTH+GENERATION_BITS), .DEPTH(SAMPLE_DEPTH)) u_sample_answers (
        .*, .s_valid(answer_q),
        .s_data({answer_status_q, answer_index_q, answer_priority_q, answer_total_q, answer_generation_q}),
        .m_valid(m_sample_valid), .m_ready(m_sample_ready),
        .m_data({m_sample_status, m_sample_index, m_sample_priority, m_sample_total, m_sample_generation})
    );

    // Of the second ring only the generations are wanted.
    wire unused = &{1'b0, exit_next, exit_lap, exit_ahead, exit_full, exit_capacity};
endmodule
`default_nettype wire
