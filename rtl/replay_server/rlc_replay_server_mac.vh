// rlc_replay_server_mac.vh — LiteEth and its adapter, included in a module: from a line to streams of datagrams and back.
// SPDX-License-Identifier: Apache-2.0
//
// The including module has PORT_BYTES, clk, rst, mac_address, ip_address, udp_port, dropped and the ports of the PHY, with the
// names of rlc_liteeth, whose generator decides which ports a MAC has.
//
// s_udp_*   datagrams that came, m_udp_*  answers, 8 bytes per beat; named as a server's ports, so that `.*` connects one
    wire                    udp_source_valid, udp_source_ready, udp_source_last;
    wire                    udp_sink_valid, udp_sink_ready, udp_sink_last;
    wire [8*PORT_BYTES-1:0] udp_source_data, udp_sink_data;
    wire [PORT_BYTES-1:0]   udp_source_last_be, udp_sink_last_be, udp_source_error;
    wire [31:0]             udp_source_ip_address, udp_sink_ip_address;
    wire [15:0]             udp_source_src_port, udp_source_dst_port, udp_source_length;
    wire [15:0]             udp_sink_src_port, udp_sink_dst_port, udp_sink_length;
    wire                    s_udp_tvalid, s_udp_tready, s_udp_tlast, m_udp_tvalid, m_udp_tready, m_udp_tlast;
    wire [63:0]             s_udp_tdata, m_udp_tdata;
    wire [7:0]              s_udp_tkeep, m_udp_tkeep;
    wire [31:0]             s_udp_addr, m_udp_addr;
    wire [15:0]             s_udp_port, s_udp_length, m_udp_port, m_udp_length;

    rlc_liteeth u_mac (.*);
    rlc_replay_server_liteeth #(.BYTES(8), .PORT_BYTES(PORT_BYTES)) u_adapter (
        .*,
        .m_udp_tvalid(s_udp_tvalid), .m_udp_tready(s_udp_tready), .m_udp_tdata(s_udp_tdata), .m_udp_tkeep(s_udp_tkeep),
        .m_udp_tlast(s_udp_tlast), .m_udp_addr(s_udp_addr), .m_udp_port(s_udp_port), .m_udp_length(s_udp_length),
        .s_udp_tvalid(m_udp_tvalid), .s_udp_tready(m_udp_tready), .s_udp_tdata(m_udp_tdata),
        .s_udp_tlast(m_udp_tlast), .s_udp_addr(m_udp_addr), .s_udp_port(m_udp_port), .s_udp_length(m_udp_length)
    );
    wire unused_mac = &{1'b0, s_udp_length, m_udp_tkeep};
