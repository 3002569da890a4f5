"""Boards that answer nonsense, or vanish: drivers end with one sentence, soon, and take nothing for an answer."""

import errno
import random
import sys
import time
import types
from collections.abc import Callable

import numpy as np
import pytest
from fake_xdma import Card
from hardware import Hardware

from rlcores.buses import backends
from rlcores.buses.bus import BusError, Memory
from rlcores.cores.agent.driver import AGENT, AgentDriver
from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.policy.driver import PolicyDriver
from rlcores.cores.ppo.driver import ENV, PpoDriver
from rlcores.cores.replay_learner.driver import LEARNER, TREE, ReplayLearnerDriver
from rlcores.cores.sumtree.driver import SumTreeDriver, SumTreeError
from rlcores.eda import configs, registers
from rlcores.errors import RunFailed

GONE = 0xFFFFFFFF  # what a PCIe card that has gone reads as
# How a core's driver is made, and the maps of registers inside, by where they begin.
DRIVERS: dict[str, tuple[Callable, dict[str, int]]] = {
    "gae": (GaeDriver, {"gae": 0}),
    "sumtree": (SumTreeDriver, {"sumtree": 0}),
    "learner": (LearnerDriver, {"learner": 0}),
    "env": (EnvDriver, {"env": 0}),
    "policy": (lambda bus: PolicyDriver(bus, (10, 10, 10)), {"policy": 0}),
    "ppo_env": (PpoDriver, {"ppo": 0, "env": ENV}),
    "replay_learner": (ReplayLearnerDriver, {"replay_learner": 0, "sumtree": TREE, "learner": LEARNER}),
    "agent": (AgentDriver, {"agent": AGENT, "replay_learner": 0, "sumtree": TREE, "learner": LEARNER}),
}


def identity(maps: dict[str, int]) -> dict[int, int]:
    """ID and VERSION of the maps, by address."""
    words = {}
    for name, base in maps.items():
        known = registers.load(name)
        words |= {base + known[word].address: known[word].reset for word in ("ID", "VERSION")}
    return words


class Registers:
    """A user device of XDMA, and a core of an overlay: reads are what a function says."""

    def __init__(self, answer: Callable[[int], int]) -> None:
        self._answer = answer

    def read(self, address: int) -> int:
        return self._answer(address)

    def pread(self, count: int, address: int) -> bytes:
        return self._answer(address).to_bytes(4, "little")

    def write(self, *_) -> None:
        pass

    def pwrite(self, data: bytes, address: int) -> int:
        return 4

    def close(self) -> None:
        pass


def opened(monkeypatch, board: str, core: str, answer: Callable[[int], int]):
    """The bus to a core whose registers read so, and whose streams say nothing."""
    memory = {"memory": Memory} if core in ("replay_learner", "agent") else {}
    if board == "u200":
        return backends.open(board, core, "tiny", opener=lambda *_: Registers(answer), timeout=0.2, **memory)
    monkeypatch.setitem(sys.modules, "pynq", types.SimpleNamespace(allocate=None, Interrupt=None))
    half = types.SimpleNamespace(error=False, idle=False, transfer=lambda *_, **__: None)
    dma = types.SimpleNamespace(sendchannel=half, recvchannel=half, buffer_max_size=1 << 20)
    described = backends.describe(core, "tiny")
    streams = {"sources": dict.fromkeys(described.sources, "dma"), "sinks": dict.fromkeys(described.sinks, "dma")}
    overlay = types.SimpleNamespace(core=Registers(answer), dma=dma)
    return backends.open(board, core, "tiny", overlay=overlay, ip="core", timeout=0.2, **streams, **memory)


def one_sentence(error: BaseException) -> str:
    said = str(error)
    assert said and "\n" not in said
    return said


@pytest.mark.parametrize("board", ["u200", "zcu106"])
@pytest.mark.parametrize("core", DRIVERS)
def test_registers_of_no_core_are_a_sentence(monkeypatch, core: str, board: str, seed: int) -> None:
    make, maps = DRIVERS[core]
    known, rng = identity(maps), random.Random(seed)
    for word in (lambda: 0, lambda: GONE, *[lambda: rng.getrandbits(32)] * 4):
        with pytest.raises(RunFailed) as caught:
            make(opened(monkeypatch, board, core, lambda address, word=word: known.get(address, word())))
        assert "parameter registers are those of no core" in one_sentence(caught.value) or "has no layers" in str(
            caught.value
        )
    with pytest.raises(RunFailed, match=r"^no .* core answers: its ID register reads 0xFFFFFFFF instead"):
        make(opened(monkeypatch, board, core, lambda _: GONE))


@pytest.mark.parametrize("board", ["u200", "zcu106"])
@pytest.mark.parametrize("moves", [0, 50])
def test_a_status_that_is_stuck_is_a_sentence_within_the_time_limit(monkeypatch, board: str, moves: int) -> None:
    """As long as something changes the core is at work, however long that takes."""
    known = registers.load("env", configs.load("env", "tiny"))
    words = {register.address: register.reset for register in known.values()}
    status, begun = known["STATUS"], time.monotonic()

    def answer(address: int) -> int:
        if address != status.address or not busy:
            return words[address]
        looks = (time.monotonic() - begun) // 0.02 if moves else 0
        return status.by_name["running"].mask | (min(int(looks), moves) % 2 << 31)

    busy = False
    driver = EnvDriver(opened(monkeypatch, board, "env", answer))
    busy, begun = True, time.monotonic()
    with pytest.raises(RunFailed, match=r"core is still busy, and nothing has changed in it for 0\.2 s") as caught:
        driver._until_idle("running")
    one_sentence(caught.value)
    assert moves * 0.02 <= time.monotonic() - begun < 20


