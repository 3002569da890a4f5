// replay.hpp — a client of the replay server `rlcores serve`: C++17 and POSIX sockets, nothing else.
// SPDX-License-Identifier: Apache-2.0
//
// protocol   docs/net.md
// Client     blocking: connects, puts, samples, updates. What most programs want; examples/replay_client has one.
// Session    the same without waiting, for a loop of one's own: give() sends what is due, take() reads what came.
// threads    One at a time per object. Python's clients are made of these too.
// machines   little-endian ones, as the protocol is.
#pragma once

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace rlcores::net {

// --- checks of frames ---

namespace detail {

struct CrcTable {
    std::uint32_t row[256];
    constexpr CrcTable() : row() {
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t x = i;
            for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ (x & 1 ? 0x82F63B78u : 0);
            row[i] = x;
        }
    }
};
inline constexpr CrcTable crc_table;

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) inline std::uint32_t crc_by_instruction(std::uint32_t crc, const std::uint8_t* data,
                                                                          std::size_t n) {
    std::uint64_t wide = crc;
    for (; n >= 8; data += 8, n -= 8) {
        std::uint64_t word;
        std::memcpy(&word, data, 8);
        wide = _mm_crc32_u64(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; n; ++data, --n) crc = _mm_crc32_u8(crc, *data);
    return crc;
}
#endif

constexpr std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

}  // namespace detail

// CRC32C of bytes; before: that of the bytes before them.
inline std::uint32_t crc32c(const std::uint8_t* data, std::size_t n, std::uint32_t before = 0) {
    std::uint32_t crc = ~before;
#if defined(__x86_64__)
    static const bool fast = __builtin_cpu_supports("sse4.2");
    if (fast) return ~detail::crc_by_instruction(crc, data, n);
#endif
    for (std::size_t i = 0; i < n; ++i) crc = crc >> 8 ^ detail::crc_table.row[(crc ^ data[i]) & 255];
    return ~crc;
}

using Key = std::array<std::uint8_t, 16>;

// SipHash-2-4 of bytes.
inline std::uint64_t siphash(const Key& key, const std::uint8_t* data, std::size_t n) {
    using detail::rotated;
    std::uint64_t k[2];
    std::memcpy(k, key.data(), 16);
    std::uint64_t a = k[0] ^ 0x736F6D6570736575, b = k[1] ^ 0x646F72616E646F6D, c = k[0] ^ 0x6C7967656E657261,
                  d = k[1] ^ 0x7465646279746573;
    const auto rounds = [&](int count) {
        while (count--) {
            a += b, c += d;
            b = rotated(b, 13) ^ a, d = rotated(d, 16) ^ c;
            a = rotated(a, 32);
            c += b, a += d;
            b = rotated(b, 17) ^ c, d = rotated(d, 21) ^ a;
            c = rotated(c, 32);
        }
    };
    const auto take = [&](std::uint64_t word) { d ^= word, rounds(2), a ^= word; };
    std::size_t at = 0;
    for (; at + 8 <= n; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, data + at, 8);
        take(word);
    }
    std::uint64_t last = static_cast<std::uint64_t>(n & 255) << 56;
    for (std::size_t i = 0; at + i < n; ++i) last |= static_cast<std::uint64_t>(data[at + i]) << 8 * i;
    take(last);
    c ^= 255;
    rounds(4);
    return a ^ b ^ c ^ d;
}

// --- frames ---

#pragma pack(push, 1)
// What a frame begins with.
struct Header {
    std::uint32_t magic;
    std::uint8_t version, op;
    std::uint16_t status;
    std::uint32_t client, epoch;
    std::uint64_t sequence;
    std::uint32_t instance, length;
    std::uint16_t count, part, parts;
    std::uint8_t behind, credit;
};
// The answer of HELLO.
struct Told {
    std::uint64_t schema;
    std::uint32_t capacity, record_bytes, part_bytes, clients, sample_max, weights_max, epoch;
    std::uint16_t kept, assemblies, priority_width, generation_width, alpha;
    std::int16_t scale;
    std::uint32_t epsilon, zero;
};
// The head of a chunk of weights; in GET the offset comes in place of `total`.
struct Chunk {
    std::uint64_t version;
    std::uint32_t total, offset;
};
// A new priority.
struct Update {
    std::uint32_t slot, generation, word, kind;
};
#pragma pack(pop)
static_assert(sizeof(Header) == 40 && sizeof(Told) == 56 && sizeof(Chunk) == 16 && sizeof(Update) == 16);

// Numbers and names of the protocol.
struct Protocol {
    enum Op : std::uint8_t { hello, put, sample, read_slots, prio, weights, get, stat, answer = 0x80 };
    enum Status : std::uint16_t { ok, empty, gone, stale, refused, wait, part, old, epoch, instance, schema, none };
    enum Kind : std::uint32_t { raw_kind, td_kind, largest_kind };
    enum Flag : std::uint16_t { stratified = 1, weighted = 2, given_draws = 4 };
    static constexpr std::uint32_t magic = 0x4E434C52, gone_bit = 1u << 31;
    static constexpr unsigned window = 64, kept_batches = 4, assemblies = 4, most_parts = 64;

