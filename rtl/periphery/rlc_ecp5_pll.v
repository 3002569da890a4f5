// rlc_ecp5_pll.v — a clock from another one by the PLL of an ECP5.
// SPDX-License-Identifier: Apache-2.0
//
// MULTIPLY, DIVIDE  f(clk_out) = f(clk_in) * MULTIPLY / DIVIDE; 1..128 each
//
// locked    high when clk_out is good; asynchronous
// elsewhere the primitive stands for Yosys only. A simulator sees clk_out = clk_in, locked: one clock drives all that
//           there is, so its frequency does not matter
// source    EHXPLLL of yosys' cells_bb_ecp5.v; ranges: ECP5 family data sheet FPGA-DS-02012, sysCLOCK PLL timing
`default_nettype none
`include "rlc_check.vh"
module rlc_ecp5_pll #(
    parameter MULTIPLY = 1,  // of the frequency
    parameter DIVIDE   = 1,  // of the frequency
    parameter OUTPUT   = 24  // f(clk_out) * OUTPUT is the oscillator's frequency, which must be 400 to 800 MHz; 2..128
) (
    input  wire clk_in,
    output wire clk_out,
    output wire locked
);
    `RLC_CHECK(MULTIPLY >= 1 && MULTIPLY <= 128 && DIVIDE >= 1 && DIVIDE <= 128 && OUTPUT >= 2 && OUTPUT <= 128,
               rlc_ecp5_pll_illegal_MULTIPLY_and_DIVIDE_must_be_1_to_128_and_OUTPUT_2_to_128)

`ifdef YOSYS
    (* ICP_CURRENT = "12" *) (* LPF_RESISTOR = "8" *) (* MFG_ENABLE_FILTEROPAMP = "1" *) (* MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .CLKI_DIV(DIVIDE), .CLKFB_DIV(MULTIPLY), .CLKOP_DIV(OUTPUT), .CLKOP_CPHASE(OUTPUT / 2 - 1),
        .CLKOP_ENABLE("ENABLED"), .FEEDBK_PATH("CLKOP")
    ) u_pll (
        .CLKI(clk_in), .CLKFB(clk_out), .CLKOP(clk_out), .LOCK(locked),
        .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1)
    );
`else
    assign clk_out = clk_in;
    assign locked  = 1'b1;
`endif
endmodule
`default_nettype wire
