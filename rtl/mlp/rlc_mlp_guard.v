// rlc_mlp_guard.v — between policy and actuator: range, rate of change, and a safe action when none comes in time.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         actions, always taken; s_bad: its observation was out of range, so that it does not count
// tick        control period: m_data may move in this clock alone, by cfg_step at most
// m_data      what the actuator gets: never outside cfg_low … cfg_high, from a reset on
// m_safe      the safe action is aimed at: no good action came for cfg_wait ticks, or the last one was bad
// m_waited    ticks since the last good action, up to cfg_wait
// cfg_*       steady; cfg_low <= cfg_high. A safe action outside these limits counts as the limit
// reset       m_data becomes the safe action, and m_safe is high until the first good action
// proof       verif/mlp/formal/rlc_mlp_guard.sby: the limits hold for any traffic, and so does the step
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_guard #(
    parameter COUNT      = 1,  // numbers of an action, 1 to 1024
    parameter WIDTH      = 18, // bits of each, signed, 2 to 64
    parameter WAIT_WIDTH = 16  // bits of the ticks that are waited, 1 to 64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [COUNT*WIDTH-1:0] cfg_low,
    input  wire [COUNT*WIDTH-1:0] cfg_high,
    input  wire [COUNT*WIDTH-1:0] cfg_step,   // unsigned
    input  wire [COUNT*WIDTH-1:0] cfg_safe,
    input  wire [WAIT_WIDTH-1:0]  cfg_wait,
    input  wire                   tick,
    input  wire                   s_valid,
    input  wire                   s_bad,
    input  wire [COUNT*WIDTH-1:0] s_data,
    output wire [COUNT*WIDTH-1:0] m_data,
    output wire                   m_safe,
    output wire [WAIT_WIDTH-1:0]  m_waited
);
    `RLC_CHECK(COUNT >= 1 && COUNT <= 1024, rlc_mlp_guard_illegal_COUNT_must_be_1_to_1024)
    `RLC_CHECK(WIDTH >= 2 && WIDTH <= 64, rlc_mlp_guard_illegal_WIDTH_must_be_2_to_64)
    `RLC_CHECK(WAIT_WIDTH >= 1 && WAIT_WIDTH <= 64, rlc_mlp_guard_illegal_WAIT_WIDTH_must_be_1_to_64)

    reg                   bad_q;
    reg [WAIT_WIDTH-1:0]  wait_q;    // ticks since the last good action
    reg [COUNT*WIDTH-1:0] wanted_q;
    wire good = s_valid && !s_bad;
    wire late = wait_q >= cfg_wait;
    assign m_safe   = bad_q || late;
    assign m_waited = wait_q;
    always @(posedge clk) begin
        if (rst)          bad_q <= 1'b1;
        else if (s_valid) bad_q <= s_bad;
        if (rst || good)         wait_q <= {WAIT_WIDTH{1'b0}};
        else if (tick && !late)  wait_q <= wait_q + 1'b1;
        if (good) wanted_q <= s_data;
    end

    genvar i;
    for (i = 0; i < COUNT; i = i + 1) begin : g_number
        wire signed [WIDTH-1:0] low    = cfg_low[i*WIDTH +: WIDTH];
        wire signed [WIDTH-1:0] high   = cfg_high[i*WIDTH +: WIDTH];
        wire signed [WIDTH-1:0] safe   = cfg_safe[i*WIDTH +: WIDTH];
        wire signed [WIDTH-1:0] wanted = wanted_q[i*WIDTH +: WIDTH];
        wire signed [WIDTH:0]   step   = {1'b0, cfg_step[i*WIDTH +: WIDTH]};
        reg  signed [WIDTH-1:0] value_q;

        wire signed [WIDTH-1:0] home  = (safe < low) ? low : (safe > high) ? high : safe;
        wire signed [WIDTH-1:0] asked = (wanted < low) ? low : (wanted > high) ? high : wanted;
        wire signed [WIDTH-1:0] aim   = m_safe ? home : asked;
        // The way to the aim has a bit more than a number.
        wire signed [WIDTH:0]   way   = {aim[WIDTH-1], aim} - {value_q[WIDTH-1], value_q};
        wire signed [WIDTH:0]   moved = (way > step) ? step : (way < -step) ? -step : way;
        wire signed [WIDTH:0]   next  = {value_q[WIDTH-1], value_q} + moved;
        always @(posedge clk)
            if (rst)       value_q <= home;
            else if (tick) value_q <= next[WIDTH-1:0];
        assign m_data[i*WIDTH +: WIDTH] = value_q;

        wire unused = &{1'b0, next[WIDTH]};
    end
endmodule
`default_nettype wire
