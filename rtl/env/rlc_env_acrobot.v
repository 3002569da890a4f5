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
    output wire         m_saturated,
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
    wire [51:0] theta_s0 = {s_state[32*1 +: 26], s_state[32*0 +: 26]};
    wire [51:0] theta_s21, theta_s43, theta_s65, theta_s77;
    wire [53:0] speed_s0 = {s_state[32*3 +: 27], s_state[32*2 +: 27]};
    wire [53:0] speed_s8, speed_s21, speed_s28, speed_s43, speed_s50, speed_s65, speed_s72, speed_s77, speed_s100;
    wire [1:0]  action_s13, action_s35, action_s57, action_s79;
    rlc_delay #(.WIDTH(52), .CLOCKS(21)) u_theta_s21 (.clk(clk), .d(theta_s0), .q(theta_s21));
    rlc_delay #(.WIDTH(52), .CLOCKS(22)) u_theta_s43 (.clk(clk), .d(theta_s21), .q(theta_s43));
    rlc_delay #(.WIDTH(52), .CLOCKS(22)) u_theta_s65 (.clk(clk), .d(theta_s43), .q(theta_s65));
    rlc_delay #(.WIDTH(52), .CLOCKS(12)) u_theta_s77 (.clk(clk), .d(theta_s65), .q(theta_s77));
    rlc_delay #(.WIDTH(54), .CLOCKS(8)) u_speed_s8 (.clk(clk), .d(speed_s0), .q(speed_s8));
    rlc_delay #(.WIDTH(54), .CLOCKS(13)) u_speed_s21 (.clk(clk), .d(speed_s8), .q(speed_s21));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_s28 (.clk(clk), .d(speed_s21), .q(speed_s28));
    rlc_delay #(.WIDTH(54), .CLOCKS(15)) u_speed_s43 (.clk(clk), .d(speed_s28), .q(speed_s43));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_s50 (.clk(clk), .d(speed_s43), .q(speed_s50));
    rlc_delay #(.WIDTH(54), .CLOCKS(15)) u_speed_s65 (.clk(clk), .d(speed_s50), .q(speed_s65));
    rlc_delay #(.WIDTH(54), .CLOCKS(7)) u_speed_s72 (.clk(clk), .d(speed_s65), .q(speed_s72));
    rlc_delay #(.WIDTH(54), .CLOCKS(5)) u_speed_s77 (.clk(clk), .d(speed_s72), .q(speed_s77));
    rlc_delay #(.WIDTH(54), .CLOCKS(23)) u_speed_s100 (.clk(clk), .d(speed_s77), .q(speed_s100));
    rlc_delay #(.WIDTH(2), .CLOCKS(13)) u_action_s13 (.clk(clk), .d(s_action[1:0]), .q(action_s13));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_s35 (.clk(clk), .d(action_s13), .q(action_s35));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_s57 (.clk(clk), .d(action_s35), .q(action_s57));
    rlc_delay #(.WIDTH(2), .CLOCKS(22)) u_action_s79 (.clk(clk), .d(action_s57), .q(action_s79));

    // The four stages begin with the angles at 0, 22, 44 and 66, take the speeds 8 clocks later, and answer 28 clocks later.
    // Angles lag the accelerations by one stage, so that sines are ready when speeds come.
    wire [51:0] angles_s22, angles_s44, angles_s66;
    wire [53:0] speeds_s30, speeds_s52, speeds_s74;
    wire [71:0] a_s28, a_s50, a_s72, a_s94;
    wire        saturated_s28, saturated_s50, saturated_s72, saturated_s94;
    rlc_env_acrobot_stage u_stage_1 (
        .clk(clk), .theta1(s_state[32*0 +: 26]), .theta2(s_state[32*1 +: 26]),
        .v1_s8(speed_s8[27*0 +: 27]), .v2_s8(speed_s8[27*1 +: 27]), .action_s13(action_s13),
        .a1(a_s28[35:0]), .a2(a_s28[36*1 +: 36]), .saturated(saturated_s28)
    );
    rlc_env_acrobot_stage #(.V(24)) u_stage_2 (
        .clk(clk), .theta1(angles_s22[25:0]), .theta2(angles_s22[26*1 +: 26]),
        .v1_s8(speeds_s30[26:0]), .v2_s8(speeds_s30[27*1 +: 27]), .action_s13(action_s35),
        .a1(a_s50[35:0]), .a2(a_s50[36*1 +: 36]), .saturated(saturated_s50)
    );
    rlc_env_acrobot_stage #(.V(23), .R_BITS(33), .N(25)) u_stage_3 (
        .clk(clk), .theta1(angles_s44[25:0]), .theta2(angles_s44[26*1 +: 26]),
        .v1_s8(speeds_s52[26:0]), .v2_s8(speeds_s52[27*1 +: 27]), .action_s13(action_s57),
        .a1(a_s72[35:0]), .a2(a_s72[36*1 +: 36]), .saturated(saturated_s72)
    );
    rlc_env_acrobot_stage #(.V(21), .A(22), .R(22), .R_BITS(34), .N(20)) u_stage_4 (
        .clk(clk), .theta1(angles_s66[25:0]), .theta2(angles_s66[26*1 +: 26]),
        .v1_s8(speeds_s74[26:0]), .v2_s8(speeds_s74[27*1 +: 27]), .action_s13(action_s79),
        .a1(a_s94[35:0]), .a2(a_s94[36*1 +: 36]), .saturated(saturated_s94)
    );

    // Both links alike. Accelerations have 26 fraction bits here, those of the last two stages after a shift.
    wire [51:0] theta_s78;
    wire [53:0] speed_s102;
    wire [1:0]  over_s30, over_s52, over_s74;
    genvar i;
    for (i = 0; i < 2; i = i + 1) begin : g_link
        localparam T = 26 * i;       // the link's angle in theta_k
        localparam V = 27 * i;       // and its speed in speed_k
        wire signed [35:0] a1_s28 = a_s28[36*i +: 36];
        wire signed [35:0] a2_s50 = a_s50[36*i +: 36];
        wire signed [35:0] a3_s72 = a_s72[36*i +: 36];
        wire signed [35:0] a4_s94 = a_s94[36*i +: 36];

        // Angles of the stages 2, 3, 4: t + v/2, t + v/2 + a_1/4, t + v + a_2/2.
        wire [35:0] a1_s43, a1_s50, a2_s65;
        rlc_delay #(.WIDTH(36), .CLOCKS(15)) u_a1_s43 (.clk(clk), .d(a1_s28), .q(a1_s43));
        rlc_delay #(.WIDTH(36), .CLOCKS(7)) u_a1_s50 (.clk(clk), .d(a1_s43), .q(a1_s50));
        rlc_delay #(.WIDTH(36), .CLOCKS(15)) u_a2_s65 (.clk(clk), .d(a2_s50), .q(a2_s65));
        reg [26:0] t_s22, t_s66;
        reg [27:0] t_s44;
        always @(posedge clk) begin
            t_s22 <= {theta_s21[T +: 26], 1'b1} + speed_s21[V +: 27];
            t_s44 <= {theta_s43[T +: 26], 2'b10} + {speed_s43[V +: 27], 1'b0} + a1_s43[27:0];
            t_s66 <= {theta_s65[T +: 26], 1'b1} + {speed_s65[V +: 26], 1'b0} + a2_s65[26:0];
        end
        assign angles_s22[26*i +: 26] = t_s22[26:1];
        assign angles_s44[26*i +: 26] = t_s44[27:2];
        assign angles_s66[26*i +: 26] = t_s66[26:1];

        // Speeds of the stages 2, 3, 4: v + a_1/2, v + a_2/2, v + a_3.
        wire signed [26:0] v_s28 = speed_s28[V +: 27];
        wire signed [26:0] v_s50 = speed_s50[V +: 27];
        wire signed [26:0] v_s72 = speed_s72[V +: 27];
        reg signed [37:0] sum_s29, sum_s51, sum_s73;
        wire [26:0] kept_s29, kept_s51, kept_s73;
        wire        over_s29, over_s51, over_s73;
        rlc_round_sat #(.WIN(38), .FRAC(3), .WOUT(27)) u_v_2 (.in_data(sum_s29), .out_data(kept_s29), .saturated(over_s29));
        rlc_round_sat #(.WIN(38), .FRAC(4), .WOUT(27)) u_v_3 (.in_data(sum_s51), .out_data(kept_s51), .saturated(over_s51));
        rlc_round_sat #(.WIN(38), .FRAC(5), .WOUT(27)) u_v_4 (.in_data(sum_s73), .out_data(kept_s73), .saturated(over_s73));
        reg [26:0] kept_s30, kept_s52, kept_s74;
        reg        saturated_s30, saturated_s52, saturated_s74;
        always @(posedge clk) begin
            sum_s29 <= {{10{v_s28[26]}}, v_s28, 1'b0} + {{2{a1_s28[35]}}, a1_s28};
            sum_s51 <= {{10{v_s50[26]}}, v_s50, 1'b0} + {{2{a2_s50[35]}}, a2_s50};
            sum_s73 <= {{11{v_s72[26]}}, v_s72} + {a3_s72[35], a3_s72, 1'b0};
            {saturated_s30, kept_s30} <= {over_s29, kept_s29};
            {saturated_s52, kept_s52} <= {over_s51, kept_s51};
            {saturated_s74, kept_s74} <= {over_s73, kept_s73};
        end
        assign {over_s30[i], speeds_s30[27*i +: 27]} = {saturated_s30, kept_s30};
        assign {over_s52[i], speeds_s52[27*i +: 27]} = {saturated_s52, kept_s52};
        assign {over_s74[i], speeds_s74[27*i +: 27]} = {saturated_s74, kept_s74};

        // The new angle: t + v + (a_1 + a_2 + a_3) / 6.
        wire signed [38:0] a1_wide = {{3{a1_s50[35]}}, a1_s50};
        wire signed [38:0] a2_wide = {{3{a2_s50[35]}}, a2_s50};
        wire signed [38:0] a3_wide = {{2{a3_s72[35]}}, a3_s72, 1'b0};
        reg signed [38:0] once_s51, twice_s51;
        wire signed [38:0] once_s72, twice_s72;
        rlc_delay #(.WIDTH(78), .CLOCKS(21)) u_sums (.clk(clk), .d({once_s51, twice_s51}), .q({once_s72, twice_s72}));
        reg signed [38:0] once_s73, twice_s73;
        always @(posedge clk) begin
            once_s51  <= a1_wide + a2_wide;
            twice_s51 <= a1_wide + (a2_wide <<< 1);
            once_s73  <= once_s72 + a3_wide;
            twice_s73 <= twice_s72 + (a3_wide <<< 1);
        end
        wire [33:0] turned_s77;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(35), .DROP(28)) u_turned (
            .clk(clk), .a(SIXTH), .b(once_s73[34:0]), .p(turned_s77)
        );
        reg [25:0] t_s78;
        always @(posedge clk) t_s78 <= theta_s77[T +: 26] + speed_s77[V +: 26] + turned_s77[25:0];
        assign theta_s78[26*i +: 26] = t_s78;

        // The new speed: v + (a_1 + 2 a_2 + 2 a_3 + a_4) / 6 within its ends. Beyond 32 turns a step² it is at an end anyway.
        wire signed [38:0] twice_s94;
        rlc_delay #(.WIDTH(39), .CLOCKS(21)) u_twice (.clk(clk), .d(twice_s73), .q(twice_s94));
        reg signed [43:0] whole_s95;
        wire [31:0] whole_kept;
        wire        whole_over;
        rlc_round_sat #(.WIN(44), .FRAC(0), .WOUT(32)) u_whole (
            .in_data(whole_s95), .out_data(whole_kept), .saturated(whole_over)
        );
        reg signed [31:0] whole_s96;
        wire signed [30:0] gained_s100;
        rlc_smul #(.A_WIDTH(27), .B_WIDTH(32), .DROP(28)) u_gained (
            .clk(clk), .a(SIXTH), .b(whole_s96), .p(gained_s100)
        );
        localparam signed [31:0] END = (i == 0) ? V1_END : V2_END;
        wire signed [26:0] v_s100 = speed_s100[V +: 27];
        reg signed [31:0] v_s101;
        wire signed [31:0] v_within = v_s101 > END ? END : v_s101 < -END ? -END : v_s101;
        reg [26:0] v_s102;
        always @(posedge clk) begin
            whole_s95 <= {{5{twice_s94[38]}}, twice_s94} + {{2{a4_s94[35]}}, a4_s94, 6'd0};
            whole_s96 <= whole_kept;
            v_s101    <= {{5{v_s100[26]}}, v_s100} + {gained_s100[30], gained_s100};
            v_s102    <= v_within[26:0];
        end
        assign speed_s102[27*i +: 27] = v_s102;
        wire unused_link = &{1'b0, t_s22[0], t_s44[1:0], t_s66[0], a2_s65[35:27], once_s73[38:35], turned_s77[33:26], whole_over,
                             v_within[31:27]};
    end

    // What is seen of it, and the end: the tip is higher than a link above the pivot.
    wire [51:0] theta_s95, theta_s96, theta_s105;
    wire [53:0] speed_s105;
    rlc_delay #(.WIDTH(52), .CLOCKS(17)) u_theta_s95 (.clk(clk), .d(theta_s78), .q(theta_s95));
    rlc_delay #(.WIDTH(52), .CLOCKS(1)) u_theta_s96 (.clk(clk), .d(theta_s95), .q(theta_s96));
    rlc_delay #(.WIDTH(52), .CLOCKS(9)) u_theta_s105 (.clk(clk), .d(theta_s96), .q(theta_s105));
    rlc_delay #(.WIDTH(54), .CLOCKS(3)) u_speed_s105 (.clk(clk), .d(speed_s102), .q(speed_s105));
    wire signed [26:0] cosine1_s104, cosine12_s104, sine12_s104;
    rlc_env_acrobot_obs u_obs (
        .clk(clk), .angle1(theta_s96[25:0]), .angle2(theta_s96[26*1 +: 26]), .v1(speed_s102[26:0]), .v2(speed_s102[27*1 +: 27]),
        .cosine1(cosine1_s104), .circle(m_obs[18*0 +: 18*4]), .speeds(m_obs[18*4 +: 18*2])
    );
    reg  [25:0] both_s96;
    rlc_sincos u_both (.clk(clk), .angle(both_s96), .sine(sine12_s104), .cosine(cosine12_s104));
    wire signed [27:0] depth_s104 = {cosine1_s104[26], cosine1_s104} + {cosine12_s104[26], cosine12_s104};
    reg terminated_s105;
    always @(posedge clk) begin
        both_s96        <= theta_s95[25:0] + theta_s95[26*1 +: 26];
        terminated_s105 <= depth_s104 < -28'sd33554432;
    end
    assign m_terminated = terminated_s105;
    assign m_reward     = terminated_s105 ? 27'd0 : -27'd524288;
    assign m_state      = {{5{speed_s105[53]}}, speed_s105[27*1 +: 27], {5{speed_s105[26]}}, speed_s105[26:0],
                           {6{theta_s105[51]}}, theta_s105[26*1 +: 26], {6{theta_s105[25]}}, theta_s105[25:0]};

    // What was saturated on the way.
    wire so_s30, so_s50, so_s52, so_s72, so_s74, so_s94;
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_s30  (.clk(clk), .d(saturated_s28), .q(so_s30));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_s50  (.clk(clk), .d(so_s30 || (|over_s30)), .q(so_s50));
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_s52  (.clk(clk), .d(so_s50 || saturated_s50), .q(so_s52));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_s72  (.clk(clk), .d(so_s52 || (|over_s52)), .q(so_s72));
    rlc_delay #(.WIDTH(1), .CLOCKS(2))  u_so_s74  (.clk(clk), .d(so_s72 || saturated_s72), .q(so_s74));
    rlc_delay #(.WIDTH(1), .CLOCKS(20)) u_so_s94  (.clk(clk), .d(so_s74 || (|over_s74)), .q(so_s94));
    rlc_delay #(.WIDTH(1), .CLOCKS(11)) u_so_s105 (.clk(clk), .d(so_s94 || saturated_s94), .q(m_saturated));

    // A reset: 2d + 1 - 2^18 of the top 18 bits d of a word, times a tenth of a radian, and of a radian a second.
    wire [91:0] start_s3;
    for (i = 0; i < 4; i = i + 1) begin : g_start
        wire signed [18:0] odd = {~s_draw[32*i+31], s_draw[32*i+14 +: 17], 1'b1};
        localparam DROP = (i < 2) ? 14 : 16;
        wire [36-DROP:0] found;
        rlc_smul #(.A_WIDTH(19), .B_WIDTH(18), .DROP(DROP)) u_start (
            .clk(clk), .a(odd), .b(i < 2 ? START_ANGLE : START_SPEED), .p(found)
        );
        assign start_s3[23*i +: 23] = {{(DROP-14){found[36-DROP]}}, found};
    end
    wire [91:0] start_s9, start_s12;
    rlc_delay #(.WIDTH(92), .CLOCKS(6)) u_start_s9 (.clk(clk), .d(start_s3), .q(start_s9));
    rlc_delay #(.WIDTH(92), .CLOCKS(3)) u_start_s12 (.clk(clk), .d(start_s9), .q(start_s12));
    wire [26:0] start_cosine1;
    rlc_env_acrobot_obs u_start_obs (
        .clk(clk), .angle1({{3{start_s3[22]}}, start_s3[22:0]}), .angle2({{3{start_s3[45]}}, start_s3[23*1 +: 23]}),
        .v1({{4{start_s9[68]}}, start_s9[23*2 +: 23]}), .v2({{4{start_s9[91]}}, start_s9[23*3 +: 23]}),
        .cosine1(start_cosine1), .circle(m_reset_obs[18*0 +: 18*4]), .speeds(m_reset_obs[18*4 +: 18*2])
    );
    assign m_reset_state = {{9{start_s12[91]}}, start_s12[23*3 +: 23], {9{start_s12[68]}}, start_s12[23*2 +: 23],
                            {9{start_s12[45]}}, start_s12[23*1 +: 23], {9{start_s12[22]}}, start_s12[22:0]};

    wire unused = &{1'b0, s_state[127:123], s_state[95:91], s_state[63:58], s_state[31:26], s_action[17:2], s_draw,
                    sine12_s104, start_cosine1};
endmodule
`default_nettype wire
