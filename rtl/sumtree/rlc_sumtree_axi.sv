// rlc_sumtree_axi.sv — one bank of the sum tree behind AXI: AXI4-Lite registers, AXI4-Stream operations and samples.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*         registers of sumtree.rdl at byte addresses 0x00 to 0x88; beyond them SLVERR. WSTRB: rlc_axil_regs
// s_axis_op        operations, one a beat: [31:0] index, [63:32] priority, or TD error sfix(32,20) with td,
//                  [95:64] generation, [98:96] kind, [99] check, [100] max, [101] td; kinds: rlc_sumtree_kinds.vh
// m_axis_op        their answers in order: [31:0] index, [63:32] priority before, [95:64] generation, [98:96] kind,
//                  [101:100] status; TLAST with the answer of the operation that had it. CONTROL.quiet drops the
//                  answers of UPDATE and COMMIT that were carried out, except one with TLAST
// s_axis_sample    requests, one a beat: [61:0] value, [63:62] kind; TLAST is ignored
// m_axis_sample    their answers in order: [31:0] index, [63:32] priority, [127:64] total, [159:128] generation,
//                  [191:160] weight ufix(32,31), [193:192] status; TLAST ends a batch
// irq              high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// abort_in         pulse: as COMMAND.abort; aborting: from the clock behind it until the core is idle
// locked           what registers may not disturb, because the streams belong to a core around this one: [0] samples (refuses
//                  abort, restart, SEED, BATCH, CONTROL and the maths), [1] operations (clear), [2] draws (DRAW)
//                  Alone: both inputs 0
// tree_state       what the registers say of the tree, for who stands beside it: rlc_sumtree_words.vh
// joint_in, joint_out   with JOINT, of batches: rlc_sumtree_weight. Alone: joint_in is 0
//
// after an abort   operations and samples taken before it are carried out; their answers go on as long as they are taken
//                  at once, the others are dropped. Up to two stay at each port until they are taken: AXI4-Stream lets
//                  none be withdrawn
//
// order            all operations and requests happen in the order in which they are taken; of an operation and a
//                  request taken in the same clock the operation is first. So both ports go forward together: one
//                  of them waits when the other cannot go on because its answers are not taken
// wide words       an index, target or generation that is wider than the core's own is never cut: it answers RANGE,
//                  RANGE and STALE. A priority saturates. Bits of a draw above DRAW_WIDTH are ignored
// throughput       that of rlc_sumtree
// reset            one clock is enough
`include "rlc_sumtree_ports.vh"
`include "rlc_sumtree_words.vh"
`default_nettype none
module rlc_sumtree_axi #(
    `include "rlc_sumtree_parameters.vh"
    , parameter PRIORITY_MATHS = 1    // 1: operations may bring TD errors for priorities, and answers importance weights
    , parameter BATCH_MAX      = 1024 // largest batch, 1 to 32768; with PRIORITY_MATHS the answers of two are buffered
    , parameter JOINT          = 0    // 1: importance weights are those of the batches of several banks
) (
    input  wire       clk,
    input  wire       rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis_op, 128),
    `RLC_AXIS_MASTER(m_axis_op, 128),
    `RLC_AXIS_SLAVE(s_axis_sample, 64),
    `RLC_AXIS_MASTER(m_axis_sample, 256),
    output wire       irq,
    input  wire       abort_in,
    output reg        aborting,
    input  wire [2:0] locked,
    output wire `RLC_SUMTREE_TREE tree_state,
    input  wire `RLC_SUMTREE_ALL joint_in,
    output wire `RLC_SUMTREE_OWN joint_out
);
    `include "rlc_sumtree_defs.vh"

    // What the maths would refuse by another name.
    `RLC_SUMTREE_LEGAL(rlc_sumtree_axi)
    `RLC_CHECK(PRIORITY_MATHS == 0 || PRIORITY_MATHS == 1, rlc_sumtree_axi_illegal_PRIORITY_MATHS_must_be_0_or_1)
    `RLC_CHECK(BATCH_MAX >= 1 && BATCH_MAX <= 32768, rlc_sumtree_axi_illegal_BATCH_MAX_must_be_1_to_32768)
    `RLC_CHECK(JOINT == 0 || JOINT == 1, rlc_sumtree_axi_illegal_JOINT_must_be_0_or_1)

    localparam REGS        = 35;
    localparam INDEX_HIGH  = 32 - LEAVES_LOG2;    // bits of an index word above the tree's
    // Answers to operations on the way: a place for each, so that the tags never hold an operation up.
    localparam TAG_DEPTH   = OLD_CLOCK + 8;

    // The registers' values after reset reach the core while it is still in reset.
    reg  rst_q;
    always @(posedge clk) rst_q <= rst;
    wire core_rst = rst || rst_q;

    // ---- registers
    wire        wr_en;
    wire [9:0]  wr_addr;
    wire [31:0] wr_data;
    wire        wr_acts, rd_en;
    wire [9:0]  rd_addr;
    wire [31:0] rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(REGS)) u_axil (.*);

    wire                      to_abort, abort_restart;
    wire [1:0]                stale_out;
    wire                      cfg_quiet, cfg_stratified, cfg_weights;
    wire [31:0]               cfg_capacity, cfg_initial;
    wire [15:0]               cfg_batch;
    wire [127:0]              cfg_seed;
    wire [15:0]               cfg_alpha;
    wire [31:0]               cfg_epsilon;
    wire [15:0]               cfg_scale, cfg_beta;
    `RLC_SUMTREE_STATE(wire, wire, ;);
    reg                       clear_waits_q;
    reg  [31:0]               draws_left_q;
    wire                      drawing, operating, sampling, answering, draw_done, saturated;
    wire                      op_gone;      // an answer to an operation leaves the core
    wire                      op_own;       // it is that of COMMAND.clear
    wire [2:0]                op_kind;
    wire [1:0]                op_status;
    wire                      answer_gone;  // an answer to a sample leaves the core
    wire [1:0]                answer_status;

    // What comes at the wrong moment: what would disturb who holds a lock; of a COMMAND without abort a restart while
    // samples are on their way, a clear while another one waits.
    wire may_batch   = !locked[0];
    wire may_maths   = !operating && may_batch;
    wire may_command = !((wr_data[1] || wr_data[3]) && locked[0]) && !(wr_data[0] && locked[1])
                    && (wr_data[3] || (!(wr_data[1] && sampling) && !(wr_data[0] && clear_waits_q)));

    wire stale   = op_gone && op_status == OP_STALE;
    wire ranged  = op_gone && op_status == OP_RANGE;
    wire empty   = answer_gone && answer_status == SAMPLE_EMPTY;
    wire missed  = answer_gone && answer_status == SAMPLE_RANGE;
    wire done_op = op_gone && op_status == OP_OK;
    wire do_clear, do_restart, wr_seed, wr_draw, rd_total, untimely, misfit;
    reg  busy_q;
    reg  [31:0] total_high_q;
    // One bit more than a register, because a replication of nothing is illegal where a priority has all 32.
    wire [32:0] largest_33 = {{(33-PRIORITY_WIDTH){1'b0}}, largest};
    wire [63:0] total_64   = {{(64-SUM_WIDTH){1'b0}}, total};
    rlc_sumtree_regs #(
        .LEAVES_LOG2(LEAVES_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH), .DRAW_WIDTH(DRAW_WIDTH),
        .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .PRIORITY_MATHS(PRIORITY_MATHS), .BATCH_MAX(BATCH_MAX)
    ) u_regs (
        .*, .wr_addr(wr_addr[5:0]), .rd_addr(rd_addr[5:0]), .may_control(may_maths && !sampling),
        .may_seed(!sampling && may_batch), .may_draw(!drawing && !aborting && !locked[2]),
        .may_beta(!answering && may_batch),
        .do_command_clear(do_clear), .do_command_restart(do_restart), .do_command_abort(to_abort),
        .wr_seed3(wr_seed), .rd_total_lo(rd_total),
        .cfg_control_quiet(cfg_quiet), .cfg_control_stratified(cfg_stratified), .cfg_control_weights(cfg_weights),
        .cfg_seed0(cfg_seed[31:0]), .cfg_seed1(cfg_seed[63:32]), .cfg_seed2(cfg_seed[95:64]), .cfg_seed3(cfg_seed[127:96]),
        .hw_status_busy(busy), .hw_status_operating(operating), .hw_status_sampling(sampling),
        .hw_status_answering(answering), .hw_status_drawing(drawing), .hw_status_aborting(aborting),
        .hw_status_stale_op(stale_out[0]), .hw_status_stale_sample(stale_out[1]), .hw_draw(draws_left_q),
        .hw_size({{(31-LEAVES_LOG2){1'b0}}, size}), .hw_largest(largest_33[31:0]),
        .hw_in_force({{(31-LEAVES_LOG2){1'b0}}, capacity}), .hw_total_lo(total_64[31:0]), .hw_total_hi(total_high_q),
        .set_flags_busy(untimely), .set_flags_config(misfit), .set_flags_miss(missed), .set_flags_empty(empty),
        .set_flags_kind(op_gone && op_status == OP_KIND), .set_flags_range(ranged), .set_flags_stale(stale),
        .set_flags_saturated(saturated), .set_irq_status_drawn(draw_done), .set_irq_status_ready(busy_q && !busy),
        .count_updates(done_op && (op_kind == OP_UPDATE || op_kind == OP_COMMIT)),
        .count_inserts(done_op && (op_kind == OP_INSERT || op_kind == OP_RESERVE)),
        .count_samples(answer_gone && answer_status == SAMPLE_OK),
        .count_stale(stale), .count_range(ranged), .count_empty(empty), .count_miss(missed)
    );

    // Commands come one clock after their write, beside the registers that came with them. With an abort only it counts.
    reg         seed_q, draw_q;
    reg         again_q;       // the restart of an abort
    reg  [31:0] draw_count_q;
    reg  [15:0] batch_now_q;   // in force
    wire        clear   = do_clear && !to_abort;
    wire        restart = (do_restart && !to_abort) || seed_q || again_q;
    always @(posedge clk) begin
        if (rst) begin
            seed_q       <= 1'b0;
            draw_q       <= 1'b0;
            again_q      <= 1'b0;
            busy_q       <= 1'b1;
            batch_now_q  <= 16'd1;
            total_high_q <= 32'd0;
        end else begin
            seed_q  <= wr_seed;
            draw_q  <= wr_draw && wr_data != 32'd0;
            again_q <= abort_restart;
            busy_q  <= busy;
            if (restart)  batch_now_q  <= cfg_batch;
            if (rd_total) total_high_q <= total_64[63:32];
        end
    end
    always @(posedge clk) draw_count_q <= wr_data;

    // ---- entry: an operation and a request of the same clock travel side by side, so their order is never lost.
    // COMMAND.clear takes the place of a beat of s_axis_op, a DRAW that of beats of s_axis_sample.
    wire entry_ready;
    wire open         = !aborting;
    wire entry_op     = clear_waits_q || (s_axis_op_tvalid && open);
    wire draws        = draws_left_q != 32'd0;
    wire entry_sample = (draws || s_axis_sample_tvalid) && open;
    assign s_axis_op_tready     = entry_ready && !clear_waits_q && open;
    assign s_axis_sample_tready = entry_ready && !draws && open;

    always @(posedge clk) begin
        if (rst) clear_waits_q <= 1'b0;
        else if (clear) clear_waits_q <= 1'b1;
        else if (entry_ready) clear_waits_q <= 1'b0;
    end
    always @(posedge clk) begin
        if (rst || aborting) draws_left_q <= 32'd0;
        else if (draw_q) draws_left_q <= draw_count_q;
        else if (draws && entry_ready) draws_left_q <= draws_left_q - 32'd1;
    end

    // An index that is wider than the tree's: the high part is kept for the answer.
    wire [31:0]           word_index    = s_axis_op_tdata[`RLC_SUMTREE_OP_INDEX];
    wire [31:0]           word_tag      = s_axis_op_tdata[`RLC_SUMTREE_OP_GENERATION];
    wire                  entry_foreign = (GENERATION_WIDTH > 0) && (word_tag >> GENERATION_BITS) != 32'd0;
    wire [2:0]            entry_kind    = clear_waits_q ? OP_CLEAR : s_axis_op_tdata[`RLC_SUMTREE_OP_KIND];

    // A target above SUM_WIDTH bits is above every total, and so is one of all ones.
    wire [1:0]             word_kind   = s_axis_sample_tdata[`RLC_SUMTREE_ASK_KIND];
    wire                   targets     = word_kind == SAMPLE_TARGET || word_kind == SAMPLE_SOFT;
    wire [63:0]            word_value  = {2'b00, s_axis_sample_tdata[`RLC_SUMTREE_ASK_VALUE]};
    wire                   beyond      = targets && word_value >> SUM_WIDTH != 64'd0;
    wire [VALUE_WIDTH-1:0] entry_value = beyond ? {VALUE_WIDTH{1'b1}} : word_value[VALUE_WIDTH-1:0];

    localparam ITEM_TD    = 32 + 1 + GENERATION_BITS + 1 + 2 + VALUE_WIDTH;  // where td is
    localparam ITEM_WIDTH = 1 + 1 + 1 + 3 + 1 + 1 + 1 + ITEM_TD;
    wire [ITEM_WIDTH-1:0] entry_item = {
        entry_op, clear_waits_q, s_axis_op_tlast && !clear_waits_q, entry_kind,
        s_axis_op_tdata[`RLC_SUMTREE_OP_CHECK], s_axis_op_tdata[`RLC_SUMTREE_OP_MAX], s_axis_op_tdata[`RLC_SUMTREE_OP_TD],
        word_index, entry_foreign, word_tag[GENERATION_BITS-1:0],
        entry_sample, draws ? SAMPLE_DRAW : word_kind, entry_value
    };
    wire                  first_valid, first_ready;
    wire [ITEM_WIDTH-1:0] first_item;
    wire [31:0]           first_priority;
    rlc_skid #(.WIDTH(ITEM_WIDTH+32)) u_entry (
        .clk(clk), .rst(core_rst),
        .s_valid(entry_op || entry_sample), .s_ready(entry_ready), .s_data({s_axis_op_tdata[`RLC_SUMTREE_OP_PRIORITY], entry_item}),
        .m_valid(first_valid), .m_ready(first_ready), .m_data({first_priority, first_item})
    );

    // ---- priorities: saturated, or made from TD errors.
    wire                      item_valid, item_ready;
    wire [ITEM_WIDTH-1:0]     item;
    wire [PRIORITY_WIDTH-1:0] item_priority;
    wire                      item_saturated;
    if (PRIORITY_MATHS != 0) begin : g_priority
        rlc_sumtree_priority #(.PRIORITY_WIDTH(PRIORITY_WIDTH), .PAYLOAD_WIDTH(ITEM_WIDTH)) u_priority (
            .clk(clk), .rst(core_rst), .cfg_alpha(cfg_alpha), .cfg_eps(cfg_epsilon), .cfg_scale(cfg_scale),
            .s_valid(first_valid), .s_ready(first_ready), .s_td(first_item[ITEM_TD]), .s_value(first_priority),
            .s_payload(first_item),
            .m_valid(item_valid), .m_ready(item_ready), .m_priority(item_priority),
            .m_saturated(item_saturated), .m_payload(item)
        );
    end else begin : g_priority
        assign item_valid     = first_valid;
        assign first_ready    = item_ready;
        assign item           = first_item;
        assign item_saturated = (first_priority >> PRIORITY_WIDTH) != 32'd0;
        assign item_priority  = item_saturated ? {PRIORITY_WIDTH{1'b1}} : first_priority[PRIORITY_WIDTH-1:0];
        wire unused_maths = &{1'b0, cfg_alpha, cfg_epsilon, cfg_scale};
    end

    // ---- into the core: the operation in the same clock as the request or earlier.
    wire                   has_op, own, last;
    wire [2:0]             kind;
    wire                   check, max, td;
    wire [31:0]            index;
    wire                   foreign;
    wire [GENERATION_BITS-1:0]    generation;
    wire                   has_sample;
    wire [1:0]             sample_kind;
    wire [VALUE_WIDTH-1:0] sample_value;
    assign {has_op, own, last, kind, check, max, td, index, foreign, generation, has_sample, sample_kind, sample_value}
         = item;

    wire gives   = (kind == OP_UPDATE || kind == OP_COMMIT || kind == OP_INSERT) && !max;
    wire checks  = kind == OP_COMMIT || (kind == OP_UPDATE && check);
    wire no_slot = kind == OP_INSERT || kind == OP_RESERVE || kind == OP_CLEAR;
    // A TD error needs the maths, so without it the operation becomes one of an unknown kind.
    wire refuse  = (PRIORITY_MATHS == 0) && td && gives;
    // A generation that no slot can have: READ finds the same slot and changes nothing; its answer is then made STALE.
    wire misses  = foreign && checks;

    reg  op_done_q;  // the item's operation is in, its request not yet
    wire tag_ready, s_op_ready;
    wire s_op_valid     = item_valid && has_op && !op_done_q && tag_ready;
    wire op_fire        = s_op_valid && s_op_ready;
    wire op_settled     = !has_op || op_done_q || op_fire;
    wire s_sample_valid = item_valid && has_sample && op_settled;
    wire s_sample_ready;
    assign item_ready   = op_settled && (!has_sample || s_sample_ready);
    assign saturated    = op_fire && gives && !refuse && item_saturated;
    always @(posedge clk) begin
        if (core_rst) op_done_q <= 1'b0;
        else          op_done_q <= item_valid && !item_ready && (op_done_q || op_fire);
    end

    `RLC_SUMTREE_ANSWERS(wire, wire, wire, 1, SUM_WIDTH, ;);
    wire [LEAVES_LOG2-1:0] next;
    wire                   full;
    // The core takes a capacity a clock after it was told; in reset 0, which stands for all of CAPACITY, as the register
    // will.
    rlc_sumtree #(
        `include "rlc_sumtree_args.vh"
    ) u_sumtree (
        .*, .rst(core_rst), .cfg_capacity(rst ? {(LEAVES_LOG2+1){1'b0}} : cfg_capacity[LEAVES_LOG2:0]),
        .cfg_initial(cfg_initial[PRIORITY_WIDTH-1:0]), .cfg_strata(cfg_stratified ? cfg_batch : 16'd1),
        .cfg_restart(restart), .cfg_seed_valid(seed_q), .s_op_kind(refuse ? 3'd7 : misses ? OP_READ : kind),
        .s_op_check(check), .s_op_max(max), .s_op_beyond(index[31:LEAVES_LOG2] != {INDEX_HIGH{1'b0}}),
        .s_op_index(index[LEAVES_LOG2-1:0]), .s_op_generation(generation), .s_op_priority(item_priority),
        .s_sample_kind(sample_kind), .s_sample_value(sample_value)
    );

    // ---- answers to operations: each with what the core does not carry.
    wire                  tag_valid, tag_last, tag_misses;
    wire [INDEX_HIGH-1:0] tag_index;
    rlc_fifo #(.WIDTH(6+INDEX_HIGH), .DEPTH(TAG_DEPTH)) u_tags (
        .clk(clk), .rst(core_rst),
        .s_valid(op_fire), .s_ready(tag_ready),
        .s_data({own, last, misses, kind, no_slot && !refuse ? {INDEX_HIGH{1'b0}} : index[31:LEAVES_LOG2]}),
        .m_valid(tag_valid), .m_ready(op_gone), .m_data({op_own, tag_last, tag_misses, op_kind, tag_index}),
        .count()
    );
    wire out_valid, out_ready, slice_ready, op_lost;
    wire made_stale = tag_misses && m_op_status == OP_OK;
    wire silent     = cfg_quiet && !tag_last && op_status == OP_OK && (op_kind == OP_UPDATE || op_kind == OP_COMMIT);
    wire drop       = op_own || silent;
    assign op_status  = made_stale ? OP_STALE : m_op_status;
    assign m_op_ready = tag_valid && (drop || out_ready);
    assign op_gone    = m_op_valid && m_op_ready;
    rlc_abort_gate u_op_gate (
        .clk(clk), .rst(core_rst), .drop(aborting),
        .s_valid(m_op_valid && tag_valid && !drop), .s_ready(out_ready),
        .m_valid(out_valid), .m_ready(slice_ready), .lost(op_lost)
    );

    wire [31:0] out_generation = {{(32-GENERATION_BITS){1'b0}}, m_op_generation};
    wire [32:0] out_priority   = {{(33-PRIORITY_WIDTH){1'b0}}, made_stale ? {PRIORITY_WIDTH{1'b0}} : m_op_priority};
    wire [101:0] out_word;
    rlc_skid #(.WIDTH(103)) u_op_out (
        .clk(clk), .rst(core_rst),
        .s_valid(out_valid), .s_ready(slice_ready),
        .s_data({tag_last, op_status, 1'b0, op_kind, out_generation, out_priority[31:0], tag_index, m_op_index}),
        .m_valid(m_axis_op_tvalid), .m_ready(m_axis_op_tready), .m_data({m_axis_op_tlast, out_word})
    );
    assign m_axis_op_tdata = {26'd0, out_word};

    // ---- answers to samples: with weights, and TLAST at the end of a batch.
    assign answer_gone   = m_sample_valid && m_sample_ready;
    assign answer_status = m_sample_status;

    wire                      late_valid, late_ready, late_last;
    wire [31:0]               late_weight;
    wire [1:0]                late_status;
    wire [GENERATION_BITS-1:0]       late_generation;
    wire [SUM_WIDTH-1:0]    late_total;
    wire [PRIORITY_WIDTH-1:0] late_priority;
    wire [LEAVES_LOG2-1:0]    late_index;
    if (PRIORITY_MATHS != 0) begin : g_weight
        rlc_sumtree_weight #(
            .PRIORITY_WIDTH(PRIORITY_WIDTH), .TOTAL_WIDTH(SUM_WIDTH), .PAYLOAD_WIDTH(GENERATION_BITS+LEAVES_LOG2),
            .BATCH_MAX(BATCH_MAX), .JOINT(JOINT)
        ) u_weight (
            .*, .rst(core_rst), .cfg_enable(cfg_weights), .cfg_batch(batch_now_q), .cfg_restart(restart),
            .s_valid(m_sample_valid), .s_ready(m_sample_ready), .s_status(m_sample_status),
            .s_priority(m_sample_priority), .s_total(m_sample_total),
            .s_payload({m_sample_generation, m_sample_index}),
            .m_valid(late_valid), .m_ready(late_ready), .m_status(late_status), .m_priority(late_priority),
            .m_total(late_total), .m_payload({late_generation, late_index}),
            .m_weight(late_weight), .m_last(late_last)
        );
    end else begin : g_weight
        reg [15:0] place_q;  // of the next answer in its batch
        wire       ends = place_q == batch_now_q - 16'd1;
        always @(posedge clk) begin
            if (core_rst || restart) place_q <= 16'd0;
            else if (answer_gone)    place_q <= ends ? 16'd0 : place_q + 16'd1;
        end
        assign late_valid      = m_sample_valid;
        assign m_sample_ready = late_ready;
        assign late_last       = ends;
        assign late_weight     = 32'h80000000;
        assign {late_status, late_generation, late_total, late_priority, late_index}
             = {m_sample_status, m_sample_generation, m_sample_total, m_sample_priority, m_sample_index};
        assign joint_out       = {`RLC_SUMTREE_OWN_BITS{1'b0}};
        wire unused_weights = &{1'b0, cfg_beta, cfg_weights, joint_in};
    end

    localparam LATE_WIDTH = 1 + 2 + 32 + GENERATION_BITS + SUM_WIDTH + PRIORITY_WIDTH + LEAVES_LOG2;
    wire [1:0]                sample_status;
    wire [31:0]               sample_weight;
    wire [GENERATION_BITS-1:0]       sample_generation;
    wire [SUM_WIDTH-1:0]    sample_total;
    wire [PRIORITY_WIDTH-1:0] sample_priority;
    wire [LEAVES_LOG2-1:0]    sample_index;
    wire                      leave_valid, leave_ready, sample_lost;
    rlc_abort_gate u_sample_gate (
        .clk(clk), .rst(core_rst), .drop(aborting),
        .s_valid(late_valid), .s_ready(late_ready), .m_valid(leave_valid), .m_ready(leave_ready), .lost(sample_lost)
    );
    rlc_skid #(.WIDTH(LATE_WIDTH)) u_sample_out (
        .clk(clk), .rst(core_rst),
        .s_valid(leave_valid), .s_ready(leave_ready),
        .s_data({late_last, late_status, late_weight, late_generation, late_total, late_priority, late_index}),
        .m_valid(m_axis_sample_tvalid), .m_ready(m_axis_sample_tready),
        .m_data({
            m_axis_sample_tlast, sample_status, sample_weight, sample_generation, sample_total, sample_priority,
            sample_index
        })
    );
    // A replication of nothing is illegal, so a priority of 32 bits needs a bit more.
    wire [32:0] sample_priority_33 = {{(33-PRIORITY_WIDTH){1'b0}}, sample_priority};
    assign m_axis_sample_tdata = {
        62'd0, sample_status, sample_weight, {(32-GENERATION_BITS){1'b0}}, sample_generation,
        {(64-SUM_WIDTH){1'b0}}, sample_total, sample_priority_33[31:0], {INDEX_HIGH{1'b0}}, sample_index
    };

    // ---- what is on its way, and when a DRAW is done.
    reg  [11:0] ops_q;        // taken, and not answered by the core
    reg  [11:0] samples_q;
    reg  [19:0] answers_q;    // taken, and their answer has not left
    reg  [19:0] draw_tail_q;  // answers until the last one of a DRAW has left
    wire        op_in      = entry_op && entry_ready;
    wire        sample_in  = entry_sample && entry_ready;
    wire        answer_out = m_axis_sample_tvalid && m_axis_sample_tready;
    wire [19:0] answers_d  = answers_q + {19'd0, sample_in} - {19'd0, answer_out} - {19'd0, sample_lost};
    always @(posedge clk) begin
        if (rst) begin
            ops_q       <= 12'd0;
            samples_q   <= 12'd0;
            answers_q   <= 20'd0;
            draw_tail_q <= 20'd0;
        end else begin
            ops_q     <= ops_q + {11'd0, op_in} - {11'd0, op_gone};
            samples_q <= samples_q + {11'd0, sample_in} - {11'd0, answer_gone};
            answers_q <= answers_d;
            if (aborting)                                 draw_tail_q <= 20'd0;
            else if (sample_in && draws_left_q == 32'd1)  draw_tail_q <= answers_d;
            else if (answer_out && draw_tail_q != 20'd0)  draw_tail_q <= draw_tail_q - 20'd1;
        end
    end
    assign operating = clear_waits_q || ops_q != 12'd0;
    assign sampling  = draws || samples_q != 12'd0;
    assign answering = answers_q != 20'd0;
    assign drawing   = draws || draw_tail_q != 20'd0;
    assign draw_done = answer_out && draw_tail_q == 20'd1;

    // ---- abort: nothing is let in; when the tree has answered all samples, half a batch is let go by a restart; it is
    // over when all that is left stands in the slices at the ports.
    reg         let_go_q;
    reg  [1:0]  let_go_d_q;
    wire [19:0] at_port = {18'd0, m_axis_sample_tvalid && !leave_ready, m_axis_sample_tvalid && leave_ready};
    wire        settled = ops_q == 12'd0 && !clear_waits_q && !busy && answers_q == at_port;
    always @(posedge clk) begin
        if (rst) begin
            aborting   <= 1'b0;
            let_go_q   <= 1'b0;
            let_go_d_q <= 2'd0;
        end else begin
            aborting   <= to_abort || abort_in || (aborting && !(let_go_d_q[1] && settled));
            let_go_q   <= aborting && !to_abort && !abort_in && (let_go_q || !sampling);
            let_go_d_q <= {2{let_go_q}} & {let_go_d_q[0], 1'b1};
        end
    end
    assign abort_restart = let_go_q && !let_go_d_q[0];
    assign stale_out     = {m_axis_sample_tvalid && answers_q == at_port, m_axis_op_tvalid && !operating};

    assign tree_state[`RLC_SUMTREE_TREE_LARGEST] = largest_33[31:0];
    assign tree_state[`RLC_SUMTREE_TREE_TOTAL]   = total_64;
    assign tree_state[`RLC_SUMTREE_TREE_NEXT]    = {{(32-LEAVES_LOG2){1'b0}}, next};
    assign tree_state[`RLC_SUMTREE_TREE_SIZE]    = {{(31-LEAVES_LOG2){1'b0}}, size};

    // rlc_axil_regs hands on no index beyond REGS; requests need no TLAST; the rest is said by answers and their tags.
    wire unused = &{
        1'b0, wr_addr[9:6], rd_addr[9:6], s_axis_sample_tlast, s_axis_op_tdata[`RLC_SUMTREE_OP_REST], m_op_kind,
        out_priority[32], sample_priority_33[32], op_lost, full, ev_stale, ev_range, ev_kind, ev_empty, ev_miss
    };
endmodule
`default_nettype wire
