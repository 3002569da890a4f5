# U200: pins that the tops of both designs have, as in AMD's board files for the U200 (part0_pins.xml of version 1.3).
# Lanes and memory are placed by those files themselves, as the block design asks (board.tcl).
# SPDX-License-Identifier: Apache-2.0

# GPIO_LED_0_LS .. GPIO_LED_2_LS. People look at them.
set_property -dict {PACKAGE_PIN BC21 IOSTANDARD LVCMOS12} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN BB21 IOSTANDARD LVCMOS12} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN BA20 IOSTANDARD LVCMOS12} [get_ports {led[2]}]
set_false_path -to [get_ports {led[*]}]

# PERST# of the slot, at any time.
set_property -dict {PACKAGE_PIN BD21 IOSTANDARD LVCMOS12} [get_ports pcie_perstn]
set_false_path -from [get_ports pcie_perstn]

# 100 MHz of the slot, at a transceiver's own clock pins.
set_property PACKAGE_PIN AM11 [get_ports pcie_refclk_clk_p]
set_property PACKAGE_PIN AM10 [get_ports pcie_refclk_clk_n]
create_clock -period 10.000 -name pcie_refclk [get_ports pcie_refclk_clk_p]
