// rlc_net_server.sv — a replay server: datagrams in and out, its priorities on the chip, its records in a memory behind AXI4.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_udp_*, m_udp_*  payloads of datagrams, as rlc_net_front's
// cfg_*        steady from reset on: number of the state, priority maths, which of BANKS this is, with KEYED the clients' key,
//              the largest priority as long as none was seen, seed of the draws, and where the server's area in memory begins,
//              a multiple of 4096
// failed       the memory has answered with an error since the reset
// m_axi_*      bursts of 64-bit beats, one ID
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_net_server #(
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
    `RLC_REPLAY_SERVER_LEGAL(rlc_net_server)
    // Here too, because more than the tree is as wide as these say.
    `RLC_CHECK(LEAVES_LOG2 >= 1 && LEAVES_LOG2 <= 24, rlc_net_server_illegal_LEAVES_LOG2_must_be_1_to_24)
    `RLC_CHECK(CAPACITY >= 1 && CAPACITY <= 16777216, rlc_net_server_illegal_CAPACITY_must_be_1_to_16777216)
    `RLC_CHECK(PRIORITY_WIDTH >= 1 && PRIORITY_WIDTH <= 32, rlc_net_server_illegal_PRIORITY_WIDTH_must_be_1_to_32)
    `RLC_CHECK(GENERATION_WIDTH >= 1 && GENERATION_WIDTH <= 16, rlc_net_server_illegal_GENERATION_WIDTH_must_be_1_to_16)
    `RLC_CHECK(DRAW_WIDTH == 32, rlc_net_server_illegal_DRAW_WIDTH_must_be_32)
    `RLC_CHECK(ID_WIDTH >= 1 && ID_WIDTH <= 32, rlc_net_server_illegal_ID_WIDTH_must_be_1_to_32)
    `RLC_CHECK(RECORD_BYTES + 8 <= ((ASSEMBLIES != 0) ? 64 : 1) * PART_BYTES,
               rlc_net_server_illegal_RECORD_BYTES_and_8_must_fit_in_PART_BYTES_or_in_64_of_them_with_ASSEMBLIES)

    wire        do_valid, do_ready, do_again, do_comes, do_keep, do_whole;
    wire [1:0]  s_way;
    wire [12:0] s_words;
    wire [2:0]  s_op, s_flags;
    wire [15:0] s_client, s_count, s_part, s_parts;
    wire [22:0] s_chunk;
    wire [31:0] s_epoch;
    wire [63:0] s_sequence;
    `RLC_STREAM_WIRES(word, 64);
    `RLC_STREAM_WIRES(text, 64);
    wire        part_valid, part_ready, part_last;
    wire [3:0]  part_status;
    wire [15:0] part_part, part_parts;
    wire [12:0] part_words;
    wire        state_valid;
    wire [31:0] state_size, state_next, state_largest;
    wire [63:0] state_version, state_total, state_records, state_samples, state_updates, state_stale, state_range, state_saturated;
    rlc_net_front #(
        .CAPACITY(CAPACITY), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .CLIENTS(CLIENTS), .SAMPLE_MAX(SAMPLE_MAX),
        .CREDIT(CREDIT), .PRIORITY_WIDTH(PRIORITY_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH),
        .WEIGHTS_MAX(WEIGHTS_MAX), .ASSEMBLIES(ASSEMBLIES), .BANKS(BANKS), .KEYED(KEYED)
    ) u_front (
        .*, .m_do_valid(do_valid), .m_do_ready(do_ready), .m_do_again(do_again), .m_do_comes(do_comes), .m_do_keep(do_keep), .m_do_whole(do_whole),
        `RLC_STREAM_JOIN(m_word, word),
        .s_part_valid(part_valid), .s_part_ready(part_ready), .s_part_last(part_last), .s_part_status(part_status),
        .s_part_part(part_part), .s_part_parts(part_parts), .s_part_words(part_words), `RLC_STREAM_JOIN(s_text, text)
    );
    rlc_net_memory #(
        `include "rlc_replay_server_args.vh"
        , .ID_WIDTH(ID_WIDTH)
    ) u_memory (
        .*, .s_do_valid(do_valid), .s_do_ready(do_ready), .s_do_again(do_again), .s_do_comes(do_comes), .s_do_keep(do_keep), .s_do_whole(do_whole),
        `RLC_STREAM_JOIN(s_word, word),
        .m_part_valid(part_valid), .m_part_ready(part_ready), .m_part_last(part_last), .m_part_status(part_status),
        .m_part_part(part_part), .m_part_parts(part_parts), .m_part_words(part_words), `RLC_STREAM_JOIN(m_text, text)
    );
endmodule
`default_nettype wire
