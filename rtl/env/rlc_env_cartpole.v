// rlc_env_cartpole.v — CartPole's physics: one Euler step of 0.02 s, and the first state of an episode.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md. Integer model: rlcores.cores.env.cartpole, which has the equations and where the constants come from.
//
// s_state      x sfix(32,28), x_dot sfix(32,27), theta sfix(32,30), theta_dot sfix(32,27), the first lowest; |theta| within
//              12 degrees, as in every running episode
// s_action     0 pushes to the left, any other to the right
// s_draw       one random word per number of the first state, RESET_LATENCY clocks before m_reset_*
// m_*          LATENCY clocks after s_state. m_obs: sfix(18,15), (18,14), (18,18), (18,14); m_reward: 1.0 in sfix(27,19)
// throughput   one step per clock; nothing stalls, nothing is reset
// cost         15 multipliers of 18 x 18 bits, seven of them with a constant
`default_nettype none
`include "rlc_check.vh"
module rlc_env_cartpole #(
    parameter LATENCY       = 13, // clocks of a step: this module's own
    parameter RESET_LATENCY = 4   // clocks of a reset: likewise
) (
    input  wire         clk,
    input  wire [127:0] s_state,
    input  wire [17:0]  s_action,
    input  wire [127:0] s_draw,
    output wire [127:0] m_state,
    output wire [71:0]  m_obs,
    output wire [26:0]  m_reward,
    output wire         m_terminated,
    output wire         m_limited,
    output wire [127:0] m_reset_state,
    output wire [71:0]  m_reset_obs
);
    `RLC_CHECK(LATENCY == 13 && RESET_LATENCY == 4, rlc_env_cartpole_illegal_LATENCY_must_be_13_and_RESET_LATENCY_4)

    // The model's constants, with fraction bits of: P 18, Q0 27, Q1 and Q2 18, R 24, K 21, T 27, T_SHORT 19, DT 22; ends
    // of an episode as the state has them.
    localparam signed [17:0] P0 = 82709, P1 = -19656, Q1 = -43974, Q2 = 8154, R0 = 83886, R1 = -13950;
    localparam signed [17:0] K0 = 95324, K1 = -47489, T_SHORT = 95325, DT = 83886;
    localparam signed [27:0] Q0 = 39283235, T = 24403223;
    localparam signed [31:0] X_END = 644245094, THETA_END = 224883961;

    // 1: the numbers that are multiplied, of 18 bits.
    wire [71:0] code;
    wire        code_limited;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_codes (
        .state(s_state), .obs(code), .limited(code_limited)
    );
    reg signed [17:0] vel_q1, angle_q1, spin_q1;
    reg               right_q1;
    reg [127:0]       state_q1;
    always @(posedge clk) begin
        vel_q1   <= code[35:18];
        angle_q1 <= code[53:36];
        spin_q1  <= code[71:54];
        right_q1 <= s_action != 18'd0;
        state_q1 <= s_state;
    end

    // 2: squares; what moves by itself.
    reg signed [35:0] uu_q2, ww_q2, moved_q2, turned_q2;
    reg signed [17:0] angle_q2;
    reg               right_q2;
    reg [127:0]       state_q2;
    always @(posedge clk) begin
        uu_q2     <= angle_q1 * angle_q1;
        ww_q2     <= spin_q1 * spin_q1;
        moved_q2  <= vel_q1 * DT;
        turned_q2 <= spin_q1 * DT;
        angle_q2  <= angle_q1;
        right_q2  <= right_q1;
        state_q2  <= state_q1;
    end

    // 3: theta² sfix(18,19), theta_dot² sfix(18,11); the new x and theta, with a bit more.
    wire signed [35:0] u_d     = (uu_q2 + 36'sd65536) >>> 17;
    wire signed [35:0] w_d     = (ww_q2 + 36'sd65536) >>> 17;
    wire signed [35:0] moved   = (moved_q2 + 36'sd128) >>> 8;
    wire signed [35:0] turned  = (turned_q2 + 36'sd32) >>> 6;
    wire signed [32:0] x_old   = {state_q2[31], state_q2[31:0]};
    wire signed [32:0] th_old  = {state_q2[95], state_q2[95:64]};
    reg signed [17:0] u_q3, w_q3, angle_q3;
    reg signed [32:0] x_q3, theta_q3;
    reg        [63:0] speeds_q3;  // theta_dot, x_dot
    reg               right_q3;
    always @(posedge clk) begin
        u_q3      <= u_d[17:0];
        w_q3      <= w_d[17:0];
        x_q3      <= x_old + moved[32:0];
        theta_q3  <= th_old + turned[32:0];
        speeds_q3 <= {state_q2[127:96], state_q2[63:32]};
        angle_q3  <= angle_q2;
        right_q3  <= right_q2;
    end

    // 4: the lines in theta², and theta_dot² * theta.
    reg signed [35:0] p_q4, b_q4, r_q4, k_q4, turn_q4;
    reg signed [17:0] u_q4, angle_q4;
    always @(posedge clk) begin
        p_q4     <= u_q3 * P1;
        b_q4     <= u_q3 * Q2;
        r_q4     <= u_q3 * R1;
        k_q4     <= u_q3 * K1;
        turn_q4  <= w_q3 * angle_q3;
        u_q4     <= u_q3;
        angle_q4 <= angle_q3;
    end

    // 5: their sums; theta_dot² * theta is sfix(18,13).
    wire signed [35:0] p_d    = (p_q4 + 36'sd262144) >>> 19;
    wire signed [35:0] b_d    = (b_q4 + 36'sd262144) >>> 19;
    wire signed [35:0] r_d    = (r_q4 + 36'sd262144) >>> 19;
    wire signed [35:0] k_d    = (k_q4 + 36'sd262144) >>> 19;
    wire signed [35:0] turn_d = (turn_q4 + 36'sd32768) >>> 16;
    reg signed [17:0] p_q5, b_q5, r_q5, k_q5, turn_q5, u_q5, angle_q5;
    always @(posedge clk) begin
        p_q5     <= P0 + p_d[17:0];
        b_q5     <= Q1 + b_d[17:0];
        r_q5     <= R0 + r_d[17:0];
        k_q5     <= K0 + k_d[17:0];
        turn_q5  <= turn_d[17:0];
        u_q5     <= u_q4;
        angle_q5 <= angle_q4;
    end

    // 6: the parabola's second step, theta_dot² * theta * R, and theta * P.
    reg signed [35:0] q_q6, e_q6, fall_q6;
    always @(posedge clk) begin
        q_q6    <= u_q5 * b_q5;
        e_q6    <= turn_q5 * r_q5;
        fall_q6 <= angle_q5 * p_q5;
    end

    // 7: Q sfix(28,27), e sfix(18,20).
    wire signed [35:0] q_d = (q_q6 + 36'sd512) >>> 10;
    wire signed [35:0] e_d = (e_q6 + 36'sd65536) >>> 17;
    reg signed [27:0] q_q7;
    reg signed [17:0] e_q7;
    reg signed [35:0] fall_q7;
    always @(posedge clk) begin
        q_q7    <= Q0 + q_d[27:0];
        e_q7    <= e_d[17:0];
        fall_q7 <= fall_q6;
    end

    wire right_q7;
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_right (.clk(clk), .d(right_q3), .q(right_q7));

    // 8: theta * P ± Q with 38 fraction bits, and the products of e.
    wire signed [27:0] q_short = (q_q7 + 28'sd256) >>> 9;
    wire signed [40:0] q_wide  = {{2{q_q7[27]}}, q_q7, 11'd0};
    wire signed [40:0] p_wide  = {{3{fall_q7[35]}}, fall_q7, 2'd0};
    reg signed [40:0] fall_q8;
    reg signed [35:0] qe_q8, te_q8;
    reg               right_q8;
    always @(posedge clk) begin
        fall_q8  <= right_q7 ? p_wide - q_wide : p_wide + q_wide;
        qe_q8    <= $signed(q_short[17:0]) * e_q7;
        te_q8    <= T_SHORT * e_q7;
        right_q8 <= right_q7;
    end

    // 9: 0.02 * theta_acc with 38 fraction bits, and the push with 39.
    wire signed [40:0] qe_wide = {{5{qe_q8[35]}}, qe_q8};
    wire signed [40:0] te_wide = {{5{te_q8[35]}}, te_q8};
    wire signed [40:0] t_wide  = {T[27], T, 12'd0};
    reg signed [40:0] fall_q9, push_q9;
    always @(posedge clk) begin
        fall_q9 <= fall_q8 - qe_wide;
        push_q9 <= right_q8 ? te_wide + t_wide : te_wide - t_wide;
    end

    // 10: the new theta_dot, and theta_acc as a factor of 18 bits.
    wire signed [40:0] short_d = (fall_q9 + 41'sd524288) >>> 20;
    wire signed [40:0] spun    = (fall_q9 + 41'sd1024) >>> 11;
    wire        [63:0] speeds_q9;
    rlc_delay #(.WIDTH(64), .CLOCKS(6)) u_speeds (.clk(clk), .d(speeds_q3), .q(speeds_q9));
    wire signed [32:0] spin_old = {speeds_q9[63], speeds_q9[63:32]};
    wire signed [17:0] k_q9;
    rlc_delay #(.WIDTH(18), .CLOCKS(4)) u_k (.clk(clk), .d(k_q5), .q(k_q9));
    reg signed [17:0] short_q10, k_q10;
    reg signed [32:0] spin_q10;
    reg signed [40:0] push_q10;
    reg        [31:0] x_dot_q10;
    always @(posedge clk) begin
        short_q10 <= short_d[17:0];
        k_q10     <= k_q9;
        spin_q10  <= spin_old + spun[32:0];
        push_q10  <= push_q9;
        x_dot_q10 <= speeds_q9[31:0];
    end

    // 11: what the pole does to the cart.
    reg signed [35:0] back_q11;
    reg signed [32:0] spin_q11;
    reg signed [40:0] push_q11;
    reg        [31:0] x_dot_q11;
    always @(posedge clk) begin
        back_q11  <= k_q10 * short_q10;
        spin_q11  <= spin_q10;
        push_q11  <= push_q10;
        x_dot_q11 <= x_dot_q10;
    end

    // 12: the new x_dot.
    wire signed [40:0] back_wide = {{5{back_q11[35]}}, back_q11};
    wire signed [40:0] pushed    = (push_q11 - back_wide + 41'sd2048) >>> 12;
    wire signed [32:0] x_dot_old = {x_dot_q11[31], x_dot_q11};
    wire        [65:0] places_q11;
    rlc_delay #(.WIDTH(66), .CLOCKS(8)) u_places (.clk(clk), .d({theta_q3, x_q3}), .q(places_q11));
    reg [131:0] found_q12;
    always @(posedge clk) found_q12 <= {spin_q11, places_q11[65:33], x_dot_old + pushed[32:0], places_q11[32:0]};

    // 13: limits, the observation, the end.
    wire [127:0] found;
    wire [3:0]   beyond;
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_limit
        rlc_round_sat #(.WIN(33), .FRAC(0), .WOUT(32)) u_limit (
            .in_data(found_q12[33*i +: 33]), .out_data(found[32*i +: 32]), .saturated(beyond[i])
        );
    end
    wire [71:0] seen;
    wire        unseen;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_seen (
        .state(found), .obs(seen), .limited(unseen)
    );
    wire signed [31:0] x_new     = found[31:0];
    wire signed [31:0] theta_new = found[95:64];
    reg [127:0] state_q13;
    reg [71:0]  obs_q13;
    reg         end_q13, limited_q13;
    always @(posedge clk) begin
        state_q13   <= found;
        obs_q13     <= seen;
        end_q13     <= x_new > X_END || x_new < -X_END || theta_new > THETA_END || theta_new < -THETA_END;
        limited_q13 <= (|beyond) || unseen;
    end
    assign m_state      = state_q13;
    assign m_obs        = obs_q13;
    assign m_reward     = 27'd524288;
    assign m_terminated = end_q13;
    assign m_limited    = limited_q13;

    // A reset: (2d + 1 - 2^18) * 13107 of the top 18 bits d of a word, 13107 = 3 * 17 * 257.
    wire [127:0] start_d;
    for (i = 0; i < 4; i = i + 1) begin : g_start
        localparam DROP = (i == 0) ? 8 : (i == 2) ? 6 : 9;
        wire signed [18:0] odd = {~s_draw[32*i+31], s_draw[32*i+14 +: 17], 1'b1};
        reg signed [20:0] by_3_q1;
        reg signed [24:0] by_51_q2;
        reg signed [32:0] by_13107_q3;
        always @(posedge clk) begin
            by_3_q1     <= {{2{odd[18]}}, odd} + {odd[18], odd, 1'b0};
            by_51_q2    <= {{4{by_3_q1[20]}}, by_3_q1} + {by_3_q1, 4'b0};
            by_13107_q3 <= {{8{by_51_q2[24]}}, by_51_q2} + {by_51_q2, 8'b0};
        end
        wire signed [32:0] cut = by_13107_q3 >>> DROP;
        assign start_d[32*i +: 32] = cut[31:0];
    end
    wire [71:0] start_seen;
    wire        start_limited;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_start (
        .state(start_d), .obs(start_seen), .limited(start_limited)
    );
    reg [127:0] start_q;
    reg [71:0]  start_obs_q;
    always @(posedge clk) begin
        start_q     <= start_d;
        start_obs_q <= start_seen;
    end
    assign m_reset_state = start_q;
    assign m_reset_obs   = start_obs_q;

    wire unused = &{1'b0, code[17:0], code_limited, start_limited};
endmodule
`default_nettype wire
