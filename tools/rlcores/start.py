"""The `rlcores` command from its first moment: Ctrl-C is no traceback, whatever has been imported by then."""

import os
import signal
import sys


def main() -> None:
    """Run the command line and end the process with its exit code."""
    # Importing takes a while, and an exception in the middle of it would be told at length. Nothing has begun yet.
    numbers = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda n, _: os._exit(128 + n)) for number in numbers}
    from rlcores import cli

    try:
        for number, handler in before.items():
            signal.signal(number, handler)
        code = cli.run()
        # From here on there is nothing left to stop.
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        code = _flush(code)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = 130
    sys.exit(code)


def _flush(code: int) -> int:
    """The exit code, once what was printed is gone: a full disk or a closed pipe shows only now."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What cannot be written would be tried again at the interpreter's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return code or 1
        print(f"rlcores: standard output cannot be written: {error.strerror}", file=sys.stderr)
        return code or 2
    return code
