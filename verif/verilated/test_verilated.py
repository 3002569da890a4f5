"""The Verilated bus, on a core that only answers: what it must carry, and what it must refuse to hide."""

import numpy as np
import pytest

from rlcores.buses import verilated
from rlcores.buses.bus import BusError
from rlcores.buses.verilated import VerilatedBus
from rlcores.errors import RunFailed, UserError

CORE = "rlcores:common:loopback"


def loopback(beat=2, **parameters) -> VerilatedBus:
    return VerilatedBus(CORE, "rlc_loopback", {"BEAT": beat, **parameters}, beat_bits=64 * beat, limit=1000)


def beats(rng, count, beat):
    return rng.integers(0, 2**64, (count, beat), dtype=np.uint64)


@pytest.mark.parametrize("beat", [1, 2, 4])
@pytest.mark.parametrize("stall", [0.0, 0.3, 0.9])
def test_streams_lose_repeat_or_reorder_no_beat(beat, stall, seed):
    with loopback(beat) as bus:
        bus.stall(seed, source=stall, sink=stall, registers=stall)
        stream = beats(np.random.default_rng(seed), 200, beat)
        before = bus.cycles
        assert np.array_equal(bus.exchange(stream, 300), stream)
        clocks = bus.cycles - before
        assert clocks == 201 if stall == 0 else clocks > 240, "the stalls change nothing, or appear unasked"


def test_a_transfer_takes_what_was_asked_for_whatever_its_tlast(seed):
    with loopback(2) as bus:
        bus.stall(seed, source=0.3, sink=0.3)
        stream = beats(np.random.default_rng(seed), 50, 2)
        first = bus.transfer({"s_axis": stream[:20]}, {"m_axis": 18})["m_axis"]
        rest = bus.transfer({"s_axis": stream[20:]}, {"m_axis": 32})["m_axis"]
        assert np.array_equal(np.vstack([first, rest]), stream)
        with pytest.raises(BusError, match="beat 3 of the m_axis stream did not happen within 1000 clocks"):
            bus.transfer({"s_axis": stream[:3]}, {"m_axis": 4})


def test_a_width_that_is_not_the_streams_own_is_refused():
    with pytest.raises(UserError, match=r"'s_axis' has beats of 128 bits; beat_bits, a multiple of 32, is 64"):
        VerilatedBus(CORE, "rlc_loopback", {"BEAT": 2}, beat_bits={"s_axis": 64, "m_axis": 128})


def test_registers_keep_what_was_written_under_stalls(seed):
    with loopback() as bus:
        bus.stall(seed, registers=0.5)
        values = np.random.default_rng(seed).integers(0, 2**32, 60)
        for i, value in enumerate(values):
            bus.write(4 * (i % 4), int(value))
            assert bus.read(4 * (i % 4)) == value
        bus.write(8, -2)
        assert bus.read(8) == 0xFFFFFFFE


def test_the_same_seed_stalls_in_the_same_clocks(seed):
    def clocks():
        with loopback() as bus:
            bus.stall(seed, source=0.5, sink=0.5, registers=0.5)
            bus.write(4, 1)
            bus.exchange(np.zeros((100, 2), np.uint64), 100)
            return bus.cycles

    assert clocks() == clocks()


def test_a_closed_simulation_says_so():
    bus = loopback()
    bus.close()
    bus.close()
    calls = (lambda: bus.read(0), lambda: bus.write(0, 1), bus.reset, lambda: bus.cycles, lambda: bus.receive(1))
    for call in calls:
        with pytest.raises(UserError, match="this simulation was closed"):
            call()


def test_two_models_in_one_process_do_not_share_state():
    with loopback(2) as one, loopback(2) as other, loopback(4) as wider:
        for value, bus in enumerate((one, other, wider)):
            bus.write(4, value)
        assert [bus.read(4) for bus in (one, other, wider)] == [0, 1, 2]


def test_an_interrupt_is_waited_for_and_its_absence_is_an_error():
    with loopback() as bus:
        with pytest.raises(BusError, match="interrupt did not happen within 1000 clocks"):
            bus.wait_irq()
        bus.write(0, 1)
        bus.wait_irq()
        bus.reset()
        assert bus.read(0) == 0


def test_a_register_that_does_not_exist_is_an_error_for_the_caller():
    with loopback() as bus:
        for access in (lambda: bus.read(16), lambda: bus.write(16, 0)):
            with pytest.raises(BusError, match="0x10 was answered with SLVERR"):
                access()


def test_a_silent_stream_and_one_without_end_are_errors():
    with loopback() as bus:
        with pytest.raises(BusError, match="stream did not happen within 1000 clocks"):
            bus.receive(1)
        with pytest.raises(BusError, match="5 beats without TLAST"):
            bus.exchange(np.zeros((6, 2), np.uint64), 5)


def test_a_core_that_changes_a_waiting_beat_is_caught(seed):
    with loopback(UNSTABLE=1) as bus:
        bus.stall(seed, sink=0.7)
        with pytest.raises(BusError, match="m_axis changed a beat"):
            bus.exchange(np.zeros((100, 2), np.uint64), 100)


def test_wrong_arguments_are_one_sentence():
    with loopback() as bus:
        with pytest.raises(UserError, match=r"\(3, 1\); this stream takes \(beats, 2\) words"):
            bus.send(np.zeros((3, 1), np.uint64))
        with pytest.raises(UserError, match=r"'sink' is 1\.0; it must be 0 to 0\.99"):
            bus.stall(1, sink=1.0)
    with pytest.raises(UserError, match="core 'rlcores:common:nothing' was not found"):
        VerilatedBus("rlcores:common:nothing", "top")


def test_an_illegal_parameter_says_what_verilator_said():
    with pytest.raises(RunFailed, match="rlc_loopback does not build"):
        verilated.build(CORE, "rlc_loopback", {"NO_SUCH": 1})


def test_an_unchanged_core_is_not_built_again():
    first = verilated.build(CORE, "rlc_loopback", {"BEAT": 2})
    before = first.stat().st_mtime_ns
    again = verilated.build(CORE, "rlc_loopback", {"BEAT": 2})
    assert again == first and again.stat().st_mtime_ns == before
    assert verilated.build(CORE, "rlc_loopback", {"BEAT": 4}) != first
