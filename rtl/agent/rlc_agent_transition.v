// rlc_agent_transition.v — joins environments, policy and replay learner: observations to the policy, its actions, experiences.
// SPDX-License-Identifier: Apache-2.0
//
// s_env_*     answers of the environments (docs/env.md), in turns; m_env_*: their actions
// m_obs_*     observations to the policy, in words of OBS_LANES; s_act_*: its actions, an index, or ACTIONS numbers,
//             sfix(18,15). An index is in the low bits of m_env's 18
// cfg_shift   with ACTIONS: how many bits an action, with 16 fraction bits, loses in a record, rounded half up; 0 to 17
// m_exp_*     experiences, as rlc_replay_learner takes them (docs/replay_learner.md), with the largest priority so far.
//             A `first` answer makes none, and an answer during a reset is dropped
// may_act     an observation may enter; read before its first word. may_store: an experience may be let in
// offers      an observation waits at m_obs, and will enter
// entered, acted, let_in   pulses: an observation's last word is taken; an action is taken; an experience is let in
// ev_*, ev_return   with let_in: how an episode ended, and the sum of its rewards
//
// no deadlock   waiting observations block nothing, because each environment's has a place of its own
// throughput    one answer in WORDS + 1 clocks, WORDS being those of a record
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
`include "rlc_env_words.vh"
`include "rlc_learner_words.vh"
module rlc_agent_transition #(
    parameter OBS       = 4,   // numbers of an observation, >= 1
    parameter N_ENVS    = 16,  // environments that take turns, 1 to 4096
    parameter OBS_LANES = 4,   // elements of a word of the policy
    parameter REC_LANES = 4,   // elements of a word of the record
    parameter ACTIONS   = 0,   // numbers of an action; 0: an action is an index
    // Derived; leave them alone.
    parameter BEAT      = `RLC_ENV_ANSWER_WIDTH(OBS),
    parameter ACT_BITS  = (ACTIONS > 0) ? 18 * ACTIONS : 8, // bits of an action as the policy gives it
    parameter ENV_BITS  = (ACTIONS > 0) ? 18 * ACTIONS : 18 // bits of an action as the environment takes it
) (
    input  wire                      clk,
    input  wire                      rst,
    `RLC_STREAM_SLAVE(s_env, BEAT),
    `RLC_STREAM_MASTER(m_env, ENV_BITS),
    `RLC_STREAM_MASTER(m_obs, 18*OBS_LANES),
    `RLC_STREAM_SLAVE(s_act, ACT_BITS),
    `RLC_STREAM_MASTER(m_exp, 32*REC_LANES),
    output wire                      m_exp_last,
    input  wire [4:0]                cfg_shift,
    input  wire                      may_act,
    input  wire                      may_store,
    output wire                      offers,
    output wire                      entered,
    output wire                      acted,
    output wire                      let_in,
    output wire                      ev_terminated,
    output wire                      ev_ended,
    output wire signed [47:0]        ev_return
);
    `RLC_CHECK(OBS >= 1 && N_ENVS >= 1 && N_ENVS <= 4096 && OBS_LANES >= 1 && REC_LANES >= 1 && ACTIONS >= 0,
               rlc_agent_transition_illegal_there_are_numbers_environments_and_lanes)
    localparam OBS_BITS   = 18 * OBS;
    localparam OBS_WORDS  = (OBS + OBS_LANES - 1) / OBS_LANES;
    localparam INFO_WORDS = (`RLC_LEARNER_ELEMENTS + REC_LANES - 1) / REC_LANES;
    localparam S_WORDS    = (OBS + REC_LANES - 1) / REC_LANES;
    localparam A_WORDS    = (ACTIONS + REC_LANES - 1) / REC_LANES;
    localparam WORDS      = INFO_WORDS + 2 * S_WORDS + A_WORDS;
    localparam PLACE      = $clog2(WORDS + 1);
    localparam [31:0] LAST = WORDS - 1;
    localparam DEPTH      = (N_ENVS > 2) ? N_ENVS + 1 : 3;
    localparam STYLE      = (N_ENVS > 64) ? "block" : "distributed";

    wire                first, truncated, terminated;
    wire signed [26:0]  reward;
    wire [OBS_BITS-1:0] after, obs;
    assign {first, truncated, terminated, reward, after, obs} = s_env_data;

    // ---- an answer is taken when the experience before it has left. Nothing that it needs is ever late but by a clock or two.
    reg                 busy_q;
    wire                seen_valid, done_valid, sum_valid;
    wire signed [47:0]  sum;
    wire                take = s_env_valid && s_env_ready;
    wire                all_there = seen_valid && done_valid && sum_valid;
    assign s_env_ready = rst || (!busy_q && (first || (may_store && all_there)));
    assign let_in      = take && !first && !rst;

    // ---- observations wait for the policy
    wire                wait_valid, wait_ready;
    wire [OBS_BITS-1:0] wait_data;
    rlc_queue #(.WIDTH(OBS_BITS), .DEPTH(DEPTH), .STYLE(STYLE)) u_wait (
        .clk(clk), .rst(rst), .s_valid(take), .s_data(obs), .m_valid(wait_valid), .m_ready(wait_ready), .m_data(wait_data)
    );
    wire [OBS_WORDS*OBS_LANES*18-1:0] wide;
    genvar i;
    for (i = 0; i < OBS_WORDS * OBS_LANES; i = i + 1) begin : g_wide
        if (i < OBS) begin : g_number
            assign wide[18*i +: 18] = wait_data[18*i +: 18];
        end else begin : g_number
            assign wide[18*i +: 18] = 18'd0;
        end
    end
    localparam WORD = (OBS_WORDS > 1) ? $clog2(OBS_WORDS) : 1;
    localparam [31:0] LAST_WORD = OBS_WORDS - 1;
    reg  [WORD-1:0]     word_q;
    wire                last_word = word_q == LAST_WORD[WORD-1:0];
    reg                 begun_q;      // its first word was offered: it stays so
    assign m_obs_valid = wait_valid && (may_act || begun_q);
    assign m_obs_data  = wide[word_q*(OBS_LANES*18) +: OBS_LANES*18];
    assign wait_ready  = m_obs_valid && m_obs_ready && last_word;
    assign entered     = wait_ready;
    assign offers      = begun_q;
    always @(posedge clk) begin
        if (rst || entered) word_q <= {WORD{1'b0}};
        else if (m_obs_valid && m_obs_ready) word_q <= word_q + 1'b1;
        begun_q <= !rst && m_obs_valid && !entered;
    end

    // ---- actions go to the environment, and wait with their observation for the answer
    assign m_env_valid = s_act_valid;
    assign m_env_data  = {{(ENV_BITS - ACT_BITS){1'b0}}, s_act_data};
    assign s_act_ready = m_env_ready;
    assign acted       = s_act_valid && m_env_ready;
    wire                over;     // the experience has left
    wire [OBS_BITS-1:0] seen;
    wire [ACT_BITS-1:0] done;
    rlc_queue #(.WIDTH(OBS_BITS), .DEPTH(DEPTH), .STYLE(STYLE)) u_seen (
        .clk(clk), .rst(rst), .s_valid(entered), .s_data(wait_data), .m_valid(seen_valid), .m_ready(over), .m_data(seen)
    );
    rlc_queue #(.WIDTH(ACT_BITS), .DEPTH(DEPTH), .STYLE(STYLE)) u_done (
        .clk(clk), .rst(rst), .s_valid(acted), .s_data(s_act_data), .m_valid(done_valid), .m_ready(over), .m_data(done)
    );

    // ---- the experience, word by word
    reg  [OBS_BITS-1:0]  after_q;
    reg                  terminated_q;
    reg         [26:2]   reward_q;
    reg  [PLACE-1:0]     place_q;
    wire        [24:0]   rounded = {reward_q[26], reward_q[26:3]} + {24'd0, reward_q[2]};   // sfix(25,16): half up
    wire [WORDS*REC_LANES*32-1:0] record;
    wire [31:0] chosen;           // what INFO says of an action
    if (ACTIONS > 0) begin : g_chosen
        assign chosen = {terminated_q, 31'd0};
    end else begin : g_chosen
        assign chosen = {terminated_q, 23'd0, done};
        wire unused = &{1'b0, cfg_shift};
    end
    // Numbers of an action as the critic sees them: 16 fraction bits, less cfg_shift, rounded half up.
    for (i = 0; i < ACTIONS; i = i + 1) begin : g_act
        wire signed [19:0] half  = $signed(20'h1 << cfg_shift) >>> 1;
        wire signed [19:0] exact = $signed({done[18*i+17], done[18*i +: 18], 1'b0});
        reg  signed [19:0] shifted_q;
        always @(posedge clk) if (take) shifted_q <= (exact + half) >>> cfg_shift;
    end
    for (i = 0; i < WORDS * REC_LANES; i = i + 1) begin : g_element
        localparam IN_S = i - INFO_WORDS * REC_LANES;
        localparam IN_A = IN_S - S_WORDS * REC_LANES;
        localparam IN_F = IN_A - A_WORDS * REC_LANES;
        if (i == `RLC_LEARNER_ELEMENT_ACTION) begin : g_kind
            assign record[32*i +: 32] = chosen;
        end else if (i == `RLC_LEARNER_ELEMENT_REWARD) begin : g_kind
            assign record[32*i +: 32] = {{7{rounded[24]}}, rounded};
        end else if (i == `RLC_LEARNER_ELEMENT_WEIGHT) begin : g_kind
            assign record[32*i +: 32] = 32'hFFFFFFFF;         // the largest priority so far
        end else if (IN_S >= 0 && IN_S < OBS) begin : g_kind
            assign record[32*i +: 32] = {{14{seen[18*IN_S+17]}}, seen[18*IN_S +: 18]};
        end else if (IN_A >= 0 && IN_A < ACTIONS) begin : g_kind
            assign record[32*i +: 32] = {{12{g_act[IN_A].shifted_q[19]}}, g_act[IN_A].shifted_q};
        end else if (IN_F >= 0 && IN_F < OBS) begin : g_kind
            assign record[32*i +: 32] = {{14{after_q[18*IN_F+17]}}, after_q[18*IN_F +: 18]};
        end else begin : g_kind
            assign record[32*i +: 32] = 32'd0;
        end
    end
    wire last = place_q == LAST[PLACE-1:0];
    assign m_exp_valid = busy_q;
    assign m_exp_data  = record[place_q*(REC_LANES*32) +: REC_LANES*32];
    assign m_exp_last  = last;
    assign over        = m_exp_valid && m_exp_ready && last;
    always @(posedge clk) begin
        if (rst) busy_q <= 1'b0;
        else     busy_q <= let_in || (busy_q && !over);
        if (take) begin
            after_q      <= after;
            terminated_q <= terminated;
            reward_q     <= reward[26:2];
            place_q      <= {PLACE{1'b0}};
        end else if (m_exp_ready) begin
            place_q      <= place_q + 1'b1;
        end
    end

    // ---- rewards of each episode, in turns too
    wire signed [47:0] total = sum + {{21{reward[26]}}, reward};
    wire               ended = terminated || truncated;
    rlc_queue #(.WIDTH(48), .DEPTH(DEPTH), .STYLE(STYLE)) u_sums (
        .clk(clk), .rst(rst), .s_valid(take), .s_data((first || ended) ? 48'd0 : total),
        .m_valid(sum_valid), .m_ready(let_in), .m_data(sum)
    );
    assign ev_ended      = let_in && ended;
    assign ev_terminated = let_in && terminated;
    assign ev_return     = total;
endmodule
`default_nettype wire
