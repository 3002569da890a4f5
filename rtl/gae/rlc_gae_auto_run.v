// rlc_gae_auto_run.v — rollouts that were handed on: each runs, is read, and leaves its stack empty, in their order.
// SPDX-License-Identifier: Apache-2.0
//
//   load stack ──hand──► run ──► wait for the reader ──► read ──► sent, and the stack is free
//
// The stacks are a ring: the newest rollout on its way stands before the stack that is loaded, the oldest is read.
// hand         pulse: the loaded rollout's run begins; the next stack is the load stack from then on. Only while array_free
// *_at         one bit a stack: who is loaded (and run or read by command), run, read, and emptied by an abort
// in_flight    rollouts on their way; held is high in the clock of hand already
// stack_free   the load stack is none of theirs; array_free: all of them have run
// abort        pulse. Nothing begins any more; a run ends, a reading is cut, and then all of them are given up. ending
//              says so until then. A rollout whose last beat was taken before is sent.
// sent         pulse: a rollout has left. The counters of its run are shown from the next clock on.
// run_*        the array's counters of the run that was last begun; they stand still between runs
`default_nettype none
module rlc_gae_auto_run #(
    parameter STACKS = 2  // rollouts held at once, at least 2
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              abort,
    input  wire              hand,
    input  wire              run_finished,
    input  wire              reading,
    input  wire              read_cut,
    output reg               read_start,
    output wire              read_abort,
    output reg  [STACKS-1:0] load_at,
    output wire [STACKS-1:0] run_at,
    output wire [STACKS-1:0] read_at,
    output wire [STACKS-1:0] drop_at,
    output wire [1:0]        in_flight,
    output wire              held,
    output wire              running,
    output wire              stack_free,
    output wire              array_free,
    output wire              ending,
    output wire              sent,
    input  wire [31:0]       run_cycles,
    input  wire [31:0]       run_steps,
    input  wire [31:0]       run_stalls,
    input  wire [31:0]       run_saturated,
    output wire              sent_saturated,  // beside sent: a code of that rollout was saturated
    output reg  [31:0]       cycles,          // of the rollout sent last, or of the last run by command
    output reg  [31:0]       steps,
    output reg  [31:0]       stalls,
    output reg  [31:0]       saturated,
    output reg  [31:0]       sent_count
);
    localparam [1:0]        FULL  = STACKS;
    localparam [STACKS-1:0] FIRST = 1;

    reg  [STACKS-1:0] oldest_q;
    reg  [1:0]        in_flight_q;  // rollouts on their way
    reg  [1:0]        ran_q;        // of these, how many have run
    reg               reading_q;    // from read_start until that rollout is sent or cut
    reg               begins_q;     // the reader is busy from the clock after read_start
    reg               halt_q;
    reg               by_command_q;
    reg  [127:0]      report_q;     // counters of the rollout that is read
    wire [STACKS-1:0] newest = {load_at[0], load_at[STACKS-1:1]};

    assign in_flight  = in_flight_q;
    assign running    = in_flight_q != ran_q;
    assign held       = in_flight_q != 2'd0 || hand;
    assign stack_free = in_flight_q != FULL;
    assign array_free = !running && !hand;
    assign ending     = halt_q || (abort && held);
    assign run_at     = running ? newest : load_at;
    assign read_at    = reading_q ? oldest_q : load_at;
    assign read_abort = abort && reading_q;

    wire over     = reading_q && !reading && !begins_q;
    wire finished = running && run_finished;
    wire drop     = halt_q && !hand && !running && !reading_q;
    assign sent   = over && !read_cut;
    assign sent_saturated = report_q[31:0] != 32'd0;
    // The load stack holds what a pass before left there, unless it is on its way too.
    assign drop_at = {STACKS{drop}} & (stack_free ? ~load_at : {STACKS{1'b1}});

    always @(posedge clk) begin
        begins_q     <= 1'b0;
        read_start   <= 1'b0;
        by_command_q <= run_finished && !running;
        if (rst) begin
            load_at   <= FIRST;
            oldest_q  <= FIRST;
            in_flight_q <= 2'd0;
            ran_q     <= 2'd0;
            reading_q <= 1'b0;
            halt_q    <= 1'b0;
        end else begin
            halt_q   <= ending && !drop;
            in_flight_q <= drop ? 2'd0 : in_flight_q + {1'b0, hand} - {1'b0, sent};
            ran_q    <= drop ? 2'd0 : ran_q + {1'b0, finished} - {1'b0, sent};
            if (hand) load_at <= {load_at[STACKS-2:0], load_at[STACKS-1]};
            if (drop) oldest_q <= load_at;
            else if (sent) oldest_q <= {oldest_q[STACKS-2:0], oldest_q[STACKS-1]};
            if (over) reading_q <= 1'b0;
            else if (!reading_q && ran_q != 2'd0 && !ending) begin
                reading_q  <= 1'b1;
                begins_q   <= 1'b1;
                read_start <= 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        if (read_start) report_q <= {run_cycles, run_steps, run_stalls, run_saturated};
        if (rst) begin
            {cycles, steps, stalls, saturated} <= 128'd0;
            sent_count <= 32'd0;
        end else begin
            if (sent) {cycles, steps, stalls, saturated} <= report_q;
            else if (by_command_q) {cycles, steps, stalls, saturated} <= {run_cycles, run_steps, run_stalls, run_saturated};
            if (sent) sent_count <= sent_count + 32'd1;
        end
    end
endmodule
`default_nettype wire
