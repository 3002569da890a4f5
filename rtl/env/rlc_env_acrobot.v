// rlc_env_acrobot.v — Acrobot's physics: one Runge-Kutta step of 0.2 s, and the first state of an episode.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md. Integer model: rlcores.cores.env.acrobot, which has the equations and where the constants come from.
//
// s_state      theta1, theta2 sfix(26,26) in turns, their speeds sfix(27,26) in turns per step, theta1 lowest; the upper bits
//              of a word are ignored
// s_action     0, 1, 2 for a torque of -1, 0, 1
// s_draw       one random word per number of the first state, RESET_LATENCY clocks before m_reset_*
// m_*          LATENCY clocks after s_state. m_obs: cos and sin of theta1 and of theta2 sfix(18,16), speeds in rad/s
//              sfix(18,13) and sfix(18,12); m_reward: -1.0 or 0 in sfix(27,19)
// throughput   one step per clock; nothing stalls, nothing is reset
// cost         four rlc_env_acrobot_stage, five rlc_sincos, four products of two DSP slices and eight of one
`default_nettype none
`include "rlc_check.vh"
module rlc_env_acrobot #(
    parameter LATENCY       = 105, // clocks of a step: this module's own
    parameter RESET_LATENCY = 12   // clocks of a reset: likewise
) (
    input  wire         clk,
    input  wire [127:0] s_state,
    input  wire [17:0]  s_action,
    input  wire [127:0] s_draw,
    output wire [127:0] m_state,
    output wire [107:0] m_obs,
    output wire [26:0]  m_reward,
    output wire         m_terminated,
    output wire         m_limited,
    output wire [127:0] m_reset_state,
    output wire [107:0] m_reset_obs
);
    `RLC_CHECK(LATENCY == 105 && RESET_LATENCY == 12,
               rlc_env_acrobot_illegal_LATENCY_must_be_105_and_RESET_LATENCY_12)

    // The model's constants, with fraction bits of: SIXTH 28, START_ANGLE 22, START_SPEED 24; ends as the state has them.
    localparam signed [26:0] SIXTH = 27'sd44739243;
    localparam signed [17:0] START_ANGLE = 18'sd66754, START_SPEED = 18'sd53403;
    localparam signed [31:0] V1_END = 32'sd26843546, V2_END = 32'sd60397978;

    // The state on its way, to where it is used: NAME_k after k clocks. Pieces of their own, not one shift register, with
    // which yosys does not end.
    wire [51:0] theta_0 = {s_state[57:32], s_state[25:0]};
    wire [51:0] theta_21, theta_43, theta_65, theta_77;
    wire [53:0] speed_0 = {s_state[122:96], s_state[90:64]};
    wire [53:0] speed_8, speed_21, speed_28, speed_43, speed_50, speed_65, speed_72, speed_77, speed_100;
    wire [1:0]  action_13, action_35, action_57, action_79;
    rlc_delay #(.WIDTH(52), .CLOCKS(21)) u_theta_21 (.clk(clk), .d(theta_0), .q(theta_21));
    rlc_delay #(.WIDTH(52), .CLOCKS(22)) u_theta_43 (.clk(clk), .d(theta_21), .q(theta_43));
    rlc_delay #(.WIDTH(52), .CLOCKS(22)) u_theta_65 (.clk(clk), .d(theta_43), .q(theta_65));
    rlc_delay #(.WIDTH(52), .CLOCKS(12)) u_theta_77 (.clk(clk), .d(theta_65), .q(theta_77));
    rlc_delay #(.WIDTH(54), .CLOCKS(8)) u_speed_8 (.clk(clk), .d(speed_0), .q(speed_8));
    rlc_delay #(.WIDTH(54), .CLOCKS(13)) u_speed_21 (.clk(clk), .d(speed_8), .q(speed_21));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_28 (.clk(clk), .d(speed_21), .q(speed_28));
    rlc_delay #(.WIDTH(54), .CLOCKS(15)) u_speed_43 (.clk(clk), .d(speed_28), .q(speed_43));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_50 (.clk(clk), .d(speed_43), .q(speed_50));
    rlc_delay #(.WIDTH(54), .CLOCKS(15)) u_speed_65 (.clk(clk), .d(speed_50), .q(speed_65));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_72 (.clk(clk), .d(speed_65), .q(speed_72));
    rlc_delay #(.WIDTH(54), .CLOCKS(5)) u_speed_77 (.clk(clk), .d(speed_72), .q(speed_77));
    rlc_delay #(.WIDTH(54), .CLOCKS(23)) u_speed_100 (.clk(clk), .d(speed_77), .q(speed_100));
    rlc_delay #(.WIDTH(2), .CLOCKS(13)) u_action_13 (.clk(clk), .d(s_action[1:0]), .q(action_13));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_35 (.clk(clk), .d(action_13), .q(action_35));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_57 (.clk(clk), .d(action_35), .q(action_57));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_79 (.clk(clk), .d(action_57), .q(action_79));

    // The four stages begin with the angles at 0, 22, 44 and 66, take the speeds 8 clocks later, and answer 28 clocks later.
    // Angles lag the accelerations by one stage, so that sines are ready when speeds come.
    wire [51:0] angles_22, angles_44, angles_66;
    wire [53:0] speeds_30, speeds_52, speeds_74;
    wire [71:0] a_28, a_50, a_72, a_94;
    wire        limited_28, limited_50, limited_72, limited_94;
    rlc_env_acrobot_stage u_stage_1 (
        .clk(clk), .theta1(s_state[25:0]), .theta2(s_state[57:32]),
        .v1_s8(speed_8[0 +: 27]), .v2_s8(speed_8[27 +: 27]), .action_s13(action_13),
        .a1(a_28[35:0]), .a2(a_28[71:36]), .limited(limited_28)
    );
    rlc_env_acrobot_stage #(.V(24)) u_stage_2 (
        .clk(clk), .theta1(angles_22[25:0]), .theta2(angles_22[51:26]),
        .v1_s8(speeds_30[26:0]), .v2_s8(speeds_30[53:27]), .action_s13(action_35),
        .a1(a_50[35:0]), .a2(a_50[71:36]), .limited(limited_50)
    );
    rlc_env_acrobot_stage #(.V(23), .R_BITS(33), .N(25)) u_stage_3 (
        .clk(clk), .theta1(angles_44[25:0]), .theta2(angles_44[51:26]),
        .v1_s8(speeds_52[26:0]), .v2_s8(speeds_52[53:27]), .action_s13(action_57),
        .a1(a_72[35:0]), .a2(a_72[71:36]), .limited(limited_72)
    );
    rlc_env_acrobot_stage #(.V(21), .A(22), .R(22), .R_BITS(34), .N(20)) u_stage_4 (
        .clk(clk), .theta1(angles_66[25:0]), .theta2(angles_66[51:26]),
        .v1_s8(speeds_74[26:0]), .v2_s8(speeds_74[53:27]), .action_s13(action_79),
        .a1(a_94[35:0]), .a2(a_94[71:36]), .limited(limited_94)
    );

    // Both links alike. Accelerations have 26 fraction bits here, those of the last two stages after a shift.
    wire [51:0] theta_78;
    wire [53:0] speed_102;
    wire [1:0]  over_30, over_52, over_74;
    genvar i;
    for (i = 0; i < 2; i = i + 1) begin : g_link
        localparam T = 26 * i;       // the link's angle in theta_k
        localparam V = 27 * i;       // and its speed in speed_k
        wire signed [35:0] a1_28 = a_28[36*i +: 36];
        wire signed [35:0] a2_50 = a_50[36*i +: 36];
        wire signed [35:0] a3_72 = a_72[36*i +: 36];
        wire signed [35:0] a4_94 = a_94[36*i +: 36];

        // Angles of the stages 2, 3, 4: t + v/2, t + v/2 + a_1/4, t + v + a_2/2.
        wire [35:0] a1_43, a1_50, a2_65;
        rlc_delay #(.WIDTH(36), .CLOCKS(15)) u_a1_43 (.clk(clk), .d(a1_28), .q(a1_43));
        rlc_delay #(.WIDTH(36), .CLOCKS(7)) u_a1_50 (.clk(clk), .d(a1_43), .q(a1_50));
        rlc_delay #(.WIDTH(36), .CLOCKS(15)) u_a2_65 (.clk(clk), .d(a2_50), .q(a2_65));
        reg [26:0] t_22, t_66;
        reg [27:0] t_44;
        always @(posedge clk) begin
            t_22 <= {theta_21[T +: 26], 1'b1} + speed_21[V +: 27];
            t_44 <= {theta_43[T +: 26], 2'b10} + {speed_43[V +: 27], 1'b0} + a1_43[27:0];
            t_66 <= {theta_65[T +: 26], 1'b1} + {speed_65[V +: 26], 1'b0} + a2_65[26:0];
        end
        assign angles_22[26*i +: 26] = t_22[26:1];
        assign angles_44[26*i +: 26] = t_44[27:2];
        assign angles_66[26*i +: 26] = t_66[26:1];

        // Speeds of the stages 2, 3, 4: v + a_1/2, v + a_2/2, v + a_3.
        wire signed [26:0] v_28 = speed_28[V +: 27];
        wire signed [26:0] v_50 = speed_50[V +: 27];
        wire signed [26:0] v_72 = speed_72[V +: 27];
        reg signed [37:0] sum_29, sum_51, sum_73;
        wire [26:0] kept_29, kept_51, kept_73;
        wire        over_29, over_51, over_73;
        rlc_round_sat #(.WIN(38), .FRAC(3), .WOUT(27)) u_v_2 (.in_data(sum_29), .out_data(kept_29), .saturated(over_29));
        rlc_round_sat #(.WIN(38), .FRAC(4), .WOUT(27)) u_v_3 (.in_data(sum_51), .out_data(kept_51), .saturated(over_51));
        rlc_round_sat #(.WIN(38), .FRAC(5), .WOUT(27)) u_v_4 (.in_data(sum_73), .out_data(kept_73), .saturated(over_73));
        reg [83:0] kept_q;
        always @(posedge clk) begin
            sum_29 <= {{10{v_28[26]}}, v_28, 1'b0} + {{2{a1_28[35]}}, a1_28};
            sum_51 <= {{10{v_50[26]}}, v_50, 1'b0} + {{2{a2_50[35]}}, a2_50};
            sum_73 <= {{11{v_72[26]}}, v_72} + {a3_72[35], a3_72, 1'b0};
            kept_q <= {over_73, kept_73, over_51, kept_51, over_29, kept_29};
        end
        assign {over_30[i], speeds_30[27*i +: 27]} = kept_q[27:0];
        assign {over_52[i], speeds_52[27*i +: 27]} = kept_q[55:28];
        assign {over_74[i], speeds_74[27*i +: 27]} = kept_q[83:56];

        // The new angle: t + v + (a_1 + a_2 + a_3) / 6.
        wire signed [38:0] a1_wide = {{3{a1_50[35]}}, a1_50};
        wire signed [38:0] a2_wide = {{3{a2_50[35]}}, a2_50};
        wire signed [38:0] a3_wide = {{2{a3_72[35]}}, a3_72, 1'b0};
        reg signed [38:0] once_51, twice_51;
        wire signed [38:0] once_72, twice_72;
        rlc_delay #(.WIDTH(78), .CLOCKS(21)) u_sums (.clk(clk), .d({once_51, twice_51}), .q({once_72, twice_72}));
        reg signed [38:0] once_73, twice_73;
        always @(posedge clk) begin
            once_51  <= a1_wide + a2_wide;
            twice_51 <= a1_wide + (a2_wide <<< 1);
            once_73  <= once_72 + a3_wide;
            twice_73 <= twice_72 + (a3_wide <<< 1);
        end
        wire [33:0] turned_77;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(35), .DROP(28)) u_turned (
            .clk(clk), .a(SIXTH), .b(once_73[34:0]), .p(turned_77)
        );
        reg [25:0] t_78;
        always @(posedge clk) t_78 <= theta_77[T +: 26] + speed_77[V +: 26] + turned_77[25:0];
        assign theta_78[26*i +: 26] = t_78;

        // The new speed: v + (a_1 + 2 a_2 + 2 a_3 + a_4) / 6 within its ends. Beyond 32 turns a step² it is at an end anyway.
        wire signed [38:0] twice_94;
        rlc_delay #(.WIDTH(39), .CLOCKS(21)) u_twice (.clk(clk), .d(twice_73), .q(twice_94));
        reg signed [43:0] whole_95;
        wire [31:0] whole_kept;
        wire        whole_over;
        rlc_round_sat #(.WIN(44), .FRAC(0), .WOUT(32)) u_whole (
            .in_data(whole_95), .out_data(whole_kept), .saturated(whole_over)
        );
        reg signed [31:0] whole_96;
        wire signed [30:0] gained_100;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(32), .DROP(28)) u_gained (
            .clk(clk), .a(SIXTH), .b(whole_96), .p(gained_100)
        );
        localparam signed [31:0] END = (i == 0) ? V1_END : V2_END;
        wire signed [26:0] v_100 = speed_100[V +: 27];
        reg signed [31:0] v_101;
        wire signed [31:0] v_within = v_101 > END ? END : v_101 < -END ? -END : v_101;
        reg [26:0] v_102;
        always @(posedge clk) begin
            whole_95 <= {{5{twice_94[38]}}, twice_94} + {{2{a4_94[35]}}, a4_94, 6'd0};
            whole_96 <= whole_kept;
            v_101    <= {{5{v_100[26]}}, v_100} + {gained_100[30], gained_100};
            v_102    <= v_within[26:0];
        end
        assign speed_102[27*i +: 27] = v_102;
        wire unused_link = &{1'b0, t_22[0], t_44[1:0], t_66[0], a2_65[35:27], once_73[38:35], turned_77[33:26], whole_over,
                             v_within[31:27]};
    end

    // What is seen of it, and the end: the tip is higher than a link above the pivot.
    wire [51:0] theta_95, theta_96, theta_105;
    wire [53:0] speed_105;
    rlc_delay #(.WIDTH(52), .CLOCKS(17)) u_theta_95 (.clk(clk), .d(theta_78), .q(theta_95));
    rlc_delay #(.WIDTH(52), .CLOCKS(1)) u_theta_96 (.clk(clk), .d(theta_95), .q(theta_96));
    rlc_delay #(.WIDTH(52), .CLOCKS(9)) u_theta_105 (.clk(clk), .d(theta_96), .q(theta_105));
    rlc_delay #(.WIDTH(54), .CLOCKS(3)) u_speed_105 (.clk(clk), .d(speed_102), .q(speed_105));
    wire signed [26:0] cosine1_104, cosine12_104, sine12_104;
    rlc_env_acrobot_obs u_obs (
        .clk(clk), .angle1(theta_96[25:0]), .angle2(theta_96[51:26]), .v1(speed_102[26:0]), .v2(speed_102[53:27]),
        .cosine1(cosine1_104), .circle(m_obs[71:0]), .speeds(m_obs[107:72])
    );
    reg  [25:0] both_96;
    rlc_sincos u_both (.clk(clk), .angle(both_96), .sine(sine12_104), .cosine(cosine12_104));
    wire signed [27:0] depth_104 = {cosine1_104[26], cosine1_104} + {cosine12_104[26], cosine12_104};
    reg terminated_105;
    always @(posedge clk) begin
        both_96        <= theta_95[25:0] + theta_95[51:26];
        terminated_105 <= depth_104 < -28'sd33554432;
    end
    assign m_terminated = terminated_105;
    assign m_reward     = terminated_105 ? 27'd0 : -27'd524288;
    assign m_state      = {{5{speed_105[53]}}, speed_105[53:27], {5{speed_105[26]}}, speed_105[26:0],
                           {6{theta_105[51]}}, theta_105[51:26], {6{theta_105[25]}}, theta_105[25:0]};

    // What was limited on the way.
    wire so_30, so_50, so_52, so_72, so_74, so_94;
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_30  (.clk(clk), .d(limited_28), .q(so_30));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_50  (.clk(clk), .d(so_30 || (|over_30)), .q(so_50));
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_52  (.clk(clk), .d(so_50 || limited_50), .q(so_52));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_72  (.clk(clk), .d(so_52 || (|over_52)), .q(so_72));
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_74  (.clk(clk), .d(so_72 || limited_72), .q(so_74));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_94  (.clk(clk), .d(so_74 || (|over_74)), .q(so_94));
    rlc_delay #(.WIDTH(1), .CLOCKS(11)) u_so_105 (.clk(clk), .d(so_94 || limited_94), .q(m_limited));

    // A reset: 2d + 1 - 2^18 of the top 18 bits d of a word, times a tenth of a radian, and of a radian a second.
    wire [91:0] start_3;
    for (i = 0; i < 4; i = i + 1) begin : g_start
        wire signed [18:0] odd = {~s_draw[32*i+31], s_draw[32*i+14 +: 17], 1'b1};
        localparam DROP = (i < 2) ? 14 : 16;
        wire [36-DROP:0] found;
        rlc_smul #(.A_WIDTH(19), .B_WIDTH(18), .DROP(DROP)) u_start (
            .clk(clk), .a(odd), .b(i < 2 ? START_ANGLE : START_SPEED), .p(found)
        );
        assign start_3[23*i +: 23] = {{(DROP-14){found[36-DROP]}}, found};
    end
    wire [91:0] start_9, start_12;
    rlc_delay #(.WIDTH(92), .CLOCKS(6)) u_start_9 (.clk(clk), .d(start_3), .q(start_9));
    rlc_delay #(.WIDTH(92), .CLOCKS(3)) u_start_12 (.clk(clk), .d(start_9), .q(start_12));
    wire [26:0] start_cosine1;
    rlc_env_acrobot_obs u_start_obs (
        .clk(clk), .angle1({{3{start_3[22]}}, start_3[22:0]}), .angle2({{3{start_3[45]}}, start_3[45:23]}),
        .v1({{4{start_9[68]}}, start_9[68:46]}), .v2({{4{start_9[91]}}, start_9[91:69]}),
        .cosine1(start_cosine1), .circle(m_reset_obs[71:0]), .speeds(m_reset_obs[107:72])
    );
    assign m_reset_state = {{9{start_12[91]}}, start_12[91:69], {9{start_12[68]}}, start_12[68:46],
                            {9{start_12[45]}}, start_12[45:23], {9{start_12[22]}}, start_12[22:0]};

    wire unused = &{1'b0, s_state[127:123], s_state[95:91], s_state[63:58], s_state[31:26], s_action[17:2], s_draw,
                    sine12_104, start_cosine1};
endmodule
`default_nettype wire
