// sumtree_bind.sv — the rules at the ports of rlc_sumtree_axi, and at the native ones of rlc_sumtree.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_sumtree_axi rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_axil_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
bind rlc_sumtree_axi rlc_axis_rules #(.WIDTH(128)) u_op_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_op)
);
bind rlc_sumtree_axi rlc_axis_rules #(.WIDTH(64)) u_request_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_sample)
);
bind rlc_sumtree_axi rlc_axis_rules #(.WIDTH(128)) u_op_answer_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis_op)
);
bind rlc_sumtree_axi rlc_axis_rules #(.WIDTH(256)) u_answer_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis_sample)
);
bind rlc_sumtree rlc_axis_rules #(.WIDTH(LEAVES_LOG2 + PRIORITY_WIDTH + 5)) u_op_answer_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata({m_op_kind, m_op_status, m_op_index, m_op_priority}), .tlast(1'b0),
    .tvalid(m_op_valid), .tready(m_op_ready)
);
bind rlc_sumtree rlc_axis_rules #(.WIDTH(LEAVES_LOG2 + PRIORITY_WIDTH + 2)) u_answer_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata({m_sample_status, m_sample_index, m_sample_priority}), .tlast(1'b0),
    .tvalid(m_sample_valid), .tready(m_sample_ready)
);
