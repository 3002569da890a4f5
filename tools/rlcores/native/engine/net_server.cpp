// net_server.cpp — the replay server's state, frame by frame (cores/net/server.py has the same, to be read).
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "net.hpp"

namespace rlcores {

namespace {

constexpr std::uint32_t state_magic = 0x53434C52;

template <class T>
void put_number(std::vector<std::uint8_t>& to, T number) {
    to.resize(to.size() + sizeof(T));
    std::memcpy(to.data() + to.size() - sizeof(T), &number, sizeof(T));
}

void put_bytes(std::vector<std::uint8_t>& to, const void* data, std::size_t n) {
    const std::size_t at = to.size();
    to.resize((at + n + 7) / 8 * 8);
    if (n) std::memcpy(to.data() + at, data, n);
}

bool zeros(const std::uint8_t* at, std::size_t n) {
    return std::all_of(at, at + n, [](std::uint8_t x) { return !x; });
}

std::uint64_t splitmix(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

[[noreturn]] void failed(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

void write_all(int file, const std::uint8_t* data, std::size_t n, const std::string& path) {
    while (n) {
        const ssize_t done = ::write(file, data, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) failed(path);
        data += done, n -= static_cast<std::size_t>(done);
    }
}

// Reads a state; what goes beyond its end is no state.
class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t n) : at_(data), end_(data + n) {}
    const std::uint8_t* bytes(std::size_t n) {
        if (n > static_cast<std::size_t>(end_ - at_)) throw std::invalid_argument("that is no state of a replay server");
        return std::exchange(at_, at_ + n);
    }
    const std::uint8_t* even(std::size_t n) {
        const std::uint8_t* found = bytes((n + 7) / 8 * 8);
        return found;
    }
    template <class T>
    T get() {
        return number<T>(bytes(sizeof(T)));
    }
    bool done() const { return at_ == end_; }

private:
    const std::uint8_t *at_, *end_;
};

std::unique_ptr<SumTree> tree_of(const NetSettings& s) {
    int leaves_log2 = 4;
    while ((std::uint32_t{1} << leaves_log2) < s.capacity) ++leaves_log2;
    auto tree = std::make_unique<SumTree>(
        Shape{leaves_log2, std::uint32_t{1} << leaves_log2, s.priority_width, 32, s.generation_width});
    const std::pair<std::string_view, std::int64_t> registers[] = {{"capacity", s.capacity}, {"initial", s.initial}};
    tree->configure(registers);
    tree->clear();
    return tree;
}

}  // namespace

NetServer::NetServer(const NetSettings& settings, const std::optional<NetKey>& key, const std::string& folder,
                     bool journal)
    : settings_(settings),
      key_(key),
      folder_(folder),
      log_(journal || !folder.empty()),
      tree_(tree_of(settings)),
      data_bytes_(std::size_t{settings.capacity} * settings.record_bytes),
      clients_(settings.clients) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    if (!folder.empty()) {
        const std::string path = folder + "/records";
        data_file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (data_file_ < 0 || ::ftruncate(data_file_, static_cast<off_t>(data_bytes_))) failed(path);
        const std::string log = folder + "/journal";
        journal_file_ = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        struct stat found {};
        if (journal_file_ < 0 || ::fstat(journal_file_, &found)) failed(log);
        written_ = static_cast<std::size_t>(found.st_size);
        flags = MAP_SHARED;
    }
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void* at = ::mmap(nullptr, data_bytes_, PROT_READ | PROT_WRITE, flags, data_file_, 0);
    if (at == MAP_FAILED) failed("the records' memory");
    data_ = static_cast<std::uint8_t*>(at);
}

NetServer::~NetServer() {
    ::munmap(data_, data_bytes_);
    if (data_file_ >= 0) ::close(data_file_);
    if (journal_file_ >= 0) ::close(journal_file_);
}

bool NetServer::Client::accepted(std::uint64_t sequence) const {
    return sequence < low || (sequence - low < window && (bits >> (sequence - low) & 1));
}

void NetServer::Client::accept(std::uint64_t sequence, std::uint16_t as) {
    bits |= std::uint64_t{1} << (sequence - low);
    status[sequence % window] = static_cast<std::uint8_t>(as);
    for (; bits & 1; ++low) bits >>= 1;
}

