# The block design rlc_bd for rlcores:system:agent on the U200: XDMA at 250 MHz, the core on its own clock
# (board.yaml), memory's port at 300 MHz (assumed: no vendor tool was run).
# SPDX-License-Identifier: Apache-2.0
#
#   xdma/M_AXI_LITE ── control ── rlc_agent/s_axil                                     0x0
#   xdma/M_AXIS_H2C_0 ── load_fifo ── load_width (512 to 64 bits) ── s_axis_load
#   m_axis_read ── read_width (64 to 512) ── read_fifo ── xdma/S_AXIS_C2H_0;  irq ── user interrupt 0
#   rlc_agent/m_axi ── memory ── dram                                                  0x0, 16 GiB
#   xdma/M_AXI_BYPASS ── memory ── dram: its first 128 MiB, for checkpoints                     0x0

proc rlc::design {} {
    rlc::begin

    rlc::host 1 1 128
    rlc::clock
    rlc::dram
    rlc::cell host_reset proc_sys_reset
    rlc::cell reset proc_sys_reset
    rlc::cell dram_reset proc_sys_reset
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 2]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI 2 CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 3]
    rlc::stream_in load 8
    rlc::stream_out read 8
    create_bd_cell -type module -reference rlc_agent_u200 rlc_agent

    rlc::net host_clk {
        xdma/axi_aclk clocks/clk_in1 host_reset/slowest_sync_clk control/aclk memory/aclk1
        load_fifo/s_axis_aclk read_fifo/m_axis_aclk rlc_agent/irq_clk
    }
    rlc::net core_clk {
        clocks/clk_out1 reset/slowest_sync_clk control/aclk1 memory/aclk
        load_fifo/m_axis_aclk read_fifo/s_axis_aclk load_width/aclk read_width/aclk rlc_agent/aclk
    }
    rlc::net dram_clk {dram/c0_ddr4_ui_clk dram_reset/slowest_sync_clk memory/aclk2}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net xdma_resetn {xdma/axi_aresetn host_reset/ext_reset_in reset/ext_reset_in}
    rlc::net host_resetn {
        host_reset/peripheral_aresetn control/aresetn load_fifo/s_axis_aresetn
    }
    rlc::net resetn {
        reset/peripheral_aresetn memory/aresetn read_fifo/s_axis_aresetn
        load_width/aresetn read_width/aresetn rlc_agent/aresetn
    }
    rlc::net dram_sys_reset {host_reset/peripheral_reset dram/sys_rst}
    rlc::net dram_ui_reset {dram/c0_ddr4_ui_clk_sync_rst dram_reset/ext_reset_in}
    rlc::net dram_resetn {dram_reset/peripheral_aresetn dram/c0_ddr4_aresetn}
    rlc::net irq {rlc_agent/irq xdma/usr_irq_req}

    rlc::link xdma/M_AXI_LITE control/S00_AXI
    rlc::link control/M00_AXI rlc_agent/s_axil
    rlc::link xdma/M_AXIS_H2C_0 load_fifo/S_AXIS
    rlc::link load_width/M_AXIS rlc_agent/s_axis_load
    rlc::link rlc_agent/m_axis_read read_width/S_AXIS
    rlc::link read_fifo/M_AXIS xdma/S_AXIS_C2H_0
    rlc::link rlc_agent/m_axi memory/S00_AXI
    rlc::link xdma/M_AXI_BYPASS memory/S01_AXI
    rlc::link memory/M00_AXI dram/C0_DDR4_S_AXI

    rlc::map xdma/M_AXI_LITE rlc_agent/s_axil/reg0 0x0 64K
    rlc::map rlc_agent/m_axi dram/C0_DDR4_MEMORY_MAP/C0_DDR4_ADDRESS_BLOCK 0x0 16G
    rlc::map xdma/M_AXI_BYPASS dram/C0_DDR4_MEMORY_MAP/C0_DDR4_ADDRESS_BLOCK 0x0 128M

    rlc::ports clocks/clk_out1 host_reset/peripheral_aresetn rlc_agent/irq
    rlc::finish
}
