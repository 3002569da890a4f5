// replay_bind.sv — the rules at the ports of rlc_replay_learner, and at those of its parts, which are tested alone.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_replay_learner rlc_axil_rules #(.ADDR_WIDTH(16)) u_axil_rules (
    .clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil)
);
// In an agent (HELD) a halt takes back what it offers here; agent_bind.sv knows of the halt.
bind rlc_replay_learner rlc_axis_rules #(.WIDTH($bits(s_axis_exp_tdata)), .SOURCE((HELD != 0) ? 2 : 1)) u_exp_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_exp)
);
bind rlc_replay_learner rlc_axis_rules #(.WIDTH(64)) u_load_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_axis_load)
);
bind rlc_replay_learner rlc_axis_rules #(.WIDTH(64)) u_read_rules (
    .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis_read)
);
// Memory may answer what was asked before a reset, with the IDs of another epoch.
bind rlc_replay_reader rlc_axi_read_rules #(
    .ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH), .SLAVE(2), .MASTER_WAIT(1)
) u_axi_rules (
    .clk(clk), .rst(rst), `RLC_AXI_READ_PORTS(m_axi)
);
bind rlc_replay_reader rlc_axis_rules #(.WIDTH(WIDTH)) u_rec_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata(m_rec), .tlast(1'b0), .tvalid(m_rec_valid), .tready(m_rec_ready)
);
bind rlc_replay_reader rlc_axis_rules #(.WIDTH(DATA_WIDTH)) u_beat_rules (
    .clk(clk), .rst(rst), .length(16'd0),
    .tdata(m_beat_data), .tlast(1'b0), .tvalid(m_beat_valid), .tready(m_beat_ready)
);
bind rlc_replay_writer rlc_axi_write_rules #(
    .ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH), .SLAVE(2), .OPEN(1 << $clog2(WRITES)),
    .MASTER_WAIT(1)
) u_axi_rules (
    .clk(clk), .rst(rst), `RLC_AXI_WRITE_PORTS(m_axi)
);
bind rlc_replay_writer rlc_axis_rules #(.WIDTH(DATA_WIDTH)) u_beat_rules (
    .clk(clk), .rst(rst), .length(BEATS[15:0]),
    .tdata(s_beat_data), .tlast(s_beat_last), .tvalid(s_beat_valid), .tready(s_beat_ready)
);
