"""The tables of Adam as Verilog: `python -m rlcores.cores.learner.tables log` (or exp) prints the file of one."""

from rlcores.cores.common import rom
from rlcores.cores.learner.optimisers.adam import exp_words, log_words


def rom_text(name: str) -> str:
    """The Verilog file of a table, name "log" or "exp"; as committed in rtl/nn/rlc_nn_<name>_rom.v."""
    return rom.text(f"nn/rlc_nn_{name}_rom.v", {"log": log_words(), "exp": exp_words() - 1024}[name])


if __name__ == "__main__":
    rom.command(rom_text, "log", "exp")
