// net_storage.cpp — what outlives the replay server: records in a mapped file, the journal, the state.
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
#include "net_bytes.hpp"

namespace rlcores {

namespace {

constexpr std::uint32_t state_magic = 0x53434C52;

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

void NetServer::flush() {
    if (journal_file_ < 0 || journal_.empty()) return;
    const ::off_t end = ::lseek(journal_file_, 0, SEEK_END);
    try {
        write_all(journal_file_, journal_.data(), journal_.size(), folder_ + "/journal");
    } catch (...) {
        // A part of a request, on a full disk, would stand before what is written when there is room again.
        if (end < 0 || ::ftruncate(journal_file_, end)) failed(folder_ + "/journal");
        throw;
    }
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
