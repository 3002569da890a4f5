"""Resources that each core takes: models fitted to what yosys counted, a module a core."""
