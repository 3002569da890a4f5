"""rlcores: Verilog cores for reinforcement learning, and the tool that builds, verifies and drives them."""

__version__ = "0.1.0"
