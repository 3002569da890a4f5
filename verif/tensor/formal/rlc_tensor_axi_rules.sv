// rlc_tensor_axi_rules.sv — rlc_tensor_axi keeps AXI4-Lite, and its beats AXI4-Stream, over aborts at any time.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_tensor_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis_in, 64)
    `RLC_AXIS_SINK_FREE(m_axis_out, 64)
    wire irq;
    rlc_tensor_axi #(.SIDE(2), .BLOCKS(1)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
    rlc_handshake_rules #(.WIDTH(65)) u_out (
        .clk(clk), .rst(rst), .valid(m_axis_out_tvalid), .ready(m_axis_out_tready), .data({m_axis_out_tlast, m_axis_out_tdata})
    );
endmodule
`default_nettype wire
