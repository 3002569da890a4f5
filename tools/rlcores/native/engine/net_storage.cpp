// net_storage.cpp — what outlives the replay server: records in a mapped file, the journal, the state.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "rlcores/native/net.hpp"
#include "net_bytes.hpp"

namespace rlcores {

namespace {

constexpr std::uint32_t state_magic = 0x53434C52, state_version = 2;

[[noreturn]] void failed(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

void write_all(int file, const std::uint8_t* data, std::size_t n, const std::string& path) {
    while (n) {
        const ssize_t done = ::write(file, data, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) failed(path);
        data += done, n -= static_cast<std::size_t>(done);
    }
}

// What the file system has of a file, and the file's name in its folder, is on the disk.
void synced(int file, const std::string& path) {
    if (::fsync(file)) failed(path);
}
void folder_synced(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) failed(folder);
    const bool good = ::fsync(file) == 0 || errno == EINVAL;  // some file systems cannot do it
    ::close(file);
    if (!good) failed(folder);
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Room on the disk for the whole file: a mapped page without any would end the process.
void take_room(int file, std::size_t bytes, const std::string& folder, const std::string& path) {
    int error = 0;
#if defined(__APPLE__)
    if (::ftruncate(file, static_cast<off_t>(bytes))) error = errno;
#else
    error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
#endif
    if (!error) return;
    struct statvfs disk {};
    const bool known = error == ENOSPC && ::statvfs(folder.c_str(), &disk) == 0;
    // What it took before there was no more is given back.
    const std::uint64_t had = known ? std::uint64_t{disk.f_bavail} * disk.f_frsize : 0;
    struct stat found {};
    const std::uint64_t took = ::fstat(file, &found) == 0 ? std::uint64_t(found.st_blocks) * 512 : 0;
    ::unlink(path.c_str());
    if (known)
        throw std::runtime_error("the records need " + std::to_string(bytes) + " bytes, and the disk has " +
                                 std::to_string(had + took) + " free");
    errno = error;
    failed(path);
}

// Reads a state; what goes beyond its end is no state.
class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t n) : at_(data), end_(data + n) {}
    const std::uint8_t* bytes(std::size_t n) {
        if (n > static_cast<std::size_t>(end_ - at_))
            throw std::invalid_argument("that is no state of a replay server");
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
                     bool journal, const NetKey& secret)
    : settings_(settings),
      key_(key),
      secret_(secret),
      folder_(folder),
      log_(journal || !folder.empty()),
      tree_(tree_of(settings)),
      data_bytes_(std::size_t{settings.capacity} * settings.record_bytes),
      clients_(settings.clients) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    try {
        if (!folder.empty()) {
            fresh_ = !is_there(folder + "/records");
            const std::string path = folder + (fresh_ ? "/records.new" : "/records");
            data_file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | (fresh_ ? O_CREAT | O_TRUNC : 0), 0666);
            if (data_file_ < 0) failed(path);
            if (fresh_) {
                take_room(data_file_, data_bytes_, folder, path);
            } else {
                const std::string log = folder + "/journal";
                journal_file_ = ::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
                struct stat found {};
                if (journal_file_ < 0 || ::fstat(journal_file_, &found)) failed(log);
                written_ = static_cast<std::size_t>(found.st_size);
            }
            checks_.assign(settings.capacity, 0);
            flags = MAP_SHARED;
        }
#if defined(MAP_NORESERVE)
        flags |= MAP_NORESERVE;
#endif
        void* at = ::mmap(nullptr, data_bytes_, PROT_READ | PROT_WRITE, flags, data_file_, 0);
        if (at == MAP_FAILED) failed("the records' memory");
        data_ = static_cast<std::uint8_t*>(at);
    } catch (...) {
        leave();
        throw;
    }
}

NetServer::~NetServer() { leave(); }

