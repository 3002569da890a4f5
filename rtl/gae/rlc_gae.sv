// rlc_gae.sv — the GAE core without a bus: registers, streams in and out, statistics, quantiser, array.
// SPDX-License-Identifier: Apache-2.0
//
//   s_* ──► statistics                          MEASURE (and LOAD, when rewards are standardised by the past)
//   s_* ──► quantiser ──► loader ──► array      LOAD
//           registers ◄─► scale unit            SCALE
//                         array runs            START
//   m_* ◄───────────────  array                 READ
//
// With two stacks a rollout may be automatic: it runs and is read by itself (rlc_gae_auto_run), while the next one is loaded.
//
// reg_*       register port, behind rlc_axil_regs: write at once, read data 1 clock after the address; the map is gae.rdl
// s_*, m_*    valid/ready streams of beats of BEAT elements (docs/gae.md, "Streams"); s_ready is high only while a
//             pass is open, and then one beat a clock is taken without exception
// irq         level, as IRQ_ENABLE and IRQ_STATUS say
// parameters  rlc_gae_array checks what they need of each other
`default_nettype none
`include "rlc_gae_words.vh"
module rlc_gae #(
    `include "rlc_gae_parameters.vh"
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               reg_wr_en,
    input  wire [5:0]         reg_wr_addr,
    input  wire [31:0]        reg_wr_data,
    output wire               reg_wr_acts,
    input  wire [5:0]         reg_rd_addr,
    output wire [31:0]        reg_rd_data,

    input  wire               s_valid,
    output wire               s_ready,
    input  wire [BEAT*64-1:0] s_data,
    input  wire               s_last,

    output wire               m_valid,
    input  wire               m_ready,
    output wire [BEAT*64-1:0] m_data,
    output wire               m_last,

    output wire               irq
);
    `include "rlc_gae_defs.vh"
    `RLC_GAE_LEGAL(rlc_gae)

    // Quantiser 7, loader 1, array 1 to the stacks, 2 for what they answer, 2 for loaded and no_boot; and one spare.
    localparam LOAD_LATENCY = 14;

    // What the registers say, and what comes into them.
    wire        hw_we;
    wire [5:0]  hw_addr;
    wire [31:0] hw_data;
    wire        cfg_control_reward_auto, cfg_control_value_auto, cfg_control_order_previous;
    wire [4:0]  cfg_qbits, cfg_out_drop, cfg_shift;
    wire [15:0] cfg_clip;
    wire [7:0]  cfg_value_point;
    wire [31:0] cfg_gamma, cfg_gamma_lambda;
    wire [26:0] cfg_reward_mean, cfg_value_mean;
    wire [16:0] cfg_reward_inv, cfg_value_inv;
    wire [5:0]  cfg_reward_inv_shift, cfg_value_inv_shift;
    wire [26+5*WIDE:0]  cfg_value_scale;
    wire [33+13*WIDE:0] value_offset;
    wire [25+6*WIDE:0]  cfg_reward_offset;
    wire        set_flags_no_boot, set_flags_nothing_loaded, set_flags_nothing_computed, set_flags_load_while_computed;
    wire        set_flags_sigma_zero_r, set_flags_sigma_zero_v, set_flags_scale_sat;
    wire        set_flags_output_saturated, set_flags_stats_full;
    wire        busy, done, aborting, stale, loaded, computed;
    wire [3:0]  state;
    wire [31:0] hw_cycles, hw_elements, hw_stalls, hw_saturated, hw_sent;
    reg  [31:0] loaded_kept_q;   // of hw_loaded, when LOAD began
    reg  [31:0] hw_loaded, hw_refused, hw_clipped_rewards, hw_clipped_values;
    wire [39:0] n_r, n_v;
    wire [63:0] sum_r, sum_v;
    wire [87:0] sqr_r, sqr_v;

    // Commands. One counts as running from the clock in which it is handed over.
    reg         command_valid_q;
    reg         abort_q;
    reg  [2:0]  command_q;
    reg         auto_run_q;
    wire        command, untimely, misfit;
    wire        busy_now    = busy || command_valid_q;
    wire        to_abort    = reg_wr_data[31:3] == 29'd1;
    wire        to_auto_run = (STACKS > 1) && reg_wr_data == {29'd2, 3'd4};  // LOAD
    wire        known       = (reg_wr_data[31:3] == 29'd0 && reg_wr_data[2:0] != 3'd0) || to_auto_run;
    // What acts on every stack, or on the way of the rollouts: CLEAR, START, READ.
    wire        held;
    wire        in_the_way = held && reg_wr_data[31:3] == 29'd0
                          && (reg_wr_data[2:0] == 3'd1 || reg_wr_data[2:0] == 3'd5 || reg_wr_data[2:0] == 3'd6);
    always @(posedge clk) begin
        if (rst) begin
            command_valid_q <= 1'b0;
            abort_q         <= 1'b0;
        end else begin
            command_valid_q <= command && known;
            abort_q         <= command && to_abort;
        end
    end
    always @(posedge clk)
        if (command) begin
            command_q  <= reg_wr_data[2:0];
            auto_run_q <= to_auto_run;
        end

    wire s_open, s_taken, loading, no_boot;
    wire measure_start, load_start, scale_start, run_start, read_start, clear, reset_rewards;
    wire read_abort, read_cut, read_again, read_ended, undo;
    wire stats_busy, scale_done, config_error, run_finished, reading, command_read, command_cut;
    wire flag_not_scaled;
    assign s_ready = s_open;
    assign s_taken = s_open && s_valid;
    wire hand, stack_free, array_free, ending;
    rlc_gae_control #(.DRAIN(LOAD_LATENCY), .STACKS(STACKS)) u_control (
        .*, .command_valid(command_valid_q), .command(command_q), .auto_run(auto_run_q), .abort(abort_q),
        .scale_refused(config_error), .read_start(command_read), .read_abort(command_cut)
    );

    // Statistics: during MEASURE, and during LOAD when this rollout is standardised by the ones before it.
    wire                in_statistics = !loading || cfg_control_order_previous;
    wire [BEAT*24-1:0]  raw_rewards, raw_values;
    wire [BEAT*2-1:0]   raw_kinds;
    genvar e;
    for (e = 0; e < BEAT; e = e + 1) begin : g_raw
        assign raw_rewards[e*24 +: 24] = s_data[e*`RLC_GAE_ELEMENT_BITS + `RLC_GAE_ELEMENT_REWARD];
        assign raw_values[e*24 +: 24]  = s_data[e*`RLC_GAE_ELEMENT_BITS + `RLC_GAE_ELEMENT_VALUE];
        assign raw_kinds[e*2 +: 2]     = s_data[e*`RLC_GAE_ELEMENT_BITS + `RLC_GAE_ELEMENT_KIND];
    end
    rlc_gae_stats #(.BEAT(BEAT)) u_stats (
        .*, .new_block(measure_start || (load_start && cfg_control_order_previous)), .mark(measure_start || load_start),
        .s_valid(s_taken && in_statistics), .s_reward(raw_rewards), .s_value(raw_values), .s_kind(raw_kinds),
        .full(set_flags_stats_full), .busy(stats_busy)
    );

    // Scales.
    wire signed [26+5*WIDE:0]  cfg_next_scale;
    wire [35+13*WIDE:0] k_cut, k_keep;
    wire signed [17+9*WIDE:0]  cfg_b_step, cfg_b_loop;
    wire                scale_busy;
    rlc_gae_scale #(
        `include "rlc_gae_args.vh"
    ) u_scale (
        .*, .start(scale_start), .busy(scale_busy), .done(scale_done),
        .reward_auto(cfg_control_reward_auto), .value_auto(cfg_control_value_auto), .qbits(cfg_qbits), .clip(cfg_clip),
        .shift(cfg_shift), .value_point(cfg_value_point), .gamma(cfg_gamma), .gamma_lambda(cfg_gamma_lambda),
        .s_v(cfg_value_scale), .m_v(value_offset), .reward_offset(cfg_reward_offset),
        .s_vn(cfg_next_scale), .b_step(cfg_b_step), .b_loop(cfg_b_loop), .sigma_zero_r(set_flags_sigma_zero_r),
        .sigma_zero_v(set_flags_sigma_zero_v), .scale_sat(set_flags_scale_sat)
    );

    // Quantiser and loader.
    localparam [QBITS-1:0] ONE = 1;
    wire [QBITS-1:0]      limit = (ONE << (cfg_qbits - 5'd1)) - ONE;
    wire                  quant_valid, quant_last;
    wire [BEAT*2-1:0]     quant_kind;
    wire [BEAT*14-1:0]    quant_lane;
    wire [BEAT*QBITS-1:0] quant_q_r, quant_q_v;
    wire [BEAT-1:0]       clip_r, clip_v;
    rlc_gae_quant #(.BEAT(BEAT), .QBITS(QBITS)) u_quant (
        .*, .mean_r(cfg_reward_mean), .mant_r(cfg_reward_inv), .sh_r(cfg_reward_inv_shift),
        .mean_v(cfg_value_mean), .mant_v(cfg_value_inv), .sh_v(cfg_value_inv_shift), .limit(limit[QBITS-2:0]),
        .s_valid(s_taken && loading),
        .m_valid(quant_valid), .m_last(quant_last), .m_kind(quant_kind), .m_lane(quant_lane),
        .m_q_r(quant_q_r), .m_q_v(quant_q_v), .m_clip_r(clip_r), .m_clip_v(clip_v)
    );
    wire [BEAT-1:0]            load_valid, load_refused, lane_refused;
    wire [BEAT*SLOT_WIDTH-1:0] load_slot;
    wire [BEAT*BANK_WIDTH-1:0] load_bank;
    wire [BEAT*2-1:0]          load_kind;
    wire [BEAT*QBITS-1:0]      load_q_r, load_q_v;
    rlc_gae_loader #(
        `include "rlc_gae_args.vh"
    ) u_loader (
        .*, .s_valid(quant_valid), .s_kind(quant_kind), .s_lane(quant_lane),
        .s_q_r(quant_q_r), .s_q_v(quant_q_v),
        .m_valid(load_valid), .m_slot(load_slot), .m_bank(load_bank), .m_kind(load_kind),
        .m_q_r(load_q_r), .m_q_v(load_q_v), .refused(lane_refused)
    );

    // The array. What SCALE accepted is kept here until the next one, the rounding half of the value offset included,
    // so that a register written in between cannot make an inconsistent set.
    reg        [3:0]           shift_q;
    reg        [4:0]           drop_q;
    reg signed [SCL_WIDTH-1:0] value_scale_q;
    reg signed [OFS_WIDTH-1:0] offset_q;
    localparam signed [OFS_WIDTH-1:0] HALF = 1 << (WORD_FRAC - 1);
    always @(posedge clk)
        if (scale_done && !config_error) begin
            shift_q       <= cfg_shift[3:0];
            drop_q        <= cfg_out_drop;
            value_scale_q <= cfg_value_scale;
            offset_q      <= $signed(value_offset) + HALF;
        end
    wire signed [SUM_WIDTH-1:0] cfg_add_cut  = $signed(k_cut);
    wire signed [SUM_WIDTH-1:0] cfg_add_keep = $signed(k_keep);
    // With two stacks the next rollout's SCALE may end while this one runs: a run keeps what it began with.
    localparam CFG_WIDTH = 9 + 2 * SCL_WIDTH + OFS_WIDTH + 2 * SUM_WIDTH + 2 * (18 + 9 * WIDE);
    wire [CFG_WIDTH-1:0] cfg_now = {shift_q, drop_q, value_scale_q, offset_q, cfg_next_scale, cfg_add_cut, cfg_add_keep,
                                    cfg_b_step, cfg_b_loop};
    wire [CFG_WIDTH-1:0] cfg;
    if (STACKS == 1) begin : g_now
        assign cfg = cfg_now;
    end else begin : g_kept
        reg [CFG_WIDTH-1:0] cfg_q;
        always @(posedge clk) if (run_start) cfg_q <= cfg_now;
        assign cfg = cfg_q;
    end
    wire        [3:0]            run_shift;
    wire        [4:0]            run_drop;
    wire signed [SCL_WIDTH-1:0]  run_value_scale, run_next_scale;
    wire signed [OFS_WIDTH-1:0]  run_offset;
    wire signed [SUM_WIDTH-1:0]  run_add_cut, run_add_keep;
    wire signed [17+9*WIDE:0]    run_b_step, run_b_loop;
    assign {run_shift, run_drop, run_value_scale, run_offset, run_next_scale, run_add_cut, run_add_keep, run_b_step,
            run_b_loop} = cfg;
    wire                         running, array_saturated;
    wire [31:0]                  run_cycles, run_steps, run_stalls;
    reg  [31:0]                  run_saturated;
    wire [STACKS-1:0]            load_at, run_at, read_at, drop_at;  // the stack of each pass
    rlc_gae_array #(
        `include "rlc_gae_args.vh"
    ) u_array (
        .*, .cfg_shift(run_shift), .cfg_value_scale(run_value_scale), .cfg_value_offset(run_offset),
        .cfg_drop(run_drop), .cfg_next_scale(run_next_scale), .cfg_add_cut(run_add_cut), .cfg_add_keep(run_add_keep),
        .cfg_b_step(run_b_step), .cfg_b_loop(run_b_loop),
        .mark(load_start), .undo(undo && loading), .start(run_start), .finished(run_finished),
        .cycles(run_cycles), .steps(run_steps), .stalls(run_stalls), .saturated(array_saturated),
        .rewind(read_again), .cut(read_cut)
    );

    // Rollouts on their way.
    wire [1:0]        in_flight;
    wire              on_the_way;  // it runs, and its counters and its flag wait until it is sent
    if (STACKS == 1) begin : g_alone
        assign {load_at, run_at, read_at, drop_at} = 4'b1110;
        assign {in_flight, held, stack_free, array_free, ending, on_the_way} = 7'b00_0_11_0_0;
        assign {read_start, read_abort} = {command_read, command_cut};
        assign {hw_cycles, hw_elements, hw_stalls, hw_saturated} = {run_cycles, run_steps, run_stalls, run_saturated};
        assign hw_sent = 32'd0;
        assign set_flags_output_saturated = array_saturated;
        wire unused_here = &{1'b0, hand};
    end else begin : g_auto_run
        wire auto_run_read, auto_run_cut, sent, sent_saturated;
        rlc_gae_auto_run #(.STACKS(STACKS)) u_auto_run (
            .*, .abort(abort_q), .read_start(auto_run_read), .read_abort(auto_run_cut), .running(on_the_way),
            .cycles(hw_cycles), .steps(hw_elements), .stalls(hw_stalls), .saturated(hw_saturated), .sent_count(hw_sent)
        );
        assign {read_start, read_abort} = {command_read || auto_run_read, command_cut || auto_run_cut};
        assign set_flags_output_saturated = (array_saturated && !on_the_way) || (sent && sent_saturated);
    end

    // Counters of records. The stacks answer two clocks after the loader asked. What is on its way here is not reset,
    // so nothing counts between commands.
    localparam COUNT_WIDTH = $clog2(BEAT + 1);
    reg                    gone_q;  // the records that hw_loaded counted are of an automatic rollout
    wire [BEAT-1:0]        asked;
    wire [COUNT_WIDTH-1:0] taken_count, full_count, lane_count, clip_r_count, clip_v_count;
    rlc_delay #(.WIDTH(BEAT), .CLOCKS(2)) u_asked (.clk(clk), .d(load_valid), .q(asked));
    rlc_popcount #(.WIDTH(BEAT)) u_taken (.clk(clk), .rst(rst), .d(asked & ~load_refused), .count(taken_count));
    rlc_popcount #(.WIDTH(BEAT)) u_full (.clk(clk), .rst(rst), .d(asked & load_refused), .count(full_count));
    rlc_popcount #(.WIDTH(BEAT)) u_lane (.clk(clk), .rst(rst), .d(lane_refused), .count(lane_count));
    rlc_popcount #(.WIDTH(BEAT)) u_clip_r (.clk(clk), .rst(rst), .d(clip_r & {BEAT{quant_valid}}), .count(clip_r_count));
    rlc_popcount #(.WIDTH(BEAT)) u_clip_v (.clk(clk), .rst(rst), .d(clip_v & {BEAT{quant_valid}}), .count(clip_v_count));
    always @(posedge clk) begin
        if (rst) begin
            hw_loaded    <= 32'd0;
            hw_refused   <= 32'd0;
            hw_clipped_rewards <= 32'd0;
            hw_clipped_values <= 32'd0;
            gone_q       <= 1'b0;
        end else if (busy) begin
            hw_loaded    <= (clear || read_ended) ? 32'd0
                               : (undo && loading) ? loaded_kept_q : hw_loaded + taken_count;
            hw_refused   <= hw_refused + full_count + lane_count;
            hw_clipped_rewards <= hw_clipped_rewards + clip_r_count;
            hw_clipped_values <= hw_clipped_values + clip_v_count;
            if (load_start) loaded_kept_q <= hw_loaded;
        end else if (STACKS > 1 && gone_q && command_valid_q && command_q == 3'd4) begin  // the LOAD behind it
            hw_loaded <= 32'd0;
            gone_q    <= 1'b0;
        end
        if (!rst && STACKS > 1 && hand) gone_q <= 1'b1;
        if (rst || run_start) run_saturated <= 32'd0;
        else if (busy || on_the_way) run_saturated <= run_saturated + array_saturated;
    end

    // The registers. Configuration stands still while a command runs, but for what the scale unit writes.
    rlc_gae_regs #(
        `include "rlc_gae_args.vh"
    ) u_regs (
        .*, .wr_en(reg_wr_en), .wr_addr(reg_wr_addr), .wr_data(reg_wr_data), .wr_acts(reg_wr_acts),
        .rd_addr(reg_rd_addr), .rd_data(reg_rd_data),
        .may_command(to_abort || !(busy_now || in_the_way)), .may_configure(!busy_now), .wr_command(command),
        .cfg_value_offset_lo(value_offset[31:0]), .cfg_value_offset_hi(value_offset[33+13*WIDE:32]),
        .hw_status_busy(busy_now), .hw_status_loaded((loaded && stack_free) || computed), .hw_status_in_flight(in_flight), .hw_status_computed(computed),
        .hw_status_aborting(aborting), .hw_status_state(state), .hw_status_stale(stale),
        .set_flags_refused_full(busy && |full_count), .set_flags_refused_lane(busy && |lane_count),
        .set_flags_busy(untimely), .set_flags_config(misfit || config_error || flag_not_scaled),
        .set_flags_reward_clipped(busy && |clip_r_count), .set_flags_value_clipped(busy && |clip_v_count),
        .set_flags_bad_command(command && !known && !to_abort), .set_irq_status_done(done),
        .hw_reward_count_lo(n_r[31:0]), .hw_reward_count_hi(n_r[39:32]),
        .hw_reward_sum_lo(sum_r[31:0]), .hw_reward_sum_hi(sum_r[63:32]), .hw_reward_sqr_0(sqr_r[31:0]),
        .hw_reward_sqr_1(sqr_r[63:32]), .hw_reward_sqr_2(sqr_r[87:64]), .hw_value_count_lo(n_v[31:0]),
        .hw_value_count_hi(n_v[39:32]), .hw_value_sum_lo(sum_v[31:0]), .hw_value_sum_hi(sum_v[63:32]),
        .hw_value_sqr_0(sqr_v[31:0]), .hw_value_sqr_1(sqr_v[63:32]), .hw_value_sqr_2(sqr_v[87:64])
    );
    wire unused = &{1'b0, scale_busy, running, quant_last, cfg_shift[4], limit[QBITS-1]};
endmodule
`default_nettype wire
