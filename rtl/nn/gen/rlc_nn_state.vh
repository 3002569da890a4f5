// rlc_nn_state.vh — included in a module with the parameters OPTIMISER and GRAD_WIDTH: which optimiser it is, how many numbers it
// keeps for a weight, the bits of the widest, and which settings it takes. Written by `rlcores generate`.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
localparam IS_SGD = OPTIMISER == 0;
localparam IS_MOMENTUM = OPTIMISER == 1;
localparam IS_ADAM = OPTIMISER == 2;
localparam IS_ADAMW = OPTIMISER == 3;
localparam STATE_WORDS = IS_MOMENTUM ? 1 : IS_ADAM ? 2 : IS_ADAMW ? 2 : 0;
localparam STATE_BITS = IS_MOMENTUM ? GRAD_WIDTH : IS_ADAM ? 48 : IS_ADAMW ? 48 : 0;
localparam HAS_RATE = IS_SGD || IS_MOMENTUM;
localparam HAS_RATE_EXP = IS_SGD || IS_MOMENTUM;
localparam HAS_MOMENTUM = IS_MOMENTUM;
localparam HAS_LOG_RATE = IS_ADAM || IS_ADAMW;
localparam HAS_LOG_EPS = IS_ADAM || IS_ADAMW;
localparam HAS_LOG_CLIP = IS_ADAM || IS_ADAMW;
localparam HAS_DECAY = IS_ADAMW;
/* verilator lint_restore */
