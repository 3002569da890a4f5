"""Registers of several PPO cores."""

from shared_registers import SharedRegisters

from rlcores.cores.learners.driver import WINDOW
from rlcores.eda import registers


class PpoRegisters(SharedRegisters):
    own, scratch, banks = "ppo", "TODO", 0

    async def interrupt(self, number: int) -> None:
        """A word that does not fit raises a flag."""
        await self.word(number, "IRQ_ENABLE", self.mask("IRQ_ENABLE", "flag"))
        await self.word(number, "EPOCHS", 0)

    async def calm(self, number: int) -> None:
        await self.word(number, "FLAGS", self.mask("FLAGS", "CONFIG"))
        await self.word(number, "IRQ_STATUS", self.mask("IRQ_STATUS", "flag"))
        await self.word(number, "IRQ_ENABLE", 0)

    async def word(self, number: int, name: str, value: int) -> None:
        await self.put(number * WINDOW + registers.load(self.own)[name].address, value)

    def mask(self, name: str, field: str) -> int:
        return registers.load(self.own)[name].by_name[field].mask
