// rlc_sumtree_banks_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration sumtree_banks.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter BANKS            = 8,                                                 // banks and lanes (1, 2, 4, 8 or 16)
parameter QUEUE            = 16,                                                // depth of the queue in front of a bank (2 to 1024)
parameter TAG_WIDTH        = 16,                                                // bits of a request's tag (1 to 1024)
parameter STRATA           = 1,                                                 // whether draws may be stratified (0 or 1)
parameter LEAVES_LOG2      = 12,                                                // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 4,                                                 // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY         = BANKS << LEAVES_LOG2,                              // largest number of slots (1 to 16777216)
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
parameter BANK_BITS        = $clog2(BANKS),                                     // derived, leave it alone: bits of a bank's number
parameter INDEX_WIDTH      = LEAVES_LOG2 + BANK_BITS,                           // derived, leave it alone: bits of a slot's number
parameter GENERATION_BITS  = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1,     // derived, leave it alone: bits of a generation on ports
parameter LOCAL_SUM        = PRIORITY_WIDTH + LEAVES_LOG2,                      // derived, leave it alone: bits of a bank's total
parameter SUM_WIDTH        = LOCAL_SUM + BANK_BITS,                             // derived, leave it alone: bits of the total
parameter VALUE_WIDTH      = (SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH  // derived, leave it alone: bits of a request's value
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_SUMTREE_BANKS_LEGAL
`define RLC_SUMTREE_BANKS_LEGAL(top) \
    `RLC_CHECK(BANKS == 1 || BANKS == 2 || BANKS == 4 || BANKS == 8 || BANKS == 16, \
               top``_illegal_BANKS_must_be_1_or_2_or_4_or_8_or_16) \
    `RLC_CHECK(QUEUE >= 2 && QUEUE <= 1024, \
               top``_illegal_QUEUE_must_be_2_to_1024) \
    `RLC_CHECK(TAG_WIDTH >= 1 && TAG_WIDTH <= 1024, \
               top``_illegal_TAG_WIDTH_must_be_1_to_1024) \
    `RLC_CHECK(STRATA == 0 || STRATA == 1, \
               top``_illegal_STRATA_must_be_0_or_1) \
    `RLC_CHECK(BANK_BITS == ($clog2(BANKS)) && INDEX_WIDTH == (LEAVES_LOG2 + BANK_BITS) && GENERATION_BITS == ((GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1) && LOCAL_SUM == (PRIORITY_WIDTH + LEAVES_LOG2) && SUM_WIDTH == (LOCAL_SUM + BANK_BITS) && VALUE_WIDTH == ((SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH), \
               top``_illegal_BANK_BITS_and_INDEX_WIDTH_and_GENERATION_BITS_and_LOCAL_SUM_and_SUM_WIDTH_and_VALUE_WIDTH_follow_from_the_others)
`endif
