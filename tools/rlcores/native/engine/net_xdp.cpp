// net_xdp.cpp — AF_XDP by the kernel's own calls: shared memory, its four rings, and the program that chooses
// datagrams. SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/net_xdp.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#if defined(__linux__) && __has_include(<linux/if_xdp.h>) && __has_include(<linux/bpf.h>)
#include <dirent.h>
#include <linux/bpf.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace rlcores {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }
[[maybe_unused, noreturn]] void refused(const std::string& what) {
    const int why = errno;
    fail(what + ": " + std::strerror(why) + (why == EPERM ? "; it needs root, or CAP_NET_ADMIN and CAP_BPF" : ""));
}

std::uint16_t big(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] << 8 | at[1]); }
void put_big(std::uint8_t* at, std::size_t value) {
    at[0] = static_cast<std::uint8_t>(value >> 8), at[1] = static_cast<std::uint8_t>(value);
}

}  // namespace

// --- heads: 14 bytes of Ethernet, 20 of IPv4, 8 of UDP ---

// Bytes of a datagram's content; none_: it is cut.
std::size_t Xdp::content(const std::uint8_t* frame, std::size_t length) {
    if (length < head_bytes) return none_;
    const std::size_t udp = big(frame + 38);
    return udp < 8 || udp + 34 > length ? none_ : udp - 8;
}

void Xdp::answer_to(const std::uint8_t* frame, Whose& head) {
    std::memcpy(head.data(), frame + 6, 6);
    std::memcpy(head.data() + 6, frame, 6);
    static constexpr std::uint8_t ip[12] = {0x08, 0x00, 0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17};  // not to be fragmented
    std::memcpy(head.data() + 12, ip, sizeof ip);
    std::memset(head.data() + 24, 0, 2);
    std::memcpy(head.data() + 26, frame + 30, 4);
    std::memcpy(head.data() + 30, frame + 26, 4);
    std::memcpy(head.data() + 34, frame + 36, 2);
    std::memcpy(head.data() + 36, frame + 34, 2);
    std::memset(head.data() + 38, 0, 4);  // no checksum of UDP: each of our frames has one
}

std::uint64_t Xdp::source(std::size_t k) const {
    const std::uint8_t* const head = whose_[k].data();
    return std::uint64_t{big(head + 30)} << 16 | big(head + 32) | std::uint64_t{big(head + 36)} << 32;
}

#if defined(__linux__) && __has_include(<linux/if_xdp.h>) && __has_include(<linux/bpf.h>)

template <class Entry>
bool XdpRing<Entry>::sleeps() const {
    return __atomic_load_n(flags, __ATOMIC_RELAXED) & XDP_RING_NEED_WAKEUP;
}

