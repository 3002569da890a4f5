// prims_bind.sv — the rules at the buses of the primitives, in every design that has one.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

// Answered within 12 clocks whenever the master takes the answer. The master may be a wild one: rlc_axil_regs_formal.v.
bind rlc_axil_regs rlc_axil_rules #(.ADDR_WIDTH(ADDR_WIDTH), .MASTER(2), .SLAVE_WAIT(12)) u_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
bind rlc_axil_split rlc_axil_rules #(.ADDR_WIDTH(ADDR_WIDTH)) u_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
