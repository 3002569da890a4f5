// rlc_ppo_networks.sv — actor and critic with everything that acts and trains: samples in, answers out, and their weights.
// SPDX-License-Identifier: Apache-2.0
//
//   s_o ->+-> gather -+-> actor  -> samples -+-> act -> m_a
//   s_t ->+           |                      +-> loss of the policy -> gather -> deltas of the actor
//                     +-> critic -> samples -+-> loss of the value  -> gather -> deltas of the critic
//                                     measured -> norm, rate -> permit
//
// SIZES, LANES, ..   of the critic, network 0, and of the actor, network 1. Both networks take the same vectors, also those
//               that want no action, and empty columns (zeros)
// train         0: acting; 1: training. Changes only while quiet
// quiet         nothing is inside: every observation is answered, every minibatch updated
// flush         level, high until quiet: forgets everything inside; weights stay, and an update that has begun ends first. Words
//               that were drawn for forgotten observations are lost
// s_o_*         observations. act: an action is wanted, otherwise only the value; last: none follows before this one is answered
// m_a_*         one answer per observation, in order (rlc_ppo_act): the action for the memory, the action for the environment,
//               log2 of its probability, the value
// seed, seed_load   the seed of the generators, only while quiet; this module takes its stream 64
// s_t_*         samples of minibatches with their actions and advantages (rlc_rl_clip_categorical); last: the minibatch's last
// done          pulse: both networks have the weights of one more minibatch
// rate_restart  pulse, while quiet: the next update is Adam's first. remaining: as in rlc_ppo_lr_schedule
// cfg_batch_slices     batch slices of a minibatch, ceil(samples / DP)
// cfg_*         as in rlc_rl_clip_categorical, rlc_ppo_grad_norm, rlc_ppo_lr_schedule; fractions and Adam's settings as in the learner
// host_*        parameter banks of the weights of network number host_network, while quiet. With GAUSSIAN, ACTIONS zeros and
//               the ACTIONS log-deviations follow the actor's weights
// avg_in, avg_out   of every layer of the critic, then of the actor, then of the log-deviations: rlc_learner_layer
// sat           how many numbers were saturated in this clock, 8 bits per stage, in the order of COUNTERS in cores/ppo/model.py,
//               from stage 1 on
// model         rlcores.cores.ppo.model
`default_nettype none
`include "rlc_ppo_ports.vh"
`include "rlc_ppo_words.vh"
module rlc_ppo_networks #(
    `include "rlc_learner_parameters.vh"
    , parameter GAUSSIAN = 0,  // 0: a categorical policy; 1: a Gaussian one, whose deviations do not depend on the state
    parameter AVERAGE = 0,   // clocks from a group at avg_out to its average at avg_in; 0: it learns alone, and avg_in is 0
    // Derived; leave them alone.
    parameter INPUTS   = field(SIZES, 0),
    parameter ACTIONS  = field(acting(SIZES), acting_layers(SIZES)),    // outputs of the actor
    parameter RAW      = (GAUSSIAN != 0) ? 27 * ACTIONS : 8,             // bits of an action as it was drawn
    parameter MOVE     = (GAUSSIAN != 0) ? 18 * ACTIONS : 8              // .. and as the environment gets it
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 train,
    output reg                  quiet,
    input  wire                 flush,

    `RLC_STREAM_SLAVE(s_o, INPUTS*18),
    input  wire                 s_o_act,
    input  wire                 s_o_last,
    output wire                 m_a_valid,
    input  wire                 m_a_ready,
    output wire                 m_a_act,
    output wire [RAW-1:0]       m_a_raw,
    output wire [MOVE-1:0]      m_a_move,
    output wire [26:0]          m_a_log,
    output wire [26:0]          m_a_value,
    input  wire [127:0]         seed,
    input  wire                 seed_load,

    input  wire                 s_t_valid,
    output wire                 s_t_ready,
    input  wire [INPUTS*18-1:0] s_t_obs,
    input  wire [RAW-1:0]       s_t_raw,
    input  wire [26:0]          s_t_log,
    input  wire [26:0]          s_t_before,
    input  wire [26:0]          s_t_advantage,
    input  wire [17:0]          s_t_scaled,
    input  wire                 s_t_last,
    output wire                 done,

    `RLC_PPO_TRAIN_SETTINGS(input wire, `RLC_COMMA),
    input  wire [31:0]          cfg_iterations,
    input  wire [31:0]          remaining,
    input  wire                 rate_restart,
    output wire                 cfg_ok,

    `RLC_LEARNER_HOST,
    input  wire                 host_drop,

    input  wire `RLC_PPO_AVERAGE avg_in,
    output wire `RLC_PPO_AVERAGE avg_out,
    output wire [40*8-1:0]      sat
);
    `include "rlc_learner_defs.vh"

    localparam M        = fields(SIZES) - 1;
    localparam AM       = acting_layers(SIZES);
    localparam LANES_IN = field(LANES, 0);
    localparam LANES_C  = field(LANES, M);
    localparam LANES_A  = field(acting(LANES), AM);
    localparam WORD     = DP * LANES_IN * ACT_WIDTH;
    localparam A_BITS   = (GAUSSIAN != 0) ? RAW : (ACTIONS > 1) ? $clog2(ACTIONS) : 1;   // what is kept of an action
    localparam PLACES   = (DP > 8) ? 32 : 16;           // samples in the loss, and in acting
    localparam PERIOD_C = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);
    localparam PERIOD_A = period(acting(SIZES), acting(LANES), acting(FORWARD), acting(BACKWARD), DP + 3);
    localparam ANSWER   = 60 + 4 * ACTIONS + 2 * DP * (ACTIONS + 1);   // clocks from an output to its delta, about
    // Batch slices between the way in and the first sample that comes out.
    localparam BATCH_SLICES_C  = between(LANES, 1, PERIOD_C, 2 * DP);
    localparam BATCH_SLICES_A  = between(acting(LANES), 1, PERIOD_A, 2 * DP);
    localparam BATCH_SLICES    = ((BATCH_SLICES_C > BATCH_SLICES_A) ? BATCH_SLICES_C : BATCH_SLICES_A) + 2;

    `RLC_LEARNER_LEGAL(rlc_ppo_networks)
    `include "rlc_nn_state.vh"
    `RLC_CHECK(IS_ADAM && POLYAK == 0 && ROUND == 0, rlc_ppo_networks_illegal_OPTIMISER_must_be_2_Adam_and_POLYAK_and_ROUND_0)
    `RLC_CHECK(lists(SIZES) == `RLC_PPO_NETWORKS && field(acting(SIZES), 0) == INPUTS && field(acting(LANES), 0) == LANES_IN,
               rlc_ppo_networks_illegal_SIZES_and_LANES_must_be_of_2_networks_with_equal_first_numbers)
    `RLC_LEARNER_LISTS(rlc_ppo_networks)
    `RLC_CHECK(field(SIZES, M) == 1, rlc_ppo_networks_illegal_SIZES_must_end_with_one_output)
    `RLC_CHECK(GAUSSIAN == 0 || GAUSSIAN == 1, rlc_ppo_networks_illegal_GAUSSIAN_must_be_0_or_1)
    `RLC_CHECK((GAUSSIAN != 0) ? ACTIONS >= 1 && ACTIONS <= 32 : ACTIONS >= 2 && ACTIONS <= 128,
               rlc_ppo_networks_illegal_SIZES_of_the_actor_must_end_with_2_to_128_actions_or_1_to_32_dimensions)

    // Ways to the average: of the critic, of the actor, of the log-deviations.
    localparam AVG_C = M * average_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH);
    localparam AVG_A = AM * average_bits(acting(UPDATE_ROWS), acting(UPDATE_COLS), WEIGHT_WIDTH);

    // An abort waits for the end of an update, and under it passes of squares come to their end.
    reg        updating_q;
    reg  [3:0] dropped_q;
    wire       permit, measured;
    wire       drop     = flush && !updating_q && !measured;
    wire       path_rst = rst || drop;
    wire [20:0] a_busy, c_busy;
    wire       d_busy;
    always @(posedge clk) begin
        updating_q <= !rst && (measured || (updating_q && !done));
        if (!drop || |{a_busy[19:16], c_busy[19:16], d_busy}) dropped_q <= 4'd0;
        else if (dropped_q != 4'd15)                  dropped_q <= dropped_q + 4'd1;
    end

    // Which way samples go; some clocks after a change nothing enters, so that the networks' gates start anew.
    reg       train_q;
    reg [3:0] hold_q;
    wire      hold = train_q != train || hold_q != 4'd0;
    wire      idle = !train_q;
    always @(posedge clk) begin
        train_q <= train;
        hold_q  <= (path_rst || train_q != train) ? 4'd15 : (hold_q != 4'd0) ? hold_q - 4'd1 : 4'd0;
    end

    // What is inside.
    wire        s_valid, s_ready, s_last, taken;
    reg  [15:0] observations_q;
    reg  [7:0]  minibatches_q;
    reg         part_q;                      // a minibatch is not yet taken in whole
    always @(posedge clk)
        if (path_rst) begin
            observations_q <= 16'd0;
            minibatches_q  <= 8'd0;
            part_q         <= 1'b0;
            quiet          <= !rst && dropped_q == 4'd15;
        end else begin
            observations_q <= observations_q + {15'd0, taken && !train_q} - {15'd0, m_a_valid && m_a_ready};
            minibatches_q  <= minibatches_q + {7'd0, taken && train_q && s_last} - {7'd0, done};
            if (taken && train_q) part_q <= !s_last;
            quiet          <= !hold && !taken && !part_q && observations_q == 16'd0 && minibatches_q == 8'd0;
        end

    // In: a sample's observation to its batch slice; what the heads and losses need of it waits for the outputs.
    localparam INFO_A = `RLC_RL_CLIP_BITS + A_BITS;
    wire                 gather_ready, a_info_room, c_info_room, a_slice_room, c_slice_room, batch_slice, x_valid, x_ready;
    wire                 room = a_info_room && c_info_room && a_slice_room && c_slice_room && !hold;
    wire [INPUTS*18-1:0] obs  = train_q ? s_t_obs : s_o_data;
    wire [DP-1:0]        column;
    wire [WORD-1:0]      x_data;
    assign s_last    = train_q ? s_t_last : s_o_last;
    assign s_valid   = (train_q ? s_t_valid : s_o_valid) && room;
    assign s_ready   = gather_ready && room;
    assign taken     = s_valid && gather_ready;
    assign s_t_ready = s_ready && train_q;
    assign s_o_ready = s_ready && !train_q;
    rlc_ppo_gather #(.DP(DP), .LANES(LANES_IN), .SIZE(INPUTS), .WIDTH(ACT_WIDTH), .BATCH_SLICES(2)) u_gather (
        .clk(clk), .rst(path_rst), .s_valid(s_valid), .s_ready(gather_ready), .s_data(obs), .s_last(s_last),
        .batch_slice(batch_slice), .column(column), `RLC_STREAM_JOIN(m, x)
    );

    // Both networks.
    wire            ax_valid, ax_ready, cx_valid, cx_ready;
    wire [WORD-1:0] ax_data, cx_data;
    rlc_learner_fork #(.WIDTH(WORD)) u_fork (
        .clk(clk), .rst(path_rst), .use_b(1'b1), `RLC_STREAM_JOIN(s, x), `RLC_STREAM_JOIN(m_a, ax),
        `RLC_STREAM_JOIN(m_b, cx)
    );
    `RLC_LEARNER_FRACTIONS_FROM(critic, `RLC_LEARNER_FRACTIONS_AT(`RLC_PPO_NETWORK_CRITIC));
    `RLC_LEARNER_FRACTIONS_FROM(actor, `RLC_LEARNER_FRACTIONS_AT(`RLC_PPO_NETWORK_ACTOR));
    wire [19:0] log_rate;
    wire [17:0] factor;
    wire `RLC_NN_SETTINGS cfg_optimiser = `RLC_NN_ADAM_SETTINGS(log_rate, cfg_log_eps, cfg_log_clip);

    wire                           aq_valid, aq_ready, cq_valid, cq_ready, ad_valid, ad_ready, cd_valid, cd_ready;
    wire [DP*LANES_A*27-1:0]       aq_data;
    wire [DP*LANES_C*27-1:0]       cq_data;
    wire [DP*LANES_A*ACT_WIDTH-1:0] ad_data;
    wire [DP*LANES_C*ACT_WIDTH-1:0] cd_data;
    wire                           a_learnt, a_updated, c_updated, a_measured, c_measured, a_ok, c_ok;
    wire [AM*56-1:0]               a_squares;
    wire [M*56-1:0]                c_squares;
    wire [21*8-1:0]                a_sat, c_sat;
    wire                           a_host_busy, a_load_ready, a_read_valid, a_read_last;
    wire                           c_host_busy, c_load_ready, c_read_valid, c_read_last;
    wire [63:0]                    a_read_data, c_read_data;
    rlc_learner_net #(
        `include "rlc_learner_args.vh"
        , .NETWORK(`RLC_PPO_NETWORK_ACTOR), .TARGET(0), .CLIP(1), .AVERAGE(AVERAGE), .OUT_WIDTH(27), .RETURN_CLOCKS(ANSWER)
    ) u_actor (
        .*, .flush(drop), .batch_slices(cfg_batch_slices), .double_dqn(1'b0), .learnt(a_learnt), .updated(a_updated), .measured(a_measured),
        .cfg_frac(`RLC_LEARNER_FRACTIONS_AT(`RLC_PPO_NETWORK_ACTOR)),
        .squares(a_squares), .cfg_sync_interval(32'd0), .cfg_tau(17'd0), .cfg_seed(32'd0), .seed_load(1'b0),
        .cfg_ok(a_ok), .host_busy(a_host_busy), .s_load_ready(a_load_ready),
        .m_read_valid(a_read_valid), .m_read_data(a_read_data), .m_read_last(a_read_last),
        `RLC_STREAM_JOIN(s_x, ax), .s_x_kind(idle), .s_t_valid(1'b0), .s_t_ready(), .s_t_data({WORD{1'b0}}),
        `RLC_STREAM_JOIN(m_q, aq), .m_q_kind(), .m_t_valid(), .m_t_ready(1'b1), .m_t_data(), `RLC_STREAM_JOIN(s_d, ad),
        .avg_in(avg_in[AVG_C +: AVG_A]), .avg_out(avg_out[AVG_C +: AVG_A]), .bus(), .sat(a_sat), .busy(a_busy), .waiting()
    );
    rlc_learner_net #(
        `include "rlc_learner_args.vh"
        , .NETWORK(`RLC_PPO_NETWORK_CRITIC), .TARGET(0), .CLIP(1), .AVERAGE(AVERAGE), .OUT_WIDTH(27), .RETURN_CLOCKS(ANSWER)
    ) u_critic (
        .*, .flush(drop), .batch_slices(cfg_batch_slices), .double_dqn(1'b0), .learnt(), .updated(c_updated), .measured(c_measured),
        .cfg_frac(`RLC_LEARNER_FRACTIONS_AT(`RLC_PPO_NETWORK_CRITIC)),
        .squares(c_squares), .cfg_sync_interval(32'd0), .cfg_tau(17'd0), .cfg_seed(32'd0), .seed_load(1'b0),
        .cfg_ok(c_ok), .host_busy(c_host_busy), .s_load_ready(c_load_ready),
        .m_read_valid(c_read_valid), .m_read_data(c_read_data), .m_read_last(c_read_last),
        `RLC_STREAM_JOIN(s_x, cx), .s_x_kind(idle), .s_t_valid(1'b0), .s_t_ready(), .s_t_data({WORD{1'b0}}),
        `RLC_STREAM_JOIN(m_q, cq), .m_q_kind(), .m_t_valid(), .m_t_ready(1'b1), .m_t_data(), `RLC_STREAM_JOIN(s_d, cd),
        .avg_in(avg_in[AVG_C-1:0]), .avg_out(avg_out[AVG_C-1:0]), .bus(), .sat(c_sat), .busy(c_busy), .waiting()
    );
    // Only one moves a parameter bank; the others are silent.
    wire        d_host_busy, d_load_ready, d_read_valid, d_read_last;
    wire [63:0] d_read_data;
    assign host_busy    = a_host_busy || c_host_busy || d_host_busy;
    assign s_load_ready = a_load_ready || c_load_ready || d_load_ready;
    assign m_read_valid = a_read_valid || c_read_valid || d_read_valid;
    assign m_read_data  = a_read_data | c_read_data | d_read_data;
    assign m_read_last  = (a_read_last && GAUSSIAN == 0) || c_read_last || d_read_last;

    // Out: of each network one sample after the other, to acting together, to its loss by itself.
    wire                          a_valid, a_last, a_trains, a_enters, info_act;
    wire                          c_valid, c_last, c_trains, c_enters;
    wire                          act_ready, settled;
    wire [ACTIONS*27-1:0]         outputs;
    wire [26:0]                   value;
    wire [INFO_A-1:0]             a_info;
    wire [`RLC_RL_VALUE_BITS-1:0] c_info;
    wire act_valid = a_valid && c_valid && !train_q;
    wire a_ready   = train_q ? a_enters : act_ready && c_valid;
    wire c_ready   = train_q ? c_enters : act_ready && a_valid;
    assign a_trains = a_valid && train_q && settled;
    assign c_trains = c_valid && train_q;
    rlc_ppo_samples #(
        .DP(DP), .LANES(LANES_A), .SIZE(ACTIONS), .INFO(INFO_A + 1), .BATCH_SLICES(BATCH_SLICES)
    ) u_actor_samples (
        .clk(clk), .rst(path_rst), .s_info_valid(taken), .s_info_ready(a_info_room),
        .s_info_data({s_o_act, s_t_raw[A_BITS-1:0], s_t_log, s_t_scaled}), .s_end_valid(batch_slice),
        .s_end_ready(a_slice_room), .s_end_data(column), `RLC_STREAM_JOIN(s, aq), .m_valid(a_valid), .m_ready(a_ready),
        .m_data(outputs), .m_info({info_act, a_info}), .m_last(a_last)
    );
    rlc_ppo_samples #(
        .DP(DP), .LANES(LANES_C), .SIZE(1), .INFO(`RLC_RL_VALUE_BITS), .BATCH_SLICES(BATCH_SLICES)
    ) u_critic_samples (
        .clk(clk), .rst(path_rst), .s_info_valid(taken), .s_info_ready(c_info_room),
        .s_info_data({s_t_before, s_t_advantage}), .s_end_valid(batch_slice), .s_end_ready(c_slice_room),
        .s_end_data(column), `RLC_STREAM_JOIN(s, cq), .m_valid(c_valid), .m_ready(c_ready), .m_data(value),
        .m_info(c_info), .m_last(c_last)
    );

    // Acting.
    wire [ACTIONS*27-1:0] log_std;
    wire [2:0]            sat_act;
    rlc_ppo_act #(.GAUSSIAN(GAUSSIAN), .ACTIONS(ACTIONS), .PLACES(PLACES)) u_act (
        .clk(clk), .rst(rst), .flush(drop), .seed(seed), .seed_load(seed_load), .log_std(log_std),
        .soon(taken && !train_q && s_o_act),
        .s_valid(act_valid), .s_ready(act_ready), .s_outputs(outputs), .s_value(value), .s_act(info_act),
        .m_valid(m_a_valid), .m_ready(m_a_ready), .m_act(m_a_act), .m_raw(m_a_raw), .m_move(m_a_move), .m_log(m_a_log), .m_value(m_a_value), .saturated(sat_act)
    );

    // A loss behind each network, and its deltas to batch slices again.
    wire                  al_valid, al_ready, a_info_taken, a_end, a_end_valid;
    wire                  cl_valid, cl_ready, c_info_taken, c_end, c_end_valid;
    wire [ACTIONS*18-1:0] al_data;
    wire [17:0]           cl_data;
    wire [2:0]            sat_policy;
    wire [1:0]            sat_value;
    reg  [5:0]            value_shift_q;
    always @(posedge clk) value_shift_q <= 6'd33 - {1'b0, critic_delta_frac[5*M +: 5]};
    rlc_rl_value_loss #(.PLACES(PLACES)) u_value_loss (
        .clk(clk), .rst(path_rst), .cfg_value(cfg_value), .cfg_value_clip(cfg_value_clip), .cfg_shift(value_shift_q),
        .s_q_valid(c_trains), .s_q_ready(c_enters), .s_q_data(value), .s_info_valid(c_trains), .s_info_ready(c_info_taken),
        .s_info_data(c_info), `RLC_STREAM_JOIN(m_delta, cl), .sat(sat_value)
    );

    // Of a Gaussian policy: the log-deviations, which learn as one more layer.
    wire                  d_measured, d_updated;
    wire [55:0]           d_squares;
    wire [1:0]            sat_deviation;
    if (GAUSSIAN != 0) begin : g_gaussian
        wire [ACTIONS*24-1:0] c;
        wire [ACTIONS*48-1:0] sums;
        rlc_rl_clip_gaussian #(.ACTIONS(ACTIONS), .PLACES(PLACES)) u_loss (
            .clk(clk), .rst(path_rst), .cfg_clip(cfg_clip), .cfg_entropy(cfg_entropy),
            .cfg_delta_frac(actor_delta_frac[5*AM +: 5]), .c(c), .clear(path_rst || d_updated), .sums(sums),
            .s_q_valid(a_trains), .s_q_ready(a_enters), .s_q_data(outputs), .s_info_valid(a_trains),
            .s_info_ready(a_info_taken), .s_info_data(a_info), `RLC_STREAM_JOIN(m_delta, al), .sat(sat_policy)
        );

        // Their words come behind those of the actor's parameter bank.
        localparam [31:0] NUMBER = `RLC_PPO_NETWORK_ACTOR;
        reg        waits_q, turn_q, actor_q, read_q;
        reg  [1:0] param_bank_q;
        wire       over;
        wire       of_actor = host_network == NUMBER[index_bits(lists(SIZES))-1:0];
        always @(posedge clk) begin
            if (!host_busy) begin
                read_q       <= host_read;
                param_bank_q <= host_param_bank;
            end
            actor_q <= a_host_busy;
            waits_q <= !rst && !host_drop && ((host_start && of_actor && !host_busy) || (waits_q && !over));
            turn_q  <= !rst && !host_drop && ((waits_q && actor_q && !a_host_busy) || (turn_q && !over));
        end
        wire read_valid, read_last, load_ready;
        wire [63:0] read_data;
        assign d_host_busy  = waits_q;
        assign d_load_ready = load_ready && turn_q;
        assign d_read_valid = read_valid && turn_q;
        assign d_read_last  = read_last && turn_q;
        assign d_read_data  = read_data & {64{turn_q}};
        rlc_ppo_log_std #(
            .ACTIONS(ACTIONS), .OPTIMISER(OPTIMISER), .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM),
            .BETA2_SHIFT(BETA2_SHIFT), .AVERAGE(AVERAGE)
        ) u_log_std (
            .clk(clk), .rst(rst), .path_rst(path_rst), .avg_in(avg_in[AVG_A+AVG_C +: `RLC_PPO_LOG_AVERAGE]),
            .avg_out(avg_out[AVG_A+AVG_C +: `RLC_PPO_LOG_AVERAGE]), .sums(sums), .cfg_frac(cfg_logs_frac), .settings(cfg_optimiser),
            .learnt(a_learnt), .measured(d_measured),
            .squares(d_squares), .permit(permit), .factor(factor), .updated(d_updated), .logs(log_std), .c(c),
            .settled(settled), .busy(d_busy), .host_en(turn_q), .host_read(read_q), .host_param_bank(param_bank_q),
            .host_done(over), .s_valid(s_load_valid && turn_q), .s_ready(load_ready), .s_data(s_load_data),
            .m_valid(read_valid), .m_ready(m_read_ready && turn_q), .m_data(read_data), .m_last(read_last),
            .saturated(sat_deviation)
        );
    end else begin : g_categorical
        reg [5:0] delta_shift_q;
        always @(posedge clk) delta_shift_q <= 6'd36 - {1'b0, actor_delta_frac[5*AM +: 5]};
        rlc_rl_clip_categorical #(.ACTIONS(ACTIONS), .PLACES(PLACES)) u_loss (
            .clk(clk), .rst(path_rst), .cfg_clip(cfg_clip), .cfg_entropy(cfg_entropy), .cfg_delta_shift(delta_shift_q),
            .s_q_valid(a_trains), .s_q_ready(a_enters), .s_q_data(outputs), .s_info_valid(a_trains),
            .s_info_ready(a_info_taken), .s_info_data(a_info), `RLC_STREAM_JOIN(m_delta, al), .sat(sat_policy)
        );
        assign avg_out[AVG_A+AVG_C +: `RLC_PPO_LOG_AVERAGE] = {`RLC_PPO_LOG_AVERAGE{1'b0}};
        assign settled       = 1'b1;
        assign log_std       = {(ACTIONS*27){1'b0}};
        assign d_measured    = 1'b1;
        assign d_updated     = 1'b1;
        assign d_squares     = 56'd0;
        assign d_busy        = 1'b0;
        assign sat_deviation = 2'd0;
        assign {d_host_busy, d_load_ready, d_read_valid, d_read_last} = 4'd0;
        assign d_read_data   = 64'd0;
        wire unused = &{1'b0, a_learnt, cfg_logs_frac, avg_in[AVG_A+AVG_C +: `RLC_PPO_LOG_AVERAGE]};
    end
    rlc_queue #(.WIDTH(1), .DEPTH(PLACES)) u_actor_ends (
        .clk(clk), .rst(path_rst), .s_valid(a_trains && a_enters), .s_data(a_last), .m_valid(a_end_valid),
        .m_ready(al_valid && al_ready), .m_data(a_end)
    );
    rlc_queue #(.WIDTH(1), .DEPTH(PLACES)) u_critic_ends (
        .clk(clk), .rst(path_rst), .s_valid(c_trains && c_enters), .s_data(c_last), .m_valid(c_end_valid),
        .m_ready(cl_valid && cl_ready), .m_data(c_end)
    );
    rlc_ppo_gather #(.DP(DP), .LANES(LANES_A), .SIZE(ACTIONS), .WIDTH(18), .BATCH_SLICES(2)) u_actor_deltas (
        .clk(clk), .rst(path_rst), `RLC_STREAM_JOIN(s, al), .s_last(a_end), .batch_slice(), .column(),
        `RLC_STREAM_JOIN(m, ad)
    );
    rlc_ppo_gather #(.DP(DP), .LANES(LANES_C), .SIZE(1), .WIDTH(18), .BATCH_SLICES(2)) u_critic_deltas (
        .clk(clk), .rst(path_rst), `RLC_STREAM_JOIN(s, cl), .s_last(c_end), .batch_slice(), .column(),
        `RLC_STREAM_JOIN(m, cd)
    );

    // When the gradients of both are measured: one factor, one rate, then both may write until all have.
    // .. without log-deviations these are never waited for.
    reg  [2:0] measured_q, updated_q;
    reg        norm_q, rate_q;
    wire       norm_done, rate_done;
    wire [2:0] measured_d = measured_q | {d_measured, c_measured, a_measured};
    wire [2:0] updated_d  = updated_q | {d_updated, c_updated, a_updated};
    assign measured = &measured_d;
    assign permit   = norm_q && rate_q;
    assign done     = &updated_d;
    always @(posedge clk) begin
        measured_q <= (path_rst || measured) ? 3'd0 : measured_d;
        updated_q  <= (rst || done) ? 3'd0 : updated_d;
        norm_q     <= !path_rst && !done && (norm_q || norm_done);
        rate_q     <= !path_rst && !done && (rate_q || rate_done);
    end
    localparam PARTS = AM + M + GAUSSIAN;
    wire [(AM+M+1)*56-1:0] all_squares = {d_squares, c_squares, a_squares};
    wire [(AM+M+1)*6-1:0]  all_frac    = {cfg_logs_frac, critic_grad_frac[6*1 +: 6*M], actor_grad_frac[6*1 +: 6*AM]};
    rlc_ppo_grad_norm #(.LAYERS(PARTS)) u_grad_norm (
        .clk(clk), .rst(path_rst), .start(measured), .squares(all_squares[PARTS*56-1:0]),
        .frac(all_frac[PARTS*6-1:0]), .cfg_limit(cfg_norm), .factor(factor), .done(norm_done)
    );
    rlc_ppo_lr_schedule #(
        .BETA1_NUM(BETA1_NUM), .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
    ) u_lr_schedule (
        .clk(clk), .rst(rst), .restart(rate_restart), .start(measured), .cfg_first(cfg_rate),
        .cfg_iterations(cfg_iterations), .remaining(remaining), .log_rate(log_rate), .done(rate_done)
    );

    // The last activations of both have 16 fraction bits.
    reg ok_q;
    always @(posedge clk) ok_q <= actor_act_frac[5*AM +: 5] == 5'd16 && critic_act_frac[5*M +: 5] == 5'd16;
    assign cfg_ok = a_ok && c_ok && ok_q;

    // Counts. A network's are {range, WU, WA, BW, TFW, FW}, four of each.
    wire [7:0] acc_overflow = a_sat[8*`RLC_LEARNER_NET_ACC_OVERFLOW +: 8] + c_sat[8*`RLC_LEARNER_NET_ACC_OVERFLOW +: 8];
    assign sat = {
        {7'd0, sat_deviation[1]} + {7'd0, sat_deviation[0]}, {6'd0, sat_value}, {5'd0, sat_policy}, 24'd0,
        {5'd0, sat_act}, acc_overflow,
        c_sat[8*`RLC_LEARNER_NET_WU +: 32], a_sat[8*`RLC_LEARNER_NET_WU +: 32],
        c_sat[8*`RLC_LEARNER_NET_WA +: 32], a_sat[8*`RLC_LEARNER_NET_WA +: 32],
        c_sat[8*`RLC_LEARNER_NET_BW +: 32], a_sat[8*`RLC_LEARNER_NET_BW +: 32],
        c_sat[8*`RLC_LEARNER_NET_FW +: 32], a_sat[8*`RLC_LEARNER_NET_FW +: 32]
    };
    wire unused = &{1'b0, actor_act_frac, actor_delta_frac, actor_grad_frac, critic_act_frac, critic_delta_frac,
                    critic_grad_frac, a_end_valid, c_end_valid, a_info_taken, c_info_taken, a_sat, c_sat, a_busy, c_busy, s_t_raw, all_squares, all_frac, d_busy};
endmodule
`default_nettype wire
