// rlc_env_pmsm.v — currents of a permanent-magnet synchronous motor: an Euler step of 0.1 ms, and the first state of an episode.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md. Integer model: rlcores.cores.env.pmsm, which has the equations and where the constants come from.
//
// s_state      i_d, i_q sfix(27,25) of 240 A, speed sfix(18,17) of 800 rad/s, references i_d*, i_q* sfix(18,16), in 32 bits
//              each, whose upper bits are ignored; i_d lowest
// s_action     u_d, u_q sfix(18,15), clipped to +-1; u_d lowest
// s_draw       three random words, RESET_LATENCY clocks before m_reset_*
// m_*          LATENCY clocks after s_state. m_obs: the state with currents of sfix(18,16); m_reward: sfix(27,19)
// throughput   one step per clock; nothing stalls, nothing is reset
// cost         10 multipliers: per axis one for the flux of the other, one each for voltage, resistance and speed, one square
`default_nettype none
`include "rlc_check.vh"
module rlc_env_pmsm #(
    parameter LATENCY       = 11, // clocks of a step: this module's own
    parameter RESET_LATENCY = 1   // clocks of a reset: likewise
) (
    input  wire         clk,
    input  wire [159:0] s_state,
    input  wire [35:0]  s_action,
    input  wire [95:0]  s_draw,
    output wire [159:0] m_state,
    output wire [89:0]  m_obs,
    output wire [26:0]  m_reward,
    output wire         m_terminated,
    output wire         m_saturated,
    output wire [159:0] m_reset_state,
    output wire [89:0]  m_reset_obs
);
    `RLC_CHECK(LATENCY == 11 && RESET_LATENCY == 1, rlc_env_pmsm_illegal_LATENCY_must_be_11_and_RESET_LATENCY_1)

    // The model's constants, with fraction bits of: A_D 19, A_Q 21, R_D, R_Q, X_Q 22, X_D 18, FLUX_Q 47, FAILURE 19.
    localparam signed [17:0] A_D = 72311, A_Q = 89183, R_D = 20405, R_Q = 6291, X_D = 68016, X_Q = 103459, ONE = 32768;
    localparam signed [47:0] FLUX_Q = 48'sd2580187286514;
    localparam signed [26:0] FAILURE = -27'sd4194304;

    // Stages 1, 2: what turns into the other axis per unit of the speed, 26 fraction bits. Stage 3: that of i_q is taken away.
    wire signed [26:0] i_d = s_state[26:0];
    wire signed [26:0] i_q = s_state[32*1 +: 27];
    wire signed [47:0] flux_d_s2, flux_q_s2;
    rlc_mac u_flux_d (
        .clk(clk), .a(i_q), .b(X_D), .c(48'sd65536), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(flux_d_s2)
    );
    rlc_mac u_flux_q (
        .clk(clk), .a(i_d), .b(X_Q), .c(FLUX_Q + 48'sd1048576), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(flux_q_s2)
    );
    reg signed [26:0] flux_d_s3, flux_q_s3;
    always @(posedge clk) begin
        flux_d_s3 <= flux_d_s2[43:17];
        flux_q_s3 <= -flux_q_s2[47:21];
    end

    // Stage 1: voltages within their ends. Stages 1, 2: currents with 21 fraction bits.
    wire signed [17:0] u_d = s_action[17:0];
    wire signed [17:0] u_q = s_action[35:18];
    reg signed [17:0] u_d_s1, u_q_s1;
    reg signed [22:0] i_d_s1, i_q_s1, i_d_s2, i_q_s2;
    always @(posedge clk) begin
        u_d_s1 <= u_d > ONE ? ONE : u_d < -ONE ? -ONE : u_d;
        u_q_s1 <= u_q > ONE ? ONE : u_q < -ONE ? -ONE : u_q;
        i_d_s1 <= i_d[26:4] + {22'd0, i_d[3]};
        i_q_s1 <= i_q[26:4] + {22'd0, i_q[3]};
        i_d_s2 <= i_d_s1;
        i_q_s2 <= i_q_s1;
    end

    // Stages 2 to 5: the changes of the currents with 43 fraction bits, a product after the other; half a unit comes first.
    wire signed [17:0] speed_s3;
    rlc_delay #(.WIDTH(18), .CLOCKS(3)) u_speed (.clk(clk), .d(s_state[32*2 +: 18]), .q(speed_s3));
    wire signed [47:0] voltage_d_s3, voltage_q_s3, resistance_d_s4, resistance_q_s4, change_d_s5, change_q_s5;
    rlc_mac u_voltage_d (
        .clk(clk), .a({u_d_s1, 9'd0}), .b(A_D), .c(48'sd131072), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(voltage_d_s3)
    );
    rlc_mac u_voltage_q (
        .clk(clk), .a({{2{u_q_s1[17]}}, u_q_s1, 7'd0}), .b(A_Q), .c(48'sd131072), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(voltage_q_s3)
    );
    rlc_mac #(.A_WIDTH(23), .C_REG(0)) u_resistance_d (
        .clk(clk), .a(i_d_s2), .b(-R_D), .c(voltage_d_s3), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(resistance_d_s4)
    );
    rlc_mac #(.A_WIDTH(23), .C_REG(0)) u_resistance_q (
        .clk(clk), .a(i_q_s2), .b(-R_Q), .c(voltage_q_s3), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(resistance_q_s4)
    );
    rlc_mac #(.C_REG(0)) u_change_d (
        .clk(clk), .a(flux_d_s3), .b(speed_s3), .c(resistance_d_s4), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(change_d_s5)
    );
    rlc_mac #(.C_REG(0)) u_change_q (
        .clk(clk), .a(flux_q_s3), .b(speed_s3), .c(resistance_q_s4), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(change_q_s5)
    );

    // Stages 6, 7: the new currents, and as they are seen. Stage 8: what is missing to their references.
    wire signed [26:0] before_d_s5, before_q_s5;
    wire signed [17:0] goal_d_s7, goal_q_s7;
    rlc_delay #(.WIDTH(54), .CLOCKS(5)) u_before (.clk(clk), .d({i_q, i_d}), .q({before_q_s5, before_d_s5}));
    rlc_delay #(.WIDTH(36), .CLOCKS(7)) u_goals (
        .clk(clk), .d({s_state[32*4 +: 18], s_state[32*3 +: 18]}), .q({goal_q_s7, goal_d_s7})
    );
    wire signed [27:0] sum_d_s5 = {before_d_s5[26], before_d_s5} + {change_d_s5[44], change_d_s5[44:18]};
    wire signed [27:0] sum_q_s5 = {before_q_s5[26], before_q_s5} + {change_q_s5[44], change_q_s5[44:18]};
    wire        [26:0] new_d_s5, new_q_s5;
    wire        [17:0] seen_d_s6, seen_q_s6;
    wire        [3:0]  over;
    reg         [26:0] new_d_s6, new_q_s6;
    reg                over_s6, over_s7;
    reg signed  [17:0] seen_d_s7, seen_q_s7, seen_q_s8;
    reg signed  [18:0] away_d_s8, away_q_s8;
    rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_new_d (.in_data(sum_d_s5), .out_data(new_d_s5), .saturated(over[0]));
    rlc_round_sat #(.WIN(28), .FRAC(0), .WOUT(27)) u_new_q (.in_data(sum_q_s5), .out_data(new_q_s5), .saturated(over[1]));
    rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_seen_d (
        .in_data(new_d_s6), .out_data(seen_d_s6), .saturated(over[2])
    );
    rlc_round_sat #(.WIN(27), .FRAC(9), .WOUT(18), .SYMMETRIC(1)) u_seen_q (
        .in_data(new_q_s6), .out_data(seen_q_s6), .saturated(over[3])
    );
    always @(posedge clk) begin
        new_d_s6  <= new_d_s5;
        new_q_s6  <= new_q_s5;
        over_s6   <= over[0] || over[1];
        seen_d_s7 <= seen_d_s6;
        seen_q_s7 <= seen_q_s6;
        over_s7   <= over_s6 || over[2] || over[3];
        seen_q_s8 <= seen_q_s7;
        away_d_s8 <= {seen_d_s7[17], seen_d_s7} - {goal_d_s7[17], goal_d_s7};
        away_q_s8 <= {seen_q_s7[17], seen_q_s7} - {goal_q_s7[17], goal_q_s7};
    end

    // Stages 8 to 10: the square of the current beyond that of 240 A is 0 or more.
    wire signed [47:0] square_d_s9, beyond_s10;
    rlc_mac #(.A_WIDTH(18)) u_square_d (
        .clk(clk), .a(seen_d_s7), .b(seen_d_s7), .c(-48'sd4294967297), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(square_d_s9)
    );
    rlc_mac #(.A_WIDTH(18), .C_REG(0)) u_square_q (
        .clk(clk), .a(seen_q_s8), .b(seen_q_s8), .c(square_d_s9), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(beyond_s10)
    );

    // Stages 9 to 11: the reward.
    reg        [19:0] missed_s9;
    reg signed [26:0] near_s10, reward_s11;
    reg               terminated_s11;
    wire       [18:0] size_d_s8 = away_d_s8[18] ? -away_d_s8 : away_d_s8;
    wire       [18:0] size_q_s8 = away_q_s8[18] ? -away_q_s8 : away_q_s8;
    always @(posedge clk) begin
        missed_s9      <= {1'b0, size_d_s8} + {1'b0, size_q_s8};
        near_s10       <= 27'sd524288 - {5'd0, missed_s9, 2'd0};
        reward_s11     <= beyond_s10[47] ? near_s10 : FAILURE;
        terminated_s11 <= !beyond_s10[47];
    end

    wire [26:0] new_d_s11, new_q_s11;
    wire [17:0] seen_d_s11, seen_q_s11, goal_d_s11, goal_q_s11, speed_s11;
    rlc_delay #(.WIDTH(54), .CLOCKS(5)) u_new (.clk(clk), .d({new_q_s6, new_d_s6}), .q({new_q_s11, new_d_s11}));
    rlc_delay #(.WIDTH(73), .CLOCKS(4)) u_seen (
        .clk(clk), .d({over_s7, goal_q_s7, goal_d_s7, seen_q_s7, seen_d_s7}),
        .q({m_saturated, goal_q_s11, goal_d_s11, seen_q_s11, seen_d_s11})
    );
    rlc_delay #(.WIDTH(18), .CLOCKS(8)) u_speed_new (.clk(clk), .d(speed_s3), .q(speed_s11));
    assign m_state = {{14{goal_q_s11[17]}}, goal_q_s11, {14{goal_d_s11[17]}}, goal_d_s11, {14{speed_s11[17]}}, speed_s11,
                      {5{new_q_s11[26]}}, new_q_s11, {5{new_d_s11[26]}}, new_d_s11};
    // A code of an observation is never -2^17.
    assign m_obs = {goal_q_s11[17:1], goal_q_s11[0] || goal_q_s11 == 18'h20000,
                    goal_d_s11[17:1], goal_d_s11[0] || goal_d_s11 == 18'h20000,
                    speed_s11[17:1], speed_s11[0] || speed_s11 == 18'h20000, seen_q_s11, seen_d_s11};
    assign m_reward     = reward_s11;
    assign m_terminated = terminated_s11;

    // A reset: currents and references of 16 bits within +-0.5, the speed within +-1.
    reg  [81:0] start_s1;
    wire [15:0] start_d = start_s1[31:16], start_q = start_s1[15:0], start_goal_d = start_s1[63:48], start_goal_q = start_s1[47:32];
    wire [17:0] start_speed = start_s1[81:64];
    always @(posedge clk) start_s1 <= {s_draw[31:14], s_draw[63:32], s_draw[95:64]};
    assign m_reset_state = {{16{start_goal_q[15]}}, start_goal_q, {16{start_goal_d[15]}}, start_goal_d,
                            {14{start_speed[17]}}, start_speed, {7{start_q[15]}}, start_q, 9'd0, {7{start_d[15]}}, start_d, 9'd0};
    assign m_reset_obs   = {{2{start_goal_q[15]}}, start_goal_q, {2{start_goal_d[15]}}, start_goal_d,
                            start_speed[17:1], start_speed[0] || start_speed == 18'h20000,
                            {2{start_q[15]}}, start_q, {2{start_d[15]}}, start_d};

    wire unused = &{1'b0, s_state, s_draw[13:0], flux_d_s2, flux_q_s2[20:0], change_d_s5, change_q_s5, beyond_s10[46:0]};
endmodule
`default_nettype wire
