// rlc_env_quadrotor.v — a quadrotor that hovers: a step of 20 ms of a rigid body with four rotors, and the first state of an
// episode.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md. Integer model: rlcores.cores.env.quadrotor, which has the equations and where the constants come from.
//
// s_state      position sfix(32,28), speed sfix(27,22), quaternion w, x, y, z sfix(27,25), rates sfix(27,22), in 32 bits each,
//              of which the others are ignored; the position's x lowest
// s_action     four thrusts sfix(18,15), clipped to +-1; the first lowest
// s_draw       four random words, RESET_LATENCY clocks before m_reset_*
// m_*          LATENCY clocks after s_state. m_obs: the state as sfix(18,16), (18,13), (18,16), (18,13); m_reward: sfix(27,19)
// throughput   one step per clock; nothing stalls, nothing is reset
// cost         multipliers: 7 for the rates, 3 for half a turn, 12 for the quaternion's change, 12 for its norm, 6 for its axis,
//              1 for the thrust, 3 each for speeds and positions, 2 for the lean, 6 for the reward
`default_nettype none
`include "rlc_check.vh"
module rlc_env_quadrotor #(
    parameter LATENCY       = 32, // clocks of a step: this module's own
    parameter RESET_LATENCY = 1   // clocks of a reset: likewise
) (
    input  wire         clk,
    input  wire [415:0] s_state,
    input  wire [71:0]  s_action,
    input  wire [127:0] s_draw,
    output wire [415:0] m_state,
    output wire [233:0] m_obs,
    output wire [26:0]  m_reward,
    output wire         m_terminated,
    output wire         m_saturated,
    output wire [415:0] m_reset_state,
    output wire [233:0] m_reset_obs
);
    `RLC_CHECK(LATENCY == 32 && RESET_LATENCY == 1, rlc_env_quadrotor_illegal_LATENCY_must_be_32_and_RESET_LATENCY_1)

    // The model's constants, with fraction bits of: ROLL 18, YAW, GYRO, LIFT, STEP 22, HALF_STEP 23, HOVER 37, FALL 40; ends
    // as the state and the action have them.
    localparam signed [17:0] ROLL = 74859, YAW = 89330, GYRO = 77681, LIFT = 102865, STEP = 83886, HALF_STEP = 83886;
    localparam signed [17:0] ONE = 32768;
    localparam signed [47:0] HOVER = 48'sd53931045342, FALL = 48'sd215724181370;
    localparam signed [27:0] V_END = 33554432, W_END = 62914560;
    localparam signed [31:0] P_END = 402653184;
    genvar k;

    // Stage 1: thrusts within their ends, rates and quaternion with 18 bits. Stage 2: thrusts against each other, and together.
    wire [71:0] force_s1, q18_s1, q18_s2;
    wire [53:0] w18_s1;
    for (k = 0; k < 4; k = k + 1) begin : g_force
        wire signed [17:0] thrust = s_action[18*k +: 18];
        reg         [17:0] force_s1_q;
        always @(posedge clk) force_s1_q <= thrust > ONE ? ONE : thrust < -ONE ? -ONE : thrust;
        assign force_s1[18*k +: 18] = force_s1_q;
    end
    for (k = 0; k < 7; k = k + 1) begin : g_narrow
        localparam AT = (k < 4) ? 32 * (6 + k) : 32 * (10 + k - 4);
        wire [17:0] narrow;
        wire        unused_over;
        reg  [17:0] narrow_s1;
        rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_narrow (
            .in_data(s_state[AT +: 27]), .out_data(narrow), .saturated(unused_over)
        );
        always @(posedge clk) narrow_s1 <= narrow;
        if (k < 4) begin : g_q
            assign q18_s1[18*k +: 18] = narrow_s1;
        end else begin : g_w
            assign w18_s1[18*(k-4) +: 18] = narrow_s1;
        end
    end
    rlc_delay #(.WIDTH(72), .CLOCKS(1)) u_q18 (.clk(clk), .d(q18_s1), .q(q18_s2));
    wire signed [17:0] f1_s1 = force_s1[17:0], f2_s1 = force_s1[35:18], f3_s1 = force_s1[53:36], f4_s1 = force_s1[71:54];
    reg signed [17:0] roll_s2, pitch_s2;
    reg signed [18:0] yaw_s2, total_s2;
    always @(posedge clk) begin
        roll_s2  <= f2_s1 - f4_s1;
        pitch_s2 <= f3_s1 - f1_s1;
        yaw_s2   <= {f1_s1[17], f1_s1} - {f2_s1[17], f2_s1} + {f3_s1[17], f3_s1} - {f4_s1[17], f4_s1};
        total_s2 <= {f1_s1[17], f1_s1} + {f2_s1[17], f2_s1} + {f3_s1[17], f3_s1} + {f4_s1[17], f4_s1};
    end

    // Stages 2 to 6: the changes of the rates; a half of a unit comes first. Those about x and y have 39 fraction bits, and what
    // the body's turning about the other axes adds; that about z has 37.
    wire [80:0] turn_s6;
    wire signed [17:0] roll_s3, pitch_s3;
    wire signed [18:0] yaw_s4;
    rlc_delay #(.WIDTH(36), .CLOCKS(1)) u_roll (.clk(clk), .d({pitch_s2, roll_s2}), .q({pitch_s3, roll_s3}));
    rlc_delay #(.WIDTH(19), .CLOCKS(2)) u_yaw (.clk(clk), .d(yaw_s2), .q(yaw_s4));
    for (k = 0; k < 2; k = k + 1) begin : g_turn
        wire signed [26:0] gyro_s4;
        wire signed [47:0] own_s5, sum_s6;
        wire signed [17:0] other_s1 = w18_s1[18*(1-k) +: 18], z_s1 = w18_s1[18*2 +: 18];
        wire signed [17:0] own_s3 = (k == 0) ? roll_s3 : pitch_s3;
        rlc_smul #(.A_WIDTH(18), .B_WIDTH(18), .DROP(9)) u_gyro (.clk(clk), .a(other_s1), .b(z_s1), .p(gyro_s4));
        rlc_mac #(.A_WIDTH(24)) u_own (
            .clk(clk), .a({own_s3, 6'd0}), .b(ROLL), .c(48'sd65536), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(own_s5)
        );
        rlc_mac #(.C_REG(0)) u_sum (
            .clk(clk), .a(gyro_s4), .b((k == 0) ? -GYRO : GYRO), .c(own_s5), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum_s6)
        );
        assign turn_s6[27*k +: 27] = sum_s6[43:17];
        wire unused = &{1'b0, sum_s6};
    end
    wire signed [47:0] spin_s6;
    rlc_mac #(.A_WIDTH(19)) u_spin (
        .clk(clk), .a(yaw_s4), .b(YAW), .c(48'sd16384), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(spin_s6)
    );
    assign turn_s6[80:54] = spin_s6[41:15];

    // Stages 7, 8: the rates within their ends. Stages 9 to 11: half of a step's angle, 19 fraction bits, and what is less.
    wire [80:0] w_s8;
    wire [53:0] h_s11, h_s12, h_s13;
    for (k = 0; k < 3; k = k + 1) begin : g_rate
        wire signed [26:0] w_s6;
        wire signed [26:0] turn = turn_s6[27*k +: 27];
        reg  signed [27:0] w_s7;
        reg         [26:0] w_s8_q;
        wire signed [27:0] within_s7 = w_s7 > W_END ? W_END : w_s7 < -W_END ? -W_END : w_s7;
        wire        [18:0] half_s11;
        rlc_delay #(.WIDTH(27), .CLOCKS(6)) u_before (.clk(clk), .d(s_state[32*(10+k) +: 27]), .q(w_s6));
        always @(posedge clk) begin
            w_s7   <= {w_s6[26], w_s6} + {turn[26], turn};
            w_s8_q <= within_s7[26:0];
        end
        assign w_s8[27*k +: 27] = w_s8_q;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(26)) u_half (.clk(clk), .a(w_s8_q), .b(HALF_STEP), .p(half_s11));
        assign h_s11[18*k +: 18] = half_s11[17:0];
        wire unused = &{1'b0, half_s11[18], within_s7[27]};
    end
    rlc_delay #(.WIDTH(54), .CLOCKS(1)) u_h_s12 (.clk(clk), .d(h_s11), .q(h_s12));
    rlc_delay #(.WIDTH(54), .CLOCKS(1)) u_h_s13 (.clk(clk), .d(h_s12), .q(h_s13));

    // Stages 12 to 15: the quaternion's change with 44 fraction bits, for each number three products of one of its numbers and
    // one of the half angles: IQ, IH and MINUS say which. Stage 16: the turned quaternion.
    wire [107:0] q_s0, q_s11, q_s12, q_s13, q_s15, t_s16;
    wire [3:0]   over_s15;
    reg          over_s16;
    for (k = 0; k < 4; k = k + 1) begin : g_q
        assign q_s0[27*k +: 27] = s_state[32*(6+k) +: 27];
    end
    rlc_delay #(.WIDTH(108), .CLOCKS(11)) u_q_s11 (.clk(clk), .d(q_s0), .q(q_s11));
    rlc_delay #(.WIDTH(108), .CLOCKS(1)) u_q_s12 (.clk(clk), .d(q_s11), .q(q_s12));
    rlc_delay #(.WIDTH(108), .CLOCKS(1)) u_q_s13 (.clk(clk), .d(q_s12), .q(q_s13));
    rlc_delay #(.WIDTH(108), .CLOCKS(2)) u_q_s15 (.clk(clk), .d(q_s13), .q(q_s15));
    always @(posedge clk) over_s16 <= |over_s15;
    for (k = 0; k < 4; k = k + 1) begin : g_quaternion
        //          w: -x hx - y hy - z hz    x: w hx + y hz - z hy    y: w hy + z hx - x hz    z: w hz + x hy - y hx
        localparam Q1 = (k == 0) ? 1 : 0, H1 = (k == 0) ? 0 : k - 1;
        localparam Q2 = (k == 0) ? 2 : (k == 1) ? 2 : (k == 2) ? 3 : 1, H2 = (k == 0) ? 1 : (k == 1) ? 2 : (k == 2) ? 0 : 1;
        localparam Q3 = (k == 0) ? 3 : (k == 1) ? 3 : (k == 2) ? 1 : 2, H3 = (k == 0) ? 2 : (k == 1) ? 1 : (k == 2) ? 2 : 0;
        wire signed [17:0] h1 = h_s11[18*H1 +: 18], h2 = h_s12[18*H2 +: 18], h3 = h_s13[18*H3 +: 18];
        wire signed [17:0] b1 = (k == 0) ? -h1 : h1, b2 = (k == 0) ? -h2 : h2;
        wire signed [47:0] p_s13, p_s14, p_s15;
        rlc_mac u_first (
            .clk(clk), .a(q_s11[27*Q1 +: 27]), .b(b1), .c(48'sd262144), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p_s13)
        );
        rlc_mac #(.C_REG(0)) u_second (
            .clk(clk), .a(q_s12[27*Q2 +: 27]), .b(b2), .c(p_s13), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p_s14)
        );
        rlc_mac #(.C_REG(0)) u_third (
            .clk(clk), .a(q_s13[27*Q3 +: 27]), .b(-h3), .c(p_s14), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p_s15)
        );
        wire [27:0] sum_s15 = {q_s15[27*k+26], q_s15[27*k +: 27]} + {p_s15[45], p_s15[45:19]};
        wire [26:0] kept_s15;
        reg  [26:0] t_s16_q;
        rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_kept (
            .in_data(sum_s15), .out_data(kept_s15), .saturated(over_s15[k])
        );
        always @(posedge clk) t_s16_q <= kept_s15;
        assign t_s16[27*k +: 27] = t_s16_q;
        wire unused = &{1'b0, p_s15};
    end

    // Stages 17 to 20: its squares, 25 fraction bits. Stages 21 to 23: what its norm lacks, half of that with 20 fraction bits.
    wire [115:0] square_s20;
    for (k = 0; k < 4; k = k + 1) begin : g_square
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(27), .DROP(25)) u_square (
            .clk(clk), .a(t_s16[27*k +: 27]), .b(t_s16[27*k +: 27]), .p(square_s20[29*k +: 29])
        );
    end
    reg        [29:0] square01_s21, square23_s21;
    reg signed [30:0] lack_s22;
    wire       [17:0] part_s22;
    wire              lack_over_s22;
    reg signed [17:0] part_s23;
    reg               lack_over_s23;
    rlc_round_sat #(.WIN(31), .FRAC(6), .WOUT(18), .SYMMETRIC(1)) u_part (
        .in_data(lack_s22), .out_data(part_s22), .saturated(lack_over_s22)
    );
    always @(posedge clk) begin
        square01_s21  <= {1'b0, square_s20[28:0]} + {1'b0, square_s20[57:29]};
        square23_s21  <= {1'b0, square_s20[86:58]} + {1'b0, square_s20[115:87]};
        lack_s22      <= 31'sd33554432 - {1'b0, square01_s21} - {1'b0, square23_s21};
        part_s23      <= part_s22;
        lack_over_s23 <= lack_over_s22;
    end

    // Stages 24 to 27: Newton's step. Stage 28: as it is seen.
    wire [107:0] t_s23, t_s26, q_s27, q_s32;
    wire [71:0]  seen_q_s28, seen_q_s32;
    wire [3:0]   over_s27;
    rlc_delay #(.WIDTH(108), .CLOCKS(7)) u_t_s23 (.clk(clk), .d(t_s16), .q(t_s23));
    rlc_delay #(.WIDTH(108), .CLOCKS(3)) u_t_s26 (.clk(clk), .d(t_s23), .q(t_s26));
    for (k = 0; k < 4; k = k + 1) begin : g_newton
        wire [24:0] change_s26;
        reg  [26:0] q_s27_q;
        wire [17:0] seen_s27;
        reg  [17:0] seen_s28;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(20)) u_change (
            .clk(clk), .a(t_s23[27*k +: 27]), .b(part_s23), .p(change_s26)
        );
        rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_seen (
            .in_data(q_s27_q), .out_data(seen_s27), .saturated(over_s27[k])
        );
        always @(posedge clk) begin
            q_s27_q  <= t_s26[27*k +: 27] + {{2{change_s26[24]}}, change_s26};
            seen_s28 <= seen_s27;
        end
        assign q_s27[27*k +: 27] = q_s27_q;
        assign seen_q_s28[18*k +: 18] = seen_s28;
    end
    rlc_delay #(.WIDTH(108), .CLOCKS(5)) u_q_s32 (.clk(clk), .d(q_s27), .q(q_s32));
    rlc_delay #(.WIDTH(72), .CLOCKS(4)) u_seen_q_s32 (.clk(clk), .d(seen_q_s28), .q(seen_q_s32));

    // Stages 29 to 31: how far it leans: the squares of x and y beyond a quarter are 0 or more.
    wire signed [17:0] x_s28 = seen_q_s28[35:18];
    wire signed [17:0] y_s29;
    wire signed [47:0] lean_s30, lean_s31;
    rlc_delay #(.WIDTH(18), .CLOCKS(1)) u_y (.clk(clk), .d(seen_q_s28[53:36]), .q(y_s29));
    rlc_mac #(.A_WIDTH(18)) u_lean_x (
        .clk(clk), .a(x_s28), .b(x_s28), .c(-48'sd1073741825), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(lean_s30)
    );
    rlc_mac #(.A_WIDTH(18), .C_REG(0)) u_lean_y (
        .clk(clk), .a(y_s29), .b(y_s29), .c(lean_s30), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(lean_s31)
    );

    // Stages 2 to 4: half of the body's axis before the step with 32 fraction bits, a product of two numbers of the quaternion
    // after the other; the thrust, twice, with 37.
    wire signed [47:0] lift_s4;
    rlc_mac #(.A_WIDTH(19)) u_lift (
        .clk(clk), .a(total_s2), .b(LIFT), .c(HOVER + 48'sd262144), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(lift_s4)
    );
    wire [95:0] p_s12;
    wire [80:0] v_s8;
    wire [2:0]  over_p_s11, away_s12;
    for (k = 0; k < 3; k = k + 1) begin : g_axis
        //          x: x z + w y    y: y z - w x    z: 1/2 - x x - y y
        localparam A1 = (k == 1) ? 2 : 1, B1 = (k == 2) ? 1 : 3, A2 = (k == 2) ? 2 : 0, B2 = (k == 1) ? 1 : 2;
        localparam signed [47:0] FIRST = (k == 2) ? 48'sd2147484160 : 48'sd512;
        localparam signed [47:0] WEIGHT = (k == 2) ? 48'sd131072 - FALL : 48'sd131072;
        wire signed [17:0] first = q18_s1[18*A1 +: 18], second = q18_s2[18*A2 +: 18];
        wire signed [17:0] a1 = (k == 2) ? -first : first, a2 = (k == 0) ? second : -second;
        wire signed [47:0] p_s3, p_s4, pull_s6;
        rlc_mac #(.A_WIDTH(18)) u_first (
            .clk(clk), .a(a1), .b(q18_s1[18*B1 +: 18]), .c(FIRST), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p_s3)
        );
        rlc_mac #(.A_WIDTH(18), .C_REG(0)) u_second (
            .clk(clk), .a(a2), .b(q18_s2[18*B2 +: 18]), .c(p_s3), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(p_s4)
        );
        // Stages 5, 6: the change of the speed, 40 fraction bits. Stages 7, 8: the speed within its ends.
        rlc_mac u_pull (
            .clk(clk), .a(p_s4[36:10]), .b(lift_s4[36:19]), .c(WEIGHT), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(pull_s6)
        );
        wire signed [26:0] v_s6;
        reg  signed [27:0] v_s7;
        reg         [26:0] v_s8_q;
        wire signed [27:0] within_s7 = v_s7 > V_END ? V_END : v_s7 < -V_END ? -V_END : v_s7;
        rlc_delay #(.WIDTH(27), .CLOCKS(6)) u_before (.clk(clk), .d(s_state[32*(3+k) +: 27]), .q(v_s6));
        always @(posedge clk) begin
            v_s7   <= {v_s6[26], v_s6} + {pull_s6[44], pull_s6[44:18]};
            v_s8_q <= within_s7[26:0];
        end
        assign v_s8[27*k +: 27] = v_s8_q;
        // Stages 9 to 12: the position.
        wire        [28:0] step_s11;
        wire        [31:0] p_s11, kept_s11;
        reg  signed [31:0] p_s12_q;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(16)) u_step (.clk(clk), .a(v_s8_q), .b(STEP), .p(step_s11));
        rlc_delay #(.WIDTH(32), .CLOCKS(11)) u_p (.clk(clk), .d(s_state[32*k +: 32]), .q(p_s11));
        wire        [32:0] sum_s11 = {p_s11[31], p_s11} + {{4{step_s11[28]}}, step_s11};
        rlc_round_sat #(.WIN(33), .FRAC(0), .WOUT(32)) u_kept (
            .in_data(sum_s11), .out_data(kept_s11), .saturated(over_p_s11[k])
        );
        always @(posedge clk) p_s12_q <= kept_s11;
        assign p_s12[32*k +: 32] = p_s12_q;
        assign away_s12[k] = p_s12_q > P_END || p_s12_q < -P_END;
        wire unused = &{1'b0, p_s4, pull_s6, within_s7[27]};
    end

    // Stage 9: speeds and rates as they are seen; stage 13: positions.
    wire [53:0] seen_v_s8, seen_w_s8, seen_p_s12;
    wire [8:0]  over_seen;
    reg  [53:0] seen_v_s9, seen_w_s9, seen_p_s13;
    reg         over_s9, over_s12, over_s13, away_s13;
    rlc_env_observe #(.COUNT(3), .DROPS({3{8'd12}})) u_seen_p (.state(p_s12), .obs(seen_p_s12), .saturated(over_seen[0]));
    for (k = 0; k < 3; k = k + 1) begin : g_seen
        rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_v (
            .in_data(v_s8[27*k +: 27]), .out_data(seen_v_s8[18*k +: 18]), .saturated(over_seen[3+k])
        );
        rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_w (
            .in_data(w_s8[27*k +: 27]), .out_data(seen_w_s8[18*k +: 18]), .saturated(over_seen[6+k])
        );
    end
    assign over_seen[2:1] = 2'd0;
    wire over_s11;
    rlc_delay #(.WIDTH(1), .CLOCKS(2)) u_over_s11 (.clk(clk), .d(over_s9), .q(over_s11));
    always @(posedge clk) begin
        seen_v_s9  <= seen_v_s8;
        seen_w_s9  <= seen_w_s8;
        seen_p_s13 <= seen_p_s12;
        over_s9    <= |over_seen[8:3];
        over_s12   <= over_s11 || |over_p_s11;
        over_s13   <= over_s12 || over_seen[0];
        away_s13   <= |away_s12;
    end

    // Stages 14 to 21: the reward: squares of positions and twice those of rates, 32 fraction bits, one after the other.
    wire [6*48-1:0] cost;                   // of the first, the first two, ..: stages 15 to 20
    for (k = 0; k < 6; k = k + 1) begin : g_cost
        wire signed [17:0] one;
        if (k < 3) begin : g_p
            rlc_delay #(.WIDTH(18), .CLOCKS(k)) u_wait (.clk(clk), .d(seen_p_s13[18*k +: 18]), .q(one));
        end else begin : g_w
            rlc_delay #(.WIDTH(18), .CLOCKS(k + 4)) u_wait (.clk(clk), .d(seen_w_s9[18*(k-3) +: 18]), .q(one));
        end
        wire signed [18:0] twice = (k < 3) ? {one[17], one} : {one, 1'b0};
        wire signed [47:0] so_far;
        if (k == 0) begin : g_first
            assign so_far = 48'sd8192;
        end else begin : g_next
            assign so_far = cost[48*(k-1) +: 48];
        end
        rlc_mac #(.A_WIDTH(19), .C_REG((k == 0) ? 1 : 0)) u_cost (
            .clk(clk), .a(twice), .b(one), .c(so_far), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(cost[48*k +: 48])
        );
    end
    reg [26:0] reward_s21;
    always @(posedge clk) reward_s21 <= 27'd524288 - cost[5*48+14 +: 27];
    rlc_delay #(.WIDTH(27), .CLOCKS(11)) u_reward (.clk(clk), .d(reward_s21), .q(m_reward));

    // What came early waits for the end.
    wire [95:0] p_s32;
    wire [80:0] v_s32, w_s32;
    wire [53:0] seen_p_s32, seen_v_s32, seen_w_s32;
    rlc_delay #(.WIDTH(96), .CLOCKS(20)) u_p_s32 (.clk(clk), .d(p_s12), .q(p_s32));
    rlc_delay #(.WIDTH(162), .CLOCKS(24)) u_v_s32 (.clk(clk), .d({w_s8, v_s8}), .q({w_s32, v_s32}));
    rlc_delay #(.WIDTH(108), .CLOCKS(23)) u_seen_v_s32 (.clk(clk), .d({seen_w_s9, seen_v_s9}), .q({seen_w_s32, seen_v_s32}));
    rlc_delay #(.WIDTH(54), .CLOCKS(19)) u_seen_p_s32 (.clk(clk), .d(seen_p_s13), .q(seen_p_s32));
    wire over_q_s27, lack_over_s27, over_early_s27, away_s31;
    reg  over_s28, terminated_s32;
    rlc_delay #(.WIDTH(1), .CLOCKS(11)) u_over_q (.clk(clk), .d(over_s16), .q(over_q_s27));
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_lack_over (.clk(clk), .d(lack_over_s23), .q(lack_over_s27));
    rlc_delay #(.WIDTH(1), .CLOCKS(14)) u_over_early (.clk(clk), .d(over_s13), .q(over_early_s27));
    rlc_delay #(.WIDTH(1), .CLOCKS(18)) u_away (.clk(clk), .d(away_s13), .q(away_s31));
    always @(posedge clk) begin
        over_s28       <= over_q_s27 || lack_over_s27 || over_early_s27 || |over_s27;
        terminated_s32 <= away_s31 || !lean_s31[47];
    end
    rlc_delay #(.WIDTH(1), .CLOCKS(4)) u_saturated (.clk(clk), .d(over_s28), .q(m_saturated));
    assign m_terminated = terminated_s32;
    assign m_obs        = {seen_w_s32, seen_q_s32, seen_v_s32, seen_p_s32};
    assign m_state[95:0] = p_s32;
    for (k = 0; k < 10; k = k + 1) begin : g_state
        wire [26:0] one;
        if (k < 3) begin : g_v
            assign one = v_s32[27*k +: 27];
        end else if (k < 7) begin : g_q
            assign one = q_s32[27*(k-3) +: 27];
        end else begin : g_w
            assign one = w_s32[27*(k-7) +: 27];
        end
        assign m_state[32*(3+k) +: 32] = {{5{one[26]}}, one};
    end

    // A reset: eight numbers of 16 bits. Positions and speeds are within +-0.5, x and y of the quaternion within +-0.125.
    reg [127:0] start_s1;
    always @(posedge clk) start_s1 <= s_draw;
    for (k = 0; k < 13; k = k + 1) begin : g_start
        localparam FREE = (k < 6) ? k : (k == 7 || k == 8) ? k - 1 : 0;
        wire [15:0] own = start_s1[16*(FREE ^ 1) +: 16];
        if (k < 3) begin : g_p
            assign m_reset_state[32*k +: 32] = {{4{own[15]}}, own, 12'd0};
            assign m_reset_obs[18*k +: 18]   = {{2{own[15]}}, own};
        end else if (k < 6) begin : g_v
            assign m_reset_state[32*k +: 32] = {{10{own[15]}}, own, 6'd0};
            assign m_reset_obs[18*k +: 18]   = {{5{own[15]}}, own[15:3]} + {17'd0, own[2]};
        end else if (k == 6) begin : g_one
            assign m_reset_state[32*k +: 32] = 32'h02000000;
            assign m_reset_obs[18*k +: 18]   = 18'h10000;
        end else if (k < 9) begin : g_lean
            assign m_reset_state[32*k +: 32] = {{9{own[15]}}, own, 7'd0};
            assign m_reset_obs[18*k +: 18]   = {{4{own[15]}}, own[15:2]} + {17'd0, own[1]};
        end else begin : g_none
            assign m_reset_state[32*k +: 32] = 32'd0;
            assign m_reset_obs[18*k +: 18]   = 18'd0;
        end
        wire unused = &{1'b0, own};
    end

    wire unused = &{1'b0, s_state, q18_s2, spin_s6, lift_s4, lean_s31[46:0], cost, over_seen[2:1]};
endmodule
`default_nettype wire
