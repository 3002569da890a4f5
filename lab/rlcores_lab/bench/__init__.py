"""What the cores do in a clock, measured on the Verilated RTL, and CPU peers timed in the same run."""