    static constexpr bool is_sequenced(std::uint8_t op) { return op == put || op == sample || op == prio || op == weights; }
    // Bytes of the text that SAMPLE and READ answer.
    static constexpr std::size_t text_bytes(std::size_t count, std::size_t record_bytes) {
        return 16 + count * (16 + record_bytes);
    }
    static constexpr std::size_t parts_of(std::size_t bytes, std::size_t part_bytes) {
        return bytes ? (bytes + part_bytes - 1) / part_bytes : 1;
    }
};

template <class T>
T number(const std::uint8_t* at) {
    T found;
    std::memcpy(&found, at, sizeof(T));
    return found;
}

// Frames, one behind the other, as they travel.
struct Out {
    std::vector<std::uint8_t> bytes;
    std::vector<std::size_t> ends;
    void clear() { bytes.clear(), ends.clear(); }

    // Room for a frame; where its payload goes. The header's length is that of the payload.
    std::uint8_t* begin(Header h, std::size_t length, bool keyed) {
        const std::size_t at = bytes.size();
        bytes.resize(at + sizeof h + length + (keyed ? 16 : 8));
        h.magic = Protocol::magic, h.version = 1, h.length = static_cast<std::uint32_t>(length);
        std::memcpy(bytes.data() + at, &h, sizeof h);
        return bytes.data() + at + sizeof h;
    }
    // The checks of the frame that began last.
    void seal(const std::optional<Key>& key) {
        const std::size_t at = ends.empty() ? 0 : ends.back();
        std::uint8_t* const data = bytes.data() + at;
        std::size_t n = bytes.size() - at - (key ? 16 : 8);
        if (key) {
            const std::uint64_t mac = siphash(*key, data, n);
            std::memcpy(data + n, &mac, 8);
            n += 8;
        }
        const std::uint64_t check = crc32c(data, n);
        std::memcpy(data + n, &check, 8);
        ends.push_back(bytes.size());
    }
};

