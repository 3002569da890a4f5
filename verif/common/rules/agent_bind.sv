// agent_bind.sv — the rules of the streams of rlc_agent that a halt cuts off.
// SPDX-License-Identifier: Apache-2.0
`include "rlc_rules.svh"

bind rlc_agent rlc_axis_rules #(.WIDTH($bits(exp_data))) u_exp_rules (
    .clk(clk), .rst(inner_rst), .length(16'd0), .tdata(exp_data), .tlast(exp_last), .tvalid(exp_valid), .tready(exp_ready)
);
bind rlc_agent rlc_axis_rules #(.WIDTH($bits(obs_data))) u_obs_rules (
    .clk(clk), .rst(inner_rst), .length(16'd0), .tdata(obs_data), .tlast(1'b0), .tvalid(obs_valid), .tready(obs_ready)
);
