// rlc_heppo_axil.v — carries AXI4-Lite from one clock to another: each of its five channels through an rlc_fifo_async.
// SPDX-License-Identifier: Apache-2.0
//
// ADDR_WIDTH   AXI address bits
// STAGES       flip-flops in each synchroniser, 2..4
//
// s_axil_*     slave, on s_clk
// m_axil_*     master, on m_clk; order of each channel is kept, channels are independent of each other
// outstanding  four in each channel and direction; all answered in order
// reset        s_rst and m_rst as rlc_fifo_async asks for
// latency      that of rlc_fifo_async for the request, and again for the answer
`default_nettype none
module rlc_heppo_axil #(
    parameter ADDR_WIDTH = 12,
    parameter STAGES     = 2
) (
    input  wire                  s_clk,
    input  wire                  s_rst,
    input  wire [ADDR_WIDTH-1:0] s_axil_awaddr,
    input  wire [2:0]            s_axil_awprot,
    input  wire                  s_axil_awvalid,
    output wire                  s_axil_awready,
    input  wire [31:0]           s_axil_wdata,
    input  wire [3:0]            s_axil_wstrb,
    input  wire                  s_axil_wvalid,
    output wire                  s_axil_wready,
    output wire [1:0]            s_axil_bresp,
    output wire                  s_axil_bvalid,
    input  wire                  s_axil_bready,
    input  wire [ADDR_WIDTH-1:0] s_axil_araddr,
    input  wire [2:0]            s_axil_arprot,
    input  wire                  s_axil_arvalid,
    output wire                  s_axil_arready,
    output wire [31:0]           s_axil_rdata,
    output wire [1:0]            s_axil_rresp,
    output wire                  s_axil_rvalid,
    input  wire                  s_axil_rready,

    input  wire                  m_clk,
    input  wire                  m_rst,
    output wire [ADDR_WIDTH-1:0] m_axil_awaddr,
    output wire [2:0]            m_axil_awprot,
    output wire                  m_axil_awvalid,
    input  wire                  m_axil_awready,
    output wire [31:0]           m_axil_wdata,
    output wire [3:0]            m_axil_wstrb,
    output wire                  m_axil_wvalid,
    input  wire                  m_axil_wready,
    input  wire [1:0]            m_axil_bresp,
    input  wire                  m_axil_bvalid,
    output wire                  m_axil_bready,
    output wire [ADDR_WIDTH-1:0] m_axil_araddr,
    output wire [2:0]            m_axil_arprot,
    output wire                  m_axil_arvalid,
    input  wire                  m_axil_arready,
    input  wire [31:0]           m_axil_rdata,
    input  wire [1:0]            m_axil_rresp,
    input  wire                  m_axil_rvalid,
    output wire                  m_axil_rready
);
    rlc_fifo_async #(.WIDTH(ADDR_WIDTH + 3), .DEPTH_LOG2(2), .STAGES(STAGES)) u_aw (
        .s_clk(s_clk), .s_rst(s_rst), .m_clk(m_clk), .m_rst(m_rst),
        .s_valid(s_axil_awvalid), .s_ready(s_axil_awready), .s_data({s_axil_awprot, s_axil_awaddr}),
        .m_valid(m_axil_awvalid), .m_ready(m_axil_awready), .m_data({m_axil_awprot, m_axil_awaddr})
    );
    rlc_fifo_async #(.WIDTH(36), .DEPTH_LOG2(2), .STAGES(STAGES)) u_w (
        .s_clk(s_clk), .s_rst(s_rst), .m_clk(m_clk), .m_rst(m_rst),
        .s_valid(s_axil_wvalid), .s_ready(s_axil_wready), .s_data({s_axil_wstrb, s_axil_wdata}),
        .m_valid(m_axil_wvalid), .m_ready(m_axil_wready), .m_data({m_axil_wstrb, m_axil_wdata})
    );
    rlc_fifo_async #(.WIDTH(2), .DEPTH_LOG2(2), .STAGES(STAGES)) u_b (
        .s_clk(m_clk), .s_rst(m_rst), .m_clk(s_clk), .m_rst(s_rst),
        .s_valid(m_axil_bvalid), .s_ready(m_axil_bready), .s_data(m_axil_bresp),
        .m_valid(s_axil_bvalid), .m_ready(s_axil_bready), .m_data(s_axil_bresp)
    );
    rlc_fifo_async #(.WIDTH(ADDR_WIDTH + 3), .DEPTH_LOG2(2), .STAGES(STAGES)) u_ar (
        .s_clk(s_clk), .s_rst(s_rst), .m_clk(m_clk), .m_rst(m_rst),
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
