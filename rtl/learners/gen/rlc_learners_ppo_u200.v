// rlc_learners_ppo_u200.v — rlc_learners_ppo as a cell of a block design: the configuration u200 of configs.yaml.
// SPDX-License-Identifier: Apache-2.0
//
// Written by `rlcores generate` from the ports of the top and the declaration of the core; do not edit.
//
// aclk, aresetn   the bus; aresetn is synchronous to aclk, active low, as Vivado's blocks have it
// TKEEP is not looked at, and always all ones: beats are whole. All else is as rlc_learners_ppo says
// irq             on irq_clk, three clocks after the core's
`default_nettype none
module rlc_learners_ppo_u200 (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axil:s_axis_load:m_axis_read, ASSOCIATED_RESET aresetn" *)
    input  wire         aclk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
    input  wire         aresetn,
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 irq_clk CLK" *)
    input  wire         irq_clk,

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

    input  wire [63:0]  s_axis_load_tdata,
    input  wire [7:0]   s_axis_load_tkeep,
    input  wire         s_axis_load_tvalid,
    output wire         s_axis_load_tready,
    input  wire         s_axis_load_tlast,

    output wire [63:0]  m_axis_read_tdata,
    output wire [7:0]   m_axis_read_tkeep,
    output wire         m_axis_read_tvalid,
    input  wire         m_axis_read_tready,
    output wire         m_axis_read_tlast,

    (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
    output wire         irq
);
    reg rst_q;
    initial rst_q = 1'b1;
    always @(posedge aclk) rst_q <= !aresetn;

    wire unused = &{1'b0, s_axis_load_tkeep};
    assign m_axis_read_tkeep = {8{1'b1}};

    // The interrupt goes to the host's clock; a flip-flop of its own first, because there is logic behind the core's.
    wire core_irq;
    reg  core_irq_q;
    initial core_irq_q = 1'b0;
    always @(posedge aclk) core_irq_q <= core_irq;
    rlc_sync_level #(.STAGES(2)) u_irq (.clk(irq_clk), .level_in(core_irq_q), .level_out(irq));

    wire [2:0] unused_step_done;
    wire [2:0] unused_waits;

    rlc_learners_ppo #(
        .SIZES("4-64-64-1:4-64-64-2"), .LANES("1-4-2-1:1-4-2-1"), .FORWARD("1-8-1:1-8-1"),
        .BACKWARD("1-8-1:1-8-1"), .UPDATE_ROWS("4-2-1:4-2-1"), .UPDATE_COLS("1-4-2:1-4-2"), .DP(5),
        .BATCH_MAX(2048), .OPTIMISER(2), .ROUND(0), .POLYAK(0), .RECORDS(1), .N_ENVS(64), .STEPS(128),
        .GAUSSIAN(0), .RECORD_BITS(0), .ENV(0), .TIME_LIMIT(500), .LEARNERS(3), .CROSS(2)
    ) u_core (
        .clk(aclk), .rst(rst_q), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axis_load_tdata(s_axis_load_tdata),
        .s_axis_load_tvalid(s_axis_load_tvalid), .s_axis_load_tready(s_axis_load_tready),
        .s_axis_load_tlast(s_axis_load_tlast), .m_axis_read_tdata(m_axis_read_tdata),
        .m_axis_read_tvalid(m_axis_read_tvalid), .m_axis_read_tready(m_axis_read_tready),
        .m_axis_read_tlast(m_axis_read_tlast), .step_done(unused_step_done), .waits(unused_waits), .irq(core_irq)
    );
endmodule
`default_nettype wire
