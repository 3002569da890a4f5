// rlc_replay_server_records.sv — what a replay server keeps behind AXI4: records, lists of batches, weights and parts of PUTs.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_base     where its area begins, a multiple of 4096
// s_record_*   words of records, of a chunk and of parts; they wait here until their row is known
// s_entry_*    entries of a new batch in PH_TEXT, whose list is kept behind all that came before
// s_put_*      the slot of a record, in their order. s_slot_*: a record that is wanted
// stores, words, store_words, area   of a chunk or a part (rlc_replay_server_sets)
// m_beat_*     words of what is read: a list, a chunk, records, or in PH_PUT the parts of a PUT behind `gathered`
// clean        level: all that came before the request is in memory
// kept         level: the new list's row is with the writer; stored: the chunk's or part's is; gathered: pulse, all parts of a
//              PUT are in memory
// failed       the memory has answered with an error since the reset
`include "rlc_axi.vh"
`include "rlc_replay_server_words.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_records #(
    `include "rlc_replay_server_parameters.vh"
    , parameter ID_WIDTH = 1 // bits of an ID of m_axi, which is 0
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [ADDR_WIDTH-1:0]  cfg_base,
    input  wire [4:0]             phase,
    input  wire `RLC_SERVER_JOB      job,
    input  wire                   does,
    `RLC_STREAM_SLAVE(s_record, 64),
    `RLC_STREAM_SLAVE(s_entry, 128),
    `RLC_STREAM_SLAVE(s_put, INDEX_WIDTH),
    `RLC_STREAM_SLAVE(s_slot, INDEX_WIDTH),
    input  wire                   stores,
    input  wire [12:0]            words,
    input  wire [12:0]            store_words,
    input  wire [1:0]             area,
    `RLC_STREAM_MASTER(m_beat, 64),
    output wire                   clean,
    output wire                   kept,
    output wire                   stored,
    output wire                   gathered,
    output reg                    failed,
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, 64),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    `include "rlc_replay_server_layout.vh"
    `include "rlc_replay_server_phases.vh"
    `RLC_CHECK(ADDR_WIDTH >= 12 && (ADDR_WIDTH >= 42 || PAGES <= (1 << (ADDR_WIDTH - 12))),
               rlc_replay_server_records_illegal_ADDR_WIDTH_must_reach_all_records_and_lists_and_weights_and_parts)
    localparam [31:0] WORDS_32 = RECORD_BYTES / 8;
    wire [15:0] count   = job[`RLC_SERVER_JOB_COUNT];
    wire [22:0] chunk   = job[`RLC_SERVER_JOB_CHUNK];
    wire        is_part = job[`RLC_SERVER_JOB_KEEP];
    wire [17:0] number  = {job[`RLC_SERVER_JOB_CLIENT], job[`RLC_SERVER_JOB_SLOT]};
    wire [KEPT_BITS-1:0] slot = number[KEPT_BITS-1:0];
    wire [5:0]  row     = (phase == PH_GATHER) ? 6'd0 : job[`RLC_SERVER_JOB_PART];

    // ---- addresses. Those of a list, of a chunk and of a part stand some clocks after the request.
    wire [31:0]                       set_page = (area == 2'd0) ? SET_0 : (area == 2'd1) ? SET_1 : SET_2;
    wire [ADDR_WIDTH+43:0]            lists_at = {{ADDR_WIDTH{1'b0}}, LISTS, 12'd0};
    wire [ADDR_WIDTH+43:0]            set_at   = {{ADDR_WIDTH{1'b0}}, set_page, 12'd0};
    wire [ADDR_WIDTH+43:0]            parts_at = {{ADDR_WIDTH{1'b0}}, PARTS, 12'd0};
    wire [ADDR_WIDTH+KEPT_BITS-1:0]   list_offset  = {{ADDR_WIDTH{1'b0}}, slot} << LIST_LOG2;
    wire [ADDR_WIDTH+22:0]            chunk_offset = {{ADDR_WIDTH{1'b0}}, chunk} << CHUNK_LOG2;
    wire [ADDR_WIDTH+KEPT_BITS+5:0]   part_offset  = {{ADDR_WIDTH{1'b0}}, slot, row} << PART_LOG2;
    wire [ADDR_WIDTH+INDEX_WIDTH-1:0] put_offset   = {{ADDR_WIDTH{1'b0}}, s_put_data} << STRIDE_LOG2;
    wire [ADDR_WIDTH+INDEX_WIDTH-1:0] get_offset   = {{ADDR_WIDTH{1'b0}}, s_slot_data} << STRIDE_LOG2;
    reg  [ADDR_WIDTH-1:0] list_addr_q;
    reg  [ADDR_WIDTH-1:0] chunk_addr_q;  // of a chunk, of a part
    always @(posedge clk) begin
        list_addr_q  <= cfg_base + lists_at[ADDR_WIDTH-1:0] + list_offset[ADDR_WIDTH-1:0];
        chunk_addr_q <= cfg_base + (is_part ? parts_at[ADDR_WIDTH-1:0] + part_offset[ADDR_WIDTH-1:0]
                                            : set_at[ADDR_WIDTH-1:0] + chunk_offset[ADDR_WIDTH-1:0]);
    end

    // ---- a batch's records and list are read when all that came before is written; its list is kept behind that, from its
    // first word on.
    reg  clean_q, list_q, chunk_q;       // the row of a list, of a chunk or part is with writer or reader
    wire row_ready, get_ready, write_idle, write_failed, read_failed;
    wire w_valid, w_ready;
    wire [63:0] w_data;
    wire keep     = phase == PH_TEXT && job[`RLC_SERVER_JOB_FRESH] && clean_q && !list_q && w_valid;
    wire reload   = phase == PH_LIST && job[`RLC_SERVER_JOB_AGAIN] && clean_q && !list_q;
    wire fill     = phase == PH_STORE && stores && !chunk_q;
    wire load_set = phase == PH_SHOW && clean_q && !chunk_q;
    always @(posedge clk) begin
        clean_q <= !rst && !does && (clean_q || write_idle);
        list_q  <= !rst && !does && (list_q || (keep && row_ready) || (reload && get_ready));
        chunk_q <= !rst && !does && (chunk_q || (fill && row_ready) || (load_set && get_ready));
        failed  <= !rst && (failed || write_failed || read_failed);
    end
    assign clean  = clean_q;
    assign kept   = list_q;
    assign stored = chunk_q || !stores;

    // ---- to memory: words wait here until their row is known; each entry is two words.
    reg  second_q;
    wire entry = phase == PH_TEXT && s_entry_valid;
    wire room;
    always @(posedge clk)
        if (rst)                second_q <= 1'b0;
        else if (entry && room) second_q <= !second_q;
    assign s_entry_ready  = entry && second_q && room;
    assign s_record_ready = room;
    rlc_fifo #(.WIDTH(64), .DEPTH(512), .STYLE("block")) u_words (
        .clk(clk), .rst(rst), .s_valid(s_record_valid || entry), .s_ready(room),
        .s_data(!entry ? s_record_data : second_q ? s_entry_data[127:64] : s_entry_data[63:0]),
        .m_valid(w_valid), .m_ready(w_ready), .m_data(w_data), .count()
    );
    assign s_put_ready = row_ready;
    rlc_replay_server_write #(.ADDR_WIDTH(ADDR_WIDTH), .ID_WIDTH(ID_WIDTH)) u_write (
        .*, .s_job_valid(s_put_valid || keep || fill), .s_job_ready(row_ready),
        .s_job_addr(s_put_valid ? cfg_base + put_offset[ADDR_WIDTH-1:0] : fill ? chunk_addr_q : list_addr_q),
        .s_job_words(s_put_valid ? WORDS_32[16:0] : fill ? {4'd0, store_words} : {count, 1'b0}), `RLC_STREAM_JOIN(s_beat, w),
        .idle(write_idle), .failed(write_failed)
    );

    // ---- from memory. An assembled PUT begins when its parts are there: some clocks behind the last one's row, so its address
    // stands.
    wire                  gather_valid;
    wire [ADDR_WIDTH-1:0] gather_addr;
    wire [16:0]           gather_words;
    assign gathered = ASSEMBLIES != 0 && phase == PH_GATHER && write_idle;
    generate
        if (ASSEMBLIES != 0) begin : g_gather
            rlc_replay_server_gather #(.ADDR_WIDTH(ADDR_WIDTH), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES)) u_gather (
                .clk(clk), .rst(rst), .begins(gathered), .count(count), .addr(chunk_addr_q),
                .m_job_valid(gather_valid), .m_job_ready(get_ready), .m_job_addr(gather_addr), .m_job_words(gather_words)
            );
        end else begin : g_no_gather
            assign gather_valid = 1'b0;
            assign gather_addr  = {ADDR_WIDTH{1'b0}};
            assign gather_words = 17'd0;
        end
    endgenerate
    assign s_slot_ready = get_ready && !reload && !load_set && !gather_valid;
    rlc_replay_server_read #(.ADDR_WIDTH(ADDR_WIDTH), .ID_WIDTH(ID_WIDTH)) u_read (
        .*, .s_job_valid(reload || load_set || s_slot_valid || gather_valid), .s_job_ready(get_ready),
        .s_job_addr(reload ? list_addr_q : load_set ? chunk_addr_q : gather_valid ? gather_addr : cfg_base + get_offset[ADDR_WIDTH-1:0]),
        .s_job_words(reload ? {count, 1'b0} : load_set ? {4'd0, words} : gather_valid ? gather_words : WORDS_32[16:0]),
        .failed(read_failed)
    );
    wire unused = &{1'b0, job, number, lists_at, set_at, parts_at, list_offset, chunk_offset, part_offset, put_offset, get_offset, chunk, row};
endmodule
`default_nettype wire