namespace {

template <class Entry>
void map_ring(XdpRing<Entry>& ring, int socket, const xdp_ring_offset& at, std::uint64_t page, std::uint32_t size) {
    ring.size = size, ring.bytes = at.desc + size * sizeof(Entry);
    ring.map = ::mmap(nullptr, ring.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, socket,
                      static_cast<off_t>(page));
    if (ring.map == MAP_FAILED) {
        ring.map = nullptr;
        refused("the rings of AF_XDP");
    }
    auto* const base = static_cast<std::uint8_t*>(ring.map);
    ring.head = reinterpret_cast<std::uint32_t*>(base + at.producer);
    ring.tail = reinterpret_cast<std::uint32_t*>(base + at.consumer);
    ring.flags = reinterpret_cast<std::uint32_t*>(base + at.flags);
    ring.entries = reinterpret_cast<Entry*>(base + at.desc);
}

template <class Entry>
void unmap(XdpRing<Entry>& ring) {
    if (ring.map) ::munmap(ring.map, ring.bytes);
}

int bpf(int command, bpf_attr& given) { return static_cast<int>(::syscall(SYS_bpf, command, &given, sizeof given)); }

bpf_insn code(std::uint8_t operation, std::uint8_t to, std::uint8_t from, std::int16_t offset, std::int32_t value) {
    bpf_insn made{};
    made.code = operation, made.dst_reg = to & 15, made.src_reg = from & 15, made.off = offset, made.imm = value;
    return made;
}

// The program: a datagram of IPv4 without options that is no fragment, to our port, goes to the socket of its queue.
std::vector<bpf_insn> program(int map, std::uint32_t here, std::uint16_t port) {
    std::vector<bpf_insn> made;
    std::vector<std::size_t> passes;  // jumps to the end
    const auto add = [&](std::uint8_t operation, std::uint8_t to, std::uint8_t from, std::int16_t offset,
                         std::int32_t value) { made.push_back(code(operation, to, from, offset, value)); };
    const auto unless = [&](std::uint8_t load, std::int16_t at, std::int32_t wanted, std::int32_t mask) {
        add(std::uint8_t(BPF_LDX | BPF_MEM | load), 5, 2, at, 0);
        if (mask) add(std::uint8_t(BPF_ALU64 | BPF_AND | BPF_K), 5, 0, 0, mask);
        passes.push_back(made.size());
        add(std::uint8_t(BPF_JMP32 | BPF_JNE | BPF_K), 5, 0, 0, wanted);
    };
    add(std::uint8_t(BPF_LDX | BPF_MEM | BPF_W), 2, 1, offsetof(xdp_md, data), 0);
    add(std::uint8_t(BPF_LDX | BPF_MEM | BPF_W), 3, 1, offsetof(xdp_md, data_end), 0);
    add(std::uint8_t(BPF_LDX | BPF_MEM | BPF_W), 6, 1, offsetof(xdp_md, rx_queue_index), 0);
    add(std::uint8_t(BPF_ALU64 | BPF_MOV | BPF_X), 4, 2, 0, 0);
    add(std::uint8_t(BPF_ALU64 | BPF_ADD | BPF_K), 4, 0, 0, int{Xdp::head_bytes});
    passes.push_back(made.size());
    add(std::uint8_t(BPF_JMP | BPF_JGT | BPF_X), 4, 3, 0, 0);
    unless(BPF_H, 12, htons(0x0800), 0);
    unless(BPF_B, 14, 0x45, 0);
    unless(BPF_B, 23, 17, 0);
    unless(BPF_H, 20, 0, htons(0x3fff));
    unless(BPF_H, 36, htons(port), 0);
    if (here) unless(BPF_W, 30, static_cast<std::int32_t>(htonl(here)), 0);
    add(std::uint8_t(BPF_LD | BPF_DW | BPF_IMM), 1, BPF_PSEUDO_MAP_FD, 0, map);
    add(0, 0, 0, 0, 0);
    add(std::uint8_t(BPF_ALU64 | BPF_MOV | BPF_X), 2, 6, 0, 0);
    add(std::uint8_t(BPF_ALU64 | BPF_MOV | BPF_K), 3, 0, 0, XDP_PASS);
    add(std::uint8_t(BPF_JMP | BPF_CALL), 0, 0, 0, BPF_FUNC_redirect_map);
    add(std::uint8_t(BPF_JMP | BPF_EXIT), 0, 0, 0, 0);
    for (const std::size_t jump : passes) made[jump].off = static_cast<std::int16_t>(made.size() - jump - 1);
    add(std::uint8_t(BPF_ALU64 | BPF_MOV | BPF_K), 0, 0, 0, XDP_PASS);
    add(std::uint8_t(BPF_JMP | BPF_EXIT), 0, 0, 0, 0);
    return made;
}

std::size_t queues(const std::string& device) {
    DIR* const folder = ::opendir(("/sys/class/net/" + device + "/queues").c_str());
    if (!folder) return 1;
    std::size_t found = 0;
    while (const dirent* const one = ::readdir(folder)) found += std::string(one->d_name).rfind("rx-", 0) == 0;
    ::closedir(folder);
    return found;
}

void set(int socket, int option, std::uint32_t value) {
    if (::setsockopt(socket, SOL_XDP, option, &value, sizeof value)) refused("the rings of AF_XDP");
}

}  // namespace

