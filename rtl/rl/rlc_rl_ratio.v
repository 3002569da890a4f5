// rlc_rl_ratio.v — the clipped objective of PPO: from log-probabilities now and then to d loss/d log-probability.
// SPDX-License-Identifier: Apache-2.0
//
//   ratio = 2^(now - before); slope = -advantage * ratio, or 0 if clipping cuts it off
//
// s_log, s_before   log2 of the action's probability now and when it acted, sfix(27,20)
// s_scaled          standardised advantage, sfix(18,12)
// cfg_clip          ufix(20,20)
// m_slope           sfix(18,12); m_over: two bits, the slope and the ratio was saturated
// latency           12 clocks, one sample per clock, no stall
// cost              2 DSP slices, one table
// model             rlcores.cores.ppo.head.ratio
// equation          Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, equation 7
`default_nettype none
module rlc_rl_ratio (
    input  wire               clk,
    input  wire [19:0]        cfg_clip,
    input  wire signed [26:0] s_log,
    input  wire signed [26:0] s_before,
    input  wire signed [17:0] s_scaled,
    output reg  signed [17:0] m_slope,
    output reg  [1:0]         m_over
);
    // Stage 1: the change. Stage 9: the ratio.
    reg  signed [27:0]  change_s1;
    wire signed [17:0]  scaled_s9;
    wire [25:0]         ratio_s9;
    wire                over_s9;
    always @(posedge clk) change_s1 <= {s_log[26], s_log} - {s_before[26], s_before};
    rlc_exp2 #(.IN_WIDTH(34), .OUT_WIDTH(26), .OUT_FRAC(20)) u_ratio (
        .clk(clk), .x({change_s1, 6'd0}), .y(ratio_s9), .saturated(over_s9)
    );
    rlc_delay #(.WIDTH(18), .CLOCKS(9)) u_scaled (.clk(clk), .d(s_scaled), .q(scaled_s9));

    // Stages 10, 11: advantage times ratio. 12: the slope, saturated; 0 beyond the clip.
    wire signed [26:0]  ratio_a = {1'b0, ratio_s9};
    wire [26:0]         upper   = 27'h0100000 + {7'd0, cfg_clip};
    wire [26:0]         lower   = 27'h0100000 - {7'd0, cfg_clip};
    wire signed [45:0]  gain_s11;
    reg                 cut_s10, cut_s11, over_s10, over_s11;
    wire [25:0]         rounded = gain_s11[45:20];
    wire [26:0]         exact   = 27'd0 - {rounded[25], rounded};
    wire [17:0]         clipped;
    wire                limits;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(21), .P_WIDTH(46)) u_gain (
        .clk(clk), .a(ratio_a), .b(scaled_s9), .c(21'sd524288), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(gain_s11)
    );
    rlc_round_sat #(.WIN(27), .FRAC(0), .WOUT(18)) u_slope (.in_data(exact), .out_data(clipped), .saturated(limits));
    always @(posedge clk) begin
        cut_s10  <= (scaled_s9 > 18'sd0 && ratio_a > $signed(upper)) || (scaled_s9 < 18'sd0 && ratio_a < $signed(lower));
        over_s10 <= over_s9;
        cut_s11  <= cut_s10;
        over_s11 <= over_s10;
        m_slope  <= cut_s11 ? 18'd0 : clipped;
        m_over   <= {2{!cut_s11}} & {limits, over_s11};
    end
    wire unused = &{1'b0, gain_s11[19:0]};
endmodule
`default_nettype wire
