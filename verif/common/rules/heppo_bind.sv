// heppo_bind.sv — the rules at the ports of rlc_heppo, on the bus's clock; gae_bind.sv has those on the array's.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_heppo rlc_axil_rules #(.ADDR_WIDTH(12), .LIMIT(16)) u_axil_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
bind rlc_heppo rlc_axis_rules #(.WIDTH(BEAT*64)) u_in_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis)
);
bind rlc_heppo rlc_axis_rules #(.WIDTH(BEAT*64)) u_out_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis)
);
