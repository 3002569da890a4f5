"""Words between the modules of a replay server, field by field. `rlcores generate` writes the positions for Verilog."""

from rlcores.base.words import Word
from rlcores.cores.sumtree import words as sumtree

# A datagram's head: bad (BAD_NONE … BAD_KEY), a priority of an unknown kind, the source, and the frame's own fields.
# words: of its payload. chunk: of a WEIGHTS, or of a GET.
HEAD = Word(
    "head", bad=3, refused=1, behind=6, instance=32, addr=32, port=16, op=3, flags=3, client=16, epoch=32,
    sequence=64, count=16, part=16, parts=16, chunk=23, words=13,
)  # fmt: skip
# What the window and the table of parts say of a request: rlc_replay_server_window, rlc_replay_server_parts.
SEEN = Word("seen", says=3, present=32, same=1, repeated=4)
ASSEMBLY = Word("assembly", room=1, lies=1, had=1, whole=1, refused=1)
# What a HELLO brings: the cookie of its address; sizes or a schema that are not the server's.
GREETING = Word("greeting", proves=1, other_records=1, other_schema=1)
# Where a request goes: nowhere, to the table of parts, or to the memory; if to none of these, it is answered. foreign:
# it is for another instance. sequenced: it is numbered.
WAY = Word("way", rest=1, hold=1, give=1, foreign=1, sequenced=1)
# What is to be answered without the memory, and what the memory is told besides the head.
VERDICT = Word("verdict", status=4, words=13, accept=1, again=1, keep=1, whole=1, told=32)
# What rlc_replay_server_verdict counts.
COUNTED = Word("counted", unproved=1, epoch=1, waits=1, credit=1, lies=1, repeats=1)
# What the memory is asked besides the head: docs/replay_server.md.
ASKED = Word("asked", again=1, keep=1, whole=1, way=2)
# A part of an answer; words: of its payload.
ANSWER = Word("answer", last=1, status=4, part=16, parts=16, words=13)
# What STAT tells of the memory.
STATE = Word(
    "state", saturated=64, range=64, stale=64, updates=64, samples=64, records=64, version=64, **sumtree.TREE.fields
)  # fmt: skip
# The request that the memory carries out. fresh: a SAMPLE that was not carried out before, else again. read, weights:
# a READ, a WEIGHTS. seeds, weighs, strata: the flags of a SAMPLE. slot: which of the client's last batches or of its
# assemblies.
JOB = Word(
    "job", fresh=1, again=1, read=1, weights=1, keep=1, whole=1, seeds=1, weighs=1, strata=1, client=16, slot=2,
    part=6, words=13, count=16, chunk=23, epoch=32, sequence=64,
)  # fmt: skip
# What the tree has of a slot that is looked at. failed: no such slot.
HAD = Word("had", failed=1, generation=32, priority=32)
# What the tree reports of an operation: an update that was carried out, a stale one, one outside; a priority too large.
ENDED = Word("ended", updated=1, stale=1, range=1, saturated=1)

WORDS = [HEAD, SEEN, ASSEMBLY, GREETING, WAY, VERDICT, COUNTED, ASKED, ANSWER, STATE, JOB, HAD, ENDED]
