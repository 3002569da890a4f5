"""A priority that comes back for a transition which was overwritten lands on none of its successors: every drop-in.

Each part fills eight slots, draws a batch, overwrites all slots, and gives priorities for the batch by its own call.
"""

import asyncio
import contextlib
import copy
import pickle

import numpy as np
import pytest

from rlcores import PrioritizedSampler, ReplayBuffer
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.integrations.handed import KEPT, Overwritten
from rlcores.net import BankedClient, ReplayClient, ReplayServer, aio

SLOTS = 8
TD = np.full(SLOTS, 1e-3)
PARTS, HERE = {}, contextlib.ExitStack()


def part(*libraries):
    def named(make):
        PARTS[make.__name__] = make, libraries
        return make

    return named


@part()
def sampler():
    made = PrioritizedSampler(SLOTS, alpha=1.0)
    return (
        lambda _: made.add(SLOTS),
        lambda: made.sample(SLOTS),
        lambda batch: made.update(batch.indices, TD, batch.generations),
        lambda: (made.tree.total, made.stale),
    )


@part()
def buffer():
    made = ReplayBuffer(SLOTS, {"observation": ((), "int64")}, alpha=1.0)
    no = np.zeros(SLOTS, bool)

    def fill(first):
        here = first + np.arange(SLOTS)
        made.add(observation=here, next_observation=here + 1, reward=TD, terminated=no, truncated=no)

    return (
        fill,
        lambda: made.sample(SLOTS),
        lambda batch: made.update(batch.indices, TD, batch.generations),
        lambda: (made.sampler.tree.total, made.sampler.stale),
    )


def torchrls(kind, update, of=lambda batch: batch):
    import torch
    from tensordict import TensorDict
    from torchrl.data import LazyTensorStorage

    from rlcores.integrations.torchrl import SumTreeSampler

    held = SumTreeSampler(SLOTS, alpha=1.0, beta=0.4)
    made = kind(storage=LazyTensorStorage(SLOTS), sampler=held, batch_size=SLOTS)
    return (
        lambda first: made.extend(TensorDict({"x": torch.arange(SLOTS) + first}, [SLOTS])),
        lambda: of(made.sample(return_info=True)),
        lambda batch: update(made, batch, torch.full((SLOTS,), 1e-3)),
        lambda: (held._sampler.tree.total, held.stale),
    )


def by_tensordict(made, batch, errors):
    batch[0]["td_error"] = errors
    made.update_tensordict_priority(batch[0])


@part("torchrl")
def torchrl_tensordict():
    from torchrl.data import TensorDictReplayBuffer

    return torchrls(TensorDictReplayBuffer, by_tensordict)


@part("torchrl")
def torchrl_tensordict_on_its_way():
    """The batch is cloned, as on its way to another device."""
    from torchrl.data import TensorDictReplayBuffer

    return torchrls(TensorDictReplayBuffer, by_tensordict, lambda batch: (batch[0].clone(), None))


@part("torchrl")
def torchrl_index():
    from torchrl.data import ReplayBuffer as Buffer

    return torchrls(Buffer, lambda made, batch, errors: made.update_priority(batch[1]["index"], errors))


@part("torchrl")
def torchrl_sampler():
    """By the sampler's own call, a part of the batch at a time."""
    from torchrl.data import ReplayBuffer as Buffer

    def update(made, batch, errors):
        for some in (slice(0, 3), slice(3, None)):
            made.sampler.update_priority(batch[1]["index"][some].clone(), errors[some])

    return torchrls(Buffer, update)


@part("torchrl")
def torchrl_server():
    import torch
    from tensordict import TensorDict

    from rlcores.integrations.torchrl_server import server_buffer

    server, example = at_server(8), TensorDict({"x": torch.tensor(0)}, [])
    made = server_buffer(server.address, example, batch_size=SLOTS)
    HERE.callback(made.storage.client.close)

    def update(batch):
        batch["td_error"] = torch.full((SLOTS,), 1e-3)
        made.update_tensordict_priority(batch)

    return (
        lambda first: made.extend(TensorDict({"x": torch.arange(SLOTS) + first}, [SLOTS])),
        made.sample,
        update,
        lambda: made.storage.client.flush() or counts(made.storage.client.stats()),
    )


