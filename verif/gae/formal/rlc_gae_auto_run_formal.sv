// rlc_gae_auto_run_formal.sv — two stacks, an array and a reader that take any time, and aborts whenever they come.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_gae_auto_run_formal (
    input wire clk,
    input wire rst,
    input wire abort,
    input wire hand,
    input wire run_finished,
    input wire read_ends
);
    wire        read_start, read_abort, held, running, stack_free, array_free, ending, sent, sent_saturated;
    wire [1:0]  load_at, run_at, read_at, drop_at, in_flight;
    wire [31:0] cycles, steps, stalls, saturated, sent_count;
    reg         reading = 1'b0, read_cut = 1'b0;
    rlc_gae_auto_run #(.STACKS(2)) dut (
        .*, .run_cycles(32'd0), .run_steps(32'd0), .run_stalls(32'd0), .run_saturated(32'd0)
    );

    initial assume (rst);

    // The reader of rlc_gae_readout: busy from the clock after its start, cut by an abort before its end.
    always @(posedge clk)
        if (rst) {reading, read_cut} <= 2'b00;
        else if (read_abort && (reading || read_start) && !(reading && read_ends)) {reading, read_cut} <= 2'b01;
        else if (read_start) {reading, read_cut} <= 2'b10;
        else if (read_ends) reading <= 1'b0;

    // An abort may come while the reader begins, or when it has just ended; the control
    // hands on what it loaded on a free stack, when the run before is over and no abort ends the others.
    wire halted = ending && !abort;
    always @* begin
        if (hand) assume (stack_free && !running && !halted);
        if (run_finished) assume (running);
    end

    // What each stack is for.
    wire [1:0] runs  = running ? run_at : 2'b00;
    wire       reads_one = reading || read_start;
    wire [1:0] reads = reads_one ? read_at : 2'b00;
    wire [1:0] loads = stack_free ? load_at : 2'b00;
    always @(posedge clk)
        if (!rst) begin
            assert ((load_at == 2'b01 || load_at == 2'b10) && (run_at == 2'b01 || run_at == 2'b10));
            assert (read_at == 2'b01 || read_at == 2'b10);
            assert (in_flight <= 2'd2);
            assert ((runs & reads) == 2'b00 && (runs & loads) == 2'b00 && (reads & loads) == 2'b00);
            assert ((drop_at & loads) == 2'b00 && (drop_at & (runs | reads)) == 2'b00);
            // The newest runs, the oldest is read.
            if (running) assert (run_at == ~load_at);
            if (reads_one) assert (in_flight != 2'd0 && read_at == (in_flight == 2'd2 ? load_at : ~load_at));
            if (sent) assert (in_flight != 2'd0 && !reading);
            if (halted) assert (!read_start);
            cover (in_flight == 2'd2 && running && reading);
            cover (in_flight == 2'd2 && drop_at == 2'b11);
            cover (sent && hand);
            cover (sent_count == 32'd3);
        end
endmodule
`default_nettype wire
