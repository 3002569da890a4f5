// rlc_policy_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration policy.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter [1023:0] SIZES       = "4-8-8-2", // neurons per layer
parameter [1023:0] LANES       = "4-4-4-2", // elements of each layer that travel in one word
parameter [1023:0] FORWARD     = "1-2-1",   // row groups of each weight layer
parameter [1023:0] UPDATE_ROWS = "4-4-2",   // outputs that the weight bus brings per clock
parameter [1023:0] UPDATE_COLS = "1-2-1",   // inputs that the weight bus brings per clock
parameter OUT_WIDTH            = 27,        // bits of an output of the network (18 or 27)
parameter CONTINUOUS           = 0,         // whether an action is numbers instead of an index (0 or 1)
parameter OPERANDS             = 0,         // whether the multipliers have registers at their operands (0 or 1)
parameter LOGP                 = 1          // whether log-probabilities are given (0 or 1)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_POLICY_LEGAL
`define RLC_POLICY_LEGAL(top) \
    `RLC_CHECK(all_in(SIZES, 1, 1024), \
               top``_illegal_SIZES_must_be_numbers_of_1_to_1024) \
    `RLC_CHECK(OUT_WIDTH == 18 || OUT_WIDTH == 27, \
               top``_illegal_OUT_WIDTH_must_be_18_or_27) \
    `RLC_CHECK(CONTINUOUS == 0 || CONTINUOUS == 1, \
               top``_illegal_CONTINUOUS_must_be_0_or_1) \
    `RLC_CHECK(OPERANDS == 0 || OPERANDS == 1, \
               top``_illegal_OPERANDS_must_be_0_or_1) \
    `RLC_CHECK(LOGP == 0 || LOGP == 1, \
               top``_illegal_LOGP_must_be_0_or_1)
`endif