Xdp::Xdp(const std::string& device, std::uint32_t here, std::uint16_t port, std::size_t longest) {
    ifreq asked{};
    if (device.empty() || device.size() >= sizeof asked.ifr_name || !::if_nametoindex(device.c_str()))
        fail("there is no network device '" + device + "'");
    if (const std::size_t found = queues(device); found != 1)
        fail("the network device '" + device + "' has " + std::to_string(found) +
             " queues; AF_XDP takes one: ethtool -L " + device + " combined 1");
    try {
        socket_ = ::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
        if (socket_ < 0) refused("AF_XDP");
        device.copy(asked.ifr_name, device.size());
        // This kind of socket answers no questions about devices.
        const int other = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const int wrong = ::ioctl(other, SIOCGIFMTU, &asked);
        ::close(other);
        if (wrong) refused("the network device '" + device + "'");
        const auto mtu = static_cast<std::size_t>(asked.ifr_mtu);
        if (longest + head_bytes - 14 > mtu)
            fail("the server sends datagrams of " + std::to_string(longest) + " bytes; the MTU of '" + device + "', " +
                 std::to_string(mtu) + ", has room for " + std::to_string(mtu - head_bytes + 14) +
                 ", and AF_XDP does not cut them: take smaller parts");
        if (mtu + 14 > frame_ - 512)
            fail("the MTU of '" + device + "' is " + std::to_string(mtu) + "; AF_XDP takes 3,500 at most");
        open(device, here, port);
    } catch (...) {
        close();
        throw;
    }
}

Xdp::~Xdp() { close(); }

void Xdp::open(const std::string& device, std::uint32_t here, std::uint16_t port) {
    share();
    const unsigned number = ::if_nametoindex(device.c_str());
    load(static_cast<int>(number), here, port);
    sockaddr_xdp at{};
    at.sxdp_family = AF_XDP, at.sxdp_ifindex = number, at.sxdp_flags = XDP_USE_NEED_WAKEUP;
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at)) refused("AF_XDP on '" + device + "'");
    bpf_attr given{};
    const std::uint32_t queue = 0;
    given.map_fd = static_cast<std::uint32_t>(map_), given.key = reinterpret_cast<std::uint64_t>(&queue);
    given.value = reinterpret_cast<std::uint64_t>(&socket_);
    if (bpf(BPF_MAP_UPDATE_ELEM, given)) refused("AF_XDP on '" + device + "'");
    refill();
}

// The memory of all frames: the first half for what comes, the other for what goes.
void Xdp::share() {
    const std::size_t bytes = frame_ * frames_;
    void* const made =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (made == MAP_FAILED) refused("the memory of AF_XDP");
    room_ = static_cast<std::uint8_t*>(made);
    xdp_umem_reg memory{};
    memory.addr = reinterpret_cast<std::uint64_t>(room_), memory.len = bytes, memory.chunk_size = frame_;
    if (::setsockopt(socket_, SOL_XDP, XDP_UMEM_REG, &memory, sizeof memory)) refused("the memory of AF_XDP");
    constexpr std::uint32_t half = frames_ / 2;
    for (const int option : {XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_RX_RING, XDP_TX_RING})
        set(socket_, option, half);
    xdp_mmap_offsets at{};
    socklen_t size = sizeof at;
    if (::getsockopt(socket_, SOL_XDP, XDP_MMAP_OFFSETS, &at, &size)) refused("the rings of AF_XDP");
    map_ring(in_, socket_, at.rx, XDP_PGOFF_RX_RING, half);
    map_ring(out_, socket_, at.tx, XDP_PGOFF_TX_RING, half);
    map_ring(fill_, socket_, at.fr, XDP_UMEM_PGOFF_FILL_RING, half);
    map_ring(done_, socket_, at.cr, XDP_UMEM_PGOFF_COMPLETION_RING, half);
    for (std::uint64_t i = 0; i < frames_; ++i) (i < half ? free_in_ : free_out_).push_back(i * frame_);
}

// The program into the kernel and onto the device; it goes with our last file of it, however we end.
void Xdp::load(int device, std::uint32_t here, std::uint16_t port) {
    bpf_attr given{};
    given.map_type = BPF_MAP_TYPE_XSKMAP, given.key_size = given.value_size = 4, given.max_entries = 1;
    if ((map_ = bpf(BPF_MAP_CREATE, given)) < 0) refused("the program of AF_XDP");
    const auto text = program(map_, here, port);
    static const char licence[] = "Apache-2.0";
    given = {};
    given.prog_type = BPF_PROG_TYPE_XDP, given.insns = reinterpret_cast<std::uint64_t>(text.data());
    given.insn_cnt = static_cast<std::uint32_t>(text.size()), given.license = reinterpret_cast<std::uint64_t>(licence);
    if ((program_ = bpf(BPF_PROG_LOAD, given)) < 0) refused("the program of AF_XDP");
    for (const bool native : {true, false}) {
        given = {};
        given.link_create.prog_fd = static_cast<std::uint32_t>(program_);
        given.link_create.target_ifindex = static_cast<std::uint32_t>(device), given.link_create.attach_type = BPF_XDP;
        given.link_create.flags = native ? 1U << 2 : 1U << 1;  // XDP_FLAGS_DRV_MODE, XDP_FLAGS_SKB_MODE
        link_ = bpf(BPF_LINK_CREATE, given);
        native_ = native;
        if (link_ >= 0) return;
        if (errno == EBUSY || errno == EEXIST) fail("the network device has a program of somebody else already");
    }
    refused("the program of AF_XDP");
}

