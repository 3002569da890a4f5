// rlc_sumtree_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration sumtree.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter LEAVES_LOG2      = 12,                                                // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 4,                                                 // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY         = 4096,                                              // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH   = 18,                                                // bits of a priority (1 to 32)
parameter DRAW_WIDTH       = 32,                                                // bits of a draw (1 to 32)
parameter GENERATION_WIDTH = 8,                                                 // bits of a generation tag; 0: no tags (0 to 16)
parameter SHARED           = 0,                                                 // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE       = 2,                                                 // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY     = 2,                                                 // clocks of a read of the head (1 to 5)
parameter NARROW_STYLE     = 2,                                                 // memories of the updates, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY   = 2,                                                 // clocks of a read of the updates' memories, a digit per level (every digit 1 to 5)
parameter WIDE_STYLE       = 2,                                                 // memories of the samples, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY     = 2,                                                 // clocks of a read of the samples' memories, a digit per level (every digit 1 to 5)
parameter BYPASS           = 0,                                                 // whether the device lacks RAM that reads before it writes (0 or 1)
parameter ADDS             = 2,                                                 // adders in series per clock (1 to 6)
parameter INDEX_WIDTH      = LEAVES_LOG2,                                       // derived, leave it alone: bits of a slot's number
parameter GENERATION_BITS  = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1,     // derived, leave it alone: bits of a generation on ports
parameter SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2,                      // derived, leave it alone: bits of a total
parameter VALUE_WIDTH      = (SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH  // derived, leave it alone: bits of a request's value
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_SUMTREE_LEGAL
`define RLC_SUMTREE_LEGAL(top) \
    `RLC_CHECK(LEAVES_LOG2 >= 1 && LEAVES_LOG2 <= 24, \
               top``_illegal_LEAVES_LOG2_must_be_1_to_24) \
    `RLC_CHECK(CAPACITY >= 1 && CAPACITY <= 16777216, \
               top``_illegal_CAPACITY_must_be_1_to_16777216) \
    `RLC_CHECK(PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32, \
               top``_illegal_PRIORITY_WIDTH_must_be_1_to_32) \
    `RLC_CHECK(DRAW_WIDTH >= 1 && DRAW_WIDTH <= 32, \
               top``_illegal_DRAW_WIDTH_must_be_1_to_32) \
    `RLC_CHECK(GENERATION_WIDTH >= 0 && GENERATION_WIDTH <= 16, \
               top``_illegal_GENERATION_WIDTH_must_be_0_to_16) \
    `RLC_CHECK(SHARED == 0 || SHARED == 1, \
               top``_illegal_SHARED_must_be_0_or_1) \
    `RLC_CHECK(HEAD_STYLE >= 0 && HEAD_STYLE <= 3, \
               top``_illegal_HEAD_STYLE_must_be_0_to_3) \
    `RLC_CHECK(HEAD_LATENCY >= 1 && HEAD_LATENCY <= 5, \
               top``_illegal_HEAD_LATENCY_must_be_1_to_5) \
    `RLC_CHECK(BYPASS == 0 || BYPASS == 1, \
               top``_illegal_BYPASS_must_be_0_or_1) \
    `RLC_CHECK(ADDS >= 1 && ADDS <= 6, \
               top``_illegal_ADDS_must_be_1_to_6) \
    `RLC_CHECK(INDEX_WIDTH == (LEAVES_LOG2) && GENERATION_BITS == ((GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1) && SUM_WIDTH == (PRIORITY_WIDTH + LEAVES_LOG2) && VALUE_WIDTH == ((SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH), \
               top``_illegal_INDEX_WIDTH_and_GENERATION_BITS_and_SUM_WIDTH_and_VALUE_WIDTH_follow_from_the_others)
`endif
