// carry4.v — four bits of AMD's carry chain: where S is 1 the carry goes on, elsewhere it is DI.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. yosys has a model of its own, whose outputs a simulator takes for a loop.
`default_nettype none
module CARRY4 (
    input  wire [3:0] DI, S,
    input  wire       CI, CYINIT,
    output wire [3:0] CO, O
);
    wire c0 = CI | CYINIT;
    wire c1 = S[0] ? c0 : DI[0];
    wire c2 = S[1] ? c1 : DI[1];
    wire c3 = S[2] ? c2 : DI[2];
    wire c4 = S[3] ? c3 : DI[3];
    assign CO = {c4, c3, c2, c1};
    assign O  = S ^ {c3, c2, c1, c0};
endmodule
`default_nettype wire
