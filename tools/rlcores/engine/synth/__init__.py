"""Synthesis of a core: area for UltraScale+ parts, place and route for ECP5.

sources   the files of a core, from its .core file
flow      yosys and nextpnr as subprocesses, with a cache by content
netlist   counts of cells by kind in yosys' JSON, module by module
area      figures for UltraScale+
placed    figures for ECP5
tables    devices (boards, and parts without one), the papers' figures and how cells count (tables.yaml)
"""
