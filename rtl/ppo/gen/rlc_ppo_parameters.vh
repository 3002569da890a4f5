// rlc_ppo_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration ppo.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter N_ENVS               = 6,                 // environments that take turns (1 to 1024)
parameter GAUSSIAN             = 0,                 // whether actions are numbers from a Gaussian policy, else indices (0 or 1)
parameter RECORD_BITS          = 0,                 // bits of a reward or a value in the rollout's memory, 0 for 27, as they are (0, 3, 4, 5, 6, 7, 8, 9 or 10)
parameter BATCH_MAX            = 64,                // longest minibatch (1 to 4096)
parameter STEPS                = 8,                 // most steps of a rollout (1 to 4096)
parameter [1023:0] SIZES       = "4-8-8-1:4-8-8-2", // neurons per layer
parameter [1023:0] LANES       = "1-4-2-1:1-4-2-1", // elements of each layer that travel in one word
parameter [1023:0] FORWARD     = "1-2-1:1-2-1",     // row groups of the forward unit of each weight layer
parameter [1023:0] BACKWARD    = "1-2-1:1-2-1",     // row groups of the backward and weight-gradient units of each weight layer
parameter [1023:0] UPDATE_ROWS = "4-2-1:4-2-1",     // outputs that the update unit of each weight layer takes per clock
parameter [1023:0] UPDATE_COLS = "1-2-2:1-2-2",     // inputs that the update unit of each weight layer takes per clock
parameter DP                   = 2,                 // samples that are computed side by side, one per column (1 to 255)
parameter RECORDS              = 8,                 // batch slices of records that can wait in front of the network (1 to 1024)
parameter OPTIMISER            = 2,                 // optimiser (0 sgd, 1 momentum, 2 adam, 3 adamw)
parameter ROUND                = 0,                 // rounding of the update (0 nearest, 1 down, 2 stochastic)
parameter POLYAK               = 0,                 // whether target weights may be averaged (0 or 1)
parameter BETA1_NUM            = 205,               // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT (at least 1)
parameter BETA1_SHIFT          = 11,                // see BETA1_NUM (at least 1)
parameter BETA2_NUM            = 131,               // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT (at least 1)
parameter BETA2_SHIFT          = 17,                // see BETA2_NUM (at least 1)
parameter WEIGHT_WIDTH         = 27,                // bits of a weight (19 to 27)
parameter WEIGHT_FRAC          = 22,                // bits of fraction of a weight (1 to 26)
parameter ACT_WIDTH            = 18,                // bits of an activation (18)
parameter VALUE_WIDTH          = 27,                // bits of a value, a reward and a gradient of the loss (27)
parameter GRAD_WIDTH           = 27                 // bits of a weight gradient (19 to 27)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_PPO_LEGAL
`define RLC_PPO_LEGAL(top) \
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 1024, \
               top``_illegal_N_ENVS_must_be_1_to_1024) \
    `RLC_CHECK(GAUSSIAN == 0 || GAUSSIAN == 1, \
               top``_illegal_GAUSSIAN_must_be_0_or_1) \
    `RLC_CHECK(RECORD_BITS == 0 || RECORD_BITS == 3 || RECORD_BITS == 4 || RECORD_BITS == 5 || RECORD_BITS == 6 || RECORD_BITS == 7 || RECORD_BITS == 8 || RECORD_BITS == 9 || RECORD_BITS == 10, \
               top``_illegal_RECORD_BITS_must_be_0_or_3_or_4_or_5_or_6_or_7_or_8_or_9_or_10) \
    `RLC_CHECK(BATCH_MAX >= 1 && BATCH_MAX <= 4096, \
               top``_illegal_BATCH_MAX_must_be_1_to_4096) \
    `RLC_CHECK(STEPS >= 1 && STEPS <= 4096, \
               top``_illegal_STEPS_must_be_1_to_4096)
`endif