// Datagrams of a socket, in batches where the system has them. On Linux several of one length to one place travel as one
// through the kernel (UDP_SEGMENT, UDP_GRO), and are cut here.
class Datagrams {
public:
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
        if (socket != known_) {
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
        const ssize_t n = ::recvfrom(socket, room_.get(), longest_, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&whose_[0].name),
                                     &whose_[0].length);
        if (n < 0) return nothing();
        each(room_.get(), static_cast<std::size_t>(n), 0);
        return 1;
#endif
    }

    // Frame k goes to the sender of datagram to[k], or where the socket is connected to. What the system has no room for,
    // or refuses for whatever reason, is as one that the network lost.
    void give(int socket, const Out& out, const std::size_t* to = nullptr) {
        std::size_t from = 0;
#if defined(__linux__)
        constexpr std::size_t most = 64;
        iovec where[most];
        mmsghdr heads[most];
        Control cuts[most];
        for (std::size_t first = 0; first < out.ends.size();) {
            std::size_t n = 0;
            const std::size_t begun = first, begin = from;
            for (; n < most && first < out.ends.size(); ++n) {
                const std::size_t size = out.ends[first] - from, at = from;
                std::size_t frames = 0;
                // A row of one length, of which the last may be shorter.
                do {
                    from = out.ends[first++];
                    ++frames;
                } while (segment_ && first < out.ends.size() && frames < most && (!to || to[first] == to[first - 1]) &&
                         from - at == frames * size && out.ends[first] - from <= size && out.ends[first] - at <= longest_row_);
                where[n] = {const_cast<std::uint8_t*>(out.bytes.data()) + at, from - at};
                heads[n] = {};
                msghdr& head = heads[n].msg_hdr;
                head.msg_iov = &where[n], head.msg_iovlen = 1;
                if (to) head.msg_name = &whose_[to[first - 1]].name, head.msg_namelen = whose_[to[first - 1]].length;
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
            const auto* name = to ? reinterpret_cast<const sockaddr*>(&whose_[to[k]].name) : nullptr;
            (void)::sendto(socket, out.bytes.data() + from, out.ends[k] - from, MSG_DONTWAIT, name,
                           to ? whose_[to[k]].length : 0);
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
    struct Whose {
        sockaddr_storage name;
        socklen_t length;
    };
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

// The word of a TD error: sfix(32,20), limited. NaN gives 0.
inline std::uint32_t td_word(double error) {
    const double raw = std::floor(error * 1048576.0 + 0.5);
    const double limited = raw >= 2147483647.0 ? 2147483647.0 : raw >= -2147483648.0 ? raw : raw < 0 ? -2147483648.0 : 0.0;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(limited));
}

// Nobody answered in time, or another process took the client number.
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The server keeps other records, or was asked what it does not do.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A batch, in order. A record that was overwritten since is zeros, and `gone` says so.
struct Batch {
    std::vector<std::uint8_t> records;  // record_bytes each
    std::vector<std::uint32_t> slots, generations, priorities;
    std::vector<float> weights;
    std::vector<std::uint8_t> gone;
    std::uint64_t total = 0;  // the sum of all priorities that it was drawn from
    std::uint32_t size = 0;   // records that the server held
};

// --- a client without its waiting ---

class Session : public Protocol {
public:
    struct Options {
        std::uint32_t client = 0;
        std::optional<Key> key;
        std::uint32_t record_bytes = 0;  // 0: whatever the server has
        std::uint64_t schema = 0;        // 0: not compared
        bool ordered = false;            // every request is accepted after all before it
    };

    // A request; `done` when it was answered.
    struct Pending {
        Header head{};
        std::vector<std::uint8_t> text;  // its whole payload
        bool done = false;
        Status status = ok;
        std::vector<std::uint8_t> result;  // payload of the answer; of SAMPLE and READ the whole text

    private:
        friend class Session;
        bool admitted = false;
        std::vector<bool> parts;  // of the answer, that came
        std::size_t came = 0;
        std::uint64_t held = 0;                     // parts of the request that the server has
        std::size_t asked = 0, wanted = 0, left = 0;  // parts of the answer that were asked for last, and are missing
        double at = 0, wait = 0;                    // when it is sent (again); until then, from when it was sent
        double sent = -1;                           // when it was sent for the first and only time
        int overtaken = 0;
        bool gone = false, listed = false;  // a record was overwritten before it came; the list was asked for again
    };
    using Request = std::shared_ptr<Pending>;

    explicit Session(const Options& options) : options_(options) {
        std::random_device random;
        nonce_ = std::uint64_t{random()} << 32 ^ random();
        begin();
    }

    static double now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

    // --- requests ---

    // Requests of n records, row_bytes each and the rest zeros. words, kinds: of their priorities, n each; nullptr: 0.
    // Throws Refused when they are too long.
    std::vector<Request> put_records(const void* rows, std::size_t n, std::size_t row_bytes, const std::uint32_t* words,
                                     const std::uint32_t* kinds) {
        if (row_bytes > told_.record_bytes)
            throw Refused("a record has " + std::to_string(row_bytes) + " bytes; this server keeps " +
                          std::to_string(told_.record_bytes));
        const std::size_t step = 8 + told_.record_bytes, most = std::min<std::size_t>(most_parts * told_.part_bytes / step, 65535);
        const std::size_t each = std::min(std::max<std::size_t>(told_.part_bytes / step, 1), most);
        const auto* from = static_cast<const std::uint8_t*>(rows);
        std::vector<Request> made;
        made.reserve(n / each + 1);
        for (std::size_t first = 0; first < n; first += each) {
            const std::size_t count = std::min(each, n - first);
            std::vector<std::uint8_t> text(count * step);
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t head[2] = {words ? words[first + i] : 0, kinds ? kinds[first + i] : largest_kind};
                std::memcpy(text.data() + i * step, head, 8);
                std::memcpy(text.data() + i * step + 8, from + (first + i) * row_bytes, row_bytes);
            }
            made.push_back(request(put, std::move(text), count));
        }
        return made;
    }

    // beta: ufix(16,15). draws: four words of xoshiro128++ that the draws begin at; nullptr: the server's.
    Request sample_batch(std::size_t count, unsigned beta, unsigned flags, const std::uint32_t* draws = nullptr) {
        std::vector<std::uint8_t> text(draws ? 24 : 8);
        const auto word = static_cast<std::uint16_t>(beta);
        std::memcpy(text.data(), &word, 2);
        if (draws) std::memcpy(text.data() + 8, draws, 16);
        return request(sample, std::move(text), count, flags | (draws ? given_draws : 0));
    }

    Request read_records(const std::uint32_t* slots, const std::uint32_t* generations, std::size_t n) {
        std::vector<std::uint8_t> text(8 * n);
        for (std::size_t i = 0; i < n; ++i) {
            std::memcpy(text.data() + 8 * i, slots + i, 4);
            std::memcpy(text.data() + 8 * i + 4, generations + i, 4);
        }
        return request(read_slots, std::move(text), n);
    }

    std::vector<Request> update_priorities(const std::uint32_t* slots, const std::uint32_t* generations,
                                           const std::uint32_t* words, const std::uint32_t* kinds, std::size_t n) {
        const std::size_t each = told_.part_bytes / sizeof(Update);
        std::vector<Request> made;
        for (std::size_t first = 0; first < n; first += each) {
            const std::size_t count = std::min(each, n - first);
            std::vector<std::uint8_t> text(count * sizeof(Update));
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t k = first + i;
                const Update one{slots[k], generations[k], words[k], kinds[k]};
                std::memcpy(text.data() + i * sizeof one, &one, sizeof one);
            }
            made.push_back(request(prio, std::move(text), count));
        }
        return made;
    }

    std::vector<Request> publish(const void* data, std::size_t n, std::uint64_t version) {
        const auto* from = static_cast<const std::uint8_t*>(data);
        std::vector<Request> made;
        for (std::size_t offset = 0; offset < n; offset += chunk()) {
            const std::size_t some = std::min(chunk(), n - offset);
            std::vector<std::uint8_t> text(sizeof(Chunk) + (some + 7) / 8 * 8);
            const Chunk head{version, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(offset)};
            std::memcpy(text.data(), &head, sizeof head);
            std::memcpy(text.data() + sizeof head, from + offset, some);
            made.push_back(request(weights, std::move(text)));
        }
        return made;
    }

    Request get_chunk(std::uint64_t version, std::size_t offset) {
        const Chunk head{version, static_cast<std::uint32_t>(offset), 0};
        std::vector<std::uint8_t> text(sizeof head);
        std::memcpy(text.data(), &head, sizeof head);
        return request(get, std::move(text));
    }

    Request ask_stat() { return request(stat, {}); }

    // The arrays of a SAMPLE or READ that was answered OK.
    void unpack(const Pending& one, Batch& batch) const {
        const std::size_t n = one.head.count;
        batch.records.resize(n * told_.record_bytes);
        for (auto* each : {&batch.slots, &batch.generations, &batch.priorities}) each->resize(n);
        batch.weights.resize(n), batch.gone.resize(n);
        unpack(one, batch.records.data(), batch.slots.data(), batch.generations.data(), batch.priorities.data(),
               batch.weights.data(), batch.gone.data());
        batch.total = number<std::uint64_t>(one.result.data()), batch.size = number<std::uint32_t>(one.result.data() + 8);
    }
    void unpack(const Pending& one, std::uint8_t* records, std::uint32_t* slots, std::uint32_t* generations,
                std::uint32_t* priorities, float* importance, std::uint8_t* lost) const {
        const std::size_t n = one.head.count;
        const std::uint8_t* at = one.result.data() + 16;
        for (std::size_t i = 0; i < n; ++i, at += 16) {
            std::uint32_t entry[4];
            std::memcpy(entry, at, 16);
            slots[i] = entry[0], generations[i] = entry[1] & ~gone_bit, priorities[i] = entry[2];
            importance[i] = static_cast<float>(entry[3] * 0x1p-31);
            lost[i] = static_cast<std::uint8_t>(entry[1] >> 31);
        }
        std::memcpy(records, at, n * told_.record_bytes);
    }

    bool connected() const { return !hello_; }
    // Requests that wait for credit, and all that are not answered.
    std::size_t waiting() const { return waiting_.size(); }
    std::size_t unanswered() const { return waiting_.size() + sent_.size() + others_.size(); }
    static bool admitted(const Pending& one) { return one.admitted || one.done; }
    const Told& told() const { return told_; }
    std::uint32_t server_instance() const { return instance_; }
    std::uint32_t present_epoch() const { return epoch_; }
    unsigned credit() const { return credit_; }
    std::size_t chunk() const { return told_.part_bytes - sizeof(Chunk); }
    std::uint64_t resent() const { return resent_; }
    // Bytes of an answer that are asked for, and of requests that are sent, at once: what a socket's queue holds.
    void flow(std::size_t bytes) { flow_ = bytes; }

    // --- to and from the socket; time in seconds of now() ---

    // The datagrams to send now, behind those that are there.
    void due(double time, Out& out) {
        if (hello_) {
            if (hello_->at <= time) again(*hello_, time), frame(hello_->head, hello_->text.data(), hello_->text.size(), out);
            return;
        }
        admit(time);
        for (const auto* held : {&sent_, &others_})
            for (const auto& [sequence, one] : *held)
                if (one->at <= time) again(*one, time), frames(*one, out);
    }

    // When `due` has something again; infinity: not before an answer.
    double next_time() const {
        if (hello_) return hello_->at;
        double found = std::numeric_limits<double>::infinity();
        for (const auto* held : {&sent_, &others_})
            for (const auto& [sequence, one] : *held) found = std::min(found, one->at);
        return found;
    }

    // Take a datagram. What is damaged, or no answer to anything here, is ignored. Throws Failed when another process
    // took this client number, Refused when the server keeps other records.
    void received(const std::uint8_t* data, std::size_t n, double time) {
        const std::size_t tail = options_.key ? 16 : 8;
        if (n < sizeof(Header) + tail || n % 8) return;
        const auto h = number<Header>(data);
        if (h.magic != magic || h.version != 1 || sizeof h + h.length + tail != n) return;
        if (crc32c(data, n - 8) != number<std::uint64_t>(data + n - 8)) return;
        if (options_.key && siphash(*options_.key, data, n - 16) != number<std::uint64_t>(data + n - 16)) return;
        if (!(h.op & answer) || h.client != options_.client || h.epoch != epoch_) return;
        const std::uint8_t op = h.op & ~answer, *const payload = data + sizeof h;
        if (op == hello) return tell(h, payload);
        auto& among = is_sequenced(op) ? sent_ : others_;
        const auto found = among.find(h.sequence);
        if (hello_ || found == among.end() || found->second->head.op != op) return;
        if (h.status == instance) {
            // The server's memory is another one: all requests that it has not answered are sent to the new one.
            if (h.instance != instance_) restart();
            return;
        }
        if (h.instance != instance_) return;
        credit_ = std::max<unsigned>(h.credit, 1);
        if (h.status == epoch)
            throw Failed("another process uses client number " + std::to_string(options_.client) + " at this server");
        answered(found->second, h, payload, time);
    }

    // Send what is due.
    void give(int socket, double time) {
        out_.clear();
        due(time, out_);
        datagrams_.give(socket, out_);
    }

    // Read all that came; whether anything did. Throws as received().
    bool take(int socket, double time) {
        bool some = false;
        while (datagrams_.take(socket, [&](const std::uint8_t* data, std::size_t n, std::size_t) { received(data, n, time); }))
            some = true;
        return some;
    }

    enum class End { done, silent, interrupted };

    // Send and receive until done() holds, nothing came for so many seconds, or a signal came.
    template <class Done>
    End until(int socket, Done done, double timeout) {
        double silent = now() + timeout;
        for (;;) {
            double time = now();
            give(socket, time);
            if (done()) return End::done;
            const double wait = std::max(std::min(next_time(), silent) - time, 0.0);
            pollfd one{socket, POLLIN, 0};
#if defined(__linux__)
            timespec span;
            span.tv_sec = static_cast<time_t>(std::min(wait, 1e6));
            span.tv_nsec = static_cast<long>((std::min(wait, 1e6) - static_cast<double>(span.tv_sec)) * 1e9);
            const int ready = ::ppoll(&one, 1, &span, nullptr);
#else
            const int ready = ::poll(&one, 1, static_cast<int>(std::ceil(std::min(wait, 1e6) * 1e3)));
#endif
            if (ready < 0 && errno == EINTR) return End::interrupted;
            time = now();
            if (ready > 0 && take(socket, time))
                silent = time + timeout;
            else if (time >= silent)
                return End::silent;
        }
    }

private:
    static constexpr double first_retry_ = 0.02, least_retry_ = 0.005, last_retry_ = 0.5;
    static constexpr int overtaken_ = 3;  // later requests that were answered before one is sent again

    Request request(Op op, std::vector<std::uint8_t> text, std::size_t count = 0, unsigned flags = 0) {
        auto made = std::make_shared<Pending>();
        made->head.op = op, made->head.client = options_.client, made->head.parts = 1;
        made->head.status = static_cast<std::uint16_t>(flags), made->head.count = static_cast<std::uint16_t>(count);
        made->text = std::move(text);
        waiting_.push_back(made);
        return made;
    }

    // Say HELLO; everything else waits for its answer.
    void begin() {
        hello_ = std::make_shared<Pending>();
        hello_->head.op = hello, hello_->head.client = options_.client, hello_->head.epoch = epoch_, hello_->head.parts = 1;
        hello_->text.resize(24);
        std::memcpy(hello_->text.data(), &nonce_, 8), std::memcpy(hello_->text.data() + 8, &options_.schema, 8);
        std::memcpy(hello_->text.data() + 16, &options_.record_bytes, 4);
    }

    void restart() {
        std::deque<Request> all;
        for (const auto* held : {&sent_, &others_})
            for (const auto& [sequence, one] : *held) all.push_back(one);
        for (const Request& one : all) {
            one->parts.clear(), one->came = 0, one->held = 0, one->at = 0;
            one->gone = one->listed = one->admitted = false;
            one->asked = one->wanted = one->left = 0;
        }
        waiting_.insert(waiting_.begin(), all.begin(), all.end());
        sent_.clear(), others_.clear();
        flying_ = 0, next_ = 0, last_priority_.reset(), epoch_ = 1;
        begin();
    }

    void tell(const Header& h, const std::uint8_t* payload) {
        if (!hello_ || h.length != sizeof(Told)) return;
        const auto told = number<Told>(payload);
        if (h.status == schema) {
            throw Refused("the server keeps records of " + std::to_string(told.record_bytes) + " bytes with schema " +
                          std::to_string(told.schema) + "; this client has records of " +
                          std::to_string(options_.record_bytes) + " bytes with schema " + std::to_string(options_.schema));
        }
        if (h.status == epoch) {
            epoch_ = told.epoch + 1;
            return begin();
        }
        if (h.status != ok) return;
        told_ = told, instance_ = h.instance, credit_ = std::max<unsigned>(h.credit, 1);
        hello_.reset();
    }

    void admit(double time) {
        while (!waiting_.empty()) {
            const Request one = waiting_.front();
            Header& h = one->head;
            if (is_sequenced(h.op)) {
                const std::uint64_t low = sent_.empty() ? next_ : sent_.begin()->first;
                if (next_ - low >= credit_ || static_cast<double>(sent_.size()) >= window_) return;
                if (!sent_.empty() && flying_ + one->text.size() > flow_) return;
                if (one->text.size() > told_.part_bytes) {
                    const auto long_ones = std::count_if(sent_.begin(), sent_.end(), [&](const auto& other) {
                        return other.second->text.size() > told_.part_bytes;
                    });
                    if (long_ones >= static_cast<std::ptrdiff_t>(assemblies)) return;
                }
                // The server keeps a batch until another one with the same rest comes.
                if (h.op == sample)
                    for (const auto& [sequence, other] : sent_)
                        if (other->head.op == sample && (next_ - sequence) % kept_batches == 0) return;
                h.sequence = next_, h.behind = behind(h.op);
                if (h.op == prio) last_priority_ = next_;
                sent_.emplace(next_++, one);
                flying_ += one->text.size();
            } else {
                if (others_.size() >= credit_) return;
                h.sequence = ++tag_;
                others_.emplace(tag_, one);
            }
            h.epoch = epoch_, h.instance = instance_;
            one->at = time, one->wait = 0, one->sent = -1, one->overtaken = 0, one->admitted = true;
            waiting_.pop_front();
        }
    }

    std::uint8_t behind(std::uint8_t op) const {
        if (options_.ordered) return next_ > 0;
        if ((op == prio || op == sample) && last_priority_ && next_ - *last_priority_ < window)
            return static_cast<std::uint8_t>(next_ - *last_priority_);
        return 0;
    }

    void again(Pending& one, double time) {
        if (one.wait > 0) {
            ++resent_;
            one.sent = -1;
            if (time - loss_ > round_) window_ = std::max(window_ / 2, 1.0), loss_ = time;  // once for all lost together
        } else {
            one.sent = time;
        }
        const double first = round_ > 0 ? std::max(round_ + 4 * spread_, least_retry_) : first_retry_;
        one.wait = std::min(std::max(one.wait * 2, first), last_retry_);
        one.at = time + one.wait;
    }

    // Something of a request was answered.
    void came(Pending& one, double time) {
        window_ += 1.0 / window_;
        if (one.sent >= 0) {
            const double took = time - one.sent;
            if (round_ > 0) {
                spread_ += (std::abs(took - round_) - spread_) / 4;
                round_ += (took - round_) / 8;
            } else {
                round_ = took, spread_ = took / 2;
            }
            one.sent = -1;
        }
        if (!is_sequenced(one.head.op)) return;
        for (const auto& [sequence, other] : sent_) {
            if (sequence >= one.head.sequence) return;
            if (++other->overtaken == overtaken_) other->at = std::min(other->at, time);
        }
    }

    void frame(const Header& h, const std::uint8_t* text, std::size_t n, Out& out) const {
        std::uint8_t* const to = out.begin(h, n, options_.key.has_value());
        if (n) std::memcpy(to, text, n);
        out.seal(options_.key);
    }

    void frames(Pending& one, Out& out) {
        Header h = one.head;
        const std::size_t size = told_.part_bytes;
        if (h.op == sample || h.op == read_slots) {
            ask_missing(one);
            h.part = static_cast<std::uint16_t>(one.asked), h.parts = static_cast<std::uint16_t>(one.wanted);
            return frame(h, one.text.data(), one.text.size(), out);
        }
        const std::size_t parts = parts_of(one.text.size(), size);
        h.parts = static_cast<std::uint16_t>(parts);
        for (std::size_t p = 0; p < parts; ++p) {
            if (one.held >> p & 1) continue;
            h.part = static_cast<std::uint16_t>(p);
            frame(h, one.text.data() + p * size, std::min(size, one.text.size() - p * size), out);
        }
    }

    // The first row of parts of an answer that are not there, no longer than what may be under way.
    void ask_missing(Pending& one) {
        if (one.parts.empty()) {
            const std::size_t bytes = text_bytes(one.head.count, told_.record_bytes);
            one.result.resize(bytes);
            one.parts.resize(parts_of(bytes, told_.part_bytes));
        }
        const std::size_t parts = one.parts.size(), most = std::max<std::size_t>(flow_ / told_.part_bytes, 1);
        std::size_t first = one.asked % parts;
        while (one.parts[first]) first = (first + 1) % parts;
        std::size_t last = first + 1;
        while (last < std::min(parts, first + most) && !one.parts[last]) ++last;
        one.asked = first, one.wanted = one.left = last - first;
    }

    void answered(const Request one_held, const Header& h, const std::uint8_t* payload, double time) {
        Pending& one = *one_held;
        if (h.status == wait) return;
        if (h.status == part) {
            if (h.length != 8) return;
            one.wait = 0, one.held = number<std::uint64_t>(payload), one.at = time;
            return;
        }
        if ((h.op == (sample | answer) || h.op == (read_slots | answer)) && (h.status == ok || h.status == gone)) {
            const std::size_t size = told_.part_bytes;
            if (one.parts.empty() || h.parts != one.parts.size() || h.part >= h.parts) return;
            if (h.length != std::min(size, one.result.size() - h.part * size)) return;
            if (!one.parts[h.part]) {
                one.left -= h.part >= one.asked && h.part < one.asked + one.wanted;
                one.parts[h.part] = true, ++one.came;
            }
            std::memcpy(one.result.data() + h.part * size, payload, h.length);
            one.gone |= h.status == gone;
            one.wait = 0;
            if (one.came < one.parts.size()) {
                if (!one.left) came(one, time), one.at = time;  // the next row, without waiting
                return;
            }
            if (one.gone && !one.listed) {
                one.listed = true, one.at = time;
                const std::size_t list = parts_of(text_bytes(one.head.count, 0), size);
                for (std::size_t p = 0; p < list; ++p) one.parts[p] = false;
                one.came -= list;
                return;
            }
        } else {
            one.result.assign(payload, payload + h.length);
        }
        came(one, time);
        one.status = static_cast<Status>(h.status), one.done = true;
        if (is_sequenced(one.head.op)) flying_ -= one.text.size();
        one.text = {};
        (is_sequenced(one.head.op) ? sent_ : others_).erase(h.sequence);
        for (const auto& [sequence, other] : sent_)
            if (other->head.behind && sequence - other->head.behind == h.sequence && other->wait > 0)
                other->at = std::min(other->at, time);
    }

    const Options options_;
    std::size_t flow_ = std::size_t{64} << 10, flying_ = 0;  // bytes of requests that were sent and not answered
    // As TCP has them (RFC 6298, RFC 5681): the time until an answer, and how many requests find room on the way.
    double round_ = 0, spread_ = 0, window_ = 8, loss_ = -1;
    Told told_{};
    std::uint32_t instance_ = 0, epoch_ = 1;
    unsigned credit_ = 1;
    std::uint64_t nonce_ = 0, next_ = 0, tag_ = 0, resent_ = 0;
    std::optional<std::uint64_t> last_priority_;
    std::deque<Request> waiting_;
    std::map<std::uint64_t, Request> sent_, others_;  // sequenced ones, by sequence; the others, by tag
    Request hello_;
    Out out_;
    Datagrams datagrams_{16};
};

