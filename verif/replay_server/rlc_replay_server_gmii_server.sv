// rlc_replay_server_gmii_server.sv — test side; LiteEth at a GMII line, and the replay server with its memory in block RAM behind it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_gmii_server #(
    parameter PORT_BYTES       = 4,   // bytes of LiteEth's port
    parameter CAPACITY         = 50,  // of rlc_replay_server, as those that follow
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
    `include "rlc_replay_server_mac.vh"
    wire                      failed;
    wire [31:0]               cfg_instance = INSTANCE, cfg_epsilon = EPSILON;
    wire [15:0]               cfg_alpha    = ALPHA, cfg_scale = SCALE;
    wire [7:0]                cfg_bank     = 8'd0;
    wire [PRIORITY_WIDTH-1:0] cfg_initial  = INITIAL[PRIORITY_WIDTH-1:0];
    wire [63:0]               cfg_seed     = SEED;
    wire [127:0]              cfg_key      = 128'd0;
    rlc_replay_server_ram #(
        .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX), .CREDIT(CREDIT),
        .ADDR_WIDTH(ADDR_WIDTH), .LEAVES_LOG2(LEAVES_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
        .GENERATION_WIDTH(GENERATION_WIDTH), .WEIGHTS_MAX(WEIGHTS_MAX), .WORDS(1 << (ADDR_WIDTH - 3))
    ) u_server (.*);
    wire unused = &{1'b0, failed, INITIAL};
endmodule
`default_nettype wire
