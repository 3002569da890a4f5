// net_xdp.hpp — datagrams of one UDP port past the kernel's sockets (AF_XDP), with the calls of net::Datagrams.
// SPDX-License-Identifier: Apache-2.0
//
// A program in the kernel gives us the port's datagrams as they come to a network device; fragments and everything else
// go the usual way. They lie in memory that the kernel shares with us, and so do the answers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rlcores/datagrams.hpp"

namespace rlcores {

// A way for frames between the kernel and us: one side writes at `head`, the other reads up to it.
template <class Entry>
struct XdpRing {
    std::uint32_t *head = nullptr, *tail = nullptr, *flags = nullptr;
    Entry* entries = nullptr;
    std::uint32_t size = 0;
    void* map = nullptr;
    std::size_t bytes = 0;

    Entry& operator[](std::uint32_t at) { return entries[at & (size - 1)]; }
    std::uint32_t written() const { return __atomic_load_n(head, __ATOMIC_ACQUIRE); }
    std::uint32_t read() const { return __atomic_load_n(tail, __ATOMIC_ACQUIRE); }
    void write(std::uint32_t to) { __atomic_store_n(head, to, __ATOMIC_RELEASE); }
    void forget(std::uint32_t to) { __atomic_store_n(tail, to, __ATOMIC_RELEASE); }
    bool sleeps() const;  // the kernel wants to be called
};

struct XdpPlace {  // of a frame in the shared memory
    std::uint64_t address;
    std::uint32_t length, options;
};

class Xdp {
public:
    static constexpr std::size_t head_bytes = 42;  // Ethernet, IPv4, UDP

    // Takes the datagrams to `port` of the address `here` (0: of any) that come to `device`. longest: of a datagram's
    // content that we send, in bytes. Throws std::runtime_error in words: the device has several queues, an MTU that is
    // too small, no such program; or we are not allowed to.
    Xdp(const std::string& device, std::uint32_t here, std::uint16_t port, std::size_t longest);
    ~Xdp();
    Xdp(const Xdp&) = delete;
    Xdp& operator=(const Xdp&) = delete;

    int socket() const { return socket_; }
    // Whether the device's driver runs the program, or the kernel behind it.
    bool native() const { return native_; }
    bool ready() const { return in_.written() != in_.read(); }

    using Whose = std::array<std::uint8_t, head_bytes>;  // the head of an answer

    // As Datagrams'.
    template <class Each>
    std::size_t take(int, Each&& each) {
        const std::uint32_t from = in_.read(), count = std::min<std::uint32_t>(in_.written() - from, batch_);
        std::size_t given = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const XdpPlace place = in_[from + i];
            const std::uint8_t* const frame = room_ + place.address;
            if (const std::size_t n = content(frame, place.length); n != none_) {
                answer_to(frame, whose_[i]);
                each(frame + head_bytes, n, i);
                ++given;
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) give_back(in_[from + i].address);
        in_.forget(from + count);
        refill();
        return given;
    }
    std::uint64_t source(std::size_t k) const;
    const Whose* whose(std::size_t k) const { return &whose_[k]; }
    void give(int, const net::Out& out, const Whose* const* to);
    // Answers that found no place: as lost on the way.
    std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t frame_ = 4096, frames_ = 4096, batch_ = 64, none_ = ~std::size_t{0};

    void open(const std::string& device, std::uint32_t here, std::uint16_t port);
    void share();
    void load(int device, std::uint32_t here, std::uint16_t port);
    void close();
    static std::size_t content(const std::uint8_t* frame, std::size_t length);
    static void answer_to(const std::uint8_t* frame, Whose& head);
    void give_back(std::uint64_t address) { free_in_.push_back(address & ~std::uint64_t{frame_ - 1}); }
    void refill();
    void reap();
    void kick();
    bool room_to_send();

    int socket_ = -1, map_ = -1, program_ = -1, link_ = -1;
    bool native_ = false;
    std::uint8_t* room_ = nullptr;
    XdpRing<XdpPlace> in_, out_;
    XdpRing<std::uint64_t> fill_, done_;
    std::vector<std::uint64_t> free_in_, free_out_;
    std::array<Whose, batch_> whose_{};
    std::uint16_t number_ = 0;
    std::atomic<std::uint64_t> lost_{0};  // read by other threads
};

}  // namespace rlcores
