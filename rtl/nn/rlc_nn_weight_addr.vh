// rlc_nn_weight_addr.vh — the address of a group of weights, taken apart. Included in a module where a wire `place` is; the
// numbers are those of rlc_nn_weight_addr_gen. Written by `rlcores generate` from cores/learner/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDSIGNAL */
wire       at_bias = place[80 +: 1];
wire [9:0] at_jw = place[70 +: 10];
wire [9:0] at_jof = place[60 +: 10];
wire [9:0] at_jg = place[50 +: 10];
wire [9:0] at_js = place[40 +: 10];
wire [9:0] at_iw = place[30 +: 10];
wire [9:0] at_iof = place[20 +: 10];
wire [9:0] at_ig = place[10 +: 10];
wire [9:0] at_is = place[0 +: 10];
/* verilator lint_restore */
