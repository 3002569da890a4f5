// rlc_rl_log_std.v — a natural log-deviation to base 2, saturated to the deviations 2^-8 to 2^8.
// SPDX-License-Identifier: Apache-2.0
//
// s_data   ln(deviation), sfix(27,22)
// m_c      log2(deviation), sfix(24,20): round(s_data log2(e)), saturated. Bit-exact model: rlcores.cores.policy.density
// latency  3 clocks, one per clock, no stall, no reset
// cost     one DSP slice
`default_nettype none
module rlc_rl_log_std (
    input  wire               clk,
    input  wire signed [26:0] s_data,
    output wire signed [23:0] m_c
);
    // Stages 1, 2: x + x (log2(e) - 1); the second factor has 18 fraction bits.
    wire signed [45:0] addend = {s_data[26], s_data, 18'd0};
    wire signed [45:0] sum;
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(46), .P_WIDTH(46), .A_REG(0), .B_REG(0)) u_mac (
        .clk(clk), .a(s_data), .b(18'sd116050), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );

    // Stage 3: round, limit.
    wire [23:0] clipped;
    wire        saturated;
    reg  [23:0] c_s3;
    rlc_round_sat #(.WIN(46), .FRAC(20), .WOUT(24)) u_limit (.in_data(sum), .out_data(clipped), .saturated(saturated));
    always @(posedge clk) c_s3 <= clipped;
    assign m_c = c_s3;
    wire unused = saturated;
endmodule
`default_nettype wire
