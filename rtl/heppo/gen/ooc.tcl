# Synthesis of a core by itself, without pins, and its reports; sourced by Vivado in the target synth_ooc.
# SPDX-License-Identifier: Apache-2.0
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} -objects [get_runs synth_1]
set_property STEPS.SYNTH_DESIGN.TCL.POST \
    [file join [file dirname [file normalize [info script]]] ooc_report.tcl] [get_runs synth_1]
# Registers have the names that these bounds know only after synthesis; ooc_report.tcl reads them.
foreach file [get_files -quiet *_crossing.tcl] { set_property used_in_synthesis false $file }
# edalize's Makefile goes on to a bitstream unless it is told `make synth`.
set_property STEPS.INIT_DESIGN.TCL.PRE [file join [file dirname [file normalize [info script]]] ooc_end.tcl] [get_runs impl_1]
