// rlc_policy_axi_rules.sv — rlc_policy_axi keeps AXI4-Lite, and its answers AXI4-Stream, over aborts at any time.
// SPDX-License-Identifier: Apache-2.0
//
// Continuous, of three dimensions: an action has three beats, and a log-probability four.
`default_nettype none
`include "rlc_rules.svh"
module rlc_policy_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis_w, 64)
    `RLC_AXIS_SOURCE_FREE(s_axis_obs, 32)
    `RLC_AXIS_SINK_FREE(m_axis_act, 32)
    `RLC_AXIS_SINK_FREE(m_axis_log, 32)
    wire irq;
    rlc_policy_axi #(
        .SIZES("1-3"), .LANES("1-1"), .FORWARD("1"), .UPDATE_ROWS("1"), .UPDATE_COLS("1"), .CONTINUOUS(1)
    ) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
    rlc_handshake_rules #(.WIDTH(33)) u_act (
        .clk(clk), .rst(rst), .valid(m_axis_act_tvalid), .ready(m_axis_act_tready), .data({m_axis_act_tlast, m_axis_act_tdata})
    );
    rlc_handshake_rules #(.WIDTH(33)) u_log (
        .clk(clk), .rst(rst), .valid(m_axis_log_tvalid), .ready(m_axis_log_tready), .data({m_axis_log_tlast, m_axis_log_tdata})
    );
endmodule
`default_nettype wire
