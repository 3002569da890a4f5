# The block design rlc_bd for rlcores:system:heppo on the ZCU106: bus and array each on a clock of its own, of the
# same frequency (board.yaml; assumed: no vendor tool was run). The array's may be another, here.
# SPDX-License-Identifier: Apache-2.0
#
#   ps/M_AXI_HPM0_FPD ── control ─┬─ rlc_heppo/s_axil   0xA000_0000
#                                 ├─ dma                0xA001_0000
#                                 └─ intc               0xA002_0000
#   dma (256 bits, both ways) ── rlc_heppo streams;  dma ── memory ── ps/S_AXI_HP0_FPD

proc rlc::design {} {
    set_property used_in_synthesis false [get_files heppo_crossing.tcl]
    rlc::begin

    rlc::processor 1
    rlc::clocks 1
    rlc::dma dma 256 256
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 3]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI 2 CONFIG.NUM_MI 1]
    create_bd_cell -type module -reference rlc_heppo_zcu106 rlc_heppo
    rlc::interrupt rlc_heppo/irq

    rlc::net bus_clk {
        clocks/clk_out1 ps/maxihpm0_fpd_aclk ps/saxihp0_fpd_aclk reset/slowest_sync_clk
        dma/s_axi_lite_aclk dma/m_axi_mm2s_aclk dma/m_axi_s2mm_aclk
        control/aclk memory/aclk intc/s_axi_aclk rlc_heppo/aclk
    }
    rlc::net ps_clk {ps/pl_clk0 clocks/clk_in1}
    rlc::net core_clk {clocks/clk_out2 rlc_heppo/core_clk}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net ps_resetn {ps/pl_resetn0 reset/ext_reset_in}
    rlc::net interconnect_resetn {reset/interconnect_aresetn control/aresetn memory/aresetn}
    rlc::net resetn {reset/peripheral_aresetn dma/axi_resetn intc/s_axi_aresetn rlc_heppo/aresetn}

    rlc::link ps/M_AXI_HPM0_FPD control/S00_AXI
    rlc::link control/M00_AXI rlc_heppo/s_axil
    rlc::link control/M01_AXI dma/S_AXI_LITE
    rlc::link control/M02_AXI intc/s_axi
    rlc::link dma/M_AXIS_MM2S rlc_heppo/s_axis
    rlc::link rlc_heppo/m_axis dma/S_AXIS_S2MM
    rlc::link dma/M_AXI_MM2S memory/S00_AXI
    rlc::link dma/M_AXI_S2MM memory/S01_AXI
    rlc::link memory/M00_AXI ps/S_AXI_HP0_FPD

    rlc::map ps/Data rlc_heppo/s_axil/reg0 0xA0000000 4K
    rlc::map ps/Data dma/S_AXI_LITE/Reg 0xA0010000 64K
    rlc::map ps/Data intc/S_AXI/Reg 0xA0020000 64K
    rlc::memory dma/Data_MM2S 0 1
    rlc::memory dma/Data_S2MM 0 1

    rlc::ports clocks/clk_out2 rlc_heppo/irq
    rlc::finish
}
