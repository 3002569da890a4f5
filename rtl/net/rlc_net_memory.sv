// rlc_net_memory.sv — the memory of a replay server: priorities in a sum tree, records and last batches behind AXI4.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/replay_server.md.
//
// s_do_*       a request, as rlc_net_serve gives it; its fields are steady from s_do_comes until the last part of its answer is taken
// s_word_*     its payload; m_part_*, m_text_* its answer
// cfg_*        steady from reset on. cfg_base: where its area in memory begins, a multiple of 4096
// state_*      what STAT reports, while state_valid is high; it follows the last request by some clocks
// failed       the memory has answered with an error since the reset
//
// order        requests are carried out one by one. A PUT and a PRIO are answered before the tree has all their priorities. A
//              SAMPLE and a READ begin when the tree has them, and when all earlier records are in memory
`include "rlc_axi.vh"
`include "rlc_sumtree_ports.vh"
`include "rlc_sumtree_joint.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_net_memory #(
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

    input  wire                      s_do_valid,
    output wire                      s_do_ready,
    input  wire                      s_do_again,
    input  wire                      s_do_comes,
    input  wire                      s_do_keep,
    input  wire                      s_do_whole,
    input  wire [1:0]                s_way,
    input  wire [2:0]                s_op,
    input  wire [2:0]                s_flags,
    input  wire [15:0]               s_client,
    input  wire [31:0]               s_epoch,
    input  wire [63:0]               s_sequence,
    input  wire [15:0]               s_count,
    input  wire [15:0]               s_part,
    input  wire [15:0]               s_parts,
    input  wire [22:0]               s_chunk,
    input  wire [12:0]               s_words,
    `RLC_STREAM_SLAVE(s_word, 64),
    output wire                      m_part_valid,
    input  wire                      m_part_ready,
    output wire                      m_part_last,
    output wire [3:0]                m_part_status,
    output wire [15:0]               m_part_part,
    output wire [15:0]               m_part_parts,
    output wire [12:0]               m_part_words,
    `RLC_STREAM_MASTER(m_text, 64),

    output wire                      state_valid,
    output wire [31:0]               state_size,
    output wire [31:0]               state_next,
    output wire [63:0]               state_total,
    output wire [31:0]               state_largest,
    output wire [63:0]               state_version,
    output wire [63:0]               state_records,
    output wire [63:0]               state_samples,
    output wire [63:0]               state_updates,
    output wire [63:0]               state_stale,
    output wire [63:0]               state_range,
    output wire [63:0]               state_saturated,

    output reg                       failed,
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, 64),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    `include "rlc_sumtree_kinds.vh"
    localparam [2:0] DO_PUT = 3'd1, DO_SAMPLE = 3'd2, DO_READ = 3'd3, DO_PRIO = 3'd4, DO_WEIGHTS = 3'd5;   // s_op: rlc_net_defs.vh
    localparam [3:0] ST_OK = 4'd0, ST_NONE = 4'd11, ST_EMPTY = 4'd1, ST_GONE = 4'd2, ST_OLD = 4'd7;

    // ---- where things lie: the records, then for each client the lists of its last 4 batches, then three sets of weights, then
    // parts of PUTs: for each client 4 times 64.
    localparam STRIDE_LOG2 = $clog2(RECORD_BYTES);
    localparam LIST_LOG2   = $clog2(16 * SAMPLE_MAX);
    localparam CLIENT_BITS = (CLIENTS > 1) ? $clog2(CLIENTS) : 1;
    localparam KEPT        = CLIENTS * 4;
    localparam KEPT_BITS   = $clog2(KEPT);
    // In pages of 4096 bytes.
    localparam integer RECORD_PAGES = (STRIDE_LOG2 >= 12) ? CAPACITY << ((STRIDE_LOG2 >= 12) ? STRIDE_LOG2 - 12 : 0)
                                    : ((CAPACITY - 1) >> ((STRIDE_LOG2 < 12) ? 12 - STRIDE_LOG2 : 0)) + 1;
    localparam integer LIST_PAGES   = (LIST_LOG2 >= 12) ? KEPT << ((LIST_LOG2 >= 12) ? LIST_LOG2 - 12 : 0)
                                    : ((KEPT - 1) >> ((LIST_LOG2 < 12) ? 12 - LIST_LOG2 : 0)) + 1;
    localparam integer CHUNK      = PART_BYTES - 16;
    localparam integer CHUNKS     = (WEIGHTS_MAX == 0) ? 1 : (WEIGHTS_MAX - 1) / CHUNK + 1;
    localparam CHUNK_BITS         = (CHUNKS > 1) ? $clog2(CHUNKS) : 1;
    localparam CHUNK_LOG2         = $clog2(CHUNK);
    localparam integer SET_PAGES  = (WEIGHTS_MAX == 0) ? 0
                                  : (CHUNK_LOG2 >= 12) ? CHUNKS << ((CHUNK_LOG2 >= 12) ? CHUNK_LOG2 - 12 : 0)
                                  : ((CHUNKS - 1) >> ((CHUNK_LOG2 < 12) ? 12 - CHUNK_LOG2 : 0)) + 1;
    localparam [31:0] CAPACITY_32 = CAPACITY, KEPT_32 = KEPT, LISTS = RECORD_PAGES;
    localparam [31:0] SET_0 = RECORD_PAGES + LIST_PAGES, SET_1 = SET_0 + SET_PAGES, SET_2 = SET_1 + SET_PAGES;
    localparam PART_LOG2          = $clog2(PART_BYTES);
    localparam [31:0] PARTS       = SET_2 + SET_PAGES;
    localparam integer PARTS_PAGES = (ASSEMBLIES == 0) ? 0
                                  : (PART_LOG2 >= 12) ? (KEPT * 64) << ((PART_LOG2 >= 12) ? PART_LOG2 - 12 : 0)
                                  : ((KEPT * 64 - 1) >> ((PART_LOG2 < 12) ? 12 - PART_LOG2 : 0)) + 1;
    localparam integer PAGES = RECORD_PAGES + LIST_PAGES + 3 * SET_PAGES + PARTS_PAGES;
    `RLC_CHECK(ADDR_WIDTH >= 12 && (ADDR_WIDTH >= 42 || PAGES <= (1 << (ADDR_WIDTH - 12))),
               rlc_net_memory_illegal_ADDR_WIDTH_must_reach_all_records_and_lists_and_weights_and_parts)
    `RLC_CHECK(DRAW_WIDTH == 32, rlc_net_memory_illegal_DRAW_WIDTH_must_be_32)
    `RLC_CHECK(GENERATION_WIDTH >= 1, rlc_net_memory_illegal_GENERATION_WIDTH_must_be_at_least_1)
    localparam [31:0] WORDS_32 = RECORD_BYTES / 8;

    // ---- the request.
    localparam [4:0] BEGIN = 5'd0, CLEARS = 5'd1, IDLE = 5'd2, PUT = 5'd3, PRIO = 5'd4, TAKE = 5'd5, SEED = 5'd6,
                     FIND = 5'd7, FOUND = 5'd8, LIST = 5'd9, TEXT = 5'd10, ANSWER = 5'd11,
                     NAME = 5'd12, KNOW = 5'd13, STORE = 5'd14, SHOW = 5'd15,   // of weights
                     GATHER = 5'd16;                                             // STORE and it: of parts
    reg  [4:0]             at_q;
    reg                    weights_q;                 // WEIGHTS, else GET
    reg  [22:0]            chunk_q;
    reg                    keep_q, whole_q;           // a part of a PUT, the last one that was missing
    reg                    replay_q;                  // a PUT from its parts in memory
    reg  [5:0]             part_q;
    reg  [12:0]            part_words_q;
    reg                    read_q, again_q, fresh_q;  // a READ, a SAMPLE that was carried out before, a new one
    reg  [2:0]             flags_q;
    reg  [15:0]            count_q;
    reg  [KEPT_BITS-1:0]   kept_q;                    // which of the last batches of which client
    reg  [31:0]            epoch_q;
    reg  [63:0]            sequence_q;
    reg  [3:0]             status_q;                  // of an answer without text
    wire                   does  = s_do_valid && s_do_ready;
    wire                   part  = ASSEMBLIES != 0 && s_do_keep;
    wire                   quick = (s_op == DO_PUT && !part) || s_op == DO_PRIO;
    wire                   batch = s_op == DO_SAMPLE || s_op == DO_READ;
    wire                   settled;                   // the tree has carried out all operations
    wire                   swept;                     // the heads of the last batches are cleared
    assign s_do_ready = at_q == IDLE && (quick || settled);
    wire [CLIENT_BITS+1:0] number = {s_client[CLIENT_BITS-1:0], part ? s_way : s_sequence[1:0]};
    wire                   gathered;                  // all that came before is in memory, also the last part
    always @(posedge clk) begin
        replay_q <= ASSEMBLIES != 0 && !rst && !does && (replay_q || gathered);
        if (does) begin
            keep_q     <= part;
            whole_q    <= s_do_whole;
            part_q     <= s_part[5:0];
            part_words_q <= s_words;
            read_q     <= s_op == DO_READ;
            weights_q  <= s_op == DO_WEIGHTS;
            chunk_q    <= s_chunk;
            again_q    <= s_op == DO_SAMPLE && s_do_again;
            fresh_q    <= s_op == DO_SAMPLE && !s_do_again;
            flags_q    <= s_flags;
            count_q    <= s_count;
            kept_q     <= number[KEPT_BITS-1:0];
            epoch_q    <= s_epoch;
            sequence_q <= s_sequence;
        end
    end

    // ---- its payload, word by word: from the front, or from memory.
    wire        beat_valid, beat_ready;
    wire [63:0] beat_data;
    wire        word_valid = replay_q ? beat_valid : s_word_valid;
    wire [63:0] word_data  = replay_q ? beat_data : s_word_data;
    wire        word_ready;
    assign s_word_ready = word_ready && !replay_q;
    reg  [15:0] word_q;        // of a record with its priority, of an update, of a SAMPLE's
    reg  [15:0] left_q;        // records, updates
    reg  [63:0] place_q;       // generation and slot of an update; the first half of an entry of a list
    reg  [15:0] beta_q;
    reg  [127:0] given_q;      // the generator's state; version, total and offset of weights
    wire        prio_ready, room, op_ready, list_ready;
    wire        pays_priority = (at_q == PUT && word_q == 16'd0) || (at_q == PRIO && word_q == 16'd1);
    wire        pays_record   = at_q == PUT && word_q != 16'd0;
    wire        record_last   = word_q == ((at_q == PUT) ? WORDS_32[15:0] : 16'd1);
    wire        take          = word_valid && word_ready;
    wire        take_last     = take && ((at_q == TAKE) ? word_q == (flags_q[2] ? 16'd2 : 16'd0) : record_last && left_q == 16'd1);
    reg         named_q;       // version, total and offset of weights are here
    wire        stores;        // the words of a chunk of weights go to memory; else nowhere
    reg  [12:0] chunk_left_q;  // of them
    wire        pays_chunk    = at_q == STORE && chunk_left_q != 13'd0;
    wire        names         = at_q == NAME && !named_q;
    always @(posedge clk) named_q <= take && names && word_q == 16'd1 && !rst;
    assign word_ready   = pays_priority ? prio_ready : pays_record ? room : pays_chunk ? room || !stores
                        : names || at_q == PRIO || at_q == TAKE || (at_q == LIST && read_q && list_ready);
    always @(posedge clk) begin
        if (does || gathered) begin
            word_q <= 16'd0;
            left_q <= does ? s_count : count_q;
        end else if (take) begin
            word_q <= (at_q != TAKE && record_last) ? 16'd0 : word_q + 16'd1;
            if (at_q != TAKE && record_last) left_q <= left_q - 16'd1;
        end
        if (take && at_q == TAKE) begin
            if (word_q == 16'd0) beta_q  <= word_data[15:0];
            else                 given_q <= {word_data, given_q[127:64]};
        end
        if (take && names) given_q <= {word_data, given_q[127:64]};
    end

    // ---- priorities, on their way to the tree.
    localparam BESIDE = 4 + GENERATION_BITS + INDEX_WIDTH;
    wire [31:0] kind = word_data[63:32];
    wire [BESIDE-1:0] beside = {
        at_q == PUT, kind == 32'd2,
        (place_q[63:32] >> GENERATION_WIDTH) != 32'd0, (place_q[31:0] >> INDEX_WIDTH) != 32'd0,
        place_q[32 +: GENERATION_BITS], place_q[INDEX_WIDTH-1:0]};
    wire                       prio_valid, prio_take, prio_over, inserts, greatest, foreign, far;
    wire [PRIORITY_WIDTH-1:0]  priority_;
    wire [GENERATION_BITS-1:0] generation;
    wire [INDEX_WIDTH-1:0]     slot;
    rlc_sumtree_priority #(.PRIORITY_WIDTH(PRIORITY_WIDTH), .PAYLOAD_WIDTH(BESIDE)) u_priority (
        .clk(clk), .rst(rst), .cfg_alpha(cfg_alpha), .cfg_eps(cfg_epsilon), .cfg_scale(cfg_scale),
        .s_valid(word_valid && pays_priority), .s_ready(prio_ready), .s_td(kind == 32'd1), .s_value(word_data[31:0]),
        .s_payload(beside),
        .m_valid(prio_valid), .m_ready(prio_take), .m_priority(priority_), .m_saturated(prio_over),
        .m_payload({inserts, greatest, foreign, far, generation, slot})
    );

    // ---- a list that comes from memory or from a READ: its entries' slots are looked at in the tree.
    reg         half_q;        // place_q is the first half of an entry from memory
    reg  [15:0] looked_q;      // entries that were looked at
    wire        pending_ready, pending_valid;
    wire        looks   = at_q == LIST && looked_q != count_q && pending_ready && (read_q ? s_word_valid : half_q && beat_valid);
    wire        look    = looks && op_ready;
    wire [63:0] looked  = read_q ? s_word_data : place_q;
    wire [63:0] priced  = read_q ? 64'd0 : beat_data;
    assign list_ready = looked_q != count_q && pending_ready && op_ready;
    wire        to_half = at_q == LIST && !read_q && !half_q && beat_valid;
    always @(posedge clk) begin
        if (rst || does) half_q <= 1'b0;
        else             half_q <= to_half || (half_q && !look);
        if (does)      looked_q <= 16'd0;
        else if (look) looked_q <= looked_q + 16'd1;
        if (to_half)                                          place_q <= beat_data;
        else if (take && at_q == PRIO && word_q == 16'd0)     place_q <= word_data;
    end
    // A foreign generation is none that a slot can have.
    wire         entry_read;
    wire [127:0] entry_pending;
    wire [63:0]  pending_place = entry_pending[63:0];
    rlc_fifo #(.WIDTH(128), .DEPTH(32)) u_pending (
        .clk(clk), .rst(rst), .s_valid(look), .s_ready(pending_ready), .s_data({priced, looked}),
        .m_valid(pending_valid), .m_ready(entry_read), .m_data(entry_pending), .count()
    );

    // ---- the tree.
    `RLC_SUMTREE_ANSWERS(wire, wire, wire, 1, SUM_WIDTH, ;);
    `RLC_SUMTREE_STATE(wire, wire, ;);
    wire [INDEX_WIDTH-1:0] next;
    wire                   full;
    wire                   op_valid = at_q == BEGIN || looks || (prio_valid && at_q != LIST);
    wire [2:0]             op_kind  = (at_q == BEGIN) ? OP_CLEAR : (at_q == LIST) ? OP_READ : inserts ? OP_INSERT
                                    : foreign ? OP_READ : OP_UPDATE;
    assign prio_take = op_ready && at_q != BEGIN && at_q != LIST;
    wire [INDEX_WIDTH-1:0] named    = (at_q == LIST) ? looked[INDEX_WIDTH-1:0] : slot;
    wire                   far_slot = (at_q == LIST) ? (looked[31:0] >> INDEX_WIDTH) != 32'd0 : far;
    // Slots that hold a record, or will when the tree has done what it was given: no other slot exists.
    reg  [INDEX_WIDTH:0]   filled_q;
    always @(posedge clk)
        if (rst)                                                                          filled_q <= {(INDEX_WIDTH+1){1'b0}};
        else if (prio_valid && prio_take && inserts && filled_q != CAPACITY_32[INDEX_WIDTH:0]) filled_q <= filled_q + 1'b1;
    wire                   load;         // the generator is loaded
    wire                   draw_ready;
    reg  [15:0]            draws_q;      // samples still to be asked for
    wire [127:0]           seeded;
    wire                   seed_done;
    rlc_net_seed u_seed (
        .clk(clk), .rst(rst), .begins(s_do_comes), .seed(cfg_seed), .client(s_client), .epoch(s_epoch), .sequence_(s_sequence),
        .done(seed_done), .state(seeded)
    );
    rlc_sumtree #(
        `include "rlc_sumtree_args.vh"
    ) u_tree (
        .*, .cfg_capacity(CAPACITY_32[INDEX_WIDTH:0]), .cfg_initial(cfg_initial), .cfg_strata(flags_q[0] ? count_q : 16'd0),
        .cfg_restart(1'b0), .cfg_seed_valid(load), .cfg_seed(flags_q[2] ? given_q : seeded),
        .s_op_valid(op_valid), .s_op_ready(op_ready), .s_op_kind(op_kind), .s_op_check(1'b1), .s_op_max(greatest && at_q != LIST),
        .s_op_beyond(far_slot || {1'b0, named} >= filled_q), .s_op_index(named),
        .s_op_generation(generation), .s_op_priority(priority_),
        .s_sample_valid(draws_q != 16'd0), .s_sample_ready(draw_ready), .s_sample_kind(SAMPLE_DRAW),
        .s_sample_value({VALUE_WIDTH{1'b0}})
    );

    // Operations inside; and for how long there has been none.
    reg  [7:0] inside_q;
    reg  [3:0] quiet_q;
    wire       op_enters = (word_valid && pays_priority && prio_ready) || look || (at_q == BEGIN && op_ready);
    wire       op_leaves = m_op_valid && m_op_ready;
    always @(posedge clk) begin
        if (rst) begin
            inside_q <= 8'd0;
            quiet_q  <= 4'd0;
        end else begin
            inside_q <= inside_q + {7'd0, op_enters} - {7'd0, op_leaves};
            quiet_q  <= (op_enters || inside_q != 8'd0 || busy) ? 4'd0 : (quiet_q == 4'd8) ? 4'd8 : quiet_q + 4'd1;
        end
    end
    assign settled = quiet_q == 4'd8;

    // ---- answers of the tree to operations.
    wire         row_ready;
    wire         listing  = m_op_kind == OP_READ && at_q == LIST;
    wire [31:0]  tag      = {{(32-GENERATION_BITS){1'b0}}, m_op_generation};
    wire [32:0]  had      = {{(33-PRIORITY_WIDTH){1'b0}}, m_op_priority};
    wire         gone     = m_op_status != OP_OK || tag != pending_place[63:32];
    assign m_op_ready = m_op_kind != OP_INSERT || row_ready;
    assign entry_read = op_leaves && listing;
    wire [1:0]   ended    = (m_op_kind == OP_READ && m_op_status == OP_OK) ? OP_STALE : m_op_status;
    wire         counted  = op_leaves && !listing && (m_op_kind == OP_UPDATE || m_op_kind == OP_READ);

    // ---- samples, and their weights.
    reg          none_q;       // no slot has a priority above 0, and so there is no batch
    reg  [15:0]  weighed_q;    // answers that are still to come with their weights
    wire         starts = load && !none_q;
    wire                       late_valid, late_ready, late_last;
    wire [1:0]                 late_status;
    wire [PRIORITY_WIDTH-1:0]  late_priority;
    wire [SUM_WIDTH-1:0]       late_total;
    wire [GENERATION_BITS-1:0] late_generation;
    wire [INDEX_WIDTH-1:0]     late_index;
    wire [31:0]                late_weight;
    wire `RLC_SUMTREE_OWN      joint_out;      // this server's banks give each batch its own weights
    rlc_sumtree_weight #(
        .PRIORITY_WIDTH(PRIORITY_WIDTH), .TOTAL_WIDTH(SUM_WIDTH), .PAYLOAD_WIDTH(GENERATION_BITS + INDEX_WIDTH),
        .BATCH_MAX(SAMPLE_MAX)
    ) u_weight (
        .clk(clk), .rst(rst), .cfg_enable(flags_q[1]), .cfg_batch(count_q), .cfg_restart(1'b0), .cfg_beta(beta_q),
        .s_valid(m_sample_valid), .s_ready(m_sample_ready), .s_status(m_sample_status), .s_priority(m_sample_priority),
        .s_total(m_sample_total), .s_payload({m_sample_generation, m_sample_index}),
        .m_valid(late_valid), .m_ready(late_ready), .m_status(late_status), .m_priority(late_priority), .m_total(late_total),
        .m_payload({late_generation, late_index}), .m_weight(late_weight), .m_last(late_last), .joint_in('0), .joint_out(joint_out)
    );
    wire [32:0]  late_priced = {{(33-PRIORITY_WIDTH){1'b0}}, late_priority};
    wire [127:0] late_entry  = {late_weight, late_priced[31:0], {(32-GENERATION_BITS){1'b0}}, late_generation,
                                {(32-INDEX_WIDTH){1'b0}}, late_index};
    // Each goes to memory in two words.
    reg          second_q;
    wire         keeps     = at_q == TEXT && late_valid;
    assign late_ready = keeps && second_q && room;
    always @(posedge clk) begin
        if (rst)                second_q <= 1'b0;
        else if (keeps && room) second_q <= !second_q;
        none_q <= total == {SUM_WIDTH{1'b0}};
        if (rst)                              draws_q <= 16'd0;
        else if (starts)                      draws_q <= count_q;
        else if (draws_q != 16'd0 && draw_ready) draws_q <= draws_q - 16'd1;
        if (rst)                            weighed_q <= 16'd0;
        else if (starts)                    weighed_q <= count_q;
        else if (late_valid && late_ready)  weighed_q <= weighed_q - 16'd1;
    end
    assign load = at_q == SEED && (flags_q[2] || seed_done);

    // ---- the heads of the last batches. One without entries is never asked for: the front knows that it was EMPTY.
    localparam HEAD = 32 + 64 + 16 + SUM_WIDTH + INDEX_WIDTH + 1;
    reg  [KEPT_BITS:0]     sweep_q;
    assign swept = sweep_q == KEPT_32[KEPT_BITS:0];
    wire [31:0]            kept_epoch;
    wire [63:0]            kept_sequence;
    wire [15:0]            kept_count;
    wire [SUM_WIDTH-1:0]   kept_total;
    wire [INDEX_WIDTH:0]   kept_size;
    always @(posedge clk)
        if (rst)         sweep_q <= {(KEPT_BITS+1){1'b0}};
        else if (!swept) sweep_q <= sweep_q + 1'b1;
    rlc_ram_1r1w #(.WIDTH(HEAD), .DEPTH(KEPT), .STYLE("block"), .READ_ANY(1)) u_heads (
        .clk(clk),
        .wr_en(!swept || load), .wr_addr(swept ? kept_q : sweep_q[KEPT_BITS-1:0]),
        .wr_data(swept ? {epoch_q, sequence_q, count_q, total, size} : {HEAD{1'b0}}),
        .rd_en(at_q == FIND), .rd_addr(kept_q), .rd_data({kept_epoch, kept_sequence, kept_count, kept_total, kept_size})
    );
    wire same = kept_epoch == epoch_q && kept_sequence == sequence_q && kept_count == count_q;

    // ---- the batch.
    reg  [63:0] total_q;
    reg  [31:0] size_q;
    reg         go_q;
    wire        listed, finished;
    wire        batch_part_valid, batch_part_ready, batch_part_last, batch_part_gone;
    wire [15:0] batch_part_part, batch_part_parts;
    wire [12:0] batch_part_words;
    wire        slot_valid, slot_ready;
    `RLC_STREAM_WIRES(batch_text, 64);
    wire [INDEX_WIDTH-1:0] slot_data;
    wire        clean;
    wire [SUM_WIDTH-1:0] told_total = again_q ? kept_total : total;
    wire [INDEX_WIDTH:0] told_size  = again_q ? kept_size : size;
    wire        tells  = starts || (at_q == LIST && !go_q);
    wire        goes   = starts || (at_q == LIST && listed);
    always @(posedge clk) begin
        if (tells) begin
            total_q <= {{(64-SUM_WIDTH){1'b0}}, told_total};
            size_q  <= {{(31-INDEX_WIDTH){1'b0}}, told_size};
        end
        go_q <= goes && !rst;
    end
    rlc_net_batch #(
        .INDEX_WIDTH(INDEX_WIDTH), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES), .SAMPLE_MAX(SAMPLE_MAX)
    ) u_batch (
        .clk(clk), .rst(rst), .begins(does && batch), .count(s_count), .part(s_part), .parts(s_parts),
        .s_entry_valid(entry_read || (keeps && late_ready)),
        .s_entry_data(fresh_q ? late_entry
                              : {entry_pending[127:96], read_q ? had[31:0] : entry_pending[95:64],
                                 gone || pending_place[63], pending_place[62:0]}),
        .listed(listed), .go(go_q), .total(total_q), .size(size_q), .fetch(clean),
        .m_slot_valid(slot_valid), .m_slot_ready(slot_ready), .m_slot_data(slot_data),
        .s_beat_valid(beat_valid && at_q == TEXT), .s_beat_ready(beat_ready), .s_beat_data(beat_data),
        .m_part_valid(batch_part_valid), .m_part_ready(batch_part_ready), .m_part_last(batch_part_last),
        .m_part_gone(batch_part_gone), .m_part_part(batch_part_part), .m_part_parts(batch_part_parts),
        .m_part_words(batch_part_words), `RLC_STREAM_JOIN(m_text, batch_text), .finished(finished)
    );

    // ---- weights: which set and which area; then words to it, or a head and words from it.
    wire        known;
    wire [3:0]  known_status;
    wire [12:0] known_words;
    wire [1:0]  known_area;
    wire [63:0] known_version;
    wire [31:0] known_total;
    generate
        if (WEIGHTS_MAX != 0) begin : g_weights
            rlc_net_weights #(.WEIGHTS_MAX(WEIGHTS_MAX), .CHUNK(CHUNK)) u_weights (
                .clk(clk), .rst(rst), .asks(named_q), .put(weights_q), .version(given_q[63:0]), .total(given_q[95:64]),
                .offset(weights_q ? given_q[127:96] : given_q[95:64]), .chunk(chunk_q[CHUNK_BITS-1:0]), .done(known),
                .status(known_status), .words(known_words), .area(known_area), .held_version(known_version),
                .held_total(known_total), .published(state_version)
            );
        end else begin : g_none
            assign known         = 1'b1;
            assign known_status  = ST_NONE;
            assign known_words   = 13'd0;
            assign known_area    = 2'd0;
            assign known_version = 64'd0;
            assign known_total   = 32'd0;
            assign state_version = 64'd0;
        end
    endgenerate
    reg         stored_q, shown_q;                    // the chunk's row is with the writer or reader; its part was taken
    reg  [12:0] show_q;                               // word of the answer
    wire        shows      = at_q == SHOW;
    wire        show_head  = show_q < 13'd2;
    wire        show_moves = shows && m_text_valid && m_text_ready;
    wire        show_last  = show_moves && show_q == known_words + 13'd1;
    assign stores       = keep_q || known_status == ST_OK;
    wire [12:0] store_words = keep_q ? part_words_q : known_words;
    assign m_text_valid = shows ? shown_q && (show_head || beat_valid) : batch_text_valid;
    assign m_text_data  = !shows ? batch_text_data : !show_head ? beat_data
                        : show_q[0] ? {given_q[95:64], known_total} : known_version;
    assign batch_text_ready = m_text_ready && !shows;
    always @(posedge clk) begin
        if (at_q == KNOW)            chunk_left_q <= store_words;
        else if (take && pays_chunk) chunk_left_q <= chunk_left_q - 13'd1;
        if (!shows)                  shown_q <= 1'b0;
        else if (m_part_ready)       shown_q <= 1'b1;
        if (!shows)                  show_q <= 13'd0;
        else if (show_moves)         show_q <= show_q + 13'd1;
    end

    // ---- memory. A batch's records and list are read when all that came before is written; its list is kept behind that,
    // from its first word on.
    wire        w_valid, w_ready;
    wire [63:0] w_data;
    reg                   clean_q, kept_done_q;
    wire                  write_idle, write_failed, read_failed;
    wire [ADDR_WIDTH+43:0] lists  = {{ADDR_WIDTH{1'b0}}, LISTS, 12'd0};
    wire [ADDR_WIDTH+KEPT_BITS-1:0] list_offset = {{ADDR_WIDTH{1'b0}}, kept_q} << LIST_LOG2;
    reg  [ADDR_WIDTH-1:0] list_addr_q;
    wire [ADDR_WIDTH+INDEX_WIDTH-1:0] put_offset = {{ADDR_WIDTH{1'b0}}, m_op_index} << STRIDE_LOG2;
    wire [ADDR_WIDTH+INDEX_WIDTH-1:0] get_offset = {{ADDR_WIDTH{1'b0}}, slot_data} << STRIDE_LOG2;
    wire                  keep     = at_q == TEXT && fresh_q && clean_q && !kept_done_q && w_valid;
    wire                  put      = m_op_valid && m_op_kind == OP_INSERT;
    wire                  reload   = at_q == LIST && again_q && clean_q && !kept_done_q;
    wire                  fill     = at_q == STORE && stores && !stored_q;
    wire                  load_set = shows && clean_q && !stored_q;
    wire                  row_valid = put || keep || fill;
    wire [31:0]           set_page = (known_area == 2'd0) ? SET_0 : (known_area == 2'd1) ? SET_1 : SET_2;
    wire [ADDR_WIDTH+43:0] set_at  = {{ADDR_WIDTH{1'b0}}, set_page, 12'd0};
    wire [ADDR_WIDTH+22:0] chunk_offset = {{ADDR_WIDTH{1'b0}}, chunk_q} << CHUNK_LOG2;
    wire [ADDR_WIDTH+43:0] parts_at = {{ADDR_WIDTH{1'b0}}, PARTS, 12'd0};
    wire [ADDR_WIDTH+KEPT_BITS+5:0] part_offset = {{ADDR_WIDTH{1'b0}}, kept_q, (at_q == GATHER) ? 6'd0 : part_q} << PART_LOG2;
    reg  [ADDR_WIDTH-1:0] chunk_addr_q; // of a chunk, of a part
    wire                  get_ready;
    assign clean = clean_q;
    always @(posedge clk) begin
        list_addr_q <= cfg_base + lists[ADDR_WIDTH-1:0] + list_offset[ADDR_WIDTH-1:0];
        chunk_addr_q <= cfg_base + (keep_q ? parts_at[ADDR_WIDTH-1:0] + part_offset[ADDR_WIDTH-1:0]
                                           : set_at[ADDR_WIDTH-1:0] + chunk_offset[ADDR_WIDTH-1:0]);
        clean_q     <= !rst && !does && (clean_q || write_idle);
        if (rst || does)                                        stored_q <= 1'b0;
        else if ((fill && row_ready) || (load_set && get_ready)) stored_q <= 1'b1;
        if (rst || does)                            kept_done_q <= 1'b0;
        else if ((keep && row_ready) || (reload && get_ready)) kept_done_q <= 1'b1;
        if (rst)                             failed <= 1'b0;
        else if (write_failed || read_failed) failed <= 1'b1;
    end
    // The words of a record wait here until the tree has said its slot.
    rlc_fifo #(.WIDTH(64), .DEPTH(512), .STYLE("block")) u_words (
        .clk(clk), .rst(rst), .s_valid((word_valid && (pays_record || (pays_chunk && stores))) || keeps), .s_ready(room),
        .s_data(keeps ? (second_q ? late_entry[127:64] : late_entry[63:0]) : word_data),
        .m_valid(w_valid), .m_ready(w_ready), .m_data(w_data), .count()
    );
    rlc_net_write #(.ADDR_WIDTH(ADDR_WIDTH), .ID_WIDTH(ID_WIDTH)) u_write (
        .*, .s_job_valid(row_valid), .s_job_ready(row_ready),
        .s_job_addr(put ? cfg_base + put_offset[ADDR_WIDTH-1:0] : fill ? chunk_addr_q : list_addr_q),
        .s_job_words(put ? WORDS_32[16:0] : fill ? {4'd0, store_words} : {count_q, 1'b0}), `RLC_STREAM_JOIN(s_beat, w), .idle(write_idle), .failed(write_failed)
    );
    wire        batch_beat_ready = replay_q ? word_ready : (at_q == TEXT) ? beat_ready : shows ? !show_head && show_moves : to_half || (look && !read_q);
    // An assembled PUT begins when its parts are in memory: some clocks behind the last one's row, so its address stands.
    wire                  gather_valid;
    wire [ADDR_WIDTH-1:0] gather_addr;
    wire [16:0]           gather_words;
    assign gathered = ASSEMBLIES != 0 && at_q == GATHER && write_idle;
    generate
        if (ASSEMBLIES != 0) begin : g_gather
            rlc_net_gather #(.ADDR_WIDTH(ADDR_WIDTH), .RECORD_BYTES(RECORD_BYTES), .PART_BYTES(PART_BYTES)) u_gather (
                .clk(clk), .rst(rst), .begins(gathered), .count(count_q), .addr(chunk_addr_q),
                .m_job_valid(gather_valid), .m_job_ready(get_ready), .m_job_addr(gather_addr), .m_job_words(gather_words)
            );
        end else begin : g_no_gather
            assign gather_valid = 1'b0;
            assign gather_addr  = {ADDR_WIDTH{1'b0}};
            assign gather_words = 17'd0;
        end
    endgenerate
    rlc_net_read #(.ADDR_WIDTH(ADDR_WIDTH), .ID_WIDTH(ID_WIDTH)) u_read (
        .*, .s_job_valid(reload || load_set || slot_valid || gather_valid), .s_job_ready(get_ready),
        .s_job_addr(reload ? list_addr_q : load_set ? chunk_addr_q : gather_valid ? gather_addr : cfg_base + get_offset[ADDR_WIDTH-1:0]),
        .s_job_words(reload ? {count_q, 1'b0} : load_set ? {4'd0, known_words} : gather_valid ? gather_words : WORDS_32[16:0]),
        .m_beat_valid(beat_valid), .m_beat_ready(batch_beat_ready), .m_beat_data(beat_data), .failed(read_failed)
    );
    assign slot_ready = get_ready && !reload && !load_set && !gather_valid;

    // ---- one by one.
    always @(posedge clk) begin
        if (rst) at_q <= BEGIN;
        else
            case (at_q)
                BEGIN:   if (op_ready) at_q <= CLEARS;
                CLEARS:  if (settled && swept) at_q <= IDLE;
                IDLE:    if (does) at_q <= part ? KNOW : (s_op == DO_PUT) ? PUT : (s_op == DO_PRIO) ? PRIO : (s_op == DO_SAMPLE) ? TAKE
                                            : (s_op == DO_READ) ? LIST : NAME;
                PUT:     if (take_last) at_q <= ANSWER;
                PRIO:    if (take_last) at_q <= ANSWER;
                TAKE:    if (take_last) at_q <= again_q ? FIND : SEED;
                SEED:    if (load) at_q <= none_q ? ANSWER : TEXT;
                FIND:    at_q <= FOUND;
                FOUND:   at_q <= same ? LIST : ANSWER;
                LIST:    if (listed) at_q <= TEXT;
                TEXT:    if (finished && (!fresh_q || (weighed_q == 16'd0 && kept_done_q))) at_q <= IDLE;
                NAME:    if (named_q) at_q <= KNOW;
                KNOW:    if (known || keep_q) at_q <= (weights_q || keep_q) ? STORE : (known_status == ST_OK) ? SHOW : ANSWER;
                STORE:   if (chunk_left_q == 13'd0 && (stored_q || !stores)) at_q <= (keep_q && whole_q) ? GATHER : ANSWER;
                GATHER:  if (gathered) at_q <= PUT;
                SHOW:    if (show_last) at_q <= IDLE;
                default: if (m_part_ready) at_q <= IDLE;
            endcase
        status_q <= (at_q == KNOW || at_q == STORE) ? known_status : (at_q == SEED) ? ST_EMPTY : (at_q == FOUND) ? ST_OLD : (at_q == ANSWER) ? status_q : ST_OK;
    end
    wire answers = at_q == ANSWER;
    wire alone   = answers || shows;                  // an answer of one part
    assign m_part_valid  = answers || (shows && !shown_q) || batch_part_valid;
    assign m_part_last   = alone || batch_part_last;
    assign m_part_status = answers ? status_q : (batch_part_gone && !shows) ? ST_GONE : ST_OK;
    assign m_part_part   = alone ? 16'd0 : batch_part_part;
    assign m_part_parts  = alone ? 16'd1 : batch_part_parts;
    assign m_part_words  = answers ? 13'd0 : shows ? known_words + 13'd2 : batch_part_words;
    assign batch_part_ready = m_part_ready && !alone;

    // ---- what STAT tells.
    reg [63:0] records_q, samples_q, updates_q, stale_q, range_q, saturated_q;
    always @(posedge clk)
        if (rst) begin
            records_q   <= 64'd0;
            samples_q   <= 64'd0;
            updates_q   <= 64'd0;
            stale_q     <= 64'd0;
            range_q     <= 64'd0;
            saturated_q <= 64'd0;
        end else begin
            if (does && s_op == DO_PUT && !part)  records_q   <= records_q + {48'd0, s_count};
            else if (gathered)                    records_q   <= records_q + {48'd0, count_q};
            if (starts)                           samples_q   <= samples_q + {48'd0, count_q};
            if (counted && ended == OP_OK)        updates_q   <= updates_q + 64'd1;
            if (counted && ended == OP_STALE)     stale_q     <= stale_q + 64'd1;
            if (counted && ended == OP_RANGE)     range_q     <= range_q + 64'd1;
            if (prio_valid && prio_take && prio_over && !greatest) saturated_q <= saturated_q + 64'd1;
        end
    assign state_valid     = settled;
    assign state_size      = {{(31-INDEX_WIDTH){1'b0}}, size};
    assign state_next      = {{(32-INDEX_WIDTH){1'b0}}, next};
    assign state_total     = {{(64-SUM_WIDTH){1'b0}}, total};
    wire [32:0] widest     = {{(33-PRIORITY_WIDTH){1'b0}}, largest};
    assign state_largest   = widest[31:0];
    assign state_records   = records_q;
    assign state_samples   = samples_q;
    assign state_updates   = updates_q;
    assign state_stale     = stale_q;
    assign state_range     = range_q;
    assign state_saturated = saturated_q;

    rlc_assert_never u_never (
        .clk(clk), .rst(rst),
        .bad((entry_read && !pending_valid) || (m_sample_valid && m_sample_status != SAMPLE_OK) || (late_valid && at_q != TEXT))
    );
    wire unused = &{1'b0, joint_out, full, capacity, ev_stale, ev_range, ev_kind, ev_empty, ev_miss, late_status, late_total, late_last,
                    had[32], late_priced[32], widest[32], lists, list_offset, put_offset, get_offset, number, set_at,
                    chunk_offset, chunk_q, parts_at, part_offset, s_words, s_way, s_do_keep, s_do_whole, whole_q, part_q, part_words_q};
endmodule
`default_nettype wire
