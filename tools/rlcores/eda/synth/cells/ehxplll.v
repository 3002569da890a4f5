// ehxplll.v — the part of Lattice's EHXPLLL that rlc_ecp5_pll uses, as its own simulation has it: one clock, always locked.
// SPDX-License-Identifier: Apache-2.0
//
// Test side only. Frequencies are not modelled: a simulation with a single clock is counted in that clock.
`default_nettype none
module EHXPLLL #(
    parameter CLKI_DIV = 1, parameter CLKFB_DIV = 1, parameter CLKOP_DIV = 8, parameter CLKOP_CPHASE = 0,
    parameter CLKOP_ENABLE = "ENABLED", parameter FEEDBK_PATH = "CLKOP"
) (
    input wire CLKI, CLKFB, RST, STDBY, PLLWAKESYNC, ENCLKOP, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
    output wire CLKOP, LOCK
);
    assign CLKOP = CLKI;
    assign LOCK  = !RST && !STDBY;
    wire unused = &{1'b0, CLKFB, PLLWAKESYNC, ENCLKOP, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG};
endmodule
`default_nettype wire
