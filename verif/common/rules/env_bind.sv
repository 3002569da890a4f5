// env_bind.sv — the rules at the ports of rlc_env_axi.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_env_axi rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_axil_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
bind rlc_env_axi rlc_axis_rules #(.WIDTH(ACTION_BEAT)) u_in_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis)
);
bind rlc_env_axi rlc_axis_rules #(.WIDTH(ANSWER_BEAT)) u_out_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis)
);
