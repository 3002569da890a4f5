// learner_bind.sv — the rules at the ports of rlc_learner_axi, and at the native streams of rlc_learner.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_learner_axi rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_axil_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
bind rlc_learner_axi rlc_axis_rules #(.WIDTH($bits(s_axis_rec_tdata))) u_rec_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_rec)
);
bind rlc_learner_axi rlc_axis_rules #(.WIDTH(64)) u_load_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_load)
);
bind rlc_learner rlc_axis_rules #(.WIDTH(32)) u_prio_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata(m_prio_data), .tlast(m_prio_last), .tvalid(m_prio_valid), .tready(m_prio_ready)
);
bind rlc_learner rlc_axis_rules #(.WIDTH(64)) u_read_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata(m_read_data), .tlast(m_read_last), .tvalid(m_read_valid), .tready(m_read_ready)
);