// --- frames ---

void NetServer::frame(const std::uint8_t* data, std::size_t n, NetOut& out) {
    ++counts_[frames];
    if (n < sizeof(NetHeader) + tail() || n % 8) {
        ++counts_[bad_length];
        return;
    }
    const auto h = number<NetHeader>(data);
    if (h.length > settings_.part_bytes || sizeof(NetHeader) + h.length + tail() != n) {
        ++counts_[bad_length];
        return;
    }
    if (h.magic != magic || h.version != 1) {
        ++counts_[bad_version];
        return;
    }
    if (crc32c(data, n - 8) != number<std::uint64_t>(data + n - 8)) {
        ++counts_[bad_crc];
        return;
    }
    if (key_ && siphash(*key_, data, n - 16) != number<std::uint64_t>(data + n - 16)) {
        ++counts_[bad_key];
        return;
    }
    carry_out(h, data + sizeof(NetHeader), false, &out);
}

std::size_t NetServer::replay(const std::uint8_t* data, std::size_t n) {
    std::size_t at = 0;
    while (n - at >= sizeof(NetHeader) + 8) {
        const auto h = number<NetHeader>(data + at);
        const std::size_t size = sizeof(NetHeader) + h.length + 8;
        if (h.length % 8 || size > n - at || h.magic != magic || h.version != 1 ||
            crc32c(data + at, size - 8) != number<std::uint64_t>(data + at + size - 8))
            break;
        carry_out(h, data + at + sizeof(NetHeader), true, nullptr);
        at += size;
    }
    return at;
}

bool NetServer::well_formed(const NetHeader& h, const std::uint8_t* payload, bool whole) const {
    const NetSettings& s = settings_;
    const std::size_t length = h.length;
    if (h.op > stat || h.client >= s.clients || h.epoch < 1 || h.credit) return false;
    if (h.behind && !(is_sequenced(h.op) && h.behind < window && h.behind <= h.sequence)) return false;
    if (h.status && !(h.op == sample && h.status <= (stratified | weighted | given_draws))) return false;
    if (h.op == sample || h.op == read_slots) {
        if (h.count < 1 || h.count > s.sample_max || h.part >= parts_of(text_bytes(h.count))) return false;
    } else {
        if (h.part >= h.parts || (h.op != put && h.parts != 1)) return false;
        if ((h.op == put || h.op == prio) != (h.count >= 1)) return false;
    }
    switch (h.op) {
        case hello:
            return length == 24 && !h.instance && zeros(payload + 20, 4);
        case put: {
            const std::size_t text = std::size_t{h.count} * (8 + s.record_bytes), parts = whole ? 1 : parts_of(text);
            const std::size_t wanted =
                whole ? text : std::min<std::size_t>(s.part_bytes, text - std::size_t{h.part} * s.part_bytes);
            return h.parts == parts && parts <= most_parts && length == wanted;
        }
        case sample:
            if (length != (h.status & given_draws ? 24 : 8)) return false;
            if (length == 24 && zeros(payload + 8, 16)) return false;
            return number<std::uint16_t>(payload) <= 1u << 15 && zeros(payload + 2, 6);
        case read_slots:
            return length == std::size_t{h.count} * 8;
        case prio:
            return length == std::size_t{h.count} * 16;
        case weights: {
            if (length <= 16) return false;
            const auto total = number<std::uint32_t>(payload + 8), offset = number<std::uint32_t>(payload + 12);
            if (!number<std::uint64_t>(payload) || offset >= total || total > s.weights_max || offset % chunk())
                return false;
            const std::size_t bytes = std::min(chunk(), total - offset), even = (bytes + 7) / 8 * 8;
            return length == 16 + even && zeros(payload + 16 + bytes, even - bytes);
        }
        case get:
            return length == 16 && zeros(payload + 12, 4) && number<std::uint32_t>(payload + 8) % chunk() == 0;
        default:
            return length == 0;
    }
}

