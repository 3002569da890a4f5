"""Vivado projects of the boards, checked without Vivado.

project    a target of FuseSoC set up, and its Tcl run to the end against the recorder
recorder   what Vivado would do with each command, as far as it can be known: names, pins, clocks, addresses
design     a block design: cells, nets, interfaces, addresses
catalogue  what the recorder knows of AMD's blocks, boards and commands (catalogue.yaml)
drivers    whether a block design is what the drivers believe
tcl        tclsh as a subprocess whose unknown commands are questions
verilog    ports and instances of plain Verilog modules
top        the Verilog top with its block design, AMD's blocks left empty, for yosys
"""
