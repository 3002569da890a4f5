// rlc_env_observe.v — an observation that is the state itself with fewer bits: rounded half up, saturated to ±(2^17 - 1).
// SPDX-License-Identifier: Apache-2.0
//
// state     COUNT numbers of 32 bits, signed, the first lowest
// obs       as many of 18 bits
// saturated   one of them did not fit
// latency   combinational
`default_nettype none
`include "rlc_check.vh"
module rlc_env_observe #(
    parameter COUNT = 4,                       // numbers
    parameter [8*COUNT-1:0] DROPS = {COUNT{8'd13}} // low bits that each loses, 1 to 31, a byte a number, the first lowest
) (
    input  wire [32*COUNT-1:0] state,
    output wire [18*COUNT-1:0] obs,
    output wire                saturated
);
    `RLC_CHECK(COUNT >= 1, rlc_env_observe_illegal_COUNT_must_be_at_least_1)

    wire [COUNT-1:0] each_saturated;
    assign saturated = |each_saturated;
    genvar i;
    for (i = 0; i < COUNT; i = i + 1) begin : g_number
        rlc_round_sat #(.WIN(32), .FRAC(DROPS[8*i +: 8]), .WOUT(18), .SYMMETRIC(1)) u_round (
            .in_data(state[32*i +: 32]), .out_data(obs[18*i +: 18]), .saturated(each_saturated[i])
        );
    end
endmodule
`default_nettype wire
