// rlc_mlp_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration mlp.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter [1023:0] SIZES         = "4-8-2",                                    // neurons per layer, the inputs first
parameter [1023:0] KINDS         = "1-0",                                      // activation of each layer (numbers joined by '-': 0 identity, 1 relu, 2 leaky_relu, 3 tanh, 4 sigmoid, 5 elu, 6 silu, 7 scaled_elu)
parameter [1023:0] SHIFTS        = "7-7",                                      // bits that the sums of each layer lose on the way out of the array
parameter [1023:0] BIAS_SHIFTS   = "0-0",                                      // bits by which the biases of each layer are shifted up to the sums
parameter [1023:0] UNIT_SHIFTS   = "0-0",                                      // bits that the activation unit's result of each layer loses
parameter [1023:0] SLOPES        = "0-0",                                      // slope of leaky ReLU, or alpha of scaled ELU, of each layer, in units of 2^-16
parameter [1023:0] NORMS         = "0-0",                                      // ε of each layer's normalisation, n · ε in units of its squared sums; 0: it is not normalised
parameter [1023:0] NORM_SHIFTS   = "0-0",                                      // bits that the normalised sums of each layer lose
parameter [1023:0] OFFSET_SHIFTS = "0-0",                                      // bits by which the offsets of each layer are shifted up to its normalised sums
parameter [1023:0] ACT_WIDTHS    = "8-18",                                     // bits that the results of each layer are clipped to
parameter UNIT_FRAC              = 10,                                         // fraction bits of what an activation unit takes (0 to 14)
parameter WEIGHT_WIDTH           = 8,                                          // bits of a weight in the array, of the widest layer (3 to 18)
parameter ACT_WIDTH              = 8,                                          // bits of an element in the array, of the widest layer (3 to 18)
parameter SUM_WIDTH              = 34,                                         // bits of a sum (33 to 80)
parameter ROWS                   = 4,                                          // results that are worked on at a time (1, 2, 4, 8, 16, 32, 64, 128 or 256)
parameter COLS                   = 4,                                          // elements of each per clock (1, 2, 4, 8, 16, 32, 64, 128 or 256)
parameter ACTS                   = 4,                                          // results that leave the array per clock (1, 2, 4, 8, 16, 32, 64, 128 or 256)
parameter MULTIPLIER             = 0,                                          // how the array multiplies (0 one, 1 pair, 2 lut)
parameter ARGMAX                 = 0,                                          // whether the answer is the index of the greatest output (0 or 1)
parameter IDENTITY               = 0,                                          // first word of every set of weights, 32 bits (at least 0)
parameter ANSWER_WIDTH           = (ARGMAX != 0) ? 10 : 18 * last_size(SIZES)  // derived, leave it alone: bits of an answer
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_MLP_LEGAL
`define RLC_MLP_LEGAL(top) \
    `RLC_CHECK(all_in(SIZES, 1, 1024), \
               top``_illegal_SIZES_must_be_numbers_of_1_to_1024) \
    `RLC_CHECK(UNIT_FRAC >= 0 && UNIT_FRAC <= 14, \
               top``_illegal_UNIT_FRAC_must_be_0_to_14) \
    `RLC_CHECK(WEIGHT_WIDTH >= 3 && WEIGHT_WIDTH <= 18, \
               top``_illegal_WEIGHT_WIDTH_must_be_3_to_18) \
    `RLC_CHECK(ACT_WIDTH >= 3 && ACT_WIDTH <= 18, \
               top``_illegal_ACT_WIDTH_must_be_3_to_18) \
    `RLC_CHECK(SUM_WIDTH >= 33 && SUM_WIDTH <= 80, \
               top``_illegal_SUM_WIDTH_must_be_33_to_80) \
    `RLC_CHECK(ROWS == 1 || ROWS == 2 || ROWS == 4 || ROWS == 8 || ROWS == 16 || ROWS == 32 || ROWS == 64 || ROWS == 128 || ROWS == 256, \
               top``_illegal_ROWS_must_be_1_or_2_or_4_or_8_or_16_or_32_or_64_or_128_or_256) \
    `RLC_CHECK(COLS == 1 || COLS == 2 || COLS == 4 || COLS == 8 || COLS == 16 || COLS == 32 || COLS == 64 || COLS == 128 || COLS == 256, \
               top``_illegal_COLS_must_be_1_or_2_or_4_or_8_or_16_or_32_or_64_or_128_or_256) \
    `RLC_CHECK(ACTS == 1 || ACTS == 2 || ACTS == 4 || ACTS == 8 || ACTS == 16 || ACTS == 32 || ACTS == 64 || ACTS == 128 || ACTS == 256, \
               top``_illegal_ACTS_must_be_1_or_2_or_4_or_8_or_16_or_32_or_64_or_128_or_256) \
    `RLC_CHECK(MULTIPLIER >= 0 && MULTIPLIER <= 2, \
               top``_illegal_MULTIPLIER_must_be_0_to_2) \
    `RLC_CHECK(ARGMAX == 0 || ARGMAX == 1, \
               top``_illegal_ARGMAX_must_be_0_or_1) \
    `RLC_CHECK(IDENTITY >= 0, \
               top``_illegal_IDENTITY_must_be_at_least_0) \
    `RLC_CHECK(ANSWER_WIDTH == ((ARGMAX != 0) ? 10 : 18 * last_size(SIZES)), \
               top``_illegal_ANSWER_WIDTH_follows_from_the_others)
`endif
