// rlc_gae_control.v — one command at a time: checks it, starts the unit it needs, waits for the end.
// SPDX-License-Identifier: Apache-2.0
//
// command      as in gae.rdl (COMMAND); a refused one raises its flag and is over at once
// s_open       the input stream is taken: MEASURE and LOAD, from the command to the beat with s_last
// abort        pulse. It ends what waits for something outside: MEASURE and LOAD are undone (pulse undo), READ is cut and
//              made ready to begin again (read_abort, read_again). All else ends by itself. done says that it is over,
//              also when nothing ran.
// auto_run     beside LOAD, with two stacks: when its pass has ended, the stack is handed to rlc_gae_auto_run (pulse hand,
//              with run_start), if START would be accepted. LOAD waits for a free stack, and its end for the run before.
// ending       an abort ends the rollouts that are on their way: the control is busy as long
// aborting     from then until the end
// done         pulse at the end of an accepted command
// flag_*       pulses: why a command was refused
`default_nettype none
module rlc_gae_control #(
    parameter DRAIN  = 16,  // clocks from the last beat taken to its last effect in the memories, at least 2
    parameter STACKS = 1    // rollouts held at once
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       command_valid,
    input  wire [2:0] command,
    input  wire       auto_run,
    input  wire       abort,
    output wire       aborting,
    output wire       busy,
    output reg  [3:0] state,
    output reg        done,

    input  wire       loaded,
    input  wire       no_boot,
    output reg        computed,

    output wire       s_open,
    input  wire       s_taken,          // a beat was taken
    input  wire       s_last,
    output reg        loading,          // LOAD, not MEASURE
    output reg        measure_start,
    output reg        load_start,
    input  wire       stats_busy,
    output reg        scale_start,
    input  wire       scale_done,
    input  wire       scale_refused,    // beside scale_done
    output reg        run_start,
    input  wire       run_finished,
    output reg        read_start,
    input  wire       reading,
    output wire       read_abort,
    input  wire       read_cut,         // the reading that is over was aborted
    output reg        read_again,
    output reg        read_ended,
    output reg        undo,
    output reg        clear,
    output reg        reset_rewards,

    input  wire       stack_free,       // the stack that LOAD fills is not on its way
    input  wire       array_free,       // every rollout on its way has been run
    output reg        hand,
    input  wire       ending,

    output reg        flag_not_scaled,
    output reg        set_flags_no_boot,
    output reg        set_flags_nothing_loaded,
    output reg        set_flags_nothing_computed,
    output reg        set_flags_load_while_computed
);
    localparam [2:0] CLEAR = 3'd1, MEASURE = 3'd2, SCALE = 3'd3, LOAD = 3'd4, START = 3'd5, READ = 3'd6,
                     RESET_STATS = 3'd7;
    // States are the commands, and the wait until their last effect has reached the memories.
    localparam [3:0] IDLE = 4'd0, MEASURING = 4'd2, SCALING = 4'd3, LOADING = 4'd4, RUNNING = 4'd5, READING = 4'd6,
                     DRAINING = 4'd8, UNDOING = 4'd9, WAITING = 4'd10, HANDING = 4'd11, ENDING = 4'd12;
    localparam WAIT_WIDTH = $clog2(DRAIN + 1);
    localparam [WAIT_WIDTH-1:0] WAIT_FULL = DRAIN;

    reg [WAIT_WIDTH-1:0] wait_q;
    reg                  scaled_q;       // the array has had its constants since the reset
    reg                  read_begins_q;  // the reader is busy from the clock after read_start
    reg                  aborting_q;
    reg                  auto_run_q;     // the rollout goes on when its pass has ended
    assign busy    = (state != IDLE);
    assign s_open  = (state == MEASURING) || (state == LOADING);
    assign aborting = aborting_q && busy;
    assign read_abort = abort && (state == READING);

    // With one stack no rollout is automatic, and nothing is waited for.
    wire goes_on    = (STACKS > 1) && auto_run_q && !abort && !aborting_q;
    wire ends       = (STACKS > 1) && ending;
    wire array_idle = (STACKS == 1) || array_free;
    task finish;  // the end of a command, or of an abort, when nothing on its way is left to end
        begin
            state      <= ends ? ENDING : IDLE;
            done       <= !ends;
            auto_run_q <= 1'b0;
        end
    endtask
    task load;
        if (STACKS == 1 || stack_free) begin
            load_start <= 1'b1;
            loading    <= 1'b1;
            state      <= LOADING;
        end else state <= WAITING;
    endtask
    task start(input handed);  // a run, by START or of an automatic rollout
        if (computed || !loaded) set_flags_nothing_loaded <= 1'b1;
        else if (no_boot) set_flags_no_boot <= 1'b1;
        else if (!scaled_q) flag_not_scaled <= 1'b1;
        else begin
            run_start <= 1'b1;
            hand      <= handed;
            if (!handed) state <= RUNNING;
        end
    endtask

    always @(posedge clk) begin
        // Pulses, which the states below raise for a clock.
        {done, measure_start, load_start, scale_start, run_start, read_start, read_again, read_ended} <= 8'd0;
        {clear, undo, reset_rewards, read_begins_q, flag_not_scaled, set_flags_no_boot, hand} <= 7'd0;
        {set_flags_nothing_loaded, set_flags_nothing_computed, set_flags_load_while_computed} <= 3'd0;
        aborting_q <= !rst && ((abort && (state != IDLE || ends)) || (aborting_q && state != IDLE));
        if (rst) begin
            state      <= IDLE;
            computed   <= 1'b0;
            loading    <= 1'b0;
            scaled_q   <= 1'b0;
            auto_run_q <= 1'b0;
        end else case (state)
            IDLE: if (abort) finish;
            else if (command_valid) case (command)
                CLEAR: begin
                    clear    <= 1'b1;
                    computed <= 1'b0;
                    wait_q   <= WAIT_FULL;
                    state    <= DRAINING;
                end
                MEASURE: begin
                    measure_start <= 1'b1;
                    loading       <= 1'b0;
                    state         <= MEASURING;
                end
                SCALE: begin
                    scale_start <= 1'b1;
                    state       <= SCALING;
                end
                LOAD: if (computed) set_flags_load_while_computed <= 1'b1;
                else begin
                    auto_run_q <= auto_run;
                    load;
                end
                START: start(1'b0);
                READ: if (!computed) set_flags_nothing_computed <= 1'b1;
                else begin
                    read_start    <= 1'b1;
                    read_begins_q <= 1'b1;
                    state         <= READING;
                end
                RESET_STATS: begin
                    reset_rewards <= 1'b1;
                    done          <= 1'b1;
                end
                default: ;
            endcase
            WAITING: if (abort) finish;
            else load;
            MEASURING, LOADING: if (s_taken && s_last) begin
                wait_q <= WAIT_FULL;
                state  <= DRAINING;
            end else if (abort) begin
                wait_q     <= WAIT_FULL;
                auto_run_q <= 1'b0;
                state      <= UNDOING;
            end
            // What was taken reaches its place first; then the array is free to undo it.
            UNDOING: if (wait_q != {WAIT_WIDTH{1'b0}}) wait_q <= wait_q - 1'b1;
            else if (!stats_busy && array_idle) begin
                undo   <= 1'b1;
                wait_q <= WAIT_FULL;
                state  <= DRAINING;
            end
            DRAINING: if (wait_q != {WAIT_WIDTH{1'b0}}) wait_q <= wait_q - 1'b1;
            else if (!stats_busy) begin
                if (goes_on) state <= HANDING;
                else finish;
            end
            HANDING: if (!goes_on) finish;
            else if (array_free) begin
                finish;
                start(1'b1);
            end
            ENDING: if (!ends) begin
                wait_q <= WAIT_FULL;
                state  <= DRAINING;
            end
            SCALING: if (scale_done) begin
                if (!scale_refused) scaled_q <= 1'b1;
                finish;
            end
            RUNNING: if (run_finished) begin
                computed <= 1'b1;
                state    <= IDLE;
                done     <= 1'b1;
            end
            READING: if (!reading && !read_begins_q) begin
                if (read_cut) read_again <= 1'b1;
                else begin
                    computed   <= 1'b0;
                    read_ended <= 1'b1;
                end
                wait_q <= WAIT_FULL;
                state  <= DRAINING;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
`default_nettype wire
