// rlc_net_gmii_server.sv — test side; LiteEth at a GMII line, and the replay server with its memory in block RAM behind it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_net_gmii_server #(
    parameter PORT_BYTES       = 4,   // bytes of LiteEth's port
    parameter CAPACITY         = 50,  // of rlc_net_server, as those that follow
    parameter LEAVES_LOG2      = 6,
    parameter RECORD_BYTES     = 24,
    parameter PART_BYTES       = 256,
    parameter CLIENTS          = 4,
    parameter SAMPLE_MAX       = 20,
    parameter CREDIT           = 8,
    parameter PRIORITY_WIDTH   = 18,
    parameter GENERATION_WIDTH = 4,
    parameter WEIGHTS_MAX      = 2000,
    parameter ADDR_WIDTH       = 16,
    parameter [31:0] INSTANCE  = 1,   // its cfg_*, as those that follow
    parameter [63:0] SEED      = 0,
    parameter [15:0] ALPHA     = 19661,
    parameter [15:0] SCALE     = 2048,
    parameter [31:0] EPSILON   = 1,
    parameter [31:0] INITIAL   = 256
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [47:0] mac_address,
    input  wire [31:0] ip_address,
    input  wire [15:0] udp_port,
    output wire        dropped,
    input  wire        gmii_rx_dv,
    input  wire [7:0]  gmii_rx_data,
    output wire        gmii_tx_en,
    output wire [7:0]  gmii_tx_data
);
    wire                    udp_source_valid, udp_source_ready, udp_source_last;
    wire                    udp_sink_valid, udp_sink_ready, udp_sink_last;
    wire [8*PORT_BYTES-1:0] udp_source_data, udp_sink_data;
    wire [PORT_BYTES-1:0]   udp_source_last_be, udp_sink_last_be, udp_source_error;
    wire [31:0]             udp_source_ip_address, udp_sink_ip_address;
    wire [15:0]             udp_source_src_port, udp_source_dst_port, udp_source_length;
    wire [15:0]             udp_sink_src_port, udp_sink_dst_port, udp_sink_length;
    wire                    in_valid, in_ready, in_last, out_valid, out_ready, out_last;
    wire [63:0]             in_data, out_data;
    wire [7:0]              in_keep, out_keep;
    wire [31:0]             in_addr, out_addr;
    wire [15:0]             in_port, in_length, out_port, out_length;

    rlc_liteeth u_mac (.*);
    rlc_net_liteeth #(.BYTES(8), .PORT_BYTES(PORT_BYTES)) u_adapter (
        .*,
        .m_udp_tvalid(in_valid), .m_udp_tready(in_ready), .m_udp_tdata(in_data), .m_udp_tkeep(in_keep),
        .m_udp_tlast(in_last), .m_udp_addr(in_addr), .m_udp_port(in_port), .m_udp_length(in_length),
        .s_udp_tvalid(out_valid), .s_udp_tready(out_ready), .s_udp_tdata(out_data),
        .s_udp_tlast(out_last), .s_udp_addr(out_addr), .s_udp_port(out_port), .s_udp_length(out_length)
    );

    wire                  m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready;
    wire                  m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast, failed;
    wire [0:0]            m_axi_awid, m_axi_bid, m_axi_arid, m_axi_rid;
    wire [ADDR_WIDTH-1:0] m_axi_awaddr, m_axi_araddr;
    wire [7:0]            m_axi_awlen, m_axi_arlen, m_axi_wstrb;
    wire [2:0]            m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
    wire [1:0]            m_axi_awburst, m_axi_arburst, m_axi_bresp, m_axi_rresp;
    wire [3:0]            m_axi_awcache, m_axi_arcache;
    wire [63:0]           m_axi_wdata, m_axi_rdata;
    rlc_net_server #(
        .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX), .CREDIT(CREDIT),
        .ADDR_WIDTH(ADDR_WIDTH), .LEAVES_LOG2(LEAVES_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
        .GENERATION_WIDTH(GENERATION_WIDTH),
        .WEIGHTS_MAX(WEIGHTS_MAX)
    ) u_server (
        .*,
        .s_udp_tvalid(in_valid), .s_udp_tready(in_ready), .s_udp_tdata(in_data), .s_udp_tkeep(in_keep),
        .s_udp_tlast(in_last), .s_udp_addr(in_addr), .s_udp_port(in_port),
        .m_udp_tvalid(out_valid), .m_udp_tready(out_ready), .m_udp_tdata(out_data), .m_udp_tkeep(out_keep),
        .m_udp_tlast(out_last), .m_udp_addr(out_addr), .m_udp_port(out_port), .m_udp_length(out_length),
        .cfg_instance(INSTANCE), .cfg_alpha(ALPHA), .cfg_scale(SCALE), .cfg_epsilon(EPSILON), .cfg_bank(8'd0),
        .cfg_initial(INITIAL[PRIORITY_WIDTH-1:0]), .cfg_seed(SEED), .cfg_base({ADDR_WIDTH{1'b0}})
    );
    rlc_axi_ram #(.ID_WIDTH(1), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(64), .DEPTH(1 << (ADDR_WIDTH - 3))) u_ram (
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
    wire unused = &{1'b0, in_length, out_keep, failed, m_axi_awcache, m_axi_awprot, m_axi_arcache, m_axi_arprot};
endmodule
`default_nettype wire
