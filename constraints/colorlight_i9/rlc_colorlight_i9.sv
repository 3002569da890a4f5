// rlc_colorlight_i9.sv — top for the Colorlight i9: a replay server behind gigabit Ethernet, its records in block RAM.
// SPDX-License-Identifier: Apache-2.0
//
// clk_25mhz   the board's oscillator
// rgmii_*     to the PHY of the first socket; rgmii_rst_n resets both of the board's PHYs
// button_n    low: everything begins anew, with an empty memory and another instance
// led_n       low while a datagram comes or goes
//
// clocks      the server and LiteEth's upper half at 25 MHz * MULTIPLY / DIVIDE; the line at the 125 MHz of rgmii_rx_clk, in both
//             directions
`default_nettype none
module rlc_colorlight_i9 #(
    parameter [47:0] MAC      = 48'h02_00_52_4C_43_01,          // of the board
    parameter [31:0] ADDRESS  = {8'd192, 8'd168, 8'd1, 8'd50},  // IPv4, of the board
    parameter [15:0] PORT     = 16'd7878,                       // of the server
    parameter MULTIPLY        = 2,   // of the clock
    parameter DIVIDE          = 1,   // see MULTIPLY
    parameter OUTPUT          = 12,  // of rlc_ecp5_pll
    parameter CAPACITY        = 512, // records
    parameter LEAVES_LOG2     = 9,   // of the sum tree
    parameter RECORD_BYTES    = 48,  // of a record
    parameter CLIENTS         = 4,   // client numbers
    parameter SAMPLE_MAX      = 64   // largest batch
) (
    input  wire       clk_25mhz,
    input  wire       button_n,
    output wire       led_n,
    output wire       rgmii_rst_n,
    input  wire       rgmii_rx_clk,
    input  wire       rgmii_rx_ctl,
    input  wire [3:0] rgmii_rx_data,
    output wire       rgmii_tx_clk,
    output wire       rgmii_tx_ctl,
    output wire [3:0] rgmii_tx_data
);
    wire clk, locked, rst;
    rlc_ecp5_pll #(.MULTIPLY(MULTIPLY), .DIVIDE(DIVIDE), .OUTPUT(OUTPUT)) u_pll (
        .clk_in(clk_25mhz), .clk_out(clk), .locked(locked)
    );
    rlc_reset_sync #(.STAGES(3)) u_reset (.clk(clk), .rst_in(!button_n || !locked), .rst_out(rst));

    // The time until a person lets the button go, or the PLL locks, is different each time: the number of the state.
    reg [31:0] instance_q;
    initial instance_q = 32'd1;
    always @(posedge clk) if (rst) instance_q <= {instance_q[30:0], ~(instance_q[31] ^ instance_q[21] ^ instance_q[1] ^ instance_q[0])};

    wire        udp_source_valid, udp_source_ready, udp_source_last;
    wire        udp_sink_valid, udp_sink_ready, udp_sink_last;
    wire [31:0] udp_source_data, udp_sink_data;
    wire [3:0]  udp_source_last_be, udp_sink_last_be, udp_source_error;
    wire [31:0] udp_source_ip_address, udp_sink_ip_address;
    wire [15:0] udp_source_src_port, udp_source_dst_port, udp_source_length;
    wire [15:0] udp_sink_src_port, udp_sink_dst_port, udp_sink_length;
    wire        in_valid, in_ready, in_last, out_valid, out_ready, out_last;
    wire [63:0] in_data, out_data;
    wire [7:0]  in_keep, out_keep;
    wire [31:0] in_addr, out_addr;
    wire [15:0] in_port, in_length, out_port, out_length;
    wire        dropped, failed;
    wire [47:0] mac_address = MAC;
    wire [31:0] ip_address  = ADDRESS;
    wire [15:0] udp_port    = PORT;

    rlc_liteeth u_mac (.*);
    rlc_net_liteeth #(.BYTES(8), .PORT_BYTES(4)) u_adapter (
        .*,
        .m_udp_tvalid(in_valid), .m_udp_tready(in_ready), .m_udp_tdata(in_data), .m_udp_tkeep(in_keep),
        .m_udp_tlast(in_last), .m_udp_addr(in_addr), .m_udp_port(in_port), .m_udp_length(in_length),
        .s_udp_tvalid(out_valid), .s_udp_tready(out_ready), .s_udp_tdata(out_data),
        .s_udp_tlast(out_last), .s_udp_addr(out_addr), .s_udp_port(out_port), .s_udp_length(out_length)
    );

    localparam ADDR_WIDTH = 17;
    // Records take 2**STRIDE bytes each, lists of batches 16 bytes a sample, four for each client; both in pages of 4096.
    localparam STRIDE = $clog2(RECORD_BYTES);
    localparam WORDS  = ((((CAPACITY - 1) >> (12 - STRIDE)) + 1) + (((CLIENTS * 4 - 1) >> (12 - $clog2(16 * SAMPLE_MAX))) + 1)) * 512;
    wire                  m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready;
    wire                  m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast;
    wire [0:0]            m_axi_awid, m_axi_bid, m_axi_arid, m_axi_rid;
    wire [ADDR_WIDTH-1:0] m_axi_awaddr, m_axi_araddr;
    wire [7:0]            m_axi_awlen, m_axi_arlen, m_axi_wstrb;
    wire [2:0]            m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
    wire [1:0]            m_axi_awburst, m_axi_arburst, m_axi_bresp, m_axi_rresp;
    wire [3:0]            m_axi_awcache, m_axi_arcache;
    wire [63:0]           m_axi_wdata, m_axi_rdata;
    rlc_net_server #(
        .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(1392), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX), .CREDIT(32),
        .ADDR_WIDTH(ADDR_WIDTH), .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(4), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(18),
        .GENERATION_WIDTH(8), .HEAD_LATENCY(3), .NARROW_STYLE(12), .WIDE_STYLE(12), .WIDE_LATENCY(3), .BYPASS(1), .ADDS(1)
    ) u_server (
        .*,
        .s_udp_tvalid(in_valid), .s_udp_tready(in_ready), .s_udp_tdata(in_data), .s_udp_tkeep(in_keep),
        .s_udp_tlast(in_last), .s_udp_addr(in_addr), .s_udp_port(in_port),
        .m_udp_tvalid(out_valid), .m_udp_tready(out_ready), .m_udp_tdata(out_data), .m_udp_tkeep(out_keep),
        .m_udp_tlast(out_last), .m_udp_addr(out_addr), .m_udp_port(out_port), .m_udp_length(out_length),
        .cfg_instance(instance_q), .cfg_alpha(16'd19661), .cfg_scale(16'd2048), .cfg_epsilon(32'd1), .cfg_bank(8'd0), .cfg_initial(18'd256),
        .cfg_seed({instance_q, instance_q}), .cfg_base({ADDR_WIDTH{1'b0}})
    );
    rlc_axi_ram #(.ID_WIDTH(1), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(64), .DEPTH(WORDS), .BYPASS(1)) u_ram (
        .clk(clk), .rst(rst),
        .s_axi_awid(m_axi_awid), .s_axi_awaddr(m_axi_awaddr), .s_axi_awlen(m_axi_awlen), .s_axi_awsize(m_axi_awsize),
        .s_axi_awburst(m_axi_awburst), .s_axi_awvalid(m_axi_awvalid), .s_axi_awready(m_axi_awready),
        .s_axi_wdata(m_axi_wdata), .s_axi_wstrb(m_axi_wstrb), .s_axi_wlast(m_axi_wlast), .s_axi_wvalid(m_axi_wvalid),
        .s_axi_wready(m_axi_wready), .s_axi_bid(m_axi_bid), .s_axi_bresp(m_axi_bresp), .s_axi_bvalid(m_axi_bvalid),
        .s_axi_bready(m_axi_bready), .s_axi_arid(m_axi_arid), .s_axi_araddr(m_axi_araddr), .s_axi_arlen(m_axi_arlen),
        .s_axi_arsize(m_axi_arsize), .s_axi_arburst(m_axi_arburst), .s_axi_arvalid(m_axi_arvalid),
        .s_axi_arready(m_axi_arready), .s_axi_rid(m_axi_rid), .s_axi_rdata(m_axi_rdata), .s_axi_rresp(m_axi_rresp),
        .s_axi_rlast(m_axi_rlast), .s_axi_rvalid(m_axi_rvalid), .s_axi_rready(m_axi_rready)
    );

    // A datagram lights it long enough to be seen.
    reg [20:0] lit_q;
    always @(posedge clk) begin
        if (rst) lit_q <= 21'd0;
        else if (in_valid || out_valid) lit_q <= 21'h1FFFFF;
        else if (lit_q != 21'd0) lit_q <= lit_q - 21'd1;
    end
    assign led_n = lit_q == 21'd0;
    wire unused = &{1'b0, in_length, out_keep, dropped, failed, m_axi_awcache, m_axi_awprot, m_axi_arcache, m_axi_arprot};
endmodule
`default_nettype wire
