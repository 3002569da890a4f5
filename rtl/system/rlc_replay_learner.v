// rlc_replay_learner.v — the whole training loop on the card: sum tree, learner, and experiences in DRAM.
// SPDX-License-Identifier: Apache-2.0
//
// parameters       those of rlc_learner_axi and of rlc_sumtree_axi (PRIORITY_MATHS is 1, BATCH_MAX is both cores'), and:
// DATA_WIDTH       bits of a beat of m_axi, a power of two, 32 to 1024
// ADDR_WIDTH       bits of its addresses, 12 to 64
// READS            reads in flight at most, a power of two, 2 to 256: each has an ID of its own, below 2 bits that change
//                  with every reset
// WRITES           experiences on their way at most, from the reservation of a slot to its commit, 2 to 256
// AHEAD_MAX        largest D, 0 to 15: batches that sampling may go ahead of the priority updates
// ID_WIDTH         derived; leave it alone
//
// s_axil_*         registers: the loop's (replay_learner.rdl) at 0x0000, the tree's at 0x1000, the learner's at 0x2000;
//                  elsewhere SLVERR. WSTRB as rlc_axil_regs says
// s_axis_exp       experiences: the learner's records, with the initial priority in place of the importance weight:
//                  |TD error| with TD_FRAC fraction bits, or 0xFFFFFFFF, the largest priority so far. TLAST comes with a
//                  record's last word, or with CONTROL.packets with that of some; a record of another length is dropped
// s_axis_load, m_axis_read   planes of weights, straight to and from the learner
// m_axi_*          records in memory, one INCR burst each; writes have one ID, so their answers come in order; reads have an
//                  ID each, and their beats may come in any order of IDs and interleaved. Answers that come after a reset
//                  to what was asked before it are taken and forgotten
// irq              high while an enabled interrupt of the loop, the tree or the learner is pending
//
// order            docs/replay_learner.md: with D batches ahead, S(0) .. S(D), U(0), S(D+1), U(1), ...
// reset            one clock is enough; it empties the tree and leaves weights and memory as they are
`default_nettype none
module rlc_replay_learner #(
    parameter [1023:0] SIZES             = "4-8-8-2",
    parameter [1023:0] LANES             = "4-4-4-2",
    parameter [1023:0] FORWARD           = "1-2-1",
    parameter [1023:0] BACKWARD          = "1-2-1",
    parameter [1023:0] UPDATE_ROWS       = "4-4-2",
    parameter [1023:0] UPDATE_COLS       = "1-2-1",
    parameter DP               = 1,
    parameter BATCH_MAX        = 64,
    parameter OPTIMISER        = 2,
    parameter ROUND            = 0,
    parameter POLYAK           = 0,
    parameter WEIGHT_WIDTH     = 27,
    parameter WEIGHT_FRAC      = 22,
    parameter ACT_WIDTH        = 18,
    parameter VALUE_WIDTH      = 27,
    parameter GRAD_WIDTH       = 27,
    parameter BETA1_NUM        = 205,
    parameter BETA1_SHIFT      = 11,
    parameter BETA2_NUM        = 131,
    parameter BETA2_SHIFT      = 17,
    parameter [1023:0] ACTOR_SIZES       = "0",
    parameter [1023:0] ACTOR_LANES       = "0",
    parameter [1023:0] ACTOR_FORWARD     = "0",
    parameter [1023:0] ACTOR_BACKWARD    = "0",
    parameter [1023:0] ACTOR_UPDATE_ROWS = "0",
    parameter [1023:0] ACTOR_UPDATE_COLS = "0",
    parameter RECORDS          = 8,
    parameter LEAVES_LOG2      = 12,
    parameter RADIX_LOG2       = 4,
    parameter CAPACITY         = 4096,
    parameter PRIORITY_WIDTH   = 18,
    parameter DRAW_WIDTH       = 32,
    parameter GENERATION_WIDTH = 8,
    parameter SHARED           = 0,
    parameter HEAD_STYLE       = 2,
    parameter HEAD_LATENCY     = 2,
    parameter NARROW_STYLE     = 2,
    parameter NARROW_LATENCY   = 2,
    parameter WIDE_STYLE       = 2,
    parameter WIDE_LATENCY     = 2,
    parameter BYPASS           = 0,
    parameter ADDS             = 2,
    parameter DATA_WIDTH       = 128,
    parameter ADDR_WIDTH       = 34,
    parameter READS            = 16,
    parameter WRITES           = 8,
    parameter AHEAD_MAX        = 4,
    parameter ID_WIDTH         = $clog2(READS) + 2
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire [15:0]                   s_axil_awaddr,
    input  wire [2:0]                    s_axil_awprot,
    input  wire                          s_axil_awvalid,
    output wire                          s_axil_awready,
    input  wire [31:0]                   s_axil_wdata,
    input  wire [3:0]                    s_axil_wstrb,
    input  wire                          s_axil_wvalid,
    output wire                          s_axil_wready,
    output wire [1:0]                    s_axil_bresp,
    output wire                          s_axil_bvalid,
    input  wire                          s_axil_bready,
    input  wire [15:0]                   s_axil_araddr,
    input  wire [2:0]                    s_axil_arprot,
    input  wire                          s_axil_arvalid,
    output wire                          s_axil_arready,
    output wire [31:0]                   s_axil_rdata,
    output wire [1:0]                    s_axil_rresp,
    output wire                          s_axil_rvalid,
    input  wire                          s_axil_rready,

    input  wire [field(LANES, 0)*32-1:0] s_axis_exp_tdata,
    input  wire                          s_axis_exp_tvalid,
    output wire                          s_axis_exp_tready,
    input  wire                          s_axis_exp_tlast,

    input  wire [63:0]                   s_axis_load_tdata,
    input  wire                          s_axis_load_tvalid,
    output wire                          s_axis_load_tready,
    input  wire                          s_axis_load_tlast,

    output wire [63:0]                   m_axis_read_tdata,
    output wire                          m_axis_read_tvalid,
    input  wire                          m_axis_read_tready,
    output wire                          m_axis_read_tlast,

    output wire [ID_WIDTH-1:0]           m_axi_awid,
    output wire [ADDR_WIDTH-1:0]         m_axi_awaddr,
    output wire [7:0]                    m_axi_awlen,
    output wire [2:0]                    m_axi_awsize,
    output wire [1:0]                    m_axi_awburst,
    output wire [3:0]                    m_axi_awcache,
    output wire [2:0]                    m_axi_awprot,
    output wire                          m_axi_awvalid,
    input  wire                          m_axi_awready,
    output wire [DATA_WIDTH-1:0]         m_axi_wdata,
    output wire [DATA_WIDTH/8-1:0]       m_axi_wstrb,
    output wire                          m_axi_wlast,
    output wire                          m_axi_wvalid,
    input  wire                          m_axi_wready,
    input  wire [ID_WIDTH-1:0]           m_axi_bid,
    input  wire [1:0]                    m_axi_bresp,
    input  wire                          m_axi_bvalid,
    output wire                          m_axi_bready,
    output wire [ID_WIDTH-1:0]           m_axi_arid,
    output wire [ADDR_WIDTH-1:0]         m_axi_araddr,
    output wire [7:0]                    m_axi_arlen,
    output wire [2:0]                    m_axi_arsize,
    output wire [1:0]                    m_axi_arburst,
    output wire [3:0]                    m_axi_arcache,
    output wire [2:0]                    m_axi_arprot,
    output wire                          m_axi_arvalid,
    input  wire                          m_axi_arready,
    input  wire [ID_WIDTH-1:0]           m_axi_rid,
    input  wire [DATA_WIDTH-1:0]         m_axi_rdata,
    input  wire [1:0]                    m_axi_rresp,
    input  wire                          m_axi_rlast,
    input  wire                          m_axi_rvalid,
    output wire                          m_axi_rready,

    output wire                          irq
);
    `include "rlc_learner_defs.vh"

    // ---- records
    localparam ACTOR       = fields(ACTOR_SIZES) > 1;
    localparam LANES_0     = field(LANES, 0);
    localparam SIZE_S      = ACTOR ? field(ACTOR_SIZES, 0) : field(SIZES, 0);
    localparam SIZE_A      = ACTOR ? field(ACTOR_SIZES, fields(ACTOR_SIZES) - 1) : 0;
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

    if (!(DATA_WIDTH >= 32 && DATA_WIDTH <= 1024 && DATA_WIDTH == (1 << $clog2(DATA_WIDTH)))) begin : g_check_data
        rlc_replay_learner_illegal_DATA_WIDTH_must_be_a_power_of_two_and_32_to_1024 u_stop ();
    end
    if (ID_WIDTH != $clog2(READS) + 2) begin : g_check_id
        rlc_replay_learner_illegal_ID_WIDTH_follows_from_READS u_stop ();
    end
    if (!(ADDR_WIDTH >= 12 && ADDR_WIDTH <= 64)) begin : g_check_addr
        rlc_replay_learner_illegal_ADDR_WIDTH_must_be_12_to_64 u_stop ();
    end
    if (!(READS >= 2 && READS <= 256 && READS == (1 << $clog2(READS)))) begin : g_check_reads
        rlc_replay_learner_illegal_READS_must_be_a_power_of_two_and_2_to_256 u_stop ();
    end
    if (!(WRITES >= 2 && WRITES <= 256)) begin : g_check_writes
        rlc_replay_learner_illegal_WRITES_must_be_2_to_256 u_stop ();
    end
    if (!(AHEAD_MAX >= 0 && AHEAD_MAX <= 15)) begin : g_check_ahead
        rlc_replay_learner_illegal_AHEAD_MAX_must_be_0_to_15 u_stop ();
    end
    if (!(BEATS <= 256 && STRIDE <= 4096)) begin : g_check_record
        rlc_replay_learner_illegal_a_record_must_take_at_most_256_beats_and_4096_bytes u_stop ();
    end
    // As many reservations of one slot as are on their way must be told apart, however small the capacity in force.
    if (!((1 << GENERATION_WIDTH) > WRITES)) begin : g_check_generation
        rlc_replay_learner_illegal_2_to_the_GENERATION_WIDTH_must_be_more_than_WRITES u_stop ();
    end
    if (!(LEAVES_LOG2 + STRIDE_LOG2 <= ADDR_WIDTH)) begin : g_check_reach
        rlc_replay_learner_illegal_ADDR_WIDTH_must_reach_2_to_the_LEAVES_LOG2_records u_stop ();
    end

    // ---- registers: three windows on one bus
    wire [11:0] x_awaddr;
    wire [2:0]  x_awprot;
    wire [2:0]  x_awvalid, x_awready;
    wire [31:0] x_wdata;
    wire [3:0]  x_wstrb;
    wire [2:0]  x_wvalid, x_wready;
    wire [5:0]  x_bresp;
    wire [2:0]  x_bvalid, x_bready;
    wire [11:0] x_araddr;
    wire [2:0]  x_arprot;
    wire [2:0]  x_arvalid, x_arready;
    wire [95:0] x_rdata;
    wire [5:0]  x_rresp;
    wire [2:0]  x_rvalid, x_rready;
    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(12), .PORTS(3)) u_split (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .m_axil_awaddr(x_awaddr), .m_axil_awprot(x_awprot), .m_axil_awvalid(x_awvalid), .m_axil_awready(x_awready),
        .m_axil_wdata(x_wdata), .m_axil_wstrb(x_wstrb), .m_axil_wvalid(x_wvalid), .m_axil_wready(x_wready),
        .m_axil_bresp(x_bresp), .m_axil_bvalid(x_bvalid), .m_axil_bready(x_bready),
        .m_axil_araddr(x_araddr), .m_axil_arprot(x_arprot), .m_axil_arvalid(x_arvalid), .m_axil_arready(x_arready),
        .m_axil_rdata(x_rdata), .m_axil_rresp(x_rresp), .m_axil_rvalid(x_rvalid), .m_axil_rready(x_rready)
    );

    localparam REGS = 44;
    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        wr_acts;
    wire        rd_en;
    wire [9:0]  rd_addr;
    wire [31:0] rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(x_awaddr), .s_axil_awprot(x_awprot),
        .s_axil_awvalid(x_awvalid[0]), .s_axil_awready(x_awready[0]),
        .s_axil_wdata(x_wdata), .s_axil_wstrb(x_wstrb),
        .s_axil_wvalid(x_wvalid[0]), .s_axil_wready(x_wready[0]),
        .s_axil_bresp(x_bresp[1:0]), .s_axil_bvalid(x_bvalid[0]), .s_axil_bready(x_bready[0]),
        .s_axil_araddr(x_araddr), .s_axil_arprot(x_arprot),
        .s_axil_arvalid(x_arvalid[0]), .s_axil_arready(x_arready[0]),
        .s_axil_rdata(x_rdata[31:0]), .s_axil_rresp(x_rresp[1:0]),
        .s_axil_rvalid(x_rvalid[0]), .s_axil_rready(x_rready[0]),
        .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data), .wr_acts(wr_acts),
        .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(rd_data)
    );

    wire                  start, stop, enough;
    wire                  abort, aborting, abort_stop, abort_drop, abort_tree, abort_learner, abort_prio, abort_flush;
    wire                  cfg_packets, framing, dropped;
    wire                  busy, running, sampling, waiting, pending, intake_busy;
    wire [4:0]            ahead;
    wire                  cfg_intake;
    wire [15:0]           cfg_batch;
    wire [31:0]           cfg_steps;
    wire [3:0]            cfg_ahead;
    wire [4:0]            cfg_td_frac;
    wire [ADDR_WIDTH-1:0] cfg_base;
    wire                  host_valid, host_ready, host_waits, host_check;
    wire [2:0]            host_kind;
    wire [31:0]           host_index, host_value, host_generation;
    wire [1:0]            answer_status;
    wire [31:0]           answer_index, answer_value, answer_generation;
    wire                  updated;
    wire                  ev_sample, ev_answer, ev_empty, ev_void, ev_fed;
    wire                  ev_commit, ev_commit_stale, ev_update_stale, ev_insert;
    wire                  tree_mismatch, learner_mismatch;
    wire                  reserve_taken;
    wire                  read_failed, write_failed;
    wire [ADDR_WIDTH-1:0] read_failed_addr, write_failed_addr;
    wire                  stall_order, stall_tree, stall_memory, stall_empty;
    wire                  loop_irq, tree_irq, learner_irq;
    rlc_replay_regs #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .READS(READS), .WRITES(WRITES), .AHEAD_MAX(AHEAD_MAX),
        .BATCH_MAX(BATCH_MAX), .WORDS(WORDS), .BEATS(BEATS), .STRIDE(STRIDE),
        .REACH_LOG2(LEAVES_LOG2 + STRIDE_LOG2), .LANES_0(LANES_0)
    ) u_regs (
        .clk(clk), .rst(rst),
        .reg_wr_en(wr_en), .reg_wr_addr(wr_addr[5:0]), .reg_wr_data(wr_data), .reg_wr_acts(wr_acts),
        .reg_rd_addr(rd_addr[5:0]), .reg_rd_data(rd_data),
        .start(start), .stop(stop), .abort(abort), .aborting(aborting), .cfg_packets(cfg_packets),
        .cfg_intake(cfg_intake), .cfg_batch(cfg_batch), .cfg_steps(cfg_steps),
        .cfg_ahead(cfg_ahead), .cfg_td_frac(cfg_td_frac), .cfg_base(cfg_base), .enough(enough),
        .busy(busy), .running(running), .working(sampling || ahead != 5'd0 || pending), .intake_busy(intake_busy),
        .host_valid(host_valid), .host_ready(host_ready), .host_waits(host_waits), .host_kind(host_kind),
        .host_check(host_check), .host_index(host_index), .host_value(host_value),
        .host_generation(host_generation), .answer_status(answer_status), .answer_index(answer_index),
        .answer_value(answer_value), .answer_generation(answer_generation),
        .ev_updated(updated), .ev_sample(ev_sample), .ev_reserve(reserve_taken), .ev_commit(ev_commit),
        .ev_commit_stale(ev_commit_stale), .ev_update_stale(ev_update_stale), .ev_insert(ev_insert),
        .ev_void(ev_void), .ev_empty(ev_empty), .ev_mismatch(tree_mismatch || learner_mismatch),
        .ev_framing(framing), .ev_dropped(dropped),
        .read_failed(read_failed), .read_failed_addr(read_failed_addr),
        .write_failed(write_failed), .write_failed_addr(write_failed_addr),
        .stall_order(stall_order), .stall_tree(stall_tree), .stall_memory(stall_memory), .stall_empty(stall_empty),
        .irq(loop_irq)
    );
    assign irq = loop_irq || tree_irq || learner_irq;

    // ---- back to idle. Whatever moves is seen by one of these within a few clocks.
    wire tree_aborting, learner_aborting, records_inside, moving;
    rlc_replay_abort u_abort (
        .clk(clk), .rst(rst), .abort(abort), .sampling(sampling), .tree_busy(tree_aborting),
        .learner_busy(learner_aborting), .moving(moving), .stop(abort_stop), .drop(abort_drop),
        .tree_abort(abort_tree), .learner_abort(abort_learner), .prio_drop(abort_prio), .flush(abort_flush), .aborting(aborting)
    );

    // Answers to what was asked before a reset that memory did not see must not be taken for answers to what is asked
    // after it. So this counter is no part of the reset.
    reg [EPOCH_WIDTH-1:0] epoch_q;
    reg                   rst_q;
    initial epoch_q = {EPOCH_WIDTH{1'b0}};
    initial rst_q   = 1'b0;
    always @(posedge clk) begin
        rst_q <= rst;
        if (rst && !rst_q) epoch_q <= epoch_q + 1'b1;
    end

    // ---- experiences into memory
    wire                   beat_valid, beat_ready, beat_last, whole;
    wire [DATA_WIDTH-1:0]  beat_data;
    wire                   first_valid, first_ready;
    wire [31:0]            first_data;
    rlc_replay_intake #(
        .LANES(LANES_0), .WORDS(WORDS), .DATA_WIDTH(DATA_WIDTH), .BEATS(BEATS), .PLACES(WRITES)
    ) u_intake (
        .clk(clk), .rst(rst), .enable(cfg_intake), .packets(cfg_packets), .discard(abort), .framing(framing),
        .dropped(dropped),
        .s_valid(s_axis_exp_tvalid), .s_ready(s_axis_exp_tready), .s_data(s_axis_exp_tdata), .s_last(s_axis_exp_tlast),
        .m_beat_valid(beat_valid), .m_beat_ready(beat_ready), .m_beat_data(beat_data), .m_beat_last(beat_last),
        .whole(whole), .m_prio_valid(first_valid), .m_prio_ready(first_ready), .m_prio_data(first_data),
        .done_a(ev_commit || ev_commit_stale), .done_b(write_failed), .busy(intake_busy)
    );

    wire                   res_valid, res_ready;
    wire                   slot_valid;
    wire [INDEX_WIDTH-1:0] slot_index;
    wire [TAG_WIDTH-1:0]   slot_generation;
    wire                   com_valid, com_ready, com_max;
    wire [INDEX_WIDTH-1:0] com_index;
    wire [TAG_WIDTH-1:0]   com_generation;
    wire [31:0]            com_value;
    wire [31:0]            sampled, fetched;
    rlc_replay_writer #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .EPOCH_WIDTH(EPOCH_WIDTH), .ID_WIDTH(ID_WIDTH), .BEATS(BEATS),
        .STRIDE_LOG2(STRIDE_LOG2), .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .WRITES(WRITES)
    ) u_writer (
        .clk(clk), .rst(rst), .epoch(epoch_q), .cfg_base(cfg_base),
        .whole(whole), .s_beat_valid(beat_valid), .s_beat_ready(beat_ready), .s_beat_data(beat_data),
        .s_beat_last(beat_last), .s_prio_valid(first_valid), .s_prio_ready(first_ready), .s_prio_data(first_data),
        .m_reserve_valid(res_valid), .m_reserve_ready(res_ready), .reserve_taken(reserve_taken), .sampled(sampled),
        .s_slot_valid(slot_valid), .s_slot_index(slot_index), .s_slot_generation(slot_generation), .fetched(fetched),
        .m_commit_valid(com_valid), .m_commit_ready(com_ready), .m_commit_index(com_index),
        .m_commit_generation(com_generation), .m_commit_value(com_value), .m_commit_max(com_max),
        .commit_done(ev_commit || ev_commit_stale), .failed(write_failed), .failed_addr(write_failed_addr),
        .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize),
        .m_axi_awburst(m_axi_awburst), .m_axi_awcache(m_axi_awcache), .m_axi_awprot(m_axi_awprot),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
        .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready)
    );

    // ---- samples, and their records out of memory
    wire                 ask_valid, ask_ready;
    wire [255:0]         sample;
    wire                 sample_valid, sample_last;
    wire                 tag_valid, tag_ready;
    wire [REC_WIDTH-1:0] tag;
    wire                 may_update;
    rlc_replay_sampler #(
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .BATCH_MAX(BATCH_MAX), .AHEAD_MAX(AHEAD_MAX)
    ) u_sampler (
        .clk(clk), .rst(rst), .start(start), .stop(stop || abort_stop), .enough(enough), .updated(updated),
        .flush(abort_flush),
        .cfg_batch(cfg_batch), .cfg_steps(cfg_steps), .cfg_ahead(cfg_ahead),
        .m_sample_valid(ask_valid), .m_sample_ready(ask_ready),
        .s_answer_valid(sample_valid), .s_answer_index(sample[INDEX_WIDTH-1:0]),
        .s_answer_generation(sample[128 +: TAG_WIDTH]), .s_answer_weight(sample[191:160]),
        .s_answer_status(sample[193:192]), .s_answer_last(sample_last),
        .m_tag_valid(tag_valid), .m_tag_ready(tag_ready), .m_tag(tag),
        .running(running), .sampling(sampling), .ahead(ahead), .waiting(waiting), .may_update(may_update),
        .sampled(sampled), .ev_sample(ev_sample), .ev_answer(ev_answer), .ev_empty(ev_empty),
        .ev_mismatch(tree_mismatch)
    );

    wire                  rec_valid, rec_ready;
    wire [REC_WIDTH-1:0]  rec;
    wire                  back_valid, back_ready;
    wire [DATA_WIDTH-1:0] back_data;
    rlc_replay_reader #(
        .DATA_WIDTH(DATA_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .BEATS(BEATS), .STRIDE_LOG2(STRIDE_LOG2),
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .READS(READS), .EPOCH_WIDTH(EPOCH_WIDTH)
    ) u_reader (
        .clk(clk), .rst(rst), .epoch(epoch_q), .drop(abort_drop), .flush(abort_flush), .sampled(sampled),
        .cfg_base(cfg_base),
        .s_tag_valid(tag_valid), .s_tag_ready(tag_ready), .s_tag(tag),
        .m_rec_valid(rec_valid), .m_rec_ready(rec_ready), .m_rec(rec),
        .m_beat_valid(back_valid), .m_beat_ready(back_ready), .m_beat_data(back_data),
        .fetched(fetched), .failed(read_failed), .failed_addr(read_failed_addr),
        .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr), .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize),
        .m_axi_arburst(m_axi_arburst), .m_axi_arcache(m_axi_arcache), .m_axi_arprot(m_axi_arprot),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
        .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp), .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready)
    );

    // ---- records to the learner, TD errors from it
    wire                 train_valid, train_ready;
    wire [WORD-1:0]      train_data;
    wire                 upd_tag_valid;
    wire [UPD_WIDTH-1:0] upd_tag;
    rlc_replay_feeder #(
        .LANES(LANES_0), .WORDS(WORDS), .DATA_WIDTH(DATA_WIDTH), .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH),
        .ACTIONS(ACTIONS)
    ) u_feeder (
        .clk(clk), .rst(rst || abort_flush),
        .s_rec_valid(rec_valid), .s_rec_ready(rec_ready), .s_rec(rec),
        .s_beat_valid(back_valid), .s_beat_ready(back_ready), .s_beat_data(back_data),
        .m_valid(train_valid), .m_ready(train_ready), .m_data(train_data),
        .m_tag_valid(upd_tag_valid), .m_tag(upd_tag), .ev_fed(ev_fed), .ev_void(ev_void)
    );

    wire [31:0]            prio_data;
    wire                   prio_valid, prio_ready, prio_last;
    wire                   upd_valid, upd_ready, under_way;
    wire [INDEX_WIDTH-1:0] upd_index;
    wire [TAG_WIDTH-1:0]   upd_generation;
    wire [31:0]            upd_value;
    rlc_replay_updater #(
        .INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH), .BATCH_MAX(BATCH_MAX), .AHEAD_MAX(AHEAD_MAX)
    ) u_updater (
        .clk(clk), .rst(rst || abort_flush), .s_tag_valid(upd_tag_valid), .s_tag(upd_tag),
        .s_prio_valid(prio_valid && !abort_prio), .s_prio_ready(prio_ready), .s_prio_data(prio_data), .s_prio_last(prio_last),
        .may_update(may_update), .m_op_valid(upd_valid), .m_op_ready(upd_ready), .m_op_index(upd_index),
        .m_op_generation(upd_generation), .m_op_value(upd_value), .under_way(under_way), .updated(updated),
        .ev_mismatch(learner_mismatch)
    );

    wire         op_valid, op_ready;
    wire [127:0] op_data;
    wire         op_answer_valid;
    wire [127:0] op_answer;
    rlc_replay_ops #(.INDEX_WIDTH(INDEX_WIDTH), .TAG_WIDTH(TAG_WIDTH)) u_ops (
        .clk(clk), .rst(rst), .cfg_td_frac(cfg_td_frac),
        .s_upd_valid(upd_valid), .s_upd_ready(upd_ready), .s_upd_index(upd_index),
        .s_upd_generation(upd_generation), .s_upd_value(upd_value),
        .s_com_valid(com_valid), .s_com_ready(com_ready), .s_com_index(com_index),
        .s_com_generation(com_generation), .s_com_value(com_value), .s_com_max(com_max),
        .s_res_valid(res_valid), .s_res_ready(res_ready),
        .s_host_valid(host_valid), .s_host_ready(host_ready), .s_host_kind(host_kind), .s_host_check(host_check),
        .s_host_index(host_index), .s_host_generation(host_generation), .s_host_value(host_value),
        .m_op_valid(op_valid), .m_op_ready(op_ready), .m_op_data(op_data),
        .s_answer_valid(op_answer_valid), .s_answer_data(op_answer),
        .under_way(under_way), .pending(pending), .reserve_taken(reserve_taken),
        .slot_valid(slot_valid), .slot_index(slot_index), .slot_generation(slot_generation),
        .ev_commit(ev_commit), .ev_commit_stale(ev_commit_stale), .ev_update_stale(ev_update_stale),
        .ev_insert(ev_insert), .host_waits(host_waits), .host_status(answer_status), .host_index(answer_index),
        .host_value(answer_value), .host_generation(answer_generation)
    );

    assign moving = records_inside || train_valid || pending || under_way;
    rlc_replay_stalls u_stalls (
        .clk(clk), .rst(rst), .busy(busy), .running(running), .enough(enough), .takes(train_ready), .has(train_valid),
        .asking(sampling || waiting), .answered(ev_answer), .fed(ev_fed), .flush(abort_flush), .held(records_inside),
        .memory(stall_memory), .tree(stall_tree), .empty(stall_empty), .order(stall_order)
    );

    // ---- the two cores. Their answers are always taken, so neither of the tree's ports ever waits for the other.
    wire op_last;
    rlc_sumtree_axi #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
        .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED),
        .HEAD_STYLE(HEAD_STYLE), .HEAD_LATENCY(HEAD_LATENCY), .NARROW_STYLE(NARROW_STYLE),
        .NARROW_LATENCY(NARROW_LATENCY), .WIDE_STYLE(WIDE_STYLE), .WIDE_LATENCY(WIDE_LATENCY),
        .BYPASS(BYPASS), .ADDS(ADDS), .PRIORITY_MATHS(1), .BATCH_MAX(BATCH_MAX)
    ) u_tree (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(x_awaddr), .s_axil_awprot(x_awprot),
        .s_axil_awvalid(x_awvalid[1]), .s_axil_awready(x_awready[1]),
        .s_axil_wdata(x_wdata), .s_axil_wstrb(x_wstrb),
        .s_axil_wvalid(x_wvalid[1]), .s_axil_wready(x_wready[1]),
        .s_axil_bresp(x_bresp[3:2]), .s_axil_bvalid(x_bvalid[1]), .s_axil_bready(x_bready[1]),
        .s_axil_araddr(x_araddr), .s_axil_arprot(x_arprot),
        .s_axil_arvalid(x_arvalid[1]), .s_axil_arready(x_arready[1]),
        .s_axil_rdata(x_rdata[63:32]), .s_axil_rresp(x_rresp[3:2]),
        .s_axil_rvalid(x_rvalid[1]), .s_axil_rready(x_rready[1]),
        .s_axis_op_tdata(op_data), .s_axis_op_tvalid(op_valid), .s_axis_op_tready(op_ready), .s_axis_op_tlast(1'b1),
        .m_axis_op_tdata(op_answer), .m_axis_op_tvalid(op_answer_valid), .m_axis_op_tready(1'b1),
        .m_axis_op_tlast(op_last),
        .s_axis_sample_tdata(64'd0), .s_axis_sample_tvalid(ask_valid), .s_axis_sample_tready(ask_ready),
        .s_axis_sample_tlast(1'b0),
        .m_axis_sample_tdata(sample), .m_axis_sample_tvalid(sample_valid), .m_axis_sample_tready(1'b1),
        .m_axis_sample_tlast(sample_last),
        .irq(tree_irq), .abort_in(abort_tree), .aborting(tree_aborting),
        .locked({1'b1, busy || intake_busy || host_valid || host_waits, busy})
    );

    rlc_learner_axi #(
        .SIZES(SIZES), .LANES(LANES), .FORWARD(FORWARD), .BACKWARD(BACKWARD),
        .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS),
        .DP(DP), .BATCH_MAX(BATCH_MAX), .OPTIMISER(OPTIMISER), .ROUND(ROUND), .POLYAK(POLYAK),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .ACT_WIDTH(ACT_WIDTH),
        .VALUE_WIDTH(VALUE_WIDTH), .GRAD_WIDTH(GRAD_WIDTH),
        .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT),
        .ACTOR_SIZES(ACTOR_SIZES), .ACTOR_LANES(ACTOR_LANES), .ACTOR_FORWARD(ACTOR_FORWARD),
        .ACTOR_BACKWARD(ACTOR_BACKWARD), .ACTOR_UPDATE_ROWS(ACTOR_UPDATE_ROWS),
        .ACTOR_UPDATE_COLS(ACTOR_UPDATE_COLS), .RECORDS(RECORDS)
    ) u_learner (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(x_awaddr), .s_axil_awprot(x_awprot),
        .s_axil_awvalid(x_awvalid[2]), .s_axil_awready(x_awready[2]),
        .s_axil_wdata(x_wdata), .s_axil_wstrb(x_wstrb),
        .s_axil_wvalid(x_wvalid[2]), .s_axil_wready(x_wready[2]),
        .s_axil_bresp(x_bresp[5:4]), .s_axil_bvalid(x_bvalid[2]), .s_axil_bready(x_bready[2]),
        .s_axil_araddr(x_araddr), .s_axil_arprot(x_arprot),
        .s_axil_arvalid(x_arvalid[2]), .s_axil_arready(x_arready[2]),
        .s_axil_rdata(x_rdata[95:64]), .s_axil_rresp(x_rresp[5:4]),
        .s_axil_rvalid(x_rvalid[2]), .s_axil_rready(x_rready[2]),
        .s_axis_rec_tdata(train_data), .s_axis_rec_tvalid(train_valid), .s_axis_rec_tready(train_ready),
        .s_axis_rec_tlast(1'b0),
        .m_axis_prio_tdata(prio_data), .m_axis_prio_tvalid(prio_valid), .m_axis_prio_tready(prio_ready || abort_prio),
        .m_axis_prio_tlast(prio_last),
        .s_axis_load_tdata(s_axis_load_tdata), .s_axis_load_tvalid(s_axis_load_tvalid),
        .s_axis_load_tready(s_axis_load_tready), .s_axis_load_tlast(s_axis_load_tlast),
        .m_axis_read_tdata(m_axis_read_tdata), .m_axis_read_tvalid(m_axis_read_tvalid),
        .m_axis_read_tready(m_axis_read_tready), .m_axis_read_tlast(m_axis_read_tlast),
        .irq(learner_irq), .abort_in(abort_learner), .aborting(learner_aborting)
    );

    // rlc_axil_regs hands on no index beyond REGS; answers come in order and are told apart
    // by what they say.
    wire unused = &{
        1'b0, wr_addr[9:6], rd_en, rd_addr[9:6], op_last, sample
    };
endmodule
`default_nettype wire
