// rlc_check.vh — an illegal parameter stops every tool, which then names a module that nobody has: the sentence.
// SPDX-License-Identifier: Apache-2.0
//
// RLC_CHECK(holds, rlc_fifo_illegal_DEPTH_must_be_at_least_2)   in a module's body; docs/common.md "Illegal parameters"
`ifndef RLC_CHECK
`define RLC_CHECK(holds, sentence) \
    if (!(holds)) begin : sentence \
        sentence u_stop (); \
    end
`endif