@pytest.mark.parametrize("board", ["u200", "zcu106"])
def test_a_register_that_cannot_be_read_is_a_sentence(monkeypatch, board: str) -> None:
    def fails(_: int) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(BusError, match=r"the read of 0x.* failed: .*Input/output error"):
        SumTreeDriver(opened(monkeypatch, board, "sumtree", fails))


def test_a_dma_that_tells_nonsense_is_a_sentence(monkeypatch) -> None:
    def bus(**channel):
        monkeypatch.setitem(
            sys.modules,
            "pynq",
            types.SimpleNamespace(allocate=lambda shape, dtype: np.zeros(shape, dtype), Interrupt=None),
        )
        half = types.SimpleNamespace(**({"error": False, "idle": True, "transfer": lambda *_, **__: None} | channel))
        half.wait = getattr(half, "wait", lambda: None)
        dma = types.SimpleNamespace(sendchannel=half, recvchannel=half, buffer_max_size=1 << 20)
        overlay = types.SimpleNamespace(core=Registers(lambda _: 0), dma=dma)
        return backends.open(
            "zcu106", "sumtree", "tiny", overlay=overlay, ip="core", timeout=0.2,
            sources={"s_axis_op": "dma", "s_axis_sample": "dma"}, sinks={"m_axis_op": "dma", "m_axis_sample": "dma"},
        )  # fmt: skip

    def broken() -> None:
        raise RuntimeError("DMA Slave Error")

    for channel, said in (
        ({"transferred": 1 << 25}, "says that 33554432 bytes came into 1048576"),
        ({"transferred": 0}, "ended a transfer with 0 bytes"),
        ({"transferred": 13}, "gave 13 bytes, which is no number of 16-byte beats"),
        ({"idle": False}, "did not happen within 0.2 s"),
        ({"wait": broken}, "stopped: DMA Slave Error"),
    ):
        with pytest.raises(BusError, match=said) as caught:
            bus(**channel).receive(13) if said.startswith("gave") else bus(**channel).transfer({}, {"m_axis_op": 3})
        one_sentence(caught.value)


class Fading:
    """A device of a card that is gone after a number of calls: registers read as ones, or streams give noise."""

    def __init__(self, device, left: list[int], noise: random.Random | None) -> None:
        self._device, self._left, self._noise = device, left, noise

    def _gone(self) -> bool:
        self._left[0] -= 1
        return self._left[0] < 0

    def pread(self, count: int, offset: int) -> bytes:
        return self._device.pread(count, offset) if not self._gone() or self._noise else b"\xff" * count

    def pwrite(self, data: bytes, offset: int) -> int:
        return self._device.pwrite(data, offset) if not self._gone() or self._noise else len(data)

    def readinto(self, view: memoryview) -> int:
        if not self._gone():
            return self._device.readinto(view)
        if self._noise is None:
            return 0
        view[:] = self._noise.randbytes(len(view))
        return len(view)

    def write(self, view: memoryview) -> int:
        return self._device.write(view) if not self._gone() else len(view)

    def wait(self, seconds: float) -> bool:
        return False

    def close(self) -> None:
        self._device.close()


@pytest.fixture
def fading():
    """A function from a core, calls that are answered and a source of noise to the bus of a card that fades."""
    made = []

    def make(core: str, calls: int, noise: random.Random | None):
        rtl = backends.open("sim", core, configs.load(core, "tiny"), limit=20_000)
        hardware, left = Hardware(rtl), [calls]
        card = Card(hardware, base=0x40000)
        # Noise never keeps anybody waiting, however busy the machine is; a card that is gone does.
        options = {"base": 0x40000, "timeout": 20.0 if noise else 0.3}
        options["opener"] = lambda *arguments: Fading(card(*arguments), left, noise)
        made.append((backends.open("u200", core, "tiny", **options), hardware))
        return made[-1][0]

    yield make
    for bus, hardware in made:
        bus.close()
        hardware.close()


def test_a_card_that_vanishes_is_said_and_nothing_waits_for_it(fading, seed: int) -> None:
    rng, said = random.Random(seed), []
    for _ in range(8):
        with pytest.raises(RunFailed) as caught:
            core = Gae(configs.load("gae", "tiny"), backend=fading("gae", rng.randrange(3, 60), None))
            rewards = np.ones((8, 4))
            for _ in range(100):
                core.compute(rewards, rewards, rewards > 2, rewards > 2, rewards[0])
        said.append(one_sentence(caught.value))
    assert all("no longer answers" in s or "is the card still there" in s or "did not happen" in s for s in said), said
    assert any("the GAE core no longer answers: its registers read 0xFFFFFFFF" in s for s in said), said


def test_noise_in_a_stream_is_no_answer(fading, seed: int) -> None:
    for turn in range(6):
        bus = fading("sumtree", 10_000, random.Random(seed + turn))
        tree = SumTreeDriver(bus)
        tree.operations([0] * 20, priority=5)  # inserts
        assert tree.samples([0] * 4)["status"].tolist() == [0] * 4
        bus._sinks["m_axis_op"]._device._left[0] = 0
        with pytest.raises(SumTreeError, match=r"abort\(\) it"):
            tree.operations([0] * 20, priority=5) if turn % 2 else tree.samples([0] * 20)
