// serial_bind.sv — the rules at the master and the streams of rlc_serial_bridge, and between the cores and their streams.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

// Everything behind the bridge is reset by core_rst.
bind rlc_serial_bridge rlc_axil_rules #(.ADDR_WIDTH(16), .MASTER_WAIT(1)) u_axil_rules (
    .clk(clk), .rst(core_rst), `RLC_AXIL_PORTS(m_axil)
);
bind rlc_serial_bridge rlc_axis_rules #(.WIDTH(32)) u_put_rules [PUTS-1:0] (
    .clk(clk), .rst(core_rst), .length(16'd0),
    .tdata(m_put_data), .tlast(m_put_last), .tvalid(m_put_valid), .tready(m_put_ready)
);
bind rlc_serial_widen rlc_axis_rules #(.WIDTH(32*WORDS)) u_rules (
    .clk(clk), .rst(rst), .length(16'd0), .tdata(m_data), .tlast(m_last), .tvalid(m_valid), .tready(m_ready)
);
// A beat's words stay together: its last word carries the mark.
bind rlc_serial_narrow rlc_axis_rules #(.WIDTH(32), .MULTIPLE(WORDS)) u_rules (
    .clk(clk), .rst(rst), .length(16'd0), .tdata(m_data), .tlast(m_last), .tvalid(m_valid), .tready(m_ready)
);
