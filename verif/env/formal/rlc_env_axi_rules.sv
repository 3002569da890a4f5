// rlc_env_axi_rules.sv — rlc_env_axi keeps AXI4-Lite, and TLAST stands still while an answer stands, whatever is commanded.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_env_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis, 32)
    `RLC_AXIS_SINK_FREE(m_axis, 256)
    wire irq;
    rlc_env_axi #(.N_ENVS(2)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
    // Of the core behind it, whose own proof is rlc_env.sby.
    rlc_handshake_rules #(.WIDTH(256), .PROVED(0)) u_core (
        .clk(clk), .rst(rst), .valid(m_axis_tvalid), .ready(m_axis_tready), .data(m_axis_tdata)
    );
    rlc_handshake_rules #(.WIDTH(1)) u_last (
        .clk(clk), .rst(rst), .valid(m_axis_tvalid), .ready(m_axis_tready), .data(m_axis_tlast)
    );
endmodule
`default_nettype wire
