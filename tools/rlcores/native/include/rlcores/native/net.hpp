// net.hpp — the replay server: what frames do to its state, the integers of cores/replay_server/server.py; docs/net.md.
// SPDX-License-Identifier: Apache-2.0
//
// state      A function of the accepted frames in their order, which is what the journal holds.
// threads    One at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rlcores/datagrams.hpp"
#include "rlcores/frames.hpp"
#include "rlcores/native/enum_array.hpp"
#include "rlcores/native/sumtree.hpp"

namespace rlcores {

using net::crc32c, net::siphash, net::number;
using NetKey = net::Key;
using NetHeader = net::Header;
using NetOut = net::Out;

// frames.Settings, in the state's order; behind them what is not in it.
struct NetSettings {
    std::uint32_t capacity, record_bytes, part_bytes, clients, sample_max, weights_max, instance, credit;
    std::uint16_t priority_width, generation_width, alpha;
    std::int16_t scale;
    std::uint32_t epsilon, initial;
    std::uint64_t seed;
    std::uint32_t banks, bank;  // not of the state: which clients are this memory's
};

class Xdp;

class NetServer : public net::Protocol {
public:
    enum class Counter {
        frames,
        accepted,
        repeated,
        records,
        samples,
        updates,
        stale_updates,
        range,
        saturated,
        bad_length,
        bad_version,
        bad_crc,
        bad_key,
        malformed,
        no_credit,
        waits,
        other_epoch,
        other_instance,
        unproved,
        number
    };

    // The records lie in folder/records, and the journal goes to folder/journal, behind what it holds; with an empty
    // folder in memory, and with journal true in journal(). Without folder/records the server is new, and its files are
    // there from the first snapshot() on. Throws std::runtime_error with the system's words.
    // secret: of the cookies; nobody else knows it.
    NetServer(const NetSettings& settings, const std::optional<NetKey>& key, const std::string& folder, bool journal,
              const NetKey& secret = {});
    ~NetServer();
    NetServer(const NetServer&) = delete;
    NetServer& operator=(const NetServer&) = delete;

    // Carry out a datagram of an address; the answers to its sender come behind those that are there.
    void frame(const std::uint8_t* data, std::size_t n, std::uint64_t source, NetOut& out);
    // The same in two: whether it is a frame, which is counted; and what it asks for. limit: bytes of a batch, from
    // which on its rest is left for later. left: it is such a rest.
    bool is_frame(const std::uint8_t* data, std::size_t n);
    void carry_out(const std::uint8_t* data, std::uint64_t source, NetOut& out, std::size_t limit, bool left = false);
    // What is left of the batch that was answered last: a request for it; empty: nothing.
    std::vector<std::uint8_t> take_rest() { return std::exchange(rest_, {}); }
    // Whether a frame asks for a batch, and comes from the client that it names.
    bool asks_batch(const NetHeader& h, std::uint64_t source) const;
    void drop_for_credit() { ++counts_[Counter::no_credit]; }
    // Carry out a journal: bytes of it that are whole frames.
    std::size_t replay(const std::uint8_t* data, std::size_t n);
    // Write what was accepted to the journal's file, before it is answered.
    void flush();
    std::vector<std::uint8_t>& journal() { return journal_; }
    std::size_t journal_bytes() const { return written_; }

    // All but the records, as cores/replay_server/server.py lays it out.
    std::vector<std::uint8_t> state() const;
    // Throws std::invalid_argument where it is none of these settings.
    void restore(const std::uint8_t* data, std::size_t n);
    // The state to folder/state; the journal begins anew. A loss of power at any time leaves the old state with its
    // journal, or the new one.
    void snapshot();
    // In a forked process: give back its copies of the files.
    void leave();
    // Records that were served as gone, because they are not those that were written.
    std::uint64_t damaged() const { return damaged_; }

    const NetSettings& settings() const { return settings_; }
    const EnumArray<std::uint64_t, Counter>& counts() const { return counts_; }
    // The most bytes of batches that were answered between two looks at the socket.
    std::uint64_t most_in_turn = 0;
    const std::uint8_t* record_data() const { return data_; }

private:
    struct Kept {
        std::uint64_t sequence = 0;
        Status status = Status::none;
        std::uint64_t total = 0;
        std::uint32_t size = 0;
        std::vector<std::uint32_t> entries;  // slot, generation, priority, weight
        std::size_t count() const { return entries.size() / 4; }
    };
    struct Assembly {
        NetHeader head;
        std::uint64_t age = 0;
        std::uint64_t mask = 0;
        std::vector<std::uint8_t> text;
    };
    static constexpr std::uint64_t nobody = ~std::uint64_t{0};
    struct Client {
        std::uint32_t epoch = 0;
        std::uint64_t nonce = 0, low = 0, bits = 0;
        std::uint64_t source = nobody;  // the address that has shown a cookie; of no state and journal
        std::array<std::uint8_t, window> status{};
        std::array<Kept, kept_batches> kept;
        std::map<std::uint64_t, Assembly> assembling;

