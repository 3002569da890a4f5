// rlc_heppo_parameters.vh — parameters, included in a module's header.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the declaration heppo.yaml; do not edit.

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
parameter FIFO_LOG2  = 4,  // log2 of the beats each stream's crossing holds (2 to 10)
parameter STAGES     = 2,  // flip-flops in each synchroniser (2 to 4)
parameter ROWS       = 4,  // processing elements (at least 1)
parameter LANES      = 8,  // trajectories held at once (1 to 16384)
parameter DEPTH      = 16, // records per lane (2 to 4096)
parameter LOOKAHEAD  = 2,  // steps of look-ahead (1 to 4)
parameter INTERLEAVE = 1,  // lanes that take turns on a row (1 to 8)
parameter SPAN       = 4,  // rows that share their lanes (at least 1)
parameter QBITS      = 8,  // bits of a reward or value code (3 to 16)
parameter OUT_BITS   = 8,  // bits of a result code: QBITS, 16 or 24 (3 to 24)
parameter BEAT       = 2,  // elements per stream beat (1 to 64)
parameter STACKS     = 1,  // rollouts held at once (1 to 2)
parameter TRACE      = 0   // 1: a coefficient for each step in the place of its value (0 to 1)
/* verilator lint_restore */
`include "rlc_check.vh"
`ifndef RLC_HEPPO_LEGAL
`define RLC_HEPPO_LEGAL(top) \
    `RLC_CHECK(FIFO_LOG2 >= 2 && FIFO_LOG2 <= 10, \
               top``_illegal_FIFO_LOG2_must_be_2_to_10) \
    `RLC_CHECK(STAGES >= 2 && STAGES <= 4, \
               top``_illegal_STAGES_must_be_2_to_4)
`endif
