// rlc_zcu106_top.v — what is at the pins of a ZCU106's logic: a block design named rlc_bd and four LEDs.
// SPDX-License-Identifier: Apache-2.0
//
// led[0]  blinks while the bus's clock runs     led[2]  on when the block design is out of reset
// led[1]  blinks while the core's clock runs    led[3]  the core's interrupt
//
// The processor's own pins are not the logic's. rlc_bd is made by Vivado from constraints/zcu106/*_bd.tcl.
`default_nettype none
module rlc_zcu106_top (
    output wire [3:0] led
);
    wire bus_clk;
    wire core_clk;
    wire resetn;
    wire irq;

    rlc_bd u_bd (.bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq));

    rlc_board_leds u_leds (.bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq), .led(led));
endmodule
`default_nettype wire
