// rlc_ppo_phase_fsm.v — the order of the phases: collect, advantages, epochs of minibatches, and again.
// SPDX-License-Identifier: Apache-2.0
//
// start        pulse while idle: a new run. Generators take the seed, the rate begins anew, and N answers with `first` must come
// resume       pulse while idle, after a run that came to its end: goes on with the observations that were kept
// drop         pulse at any time: everything inside is forgotten, but a running update is finished. Then only start is possible
// cfg_external_rollout   taken at start: rollouts come from outside (take) and are not collected
// cfg_todo     iterations until it is idle; 0: until halt, a pulse that ends the run after the present iteration
// cfg_iterations   iterations over which the rate falls; remaining: how many are left, at least 1
// phases       levels. fill, collect: for rlc_ppo_rx; answers: for rlc_ppo_step_result; take: for rlc_ppo_external_rollout; external: all the
//              time of such a run; train: for the networks, changes only while they are quiet; feeds: minibatches may begin
// *_start      pulses that start advantages and shuffle
// clear        resets everything but the networks; flush, a level: the networks forget
// begun, done  pulses: a minibatch begins; a minibatch is in the weights
// iteration    how many are done since start; ev_iteration: pulse after each
`default_nettype none
`include "rlc_ppo_ports.vh"
module rlc_ppo_phase_fsm (
    input  wire        clk,
    input  wire        rst,
    `RLC_PPO_RUN,
    input  wire        cfg_external_rollout,
    input  wire [31:0] cfg_todo,
    input  wire [31:0] cfg_iterations,
    output wire        seed_load,
    output wire        fill,
    input  wire        filled,
    output wire        collect,
    input  wire        sent,
    output wire        answers,
    input  wire        answered,
    output wire        take,
    input  wire        taken,
    output wire        external,
    output wire        gae_start,
    input  wire        gae_done,
    output wire        shuffle_start,
    input  wire        shuffle_finished,
    output wire        train,
    output wire        feeds,
    input  wire        feed_busy,
    input  wire        begun,
    input  wire        done,
    input  wire        quiet,
    output wire        clear,
    output wire        flush,
    output wire [31:0] remaining
);
    localparam IDLE = 0, FILL = 1, LOAD = 2, COLLECT = 3, ANSWERS = 4, GAE = 5, TRAIN = 6, REST = 7, DROP = 8, TAKE = 9;
    localparam STATES = 10;
    localparam [STATES-1:0] AT_IDLE = 10'd1;
    reg  [STATES-1:0] at_q, at_d;                // one-hot
    reg         kept_q;                          // observations to go on with are kept, or not wanted
    reg         external_q;
    reg         halt_q;
    reg  [31:0] remaining_q, todo_q, iteration_q;
    reg  [7:0]  open_q;                          // minibatches that have begun and are not in the weights
    wire        nothing  = open_q == 8'd0 && !begun;
    wire        trained  = shuffle_finished && !feed_busy && nothing && quiet;
    wire        over     = halt_q || halt || todo_q == 32'd1;
    wire        starts   = at_q[IDLE] && start;
    wire        goes_on  = at_q[IDLE] && resume && kept_q && !start;
    wire        next     = at_q[REST] && quiet;
    wire [STATES-1:0] rollout = external_q ? AT_IDLE << TAKE : AT_IDLE << COLLECT;
    always @* begin
        at_d = at_q;
        if (starts)                     at_d = cfg_external_rollout ? AT_IDLE << LOAD : AT_IDLE << FILL;
        if (goes_on)                    at_d = rollout;
        if (at_q[FILL] && filled)       at_d = AT_IDLE << LOAD;
        if (at_q[LOAD] && quiet)        at_d = rollout;
        if (at_q[COLLECT] && sent)      at_d = AT_IDLE << ANSWERS;
        if (at_q[ANSWERS] && answered)  at_d = AT_IDLE << GAE;
        if (at_q[TAKE] && taken)        at_d = AT_IDLE << GAE;
        if (at_q[GAE] && gae_done)      at_d = AT_IDLE << TRAIN;
        if (at_q[TRAIN] && trained)     at_d = AT_IDLE << REST;
        if (next)                       at_d = over ? AT_IDLE : rollout;
        if (at_q[DROP] && quiet)        at_d = AT_IDLE;
        if (drop)                       at_d = AT_IDLE << DROP;
        if (rst)                        at_d = AT_IDLE;
    end
    always @(posedge clk) begin
        at_q <= at_d;
        if (rst || at_q[DROP])     kept_q <= 1'b0;
        else if (at_d[COLLECT] || at_d[TAKE]) kept_q <= 1'b1;
        if (rst)                   external_q <= 1'b0;
        else if (starts)           external_q <= cfg_external_rollout;
        if (rst || at_q[IDLE])     halt_q <= 1'b0;
        else if (halt)             halt_q <= 1'b1;
        if (starts || goes_on)     todo_q <= cfg_todo;
        else if (next && todo_q != 32'd0) todo_q <= todo_q - 32'd1;
        if (rst || starts)         iteration_q <= 32'd0;
        else if (next)             iteration_q <= iteration_q + 32'd1;
        if (starts)                remaining_q <= (cfg_iterations == 32'd0) ? 32'd1 : cfg_iterations;
        else if (next && remaining_q != 32'd1) remaining_q <= remaining_q - 32'd1;
        open_q <= (rst || at_q[DROP]) ? 8'd0 : open_q + {7'd0, begun} - {7'd0, done};
    end
    rlc_assert_never u_open (.clk(clk), .rst(rst || at_q[DROP]), .bad((done && open_q == 8'd0) || (begun && !done && (&open_q))));

    // The advantages begin when the networks are quiet too, so that training may be said in the same clock.
    reg  gae_q, train_q;
    assign gae_start     = at_q[GAE] && !gae_q && quiet;
    assign shuffle_start = at_q[GAE] && gae_done;
    always @(posedge clk) begin
        gae_q   <= !rst && at_q[GAE] && (gae_q || gae_start);
        train_q <= !rst && (gae_start || (train_q && !(quiet && (at_q[REST] || at_q[DROP] || at_q[IDLE]))));
    end

    assign idle      = at_q[IDLE];
    assign resumes   = kept_q;
    assign seed_load = at_q[LOAD] && quiet;
    assign fill      = at_q[FILL];
    assign collect   = at_q[COLLECT];
    assign take      = at_q[TAKE];
    assign external  = external_q;
    assign answers   = at_q[COLLECT] || at_q[ANSWERS];
    assign train     = train_q;
    assign feeds     = at_q[TRAIN];
    assign clear     = at_q[DROP] || starts;    // a new beginning knows nothing of the run before
    assign flush     = at_q[DROP];
    assign remaining = remaining_q;
    assign iteration = iteration_q;
    assign ev_iteration = next;
endmodule
`default_nettype wire
