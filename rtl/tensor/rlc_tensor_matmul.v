// rlc_tensor_matmul.v — all products of a training step, of all networks: forward, backward and gradients, on one array.
// SPDX-License-Identifier: Apache-2.0
//
//   weights, targets --block--+                             +--> activations
//   activations --+           v                             +--> deltas        results leave at m_*, too
//   deltas -------+--words--> array <--> sums --> narrow ---+--> (outputs, gradients: only at m_*)
//
// s_*          commands, valid/ready: docs/tensor.md. refused: one had a count of 0, and was left out. busy: one is issued or under way
// w_*, t_*     write of a block of weights, of targets: element row * SIDE + column, those of w_en; wb_*, tb_*: of SIDE biases
// a_*, e_*     write of SIDE samples of a feature of activations, of deltas, those of _en; ready falls while a result is written
// m_*          results: where to (`to` of the command), its tile and index (gradients: their number), and the gradients of biases
//              of a row of blocks, with m_bias: m_row, from bias_base of the command on
// told_*       when a command's last result has left: its id, and what its results were like (rlc_tensor_narrow)
// hazards      the caller's: a command may read what the one before it writes only behind a barrier, and nothing is written
//              from outside that a command under way reads
// latency      LATENCY clocks from an issued word to its result; docs/tensor.md counts programs
`default_nettype none
`include "rlc_check.vh"
`include "rlc_tensor_words.vh"
`include "rlc_axi.vh"
module rlc_tensor_matmul #(
    parameter SIDE         = 8,    // rows and columns of a block of weights: a power of two
    parameter BLOCKS       = 4,    // blocks of a word: a power of two. SIDE * SIDE * SIDE * BLOCKS multipliers
    parameter WEIGHT_BLOCKS = 4096, // of all networks
    parameter TARGET_BLOCKS = 2048, // of all target networks; 0: there is none
    parameter BIAS_ROWS    = 512,  // rows of blocks of all networks; as many of target networks
    parameter A_TILES      = 256,  // tiles of SPAN x SPAN activations
    parameter E_TILES      = 256,  // of deltas
    parameter PASS_SUMS    = 256,  // sums of a pass: rows of a group times words
    parameter ROWS         = 128,  // rows of blocks of the largest layer
    parameter TILE_STYLE   = 0,    // memory of activations and deltas, RLC_STYLE
    parameter WEIGHT_STYLE = 0,    // of blocks of weights and targets
    parameter WEIGHT_WIDTH = 27, // bits of a weight
    parameter X_WIDTH      = 18, // bits of an activation or delta
    parameter ACC_WIDTH    = 48, // bits of a sum
    // Derived; leave them alone.
    parameter SPAN      = SIDE * BLOCKS,
    parameter K_BITS    = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // of a block within a word
    parameter AT_BITS   = (SPAN > 1) ? $clog2(SPAN) : 1 // of a place within a tile
) (
    input  wire                              clk,
    input  wire                              rst,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_COMMAND),
    output wire                              refused,
    output wire                              busy,

    input  wire [SIDE*SIDE-1:0]              w_en,
    input  wire [15:0]                       w_block,
    input  wire [SIDE*SIDE*WEIGHT_WIDTH-1:0] w_data,
    input  wire                              wb_en,
    input  wire [11:0]                       wb_row,
    input  wire [SIDE*WEIGHT_WIDTH-1:0]      wb_data,
    input  wire [SIDE*SIDE-1:0]              t_en,
    input  wire [15:0]                       t_block,
    input  wire [SIDE*SIDE*WEIGHT_WIDTH-1:0] t_data,
    input  wire                              tb_en,
    input  wire [11:0]                       tb_row,
    input  wire [SIDE*WEIGHT_WIDTH-1:0]      tb_data,

    input  wire                              a_valid,
    output wire                              a_ready,
    input  wire [15:0]                       a_tile,
    input  wire [K_BITS-1:0]                 a_block,
    input  wire [AT_BITS-1:0]                a_feature,
    input  wire [SIDE-1:0]                   a_en,
    input  wire [SIDE*X_WIDTH-1:0]           a_data,
    input  wire                              e_valid,
    output wire                              e_ready,
    input  wire [15:0]                       e_tile,
    input  wire [K_BITS-1:0]                 e_block,
    input  wire [AT_BITS-1:0]                e_feature,
    input  wire [SIDE-1:0]                   e_en,
    input  wire [SIDE*X_WIDTH-1:0]           e_data,

    output wire                              m_valid,
    output wire [1:0]                        m_to,
    output wire [15:0]                       m_tile,
    output wire [K_BITS-1:0]                 m_index,
    output wire [11:0]                       m_row,
    output wire                              m_bias,
    output wire [6:0]                        m_rows,   // of an output, numbers that count: rows and samples
    output wire [6:0]                        m_words,
    output wire                              m_begins, // the first result of its command; m_ends_row: the last word of its row
    output wire                              m_ends_row,
    output wire                              m_ends,   // of all
    output wire [SPAN*SIDE*WEIGHT_WIDTH-1:0] m_data,
    output wire [SIDE*WEIGHT_WIDTH-1:0]      m_bias_data,

    output wire                              told_valid,
    output wire [5:0]                        told_id,
    output wire [31:0]                       told_saturated,
    output wire [31:0]                       told_acc_overflow,
    output wire [WEIGHT_WIDTH-1:0]           told_peak
);
    `RLC_CHECK(SIDE >= 2 && (SIDE & (SIDE - 1)) == 0 && BLOCKS >= 1 && (BLOCKS & (BLOCKS - 1)) == 0 && SPAN <= 64,
               rlc_tensor_matmul_illegal_SIDE_and_BLOCKS_must_be_powers_of_two_with_SIDE_at_least_2_and_SPAN_at_most_64)
    `RLC_CHECK(WEIGHT_BLOCKS >= 1 && TARGET_BLOCKS >= 0 && BIAS_ROWS >= 1 && A_TILES >= 1 && E_TILES >= 1 && PASS_SUMS >= 1
               && ROWS >= 1, rlc_tensor_matmul_illegal_a_memory_has_at_least_one_word)

    localparam BLOCK    = SIDE * SIDE * WEIGHT_WIDTH;
    localparam WORD     = SPAN * SIDE * X_WIDTH;
    localparam OPERANDS = 4;                        // stage of block and vectors in front of the array
    localparam SUMS     = OPERANDS + SIDE + 2;      // of its sums
    localparam RESULTS  = SUMS + 4;                 // of what they become
    localparam TOLD     = RESULTS + 16;             // by then a command's last word is told
    localparam A_BITS   = (A_TILES > 1) ? $clog2(A_TILES) : 1;
    localparam E_BITS   = (E_TILES > 1) ? $clog2(E_TILES) : 1;
    localparam P_BITS   = (PASS_SUMS > 1) ? $clog2(PASS_SUMS) : 1;
    localparam W_BITS   = (WEIGHT_BLOCKS > 1) ? $clog2(WEIGHT_BLOCKS) : 1;
    localparam B_BITS   = (BIAS_ROWS > 1) ? $clog2(BIAS_ROWS) : 1;
    localparam [31:0] WHOLE_SIDE = SIDE;
    localparam [31:0] WHOLE_SPAN = SPAN;
    localparam [6:0] ALL_SIDE = WHOLE_SIDE[6:0];
    localparam [6:0] ALL_SPAN = WHOLE_SPAN[6:0];

    // Stage 0: what is issued.
    wire [`RLC_TENSOR_COMMAND-1:0] command0, command1;
    wire              valid, slot, first_fold, last_fold, first_word, last_word, last_row, begins, ends;
    wire [15:0]       place, block, stream, to;
    wire [K_BITS-1:0] block_fold, block_row, stream_index, to_index;
    wire [9:0]        row;
    rlc_tensor_issue #(.BLOCKS(BLOCKS), .MIN_PASS(SIDE + 4), .SUMS(SUMS), .RESULTS(RESULTS), .DRAIN(TOLD)) u_issue (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s), .command0(command0), .command1(command1), .refused(refused), .busy(busy), .m_valid(valid), .m_slot(slot), .m_first_fold(first_fold), .m_last_fold(last_fold),
        .m_first_word(first_word), .m_last_word(last_word), .m_last_row(last_row), .m_begins(begins), .m_ends(ends),
        .m_place(place), .m_block(block), .m_block_fold(block_fold), .m_block_row(block_row), .m_stream(stream),
        .m_stream_index(stream_index), .m_to(to), .m_to_index(to_index), .m_row(row)
    );

    wire [`RLC_TENSOR_COMMAND-1:0] c0 = slot ? command1 : command0;

    // What a command's maker sees to, and what would overwrite or read something else here.
    wire [31:0] at_place = {16'd0, place};
    wire [31:0] at_block = {16'd0, block};
    wire [31:0] at_tile  = {16'd0, stream};
    wire        weights  = c0[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_WEIGHTS;
    wire        targets  = c0[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_TARGETS;
    rlc_assert_never u_places (.clk(clk), .rst(rst), .bad(valid && at_place >= PASS_SUMS));
    rlc_assert_never u_blocks (
        .clk(clk), .rst(rst), .bad(valid && at_block >= (weights ? WEIGHT_BLOCKS : targets ? TARGET_BLOCKS : E_TILES))
    );
    rlc_assert_never u_tiles (
        .clk(clk), .rst(rst), .bad(valid && at_tile >= (c0[`RLC_TENSOR_COMMAND_STREAM] ? E_TILES : A_TILES))
    );

    // A word's marks go beside it; `mark` of stage k.
    localparam MARKS = 9;
    wire [MARKS-1:0] mark0 = {slot, first_fold, last_fold, first_word, last_word, last_row, begins, ends, valid};
    reg  [MARKS*RESULTS-1:0] marks_q;
    wire [MARKS*(RESULTS+1)-1:0] marks = {marks_q, mark0};
    integer k;
    always @(posedge clk) begin
        marks_q <= marks[MARKS*RESULTS-1:0];
        if (rst) for (k = 0; k < RESULTS; k = k + 1) marks_q[k*MARKS] <= 1'b0;
    end
    `define RLC_TENSOR_VALID(stage)      marks[MARKS*(stage)]
    `define RLC_TENSOR_ENDS(stage)       marks[MARKS*(stage)+1]
    `define RLC_TENSOR_BEGINS(stage)     marks[MARKS*(stage)+2]
    `define RLC_TENSOR_LAST_ROW(stage)   marks[MARKS*(stage)+3]
    `define RLC_TENSOR_LAST_WORD(stage)  marks[MARKS*(stage)+4]
    `define RLC_TENSOR_FIRST_WORD(stage) marks[MARKS*(stage)+5]
    `define RLC_TENSOR_LAST_FOLD(stage)  marks[MARKS*(stage)+6]
    `define RLC_TENSOR_FIRST_FOLD(stage) marks[MARKS*(stage)+7]
    `define RLC_TENSOR_SLOT(stage)       marks[MARKS*(stage)+8]
    wire [`RLC_TENSOR_COMMAND-1:0] c2  = `RLC_TENSOR_SLOT(2) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] c3  = `RLC_TENSOR_SLOT(3) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] c4  = `RLC_TENSOR_SLOT(4) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] c5  = `RLC_TENSOR_SLOT(5) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] c6  = `RLC_TENSOR_SLOT(6) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] cs  = `RLC_TENSOR_SLOT(SUMS) ? command1 : command0;
    wire [`RLC_TENSOR_COMMAND-1:0] cr  = `RLC_TENSOR_SLOT(RESULTS) ? command1 : command0;

    // .. 3: words of activations or deltas. A mask is read when its sums are there.
    wire              streams_e = c0[`RLC_TENSOR_COMMAND_STREAM];
    wire              of_deltas = c0[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_FROM_DELTAS;
    wire              masks_s   = `RLC_TENSOR_VALID(SUMS) && `RLC_TENSOR_LAST_FOLD(SUMS) && cs[`RLC_TENSOR_COMMAND_MASK];
    wire [15:0]       to_s, tile_r;
    wire [K_BITS-1:0] to_index_s;
    wire [15:0]       mask_tile = cs[`RLC_TENSOR_COMMAND_MASK_BASE] + to_s;
    wire [15:0]       a_rd_tile = masks_s ? mask_tile : stream;
    wire [15:0]       e_rd_tile = streams_e ? stream : block;
    wire [SPAN-1:0]   samples_r;
    wire              to_a, to_e;
    wire [WORD-1:0]   result, a_s3, e_s3;
    rlc_tensor_memory #(.WIDTH(X_WIDTH), .SIDE(SIDE), .BLOCKS(BLOCKS), .TILES(A_TILES), .STYLE(TILE_STYLE)) u_activations (
        .clk(clk), .rd_en((valid && !streams_e) || masks_s), .rd_col(!masks_s && c0[`RLC_TENSOR_COMMAND_COLUMN]),
        .rd_tile(a_rd_tile[A_BITS-1:0]), .rd_index(masks_s ? to_index_s : stream_index), .rd_data(a_s3),
        .wr_en(samples_r & {SPAN{to_a}}), .wr_tile(tile_r[A_BITS-1:0]), .wr_index(m_index), .wr_data(result),
        .el_en(a_en & {SIDE{a_valid && a_ready}}), .el_tile(a_tile[A_BITS-1:0]), .el_block(a_block),
        .el_feature(a_feature), .el_data(a_data)
    );
    rlc_tensor_memory #(.WIDTH(X_WIDTH), .SIDE(SIDE), .BLOCKS(BLOCKS), .TILES(E_TILES), .STYLE(TILE_STYLE)) u_deltas (
        .clk(clk), .rd_en(valid && (streams_e || (of_deltas && first_word))),
        .rd_col(streams_e ? c0[`RLC_TENSOR_COMMAND_COLUMN] : 1'b1), .rd_tile(e_rd_tile[E_BITS-1:0]),
        .rd_index(streams_e ? stream_index : block_fold), .rd_data(e_s3),
        .wr_en(samples_r & {SPAN{to_e}}), .wr_tile(tile_r[E_BITS-1:0]), .wr_index(m_index), .wr_data(result),
        .el_en(e_en & {SIDE{e_valid && e_ready}}), .el_tile(e_tile[E_BITS-1:0]), .el_block(e_block),
        .el_feature(e_feature), .el_data(e_data)
    );
    assign a_ready = !to_a;
    assign e_ready = !to_e;

    // .. 2: a block of weights or targets with a row's first word. 4: the biases of its row.
    wire [9:0]                        row_s2;
    wire [11:0]                       bias_row = c2[`RLC_TENSOR_COMMAND_BIAS_BASE] + {2'd0, row_s2};
    wire [SIDE*WEIGHT_WIDTH-1:0]      weight_bias_s4, target_bias_s4;
    wire [BLOCK-1:0] weights_s2, targets_s2;
    rlc_ram_1r1w_lane #(
        .LANES(SIDE * SIDE), .LANE_WIDTH(WEIGHT_WIDTH), .DEPTH(WEIGHT_BLOCKS), .READ_LATENCY(2), .READ_ANY(1),
        .STYLE(`RLC_STYLE(WEIGHT_STYLE))
    ) u_weights (
        .clk(clk), .wr_en(w_en), .wr_addr(w_block[W_BITS-1:0]), .wr_data(w_data),
        .rd_en(valid && first_word), .rd_addr(block[W_BITS-1:0]), .rd_data(weights_s2)
    );
    if (TARGET_BLOCKS > 0) begin : g_targets
        localparam T_BITS = (TARGET_BLOCKS > 1) ? $clog2(TARGET_BLOCKS) : 1;
        rlc_ram_1r1w_lane #(
            .LANES(SIDE * SIDE), .LANE_WIDTH(WEIGHT_WIDTH), .DEPTH(TARGET_BLOCKS), .READ_LATENCY(2), .READ_ANY(1),
            .STYLE(`RLC_STYLE(WEIGHT_STYLE))
        ) u_targets (
            .clk(clk), .wr_en(t_en), .wr_addr(t_block[T_BITS-1:0]), .wr_data(t_data),
            .rd_en(valid && first_word), .rd_addr(block[T_BITS-1:0]), .rd_data(targets_s2)
        );
        rlc_ram_1r1w #(.WIDTH(SIDE * WEIGHT_WIDTH), .DEPTH(BIAS_ROWS), .READ_LATENCY(2), .READ_ANY(1)) u_bias (
            .clk(clk), .wr_en(tb_en), .wr_addr(tb_row[B_BITS-1:0]), .wr_data(tb_data), .rd_en(1'b1),
            .rd_addr(bias_row[B_BITS-1:0]), .rd_data(target_bias_s4)
        );
        wire unused = &{1'b0, t_block, tb_row};
    end else begin : g_none
        assign targets_s2     = {BLOCK{1'b0}};
        assign target_bias_s4 = {(SIDE*WEIGHT_WIDTH){1'b0}};
        wire unused = &{1'b0, t_en, t_block, t_data, tb_en, tb_row, tb_data};
    end

    // Stage 3: the block of weights, turned for the way back. Stage 4: what the array multiplies; empty places count as 0.
    wire [BLOCK-1:0] memory_s2 = (c2[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_TARGETS) ? targets_s2 : weights_s2;
    reg  [BLOCK-1:0] turned_s3, block_s4;
    reg  [WORD-1:0]  x_s4;
    wire [K_BITS-1:0] block_row_s3;
    wire [SIDE*SIDE*X_WIDTH-1:0] deltas_s3;
    rlc_delay #(.WIDTH(K_BITS), .CLOCKS(3)) u_block_row (.clk(clk), .d(block_row), .q(block_row_s3));
    rlc_tensor_pick #(.WIDTH(SIDE * SIDE * X_WIDTH), .COUNT(BLOCKS)) u_deltas_block (
        .words(e_s3), .index(block_row_s3), .word(deltas_s3)
    );
    wire [6:0]      lanes_s3 = `RLC_TENSOR_LAST_FOLD(3) ? c3[`RLC_TENSOR_COMMAND_LAST_LANE] : ALL_SIDE;
    wire            deltas_are_block_s3 = c3[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_FROM_DELTAS;
    wire [WORD-1:0] x_s3 = c3[`RLC_TENSOR_COMMAND_STREAM] ? e_s3 : a_s3;
    genvar r;
    genvar c;
    genvar t;
    for (c = 0; c < SIDE; c = c + 1) begin : g_lane
        localparam [31:0] LANE = c;
        for (r = 0; r < SIDE; r = r + 1) begin : g_row
            localparam AT = r * SIDE + c;
            wire signed [X_WIDTH-1:0]      delta = deltas_s3[AT*X_WIDTH +: X_WIDTH];
            wire signed [WEIGHT_WIDTH-1:0] wide  = {{(WEIGHT_WIDTH-X_WIDTH){delta[X_WIDTH-1]}}, delta};
            always @(posedge clk) begin
                turned_s3[AT*WEIGHT_WIDTH +: WEIGHT_WIDTH] <=
                    c2[`RLC_TENSOR_COMMAND_TURN] ? memory_s2[(c*SIDE+r)*WEIGHT_WIDTH +: WEIGHT_WIDTH]
                                                 : memory_s2[AT*WEIGHT_WIDTH +: WEIGHT_WIDTH];
                if (`RLC_TENSOR_FIRST_WORD(3))
                    block_s4[AT*WEIGHT_WIDTH +: WEIGHT_WIDTH] <=
                        (LANE[6:0] >= lanes_s3) ? {WEIGHT_WIDTH{1'b0}}
                        : deltas_are_block_s3 ? wide : turned_s3[AT*WEIGHT_WIDTH +: WEIGHT_WIDTH];
            end
        end
        for (t = 0; t < SPAN; t = t + 1) begin : g_vector
            always @(posedge clk)
                x_s4[(t*SIDE+c)*X_WIDTH +: X_WIDTH] <=
                    (LANE[6:0] >= lanes_s3) ? {X_WIDTH{1'b0}} : x_s3[(t*SIDE+c)*X_WIDTH +: X_WIDTH];
        end
    end

    // Stage 5: what sums begin with: the biases of their row, or the sums of the fold before.
    wire [SIDE*WEIGHT_WIDTH-1:0]      bias_s4 =
        (c4[`RLC_TENSOR_COMMAND_BLOCK] == `RLC_TENSOR_TARGETS) ? target_bias_s4 : weight_bias_s4;
    reg  [SIDE*ACC_WIDTH-1:0]         bias_s5;
    wire [15:0]                       place_s3, place_s;
    wire [SPAN*SIDE*ACC_WIDTH-1:0]    old_s5, head_s5, sums;
    wire                              from_bias_s5 = `RLC_TENSOR_FIRST_FOLD(5);
    rlc_delay #(.WIDTH(10), .CLOCKS(2)) u_row (.clk(clk), .d(row), .q(row_s2));
    rlc_ram_1r1w #(.WIDTH(SIDE * WEIGHT_WIDTH), .DEPTH(BIAS_ROWS), .READ_LATENCY(2), .READ_ANY(1)) u_bias (
        .clk(clk), .wr_en(wb_en), .wr_addr(wb_row[B_BITS-1:0]), .wr_data(wb_data), .rd_en(1'b1),
        .rd_addr(bias_row[B_BITS-1:0]), .rd_data(weight_bias_s4)
    );
    for (r = 0; r < SIDE; r = r + 1) begin : g_bias
        wire signed [WEIGHT_WIDTH-1:0] bias = bias_s4[r*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        always @(posedge clk)
            bias_s5[r*ACC_WIDTH +: ACC_WIDTH] <=
                {{(ACC_WIDTH-WEIGHT_WIDTH){bias[WEIGHT_WIDTH-1]}}, bias} <<< c4[`RLC_TENSOR_COMMAND_BIAS_SHIFT];
    end
    rlc_delay #(.WIDTH(16), .CLOCKS(3)) u_place (.clk(clk), .d(place), .q(place_s3));
    rlc_delay #(.WIDTH(16), .CLOCKS(SUMS - 3)) u_place_s (.clk(clk), .d(place_s3), .q(place_s));
    rlc_ram_1r1w #(.WIDTH(SPAN * SIDE * ACC_WIDTH), .DEPTH(PASS_SUMS), .READ_LATENCY(2), .READ_ANY(1)) u_sums (
        .clk(clk), .wr_en(`RLC_TENSOR_VALID(SUMS)), .wr_addr(place_s[P_BITS-1:0]), .wr_data(sums), .rd_en(1'b1),
        .rd_addr(place_s3[P_BITS-1:0]), .rd_data(old_s5)
    );
    assign head_s5 = from_bias_s5 ? {SPAN{bias_s5}} : old_s5;
    rlc_tensor_array #(.SIDE(SIDE), .SPAN(SPAN), .A_WIDTH(WEIGHT_WIDTH), .X_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH)) u_array (
        .clk(clk), .s_block(block_s4), .s_x(x_s4), .s_head(head_s5),
        .s_clear(from_bias_s5 && !c5[`RLC_TENSOR_COMMAND_BIAS]), .m_sum(sums)
    );

    // Gradients of biases, beside the sums.
    wire [SIDE*ACC_WIDTH-1:0] bias_sum_s7, bias_sum_s;
    wire [9:0]                row_s4;
    wire [SIDE*SIDE*X_WIDTH-1:0] delta_block_s4;
    for (r = 0; r < SIDE * SIDE; r = r + 1) begin : g_delta
        assign delta_block_s4[r*X_WIDTH +: X_WIDTH] = block_s4[r*WEIGHT_WIDTH +: X_WIDTH];
    end
    rlc_delay #(.WIDTH(10), .CLOCKS(2)) u_row4 (.clk(clk), .d(row_s2), .q(row_s4));
    rlc_tensor_bias_grad #(.SIDE(SIDE), .WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH), .ROWS(ROWS)) u_bias_grad (
        .clk(clk), .s_valid(`RLC_TENSOR_VALID(4) && `RLC_TENSOR_FIRST_WORD(4)), .s_first(`RLC_TENSOR_FIRST_FOLD(4)),
        .s_row(row_s4), .s_block(delta_block_s4), .cfg_shift(c6[`RLC_TENSOR_COMMAND_BIAS_SHIFT]), .m_sum(bias_sum_s7)
    );
    rlc_delay #(.WIDTH(SIDE * ACC_WIDTH), .CLOCKS(SUMS - 7)) u_bias_sum (.clk(clk), .d(bias_sum_s7), .q(bias_sum_s));

    // Complete sums to results.
    wire [1:0]           to_what = cs[`RLC_TENSOR_COMMAND_TO];
    wire                 gradients = to_what == `RLC_TENSOR_GRADIENTS;
    wire [SPAN*SIDE-1:0] positive;
    wire [SIDE*(SPAN+1)*WEIGHT_WIDTH-1:0] results;
    wire                 bias_r;
    rlc_tensor_narrow #(
        .SIDE(SIDE), .SPAN(SPAN), .ACC_WIDTH(ACC_WIDTH), .NARROW(X_WIDTH), .WIDE(WEIGHT_WIDTH)
    ) u_narrow (
        .clk(clk), .rst(rst), .s_valid(`RLC_TENSOR_VALID(SUMS) && `RLC_TENSOR_LAST_FOLD(SUMS)), .s_data({bias_sum_s, sums}),
        .s_rows(`RLC_TENSOR_LAST_ROW(SUMS) ? cs[`RLC_TENSOR_COMMAND_LAST_ROW] : ALL_SIDE),
        .s_words(`RLC_TENSOR_LAST_WORD(SUMS) ? cs[`RLC_TENSOR_COMMAND_LAST_WORD] : ALL_SPAN),
        .s_extra(gradients && `RLC_TENSOR_FIRST_WORD(SUMS)), .s_relu(cs[`RLC_TENSOR_COMMAND_RELU]),
        .s_shift(cs[`RLC_TENSOR_COMMAND_SHIFT]), .s_wide(gradients || to_what == `RLC_TENSOR_OUTPUTS), .s_symmetric(gradients),
        .s_masks(cs[`RLC_TENSOR_COMMAND_MASK]), .s_mask(positive), .s_begins(`RLC_TENSOR_BEGINS(SUMS)),
        .s_ends(`RLC_TENSOR_ENDS(SUMS)), .s_id(cs[`RLC_TENSOR_COMMAND_ID]), .m_id(told_id), .m_valid(m_valid), .m_data(results), .m_told(told_valid), .m_saturated(told_saturated),
        .m_acc_overflow(told_acc_overflow), .m_peak(told_peak)
    );
    for (t = 0; t < SPAN * SIDE; t = t + 1) begin : g_result
        wire signed [X_WIDTH-1:0] x = a_s3[t*X_WIDTH +: X_WIDTH];
        assign positive[t] = x > 0;
        assign result[t*X_WIDTH +: X_WIDTH] = results[t*WEIGHT_WIDTH +: X_WIDTH];
    end
    assign m_data      = results[0 +: SPAN*SIDE*WEIGHT_WIDTH];
    assign m_bias_data = results[SPAN*SIDE*WEIGHT_WIDTH +: SIDE*WEIGHT_WIDTH];

    // Where results go.
    rlc_delay #(.WIDTH(16 + K_BITS), .CLOCKS(SUMS)) u_to (.clk(clk), .d({to, to_index}), .q({to_s, to_index_s}));
    wire [15:0] to_r;
    rlc_delay #(.WIDTH(16 + K_BITS), .CLOCKS(RESULTS - SUMS)) u_to_r (
        .clk(clk), .d({to_s, to_index_s}), .q({to_r, m_index})
    );
    wire [9:0] row_r;
    rlc_delay #(.WIDTH(10), .CLOCKS(RESULTS - 4)) u_row_r (.clk(clk), .d(row_s4), .q(row_r));
    assign m_row = cr[`RLC_TENSOR_COMMAND_BIAS_BASE] + {2'd0, row_r};
    wire [6:0] words_r = `RLC_TENSOR_LAST_WORD(RESULTS) ? cr[`RLC_TENSOR_COMMAND_LAST_WORD] : ALL_SPAN;
    assign tile_r = cr[`RLC_TENSOR_COMMAND_TO_BASE] + to_r;
    assign m_tile = tile_r;
    assign m_to   = cr[`RLC_TENSOR_COMMAND_TO];
    assign bias_r = m_to == `RLC_TENSOR_GRADIENTS && `RLC_TENSOR_FIRST_WORD(RESULTS);
    assign m_bias = m_valid && bias_r;
    assign m_rows  = `RLC_TENSOR_LAST_ROW(RESULTS) ? cr[`RLC_TENSOR_COMMAND_LAST_ROW] : ALL_SIDE;
    assign m_words = words_r;
    assign m_begins   = `RLC_TENSOR_BEGINS(RESULTS);
    assign m_ends_row = `RLC_TENSOR_LAST_WORD(RESULTS);
    assign m_ends     = `RLC_TENSOR_ENDS(RESULTS);
    assign to_a   = m_valid && m_to == `RLC_TENSOR_ACTIVATIONS;
    assign to_e   = m_valid && m_to == `RLC_TENSOR_DELTAS;
    for (t = 0; t < SPAN; t = t + 1) begin : g_sample
        localparam [31:0] SAMPLE = t;
        assign samples_r[t] = SAMPLE[6:0] < words_r;
    end
    // Not every bit of a command is asked for at every stage, and addresses are as long as the memories allow.
    wire unused = &{1'b0, c0, c2, c3, c4, c5, c6, cs, cr, a_rd_tile, e_rd_tile, bias_row, place_s, w_block, wb_row, a_tile, e_tile};
endmodule
`default_nettype wire
