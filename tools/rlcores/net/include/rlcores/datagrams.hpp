// datagrams.hpp — datagrams of a socket, in batches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "frames.hpp"

namespace rlcores::net {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Whether one of these files is ready before `end`, without sleeping: a processor that sleeps takes longer to wake than
// a server takes to answer. Whoever else has work goes first.
inline bool ready_soon(pollfd* files, nfds_t count, double end) {
    for (;;) {
        if (::poll(files, count, 0) > 0) return true;
        if (now() >= end) return false;
        ::sched_yield();
    }
}
inline constexpr double awake = 100e-6;  // seconds to look for a datagram before sleeping

// Datagrams of a socket, in batches where the system has them. On Linux several of one length to one place travel as
// one through the kernel (UDP_SEGMENT, UDP_GRO), and are cut here.
class Datagrams {
public:
    // batch: messages of a call; with 1 a message is one datagram, as of programs that know nothing of all this.
    explicit Datagrams(std::size_t batch) : batch_(batch), room_(new std::uint8_t[batch * stride_]), whose_(batch) {
#if defined(__linux__)
        in_.resize(batch), heads_.resize(batch), cut_.resize(batch);
#endif
    }

    // Calls each(data, n, k), where k says whose it is; how many batches' messages came, without waiting. Throws
    // std::runtime_error with the system's words.
    template <class Each>
    std::size_t take(int socket, Each&& each) {
#if defined(__linux__)
        if (socket != known_ && batch_ > 1) {
            // Where the system does not do this, datagrams come one by one.
            const int on = 1;
            ::setsockopt(socket, IPPROTO_UDP, gro_, &on, sizeof on);
            known_ = socket;
        }
        for (std::size_t i = 0; i < batch_; ++i) {
            in_[i] = {room_.get() + i * stride_, longest_};
            heads_[i] = {};
            msghdr& head = heads_[i].msg_hdr;
            head.msg_iov = &in_[i], head.msg_iovlen = 1;
            head.msg_name = &whose_[i].name, head.msg_namelen = sizeof whose_[i].name;
            head.msg_control = cut_[i].bytes, head.msg_controllen = sizeof cut_[i].bytes;
        }
        const int n = ::recvmmsg(socket, heads_.data(), static_cast<unsigned>(batch_), MSG_DONTWAIT, nullptr);
        if (n < 0) return nothing();
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            whose_[i].length = heads_[i].msg_hdr.msg_namelen;
            const std::size_t bytes = heads_[i].msg_len;
            std::size_t step = bytes;
            for (cmsghdr* c = CMSG_FIRSTHDR(&heads_[i].msg_hdr); c; c = CMSG_NXTHDR(&heads_[i].msg_hdr, c))
                if (c->cmsg_level == IPPROTO_UDP && c->cmsg_type == gro_) {
                    int found;
                    std::memcpy(&found, CMSG_DATA(c), sizeof found);
                    if (found > 0) step = static_cast<std::size_t>(found);
                }
            const auto* const data = static_cast<const std::uint8_t*>(in_[i].iov_base);
            if (!bytes) each(data, bytes, i);
            for (std::size_t at = 0; at < bytes; at += step) each(data + at, std::min(step, bytes - at), i);
        }
        return static_cast<std::size_t>(n);
#else
        whose_[0].length = sizeof whose_[0].name;
        const ssize_t n = ::recvfrom(socket, room_.get(), longest_, MSG_DONTWAIT,
                                     reinterpret_cast<sockaddr*>(&whose_[0].name), &whose_[0].length);
        if (n < 0) return nothing();
        each(room_.get(), static_cast<std::size_t>(n), 0);
        return 1;
#endif
    }

    // The address of sender k as a number: of IPv4 the address, and 2^32 times the port; of IPv6 a hash, with bit 63.
    std::uint64_t source(std::size_t k) const {
        const sockaddr_storage& name = whose_[k].name;
        if (name.ss_family != AF_INET6) {
            sockaddr_in of{};
            std::memcpy(&of, &name, sizeof of);
            return ntohl(of.sin_addr.s_addr) | std::uint64_t{ntohs(of.sin_port)} << 32;
        }
        sockaddr_in6 of{};
        std::memcpy(&of, &name, sizeof of);
        std::uint8_t text[18];
        std::memcpy(text, &of.sin6_addr, 16), std::memcpy(text + 16, &of.sin6_port, 2);
        static const Key key = [] {
            std::random_device random;
            Key made;
            for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::uint8_t>(random());
            return made;
        }();
        return (siphash(key, text, sizeof text) | std::uint64_t{1} << 63) & ~std::uint64_t{1};
    }

