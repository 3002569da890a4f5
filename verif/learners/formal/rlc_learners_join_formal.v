// rlc_learners_join_formal.v — rounds of two learners of any pace: each weight of a round's end is averaged, once.
// SPDX-License-Identifier: Apache-2.0
//
// A learner here is what rlc_learner_layer is to the average: an update becomes due at any time, and begins at once in the
// middle of a round, with `go` at its end; its one weight is at s_learner in that clock. Behind its beginning it is done, and
// the next update is due 2 * CROSS + 2 clocks later or after that, as a whole step is between two updates.
`default_nettype none
module rlc_learners_join_formal (
    input wire        clk,
    input wire        rst,
    input wire [1:0]  paces,   // the next update of each learner may become due
    input wire [37:0] weights
);
    localparam CROSS   = 1;
    localparam LATENCY = 2 * CROSS + 2;
    localparam PAUSE   = 2 * CROSS + 2;
    (* anyconst *) wire [1:0] average, begun;   // a first round may begin in its middle
    always @* assume (average != 2'd0 && begun < average);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* assume (rst == !past);

    wire [1:0]  last, go, step, waits;
    wire [41:0] to_learners;
    reg  [1:0]  due_q, done_q;
    wire [1:0]  begins = due_q & (~step | go);
    rlc_learners_join #(.LEARNERS(2), .LANES(1), .WIDTH(19), .CROSS(CROSS)) dut (
        .clk(clk), .last(last), .waits(waits), .m_learner(to_learners),
        .s_learner({weights[37:19], 1'b0, due_q[1], weights[18:0], 1'b0, due_q[0]})
    );
    assign {go[0], step[0]} = to_learners[1:0];
    assign {go[1], step[1]} = to_learners[22:21];

    reg [2:0] pause_q [0:1];   // clocks until the next update may be due
    reg [1:0] place_q [0:1];   // steps of the round that are done
    reg [1:0] rounds_q [0:1];  // averages that its updates had part in, modulo 4
    genvar i;
    for (i = 0; i < 2; i = i + 1) begin : g_learner
        rlc_learners_rounds u_rounds (
            .clk(clk), .rst(rst), .cfg_average({14'd0, average}), .cfg_done({14'd0, begun}), .step_done(done_q[i]), .last(last[i])
        );
        (* hierconn *) wire [15:0] \u_rounds.remaining_q ;
        (* hierconn *) wire [15:0] \u_rounds.average_q ;
        (* hierconn *) wire [15:0] \u_rounds.done_q ;
        wire ends = place_q[i] == average - 2'd1;
        always @(posedge clk)
            if (rst) begin
                due_q[i]    <= 1'b0;
                done_q[i]   <= 1'b0;
                pause_q[i]  <= PAUSE;
                place_q[i]  <= begun;
                rounds_q[i] <= 2'd0;
            end else begin
                due_q[i]  <= (due_q[i] && !begins[i]) || (!due_q[i] && pause_q[i] == 3'd0 && paces[i]);
                done_q[i] <= begins[i];
                if (begins[i])               pause_q[i] <= PAUSE;
                else if (pause_q[i] != 3'd0) pause_q[i] <= pause_q[i] - 3'd1;
                if (done_q[i]) place_q[i] <= ends ? 2'd0 : place_q[i] + 2'd1;
                if (begins[i] && ends) rounds_q[i] <= rounds_q[i] + 2'd1;
            end
        always @* if (past) begin
            // A step ends a round in every H-th step, and in no other.
            if (!done_q[i]) assert (last[i] == ends);
            assert (place_q[i] < average);
            assert (\u_rounds.remaining_q == average - place_q[i]);
            assert (\u_rounds.average_q == average && \u_rounds.done_q == begun);
            assert (last[i] == (\u_rounds.remaining_q == 16'd1));
            assert (!due_q[i] || pause_q[i] == 3'd0);
            assert (pause_q[i] <= PAUSE && (!done_q[i] || pause_q[i] == PAUSE));
            // In the middle of a round nobody waits.
            assert (!due_q[i] || last[i] || begins[i]);
            // Its update begins as often at the end of a round as the other's.
            assert (rounds_q[i] == rounds_q[0]);
        end
    end

    // Both begin the last step of a round in one clock, and what each gets back is the mean of their weights of that clock.
    wire both = &(begins & last);
    always @* if (past) assert (((begins & last) == 2'b00) || both);
    // Who waits for nobody goes on: both are due for 2 * CROSS clocks at most.
    reg [2:0] stands_q;
    always @(posedge clk) stands_q <= (rst || !(&due_q && &last) || both) ? 3'd0 : stands_q + 3'd1;
    always @* if (past) assert (stands_q <= 2 * CROSS);
    wire signed [19:0] sum = {weights[18], weights[18:0]} + {weights[37], weights[37:19]} + 20'sd1;
    reg  [LATENCY-1:0] came_q = 0;
    reg  [18:0]        mean_q [1:LATENCY];
    integer            k;
    always @(posedge clk) begin
        came_q    <= {came_q[LATENCY-2:0], both && !rst};
        mean_q[1] <= sum[19:1];
        for (k = 2; k <= LATENCY; k = k + 1) mean_q[k] <= mean_q[k-1];
    end
    always @* if (came_q[LATENCY-1])
        assert (to_learners[20:2] == mean_q[LATENCY] && to_learners[41:23] == mean_q[LATENCY]);

    always @(posedge clk) begin
        cover (past && average == 2'd2 && rounds_q[0] == 2'd2);
        cover (past && waits == 2'b01 && average == 2'd3 && rounds_q[1] == 2'd1);
    end
endmodule
`default_nettype wire