void NetServer::carry_out(const NetHeader& h, const std::uint8_t* payload, bool whole, NetOut* out) {
    if (!well_formed(h, payload, whole)) {
        ++counts_[malformed];
        return;
    }
    if (h.op == hello) return say_hello(h, payload, out);
    if (h.instance != settings_.instance) {
        ++counts_[other_instance];
        return say(h, instance, out);
    }
    Client* const client = clients_[h.client].get();
    if (!client || client->epoch != h.epoch) {
        ++counts_[other_epoch];
        return say(h, epoch, out);
    }
    switch (h.op) {
        case read_slots:
            do_read(h, payload, found_);
            return batch(h, found_, false, out);
        case get:
            return do_get(h, payload, out);
        case stat: {
            std::vector<std::uint8_t> text;
            for (const std::uint64_t x :
                 {std::uint64_t{tree_->capacity()}, std::uint64_t{tree_->size()}, std::uint64_t{tree_->next()},
                  static_cast<std::uint64_t>(tree_->total()), static_cast<std::uint64_t>(tree_->largest()),
                  published_.empty() ? 0 : published_[0].version})
                put_number(text, x);
            for (const std::uint64_t x : counts_) put_number(text, x);
            return say(h, ok, out, text.data(), text.size());
        }
        default:
            return sequenced(h, payload, *client, out);
    }
}

net::Told NetServer::told(std::uint32_t present) const {
    const NetSettings& s = settings_;
    return {schema_, s.capacity, s.record_bytes, s.part_bytes, s.clients, s.sample_max, s.weights_max, present, kept_batches,
            assemblies, s.priority_width, s.generation_width, s.alpha, s.scale, s.epsilon, 0};
}

void NetServer::say_hello(const NetHeader& h, const std::uint8_t* payload, NetOut* out) {
    const auto nonce = number<std::uint64_t>(payload), wanted = number<std::uint64_t>(payload + 8);
    const auto bytes = number<std::uint32_t>(payload + 16);
    auto& client = clients_[h.client];
    const std::uint32_t present = client ? client->epoch : 0;
    Status status = ok;
    if ((bytes && bytes != settings_.record_bytes) || (wanted && schema_ && schema_ != wanted)) {
        status = schema;
    } else if (h.epoch > present) {
        client = std::make_unique<Client>();
        client->epoch = h.epoch, client->nonce = nonce;
        if (!schema_) schema_ = wanted;
        log(h, payload, h.length);
    } else if (h.epoch != present || client->nonce != nonce) {
        ++counts_[other_epoch];
        status = epoch;
    }
    const auto text = told(status == ok ? h.epoch : present);
    say(h, status, out, &text, sizeof text);
}

void NetServer::sequenced(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out) {
    if (client.accepted(h.sequence)) {
        ++counts_[repeated];
        return repeat(h, client, out);
    }
    if (h.sequence - client.low >= settings_.credit) {
        ++counts_[no_credit];
        return;
    }
    if (h.behind && !client.accepted(h.sequence - h.behind)) {
        ++counts_[waits];
        return say(h, wait, out);
    }
    if (h.op == put && h.parts > 1) {
        if (!assemble(h, payload, client, out)) return;
        const auto held = client.assembling.extract(h.sequence);
        const std::vector<std::uint8_t>& text = held.mapped().text;
        const Status status = do_put(h.count, text.data());
        accept(h, text.data(), text.size(), client, status);
        return say(h, status, out);
    }
    if (h.op == sample) {
        Kept& kept = client.kept[h.sequence % kept_batches];
        const Status status = do_sample(h, payload, kept);
        accept(h, payload, h.length, client, status);
        return status == ok ? batch(h, kept, true, out) : say(h, status, out);
    }
    const Status status = h.op == put    ? do_put(h.count, payload)
                          : h.op == prio ? do_prio(h.count, payload)
                                         : do_weights(payload);
    accept(h, payload, h.length, client, status);
    say(h, status, out);
}

void NetServer::accept(const NetHeader& h, const std::uint8_t* payload, std::size_t length, Client& client,
                       Status status) {
    client.accept(h.sequence, status);
    client.assembling.erase(h.sequence);
    log(h, payload, length);
}

