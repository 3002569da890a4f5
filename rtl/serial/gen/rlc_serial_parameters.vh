// rlc_serial_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration serial.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter PRIORITY_MATHS   = 1,  // whether TD errors become priorities, and answers get weights (0 or 1)
parameter BATCH_MAX        = 16, // largest batch of samples (1 to 32768)
parameter WORDS            = 32, // words of 32 bits that a frame may carry (5 to 4096)
parameter CLOCKS_PER_BIT   = 8,  // clocks per bit of the line (4 to 65535)
parameter GAP_LOG2         = 9,  // log2 of the clocks between two bytes after which a frame is given up (7 to 30)
parameter WAIT_LOG2        = 6,  // log2 of the clocks that PUT and GET wait for a word (2 to 30)
parameter ROWS             = 4,  // processing elements (at least 1)
parameter LANES            = 8,  // trajectories held at once (1 to 16384)
parameter DEPTH            = 16, // records per lane (2 to 4096)
parameter LOOKAHEAD        = 2,  // steps of look-ahead (1 to 4)
parameter INTERLEAVE       = 1,  // lanes that take turns on a row (1 to 8)
parameter SPAN             = 4,  // rows that share their lanes (at least 1)
parameter QBITS            = 8,  // bits of a reward or value code (3 to 16)
parameter OUT_BITS         = 8,  // bits of a result code: QBITS, 16 or 24 (3 to 24)
parameter BEAT             = 2,  // elements per stream beat (1 to 64)
parameter STACKS           = 1,  // rollouts held at once (1 to 2)
parameter TRACE            = 0,  // 1: a coefficient for each step in the place of its value (0 to 1)
parameter LEAVES_LOG2      = 6,  // log2 of the leaves of the tree (1 to 24)
parameter RADIX_LOG2       = 2,  // log2 of the radix, a decimal digit per level, leaves last (every digit 1 to 6)
parameter CAPACITY         = 50, // largest number of slots (1 to 16777216)
parameter PRIORITY_WIDTH   = 8,  // bits of a priority (1 to 32)
parameter DRAW_WIDTH       = 16, // bits of a draw (1 to 32)
parameter GENERATION_WIDTH = 3,  // bits of a generation tag; 0: no tags (0 to 16)
parameter SHARED           = 0,  // whether operations and samples share one copy of the leaves (0 or 1)
parameter HEAD_STYLE       = 2,  // memory of the head (0 auto, 1 distributed, 2 block, 3 ultra)
parameter HEAD_LATENCY     = 2,  // clocks of a read of the head (1 to 5)
parameter NARROW_STYLE     = 2,  // memories of the updates, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter NARROW_LATENCY   = 2,  // clocks of a read of the updates' memories, a digit per level (every digit 1 to 5)
parameter WIDE_STYLE       = 2,  // memories of the samples, a digit per level (every digit 0 auto, 1 distributed, 2 block, 3 ultra)
parameter WIDE_LATENCY     = 2,  // clocks of a read of the samples' memories, a digit per level (every digit 1 to 5)
parameter BYPASS           = 0,  // whether the device lacks RAM that reads before it writes (0 or 1)
parameter ADDS             = 2   // adders in series per clock (1 to 6)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_SERIAL_LEGAL
`define RLC_SERIAL_LEGAL(top) \
    `RLC_CHECK(PRIORITY_MATHS == 0 || PRIORITY_MATHS == 1, \
               top``_illegal_PRIORITY_MATHS_must_be_0_or_1) \
    `RLC_CHECK(BATCH_MAX >= 1 && BATCH_MAX <= 32768, \
               top``_illegal_BATCH_MAX_must_be_1_to_32768) \
    `RLC_CHECK(WORDS >= 5 && WORDS <= 4096, \
               top``_illegal_WORDS_must_be_5_to_4096) \
    `RLC_CHECK(CLOCKS_PER_BIT >= 4 && CLOCKS_PER_BIT <= 65535, \
               top``_illegal_CLOCKS_PER_BIT_must_be_4_to_65535) \
    `RLC_CHECK(GAP_LOG2 >= 7 && GAP_LOG2 <= 30, \
               top``_illegal_GAP_LOG2_must_be_7_to_30) \
    `RLC_CHECK(WAIT_LOG2 >= 2 && WAIT_LOG2 <= 30, \
               top``_illegal_WAIT_LOG2_must_be_2_to_30)
`endif
