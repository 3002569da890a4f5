// rlc_replay_server_liteeth.v — joins LiteEth's UDP user port and streams of datagrams; every datagram is passed on whole, or dropped.
// SPDX-License-Identifier: Apache-2.0
//
// udp_source_*  from LiteEth (rlc_liteeth). A line does not wait, so this side is always ready. A datagram is dropped
//               whole if there is no room, if LiteEth marks an error, or if it has not as many bytes as it says. If its length
//               itself is damaged, it ends there, before LiteEth has checked the line's CRC: so check the frame's own CRC
// m_udp_*       what came, to a server. m_udp_addr, m_udp_port: its source; they and m_udp_length are steady over a datagram
// s_udp_*       answers, from the server; s_udp_addr, s_udp_port, s_udp_length steady over a datagram
// udp_sink_*    to LiteEth: a datagram begins when it is whole, because a frame on a line may not stop in the middle
// udp_port      the server's own port, the source port of answers
// dropped       one pulse per dropped datagram
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_liteeth #(
    parameter BYTES      = 8,    // bytes of a beat of the streams, a power of two
    parameter PORT_BYTES = 4,    // bytes of LiteEth's port, a power of two and at most BYTES
    parameter DEPTH      = 512,  // words of BYTES held in each direction, a power of two: at least the longest datagram
    parameter FRAMES     = 16    // datagrams held in each direction
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [15:0]             udp_port,
    output wire                    dropped,

    input  wire                    udp_source_valid,
    output wire                    udp_source_ready,
    input  wire                    udp_source_last,
    input  wire [8*PORT_BYTES-1:0] udp_source_data,
    input  wire [PORT_BYTES-1:0]   udp_source_last_be,
    input  wire [PORT_BYTES-1:0]   udp_source_error,
    input  wire [31:0]             udp_source_ip_address,
    input  wire [15:0]             udp_source_src_port,
    input  wire [15:0]             udp_source_dst_port,
    input  wire [15:0]             udp_source_length,

    output wire                    m_udp_tvalid,
    input  wire                    m_udp_tready,
    output wire [8*BYTES-1:0]      m_udp_tdata,
    output wire [BYTES-1:0]        m_udp_tkeep,
    output wire                    m_udp_tlast,
    output wire [31:0]             m_udp_addr,
    output wire [15:0]             m_udp_port,
    output wire [15:0]             m_udp_length,

    input  wire                    s_udp_tvalid,
    output wire                    s_udp_tready,
    input  wire [8*BYTES-1:0]      s_udp_tdata,
    input  wire                    s_udp_tlast,
    input  wire [31:0]             s_udp_addr,
    input  wire [15:0]             s_udp_port,
    input  wire [15:0]             s_udp_length,

    output wire                    udp_sink_valid,
    input  wire                    udp_sink_ready,
    output wire                    udp_sink_last,
    output wire [8*PORT_BYTES-1:0] udp_sink_data,
    output wire [PORT_BYTES-1:0]   udp_sink_last_be,
    output wire [31:0]             udp_sink_ip_address,
    output wire [15:0]             udp_sink_src_port,
    output wire [15:0]             udp_sink_dst_port,
    output wire [15:0]             udp_sink_length
);
    `RLC_CHECK(PORT_BYTES >= 1 && (PORT_BYTES & (PORT_BYTES - 1)) == 0 && PORT_BYTES < BYTES,
               rlc_replay_server_liteeth_illegal_PORT_BYTES_must_be_a_power_of_two_below_BYTES)
    localparam B = $clog2(BYTES);
    localparam P = $clog2(PORT_BYTES);
    localparam N = B - P;  // bits that number the parts of a beat
    localparam [N-1:0] LAST_PART = {N{1'b1}};
    localparam [31:0]  PART_SIZE = PORT_BYTES;
    localparam [15:0]  PART      = PART_SIZE[15:0];

    // ---- in: parts into beats, and bytes counted
    reg  [8*BYTES-1:0] beat_q;
    reg  [N-1:0]       part_q;
    reg  [15:0]        bytes_q;           // of the parts before this one
    reg                bad_q;             // one of them had no room, or an error
    reg                full_q, last_q;    // beat_q is a beat; the datagram ends with it
    reg                wrong_q;           // and is not to be kept
    reg  [31:0]        addr_q;
    reg  [15:0]        port_q, length_q;
    wire               room;
    assign udp_source_ready = 1'b1;

    reg [15:0] here;                      // bytes of this part
    integer i;
    always @* begin
        here = PART;
        for (i = 0; i < PORT_BYTES; i = i + 1) if (udp_source_last && udp_source_last_be[i]) here = i[15:0] + 16'd1;
    end
    wire [15:0] bytes = bytes_q + here;
    wire        over  = bytes < bytes_q;  // more than anything says
    wire        lost  = full_q && !room;
    wire        wrong = bad_q || (lost && !last_q) || |udp_source_error || over;
    always @(posedge clk) begin
        full_q <= udp_source_valid && (udp_source_last || part_q == LAST_PART);
        last_q <= udp_source_valid && udp_source_last;
        if (udp_source_valid) begin
            beat_q[8*PORT_BYTES*part_q +: 8*PORT_BYTES] <= udp_source_data;
            addr_q   <= udp_source_ip_address;
            port_q   <= udp_source_src_port;
            length_q <= udp_source_length;
            wrong_q  <= wrong || bytes != udp_source_length;
        end
        if (rst) begin
            full_q  <= 1'b0;
            last_q  <= 1'b0;
            part_q  <= {N{1'b0}};
            bytes_q <= 16'd0;
            bad_q   <= 1'b0;
        end else if (udp_source_valid) begin
            part_q  <= udp_source_last ? {N{1'b0}} : part_q + 1'b1;
            bytes_q <= udp_source_last ? 16'd0 : bytes;
            bad_q   <= !udp_source_last && wrong;
        end else if (lost && !last_q) begin
            bad_q   <= 1'b1;
        end
    end
    assign dropped = last_q && (wrong_q || lost);

    rlc_replay_server_store #(.BYTES(BYTES), .DEPTH(DEPTH), .FRAMES(FRAMES), .HEAD(48)) u_in (
        .clk(clk), .rst(rst),
        .s_valid(full_q), .s_ready(room), .s_data(beat_q), .s_last(last_q), .s_head({addr_q, port_q}), .s_length(length_q),
        .s_forget(dropped),
        .m_valid(m_udp_tvalid), .m_ready(m_udp_tready), .m_data(m_udp_tdata), .m_last(m_udp_tlast),
        .m_head({m_udp_addr, m_udp_port}), .m_length(m_udp_length)
    );
    // Bytes of the last beat, less one.
    wire [15:0]      most = m_udp_length - 16'd1;
    wire [BYTES-1:0] ones = {BYTES{1'b1}};
    assign m_udp_tkeep = m_udp_tlast ? ones >> (BYTES - 1 - {{(32-B){1'b0}}, most[B-1:0]}) : ones;

    // ---- out: beats into parts
    wire               out_valid, out_last;
    wire [8*BYTES-1:0] out_data;
    reg  [N-1:0]       turn_q;
    rlc_replay_server_store #(.BYTES(BYTES), .DEPTH(DEPTH), .FRAMES(FRAMES), .HEAD(48)) u_out (
        .clk(clk), .rst(rst),
        .s_valid(s_udp_tvalid), .s_ready(s_udp_tready), .s_data(s_udp_tdata), .s_last(s_udp_tlast),
        .s_head({s_udp_addr, s_udp_port}), .s_length(s_udp_length), .s_forget(1'b0),
        .m_valid(out_valid), .m_ready(udp_sink_ready && (udp_sink_last || turn_q == LAST_PART)), .m_data(out_data),
        .m_last(out_last), .m_head({udp_sink_ip_address, udp_sink_dst_port}), .m_length(udp_sink_length)
    );
    wire [15:0] end_at = udp_sink_length - 16'd1;
    assign udp_sink_valid    = out_valid;
    assign udp_sink_last     = out_last && turn_q == end_at[B-1 -: N];
    assign udp_sink_data     = out_data[8*PORT_BYTES*turn_q +: 8*PORT_BYTES];
    assign udp_sink_src_port = udp_port;
    if (P == 0) begin : g_byte
        assign udp_sink_last_be = udp_sink_last;
    end else begin : g_bytes
        wire [PORT_BYTES-1:0] one = 1;
        assign udp_sink_last_be = udp_sink_last ? one << end_at[P-1:0] : {PORT_BYTES{1'b0}};
    end
    always @(posedge clk) begin
        if (rst) turn_q <= {N{1'b0}};
        else if (udp_sink_valid && udp_sink_ready) turn_q <= udp_sink_last ? {N{1'b0}} : turn_q + 1'b1;
    end

    wire unused = &{1'b0, udp_source_dst_port, most[15:B], end_at[15:B]};
endmodule
`default_nettype wire
