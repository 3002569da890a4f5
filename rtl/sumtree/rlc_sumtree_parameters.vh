// rlc_sumtree_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores docs` from the declaration sumtree.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter LEAVES_LOG2      = 12,                                                // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 4,                                                 // log2 of the radix, a decimal digit a level, leaves last (every digit 1 to 6)
parameter CAPACITY         = 4096,                                              // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH   = 18,                                                // bits of a priority (1 to 32)
parameter DRAW_WIDTH       = 32,                                                // bits of a draw (1 to 32)
parameter GENERATION_WIDTH = 8,                                                 // bits of a generation tag; 0: none (0 to 16)
parameter SHARED           = 0,                                                 // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE       = 2,                                                 // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY     = 2,                                                 // clocks of a read (1 to 5)
parameter NARROW_STYLE     = 2,                                                 // memories of the updates, a digit a level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY   = 2,                                                 // clocks of their reads, a digit a level (every digit 1 to 5)
parameter WIDE_STYLE       = 2,                                                 // memories of the samples, a digit a level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY     = 2,                                                 // clocks of their reads, a digit a level (every digit 1 to 5)
parameter BYPASS           = 0,                                                 // whether the device has no RAM that reads before it writes (0 or 1)
parameter ADDS             = 2,                                                 // adders in series a clock (1 to 6)
parameter INDEX_WIDTH      = LEAVES_LOG2,                                       // derived, leave it alone: bits of a slot's number
parameter GENERATION_BITS  = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1,     // derived, leave it alone: bits of a generation on ports
parameter SUM_WIDTH        = PRIORITY_WIDTH + LEAVES_LOG2,                      // derived, leave it alone: bits of a total
parameter VALUE_WIDTH      = (SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH  // derived, leave it alone: bits of a request's value
/* verilator lint_restore */
`ifndef RLC_SUMTREE_DERIVED
`define RLC_SUMTREE_DERIVED(top) \
    if (!(INDEX_WIDTH == (LEAVES_LOG2) \
         && GENERATION_BITS == ((GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1) \
         && SUM_WIDTH == (PRIORITY_WIDTH + LEAVES_LOG2) \
         && VALUE_WIDTH == ((SUM_WIDTH > DRAW_WIDTH) ? SUM_WIDTH : DRAW_WIDTH))) begin : g_check_derived \
        top``_illegal_INDEX_WIDTH_and_GENERATION_BITS_and_SUM_WIDTH_and_VALUE_WIDTH_follow_from_the_others u_stop (); \
    end
`endif
