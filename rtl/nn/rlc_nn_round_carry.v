// rlc_nn_round_carry.v — whether a number with 16 fraction bits is rounded up.
// SPDX-License-Identifier: Apache-2.0
//
// dither    16 random bits for ROUND 2, not used otherwise
// latency   combinational
`default_nettype none
module rlc_nn_round_carry #(
    parameter ROUND = 0 // 0 nearest (halves up), 1 floor, 2 stochastic: up with probability fraction / 2^16
) (
    input  wire [15:0] fraction,
    input  wire [15:0] dither,
    output wire        carry
);
    if (ROUND == 2) begin : g_stochastic
        wire [16:0] sum = {1'b0, fraction} + {1'b0, dither};
        assign carry = sum[16];
        wire unused = &{1'b0, sum[15:0]};
    end else if (ROUND == 1) begin : g_floor
        assign carry = 1'b0;
        wire unused = &{1'b0, fraction, dither};
    end else begin : g_nearest
        assign carry = fraction[15];
        wire unused = &{1'b0, fraction[14:0], dither};
    end
endmodule
`default_nettype wire
