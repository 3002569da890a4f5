# The block design rlc_bd for rlcores:learners:learners_ppo on the U200: XDMA at 250 MHz, the core on its own clock (board.yaml; assumed: no
# vendor tool was run).
# SPDX-License-Identifier: Apache-2.0
#
#   xdma/M_AXI_LITE ── control ── rlc_learners_ppo/s_axil                                     0x0
#   xdma/M_AXIS_H2C_0 ── load_fifo ── load_width (512 to 64 bits) ── s_axis_load
#   m_axis_read ── read_width (64 to 512) ── read_fifo ── xdma/S_AXIS_C2H_0;  irq ── user interrupt 0

proc rlc::design {} {
    rlc::begin {rlc_skid rlc_learner_update rlc_nn_adam rlc_env_regs rlc_ppo_regs}

    rlc::host 1 1 0
    rlc::clock
    rlc::cell host_reset proc_sys_reset
    rlc::cell reset proc_sys_reset
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 2]
    rlc::stream_in load 8
    rlc::stream_out read 8
    create_bd_cell -type module -reference rlc_learners_ppo_u200 rlc_learners_ppo

    rlc::net host_clk {
        xdma/axi_aclk clocks/clk_in1 host_reset/slowest_sync_clk control/aclk
        load_fifo/s_axis_aclk read_fifo/m_axis_aclk rlc_learners_ppo/irq_clk
    }
    rlc::net core_clk {
        clocks/clk_out1 reset/slowest_sync_clk control/aclk1 load_fifo/m_axis_aclk read_fifo/s_axis_aclk
        load_width/aclk read_width/aclk rlc_learners_ppo/aclk
    }
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net xdma_resetn {xdma/axi_aresetn host_reset/ext_reset_in reset/ext_reset_in}
    rlc::net host_resetn {host_reset/peripheral_aresetn control/aresetn load_fifo/s_axis_aresetn}
    rlc::net resetn {
        reset/peripheral_aresetn read_fifo/s_axis_aresetn load_width/aresetn read_width/aresetn rlc_learners_ppo/aresetn
    }
    rlc::net irq {rlc_learners_ppo/irq xdma/usr_irq_req}

    rlc::link xdma/M_AXI_LITE control/S00_AXI
    rlc::link control/M00_AXI rlc_learners_ppo/s_axil
    rlc::link xdma/M_AXIS_H2C_0 load_fifo/S_AXIS
    rlc::link load_width/M_AXIS rlc_learners_ppo/s_axis_load
    rlc::link rlc_learners_ppo/m_axis_read read_width/S_AXIS
    rlc::link read_fifo/M_AXIS xdma/S_AXIS_C2H_0

    rlc::map xdma/M_AXI_LITE rlc_learners_ppo/s_axil/reg0 0x0 2M

    rlc::ports clocks/clk_out1 host_reset/peripheral_aresetn rlc_learners_ppo/irq
    rlc::finish
}
