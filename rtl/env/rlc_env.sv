// rlc_env.sv — N environments that take turns on one pipeline of physics: actions in, answers out.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/env.md (the stream, the order, the formats). Integer model: rlcores.cores.env.model.
//
// start        pulse: everything inside is dropped, the generators take cfg_seed, all episodes begin anew. N answers with
//              `first` follow, then one per action, in turns 0 … N-1 for ever
// stop         pulse: everything inside is dropped. Until a start, actions are taken and dropped (ev_dropped)
// cfg_seed     the four words of 32 bits of a generator's state, rlc_xoshiro128pp; generator e takes rlc_seed's stream e of it
// cfg_time_limit  steps after which an episode is truncated, 0 never; steady while the core runs
// s_*          an action: the index of a discrete one, or COMPONENTS numbers, sfix(18,15), the first lowest. An index of ACTIONS
//              or more counts as the last one
// m_*          {first, truncated, terminated, reward[26:0], final[OBS], obs[OBS]}, 18 bits per number, the first lowest
// stale         an answer from before a stop or start still waits at m_*: it stays until it is taken, and no other follows
// running      high between start and stop
// ev_*         pulses: a step; a step that terminated, was truncated, or had a saturated number; an illegal action; a dropped
//              action
//
// throughput   one step per clock while actions come and answers are taken, with N_ENVS >= PIPELINE
// latency      PIPELINE clocks from an action to its answer
`include "rlc_axi.vh"
`include "rlc_check.vh"
`default_nettype none
module rlc_env #(
    `include "rlc_env_parameters.vh"
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire         stop,
    input  wire [127:0] cfg_seed,
    input  wire [15:0]  cfg_time_limit,
    `RLC_STREAM_SLAVE(s, 18*COMPONENTS),
    `RLC_STREAM_MASTER(m, BEAT_WIDTH),
    output wire         stale,
    output wire         running,
    output wire         ev_step,
    output wire         ev_terminated,
    output wire         ev_truncated,
    output wire         ev_saturated,
    output wire         ev_illegal,
    output wire         ev_dropped
);
    `RLC_ENV_LEGAL(rlc_env)

    localparam STATE_BITS = 32 * STATES;
    localparam OBS_BITS   = 18 * OBS;
    localparam MOVE_BITS  = 18 * COMPONENTS;
    localparam RING_WIDTH = 16 + STATE_BITS;
    localparam RING_DEPTH = (N_ENVS > 2) ? N_ENVS : 2;
    // An answer is on its way for PIPELINE clocks, and its place is free again the clock after it was taken.
    localparam PLACES     = PIPELINE + 2;
    localparam LEFT_WIDTH = $clog2(N_ENVS + 1);
    localparam [31:0] ALL = N_ENVS;
    localparam [31:0] ACTIONS_32 = ACTIONS;
    localparam [31:0] LAST_ACTION = (ACTIONS > 0) ? ACTIONS - 1 : 0;

    // ---- start and stop: the clock after it everything is as after a reset.
    reg                  clear_q, begins_q, running_q;
    reg [LEFT_WIDTH-1:0] first_left_q;
    wire                 core_rst = rst || clear_q;
    wire                 first    = first_left_q != 0;
    wire                 issue_first;
    always @(posedge clk) begin
        clear_q  <= (start || stop) && !rst;
        begins_q <= start && !rst;
        if (rst || start || stop) running_q <= 1'b0;
        else if (begins_q)        running_q <= 1'b1;
        if (rst)                             first_left_q <= 0;
        else if (clear_q)                    first_left_q <= begins_q ? ALL[LEFT_WIDTH-1:0] : 0;
        else if (issue_first)                first_left_q <= first_left_q - 1'b1;
    end
    assign running = running_q || clear_q && begins_q;

    // ---- an action meets its environment's state, which comes back in the order in which it went.
    wire                  ring_valid, room, taken;
    wire [RING_WIDTH-1:0] ring;
    wire                  idle   = !running_q && !clear_q;
    wire                  ready  = running_q && !first && ring_valid && room;
    wire                  issue  = ready && s_valid;
    wire                  illegal = ACTIONS != 0 && {14'd0, s_data[17:0]} >= ACTIONS_32;
    assign issue_first = running_q && first && room;
    assign s_ready     = ready || idle;
    assign ev_dropped  = idle && s_valid;

    reg                   valid_q, first_q, illegal_q;
    reg  [MOVE_BITS-1:0]  action_q;
    reg  [RING_WIDTH-1:0] state_q;
    always @(posedge clk) begin
        valid_q   <= !core_rst && (issue || issue_first);
        first_q   <= first;
        illegal_q <= issue && illegal;
        action_q  <= s_data;
        if (illegal) action_q[17:0] <= LAST_ACTION[17:0];
        state_q   <= ring;
    end
    assign ev_illegal = illegal_q && valid_q;

    // ---- the physics, and beside it who travels. valid_q is bit 0; a word is drawn for each RESET_LATENCY before the end.
    reg  [LATENCY:1] way_q;
    wire [LATENCY:0] way = {way_q, valid_q};
    always @(posedge clk) way_q <= core_rst ? {LATENCY{1'b0}} : way[LATENCY-1:0];
    wire        out   = way[LATENCY];
    wire        draws = way[LATENCY-RESET_LATENCY];
    wire        out_first;
    wire [15:0] elapsed;
    rlc_delay #(.WIDTH(17), .CLOCKS(LATENCY)) u_beside (
        .clk(clk), .d({first_q, state_q[STATE_BITS +: 16]}), .q({out_first, elapsed})
    );

    wire [32*DRAWS-1:0] draw;
    genvar i;
    for (i = 0; i < DRAWS; i = i + 1) begin : g_draw
        wire [127:0] own, unused_state;
        rlc_seed #(.STREAM(i)) u_seed (.seed(cfg_seed), .own(own));
        // All zeros has no successor: there it is s0 = 1.
        rlc_xoshiro128pp u_words (
            .clk(clk), .rst(rst), .load(clear_q), .state({own[127:1], own[0] || own == 128'd0}), .step(draws),
            .state_q(unused_state), .value(draw[32*i +: 32])
        );
        wire unused = &{1'b0, unused_state};
    end

    wire [STATE_BITS-1:0] m_state, m_reset_state;
    wire [OBS_BITS-1:0]   m_obs, m_reset_obs;
    wire [26:0]           m_reward;
    wire                  m_terminated, m_saturated;
    rlc_env_physics #(
        `include "rlc_env_args.vh"
    ) u_physics (.*, .s_state(state_q[STATE_BITS-1:0]), .s_action(action_q), .s_draw(draw));

    // ---- the end of a step, or of an episode.
    wire [15:0] steps      = elapsed + 16'd1;
    wire        terminated = m_terminated && !out_first;
    wire        truncated  = steps == cfg_time_limit && cfg_time_limit != 16'd0 && !out_first;
    wire        ended      = out_first || terminated || truncated;
    reg                   end_q, counts_q, terminated_q, truncated_q, saturated_q;
    reg  [RING_WIDTH-1:0] next_q;
    reg  [BEAT_WIDTH-1:0] beat_q;
    always @(posedge clk) begin
        end_q        <= out && !core_rst;
        counts_q     <= out && !core_rst && !out_first;
        terminated_q <= terminated;
        truncated_q  <= truncated;
        saturated_q  <= m_saturated;
        next_q       <= ended ? {16'd0, m_reset_state} : {steps, m_state};
        beat_q       <= {out_first, truncated, terminated, out_first ? 27'd0 : m_reward,
                         out_first ? m_reset_obs : m_obs, ended ? m_reset_obs : m_obs};
    end
    assign ev_step       = counts_q;
    assign ev_terminated = counts_q && terminated_q;
    assign ev_truncated  = counts_q && truncated_q;
    assign ev_saturated  = counts_q && saturated_q;

    // ---- states go round; answers leave.
    rlc_queue #(.WIDTH(RING_WIDTH), .DEPTH(RING_DEPTH), .STYLE((N_ENVS > 64) ? "block" : "distributed")) u_ring (
        .clk(clk), .rst(core_rst), .s_valid(end_q), .s_data(next_q),
        .m_valid(ring_valid), .m_ready(issue), .m_data(ring)
    );

    wire                  answer_valid, answer_ready;
    wire [BEAT_WIDTH-1:0] answer;
    assign taken = answer_valid && answer_ready;
    rlc_credit #(.PLACES(PLACES)) u_credit (
        .clk(clk), .rst(core_rst), .take(issue || issue_first), .give(taken), .room(room)
    );
    rlc_queue #(.WIDTH(BEAT_WIDTH), .DEPTH(PLACES), .STYLE("distributed")) u_answers (
        .clk(clk), .rst(core_rst), .s_valid(end_q), .s_data(beat_q),
        .m_valid(answer_valid), .m_ready(answer_ready), .m_data(answer)
    );
    rlc_abort_out #(.WIDTH(BEAT_WIDTH)) u_out (
        .clk(clk), .rst(rst), .drop(start || stop || clear_q),
        .s_valid(answer_valid), .s_ready(answer_ready), .s_data(answer),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .stale(stale)
    );
endmodule
`default_nettype wire
