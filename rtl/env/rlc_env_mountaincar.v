// rlc_env_mountaincar.v — physics of MountainCar and MountainCarContinuous: one step per clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_state        {velocity, position}, each sfix(32,29); position -1.2 to 0.6, velocity within +-0.07
// s_action       discrete: 0 left, 1 none, 2 right; continuous: the force, sfix(18,15), which is clipped to +-1
// m_state        after the step, LATENCY clocks later
// m_obs          {velocity sfix(18,20), position sfix(18,16)} of m_state
// m_reward       sfix(27,19): -1; continuous: -action^2/10, and 100 more when terminated
// m_terminated   position 0.5, continuous 0.45, or more with a velocity of 0 or more
// m_saturated    always 0: the wall and the highest speed belong to the physics
// s_draw         a random word; RESET_LATENCY clocks later m_reset_*: the first state and observation of an episode,
//                at rest, uniform in [-0.6, -0.4)
// error          a new state is within 2^-22 of its range of Gymnasium's float64. Bit-exact model:
//                rlcores.cores.env.mountaincar, whose constants have the names of those here
// cost           3 multipliers (continuous 6), two of them with a constant, and rlc_sincos
// reset          none
`default_nettype none
`include "rlc_check.vh"
module rlc_env_mountaincar #(
    parameter CONTINUOUS    = 0,  // 0: MountainCar-v0, 1: MountainCarContinuous-v0
    parameter LATENCY       = 17, // clocks of a step; only this
    parameter RESET_LATENCY = 4   // clocks of a reset; only this
) (
    input  wire               clk,
    input  wire        [63:0] s_state,
    input  wire        [17:0] s_action,
    output wire        [63:0] m_state,
    output wire        [35:0] m_obs,
    output wire        [26:0] m_reward,
    output wire               m_terminated,
    output wire               m_saturated,
    input  wire        [31:0] s_draw,
    output wire        [63:0] m_reset_state,
    output wire        [35:0] m_reset_obs
);
    `RLC_CHECK(CONTINUOUS == 0 || CONTINUOUS == 1, rlc_env_mountaincar_illegal_CONTINUOUS_must_be_0_or_1)
    `RLC_CHECK(LATENCY == 17 && RESET_LATENCY == 4, rlc_env_mountaincar_illegal_LATENCY_must_be_17_and_RESET_LATENCY_4)

    // The model's constants, with fraction bits of: positions and SPEED 29, TURNS, 3/(2 pi), 18, GRAVITY 25, FORCE 50,
    // POWER 35, COST 20, RESET_LENGTH 19.
    localparam signed [31:0] POSITION_LOW = -644245094, POSITION_HIGH = 322122547, RESET_LOW = -322122547;
    localparam signed [31:0] GOAL = 268435456, GOAL_CONTINUOUS = 241591910;
    localparam signed [26:0] SPEED = 37580964;
    localparam signed [17:0] TURNS = 125165, GRAVITY = 83886, COST = 104858, RESET_LENGTH = 104857;
    localparam signed [47:0] FORCE = 48'sd1125899906843;
    localparam signed [26:0] POWER = 51539608;

    // Stages 1 to 3: the angle 3 x in turns, 43 fraction bits, rounded to 26.
    wire signed [44:0] angle_s3;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(45), .A_REG(1)) u_angle (
        .clk(clk), .a(s_state[30:4]), .b(TURNS), .c(18'sd65536), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(angle_s3)
    );

    // Stages 4 to 11: its cosine.
    wire signed [26:0] sine_s11;
    wire signed [26:0] cosine_s11;
    rlc_sincos u_sincos (.clk(clk), .angle(angle_s3[42:17]), .sine(sine_s11), .cosine(cosine_s11));

    // Meanwhile velocity and action wait, and the force is added: 50 fraction bits, with the half that rounds.
    wire [26:0]        velocity_s8;
    wire signed [17:0] action_s8;
    rlc_delay #(.WIDTH(45), .CLOCKS(8)) u_wait (
        .clk(clk), .d({s_state[32*1 +: 27], s_action}), .q({velocity_s8, action_s8})
    );
    wire signed [47:0] pushed_s11;
    wire signed [26:0] reward_s16;  // short of the goal
    wire signed [26:0] bonus;       // at the goal
    if (CONTINUOUS != 0) begin : g_continuous
        reg signed [17:0] force_s9;
        reg        [26:0] velocity_s9;
        always @(posedge clk) begin
            force_s9    <= action_s8 > 18'sd32768 ? 18'sd32768 : action_s8 < -18'sd32768 ? -18'sd32768 : action_s8;
            velocity_s9 <= velocity_s8;
        end
        rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48)) u_force (
            .clk(clk), .a(POWER), .b(force_s9), .c({velocity_s9, 21'h100000}), .m_clear(1'b0), .c_clear(1'b0),
            .acc(1'b0), .p(pushed_s11)
        );

        // action^2, 30 fraction bits; a tenth of it rounded to 21 first.
        wire signed [35:0] square_s11;
        wire signed [44:0] cost_s13;
        rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(10), .P_WIDTH(36), .A_REG(1), .B_REG(1)) u_square (
            .clk(clk), .a(action_s8), .b(action_s8), .c(10'sd256), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
            .p(square_s11)
        );
        rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(23), .P_WIDTH(45)) u_cost (
            .clk(clk), .a(square_s11[35:9]), .b(COST), .c(23'sd2097152), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
            .p(cost_s13)
        );
        reg signed [22:0] reward_s14;
        always @(posedge clk) reward_s14 <= -cost_s13[44:22];
        wire signed [22:0] reward_s16_short;
        rlc_delay #(.WIDTH(23), .CLOCKS(2)) u_reward (.clk(clk), .d(reward_s14), .q(reward_s16_short));
        assign reward_s16  = {{4{reward_s16_short[22]}}, reward_s16_short};
        assign bonus       = 27'sd52428800;
        wire unused = &{1'b0, square_s11[8:0], cost_s13[21:0]};
    end else begin : g_discrete
        reg signed [47:0] force_s9;
        reg        [26:0] velocity_s9;
        reg signed [47:0] pushed_s10;
        always @(posedge clk) begin
            force_s9    <= action_s8[1] ? FORCE : action_s8[0] ? 48'sd0 : -FORCE;
            velocity_s9 <= velocity_s8;
            pushed_s10  <= $signed({velocity_s9, 21'h100000}) + force_s9;
        end
        rlc_delay #(.WIDTH(48), .CLOCKS(1)) u_pushed (.clk(clk), .d(pushed_s10), .q(pushed_s11));
        assign reward_s16 = -27'sd524288;
        assign bonus      = 27'sd0;
        wire unused = &{1'b0, action_s8[17:2]};
    end

    // Stages 12, 13: gravity.
    wire signed [47:0] total_s13;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48)) u_gravity (
        .clk(clk), .a(cosine_s11), .b(-GRAVITY), .c(pushed_s11), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(total_s13)
    );

    // Stage 14: no faster than SPEED. Stage 15: the car moves.
    wire signed [26:0] velocity_s13 = total_s13[47:21];
    reg  signed [26:0] velocity_s14;
    reg  signed [26:0] velocity_s15;
    wire signed [31:0] position_s14;
    reg  signed [31:0] position_s15;
    rlc_delay #(.WIDTH(32), .CLOCKS(14)) u_position (.clk(clk), .d(s_state[31:0]), .q(position_s14));
    always @(posedge clk) begin
        velocity_s14 <= velocity_s13 > SPEED ? SPEED : velocity_s13 < -SPEED ? -SPEED : velocity_s13;
        velocity_s15 <= velocity_s14;
        position_s15 <= position_s14 + {{5{velocity_s14[26]}}, velocity_s14};
    end

    // Stage 16: between the ends of the track; the left one is a wall that takes the velocity.
    wire               wall = position_s15 <= POSITION_LOW;
    reg  signed [31:0] position_s16;
    reg  signed [31:0] velocity_s16;
    always @(posedge clk) begin
        position_s16 <= wall ? POSITION_LOW : position_s15 > POSITION_HIGH ? POSITION_HIGH : position_s15;
        velocity_s16 <= (wall && velocity_s15[26]) ? 32'sd0 : {{5{velocity_s15[26]}}, velocity_s15};
    end

    // Stage 17: what the agent sees.
    wire signed [31:0] goal_at = (CONTINUOUS != 0) ? GOAL_CONTINUOUS : GOAL;
    wire               goal    = position_s16 >= goal_at && !velocity_s16[31];
    wire        [35:0] seen;
    wire               unused_saturated;
    rlc_env_observe #(.COUNT(2), .DROPS({8'd9, 8'd13})) u_seen (
        .state({velocity_s16, position_s16}), .obs(seen), .saturated(unused_saturated)
    );
    reg         [63:0] state_s17;
    reg         [35:0] obs_s17;
    reg  signed [26:0] reward_s17;
    reg                terminated_s17;
    always @(posedge clk) begin
        state_s17      <= {velocity_s16, position_s16};
        obs_s17        <= seen;
        reward_s17     <= goal ? reward_s16 + bonus : reward_s16;
        terminated_s17 <= goal;
    end
    assign m_state      = state_s17;
    assign m_obs        = obs_s17;
    assign m_reward     = reward_s17;
    assign m_terminated = terminated_s17;
    assign m_saturated  = 1'b0;

    // A new episode. Stages 1 to 3: its position. Stage 4: what the agent sees.
    wire signed [47:0] start_s3;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1)) u_start (
        .clk(clk), .a({1'b0, s_draw[31:6]}), .b(RESET_LENGTH), .c({RESET_LOW, 16'd0}), .m_clear(1'b0), .c_clear(1'b0),
        .acc(1'b0), .p(start_s3)
    );
    wire [17:0] seen_start;
    wire        unused_beyond;
    rlc_env_observe #(.COUNT(1), .DROPS(8'd13)) u_seen_start (
        .state(start_s3[47:16]), .obs(seen_start), .saturated(unused_beyond)
    );
    reg [31:0] start_s4;
    reg [17:0] start_obs_s4;
    always @(posedge clk) begin
        start_s4     <= start_s3[47:16];
        start_obs_s4 <= seen_start;
    end
    assign m_reset_state = {32'd0, start_s4};
    assign m_reset_obs   = {18'd0, start_obs_s4};

    wire unused = &{1'b0, s_state[63:59], s_draw[5:0], angle_s3[44:43], angle_s3[16:0], sine_s11, total_s13[20:0],
                    start_s3[15:0], unused_saturated, unused_beyond};
endmodule
`default_nettype wire
