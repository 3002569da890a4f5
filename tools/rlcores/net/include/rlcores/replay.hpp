// replay.hpp — a client of the replay server `rlcores serve`: C++17 and POSIX sockets, nothing else.
// SPDX-License-Identifier: Apache-2.0
//
// protocol      docs/net.md
// Client        blocking: connects, puts, samples, updates. What most programs want; examples/replay_client has one.
// BankedClient  the same for all memories of a server with several.
// Session       without waiting, for a loop of one's own: give() sends what is due, take() reads what came.
// threads       One at a time per object. Python's clients are made of these too.
// machines      little-endian ones, as the protocol is.
#pragma once

#include "banked.hpp"
#include "client.hpp"
#include "datagrams.hpp"
#include "frames.hpp"
#include "priorities.hpp"
#include "session.hpp"
