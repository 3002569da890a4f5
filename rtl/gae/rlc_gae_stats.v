// rlc_gae_stats.v — statistics of the stream: rewards since the last reset, values of the current block.
// SPDX-License-Identifier: Apache-2.0
//
// reset_rewards  pulse: forget the rewards; new_block: pulse: forget the values. Only while busy is low; a beat
//                of the same clock already counts for the new sums.
// s_*            one beat, no back-pressure. A reward counts in a STEP, a value in a STEP and in a BOOT; NONE is
//                ignored.
// full           pulse: rewards or values of a beat were left out because their count was at its end
// busy           the sums are consistent when it is low
// latency        6 + log2(BEAT) clocks; throughput one beat a clock
`default_nettype none
module rlc_gae_stats #(
    parameter BEAT      = 2,   // elements per clock, a power of two
    parameter RAW_WIDTH = 24,  // bits of a raw number, signed
    parameter CNT_WIDTH = 40,  // bits of a count
    parameter SUM_WIDTH = 64,  // bits of a sum
    parameter SQR_WIDTH = 88   // bits of a sum of squares
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      reset_rewards,
    input  wire                      new_block,
    input  wire                      mark,
    input  wire                      undo,
    input  wire                      s_valid,
    input  wire [BEAT*RAW_WIDTH-1:0] s_reward,
    input  wire [BEAT*RAW_WIDTH-1:0] s_value,
    input  wire [BEAT*2-1:0]         s_kind,
    output wire [CNT_WIDTH-1:0]      n_r,
    output wire [SUM_WIDTH-1:0]      sum_r,
    output wire [SQR_WIDTH-1:0]      sqr_r,
    output wire [CNT_WIDTH-1:0]      n_v,
    output wire [SUM_WIDTH-1:0]      sum_v,
    output wire [SQR_WIDTH-1:0]      sqr_v,
    output wire                      full,
    output wire                      busy
);
    wire [BEAT-1:0] is_step;
    wire [BEAT-1:0] is_record;
    genvar g;
    for (g = 0; g < BEAT; g = g + 1) begin : g_kind
        assign is_step[g]   = s_kind[2*g];
        assign is_record[g] = |s_kind[2*g +: 2];
    end

    wire full_r, full_v, busy_r, busy_v;
    rlc_gae_sums #(
        .BEAT(BEAT), .RAW_WIDTH(RAW_WIDTH), .CNT_WIDTH(CNT_WIDTH), .SUM_WIDTH(SUM_WIDTH), .SQR_WIDTH(SQR_WIDTH)
    ) u_rewards (
        .clk(clk), .rst(rst), .clear(reset_rewards), .mark(mark), .undo(undo), .s_valid(s_valid), .s_data(s_reward),
        .s_take(is_step), .n(n_r), .sum(sum_r), .sqr(sqr_r), .full(full_r), .busy(busy_r)
    );
    rlc_gae_sums #(
        .BEAT(BEAT), .RAW_WIDTH(RAW_WIDTH), .CNT_WIDTH(CNT_WIDTH), .SUM_WIDTH(SUM_WIDTH), .SQR_WIDTH(SQR_WIDTH)
    ) u_values (
        .clk(clk), .rst(rst), .clear(new_block), .mark(mark), .undo(undo), .s_valid(s_valid), .s_data(s_value),
        .s_take(is_record), .n(n_v), .sum(sum_v), .sqr(sqr_v), .full(full_v), .busy(busy_v)
    );
    assign full = full_r || full_v;
    assign busy = busy_r || busy_v;
endmodule
`default_nettype wire
