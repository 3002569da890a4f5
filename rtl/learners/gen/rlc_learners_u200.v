// rlc_learners_u200.v — rlc_learners as a cell of a block design: the configuration u200 of configs.yaml.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the ports of the top and the declaration of the core; do not edit.
//
// aclk, aresetn   the bus; aresetn is synchronous to aclk, active low, as Vivado's blocks have it
// TKEEP is not looked at, and always all ones: beats are whole. All else is as rlc_learners says
// irq             on irq_clk, three clocks after the core's
`default_nettype none
module rlc_learners_u200 (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF m_axi_0:m_axi_1:m_axi_2:m_axis_read:s_axil:s_axis_exp:s_axis_load, ASSOCIATED_RESET aresetn" *)
    input  wire         aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         aresetn,
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 irq_clk CLK" *)
    input  wire         irq_clk,

    output wire [6:0]   m_axi_0_awid,
    output wire [33:0]  m_axi_0_awaddr,
    output wire [7:0]   m_axi_0_awlen,
    output wire [2:0]   m_axi_0_awsize,
    output wire [1:0]   m_axi_0_awburst,
    output wire [3:0]   m_axi_0_awcache,
    output wire [2:0]   m_axi_0_awprot,
    output wire         m_axi_0_awvalid,
    input  wire         m_axi_0_awready,
    output wire [511:0] m_axi_0_wdata,
    output wire [63:0]  m_axi_0_wstrb,
    output wire         m_axi_0_wlast,
    output wire         m_axi_0_wvalid,
    input  wire         m_axi_0_wready,
    input  wire [6:0]   m_axi_0_bid,
    input  wire [1:0]   m_axi_0_bresp,
    input  wire         m_axi_0_bvalid,
    output wire         m_axi_0_bready,
    output wire [6:0]   m_axi_0_arid,
    output wire [33:0]  m_axi_0_araddr,
    output wire [7:0]   m_axi_0_arlen,
    output wire [2:0]   m_axi_0_arsize,
    output wire [1:0]   m_axi_0_arburst,
    output wire [3:0]   m_axi_0_arcache,
    output wire [2:0]   m_axi_0_arprot,
    output wire         m_axi_0_arvalid,
    input  wire         m_axi_0_arready,
    input  wire [6:0]   m_axi_0_rid,
    input  wire [511:0] m_axi_0_rdata,
    input  wire [1:0]   m_axi_0_rresp,
    input  wire         m_axi_0_rlast,
    input  wire         m_axi_0_rvalid,
    output wire         m_axi_0_rready,

    output wire [6:0]   m_axi_1_awid,
    output wire [33:0]  m_axi_1_awaddr,
    output wire [7:0]   m_axi_1_awlen,
    output wire [2:0]   m_axi_1_awsize,
    output wire [1:0]   m_axi_1_awburst,
    output wire [3:0]   m_axi_1_awcache,
    output wire [2:0]   m_axi_1_awprot,
    output wire         m_axi_1_awvalid,
    input  wire         m_axi_1_awready,
    output wire [511:0] m_axi_1_wdata,
    output wire [63:0]  m_axi_1_wstrb,
    output wire         m_axi_1_wlast,
    output wire         m_axi_1_wvalid,
    input  wire         m_axi_1_wready,
    input  wire [6:0]   m_axi_1_bid,
    input  wire [1:0]   m_axi_1_bresp,
    input  wire         m_axi_1_bvalid,
    output wire         m_axi_1_bready,
    output wire [6:0]   m_axi_1_arid,
    output wire [33:0]  m_axi_1_araddr,
    output wire [7:0]   m_axi_1_arlen,
    output wire [2:0]   m_axi_1_arsize,
    output wire [1:0]   m_axi_1_arburst,
    output wire [3:0]   m_axi_1_arcache,
    output wire [2:0]   m_axi_1_arprot,
    output wire         m_axi_1_arvalid,
    input  wire         m_axi_1_arready,
    input  wire [6:0]   m_axi_1_rid,
    input  wire [511:0] m_axi_1_rdata,
    input  wire [1:0]   m_axi_1_rresp,
    input  wire         m_axi_1_rlast,
    input  wire         m_axi_1_rvalid,
    output wire         m_axi_1_rready,

    output wire [6:0]   m_axi_2_awid,
    output wire [33:0]  m_axi_2_awaddr,
    output wire [7:0]   m_axi_2_awlen,
    output wire [2:0]   m_axi_2_awsize,
    output wire [1:0]   m_axi_2_awburst,
    output wire [3:0]   m_axi_2_awcache,
    output wire [2:0]   m_axi_2_awprot,
    output wire         m_axi_2_awvalid,
    input  wire         m_axi_2_awready,
    output wire [511:0] m_axi_2_wdata,
    output wire [63:0]  m_axi_2_wstrb,
    output wire         m_axi_2_wlast,
    output wire         m_axi_2_wvalid,
    input  wire         m_axi_2_wready,
    input  wire [6:0]   m_axi_2_bid,
    input  wire [1:0]   m_axi_2_bresp,
    input  wire         m_axi_2_bvalid,
    output wire         m_axi_2_bready,
    output wire [6:0]   m_axi_2_arid,
    output wire [33:0]  m_axi_2_araddr,
    output wire [7:0]   m_axi_2_arlen,
    output wire [2:0]   m_axi_2_arsize,
    output wire [1:0]   m_axi_2_arburst,
    output wire [3:0]   m_axi_2_arcache,
    output wire [2:0]   m_axi_2_arprot,
    output wire         m_axi_2_arvalid,
    input  wire         m_axi_2_arready,
    input  wire [6:0]   m_axi_2_rid,
    input  wire [511:0] m_axi_2_rdata,
    input  wire [1:0]   m_axi_2_rresp,
    input  wire         m_axi_2_rlast,
    input  wire         m_axi_2_rvalid,
    output wire         m_axi_2_rready,

    output wire [63:0]  m_axis_read_tdata,
    output wire [7:0]   m_axis_read_tkeep,
    output wire         m_axis_read_tvalid,
    input  wire         m_axis_read_tready,
    output wire         m_axis_read_tlast,

    input  wire [20:0]  s_axil_awaddr,
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
    input  wire [20:0]  s_axil_araddr,
    input  wire [2:0]   s_axil_arprot,
    input  wire         s_axil_arvalid,
    output wire         s_axil_arready,
    output wire [31:0]  s_axil_rdata,
    output wire [1:0]   s_axil_rresp,
    output wire         s_axil_rvalid,
    input  wire         s_axil_rready,

    input  wire [127:0] s_axis_exp_tdata,
    input  wire [15:0]  s_axis_exp_tkeep,
    input  wire         s_axis_exp_tvalid,
    output wire         s_axis_exp_tready,
    input  wire         s_axis_exp_tlast,

    input  wire [63:0]  s_axis_load_tdata,
    input  wire [7:0]   s_axis_load_tkeep,
    input  wire         s_axis_load_tvalid,
    output wire         s_axis_load_tready,
    input  wire         s_axis_load_tlast,

    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq
);
    reg rst_q;
    initial rst_q = 1'b1;
    always @(posedge aclk) rst_q <= !aresetn;

    wire unused = &{1'b0, s_axis_exp_tkeep, s_axis_load_tkeep};
    assign m_axis_read_tkeep = {8{1'b1}};

    // The interrupt goes to the host's clock; a flip-flop of its own first, because there is logic behind the core's.
    wire core_irq;
    reg  core_irq_q;
    initial core_irq_q = 1'b0;
    always @(posedge aclk) core_irq_q <= core_irq;
    rlc_sync_level #(.STAGES(2)) u_irq (.clk(irq_clk), .level_in(core_irq_q), .level_out(irq));

    wire [2:0] unused_step_done;
    wire [2:0] unused_waits;

    rlc_learners #(
        .LEAVES_LOG2(19), .RADIX_LOG2(4), .CAPACITY(524288), .PRIORITY_WIDTH(18), .DRAW_WIDTH(32),
        .GENERATION_WIDTH(8), .SHARED(0), .HEAD_STYLE(3), .HEAD_LATENCY(3), .NARROW_STYLE(1222),
        .NARROW_LATENCY(2), .WIDE_STYLE(12223), .WIDE_LATENCY(23), .BYPASS(0), .ADDS(3), .SIZES("4-64-64-2"),
        .LANES("4-8-8-2"), .FORWARD("1-6-1"), .BACKWARD("1-6-1"), .UPDATE_ROWS("4-8-2"), .UPDATE_COLS("1-2-1"),
        .DP(1), .BATCH_MAX(256), .OPTIMISER(2), .ROUND(0), .POLYAK(0), .RECORDS(16), .DATA_WIDTH(512),
        .ADDR_WIDTH(34), .READS(32), .WRITES(32), .AHEAD_MAX(4), .LEARNERS(3), .CROSS(2)
    ) u_core (
        .clk(aclk), .rst(rst_q), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axis_exp_tdata(s_axis_exp_tdata),
        .s_axis_exp_tvalid(s_axis_exp_tvalid), .s_axis_exp_tready(s_axis_exp_tready),
        .s_axis_exp_tlast(s_axis_exp_tlast), .s_axis_load_tdata(s_axis_load_tdata),
        .s_axis_load_tvalid(s_axis_load_tvalid), .s_axis_load_tready(s_axis_load_tready),
        .s_axis_load_tlast(s_axis_load_tlast), .m_axis_read_tdata(m_axis_read_tdata),
        .m_axis_read_tvalid(m_axis_read_tvalid), .m_axis_read_tready(m_axis_read_tready),
        .m_axis_read_tlast(m_axis_read_tlast), .m_axi_awid({m_axi_2_awid, m_axi_1_awid, m_axi_0_awid}),
        .m_axi_awaddr({m_axi_2_awaddr, m_axi_1_awaddr, m_axi_0_awaddr}), .m_axi_awlen({m_axi_2_awlen,
        m_axi_1_awlen, m_axi_0_awlen}), .m_axi_awsize({m_axi_2_awsize, m_axi_1_awsize, m_axi_0_awsize}),
        .m_axi_awburst({m_axi_2_awburst, m_axi_1_awburst, m_axi_0_awburst}), .m_axi_awcache({m_axi_2_awcache,
        m_axi_1_awcache, m_axi_0_awcache}), .m_axi_awprot({m_axi_2_awprot, m_axi_1_awprot, m_axi_0_awprot}),
        .m_axi_awvalid({m_axi_2_awvalid, m_axi_1_awvalid, m_axi_0_awvalid}), .m_axi_awready({m_axi_2_awready,
        m_axi_1_awready, m_axi_0_awready}), .m_axi_wdata({m_axi_2_wdata, m_axi_1_wdata, m_axi_0_wdata}),
        .m_axi_wstrb({m_axi_2_wstrb, m_axi_1_wstrb, m_axi_0_wstrb}), .m_axi_wlast({m_axi_2_wlast, m_axi_1_wlast,
        m_axi_0_wlast}), .m_axi_wvalid({m_axi_2_wvalid, m_axi_1_wvalid, m_axi_0_wvalid}),
        .m_axi_wready({m_axi_2_wready, m_axi_1_wready, m_axi_0_wready}), .m_axi_bid({m_axi_2_bid, m_axi_1_bid,
        m_axi_0_bid}), .m_axi_bresp({m_axi_2_bresp, m_axi_1_bresp, m_axi_0_bresp}), .m_axi_bvalid({m_axi_2_bvalid,
        m_axi_1_bvalid, m_axi_0_bvalid}), .m_axi_bready({m_axi_2_bready, m_axi_1_bready, m_axi_0_bready}),
        .m_axi_arid({m_axi_2_arid, m_axi_1_arid, m_axi_0_arid}), .m_axi_araddr({m_axi_2_araddr, m_axi_1_araddr,
        m_axi_0_araddr}), .m_axi_arlen({m_axi_2_arlen, m_axi_1_arlen, m_axi_0_arlen}),
        .m_axi_arsize({m_axi_2_arsize, m_axi_1_arsize, m_axi_0_arsize}), .m_axi_arburst({m_axi_2_arburst,
        m_axi_1_arburst, m_axi_0_arburst}), .m_axi_arcache({m_axi_2_arcache, m_axi_1_arcache, m_axi_0_arcache}),
        .m_axi_arprot({m_axi_2_arprot, m_axi_1_arprot, m_axi_0_arprot}), .m_axi_arvalid({m_axi_2_arvalid,
        m_axi_1_arvalid, m_axi_0_arvalid}), .m_axi_arready({m_axi_2_arready, m_axi_1_arready, m_axi_0_arready}),
        .m_axi_rid({m_axi_2_rid, m_axi_1_rid, m_axi_0_rid}), .m_axi_rdata({m_axi_2_rdata, m_axi_1_rdata,
        m_axi_0_rdata}), .m_axi_rresp({m_axi_2_rresp, m_axi_1_rresp, m_axi_0_rresp}), .m_axi_rlast({m_axi_2_rlast,
        m_axi_1_rlast, m_axi_0_rlast}), .m_axi_rvalid({m_axi_2_rvalid, m_axi_1_rvalid, m_axi_0_rvalid}),
        .m_axi_rready({m_axi_2_rready, m_axi_1_rready, m_axi_0_rready}), .step_done(unused_step_done),
        .waits(unused_waits), .irq(core_irq)
    );
endmodule
`default_nettype wire
