"""How a driver reaches a core: simulated here, through PYNQ, XDMA or a serial line. One protocol, rlcores.buses.bus."""
