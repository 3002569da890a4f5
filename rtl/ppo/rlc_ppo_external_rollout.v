// rlc_ppo_external_rollout.v — a rollout that was collected elsewhere: its records into the memory, then the values after its window.
// SPDX-License-Identifier: Apache-2.0
//
// take         level: it waits for a rollout of cfg_steps turns; taken, pulse: records and values have been stored
// s_*          records, taken while take is high: {ended, reward, value, log, raw, obs}, obs lowest, with CUT {cut, ended, ..}, in
//              the order of the memory; then N_ENVS more of which only the value is used, that of the observation after the window
//   reward     sfix(27,16), plus gamma * V(final observation) if the episode was cut off; ended: it ended, or was cut off;
//              cut: it was cut off
// wr_*         a record, for all fields of the memory
// boot_*       the value after the window of environment boot_env
// records      how many are in the memory
// throughput   one record per clock
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_ppo_words.vh"
module rlc_ppo_external_rollout #(
    parameter N_ENVS    = 8,       // environments, whose records take turns, 1..1024
    parameter OBS_BITS  = 72,      // of an observation
    parameter RAW_BITS  = 8,       // of an action
    parameter ADDR_BITS = 10,      // of the memory
    parameter CUT       = 0,       // 1: records say whether an episode was cut off
    // Derived; leave them alone.
    parameter ENV_BITS  = (N_ENVS > 1) ? $clog2(N_ENVS) : 1,
    parameter RECORD    = OBS_BITS + RAW_BITS + `RLC_PPO_ROLLOUT_BITS + CUT // bits of a record
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [12:0]          cfg_steps,
    input  wire                 take,
    output wire                 taken,
    `RLC_STREAM_SLAVE(s, RECORD),
    output wire                 wr_en,
    output wire [ADDR_BITS-1:0] wr_addr,
    output wire [OBS_BITS-1:0]  wr_obs,
    output wire [RAW_BITS-1:0]  wr_raw,
    output wire [26:0]          wr_log,
    output wire [26:0]          wr_value,
    output wire [27:0]          wr_reward,
    output wire                 wr_cut,
    output wire                 boot_valid,
    output wire [ENV_BITS-1:0]  boot_env,
    output wire [ADDR_BITS:0]   records
);
    localparam STAGES = 5;                       // clocks from the last value to the begin of the advantages, but two

    // Whose turn it is, when a record is taken.
    reg                done_q;
    reg [12:0]         step_q;
    wire [ENV_BITS-1:0] env;
    wire               env_last;
    wire               accept = s_valid && s_ready;
    wire               ends   = step_q == cfg_steps;         // only values are left
    wire               over   = accept && ends && env_last;
    assign s_ready = take && !done_q;
    rlc_mod_counter #(.COUNT(N_ENVS)) u_env (.clk(clk), .restart(rst || !take), .step(accept), .at(env), .last(env_last));
    always @(posedge clk) begin
        done_q <= !rst && take && (over || done_q);
        if (rst || !take)            step_q <= 13'd0;
        else if (accept && env_last) step_q <= step_q + 13'd1;
    end

    // A clock later it is written.
    reg                low_q, wr_q, boot_q;
    reg [RECORD-1:0]   record_q;
    reg [ENV_BITS-1:0] env_q;
    reg [ADDR_BITS:0]  records_q;
    reg [STAGES:1]     last_q;
    always @(posedge clk) begin
        low_q    <= rst || !take;
        wr_q     <= !rst && accept && !ends;
        boot_q   <= !rst && accept && ends;
        record_q <= s_data;
        env_q    <= env;
        last_q   <= rst ? {STAGES{1'b0}} : {last_q[STAGES-1:1], over};
        if (rst || (take && low_q)) records_q <= {(ADDR_BITS+1){1'b0}};
        else if (wr_q)              records_q <= records_q + 1'b1;
    end
    assign {wr_reward, wr_value, wr_log, wr_raw, wr_obs} = record_q[RECORD-CUT-1:0];
    assign wr_cut     = CUT != 0 && record_q[RECORD-1];
    assign wr_en      = wr_q;
    assign wr_addr    = records_q[ADDR_BITS-1:0];
    assign boot_valid = boot_q;
    assign boot_env   = env_q;
    assign records    = records_q;
    assign taken      = last_q[STAGES];
endmodule
`default_nettype wire
