// rlc_sumtree_axi_rules.sv — rlc_sumtree_axi keeps AXI4-Lite and holds its answers, whatever the tree gives.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
`include "rlc_rules.svh"
`include "rlc_sumtree_words.vh"
module rlc_sumtree_axi_rules (
    input wire clk,
    input wire rst
);
    `RLC_AXIL_MASTER_FREE(s_axil, 12)
    `RLC_AXIS_SOURCE_FREE(s_axis_op, 128)
    `RLC_AXIS_SOURCE_FREE(s_axis_sample, 64)
    wire [127:0] m_axis_op_tdata;
    wire [255:0] m_axis_sample_tdata;
    wire         m_axis_op_tvalid, m_axis_op_tlast, m_axis_sample_tvalid, m_axis_sample_tlast, irq;
    (* anyseq *) wire m_axis_op_tready;
    (* anyseq *) wire m_axis_sample_tready;
    (* anyseq *) wire       abort_in;
    (* anyseq *) wire [2:0] locked;
    wire                    aborting;
    wire `RLC_SUMTREE_TREE tree_state;
    wire `RLC_SUMTREE_ALL   joint_in = '0;
    wire `RLC_SUMTREE_OWN   joint_out;
    rlc_sumtree_axi #(
        .LEAVES_LOG2(2), .RADIX_LOG2(11), .CAPACITY(4), .PRIORITY_WIDTH(2), .DRAW_WIDTH(2), .GENERATION_WIDTH(2),
        .NARROW_STYLE(22), .NARROW_LATENCY(22), .WIDE_STYLE(22), .WIDE_LATENCY(22), .PRIORITY_MATHS(0)
    ) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    rlc_axil_rules #(.ADDR_WIDTH(12), .SLAVE_WAIT(12)) u_s (.clk(clk), .rst(rst), `RLC_AXIL_PORTS(s_axil));
    rlc_axis_rules #(.WIDTH(128)) u_op (.clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis_op));
    rlc_axis_rules #(.WIDTH(256)) u_sample (.clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(m_axis_sample));
endmodule
`default_nettype wire
