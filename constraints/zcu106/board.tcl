# What the block designs of a ZCU106 share: processor, clocks, reset, control bus, DMA. Sourced by Vivado after the
# sources are in the project and before heppo_bd.tcl or replay_learner_bd.tcl.
# SPDX-License-Identifier: Apache-2.0
#
# Cells have the names by which rlcores.buses.designs and PYNQ's overlay.ip_dict call them.

# The processor: registers by M_AXI_HPM0_FPD (32 bits), its memory by `memory` ports S_AXI_HP0_FPD .. (128 bits),
# one interrupt, and a clock of 100 MHz: the preset's PLL of 1500 MHz, divided, has no 200. Its DDR4, MIO and peripherals are
# those of AMD's preset for the board.
proc rlc::processor {memory} {
    rlc::cell ps zynq_ultra_ps_e
    apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e -config {apply_board_preset "1"} [get_bd_cells ps]
    set config [list \
        CONFIG.PSU__USE__M_AXI_GP0 1 CONFIG.PSU__MAXIGP0__DATA_WIDTH 32 \
        CONFIG.PSU__USE__M_AXI_GP1 0 CONFIG.PSU__USE__M_AXI_GP2 0 \
        CONFIG.PSU__USE__IRQ0 1 \
        CONFIG.PSU__FPGA_PL0_ENABLE 1 CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 100]
    for {set i 0} {$i < $memory} {incr i} {
        set port [expr {$i + 2}]
        lappend config CONFIG.PSU__USE__S_AXI_GP$port 1 CONFIG.PSU__SAXIGP${port}__DATA_WIDTH 128
    }
    set_property -dict $config [get_bd_cells ps]
}

# The clock of bus and cores in MHz.
# <clock of zcu106>
set rlc::mhz 200
# </clock>

# A clock wizard on the processor's clock, whose frequency comes to it with the net: the bus's clock, the core's where it has
# its own, and a reset for what runs on the bus, released when the clocks are stable.
proc rlc::clocks {own} {
    set config [list CONFIG.PRIM_SOURCE No_buffer CONFIG.CLKOUT1_REQUESTED_OUT_FREQ $::rlc::mhz \
        CONFIG.USE_RESET false CONFIG.USE_LOCKED true]
    if {$own} { lappend config CONFIG.CLKOUT2_USED true CONFIG.CLKOUT2_REQUESTED_OUT_FREQ $::rlc::mhz }
    rlc::cell clocks clk_wiz $config
    rlc::cell reset proc_sys_reset
}

# A simple DMA (no scatter-gather), each direction with a stream of this width in bits, 0: without. A transfer may have
# 64 MiB - 1.
proc rlc::dma {name to_core from_core} {
    set config [list CONFIG.c_include_sg 0 CONFIG.c_sg_length_width 26 CONFIG.c_addr_width 40]
    if {$to_core} {
        lappend config CONFIG.c_include_mm2s 1 CONFIG.c_m_axi_mm2s_data_width $to_core \
            CONFIG.c_m_axis_mm2s_tdata_width $to_core CONFIG.c_mm2s_burst_size 16
    } else {
        lappend config CONFIG.c_include_mm2s 0
    }
    if {$from_core} {
        lappend config CONFIG.c_include_s2mm 1 CONFIG.c_m_axi_s2mm_data_width $from_core \
            CONFIG.c_s_axis_s2mm_tdata_width $from_core CONFIG.c_s2mm_burst_size 16
    } else {
        lappend config CONFIG.c_include_s2mm 0
    }
    rlc::cell $name axi_dma $config
}

# The interrupt controller that PYNQ wants between a core and the processor, for one level.
proc rlc::interrupt {pin} {
    rlc::cell intc axi_intc [list CONFIG.C_IRQ_CONNECTION 1]
    rlc::net irq [list $pin intc/intr]
    rlc::net intc_irq {intc/irq ps/pl_ps_irq0}
}

# The ports that rlc_zcu106_top knows, on nets that are there already.
proc rlc::ports {core_clk irq} {
    create_bd_port -dir O -type clk bus_clk
    create_bd_port -dir O -type clk core_clk
    create_bd_port -dir O -type rst resetn
    create_bd_port -dir O -type intr irq
    connect_bd_net [get_bd_ports bus_clk] [get_bd_pins clocks/clk_out1]
    connect_bd_net [get_bd_ports core_clk] [get_bd_pins $core_clk]
    connect_bd_net [get_bd_ports resetn] [get_bd_pins reset/peripheral_aresetn]
    connect_bd_net [get_bd_ports irq] [get_bd_pins $irq]
}