    struct Whose {
        sockaddr_storage name;
        socklen_t length;
    };
    // The address of sender k, until the next take().
    const Whose* whose(std::size_t k) const { return &whose_[k]; }

    // Frame k goes to to[k], or where the socket is connected to. What the system has no room for, or refuses for
    // whatever reason, is as one that the network lost.
    void give(int socket, const Out& out, const Whose* const* to = nullptr) {
        std::size_t from = 0;
#if defined(__linux__)
        constexpr std::size_t most = 64;
        const std::size_t calls = batch_ > 1 ? most : 1;
        iovec where[most];
        mmsghdr heads[most];
        Control cuts[most];
        for (std::size_t first = 0; first < out.ends.size();) {
            std::size_t n = 0;
            const std::size_t begun = first, begin = from;
            for (; n < calls && first < out.ends.size(); ++n) {
                const std::size_t size = out.ends[first] - from, at = from;
                std::size_t frames = 0;
                // A row of one length, of which the last may be shorter.
                do {
                    from = out.ends[first++];
                    ++frames;
                } while (segment_ && batch_ > 1 && first < out.ends.size() && frames < most &&
                         (!to || to[first] == to[first - 1]) && from - at == frames * size &&
                         out.ends[first] - from <= size && out.ends[first] - at <= longest_row_);
                where[n] = {const_cast<std::uint8_t*>(out.bytes.data()) + at, from - at};
                heads[n] = {};
                msghdr& head = heads[n].msg_hdr;
                head.msg_iov = &where[n], head.msg_iovlen = 1;
                if (to)
                    head.msg_name = const_cast<sockaddr_storage*>(&to[first - 1]->name),
                    head.msg_namelen = to[first - 1]->length;
                if (frames > 1) {
                    head.msg_control = cuts[n].bytes, head.msg_controllen = CMSG_SPACE(sizeof(std::uint16_t));
                    cmsghdr* const c = CMSG_FIRSTHDR(&head);
                    c->cmsg_level = IPPROTO_UDP, c->cmsg_type = gso_, c->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
                    const auto length = static_cast<std::uint16_t>(size);
                    std::memcpy(CMSG_DATA(c), &length, sizeof length);
                }
            }
            for (std::size_t done = 0; done < n;) {
                const int some = ::sendmmsg(socket, heads + done, static_cast<unsigned>(n - done), MSG_DONTWAIT);
                if (some < 0 && heads[done].msg_hdr.msg_control && errno != EAGAIN && errno != ECONNREFUSED) {
                    // This way has no rows: all of this batch again, one by one. What went twice is a repetition.
                    segment_ = false, first = begun, from = begin;
                    break;
                }
                done += some > 0 ? static_cast<std::size_t>(some) : 1;
            }
        }
#else
        for (std::size_t k = 0; k < out.ends.size(); ++k) {
            const auto* name = to ? reinterpret_cast<const sockaddr*>(&to[k]->name) : nullptr;
            (void)::sendto(socket, out.bytes.data() + from, out.ends[k] - from, MSG_DONTWAIT, name,
                           to ? to[k]->length : 0);
            from = out.ends[k];
        }
#endif
    }

private:
    static std::size_t nothing() {
        // A peer that is gone is told to us as a refused connection.
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ECONNREFUSED) return 0;
        throw std::runtime_error(std::string("the socket: ") + std::strerror(errno));
    }

    // Not a power of two from one to the next: those would share the cache's lines.
    static constexpr std::size_t longest_ = std::size_t{1} << 16, stride_ = longest_ + 4160;
    std::size_t batch_;
    std::unique_ptr<std::uint8_t[]> room_;
    std::vector<Whose> whose_;
#if defined(__linux__)
    static constexpr int gso_ = 103, gro_ = 104;  // UDP_SEGMENT, UDP_GRO
    static constexpr std::size_t longest_row_ = 64000;
    struct Control {
        alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(int))];
    };
    std::vector<iovec> in_;
    std::vector<mmsghdr> heads_;
    std::vector<Control> cut_;
    bool segment_ = true;
    int known_ = -1;
#endif
};

}  // namespace rlcores::net
