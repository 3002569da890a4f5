"""Requests of a client of the replay server and their answers, over the session of include/rlcores/replay.hpp.

The session numbers requests, sends them again, and reads what is answered. A call is said once, as the steps between
which a client waits; the blocking and the asynchronous client differ only in how they wait.
"""

import os
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from functools import wraps
from pathlib import Path
from typing import (
    Any,
    Concatenate,
    NamedTuple,
    NoReturn,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_float, check_int
from rlcores.base.arrays import need_finite, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.sumtree.arguments import td_errors as td_errors_of
from rlcores.cores.sumtree.arguments import wholes
from rlcores.cores.sumtree.maths import DELTA_FRACTION, LEAST_FINE, error_of
from rlcores.errors import RunFailed, UserError, WarningCounter
from rlcores.native import engine
from rlcores.net import addresses

_WORD = 2**32 - 1
CONNECTED, HANDED, ANSWERED = range(3)  # what a call waits for
_DONE, _SILENT, _INTERRUPTED, _FAILED, _REFUSED = range(5)  # how waiting ended


def include() -> Path:
    """The folder with rlcores/replay.hpp, the client for C++."""
    return Path(__file__).parent / "include"


NO_COPY = (
    "a client has a socket and a number of its own, so it cannot be pickled or copied: give the other process the "
    "address, and let it make a client with another number"
)


class RecordBatch(NamedTuple):
    """What sample() and read() give, in order. A record that was overwritten since is zeros, and `gone` says so."""

    records: np.ndarray  # uint8 (n, record_bytes)
    slots: np.ndarray  # uint32 (n,)
    generations: np.ndarray  # uint32 (n,): hand them back to update(); above bit 15 they say which server's they are
    priorities: np.ndarray  # uint32 (n,)
    weights: np.ndarray  # float32 (n,): importance weights
    gone: np.ndarray  # bool (n,)
    total: int  # the sum of all priorities that it was drawn from
    size: int  # records that the server held


class PutOptions(TypedDict, total=False):
    """Priorities (n,) of records: whole numbers, or those of TD errors; of neither, the largest so far."""

    priorities: ArrayLike | None
    td_errors: ArrayLike | None


class How(TypedDict, total=False):
    """How a batch is drawn."""

    beta: float  # 0 to 1, default 0.4
    stratified: bool  # each record from its own equal part of the total, default True
    weights: bool  # with importance weights, default True
    draws: ArrayLike | None  # four words: the state of xoshiro128++ that the draws begin at; default: the server's


# What a call waits for: that a client is CONNECTED, or requests of its are HANDED over or ANSWERED; None: all of them.
Wait = tuple["Requests", int, list[Any] | None]
_Result = TypeVar("_Result")
_Arguments = ParamSpec("_Arguments")
Steps = Generator[list[Wait], None, _Result]


class Call(Protocol[_Arguments, _Result]):
    """A call as a method of a client that waits (`with`) or that is awaited (`async with`), and the steps of it."""

    steps: Callable[Concatenate[Any, _Arguments], Steps[_Result]]

    @overload
    def __get__(self, client: None, kind: type) -> "Call[_Arguments, _Result]": ...
    @overload
    def __get__(self, client: AbstractContextManager[Any], kind: type) -> Callable[_Arguments, _Result]: ...
    @overload
    def __get__(
        self, client: AbstractAsyncContextManager[Any], kind: type
    ) -> Callable[_Arguments, Awaitable[_Result]]: ...


def call(steps: Callable[Concatenate[Any, _Arguments], Steps[_Result]]) -> Call[_Arguments, _Result]:
    """A method of clients from its steps, which `.steps` keeps: what they return, or what can be awaited for it."""

    @wraps(steps)
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return self._carried_out(steps(self, *arguments, **named))

    vars(method)["steps"] = steps
    return cast(Call[_Arguments, _Result], method)


def at_once(every: Iterable[Steps[_Result]]) -> Steps[list[_Result]]:
    """The steps of several clients side by side; a list of what each returns."""
    going = dict(enumerate(every))
    results: dict[int, Any] = dict.fromkeys(going)
    while going:
        waits: list[Wait] = []
        for place, steps in list(going.items()):
            try:
                waits += next(steps)
            except StopIteration as done:
                results[place] = done.value
                del going[place]
        if waits:
            yield waits
    return list(results.values())


class Requests(Guarded):
    """A client of one memory: what it asks, as requests of its session."""

    def __init__(
        self,
        address: str,
        client: int = 0,
        *,
        record_bytes: int = 0,
        schema: int = 0,
        key: bytes | None = None,
        timeout: float = 10.0,
        ordered: bool = False,
        batch: int = 16,
    ) -> None:
        """See rlcores.net.ReplayClient. Nothing is sent. Raises UserError."""
        self.address, self._timeout = address, check_float("timeout", timeout, 0.0, 1e9)
        addresses.check_key(key)
        self._socket: Any = None
        self._process = os.getpid()
        self._client = check_int("client", client, 0, 65535)
        self._session = engine.NetSession(
            self._client,
            key,
            check_int("record_bytes", record_bytes, 0, (1 << 32) - 1),
            check_int("schema", schema, 0, (1 << 64) - 1),
            ordered,
            check_int("batch", batch, 1, 1024),
        )
        self._settings: tuple[bytes, ServerSettings] | None = None
        self._limits = WarningCounter()

    def __repr__(self) -> str:
        return described(self, self.address, f"client {self._client}", "" if self._open else "not connected")

    def __reduce__(self) -> NoReturn:
        raise UserError(NO_COPY)

    @property
    def session(self) -> Any:
        """The session, while there is a socket for it: a request without one would never be sent."""
        if self._socket is None:
            raise UserError("the client is not connected")
        return self._session

    @property
    def _open(self) -> bool:
        return self._socket is not None and self._here

    @property
    def _here(self) -> bool:
        """False in a process that was forked from the client's: there its `with` ends without a word."""
        return self._process == os.getpid()

    @property
    def saturated(self) -> int:
        """How many TD errors given to it were too large or too small for priorities within 1 % of theirs."""
        return self._limits.counts.get("saturated", 0)

    @property
    def settings(self) -> ServerSettings:
        """What the server is, as it said."""
        told = self.session.told
        if self._settings is None or self._settings[0] != told:
            numbers = net.TOLD.unpack(told)
            names = ("capacity", "record_bytes", "part_bytes", "clients", "sample_max", "weights_max")
            values = dict(zip(names, numbers[1:7], strict=True))
            of_tree = ("priority_width", "generation_width", "alpha", "scale", "epsilon")
            values |= dict(zip(of_tree, numbers[10:15], strict=True))
            values |= {"banks": numbers[15] + 1, "bank": numbers[16]}
            instance, credit = self.session.instance, self.session.credit
            self._settings = told, ServerSettings(**values, initial=0, instance=instance, credit=credit)
        return self._settings[1]

    def _ended(self, how: int, sentence: str) -> bool:
        """Whether what was waited for is there; if not, a signal came, and Python has looked after it."""
        if how == _FAILED:
            raise RunFailed(sentence)
        if how == _REFUSED:
            raise UserError(sentence)
        if how == _SILENT:
            raise self._silence()
        return how == _DONE

    def _silence(self) -> RunFailed:
        """The message when the time is over."""
        sentence = f"no answer from {self.address} for {self._timeout:g} s"
        if self._session.connected:
            return RunFailed(sentence)
        asked = f"is client {self._client} below its --clients, and has this client its key"
        return RunFailed(f"{sentence}: is a server there, {asked}?")

    def _give(self) -> None:
        """Send what may be sent now."""
        raise NotImplementedError

    def _tell_refused(self) -> None:
        """Raises UserError, once, when records or priorities were refused that nobody waits for."""
        if count := self._session.take_refused():
            raise UserError(
                f"the server refused {count} of this client's requests, and stored nothing of them: "
                "it takes no priorities of that kind"
            )

    # --- calls ---

    @call
    def put(self, records: ArrayLike, **options: Unpack[PutOptions]) -> Steps[None]:
        """Store records (n, …), each of record_bytes bytes or less. Waits only for credit.

        Their priorities are those given (n,), or those of TD errors (n,), or the largest so far.
        """
        yield [(self, HANDED, self.session.put(*self._rows(records, **options)))]

    @call
    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> Steps[None]:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        columns = self._updates(slots, generations, td_errors, priorities)
        yield [(self, HANDED, self.session.update(*columns))]

    @call
    def sample(self, batch_size: int, **how: Unpack[How]) -> Steps[RecordBatch]:
        """A batch, drawn in proportion to the priorities. Raises UserError when there is nothing to sample.

        how: beta (0.4), stratified (True), weights (True), draws: session.How.
        """
        request = self._sample(batch_size, **how)
        yield [(self, ANSWERED, [request])]
        return self.batch(request)

    def ask(self, batch_size: int, **how: Unpack[How]) -> Any:
        """sample() without waiting: a request for answered(), and then batch(), or for text()."""
        request = self._sample(batch_size, **how)
        self._give()
        return request

    @call
    def answered(self, request: Any) -> Steps[Any]:
        """The request, when it is answered."""
        yield [(self, ANSWERED, [request])]
        return request

    @call
    def text(self, request: Any) -> Steps[bytes]:
        """What the server says to ask(), as docs/net.md lays it out. Raises UserError as sample() does."""
        yield [(self, ANSWERED, [request])]
        result: bytes = self._drawn(request).result
        return result

    @call
    def read(self, slots: ArrayLike, generations: ArrayLike) -> Steps[RecordBatch]:
        """Records of slots, where they were not overwritten since; their weights are 0."""
        places = self._places(slots, generations)
        if not len(places[0]):
            raise UserError("there are 0 slots; one call reads 1 or more")
        most = min(self.settings.sample_max, self.settings.part_bytes // net.PLACE.size)
        requests = [
            self.session.read(*(np.ascontiguousarray(x[k : k + most]) for x in places))
            for k in range(0, len(places[0]), most)
        ]
        yield [(self, ANSWERED, requests)]
        batches = [self.batch(one) for one in requests]
        parts = zip(*(batch[:6] for batch in batches), strict=True)
        return RecordBatch._make([*(np.concatenate(part) for part in parts), *batches[-1][6:]])

    @call
    def put_weights(self, data: bytes, version: int) -> Steps[None]:
        """Publish weights, whole or not at all. Raises UserError when the version is not above the published one."""
        most = self.settings.weights_max
        try:
            data = memoryview(data).tobytes()
        except TypeError:
            raise UserError(f"the weights are of type {type(data).__name__}; they must be bytes") from None
        if not 1 <= len(data) <= most:
            raise UserError(f"the weights have {len(data)} bytes; this server takes 1 to {most}")
        made = self.session.publish(data, check_int("version", version, 1, (1 << 64) - 1))
        yield [(self, ANSWERED, made)]
        if any(one.status == net.STALE for one in made):
            raise UserError(f"version {version} of the weights is not above the newest one of the server")
        if any(one.status == net.REFUSED for one in made):
            raise UserError("this server has weights of its own learner, and takes none")

    @call
    def get_weights(self, version: int = 0) -> Steps[tuple[int, bytes] | None]:
        """Version and bytes of the newest weights, or of those; None while there are none, or no longer those."""
        while True:
            first = self.session.get(check_int("version", version, 0, (1 << 64) - 1), 0)
            yield [(self, ANSWERED, [first])]
            if first.status != net.OK:
                return None
            newest, total, _ = net.CHUNK.unpack_from(first.result)
            chunk = self.settings.chunk
            rest = [self.session.get(newest, offset) for offset in range(chunk, total, chunk)]
            yield [(self, ANSWERED, rest)]
            if all(one.status == net.OK for one in rest):
                return newest, b"".join(one.result[net.CHUNK.size :] for one in [first, *rest])[:total]
            if version:  # two newer ones came while it was read
                return None

    @call
    def stats(self) -> Steps[dict[str, int]]:
        """State and counters of the server."""
        request = self.session.stat()
        yield [(self, ANSWERED, [request])]
        numbers = np.frombuffer(request.result, "<u8").tolist()
        return dict(zip((*net.STATE, *net.COUNTERS), numbers, strict=True))

    @call
    def flush(self) -> Steps[None]:
        """Until everything was acknowledged."""
        yield [(self, ANSWERED, None)]

    # --- what they are made of ---

    def _rows(self, records: ArrayLike, *, priorities: Any = None, td_errors: Any = None) -> tuple[np.ndarray, ...]:
        """Bytes (n, …) of records, and words and kinds of their priorities."""
        rows = np.asarray(plain("records", records), order="C")
        if rows.ndim == 0 or rows.dtype.hasobject:
            raise UserError("records must be an array of one row a record, of numbers")
        if rows.dtype.names:
            need_finite("records", rows)
        count, most = len(rows), self.settings.record_bytes
        each = rows.nbytes // count if count else most
        if not 1 <= each <= most:
            raise UserError(f"a record has {each} bytes; this server keeps {most}")
        if rows.ndim == 1 and rows.dtype.names is None and net.padded(each) < most:
            # A single record, most likely: as many records of one number each are not what anybody keeps.
            raise UserError(
                f"records has the shape {rows.shape}, so a record is one number of {each} bytes; this server keeps "
                f"{most}, and a single record has the shape (1, n)"
            )
        words, kinds = self._priority_words(count, priorities, td_errors)
        return rows.reshape(count, -1).view(np.uint8) if count else rows, words, kinds

    def _sample(
        self,
        batch_size: int,
        *,
        beta: float = 0.4,
        stratified: bool = True,
        weights: bool = True,
        draws: ArrayLike | None = None,
    ) -> Any:
        count = check_int("batch_size", batch_size, 1, self.settings.sample_max)
        flags = net.STRATIFIED * bool(stratified) | net.WEIGHTED * bool(weights)
        if draws is not None:
            draws = _words("draws", draws, 4)
            if not draws.any():
                raise UserError("draws are four times 0; one of them must be another number")
        return self.session.sample(count, round(check_float("beta", beta, 0.0, 1.0) * 32768), flags, draws)

    def _updates(
        self, slots: ArrayLike, generations: ArrayLike, td_errors: Any, priorities: Any, banks: int = 1
    ) -> tuple[np.ndarray, ...]:
        """Slots, generations, words and kinds (n,). banks: that the slots are of."""
        if td_errors is None and priorities is None:
            raise UserError("neither td_errors nor priorities are given; give one of them")
        places = self._places(slots, generations, banks)
        return *places, *self._priority_words(len(places[0]), priorities, td_errors)

    def _places(self, slots: ArrayLike, generations: ArrayLike, banks: int = 1) -> tuple[np.ndarray, np.ndarray]:
        slots = wholes("slots", slots, 0, self.settings.capacity * banks - 1).astype(np.uint32)
        return slots, _words("generations", generations, len(slots))

    def _priority_words(self, count: int, priorities: Any, td_errors: Any) -> tuple[np.ndarray, np.ndarray]:
        """Words and kinds of priorities (n,), from whole numbers, TD errors, or neither: the largest so far."""
        if priorities is not None and td_errors is not None:
            raise UserError("priorities and td_errors are both given; give one of them")
        if td_errors is not None:
            return self._of_errors(td_errors_of("td_errors", td_errors, count)), np.full(count, net.RAW, np.uint32)
        if priorities is not None:
            return _words("priorities", priorities, count), np.full(count, net.RAW, np.uint32)
        return np.zeros(count, np.uint32), np.full(count, net.LARGEST, np.uint32)

    def _of_errors(self, errors: np.ndarray) -> np.ndarray:
        """Priorities of TD errors (n,) of any size, by the server's numbers; a CoreWarning counts clipped ones."""
        s = self.settings
        if not len(errors):
            return np.empty(0, np.uint32)
        priorities, offset = np.empty(len(errors), np.int64), s.epsilon / 2.0**DELTA_FRACTION
        above, coarse = engine.priorities(errors, s.alpha, offset, s.scale, s.priority_width, priorities)
        if saturated := above + coarse:
            least, most = (error_of(p, s.alpha, s.scale) for p in (LEAST_FINE, 1 << s.priority_width))
            self._limits.add(
                "saturated",
                saturated,
                f"{saturated} of {len(errors)} TD errors are beyond what this server tells apart within 1 %: with "
                f"alpha {s.alpha / 32768:g} and {s.priority_width} bits {least:.2g} to {most:.2g}",
            )
        return priorities.astype(np.uint32)

    def _drawn(self, one: Any) -> Any:
        if one.status == net.EMPTY:
            raise UserError("there is nothing to sample: no record has a priority above 0")
        if one.status == net.REFUSED:
            raise UserError("this server gives no records: a learner of its own samples them")
        if one.status not in (net.OK, net.GONE):
            raise RunFailed(f"the server answered status {one.status}")
        return one

    def batch(self, one: Any) -> RecordBatch:
        """The arrays of a SAMPLE or READ that was answered. Raises UserError when there was nothing to sample."""
        n = self._drawn(one).count
        records = np.empty((n, self.settings.record_bytes), np.uint8)
        words, weights, gone = np.empty((3, n), np.uint32), np.empty(n, np.float32), np.empty(n, bool)
        held = self.session.unpack(one, records.reshape(-1), *words, weights, gone)
        return RecordBatch._make([records, *words, weights, gone, *held])


def _words(name: str, values: ArrayLike, count: int) -> np.ndarray:
    """Whole numbers of 32 bits (count,)."""
    return wholes(name, values, 0, _WORD, count).astype(np.uint32)
