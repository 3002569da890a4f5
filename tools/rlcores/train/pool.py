"""Actors side by side: in this process, in processes of their own, or on a Ray cluster; the loop sees no difference."""

import contextlib
import multiprocessing
import signal
import socket
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import resource_tracker
from typing import Any

from rlcores.base import threads
from rlcores.errors import RunFailed, UserError
from rlcores.train.actor import Actor, Rollout, RoundRequest
from rlcores.train.putting import PuttingActor, ServerAddress
from rlcores.train.settings import Plan

_KNOCK_SECONDS = 5.0


class Pool(ABC):
    """All actors of a run. Between start() and finish() actors work and nothing else is asked of them."""

    puts = False  # actors put what they saw into a replay server themselves; the loop is given summaries
    in_turn = False  # one after the other
    actors = 1
    _steps = 0  # of the present round

    def start(self, order: RoundRequest) -> None:
        """Begin a round."""
        self._steps = order.steps
        self._ask("collect", order)

    def finish(self) -> Rollout:
        """What the round gave. Where actors put it into a server, it is there. Raises UserError and RunFailed of an
        actor.
        """
        rollout = Rollout.join(self._answers())
        for number in range(self.actors) if self.in_turn else [None] * self.puts:
            self._ask("put", self._steps, only=number)
            self._answers()
        return rollout

    def timed(self, order: RoundRequest, seconds: float) -> float:
        """Environment steps per second of all actors at once, each by its own processor. The pool is of no use then."""
        self._ask("timed", order, seconds)
        return sum(self._answers())

    def checkpoint(self) -> list[dict[str, Any]]:
        """Of all environments, in order."""
        self._ask("checkpoint")
        return [one for part in self._answers() for one in part]

    def restore(self, kept: Sequence[dict[str, Any]]) -> bool:
        """Whether every environment came back to its state."""
        self._ask("restore", list(kept))
        return all(self._answers())

    @abstractmethod
    def close(self) -> None:
        """End all actors."""

    @abstractmethod
    def _ask(self, name: str, *arguments: Any, only: int | None = None) -> None:
        """Call a method of every actor, or of one."""

    @abstractmethod
    def _answers(self) -> list[Any]:
        """What they returned, in order."""


def spans(envs: int, actors: int) -> list[tuple[int, int]]:
    """(first, last) of each actor's environments, as equal as they can be."""
    ends = [envs * k // actors for k in range(actors + 1)]
    return list(pairwise(ends))


class LocalPool(Pool):
    """One actor in this process; it works when it is asked for its answer."""

    def __init__(self, arguments: tuple, envs: int) -> None:
        self._actor = Actor(*arguments, (0, envs))

    def close(self) -> None:
        pass

    def _ask(self, name: str, *arguments: Any, only: int | None = None) -> None:
        self._asked = partial(getattr(self._actor, name), *arguments)

    def _answers(self) -> list[Any]:
        return [self._asked()]


class Processes(Pool):
    """An actor a process."""

    def __init__(self, kind: type[Actor], arguments: tuple, envs: int, actors: int) -> None:
        """Raises UserError when the actors cannot make their environments."""
        # A fresh interpreter each: a fork would copy locks of threads that are not there any more.
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Any] = []
        self._processes: list[Any] = []
        with threads.one_in_children():
            for span in spans(envs, actors):
                here, there = context.Pipe()
                process = context.Process(target=serve, args=(there, kind, (*arguments, span)), daemon=True)
                with signals_blocked():
                    process.start()
                there.close()
                self._pipes.append(here)
                self._processes.append(process)
        self._asked, self.actors = self._pipes, actors
        try:
            self._answers()
        except BaseException:
            self.close()
            raise

    def _ask(self, name: str, *arguments: Any, only: int | None = None) -> None:
        self._asked = self._pipes if only is None else [self._pipes[only]]
        for pipe in self._asked:
            try:
                pipe.send((name, arguments))
            except OSError:
                raise RunFailed("an actor process has ended") from None

    def _answers(self) -> list[Any]:
        answers = []
        for pipe in self._asked:
            try:
                answers.append(pipe.recv())
            except (EOFError, OSError):
                raise RunFailed("an actor process has ended") from None
        for kind, answer in answers:
            if kind != "ok":
                raise (UserError if kind == "user" else RunFailed)(answer)
        return [answer for _, answer in answers]

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=5)
            if process.is_alive():
                process.kill()
                process.join()


