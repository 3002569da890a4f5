# Synthesis of a core by itself, without pins, and its reports; sourced by Vivado in the target synth_ooc.
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} -objects [get_runs synth_1]
set_property STEPS.SYNTH_DESIGN.TCL.POST \
    [file join [file dirname [file normalize [info script]]] ooc_report.tcl] [get_runs synth_1]
