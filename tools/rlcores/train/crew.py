"""Members of a crew work side by side, and nobody waits for one that is lost: in processes of their own, or on Ray.

A member is idle, or has been asked something and has not answered yet. One that was lost restarts in the background
and is idle when it is there. An answer that comes after its time is thrown away.
"""

import contextlib
import multiprocessing
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from multiprocessing.connection import wait
from typing import Any

from rlcores.base import threads
from rlcores.errors import RunFailed, UserError
from rlcores.train import pool

_POLL_SECONDS = 0.02
_MOST_FAILURES = 3  # beginnings of a member in a row that end at once


class Crew(ABC):
    """Members 0 … count-1 of a class, each made with the arguments and its number."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.lost = 0  # members so far that ended while they were needed

    @abstractmethod
    def idle(self) -> list[int]:
        """Members that can be asked; those that were lost restart."""

    @abstractmethod
    def ask(self, number: int, name: str, *arguments: Any) -> None:
        """Call a method of an idle member."""

    @abstractmethod
    def answers(self, numbers: Collection[int], seconds: float) -> dict[int, Any]:
        """What these members answered within `seconds`. Raises UserError and RunFailed of a member."""

    @abstractmethod
    def close(self) -> None:
        """End all members."""

    def ready(self, least: int, seconds: float) -> list[int]:
        """Idle members, when there are `least`, or after `seconds`."""
        end = time.monotonic() + seconds
        while len(idle := self.idle()) < least and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)
        return idle


class ProcessCrew(Crew):
    """A process each."""

    def __init__(self, kind: type, arguments: tuple, count: int) -> None:
        super().__init__(count)
        self._made = kind, arguments
        self._context = multiprocessing.get_context("spawn")
        self._pipes: list[Any] = [None] * count
        self._processes: list[Any] = [None] * count
        self._busy = [True] * count
        self._born = [True] * count  # its answer is that it is there
        self._failures = [0] * count
        for number in range(count):
            self._begin(number)

    def pids(self) -> list[int]:
        """Of the processes, in order."""
        return [process.pid for process in self._processes]

    def idle(self) -> list[int]:
        self._take([n for n in range(self.count) if self._busy[n]], 0)
        return [n for n in range(self.count) if not self._busy[n]]

    def ask(self, number: int, name: str, *arguments: Any) -> None:
        self._busy[number] = True
        with contextlib.suppress(OSError):  # answers() sees that it is lost
            self._pipes[number].send((name, arguments))

    def answers(self, numbers: Collection[int], seconds: float) -> dict[int, Any]:
        answers: dict[int, Any] = {}
        left, end = set(numbers), time.monotonic() + seconds
        while left and (rest := end - time.monotonic()) > 0:
            for number, answer in self._take(sorted(left), rest):
                left.discard(number)
                if answer is not None:
                    answers[number] = answer[0]
        return answers

    def _take(self, numbers: Sequence[int], seconds: float) -> list[tuple[int, tuple | None]]:
        """(member, (answer,)) of those of these that have answered, (member, None) of those that are lost."""
        pipes = {self._pipes[n]: n for n in numbers}
        answers: list[tuple[int, tuple | None]] = []
        for pipe in wait(list(pipes), timeout=seconds):
            number = pipes[pipe]
            try:
                kind, answer = pipe.recv()
            except (EOFError, OSError):
                self._lose(number)
                answers.append((number, None))
                continue
            if kind != "ok":
                raise (UserError if kind == "user" else RunFailed)(answer)
            if not self._born[number]:
                answers.append((number, (answer,)))
            self._busy[number] = self._born[number] = False
            self._failures[number] = 0
        return answers

    def _lose(self, number: int) -> None:
        self.lost += 1
        self._failures[number] += self._born[number]
        if self._failures[number] >= _MOST_FAILURES:
            raise RunFailed(f"learner process {number} ended {_MOST_FAILURES} times before it had begun")
        self._end(number)
        self._begin(number)

    def _begin(self, number: int) -> None:
        kind, arguments = self._made
        here, there = self._context.Pipe()
        process = self._context.Process(target=pool.serve, args=(there, kind, (*arguments, number)), daemon=True)
        with threads.one_in_children(), pool.signals_blocked():
            process.start()
        there.close()
        self._pipes[number], self._processes[number] = here, process
        self._busy[number] = self._born[number] = True

    def _end(self, number: int) -> None:
        self._pipes[number].close()
        process = self._processes[number]
        process.join(timeout=0.1)
        if process.is_alive():
            process.kill()
            process.join()

    def close(self) -> None:
        for number in range(self.count):
            self._end(number)


class RayCrew(Crew):
    """An actor each on a Ray cluster, which restarts a lost one on another node."""

    def __init__(self, kind: type, arguments: tuple, count: int, address: str) -> None:
        """Raises UserError: Ray is not installed, or nothing answers at the address."""
        super().__init__(count)
        ray = self._ray = pool.connect(address)
        remote = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0)(kind)
        self._actors = [remote.remote(*arguments, number) for number in range(count)]
        self._asked: list[Any] = [actor.__ray_ready__.remote() for actor in self._actors]

    def idle(self) -> list[int]:
        asked = {self._asked[n]: n for n in range(self.count) if self._asked[n] is not None}
        if asked:
            for one in self._ray.wait(list(asked), num_returns=len(asked), timeout=0)[0]:
                self._answer(asked[one])
        return [n for n in range(self.count) if self._asked[n] is None]

    def ask(self, number: int, name: str, *arguments: Any) -> None:
        self._asked[number] = getattr(self._actors[number], name).remote(*arguments)

    def answers(self, numbers: Collection[int], seconds: float) -> dict[int, Any]:
        asked = {self._asked[n]: n for n in numbers}
        done = self._ray.wait(list(asked), num_returns=len(asked), timeout=seconds)[0] if asked else []
        answers = {asked[one]: self._answer(asked[one]) for one in done}
        return {number: answer[0] for number, answer in answers.items() if answer is not None}

    def _answer(self, number: int) -> tuple | None:
        one, self._asked[number] = self._asked[number], None
        try:
            return (self._ray.get(one),)
        except self._ray.exceptions.RayActorError:
            self.lost += 1
            self._asked[number] = self._actors[number].__ray_ready__.remote()
            return None
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, UserError):
                raise UserError(str(cause)) from None
            raise RunFailed(f"a learner on Ray failed: {error!r}") from error

    def close(self) -> None:
        if self._ray.is_initialized():  # the end of a connection is that of its actors
            for actor in self._actors:
                self._ray.kill(actor)


def make(kind: type, arguments: tuple, count: int, ray: str | None = None) -> Crew:
    """A crew on this machine, or on the Ray cluster at an address."""
    return ProcessCrew(kind, arguments, count) if ray is None else RayCrew(kind, arguments, count, ray)