void NetServer::log(NetHeader h, const std::uint8_t* payload, std::size_t length) {
    ++counts_[accepted];
    if (!log_) return;
    h.part = 0, h.parts = h.op == sample ? 0 : 1;
    h.length = static_cast<std::uint32_t>(length);
    const std::size_t at = journal_.size();
    journal_.resize(at + sizeof h + length + 8);
    std::memcpy(journal_.data() + at, &h, sizeof h);
    std::memcpy(journal_.data() + at + sizeof h, payload, length);
    const std::uint64_t check = crc32c(journal_.data() + at, sizeof h + length);
    std::memcpy(journal_.data() + at + sizeof h + length, &check, 8);
}

void NetServer::repeat(const NetHeader& h, const Client& client, NetOut* out) {
    if (client.accepted(h.sequence + window)) return say(h, old, out);  // its place holds a later one's status
    const auto status = static_cast<Status>(client.status[h.sequence % window]);
    if (h.op != sample || status != ok) return say(h, status, out);
    const Kept& kept = client.kept[h.sequence % kept_batches];
    if (kept.status != ok || kept.sequence != h.sequence || kept.count() != h.count) return say(h, old, out);
    batch(h, kept, false, out);
}

// Whether the request is whole.
bool NetServer::assemble(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out) {
    auto found = client.assembling.find(h.sequence);
    if (found == client.assembling.end()) {
        if (client.assembling.size() >= assemblies) {
            ++counts_[no_credit];
            return false;
        }
        Assembly made{h, 0, {}};
        made.text.resize(std::size_t{h.count} * (8 + settings_.record_bytes));
        found = client.assembling.emplace(h.sequence, std::move(made)).first;
    } else if (found->second.head.count != h.count) {
        ++counts_[malformed];
        return false;
    }
    Assembly& held = found->second;
    const std::uint64_t bit = std::uint64_t{1} << h.part;
    const bool again = held.mask & bit;
    if (!again) std::memcpy(held.text.data() + std::size_t{h.part} * settings_.part_bytes, payload, h.length);
    held.mask |= bit;
    if (held.mask == ~std::uint64_t{0} >> (most_parts - h.parts)) return true;
    if (again || h.part == h.parts - 1) say(h, part, out, &held.mask, 8);
    return false;
}

// --- what is done ---

// Priorities of word_ and kind_, limited.
const std::int64_t* NetServer::priorities(std::size_t n) {
    const std::int64_t top = (std::int64_t{1} << settings_.priority_width) - 1;
    value_.resize(n), delta_.resize(n), over_.resize(n);
    bool some = false;
    for (std::size_t i = 0; i < n; ++i) {
        delta_[i] = static_cast<std::int32_t>(word_[i]);
        some |= kind_[i] == td_kind;
    }
    if (some)
        RLCORES_CALL(priorities)(delta_.data(), value_.data(), over_.data(), n,
                                 {settings_.alpha, settings_.epsilon, settings_.scale, settings_.priority_width});
    for (std::size_t i = 0; i < n; ++i) {
        if (kind_[i] != td_kind) {
            over_[i] = word_[i] > top;
            value_[i] = over_[i] ? top : word_[i];
        }
        counts_[saturated] += over_[i] && kind_[i] != largest_kind;
    }
    return value_.data();
}

NetServer::Status NetServer::do_put(std::size_t n, const std::uint8_t* payload) {
    const std::size_t bytes = settings_.record_bytes, step = 8 + bytes;
    word_.resize(n), kind_.resize(n), index_.resize(n);
    std::uint32_t most = 0, least = largest_kind;
    for (std::size_t i = 0; i < n; ++i) {
        word_[i] = number<std::uint32_t>(payload + i * step);
        kind_[i] = number<std::uint32_t>(payload + i * step + 4);
        most = std::max(most, kind_[i]), least = std::min(least, kind_[i]);
    }
    if (most > largest_kind) return refused;
    const std::int64_t* const given = priorities(n);
    // Runs of those that want the largest priority, and of those that do not.
    for (std::size_t first = 0; first < n;) {
        const bool use_max = kind_[first] == largest_kind;
        std::size_t last = first + 1;
        while (last < n && (kind_[last] == largest_kind) == use_max) ++last;
        tree_->write({last - first, insert, nullptr, given + first, nullptr, false, use_max, false}, nullptr,
                     index_.data() + first, nullptr);
        first = last;
    }
    for (std::size_t i = 0; i < n; ++i)
        std::memcpy(data_ + static_cast<std::size_t>(index_[i]) * bytes, payload + i * step + 8, bytes);
    counts_[records] += n;
    return ok;
}

