// rlc_mlp_rules.sv — the answers of rlc_mlp stand still until they are taken, over resets at any time.
// SPDX-License-Identifier: Apache-2.0
//
// The smallest network. What memories and arithmetic give is anything.
`default_nettype none
module rlc_mlp_rules (
    input wire clk,
    input wire rst
);
    (* anyseq *) wire s_obs_valid;
    (* anyseq *) wire [2:0] s_obs_data;
    (* anyseq *) wire m_act_ready;
    (* anyseq *) wire s_load_valid;
    (* anyseq *) wire [31:0] s_load_data;
    (* anyseq *) wire s_load_last;
    wire s_obs_ready, m_act_valid, s_load_ready, taken, refused, loaded;
    wire [17:0] m_act_data;
    rlc_mlp #(
        .SIZES("1-1"), .KINDS("0"), .SHIFTS("1"), .BIAS_SHIFTS("0"), .UNIT_SHIFTS("0"), .SLOPES("0"), .NORMS("0"), .NORM_SHIFTS("0"),
        .OFFSET_SHIFTS("0"), .ACT_WIDTHS("18"), .WEIGHT_WIDTH(3), .ACT_WIDTH(3), .SUM_WIDTH(33), .ROWS(1), .COLS(1), .ACTS(1)
    ) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_handshake_rules #(.WIDTH(18)) u_act (
        .clk(clk), .rst(rst), .valid(m_act_valid), .ready(m_act_ready), .data(m_act_data)
    );
    always @(posedge clk) if (past && !rst) begin
        alone: assert (!(m_act_valid && s_obs_ready));
    end
endmodule
`default_nettype wire
