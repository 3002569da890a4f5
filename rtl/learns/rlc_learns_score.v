// rlc_learns_score.v — returns of episodes: how many ended since the last take, their sum and mean, and a bar of eight lamps.
// SPDX-License-Identifier: Apache-2.0
//
// s_valid      an answer goes by: first, end (terminated or truncated), and the reward, a whole number (docs/env.md); the
//              N_ENVS environments take turns, beginning with the `first` after `clear`
// clear        pulse: a new run
// take         pulse: episodes, returns and mean become those of the answers since the last take, and stay until the next one;
//              `done` comes at most 26 clocks later
// mean         returns / episodes, rounded down; if no episode ended, as before
// bar          lamp k (0..7) is lit if mean >= GOAL * (k + 1) / 8
// limits       a return is at least 0 and below 2^16; between two takes fewer than 2^16 episodes end, and their returns add up
//              to less than 2^24
`default_nettype none
module rlc_learns_score #(
    parameter N_ENVS = 16,         // environments, 1..1024
    parameter GOAL   = 475         // of the mean, 1..65535
) (
    input  wire              clk,
    input  wire              clear,
    input  wire              s_valid,
    input  wire              s_first,
    input  wire              s_end,
    input  wire signed [7:0] s_reward,
    input  wire              take,
    output reg               done,
    output reg  [15:0]       episodes,
    output reg  [23:0]       returns,
    output reg  [15:0]       mean,
    output wire [7:0]        bar
);
    localparam BITS = (N_ENVS > 1) ? $clog2(N_ENVS) : 1;
    localparam [31:0] LAST = N_ENVS - 1;

    // Whose answer it is, and what its episode has brought so far.
    reg  [BITS-1:0] turn_q;
    reg  [15:0]     so_far [0:N_ENVS-1];
    reg  [15:0]     episodes_q;
    reg  [23:0]     returns_q;
    wire [15:0]     total = so_far[turn_q] + {{8{s_reward[7]}}, s_reward};
    wire            ends  = s_valid && !s_first && s_end;
    always @(posedge clk) begin
        if (s_valid) so_far[turn_q] <= (s_first || s_end) ? 16'd0 : total;
        if (clear)        turn_q <= {BITS{1'b0}};
        else if (s_valid) turn_q <= (turn_q == LAST[BITS-1:0]) ? {BITS{1'b0}} : turn_q + 1'b1;
        episodes_q <= ((clear || take) ? 16'd0 : episodes_q) + {15'd0, ends};
        returns_q  <= ((clear || take) ? 24'd0 : returns_q) + (ends ? {8'd0, total} : 24'd0);
    end

    // Long division, a bit a clock.
    reg  [4:0]  remaining_q;         // bits to go, and one
    reg  [23:0] low_q;               // what is left of the returns, and the quotient from below
    reg  [15:0] rest_q;
    wire [16:0] next = {rest_q, low_q[23]};
    wire        fits = next >= {1'b0, episodes};
    wire [16:0] less = next - {1'b0, episodes};
    always @(posedge clk) begin
        done <= !clear && remaining_q == 5'd1;
        if (take) begin
            episodes <= episodes_q;
            returns  <= returns_q;
            low_q    <= returns_q;
            rest_q   <= 16'd0;
        end else if (remaining_q > 5'd1) begin
            low_q  <= {low_q[22:0], fits};
            rest_q <= fits ? less[15:0] : next[15:0];
        end
        if (clear)                remaining_q <= 5'd0;
        else if (take)            remaining_q <= 5'd25;
        else if (remaining_q != 5'd0)  remaining_q <= remaining_q - 5'd1;
        if (clear)                                     mean <= 16'd0;
        else if (remaining_q == 5'd1 && episodes != 16'd0)  mean <= low_q[15:0];
    end

    genvar k;
    generate
        for (k = 0; k < 8; k = k + 1) begin : g_bar
            localparam [31:0] LEAST = (GOAL * (k + 1) + 7) / 8;
            assign bar[k] = mean >= LEAST[15:0];
        end
    endgenerate
    wire unused = &{1'b0, less[16]};
endmodule
`default_nettype wire
