// rlc_learners_rounds.v — counts a learner's steps in its round, and says which step ends it.
// SPDX-License-Identifier: Apache-2.0
//
// cfg_average  steps of a round; 0: none ends. Another number begins a new round
// cfg_done     steps of the first round that count as done, below cfg_average
// step_done    pulse: the learner has done a step
// last         the step that is under way ends the round: from the clock after the step before was done until it is done
`default_nettype none
module rlc_learners_rounds (
    input  wire        clk,
    input  wire        rst,
    input  wire [15:0] cfg_average,
    input  wire [15:0] cfg_done,
    input  wire        step_done,
    output reg         last
);
    reg  [15:0] average_q, remaining_q;   // steps of the round, and those that are still to be done
    reg  [15:0] done_q;
    wire        restart     = rst || average_q != cfg_average || done_q != cfg_done;
    wire [15:0] first       = cfg_average - cfg_done;
    wire [15:0] remaining_d = (remaining_q == 16'd1) ? average_q : remaining_q - 16'd1;
    always @(posedge clk) begin
        average_q <= cfg_average;
        done_q    <= cfg_done;
        if (restart) begin
            remaining_q <= first;
            last        <= first == 16'd1;
        end else if (step_done) begin
            remaining_q <= remaining_d;
            last        <= remaining_d == 16'd1;
        end
    end
endmodule
`default_nettype wire
