// rlc_replay_server.sv — a replay server: datagrams in and out, its priorities on the chip, its records in a memory behind AXI4.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_udp_*, m_udp_*  payloads of datagrams, as rlc_replay_server_front's
// cfg_*        steady from reset on: number of the state, priority maths, which of BANKS this is, with KEYED the clients' key,
//              the largest priority as long as none was seen, seed of the draws, and where the server's area in memory begins,
//              a multiple of 4096
// failed       the memory has answered with an error since the reset
// m_axi_*      bursts of 64-bit beats, one ID
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server #(
    `include "rlc_replay_server_parameters.vh"
    , parameter ID_WIDTH = 1 // bits of an ID of m_axi, which is 0
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
    input  wire [ADDR_WIDTH-1:0]     cfg_base,
    output wire                      failed,
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, 64),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    `RLC_REPLAY_SERVER_LEGAL(rlc_replay_server)
    // Here too, because more than the tree is as wide as these say.
    `RLC_CHECK(LEAVES_LOG2 >= 1 && LEAVES_LOG2 <= 24, rlc_replay_server_server_illegal_LEAVES_LOG2_must_be_1_to_24)
    `RLC_CHECK(CAPACITY >= 1 && CAPACITY <= 16777216, rlc_replay_server_server_illegal_CAPACITY_must_be_1_to_16777216)
    `RLC_CHECK(PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32, rlc_replay_server_server_illegal_PRIORITY_WIDTH_must_be_1_to_32)
    `RLC_CHECK(GENERATION_WIDTH >= 1 && GENERATION_WIDTH <= 16, rlc_replay_server_server_illegal_GENERATION_WIDTH_must_be_1_to_16)
    `RLC_CHECK(DRAW_WIDTH == 32, rlc_replay_server_server_illegal_DRAW_WIDTH_must_be_32)
    `RLC_CHECK(ID_WIDTH >= 1 && ID_WIDTH <= 32, rlc_replay_server_server_illegal_ID_WIDTH_must_be_1_to_32)
    `RLC_CHECK(RECORD_BYTES + 8 <= ((ASSEMBLIES != 0) ? 64 : 1) * PART_BYTES,
               rlc_replay_server_server_illegal_RECORD_BYTES_and_8_must_fit_in_PART_BYTES_or_in_64_of_them_with_ASSEMBLIES)

    `RLC_STREAM_WIRES(ask, `RLC_SERVER_ASKED_BITS);
    `RLC_STREAM_WIRES(word, 64);
    `RLC_STREAM_WIRES(part, `RLC_SERVER_ANSWER_BITS);
    `RLC_STREAM_WIRES(text, 64);
    wire `RLC_SERVER_HEAD  head;
    wire `RLC_SERVER_STATE state;
    wire                comes, state_valid;
    rlc_replay_server_front #(
        .CAPACITY(CAPACITY), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX),
        .CREDIT(CREDIT), .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .KEYED(KEYED)
    ) u_front (
        .*, `RLC_STREAM_JOIN(m_do, ask), `RLC_STREAM_JOIN(m_word, word), `RLC_STREAM_JOIN(s_part, part), `RLC_STREAM_JOIN(s_text, text)
    );
    rlc_replay_server_memory #(
        `include "rlc_replay_server_args.vh"
        , .ID_WIDTH(ID_WIDTH)
    ) u_memory (
        .*, `RLC_STREAM_JOIN(s_do, ask), `RLC_STREAM_JOIN(s_word, word), `RLC_STREAM_JOIN(m_part, part), `RLC_STREAM_JOIN(m_text, text)
    );
endmodule
`default_nettype wire
