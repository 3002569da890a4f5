// rlc_axi_wires.v — an AXI4 master whose five channels are AXI4-Streams: nothing but wires.
// SPDX-License-Identifier: Apache-2.0
//
// DATA_WIDTH            bits of a beat of m_axi, 32 to 1024
// s_axis_ar, s_axis_aw  [39:0] address, [47:40] ID, [55:48] len, [58:56] size, [60:59] burst
// s_axis_w              [DATA_WIDTH-1:0] data, from bit DATA_WIDTH on strobes; TLAST is WLAST
// m_axis_r              [DATA_WIDTH-1:0] data, from there 8 bits ID and 2 bits response; TLAST is RLAST
// m_axis_b              8 bits ID and 2 bits response
// UNSTABLE              1: the address of AR changes every clock, also while it waits, which AXI forbids
`default_nettype none
module rlc_axi_wires #(
    parameter DATA_WIDTH = 128,
    parameter UNSTABLE   = 0
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [11:0]             s_axil_awaddr,
    input  wire [2:0]              s_axil_awprot,
    input  wire                    s_axil_awvalid,
    output wire                    s_axil_awready,
    input  wire [31:0]             s_axil_wdata,
    input  wire [3:0]              s_axil_wstrb,
    input  wire                    s_axil_wvalid,
    output wire                    s_axil_wready,
    output wire [1:0]              s_axil_bresp,
    output wire                    s_axil_bvalid,
    input  wire                    s_axil_bready,
    input  wire [11:0]             s_axil_araddr,
    input  wire [2:0]              s_axil_arprot,
    input  wire                    s_axil_arvalid,
    output wire                    s_axil_arready,
    output wire [31:0]             s_axil_rdata,
    output wire [1:0]              s_axil_rresp,
    output wire                    s_axil_rvalid,
    input  wire                    s_axil_rready,
    input  wire [63:0]             s_axis_ar_tdata,
    input  wire                    s_axis_ar_tvalid,
    output wire                    s_axis_ar_tready,
    input  wire                    s_axis_ar_tlast,
    input  wire [63:0]             s_axis_aw_tdata,
    input  wire                    s_axis_aw_tvalid,
    output wire                    s_axis_aw_tready,
    input  wire                    s_axis_aw_tlast,
    input  wire [2*DATA_WIDTH-1:0] s_axis_w_tdata,
    input  wire                    s_axis_w_tvalid,
    output wire                    s_axis_w_tready,
    input  wire                    s_axis_w_tlast,
    output wire [2*DATA_WIDTH-1:0] m_axis_r_tdata,
    output wire                    m_axis_r_tvalid,
    input  wire                    m_axis_r_tready,
    output wire                    m_axis_r_tlast,
    output wire [63:0]             m_axis_b_tdata,
    output wire                    m_axis_b_tvalid,
    input  wire                    m_axis_b_tready,
    output wire                    m_axis_b_tlast,
    output wire [7:0]              m_axi_awid,
    output wire [39:0]             m_axi_awaddr,
    output wire [7:0]              m_axi_awlen,
    output wire [2:0]              m_axi_awsize,
    output wire [1:0]              m_axi_awburst,
    output wire                    m_axi_awvalid,
    input  wire                    m_axi_awready,
    output wire [DATA_WIDTH-1:0]   m_axi_wdata,
    output wire [DATA_WIDTH/8-1:0] m_axi_wstrb,
    output wire                    m_axi_wlast,
    output wire                    m_axi_wvalid,
    input  wire                    m_axi_wready,
    input  wire [7:0]              m_axi_bid,
    input  wire [1:0]              m_axi_bresp,
    input  wire                    m_axi_bvalid,
    output wire                    m_axi_bready,
    output wire [7:0]              m_axi_arid,
    output wire [39:0]             m_axi_araddr,
    output wire [7:0]              m_axi_arlen,
    output wire [2:0]              m_axi_arsize,
    output wire [1:0]              m_axi_arburst,
    output wire                    m_axi_arvalid,
    input  wire                    m_axi_arready,
    input  wire [7:0]              m_axi_rid,
    input  wire [DATA_WIDTH-1:0]   m_axi_rdata,
    input  wire [1:0]              m_axi_rresp,
    input  wire                    m_axi_rlast,
    input  wire                    m_axi_rvalid,
    output wire                    m_axi_rready,
    output wire                    irq
);
    assign s_axil_awready = 1'b0;
    assign s_axil_wready  = 1'b0;
    assign s_axil_bvalid  = 1'b0;
    assign s_axil_bresp   = 2'b0;
    assign s_axil_arready = 1'b0;
    assign s_axil_rvalid  = 1'b0;
    assign s_axil_rdata   = 32'd0;
    assign s_axil_rresp   = 2'b0;
    assign irq            = 1'b0;

    reg flip_q;
    always @(posedge clk) flip_q <= !flip_q && !rst && UNSTABLE != 0;

    assign m_axi_araddr  = s_axis_ar_tdata[39:0] ^ {27'd0, flip_q, 12'd0};
    assign m_axi_arid    = s_axis_ar_tdata[47:40];
    assign m_axi_arlen   = s_axis_ar_tdata[55:48];
    assign m_axi_arsize  = s_axis_ar_tdata[58:56];
    assign m_axi_arburst = s_axis_ar_tdata[60:59];
    assign m_axi_arvalid = s_axis_ar_tvalid;
    assign s_axis_ar_tready = m_axi_arready;

    assign m_axi_awaddr  = s_axis_aw_tdata[39:0];
    assign m_axi_awid    = s_axis_aw_tdata[47:40];
    assign m_axi_awlen   = s_axis_aw_tdata[55:48];
    assign m_axi_awsize  = s_axis_aw_tdata[58:56];
    assign m_axi_awburst = s_axis_aw_tdata[60:59];
    assign m_axi_awvalid = s_axis_aw_tvalid;
    assign s_axis_aw_tready = m_axi_awready;

    assign m_axi_wdata   = s_axis_w_tdata[DATA_WIDTH-1:0];
    assign m_axi_wstrb   = s_axis_w_tdata[DATA_WIDTH +: DATA_WIDTH/8];
    assign m_axi_wlast   = s_axis_w_tlast;
    assign m_axi_wvalid  = s_axis_w_tvalid;
    assign s_axis_w_tready = m_axi_wready;

    assign m_axis_r_tdata  = {{(DATA_WIDTH-10){1'b0}}, m_axi_rresp, m_axi_rid, m_axi_rdata};
    assign m_axis_r_tlast  = m_axi_rlast;
    assign m_axis_r_tvalid = m_axi_rvalid;
    assign m_axi_rready    = m_axis_r_tready;

    assign m_axis_b_tdata  = {54'd0, m_axi_bresp, m_axi_bid};
    assign m_axis_b_tlast  = 1'b1;
    assign m_axis_b_tvalid = m_axi_bvalid;
    assign m_axi_bready    = m_axis_b_tready;
endmodule
`default_nettype wire
