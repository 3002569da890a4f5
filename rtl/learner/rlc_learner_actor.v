// rlc_learner_actor.v — the DDPG side of the learner: the actor network, tanh, the way of its gradient through the critic,
// and the order in which the two networks write their weights.
// SPDX-License-Identifier: Apache-2.0
//
// SIZES .. UPDATE_COLS   the critic, as in rlc_learner; ACTOR_*: the actor
// AHEAD         clocks of the actor's forward chain, about
// Other parameters: rlc_learner
//
//   s_s -> queue -+-> actor -> mu(s), slope -+-> pass through the critic -> da -> tail -> deltas -> actor
//                 +-> queue -----------------+
//   s_n ----------+-> target actor -> mu'(s') -+-> m_t
//                 +-> queue -------------------+
//
// idle, waves   as in rlc_learner_net
// value_learnt, value_updated   pulses of the critic: all its gradients of a batch are complete; its weights are new
// value_permit  the critic may write its weights
// step_done     pulse: both networks have the weights of one more step
// cfg_*         docs/learner.md, "Registers"; cfg_ok: the fractions make shifts that exist
// host_*        loads or reads a plane of the actor (host_actor) or lets value_* of the critic through; s_load_*, m_read_*,
//               host_busy are those of both
// bus           weight bus of the critic
// s_live_*      a bit a column and wave: it holds a sample
// s_s_*, s_n_*  words of states and of next states; m_t_*: words of (s', mu'(s')) for the target critic
// sat, busy, waiting   stages 32..63 of docs/learner.md; sat counts elements (8 bits)
// equation      paper 000, section 3.2.3, "Actor-Critic"
`default_nettype none
module rlc_learner_actor #(
    parameter [1023:0] SIZES             = "8-8-8-1",
    parameter [1023:0] LANES             = "4-4-4-1",
    parameter [1023:0] FORWARD           = "1-2-1",
    parameter [1023:0] BACKWARD          = "1-2-1",
    parameter [1023:0] UPDATE_ROWS       = "4-4-1",
    parameter [1023:0] UPDATE_COLS       = "1-2-1",
    parameter [1023:0] ACTOR_SIZES       = "4-8-4",
    parameter [1023:0] ACTOR_LANES       = "4-4-4",
    parameter [1023:0] ACTOR_FORWARD     = "1-1",
    parameter [1023:0] ACTOR_BACKWARD    = "1-1",
    parameter [1023:0] ACTOR_UPDATE_ROWS = "4-4",
    parameter [1023:0] ACTOR_UPDATE_COLS = "1-1",
    parameter DP           = 1,
    parameter BATCH_MAX    = 64,
    parameter OPTIMISER    = 2,
    parameter ROUND        = 0,
    parameter POLYAK       = 0,
    parameter BETA1_NUM    = 205,
    parameter BETA1_SHIFT  = 11,
    parameter BETA2_NUM    = 131,
    parameter BETA2_SHIFT  = 17,
    parameter WEIGHT_WIDTH = 27,
    parameter WEIGHT_FRAC  = 22,
    parameter ACT_WIDTH    = 18,
    parameter GRAD_WIDTH   = 27,
    parameter AHEAD        = 150,
    // Derived; leave them alone.
    parameter LANES_IN     = field(LANES, 0),
    parameter LAYERS       = fields(SIZES) - 1,
    parameter BUS          = bus_bits(widest(UPDATE_ROWS, UPDATE_COLS), WEIGHT_WIDTH),
    parameter WORD         = DP * LANES_IN * ACT_WIDTH
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    idle,
    input  wire                    flush,
    input  wire                    host_drop,
    input  wire [16:0]             waves,
    input  wire                    value_learnt,
    input  wire                    value_updated,
    output wire                    value_permit,
    output wire                    step_done,

    input  wire                    cfg_lag,
    input  wire [24:0]             cfg_act_frac,
    input  wire [24:0]             cfg_pass_frac,
    input  wire [17:0]             cfg_actor_delta,
    input  wire [24:0]             cfg_actor_act_frac,
    input  wire [24:0]             cfg_actor_delta_frac,
    input  wire [29:0]             cfg_actor_grad_frac,
    input  wire [17:0]             cfg_actor_rate,
    input  wire [5:0]              cfg_actor_rate_exp,
    input  wire [19:0]             cfg_actor_log_rate,
    input  wire [17:0]             cfg_momentum,
    input  wire [19:0]             cfg_log_eps,
    input  wire [19:0]             cfg_log_clip,
    input  wire [31:0]             cfg_sync_interval,
    input  wire [16:0]             cfg_tau,
    input  wire [31:0]             cfg_seed,
    input  wire                    seed_load,
    output wire                    cfg_ok,

    input  wire                    host_start,
    input  wire                    host_read,
    input  wire                    host_actor,
    input  wire [1:0]              host_plane,
    output wire                    host_busy,
    input  wire                    s_load_valid,
    output wire                    s_load_ready,
    input  wire [63:0]             s_load_data,
    output wire                    m_read_valid,
    input  wire                    m_read_ready,
    output wire [63:0]             m_read_data,
    output wire                    m_read_last,
    input  wire                    value_host_busy,
    input  wire                    value_load_ready,
    input  wire                    value_read_valid,
    input  wire [63:0]             value_read_data,
    input  wire                    value_read_last,

    input  wire [LAYERS*BUS-1:0]   bus,
    input  wire                    s_live_valid,
    output wire                    s_live_ready,
    input  wire [DP-1:0]           s_live_data,
    input  wire                    s_s_valid,
    output wire                    s_s_ready,
    input  wire [WORD-1:0]         s_s_data,
    input  wire                    s_n_valid,
    output wire                    s_n_ready,
    input  wire [WORD-1:0]         s_n_data,
    output wire                    m_t_valid,
    input  wire                    m_t_ready,
    output wire [WORD-1:0]         m_t_data,

    output wire [32*8-1:0]         sat,
    output wire [31:0]             busy,
    output wire [31:0]             waiting
);
    `include "rlc_learner_defs.vh"

    localparam M         = fields(SIZES) - 1;
    localparam AM        = fields(ACTOR_SIZES) - 1;
    localparam WORDS_S   = words(field(ACTOR_SIZES, 0), LANES_IN);
    localparam WORDS_A   = words(field(ACTOR_SIZES, AM), LANES_IN);
    localparam WAVES     = (BATCH_MAX + DP - 1) / DP;
    localparam PERIOD    = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);
    localparam PERIOD_A  = period(ACTOR_SIZES, ACTOR_LANES, ACTOR_FORWARD, ACTOR_BACKWARD, DP + 3);
    localparam ACTOR_BUS = bus_bits(widest(ACTOR_UPDATE_ROWS, ACTOR_UPDATE_COLS), WEIGHT_WIDTH);
    localparam THROUGH   = 2 * M * (PERIOD + 40) + 40;              // clocks of the way through the critic, about
    localparam WAIT      = (AHEAD / PERIOD_A + 4) * WORDS_S;        // words of s while the actor thinks
    localparam SLOPES    = (THROUGH / PERIOD + 6) * WORDS_A;        // words of 1 - a^2 meanwhile
    localparam BRANCH    = (WAVES + 4) * WORDS_S;                   // a batch of s: without lag it waits here
    localparam DERIV     = DP * LANES_IN * 17;

    wire path_rst = rst || flush;

    // Fractions to shifts.
    reg [7:0] tail_shift_q;
    reg [7:0] squash_shift_q;
    always @(posedge clk) begin
        tail_shift_q   <= 8'd16 + {3'd0, cfg_pass_frac[4:0]} - {3'd0, cfg_actor_delta_frac[5*AM +: 5]};
        squash_shift_q <= 8'd16 - {3'd0, cfg_act_frac[4:0]};
    end
    wire tail_ok = tail_shift_q < 8'd48 && squash_shift_q < 8'd17;

    // Which columns of a wave hold a sample, until its delta starts.
    wire                          live_valid;
    wire                          live_ready;
    wire [DP-1:0]                 live_data;
    wire [$clog2(WAVES+5)-1:0]    live_count;
    rlc_fifo #(.WIDTH(DP), .DEPTH(WAVES + 4), .STYLE("distributed")) u_live (
        .clk(clk), .rst(path_rst), .s_valid(s_live_valid), .s_ready(s_live_ready), .s_data(s_live_data),
        .m_valid(live_valid), .m_ready(live_ready), .m_data(live_data), .count(live_count)
    );

    // Next states: to the target actor and, meanwhile waiting, to the target critic.
    wire            an_valid;
    wire            an_ready;
    wire [WORD-1:0] an_data;
    wire            bn_valid;
    wire            bn_ready;
    wire [WORD-1:0] bn_data;
    wire            wn_valid;
    wire            wn_ready;
    wire [WORD-1:0] wn_data;
    wire [$clog2(WAIT+1)-1:0] wn_count;
    rlc_learner_fork #(.WIDTH(WORD)) u_next (
        .clk(clk), .rst(path_rst), .use_b(1'b1), .s_valid(s_n_valid), .s_ready(s_n_ready), .s_data(s_n_data),
        .m_a_valid(an_valid), .m_a_ready(an_ready), .m_a_data(an_data),
        .m_b_valid(bn_valid), .m_b_ready(bn_ready), .m_b_data(bn_data)
    );
    rlc_fifo #(.WIDTH(WORD), .DEPTH(WAIT), .STYLE("distributed")) u_next_wait (
        .clk(clk), .rst(path_rst), .s_valid(bn_valid), .s_ready(bn_ready), .s_data(bn_data),
        .m_valid(wn_valid), .m_ready(wn_ready), .m_data(wn_data), .count(wn_count)
    );

    // States of the actor's own pass.
    wire            as_valid;
    wire            as_ready;
    wire [WORD-1:0] as_data;
    wire [$clog2(BRANCH+1)-1:0] as_count;
    wire            ax_valid;
    wire            ax_ready;
    wire [WORD-1:0] ax_data;
    wire            bp_valid;
    wire            bp_ready;
    wire [WORD-1:0] bp_data;
    wire            wp_valid;
    wire            wp_ready;
    wire [WORD-1:0] wp_data;
    wire [$clog2(WAIT+1)-1:0] wp_count;
    rlc_fifo #(.WIDTH(WORD), .DEPTH(BRANCH), .STYLE("block")) u_branch (
        .clk(clk), .rst(path_rst), .s_valid(s_s_valid), .s_ready(s_s_ready), .s_data(s_s_data),
        .m_valid(as_valid), .m_ready(as_ready), .m_data(as_data), .count(as_count)
    );
    rlc_learner_fork #(.WIDTH(WORD)) u_actor_states (
        .clk(clk), .rst(path_rst), .use_b(1'b1), .s_valid(as_valid), .s_ready(as_ready), .s_data(as_data),
        .m_a_valid(ax_valid), .m_a_ready(ax_ready), .m_a_data(ax_data),
        .m_b_valid(bp_valid), .m_b_ready(bp_ready), .m_b_data(bp_data)
    );
    rlc_fifo #(.WIDTH(WORD), .DEPTH(WAIT), .STYLE("distributed")) u_pass_wait (
        .clk(clk), .rst(path_rst), .s_valid(bp_valid), .s_ready(bp_ready), .s_data(bp_data),
        .m_valid(wp_valid), .m_ready(wp_ready), .m_data(wp_data), .count(wp_count)
    );

    // Actor network.
    wire            actor_ok;
    wire            actor_permit;
    wire            actor_learnt;
    wire            actor_updated;
    wire            actor_host_busy;
    wire            actor_load_ready;
    wire            actor_read_valid;
    wire [63:0]     actor_read_data;
    wire            actor_read_last;
    wire            u_valid;
    wire            u_ready;
    wire [WORD-1:0] u_data;
    wire            u_kind;
    wire            ut_valid;
    wire            ut_ready;
    wire [WORD-1:0] ut_data;
    wire            ad_valid;
    wire            ad_ready;
    wire [WORD-1:0] ad_data;
    wire [AM*ACTOR_BUS-1:0] actor_bus;
    wire [24*8-1:0] actor_sat;
    wire [23:0]     actor_busy;
    wire [23:0]     actor_wait;
    reg             host_actor_q;
    always @(posedge clk) if (!host_busy) host_actor_q <= host_actor;
    rlc_learner_net #(
        .SIZES(ACTOR_SIZES), .LANES(ACTOR_LANES), .FORWARD(ACTOR_FORWARD), .BACKWARD(ACTOR_BACKWARD),
        .UPDATE_ROWS(ACTOR_UPDATE_ROWS), .UPDATE_COLS(ACTOR_UPDATE_COLS), .DP(DP), .ACTOR(1),
        .OPTIMISER(OPTIMISER), .ROUND(ROUND), .POLYAK(POLYAK), .BETA1_NUM(BETA1_NUM),
        .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT),
        .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .ACT_WIDTH(ACT_WIDTH),
        .GRAD_WIDTH(GRAD_WIDTH), .OUT_WIDTH(ACT_WIDTH), .RETURN_CLOCKS(THROUGH + 80)
    ) u_actor (
        .clk(clk), .rst(rst), .idle(idle), .flush(flush), .host_drop(host_drop), .waves(waves), .double(1'b0), .permit(actor_permit),
        .learnt(actor_learnt), .updated(actor_updated),
        .cfg_act_frac(cfg_actor_act_frac), .cfg_delta_frac(cfg_actor_delta_frac),
        .cfg_grad_frac(cfg_actor_grad_frac), .cfg_rate(cfg_actor_rate), .cfg_rate_exp(cfg_actor_rate_exp),
        .cfg_momentum(cfg_momentum), .cfg_log_rate(cfg_actor_log_rate), .cfg_log_eps(cfg_log_eps),
        .cfg_log_clip(cfg_log_clip), .cfg_sync_interval(cfg_sync_interval), .cfg_tau(cfg_tau),
        .cfg_seed(cfg_seed), .seed_load(seed_load), .cfg_ok(actor_ok),
        .host_start(host_start && host_actor), .host_read(host_read), .host_plane(host_plane),
        .host_busy(actor_host_busy), .s_load_valid(s_load_valid), .s_load_ready(actor_load_ready),
        .s_load_data(s_load_data), .m_read_valid(actor_read_valid), .m_read_ready(m_read_ready),
        .m_read_data(actor_read_data), .m_read_last(actor_read_last),
        .s_x_valid(ax_valid), .s_x_ready(ax_ready), .s_x_data(ax_data), .s_x_kind(1'b0),
        .s_t_valid(an_valid), .s_t_ready(an_ready), .s_t_data(an_data),
        .m_q_valid(u_valid), .m_q_ready(u_ready), .m_q_data(u_data), .m_q_kind(u_kind),
        .m_t_valid(ut_valid), .m_t_ready(ut_ready), .m_t_data(ut_data),
        .s_d_valid(ad_valid), .s_d_ready(ad_ready), .s_d_data(ad_data),
        .bus(actor_bus), .sat(actor_sat), .busy(actor_busy), .waiting(actor_wait)
    );

    // Its actions: mu(s) with the slope of the hyperbolic tangent, mu'(s').
    wire             mu_valid;
    wire             mu_ready;
    wire [WORD-1:0]  mu_data;
    wire             slope_valid;
    wire             slope_ready;
    wire [DERIV-1:0] slope_data;
    wire             mut_valid;
    wire             mut_ready;
    wire [WORD-1:0]  mut_data;
    wire             none_valid;
    wire [DERIV-1:0] none_data;
    rlc_learner_squash #(.DP(DP), .LANES(LANES_IN), .DERIVATIVE(1), .D_PLACES(SLOPES)) u_squash (
        .clk(clk), .rst(path_rst), .cfg_shift(squash_shift_q[5:0]),
        .s_valid(u_valid), .s_ready(u_ready), .s_data(u_data),
        .m_a_valid(mu_valid), .m_a_ready(mu_ready), .m_a_data(mu_data),
        .m_d_valid(slope_valid), .m_d_ready(slope_ready), .m_d_data(slope_data)
    );
    rlc_learner_squash #(.DP(DP), .LANES(LANES_IN), .DERIVATIVE(0)) u_squash_target (
        .clk(clk), .rst(path_rst), .cfg_shift(squash_shift_q[5:0]),
        .s_valid(ut_valid), .s_ready(ut_ready), .s_data(ut_data),
        .m_a_valid(mut_valid), .m_a_ready(mut_ready), .m_a_data(mut_data),
        .m_d_valid(none_valid), .m_d_ready(1'b1), .m_d_data(none_data)
    );
    rlc_learner_join #(.WIDTH(WORD), .WORDS_A(WORDS_S), .WORDS_B(WORDS_A)) u_target_input (
        .clk(clk), .rst(path_rst), .s_a_valid(wn_valid), .s_a_ready(wn_ready), .s_a_data(wn_data),
        .s_b_valid(mut_valid), .s_b_ready(mut_ready), .s_b_data(mut_data),
        .m_valid(m_t_valid), .m_ready(m_t_ready), .m_data(m_t_data)
    );

    // The way through the critic and back to the actor's output.
    wire             px_valid;
    wire             px_ready;
    wire [WORD-1:0]  px_data;
    wire             pass_ok;
    wire             da_valid;
    wire             da_ready;
    wire [WORD-1:0]  da_data;
    wire [9*8-1:0]   pass_sat;
    wire [8:0]       pass_busy;
    wire [8:0]       pass_wait;
    wire [7:0]       pass_range;
    rlc_learner_join #(.WIDTH(WORD), .WORDS_A(WORDS_S), .WORDS_B(WORDS_A)) u_pass_input (
        .clk(clk), .rst(path_rst), .s_a_valid(wp_valid), .s_a_ready(wp_ready), .s_a_data(wp_data),
        .s_b_valid(mu_valid), .s_b_ready(mu_ready), .s_b_data(mu_data),
        .m_valid(px_valid), .m_ready(px_ready), .m_data(px_data)
    );
    rlc_learner_pass #(
        .SIZES(SIZES), .LANES(LANES), .FORWARD(FORWARD), .BACKWARD(BACKWARD), .UPDATE_ROWS(UPDATE_ROWS),
        .UPDATE_COLS(UPDATE_COLS), .DP(DP), .WORDS_S(WORDS_S), .WEIGHT_WIDTH(WEIGHT_WIDTH),
        .WEIGHT_FRAC(WEIGHT_FRAC), .ACT_WIDTH(ACT_WIDTH)
    ) u_pass (
        .clk(clk), .rst(path_rst), .idle(idle), .waves(waves), .lag(cfg_lag), .updated(value_updated),
        .cfg_act_frac(cfg_act_frac), .cfg_pass_frac(cfg_pass_frac), .cfg_delta(cfg_actor_delta),
        .cfg_ok(pass_ok), .bus(bus),
        .s_x_valid(px_valid), .s_x_ready(px_ready), .s_x_data(px_data),
        .s_info_valid(live_valid), .s_info_ready(live_ready), .s_info_data(live_data),
        .m_da_valid(da_valid), .m_da_ready(da_ready), .m_da_data(da_data),
        .sat(pass_sat), .busy(pass_busy), .waiting(pass_wait), .range(pass_range)
    );
    localparam TAIL_COUNT = $clog2(DP * LANES_IN + 1);
    wire [TAIL_COUNT-1:0] sat_tail;
    rlc_learner_tail #(.DP(DP), .LANES(LANES_IN)) u_tail (
        .clk(clk), .rst(path_rst), .cfg_shift(tail_shift_q[5:0]),
        .s_da_valid(da_valid), .s_da_ready(da_ready), .s_da_data(da_data),
        .s_d_valid(slope_valid), .s_d_ready(slope_ready), .s_d_data(slope_data),
        .m_valid(ad_valid), .m_ready(ad_ready), .m_data(ad_data), .sat(sat_tail)
    );

    // Who may write weights. With lag the critic waits for the actor's gradient of the same batch, without it for that of
    // the batch before; the actor, whose target the critic's target values need, waits for the critic's gradient.
    reg [1:0] value_may_q;
    reg [1:0] actor_may_q;
    always @(posedge clk)
        if (rst || idle) begin
            value_may_q <= {1'b0, !cfg_lag};
            actor_may_q <= 2'd0;
        end else begin
            value_may_q <= value_may_q + {1'b0, actor_learnt} - {1'b0, value_updated};
            actor_may_q <= actor_may_q + {1'b0, value_learnt} - {1'b0, actor_updated};
        end
    assign value_permit = value_may_q != 2'd0;
    assign actor_permit = actor_may_q != 2'd0;

    // A step is done when both networks are.
    reg [1:0] value_done_q;
    reg [1:0] actor_done_q;
    assign step_done = value_done_q != 2'd0 && actor_done_q != 2'd0;
    always @(posedge clk)
        if (rst) begin
            value_done_q <= 2'd0;
            actor_done_q <= 2'd0;
        end else begin
            value_done_q <= value_done_q + {1'b0, value_updated} - {1'b0, step_done};
            actor_done_q <= actor_done_q + {1'b0, actor_updated} - {1'b0, step_done};
        end

    assign cfg_ok       = actor_ok && pass_ok && tail_ok;
    assign host_busy    = value_host_busy || actor_host_busy;
    assign s_load_ready = host_actor_q ? actor_load_ready : value_load_ready;
    assign m_read_valid = host_actor_q ? actor_read_valid : value_read_valid;
    assign m_read_data  = host_actor_q ? actor_read_data : value_read_data;
    assign m_read_last  = host_actor_q ? actor_read_last : value_read_last;

    // Stages 32..63: the actor's, and the way through the critic.
    assign sat     = {8'd0, actor_sat[8*23 +: 8] + pass_range, {(8-TAIL_COUNT){1'b0}}, sat_tail, actor_sat[8*11 +: 8*12],
                      pass_sat[8*1 +: 8*8], actor_sat[8*1 +: 8*8], 8'd0};
    assign busy    = {3'd0, actor_busy[22:11], pass_busy[8:1], actor_busy[8:1], 1'b0};
    assign waiting = {3'd0, actor_wait[22:11], pass_wait[8:1], actor_wait[8:1], 1'b0};
    wire unused = &{1'b0, u_kind, actor_bus, live_count, wn_count, as_count, wp_count, none_valid, none_data};
endmodule
`default_nettype wire
