"""Replay for many machines: the server, and its clients. docs/net.md is the protocol."""

from rlcores.net.client import BankedClient, ReplayClient
from rlcores.net.server import ReplayServer
from rlcores.net.session import RecordBatch, include

__all__ = ["BankedClient", "RecordBatch", "ReplayClient", "ReplayServer", "include"]
