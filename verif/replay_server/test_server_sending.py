"""Tests of what a client sends: no more requests than needed, and nothing twice that was answered."""

import time
from dataclasses import replace

import numpy as np
import pytest

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.net import ReplayClient, ReplayServer

S = ServerSettings(capacity=256, record_bytes=48, credit=16)


@pytest.mark.parametrize(("record_bytes", "requests"), [(48, 5), (1376, 100), (3072, 4), (28672, 34)])
def test_records_go_in_as_few_requests_as_hold_them(record_bytes: int, requests: int) -> None:
    with ReplayServer(replace(S, record_bytes=record_bytes)) as server, ReplayClient(server.address) as client:
        data = np.random.default_rng(0).integers(0, 256, (100, record_bytes), np.uint8)
        client.put(data, priorities=1)
        client.flush()
        assert server.state.counts["accepted"] == 1 + requests  # HELLO
        assert server.state.records()[: data.nbytes] == data.tobytes()


def test_what_was_answered_while_the_caller_was_busy_is_not_sent_again() -> None:
    with ReplayServer(S) as server, ReplayClient(server.address) as client:
        for n in range(3):
            client.put(np.zeros((10, 48), np.uint8))
            until = time.monotonic() + 60
            while server.state.counts["records"] < 10 * (n + 1):
                assert time.monotonic() < until
                time.sleep(0.01)
            time.sleep(0.1)  # the answer is in the socket's queue, and the time to send again has come
        sent = client.session.resent
        client.flush()
        assert client.session.resent == sent <= 1