def tianshous(made, envs):
    from tianshou.data import Batch

    def fill(first):
        for k in range(SLOTS // envs):
            seen = np.full((envs, 1), first + k, float)
            no = np.zeros(envs, bool)
            step = Batch(obs=seen, act=no, rew=seen[:, 0], terminated=no, truncated=no, obs_next=seen + 1)
            made.add(step, buffer_ids=list(range(envs)))

    def update(indices):
        made.update_weight(indices, TD)

    return fill, lambda: made.sample(SLOTS)[1], update, lambda: (made.sampler.tree.total, made.sampler.stale)


@part("tianshou")
def tianshou_one():
    from rlcores.integrations.tianshou import PrioritizedReplayBuffer

    return tianshous(PrioritizedReplayBuffer(SLOTS, alpha=1.0, beta=0.4), 1)


@part("tianshou")
def tianshou_vector():
    from rlcores.integrations.tianshou import PrioritizedVectorReplayBuffer

    return tianshous(PrioritizedVectorReplayBuffer(SLOTS, 4, alpha=1.0, beta=0.4), 4)


def sb3s(kind, read, **options):
    from gymnasium import spaces

    space = spaces.Box(-np.inf, np.inf, (1,), np.float32)
    made = kind(options.pop("size", SLOTS), space, spaces.Discrete(2), "cpu", 2, **options)

    def fill(first):
        for k in range(SLOTS // 2):
            seen = np.full((2, 1), first + k, np.float32)
            made.add(seen, seen + 1, np.zeros(2, int), np.ones(2), np.zeros(2, bool), [{}, {}])

    return fill, lambda: made.sample(SLOTS), lambda batch: made.update_priorities(batch, TD), lambda: read(made)


@part("stable_baselines3")
def sb3():
    from rlcores.integrations.sb3 import PrioritizedReplayBuffer

    return sb3s(PrioritizedReplayBuffer, lambda made: (made.sampler.tree.total, made.sampler.stale), alpha=1.0)


@part("stable_baselines3")
def sb3_server():
    from rlcores.integrations.sb3 import ServerReplayBuffer

    def read(made):
        HERE.callback(made.client.close)
        made.client.flush()
        return counts(made.client.stats())

    return sb3s(ServerReplayBuffer, read, size=2, address=at_server(32).address)


def at_server(record_bytes, banks=1):
    settings = ServerSettings(capacity=SLOTS // banks, record_bytes=record_bytes, banks=banks)
    return HERE.enter_context(ReplayServer(settings))


def counts(stats):
    stats = stats if isinstance(stats, list) else [stats]
    return sum(each["total"] for each in stats), sum(each["stale"] for each in stats)


def clients(made, now=lambda call: call):
    def fill(_):
        now(made.put(np.arange(SLOTS)))
        now(made.flush())

    def read():
        now(made.flush())
        return counts(now(made.stats()))

    def update(batch):
        now(made.update(batch.slots, batch.generations, TD))

    return fill, lambda: now(made.sample(SLOTS)), update, read


@part()
def client():
    return clients(HERE.enter_context(ReplayClient(at_server(8).address)))


@part()
def client_of_banks():
    return clients(HERE.enter_context(BankedClient(at_server(8, banks=2).address)))


def in_tasks(kind, **settings):
    loop = asyncio.new_event_loop()
    HERE.callback(loop.close)
    made = kind(at_server(8, **settings).address)
    loop.run_until_complete(made.connect())
    HERE.callback(made.close)
    return clients(made, loop.run_until_complete)


@part()
def client_in_tasks():
    return in_tasks(aio.ReplayClient)


@part()
def client_of_banks_in_tasks():
    return in_tasks(aio.BankedClient, banks=2)


@pytest.mark.parametrize("name", PARTS)
def test_successors_keep_their_priority_and_the_dropped_ones_are_counted(name):
    make, libraries = PARTS[name]
    for library in libraries:
        pytest.importorskip(library)
    with HERE:
        fill, sample, update, read = make()
        fill(0)
        batch = sample()
        before = read()
        update(batch)
        landed = read()
        assert landed[1] == 0 and landed[0] < before[0]  # while they are there, priorities do land
        late = sample()
        fill(100)
        total = read()[0]
        update(late)
        assert read() == (total, SLOTS)
        update(sample())
        after = read()
        assert after[0] < total and after[1] == SLOTS


# --- the memory of what was handed out, without any of the libraries ---


def test_a_batch_is_known_by_its_memory_by_its_numbers_and_by_a_part_of_them():
    seen = Overwritten(8)
    slots = np.array([3, 1, 1, 6])
    seen.drew(slots, slots)
    seen.wrote(None, np.array([1, 2]))
    for back in (slots, slots[:], slots.copy()):
        assert seen.there(back, back).tolist() == [True, False, False, True]
    part = slots[slots != 3].copy()
    assert seen.there(part, part).tolist() == [False, False, True]
    for other in ([6, 1], [1, 1, 1], [2], [1, 2]):  # of no batch: somebody's own indices
        assert seen.there(None, np.array(other)).all()
    again = np.array([1, 6])
    seen.drew(again, again)
    assert seen.there(again, again).all() and not seen.there(slots, slots)[1]


def test_what_a_writer_was_told_is_new_although_the_slots_were_drawn_before():
    seen = Overwritten(4)
    drawn, written = np.arange(4), np.arange(4)
    seen.drew(drawn, drawn)
    seen.wrote(written, written)
    assert seen.there(written, written).all() and not seen.there(drawn, drawn).any()
    for k in range(2 * KEPT):
        one = np.array([k % 4])
        seen.wrote(None, one)
        assert seen.there(None, one).all()  # as a writer that adds one by one
    assert not seen.there(drawn.copy(), drawn).any()


def test_copies_know_what_the_first_does_and_what_was_cleared_is_overwritten():
    seen = Overwritten(200)
    batches = [np.arange(k, k + 2) for k in range(0, 2 * KEPT + 20, 2)]
    for batch in batches:
        seen.drew(batch, batch)
    seen.wrote(None, np.array([0, 21]))
    for each in (seen, copy.deepcopy(seen), pickle.loads(pickle.dumps(seen))):
        assert each.there(batches[0], batches[0]).all()  # too long ago
        assert each.there(batches[10].copy(), batches[10]).tolist() == [True, False]
    seen.clear()
    assert not seen.there(batches[-1], batches[-1]).any()
