// rlc_nn_narrow.v — whole sums to the words that leave: rectified or not, fraction bits dropped, rounded, saturated.
// SPDX-License-Identifier: Apache-2.0
//
// s_data        sums; shift: fraction bits to drop, 0..47
// acc_overflow  in the same clock, a bit a lane: |sum| reached 2^(ACC_WIDTH-2)
// m_data        sat(round(f(sum) / 2^shift)), 3 clocks later; saturated: a bit a lane, it was saturated
`default_nettype none
module rlc_nn_narrow #(
    parameter LANES     = 4,  // sums side by side
    parameter RELU      = 1,  // 1: f is max(0, x); 0: f is the identity
    parameter ACC_WIDTH = 48, // bits of a sum
    parameter OUT_WIDTH = 18  // bits of a result
) (
    input  wire                       clk,
    input  wire [5:0]                 shift,
    input  wire [LANES*ACC_WIDTH-1:0] s_data,
    output wire [LANES-1:0]           acc_overflow,
    output wire [LANES*OUT_WIDTH-1:0] m_data,
    output wire [LANES-1:0]           saturated
);
    genvar e;
    for (e = 0; e < LANES; e = e + 1) begin : g_lane
        wire [ACC_WIDTH-1:0] sum  = s_data[e*ACC_WIDTH +: ACC_WIDTH];
        wire                 keep = RELU == 0 || !sum[ACC_WIDTH-1];
        assign acc_overflow[e] = sum[ACC_WIDTH-1] != sum[ACC_WIDTH-2];
        rlc_shift_sat #(.WIN(ACC_WIDTH), .WOUT(OUT_WIDTH)) u_narrow (
            .clk(clk), .s_data(sum & {ACC_WIDTH{keep}}), .shift(shift),
            .m_data(m_data[e*OUT_WIDTH +: OUT_WIDTH]), .m_saturated(saturated[e])
        );
    end
endmodule
`default_nettype wire
