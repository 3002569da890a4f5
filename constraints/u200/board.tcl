# What the block designs of a U200 share: XDMA with streams, reference clock, clocks, resets, memory. Sourced by Vivado
# after the sources are in the project and before heppo_bd.tcl or replay_learner_bd.tcl.
# SPDX-License-Identifier: Apache-2.0
#
# XDMA's own clock is called host here; BAR 0 is its AXI4-Lite master (1 MiB from address 0).

# PCIe 3.0 x16 with this number of channels from the host and to it, 512 bits at 250 MHz each, one user interrupt, and
# a BAR of this many MiB on the card's memory from address 0 (0: none). The lanes' pins come from AMD's board files.
proc rlc::host {from_host to_host bypass} {
    set config [list \
        CONFIG.PCIE_BOARD_INTERFACE pci_express_x16 \
        CONFIG.mode_selection Advanced CONFIG.functional_mode DMA \
        CONFIG.en_gt_selection true CONFIG.select_quad GTY_Quad_227 \
        CONFIG.pl_link_cap_max_link_width X16 CONFIG.pl_link_cap_max_link_speed 8.0_GT/s \
        CONFIG.axi_data_width 512_bit CONFIG.axisten_freq 250 \
        CONFIG.xdma_axi_intf_mm AXI_Stream \
        CONFIG.xdma_rnum_chnl $from_host CONFIG.xdma_wnum_chnl $to_host CONFIG.xdma_num_usr_irq 1 \
        CONFIG.axilite_master_en true CONFIG.axilite_master_size 2 CONFIG.axilite_master_scale Megabytes \
        CONFIG.pciebar2axibar_axil_master 0x00000000]
    if {$bypass} {
        lappend config CONFIG.axist_bypass_en true \
            CONFIG.axist_bypass_size $bypass CONFIG.axist_bypass_scale Megabytes \
            CONFIG.pciebar2axibar_axist_bypass 0x0000000000000000
    }
    rlc::cell xdma xdma $config
    rlc::cell refclk util_ds_buf [list CONFIG.C_BUF_TYPE IBUFDSGTE CONFIG.C_SIZE 1]

    create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 pcie_refclk
    connect_bd_intf_net [get_bd_intf_ports pcie_refclk] [get_bd_intf_pins refclk/CLK_IN_D]
    create_bd_intf_port -mode Master -vlnv xilinx.com:interface:pcie_7x_mgt_rtl:1.0 pci_express_x16
    connect_bd_intf_net [get_bd_intf_ports pci_express_x16] [get_bd_intf_pins xdma/pcie_mgt]
    create_bd_port -dir I -type rst pcie_perstn
    connect_bd_net [get_bd_ports pcie_perstn] [get_bd_pins xdma/sys_rst_n]
    rlc::net refclk_gt {refclk/IBUF_OUT xdma/sys_clk_gt}
    rlc::net refclk {refclk/IBUF_DS_ODIV2 xdma/sys_clk}
}

# The clock of the cores in MHz.
# <clock of u200>
set rlc::mhz 200
# </clock>

# The cores' clock, made from the host's, whose frequency comes with the net.
proc rlc::clock {} {
    rlc::cell clocks clk_wiz [list \
        CONFIG.PRIM_SOURCE No_buffer \
        CONFIG.CLKOUT1_REQUESTED_OUT_FREQ $::rlc::mhz \
        CONFIG.USE_RESET false CONFIG.USE_LOCKED true]
}

# A stream between the host's clock and the core's, and between XDMA's 64 bytes and those of the core.
proc rlc::stream_in {name bytes} {
    rlc::fifo ${name}_fifo
    rlc::cell ${name}_width axis_dwidth_converter [list \
        CONFIG.S_TDATA_NUM_BYTES 64 CONFIG.M_TDATA_NUM_BYTES $bytes CONFIG.HAS_TKEEP 1 CONFIG.HAS_TLAST 1]
    rlc::link ${name}_fifo/M_AXIS ${name}_width/S_AXIS
}

proc rlc::stream_out {name bytes} {
    rlc::fifo ${name}_fifo
    rlc::cell ${name}_width axis_dwidth_converter [list \
        CONFIG.S_TDATA_NUM_BYTES $bytes CONFIG.M_TDATA_NUM_BYTES 64 CONFIG.HAS_TKEEP 1 CONFIG.HAS_TLAST 1]
    rlc::link ${name}_width/M_AXIS ${name}_fifo/S_AXIS
}

proc rlc::fifo {name} {
    rlc::cell $name axis_data_fifo [list \
        CONFIG.TDATA_NUM_BYTES 64 CONFIG.FIFO_DEPTH 32 CONFIG.IS_ACLK_ASYNC 1 CONFIG.HAS_TKEEP 1 CONFIG.HAS_TLAST 1]
}

