"""Synthesis of a core: area for UltraScale+ parts, place and route for ECP5.

sources   the files of a core, from its .core file
flow      yosys and nextpnr as subprocesses, with a cache by content
netlist   counts of cells by kind in yosys' JSON, module by module
area      figures for zcu106 and u200
placed    figures for ecp5
tables    devices, the papers' figures and how cells count (tables.yaml)
"""