void NetServer::leave() {
    if (data_) ::munmap(data_, data_bytes_);
    data_ = nullptr;
    for (int* const file : {&data_file_, &journal_file_})
        if (*file >= 0) ::close(std::exchange(*file, -1));
}

void NetServer::log(NetHeader h, const std::uint8_t* payload, std::size_t length) {
    ++counts_[Counter::accepted];
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
    word(state_magic), word(state_version);
    for (const std::uint32_t x :
         {s.capacity, s.record_bytes, s.part_bytes, s.clients, s.sample_max, s.weights_max, s.instance, s.credit})
        word(x);
    put_number(to, s.priority_width), put_number(to, s.generation_width), put_number(to, s.alpha);
    put_number(to, s.scale), word(s.epsilon), word(s.initial), put_number(to, s.seed);
    word(static_cast<std::uint32_t>(std::count_if(clients_.begin(), clients_.end(), [](auto& c) { return bool(c); })));
    word(static_cast<std::uint32_t>(published_.size())), put_number(to, schema_);
    word(static_cast<std::uint32_t>(tree.numbers[SumTree::State::next])),
        word(static_cast<std::uint32_t>(tree.numbers[SumTree::State::full]));
    word(static_cast<std::uint32_t>(tree.numbers[SumTree::State::lap])),
        word(static_cast<std::uint32_t>(tree.numbers[SumTree::State::largest]));
    const std::vector<std::uint32_t> priorities(tree.priorities.begin(), tree.priorities.end());
    put_bytes(to, priorities.data(), 4 * priorities.size());
    std::vector<std::uint32_t> checks(checks_);
    if (checks.empty()) {
        checks.resize(s.capacity);
        for (std::size_t i = 0; i < tree_->size(); ++i) checks[i] = crc32c(data_ + i * s.record_bytes, s.record_bytes);
    }
    put_bytes(to, checks.data(), 4 * checks.size());
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        const Client* const c = clients_[i].get();
        if (!c) continue;
        word(static_cast<std::uint32_t>(i)), word(c->epoch);
        put_number(to, c->nonce), put_number(to, c->low), put_number(to, c->bits);
        put_bytes(to, c->status.data(), window);
        for (const Kept& kept : c->kept) {
            put_number(to, kept.sequence), word(static_cast<std::uint32_t>(kept.status)),
                word(static_cast<std::uint32_t>(kept.count()));
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
    if (number<std::uint32_t>(settings) != state_magic || number<std::uint32_t>(settings + 4) != state_version)
        throw std::invalid_argument("that is the state of another version of rlcores");
    if (std::memcmp(settings, own.data(), 64))
        throw std::invalid_argument("that is the state of a server with other settings");
    // A check that is right says nothing about who made it: each number is looked at before it is used.
    const auto must = [](bool holds) {
        if (!holds) throw std::invalid_argument("that is no state of a replay server: a number is out of its range");
    };
    const std::uint32_t clients = word(), published = word();
    must(clients <= s.clients && published <= 2);
    schema_ = from.get<std::uint64_t>();
    SumTree::State tree = tree_->state();
    tree.numbers[SumTree::State::next] = word(), tree.numbers[SumTree::State::full] = word(),
    tree.numbers[SumTree::State::lap] = word(), tree.numbers[SumTree::State::largest] = word();
    const std::uint32_t top = static_cast<std::uint32_t>((std::uint64_t{1} << s.priority_width) - 1);
    must(tree.numbers[SumTree::State::next] < s.capacity && tree.numbers[SumTree::State::full] <= 1 &&
         tree.numbers[SumTree::State::largest] <= top);
    const auto size = tree.numbers[SumTree::State::full] ? std::size_t{s.capacity}
                                                         : static_cast<std::size_t>(tree.numbers[SumTree::State::next]);
    const std::uint8_t* const leaves = from.even(4 * std::size_t{s.capacity});
    for (std::size_t i = 0; i < s.capacity; ++i) {
        const auto leaf = number<std::uint32_t>(leaves + 4 * i);
        must(leaf <= (i < size ? top : 0));
        tree.priorities[i] = leaf;
    }
    const std::uint8_t* const checks = from.even(4 * std::size_t{s.capacity});
    checks_.resize(s.capacity);
    std::memcpy(checks_.data(), checks, 4 * std::size_t{s.capacity});
    tree_ = std::make_unique<SumTree>(tree);
    clients_.clear(), clients_.resize(s.clients);
    for (std::uint32_t k = 0, next = 0; k < clients; ++k) {
        const std::uint32_t at = word();
        must(at >= next && at < s.clients);
        next = at + 1;
        auto& c = *(clients_[at] = std::make_unique<Client>());
        c.epoch = word();
        must(c.epoch);
        c.nonce = from.get<std::uint64_t>(), c.low = from.get<std::uint64_t>(), c.bits = from.get<std::uint64_t>();
        must(!(c.bits & 1) && c.low <= ~std::uint64_t{0} - 2 * window);
        std::memcpy(c.status.data(), from.bytes(window), window);
        for (const std::uint8_t status : c.status) must(Status{status} <= Status::none);
        for (Kept& kept : c.kept) {
            kept.sequence = from.get<std::uint64_t>();
            const std::uint32_t status = word(), count = word();
            must(status <= static_cast<std::uint32_t>(Status::none) && count <= s.sample_max);
            kept.status = static_cast<Status>(status);
            kept.total = from.get<std::uint64_t>(), kept.size = word(), word();
            must(kept.size <= s.capacity);
            const std::uint8_t* const entries = from.bytes(16 * count);
            kept.entries.resize(4 * count);
            if (count) std::memcpy(kept.entries.data(), entries, 16 * count);
        }
    }
    const auto set = [&](Weights& w, std::uint32_t& come) {
        w.version = from.get<std::uint64_t>();
        const std::uint32_t total = word();
        come = word();
        must(total <= s.weights_max);
        const std::uint8_t* const text = from.even(total);
        w.data.assign(text, text + total);
    };
    published_.assign(published, {});
    std::uint32_t come = 0;
    for (Weights& w : published_) {
        set(w, come);
        must(w.version && !w.data.empty() && !come);
    }
    must(published < 2 || published_[1].version < published_[0].version);
    set(coming_, coming_.come);
    coming_.chunks.assign((coming_.data.size() + chunk() - 1) / chunk(), false);
    must(coming_.come
             ? coming_.come < coming_.chunks.size() && (published_.empty() || coming_.version > published_[0].version)
             : !coming_.version && coming_.data.empty());
    const std::uint8_t* const chunks = from.even(4 * std::size_t{coming_.come});
    for (std::uint32_t i = 0; i < coming_.come; ++i) {
        const auto at = number<std::uint32_t>(chunks + 4 * i);
        must(at < coming_.chunks.size() && !coming_.chunks[at]);
        coming_.chunks[at] = true;
    }
    if (!from.done()) throw std::invalid_argument("that is no state of a replay server");
}

void NetServer::snapshot() {
    if (folder_.empty()) return;
    flush();
    // The records that the state speaks of; then the state; then its name; only then what it was made from may go.
    if (::msync(data_, data_bytes_, MS_SYNC)) failed(folder_ + "/records");
    synced(data_file_, folder_ + "/records");
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
    folder_synced(folder_);
    const std::string log = folder_ + "/journal";
    if (journal_file_ < 0)
        journal_file_ = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (journal_file_ < 0 || ::ftruncate(journal_file_, 0)) failed(log);
    synced(journal_file_, log);
    if (fresh_) {
        // The last name: where it is there, so are the others.
        folder_synced(folder_);
        if (std::rename((folder_ + "/records.new").c_str(), (folder_ + "/records").c_str()))
            failed(folder_ + "/records");
        folder_synced(folder_);
        fresh_ = false;
    }
    written_ = 0;
}

}  // namespace rlcores
