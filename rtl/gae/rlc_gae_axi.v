// rlc_gae_axi.v — the GAE core behind AXI: AXI4-Lite registers, AXI4-Stream in and out.
// SPDX-License-Identifier: Apache-2.0
//
// parameters   those of rlc_gae, handed through
// s_axil_*     registers of gae.rdl at byte addresses 0x00 to 0xC4; beyond them SLVERR. WSTRB as rlc_axil_regs says
// s_axis_*     records, BEAT elements of 64 bits a beat, element 0 in the low bits; TLAST ends a pass
// m_axis_*     results, same shape; TLAST ends a READ
// irq          high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// latency      that of rlc_axil_regs on registers, none on the streams
`default_nettype none
module rlc_gae_axi #(
    parameter ROWS       = 4,
    parameter LANES      = 8,
    parameter DEPTH      = 16,
    parameter LOOKAHEAD  = 2,
    parameter INTERLEAVE = 1,
    parameter SPAN       = 4,
    parameter QBITS      = 8,
    parameter OUT_BITS   = 8,
    parameter BEAT       = 2
) (
    input  wire                clk,
    input  wire                rst,

    input  wire [11:0]         s_axil_awaddr,
    input  wire [2:0]          s_axil_awprot,
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    output wire [1:0]          s_axil_bresp,
    output wire                s_axil_bvalid,
    input  wire                s_axil_bready,
    input  wire [11:0]         s_axil_araddr,
    input  wire [2:0]          s_axil_arprot,
    input  wire                s_axil_arvalid,
    output wire                s_axil_arready,
    output wire [31:0]         s_axil_rdata,
    output wire [1:0]          s_axil_rresp,
    output wire                s_axil_rvalid,
    input  wire                s_axil_rready,

    input  wire [BEAT*64-1:0]  s_axis_tdata,
    input  wire                s_axis_tvalid,
    output wire                s_axis_tready,
    input  wire                s_axis_tlast,

    output wire [BEAT*64-1:0]  m_axis_tdata,
    output wire                m_axis_tvalid,
    input  wire                m_axis_tready,
    output wire                m_axis_tlast,

    output wire                irq
);
    localparam REGS = 50;

    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        wr_acts;
    wire        rd_en;
    wire [9:0]  rd_addr;
    wire [31:0] rd_data;

    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data), .wr_acts(wr_acts),
        .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(rd_data)
    );

    rlc_gae #(
        .ROWS(ROWS), .LANES(LANES), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE),
        .SPAN(SPAN), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .BEAT(BEAT)
    ) u_gae (
        .clk(clk), .rst(rst),
        .reg_wr_en(wr_en), .reg_wr_addr(wr_addr[5:0]), .reg_wr_data(wr_data), .reg_wr_acts(wr_acts),
        .reg_rd_addr(rd_addr[5:0]), .reg_rd_data(rd_data),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data(s_axis_tdata), .s_last(s_axis_tlast),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data(m_axis_tdata), .m_last(m_axis_tlast),
        .irq(irq)
    );

    // rlc_axil_regs hands on no index beyond REGS, and a read needs no strobe: reading changes nothing here.
    wire unused = &{1'b0, wr_addr[9:6], rd_addr[9:6], rd_en};
endmodule
`default_nettype wire
