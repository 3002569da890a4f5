"""What goes between environments, policy and replay learner: each experience is what was seen, done and answered."""

import json
import os
import random
from collections import Counter, deque

import cocotb
import numpy as np
from bench_hits import leave
from bench_pins import start_clock
from cocotb.triggers import ReadOnly, RisingEdge

from rlcores.cores.env import beats

EXPERIENCES = 200
REWARD = 27  # bits


def signed(value: int, bits: int) -> int:
    return value - (value >> bits - 1 << bits)


def record(seen: list[int], action: int, beat: np.ndarray, lanes: int, actions: int, shift: int) -> list[int]:
    """The words of an experience, 32 bits a lane, each as a list; the last one is the record's last.

    actions: numbers of an action, 0: an index.
    """
    reward = int(beat["reward"]) + 4 >> 3
    numbers = [signed(action >> 18 * i & 0x3FFFF, 18) for i in range(actions)]
    vector = [2 * x + (1 << shift >> 1) >> shift for x in numbers]
    index = 0 if actions else action
    parts = ([index | int(beat["terminated"]) << 31, reward, 0xFFFFFFFF], seen, vector, beat["final"].tolist())
    flat = [x & 0xFFFFFFFF for part in parts for x in part + [0] * (-len(part) % lanes)]
    return flat


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(edge=[0, 1, None])
async def experiences_are_what_was_seen_done_and_answered(dut, edge):
    """edge: bits that an action's number loses, where a half is seen; None: any."""
    parameters = json.loads(os.environ["RLCORES_PARAMETERS"])
    obs, n_envs, obs_lanes, lanes = (int(parameters[name]) for name in ("OBS", "N_ENVS", "OBS_LANES", "REC_LANES"))
    actions = int(parameters.get("ACTIONS", 0))
    if edge is not None and not actions:
        return  # an index loses none
    rng = np.random.default_rng(random.getrandbits(32))
    shift = int(rng.integers(0, 18)) if edge is None else edge
    dut.cfg_shift.value = shift
    start_clock(dut.clk)
    for name in ("s_env_valid", "m_env_ready", "m_obs_ready", "s_act_valid", "m_exp_ready", "may_act", "may_store"):
        getattr(dut, name).value = 0
    dut.rst.value = 1
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0

    def answer(first: bool) -> np.ndarray:
        beat = np.zeros(1, beats.dtype(obs))
        limit = 1 << rng.integers(2, 18)
        beat["obs"], beat["final"] = rng.integers(-limit, limit, (2, 1, obs))
        if first:
            beat["first"] = True
        else:
            top = 1 << rng.integers(2, REWARD)
            beat["reward"] = rng.integers(-top, top)
            beat["terminated"], beat["truncated"] = rng.random(2) < 0.15
        return beat[0]

    answers = deque(answer(True) for _ in range(n_envs))
    seen: deque[list[int]] = deque()  # what the policy was shown, and has not been answered by an environment
    acting: deque[list[int]] = deque()  # what the policy must be shown
    taken_at: deque[int] = deque()  # and since when
    done: deque[int] = deque()  # what it did
    to_act: deque[int] = deque()
    wanted: deque[int] = deque()  # lanes of experiences
    word: list[int] = []
    sums, turn = [0] * n_envs, 0
    hits: Counter[str] = Counter()
    returns, counted_returns = [], []
    share, clock, way = random.choice((0.0, 0.3, 0.7)), 0, 100
    acts_rarely = edge == 1 or random.random() < 0.5  # each answer then finds the queues empty behind it
    begun = False  # an observation was offered, and has not entered
    offered = acts = False
    env_ready = exp_ready = obs_ready = False
    while hits["experiences"] < EXPERIENCES:
        await ReadOnly()
        taken = offered and int(dut.s_env_ready.value)
        shown = obs_ready and int(dut.m_obs_valid.value)
        shown_word = int(dut.m_obs_data.value) if shown else 0
        acted = acts and int(dut.s_act_ready.value)
        if int(dut.m_obs_valid.value) and not word:
            way = min(way, clock - taken_at[0])
        exp = exp_ready and int(dut.m_exp_valid.value)
        exp_word, exp_last = (int(dut.m_exp_data.value), int(dut.m_exp_last.value)) if exp else (0, 0)
        if taken and int(dut.ev_ended.value):
            counted_returns.append((dut.ev_return.value.to_signed(), int(dut.ev_terminated.value)))
        entered, let_in = int(dut.entered.value), int(dut.let_in.value)
        assert int(dut.offers.value) == begun
        begun = bool(int(dut.m_obs_valid.value)) and not entered
        hits["waited"] += begun
        if acted:
            assert int(dut.m_env_valid.value) and int(dut.m_env_data.value) == to_act[0] and int(dut.acted.value)
        await RisingEdge(dut.clk)
        clock += 1
        if taken:
            beat = answers.popleft()
            offered = False
            assert let_in == (not beat["first"])
            if not beat["first"]:
                wanted.extend(record(seen.popleft(), done.popleft(), beat, lanes, actions, shift))
                sums[turn] += int(beat["reward"])
                if beat["terminated"] or beat["truncated"]:
                    returns.append((sums[turn], int(beat["terminated"])))
                    sums[turn] = 0
                turn = (turn + 1) % n_envs
            acting.append(beat["obs"].tolist())
            taken_at.append(clock - 1)
        if shown:
            word += [signed(shown_word >> 18 * i & 0x3FFFF, 18) for i in range(obs_lanes)]
            if len(word) >= obs:
                assert entered
                assert word[:obs] == acting[0] and not any(word[obs:])
                seen.append(acting.popleft())
                taken_at.popleft()
                to_act.append(random.getrandbits(18 * actions or 8))
                word = []
        if acted:
            done.append(to_act.popleft())
            acts = False
            answers.append(answer(False))
        if exp:
            for i in range(lanes):
                assert exp_word >> 32 * i & 0xFFFFFFFF == wanted.popleft()
            assert exp_last == (not wanted)
            hits["experiences"] += exp_last
        if not offered and answers and rng.random() >= share:
            offered = True
            dut.s_env_data.value = sum(int(w) << 64 * i for i, w in enumerate(beats.pack(np.array([answers[0]]))[0]))
        dut.s_env_valid.value = offered
        if not acts and to_act and rng.random() >= (0.9 if acts_rarely else share):
            acts = True
            dut.s_act_data.value = to_act[0]
        dut.s_act_valid.value = acts
        env_ready, exp_ready, obs_ready = (rng.random(3) >= share).tolist()
        dut.m_env_ready.value, dut.m_exp_ready.value, dut.m_obs_ready.value = env_ready, exp_ready, obs_ready
        dut.may_act.value, dut.may_store.value = (rng.random(2) >= share / 2).tolist()
    assert counted_returns == returns
    hits["ended"], hits["way"] = len(returns), way
    leave(hits)
