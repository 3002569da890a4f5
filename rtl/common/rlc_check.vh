// rlc_check.vh — what modules have in common: the check of their parameters, and how LUT memory is asked for.
// SPDX-License-Identifier: Apache-2.0
//
// RLC_CHECK(holds, rlc_fifo_illegal_DEPTH_must_be_at_least_2)   in a module's body: an illegal parameter stops every
//                      tool, which then names a module that nobody has: the sentence; docs/common.md "Illegal parameters"
// RLC_LUT_RAM          before a memory that is read without a clock: LUT memory. Tools are told RLC_NO_LUT_RAM for a family
//                      that has none (iCE40, GateMate): then they choose, and make it of registers
// RLC_LUT_STYLE(STYLE) the same for a memory with a style and a clocked read, which may then be block RAM
// RLC_STYLE(NUMBER)    a memory's style by the number of a core's parameter: 0 auto, 1 distributed, 2 block, 3 ultra
`ifndef RLC_CHECK
`define RLC_CHECK(holds, sentence) \
    if (!(holds)) begin : sentence \
        sentence u_stop (); \
    end

`define RLC_STYLE(NUMBER) (((NUMBER) == 3) ? "ultra" : ((NUMBER) == 2) ? "block" : ((NUMBER) == 1) ? "distributed" : "auto")

`ifdef RLC_NO_LUT_RAM
`define RLC_LUT_RAM (* ram_style = "auto" *)
`define RLC_LUT_STYLE(STYLE) ((STYLE == "distributed") ? "auto" : STYLE)
`else
`define RLC_LUT_RAM (* ram_style = "distributed" *)
`define RLC_LUT_STYLE(STYLE) STYLE
`endif
`endif
