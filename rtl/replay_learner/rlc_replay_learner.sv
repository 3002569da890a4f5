// rlc_replay_learner.sv — the whole training loop on the card: sum tree, learner, and experiences in DRAM.
// SPDX-License-Identifier: Apache-2.0
//
// parameters       those of rlc_learner_axi and of rlc_sumtree_axi (PRIORITY_MATHS is 1, BATCH_MAX is both cores'), and
//                  its own; each read in flight has an ID of its own, below 2 bits that change with every reset
//
// s_axil_*         registers: the loop's (replay_learner.rdl) at 0x0000, the tree's at 0x1000, the learner's at 0x2000;
//                  elsewhere SLVERR. WSTRB as rlc_axil_regs says
// s_axis_exp       experiences: the learner's records, with the initial priority in place of the importance weight:
//                  |TD error| with TD_FRAC fraction bits, or 0xFFFFFFFF, the largest priority so far. TLAST comes with a
//                  record's last word, or with CONTROL.packets with that of some; a record of another length is dropped
// s_axis_load, m_axis_read   parameter banks of weights, straight to and from the learner
// m_axi_*          records in memory, one INCR burst each; writes have one ID, so their answers come in order; reads have an
//                  ID each, and their beats may come in any order of IDs and interleaved. Answers that come after a reset
//                  to what was asked before it are taken and forgotten
// irq              high while an enabled interrupt of the loop, the tree or the learner is pending
// hold_sampling, hold_steps   no batch begins to be sampled; no gradient is used for a step: for who acts beside, and sets
//                  HELD if hold_sampling waits for experiences. Alone: 0
// ev_batch, ev_kept, ev_lost, step_done   pulses: a batch is sampled to its end; an experience has got its answer from the tree,
//                  or was refused by the memory; a step's weights are in place
// settled          nothing is being sampled, and no update is due before the next batch
// tree_state       of the tree: rlc_sumtree_words.vh
// bus_*, avg_*     the weights of the network that acts, and the way to their average with other learners', as rlc_learner has
//                  them. Alone: avg_in is 0
// joint_in, joint_out   importance weights over the banks of all learners, with AVERAGE: rlc_sumtree_weight. Alone: 0
//
// order            docs/replay_learner.md: with D batches ahead, S(0) .. S(D), U(0), S(D+1), U(1), ...
// reset            one clock is enough; it empties the tree and leaves weights and memory as they are
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_learner_ports.vh"
`include "rlc_sumtree_words.vh"
module rlc_replay_learner #(
    `include "rlc_replay_learner_parameters.vh"
    , parameter HELD = 0   // 1: hold_sampling may wait for experiences, so no priority keeps the learner from going on
    , parameter AVERAGE = 0   // clocks from a group at avg_out to its average at avg_in; 0: it learns alone
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_exp, field(LANES, 0)*32),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    output wire irq,
    input  wire hold_sampling,
    input  wire hold_steps,
    output wire ev_batch,
    output wire ev_kept,
    output wire ev_lost,
    output wire settled,
    output wire step_done,
    output wire `RLC_SUMTREE_TREE tree_state,
    input  wire `RLC_LEARNER_AVERAGE avg_in,
    output wire `RLC_LEARNER_AVERAGE avg_out,
    input  wire `RLC_SUMTREE_ALL joint_in,
    output wire `RLC_SUMTREE_OWN joint_out,
    output wire [acting_layers(SIZES)-1:0] bus_valid,
    output wire [acting_layers(SIZES) * acting_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH)-1:0] bus_data
);
    `include "rlc_learner_defs.vh"

    // ---- records
    localparam ACTOR       = lists(SIZES) > 1;
    localparam LANES_0     = field(LANES, 0);
    localparam SIZE_S      = field(acting(SIZES), 0);
    localparam SIZE_A      = ACTOR ? field(acting(SIZES), acting_layers(SIZES)) : 0;
    localparam ACTIONS     = field(SIZES, fields(SIZES) - 1);   // as rlc_learner has it: 1 where actions are vectors
    localparam WORD        = 32 * LANES_0;
    localparam WORDS       = words(3, LANES_0) + 2 * words(SIZE_S, LANES_0) + (ACTOR ? words(SIZE_A, LANES_0) : 0);
    localparam RATIO       = (DATA_WIDTH >= WORD) ? DATA_WIDTH / WORD : 1;
    localparam SPLIT       = (DATA_WIDTH >= WORD) ? 1 : (WORD + DATA_WIDTH - 1) / DATA_WIDTH;
    localparam BEATS       = (DATA_WIDTH >= WORD) ? (WORDS + RATIO - 1) / RATIO : WORDS * SPLIT;
    localparam STRIDE_LOG2 = $clog2(BEATS * (DATA_WIDTH / 8));
    localparam STRIDE      = 1 << STRIDE_LOG2;
    localparam TAG_WIDTH   = (GENERATION_WIDTH > 0) ? GENERATION_WIDTH : 1;
    localparam INDEX_WIDTH = LEAVES_LOG2;
    localparam REC_WIDTH   = 2 + 18 + TAG_WIDTH + INDEX_WIDTH;
    localparam UPD_WIDTH   = 2 + TAG_WIDTH + INDEX_WIDTH;
    localparam EPOCH_WIDTH = 2;
    localparam AHEAD_WIDTH = $clog2(AHEAD_MAX + 2);

    `RLC_REPLAY_LEARNER_LEGAL(rlc_replay_learner)
    `RLC_CHECK(BEATS <= 256 && STRIDE <= 4096,
               rlc_replay_learner_illegal_a_record_must_take_at_most_256_beats_and_4096_bytes)
    `RLC_CHECK(HELD == 0 || HELD == 1, rlc_replay_learner_illegal_HELD_must_be_0_or_1)
    // As many reservations of one slot as are on their way must be told apart, however small the capacity in force.
    `RLC_CHECK((1 << GENERATION_WIDTH) > WRITES,
               rlc_replay_learner_illegal_2_to_the_GENERATION_WIDTH_must_be_more_than_WRITES)
    `RLC_CHECK(LEAVES_LOG2 + STRIDE_LOG2 <= ADDR_WIDTH,
               rlc_replay_learner_illegal_ADDR_WIDTH_must_reach_2_to_the_LEAVES_LOG2_records)

    // ---- registers: three windows on one bus
    `RLC_AXIL_WIRES(x, 12, 3);
    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(12), .PORTS(3)) u_split (.*, `RLC_AXIL_JOIN(m_axil, x));

    localparam REGS = 44;
    wire        wr_en, wr_acts, rd_en;
    wire [9:0]  wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (.*, `RLC_AXIL_PICK(s_axil, x, 0));

    wire                  start, stop, abort, aborting, enough, busy, running, sampling, waiting, pending, rx_busy;
    wire                  abort_stop, abort_drop, abort_tree, abort_learner, abort_prio, abort_flush;
    wire                  cfg_rx_enable, cfg_packets;
    wire [15:0]           cfg_batch;
    wire [31:0]           cfg_steps;
    wire [AHEAD_WIDTH-1:0] ahead, cfg_ahead;
    wire [4:0]            cfg_td_frac;
    wire [ADDR_WIDTH-1:0] cfg_base;
    wire                  host_valid, host_ready, host_waits, host_check;
    wire [2:0]            host_kind;
    wire [31:0]           host_index, host_value, host_generation;
    wire [1:0]            answer_status;
    wire [31:0]           answer_index, answer_value, answer_generation;
    wire                  updated, reserve_taken, tree_mismatch, learner_mismatch;
    wire                  ev_sample, ev_answer, ev_empty, ev_void, ev_fed, ev_framing, ev_dropped;
    wire                  ev_commit, ev_commit_stale, ev_update_stale, ev_insert;
    wire                  read_failed, write_failed;
    wire [ADDR_WIDTH-1:0] read_failed_addr, write_failed_addr;
    wire                  stall_order, stall_tree, stall_memory, stall_empty;
    wire                  loop_irq, tree_irq, learner_irq;
    rlc_replay_regs #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .READS(READS), .WRITES(WRITES), .AHEAD_MAX(AHEAD_MAX),
        .BATCH_MAX(BATCH_MAX), .WORDS(WORDS), .BEATS(BEATS), .STRIDE(STRIDE),
        .REACH_LOG2(LEAVES_LOG2 + STRIDE_LOG2), .LANES_0(LANES_0)
    ) u_regs (
        .*, .reg_wr_en(wr_en), .reg_wr_addr(wr_addr[5:0]), .reg_wr_data(wr_data), .reg_wr_acts(wr_acts),
        .reg_rd_addr(rd_addr[5:0]), .reg_rd_data(rd_data), .working(sampling || ahead != {AHEAD_WIDTH{1'b0}} || pending), .ev_updated(updated),
        .ev_reserve(reserve_taken), .ev_mismatch(tree_mismatch || learner_mismatch), .irq(loop_irq)
    );
    assign irq = loop_irq || tree_irq || learner_irq;

    // ---- back to idle. Whatever moves is seen by one of these within a few clocks.
    wire tree_aborting, learner_aborting, records_inside, moving;
    rlc_replay_abort u_abort (
        .*, .tree_busy(tree_aborting), .learner_busy(learner_aborting), .stop(abort_stop), .drop(abort_drop),
        .tree_abort(abort_tree), .learner_abort(abort_learner), .prio_drop(abort_prio), .flush(abort_flush)
    );

    // Answers to what was asked before a reset that memory did not see must not be taken for answers to what is asked
    // after it. So this counter is no part of the reset.
    reg [EPOCH_WIDTH-1:0] epoch;
    reg                   rst_q;
    initial epoch = {EPOCH_WIDTH{1'b0}};
    initial rst_q = 1'b0;
    always @(posedge clk) begin
        rst_q <= rst;
        if (rst && !rst_q) epoch <= epoch + 1'b1;
    end

    // ---- experiences into memory
    `RLC_STREAM_WIRES(beat, DATA_WIDTH);
    `RLC_STREAM_WIRES(first, 32);
    wire beat_last, whole;
    rlc_replay_rx #(
        .LANES(LANES_0), .WORDS(WORDS), .DATA_WIDTH(DATA_WIDTH), .BEATS(BEATS), .PLACES(WRITES)
    ) u_rx (
        .*, .enable(cfg_rx_enable), .packets(cfg_packets), .discard(abort), .framing(ev_framing), .dropped(ev_dropped),
        .s_valid(s_axis_exp_tvalid), .s_ready(s_axis_exp_tready), .s_data(s_axis_exp_tdata), .s_last(s_axis_exp_tlast),
        `RLC_STREAM_JOIN(m_beat, beat), .m_beat_last(beat_last), `RLC_STREAM_JOIN(m_prio, first),
        .done_a(ev_commit || ev_commit_stale), .done_b(write_failed), .busy(rx_busy)
    );

    // What goes to the tree has its names there: reservations, commits and updates.
    wire                   s_res_valid, s_res_ready, s_com_valid, s_com_ready, s_com_max, s_upd_valid, s_upd_ready;
    wire [INDEX_WIDTH-1:0] s_com_index, s_upd_index, slot_index;
    wire [TAG_WIDTH-1:0]   s_com_generation, s_upd_generation, slot_generation;
    wire [31:0]            s_com_value, s_upd_value;
    wire                   slot_valid, under_way;
    wire [31:0]            sampled, fetched;
    rlc_replay_writer #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .EPOCH_WIDTH(EPOCH_WIDTH), .ID_WIDTH(ID_WIDTH), .BEATS(BEATS),
        .STRIDE_LOG2(STRIDE_LOG2), .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .WRITES(WRITES)
    ) u_writer (
        .*, `RLC_STREAM_JOIN(s_beat, beat), .s_beat_last(beat_last), `RLC_STREAM_JOIN(s_prio, first),
        .m_reserve_valid(s_res_valid), .m_reserve_ready(s_res_ready),
        .s_slot_valid(slot_valid), .s_slot_index(slot_index), .s_slot_generation(slot_generation),
        .m_commit_valid(s_com_valid), .m_commit_ready(s_com_ready), .m_commit_index(s_com_index),
        .m_commit_generation(s_com_generation), .m_commit_value(s_com_value), .m_commit_max(s_com_max),
        .commit_done(ev_commit || ev_commit_stale), .failed(write_failed), .failed_addr(write_failed_addr)
    );

    // ---- samples, and their records out of memory
    wire                 m_sample_valid, m_sample_ready, m_tag_valid, m_tag_ready;
    wire `RLC_SUMTREE_DRAWN sample;
    wire [31:0]          sample_index      = sample[`RLC_SUMTREE_DRAWN_INDEX];
    wire [31:0]          sample_generation = sample[`RLC_SUMTREE_DRAWN_GENERATION];
    wire                 sample_valid, sample_last, may_update;
    wire [REC_WIDTH-1:0] m_tag;
    rlc_replay_sampler #(
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .BATCH_MAX(BATCH_MAX), .AHEAD_MAX(AHEAD_MAX)
    ) u_sampler (
        .*, .stop(stop || abort_stop), .enough(enough && !hold_sampling), .flush(abort_flush), .ev_mismatch(tree_mismatch),
        .s_answer_valid(sample_valid), .s_answer_index(sample_index[INDEX_WIDTH-1:0]),
        .s_answer_generation(sample_generation[TAG_WIDTH-1:0]),
        .s_answer_weight(sample[`RLC_SUMTREE_DRAWN_WEIGHT]),
        .s_answer_status(sample[`RLC_SUMTREE_DRAWN_STATUS]), .s_answer_last(sample_last)
    );

    wire                 rec_valid, rec_ready;
    wire [REC_WIDTH-1:0] rec;
    `RLC_STREAM_WIRES(back, DATA_WIDTH);
    rlc_replay_reader #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .BEATS(BEATS), .STRIDE_LOG2(STRIDE_LOG2),
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .READS(READS), .EPOCH_WIDTH(EPOCH_WIDTH)
    ) u_reader (
        .*, .drop(abort_drop), .flush(abort_flush), .s_tag_valid(m_tag_valid), .s_tag_ready(m_tag_ready), .s_tag(m_tag),
        .m_rec_valid(rec_valid), .m_rec_ready(rec_ready), .m_rec(rec), `RLC_STREAM_JOIN(m_beat, back),
        .failed(read_failed), .failed_addr(read_failed_addr)
    );

    // ---- records to the learner, TD errors from it
    `RLC_STREAM_WIRES(train, WORD);
    `RLC_STREAM_WIRES(prio, 32);
    wire                 prio_last, upd_tag_valid;
    wire [UPD_WIDTH-1:0] upd_tag;
    rlc_replay_feeder #(
        .LANES(LANES_0), .WORDS(WORDS), .DATA_WIDTH(DATA_WIDTH), .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH),
        .ACTIONS(ACTIONS)
    ) u_feeder (
        .*, .rst(rst || abort_flush), .s_rec_valid(rec_valid), .s_rec_ready(rec_ready), .s_rec(rec),
        `RLC_STREAM_JOIN(s_beat, back), `RLC_STREAM_JOIN(m, train), .m_tag_valid(upd_tag_valid), .m_tag(upd_tag)
    );
    rlc_replay_updater #(
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .BATCH_MAX(BATCH_MAX), .AHEAD_MAX(AHEAD_MAX), .HELD(HELD)
    ) u_updater (
        .*, .rst(rst || abort_flush), .s_tag_valid(upd_tag_valid), .s_tag(upd_tag),
        .s_prio_valid(prio_valid && !abort_prio), .s_prio_ready(prio_ready), .s_prio_data(prio_data),
        .s_prio_last(prio_last), .m_op_valid(s_upd_valid), .m_op_ready(s_upd_ready), .m_op_index(s_upd_index),
        .m_op_generation(s_upd_generation), .m_op_value(s_upd_value), .ev_mismatch(learner_mismatch)
    );

    `RLC_STREAM_WIRES(op, 128);
    wire         op_answer_valid;
    wire [127:0] op_answer;
    rlc_replay_tree_arbiter #(.INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH)) u_tree_arbiter (
        .*, .s_host_valid(host_valid), .s_host_ready(host_ready), .s_host_kind(host_kind), .s_host_check(host_check),
        .s_host_index(host_index), .s_host_generation(host_generation), .s_host_value(host_value),
        `RLC_STREAM_JOIN(m_op, op), .s_answer_valid(op_answer_valid), .s_answer_data(op_answer),
        .host_status(answer_status), .host_index(answer_index), .host_value(answer_value),
        .host_generation(answer_generation)
    );

    assign ev_kept = ev_commit || ev_commit_stale;
    assign ev_lost = write_failed;
    assign settled = !sampling && ahead <= cfg_ahead;
    assign moving = records_inside || train_valid || pending || under_way;
    rlc_replay_stalls #(.PLACES((AHEAD_MAX + 1) * BATCH_MAX)) u_stalls (
        .*, .takes(train_ready), .has(train_valid), .asking(sampling || waiting), .answered(ev_answer), .fed(ev_fed),
        .flush(abort_flush), .held(records_inside), .memory(stall_memory), .tree(stall_tree), .empty(stall_empty),
        .order(stall_order)
    );

    // ---- the two cores. Their answers are always taken, so neither of the tree's ports ever waits for the other.
    wire op_last;
    rlc_sumtree_axi #(
        `include "rlc_sumtree_args.vh"
        , .PRIORITY_MATHS(1), .BATCH_MAX(BATCH_MAX), .JOINT(AVERAGE != 0)
    ) u_tree (
        .clk(clk), .rst(rst), `RLC_AXIL_PICK(s_axil, x, 1),
        .s_axis_op_tdata(op_data), .s_axis_op_tvalid(op_valid), .s_axis_op_tready(op_ready), .s_axis_op_tlast(1'b1),
        .m_axis_op_tdata(op_answer), .m_axis_op_tvalid(op_answer_valid), .m_axis_op_tready(1'b1),
        .m_axis_op_tlast(op_last),
        .s_axis_sample_tdata(64'd0), .s_axis_sample_tvalid(m_sample_valid), .s_axis_sample_tready(m_sample_ready),
        .s_axis_sample_tlast(1'b0),
        .m_axis_sample_tdata(sample), .m_axis_sample_tvalid(sample_valid), .m_axis_sample_tready(1'b1),
        .m_axis_sample_tlast(sample_last),
        .irq(tree_irq), .abort_in(abort_tree), .aborting(tree_aborting),
        .locked({1'b1, busy || rx_busy || host_valid || host_waits, busy}), .tree_state(tree_state),
        .joint_in(joint_in), .joint_out(joint_out)
    );
    rlc_learner_axi #(
        `include "rlc_learner_args.vh"
        , .AVERAGE(AVERAGE)
    ) u_learner (
        .*, `RLC_AXIL_PICK(s_axil, x, 2),
        .s_axis_rec_tdata(train_data), .s_axis_rec_tvalid(train_valid), .s_axis_rec_tready(train_ready),
        .s_axis_rec_tlast(1'b0),
        .m_axis_prio_tdata(prio_data), .m_axis_prio_tvalid(prio_valid), .m_axis_prio_tready(prio_ready || abort_prio),
        .m_axis_prio_tlast(prio_last),
        .irq(learner_irq), .abort_in(abort_learner), .aborting(learner_aborting), .hold(hold_steps)
    );

    // rlc_axil_regs hands on no index beyond REGS; answers come in order and are told apart
    // by what they say.
    wire unused = &{1'b0, wr_addr[9:6], rd_en, rd_addr[9:6], op_last, sample, sample_index, sample_generation};
endmodule
`default_nettype wire
