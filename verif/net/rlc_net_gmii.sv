// rlc_net_gmii.sv — test side; LiteEth at a GMII line, and an echo of datagrams behind it where the replay server stands.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_net_gmii #(
    parameter PORT_BYTES = 4  // bytes of LiteEth's port
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
    rlc_net_echo #(.BYTES(8)) u_server (
        .clk(clk), .rst(rst),
        .s_udp_tvalid(in_valid), .s_udp_tready(in_ready), .s_udp_tdata(in_data), .s_udp_tkeep(in_keep),
        .s_udp_tlast(in_last), .s_udp_addr(in_addr), .s_udp_port(in_port),
        .m_udp_tvalid(out_valid), .m_udp_tready(out_ready), .m_udp_tdata(out_data), .m_udp_tkeep(out_keep),
        .m_udp_tlast(out_last), .m_udp_addr(out_addr), .m_udp_port(out_port), .m_udp_length(out_length)
    );
    wire unused = &{1'b0, in_length, out_keep};
endmodule
`default_nettype wire