// --- a client that waits ---

// put() and update() hand over and go on; flush() waits until all of it was acknowledged. What was acknowledged is stored,
// once. All calls throw Failed where nothing comes for `timeout` seconds; requests stay valid, and the next call goes on
// with them.
class Client {
public:
    // address: HOST:PORT. Throws Failed, Refused.
    explicit Client(const std::string& address, const Session::Options& options = {}, double timeout = 10)
        : session_(options), address_(address), timeout_(timeout) {
        const std::size_t colon = address.rfind(':');
        if (colon == std::string::npos) throw Refused("'" + address + "' is no address; give HOST:PORT");
        std::string host = address.substr(0, colon);
        if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
        addrinfo wanted{}, *found = nullptr;
        wanted.ai_socktype = SOCK_DGRAM;
        if (const int error = ::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &wanted, &found))
            throw Refused(address + ": " + ::gai_strerror(error));
        socket_ = ::socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        const bool good = socket_ >= 0 && ::connect(socket_, found->ai_addr, found->ai_addrlen) == 0;
        const int error = errno;
        ::freeaddrinfo(found);
        if (!good) {
            if (socket_ >= 0) ::close(socket_);
            throw Failed(address + ": " + std::strerror(error));
        }
        int size = 8 << 20;  // the system gives what it allows
        socklen_t n = sizeof size;
        ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
        if (::getsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, &n) == 0)
            session_.flow(std::max<std::size_t>(static_cast<std::size_t>(size) / 2, 64 << 10));
        try {
            until([this] { return session_.connected(); });
        } catch (...) {
            ::close(socket_);
            throw;
        }
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // n records of `bytes` bytes each, with the priorities of their TD errors; nullptr: the largest so far.
    void put(const void* records, std::size_t n, std::size_t bytes, const double* td_errors = nullptr) {
        put_words(records, n, bytes, td_errors ? words(td_errors, n) : nullptr, Protocol::td_kind);
    }
    // With whole numbers as priorities.
    void put_priorities(const void* records, std::size_t n, std::size_t bytes, const std::uint32_t* priorities) {
        put_words(records, n, bytes, priorities, Protocol::raw_kind);
    }

    // Throws Refused when there is nothing to sample.
    Batch sample(std::size_t count, double beta = 0.4, bool stratified = true, bool weighted = true) {
        const unsigned flags = Protocol::stratified * unsigned{stratified} | Protocol::weighted * unsigned{weighted};
        if (!count || count > told().sample_max)
            throw Refused("the batch has " + std::to_string(count) + " records; this server draws 1 to " +
                          std::to_string(told().sample_max));
        const double raw = std::floor(std::min(std::max(beta, 0.0), 1.0) * 32768 + 0.5);
        return batch(session_.sample_batch(count, static_cast<unsigned>(raw), flags));
    }

    // Records of slots, where they were not overwritten since; their weights are 0.
    Batch read(const std::vector<std::uint32_t>& slots, const std::vector<std::uint32_t>& generations) {
        if (slots.empty() || slots.size() != generations.size() ||
            slots.size() > std::min<std::size_t>(told().sample_max, told().part_bytes / 8))
            throw Refused("too many or no slots are given, or as many generations as slots are not");
        return batch(session_.read_records(slots.data(), generations.data(), slots.size()));
    }

    // New priorities for the records of a batch, from their TD errors, one each.
    void update(const Batch& of, const std::vector<double>& td_errors) {
        if (td_errors.size() != of.slots.size()) throw Refused("there must be a TD error for each record of the batch");
        const std::uint32_t* const given = words(td_errors.data(), td_errors.size());
        kinds_.assign(td_errors.size(), Protocol::td_kind);
        session_.update_priorities(of.slots.data(), of.generations.data(), given, kinds_.data(), of.slots.size());
        until([this] { return !session_.waiting(); });
    }

    // Publish weights, whole or not at all. Throws Refused when the version is not above the published one.
    void put_weights(const std::vector<std::uint8_t>& data, std::uint64_t version) {
        if (data.empty() || data.size() > told().weights_max || !version)
            throw Refused("this server takes weights of 1 to " + std::to_string(told().weights_max) + " bytes, from version 1 on");
        const auto made = session_.publish(data.data(), data.size(), version);
        until([&] { return std::all_of(made.begin(), made.end(), [](const auto& one) { return one->done; }); });
        for (const auto& one : made)
            if (one->status == Protocol::stale) throw Refused("that version is not above the newest one of the server");
    }

    // Version and bytes of the newest weights; nothing while there are none.
    std::optional<std::pair<std::uint64_t, std::vector<std::uint8_t>>> get_weights() {
        for (;;) {
            const auto first = done(session_.get_chunk(0, 0));
            if (first->status != Protocol::ok) return std::nullopt;
            const auto head = number<Chunk>(first->result.data());
            std::vector<Session::Request> all{first};
            for (std::size_t offset = session_.chunk(); offset < head.total; offset += session_.chunk())
                all.push_back(session_.get_chunk(head.version, offset));
            until([&] { return std::all_of(all.begin(), all.end(), [](const auto& one) { return one->done; }); });
            if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one->status != Protocol::ok; }))
                continue;  // two newer ones came while it was read
            std::vector<std::uint8_t> data;
            for (const auto& one : all) data.insert(data.end(), one->result.begin() + sizeof(Chunk), one->result.end());
            data.resize(head.total);
            return std::pair{head.version, std::move(data)};
        }
    }

    // The numbers of STAT, in the protocol's order.
    std::vector<std::uint64_t> stats() {
        const auto one = done(session_.ask_stat());
        std::vector<std::uint64_t> found(one->result.size() / 8);
        std::memcpy(found.data(), one->result.data(), 8 * found.size());
        return found;
    }

    // Until everything was acknowledged.
    void flush() {
        until([this] { return !session_.unanswered(); });
    }

    const Told& told() const { return session_.told(); }