# The card's second DIMM, 16 GiB, with its controller. Its pins come from AMD's board files; timing and widths are those
# of AMD's preset for it (ddr4_sdram_c1_preset), set here too.
proc rlc::dram {} {
    rlc::cell dram ddr4 [list \
        CONFIG.C0_DDR4_BOARD_INTERFACE ddr4_sdram_c1 CONFIG.C0_CLOCK_BOARD_INTERFACE default_300mhz_clk1 \
        CONFIG.C0.DDR4_MemoryType RDIMMs CONFIG.C0.DDR4_MemoryPart MTA18ASF2G72PZ-2G3 \
        CONFIG.C0.DDR4_DataWidth 72 CONFIG.C0.DDR4_DataMask NONE CONFIG.C0.DDR4_Ecc true \
        CONFIG.C0.DDR4_AxiDataWidth 512 CONFIG.C0.DDR4_AxiAddressWidth 34 \
        CONFIG.C0.DDR4_InputClockPeriod 3332 CONFIG.C0.DDR4_TimePeriod 833 \
        CONFIG.C0.DDR4_CasLatency 17 CONFIG.C0.DDR4_CasWriteLatency 12]
    create_bd_intf_port -mode Master -vlnv xilinx.com:interface:ddr4_rtl:1.0 ddr4_sdram_c1
    connect_bd_intf_net [get_bd_intf_ports ddr4_sdram_c1] [get_bd_intf_pins dram/C0_DDR4]
    create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 default_300mhz_clk1
    set_property CONFIG.FREQ_HZ 300000000 [get_bd_intf_ports default_300mhz_clk1]
    connect_bd_intf_net [get_bd_intf_ports default_300mhz_clk1] [get_bd_intf_pins dram/C0_SYS_CLK]
}

# The ports for the LEDs, on nets that are there already; irq is on the host's clock.
proc rlc::ports {core_clk resetn irq} {
    create_bd_port -dir O -type clk bus_clk
    create_bd_port -dir O -type clk core_clk
    create_bd_port -dir O -type rst resetn
    create_bd_port -dir O -type intr irq
    connect_bd_net [get_bd_ports bus_clk] [get_bd_pins xdma/axi_aclk]
    connect_bd_net [get_bd_ports core_clk] [get_bd_pins $core_clk]
    connect_bd_net [get_bd_ports resetn] [get_bd_pins $resetn]
    connect_bd_net [get_bd_ports irq] [get_bd_pins $irq]
}

# The block design of a core with a stream of 64 bits from the host and one to it, and no memory of its own. cell: its name, and that
# of its module without the board; window: of its registers; in, out: its streams are s_axis_IN and m_axis_OUT.
#
#   xdma/M_AXI_LITE ── control ── CELL/s_axil, at 0x0
#   xdma/M_AXIS_H2C_0 ── IN_fifo ── IN_width (512 to 64 bits) ── s_axis_IN
#   m_axis_OUT ── OUT_width (64 to 512) ── OUT_fifo ── xdma/S_AXIS_C2H_0;  irq ── user interrupt 0
proc rlc::streams_design {cell window in out} {
    rlc::begin

    rlc::host 1 1 0
    rlc::clock
    rlc::cell host_reset proc_sys_reset
    rlc::cell reset proc_sys_reset
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 2]
    rlc::stream_in $in 8
    rlc::stream_out $out 8
    create_bd_cell -type module -reference ${cell}_u200 $cell

    rlc::net host_clk [list \
        xdma/axi_aclk clocks/clk_in1 host_reset/slowest_sync_clk control/aclk \
        ${in}_fifo/s_axis_aclk ${out}_fifo/m_axis_aclk $cell/irq_clk]
    rlc::net core_clk [list \
        clocks/clk_out1 reset/slowest_sync_clk control/aclk1 ${in}_fifo/m_axis_aclk ${out}_fifo/s_axis_aclk \
        ${in}_width/aclk ${out}_width/aclk $cell/aclk]
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net xdma_resetn {xdma/axi_aresetn host_reset/ext_reset_in reset/ext_reset_in}
    rlc::net host_resetn [list host_reset/peripheral_aresetn control/aresetn ${in}_fifo/s_axis_aresetn]
    rlc::net resetn [list \
        reset/peripheral_aresetn ${out}_fifo/s_axis_aresetn ${in}_width/aresetn ${out}_width/aresetn $cell/aresetn]
    rlc::net irq [list $cell/irq xdma/usr_irq_req]

    rlc::link xdma/M_AXI_LITE control/S00_AXI
    rlc::link control/M00_AXI $cell/s_axil
    rlc::link xdma/M_AXIS_H2C_0 ${in}_fifo/S_AXIS
    rlc::link ${in}_width/M_AXIS $cell/s_axis_$in
    rlc::link $cell/m_axis_$out ${out}_width/S_AXIS
    rlc::link ${out}_fifo/M_AXIS xdma/S_AXIS_C2H_0

    rlc::map xdma/M_AXI_LITE $cell/s_axil/reg0 0x0 $window

    rlc::ports clocks/clk_out1 host_reset/peripheral_aresetn $cell/irq
    rlc::finish
}