class Ray(Pool):
    """Actors on the Ray cluster at `address`: host:port, "auto" for this machine's, "local" for a new one.

    An actor whose node is lost restarts on another one, as soon as there is room, and the round goes on with it.
    """

    def __init__(self, kind: type[Actor], arguments: tuple, envs: int, actors: int, address: str) -> None:
        """Raises UserError when Ray is not installed or nothing answers at the address."""
        ray = self._ray = connect(address)
        remote = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(kind)
        self._actors = [remote.remote(*arguments, span) for span in spans(envs, actors)]
        self._pending: list[Any] = []
        self.actors = actors

    def _ask(self, name: str, *arguments: Any, only: int | None = None) -> None:
        references = [self._ray.put(a) for a in arguments]
        asked = self._actors if only is None else [self._actors[only]]
        self._pending = [getattr(actor, name).remote(*references) for actor in asked]

    def _answers(self) -> list[Any]:
        try:
            return self._ray.get(self._pending)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, UserError):
                raise UserError(str(cause)) from None
            raise RunFailed(
                f"an actor on Ray failed: {str(error).splitlines()[-1] if str(error) else error!r}"
            ) from error

    def close(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        self._ray.shutdown()


def _knock(address: str) -> None:
    """Raises UserError when nothing listens at host:port; Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=_KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise UserError(f"no Ray cluster answers at '{address}': {error}") from error


def require() -> Any:
    """The module `ray`. Raises UserError when it is not installed."""
    try:
        import ray
    except ImportError as error:
        raise UserError("--ray needs Ray, which is not installed; pip install 'rlcores[ray]' brings it") from error
    return ray


def connect(address: str) -> Any:
    """The module `ray`, on the cluster at `address`. Raises UserError: not installed, or nothing answers there."""
    ray = require()
    _knock(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", ignore_reinit_error=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise UserError(f"no Ray cluster answers at '{address}': {' '.join(str(error).split())[:200]}") from error
    return ray


def make(
    plan: Plan, actors: int = 1, ray: str | None = None, place: ServerAddress | None = None, apart: bool = False
) -> Pool:
    """The pool for the environments of a plan. place: the replay server that actors put into.

    apart: one actor too has a process of its own.
    """
    arguments, envs = (plan.environment, plan.episode, plan.state_scale, plan.seed), plan.envs
    kind: type[Actor] = Actor
    if place is not None:
        kind, arguments = PuttingActor, (*arguments, place)
    if ray is not None:
        made: Pool = Ray(kind, arguments, envs, actors, ray)
    elif actors == 1 and place is None and not apart:
        made = LocalPool(arguments, envs)
    else:
        made = Processes(kind, arguments, envs, actors)
    made.puts, made.in_turn = place is not None, place is not None and place.records.in_turn
    return made


@contextlib.contextmanager
def signals_blocked() -> Iterator[None]:
    """A process that starts in this context ignores Ctrl-C and SIGTERM from its start.

    They are for the learner, which lets the round end and then closes the pipes; what comes meanwhile reaches it later.
    """
    resource_tracker.ensure_running()  # where it starts one, it unblocks both
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Any, kind: type, arguments: tuple) -> None:
    """What a process does until its pipe is closed: an object of `kind`, and calls of it."""
    actor = None
    name, call_arguments = None, ()
    while True:
        try:
            if actor is None:
                actor, answer = kind(*arguments), None
            else:
                answer = getattr(actor, name)(*call_arguments)
            message = "ok", answer
        except UserError as error:
            message = "user", str(error)
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            message = "failed", f"{kind.__name__} failed: {error!r} at {line.filename}:{line.lineno}"
        try:
            pipe.send(message)
            if actor is None:
                return
            name, call_arguments = pipe.recv()
        except (EOFError, OSError):
            return
