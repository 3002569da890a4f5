// rlc_rl_pick.v — one column of the loss: Q(s, a) of the action taken and Q'(s', a') of the best next action.
// SPDX-License-Identifier: Apache-2.0
//
// valid        a word is there this clock; nothing stalls
// online       it is a word of the online network's Q(s', .), which only says a' (double DQN); else q is a word of the
//              online network's Q(s, .) and t the same word of the target network's Q'(s', .)
// x            the word among whose lanes a' is found: q with online, else t; lanes of no action hold the least number
// first, base  the word is the vector's first; number of the action in its lane 0
// action       the action taken, while a word of Q(s, .) is there
// double_dqn   a' is the best action of the online vector before this one, else of the target network's vector itself.
//              Of equals the first
// q_taken, q_next  Q(s, a) and Q'(s', a'), AT_WIDTH + 1 clocks after the last word of Q(s, .)
// reset        none: every vector starts anew with its first word
`default_nettype none
module rlc_rl_pick #(
    parameter LANES      = 2,  // elements a word, >= 1
    parameter WIDTH      = 27, // bits of a Q value
    parameter BASE_WIDTH = 3,  // bits of an action's number, more than AT_WIDTH
    parameter AT_WIDTH   = (LANES > 2) ? $clog2(LANES) : 1 // derived, leave it alone
) (
    input  wire                   clk,
    input  wire                   double_dqn,
    input  wire                   valid,
    input  wire                   online,
    input  wire                   first,
    input  wire [BASE_WIDTH-1:0]  base,
    input  wire [LANES*WIDTH-1:0] q,
    input  wire [LANES*WIDTH-1:0] t,
    input  wire [LANES*WIDTH-1:0] x,
    input  wire [BASE_WIDTH-1:0]  action,
    output wire [WIDTH-1:0]       q_taken,
    output wire [WIDTH-1:0]       q_next
);
    wire [LANES-1:0] taken;
    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        localparam [31:0] LANE = k;
        assign taken[k] = action == base + LANE[BASE_WIDTH-1:0];
    end

    // Of a word of lanes the one that is marked, and zero where none is.
    function [WIDTH-1:0] marked(input [LANES*WIDTH-1:0] word, input [LANES-1:0] marks);
        integer i;
        begin
            marked = {WIDTH{1'b0}};
            for (i = 0; i < LANES; i = i + 1) marked = marked | (word[i*WIDTH +: WIDTH] & {WIDTH{marks[i]}});
        end
    endfunction

    // Stages 1 .. AT_WIDTH: the best of the word; beside it the value of the action taken, and the word itself.
    wire [WIDTH-1:0]    best;
    wire [AT_WIDTH-1:0] best_at;
    rlc_rl_max #(.COUNT(LANES), .WIDTH(WIDTH)) u_max (
        .clk(clk), .numbers(x), .greatest(best), .at(best_at)
    );

    reg  [WIDTH-1:0] taken_q;
    wire [WIDTH-1:0] taken_s;
    always @(posedge clk) taken_q <= marked(q, taken);
    rlc_delay #(.WIDTH(WIDTH), .CLOCKS(AT_WIDTH - 1)) u_taken (.clk(clk), .d(taken_q), .q(taken_s));

    wire                   valid_s, online_s, first_s;
    wire [BASE_WIDTH-1:0]  base_s;
    wire [LANES*WIDTH-1:0] t_s;
    rlc_delay #(.WIDTH(3 + BASE_WIDTH + LANES*WIDTH), .CLOCKS(AT_WIDTH)) u_word (
        .clk(clk), .d({valid, online, first, base, t}), .q({valid_s, online_s, first_s, base_s, t_s})
    );

    // Last stage: over the words of a vector. The online vector's best action is known one clock after its last word,
    // so just in time for the first word of the target vector behind it.
    reg signed [WIDTH-1:0] best_q;
    reg [BASE_WIDTH-1:0]   best_action_q;
    reg [WIDTH-1:0]        sum_taken_q, sum_chosen_q;
    wire signed [WIDTH-1:0] best_s = best;
    wire better = first_s || best_s > best_q;

    wire [LANES-1:0] chosen;
    for (k = 0; k < LANES; k = k + 1) begin : g_chosen
        localparam [31:0] LANE = k;
        assign chosen[k] = best_action_q == base_s + LANE[BASE_WIDTH-1:0];
    end

    always @(posedge clk)
        if (valid_s) begin
            if (better) best_q <= best_s;
            if (better && online_s) best_action_q <= base_s + {{(BASE_WIDTH-AT_WIDTH){1'b0}}, best_at};
            sum_taken_q  <= (first_s ? {WIDTH{1'b0}} : sum_taken_q) | taken_s;
            sum_chosen_q <= (first_s ? {WIDTH{1'b0}} : sum_chosen_q) | marked(t_s, chosen);
        end

    assign q_taken = sum_taken_q;
    assign q_next  = double_dqn ? sum_chosen_q : best_q;
endmodule
`default_nettype wire
