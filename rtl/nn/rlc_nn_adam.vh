// rlc_nn_adam.vh — timing of Adam, included inside a module that has the parameters BETA1_NUM and BETA2_NUM. A stage is the
// number of clocks since the gradient; X_READ is the stage in which the old X is taken, X_DONE the one with the new X.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

`include "rlc_nn_csd.vh"

// The first moment is a difference, a product by a constant, a sum, an absolute value and a logarithm.
localparam B1_CLOCKS  = csd_clocks(BETA1_NUM);
localparam B2_CLOCKS  = csd_clocks(BETA2_NUM);
localparam LOG_CLOCKS = 4;
localparam M_READ     = 0;
localparam M_DONE     = M_READ + 2 + B1_CLOCKS;
localparam M_LOG      = M_DONE + 1 + LOG_CLOCKS;

// The second moment is narrowed, squared, and then goes the same way.
localparam SQUARE = 4;
localparam V_READ = SQUARE;
localparam V_DONE = V_READ + 2 + B2_CLOCKS;
localparam V_LOG  = V_DONE + LOG_CLOCKS;

// Both logarithms are there; then the ratio's, five clocks, and 2^x, five more.
localparam BOTH      = (M_LOG > V_LOG) ? M_LOG : V_LOG;
localparam RATIO     = BOTH + 5;
localparam STEP_DONE = RATIO + 5;

/* verilator lint_restore */
