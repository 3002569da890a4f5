// rlc_loopback.v — four registers, and a stream that comes back; bit 0 of register 0 is the interrupt.
// SPDX-License-Identifier: Apache-2.0
//
// BEAT      64-bit words a beat
// UNSTABLE  1: the stream's data changes while it waits, which AXI4-Stream forbids
`default_nettype none
module rlc_loopback #(
    parameter BEAT     = 2,
    parameter UNSTABLE = 0
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [11:0]        s_axil_awaddr,
    input  wire [2:0]         s_axil_awprot,
    input  wire               s_axil_awvalid,
    output wire               s_axil_awready,
    input  wire [31:0]        s_axil_wdata,
    input  wire [3:0]         s_axil_wstrb,
    input  wire               s_axil_wvalid,
    output wire               s_axil_wready,
    output wire [1:0]         s_axil_bresp,
    output wire               s_axil_bvalid,
    input  wire               s_axil_bready,
    input  wire [11:0]        s_axil_araddr,
    input  wire [2:0]         s_axil_arprot,
    input  wire               s_axil_arvalid,
    output wire               s_axil_arready,
    output wire [31:0]        s_axil_rdata,
    output wire [1:0]         s_axil_rresp,
    output wire               s_axil_rvalid,
    input  wire               s_axil_rready,
    input  wire [BEAT*64-1:0] s_axis_tdata,
    input  wire               s_axis_tvalid,
    output wire               s_axis_tready,
    input  wire               s_axis_tlast,
    output wire [BEAT*64-1:0] m_axis_tdata,
    output wire               m_axis_tvalid,
    input  wire               m_axis_tready,
    output wire               m_axis_tlast,
    output wire               irq
);
    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        rd_en;
    wire [9:0]  rd_addr;
    reg  [31:0] regs_q [0:3];

    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(4)) u_axil (
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
        .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data), .wr_acts(1'b0),
        .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(regs_q[rd_addr[1:0]])
    );

    integer i;
    always @(posedge clk) begin
        if (rst) for (i = 0; i < 4; i = i + 1) regs_q[i] <= 32'd0;
        else if (wr_en) regs_q[wr_addr[1:0]] <= wr_data;
    end
    assign irq = regs_q[0][0];

    wire [BEAT*64:0] held;
    reg              tick_q;
    always @(posedge clk) tick_q <= !rst && !tick_q;

    rlc_skid #(.WIDTH(BEAT*64+1)) u_skid (
        .clk(clk), .rst(rst),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data({s_axis_tlast, s_axis_tdata}),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data(held)
    );
    assign m_axis_tlast = held[BEAT*64];
    assign m_axis_tdata = held[BEAT*64-1:0] ^ {{(BEAT*64-1){1'b0}}, UNSTABLE != 0 && tick_q};

    wire unused = &{1'b0, wr_addr[9:2], rd_addr[9:2], rd_en};
endmodule
`default_nettype wire
