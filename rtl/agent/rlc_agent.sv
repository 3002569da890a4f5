// rlc_agent.sv — acts, stores, samples and learns at once: policy, experiences and replay learner behind environments.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/agent.md.
//
//   s_env --> assemble --> experiences --> replay learner --> weights --> policy --> actions --> m_env
//                 +------> observations -------------------------------------^
//
// parameters   those of rlc_replay_learner, and its own
// s_env_*, m_env_*   answers of N_ENVS environments, and their actions: docs/env.md
// s_axil_*, s_axis_load, m_axis_read, m_axi_*, irq   as in rlc_replay_learner, which gets its experiences only from here
// start, stop  pulses. start, only while `idle` and after the loop's registers were written: a run begins; stop: no further
//              block begins
// actions      indices, or with an actor the actor's numbers, sfix(18,15), with noise around them
// again        pulse, while idle: waiting observations are forgotten, and the next answers must be `first`; the policy's
//              generator begins at cfg_seed, and epsilon at cfg_epsilon
// abort_in     level: as again, but at any time, and the policy forgets its weights. The loop has an abort of its own
// cfg_*        docs/agent.md, "Schedule"; steady while not idle
// running      experiences of the run are still to be stored; idle: not running, and no sampled batch waits for its step
// ev_*         pulses: see docs/agent.md, "Counters"; ev_return is with ev_ended
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_learner_ports.vh"
`include "rlc_sumtree_words.vh"
`include "rlc_env_words.vh"
module rlc_agent #(
    `include "rlc_replay_learner_parameters.vh"
    , parameter N_ENVS = 16,                     // environments that take turns, 1 to 4096
    parameter [1023:0] POLICY_LANES   = LANES,   // as LANES of rlc_policy
    parameter [1023:0] POLICY_FORWARD = FORWARD  // as FORWARD of rlc_policy
) (
    input  wire         clk,
    input  wire         rst,
    `RLC_STREAM_SLAVE(s_env, `RLC_ENV_ANSWER_WIDTH(field(acting(SIZES), 0))),
    `RLC_STREAM_MASTER(m_env, (lists(SIZES) > 1) ? 18*field(acting(SIZES), acting_layers(SIZES)) : 18),

    input  wire         start,
    input  wire         stop,
    input  wire         again,
    input  wire         abort_in,
    input  wire [31:0]  cfg_blocks,
    input  wire [15:0]  cfg_train_freq,
    input  wire [15:0]  cfg_gradient_steps,
    input  wire [31:0]  cfg_starts,
    input  wire [1:0]   cfg_lag,
    input  wire         cfg_free,
    input  wire [24:0]  cfg_act_frac,
    input  wire [31:0]  cfg_epsilon,
    input  wire [31:0]  cfg_epsilon_end,
    input  wire [31:0]  cfg_epsilon_fall,
    input  wire [127:0] cfg_seed,
    input  wire         cfg_noise,
    input  wire [16:0]  cfg_scale,
    input  wire [4:0]   cfg_shift,
    input  wire [26:0]  cfg_log_std,
    output wire         running,
    output wire         idle,
    output wire         cfg_ok,
    output reg  [31:0]  epsilon,
    output wire         ev_step,
    output wire         ev_block,
    output wire         ev_ended,
    output wire         ev_terminated,
    output wire signed [47:0] ev_return,
    output wire         ev_published,
    output wire         ev_dropped,
    input  wire         sat_clear,
    output wire [8*32-1:0] sat_count,

    `RLC_AXIL_SLAVE(s_axil, 16),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH),
    output wire         irq
);
    `include "rlc_learner_defs.vh"
    // The network that acts: the actor, if there is one.
    localparam ACTOR   = lists(SIZES) > 1;
    localparam [1023:0] ACTING      = acting(SIZES);
    localparam [1023:0] ACTING_ROWS = acting(UPDATE_ROWS);
    localparam [1023:0] ACTING_COLS = acting(UPDATE_COLS);
    localparam OBS     = field(ACTING, 0);
    localparam LAYERS  = fields(ACTING) - 1;
    localparam OUTPUTS = field(ACTING, LAYERS);
    localparam ACTIONS = ACTOR ? OUTPUTS : 0;     // numbers of an action
    localparam ACT_BITS = ACTOR ? 18 * ACTIONS : 8;
    localparam LANES_0 = field(LANES, 0);
    localparam P_LANES = field(POLICY_LANES, 0);
    localparam GROUPS  = widest(ACTING_ROWS, ACTING_COLS) * WEIGHT_WIDTH;
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 4096, rlc_agent_illegal_N_ENVS_must_be_1_to_4096)

    wire forget = rst || abort_in;
    reg  inner_rst;                     // of all that an `again` forgets
    reg  seed_q, seed_load;             // behind a reset, which sets the generator too
    always @(posedge clk) begin
        inner_rst <= forget || again;
        seed_q    <= !forget && again;
        seed_load <= !forget && seed_q;
    end

    // ---- who may go on
    wire offers, entered, acted, kept, lost, batch, settled, step_done, taken, may_act, may_store, hold_sampling, hold_steps;
    wire shows, learning, entered_block;
    rlc_agent_scheduler #(.N_ENVS(N_ENVS)) u_scheduler (
        .*, .rst(forget), .let_in(ev_step), .block(ev_block), .published(ev_published)
    );
    reg start_q;   // a run that has begun, and is not seen to run yet
    always @(posedge clk) start_q <= start && !forget;
    assign idle = !running && !learning && !start_q;

    // Exploring falls behind every block, down to its end.
    wire [32:0] fallen = {1'b0, epsilon} - {1'b0, cfg_epsilon_fall};
    always @(posedge clk)
        if (forget || again) epsilon <= cfg_epsilon;
        else if (entered_block && epsilon > cfg_epsilon_end)
            epsilon <= (fallen[32] || fallen[31:0] < cfg_epsilon_end) ? cfg_epsilon_end : fallen[31:0];

    // ---- observations, actions, experiences
    `RLC_STREAM_WIRES(obs, 18*P_LANES);
    `RLC_STREAM_WIRES(act, ACT_BITS);
    `RLC_STREAM_WIRES(exp, 32*LANES_0);
    wire exp_last;
    rlc_agent_transition #(
        .OBS(OBS), .N_ENVS(N_ENVS), .OBS_LANES(P_LANES), .REC_LANES(LANES_0), .ACTIONS(ACTIONS)
    ) u_transition (
        .*, .rst(inner_rst), .let_in(ev_step), `RLC_STREAM_JOIN(m_obs, obs), `RLC_STREAM_JOIN(s_act, act),
        `RLC_STREAM_JOIN(m_exp, exp), .m_exp_last(exp_last)
    );

    // ---- the policy
    wire [LAYERS-1:0]        bus_valid;
    wire [LAYERS*GROUPS-1:0] bus_data;
    reg  [LAYERS-1:0]        w_valid;
    reg  [LAYERS*GROUPS-1:0] w_data;
    always @(posedge clk) begin
        w_valid <= bus_valid & {LAYERS{shows && !forget}};
        w_data  <= bus_data;
    end
    localparam LOG_BITS = ACTOR ? (ACTIONS + 1) * 27 : 27;
    wire                loaded, policy_busy, unused_log_valid;
    wire [LOG_BITS-1:0] unused_log;
    // Tanh is of the mean, before the noise: the actor's own last step.
    rlc_policy #(
        .SIZES(ACTING), .LANES(POLICY_LANES), .FORWARD(POLICY_FORWARD), .UPDATE_ROWS(ACTING_ROWS),
        .UPDATE_COLS(ACTING_COLS), .OUT_WIDTH(ACTOR ? ACT_WIDTH : VALUE_WIDTH), .CONTINUOUS(ACTOR), .LOGP(0)
    ) u_policy (
        .*, .rst(forget), .busy(policy_busy), .cfg_epsilon(epsilon[31:15]), .cfg_noise(ACTOR && cfg_noise), .cfg_squash(2'd1),
        .w_abort(1'b0), .w_log_std({OUTPUTS{cfg_log_std}}),
        .w_taken(taken), .w_dropped(ev_dropped), `RLC_STREAM_JOIN(s_obs, obs), `RLC_STREAM_JOIN(m_act, act),
        .m_log_valid(unused_log_valid), .m_log_ready(1'b1), .m_log_data(unused_log)
    );

    // ---- the replay learner
    wire `RLC_SUMTREE_TREE tree_state;
    wire `RLC_LEARNER_AVERAGE unused_avg;
    wire `RLC_SUMTREE_OWN     unused_joint;
    rlc_replay_learner #(
        `include "rlc_replay_learner_args.vh"
        , .HELD(1)
    ) u_loop (
        .*, .s_axis_exp_tdata(exp_data), .s_axis_exp_tvalid(exp_valid), .s_axis_exp_tready(exp_ready),
        .s_axis_exp_tlast(exp_last), .avg_in('0), .avg_out(unused_avg), .joint_in('0), .joint_out(unused_joint),
        .ev_batch(batch), .ev_kept(kept), .ev_lost(lost)
    );

    wire unused = &{1'b0, loaded, policy_busy, unused_log_valid, unused_log, unused_avg, unused_joint, tree_state};
endmodule
`default_nettype wire
