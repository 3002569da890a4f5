# The block design rlc_bd for rlcores:learners:learners on the ZCU106, all on one clock (board.yaml; assumed: no
# vendor tool was run).
# SPDX-License-Identifier: Apache-2.0
#
#   ps/M_AXI_HPM0_FPD ── control ─┬─ rlc_learners/s_axil   0xA000_0000
#                                 ├─ dma_exp                     0xA020_0000
#                                 ├─ dma_weights                 0xA021_0000
#                                 └─ intc                        0xA022_0000
#   dma_exp (128 bits) ── s_axis_exp;  dma_weights (64 bits) ── s_axis_load, m_axis_read;  both ── memory ── ps/S_AXI_HP0_FPD
#   rlc_learners/m_axi_0 (512 bits) ── records_0 ── ps/S_AXI_HP1_FPD, m_axi_1 ── records_1 ── ps/S_AXI_HP2_FPD: what lies below
#   2 GiB, where PYNQ's buffers are

proc rlc::design {} {
    rlc::begin {rlc_skid rlc_learner_update rlc_nn_adam rlc_sumtree_slots rlc_replay_rx}

    rlc::processor 3
    rlc::clocks 0
    rlc::dma dma_exp 128 0
    rlc::dma dma_weights 64 64
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 4]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI 3 CONFIG.NUM_MI 1]
    rlc::cell records_0 smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1]
    rlc::cell records_1 smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1]
    create_bd_cell -type module -reference rlc_learners_zcu106 rlc_learners
    rlc::interrupt rlc_learners/irq

    rlc::net bus_clk {
        clocks/clk_out1 ps/maxihpm0_fpd_aclk ps/saxihp0_fpd_aclk ps/saxihp1_fpd_aclk ps/saxihp2_fpd_aclk reset/slowest_sync_clk
        dma_exp/s_axi_lite_aclk dma_exp/m_axi_mm2s_aclk
        dma_weights/s_axi_lite_aclk dma_weights/m_axi_mm2s_aclk dma_weights/m_axi_s2mm_aclk
        control/aclk memory/aclk records_0/aclk records_1/aclk intc/s_axi_aclk rlc_learners/aclk
    }
    rlc::net ps_clk {ps/pl_clk0 clocks/clk_in1}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net ps_resetn {ps/pl_resetn0 reset/ext_reset_in}
    rlc::net interconnect_resetn {reset/interconnect_aresetn control/aresetn memory/aresetn records_0/aresetn records_1/aresetn}
    rlc::net resetn {
        reset/peripheral_aresetn dma_exp/axi_resetn dma_weights/axi_resetn intc/s_axi_aresetn rlc_learners/aresetn
    }

    rlc::link ps/M_AXI_HPM0_FPD control/S00_AXI
    rlc::link control/M00_AXI rlc_learners/s_axil
    rlc::link control/M01_AXI dma_exp/S_AXI_LITE
    rlc::link control/M02_AXI dma_weights/S_AXI_LITE
    rlc::link control/M03_AXI intc/s_axi
    rlc::link dma_exp/M_AXIS_MM2S rlc_learners/s_axis_exp
    rlc::link dma_weights/M_AXIS_MM2S rlc_learners/s_axis_load
    rlc::link rlc_learners/m_axis_read dma_weights/S_AXIS_S2MM
    rlc::link dma_exp/M_AXI_MM2S memory/S00_AXI
    rlc::link dma_weights/M_AXI_MM2S memory/S01_AXI
    rlc::link dma_weights/M_AXI_S2MM memory/S02_AXI
    rlc::link memory/M00_AXI ps/S_AXI_HP0_FPD
    rlc::link rlc_learners/m_axi_0 records_0/S00_AXI
    rlc::link records_0/M00_AXI ps/S_AXI_HP1_FPD
    rlc::link rlc_learners/m_axi_1 records_1/S00_AXI
    rlc::link records_1/M00_AXI ps/S_AXI_HP2_FPD

    rlc::map ps/Data rlc_learners/s_axil/reg0 0xA0000000 2M
    rlc::map ps/Data dma_exp/S_AXI_LITE/Reg 0xA0200000 64K
    rlc::map ps/Data dma_weights/S_AXI_LITE/Reg 0xA0210000 64K
    rlc::map ps/Data intc/S_AXI/Reg 0xA0220000 64K
    rlc::memory dma_exp/Data_MM2S 0 1
    rlc::memory dma_weights/Data_MM2S 0 1
    rlc::memory dma_weights/Data_S2MM 0 1
    rlc::memory rlc_learners/m_axi_0 1 0
    rlc::memory rlc_learners/m_axi_1 2 0

    rlc::ports clocks/clk_out1 rlc_learners/irq
    rlc::finish
}
