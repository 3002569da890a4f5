// rlc_nn_weight_addr.vh — the address of a group of weights, taken apart. Included in a module where a wire `weight_addr` is; the
// numbers are those of rlc_nn_weight_addr_gen. Written by `rlcores generate` from cores/learner/words.py; do not edit.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDSIGNAL */
wire       at_bias = weight_addr[80 +: 1];
wire [9:0] at_jw = weight_addr[70 +: 10];
wire [9:0] at_jof = weight_addr[60 +: 10];
wire [9:0] at_jg = weight_addr[50 +: 10];
wire [9:0] at_js = weight_addr[40 +: 10];
wire [9:0] at_iw = weight_addr[30 +: 10];
wire [9:0] at_iof = weight_addr[20 +: 10];
wire [9:0] at_ig = weight_addr[10 +: 10];
wire [9:0] at_is = weight_addr[0 +: 10];
/* verilator lint_restore */
