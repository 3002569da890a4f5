"""Addresses of servers as people write them, HOST:PORT, their sockets, and keys from files."""

import contextlib
import ctypes
import os
import shlex
import socket
import stat
import struct
import sys
from pathlib import Path

from rlcores.errors import UserError

_QUEUE = 8 << 20  # bytes of datagrams, where the system allows it
_ATTACH_REUSEPORT_CBPF = 51  # of Linux
PORT = 7878  # where a server is unless told otherwise


def parse(address: str) -> tuple[str, int]:
    """Host and port of HOST, HOST:PORT or [IPV6]:PORT. Raises UserError.

    >>> parse("replay.local:9000"), parse("[::1]")
    (('replay.local', 9000), ('::1', 7878))
    """
    if not isinstance(address, str):
        raise UserError(f"{address!r} is no address; give a text HOST:PORT, such as 10.0.0.2:{PORT}")
    host, port = address, str(PORT)
    if address.startswith("["):
        host, closed, rest = address[1:].partition("]")
        if rest or not closed:
            port = rest[1:] if rest.startswith(":") else ""
    elif address.count(":") == 1:
        host, port = address.split(":")
    if not host or not (port.isascii() and port.isdecimal()) or len(port) > 5 or int(port) > 65535:
        raise UserError(f"'{address}' is no address; give HOST:PORT, such as 10.0.0.2:{PORT}")
    return host, int(port)


def udp(address: str, *, bind: bool, shared: bool = False) -> socket.socket:
    """A UDP socket that is bound there, or connected to there. shared: others of ours are bound there too.

    Raises UserError with the system's words.
    """
    host, port = parse(address)
    if host == "*" and not bind:
        raise UserError(f"'{address}' is where a server listens; a client needs the HOST:PORT of one")
    try:
        if host == "*":
            family, kind, protocol, where = _everywhere(port)
        else:
            family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        made = socket.socket(family, kind, protocol)
        try:
            if family == socket.AF_INET6 and bind and where[0] == "::":
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # of IPv4 too
            for size, beyond in ((socket.SO_RCVBUF, 33), (socket.SO_SNDBUF, 32)):
                made.setsockopt(socket.SOL_SOCKET, size, _QUEUE)  # the system gives what it allows
                if sys.platform == "linux":
                    with contextlib.suppress(OSError):  # SO_RCVBUFFORCE, SO_SNDBUFFORCE: root may have more
                        made.setsockopt(socket.SOL_SOCKET, beyond, _QUEUE)
            if shared:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            (made.bind if bind else made.connect)(where)
        except OSError:
            made.close()
            raise
    except UnicodeError as error:  # a name with an empty part, or one of more than 63 letters
        raise UserError(f"'{address}' is no address: no machine has such a name; give HOST:PORT") from error
    except OSError as error:
        raise UserError(f"{address}: {error.strerror or error}") from error
    return made


def _everywhere(port: int) -> tuple:
    """All addresses of this machine, of IPv6 and IPv4, or of IPv4 where there is no IPv6."""
    if socket.has_ipv6:
        try:
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
                probe.bind(("::1", 0))
            return socket.AF_INET6, socket.SOCK_DGRAM, 0, ("::", port, 0, 0)
        except OSError:
            pass
    return socket.AF_INET, socket.SOCK_DGRAM, 0, ("0.0.0.0", port)


def bound(address: str, count: int) -> list[socket.socket]:
    """Sockets that are all bound there: the system hands a datagram to the one of its client number modulo `count`.

    Raises UserError, also where the system cannot do it.
    """
    first = udp(address, bind=True)
    if count == 1:
        return [first]
    # That showed that nobody else is there, and found the port; sockets that share one are of another kind.
    address = shown(first)
    first.close()
    if sys.platform != "linux":
        raise UserError("several banks on one address need Linux; start a server for each instead")
    sockets: list[socket.socket] = []
    try:
        while len(sockets) < count:
            sockets.append(udp(address, bind=True, shared=True))
        # Of the payload: byte 9 into A; A << 8 into X; A is byte 8; A |= X; A %= count; return A. A datagram that is
        # shorter goes to the first.
        words = ((0x30, 9), (0x64, 8), (0x07, 0), (0x30, 8), (0x4C, 0), (0x94, count), (0x16, 0))
        program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", code, 0, 0, k) for code, k in words))
        descriptor = struct.pack("HP", len(words), ctypes.addressof(program))
        sockets[0].setsockopt(socket.SOL_SOCKET, _ATTACH_REUSEPORT_CBPF, descriptor)
    except OSError as error:
        for one in sockets:
            one.close()
        raise UserError(f"{address}: several banks on one address: {error.strerror or error}") from error
    except UserError:
        for one in sockets:
            one.close()
        raise
    return sockets


def room(made: socket.socket) -> int:
    """Bytes of datagrams that its queue surely holds."""
    return max(made.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) // 2, 64 << 10)


def shown(made: socket.socket) -> str:
    """The address of a bound socket, as people write it."""
    host, port = made.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def check_key(key: bytes | None) -> None:
    """Raises UserError for what is no key."""
    if key is not None and not isinstance(key, bytes | bytearray):
        raise UserError(f"the key is of type {type(key).__name__}; it must be 16 bytes")
    if key is not None and len(key) != 16:
        raise UserError(f"the key has {len(key)} bytes; it must have 16")


def key_of(path: Path | str | None) -> bytes | None:
    """The key in a file: 16 bytes, or 32 hexadecimal digits. Raises UserError, also where others can read the file."""
    if path is None:
        return None
    try:
        with Path(path).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                raise UserError(
                    f"the key '{path}' has the mode {stat.S_IMODE(mode):o}: others can read or write it; make it yours "
                    f"alone (chmod 600 {shlex.quote(str(path))}), or take another key"
                )
            key = file.read(1 << 10)
        if len(key) != 16:
            key = bytes.fromhex(key.decode().strip())
    except UserError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it holds neither 16 bytes nor 32 hexadecimal digits"
        raise UserError(f"the key '{path}': {reason}") from error
    if len(key) != 16:
        raise UserError(f"the key '{path}' has {len(key)} bytes; it must have 16")
    return key