NetServer::Status NetServer::do_prio(std::size_t n, const std::uint8_t* payload) {
    word_.resize(n), kind_.resize(n), index_.resize(n), generation_.resize(n);
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < n; ++i) {
        index_[i] = number<std::uint32_t>(payload + 16 * i);
        generation_[i] = number<std::uint32_t>(payload + 16 * i + 4);
        word_[i] = number<std::uint32_t>(payload + 16 * i + 8);
        kind_[i] = number<std::uint32_t>(payload + 16 * i + 12);
        most = std::max(most, kind_[i]);
    }
    if (most > largest_kind) return refused;
    const std::int64_t* const given = priorities(n);
    std::size_t dropped = 0, beyond = 0;
    for (std::size_t i = 0; i < n; ++i) beyond += index_[i] >= settings_.capacity;
    for (std::size_t first = 0; first < n;) {
        const bool use_max = kind_[first] == largest_kind;
        std::size_t last = first + 1;
        while (last < n && (kind_[last] == largest_kind) == use_max) ++last;
        dropped += tree_->write({last - first, update, index_.data() + first, given + first, generation_.data() + first,
                                 true, use_max, false},
                                nullptr, nullptr, nullptr);
        first = last;
    }
    counts_[updates] += n - dropped - beyond, counts_[stale_updates] += dropped, counts_[range] += beyond;
    return ok;
}

NetServer::Status NetServer::do_sample(const NetHeader& h, const std::uint8_t* payload, Kept& kept) {
    const std::size_t n = h.count;
    kept.sequence = h.sequence, kept.status = empty, kept.total = 0, kept.size = 0, kept.entries.clear();
    std::array<std::uint32_t, 4> draws;
    if (h.status & given_draws) {
        std::memcpy(draws.data(), payload + 8, 16);
    } else {
        Draws own(32);
        own.seed(splitmix(splitmix(settings_.seed ^ h.client ^ std::uint64_t{h.epoch} << 32) ^ h.sequence));
        draws = own.state();
    }
    value_.resize(n), index_.resize(n), generation_.resize(n), word_.resize(n);
    const std::int64_t total = tree_->total();
    if (!total) return empty;
    tree_->load_draws(draws);
    tree_->draw(n, h.count, h.status & stratified, {index_.data(), value_.data(), generation_.data(), nullptr, nullptr, nullptr});
    if (h.status & weighted)
        RLCORES_CALL(weights)(value_.data(), word_.data(), n, number<std::uint16_t>(payload));
    else
        std::fill_n(word_.data(), n, 1u << 31);
    counts_[samples] += n;
    kept.status = ok, kept.total = static_cast<std::uint64_t>(total), kept.size = tree_->size();
    kept.entries.resize(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t* const to = kept.entries.data() + 4 * i;
        to[0] = static_cast<std::uint32_t>(index_[i]), to[1] = static_cast<std::uint32_t>(generation_[i]);
        to[2] = static_cast<std::uint32_t>(value_[i]), to[3] = word_[i];
    }
    return ok;
}

namespace {

// Present priorities and tags of slots.
std::vector<OperationAnswer> look(SumTree& tree, const std::vector<std::int64_t>& slots) {
    const std::size_t n = slots.size();
    const std::vector<std::uint8_t> kind(n, read);
    const std::vector<std::int64_t> nothing(n);
    const auto no = std::make_unique<bool[]>(n);
    std::vector<OperationAnswer> found(n);
    tree.operations({n, kind.data(), slots.data(), nothing.data(), nothing.data(), no.get(), no.get(), no.get()},
                    found.data());
    return found;
}

}  // namespace

