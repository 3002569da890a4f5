// rlc_learner_axi_rules.sv — the registers of rlc_learner_axi keep AXI4-Lite and answer within 12 clocks, whatever the core does.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
module rlc_learner_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis_rec, 128)
    `RLC_AXIS_SOURCE_FREE(s_axis_load, 64)
    wire [31:0] m_axis_prio_tdata;
    wire [63:0] m_axis_read_tdata;
    wire        m_axis_prio_tvalid, m_axis_prio_tlast, m_axis_read_tvalid, m_axis_read_tlast, irq;
    (* anyseq *) wire m_axis_prio_tready;
    (* anyseq *) wire m_axis_read_tready;
    (* anyseq *) wire abort_in;
    (* anyseq *) wire hold;
    wire              aborting, step_done;
    wire [2:0]        bus_valid;
    wire [647:0]      bus_data;
    rlc_learner_axi dut (.*, .avg_in('0), .avg_out());

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
endmodule
`default_nettype wire