# The processor's memory for one master: what lies below 2 GiB, and above where its addresses reach it. Boot flash and
# on-chip memory are not for a core.
proc rlc::memory {space port high} {
    set gp [expr {$port + 2}]
    set segments [list QSPI LPS_OCM]
    rlc::map $space ps/SAXIGP$gp/HP${port}_DDR_LOW 0x0 2G
    if {$high} {
        rlc::map $space ps/SAXIGP$gp/HP${port}_DDR_HIGH 0x800000000 32G
    } else {
        lappend segments DDR_HIGH
    }
    foreach segment $segments {
        exclude_bd_addr_seg -target_address_space [get_bd_addr_spaces $space] \
            [get_bd_addr_segs ps/SAXIGP$gp/HP${port}_$segment]
    }
}

# Where the processor finds registers: the core's from 0xA000_0000 on, in a window of this many bytes, and
# behind it, from a multiple of 64 KiB on, 64 KiB for each of these blocks.
proc rlc::registers {cell window blocks} {
    set at 0xA0000000
    rlc::map ps/Data $cell/s_axil/reg0 $at $window
    set bytes [expr {[string trimright $window KM] * ([string match *M $window] ? 0x100000 : 0x400)}]
    incr at [expr {($bytes + 0xFFFF) / 0x10000 * 0x10000}]
    foreach block $blocks {
        rlc::map ps/Data $block/Reg [format 0x%X $at] 64K
        incr at 0x10000
    }
}

# The block design of a core with a stream of 64 bits from the host and one to it, and no memory of its own. cell: its name, and that
# of its module without the board; window: of its registers; in, out: its streams are s_axis_IN and m_axis_OUT.
#
#   ps/M_AXI_HPM0_FPD ── control ─┬─ CELL/s_axil   0xA000_0000
#                                 ├─ dma           behind the registers, 64 KiB
#                                 └─ intc          behind it
#   dma (64 bits, both ways) ── s_axis_IN, m_axis_OUT;  dma ── memory ── ps/S_AXI_HP0_FPD
proc rlc::streams_design {cell window in out} {
    rlc::begin

    rlc::processor 1
    rlc::clocks 0
    rlc::dma dma 64 64
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 3]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI 2 CONFIG.NUM_MI 1]
    create_bd_cell -type module -reference ${cell}_zcu106 $cell
    rlc::interrupt $cell/irq

    rlc::net bus_clk [list \
        clocks/clk_out1 ps/maxihpm0_fpd_aclk ps/saxihp0_fpd_aclk reset/slowest_sync_clk \
        dma/s_axi_lite_aclk dma/m_axi_mm2s_aclk dma/m_axi_s2mm_aclk \
        control/aclk memory/aclk intc/s_axi_aclk $cell/aclk]
    rlc::net ps_clk {ps/pl_clk0 clocks/clk_in1}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net ps_resetn {ps/pl_resetn0 reset/ext_reset_in}
    rlc::net interconnect_resetn {reset/interconnect_aresetn control/aresetn memory/aresetn}
    rlc::net resetn [list reset/peripheral_aresetn dma/axi_resetn intc/s_axi_aresetn $cell/aresetn]

    rlc::link ps/M_AXI_HPM0_FPD control/S00_AXI
    rlc::link control/M00_AXI $cell/s_axil
    rlc::link control/M01_AXI dma/S_AXI_LITE
    rlc::link control/M02_AXI intc/s_axi
    rlc::link dma/M_AXIS_MM2S $cell/s_axis_$in
    rlc::link $cell/m_axis_$out dma/S_AXIS_S2MM
    rlc::link dma/M_AXI_MM2S memory/S00_AXI
    rlc::link dma/M_AXI_S2MM memory/S01_AXI
    rlc::link memory/M00_AXI ps/S_AXI_HP0_FPD

    rlc::registers $cell $window {dma/S_AXI_LITE intc/S_AXI}
    rlc::memory dma/Data_MM2S 0 1
    rlc::memory dma/Data_S2MM 0 1

    rlc::ports clocks/clk_out1 $cell/irq
    rlc::finish
}

