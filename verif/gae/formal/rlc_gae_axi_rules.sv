// rlc_gae_axi_rules.sv — the registers of rlc_gae_axi keep AXI4-Lite and answer within 12 clocks, whatever the core does.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_gae_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis, 128)
    wire [127:0] m_axis_tdata;
    wire         m_axis_tvalid, m_axis_tlast, irq;
    (* anyseq *) wire m_axis_tready;
    rlc_gae_axi dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
endmodule
`default_nettype wire
