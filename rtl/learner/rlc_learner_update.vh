// rlc_learner_update.vh — timing of a lane of the weight update, included inside a module that has the parameters
// OPTIMISER, POLYAK, CLIP, BETA1_NUM, BETA2_NUM. A stage is the number of clocks since the lane took the gradient's sum;
// X_READ is the stage in which the lane takes the old X, X_DONE the one in which the new X is at its output.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

`include "rlc_learner_csd.vh"

localparam G_DONE = 4 + 3 * CLIP;                   // gradient, out of its sum and times its factor

// Momentum: m' three clocks after g, and the multiplication by the rate three after that.
// Adam: the first moment is a difference, a product by a constant, a sum, an absolute value and a logarithm.
localparam B1_CLOCKS = csd_clocks(BETA1_NUM);
localparam B2_CLOCKS = csd_clocks(BETA2_NUM);
localparam LOG_CLOCKS = 4;
localparam M_READ = (OPTIMISER == 2) ? G_DONE : G_DONE - 1;
localparam M_DONE = (OPTIMISER == 2) ? M_READ + 2 + B1_CLOCKS : G_DONE + 3;
localparam M_LOG  = M_DONE + 1 + LOG_CLOCKS;

// The second moment is narrowed, squared, and then goes the same way.
localparam SQUARE = G_DONE + 4;
localparam V_READ = SQUARE;
localparam V_DONE = V_READ + 2 + B2_CLOCKS;
localparam V_LOG  = V_DONE + LOG_CLOCKS;

// Both logarithms are there; then the ratio's, five clocks, and 2^x, five more.
localparam BOTH      = (M_LOG > V_LOG) ? M_LOG : V_LOG;
localparam RATIO     = BOTH + 5;
localparam STEP_DONE = (OPTIMISER == 2) ? RATIO + 5 : (OPTIMISER == 1) ? M_DONE + 6 : G_DONE + 6;
localparam DITHER    = STEP_DONE - 1;

// The weight: sum, limit. The averaged target: difference, limit, three clocks of product, choice.
localparam W_READ   = STEP_DONE;
localparam W_DONE   = W_READ + 2;
localparam T_READ   = W_DONE;
localparam T_CLOCKS = (POLYAK != 0) ? 6 : 0;
localparam ALL_DONE = W_DONE + T_CLOCKS;            // w' and t' come together
localparam S_DONE   = (OPTIMISER == 2) ? G_DONE + 1 : G_DONE;   // whether the gradient saturated

/* verilator lint_restore */
