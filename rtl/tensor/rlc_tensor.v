// rlc_tensor.v — trains a list of networks: all products on one array, and the updates of their weights beside it.
// SPDX-License-Identifier: Apache-2.0
//
//   commands --> rlc_tensor_matmul --gradients--> rlc_tensor_update <-- updates, loads, reads
//                       ^--- weights, targets, biases ---'
//
// s_*          commands of the matrix unit; u_*: of the update unit. docs/tensor.md
// a_*, e_*     numbers into tensors of activations, of deltas: inputs, and the deltas of outputs
// m_*          results of the matrix unit, gradients of biases with m_bias; OUTPUTS leave here and nowhere else
// load_*, read_*   planes of parameters, SIDE numbers a group
// told_*       of the matrix unit, done_*: of the update unit
// other ports  rlc_tensor_matmul.v, rlc_tensor_update.v
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
    parameter PLACES        = 256,   // sums of a pass
    parameter ROWS          = 128,   // rows of blocks of the largest layer
    parameter GROUPS        = 32768, // groups of SIDE weights, biases included
    parameter TARGET_GROUPS = 16384, // of all target networks; 0: there is none
    parameter GRAD_WORDS    = 512,   // words of gradients that wait
    parameter GRAD_ROWS     = 128,   // rows of their biases
    parameter OPTIMISER     = 2,     // rlc_nn_optimisers.vh
    parameter POLYAK        = 1,     // 1: targets are averages
    // Derived; leave them alone.
    parameter SPAN    = SIDE * BLOCKS,
    parameter K_BITS  = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // of a block within a word
    parameter AT_BITS = (SPAN > 1) ? $clog2(SPAN) : 1 // of a place within a tile
) (
    input  wire                     clk,
    input  wire                     rst,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_COMMAND),
    `RLC_STREAM_SLAVE(u, `RLC_TENSOR_UPDATE),
    output wire                     refused,
    output wire [1:0]               busy,        // {update unit, matrix unit}
    input  wire `RLC_NN_SETTINGS    settings,
    output wire                     fit,
    input  wire [16:0]              tau,

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

    `RLC_STREAM_SLAVE(load, SIDE*48),
    `RLC_STREAM_MASTER(read, SIDE*48),

    output wire                     told_valid,
    output wire [5:0]               told_id,
    output wire [31:0]              told_limited,
    output wire [31:0]              told_beyond,
    output wire [26:0]              told_peak,
    output wire                     done_valid,
    output wire [5:0]               done_id,
    output wire [31:0]              done_limited
);
    wire                        w_valid, t_valid, to_bias;
    wire [15:0]                 w_block, t_block;
    wire [SIDE-1:0]             outputs;
    wire [SIDE*27-1:0]          w_data, t_data;
    wire [SIDE*SIDE-1:0]        lanes;          // of the output whose weights are new
    genvar o;
    for (o = 0; o < SIDE; o = o + 1) begin : g_output
        assign lanes[o*SIDE +: SIDE] = {SIDE{outputs[o] && !to_bias}};
    end

    rlc_tensor_matmul #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .WEIGHT_BLOCKS(WEIGHT_BLOCKS), .TARGET_BLOCKS(TARGET_BLOCKS), .BIAS_ROWS(BIAS_ROWS),
        .A_TILES(A_TILES), .E_TILES(E_TILES), .PLACES(PLACES), .ROWS(ROWS)
    ) u_matmul (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, s), .refused(refused), .busy(busy[0]),
        .w_en(lanes & {(SIDE*SIDE){w_valid}}), .w_block(w_block), .w_data({SIDE{w_data}}), .wb_en(w_valid && to_bias),
        .wb_row(w_block[11:0]), .wb_data(w_data), .t_en(lanes & {(SIDE*SIDE){t_valid}}), .t_block(t_block),
        .t_data({SIDE{t_data}}), .tb_en(t_valid && to_bias), .tb_row(t_block[11:0]), .tb_data(t_data),
        .a_valid(a_valid), .a_ready(a_ready), .a_tile(a_tile), .a_sample(a_sample), .a_feature(a_feature), .a_data(a_data),
        .e_valid(e_valid), .e_ready(e_ready), .e_tile(e_tile), .e_sample(e_sample), .e_feature(e_feature), .e_data(e_data),
        .m_valid(m_valid), .m_to(m_to), .m_tile(m_tile), .m_index(m_index), .m_row(m_row), .m_bias(m_bias),
        .m_data(m_data), .m_bias_data(m_bias_data), .told_valid(told_valid), .told_id(told_id), .told_limited(told_limited),
        .told_beyond(told_beyond), .told_peak(told_peak)
    );

    rlc_tensor_update #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .GROUPS(GROUPS), .TARGET_GROUPS(TARGET_GROUPS), .GRAD_WORDS(GRAD_WORDS),
        .GRAD_ROWS(GRAD_ROWS), .OPTIMISER(OPTIMISER), .POLYAK(POLYAK)
    ) u_update (
        .clk(clk), .rst(rst), `RLC_STREAM_JOIN(s, u), .busy(busy[1]), .settings(settings), .fit(fit), .tau(tau),
        .g_valid(m_valid && m_to == `RLC_TENSOR_GRADIENTS), .g_word(m_tile), .g_data(m_data), .g_bias(m_bias), .g_row(m_row),
        .g_bias_data(m_bias_data), `RLC_STREAM_JOIN(s_load, load), `RLC_STREAM_JOIN(m_read, read), .w_valid(w_valid),
        .t_valid(t_valid), .m_bias(to_bias), .w_block(w_block), .t_block(t_block), .m_output(outputs), .w_data(w_data),
        .t_data(t_data), .told_valid(done_valid), .told_id(done_id), .told_limited(done_limited)
    );
endmodule
`default_nettype wire
