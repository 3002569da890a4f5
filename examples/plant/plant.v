// plant.v — a heated room behind the stream between environment and agent: docs/env.md has the contract.
// SPDX-License-Identifier: Apache-2.0
//
// start      pulse: an episode begins with the next reading
// s_*        an action: 0 heater off, 1 on; anything else counts as 1. It holds until the next one
// m_*        an answer: {first, truncated, terminated, reward sfix(27,19), final sfix(18,10), obs sfix(18,10)}
// adc_*      a reading of the temperature in degrees, sfix(18,10), once in a while; adc_valid is a pulse
// heater     to the relay, or to a PWM
//
// The reward is minus the distance to 20 degrees. Above 40 the episode is terminated, after STEPS it is truncated. A room
// cannot be put back: the next episode begins where this one ended, and final and obs are the same reading.
`default_nettype none
module plant #(
    parameter STEPS = 100  // steps of an episode, 1 to 65535
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    input  wire        s_valid,
    output wire        s_ready,
    input  wire [17:0] s_data,
    output wire        m_valid,
    input  wire        m_ready,
    output wire [65:0] m_data,
    input  wire        adc_valid,
    input  wire [17:0] adc_data,
    output wire        heater
);
    localparam [31:0] ALL = STEPS;
    localparam signed [17:0] WANTED = 18'sd20480, HOT = 18'sd40960;

    // Waits for a start, a reading, an action, or for the answer to be taken.
    localparam [1:0] IDLE = 2'd0, READING = 2'd1, ACTION = 2'd2, ANSWER = 2'd3;
    reg [1:0]         state_q;
    reg               heater_q, first_q, terminated_q, truncated_q;
    reg [15:0]        steps_q;
    reg signed [17:0] seen_q;

    wire [15:0]        steps = steps_q + 16'd1;
    wire signed [17:0] now   = adc_data;
    wire               hot   = now > HOT;
    wire               late  = steps == ALL[15:0];
    always @(posedge clk) begin
        if (rst) begin
            state_q  <= IDLE;
            heater_q <= 1'b0;
        end else case (state_q)
            READING: if (adc_valid) begin
                state_q      <= ANSWER;
                terminated_q <= hot && !first_q;
                truncated_q  <= late && !first_q;
                steps_q      <= (first_q || hot || late) ? 16'd0 : steps;
            end
            ACTION: if (s_valid) begin
                state_q  <= READING;
                heater_q <= s_data != 18'd0;
                first_q  <= 1'b0;
            end
            ANSWER: if (m_ready) state_q <= ACTION;
            default: if (start) begin
                state_q <= READING;
                first_q <= 1'b1;
                steps_q <= 16'd0;
            end
        endcase
        if (state_q == READING) seen_q <= now;
    end

    // 18 bits more than enough for a room, and 27 for its reward: 10 fraction bits become 19.
    wire signed [18:0] off    = {seen_q[17], seen_q} - {WANTED[17], WANTED};
    wire signed [18:0] minus  = off[18] ? off : -off;
    wire [17:0]        cost   = (minus < -19'sd131072) ? 18'h20000 : minus[17:0];
    wire [26:0]        reward = first_q ? 27'd0 : {cost, 9'd0};

    assign s_ready = state_q == ACTION;
    assign m_valid = state_q == ANSWER;
    assign m_data  = {first_q, truncated_q, terminated_q, reward, seen_q, seen_q};
    assign heater  = heater_q;
endmodule
`default_nettype wire
