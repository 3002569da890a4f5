// rlc_ppo_axi_rules.sv — rlc_ppo_axi keeps AXI4-Lite, and TLAST stands still while an action stands, whatever is commanded.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_ppo_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis_env, 256)
    `RLC_AXIS_SOURCE_FREE(s_axis_load, 64)
    `RLC_AXIS_SINK_FREE(m_axis_act, 32)
    wire [63:0] m_axis_read_tdata;
    wire        m_axis_read_tvalid, m_axis_read_tlast;
    (* anyseq *) wire m_axis_read_tready;
    wire irq;
    rlc_ppo_axi #(.N_ENVS(2)) dut (.*, .step_done(), .avg_in('0), .avg_out());

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
    // Of the core behind it, whose actions leave through rlc_abort_out.
    rlc_handshake_rules #(.WIDTH(32), .PROVED(0)) u_core (
        .clk(clk), .rst(rst), .valid(m_axis_act_tvalid), .ready(m_axis_act_tready), .data(m_axis_act_tdata)
    );
    rlc_handshake_rules #(.WIDTH(1)) u_last (
        .clk(clk), .rst(rst), .valid(m_axis_act_tvalid), .ready(m_axis_act_tready), .data(m_axis_act_tlast)
    );
endmodule
`default_nettype wire
