"""The drivers over the simulated serial pins of the ULX3S's top: the results of `sim`, or an error."""

import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import same_results
from same_results import CORES

from rlcores.buses import backends, serial
from rlcores.buses.bus import BusError
from rlcores.buses.serial import ECHO, GET, HELLO, SerialLink, SerialPort, frame
from rlcores.buses.serial_pins import SimulatedPins
from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.sumtree.driver import SumTreeDriver, pack_operations, pack_requests
from rlcores.cores.sumtree.model import COMMIT, INSERT, RESERVE, UPDATE
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.eda import configs
from rlcores.errors import RunFailed, UserError

TINY = configs.load("serial", "tiny")


@pytest.fixture
def line():
    """A function from the drift of this end's bits to a link to the simulated board; the link has its pins as .pins."""
    made = []

    def make(drift: float = 0.0, wrap=lambda pins: pins, **options) -> SerialLink:
        pins = SimulatedPins(TINY, drift=drift, limit=3000)
        made.append(SerialLink(wrap(pins), **{"timeout": 0.1} | options))
        made[-1].pins = pins
        return made[-1]

    yield make
    for link in made:
        link.close()


def core(link: SerialLink, name: str):
    return backends.open("ulx3s", name, CORES[name], link=link)


def test_the_configuration_of_the_board_is_that_of_its_cores():
    for name, parameters in CORES.items():
        assert parameters.items() <= TINY.items(), name


@pytest.mark.parametrize("drift", [0.03, *(pytest.param(d, marks=pytest.mark.slow) for d in (0.0, -0.03))])
def test_advantages_are_those_of_the_simulated_bus(line, drift, seed):
    rng = np.random.default_rng(seed)
    link = line(drift)
    buses = backends.open("sim", "gae", CORES["gae"]), core(link, "gae")
    cores = [Gae(CORES["gae"], backend=bus, reward_scaling="standardise") for bus in buses]
    first, second = same_results.rollout(cores, rng)
    assert (first.shift, first.elements, first.flags) == (second.shift, second.elements, second.flags)
    assert second.elements == 14 * 8 and link.pins.bad == 0 and link.pins.cycles > 100_000


def test_replay_is_that_of_the_simulated_bus(line, seed):
    rng = np.random.default_rng(seed)
    trees = [SumTreeDriver(bus) for bus in (backends.open("sim", "sumtree", CORES["sumtree"]), core(line(), "sumtree"))]
    for _ in range(2):
        count = int(rng.integers(20, 60))
        kind = rng.choice([INSERT, UPDATE, RESERVE, COMMIT], count)
        operations = kind, rng.integers(0, 50, count), rng.integers(0, 256, count), rng.integers(0, 8, count)
        check = rng.random(count) < 0.5
        assert np.array_equal(*(tree.operations(*operations, check=check) for tree in trees))
    samplers = [PrioritizedSampler(50, backend=tree, seed=seed, **same_results.SAMPLER) for tree in trees]
    same_results.batches(samplers, range(1, 16, 3), rng)
    assert trees[0].counters() == trees[1].counters() and trees[1].counters()["samples"] > 30


def test_both_cores_work_side_by_side_on_one_line(line):
    link = line()
    array, tree = GaeDriver(core(link, "gae")), SumTreeDriver(core(link, "sumtree"))
    assert (array.shape.rows, array.shape.beat, tree.shape.capacity) == (4, 2, 50)
    assert tree.operations([INSERT] * 5, priority=[3, 4, 5, 6, 7])["index"].tolist() == [0, 1, 2, 3, 4]
    # Clearing one leaves the other as it was.
    array.clear()
    assert tree.total == 25 and link.irq & 2 == 0
    link.reset()
    SumTreeDriver(core(link, "sumtree"))
    assert tree.total == 0


