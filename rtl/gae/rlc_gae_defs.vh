// rlc_gae_defs.vh — kinds and number formats of the GAE core, included inside a module that has the
// parameters DEPTH, QBITS and OUT_BITS. Derivation: docs/gae.md, "Numbers".
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

// Kinds of record. Bit 0 says "is a step"; NONE pads beats.
localparam [1:0] KIND_NONE       = 2'd0;
localparam [1:0] KIND_STEP       = 2'd1;
localparam [1:0] KIND_BOOT       = 2'd2;
localparam [1:0] KIND_TERMINATED = 2'd3;

// A core with codes of more than 10 bits is wide: its products take two DSP slices (rlc_gae_mac2).
localparam WIDE_CODES = (QBITS > 10) ? 1 : 0;
localparam ACC_WIDTH  = (WIDE_CODES != 0) ? 35 : 27;  // delta, A: the multiplicand of one DSP, or of two
localparam VAL_WIDTH  = ACC_WIDTH - 2;          // de-quantised value
localparam WORD_FRAC  = (WIDE_CODES != 0) ? 15 : 10;  // fraction bits of value scale and offset
localparam SCL_WIDTH  = (WIDE_CODES != 0) ? 32 : 27;  // value scale
localparam OFS_WIDTH  = VAL_WIDTH + WORD_FRAC;  // value offset, half a u included
localparam SUM_WIDTH  = ACC_WIDTH + WORD_FRAC;  // constants added to delta before it is rounded

// Largest reward shift: DEPTH rewards of full scale fill a quarter of the sums, DEPTH offsets another, two values half.
localparam REW_WIDTH = ACC_WIDTH - 2 - $clog2(DEPTH);  // de-quantised reward
localparam SHIFT_MAX = (REW_WIDTH - QBITS > 15) ? 15 : REW_WIDTH - QBITS;

// Low bits that a result code leaves out; a wide core has a register for it.
localparam OUT_DROP_WISH = SHIFT_MAX - (OUT_BITS - QBITS) / 2;
localparam OUT_DROP      = (OUT_DROP_WISH < 1) ? 1 : OUT_DROP_WISH;
/* verilator lint_restore */