private:
    template <class Done>
    void until(Done done) {
        for (;;) {
            const Session::End end = session_.until(socket_, done, timeout_);
            if (end == Session::End::done) return;
            if (end == Session::End::silent)
                throw Failed("no answer from " + address_ + " for " + std::to_string(timeout_) + " s");
        }
    }
    Session::Request done(Session::Request one) {
        until([&] { return one->done; });
        return one;
    }
    Batch batch(const Session::Request& one) {
        done(one);
        if (one->status == Protocol::empty) throw Refused("there is nothing to sample: no record has a priority above 0");
        if (one->status != Protocol::ok && one->status != Protocol::gone)
            throw Failed("the server answered status " + std::to_string(one->status));
        Batch found;
        session_.unpack(*one, found);
        return found;
    }
    const std::uint32_t* words(const double* td_errors, std::size_t n) {
        words_.resize(n);
        std::transform(td_errors, td_errors + n, words_.begin(), td_word);
        return words_.data();
    }
    void put_words(const void* records, std::size_t n, std::size_t bytes, const std::uint32_t* given, std::uint32_t kind) {
        kinds_.assign(n, given ? kind : std::uint32_t{Protocol::largest_kind});
        session_.put_records(records, n, bytes, given, kinds_.data());
        until([this] { return !session_.waiting(); });
    }

    Session session_;
    const std::string address_;
    const double timeout_;
    int socket_ = -1;
    std::vector<std::uint32_t> words_, kinds_;
};

}  // namespace rlcores::net
