// rlc_replay_server_echo.v — test side; stands where the replay server stands: each datagram goes back to its source.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_echo #(
    parameter BYTES = 8  // bytes of a beat, a power of two
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_udp_tvalid,
    output wire               s_udp_tready,
    input  wire [8*BYTES-1:0] s_udp_tdata,
    input  wire [BYTES-1:0]   s_udp_tkeep,
    input  wire               s_udp_tlast,
    input  wire [31:0]        s_udp_addr,
    input  wire [15:0]        s_udp_port,
    output wire               m_udp_tvalid,
    input  wire               m_udp_tready,
    output wire [8*BYTES-1:0] m_udp_tdata,
    output wire [BYTES-1:0]   m_udp_tkeep,
    output wire               m_udp_tlast,
    output wire [31:0]        m_udp_addr,
    output wire [15:0]        m_udp_port,
    output wire [15:0]        m_udp_length
);
    reg [15:0] before_q;
    reg [15:0] here;
    integer i;
    always @* begin
        here = 16'd0;
        for (i = 0; i < BYTES; i = i + 1) if (s_udp_tkeep[i]) here = i[15:0] + 16'd1;
    end
    wire [15:0] length = before_q + here;
    always @(posedge clk) begin
        if (rst) before_q <= 16'd0;
        else if (s_udp_tvalid && s_udp_tready) before_q <= s_udp_tlast ? 16'd0 : length;
    end
    rlc_replay_server_store #(.BYTES(BYTES)) u_store (
        .clk(clk), .rst(rst),
        .s_valid(s_udp_tvalid), .s_ready(s_udp_tready), .s_data(s_udp_tdata), .s_last(s_udp_tlast),
        .s_head({s_udp_addr, s_udp_port}), .s_length(length), .s_forget(1'b0),
        .m_valid(m_udp_tvalid), .m_ready(m_udp_tready), .m_data(m_udp_tdata), .m_last(m_udp_tlast),
        .m_head({m_udp_addr, m_udp_port}), .m_length(m_udp_length)
    );
    wire [15:0]      most = m_udp_length - 16'd1;
    wire [BYTES-1:0] ones = {BYTES{1'b1}};
    assign m_udp_tkeep = m_udp_tlast ? ones >> (BYTES - 1 - (most % BYTES)) : ones;
endmodule
`default_nettype wire
