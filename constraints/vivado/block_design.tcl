# What block designs of every board are written with. Sourced by Vivado before a board's own board.tcl.
# SPDX-License-Identifier: Apache-2.0

namespace eval rlc {}

# A cell of AMD's catalogue, of the newest version that this Vivado has, with its configuration.
proc rlc::cell {name ip {config {}}} {
    create_bd_cell -type ip -vlnv xilinx.com:ip:$ip $name
    if {[llength $config]} { set_property -dict $config [get_bd_cells $name] }
}

# An empty design rlc_bd. The headers that sources include stand beside sources: Vivado must know their folders before it
# takes a module as a cell, and FuseSoC's own line stands further down.
proc rlc::begin {} {
    set folders [lmap source [get_files {*.v *.sv}] { file dirname $source }]
    set_property include_dirs [lsort -unique $folders] [get_filesets sources_1]
    update_compile_order -fileset sources_1
    create_bd_design rlc_bd
    current_bd_design rlc_bd
}

# One net through these pins. Its name is not that of a port.
proc rlc::net {name pins} {
    connect_bd_net -net ${name}_net {*}[lmap pin $pins { get_bd_pins $pin }]
}

# One interface to another.
proc rlc::link {from to} {
    connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to]
}

# Where a master finds a slave.
proc rlc::map {space segment offset range} {
    assign_bd_address -offset $offset -range $range -target_address_space [get_bd_addr_spaces $space] \
        [get_bd_addr_segs $segment] -force
}

# Check, keep and generate; the design goes through synthesis with the rest of the project, not by itself.
proc rlc::finish {} {
    validate_bd_design
    save_bd_design
    set_property synth_checkpoint_mode None [get_files rlc_bd.bd]
    generate_target all [get_files rlc_bd.bd]
    close_bd_design [current_bd_design]
}
