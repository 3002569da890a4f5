// rlc_replay_banks.sv — a replay server of several banks behind one wide stream of datagrams; each has a memory behind AXI4.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_banks.md.
//
// s_udp_*, m_udp_*  payloads of datagrams, BYTES per beat, otherwise as rlc_replay_server's
// cfg_*        steady from reset on, as rlc_replay_server's; cfg_base: one per bank
// failed       one bit per bank: its memory has answered with an error since the reset
// m_axi_*      one per bank, side by side, bank 0 in the low bits: bursts of 64-bit beats, one ID
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_banks #(
    `include "rlc_replay_banks_parameters.vh"
    , parameter ID_WIDTH = 1 // bits of an ID of m_axi, which is 0
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        s_udp_tvalid,
    output wire                        s_udp_tready,
    input  wire [8*BYTES-1:0]          s_udp_tdata,
    input  wire [BYTES-1:0]            s_udp_tkeep,
    input  wire                        s_udp_tlast,
    input  wire [31:0]                 s_udp_addr,
    input  wire [15:0]                 s_udp_port,
    output wire                        m_udp_tvalid,
    input  wire                        m_udp_tready,
    output wire [8*BYTES-1:0]          m_udp_tdata,
    output wire [BYTES-1:0]            m_udp_tkeep,
    output wire                        m_udp_tlast,
    output wire [31:0]                 m_udp_addr,
    output wire [15:0]                 m_udp_port,
    output wire [15:0]                 m_udp_length,
    input  wire [31:0]                 cfg_instance,
    input  wire [15:0]                 cfg_alpha,
    input  wire [15:0]                 cfg_scale,
    input  wire [31:0]                 cfg_epsilon,
    input  wire [127:0]                cfg_key,
    input  wire [PRIORITY_WIDTH-1:0]   cfg_initial,
    input  wire [63:0]                 cfg_seed,
    input  wire [BANKS*ADDR_WIDTH-1:0] cfg_base,
    output wire [BANKS-1:0]            failed,
    `RLC_AXI_WRITERS(m_axi, BANKS, ID_WIDTH, ADDR_WIDTH, 64),
    `RLC_AXI_READERS(m_axi, BANKS, ID_WIDTH, ADDR_WIDTH, 64)
);
    `RLC_REPLAY_BANKS_LEGAL(rlc_replay_banks)
    `RLC_CHECK((DEPTH & (DEPTH - 1)) == 0 && DEPTH * BYTES >= PART_BYTES + 48 + 8 * KEYED,
               rlc_replay_server_banks_illegal_DEPTH_must_be_a_power_of_two_and_hold_PART_BYTES_and_48_with_KEYED_56)
    localparam FRAMES = 32; // answers of a bank that wait for the line
    localparam HEAD   = 48;

    // ---- in: one queue per bank, so that the line goes on while one of them is busy.
    wire [BANKS-1:0]   in_valid, in_ready;
    wire [8*BYTES-1:0] in_data;
    wire [BYTES-1:0]   in_keep;
    wire               in_last;
    wire [HEAD-1:0]    in_head;
    rlc_replay_server_split #(.BYTES(BYTES), .BANKS(BANKS), .HEAD(HEAD)) u_split (
        .clk(clk), .rst(rst), .s_valid(s_udp_tvalid), .s_ready(s_udp_tready), .s_data(s_udp_tdata), .s_keep(s_udp_tkeep),
        .s_last(s_udp_tlast), .s_head({s_udp_addr, s_udp_port}), .m_valid(in_valid), .m_ready(in_ready), .m_data(in_data),
        .m_keep(in_keep), .m_last(in_last), .m_head(in_head)
    );

    wire [BANKS-1:0]         out_valid, out_ready, out_last;
    wire [BANKS*8*BYTES-1:0] out_data;
    wire [BANKS*HEAD-1:0]    out_head;
    wire [BANKS*16-1:0]      out_length;
    genvar n;
    for (n = 0; n < BANKS; n = n + 1) begin : g_bank
        localparam [31:0] BANK = n;

        wire               beat_valid, beat_ready, beat_last;
        wire [8*BYTES-1:0] beat_data;
        wire [BYTES-1:0]   beat_keep;
        wire [HEAD-1:0]    beat_head;
        rlc_fifo #(.WIDTH(9 * BYTES + 1 + HEAD), .DEPTH(DEPTH), .STYLE("block")) u_queue (
            .clk(clk), .rst(rst), .s_valid(in_valid[n]), .s_ready(in_ready[n]), .s_data({in_data, in_keep, in_last, in_head}),
            .m_valid(beat_valid), .m_ready(beat_ready), .m_data({beat_data, beat_keep, beat_last, beat_head}), .count()
        );
        wire        word_valid, word_ready, word_last;
        wire [63:0] word_data;
        wire [7:0]  word_keep;
        rlc_replay_server_narrow #(.BYTES(BYTES)) u_narrow (
            .clk(clk), .rst(rst), .s_valid(beat_valid), .s_ready(beat_ready), .s_data(beat_data), .s_keep(beat_keep),
            .s_last(beat_last), .m_valid(word_valid), .m_ready(word_ready), .m_data(word_data), .m_keep(word_keep),
            .m_last(word_last)
        );
        wire            asked_valid, asked_ready, asked_last;
        wire [63:0]     asked_data;
        wire [7:0]      asked_keep;
        wire [HEAD-1:0] asked_head;
        rlc_skid #(.WIDTH(64 + 8 + 1 + HEAD)) u_asked (
            .clk(clk), .rst(rst), .s_valid(word_valid), .s_ready(word_ready),
            .s_data({word_data, word_keep, word_last, beat_head}),
            .m_valid(asked_valid), .m_ready(asked_ready), .m_data({asked_data, asked_keep, asked_last, asked_head})
        );

        wire        said_valid, said_ready, said_last;
        wire [63:0] said_data;
        wire [7:0]  said_keep;
        wire [31:0] said_addr;
        wire [15:0] said_port, said_length;
        rlc_replay_server #(
            `include "rlc_replay_server_args.vh"
            , .ID_WIDTH(ID_WIDTH)
        ) u_server (
            .clk(clk), .rst(rst),
            .s_udp_tvalid(asked_valid), .s_udp_tready(asked_ready), .s_udp_tdata(asked_data), .s_udp_tkeep(asked_keep),
            .s_udp_tlast(asked_last), .s_udp_addr(asked_head[47:16]), .s_udp_port(asked_head[15:0]),
            .m_udp_tvalid(said_valid), .m_udp_tready(said_ready), .m_udp_tdata(said_data), .m_udp_tkeep(said_keep),
            .m_udp_tlast(said_last), .m_udp_addr(said_addr), .m_udp_port(said_port), .m_udp_length(said_length),
            .cfg_instance(cfg_instance), .cfg_alpha(cfg_alpha), .cfg_scale(cfg_scale), .cfg_epsilon(cfg_epsilon),
            .cfg_bank(BANK[7:0]), .cfg_key(cfg_key), .cfg_initial(cfg_initial), .cfg_seed(cfg_seed),
            .cfg_base(cfg_base[ADDR_WIDTH*n +: ADDR_WIDTH]), .failed(failed[n]),
            `RLC_AXI_PICK(m_axi, m_axi, n, ID_WIDTH, ADDR_WIDTH, 64)
        );

        // ---- out: an answer waits until it is whole, since it may stall in its middle.
        wire               wide_valid, wide_ready, wide_last;
        wire [8*BYTES-1:0] wide_data;
        wire [HEAD-1:0]    wide_head;
        wire [15:0]        wide_length;
        rlc_replay_server_widen #(.BYTES(BYTES), .HEAD(HEAD + 16)) u_widen (
            .clk(clk), .rst(rst), .s_valid(said_valid), .s_ready(said_ready), .s_data(said_data), .s_last(said_last),
            .s_head({said_addr, said_port, said_length}), .m_valid(wide_valid), .m_ready(wide_ready), .m_data(wide_data),
            .m_last(wide_last), .m_head({wide_head, wide_length})
        );
        rlc_replay_server_store #(.BYTES(BYTES), .DEPTH(DEPTH), .FRAMES(FRAMES), .HEAD(HEAD)) u_answers (
            .clk(clk), .rst(rst), .s_valid(wide_valid), .s_ready(wide_ready), .s_data(wide_data), .s_last(wide_last),
            .s_head(wide_head), .s_length(wide_length), .s_forget(1'b0),
            .m_valid(out_valid[n]), .m_ready(out_ready[n]), .m_data(out_data[8*BYTES*n +: 8*BYTES]), .m_last(out_last[n]),
            .m_head(out_head[HEAD*n +: HEAD]), .m_length(out_length[16*n +: 16])
        );
        wire unused = &{1'b0, said_keep};
    end

    rlc_replay_server_join #(.BYTES(BYTES), .BANKS(BANKS), .HEAD(HEAD)) u_join (
        .clk(clk), .rst(rst), .s_valid(out_valid), .s_ready(out_ready), .s_data(out_data), .s_last(out_last), .s_head(out_head),
        .s_length(out_length), .m_valid(m_udp_tvalid), .m_ready(m_udp_tready), .m_data(m_udp_tdata), .m_keep(m_udp_tkeep),
        .m_last(m_udp_tlast), .m_head({m_udp_addr, m_udp_port}), .m_length(m_udp_length)
    );
endmodule
`default_nettype wire
