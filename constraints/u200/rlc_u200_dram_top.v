// rlc_u200_dram_top.v — what is at the pins of a U200 whose core has memory on the card: PCIe, a DIMM and three LEDs.
// SPDX-License-Identifier: Apache-2.0
//
// led[0]   blinks while XDMA's clock runs           led[2]  on when the block design is out of reset, off while the
// led[1]   blinks while the core's clock runs               core's interrupt is pending
// pcie_*, pci_express_x16_*   the slot
// ddr4_sdram_c1_*, default_300mhz_clk1_*   the card's second DIMM and its clock
//
// rlc_bd is made by Vivado from constraints/u200/replay_learner_bd.tcl or agent_bd.tcl.
`default_nettype none
module rlc_u200_dram_top (
    input  wire        pcie_perstn,
    input  wire        pcie_refclk_clk_n,
    input  wire        pcie_refclk_clk_p,
    input  wire [15:0] pci_express_x16_rxn,
    input  wire [15:0] pci_express_x16_rxp,
    output wire [15:0] pci_express_x16_txn,
    output wire [15:0] pci_express_x16_txp,
    input  wire        default_300mhz_clk1_clk_n,
    input  wire        default_300mhz_clk1_clk_p,
    output wire        ddr4_sdram_c1_act_n,
    output wire [16:0] ddr4_sdram_c1_adr,
    output wire [1:0]  ddr4_sdram_c1_ba,
    output wire [1:0]  ddr4_sdram_c1_bg,
    output wire        ddr4_sdram_c1_ck_c,
    output wire        ddr4_sdram_c1_ck_t,
    output wire        ddr4_sdram_c1_cke,
    output wire        ddr4_sdram_c1_cs_n,
    inout  wire [71:0] ddr4_sdram_c1_dq,
    inout  wire [17:0] ddr4_sdram_c1_dqs_c,
    inout  wire [17:0] ddr4_sdram_c1_dqs_t,
    output wire        ddr4_sdram_c1_odt,
    output wire        ddr4_sdram_c1_par,
    output wire        ddr4_sdram_c1_reset_n,
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
        .default_300mhz_clk1_clk_n(default_300mhz_clk1_clk_n), .default_300mhz_clk1_clk_p(default_300mhz_clk1_clk_p),
        .ddr4_sdram_c1_act_n(ddr4_sdram_c1_act_n), .ddr4_sdram_c1_adr(ddr4_sdram_c1_adr),
        .ddr4_sdram_c1_ba(ddr4_sdram_c1_ba), .ddr4_sdram_c1_bg(ddr4_sdram_c1_bg),
        .ddr4_sdram_c1_ck_c(ddr4_sdram_c1_ck_c), .ddr4_sdram_c1_ck_t(ddr4_sdram_c1_ck_t),
        .ddr4_sdram_c1_cke(ddr4_sdram_c1_cke), .ddr4_sdram_c1_cs_n(ddr4_sdram_c1_cs_n),
        .ddr4_sdram_c1_dq(ddr4_sdram_c1_dq), .ddr4_sdram_c1_dqs_c(ddr4_sdram_c1_dqs_c),
        .ddr4_sdram_c1_dqs_t(ddr4_sdram_c1_dqs_t), .ddr4_sdram_c1_odt(ddr4_sdram_c1_odt),
        .ddr4_sdram_c1_par(ddr4_sdram_c1_par), .ddr4_sdram_c1_reset_n(ddr4_sdram_c1_reset_n),
        .bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq)
    );

    rlc_board_leds u_leds (.bus_clk(bus_clk), .core_clk(core_clk), .resetn(resetn), .irq(irq), .led(on));
    assign led = {on[2] && !on[3], on[1:0]};
endmodule
`default_nettype wire
