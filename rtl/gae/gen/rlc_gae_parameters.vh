// rlc_gae_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration gae.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter ROWS       = 4,                                                     // processing elements (at least 1)
parameter LANES      = 8,                                                     // trajectories held at once (1 to 16384)
parameter DEPTH      = 16,                                                    // records per lane (2 to 4096)
parameter LOOKAHEAD  = 2,                                                     // steps of look-ahead (1 to 4)
parameter INTERLEAVE = 1,                                                     // lanes that take turns on a row (1 to 8)
parameter SPAN       = 4,                                                     // rows that share their lanes (at least 1)
parameter QBITS      = 8,                                                     // bits of a reward or value code (3 to 16)
parameter OUT_BITS   = 8,                                                     // bits of a result code: QBITS, 16 or 24 (3 to 24)
parameter BEAT       = 2,                                                     // elements per stream beat (1 to 64)
parameter STACKS     = 1,                                                     // rollouts held at once (1 to 2)
parameter TRACE      = 0,                                                     // 1: a coefficient for each step in the place of its value (0 to 1)
parameter WIDE       = (QBITS > 10) ? 1 : 0,                                  // derived, leave it alone: 1: two DSP slices per product, longer sums
parameter SLOT_WIDTH = (INTERLEAVE > 1) ? $clog2(INTERLEAVE) : 1,             // derived, leave it alone: bits of a turn's number
parameter BANK_WIDTH = (LANES > INTERLEAVE) ? $clog2(LANES / INTERLEAVE) : 1  // derived, leave it alone: bits of a memory's number
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_GAE_LEGAL
`define RLC_GAE_LEGAL(top) \
    `RLC_CHECK(ROWS >= 1, \
               top``_illegal_ROWS_must_be_at_least_1) \
    `RLC_CHECK(LANES >= 1 && LANES <= 16384, \
               top``_illegal_LANES_must_be_1_to_16384) \
    `RLC_CHECK(DEPTH >= 2 && DEPTH <= 4096, \
               top``_illegal_DEPTH_must_be_2_to_4096) \
    `RLC_CHECK(LOOKAHEAD >= 1 && LOOKAHEAD <= 4, \
               top``_illegal_LOOKAHEAD_must_be_1_to_4) \
    `RLC_CHECK(INTERLEAVE >= 1 && INTERLEAVE <= 8, \
               top``_illegal_INTERLEAVE_must_be_1_to_8) \
    `RLC_CHECK(SPAN >= 1, \
               top``_illegal_SPAN_must_be_at_least_1) \
    `RLC_CHECK(QBITS >= 3 && QBITS <= 16, \
               top``_illegal_QBITS_must_be_3_to_16) \
    `RLC_CHECK(OUT_BITS >= 3 && OUT_BITS <= 24, \
               top``_illegal_OUT_BITS_must_be_3_to_24) \
    `RLC_CHECK(BEAT >= 1 && BEAT <= 64, \
               top``_illegal_BEAT_must_be_1_to_64) \
    `RLC_CHECK(STACKS >= 1 && STACKS <= 2, \
               top``_illegal_STACKS_must_be_1_to_2) \
    `RLC_CHECK(TRACE >= 0 && TRACE <= 1, \
               top``_illegal_TRACE_must_be_0_to_1) \
    `RLC_CHECK(WIDE == ((QBITS > 10) ? 1 : 0) && SLOT_WIDTH == ((INTERLEAVE > 1) ? $clog2(INTERLEAVE) : 1) && BANK_WIDTH == ((LANES > INTERLEAVE) ? $clog2(LANES / INTERLEAVE) : 1), \
               top``_illegal_WIDE_and_SLOT_WIDTH_and_BANK_WIDTH_follow_from_the_others)
`endif
