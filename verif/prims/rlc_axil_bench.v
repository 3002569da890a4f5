// rlc_axil_bench.v — rlc_axil_split between a master and two slaves, and rlc_axil_regs between a master and words.
// SPDX-License-Identifier: Apache-2.0
//
// For bus models that know a port by its prefix: s_axil and m0_axil, m1_axil of the split, r_axil of the registers.
`default_nettype none
module rlc_axil_bench #(
    parameter REGS = 11
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [9:0]  s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    output wire [1:0]  s_axil_bresp,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    input  wire [9:0]  s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,

    output wire [7:0]  m0_axil_awaddr,
    output wire [2:0]  m0_axil_awprot,
    output wire        m0_axil_awvalid,
    input  wire        m0_axil_awready,
    output wire [31:0] m0_axil_wdata,
    output wire [3:0]  m0_axil_wstrb,
    output wire        m0_axil_wvalid,
    input  wire        m0_axil_wready,
    input  wire [1:0]  m0_axil_bresp,
    input  wire        m0_axil_bvalid,
    output wire        m0_axil_bready,
    output wire [7:0]  m0_axil_araddr,
    output wire [2:0]  m0_axil_arprot,
    output wire        m0_axil_arvalid,
    input  wire        m0_axil_arready,
    input  wire [31:0] m0_axil_rdata,
    input  wire [1:0]  m0_axil_rresp,
    input  wire        m0_axil_rvalid,
    output wire        m0_axil_rready,

    output wire [7:0]  m1_axil_awaddr,
    output wire [2:0]  m1_axil_awprot,
    output wire        m1_axil_awvalid,
    input  wire        m1_axil_awready,
    output wire [31:0] m1_axil_wdata,
    output wire [3:0]  m1_axil_wstrb,
    output wire        m1_axil_wvalid,
    input  wire        m1_axil_wready,
    input  wire [1:0]  m1_axil_bresp,
    input  wire        m1_axil_bvalid,
    output wire        m1_axil_bready,
    output wire [7:0]  m1_axil_araddr,
    output wire [2:0]  m1_axil_arprot,
    output wire        m1_axil_arvalid,
    input  wire        m1_axil_arready,
    input  wire [31:0] m1_axil_rdata,
    input  wire [1:0]  m1_axil_rresp,
    input  wire        m1_axil_rvalid,
    output wire        m1_axil_rready,

    input  wire [5:0]  r_axil_awaddr,
    input  wire [2:0]  r_axil_awprot,
    input  wire        r_axil_awvalid,
    output wire        r_axil_awready,
    input  wire [31:0] r_axil_wdata,
    input  wire [3:0]  r_axil_wstrb,
    input  wire        r_axil_wvalid,
    output wire        r_axil_wready,
    output wire [1:0]  r_axil_bresp,
    output wire        r_axil_bvalid,
    input  wire        r_axil_bready,
    input  wire [5:0]  r_axil_araddr,
    input  wire [2:0]  r_axil_arprot,
    input  wire        r_axil_arvalid,
    output wire        r_axil_arready,
    output wire [31:0] r_axil_rdata,
    output wire [1:0]  r_axil_rresp,
    output wire        r_axil_rvalid,
    input  wire        r_axil_rready,

    output wire        wr_en,
    output wire        rd_en
);
    // What is common to both ports goes to each.
    wire [7:0]  awaddr, araddr;
    wire [2:0]  awprot, arprot;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    assign {m1_axil_awaddr, m0_axil_awaddr} = {awaddr, awaddr};
    assign {m1_axil_awprot, m0_axil_awprot} = {awprot, awprot};
    assign {m1_axil_wdata, m0_axil_wdata}   = {wdata, wdata};
    assign {m1_axil_wstrb, m0_axil_wstrb}   = {wstrb, wstrb};
    assign {m1_axil_araddr, m0_axil_araddr} = {araddr, araddr};
    assign {m1_axil_arprot, m0_axil_arprot} = {arprot, arprot};
    rlc_axil_split #(.ADDR_WIDTH(10), .WINDOW_WIDTH(8), .PORTS(2)) u_split (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot), .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .m_axil_awaddr(awaddr), .m_axil_awprot(awprot),
        .m_axil_awvalid({m1_axil_awvalid, m0_axil_awvalid}), .m_axil_awready({m1_axil_awready, m0_axil_awready}),
        .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_wvalid({m1_axil_wvalid, m0_axil_wvalid}),
        .m_axil_wready({m1_axil_wready, m0_axil_wready}), .m_axil_bresp({m1_axil_bresp, m0_axil_bresp}),
        .m_axil_bvalid({m1_axil_bvalid, m0_axil_bvalid}), .m_axil_bready({m1_axil_bready, m0_axil_bready}),
        .m_axil_araddr(araddr), .m_axil_arprot(arprot), .m_axil_arvalid({m1_axil_arvalid, m0_axil_arvalid}),
        .m_axil_arready({m1_axil_arready, m0_axil_arready}), .m_axil_rdata({m1_axil_rdata, m0_axil_rdata}),
        .m_axil_rresp({m1_axil_rresp, m0_axil_rresp}), .m_axil_rvalid({m1_axil_rvalid, m0_axil_rvalid}),
        .m_axil_rready({m1_axil_rready, m0_axil_rready})
    );

    // Words that keep what is written; of every four the second acts, so bytes without a strobe are 0.
    wire [3:0]  wr_addr, rd_addr;
    wire [31:0] wr_data;
    reg  [31:0] rd_data;
    reg  [31:0] words [0:15];
    rlc_axil_regs #(.ADDR_WIDTH(6), .REGS(REGS)) u_regs (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(r_axil_awaddr), .s_axil_awprot(r_axil_awprot), .s_axil_awvalid(r_axil_awvalid),
        .s_axil_awready(r_axil_awready), .s_axil_wdata(r_axil_wdata), .s_axil_wstrb(r_axil_wstrb),
        .s_axil_wvalid(r_axil_wvalid), .s_axil_wready(r_axil_wready), .s_axil_bresp(r_axil_bresp),
        .s_axil_bvalid(r_axil_bvalid), .s_axil_bready(r_axil_bready), .s_axil_araddr(r_axil_araddr),
        .s_axil_arprot(r_axil_arprot), .s_axil_arvalid(r_axil_arvalid), .s_axil_arready(r_axil_arready),
        .s_axil_rdata(r_axil_rdata), .s_axil_rresp(r_axil_rresp), .s_axil_rvalid(r_axil_rvalid),
        .s_axil_rready(r_axil_rready), .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data),
        .wr_acts(wr_addr[1:0] == 2'd1), .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(rd_data)
    );
    integer i;
    initial for (i = 0; i < 16; i = i + 1) words[i] = 32'd0;
    always @(posedge clk) begin
        if (wr_en) words[wr_addr] <= wr_data;
        rd_data <= words[rd_addr];
    end
endmodule
`default_nettype wire
