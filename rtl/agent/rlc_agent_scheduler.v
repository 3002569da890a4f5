// rlc_agent_scheduler.v — lets acting, storing, sampling and learning go on at once, and yet in one order.
// SPDX-License-Identifier: Apache-2.0
//
// start, stop      pulses: a run of cfg_blocks blocks (0: until stop) begins; no further block begins. Between runs nothing is
//                  held, and no observation enters
// cfg_*            docs/agent.md, "Schedule"; steady while running. cfg_free: nothing waits for the order
// offers           an observation waits to enter
// entered, acted, let_in, kept, lost   pulses: an observation enters the policy; its action has left; an experience is let in;
//                  it is stored; it could not be stored
// batch, settled   pulse: a batch was sampled to its end; level: no priority is due before the next batch
// step_done, taken pulses: the learner has the weights of one more step; the policy has taken one more set
// may_act, may_store   an observation may enter; an experience may be let in
// hold_sampling, hold_steps   as in rlc_replay_learner
// shows            the groups on the learner's bus belong to a set for the policy
// running          until all experiences of the run are stored; learning: a sampled batch is not trained yet. A run may start
//                  when both are low
// entered_block, block   pulses: a whole block has entered; a whole block has been let in. published: the policy acts with the
//                  weights of one more training block
//
// order            with W = cfg_starts, L = cfg_lag, P training blocks published: a block enters while fewer than W + L + P
//                  have entered. The last step of a training block waits until all of those have acted. Experiences of W
//                  blocks come in before the first training block is sampled, and then those of one block after each
// no deadlock      the weights that a block waits for need only experiences of earlier blocks, and a held step blocks no
//                  sample and no priority. With L = 2 a block of several rounds would need answers that are let in only
//                  after the next training block, so cfg_train_freq is 1 then
`default_nettype none
module rlc_agent_scheduler #(
    parameter N_ENVS = 16 // environments, 1 to 4096
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    input  wire        stop,
    input  wire [31:0] cfg_blocks,
    input  wire [15:0] cfg_train_freq,
    input  wire [15:0] cfg_gradient_steps,
    input  wire [31:0] cfg_starts,
    input  wire [1:0]  cfg_lag,
    input  wire        cfg_free,
    input  wire        offers,
    input  wire        entered,
    input  wire        acted,
    input  wire        let_in,
    input  wire        kept,
    input  wire        lost,
    input  wire        batch,
    input  wire        settled,
    input  wire        step_done,
    input  wire        taken,
    output wire        may_act,
    output wire        may_store,
    output wire        hold_sampling,
    output wire        hold_steps,
    output wire        shows,
    output wire        running,
    output wire        learning,
    output wire        entered_block,
    output wire        block,
    output wire        published
);
    reg  running_q;
    wire clear = rst || start;
    wire ordered = running_q && !cfg_free;

    // Blocks that have entered, acted, been let in and been kept.
    // An experience of each kind may come in one clock.
    reg  [1:0] owed_q;
    wire       stored = kept || lost || owed_q != 2'd0;
    always @(posedge clk)
        if (clear) owed_q <= 2'd0;
        else       owed_q <= owed_q + {1'b0, kept} + {1'b0, lost} - {1'b0, stored};
    wire begun_block;
    wire begun = begun_block || offers;
    wire acted_block, let_in_block, kept_block, unused_acted, unused_let_in, unused_kept;
    rlc_agent_blocks #(.N_ENVS(N_ENVS)) u_entered (
        .clk(clk), .clear(clear), .step(entered), .cfg_rounds(cfg_train_freq), .ends(entered_block), .begun(begun_block)
    );
    rlc_agent_blocks #(.N_ENVS(N_ENVS)) u_acted (
        .clk(clk), .clear(clear), .step(acted), .cfg_rounds(cfg_train_freq), .ends(acted_block), .begun(unused_acted)
    );
    rlc_agent_blocks #(.N_ENVS(N_ENVS)) u_let_in (
        .clk(clk), .clear(clear), .step(let_in), .cfg_rounds(cfg_train_freq), .ends(let_in_block), .begun(unused_let_in)
    );
    rlc_agent_blocks #(.N_ENVS(N_ENVS)) u_kept (
        .clk(clk), .clear(clear), .step(stored), .cfg_rounds(cfg_train_freq), .ends(kept_block), .begun(unused_kept)
    );
    assign block = let_in_block;

    // Steps, and samples, of a training block. The weights of its last step are shown to the policy.
    reg  [15:0] step_q, batch_q;   // still to come behind the next one
    reg  [19:0] way_q;             // batches sampled and not trained
    wire        last_step  = step_q == 16'd0;
    wire        last_batch = batch_q == 16'd0;
    always @(posedge clk) begin
        if (clear) begin
            step_q  <= cfg_gradient_steps - 16'd1;
            batch_q <= cfg_gradient_steps - 16'd1;
            way_q   <= 20'd0;
        end else begin
            way_q   <= way_q + {19'd0, batch} - {19'd0, step_done};
            if (step_done) step_q <= last_step ? cfg_gradient_steps - 16'd1 : step_q - 16'd1;
            if (batch) batch_q <= last_batch ? cfg_gradient_steps - 16'd1 : batch_q - 16'd1;
        end
    end
    assign learning  = way_q != 20'd0;
    assign shows     = last_step || !learning;   // else the host loads, or nothing comes
    assign published = taken && running_q;

    // Blocks that may still enter, those whose actions are awaited before the next weights, and that are to come in, or to
    // be kept, before sampling goes on. A block less than none is one that came early in a free run.
    reg  [33:0] enter_q, act_q, store_q, keep_q;
    wire [33:0] first = {2'd0, cfg_starts};
    reg         settles_q;       // a training block has been sampled; its priorities are awaited
    wire        next = settles_q && settled;
    always @(posedge clk) begin
        if (clear) begin
            enter_q <= first + {32'd0, cfg_lag};
            act_q   <= first + {32'd0, cfg_lag};
            store_q <= first;
            keep_q  <= first;
        end else begin
            enter_q <= enter_q + {33'd0, published} - {33'd0, entered_block};
            act_q   <= act_q + {33'd0, published} - {33'd0, acted_block};
            store_q <= store_q + {33'd0, next} - {33'd0, let_in_block};
            keep_q  <= keep_q + {33'd0, next} - {33'd0, kept_block};
        end
        settles_q <= !clear && ((batch && last_batch) || (settles_q && !settled));
    end

    // The end of a run.
    reg  [31:0] entered_q, acted_q, kept_q;
    reg         stopped_q, ended_q;
    wire        ends = ended_q || stopped_q;
    always @(posedge clk) begin
        if (clear) begin
            entered_q <= 32'd0;
            acted_q   <= 32'd0;
            kept_q    <= 32'd0;
            stopped_q <= 1'b0;
            ended_q   <= 1'b0;
        end else begin
            entered_q <= entered_q + {31'd0, entered_block};
            acted_q   <= acted_q + {31'd0, acted_block};
            kept_q    <= kept_q + {31'd0, kept_block};
            stopped_q <= stopped_q || stop;
            // A block that has begun goes on to its end.
            ended_q   <= ended_q || (cfg_blocks != 32'd0 && entered_block && entered_q == cfg_blocks - 32'd1);
        end
        running_q <= !rst && (start || (running_q && !(ends && !begun && kept_q == entered_q)));
    end
    wire all_acted = ends && !begun && acted_q == entered_q;

    assign running       = running_q;
    assign may_act       = running_q && !ended_q && (begun_block || (!stopped_q && (cfg_free || enter_q != 34'd0)));
    assign may_store     = !ordered || store_q != 34'd0;
    assign hold_sampling = ordered && (keep_q != 34'd0 || settles_q);
    assign hold_steps    = ordered && last_step && act_q != 34'd0 && !all_acted;
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(ordered && cfg_lag[1] && cfg_train_freq != 16'd1));
    wire unused = &{1'b0, unused_acted, unused_let_in, unused_kept};
endmodule
`default_nettype wire
