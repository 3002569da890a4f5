// rlc_tensor_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration tensor.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter SIDE          = 8,     // rows and columns of a block (2, 4, 8, 16 or 32)
parameter BLOCKS        = 4,     // blocks of a word (1, 2, 4, 8, 16 or 32)
parameter WEIGHT_BLOCKS = 4096,  // blocks of weights of all networks (1 to 65536)
parameter TARGET_BLOCKS = 2048,  // blocks of weights of all target networks (0 to 65536)
parameter BIAS_ROWS     = 512,   // rows of blocks of all networks (1 to 4096)
parameter A_TILES       = 256,   // tiles of activations (1 to 65536)
parameter E_TILES       = 256,   // tiles of deltas (1 to 65536)
parameter PASS_SUMS     = 256,   // sums of a pass (1 to 65536)
parameter ROWS          = 128,   // rows of blocks of the largest layer (1 to 1024)
parameter GROUPS        = 32768, // groups of SIDE parameters of all networks (1 to 65536)
parameter TARGET_GROUPS = 16384, // groups of SIDE parameters of all target networks (0 to 65536)
parameter GRAD_WORDS    = 512,   // words of gradients that wait for their update (1 to 65536)
parameter GRAD_ROWS     = 128,   // rows of biases of those gradients (1 to 4096)
parameter WORDS         = 4096,  // words of vectors, each SIDE numbers (2 to 65536)
parameter OUTPUT_WORDS  = 32,    // words of outputs that wait for their vectors (2 to 4096)
parameter STEPS         = 512,   // steps of all programs (2 to 4096)
parameter TILE_STYLE    = 0,     // memory of activations and deltas (0 auto, 1 distributed, 2 block, 3 ultra)
parameter WEIGHT_STYLE  = 0,     // memory of blocks of weights and targets (0 auto, 1 distributed, 2 block, 3 ultra)
parameter GROUP_STYLE   = 0      // memory of groups of parameters: exact weights, targets, moments (0 auto, 1 distributed, 2 block, 3 ultra)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_TENSOR_LEGAL
`define RLC_TENSOR_LEGAL(top) \
    `RLC_CHECK(SIDE == 2 || SIDE == 4 || SIDE == 8 || SIDE == 16 || SIDE == 32, \
               top``_illegal_SIDE_must_be_2_or_4_or_8_or_16_or_32) \
    `RLC_CHECK(BLOCKS == 1 || BLOCKS == 2 || BLOCKS == 4 || BLOCKS == 8 || BLOCKS == 16 || BLOCKS == 32, \
               top``_illegal_BLOCKS_must_be_1_or_2_or_4_or_8_or_16_or_32) \
    `RLC_CHECK(WEIGHT_BLOCKS >= 1 && WEIGHT_BLOCKS <= 65536, \
               top``_illegal_WEIGHT_BLOCKS_must_be_1_to_65536) \
    `RLC_CHECK(TARGET_BLOCKS >= 0 && TARGET_BLOCKS <= 65536, \
               top``_illegal_TARGET_BLOCKS_must_be_0_to_65536) \
    `RLC_CHECK(BIAS_ROWS >= 1 && BIAS_ROWS <= 4096, \
               top``_illegal_BIAS_ROWS_must_be_1_to_4096) \
    `RLC_CHECK(A_TILES >= 1 && A_TILES <= 65536, \
               top``_illegal_A_TILES_must_be_1_to_65536) \
    `RLC_CHECK(E_TILES >= 1 && E_TILES <= 65536, \
               top``_illegal_E_TILES_must_be_1_to_65536) \
    `RLC_CHECK(PASS_SUMS >= 1 && PASS_SUMS <= 65536, \
               top``_illegal_PASS_SUMS_must_be_1_to_65536) \
    `RLC_CHECK(ROWS >= 1 && ROWS <= 1024, \
               top``_illegal_ROWS_must_be_1_to_1024) \
    `RLC_CHECK(GROUPS >= 1 && GROUPS <= 65536, \
               top``_illegal_GROUPS_must_be_1_to_65536) \
    `RLC_CHECK(TARGET_GROUPS >= 0 && TARGET_GROUPS <= 65536, \
               top``_illegal_TARGET_GROUPS_must_be_0_to_65536) \
    `RLC_CHECK(GRAD_WORDS >= 1 && GRAD_WORDS <= 65536, \
               top``_illegal_GRAD_WORDS_must_be_1_to_65536) \
    `RLC_CHECK(GRAD_ROWS >= 1 && GRAD_ROWS <= 4096, \
               top``_illegal_GRAD_ROWS_must_be_1_to_4096) \
    `RLC_CHECK(WORDS >= 2 && WORDS <= 65536, \
               top``_illegal_WORDS_must_be_2_to_65536) \
    `RLC_CHECK(OUTPUT_WORDS >= 2 && OUTPUT_WORDS <= 4096, \
               top``_illegal_OUTPUT_WORDS_must_be_2_to_4096) \
    `RLC_CHECK(STEPS >= 2 && STEPS <= 4096, \
               top``_illegal_STEPS_must_be_2_to_4096) \
    `RLC_CHECK(TILE_STYLE >= 0 && TILE_STYLE <= 3, \
               top``_illegal_TILE_STYLE_must_be_0_to_3) \
    `RLC_CHECK(WEIGHT_STYLE >= 0 && WEIGHT_STYLE <= 3, \
               top``_illegal_WEIGHT_STYLE_must_be_0_to_3) \
    `RLC_CHECK(GROUP_STYLE >= 0 && GROUP_STYLE <= 3, \
               top``_illegal_GROUP_STYLE_must_be_0_to_3)
`endif
