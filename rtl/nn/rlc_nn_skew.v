// rlc_nn_skew.v — lane k of a word is delayed by FIRST + k clocks, as a cascade wants its operands.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_nn_skew #(
    parameter LANES = 4,  // lanes of a word
    parameter WIDTH = 18, // bits of a lane
    parameter FIRST = 0   // clocks of delay of lane 0
) (
    input  wire                   clk,
    input  wire [LANES*WIDTH-1:0] d,
    output wire [LANES*WIDTH-1:0] q
);
    genvar k;
    for (k = 0; k < LANES; k = k + 1) begin : g_lane
        rlc_delay #(.WIDTH(WIDTH), .CLOCKS(FIRST + k)) u_delay (
            .clk(clk), .d(d[k*WIDTH +: WIDTH]), .q(q[k*WIDTH +: WIDTH])
        );
    end
endmodule
`default_nettype wire
