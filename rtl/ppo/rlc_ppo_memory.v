// rlc_ppo_memory.v — the rollout: one record per step; each field is a memory of its own, written when it is known.
// SPDX-License-Identifier: Apache-2.0
//
//   a record stands at address t * N + e, t the step, e the environment
//
// obs_wr_*     the observation that was acted on
// act_wr_*     the action (raw), log2 of its probability and the value of the observation
// adv_wr_*     {the episode ended, reward}; later the advantage overwrites the reward. cut: the episode was cut off;
//              of_advantage: it is an advantage. Both matter only with RECORD_BITS
// rd_*         the whole record without the advantage; adv_rd_*: the advantage alone
// first, next, sat   rlc_ppo_codes', which keeps value, reward and advantage where RECORD_BITS is not 0
// latency      2 clocks from rd_en and adv_rd_en to their data, one record per clock; data stay until the next ones
// order        do not read a record in the clock in which it is written; with RECORD_BITS nor in the 3 clocks behind it
`default_nettype none
module rlc_ppo_memory #(
    parameter RECORDS   = 64,      // that it holds, >= 2
    parameter OBS_BITS  = 72,      // of an observation
    parameter RAW_BITS  = 8,       // of an action
    parameter RECORD_BITS = 0,     // of the code of a value or a reward, 3..10; 0: they are kept as they are
    parameter STYLE     = "auto",  // of its memories: rlc_ram_1r1w
    parameter ADDR_BITS = $clog2(RECORDS) // derived, leave it alone
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 first,
    input  wire                 next,
    input  wire                 obs_wr_en,
    input  wire [ADDR_BITS-1:0] obs_wr_addr,
    input  wire [OBS_BITS-1:0]  obs_wr_data,
    input  wire                 act_wr_en,
    input  wire [ADDR_BITS-1:0] act_wr_addr,
    input  wire [RAW_BITS-1:0]  act_wr_raw,
    input  wire [26:0]          act_wr_log,
    input  wire [26:0]          act_wr_value,
    input  wire                 adv_wr_en,
    input  wire [ADDR_BITS-1:0] adv_wr_addr,
    input  wire [27:0]          adv_wr_data,
    input  wire                 adv_wr_cut,
    input  wire                 adv_wr_of_advantage,
    input  wire                 rd_en,
    input  wire [ADDR_BITS-1:0] rd_addr,
    output wire [OBS_BITS-1:0]  rd_obs,
    output wire [RAW_BITS-1:0]  rd_raw,
    output wire [26:0]          rd_log,
    output wire [26:0]          rd_value,
    input  wire                 adv_rd_en,
    input  wire [ADDR_BITS-1:0] adv_rd_addr,
    input  wire                 adv_rd_of_advantage,
    output wire [27:0]          adv_rd_data,
    output wire [1:0]           sat
);
    localparam LATENCY = 2;
    rlc_ram_1r1w #(.WIDTH(OBS_BITS), .DEPTH(RECORDS), .READ_LATENCY(LATENCY), .STYLE(STYLE), .READ_ANY(1)) u_obs (
        .clk(clk), .wr_en(obs_wr_en), .wr_addr(obs_wr_addr), .wr_data(obs_wr_data), .rd_en(rd_en), .rd_addr(rd_addr),
        .rd_data(rd_obs)
    );
    if (RECORD_BITS != 0) begin : g_codes
        rlc_ram_1r1w #(.WIDTH(RAW_BITS + 27), .DEPTH(RECORDS), .READ_LATENCY(LATENCY), .STYLE(STYLE), .READ_ANY(1)) u_act (
            .clk(clk), .wr_en(act_wr_en), .wr_addr(act_wr_addr), .wr_data({act_wr_raw, act_wr_log}), .rd_en(rd_en),
            .rd_addr(rd_addr), .rd_data({rd_raw, rd_log})
        );
        rlc_ppo_codes #(.RECORDS(RECORDS), .BITS(RECORD_BITS), .STYLE(STYLE)) u_codes (
            .clk(clk), .rst(rst), .first(first), .next(next), .act_wr_en(act_wr_en), .act_wr_addr(act_wr_addr),
            .act_wr_value(act_wr_value), .adv_wr_en(adv_wr_en), .adv_wr_addr(adv_wr_addr), .adv_wr_data(adv_wr_data),
            .adv_wr_cut(adv_wr_cut), .adv_wr_of_advantage(adv_wr_of_advantage), .rd_en(rd_en), .rd_addr(rd_addr),
            .rd_value(rd_value), .adv_rd_en(adv_rd_en), .adv_rd_addr(adv_rd_addr),
            .adv_rd_of_advantage(adv_rd_of_advantage), .adv_rd_data(adv_rd_data), .sat(sat)
        );
    end else begin : g_whole
        rlc_ram_1r1w #(.WIDTH(RAW_BITS + 54), .DEPTH(RECORDS), .READ_LATENCY(LATENCY), .STYLE(STYLE), .READ_ANY(1)) u_act (
            .clk(clk), .wr_en(act_wr_en), .wr_addr(act_wr_addr), .wr_data({act_wr_raw, act_wr_log, act_wr_value}),
            .rd_en(rd_en), .rd_addr(rd_addr), .rd_data({rd_raw, rd_log, rd_value})
        );
        rlc_ram_1r1w #(.WIDTH(28), .DEPTH(RECORDS), .READ_LATENCY(LATENCY), .STYLE(STYLE), .READ_ANY(1)) u_adv (
            .clk(clk), .wr_en(adv_wr_en), .wr_addr(adv_wr_addr), .wr_data(adv_wr_data), .rd_en(adv_rd_en),
            .rd_addr(adv_rd_addr), .rd_data(adv_rd_data)
        );
        assign sat = 2'd0;
        wire unused = &{1'b0, rst, first, next, adv_wr_cut, adv_wr_of_advantage, adv_rd_of_advantage};
    end
endmodule
`default_nettype wire
