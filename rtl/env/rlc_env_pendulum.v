// rlc_env_pendulum.v — Pendulum's physics: one Euler step of 0.05 s, and the first state of an episode.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md. Integer model: rlcores.cores.env.pendulum, which has the equations and where the constants come from.
//
// s_state      theta sfix(32,32) in turns, theta_dot sfix(27,22) in rad/s, whose upper 5 bits are ignored; theta lowest
// s_action     torque sfix(18,15), clipped to +-2
// s_draw       one random word per number of the first state, RESET_LATENCY clocks before m_reset_*
// m_*          LATENCY clocks after s_state. m_obs: cos and sin sfix(18,16), theta_dot sfix(18,13); m_reward: sfix(27,19)
// throughput   one step per clock; nothing stalls, nothing is reset
// cost         three rlc_sincos; a product of 26 x 26 bits, one of 27 x 27 and six of 27 x 18 or fewer
`default_nettype none
`include "rlc_check.vh"
module rlc_env_pendulum #(
    parameter LATENCY       = 28, // clocks of a step: this module's own
    parameter RESET_LATENCY = 10  // clocks of a reset: likewise
) (
    input  wire        clk,
    input  wire [63:0] s_state,
    input  wire [17:0] s_action,
    input  wire [63:0] s_draw,
    output wire [63:0] m_state,
    output wire [53:0] m_obs,
    output wire [26:0] m_reward,
    output wire        m_terminated,
    output wire        m_saturated,
    output wire [63:0] m_reset_state,
    output wire [53:0] m_reset_obs
);
    `RLC_CHECK(LATENCY == 28 && RESET_LATENCY == 10, rlc_env_pendulum_illegal_LATENCY_must_be_28_and_RESET_LATENCY_10)

    // The model's constants, with fraction bits of: PUSH 19, TURN_RATE 23, TURN2 10, COST_SPEED 20, COST_TORQUE 25; ends as
    // the state and the action have them.
    localparam signed [17:0] PUSH = 78643, TURN_RATE = 66754, TURN2 = 40426, COST_SPEED = 104858, COST_TORQUE = 33554;
    localparam signed [27:0] SPEED_END = 33554432;
    localparam signed [17:0] TORQUE_END = 65536;

    // Stage 1: the angle of 26 bits, the torque within its ends.
    wire signed [17:0] action  = s_action;
    wire        [26:0] rounded = {1'b0, s_state[31:6]} + {26'd0, s_state[5]};
    reg signed [25:0] angle_s1;
    reg signed [26:0] speed_s1;
    reg signed [17:0] torque_s1;
    always @(posedge clk) begin
        angle_s1  <= rounded[25:0];
        speed_s1  <= s_state[32*1 +: 27];
        torque_s1 <= action > TORQUE_END ? TORQUE_END : action < -TORQUE_END ? -TORQUE_END : action;
    end

    // Stages 2 to 5: the squares, with fraction bits of: angle 27 (turns), speed 17, torque 30.
    wire signed [26:0] angle2_s5, speed2_s5;
    wire signed [35:0] torque2_s4;
    rlc_smul #(.A_WIDTH(26), .B_WIDTH(26), .DROP(25)) u_angle2 (
        .clk(clk), .a(angle_s1), .b(angle_s1), .p(angle2_s5)
    );
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(27), .DROP(27)) u_speed2 (
        .clk(clk), .a(speed_s1), .b(speed_s1), .p(speed2_s5)
    );
    rlc_smul #(.A_WIDTH(18), .B_WIDTH(18)) u_torque2 (.clk(clk), .a(torque_s1), .b(torque_s1), .p(torque2_s4));

    // Stages 6 to 9: the cost with 37 fraction bits, a product after the other; half a unit of the reward comes first.
    wire signed [26:0] speed2_s6;
    wire signed [17:0] torque2_s7;
    rlc_delay #(.WIDTH(27), .CLOCKS(1)) u_speed2_wait (.clk(clk), .d(speed2_s5), .q(speed2_s6));
    rlc_delay #(.WIDTH(18), .CLOCKS(3)) u_torque2_wait (.clk(clk), .d(torque2_s4[35:18]), .q(torque2_s7));
    wire signed [47:0] cost_s7, cost_s8, cost_s9;
    rlc_mac u_cost_angle (
        .clk(clk), .a(angle2_s5), .b(TURN2), .c(48'sd131072), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(cost_s7)
    );
    rlc_mac #(.C_REG(0)) u_cost_speed (
        .clk(clk), .a(speed2_s6), .b(COST_SPEED), .c(cost_s7), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(cost_s8)
    );
    rlc_mac #(.A_WIDTH(18), .C_REG(0)) u_cost_torque (
        .clk(clk), .a(torque2_s7), .b(COST_TORQUE), .c(cost_s8), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(cost_s9)
    );
    reg [26:0] reward_s10;
    always @(posedge clk) reward_s10 <= -cost_s9[44:18];
    rlc_delay #(.WIDTH(27), .CLOCKS(LATENCY - 10)) u_reward (.clk(clk), .d(reward_s10), .q(m_reward));

    // Stages 2 to 9: sin(theta). Stage 10: three of it, and half a unit of the speed.
    wire signed [26:0] sine_s9;
    wire signed [26:0] cosine_s9;
    rlc_sincos u_force (.clk(clk), .angle(angle_s1), .sine(sine_s9), .cosine(cosine_s9));
    reg signed [29:0] triple_s10;
    always @(posedge clk) triple_s10 <= {{3{sine_s9[26]}}, sine_s9} + {{2{sine_s9[26]}}, sine_s9, 1'b0} + 30'sd16;

    // Stages 11, 12: 0.75 sin(theta) + 0.15 u with 34 fraction bits.
    wire signed [17:0] torque_s10;
    rlc_delay #(.WIDTH(18), .CLOCKS(9)) u_torque (.clk(clk), .d(torque_s1), .q(torque_s10));
    wire signed [47:0] push_s12;
    rlc_mac #(.A_WIDTH(18), .C_WIDTH(37)) u_push (
        .clk(clk), .a(torque_s10), .b(PUSH), .c({triple_s10, 7'd0}),
        .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(push_s12)
    );

    // Stages 13, 14: the new speed within its ends.
    wire signed [26:0] speed_s12;
    rlc_delay #(.WIDTH(27), .CLOCKS(11)) u_speed (.clk(clk), .d(speed_s1), .q(speed_s12));
    reg signed [27:0] sum_s13;
    reg signed [26:0] speed_s14;
    wire signed [27:0] within_s13 = sum_s13 > SPEED_END ? SPEED_END : sum_s13 < -SPEED_END ? -SPEED_END : sum_s13;
    always @(posedge clk) begin
        sum_s13   <= {speed_s12[26], speed_s12} + push_s12[39:12];
        speed_s14 <= within_s13[26:0];
    end

    // Stages 15 to 18: the new angle. Stage 19: of 26 bits.
    wire signed [31:0] turned_s17;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(13)) u_turned (
        .clk(clk), .a(speed_s14), .b(TURN_RATE), .p(turned_s17)
    );
    wire [31:0] theta_s17;
    rlc_delay #(.WIDTH(32), .CLOCKS(17)) u_theta (.clk(clk), .d(s_state[31:0]), .q(theta_s17));
    reg  [31:0] theta_s18;
    reg  [25:0] angle_s19;
    wire [26:0] rounded_s18 = {1'b0, theta_s18[31:6]} + {26'd0, theta_s18[5]};
    always @(posedge clk) begin
        theta_s18 <= theta_s17 + turned_s17;
        angle_s19 <= rounded_s18[25:0];
    end

    // Stages 20 to 28: what is seen of it.
    wire [31:0] theta_s28;
    wire [26:0] speed_s27, speed_s28;
    rlc_delay #(.WIDTH(32), .CLOCKS(10)) u_theta_new (.clk(clk), .d(theta_s18), .q(theta_s28));
    rlc_delay #(.WIDTH(27), .CLOCKS(13)) u_speed_new (.clk(clk), .d(speed_s14), .q(speed_s27));
    rlc_delay #(.WIDTH(27), .CLOCKS(1)) u_speed_last (.clk(clk), .d(speed_s27), .q(speed_s28));
    rlc_env_pendulum_obs u_obs (.clk(clk), .angle(angle_s19), .speed_s8(speed_s27), .obs(m_obs));
    assign m_state      = {{5{speed_s28[26]}}, speed_s28, theta_s28};
    assign m_terminated = 1'b0;
    assign m_saturated  = 1'b0;

    // A reset: any angle, a speed within +-1.
    wire [31:0] start       = {~s_draw[31], s_draw[30:0]};
    wire [26:0] start_round = {1'b0, start[31:6]} + {26'd0, start[5]};
    wire [26:0] start_speed = {{5{~s_draw[63]}}, s_draw[62:41]};
    reg  [25:0] start_s1;
    always @(posedge clk) start_s1 <= start_round[25:0];
    wire [58:0] start_s9, start_s10;
    rlc_delay #(.WIDTH(59), .CLOCKS(9)) u_start (.clk(clk), .d({start_speed, start}), .q(start_s9));
    rlc_delay #(.WIDTH(59), .CLOCKS(1)) u_start_last (.clk(clk), .d(start_s9), .q(start_s10));
    rlc_env_pendulum_obs u_start_obs (.clk(clk), .angle(start_s1), .speed_s8(start_s9[58:32]), .obs(m_reset_obs));
    assign m_reset_state = {{5{start_s10[58]}}, start_s10};

    wire unused = &{1'b0, s_state[63:59], rounded[26], torque2_s4[17:0], cost_s9, cosine_s9, push_s12, within_s13[27],
                    rounded_s18[26], s_draw[40:32], start_round[26]};
endmodule
`default_nettype wire
