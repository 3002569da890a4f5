// rlc_replay_server_memory.sv — the memory of a replay server: priorities in a sum tree, records and last batches behind AXI4.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_do_*, head, comes, s_word_*   a request and its payload, m_part_*, m_text_* its answer: as rlc_replay_server_front has them
// cfg_*        steady from reset on. cfg_base: where its area in memory begins, a multiple of 4096
// state        what STAT reports, while state_valid is high; it follows the last request by some clocks
// failed       the memory has answered with an error since the reset
//
// order        requests are carried out one by one. A PUT and a PRIO are answered before the tree has all their priorities. A
//              SAMPLE and a READ begin when the tree has them, and when all earlier records are in memory
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_memory #(
    `include "rlc_replay_server_parameters.vh"
    , parameter ID_WIDTH = 1 // bits of an ID of m_axi, which is 0
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire [15:0]               cfg_alpha,
    input  wire [15:0]               cfg_scale,
    input  wire [31:0]               cfg_epsilon,
    input  wire [PRIORITY_WIDTH-1:0] cfg_initial,
    input  wire [63:0]               cfg_seed,
    input  wire [ADDR_WIDTH-1:0]     cfg_base,
    `RLC_STREAM_SLAVE(s_do, `RLC_SERVER_ASKED_BITS),
    input  wire `RLC_SERVER_HEAD        head,
    input  wire                      comes,
    `RLC_STREAM_SLAVE(s_word, 64),
    `RLC_STREAM_MASTER(m_part, `RLC_SERVER_ANSWER_BITS),
    `RLC_STREAM_MASTER(m_text, 64),
    output wire                      state_valid,
    output wire `RLC_SERVER_STATE       state,
    output wire                      failed,
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, 64),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    `include "rlc_replay_server_defs.vh"
    `include "rlc_replay_server_phases.vh"
    `RLC_CHECK(DRAW_WIDTH == 32, rlc_replay_server_memory_illegal_DRAW_WIDTH_must_be_32)
    `RLC_CHECK(GENERATION_WIDTH >= 1, rlc_replay_server_memory_illegal_GENERATION_WIDTH_must_be_at_least_1)

    // ---- the request, and what is done with it at a time.
    wire        does, puts, draws, cleared, settled, swept, taken, loads, none, same, listed, finished, kept, named, known, stored, gathered, shown;
    wire [3:0]  known_status, status;
    wire [4:0]  phase;
    wire `RLC_SERVER_JOB job;
    wire        list_kept, weighed, chunk_over, chunk_stored;
    assign kept   = list_kept && weighed;
    assign stored = chunk_over && chunk_stored;
    rlc_replay_server_job #(.ASSEMBLIES(ASSEMBLIES)) u_job (.*, .s_head(head));

    // ---- its words.
    wire        from_memory, word_valid, word_ready, list_ready, first, stores;
    wire [63:0] word_data;
    wire [12:0] store_words;
    wire [15:0] beta;
    wire [127:0] given;
    `RLC_STREAM_WIRES(beat, 64);
    `RLC_STREAM_WIRES(record, 64);
    wire        prio_valid, prio_ready;
    assign record_data = word_data;
    rlc_replay_server_payload #(.RECORD_BYTES(RECORD_BYTES), .ASSEMBLIES(ASSEMBLIES)) u_payload (
        .*, .s_head(head), .s_beat_valid(beat_valid), .s_beat_data(beat_data), .m_prio_valid(prio_valid), .m_prio_ready(prio_ready),
        .m_record_valid(record_valid), .m_record_ready(record_ready)
    );

    // ---- the tree: priorities in, slots that are looked at, batches that are drawn.
    wire        had_valid, seeded, looks_beat, list_valid;
    wire `RLC_SERVER_HAD had_data;
    wire [63:0] place;
    wire [127:0] list_data, seed;
    `RLC_STREAM_WIRES(look, 64);
    `RLC_STREAM_WIRES(entry, 128);
    `RLC_STREAM_WIRES(put, INDEX_WIDTH);
    wire [SUM_WIDTH-1:0]      total;
    wire [INDEX_WIDTH:0]      size;
    wire [INDEX_WIDTH-1:0]    next;
    wire [PRIORITY_WIDTH-1:0] largest;
    wire `RLC_SERVER_ENDED       ended;
    wire        starts = loads && !none;
    assign cleared = look_ready;
    assign loads   = phase == PH_SEED && (job[`RLC_SERVER_JOB_SEEDS] || seeded);
    rlc_replay_server_looks u_looks (
        .*, .s_word_valid(word_valid), .s_word_data(word_data), .s_beat_valid(beat_valid), .s_beat_data(beat_data), .takes_beat(looks_beat),
        `RLC_STREAM_JOIN(m_look, look), .s_had_valid(had_valid), .s_had_data(had_data), .m_entry_valid(list_valid), .m_entry_data(list_data)
    );
    rlc_replay_server_seed u_seed (
        .clk(clk), .rst(rst), .begins(comes), .seed(cfg_seed), .client(head[`RLC_SERVER_HEAD_CLIENT]), .epoch(head[`RLC_SERVER_HEAD_EPOCH]),
        .seq_number(head[`RLC_SERVER_HEAD_SEQUENCE]), .done(seeded), .state(seed)
    );
    rlc_replay_server_tree #(
        `include "rlc_replay_server_args.vh"
    ) u_tree (
        .*, .seed(job[`RLC_SERVER_JOB_SEEDS] ? given : seed), .s_prio_valid(prio_valid), .s_prio_ready(prio_ready), .s_prio_data(word_data),
        `RLC_STREAM_JOIN(s_look, look), .m_had_valid(had_valid), .m_had_data(had_data), `RLC_STREAM_JOIN(m_entry, entry),
        `RLC_STREAM_JOIN(m_put, put)
    );

    // ---- a batch: its head is kept, its list and records become the answer's text.
    wire        go, clean, batch_beat_ready, batch_part_valid, batch_part_ready, batch_part_last, batch_part_gone;
    wire [63:0] told_total;
    wire [31:0] told_size;
    wire [15:0] batch_part_part, batch_part_parts;
    wire [12:0] batch_part_words;
    `RLC_STREAM_WIRES(slot, INDEX_WIDTH);
    `RLC_STREAM_WIRES(batch_text, 64);
    rlc_replay_server_kept #(
        `include "rlc_replay_server_args.vh"
    ) u_kept (.*, .keeps(loads));
    rlc_replay_server_batch #(
        .INDEX_WIDTH(INDEX_WIDTH), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .SAMPLE_MAX(SAMPLE_MAX)
    ) u_batch (
        .clk(clk), .rst(rst), .begins(draws), .count(head[`RLC_SERVER_HEAD_COUNT]),
        .part(head[`RLC_SERVER_HEAD_PART]), .parts(head[`RLC_SERVER_HEAD_PARTS]),
        .s_entry_valid(list_valid || (entry_valid && entry_ready)), .s_entry_data(job[`RLC_SERVER_JOB_FRESH] ? entry_data : list_data),
        .listed(listed), .go(go), .total(told_total), .size(told_size), .fetch(clean), `RLC_STREAM_JOIN(m_slot, slot),
        .s_beat_valid(beat_valid && phase == PH_TEXT), .s_beat_ready(batch_beat_ready), .s_beat_data(beat_data),
        .m_part_valid(batch_part_valid), .m_part_ready(batch_part_ready), .m_part_last(batch_part_last),
        .m_part_gone(batch_part_gone), .m_part_part(batch_part_part), .m_part_parts(batch_part_parts),
        .m_part_words(batch_part_words), `RLC_STREAM_JOIN(m_text, batch_text), .finished(finished)
    );

    // ---- weights.
    wire        offers, sets_beat;
    wire [12:0] set_words;
    wire [1:0]  area;
    wire [63:0] published;
    `RLC_STREAM_WIRES(set_text, 64);
    rlc_replay_server_sets #(
        `include "rlc_replay_server_args.vh"
    ) u_sets (
        .*, .asks(named), .status(known_status), .words(set_words), `RLC_STREAM_JOIN(m_text, set_text), .s_beat_valid(beat_valid),
        .s_beat_data(beat_data), .takes_beat(sets_beat)
    );

    // ---- memory.
    assign beat_ready = from_memory ? word_ready : (phase == PH_TEXT) ? batch_beat_ready : (phase == PH_SHOW) ? sets_beat : looks_beat;
    rlc_replay_server_records #(
        `include "rlc_replay_server_args.vh"
        , .ID_WIDTH(ID_WIDTH)
    ) u_records (
        .*, `RLC_STREAM_JOIN(s_record, record), `RLC_STREAM_JOIN(s_entry, entry), `RLC_STREAM_JOIN(s_put, put), `RLC_STREAM_JOIN(s_slot, slot),
        .words(set_words), `RLC_STREAM_JOIN(m_beat, beat), .kept(list_kept), .stored(chunk_stored)
    );

    // ---- the answer: without text, of a chunk, or the batch's parts.
    wire answers = phase == PH_ANSWER;
    wire shows   = phase == PH_SHOW;
    wire alone   = answers || shows;
    assign m_part_valid = answers || offers || batch_part_valid;
    assign m_part_data[`RLC_SERVER_ANSWER_LAST]   = alone || batch_part_last;
    assign m_part_data[`RLC_SERVER_ANSWER_STATUS] = answers ? status : (batch_part_gone && !shows) ? ST_GONE : ST_OK;
    assign m_part_data[`RLC_SERVER_ANSWER_PART]   = alone ? 16'd0 : batch_part_part;
    assign m_part_data[`RLC_SERVER_ANSWER_PARTS]  = alone ? 16'd1 : batch_part_parts;
    assign m_part_data[`RLC_SERVER_ANSWER_WORDS]  = answers ? 13'd0 : shows ? set_words + 13'd2 : batch_part_words;
    assign batch_part_ready = m_part_ready && !alone;
    assign m_text_valid     = shows ? set_text_valid : batch_text_valid;
    assign m_text_data      = shows ? set_text_data : batch_text_data;
    assign batch_text_ready = m_text_ready && !shows;
    assign set_text_ready   = m_text_ready;

    // ---- what STAT reports. Records that came in parts are put when all parts are in memory.
    assign state_valid = settled;
    rlc_replay_server_state #(.INDEX_WIDTH(INDEX_WIDTH), .PRIORITY_WIDTH(PRIORITY_WIDTH), .SUM_WIDTH(SUM_WIDTH)) u_state (
        .*, .puts(puts || gathered), .put_count(puts ? head[`RLC_SERVER_HEAD_COUNT] : job[`RLC_SERVER_JOB_COUNT]),
        .batch_count(job[`RLC_SERVER_JOB_COUNT]), .version(published)
    );
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(entry_valid && phase != PH_TEXT));
endmodule
`default_nettype wire
