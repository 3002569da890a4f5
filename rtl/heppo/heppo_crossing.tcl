# What passes between the clocks of rlc_heppo (docs/heppo.md, Constraints), for Vivado: an unmanaged constraint file,
# because it loops. The core may be the top or a cell at any depth.
# SPDX-License-Identifier: Apache-2.0
#
# The bits of a pointer come within a period of the faster clock of each other, and whatever crosses, a beat at m_data
# among it, within that period. 3.333 ns is tighter than any clock of the
# boards' designs asks for, and holds for an array of up to 300 MHz.
set period 3.333

foreach fifo {u_in u_out u_axil/u_aw u_axil/u_w u_axil/u_b u_axil/u_ar u_axil/u_r} {
    foreach pointer {wr rd} {
        set_bus_skew \
            -from [get_cells -hierarchical -regexp "(.*/)?$fifo/${pointer}_gray_q_reg\\\[\\d+\\\]"] \
            -to [get_cells -hierarchical -regexp "(.*/)?$fifo/g_bit\\\[\\d+\\\]\\.u_$pointer/chain_q_reg\\\[0\\\]"] \
            $period
    }
}

# A write address is written by the bus's clock and read by the array's.
set bus  [get_clocks -of_objects [get_pins -hierarchical -regexp {(.*/)?u_axil/u_aw/wr_gray_q_reg\[0\]/C}]]
set core [get_clocks -of_objects [get_pins -hierarchical -regexp {(.*/)?u_axil/u_aw/rd_gray_q_reg\[0\]/C}]]
set_max_delay -datapath_only -from $bus -to $core $period
set_max_delay -datapath_only -from $core -to $bus $period