# The block design of a core whose experiences come from the host and lie on the card. cell: its name, and that of its module without
# the board; window: of its registers; memories: its AXI4 masters.
#
#   xdma/M_AXI_LITE ── control ── CELL/s_axil                                     0x0
#   xdma/M_AXIS_H2C_0 ── exp_fifo ── exp_width (512 to 128 bits) ── s_axis_exp
#   xdma/M_AXIS_H2C_1 ── load_fifo ── load_width (512 to 64) ── s_axis_load
#   m_axis_read ── read_width (64 to 512) ── read_fifo ── xdma/S_AXIS_C2H_0;  irq ── user interrupt 0
#   its masters ── memory ── dram: BASE of each learner says where its records lie  0x0, 16 GiB
#   xdma/M_AXI_BYPASS ── memory ── dram: its first 128 MiB, for checkpoints         0x0
proc rlc::replay_design {cell window memories} {
    set ports [llength $memories]
    rlc::begin

    rlc::host 2 1 128
    rlc::clock
    rlc::dram
    rlc::cell host_reset proc_sys_reset
    rlc::cell reset proc_sys_reset
    rlc::cell dram_reset proc_sys_reset
    rlc::cell control smartconnect [list CONFIG.NUM_SI 1 CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 2]
    rlc::cell memory smartconnect [list CONFIG.NUM_SI [expr {$ports + 1}] CONFIG.NUM_MI 1 CONFIG.NUM_CLKS 3]
    rlc::stream_in exp 16
    rlc::stream_in load 8
    rlc::stream_out read 8
    create_bd_cell -type module -reference ${cell}_u200 $cell

    rlc::net host_clk [list \
        xdma/axi_aclk clocks/clk_in1 host_reset/slowest_sync_clk control/aclk memory/aclk1 \
        exp_fifo/s_axis_aclk load_fifo/s_axis_aclk read_fifo/m_axis_aclk $cell/irq_clk]
    rlc::net core_clk [list \
        clocks/clk_out1 reset/slowest_sync_clk control/aclk1 memory/aclk \
        exp_fifo/m_axis_aclk load_fifo/m_axis_aclk read_fifo/s_axis_aclk \
        exp_width/aclk load_width/aclk read_width/aclk $cell/aclk]
    rlc::net dram_clk {dram/c0_ddr4_ui_clk dram_reset/slowest_sync_clk memory/aclk2}
    rlc::net locked {clocks/locked reset/dcm_locked}
    rlc::net xdma_resetn {xdma/axi_aresetn host_reset/ext_reset_in reset/ext_reset_in}
    rlc::net host_resetn {
        host_reset/peripheral_aresetn control/aresetn exp_fifo/s_axis_aresetn load_fifo/s_axis_aresetn
    }
    rlc::net resetn [list \
        reset/peripheral_aresetn memory/aresetn read_fifo/s_axis_aresetn \
        exp_width/aresetn load_width/aresetn read_width/aresetn $cell/aresetn]
    rlc::net dram_sys_reset {host_reset/peripheral_reset dram/sys_rst}
    rlc::net dram_ui_reset {dram/c0_ddr4_ui_clk_sync_rst dram_reset/ext_reset_in}
    rlc::net dram_resetn {dram_reset/peripheral_aresetn dram/c0_ddr4_aresetn}
    rlc::net irq [list $cell/irq xdma/usr_irq_req]

    rlc::link xdma/M_AXI_LITE control/S00_AXI
    rlc::link control/M00_AXI $cell/s_axil
    rlc::link xdma/M_AXIS_H2C_0 exp_fifo/S_AXIS
    rlc::link exp_width/M_AXIS $cell/s_axis_exp
    rlc::link xdma/M_AXIS_H2C_1 load_fifo/S_AXIS
    rlc::link load_width/M_AXIS $cell/s_axis_load
    rlc::link $cell/m_axis_read read_width/S_AXIS
    rlc::link read_fifo/M_AXIS xdma/S_AXIS_C2H_0
    for {set i 0} {$i < $ports} {incr i} {
        rlc::link $cell/[lindex $memories $i] memory/[format S%02d_AXI $i]
    }
    rlc::link xdma/M_AXI_BYPASS memory/[format S%02d_AXI $ports]
    rlc::link memory/M00_AXI dram/C0_DDR4_S_AXI

    rlc::map xdma/M_AXI_LITE $cell/s_axil/reg0 0x0 $window
    foreach memory $memories {
        rlc::map $cell/$memory dram/C0_DDR4_MEMORY_MAP/C0_DDR4_ADDRESS_BLOCK 0x0 16G
    }
    rlc::map xdma/M_AXI_BYPASS dram/C0_DDR4_MEMORY_MAP/C0_DDR4_ADDRESS_BLOCK 0x0 128M

    rlc::ports clocks/clk_out1 host_reset/peripheral_aresetn $cell/irq
    rlc::finish
}
