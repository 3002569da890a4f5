# The block design rlc_bd for rlcores:system:heppo on the U200: bus at XDMA's 250 MHz, array on the cores' clock
# (board.yaml; assumed: no vendor tool was run).
# SPDX-License-Identifier: Apache-2.0
#
#   xdma/M_AXI_LITE ── control ── rlc_heppo/s_axil   0x0
#   xdma/M_AXIS_H2C_0 ── s_axis;  m_axis ── xdma/S_AXIS_C2H_0;  irq ── user interrupt 0

proc rlc::design {} {
    set_property used_in_synthesis false [get_files heppo_crossing.tcl]
    rlc::begin

    rlc::host 1 1 0
    rlc::clock
    rlc::cell reset proc_sys_reset
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1]
    create_bd_cell -type module -reference rlc_heppo_u200 rlc_heppo

    rlc::net host_clk {xdma/axi_aclk clocks/clk_in1 reset/slowest_sync_clk control/aclk rlc_heppo/aclk}
    rlc::net core_clk {clocks/clk_out1 rlc_heppo/core_clk}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net host_resetn {xdma/axi_aresetn reset/ext_reset_in}
    rlc::net interconnect_resetn {reset/interconnect_aresetn control/aresetn}
    rlc::net resetn {reset/peripheral_aresetn rlc_heppo/aresetn}
    rlc::net irq {rlc_heppo/irq xdma/usr_irq_req}

    rlc::link xdma/M_AXI_LITE control/S00_AXI
    rlc::link control/M00_AXI rlc_heppo/s_axil
    rlc::link xdma/M_AXIS_H2C_0 rlc_heppo/s_axis
    rlc::link rlc_heppo/m_axis xdma/S_AXIS_C2H_0

    rlc::map xdma/M_AXI_LITE rlc_heppo/s_axil/reg0 0x0 4K

    rlc::ports clocks/clk_out1 reset/peripheral_aresetn rlc_heppo/irq
    rlc::finish
}
