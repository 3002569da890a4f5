// rlc_rl_discrete.v — from values or logits to an action: greatest, epsilon-greedy or categorical; its probability.
// SPDX-License-Identifier: Apache-2.0
//
//   The action is the first index with the greatest score_k. score_k is the output x_k (greedy), x_k + g_k (with noise), or
//   g_k alone (exploring); g_k is a Gumbel number.
//
// start        an observation takes its draws: from this clock on ACTIONS + 1 words, one per clock, the coin and then the g_k.
//              The next start comes after them, and the observation's first output at least 13 clocks after start
// draw, draw_step   the generator's word; it is taken in this clock
// cfg_epsilon  probability of a uniform action, ufix(17,16); cfg_noise: an action is drawn from the softmax. Both are read
//              at start. cfg_frac: fraction bits of outputs, steady while anything is inside
// s_*          outputs, sfix(27, cfg_frac), ACTIONS per observation, in the order of the starts, at most one per clock
// m_*          the action, 2 clocks after the observation's last output
// m_log_*      log2 of its probability in the softmax, sfix(27,20), ACTIONS + 24 clocks after that output; only with LOGP
// saturated    how many numbers did not fit in this clock: an output sfix(27,16), 3 clocks after it (only with LOGP)
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_discrete #(
    parameter ACTIONS = 2, // outputs, 1 to 256
    parameter PLACES  = 4, // observations that may be between start and their last output
    parameter LOGP    = 1  // 1: log-probabilities
) (
    input  wire clk,
    input  wire rst,
    `RLC_RL_HEAD(8)
);
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 256, rlc_rl_discrete_illegal_ACTIONS_must_be_1_to_256)
    `RLC_CHECK(PLACES >= 1, rlc_rl_discrete_illegal_PLACES_must_be_at_least_1)
    localparam AT_WIDTH = (ACTIONS > 1) ? $clog2(ACTIONS) : 1;
    localparam NOISE    = 37;      // bits of a Gumbel number at the outputs' fraction
    localparam QUANTILE = 8;

    // The draws.
    wire drawing, explore, noisy;
    rlc_rl_draws #(.COUNT(ACTIONS)) u_draws (
        .clk(clk), .rst(rst), .cfg_epsilon(cfg_epsilon), .cfg_noise(cfg_noise), .start(start), .draw(draw),
        .draw_step(draw_step), .word(drawing), .at(), .explore(explore), .noise(noisy)
    );

    // Gumbel numbers at the fraction of the outputs; they wait for these.
    wire signed [21:0] g;
    wire [NOISE-1:0]   g_shifted;
    wire               over, pushed;
    wire [1:0]         uses;
    rlc_rl_quantile #(.GUMBEL(1)) u_quantile (.clk(clk), .word(draw), .y(g));
    rlc_shift_sat #(.WIN(NOISE), .WOUT(NOISE)) u_fit (
        .clk(clk), .s_data({g, 15'd0}), .shift({1'b0, 5'd31 - cfg_frac}), .m_data(g_shifted), .m_saturated(over)
    );
    rlc_delay #(.WIDTH(2), .CLOCKS(QUANTILE + 3)) u_uses (.clk(clk), .d({!explore, explore || noisy}), .q(uses));
    reg [QUANTILE+2:0] pushed_q;
    always @(posedge clk) pushed_q <= rst ? {(QUANTILE+3){1'b0}} : {pushed_q[QUANTILE+1:0], drawing};
    assign pushed = pushed_q[QUANTILE+2];
    wire             ready_valid, use_x, use_g;
    wire [NOISE-1:0] noise;
    rlc_queue #(.WIDTH(NOISE + 2), .DEPTH(ACTIONS * PLACES + 1)) u_noise (
        .clk(clk), .rst(rst), .s_valid(pushed), .s_data({uses, g_shifted}),
        .m_valid(ready_valid), .m_ready(s_valid), .m_data({use_x, use_g, noise})
    );
    rlc_assert_never u_late (.clk(clk), .rst(rst), .bad(s_valid && !ready_valid));

    // Stage 1: the score. Stage 2: the best so far.
    wire [AT_WIDTH-1:0] at;
    wire                at_end;
    rlc_mod_counter #(.COUNT(ACTIONS)) u_at (.clk(clk), .restart(rst), .step(s_valid), .at(at), .last(at_end));
    reg  signed [NOISE:0] score_s1, best_q;
    reg  [AT_WIDTH-1:0]   at_s1, best_at_q;
    reg                   valid_s1, first_s1, last_s1, valid_s2;
    wire signed [NOISE:0] x_wide = {{(NOISE-26){s_data[26]}}, s_data};
    wire signed [NOISE:0] g_wide = {noise[NOISE-1], noise};
    wire                  better = first_s1 || score_s1 > best_q;
    always @(posedge clk) begin
        score_s1 <= (x_wide & {(NOISE+1){use_x}}) + (g_wide & {(NOISE+1){use_g}});
        at_s1    <= at;
        first_s1 <= at == {AT_WIDTH{1'b0}};
        valid_s1 <= s_valid && !rst;
        last_s1  <= at_end;
        if (valid_s1 && better) begin
            best_q    <= score_s1;
            best_at_q <= at_s1;
        end
        valid_s2 <= valid_s1 && last_s1 && !rst;
    end
    assign m_valid = valid_s2;
    wire [AT_WIDTH+7:0] action_wide = {8'd0, best_at_q};
    assign m_action = action_wide[7:0];

    if (LOGP != 0) begin : g_log
        // The choice is known when the last logit has been brought to 16 fraction bits.
        wire [26:0] logit;
        wire        cut;
        reg  [2:0]  valid_q;
        rlc_shift_sat #(.WIN(43), .WOUT(27)) u_align (
            .clk(clk), .s_data({s_data, 16'd0}), .shift({1'b0, cfg_frac}), .m_data(logit), .m_saturated(cut)
        );
        reg [AT_WIDTH-1:0] choice_q;
        always @(posedge clk) begin
            valid_q <= rst ? 3'd0 : {valid_q[1:0], s_valid};
            if (m_valid) choice_q <= best_at_q;
        end
        rlc_rl_softmax #(.COUNT(ACTIONS)) u_softmax (
            .clk(clk), .rst(rst), .s_valid(valid_q[2]), .s_data(logit), .s_choice(choice_q),
            .m_valid(m_log_valid), .m_data(m_log)
        );
        assign saturated = {2'b00, cut && valid_q[2]};
    end else begin : g_none
        assign m_log_valid = 1'b0;
        assign m_log       = 27'd0;
        assign saturated   = 3'd0;
    end
    wire unused = &{1'b0, over, action_wide};
endmodule
`default_nettype wire
