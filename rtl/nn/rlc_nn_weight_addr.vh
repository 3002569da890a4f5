// rlc_nn_weight_addr.vh — the place of a group of weights, taken apart. Included in a module where a wire `place` is; the
// numbers are those of rlc_nn_weight_addr_gen.
// SPDX-License-Identifier: Apache-2.0

// Not every module needs every one of these.
/* verilator lint_save */ /* verilator lint_off UNUSEDSIGNAL */
wire       at_bias;
wire [9:0] at_jw, at_jof, at_jg, at_js, at_iw, at_iof, at_ig, at_is;
assign {at_bias, at_jw, at_jof, at_jg, at_js, at_iw, at_iof, at_ig, at_is} = place;
/* verilator lint_restore */
