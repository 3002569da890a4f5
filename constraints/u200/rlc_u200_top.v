// rlc_u200_top.v — what is at the pins of a U200 whose core needs no memory of the card: PCIe and three LEDs.
// SPDX-License-Identifier: Apache-2.0
//
// led[0]   blinks while XDMA's clock runs           led[2]  on when the block design is out of reset, off while the
// led[1]   blinks while the core's clock runs               core's interrupt is pending
// pcie_*, pci_express_x16_*   the slot
//
// rlc_bd is made by Vivado from constraints/u200/heppo_bd.tcl or ppo_env_bd.tcl.
`default_nettype none
module rlc_u200_top (
    input  wire        pcie_perstn,
    input  wire        pcie_refclk_clk_n,
    input  wire        pcie_refclk_clk_p,
    input  wire [15:0] pci_express_x16_rxn,
    input  wire [15:0] pci_express_x16_rxp,
    output wire [15:0] pci_express_x16_txn,
    output wire [15:0] pci_express_x16_txp,
    output wire [2:0]  led
);
    wire       bus_clk;
    wire       core_clk;
    wire       resetn;
    wire       irq;
    wire [3:0] on;

    rlc_bd u_bd (
        .pcie_perstn(pcie_perstn), .pcie_refclk_clk_n(pcie_refclk_clk_n), .pcie_refclk_clk_p(pcie_refclk_clk_p),
        .pci_express_x16_rxn(pci_express_x16_rxn), .pci_express_x16_rxp(pci_express_x16_rxp),
        .pci_express_x16_txn(pci_express_x16_txn), .pci_express_x16_txp(pci_express_x16_txp),
        .bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq)
    );

    rlc_board_leds u_leds (.bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq), .led(on));
    assign led = {on[2] && !on[3], on[1:0]};
endmodule
`default_nettype wire
