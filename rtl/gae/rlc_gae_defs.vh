// rlc_gae_defs.vh — kinds and number formats of the GAE core, included inside a module that has the
// parameters DEPTH, QBITS and OUT_BITS. Derivation: docs/gae.md, "Numbers".

// Not every module needs every one of these.
/* verilator lint_off UNUSEDPARAM */

// Kinds of record. Bit 0 says "is a step"; NONE pads beats.
localparam [1:0] KIND_NONE       = 2'd0;
localparam [1:0] KIND_STEP       = 2'd1;
localparam [1:0] KIND_BOOT       = 2'd2;
localparam [1:0] KIND_TERMINATED = 2'd3;

localparam WORD_FRAC  = 10;                 // fraction bits of value scale and offset
localparam ACC_WIDTH  = 27;                 // A port of a DSP: delta, A
localparam VAL_WIDTH  = 25;                 // de-quantised value
localparam OFS_WIDTH  = VAL_WIDTH + WORD_FRAC;  // value offset, half a u included
localparam SUM_WIDTH  = ACC_WIDTH + WORD_FRAC;  // constants added to delta before it is rounded

// Largest reward shift: DEPTH rewards of full scale fill half of the 27 bits, two values the other half.
localparam REW_WIDTH = 25 - $clog2(DEPTH);  // de-quantised reward
localparam SHIFT_MAX = (REW_WIDTH - QBITS > 15) ? 15 : REW_WIDTH - QBITS;

localparam OUT_DROP_WISH = SHIFT_MAX - (OUT_BITS - QBITS) / 2;
localparam OUT_DROP      = (OUT_DROP_WISH < 1) ? 1 : OUT_DROP_WISH;
/* verilator lint_on UNUSEDPARAM */
