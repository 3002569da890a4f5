// lut4.v — the look-up table of the ECP5: the bit of INIT that the inputs number.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. yosys has a model of its own, of which Verilator makes several times as much code.
`default_nettype none
module LUT4 #(parameter [15:0] INIT = 0) (input wire A, B, C, D, output wire Z);
    assign Z = INIT[{D, C, B, A}];
endmodule
`default_nettype wire
