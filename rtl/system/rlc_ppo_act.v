// rlc_ppo_act.v — acting: logits and value of one observation after the other to action, log-probability and value.
// SPDX-License-Identifier: Apache-2.0
//
//   action = greatest of logit + Gumbel number (rlc_policy_discrete), 1 + ACTIONS words of the generator an action
//
// seed, seed_load   state of the generator; only while nothing is inside
// flush      forgets what is inside; words that were drawn for it are lost
// soon       an observation will come that wants an action: its words are drawn
// s_act      an action is wanted; else the value alone, for which no word is drawn
// m_*        one answer an observation, in their order; action and log (log2, sfix(27,20)) count where act is high
// latency    2 * ACTIONS + 25 clocks to the answer
// throughput an action in ACTIONS + 1 clocks, while not more than PLACES observations are inside
// model      rlcores.cores.policy.head, discrete; rlcores.cores.ppo.model, Ppo.act
`default_nettype none
module rlc_ppo_act #(
    parameter ACTIONS = 2, // 2 to 128
    parameter PLACES  = 16 // observations inside, at least 2
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  flush,
    input  wire [127:0]          seed,
    input  wire                  seed_load,
    input  wire                  soon,
    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [ACTIONS*27-1:0] s_logits,
    input  wire [26:0]           s_value,
    input  wire                  s_act,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire                  m_act,
    output wire [7:0]            m_action,
    output wire [26:0]           m_log,
    output wire [26:0]           m_value
);
    localparam AHEAD = 4;                    // actions for which numbers wait
    localparam DRAWN = ACTIONS + 14;         // clocks from start until the head can take the logits

    wire path_rst = rst || flush;

    // Numbers are drawn before the logits come; a token says that those of one more action are there.
    wire         room, tokens, ends, starts, draw_step;
    wire [31:0]  draw;
    wire [127:0] own, unused_state;
    wire         begins = s_valid && s_ready;
    reg          drawing_q;
    reg  [15:0]  soon_q;                     // observations whose words are not drawn yet
    reg  [DRAWN:1] ready_q;
    assign starts = room && !drawing_q && soon_q != 16'd0;
    rlc_turn #(.COUNT(ACTIONS)) u_draws (.clk(clk), .restart(path_rst), .step(drawing_q), .at(), .last(ends));
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

    // Logits go to the head one after the other.
    reg  [ACTIONS*27-1:0] logits_q;
    reg                   playing_q;
    wire                  played, places, pop;
    wire [ACTIONS*27+26:0] onward = {27'd0, logits_q};
    assign s_ready = places && (!s_act || (tokens && (!playing_q || played)));
    rlc_turn #(.COUNT(ACTIONS)) u_play (.clk(clk), .restart(path_rst), .step(playing_q), .at(), .last(played));
    rlc_credit #(.PLACES(PLACES)) u_places (.clk(clk), .rst(path_rst), .take(begins), .give(pop), .room(places));
    always @(posedge clk) begin
        playing_q <= !path_rst && ((begins && s_act) || (playing_q && !played));
        if (begins && s_act) logits_q <= s_logits;
        else                 logits_q <= onward[ACTIONS*27+26:27];
    end
    wire        action_valid, log_valid, saturated;
    wire [7:0]  action;
    wire [26:0] log;
    rlc_policy_discrete #(.ACTIONS(ACTIONS), .PLACES(AHEAD + 1), .LOGP(1)) u_head (
        .clk(clk), .rst(path_rst), .cfg_frac(5'd16), .cfg_epsilon(17'd0), .cfg_noise(1'b1), .start(starts), .draw(draw),
        .draw_step(draw_step), .s_valid(playing_q), .s_data(logits_q[26:0]), .m_valid(action_valid), .m_action(action),
        .m_log_valid(log_valid), .m_log(log), .saturated(saturated)
    );

    // Answers in order: an action has come before its log-probability.
    wire value_there, action_there, log_there;
    assign m_valid = value_there && (!m_act || log_there);
    assign pop     = m_valid && m_ready;
    rlc_queue #(.WIDTH(28), .DEPTH(PLACES)) u_values (
        .clk(clk), .rst(path_rst), .s_valid(begins), .s_data({s_act, s_value}), .m_valid(value_there), .m_ready(pop),
        .m_data({m_act, m_value})
    );
    rlc_queue #(.WIDTH(8), .DEPTH(PLACES)) u_actions (
        .clk(clk), .rst(path_rst), .s_valid(action_valid), .s_data(action), .m_valid(action_there), .m_ready(pop && m_act),
        .m_data(m_action)
    );
    rlc_queue #(.WIDTH(27), .DEPTH(PLACES)) u_logs (
        .clk(clk), .rst(path_rst), .s_valid(log_valid), .s_data(log), .m_valid(log_there), .m_ready(pop && m_act),
        .m_data(m_log)
    );
    wire unused = &{1'b0, unused_state, onward[26:0], saturated, action_there};
endmodule
`default_nettype wire
