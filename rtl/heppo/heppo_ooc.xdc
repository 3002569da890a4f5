# SPDX-License-Identifier: Apache-2.0
# rlc_heppo by itself: both clocks as it has them on the ZCU106. Assumed, as long as no vendor tool has met them.
# <period of zcu106>
set period 5.000
# </period>
create_clock -period $period -name clk [get_ports clk]
create_clock -period $period -name core_clk [get_ports core_clk]
