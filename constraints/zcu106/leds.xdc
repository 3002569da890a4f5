# ZCU106: the pins of rlc_zcu106_top. GPIO_LED_0 .. 3, as in AMD's board files for the ZCU106
# (part0_pins.xml of version 2.6: GPIO_LED_0_LS .. GPIO_LED_3_LS).
# SPDX-License-Identifier: Apache-2.0
set_property -dict {PACKAGE_PIN AL11 IOSTANDARD LVCMOS12} [get_ports {led[0]}]
set_property -dict {PACKAGE_PIN AL13 IOSTANDARD LVCMOS12} [get_ports {led[1]}]
set_property -dict {PACKAGE_PIN AK13 IOSTANDARD LVCMOS12} [get_ports {led[2]}]
set_property -dict {PACKAGE_PIN AE15 IOSTANDARD LVCMOS12} [get_ports {led[3]}]
# People look at them.
set_false_path -to [get_ports {led[*]}]