class Bad:
    """A line that drops, changes or doubles a byte of each few, to the core or from it, while it is `on`."""

    def __init__(self, pins, rng) -> None:
        self.pins, self.rng, self.on, self.damaged = pins, rng, False, 0
        self.held = b""
        self.close, self.send_break = pins.close, pins.send_break

    def discard(self) -> None:
        self.held = b""
        self.pins.discard()

    def _damage(self, data: bytes) -> bytes:
        if not self.on or not data or self.rng.random() > 0.1:
            return data
        self.damaged += 1
        place, how = int(self.rng.integers(len(data))), self.rng.integers(3)
        middle = b"" if how == 0 else bytes([data[place] ^ 1 << int(self.rng.integers(8))])
        return data[:place] + middle + (data[place:] if how == 2 else data[place + 1 :])

    def write(self, data: bytes) -> None:
        self.pins.write(self._damage(data))

    def read(self, count: int, timeout: float) -> bytes:
        came = self._damage(self.pins.read(count, timeout)) if not self.held else b""
        data = self.held + came
        self.held = data[count:]
        return data[:count]


def on_a_clock_of_ours(monkeypatch, pins):
    """Time passes where a read finds nothing; how busy this machine is makes no difference."""
    now, read = [0.0], pins.read
    monkeypatch.setattr(serial, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def timed(count: int, timeout: float) -> bytes:
        data = read(count, timeout)
        now[0] += 1e-6 * len(data) if data else timeout
        return data

    pins.read = timed


@pytest.mark.parametrize("wanted", [(10, 5), pytest.param((50, 25), marks=pytest.mark.slow)])
def test_a_bad_line_gives_errors_and_never_a_wrong_answer(line, seed, wanted, monkeypatch):
    rng = np.random.default_rng(seed)
    bad: list[Bad] = []

    def wrap(pins):
        on_a_clock_of_ours(monkeypatch, pins)
        bad.append(Bad(pins, rng))
        return bad[0]

    link = line(wrap=wrap, repeats=0)
    bus = core(link, "sumtree")
    good = failed = 0
    while good < wanted[0] or failed < wanted[1]:
        tree = SumTreeDriver(bus)
        bad[0].on = True
        total = 0
        try:
            for _ in range(20):
                words = rng.integers(0, 2**32, int(rng.integers(1, 32)))
                assert np.array_equal(link.echo(words), words)
                priorities = rng.integers(0, 256, 3)
                answers = tree.operations([INSERT] * 3, priority=priorities)
                assert answers["status"].tolist() == [0, 0, 0]
                total += int(priorities.sum())
                assert tree.total == total
                good += 1
                if good % 10 == 9:
                    tree.clear()
                    total = 0
        except BusError:
            failed += 1
            # Nothing works until it is asked for.
            with pytest.raises(BusError, match="recover"):
                link.echo([1])
        bad[0].on = False
        link.recover()
        assert link.echo([5]).tolist() == [5]
    assert bad[0].damaged >= failed


def test_a_bad_line_is_made_good_by_repetition_and_nothing_is_done_twice(line, seed, monkeypatch):
    """Every insertion counts: one that was lost or carried out twice would change the total."""
    rng = np.random.default_rng(seed)
    bad: list[Bad] = []

    def wrap(pins):
        on_a_clock_of_ours(monkeypatch, pins)
        bad.append(Bad(pins, rng))
        return bad[0]

    link = line(wrap=wrap, repeats=10, timeout=0.4)
    tree = SumTreeDriver(core(link, "sumtree"))
    bad[0].on = True
    total = 0
    for _ in range(16):
        words = rng.integers(0, 2**32, int(rng.integers(1, 32)))
        assert np.array_equal(link.echo(words), words)
        priorities = rng.integers(1, 256, 3)
        answers = tree.operations([INSERT] * 3, priority=priorities)
        assert answers["status"].tolist() == [0, 0, 0]
        total += int(priorities.sum())
        assert tree.total == total
    assert tree.counters()["inserts"] == 48
    assert bad[0].damaged > 8 and link.repeated > 8


@pytest.mark.parametrize("cut", ["before", "after"])
def test_an_answer_that_is_lost_is_asked_for_again(line, cut):
    link = line()
    tree = SumTreeDriver(core(link, "sumtree"))
    write, lost = link.pins.write, []

    def send(data: bytes) -> None:
        if not lost and data[2] == 3:  # the first PUT
            lost.append(data)
            if cut == "before":
                return  # it never leaves
            write(data)
            link.pins.read(4096, 0.1)  # its answer never comes
        else:
            write(data)

    link.pins.write = send
    assert tree.operations([INSERT] * 4, priority=7)["index"].tolist() == [0, 1, 2, 3]
    assert lost and link.repeated == 1 and tree.total == 28


def test_the_rest_of_a_damaged_answer_may_take_its_time(line, monkeypatch):
    """A damaged count ends the answer after its head; the rest comes at the pace of a slow line, on a clock of ours."""
    link = line()
    now = [0.0]
    monkeypatch.setattr(serial, "time", SimpleNamespace(monotonic=lambda: now[0]))
    words = np.arange(link.info.words, dtype=np.uint32)
    read, came = link.pins.read, []

    def slowly(count: int, timeout: float) -> bytes:
        data = read(1, timeout)
        now[0] += 1e-3 if data else timeout
        came.extend(data)
        return b"\x7f" if len(came) == 8 and data else data  # the upper byte of the count

    link.pins.read = slowly
    assert np.array_equal(link.echo(words), words)
    assert link.repeated == 1


def test_frames_sent_twice_by_the_line_are_done_once(line):
    link = line()
    tree = SumTreeDriver(core(link, "sumtree"))
    write = link.pins.write
    link.pins.write = lambda data: write(data + data)
    for turn in range(4):
        assert tree.operations([INSERT] * 2, priority=3)["status"].tolist() == [0, 0]
        assert tree.total == 6 * (turn + 1)
    assert link.overruns + link.repeated > 0


def test_an_answer_out_of_step_is_an_error(line):
    link = line()
    write = link.pins.write
    # The answer to another request, whole and with the right CRC.
    link.pins.write = lambda data: write(frame(data[1] ^ 0x55, *data[2:4]))
    with pytest.raises(BusError, match=r"answer \d+ came to request \d+"):
        link.command(ECHO)
    link.pins.write = write
    with pytest.raises(BusError, match="recover"):
        link.echo([1])
    link.recover()
    assert link.echo([5]).tolist() == [5]


def test_a_trickle_of_bytes_is_no_answer(line):
    """A time limit that began anew with every byte would wait for a quarter of a million of them."""
    link = line(repeats=0)
    head = bytes((0xA5, 1, 0, 0, 0, 0, 32, 0))
    sent = iter(head + bytes(10_000))

    def read(count: int, timeout: float) -> bytes:
        time.sleep(0.06)
        return bytes([next(sent)])

    link.pins.read = read
    begun = time.monotonic()
    with pytest.raises(BusError, match="an answer stopped after"):
        link.command(ECHO)
    assert time.monotonic() - begun < 2


def test_passes_longer_than_a_frame_and_two_streams_at_once(line, seed):
    rng = np.random.default_rng(seed)
    tree = SumTreeDriver(core(line(), "sumtree"))
    tree.operations([INSERT] * 50, priority=1 + np.arange(50))
    # 40 operations are 160 words, a frame has 32; answers come while they are still sent.
    slots = rng.integers(0, 50, 40)
    operations, requests = pack_operations(UPDATE, slots, 7), pack_requests([2] * 32, np.arange(32))
    answers, samples = tree.both(operations, requests)
    assert answers["index"].tolist() == slots.tolist() and not answers["status"].any()
    assert len(samples) == 32 and not samples["status"].any()


def test_silence_and_too_many_beats_are_errors(line):
    link = line()
    bus = core(link, "gae")
    with pytest.raises(BusError, match=r"beat 0 of stream 'm_axis' did not happen within 0\.1 s"):
        bus.transfer({}, {"m_axis": 1})
    with pytest.raises(BusError, match=r"an interrupt did not happen within 0\.1 s"):
        bus.wait_irq()
    with pytest.raises(BusError, match=r"the end of a pass of stream 'm_axis' did not happen"):
        bus.receive(3)
    # Outside LOAD and MEASURE the core takes nothing: what fits in front of it is taken, and then no more.
    with pytest.raises(BusError, match="the end of the pass given to stream 's_axis' did not happen"):
        bus.send(np.zeros((9, 2), np.uint64))
    with pytest.raises(BusError, match="read of 0xFFC was answered with SLVERR"):
        bus.read(0xFFC)
    # None of this broke the link.
    link.reset()
    driver = GaeDriver(bus)
    driver.write("COMMAND", 0)
    tree = SumTreeDriver(core(link, "sumtree"))
    tree.operations([INSERT] * 8, priority=9)
    tree.configure(batch=4)
    tree.restart()
    tree.write("DRAW", 4)
    taken = link.command(GET, 2 | 0x80, where=32)
    assert taken.last and taken.moved == 32


def test_a_bridge_that_is_none_and_requests_that_are_none(line, seed):
    link = line()
    # A stray answer to somebody else's request.
    link.pins.write(frame(1, HELLO))
    link.pins.read(32 - 4, 0.1)
    with pytest.raises(BusError, match="the serial link failed"):
        link.echo([1])
    link.recover()
    with pytest.raises(UserError, match="a request has 33 words; a frame of this bridge carries 32"):
        link.echo([0] * 33)
    with pytest.raises(BusError, match="there is no such command"):
        link.command(77)
    with pytest.raises(BusError, match="there is no such stream"):
        link.command(GET, 3)
    with pytest.raises(BusError, match="its length is not allowed"):
        link.command(GET, 0, 33)
    assert link.echo([4]).tolist() == [4]
    assert (link.info.puts, link.info.gets, link.info.words) == (3, 3, 32)
    assert (link.info.clock_hz, link.info.clocks_per_bit) == (60_000_000, 8)


def test_the_button_resets_and_the_leds_tell(line):
    link = line()
    tree = SumTreeDriver(core(link, "sumtree"))
    tree.operations([INSERT], priority=9)
    assert tree.total == 9 and link.pins.leds & 0b1001 == 1
    link.pins.press_reset()
    SumTreeDriver(core(link, "sumtree"))
    assert tree.total == 0
    with pytest.raises(BusError):
        link.command(77)
    assert link.pins.leds & 0b1000


def test_wrong_use_is_told_before_anything_moves(line):
    link = line()
    before = link.pins.cycles
    bus = core(link, "gae")
    for call, text in (
        (lambda: bus.read(0x1000), "not in the 4096 bytes"),
        (lambda: bus.transfer({"m_axis": np.zeros((1, 2), np.uint64)}, {}), "takes no stream 'm_axis'"),
        (lambda: bus.transfer({}, {"s_axis": 1}), "gives no stream 's_axis'"),
        (lambda: bus.send(np.zeros((1, 3), np.uint64)), r"beats have shape \(1, 3\); this stream takes \(beats, 2\)"),
        (lambda: link.core("learner", {}), "there is no core 'learner' behind the serial line"),
        (lambda: link.core("gae", {"s_axis": 128}), "'m_axis' has beats of 0 bits"),
        (lambda: backends.open("ulx3s", "learner", "tiny", link=link), "no core 'learner' behind the serial line"),
        (lambda: backends.open("ulx3s", "gae", "tiny"), "either `port` or `link`"),
        (lambda: SerialLink(link.pins, timeout=0), "timeout is 0; it must be above 0"),
        (lambda: SerialLink(link.pins, repeats=-1), "repeats is -1; it must be 0 or more"),
        (lambda: SimulatedPins(TINY, drift=0.2), "drift is 0.2"),
    ):
        with pytest.raises(UserError, match=text):
            call()
    assert link.pins.cycles == before


def test_a_serial_port_is_used_as_pyserial_wants_it(line, monkeypatch):
    link = line()
    calls = []

    class Failure(OSError):
        pass

    class Serial:
        def __init__(self, port, baud, timeout):
            calls.append((port, baud))
            if port == "gone":
                raise Failure("no such file")
            self.timeout = timeout

        def write(self, data):
            # Some drivers take a part.
            link.pins.write(data[:7])
            return len(data[:7])

        def read(self, count):
            return link.pins.read(count, self.timeout)

        def send_break(self, duration):
            assert 0 < duration < 0.5
            link.pins.send_break()

        def reset_input_buffer(self):
            link.pins.discard()

        def close(self):
            calls.append("closed")

    monkeypatch.setitem(sys.modules, "serial", SimpleNamespace(Serial=Serial, SerialException=Failure))
    bus = backends.open("ulx3s", "gae", CORES["gae"], port="/dev/ttyUSB0", timeout=0.5)
    assert GaeDriver(bus).shape.lanes == 8
    bus.link.close()
    assert calls == [("/dev/ttyUSB0", 3_000_000), "closed"]
    with pytest.raises(RunFailed, match="serial port gone cannot be opened at 9600 baud: no such file"):
        SerialPort("gone", 9600)
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(RunFailed, match="'pyserial' is not installed"):
        SerialPort("/dev/ttyUSB0")
