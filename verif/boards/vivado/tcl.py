"""tclsh as a subprocess in which the commands of another program are questions to this one."""

import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from rlcores.errors import RunFailed

SCRIPT = Path(__file__).with_name("recorder.tcl")


class Refused(Exception):
    """What the other program would answer with an error: the sentence for it."""


def available() -> bool:
    """Whether tclsh is on PATH."""
    return shutil.which("tclsh") is not None


def run(
    script: Path,
    folder: Path,
    commands: Iterable[str],
    answer: Callable[[str, list[str]], str],
    only: Iterable[str] | None = None,
) -> None:
    """Source a script in `folder`; each of `commands` that it calls is answer(name, arguments).

    answer may raise Refused, which the script sees as an error of the command. only: the commands that the script may
    use at all, of Tcl's own ones too; without it, all but those that reach outside. Raises RunFailed with the error
    that ended the script, or when there is no tclsh.
    """
    tclsh = shutil.which("tclsh")
    if tclsh is None:
        raise RunFailed("tclsh is not on PATH; Debian has it as the package 'tcl'")
    with subprocess.Popen(
        [tclsh, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:

        def ask(verb: str, text: str) -> None:
            _say(process, verb, text)
            while True:
                said = process.stdout.readline().split()
                if not said:
                    raise RunFailed(f"tclsh ended in the middle of {script.name}")
                if said[0] == "done":
                    return
                if said[0] == "failed":
                    raise RunFailed(f"{script.name}: {_unhex(said[1])}")
                name, *arguments = map(_unhex, said[1:])
                try:
                    _say(process, "ok", answer(name, arguments))
                except Refused as error:
                    _say(process, "error", f"{name}: {error}")

        for name in commands:
            ask("command", name)
        if only is not None:
            ask("only", " ".join([*only, "unknown"]))
        ask("folder", str(folder))
        try:
            ask("run", str(script))
        finally:
            process.stdin.close()


def _say(process: subprocess.Popen, verb: str, text: str) -> None:
    process.stdin.write(f"{verb} x{text.encode().hex()}\n")
    process.stdin.flush()


def _unhex(word: str) -> str:
    return bytes.fromhex(word[1:]).decode()


def words(text: str) -> list[str]:
    """The elements of a Tcl list. Raises Refused when it is none."""
    elements, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] == "{":
            depth, end = 1, at + 1
            while end < len(text) and depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 2 if text[end] == "\\" else 1
            if depth:
                raise Refused(f"'{text}' is no list: a brace is open")
            elements.append(text[at + 1 : end - 1])
        elif text[at] == '"':
            end = text.find('"', at + 1)
            if end < 0:
                raise Refused(f"'{text}' is no list: a quote is open")
            elements.append(text[at + 1 : end])
            end += 1
        else:
            end = at
            while end < len(text) and not text[end].isspace():
                end += 2 if text[end] == "\\" else 1
            elements.append(text[at:end].replace("\\", ""))
        at = end
    return elements


def listed(items: Iterable[str]) -> str:
    """A Tcl list of names; none of ours needs more than braces."""
    return " ".join(f"{{{item}}}" if not item or any(c in item for c in ' \t\n;[]$"') else item for item in items)
