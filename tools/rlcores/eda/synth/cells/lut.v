// lut.v — the look-up tables of AMD's families: the bit of INIT that the inputs number.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. yosys has models of its own, of which Verilator makes several times as much code.
`default_nettype none
module LUT1 #(parameter [1:0] INIT = 0) (input wire I0, output wire O);
    assign O = INIT[I0];
endmodule
module LUT2 #(parameter [3:0] INIT = 0) (input wire I0, I1, output wire O);
    assign O = INIT[{I1, I0}];
endmodule
module LUT3 #(parameter [7:0] INIT = 0) (input wire I0, I1, I2, output wire O);
    assign O = INIT[{I2, I1, I0}];
endmodule
module LUT4 #(parameter [15:0] INIT = 0) (input wire I0, I1, I2, I3, output wire O);
    assign O = INIT[{I3, I2, I1, I0}];
endmodule
module LUT5 #(parameter [31:0] INIT = 0) (input wire I0, I1, I2, I3, I4, output wire O);
    assign O = INIT[{I4, I3, I2, I1, I0}];
endmodule
module LUT6 #(parameter [63:0] INIT = 0) (input wire I0, I1, I2, I3, I4, I5, output wire O);
    assign O = INIT[{I5, I4, I3, I2, I1, I0}];
endmodule
`default_nettype wire
