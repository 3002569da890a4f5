# rlc_heppo by itself: the clocks that it has on the boards. Assumed, as long as no vendor tool has met them.
create_clock -period 5.000 -name clk [get_ports clk]
create_clock -period 3.333 -name core_clk [get_ports core_clk]
