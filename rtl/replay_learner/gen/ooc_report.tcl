# What synth_ooc is for; Vivado runs it in the folder of the run, NAME.runs/synth_1, when synthesis is over.
# SPDX-License-Identifier: Apache-2.0
if {[llength [get_ports -quiet core_clk]]} {
    source [file join [file dirname [file normalize [info script]]] .. heppo_crossing.tcl]
}
report_utilization -hierarchical -file utilisation.rpt
report_timing_summary -max_paths 10 -file timing.rpt
