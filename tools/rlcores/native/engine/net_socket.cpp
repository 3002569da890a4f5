// net_socket.cpp — the replay server's socket: datagrams in batches where the system has them.
// SPDX-License-Identifier: Apache-2.0
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "net.hpp"

namespace rlcores {

namespace {

constexpr std::size_t batch = 64;

// Datagrams of a batch: where each lies, how long it is, and whose it is.
class Mail {
public:
    Mail(int socket, std::size_t longest) : socket_(socket), room_(batch * longest) {
        for (std::size_t i = 0; i < batch; ++i) in_[i] = {room_.data() + i * longest, longest};
    }

    // How many came, without waiting.
    std::size_t take() {
#if defined(__linux__)
        for (std::size_t i = 0; i < batch; ++i) {
            headers_[i] = {};
            headers_[i].msg_hdr.msg_iov = &in_[i], headers_[i].msg_hdr.msg_iovlen = 1;
            headers_[i].msg_hdr.msg_name = &from_[i], headers_[i].msg_hdr.msg_namelen = sizeof from_[i];
        }
        const int n = ::recvmmsg(socket_, headers_, batch, MSG_DONTWAIT, nullptr);
        if (n < 0) return nothing();
        for (int i = 0; i < n; ++i) {
            // A longer one than any frame is cut, and its length then is no frame's.
            length_[i] = headers_[i].msg_hdr.msg_flags & MSG_TRUNC ? 0 : headers_[i].msg_len;
            name_[i] = headers_[i].msg_hdr.msg_namelen;
        }
        return static_cast<std::size_t>(n);
#else
        name_[0] = sizeof from_[0];
        const ssize_t n = ::recvfrom(socket_, in_[0].iov_base, in_[0].iov_len, MSG_DONTWAIT,
                                     reinterpret_cast<sockaddr*>(&from_[0]), &name_[0]);
        if (n < 0) return nothing();
        length_[0] = static_cast<std::size_t>(n);
        return 1;
#endif
    }

    const std::uint8_t* data(std::size_t i) const { return static_cast<const std::uint8_t*>(in_[i].iov_base); }
    std::size_t length(std::size_t i) const { return length_[i]; }

    // Frame k goes to the sender of datagram to[k]. What the system has no room for is dropped: its client asks again.
    std::size_t give(NetOut& out, const std::vector<std::size_t>& to) {
        std::size_t sent = 0, from = 0;
#if defined(__linux__)
        while (sent < to.size()) {
            const std::size_t n = std::min(batch, to.size() - sent);
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t end = out.ends[sent + k], whose = to[sent + k];
                out_[k] = {out.bytes.data() + from, end - from};
                from = end;
                send_[k] = {};
                send_[k].msg_hdr.msg_iov = &out_[k], send_[k].msg_hdr.msg_iovlen = 1;
                send_[k].msg_hdr.msg_name = &from_[whose], send_[k].msg_hdr.msg_namelen = name_[whose];
            }
            std::size_t done = 0;
            while (done < n) {
                const int some = ::sendmmsg(socket_, send_ + done, static_cast<unsigned>(n - done), MSG_DONTWAIT);
                // One that the system refuses, for whatever reason, is as one that the network lost.
                done += some > 0 ? static_cast<std::size_t>(some) : 1;
            }
            sent += n;
        }
#else
        for (; sent < to.size(); ++sent) {
            const std::size_t end = out.ends[sent], whose = to[sent];
            (void)::sendto(socket_, out.bytes.data() + from, end - from, MSG_DONTWAIT,
                           reinterpret_cast<const sockaddr*>(&from_[whose]), name_[whose]);
            from = end;
        }
#endif
        return sent;
    }

private:
    std::size_t nothing() const {
        // A client that is gone is told to us as a refused connection.
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ECONNREFUSED) return 0;
        throw std::runtime_error(std::string("the server's socket: ") + std::strerror(errno));
    }

    int socket_;
    std::vector<std::uint8_t> room_;
    iovec in_[batch];
    sockaddr_storage from_[batch];
    socklen_t name_[batch];
    std::size_t length_[batch];
#if defined(__linux__)
    iovec out_[batch];
    mmsghdr headers_[batch], send_[batch];
#endif
};

}  // namespace

std::uint64_t net_serve(NetServer& server, int socket, int stop, std::size_t snapshot_bytes) {
    Mail mail(socket, sizeof(NetHeader) + server.settings().part_bytes + 16 + 8);
    NetOut out;
    std::vector<std::size_t> to;
    std::uint64_t sent = 0;
    for (;;) {
        pollfd wait[2] = {{socket, POLLIN, 0}, {stop, POLLIN, 0}};
        if (::poll(wait, 2, -1) < 0 && errno != EINTR)
            throw std::runtime_error(std::string("the server's socket: ") + std::strerror(errno));
        if (wait[1].revents) return sent;
        while (const std::size_t n = mail.take()) {
            out.clear(), to.clear();
            for (std::size_t i = 0; i < n; ++i) {
                server.frame(mail.data(i), mail.length(i), out);
                to.resize(out.ends.size(), i);
            }
            server.flush();
            sent += mail.give(out, to);
            if (server.journal_bytes() > snapshot_bytes) server.snapshot();
            if (::poll(wait + 1, 1, 0) > 0) return sent;
        }
    }
}

}  // namespace rlcores