void NetServer::do_read(const NetHeader& h, const std::uint8_t* payload, Kept& kept) {
    const std::size_t n = h.count;
    index_.resize(n);
    for (std::size_t i = 0; i < n; ++i) index_[i] = number<std::uint32_t>(payload + 8 * i);
    const auto found = look(*tree_, index_);
    kept.status = ok, kept.total = static_cast<std::uint64_t>(tree_->total()), kept.size = tree_->size();
    kept.entries.assign(4 * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        std::memcpy(kept.entries.data() + 4 * i, payload + 8 * i, 8);
        kept.entries[4 * i + 2] = static_cast<std::uint32_t>(found[i].priority);
    }
}

// The wanted parts of a batch, with its records as they are now.
void NetServer::batch(const NetHeader& h, const Kept& kept, bool fresh, NetOut* out) {
    if (!out) return;
    const std::size_t n = kept.count(), record = settings_.record_bytes, list = 16 + 16 * n;
    const std::vector<std::uint32_t>* entries = &kept.entries;
    std::vector<std::uint32_t> marked;
    std::vector<bool> lost(n);
    if (!fresh) {
        marked = kept.entries, entries = &marked;
        index_.resize(n);
        for (std::size_t i = 0; i < n; ++i) index_[i] = marked[4 * i];
        const auto now = look(*tree_, index_);
        for (std::size_t i = 0; i < n; ++i) {
            lost[i] = now[i].status != rlcores::ok || now[i].generation != marked[4 * i + 1];
            if (lost[i]) marked[4 * i + 1] |= gone_bit;
        }
    }
    const std::size_t bytes = text_bytes(n), parts = parts_of(bytes);
    const std::size_t last = h.parts ? std::min<std::size_t>(parts, std::size_t{h.part} + h.parts) : parts;
    for (std::size_t p = h.part; p < last; ++p) {
        const std::size_t from = p * settings_.part_bytes, to = std::min(bytes, from + settings_.part_bytes);
        std::uint8_t* at = begin(h, to - from, p, parts, *out);
        std::size_t place = from;
        bool missing = false;
        if (place < 16) {
            std::uint8_t head[16] = {};
            std::memcpy(head, &kept.total, 8), std::memcpy(head + 8, &kept.size, 4);
            std::memcpy(at, head, 16);  // a part has at least 64 bytes, so the head is in the first
            place += 16, at += 16;
        }
        if (place < list && place < to) {
            const std::size_t some = std::min(list, to) - place;
            std::memcpy(at, reinterpret_cast<const std::uint8_t*>(entries->data()) + (place - 16), some);
            place += some, at += some;
        }
        while (place < to) {
            const std::size_t i = (place - list) / record, inside = (place - list) % record;
            const std::size_t some = std::min(record - inside, to - place);
            if (lost[i]) {
                missing = true;
                std::memset(at, 0, some);
            } else {
                std::memcpy(at, data_ + std::size_t{(*entries)[4 * i]} * record + inside, some);
            }
            place += some, at += some;
        }
        seal(*out, missing ? gone : ok);
    }
}

NetServer::Status NetServer::do_weights(const std::uint8_t* payload) {
    const auto version = number<std::uint64_t>(payload);
    const auto total = number<std::uint32_t>(payload + 8), offset = number<std::uint32_t>(payload + 12);
    if ((!published_.empty() && version <= published_[0].version) || version < coming_.version) return stale;
    if (version > coming_.version || coming_.data.size() != total) {
        coming_.version = version, coming_.come = 0;
        coming_.data.assign(total, 0);
        coming_.chunks.assign((total + chunk() - 1) / chunk(), false);
    }
    std::memcpy(coming_.data.data() + offset, payload + 16, std::min(chunk(), total - offset));
    auto came = coming_.chunks[offset / chunk()];
    coming_.come += !came;
    came = true;
    if (coming_.come == coming_.chunks.size()) {
        if (published_.size() == 2) published_.pop_back();
        published_.insert(published_.begin(), std::exchange(coming_, {}));
    }
    return ok;
}

