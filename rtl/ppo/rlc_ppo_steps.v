// rlc_ppo_steps.v — the steps of a rollout's codes: powers of two that follow the numbers of the rollout before.
// SPDX-License-Identifier: Apache-2.0
//
// first        pulse, a new run: steps for rewards within 2^FIRST_REWARD, and all others within 2^FIRST; nothing was seen
// next         pulse, a rollout is over: steps that hold all that was seen, but those of values and advantages fall by 1 at
//              most. Where nothing but 0 was seen, a step stays. Of values and advantages what was seen is then forgotten
// value_*, other_*   numbers of the rollout, sfix(27,16). other is a value too (of_value), an advantage, or a reward
// step_*       exponents of the steps, in last bits of such numbers
// model        rlcores.cores.ppo.records
`default_nettype none
module rlc_ppo_steps #(
    parameter BITS  = 8,           // of the code of a reward or a value, 3..10
    parameter WIDE  = 10,          // of that of an advantage
    parameter FIRST = 4,           // octaves above 1.0 that the first steps of values and advantages hold
    parameter FIRST_REWARD = 1     // .. and of rewards
) (
    input  wire        clk,
    input  wire        first,
    input  wire        next,
    input  wire        value_en,
    input  wire [26:0] value,
    input  wire        other_en,
    input  wire        of_value,
    input  wire        of_advantage,
    input  wire [26:0] other,
    output reg  [4:0]  step_reward,
    output reg  [4:0]  step_value,
    output reg  [4:0]  step_advantage
);
    localparam [31:0] FIRST_STEP = 17 + FIRST - BITS, FIRST_WIDE = 17 + FIRST - WIDE, FIRST_OWN = 17 + FIRST_REWARD - BITS;

    // The bits that numbers use: their magnitude, or one less of a negative one.
    wire [25:0] of_first = value_en ? value[25:0] ^ {26{value[26]}} : 26'd0;
    wire [25:0] of_other = other_en ? other[25:0] ^ {26{other[26]}} : 26'd0;
    reg  [25:0] reward_q, value_q, advantage_q;
    always @(posedge clk) begin
        reward_q    <= (first ? 26'd0 : reward_q) | (of_value || of_advantage ? 26'd0 : of_other);
        value_q     <= (first || next ? 26'd0 : value_q) | of_first | (of_value ? of_other : 26'd0);
        advantage_q <= (first || next ? 26'd0 : advantage_q) | (of_advantage ? of_other : 26'd0);
    end

    // The exponent with which a code of this width holds them.
    function [4:0] holds(input [25:0] used, input [31:0] bits);
        integer i;
        begin
            holds = 5'd0;
            for (i = 0; i < 26; i = i + 1)
                if (used[i] && i + 2 > bits) holds = i[4:0] + 5'd2 - bits[4:0];
        end
    endfunction
    wire [4:0] wants_value     = holds(value_q, BITS);
    wire [4:0] wants_advantage = holds(advantage_q, WIDE);
    always @(posedge clk)
        if (first) begin
            step_reward    <= FIRST_OWN[4:0];
            step_value     <= FIRST_STEP[4:0];
            step_advantage <= FIRST_WIDE[4:0];
        end else if (next) begin
            if (reward_q != 26'd0)    step_reward    <= holds(reward_q, BITS);
            if (value_q != 26'd0)     step_value     <= (wants_value < step_value) ? step_value - 5'd1 : wants_value;
            if (advantage_q != 26'd0)
                step_advantage <= (wants_advantage < step_advantage) ? step_advantage - 5'd1 : wants_advantage;
        end
endmodule
`default_nettype wire
