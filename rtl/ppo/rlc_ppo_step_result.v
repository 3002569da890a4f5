// rlc_ppo_step_result.v — takes the networks' answer to each vector into the memory, to the environments, and onto the rewards.
// SPDX-License-Identifier: Apache-2.0
//
//   r' = sat(round(reward * scale / 2^20) + round(gamma * V(final observation))), the second term only if the episode was cut off
//
// collect      level, high from a rollout's first vector until answered; step_* are rlc_ppo_rx's
// s_*          answers of the networks, one per vector, always taken: {act, raw, move, log, value} as rlc_ppo_networks gives them.
//              With act 0 only the value is valid: that of a final observation, or of one after the window
// m_*          moves, 18 bits or 8, in the environments' turns. There is a place for each environment's, so it is never full
// act_*        {raw, log, value} for the memory at act_addr. adv_*: {ended, r'} for it at adv_addr, 3 clocks later; adv_cut: the
//              episode was cut off
// boot_*       the value after the window of environment boot_env
// answered     pulse: the whole rollout is in the memory; records: how many there are, valid from then on
// sat          an r' was saturated in this clock
// model        rlcores.cores.ppo.model.Ppo.collect, rlcores.cores.ppo.gae
// cost         2 DSP slices
`default_nettype none
`include "rlc_axi.vh"
module rlc_ppo_step_result #(
    parameter N_ENVS    = 8,       // environments, which take turns, 1..1024
    parameter MOVE_BITS = 8,       // of an action as the environment wants it
    parameter ADDR_BITS = 10,      // of the memory
    parameter WRITE     = 0,       // clocks that a record waits in front of the memory
    parameter ENV_BITS  = (N_ENVS > 1) ? $clog2(N_ENVS) : 1 // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [17:0]          cfg_gamma,
    input  wire [17:0]          cfg_reward_scale,
    input  wire                 collect,
    input  wire                 step_valid,
    input  wire [26:0]          step_reward,
    input  wire                 step_ends,
    input  wire                 step_cut,
    input  wire                 s_valid,
    input  wire                 s_act,
    input  wire [MOVE_BITS-1:0] s_move,
    input  wire [26:0]          s_value,
    `RLC_STREAM_MASTER(m, MOVE_BITS),
    output wire                 act_en,
    output wire [ADDR_BITS-1:0] act_addr,
    output wire                 adv_en,
    output wire [ADDR_BITS-1:0] adv_addr,
    output wire [27:0]          adv_data,
    output wire                 adv_cut,
    output wire                 boot_valid,
    output wire [ENV_BITS-1:0]  boot_env,
    output wire                 answered,
    output wire [ADDR_BITS:0]   records,
    output wire                 sat
);
    localparam PLACES = (N_ENVS > 2) ? N_ENVS : 2;
    localparam STYLE  = (N_ENVS > 64) ? "block" : "distributed";
    localparam STAGES = (WRITE > 2) ? WRITE + 2 : 4;

    // The first clock of a rollout.
    reg  low_q;
    wire starts = collect && low_q;
    always @(posedge clk) low_q <= rst || !collect;

    // Steps that wait for the answer to their observation, one per environment at most.
    wire        wait_valid, ends, cut;
    wire [26:0] reward;
    wire        pops;
    rlc_queue #(.WIDTH(29), .DEPTH(PLACES)) u_steps (
        .clk(clk), .rst(rst), .s_valid(step_valid), .s_data({step_reward, step_ends, step_cut}),
        .m_valid(wait_valid), .m_ready(pops), .m_data({reward, ends, cut})
    );

    // The first turn's observations belong to no step. A step that was cut off has two answers.
    reg         begins_q, final_q;
    reg  [26:0] final_value_q;
    wire        env_last;
    wire        of_final = s_valid && !begins_q && cut && !final_q;
    wire        of_obs   = s_valid && !of_final;
    assign pops       = of_obs && !begins_q;
    assign boot_valid = of_obs && !s_act;
    assign act_en     = of_obs && s_act;
    rlc_mod_counter #(.COUNT(N_ENVS)) u_env (.clk(clk), .restart(rst), .step(of_obs), .at(boot_env), .last(env_last));
    always @(posedge clk) begin
        if (rst || !collect)          begins_q <= 1'b1;
        else if (of_obs && env_last)  begins_q <= 1'b0;
        if (rst)          final_q <= 1'b0;
        else if (s_valid) final_q <= of_final;
        if (of_final) final_value_q <= s_value;
    end
    rlc_assert_never u_no_step (.clk(clk), .rst(rst), .bad((pops && !wait_valid) || (of_final && s_act)));

    reg  [ADDR_BITS:0] records_q;
    assign act_addr = records_q[ADDR_BITS-1:0];
    assign records  = records_q;
    always @(posedge clk)
        if (rst || starts) records_q <= {(ADDR_BITS+1){1'b0}};
        else if (act_en)                 records_q <= records_q + 1'b1;

    rlc_queue #(.WIDTH(MOVE_BITS), .DEPTH(PLACES), .STYLE(STYLE)) u_moves (
        .clk(clk), .rst(rst), .s_valid(act_en), .s_data(s_move), `RLC_STREAM_JOIN(m, m)
    );

    // The reward. Factors up to 1.0 enter the DSP's signed port negated: a product comes out as -1 - x, its half with it.
    reg  signed [17:0] minus_gamma_q, minus_scale_q;
    always @(posedge clk) begin
        minus_gamma_q <= 18'd0 - cfg_gamma;
        minus_scale_q <= 18'd0 - cfg_reward_scale;
    end
    wire signed [26:0] gain = reward;
    wire signed [26:0] more = cut ? final_value_q : 27'd0;
    wire signed [44:0] gain_inverted_s2, more_inverted_s2;
    wire        [44:0] gain_s2 = ~gain_inverted_s2;
    wire        [44:0] more_s2 = ~more_inverted_s2;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(21), .P_WIDTH(45), .C_REG(0)) u_gain (
        .clk(clk), .a(gain), .b(minus_scale_q), .c(-21'sd524289), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(gain_inverted_s2)
    );
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(45), .C_REG(0)) u_more (
        .clk(clk), .a(more), .b(minus_gamma_q), .c(-18'sd65537), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(more_inverted_s2)
    );
    wire signed [28:0] sum = {{4{gain_s2[44]}}, gain_s2[44:20]} + {more_s2[44], more_s2[44:17]};
    wire [26:0]        sum_clipped;
    wire               sum_limits;
    rlc_round_sat #(.WIN(29), .FRAC(0), .WOUT(27)) u_sum (
        .in_data(sum), .out_data(sum_clipped), .saturated(sum_limits)
    );
    reg  [3:1]           valid_q;
    reg  [STAGES:1]      last_q;
    reg  [2:1]           ends_q;
    reg  [3:1]           cut_q;
    reg  [ADDR_BITS-1:0] addr_q;
    reg  [27:0]          data_q;
    reg                  limits_q;
    always @(posedge clk) begin
        valid_q  <= rst ? 3'd0 : {valid_q[2:1], pops};
        last_q   <= rst ? {STAGES{1'b0}} : {last_q[STAGES-1:1], boot_valid && env_last};
        ends_q   <= {ends_q[1], ends};
        cut_q    <= {cut_q[2:1], cut};
        data_q   <= {ends_q[2], sum_clipped};
        limits_q <= sum_limits && valid_q[2] && !rst;
        if (rst || starts) addr_q <= {ADDR_BITS{1'b0}};
        else if (valid_q[3])             addr_q <= addr_q + 1'b1;
    end
    assign adv_en   = valid_q[3];
    assign adv_addr = addr_q;
    assign adv_data = data_q;
    assign adv_cut  = cut_q[3];
    assign answered = last_q[STAGES];
    assign sat      = limits_q;
    wire unused = &{1'b0, gain_s2[19:0], more_s2[16:0]};
endmodule
`default_nettype wire