void NetServer::do_get(const NetHeader& h, const std::uint8_t* payload, NetOut* out) {
    const auto version = number<std::uint64_t>(payload);
    const auto offset = number<std::uint32_t>(payload + 8);
    if (published_.empty()) return say(h, none, out);
    const auto found = std::find_if(published_.begin(), published_.end(),
                                    [&](const Weights& w) { return !version || w.version == version; });
    if (found == published_.end() || offset >= found->data.size()) return say(h, gone, out);
    const std::uint32_t total = static_cast<std::uint32_t>(found->data.size());
    std::vector<std::uint8_t> text;
    put_number(text, found->version), put_number(text, total), put_number(text, offset);
    put_bytes(text, found->data.data() + offset, std::min(chunk(), total - offset));
    say(h, ok, out, text.data(), text.size());
}

// --- answers ---

void NetServer::say(const NetHeader& h, Status status, NetOut* out, const void* payload, std::size_t n) {
    if (!out) return;
    std::uint8_t* const to = begin(h, n, 0, 1, *out);
    if (n) std::memcpy(to, payload, n);
    seal(*out, status);
}

// Room for a frame of an answer; where its payload goes.
std::uint8_t* NetServer::begin(const NetHeader& h, std::size_t length, std::size_t at, std::size_t parts, NetOut& out) const {
    NetHeader head = h;
    head.op |= answer, head.status = ok, head.instance = settings_.instance;
    head.part = static_cast<std::uint16_t>(at), head.parts = static_cast<std::uint16_t>(parts);
    head.behind = 0, head.credit = static_cast<std::uint8_t>(settings_.credit);
    return out.begin(head, length, key_.has_value());
}

void NetServer::seal(NetOut& out, Status status) const {
    const auto word = static_cast<std::uint16_t>(status);
    std::memcpy(out.bytes.data() + (out.ends.empty() ? 0 : out.ends.back()) + 6, &word, 2);
    out.seal(key_);
}

// --- what stays ---

void NetServer::flush() {
    if (journal_file_ < 0 || journal_.empty()) return;
    write_all(journal_file_, journal_.data(), journal_.size(), folder_ + "/journal");
    written_ += journal_.size();
    journal_.clear();
}

std::vector<std::uint8_t> NetServer::state() const {
    const NetSettings& s = settings_;
    const SumTree::State tree = tree_->state();
    std::vector<std::uint8_t> to;
    const auto word = [&](std::uint32_t x) { put_number(to, x); };
    word(state_magic), word(1);
    for (const std::uint32_t x : {s.capacity, s.record_bytes, s.part_bytes, s.clients, s.sample_max, s.weights_max,
                                  s.instance, s.credit})
        word(x);
    put_number(to, s.priority_width), put_number(to, s.generation_width), put_number(to, s.alpha);
    put_number(to, s.scale), word(s.epsilon), word(s.initial), put_number(to, s.seed);
    word(static_cast<std::uint32_t>(std::count_if(clients_.begin(), clients_.end(), [](auto& c) { return bool(c); })));
    word(static_cast<std::uint32_t>(published_.size())), put_number(to, schema_);
    word(static_cast<std::uint32_t>(tree.numbers[8])), word(static_cast<std::uint32_t>(tree.numbers[10]));
    word(static_cast<std::uint32_t>(tree.numbers[9])), word(static_cast<std::uint32_t>(tree.numbers[11]));
    const std::vector<std::uint32_t> priorities(tree.priorities.begin(), tree.priorities.end());
    put_bytes(to, priorities.data(), 4 * priorities.size());
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        const Client* const c = clients_[i].get();
        if (!c) continue;
        word(static_cast<std::uint32_t>(i)), word(c->epoch);
        put_number(to, c->nonce), put_number(to, c->low), put_number(to, c->bits);
        put_bytes(to, c->status.data(), window);
        for (const Kept& kept : c->kept) {
            put_number(to, kept.sequence), word(kept.status), word(static_cast<std::uint32_t>(kept.count()));
            put_number(to, kept.total), word(kept.size), word(0);
            put_bytes(to, kept.entries.data(), 4 * kept.entries.size());
        }
    }
    for (const Weights& w : published_) {
        put_number(to, w.version), word(static_cast<std::uint32_t>(w.data.size())), word(0);
        put_bytes(to, w.data.data(), w.data.size());
    }
    put_number(to, coming_.version), word(static_cast<std::uint32_t>(coming_.data.size())), word(coming_.come);
    put_bytes(to, coming_.data.data(), coming_.data.size());
    std::vector<std::uint32_t> chunks;
    for (std::uint32_t i = 0; i < coming_.chunks.size(); ++i)
        if (coming_.chunks[i]) chunks.push_back(i);
    put_bytes(to, chunks.data(), 4 * chunks.size());
    put_number(to, std::uint64_t{crc32c(to.data(), to.size())});
    return to;
}

