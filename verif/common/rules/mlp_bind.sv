// mlp_bind.sv — the rules at the ports of rlc_mlp.
// SPDX-License-Identifier: Apache-2.0
bind rlc_mlp rlc_handshake_rules #(.WIDTH(COLS * ACT_WIDTH)) u_obs_rules (
    .clk(clk), .rst(rst), .valid(s_obs_valid), .ready(s_obs_ready), .data(s_obs_data)
);
bind rlc_mlp rlc_handshake_rules #(.WIDTH(ANSWER_WIDTH)) u_act_rules (
    .clk(clk), .rst(rst), .valid(m_act_valid), .ready(m_act_ready), .data(m_act_data)
);
bind rlc_mlp rlc_handshake_rules #(.WIDTH(33)) u_load_rules (
    .clk(clk), .rst(rst), .valid(s_load_valid), .ready(s_load_ready), .data({s_load_last, s_load_data})
);
