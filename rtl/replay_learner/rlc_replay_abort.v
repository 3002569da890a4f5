// rlc_replay_abort.v — leads the loop back to idle from wherever it is: what is begun and not complete is dropped.
// SPDX-License-Identifier: Apache-2.0
//
// abort        pulse; it also comes when nothing runs, or while one is going on
// sampling     a batch is being asked for; it is asked for to its end
// tree_busy    the tree's own abort, or the learner's (learner_busy), is not over
// moving       something of a batch still moves between the tree, the memory and the learner, or an update is not answered
//
// stop         no batch begins
// drop         samples that have not been read are void
// tree_abort   pulse: half a batch of answers leaves the tree as it is
// prio_drop    priorities of records that nobody waits for are taken and dropped
// learner_abort  the learner finishes the batches that it has whole, forgets half a one, and takes and drops records
// flush        pulse: nothing moves any more; whoever counts samples or batches begins anew
// aborting     from the clock behind `abort` until the clock of `flush`
`default_nettype none
module rlc_replay_abort (
    input  wire clk,
    input  wire rst,
    input  wire abort,
    input  wire sampling,
    input  wire tree_busy,
    input  wire learner_busy,
    input  wire moving,
    output wire stop,
    output wire drop,
    output reg  tree_abort,
    output wire learner_abort,
    output wire prio_drop,
    output wire flush,
    output wire aborting
);
    // From one place to another nothing takes as long as this many clocks.
    localparam [4:0] QUIET = 5'd24;

    localparam [2:0] REST    = 3'd0;
    localparam [2:0] SAMPLE  = 3'd1;   // the batch that is being sampled
    localparam [2:0] DRAIN   = 3'd2;   // tree, memory and learner
    localparam [2:0] LEARNER = 3'd3;   // the learner goes back to idle
    localparam [2:0] FLUSH   = 3'd4;   // what a priority of a record without a tag has left behind

    reg  [2:0] state_q;
    reg  [4:0] quiet_q;
    wire       still = state_q == SAMPLE  ? !sampling
                     : state_q == DRAIN   ? !tree_busy && !moving
                     : state_q == LEARNER ? !learner_busy && !moving : 1'b1;
    wire       over  = quiet_q == QUIET;
    always @(posedge clk) begin
        if (rst) begin
            state_q      <= REST;
            quiet_q      <= 5'd0;
            tree_abort   <= 1'b0;
        end else begin
            quiet_q      <= state_q == REST || !still || over ? 5'd0 : quiet_q + 5'd1;
            tree_abort   <= state_q == SAMPLE && over;
            case (state_q)
                REST:    if (abort) state_q <= SAMPLE;
                SAMPLE:  if (over)  state_q <= DRAIN;
                DRAIN:   if (over)  state_q <= LEARNER;
                LEARNER: if (over)  state_q <= FLUSH;
                default: if (over)  state_q <= REST;
            endcase
        end
    end
    assign aborting      = state_q != REST;
    assign stop          = aborting;
    assign drop          = state_q != REST && state_q != SAMPLE;
    assign learner_abort = state_q == DRAIN;
    assign prio_drop     = state_q == FLUSH;
    assign flush         = state_q == FLUSH && over;
endmodule
`default_nettype wire
