// rlc_tensor_zcu106.v — rlc_tensor_axi as a cell of a block design: the configuration zcu106 of configs.yaml.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the ports of the top and the declaration of the core; do not edit.
//
// aclk, aresetn   the bus; aresetn is synchronous to aclk, active low, as Vivado's blocks have it
// TKEEP is not looked at, and always all ones: beats are whole. All else is as rlc_tensor_axi says
`default_nettype none
module rlc_tensor_zcu106 (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axil:s_axis_in:m_axis_out, ASSOCIATED_RESET aresetn" *)
    input  wire         aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         aresetn,

    input  wire [11:0]  s_axil_awaddr,
    input  wire [2:0]   s_axil_awprot,
    input  wire         s_axil_awvalid,
    output wire         s_axil_awready,
    input  wire [31:0]  s_axil_wdata,
    input  wire [3:0]   s_axil_wstrb,
    input  wire         s_axil_wvalid,
    output wire         s_axil_wready,
    output wire [1:0]   s_axil_bresp,
    output wire         s_axil_bvalid,
    input  wire         s_axil_bready,
    input  wire [11:0]  s_axil_araddr,
    input  wire [2:0]   s_axil_arprot,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire [31:0]  s_axil_rdata,
    output wire [1:0]   s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready,

    input  wire [63:0]  s_axis_in_tdata,
    input  wire [7:0]   s_axis_in_tkeep,
    input  wire         s_axis_in_tvalid,
    output wire         s_axis_in_tready,
    input  wire         s_axis_in_tlast,

    output wire [63:0]  m_axis_out_tdata,
    output wire [7:0]   m_axis_out_tkeep,
    output wire         m_axis_out_tvalid,
    input  wire         m_axis_out_tready,
    output wire         m_axis_out_tlast,

    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq
);
    reg rst_q;
    initial rst_q = 1'b1;
    always @(posedge aclk) rst_q <= !aresetn;

    wire unused = &{1'b0, s_axis_in_tkeep};
    assign m_axis_out_tkeep = {8{1'b1}};

    rlc_tensor_axi #(
        .SIDE(8), .BLOCKS(2), .WEIGHT_BLOCKS(1024), .TARGET_BLOCKS(1024), .BIAS_ROWS(128), .A_TILES(512),
        .E_TILES(256), .PASS_SUMS(64), .ROWS(16), .GROUPS(8192), .TARGET_GROUPS(8192), .GRAD_WORDS(544),
        .GRAD_ROWS(128), .WORDS(2048), .OUTPUT_WORDS(32), .STEPS(512), .TILE_STYLE(2), .WEIGHT_STYLE(3),
        .GROUP_STYLE(3)
    ) u_core (
        .clk(aclk), .rst(rst_q), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axis_in_tdata(s_axis_in_tdata),
        .s_axis_in_tvalid(s_axis_in_tvalid), .s_axis_in_tready(s_axis_in_tready),
        .s_axis_in_tlast(s_axis_in_tlast), .m_axis_out_tdata(m_axis_out_tdata),
        .m_axis_out_tvalid(m_axis_out_tvalid), .m_axis_out_tready(m_axis_out_tready),
        .m_axis_out_tlast(m_axis_out_tlast), .irq(irq)
    );
endmodule
`default_nettype wire
