// rlc_ppo_rx.v — from the environments' answers to the vectors that the networks see, a rollout at a time.
// SPDX-License-Identifier: Apache-2.0
//
//   The vectors of a rollout are the N observations that were kept, and then the observation of each answer. If the episode was
//   truncated and not terminated, the final observation comes before it. Those of the last turn are kept for the next rollout,
//   and only their values are wanted.
//
// cfg_lockstep 1: environments answer once all of them have their actions, so a turn's last vector is a batch slice's last one
// fill         level: it waits for N answers with `first`; filled, pulse: they are kept
// collect      level: a rollout of cfg_steps turns; it falls after sent, a pulse: the last vector was taken
// s_*          answers as in docs/env.md. An answer that is not due (a `first` in a rollout, or any outside of fill and collect)
//              is dropped: ev_dropped
// m_*          vectors: act 1 wants an action, 0 only a value; last: no vector comes before this one is answered
// step_*       a step of an environment, in the clock in which its first vector is taken: reward, sfix(27,19), whether the episode
//              ended, and cut: this first vector is the final observation
// wr_*         an observation that is acted on, for the memory, at step * N + environment
// throughput   one vector per clock
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
`include "rlc_env_words.vh"
module rlc_ppo_rx #(
    parameter N_ENVS    = 8,       // environments, which take turns, 1..1024
    parameter OBS       = 4,       // numbers of an observation, >= 1
    parameter COLUMNS   = 5,       // vectors that the networks take together
    parameter ADDR_BITS = 10,      // of the memory
    parameter BEAT      = `RLC_ENV_ANSWER_WIDTH(OBS)          // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [12:0]          cfg_steps,
    input  wire                 cfg_lockstep,
    input  wire                 fill,
    output wire                 filled,
    input  wire                 collect,
    output wire                 sent,
    `RLC_STREAM_SLAVE(s, BEAT),
    `RLC_STREAM_MASTER(m, OBS*18),
    output wire                 m_act,
    output wire                 m_last,
    output wire                 step_valid,
    output wire [26:0]          step_reward,
    output wire                 step_ends,
    output wire                 step_cut,
    output wire                 wr_en,
    output wire [ADDR_BITS-1:0] wr_addr,
    output wire                 ev_dropped
);
    `RLC_CHECK(N_ENVS >= 1 && N_ENVS <= 1024, rlc_ppo_rx_illegal_N_ENVS_must_be_1_to_1024)
    `RLC_CHECK(OBS >= 1, rlc_ppo_rx_illegal_OBS_must_be_at_least_1)

    localparam BITS = OBS * 18;

    // One answer at a time.
    reg            held_q;
    reg [BEAT-1:0] beat_q;
    wire           leaves;
    assign s_ready = !held_q || leaves;
    always @(posedge clk) begin
        if (rst)          held_q <= 1'b0;
        else if (s_ready) held_q <= s_valid;
        if (s_ready) beat_q <= s_data;
    end
    wire [BITS-1:0] obs, final_obs;
    wire            first, truncated, terminated;
    assign {first, truncated, terminated, step_reward, final_obs, obs} = beat_q;
    assign step_cut  = truncated && !terminated;
    assign step_ends = truncated || terminated;

    // Whose turn it is, and the step that comes next: 0 is that of the kept observations.
    wire        env_last;
    reg  [12:0] step_q;
    reg         final_q;                         // the answer's final observation has gone
    wire        begins  = step_q == 13'd0;
    wire        ends    = step_q == cfg_steps;
    wire        serves  = collect && !begins && held_q && !first;
    wire        finals  = serves && step_cut && !final_q;
    wire        kept_valid;
    wire        moves   = m_valid && m_ready;
    wire        turns   = moves && !finals;
    wire        fills   = fill && held_q && first;
    wire        stays   = collect && (begins || !first);   // a held answer waits for its turn
    assign m_valid    = collect && begins ? kept_valid : serves;
    assign m_act      = !finals && !ends;
    assign m_last     = !finals && env_last && (N_ENVS < COLUMNS || ends || cfg_lockstep);
    assign leaves     = stays ? turns && !begins : 1'b1;
    assign ev_dropped = held_q && !stays && !fills;
    assign step_valid = moves && !begins && !final_q;
    assign filled     = fills && env_last;
    assign sent       = turns && ends && env_last;
    rlc_mod_counter #(.COUNT(N_ENVS)) u_env (.clk(clk), .restart(rst), .step(turns || fills), .at(), .last(env_last));
    always @(posedge clk) begin
        if (rst || !collect)        step_q <= 13'd0;
        else if (turns && env_last) step_q <= step_q + 13'd1;
        final_q <= !rst && (moves ? finals : final_q);
    end

    // The observations behind the window. Never fuller than N: it is empty when the last turn comes.
    wire [BITS-1:0] kept;
    rlc_queue #(.WIDTH(BITS), .DEPTH((N_ENVS > 2) ? N_ENVS : 2), .STYLE((N_ENVS > 64) ? "block" : "distributed")) u_kept (
        .clk(clk), .rst(rst), .s_valid(fills || (turns && ends)), .s_data(obs),
        .m_valid(kept_valid), .m_ready(turns && begins), .m_data(kept)
    );

    assign m_data = begins ? kept : finals ? final_obs : obs;

    reg [ADDR_BITS-1:0] addr_q;
    assign wr_en   = turns && m_act;
    assign wr_addr = addr_q;
    always @(posedge clk)
        if (rst || !collect) addr_q <= {ADDR_BITS{1'b0}};
        else if (wr_en)      addr_q <= addr_q + 1'b1;
endmodule
`default_nettype wire
