// rlc_learner_actor.sv — the DDPG side of the learner: the actor network, tanh, the way of its gradient through the critic,
// and the order in which the two networks write their weights.
// SPDX-License-Identifier: Apache-2.0
//
//   s_s -> queue -+-> actor -> mu(s), slope -+-> pass through the critic -> da -> tail -> deltas -> actor
//                 +-> queue -----------------+
//   s_n ----------+-> target actor -> mu'(s') -+-> m_t
//                 +-> queue -------------------+
//
// idle, batch_slices, flush, host_*   as in rlc_learner_net
// value_learnt, value_updated   pulses of the critic: all its gradients of a batch are complete; its weights are new
// value_permit  the critic may write its weights
// hold          the actor's weights may not be written
// step_done     pulse: both networks have the weights of one more step
// cfg_ok        the fractions make shifts that exist
// bus           weight bus of the critic; actor_bus: of the actor
// avg_*         of the actor: rlc_learner_net
// s_live_*      a bit a column and batch slice: it holds a sample
// s_s_*, s_n_*  words of states and of next states; m_t_*: words of (s', mu'(s')) for the target critic
// sat, busy, waiting   {BW 4..1, FW 4..1 of the way through the critic, tail, the actor's stages as rlc_learner_net has them};
//               sat counts elements (8 bits)
// equation      Meng et al. (2022), section 3.2.3, "Actor-Critic"
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_actor #(
    `include "rlc_learner_parameters.vh"
    , parameter AHEAD = 150,                                           // clocks of the actor's forward chain, about
    parameter AVERAGE = 0,                                             // as of rlc_learner
    // Derived; leave them alone.
    parameter M    = fields(SIZES) - 1,                                // layers of the critic
    parameter AM   = acting_layers(SIZES),                             // of the actor
    parameter BUS_A = bus_bits(acting(UPDATE_ROWS), acting(UPDATE_COLS), WEIGHT_WIDTH), // bits of the bus of one of its layers
    parameter BUS  = bus_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH), // bits of the weight bus of one of them
    parameter AVG_A = average_bits(acting(UPDATE_ROWS), acting(UPDATE_COLS), WEIGHT_WIDTH), // of a layer's way to the average
    parameter WORD = DP * field(LANES, 0) * ACT_WIDTH                  // bits of a word of a stream
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             idle,
    input  wire             flush,
    input  wire             host_drop,
    input  wire [16:0]      batch_slices,
    input  wire             value_learnt,
    input  wire             value_updated,
    output wire             value_permit,
    input  wire             hold,
    output wire             step_done,
    input  wire             cfg_lag,
    `RLC_LEARNER_TARGET_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_STEP_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_NETS_SETTINGS(input wire, `RLC_COMMA),
    `RLC_LEARNER_PASS_SETTINGS(input wire, `RLC_COMMA),
    output wire             cfg_ok,

    `RLC_LEARNER_HOST,

    input  wire [M*BUS-1:0] bus,
    output wire [AM*BUS_A-1:0] actor_bus,
    input  wire [AM*AVG_A-1:0] avg_in,
    output wire [AM*AVG_A-1:0] avg_out,
    `RLC_STREAM_SLAVE(s_live, DP),
    `RLC_STREAM_SLAVE(s_s, WORD),
    `RLC_STREAM_SLAVE(s_n, WORD),
    `RLC_STREAM_MASTER(m_t, WORD),

    output wire [30*8-1:0]  sat,
    output wire [29:0]      busy,
    output wire [29:0]      waiting
);
    `include "rlc_learner_defs.vh"

    localparam LANES_IN      = field(LANES, 0);
    localparam WORDS_S       = words(field(acting(SIZES), 0), LANES_IN);
    localparam WORDS_A       = words(field(acting(SIZES), AM), LANES_IN);
    localparam BATCH_SLICES  = (BATCH_MAX + DP - 1) / DP;
    localparam PERIOD        = period(SIZES, LANES, FORWARD, BACKWARD, DP + 3);
    localparam PERIOD_A      = period(acting(SIZES), acting(LANES), acting(FORWARD), acting(BACKWARD), DP + 3);
    localparam THROUGH       = 2 * M * (PERIOD + 40) + 40;              // clocks of the way through the critic, about
    localparam WAIT          = (AHEAD / PERIOD_A + 4) * WORDS_S;        // words of s while the actor thinks
    localparam SLOPES        = (THROUGH / PERIOD + 6) * WORDS_A;        // words of 1 - a^2 meanwhile
    localparam BRANCH        = (BATCH_SLICES + 4) * WORDS_S;                   // a batch of s: without lag it waits here
    localparam DERIV         = DP * LANES_IN * 17;

    wire path_rst = rst || flush;

    // Fractions to shifts.
    `RLC_LEARNER_FRACTIONS_FROM(value, `RLC_LEARNER_FRACTIONS_AT(`RLC_LEARNER_NETWORK_VALUE));
    `RLC_LEARNER_FRACTIONS_FROM(actor, `RLC_LEARNER_FRACTIONS_AT(`RLC_LEARNER_NETWORK_ACTOR));
    reg [7:0] tail_shift_q, squash_shift_q;
    always @(posedge clk) begin
        tail_shift_q   <= 8'd16 + {3'd0, cfg_pass_frac[4:0]} - {3'd0, actor_delta_frac[5*AM +: 5]};
        squash_shift_q <= 8'd16 - {3'd0, value_act_frac[4:0]};
    end
    wire tail_ok = tail_shift_q < 8'd48 && squash_shift_q < 8'd17;

    // Which columns of a batch slice hold a sample, until its delta starts.
    wire          live_valid, live_ready;
    wire [DP-1:0] live_data;
    rlc_fifo #(.WIDTH(DP), .DEPTH(BATCH_SLICES + 4), .STYLE("distributed")) u_live (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s, s_live), `RLC_STREAM_JOIN(m, live), .count()
    );

    // Next states: to the target actor and, meanwhile waiting, to the target critic.
    wire            an_valid, an_ready, bn_valid, bn_ready, wn_valid, wn_ready;
    wire [WORD-1:0] an_data, bn_data, wn_data;
    rlc_learner_fork #(.WIDTH(WORD)) u_next (
        .*, .rst(path_rst), .use_b(1'b1), `RLC_STREAM_JOIN(s, s_n), `RLC_STREAM_JOIN(m_a, an),
        `RLC_STREAM_JOIN(m_b, bn)
    );
    rlc_fifo #(.WIDTH(WORD), .DEPTH(WAIT), .STYLE("distributed")) u_next_wait (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s, bn), `RLC_STREAM_JOIN(m, wn), .count()
    );

    // States of the actor's own pass.
    wire            as_valid, as_ready, ax_valid, ax_ready, bp_valid, bp_ready, wp_valid, wp_ready;
    wire [WORD-1:0] as_data, ax_data, bp_data, wp_data;
    rlc_fifo #(.WIDTH(WORD), .DEPTH(BRANCH), .STYLE("block")) u_branch (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s, s_s), `RLC_STREAM_JOIN(m, as), .count()
    );
    rlc_learner_fork #(.WIDTH(WORD)) u_actor_states (
        .*, .rst(path_rst), .use_b(1'b1), `RLC_STREAM_JOIN(s, as), `RLC_STREAM_JOIN(m_a, ax),
        `RLC_STREAM_JOIN(m_b, bp)
    );
    rlc_fifo #(.WIDTH(WORD), .DEPTH(WAIT), .STYLE("distributed")) u_pass_wait (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s, bp), `RLC_STREAM_JOIN(m, wp), .count()
    );

    // Actor network.
    wire            actor_ok, permit, learnt, updated;
    wire            u_valid, u_ready, u_kind, ut_valid, ut_ready, ad_valid, ad_ready;
    wire [WORD-1:0] u_data, ut_data, ad_data;
    wire [21*8-1:0] actor_sat;
    wire [20:0]     actor_busy, actor_wait;
    rlc_learner_net #(
        `include "rlc_learner_args.vh"
        , .NETWORK(`RLC_LEARNER_NETWORK_ACTOR), .AVERAGE(AVERAGE), .RETURN_CLOCKS(THROUGH + 80)
    ) u_actor (
        .*, `RLC_LEARNER_NET_JOIN(`RLC_LEARNER_NETWORK_ACTOR), .double_dqn(1'b0), .measured(), .squares(), .factor(18'd0),
        .cfg_ok(actor_ok),
        `RLC_STREAM_JOIN(s_x, ax), .s_x_kind(1'b0), `RLC_STREAM_JOIN(s_t, an),
        `RLC_STREAM_JOIN(m_q, u), .m_q_kind(u_kind), `RLC_STREAM_JOIN(m_t, ut), `RLC_STREAM_JOIN(s_d, ad),
        .bus(actor_bus), .sat(actor_sat), .busy(actor_busy), .waiting(actor_wait)
    );

    // Its actions: mu(s) with the slope of the hyperbolic tangent, mu'(s').
    wire             mu_valid, mu_ready, slope_valid, slope_ready, mut_valid, mut_ready, none_valid;
    wire [WORD-1:0]  mu_data, mut_data;
    wire [DERIV-1:0] slope_data, none_data;
    rlc_rl_tanh #(.DP(DP), .LANES(LANES_IN), .DERIVATIVE(1), .D_PLACES(SLOPES)) u_tanh (
        .*, .rst(path_rst), .cfg_shift(squash_shift_q[5:0]), `RLC_STREAM_JOIN(s, u), `RLC_STREAM_JOIN(m_a, mu),
        `RLC_STREAM_JOIN(m_d, slope)
    );
    rlc_rl_tanh #(.DP(DP), .LANES(LANES_IN), .DERIVATIVE(0)) u_tanh_target (
        .*, .rst(path_rst), .cfg_shift(squash_shift_q[5:0]), `RLC_STREAM_JOIN(s, ut),
        `RLC_STREAM_JOIN(m_a, mut), .m_d_valid(none_valid), .m_d_ready(1'b1), .m_d_data(none_data)
    );
    rlc_learner_join #(.WIDTH(WORD), .WORDS_A(WORDS_S), .WORDS_B(WORDS_A)) u_target_input (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s_a, wn), `RLC_STREAM_JOIN(s_b, mut), `RLC_STREAM_JOIN(m, m_t)
    );

    // The way through the critic and back to the actor's output.
    wire            px_valid, px_ready, pass_ok, da_valid, da_ready;
    wire [WORD-1:0] px_data, da_data;
    wire [8*8-1:0]  pass_sat;
    wire [7:0]      pass_busy, pass_wait, pass_overflow;
    rlc_learner_join #(.WIDTH(WORD), .WORDS_A(WORDS_S), .WORDS_B(WORDS_A)) u_pass_input (
        .*, .rst(path_rst), `RLC_STREAM_JOIN(s_a, wp), `RLC_STREAM_JOIN(s_b, mu), `RLC_STREAM_JOIN(m, px)
    );
    rlc_learner_critic_input_grad #(
        `include "rlc_learner_args.vh"
    ) u_pass (
        .*, .rst(path_rst), .cfg_act_frac(value_act_frac), .updated(value_updated), .cfg_ok(pass_ok), `RLC_STREAM_JOIN(s_x, px),
        `RLC_STREAM_JOIN(s_info, live), `RLC_STREAM_JOIN(m_da, da), .sat(pass_sat), .busy(pass_busy),
        .waiting(pass_wait), .acc_overflow(pass_overflow)
    );
    localparam TAIL_COUNT = $clog2(DP * LANES_IN + 1);
    wire [TAIL_COUNT-1:0] sat_tail;
    rlc_rl_tanh_backward #(.DP(DP), .LANES(LANES_IN)) u_tanh_backward (
        .*, .rst(path_rst), .cfg_shift(tail_shift_q[5:0]), `RLC_STREAM_JOIN(s_da, da),
        `RLC_STREAM_JOIN(s_d, slope), `RLC_STREAM_JOIN(m, ad), .sat(sat_tail)
    );

    // Who may write weights. With lag the critic waits for the actor's gradient of the same batch, without it for that of
    // the batch before; the actor, whose target the critic's target values need, waits for the critic's gradient.
    reg [1:0] value_may_q, actor_may_q;
    always @(posedge clk)
        if (rst || idle) begin
            value_may_q <= {1'b0, !cfg_lag};
            actor_may_q <= 2'd0;
        end else begin
            value_may_q <= value_may_q + {1'b0, learnt} - {1'b0, value_updated};
            actor_may_q <= actor_may_q + {1'b0, value_learnt} - {1'b0, updated};
        end
    assign value_permit = value_may_q != 2'd0;
    assign permit       = actor_may_q != 2'd0 && !hold;

    // A step is done when both networks are.
    reg [1:0] value_done_q, actor_done_q;
    assign step_done = value_done_q != 2'd0 && actor_done_q != 2'd0;
    always @(posedge clk)
        if (rst) begin
            value_done_q <= 2'd0;
            actor_done_q <= 2'd0;
        end else begin
            value_done_q <= value_done_q + {1'b0, value_updated} - {1'b0, step_done};
            actor_done_q <= actor_done_q + {1'b0, updated} - {1'b0, step_done};
        end

    assign cfg_ok  = actor_ok && pass_ok && tail_ok;
    // Sums on the way through the critic count as the actor's. A tail is no unit.
    assign sat     = {pass_sat, {(8-TAIL_COUNT){1'b0}}, sat_tail, actor_sat[8*`RLC_LEARNER_NET_ACC_OVERFLOW +: 8] + pass_overflow,
                      actor_sat[0 +: 8*`RLC_LEARNER_NET_ACC_OVERFLOW]};
    assign busy    = {pass_busy, 1'b0, actor_busy};
    assign waiting = {pass_wait, 1'b0, actor_wait};
    wire unused = &{1'b0, u_kind, none_valid, none_data, value_act_frac, value_delta_frac, value_grad_frac, actor_act_frac,
                    actor_delta_frac, actor_grad_frac};
endmodule
`default_nettype wire
