// rlc_net_learner_scheduler.v — how many gradient steps follow how many experiences, and nothing else decides it.
// SPDX-License-Identifier: Apache-2.0
//
// again         pulse: the order begins anew, as behind a reset
// cfg_*         steady but in a reset or an `again`. cfg_every 0: nothing waits for an order
// let_in, kept, lost  pulses: an experience is let in, is stored, or could not be
// batch, settled  pulse: a batch was sampled to its end; level: no priority is due before the next one
// may_store     an experience may be let in
// hold_sampling as of rlc_replay_learner
//
// order         cfg_starts experiences, the samples of cfg_gradient_steps batches, cfg_every experiences, those of as many
//               batches, and so on
`default_nettype none
module rlc_net_learner_scheduler (
    input  wire        clk,
    input  wire        rst,
    input  wire        again,
    input  wire [31:0] cfg_starts,
    input  wire [31:0] cfg_every,
    input  wire [15:0] cfg_gradient_steps,
    input  wire        let_in,
    input  wire        kept,
    input  wire        lost,
    input  wire        batch,
    input  wire        settled,
    output wire        may_store,
    output wire        hold_sampling
);
    wire ordered = cfg_every != 32'd0;

    reg  [32:0] store_q, keep_q;   // experiences that may come in, that are to be kept, before sampling goes on
    reg  [15:0] batch_q;           // batches of this turn behind the next one
    reg         settles_q;         // all of a turn are sampled; the priorities that are due are awaited
    wire        last = batch_q == 16'd0;
    wire        next = settles_q && settled;
    wire [32:0] more = next ? {1'b0, cfg_every} : 33'd0;
    always @(posedge clk)
        if (rst || again) begin
            store_q   <= {1'b0, cfg_starts};
            keep_q    <= {1'b0, cfg_starts};
            batch_q   <= cfg_gradient_steps - 16'd1;
            settles_q <= 1'b0;
        end else if (ordered) begin
            store_q   <= store_q + more - {32'd0, let_in};
            keep_q    <= keep_q + more - {32'd0, kept} - {32'd0, lost};
            settles_q <= (batch && last) || (settles_q && !settled);
            if (batch) batch_q <= last ? cfg_gradient_steps - 16'd1 : batch_q - 16'd1;
        end
    assign may_store     = !ordered || store_q != 33'd0;
    assign hold_sampling = ordered && (keep_q != 33'd0 || settles_q);
endmodule
`default_nettype wire