void NetServer::restore(const std::uint8_t* data, std::size_t n) {
    const NetSettings& s = settings_;
    if (n < 8 || crc32c(data, n - 8) != number<std::uint64_t>(data + n - 8))
        throw std::invalid_argument("that is no state of a replay server, or it is damaged");
    Reader from(data, n - 8);
    const auto word = [&] { return from.get<std::uint32_t>(); };
    const std::vector<std::uint8_t> own = state();
    const std::uint8_t* const settings = from.bytes(64);
    if (std::memcmp(settings, own.data(), 64)) throw std::invalid_argument("that is the state of a server with other settings");
    const std::uint32_t clients = word(), published = word();
    schema_ = from.get<std::uint64_t>();
    SumTree::State tree = tree_->state();
    tree.numbers[8] = word(), tree.numbers[10] = word(), tree.numbers[9] = word(), tree.numbers[11] = word();
    const std::uint8_t* const leaves = from.even(4 * std::size_t{s.capacity});
    for (std::size_t i = 0; i < s.capacity; ++i) tree.priorities[i] = number<std::uint32_t>(leaves + 4 * i);
    tree_ = std::make_unique<SumTree>(tree);
    clients_.clear(), clients_.resize(s.clients);
    for (std::uint32_t k = 0; k < clients; ++k) {
        const std::uint32_t at = word();
        if (at >= s.clients) throw std::invalid_argument("that is no state of a replay server");
        auto& c = *(clients_[at] = std::make_unique<Client>());
        c.epoch = word();
        c.nonce = from.get<std::uint64_t>(), c.low = from.get<std::uint64_t>(), c.bits = from.get<std::uint64_t>();
        std::memcpy(c.status.data(), from.bytes(window), window);
        for (Kept& kept : c.kept) {
            kept.sequence = from.get<std::uint64_t>(), kept.status = word();
            const std::size_t count = word();
            kept.total = from.get<std::uint64_t>(), kept.size = word(), word();
            const std::uint8_t* const entries = from.bytes(16 * count);
            kept.entries.resize(4 * count);
            if (count) std::memcpy(kept.entries.data(), entries, 16 * count);
        }
    }
    const auto set = [&](Weights& w, std::uint32_t& come) {
        w.version = from.get<std::uint64_t>();
        const std::uint32_t total = word();
        come = word();
        const std::uint8_t* const text = from.even(total);
        w.data.assign(text, text + total);
    };
    published_.assign(published, {});
    std::uint32_t come = 0;
    for (Weights& w : published_) set(w, come);
    set(coming_, coming_.come);
    coming_.chunks.assign((coming_.data.size() + chunk() - 1) / chunk(), false);
    const std::uint8_t* const chunks = from.even(4 * std::size_t{coming_.come});
    for (std::uint32_t i = 0; i < coming_.come; ++i) {
        const auto at = number<std::uint32_t>(chunks + 4 * i);
        if (at >= coming_.chunks.size()) throw std::invalid_argument("that is no state of a replay server");
        coming_.chunks[at] = true;
    }
    if (!from.done()) throw std::invalid_argument("that is no state of a replay server");
}

void NetServer::snapshot() {
    if (folder_.empty()) return;
    flush();
    const std::string path = folder_ + "/state", fresh = path + ".new";
    const std::vector<std::uint8_t> now = state();
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) failed(fresh);
    try {
        write_all(file, now.data(), now.size(), fresh);
    } catch (...) {
        ::close(file);
        throw;
    }
    if (::fsync(file) || ::close(file) || std::rename(fresh.c_str(), path.c_str())) failed(path);
    if (::ftruncate(journal_file_, 0)) failed(folder_ + "/journal");
    written_ = 0;
}

}  // namespace rlcores
