// rlc_heppo_axil.sv — carries AXI4-Lite from one clock to another: each of its five channels through an rlc_fifo_async.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*     slave, on s_clk
// m_axil_*     master, on m_clk; order of each channel is kept, channels are independent of each other
// outstanding  four in each channel and direction; all answered in order
// reset        s_rst and m_rst as rlc_fifo_async asks for
// latency      that of rlc_fifo_async for the request, and again for the answer
`include "rlc_axi.vh"
`default_nettype none
module rlc_heppo_axil #(
    parameter ADDR_WIDTH = 12, // bits of an address
    parameter STAGES     = 2   // flip-flops in each synchroniser, 2 to 4
) (
    input  wire s_clk,
    input  wire s_rst,
    `RLC_AXIL_SLAVE(s_axil, ADDR_WIDTH),
    input  wire m_clk,
    input  wire m_rst,
    `RLC_AXIL_MASTER(m_axil, ADDR_WIDTH)
);
    rlc_fifo_async #(.WIDTH(ADDR_WIDTH + 3), .DEPTH_LOG2(2), .STAGES(STAGES)) u_aw (
        .*,
        .s_valid(s_axil_awvalid), .s_ready(s_axil_awready), .s_data({s_axil_awprot, s_axil_awaddr}),
        .m_valid(m_axil_awvalid), .m_ready(m_axil_awready), .m_data({m_axil_awprot, m_axil_awaddr})
    );
    rlc_fifo_async #(.WIDTH(36), .DEPTH_LOG2(2), .STAGES(STAGES)) u_w (
        .*,
        .s_valid(s_axil_wvalid), .s_ready(s_axil_wready), .s_data({s_axil_wstrb, s_axil_wdata}),
        .m_valid(m_axil_wvalid), .m_ready(m_axil_wready), .m_data({m_axil_wstrb, m_axil_wdata})
    );
    rlc_fifo_async #(.WIDTH(2), .DEPTH_LOG2(2), .STAGES(STAGES)) u_b (
        .s_clk(m_clk), .s_rst(m_rst), .m_clk(s_clk), .m_rst(s_rst),
        .s_valid(m_axil_bvalid), .s_ready(m_axil_bready), .s_data(m_axil_bresp),
        .m_valid(s_axil_bvalid), .m_ready(s_axil_bready), .m_data(s_axil_bresp)
    );
    rlc_fifo_async #(.WIDTH(ADDR_WIDTH + 3), .DEPTH_LOG2(2), .STAGES(STAGES)) u_ar (
        .*,
        .s_valid(s_axil_arvalid), .s_ready(s_axil_arready), .s_data({s_axil_arprot, s_axil_araddr}),
        .m_valid(m_axil_arvalid), .m_ready(m_axil_arready), .m_data({m_axil_arprot, m_axil_araddr})
    );
    rlc_fifo_async #(.WIDTH(34), .DEPTH_LOG2(2), .STAGES(STAGES)) u_r (
        .s_clk(m_clk), .s_rst(m_rst), .m_clk(s_clk), .m_rst(s_rst),
        .s_valid(m_axil_rvalid), .s_ready(m_axil_rready), .s_data({m_axil_rresp, m_axil_rdata}),
        .m_valid(s_axil_rvalid), .m_ready(s_axil_rready), .m_data({s_axil_rresp, s_axil_rdata})
    );
endmodule
`default_nettype wire