void Xdp::close() {
    for (int* const file : {&link_, &program_, &map_, &socket_}) {
        if (*file >= 0) ::close(*file);
        *file = -1;
    }
    unmap(in_), unmap(out_), unmap(fill_), unmap(done_);
    if (room_) ::munmap(room_, frame_ * frames_);
    room_ = nullptr;
}

// --- frames in and out ---

void Xdp::refill() {
    const std::uint32_t from = fill_.written();
    const std::uint32_t room = fill_.size - (from - fill_.read());
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(room, free_in_.size()));
    for (std::uint32_t i = 0; i < count; ++i) {
        fill_[from + i] = free_in_.back();
        free_in_.pop_back();
    }
    fill_.write(from + count);
    if (fill_.sleeps()) (void)::recvfrom(socket_, nullptr, 0, MSG_DONTWAIT, nullptr, nullptr);
}

void Xdp::reap() {
    const std::uint32_t from = done_.read(), to = done_.written();
    for (std::uint32_t i = from; i != to; ++i) free_out_.push_back(done_[i] & ~std::uint64_t{frame_ - 1});
    done_.forget(to);
}

void Xdp::kick() {
    if (!out_.sleeps()) return;
    // A call sends some of what waits.
    for (int tries = 0; out_.read() != out_.written() && tries < 64; ++tries)
        if (::sendto(socket_, nullptr, 0, MSG_DONTWAIT, nullptr, 0) < 0 && errno != EAGAIN && errno != EBUSY &&
            errno != ENOBUFS)
            return;
}

bool Xdp::room_to_send() {
    for (int tries = 0; tries < 8; ++tries) {
        reap();
        if (!free_out_.empty() && out_.written() - out_.read() < out_.size) return true;
        kick();
    }
    return false;
}

void Xdp::give(int, const net::Out& out, const Whose* const* to) {
    std::size_t from = 0;
    std::uint32_t at = out_.written();
    for (std::size_t k = 0; k < out.ends.size(); from = out.ends[k], ++k) {
        const std::size_t size = out.ends[k] - from;
        if ((free_out_.empty() || at - out_.read() >= out_.size)) {
            out_.write(at);
            if (!room_to_send()) {
                lost_.fetch_add(1, std::memory_order_relaxed);
                continue;
            }
        }
        const std::uint64_t place = free_out_.back();
        free_out_.pop_back();
        std::uint8_t* const frame = room_ + place;
        std::memcpy(frame, to[k]->data(), head_bytes);
        std::memcpy(frame + head_bytes, out.bytes.data() + from, size);
        put_big(frame + 16, size + 28);
        put_big(frame + 18, number_++);
        std::uint32_t sum = 0;
        for (std::size_t i = 14; i < 34; i += 2) sum += big(frame + i);
        sum = (sum & 0xffff) + (sum >> 16);
        put_big(frame + 24, ~(sum + (sum >> 16)) & 0xffff);
        put_big(frame + 38, size + 8);
        out_[at++] = {place, static_cast<std::uint32_t>(size + head_bytes), 0};
    }
    out_.write(at);
    kick();
    reap();
}

#else

template <class Entry>
bool XdpRing<Entry>::sleeps() const {
    return false;
}
Xdp::Xdp(const std::string&, std::uint32_t, std::uint16_t, std::size_t) {
    fail("AF_XDP is of Linux, and this engine was built without it");
}
Xdp::~Xdp() = default;
void Xdp::give(int, const net::Out&, const Whose* const*) {}
void Xdp::refill() {}

#endif

}  // namespace rlcores