        bool accepted(std::uint64_t sequence) const;
        void accept(std::uint64_t sequence, Status status);
    };
    struct Weights {
        std::uint64_t version = 0;
        std::vector<std::uint8_t> data;
        std::vector<bool> chunks;
        std::uint32_t come = 0;
    };

    bool well_formed(const NetHeader& h, const std::uint8_t* payload, bool whole) const;
    void carry_out(const NetHeader& h, const std::uint8_t* payload, bool whole, std::uint64_t source, NetOut* out);
    void say_hello(const NetHeader& h, const std::uint8_t* payload, bool whole, std::uint64_t source, NetOut* out);
    void sequenced(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out);
    void repeat(const NetHeader& h, const Client& client, NetOut* out);
    void finish(Client& client, std::uint64_t sequence);
    bool assemble(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out);
    void accept(const NetHeader& h, const std::uint8_t* payload, std::size_t length, Client& client, Status status);
    void log(NetHeader h, const std::uint8_t* payload, std::size_t length);
    const std::int64_t* priorities(std::size_t n);
    Status do_put(std::size_t n, const std::uint8_t* payload);
    std::int64_t filled(std::uint32_t slot) const;
    Status do_prio(std::size_t n, const std::uint8_t* payload);
    Status do_sample(const NetHeader& h, const std::uint8_t* payload, Kept& kept);
    Status do_weights(const std::uint8_t* payload);
    void do_read(const NetHeader& h, const std::uint8_t* payload, Kept& kept);
    void do_get(const NetHeader& h, const std::uint8_t* payload, NetOut* out);
    void batch(const NetHeader& h, const Kept& kept, bool fresh, NetOut* out);
    void leave_rest(NetHeader h, const Kept& kept, std::size_t from, std::size_t to);
    void say(const NetHeader& h, Status status, NetOut* out, const void* payload = nullptr, std::size_t n = 0);
    std::uint8_t* begin(const NetHeader& h, std::size_t length, std::size_t part, std::size_t parts, NetOut& out) const;
    void seal(NetOut& out, Status status) const;
    net::Told told(std::uint32_t epoch) const;
    bool whole(std::size_t slot) const;
    std::size_t text_bytes(std::size_t count) const { return Protocol::text_bytes(count, settings_.record_bytes); }
    std::size_t parts_of(std::size_t bytes) const { return Protocol::parts_of(bytes, settings_.part_bytes); }
    std::size_t tail() const { return key_ ? 16 : 8; }
    std::uint32_t chunk() const { return settings_.part_bytes - 16; }

    const NetSettings settings_;
    const std::optional<NetKey> key_;
    const NetKey secret_;
    const std::string folder_;
    const bool log_;
    EnumArray<std::uint64_t, Counter> counts_{};
    std::uint64_t schema_ = 0;
    std::unique_ptr<SumTree> tree_;
    std::uint8_t* data_ = nullptr;
    std::size_t data_bytes_;
    bool fresh_ = false;  // records are not in their place yet
    std::vector<std::uint32_t>
        checks_;  // CRC32C of each record; empty: in memory, where they are computed when asked for
    mutable std::uint64_t damaged_ = 0;
    int data_file_ = -1, journal_file_ = -1;
    std::size_t written_ = 0;
    std::vector<std::uint8_t> journal_;
    std::vector<std::unique_ptr<Client>> clients_;
    // PUTs whose parts are still coming, the oldest first: their clients and sequences. Their rows take no more than
    // most_unfinished_ bytes: where another one needs room, the oldest is forgotten, and its client sends it again.
    static constexpr std::size_t most_unfinished_ = std::size_t{256} << 20;
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>> unfinished_;
    std::size_t unfinished_bytes_ = 0;
    std::uint64_t age_ = 0;
    std::size_t limit_ = ~std::size_t{0};
    std::vector<std::uint8_t> rest_;
    std::vector<Weights> published_;  // the newest, and the one before
    Weights coming_;
    // Numbers of one request.
    std::vector<std::uint32_t> word_, kind_;
    std::vector<std::int64_t> value_, index_, generation_, delta_;
    std::vector<std::uint8_t> over_;
    Kept found_;
};

// Serve frames of a UDP socket until `stop` can be read; a snapshot when the journal has this many bytes. batch:
// messages that are taken with a call. Clients that ask for much wait for each other, and for nobody else. Returns the
// frames that were sent. Throws std::runtime_error with the system's words.
std::uint64_t net_serve(NetServer& server, int socket, int stop, std::size_t snapshot_bytes, std::size_t batch);
// The same past the kernel's sockets.
std::uint64_t net_serve(NetServer& server, Xdp& mail, int stop, std::size_t snapshot_bytes);

}  // namespace rlcores
