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
    output wire         m_saturated,
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
    wire        code_saturated;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_codes (
        .state(s_state), .obs(code), .saturated(code_saturated)
    );
    reg signed [17:0] vel_s1, angle_s1, spin_s1;
    reg               right_s1;
    reg [127:0]       state_s1;
    always @(posedge clk) begin
        vel_s1   <= code[35:18];
        angle_s1 <= code[53:36];
        spin_s1  <= code[71:54];
        right_s1 <= s_action != 18'd0;
        state_s1 <= s_state;
    end

    // 2: squares; what moves by itself.
    reg signed [35:0] uu_s2, ww_s2, moved_s2, turned_s2;
    reg signed [17:0] angle_s2;
    reg               right_s2;
    reg [127:0]       state_s2;
    wire [31:0]       theta_dot_s2, theta_s2, x_dot_s2, x_s2;
    assign {theta_dot_s2, theta_s2, x_dot_s2, x_s2} = state_s2;
    always @(posedge clk) begin
        uu_s2     <= angle_s1 * angle_s1;
        ww_s2     <= spin_s1 * spin_s1;
        moved_s2  <= vel_s1 * DT;
        turned_s2 <= spin_s1 * DT;
        angle_s2  <= angle_s1;
        right_s2  <= right_s1;
        state_s2  <= state_s1;
    end

    // 3: theta² sfix(18,19), theta_dot² sfix(18,11); the new x and theta, with a bit more.
    wire signed [35:0] u_d     = (uu_s2 + 36'sd65536) >>> 17;
    wire signed [35:0] w_d     = (ww_s2 + 36'sd65536) >>> 17;
    wire signed [35:0] moved   = (moved_s2 + 36'sd128) >>> 8;
    wire signed [35:0] turned  = (turned_s2 + 36'sd32) >>> 6;
    wire signed [32:0] x_old   = {x_s2[31], x_s2};
    wire signed [32:0] th_old  = {theta_s2[31], theta_s2};
    reg signed [17:0] u_s3, w_s3, angle_s3;
    reg signed [32:0] x_s3, theta_s3;
    reg        [63:0] speeds_s3;  // theta_dot, x_dot
    reg               right_s3;
    always @(posedge clk) begin
        u_s3      <= u_d[17:0];
        w_s3      <= w_d[17:0];
        x_s3      <= x_old + moved[32:0];
        theta_s3  <= th_old + turned[32:0];
        speeds_s3 <= {theta_dot_s2, x_dot_s2};
        angle_s3  <= angle_s2;
        right_s3  <= right_s2;
    end

    // 4: the lines in theta², and theta_dot² * theta.
    reg signed [35:0] p_s4, b_s4, r_s4, k_s4, turn_s4;
    reg signed [17:0] u_s4, angle_s4;
    always @(posedge clk) begin
        p_s4     <= u_s3 * P1;
        b_s4     <= u_s3 * Q2;
        r_s4     <= u_s3 * R1;
        k_s4     <= u_s3 * K1;
        turn_s4  <= w_s3 * angle_s3;
        u_s4     <= u_s3;
        angle_s4 <= angle_s3;
    end

    // 5: their sums; theta_dot² * theta is sfix(18,13).
    wire signed [35:0] p_d    = (p_s4 + 36'sd262144) >>> 19;
    wire signed [35:0] b_d    = (b_s4 + 36'sd262144) >>> 19;
    wire signed [35:0] r_d    = (r_s4 + 36'sd262144) >>> 19;
    wire signed [35:0] k_d    = (k_s4 + 36'sd262144) >>> 19;
    wire signed [35:0] turn_d = (turn_s4 + 36'sd32768) >>> 16;
    reg signed [17:0] p_s5, b_s5, r_s5, k_s5, turn_s5, u_s5, angle_s5;
    always @(posedge clk) begin
        p_s5     <= P0 + p_d[17:0];
        b_s5     <= Q1 + b_d[17:0];
        r_s5     <= R0 + r_d[17:0];
        k_s5     <= K0 + k_d[17:0];
        turn_s5  <= turn_d[17:0];
        u_s5     <= u_s4;
        angle_s5 <= angle_s4;
    end

    // 6: the parabola's second step, theta_dot² * theta * R, and theta * P.
    reg signed [35:0] q_s6, e_s6, fall_s6;
    always @(posedge clk) begin
        q_s6    <= u_s5 * b_s5;
        e_s6    <= turn_s5 * r_s5;
        fall_s6 <= angle_s5 * p_s5;
    end

    // 7: Q sfix(28,27), e sfix(18,20).
    wire signed [35:0] q_d = (q_s6 + 36'sd512) >>> 10;
    wire signed [35:0] e_d = (e_s6 + 36'sd65536) >>> 17;
    reg signed [27:0] q_s7;
    reg signed [17:0] e_s7;
    reg signed [35:0] fall_s7;
    always @(posedge clk) begin
        q_s7    <= Q0 + q_d[27:0];
        e_s7    <= e_d[17:0];
        fall_s7 <= fall_s6;
    end

    wire right_s7;
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_right (.clk(clk), .d(right_s3), .q(right_s7));

    // 8: theta * P ± Q with 38 fraction bits, and the products of e.
    wire signed [27:0] q_short = (q_s7 + 28'sd256) >>> 9;
    wire signed [40:0] q_wide  = {{2{q_s7[27]}}, q_s7, 11'd0};
    wire signed [40:0] p_wide  = {{3{fall_s7[35]}}, fall_s7, 2'd0};
    reg signed [40:0] fall_s8;
    reg signed [35:0] qe_s8, te_s8;
    reg               right_s8;
    always @(posedge clk) begin
        fall_s8  <= right_s7 ? p_wide - q_wide : p_wide + q_wide;
        qe_s8    <= $signed(q_short[17:0]) * e_s7;
        te_s8    <= T_SHORT * e_s7;
        right_s8 <= right_s7;
    end

    // 9: 0.02 * theta_acc with 38 fraction bits, and the push with 39.
    wire signed [40:0] qe_wide = {{5{qe_s8[35]}}, qe_s8};
    wire signed [40:0] te_wide = {{5{te_s8[35]}}, te_s8};
    wire signed [40:0] t_wide  = {T[27], T, 12'd0};
    reg signed [40:0] fall_s9, push_s9;
    always @(posedge clk) begin
        fall_s9 <= fall_s8 - qe_wide;
        push_s9 <= right_s8 ? te_wide + t_wide : te_wide - t_wide;
    end

    // 10: the new theta_dot, and theta_acc as a factor of 18 bits.
    wire signed [40:0] short_d = (fall_s9 + 41'sd524288) >>> 20;
    wire signed [40:0] spun    = (fall_s9 + 41'sd1024) >>> 11;
    wire        [63:0] speeds_s9;
    rlc_delay #(.WIDTH(64), .CLOCKS(6)) u_speeds (.clk(clk), .d(speeds_s3), .q(speeds_s9));
    wire signed [32:0] spin_old = {speeds_s9[63], speeds_s9[63:32]};
    wire signed [17:0] k_s9;
    rlc_delay #(.WIDTH(18), .CLOCKS(4)) u_k (.clk(clk), .d(k_s5), .q(k_s9));
    reg signed [17:0] short_s10, k_s10;
    reg signed [32:0] spin_s10;
    reg signed [40:0] push_s10;
    reg        [31:0] x_dot_s10;
    always @(posedge clk) begin
        short_s10 <= short_d[17:0];
        k_s10     <= k_s9;
        spin_s10  <= spin_old + spun[32:0];
        push_s10  <= push_s9;
        x_dot_s10 <= speeds_s9[31:0];
    end

    // 11: what the pole does to the cart.
    reg signed [35:0] back_s11;
    reg signed [32:0] spin_s11;
    reg signed [40:0] push_s11;
    reg        [31:0] x_dot_s11;
    always @(posedge clk) begin
        back_s11  <= k_s10 * short_s10;
        spin_s11  <= spin_s10;
        push_s11  <= push_s10;
        x_dot_s11 <= x_dot_s10;
    end

    // 12: the new x_dot.
    wire signed [40:0] back_wide = {{5{back_s11[35]}}, back_s11};
    wire signed [40:0] pushed    = (push_s11 - back_wide + 41'sd2048) >>> 12;
    wire signed [32:0] x_dot_old = {x_dot_s11[31], x_dot_s11};
    wire        [65:0] places_s11;
    rlc_delay #(.WIDTH(66), .CLOCKS(8)) u_places (.clk(clk), .d({theta_s3, x_s3}), .q(places_s11));
    reg [131:0] found_s12;
    always @(posedge clk) found_s12 <= {spin_s11, places_s11[65:33], x_dot_old + pushed[32:0], places_s11[32:0]};

    // 13: limits, the observation, the end.
    wire [127:0] found;
    wire [3:0]   each_saturated;
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_limit
        rlc_round_sat #(.WIN(33), .FRAC(0), .WOUT(32)) u_limit (
            .in_data(found_s12[33*i +: 33]), .out_data(found[32*i +: 32]), .saturated(each_saturated[i])
        );
    end
    wire [71:0] seen;
    wire        unseen;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_seen (
        .state(found), .obs(seen), .saturated(unseen)
    );
    wire signed [31:0] x_new     = found[31:0];
    wire signed [31:0] theta_new = found[95:64];
    reg [127:0] state_s13;
    reg [71:0]  obs_s13;
    reg         end_s13, saturated_s13;
    always @(posedge clk) begin
        state_s13     <= found;
        obs_s13       <= seen;
        end_s13       <= x_new > X_END || x_new < -X_END || theta_new > THETA_END || theta_new < -THETA_END;
        saturated_s13 <= (|each_saturated) || unseen;
    end
    assign m_state      = state_s13;
    assign m_obs        = obs_s13;
    assign m_reward     = 27'd524288;
    assign m_terminated = end_s13;
    assign m_saturated  = saturated_s13;

    // A reset: (2d + 1 - 2^18) * 13107 of the top 18 bits d of a word, 13107 = 3 * 17 * 257.
    wire [127:0] start_d;
    for (i = 0; i < 4; i = i + 1) begin : g_start
        localparam DROP = (i == 0) ? 8 : (i == 2) ? 6 : 9;
        wire signed [18:0] odd = {~s_draw[32*i+31], s_draw[32*i+14 +: 17], 1'b1};
        reg signed [20:0] by_3_s1;
        reg signed [24:0] by_51_s2;
        reg signed [32:0] by_13107_s3;
        always @(posedge clk) begin
            by_3_s1     <= {{2{odd[18]}}, odd} + {odd[18], odd, 1'b0};
            by_51_s2    <= {{4{by_3_s1[20]}}, by_3_s1} + {by_3_s1, 4'b0};
            by_13107_s3 <= {{8{by_51_s2[24]}}, by_51_s2} + {by_51_s2, 8'b0};
        end
        wire signed [32:0] cut = by_13107_s3 >>> DROP;
        assign start_d[32*i +: 32] = cut[31:0];
    end
    wire [71:0] start_seen;
    wire        start_saturated;
    rlc_env_observe #(.COUNT(4), .DROPS({8'd13, 8'd12, 8'd13, 8'd13})) u_start (
        .state(start_d), .obs(start_seen), .saturated(start_saturated)
    );
    reg [127:0] start_q;
    reg [71:0]  start_obs_q;
    always @(posedge clk) begin
        start_q     <= start_d;
        start_obs_q <= start_seen;
    end
    assign m_reset_state = start_q;
    assign m_reset_obs   = start_obs_q;

    wire unused = &{1'b0, code[17:0], code_saturated, start_saturated};
endmodule
`default_nettype wire
