// rlc_learner_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration learner.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter [1023:0] SIZES       = "4-8-8-2", // neurons per layer
parameter [1023:0] LANES       = "4-4-4-2", // elements of each layer that travel in one word
parameter [1023:0] FORWARD     = "1-2-1",   // row groups of the forward unit of each weight layer
parameter [1023:0] BACKWARD    = "1-2-1",   // row groups of the backward and weight-gradient units of each weight layer
parameter [1023:0] UPDATE_ROWS = "4-4-2",   // outputs that the update unit of each weight layer takes per clock
parameter [1023:0] UPDATE_COLS = "1-2-1",   // inputs that the update unit of each weight layer takes per clock
parameter DP                   = 1,         // samples that are computed side by side, one per column (1 to 255)
parameter BATCH_MAX            = 64,        // longest batch (1 to 16384)
parameter RECORDS              = 8,         // batch slices of records that can wait in front of the network (1 to 1024)
parameter OPTIMISER            = 2,         // optimiser (0 sgd, 1 momentum, 2 adam, 3 adamw)
parameter ROUND                = 0,         // rounding of the update (0 nearest, 1 down, 2 stochastic)
parameter POLYAK               = 0,         // whether target weights may be averaged (0 or 1)
parameter BETA1_NUM            = 205,       // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT (at least 1)
parameter BETA1_SHIFT          = 11,        // see BETA1_NUM (at least 1)
parameter BETA2_NUM            = 131,       // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT (at least 1)
parameter BETA2_SHIFT          = 17,        // see BETA2_NUM (at least 1)
parameter WEIGHT_WIDTH         = 27,        // bits of a weight (19 to 27)
parameter WEIGHT_FRAC          = 22,        // bits of fraction of a weight (1 to 26)
parameter ACT_WIDTH            = 18,        // bits of an activation (18)
parameter VALUE_WIDTH          = 27,        // bits of a value, a reward and a gradient of the loss (27)
parameter GRAD_WIDTH           = 27         // bits of a weight gradient (19 to 27)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_LEARNER_LEGAL
`define RLC_LEARNER_LEGAL(top) \
    `RLC_CHECK(all_in(SIZES, 1, 1024), \
               top``_illegal_SIZES_must_be_numbers_of_1_to_1024) \
    `RLC_CHECK(DP >= 1 && DP <= 255, \
               top``_illegal_DP_must_be_1_to_255) \
    `RLC_CHECK(BATCH_MAX >= 1 && BATCH_MAX <= 16384, \
               top``_illegal_BATCH_MAX_must_be_1_to_16384) \
    `RLC_CHECK(RECORDS >= 1 && RECORDS <= 1024, \
               top``_illegal_RECORDS_must_be_1_to_1024) \
    `RLC_CHECK(OPTIMISER >= 0 && OPTIMISER <= 3, \
               top``_illegal_OPTIMISER_must_be_0_to_3) \
    `RLC_CHECK(ROUND >= 0 && ROUND <= 2, \
               top``_illegal_ROUND_must_be_0_to_2) \
    `RLC_CHECK(POLYAK == 0 || POLYAK == 1, \
               top``_illegal_POLYAK_must_be_0_or_1) \
    `RLC_CHECK(BETA1_NUM >= 1, \
               top``_illegal_BETA1_NUM_must_be_at_least_1) \
    `RLC_CHECK(BETA1_SHIFT >= 1, \
               top``_illegal_BETA1_SHIFT_must_be_at_least_1) \
    `RLC_CHECK(BETA2_NUM >= 1, \
               top``_illegal_BETA2_NUM_must_be_at_least_1) \
    `RLC_CHECK(BETA2_SHIFT >= 1, \
               top``_illegal_BETA2_SHIFT_must_be_at_least_1) \
    `RLC_CHECK(WEIGHT_WIDTH >= 19 && WEIGHT_WIDTH <= 27, \
               top``_illegal_WEIGHT_WIDTH_must_be_19_to_27) \
    `RLC_CHECK(WEIGHT_FRAC >= 1 && WEIGHT_FRAC <= 26, \
               top``_illegal_WEIGHT_FRAC_must_be_1_to_26) \
    `RLC_CHECK(ACT_WIDTH == 18, \
               top``_illegal_ACT_WIDTH_must_be_18) \
    `RLC_CHECK(VALUE_WIDTH == 27, \
               top``_illegal_VALUE_WIDTH_must_be_27) \
    `RLC_CHECK(GRAD_WIDTH >= 19 && GRAD_WIDTH <= 27, \
               top``_illegal_GRAD_WIDTH_must_be_19_to_27)
`endif
