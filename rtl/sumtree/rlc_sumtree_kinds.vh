// rlc_sumtree_kinds.vh — codes of the sum tree's ports, included inside a module.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */

// Kinds of operation and of sample, and how they end.
localparam [2:0] OP_UPDATE  = 3'd0;
localparam [2:0] OP_INSERT  = 3'd1;
localparam [2:0] OP_RESERVE = 3'd2;
localparam [2:0] OP_COMMIT  = 3'd3;
localparam [2:0] OP_READ    = 3'd4;
localparam [2:0] OP_CLEAR   = 3'd5;

localparam [1:0] OP_OK    = 2'd0;
localparam [1:0] OP_STALE = 2'd1;
localparam [1:0] OP_RANGE = 2'd2;
localparam [1:0] OP_KIND  = 2'd3;

localparam [1:0] SAMPLE_DRAW   = 2'd0;
localparam [1:0] SAMPLE_GIVEN  = 2'd1;
localparam [1:0] SAMPLE_TARGET = 2'd2;
localparam [1:0] SAMPLE_SOFT   = 2'd3;

localparam [1:0] SAMPLE_OK    = 2'd0;
localparam [1:0] SAMPLE_EMPTY = 2'd1;
localparam [1:0] SAMPLE_RANGE = 2'd2;
/* verilator lint_restore */
