// rlc_sumtree_late.vh — clocks of the way from a sample request to its bank, included inside a module that has the
// parameters VALUE_WIDTH, DRAW_WIDTH and C_REG. Stages: rlc_sumtree_pickbank.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

// The target is the product of VALUE_WIDTH by DRAW_WIDTH + 1 bits, one clock after the request.
localparam PICK_MACS   = ((VALUE_WIDTH + 25) / 26) * ((DRAW_WIDTH + 17) / 17);
localparam LATE        = 1 + 3 + (PICK_MACS - 1) * (1 + C_REG);
localparam PICK_CLOCKS = LATE + 3;
/* verilator lint_restore */