# The block design of a core whose experiences come from the processor and lie in its memory. cell: its name, and that of its module
# without the board; window: of its registers; memories: its AXI4 masters, each
# with a port of the processor's memory and a block beside it, `records`, or of several `records_0` and so on.
#
#   ps/M_AXI_HPM0_FPD ── control ─┬─ CELL/s_axil   0xA000_0000
#                                 ├─ dma_exp       behind the registers, 64 KiB
#                                 ├─ dma_weights   behind it, 64 KiB
#                                 └─ intc          behind it
#   dma_exp (128 bits) ── s_axis_exp;  dma_weights (64 bits) ── s_axis_load, m_axis_read;  both ── memory ── ps/S_AXI_HP0_FPD
#   its masters (512 bits) ── records ── ps/S_AXI_HP1_FPD, HP2 …: what lies below 2 GiB, where PYNQ's buffers are
proc rlc::replay_design {cell window memories} {
    set ports [llength $memories]
    set records [list records]
    if {$ports > 1} {
        set records [list]
        for {set i 0} {$i < $ports} {incr i} { lappend records records_$i }
    }
    rlc::begin

    rlc::processor [expr {$ports + 1}]
    rlc::clocks 0
    rlc::dma dma_exp 128 0
    rlc::dma dma_weights 64 64
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 4]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI 3 CONFIG.NUM_MI 1]
    foreach block $records { rlc::cell $block smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1] }
    create_bd_cell -type module -reference ${cell}_zcu106 $cell
    rlc::interrupt $cell/irq

    set clocks [list clocks/clk_out1 ps/maxihpm0_fpd_aclk]
    for {set i 0} {$i <= $ports} {incr i} { lappend clocks ps/saxihp${i}_fpd_aclk }
    lappend clocks reset/slowest_sync_clk \
        dma_exp/s_axi_lite_aclk dma_exp/m_axi_mm2s_aclk \
        dma_weights/s_axi_lite_aclk dma_weights/m_axi_mm2s_aclk dma_weights/m_axi_s2mm_aclk \
        control/aclk memory/aclk
    set resets [list reset/interconnect_aresetn control/aresetn memory/aresetn]
    foreach block $records {
        lappend clocks $block/aclk
        lappend resets $block/aresetn
    }
    lappend clocks intc/s_axi_aclk $cell/aclk
    rlc::net bus_clk $clocks
    rlc::net ps_clk {ps/pl_clk0 clocks/clk_in1}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net ps_resetn {ps/pl_resetn0 reset/ext_reset_in}
    rlc::net interconnect_resetn $resets
    rlc::net resetn [list \
        reset/peripheral_aresetn dma_exp/axi_resetn dma_weights/axi_resetn intc/s_axi_aresetn $cell/aresetn]

    rlc::link ps/M_AXI_HPM0_FPD control/S00_AXI
    rlc::link control/M00_AXI $cell/s_axil
    rlc::link control/M01_AXI dma_exp/S_AXI_LITE
    rlc::link control/M02_AXI dma_weights/S_AXI_LITE
    rlc::link control/M03_AXI intc/s_axi
    rlc::link dma_exp/M_AXIS_MM2S $cell/s_axis_exp
    rlc::link dma_weights/M_AXIS_MM2S $cell/s_axis_load
    rlc::link $cell/m_axis_read dma_weights/S_AXIS_S2MM
    rlc::link dma_exp/M_AXI_MM2S memory/S00_AXI
    rlc::link dma_weights/M_AXI_MM2S memory/S01_AXI
    rlc::link dma_weights/M_AXI_S2MM memory/S02_AXI
    rlc::link memory/M00_AXI ps/S_AXI_HP0_FPD
    set port 0
    foreach memory $memories block $records {
        rlc::link $cell/$memory $block/S00_AXI
        rlc::link $block/M00_AXI ps/S_AXI_HP[incr port]_FPD
    }

    rlc::registers $cell $window {dma_exp/S_AXI_LITE dma_weights/S_AXI_LITE intc/S_AXI}
    rlc::memory dma_exp/Data_MM2S 0 1
    rlc::memory dma_weights/Data_MM2S 0 1
    rlc::memory dma_weights/Data_S2MM 0 1
    set port 0
    foreach memory $memories { rlc::memory $cell/$memory [incr port] 0 }

    rlc::ports clocks/clk_out1 $cell/irq
    rlc::finish
}
