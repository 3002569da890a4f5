// rlc_ppo_act.v — acting: from the networks' outputs and value of each observation to action, log-probability and value.
// SPDX-License-Identifier: Apache-2.0
//
//   categorical  action = greatest of logit + Gumbel number (rlc_rl_discrete)
//   Gaussian     sample = mean + deviation z (rlc_rl_continuous)
//
// Both take 1 + ACTIONS words of the generator per action.
//
// seed, seed_load   state of the generator; only while nothing is inside
// flush      forgets everything inside; words that were drawn for it are lost
// soon       an observation that needs an action will come: its words are drawn now
// s_act      an action is wanted; if not, only the value, for which no word is drawn
// s_outputs  logits or means, sfix(27,16). log_std: ln(deviation) per dimension, sfix(27,22), steady
// m_*        one answer per observation, in their order; without act only value is valid. raw: the index, or samples,
//            sfix(27,16); move: the index, or half of the samples, sfix(18,15); log: log2 of the probability, sfix(27,20)
// saturated  how many numbers did not fit in this clock
// latency    2 * ACTIONS + 25 clocks to the answer, Gaussian ACTIONS + 38
// throughput one action in ACTIONS + 1 clocks, while at most PLACES observations are inside
// model      rlcores.cores.policy.head; rlcores.cores.ppo.model, Ppo.act
`default_nettype none
module rlc_ppo_act #(
    parameter GAUSSIAN = 0,  // 0: categorical
    parameter ACTIONS  = 2,  // 2 to 128, Gaussian 1 to 32
    parameter PLACES   = 16, // observations inside, at least 2
    // Derived; leave them alone.
    parameter RAW      = (GAUSSIAN != 0) ? 27 * ACTIONS : 8,   // bits of an action as it was drawn
    parameter MOVE     = (GAUSSIAN != 0) ? 18 * ACTIONS : 8    // .. and as the environment gets it
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  flush,
    input  wire [127:0]          seed,
    input  wire                  seed_load,
    input  wire [ACTIONS*27-1:0] log_std,
    input  wire                  soon,
    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [ACTIONS*27-1:0] s_outputs,
    input  wire [26:0]           s_value,
    input  wire                  s_act,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire                  m_act,
    output wire [RAW-1:0]        m_raw,
    output wire [MOVE-1:0]       m_move,
    output wire [26:0]           m_log,
    output wire [26:0]           m_value,
    output wire [2:0]            saturated
);
    localparam AHEAD = 4;                    // actions for which numbers wait
    localparam DRAWN = ACTIONS + 16;         // clocks from start until the head can take the outputs

    wire path_rst = rst || flush;

    // Numbers are drawn before the outputs come; a token says that those of one more action are there.
    wire         room, tokens, ends, starts, draw_step;
    wire [31:0]  draw;
    wire [127:0] own, unused_state;
    wire         begins = s_valid && s_ready;
    reg          drawing_q;
    reg  [15:0]  soon_q;                     // observations whose words are not drawn yet
    reg  [DRAWN:1] ready_q;
    assign starts = room && !drawing_q && soon_q != 16'd0;
    rlc_mod_counter #(.COUNT(ACTIONS)) u_draws (.clk(clk), .restart(path_rst), .step(drawing_q), .at(), .last(ends));
    rlc_credit #(.PLACES(AHEAD)) u_ahead (
        .clk(clk), .rst(path_rst), .take(starts), .give(begins && s_act), .room(room)
    );
    rlc_queue #(.WIDTH(1), .DEPTH(AHEAD)) u_tokens (
        .clk(clk), .rst(path_rst), .s_valid(ready_q[DRAWN]), .s_data(1'b1), .m_valid(tokens),
        .m_ready(begins && s_act), .m_data()
    );
    always @(posedge clk) begin
        soon_q    <= path_rst ? 16'd0 : soon_q + {15'd0, soon} - {15'd0, starts};
        drawing_q <= !path_rst && (starts || (drawing_q && !ends));
        ready_q   <= path_rst ? {DRAWN{1'b0}} : {ready_q[DRAWN-1:1], starts};
    end
    rlc_seed #(.STREAM(64)) u_seed (.seed(seed), .own(own));
    // All zeros has no successor: there it is s0 = 1.
    rlc_xoshiro128pp u_words (
        .clk(clk), .rst(rst), .load(seed_load), .state({own[127:1], own[0] || own == 128'd0}), .step(draw_step),
        .state_q(unused_state), .value(draw)
    );

    // Outputs go to the head one after the other.
    reg  [ACTIONS*27-1:0] outputs_q;
    reg                   playing_q;
    wire                  played, places, pop;
    wire [ACTIONS*27+26:0] onward = {27'd0, outputs_q};
    assign s_ready = places && (!s_act || (tokens && (!playing_q || played)));
    rlc_mod_counter #(.COUNT(ACTIONS)) u_play (.clk(clk), .restart(path_rst), .step(playing_q), .at(), .last(played));
    rlc_credit #(.PLACES(PLACES)) u_places (.clk(clk), .rst(path_rst), .take(begins), .give(pop), .room(places));
    always @(posedge clk) begin
        playing_q <= !path_rst && ((begins && s_act) || (playing_q && !played));
        if (begins && s_act) outputs_q <= s_outputs;
        else                 outputs_q <= onward[ACTIONS*27+26:27];
    end
    wire            move_valid, log_valid;
    wire [MOVE-1:0] move;
    wire [RAW-1:0]  raw;
    wire [26:0]     log;
    if (GAUSSIAN != 0) begin : g_gaussian
        rlc_rl_continuous #(.ACTIONS(ACTIONS), .PLACES(AHEAD + 4), .LOGP(1)) u_head (
            .clk(clk), .rst(path_rst), .cfg_frac(5'd16), .cfg_epsilon(17'd0), .cfg_noise(1'b1), .cfg_squash(2'd0),
            .cfg_scale(17'd32768), .start(starts), .draw(draw), .draw_step(draw_step), .log_std(log_std),
            .s_valid(playing_q), .s_data(outputs_q[26:0]), .m_valid(move_valid), .m_action(move),
            .m_log_valid(log_valid), .m_log(log), .m_samples(raw), .saturated(saturated)
        );
        wire raw_there;
        rlc_queue #(.WIDTH(RAW), .DEPTH(PLACES)) u_raws (
            .clk(clk), .rst(path_rst), .s_valid(log_valid), .s_data(raw), .m_valid(raw_there), .m_ready(pop && m_act),
            .m_data(m_raw)
        );
        wire unused = raw_there;
    end else begin : g_categorical
        rlc_rl_discrete #(.ACTIONS(ACTIONS), .PLACES(AHEAD + 1), .LOGP(1)) u_head (
            .clk(clk), .rst(path_rst), .cfg_frac(5'd16), .cfg_epsilon(17'd0), .cfg_noise(1'b1), .start(starts),
            .draw(draw), .draw_step(draw_step), .s_valid(playing_q), .s_data(outputs_q[26:0]), .m_valid(move_valid),
            .m_action(move), .m_log_valid(log_valid), .m_log(log), .saturated(saturated)
        );
        assign raw   = move;
        assign m_raw = m_move;
        wire unused = &{1'b0, log_std, raw};
    end

    // Answers in order: an action has come before its log-probability.
    wire value_there, move_there, log_there;
    assign m_valid = value_there && (!m_act || log_there);
    assign pop     = m_valid && m_ready;
    rlc_queue #(.WIDTH(28), .DEPTH(PLACES)) u_values (
        .clk(clk), .rst(path_rst), .s_valid(begins), .s_data({s_act, s_value}), .m_valid(value_there), .m_ready(pop),
        .m_data({m_act, m_value})
    );
    rlc_queue #(.WIDTH(MOVE), .DEPTH(PLACES)) u_moves (
        .clk(clk), .rst(path_rst), .s_valid(move_valid), .s_data(move), .m_valid(move_there), .m_ready(pop && m_act),
        .m_data(m_move)
    );
    rlc_queue #(.WIDTH(27), .DEPTH(PLACES)) u_logs (
        .clk(clk), .rst(path_rst), .s_valid(log_valid), .s_data(log), .m_valid(log_there), .m_ready(pop && m_act),
        .m_data(m_log)
    );
    wire unused = &{1'b0, unused_state, onward[26:0], move_there};
endmodule
`default_nettype wire
