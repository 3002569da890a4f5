"""rlc_replay_server_window against the clients of the integer model: random requests near both ends of the window."""

import random

import cocotb
from bench_pins import integers, start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.server import Client

ACCEPT, REPEAT, CREDIT, WAIT, EPOCH, ADDRESS = range(6)
COUNT = 2000


@cocotb.test()
async def every_request_is_what_the_model_says(dut):
    clients, credit = integers(dut, "CLIENTS", "CREDIT")
    await start(dut, "ask", "accept", "prove")
    # Nothing was asked, and the clients' states are cleared one a clock.
    for clock in range(clients + 1):
        await ReadOnly()
        assert not dut.done.value and bool(dut.ready.value) == (clock == clients), clock
        await FallingEdge(dut.clk)
    held: dict[int, Client] = {}
    sources = [random.getrandbits(48) for _ in range(2)]
    sources.append(sources[0] ^ 1 << random.randrange(48))
    seen: dict[object, int] = {}
    for _ in range(COUNT):
        number = random.randrange(clients)
        client = held.get(number)
        hello = client is None or random.random() < 0.002
        sequenced = not hello and random.random() < 0.9
        epoch = (client.epoch if client else 0) + random.choice([0] * 20 + [1, -1])
        nonce = client.nonce if client and random.random() < 0.5 else random.getrandbits(64)
        low = client.low if client else 0
        near = [*range(-3, 4), *range(4), -64, -65, -63, credit, credit - 1, 63, 64, 65]
        sequence = max(low + random.choice(near), 0)
        if random.random() < 0.05:
            sequence = random.getrandbits(64)
        if random.random() < 0.1:
            sequence = low
        behind = random.randrange(min(sequence, 63) + 1) if random.random() < 0.3 else 0
        epoch = max(epoch + hello, 1)
        fields = {
            "client": number, "hello": int(hello), "sequenced": int(sequenced), "epoch": epoch, "seq_number": sequence,
            "behind": behind, "nonce": nonce,
            "source": client.source if client and random.random() < 0.9 else random.choice(sources),
        }  # fmt: skip
        for _ in range(100):  # the fields of the request before stand until then
            if dut.ready.value:
                break
            await FallingEdge(dut.clk)
        assert dut.ready.value, "the window takes no request"
        for name, value in fields.items():
            getattr(dut, name).value = value
        dut.ask.value = 1
        await FallingEdge(dut.clk)
        dut.ask.value = 0
        for clock in range(4):
            await ReadOnly()
            assert bool(dut.done.value) == (clock == 3)
            if clock < 3:
                await FallingEdge(dut.clk)
        assert int(dut.present.value) == (client.epoch if client else 0)
        accept = False
        if hello:
            same = bool(client) and client.epoch == epoch and client.nonce == nonce
            assert not client or bool(dut.same.value) == same
            accept = epoch > (client.epoch if client else 0)
            prove = accept or same
            seen["hello", accept, same] = 1
            if accept:
                held[number] = Client(epoch, nonce)
            if prove:
                held[number].source = fields["source"]
        else:
            prove, says = False, ACCEPT
            if client.epoch != epoch:
                says = EPOCH
            elif client.source != fields["source"]:
                says = ADDRESS
            elif sequenced and client.accepted(sequence):
                says = REPEAT
                old = client.accepted(sequence + net.WINDOW)
                wanted = net.OLD if old else client.status[sequence % net.WINDOW]
                assert int(dut.repeated.value) == wanted
                seen["old", old] = 1
            elif sequenced and sequence - client.low >= credit:
                says = CREDIT
            elif sequenced and behind and not client.accepted(sequence - behind):
                says = WAIT
            assert int(dut.says.value) == says, (fields, client)
            seen[says] = seen.get(says, 0) + 1
            accept = says == ACCEPT and sequenced
        status = random.randrange(8)
        if accept and not hello:
            client.accept(sequence, status)
            seen["far"] = seen.get("far", 0) + (client.low > 64)
        await FallingEdge(dut.clk)
        dut.prove.value = int(prove)
        for _ in range(random.choice([1, 1, 2, 5])):
            await FallingEdge(dut.clk)
            dut.prove.value = 0
        dut.accept.value, dut.status.value = int(accept), status
        await FallingEdge(dut.clk)
        dut.accept.value = 0
    # With a credit of 1 a request is behind requests that were accepted, or has none.
    possible = [ACCEPT, REPEAT, CREDIT, EPOCH, ADDRESS] + [WAIT] * (credit > 1)
    assert all(seen.get(says, 0) > 10 for says in possible), seen
    assert {("old", False), ("hello", True, False)} <= seen.keys(), seen
    # Windows that have moved beyond their 64 places; small ones move too little between two epochs.
    assert credit < 64 or (seen["far"] and ("old", True) in seen), seen
