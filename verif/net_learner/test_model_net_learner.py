"""The net learner's model: datagrams in one order leave what the loop written out by hand leaves."""

from collections import deque

import numpy as np
import pytest
from replay_cases import experiences, model, same, start, state_of_all, weights

from rlcores import ReplayLearner
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.net_learner import text
from rlcores.cores.net_learner.model import NetLearnerModel, Schedule, settings_of
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame
from rlcores.eda import configs
from rlcores.errors import UserError

CHECKS = Checks()
CONFIGS = configs.names("net_learner")


def loops(rng: np.random.Generator, count: int, ahead: int):
    """Models of one replay learner, with the same start."""
    core = configs.load("net_learner", "tiny")
    models = [model(core) for _ in range(count)]
    start(rng, *models, batch=4, capacity=core["CAPACITY"], ahead=ahead)
    return models


class Actor:
    """A client of a model, of which each request waits for its answer."""

    def __init__(self, server: NetLearnerModel) -> None:
        self.server, self.sequence = server, 0
        cookie = net.cookie(CHECKS, server.secret, 0, 0, server.settings.instance)
        self.ask(net.HELLO, net.SAID.pack(1, 0, 0, 0, cookie))

    def ask(self, op: int, payload: bytes = b"", count: int = 0) -> Frame:
        """The answer of a request."""
        instance = 0 if op == net.HELLO else self.server.settings.instance
        frame = Frame(op, 0, 1, self.sequence, instance, count=count, payload=payload)
        self.sequence += op in net.SEQUENCED
        (answer,) = self.server.frame(net.encode(frame, CHECKS))
        return net.decode(answer, CHECKS, 1 << 16)

    def put(self, rows: np.ndarray, kind: int = net.LARGEST) -> int:
        """Experiences in one request; the status of its answer."""
        records = text.to_records(self.server.loop.learner.shape, rows)
        data = b"".join(net.PRIORITY.pack(0, kind) + record.tobytes() for record in records)
        return self.ask(net.PUT, data, len(rows)).status

    def get(self, version: int = 0) -> tuple[int, int, bytes]:
        """Status, version and text of a set."""
        content = b""
        while True:
            answer = self.ask(net.GET, net.CHUNK.pack(version, len(content), 0))
            if answer.status:
                return answer.status, 0, b""
            version, total, _ = net.CHUNK.unpack_from(answer.payload)
            content += answer.payload[net.CHUNK.size :]
            if len(content) >= total:
                return net.OK, version, content


def server(loop, schedule: Schedule) -> NetLearnerModel:
    """The model of a core whose host has loaded weights."""
    model = NetLearnerModel(settings_of(loop, part_bytes=256, clients=3, credit=8), loop, schedule)
    model.loaded(True)
    return model


@pytest.mark.parametrize("ahead", [0, 2])
def test_experiences_and_gradient_steps_follow_each_other_as_the_schedule_says(ahead: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    loop, hand = loops(rng, 2, ahead)
    served = server(loop, Schedule(starts=5, every=3, gradient_steps=2))
    actor = Actor(served)
    rows = loop.layout.pack(*experiences(rng, loop.learner.shape, 17))
    for first in range(0, 17, 4):
        assert actor.put(rows[first : first + 4]) == net.OK
    waiting: deque = deque()
    at = 0
    for count in (5, 3, 3, 3, 3):
        hand.insert(rows[at : at + count])
        at += count
        for _ in range(2):
            waiting.append(hand.sample())
            if len(waiting) > ahead:
                hand.update(waiting.popleft())
    while waiting:
        hand.update(waiting.popleft())
    served.finish()
    assert served.steps == 10 and served.counts["records"] == 17
    same(state_of_all(loop, 32), state_of_all(hand, 32), "all of it")


def test_each_p_th_set_is_published_and_the_one_before_it_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (loop,) = loops(rng, 1, 0)
    served = NetLearnerModel(settings_of(loop, part_bytes=256, clients=3, credit=8), loop, Schedule(publish=3))
    actor = Actor(served)
    assert actor.get()[0] == net.NONE
    served.loaded(True)
    texts = {1: text.to_text(loop.learner.shape.value, loop.learner.model.networks[0].matrices())}
    assert actor.get() == (net.OK, 1, texts[1])
    actor.put(loop.layout.pack(*experiences(rng, loop.learner.shape, 4)))
    for step in range(2, 9):
        served.train(1)
        texts[step] = text.to_text(loop.learner.shape.value, loop.learner.model.networks[0].matrices())
    assert actor.get() == (net.OK, 7, texts[7]) and actor.get(4) == (net.OK, 4, texts[4])
    assert actor.get(1)[0] == actor.get(5)[0] == actor.get(8)[0] == net.GONE
    # What the host loads is seen at once, whatever was published before.
    served.loaded(True)
    assert actor.get()[1] == 9 and actor.get(7)[0] == net.OK


def test_what_a_learner_elsewhere_would_ask_is_refused_and_does_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (loop,) = loops(rng, 1, 0)
    actor = Actor(server(loop, Schedule()))
    rows = loop.layout.pack(*experiences(rng, loop.learner.shape, 2))
    assert actor.put(rows) == net.OK
    before = state_of_all(loop, 4)
    for kind in (net.RAW, net.TD, 3):
        assert actor.put(rows, kind) == net.REFUSED
    for op, payload, count in (
        (net.SAMPLE, net.ASKED.pack(0, 0, 0), 1),
        (net.READ, net.PLACE.pack(0, 2), 1),
        (net.PRIO, net.UPDATE.pack(0, 2, 9, 0), 1),
        (net.WEIGHTS, net.CHUNK.pack(9, 8, 0) + bytes(8), 0),
    ):
        assert actor.ask(op, payload, count).status == net.REFUSED
    same(state_of_all(loop, 4), before, "what was refused")


@pytest.mark.parametrize("config", CONFIGS)
def test_records_and_weights_come_back_from_what_travels(config: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    core = configs.load("net_learner", config)
    shape = LearnerShape.of(core)
    rows = model(core).layout.pack(*experiences(rng, shape, 9))
    data = text.to_records(shape, rows)
    assert data.shape == (9, text.record_bytes(shape)) and (text.from_records(shape, data) == rows).all()
    matrices = weights(rng, shape, shape.actor is not None)
    sent = text.to_text(text.acting(shape), matrices)
    assert len(sent) == text.text_bytes(text.acting(shape)) and len(sent) % 8 == 0
    for (w, b), (v, c) in zip(matrices, text.from_text(text.acting(shape), sent), strict=True):
        assert (w == v).all() and (b == c).all()
    state = text.state_dict(core, sent)
    assert all((state[f"{2 * n}.weight"] == w / 2**22).all() for n, (w, _) in enumerate(matrices))
    with pytest.raises(UserError, match=f"have {len(sent) - 8} bytes; those of this network have {len(sent)}"):
        text.state_dict(core, sent[8:])


def test_a_state_dict_is_what_the_replay_learner_has() -> None:
    core = configs.load("net_learner", "tiny")
    learner = ReplayLearner((4, 8, 2), backend="model", buffer_size=32, batch_size=4, seed=3)
    shape = LearnerShape.of(core)
    networks = learner.driver.learner.model.networks
    state = text.state_dict(core, text.to_text(text.acting(shape), networks[0].matrices()))
    wanted = learner.weights()
    assert state.keys() == wanted.keys() and all((state[k] == wanted[k]).all() for k in wanted)
