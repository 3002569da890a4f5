// rlc_replay_server_ram.sv — the replay server with its records in block RAM, for a board without another memory.
// SPDX-License-Identifier: Apache-2.0
//
// s_udp_*, m_udp_*, cfg_*, failed   as rlc_replay_server's
// records, lists and weights must fit in WORDS: a beat beyond them is answered with an error, and `failed` rises
`default_nettype none
module rlc_replay_server_ram #(
    `include "rlc_replay_server_parameters.vh"
    , parameter WORDS = 8192 // of 8 bytes, in the memory
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      s_udp_tvalid,
    output wire                      s_udp_tready,
    input  wire [63:0]               s_udp_tdata,
    input  wire [7:0]                s_udp_tkeep,
    input  wire                      s_udp_tlast,
    input  wire [31:0]               s_udp_addr,
    input  wire [15:0]               s_udp_port,
    output wire                      m_udp_tvalid,
    input  wire                      m_udp_tready,
    output wire [63:0]               m_udp_tdata,
    output wire [7:0]                m_udp_tkeep,
    output wire                      m_udp_tlast,
    output wire [31:0]               m_udp_addr,
    output wire [15:0]               m_udp_port,
    output wire [15:0]               m_udp_length,
    input  wire [31:0]               cfg_instance,
    input  wire [15:0]               cfg_alpha,
    input  wire [15:0]               cfg_scale,
    input  wire [31:0]               cfg_epsilon,
    input  wire [7:0]                cfg_bank,
    input  wire [127:0]              cfg_key,
    input  wire [PRIORITY_WIDTH-1:0] cfg_initial,
    input  wire [63:0]               cfg_seed,
    output wire                      failed
);
    wire                  m_axi_awvalid, m_axi_awready, m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready;
    wire                  m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast;
    wire [0:0]            m_axi_awid, m_axi_bid, m_axi_arid, m_axi_rid;
    wire [ADDR_WIDTH-1:0] m_axi_awaddr, m_axi_araddr;
    wire [7:0]            m_axi_awlen, m_axi_arlen, m_axi_wstrb;
    wire [2:0]            m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
    wire [1:0]            m_axi_awburst, m_axi_arburst, m_axi_bresp, m_axi_rresp;
    wire [3:0]            m_axi_awcache, m_axi_arcache;
    wire [63:0]           m_axi_wdata, m_axi_rdata;
    rlc_replay_server #(
        `include "rlc_replay_server_args.vh"
    ) u_server (.*, .cfg_base({ADDR_WIDTH{1'b0}}));
    rlc_axi_ram #(.ID_WIDTH(1), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(64), .DEPTH(WORDS), .BYPASS(BYPASS)) u_ram (
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
    wire unused = &{1'b0, m_axi_awcache, m_axi_awprot, m_axi_arcache, m_axi_arprot};
endmodule
`default_nettype wire
