// rlc_sumtree_banks.sv — the Replay Management Module in BANKS banks: up to BANKS samples and operations a clock.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/sumtree_banks.md (order, queues, throughput). Parameters as of rlc_sumtree; LEAVES_LOG2 and the
// digits speak of one bank, CAPACITY of all. Slot s is slot s / BANKS of bank s mod BANKS; a single bank is rlc_sumtree
// alone, with tags. QUEUE: see rlc_mfifo.
//
// s_op_*, s_sample_*   BANKS lanes, lane l in the l-th slice: valid/ready, independent of each other
// m_op_*, m_sample_*   BANKS streams of answers, one a bank: valid/ready, in the order in which the bank accepted
// cfg_*                as of rlc_sumtree; cfg_capacity is that of all banks together, less than BANKS counts as BANKS
// cfg_private          quasi-static: lane l inserts into and samples from bank l alone
// total, size, capacity  of all banks; largest: of any bank
// ev_*                 one bit a bank
`include "rlc_sumtree_ports.vh"
`default_nettype none
module rlc_sumtree_banks #(
    `include "rlc_sumtree_banks_parameters.vh"
) (
    input  wire                       clk,
    input  wire                       rst,
    `RLC_SUMTREE_CFG(input wire, `RLC_COMMA),
    input  wire                       cfg_private,
    `RLC_SUMTREE_REQUESTS(input wire, input wire [BANKS-1:0], output wire [BANKS-1:0], BANKS, `RLC_COMMA),
    input  wire [BANKS*TAG_WIDTH-1:0] s_op_tag,
    input  wire [BANKS*TAG_WIDTH-1:0] s_sample_tag,
    `RLC_SUMTREE_ANSWERS(output wire, input wire [BANKS-1:0], output wire [BANKS-1:0], BANKS, LOCAL_SUM, `RLC_COMMA),
    output wire [BANKS*TAG_WIDTH-1:0] m_op_tag,
    output wire [BANKS*TAG_WIDTH-1:0] m_sample_tag,
    `RLC_SUMTREE_STATE(output wire, output wire [BANKS-1:0], `RLC_COMMA)
);
    `include "rlc_sumtree_kinds.vh"

    `RLC_SUMTREE_BANKS_LEGAL(rlc_sumtree_banks)
    `RLC_CHECK(BYPASS == 0 || BYPASS == 1, rlc_sumtree_banks_illegal_BYPASS_must_be_0_or_1)
    `RLC_CHECK(CAPACITY >= BANKS && CAPACITY <= (BANKS << LEAVES_LOG2),
               rlc_sumtree_banks_illegal_CAPACITY_must_be_BANKS_or_more_and_at_most_BANKS_times_2_to_the_LEAVES_LOG2)
    `RLC_CHECK(PRIORITY_WIDTH + LEAVES_LOG2 + $clog2(BANKS) <= 52,
               rlc_sumtree_banks_illegal_PRIORITY_WIDTH_and_LEAVES_LOG2_and_log2_BANKS_must_be_at_most_52_together)

    if (BANKS == 1) begin : g_one
        wire unused = cfg_private;
        rlc_sumtree_tagged #(
            `include "rlc_sumtree_args.vh"
            , .STRATA(STRATA), .OP_TAG_WIDTH(TAG_WIDTH), .SAMPLE_TAG_WIDTH(TAG_WIDTH)
        ) u_bank (.*);
    end else begin : g_many
        localparam C_REG       = BYPASS;
        localparam LOCAL_VALUE = (LOCAL_SUM > DRAW_WIDTH) ? LOCAL_SUM : DRAW_WIDTH;
        localparam OP_WIDTH    = 3 + 1 + 3 + LEAVES_LOG2 + GENERATION_BITS + PRIORITY_WIDTH + TAG_WIDTH;
        localparam ASK_WIDTH   = 2 + LOCAL_VALUE + TAG_WIDTH;
        localparam [31:0] MOST  = CAPACITY;
        localparam [31:0] LEAST = BANKS;
        localparam [31:0] LAST  = BANKS - 1;
        `include "rlc_sumtree_late.vh"

        wire [INDEX_WIDTH:0] limit =
            (cfg_capacity == {(INDEX_WIDTH+1){1'b0}} || cfg_capacity > MOST[INDEX_WIDTH:0]) ? MOST[INDEX_WIDTH:0]
          : (cfg_capacity < LEAST[INDEX_WIDTH:0]) ? LEAST[INDEX_WIDTH:0] : cfg_capacity;

        // Every bank and every lane draws by itself. After reset all generators would be in one state.
        localparam [127:0] SEED_0 = 128'h6E789E6A_A1B965F4_E220A839_7B1DCDAF;  // of rlc_xoshiro128pp
        reg          fresh_q;
        always @(posedge clk) fresh_q <= rst;
        wire         reseed = fresh_q || cfg_seed_valid;
        wire [127:0] seed   = cfg_seed_valid ? cfg_seed : SEED_0;

        // Operations: lanes, queues.
        wire [BANKS*OP_WIDTH-1:0]  op_lane;
        wire [BANKS-1:0]           op_valid, op_ready;
        wire [BANKS*BANK_BITS-1:0] op_bank;
        wire [BANKS*OP_WIDTH-1:0]  op_data;
        wire [BANKS-1:0]           queue_valid, queue_ready;
        wire [BANKS*OP_WIDTH-1:0]  queue_data;
        wire                       queues_idle;
        wire [BANKS-1:0]           clear, clear_taken;
        wire [OP_WIDTH-1:0]        clear_data;
        wire                       clear_busy;

        rlc_sumtree_front #(.BANKS(BANKS), .SLOT_WIDTH(INDEX_WIDTH), .WIDTH(OP_WIDTH)) u_front (
            .*, .cfg_capacity(limit),
            .s_valid(s_op_valid), .s_ready(s_op_ready), .s_kind(s_op_kind), .s_slot(s_op_index),
            .s_data(op_lane),
            .m_valid(op_valid), .m_ready(op_ready), .m_bank(op_bank), .m_data(op_data),
            .idle(queues_idle), .busy(clear_busy)
        );
        rlc_sumtree_xbar #(.LANES(BANKS), .BANKS(BANKS), .WIDTH(OP_WIDTH), .QUEUE(QUEUE)) u_op_xbar (
            .clk(clk), .rst(rst),
            .s_valid(op_valid), .s_ready(op_ready), .s_bank(op_bank), .s_data(op_data),
            .m_valid(queue_valid), .m_ready(queue_ready), .m_data(queue_data), .idle(queues_idle)
        );

        // Samples: lanes that pick a bank from one snapshot of the totals, queues.
        wire [BANKS*LOCAL_SUM-1:0] totals;
        wire [BANKS*SUM_WIDTH-1:0] sums, sums_late, sums_later;
        rlc_sumtree_prefix #(.COUNT(BANKS), .WIDTH(LOCAL_SUM)) u_sums (.clk(clk), .numbers(totals), .sums(sums));
        rlc_delay #(.WIDTH(BANKS*SUM_WIDTH), .CLOCKS(LATE)) u_late (.clk(clk), .d(sums), .q(sums_late));
        rlc_delay #(.WIDTH(BANKS*SUM_WIDTH), .CLOCKS(1)) u_later (.clk(clk), .d(sums_late), .q(sums_later));
        assign total = sums[(BANKS-1)*SUM_WIDTH +: SUM_WIDTH];

        wire [BANKS-1:0]           ask_valid, ask_ready;
        wire [BANKS*BANK_BITS-1:0] ask_bank;
        wire [BANKS*ASK_WIDTH-1:0] ask_data;
        wire [BANKS-1:0]           asked_valid, asked_ready;
        wire [BANKS*ASK_WIDTH-1:0] asked_data;
        wire                       asks_idle;
        rlc_sumtree_xbar #(.LANES(BANKS), .BANKS(BANKS), .WIDTH(ASK_WIDTH), .QUEUE(QUEUE)) u_sample_xbar (
            .clk(clk), .rst(rst),
            .s_valid(ask_valid), .s_ready(ask_ready), .s_bank(ask_bank), .s_data(ask_data),
            .m_valid(asked_valid), .m_ready(asked_ready), .m_data(asked_data), .idle(asks_idle)
        );

        // State of all banks.
        wire [BANKS-1:0]                 bank_busy;
        wire [BANKS*(LEAVES_LOG2+1)-1:0] sizes;
        wire [BANKS*(INDEX_WIDTH+1)-1:0] size_sums;
        wire [BANKS*PRIORITY_WIDTH-1:0]  largests;
        assign busy = clear_busy || (|bank_busy);
        rlc_sumtree_prefix #(.COUNT(BANKS), .WIDTH(LEAVES_LOG2+1)) u_size (
            .clk(clk), .numbers(sizes), .sums(size_sums)
        );
        assign size = size_sums[(BANKS-1)*(INDEX_WIDTH+1) +: INDEX_WIDTH+1];
        rlc_sumtree_greatest #(.COUNT(BANKS), .WIDTH(PRIORITY_WIDTH)) u_largest (
            .clk(clk), .numbers(largests), .greatest(largest)
        );
        wire unused = &{1'b0, size_sums, asks_idle};

        genvar l;
        for (l = 0; l < BANKS; l = l + 1) begin : g_lane
            // The banks' generators are 0 to BANKS-1, the lanes' BANKS and up.
            wire [127:0] own_seed;
            rlc_seed #(.STREAM(BANKS + l)) u_seed (.seed(seed), .own(own_seed));

            // CLEAR on another lane than 0 is refused by the bank as an unknown kind, and answered as CLEAR.
            wire [2:0] kind       = s_op_kind[l*3 +: 3];
            wire       misplaced  = kind == OP_CLEAR && l != 0;
            assign op_lane[l*OP_WIDTH +: OP_WIDTH] = {
                misplaced ? 3'd7 : kind, misplaced, s_op_check[l], s_op_max[l], s_op_beyond[l],
                s_op_index[l*INDEX_WIDTH+BANK_BITS +: LEAVES_LOG2],
                s_op_generation[l*GENERATION_BITS +: GENERATION_BITS],
                s_op_priority[l*PRIORITY_WIDTH +: PRIORITY_WIDTH], s_op_tag[l*TAG_WIDTH +: TAG_WIDTH]
            };

            wire [1:0]             ask_kind;
            wire [LOCAL_VALUE-1:0] ask_value;
            wire [TAG_WIDTH-1:0]   ask_tag;
            rlc_sumtree_lane #(
                .BANKS(BANKS), .LANE(l), .TOTAL_WIDTH(LOCAL_SUM), .DRAW_WIDTH(DRAW_WIDTH),
                .VALUE_WIDTH(VALUE_WIDTH), .LOCAL_WIDTH(LOCAL_VALUE), .TAG_WIDTH(TAG_WIDTH), .STRATA(STRATA),
                .C_REG(C_REG)
            ) u_lane (
                .*, .cfg_seed_valid(reseed), .cfg_seed(own_seed),
                .s_valid(s_sample_valid[l]), .s_ready(s_sample_ready[l]), .s_kind(s_sample_kind[l*2 +: 2]),
                .s_value(s_sample_value[l*VALUE_WIDTH +: VALUE_WIDTH]),
                .s_tag(s_sample_tag[l*TAG_WIDTH +: TAG_WIDTH]),
                .m_valid(ask_valid[l]), .m_ready(ask_ready[l]), .m_bank(ask_bank[l*BANK_BITS +: BANK_BITS]),
                .m_kind(ask_kind), .m_value(ask_value), .m_tag(ask_tag)
            );
            assign ask_data[l*ASK_WIDTH +: ASK_WIDTH] = {ask_kind, ask_value, ask_tag};
        end

        genvar b;
        for (b = 0; b < BANKS; b = b + 1) begin : g_bank
            localparam [31:0]          OWN   = b;
            localparam [BANK_BITS-1:0] BANK  = OWN[BANK_BITS-1:0];
            localparam [31:0]          SHARE = LAST - OWN;  // rounds the bank's share of the slots up
            wire [127:0] own_seed;
            rlc_seed #(.STREAM(b)) u_seed (.seed(seed), .own(own_seed));
            wire [INDEX_WIDTH:0] slots = (limit + SHARE[INDEX_WIDTH:0]) >> BANK_BITS;

            // An operation from the queue, or a CLEAR, for which the queue is empty.
            wire [2:0]                 kind;
            wire                       misplaced, check, max, beyond;
            wire [LEAVES_LOG2-1:0]     index;
            wire [GENERATION_BITS-1:0] generation;
            wire [PRIORITY_WIDTH-1:0]  wanted;
            wire [TAG_WIDTH-1:0]       tag;
            assign {kind, misplaced, check, max, beyond, index, generation, wanted, tag} =
                clear[b] ? clear_data : queue_data[b*OP_WIDTH +: OP_WIDTH];

            // A bank knows its own largest priority only, so that of all banks is put in.
            wire                       own_max   = max && cfg_private;
            wire [PRIORITY_WIDTH-1:0]  new_value = (max && !cfg_private) ? largest : wanted;

            wire [1:0]             ask_kind;
            wire [LOCAL_VALUE-1:0] ask_value;
            wire [TAG_WIDTH-1:0]   ask_tag;
            assign {ask_kind, ask_value, ask_tag} = asked_data[b*ASK_WIDTH +: ASK_WIDTH];

            // All banks answer a CLEAR, bank 0 aloud.
            wire                       ready, valid, silent, was_clear;
            wire [2:0]                 answer_kind;
            wire [LEAVES_LOG2-1:0]     answer_index;
            wire [LEAVES_LOG2-1:0]     found_index;
            wire [1:0]                 found_status;
            wire [LEAVES_LOG2:0]       bank_capacity;
            assign queue_ready[b] = ready && !clear[b];
            assign clear_taken[b] = ready && clear[b];
            assign m_op_valid[b]  = valid && !silent;
            assign m_op_kind[b*3 +: 3] = was_clear ? OP_CLEAR : answer_kind;
            assign m_op_index[b*INDEX_WIDTH +: INDEX_WIDTH] = {answer_index, BANK};
            assign m_sample_status[b*2 +: 2] = found_status;
            assign m_sample_index[b*INDEX_WIDTH +: INDEX_WIDTH] =
                {found_index, BANK & {BANK_BITS{found_status == SAMPLE_OK}}};

            localparam integer CAPACITY = (MOST + BANKS - 1 - b) / BANKS;  // the bank's, where it is handed on
            rlc_sumtree_tagged #(
                `include "rlc_sumtree_args.vh"
                , .STRATA(STRATA), .OP_TAG_WIDTH(2 + TAG_WIDTH), .SAMPLE_TAG_WIDTH(TAG_WIDTH)
            ) u_bank (
                .*, .cfg_capacity(slots[LEAVES_LOG2:0]), .cfg_strata(cfg_private ? cfg_strata : 16'd0),
                .cfg_seed_valid(reseed), .cfg_seed(own_seed),
                .s_op_valid(queue_valid[b] || clear[b]), .s_op_ready(ready), .s_op_kind(kind),
                .s_op_check(check), .s_op_max(own_max), .s_op_beyond(beyond), .s_op_index(index),
                .s_op_generation(generation), .s_op_priority(new_value),
                .s_op_tag({clear[b] && b != 0, misplaced, tag}),
                .m_op_valid(valid), .m_op_ready(m_op_ready[b] || silent), .m_op_kind(answer_kind),
                .m_op_status(m_op_status[b*2 +: 2]), .m_op_index(answer_index),
                .m_op_generation(m_op_generation[b*GENERATION_BITS +: GENERATION_BITS]),
                .m_op_priority(m_op_priority[b*PRIORITY_WIDTH +: PRIORITY_WIDTH]),
                .m_op_tag({silent, was_clear, m_op_tag[b*TAG_WIDTH +: TAG_WIDTH]}),
                .s_sample_valid(asked_valid[b]), .s_sample_ready(asked_ready[b]), .s_sample_kind(ask_kind),
                .s_sample_value(ask_value), .s_sample_tag(ask_tag),
                .m_sample_valid(m_sample_valid[b]), .m_sample_ready(m_sample_ready[b]),
                .m_sample_status(found_status), .m_sample_index(found_index),
                .m_sample_priority(m_sample_priority[b*PRIORITY_WIDTH +: PRIORITY_WIDTH]),
                .m_sample_total(m_sample_total[b*LOCAL_SUM +: LOCAL_SUM]),
                .m_sample_generation(m_sample_generation[b*GENERATION_BITS +: GENERATION_BITS]),
                .m_sample_tag(m_sample_tag[b*TAG_WIDTH +: TAG_WIDTH]),
                .busy(bank_busy[b]), .total(totals[b*LOCAL_SUM +: LOCAL_SUM]),
                .size(sizes[b*(LEAVES_LOG2+1) +: LEAVES_LOG2+1]),
                .largest(largests[b*PRIORITY_WIDTH +: PRIORITY_WIDTH]), .capacity(bank_capacity),
                .ev_stale(ev_stale[b]), .ev_range(ev_range[b]), .ev_kind(ev_kind[b]), .ev_empty(ev_empty[b]),
                .ev_miss(ev_miss[b])
            );
            wire bank_unused = &{1'b0, slots, bank_capacity};
        end
    end
endmodule
`default_nettype wire
