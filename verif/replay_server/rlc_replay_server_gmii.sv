// rlc_replay_server_gmii.sv — test side; LiteEth at a GMII line, and an echo of datagrams behind it where the replay server stands.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_gmii #(
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
    `include "rlc_replay_server_mac.vh"
    rlc_replay_server_echo #(.BYTES(8)) u_server (.*);
endmodule
`default_nettype wire
