// rlc_tensor.v — trains a list of networks: all products on one array, beside it the updates of their weights, heads and losses.
// SPDX-License-Identifier: Apache-2.0
//
//   commands --> rlc_tensor_matmul --gradients--> rlc_tensor_update <-- updates, loads, reads
//                  |  ^  ^--- weights, targets, biases ---'
//            outputs  activations, deltas
//                  v  |
//          rlc_tensor_vector <-- records
//
// s_*          commands of the matrix unit; u_*: of the update unit; v_*: of the vector unit. docs/tensor.md
// h_*          numbers into the vectors: records
// a_*, e_*     numbers into tensors of activations, of deltas, from outside
// m_*          results of the matrix unit, gradients of biases with m_bias. OUTPUTS go to vectors with m_rows and m_words
// r_*          results of the vector unit that leave
// load_*, read_*   parameter banks of parameters, SIDE numbers a group
// told_*       of the matrix unit, seen_*: of the vector unit, done_*: of the update unit
// other ports  rlc_tensor_matmul.v, rlc_tensor_update.v, rlc_tensor_vector.v
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor #(
    parameter SIDE          = 8,     // rows and columns of a block of weights: a power of two
    parameter BLOCKS        = 4,     // blocks of a word: a power of two. SIDE * SIDE * SIDE * BLOCKS multipliers
    parameter WEIGHT_BLOCKS = 4096,  // blocks of all networks
    parameter TARGET_BLOCKS = 2048,  // of all target networks; 0: there is none
    parameter BIAS_ROWS     = 512,   // rows of blocks of all networks
    parameter A_TILES       = 256,   // tiles of activations
    parameter E_TILES       = 256,   // of deltas
    parameter PASS_SUMS     = 256,   // sums of a pass
    parameter ROWS          = 128,   // rows of blocks of the largest layer
    parameter GROUPS        = 32768, // groups of SIDE weights, biases included
    parameter TARGET_GROUPS = 16384, // of all target networks; 0: there is none
    parameter GRAD_WORDS    = 512,   // words of gradients that wait
    parameter GRAD_ROWS     = 128,   // rows of their biases
    parameter OPTIMISER     = 2,     // rlc_nn_optimisers.vh
    parameter POLYAK        = 1,     // 1: targets are averages
    parameter WORDS         = 4096,  // of vectors, each of SIDE numbers
    parameter OUTPUT_WORDS  = 32,    // words of outputs of one product
    parameter TILE_STYLE    = 0,     // memory of activations and deltas, RLC_STYLE
    parameter WEIGHT_STYLE  = 0,     // of blocks of weights and targets
    parameter GROUP_STYLE   = 0,     // of groups of parameters
    // Derived; leave them alone.
    parameter SPAN    = SIDE * BLOCKS,
    parameter K_BITS  = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // of a block within a word
    parameter AT_BITS = (SPAN > 1) ? $clog2(SPAN) : 1, // of a place within a tile
    parameter S_BITS  = $clog2(SIDE) // of a lane
) (
    input  wire                     clk,
    input  wire                     rst,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_COMMAND),
    `RLC_STREAM_SLAVE(u, `RLC_TENSOR_UPDATE),
    output wire                     refused,
    `RLC_STREAM_SLAVE(v, `RLC_TENSOR_VECTOR),
    output wire [2:0]               busy,        // {vector unit, update unit, matrix unit}
    output wire                     done,        // a command of the matrix unit has its last result
    output wire                     drained,     // no output is on its way to vectors
    input  wire `RLC_NN_SETTINGS    settings,
    output wire                     fit,
    input  wire [16:0]              tau,
    input  wire [15:0]              samples,     // of the batch
    input  wire                     draw_load,
    input  wire [127:0]             draw_state,
    output wire [127:0]             draw_state_q,

    input  wire                     h_valid,
    output wire                     h_ready,
    input  wire [15:0]              h_address,
    input  wire [S_BITS-1:0]        h_lane,
    input  wire [34:0]              h_data,

    input  wire                     a_valid,
    output wire                     a_ready,
    input  wire [15:0]              a_tile,
    input  wire [AT_BITS-1:0]       a_sample,
    input  wire [AT_BITS-1:0]       a_feature,
    input  wire [17:0]              a_data,
    input  wire                     e_valid,
    output wire                     e_ready,
    input  wire [15:0]              e_tile,
    input  wire [AT_BITS-1:0]       e_sample,
    input  wire [AT_BITS-1:0]       e_feature,
    input  wire [17:0]              e_data,

    output wire                     m_valid,
    output wire [1:0]               m_to,
    output wire [15:0]              m_tile,
    output wire [K_BITS-1:0]        m_index,
    output wire [SPAN*SIDE*27-1:0]  m_data,
    output wire                     m_bias,
    output wire [11:0]              m_row,
    output wire [SIDE*27-1:0]       m_bias_data,

    `RLC_STREAM_MASTER(r, SIDE + SIDE*35),
    `RLC_STREAM_SLAVE(load, SIDE*48),
    `RLC_STREAM_MASTER(read, SIDE*48),

    output wire                     told_valid,
    output wire [5:0]               told_id,
    output wire [31:0]              told_saturated,
    output wire [31:0]              told_acc_overflow,
    output wire [26:0]              told_peak,
    output wire                     seen_valid,
    output wire [5:0]               seen_id,
    output wire [31:0]              seen_saturated,
    output wire [26:0]              seen_peak,
    output wire                     done_valid,
    output wire [5:0]               done_id,
    output wire [31:0]              done_saturated
);
    wire                        w_valid, t_valid, to_bias, matrix_busy, matrix_refused, vector_refused;
    wire [15:0]                 w_block, t_block;
    wire [SIDE-1:0]             outputs;
    wire [SIDE*27-1:0]          w_data, t_data;
    wire [SIDE*SIDE-1:0]        lanes;          // of the output whose weights are new
    genvar o;
    for (o = 0; o < SIDE; o = o + 1) begin : g_output
        assign lanes[o*SIDE +: SIDE] = {SIDE{outputs[o] && !to_bias}};
    end

    // Numbers of the vector unit go into tensors first, then those from outside.
    wire                   f_valid, f_ready, f_deltas, ma_ready, me_ready;
    wire [15:0]            f_tile;
    wire [K_BITS-1:0]      f_block;
    wire [AT_BITS-1:0]     f_feature;
    wire [SIDE-1:0]        f_en;
    wire [SIDE*18-1:0]     f_data;
    wire                   fa = f_valid && !f_deltas;
    wire                   fe = f_valid && f_deltas;
    wire [K_BITS-1:0]      a_block, e_block;
    assign f_ready = f_deltas ? me_ready : ma_ready;
    assign a_ready = ma_ready && !fa;
    assign e_ready = me_ready && !fe;
    if (BLOCKS > 1) begin : g_blocks
        assign a_block = a_sample[AT_BITS-1 -: K_BITS];
        assign e_block = e_sample[AT_BITS-1 -: K_BITS];
    end else begin : g_block
        assign a_block = {K_BITS{1'b0}};
        assign e_block = {K_BITS{1'b0}};
    end
    wire [SIDE-1:0] one    = {{(SIDE-1){1'b0}}, 1'b1};
    wire [6:0]      m_rows, m_words;
    wire            m_begins, m_ends_row, m_ends;
    wire [15:0]     words;

    rlc_tensor_matmul #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .WEIGHT_BLOCKS(WEIGHT_BLOCKS), .TARGET_BLOCKS(TARGET_BLOCKS), .BIAS_ROWS(BIAS_ROWS),
        .A_TILES(A_TILES), .E_TILES(E_TILES), .PASS_SUMS(PASS_SUMS), .ROWS(ROWS), .TILE_STYLE(TILE_STYLE),
        .WEIGHT_STYLE(WEIGHT_STYLE)
    ) u_matmul (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s), .refused(matrix_refused), .busy(matrix_busy),
        .w_en(lanes & {(SIDE*SIDE){w_valid}}), .w_block(w_block), .w_data({SIDE{w_data}}), .wb_en(w_valid && to_bias),
        .wb_row(w_block[11:0]), .wb_data(w_data), .t_en(lanes & {(SIDE*SIDE){t_valid}}), .t_block(t_block),
        .t_data({SIDE{t_data}}), .tb_en(t_valid && to_bias), .tb_row(t_block[11:0]), .tb_data(t_data),
        .a_valid(fa || a_valid), .a_ready(ma_ready), .a_tile(fa ? f_tile : a_tile), .a_block(fa ? f_block : a_block),
        .a_feature(fa ? f_feature : a_feature), .a_en(fa ? f_en : one << a_sample[S_BITS-1:0]),
        .a_data(fa ? f_data : {SIDE{a_data}}), .e_valid(fe || e_valid), .e_ready(me_ready), .e_tile(fe ? f_tile : e_tile),
        .e_block(fe ? f_block : e_block), .e_feature(fe ? f_feature : e_feature),
        .e_en(fe ? f_en : one << e_sample[S_BITS-1:0]), .e_data(fe ? f_data : {SIDE{e_data}}),
        .m_valid(m_valid), .m_to(m_to), .m_tile(m_tile), .m_index(m_index), .m_row(m_row), .m_bias(m_bias), .m_rows(m_rows),
        .m_words(m_words), .m_begins(m_begins), .m_ends_row(m_ends_row), .m_ends(m_ends),
        .m_data(m_data), .m_bias_data(m_bias_data), .told_valid(told_valid), .told_id(told_id), .told_saturated(told_saturated),
        .told_acc_overflow(told_acc_overflow), .told_peak(told_peak)
    );

    rlc_tensor_update #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .GROUPS(GROUPS), .TARGET_GROUPS(TARGET_GROUPS), .GRAD_WORDS(GRAD_WORDS),
        .GRAD_ROWS(GRAD_ROWS), .OPTIMISER(OPTIMISER), .POLYAK(POLYAK), .GROUP_STYLE(GROUP_STYLE)
    ) u_update (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, u), .busy(busy[1]), .settings(settings), .fit(fit), .tau(tau),
        .g_valid(m_valid && m_to == `RLC_TENSOR_GRADIENTS), .g_word(m_tile), .g_data(m_data), .g_bias(m_bias), .g_row(m_row),
        .g_bias_data(m_bias_data), `RLC_STREAM_JOIN(s_load, load), `RLC_STREAM_JOIN(m_read, read), .w_valid(w_valid),
        .t_valid(t_valid), .m_bias(to_bias), .w_block(w_block), .t_block(t_block), .m_output(outputs), .w_data(w_data),
        .t_data(t_data), .told_valid(done_valid), .told_id(done_id), .told_saturated(done_saturated)
    );

    wire o_valid, o_ready, vector_busy;
    wire [16+SIDE*27-1:0] o_data;
    rlc_tensor_outputs #(.SIDE(SIDE), .BLOCKS(BLOCKS), .QUEUE(OUTPUT_WORDS)) u_outputs (
        .clk(clk), .rst(rst), .cfg_words(words), .s_valid(m_valid && m_to == `RLC_TENSOR_OUTPUTS), .s_base(m_tile),
        .s_begins(m_begins), .s_ends_row(m_ends_row), .s_rows(m_rows), .s_words(m_words), .s_data(m_data), `RLC_STREAM_JOIN(m, o), .idle(drained)
    );
    assign busy[0] = matrix_busy || !drained;
    assign busy[2] = vector_busy;
    assign done    = m_valid && m_ends;
    assign refused = matrix_refused || vector_refused;

    rlc_tensor_vector #(.SIDE(SIDE), .BLOCKS(BLOCKS), .WORDS(WORDS)) u_vector (
        .clk(clk), .rst(rst), .cfg_samples(samples), .load(draw_load), .state(draw_state), .state_q(draw_state_q),
        `RLC_STREAM_JOIN(s, v), .refused(vector_refused), .busy(vector_busy), `RLC_STREAM_JOIN(o, o), .h_valid(h_valid), .h_ready(h_ready),
        .h_address(h_address), .h_lane(h_lane), .h_data(h_data), .t_valid(f_valid), .t_ready(f_ready), .t_deltas(f_deltas),
        .t_tile(f_tile), .t_block(f_block), .t_feature(f_feature), .t_en(f_en), .t_data(f_data), `RLC_STREAM_JOIN(m, r),
        .words(words), .told_valid(seen_valid), .told_id(seen_id), .told_saturated(seen_saturated), .told_peak(seen_peak)
    );
endmodule
`default_nettype wire
