// net_socket.cpp — the replay server's loop on a socket.
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "net.hpp"

namespace rlcores {

std::uint64_t net_serve(NetServer& server, int socket, int stop, std::size_t snapshot_bytes, std::size_t batch) {
    net::Datagrams mail(batch);
    NetOut out;
    std::vector<std::size_t> to;
    std::uint64_t sent = 0;
    for (;;) {
        pollfd wait[2] = {{socket, POLLIN, 0}, {stop, POLLIN, 0}};
        if (!net::ready_soon(wait, 2, net::now() + net::awake) && ::poll(wait, 2, -1) < 0 && errno != EINTR)
            throw std::runtime_error(std::string("the server's socket: ") + std::strerror(errno));
        if (wait[1].revents) return sent;
        const auto each = [&](const std::uint8_t* data, std::size_t n, std::size_t whose) {
            server.frame(data, n, out);
            to.resize(out.ends.size(), whose);
        };
        for (;;) {
            out.clear(), to.clear();
            if (!mail.take(socket, each)) break;
            server.flush();
            mail.give(socket, out, to.data());
            sent += to.size();
            if (server.journal_bytes() > snapshot_bytes) server.snapshot();
            if (::poll(wait + 1, 1, 0) > 0) return sent;
        }
    }
}

}  // namespace rlcores
