// net_memory.cpp — what accepted requests do to the replay server's memory: records, priorities, batches, weights.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "rlcores/native/draws.hpp"
#include "rlcores/native/net.hpp"
#include "rlcores/native/isa.hpp"
#include "net_bytes.hpp"

namespace rlcores {

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
        kernels().tree_maths.priorities(
            delta_.data(), value_.data(), over_.data(), n,
            {settings_.alpha, settings_.epsilon, settings_.scale, settings_.priority_width});
    for (std::size_t i = 0; i < n; ++i) {
        if (kind_[i] != td_kind) {
            over_[i] = word_[i] > top;
            value_[i] = over_[i] ? top : word_[i];
        }
        counts_[Counter::saturated] += over_[i] && kind_[i] != largest_kind;
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
    if (most > largest_kind) return Status::refused;
    const std::int64_t* const given = priorities(n);
    // Runs of those that want the largest priority, and of those that do not.
    for (std::size_t first = 0; first < n;) {
        const bool use_max = kind_[first] == largest_kind;
        std::size_t last = first + 1;
        while (last < n && (kind_[last] == largest_kind) == use_max) ++last;
        tree_->write({last - first, rlcores::Kind::insert, nullptr, given + first, nullptr, false, use_max, false},
                     nullptr, index_.data() + first, nullptr);
        first = last;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const auto slot = static_cast<std::size_t>(index_[i]);
        std::memcpy(data_ + slot * bytes, payload + i * step + 8, bytes);
        if (!checks_.empty()) checks_[slot] = crc32c(payload + i * step + 8, bytes);
    }
    counts_[Counter::records] += n;
    return Status::ok;
}

// A slot for the tree, one beyond it where there was never a record: such a slot does not exist.
std::int64_t NetServer::filled(std::uint32_t slot) const { return slot < tree_->size() ? slot : settings_.capacity; }

NetServer::Status NetServer::do_prio(std::size_t n, const std::uint8_t* payload) {
    word_.resize(n), kind_.resize(n), index_.resize(n), generation_.resize(n);
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < n; ++i) {
        index_[i] = filled(number<std::uint32_t>(payload + 16 * i));
        generation_[i] = number<std::uint32_t>(payload + 16 * i + 4);
        word_[i] = number<std::uint32_t>(payload + 16 * i + 8);
        kind_[i] = number<std::uint32_t>(payload + 16 * i + 12);
        most = std::max(most, kind_[i]);
    }
    if (most > largest_kind) return Status::refused;
    const std::int64_t* const given = priorities(n);
    std::size_t dropped = 0, beyond = 0;
    for (std::size_t i = 0; i < n; ++i) beyond += index_[i] >= settings_.capacity;
    for (std::size_t first = 0; first < n;) {
        const bool use_max = kind_[first] == largest_kind;
        std::size_t last = first + 1;
        while (last < n && (kind_[last] == largest_kind) == use_max) ++last;
        dropped += tree_
                       ->write({last - first, rlcores::Kind::update, index_.data() + first, given + first,
                                generation_.data() + first, true, use_max, false},
                               nullptr, nullptr, nullptr)
                       .stale;
        first = last;
    }
    counts_[Counter::updates] += n - dropped - beyond, counts_[Counter::stale_updates] += dropped,
        counts_[Counter::range] += beyond;
    return Status::ok;
}

NetServer::Status NetServer::do_sample(const NetHeader& h, const std::uint8_t* payload, Kept& kept) {
    const std::size_t n = h.count;
    kept.sequence = h.sequence, kept.status = Status::empty, kept.total = 0, kept.size = 0, kept.entries.clear();
    std::array<std::uint32_t, 4> draws;
    if (h.status & given_draws) {
        std::memcpy(draws.data(), payload + 8, 16);
    } else {
        const std::uint64_t first = Draws::splitmix64(settings_.seed ^ h.client ^ std::uint64_t{h.epoch} << 32, 1);
        Draws own(32);
        own.seed(Draws::splitmix64(first ^ h.sequence, 1));
        draws = own.state();
    }
    value_.resize(n), index_.resize(n), generation_.resize(n), word_.resize(n);
    const std::int64_t total = tree_->total();
    if (!total) return Status::empty;
    tree_->load_draws(draws);
    tree_->draw(n, h.count, h.status & stratified,
                {index_.data(), value_.data(), generation_.data(), nullptr, nullptr, nullptr});
    if (h.status & weighted)
        kernels().tree_maths.weights(value_.data(), word_.data(), n, number<std::uint16_t>(payload));
    else
        std::fill_n(word_.data(), n, 1u << 31);
    counts_[Counter::samples] += n;
    kept.status = Status::ok, kept.total = static_cast<std::uint64_t>(total), kept.size = tree_->size();
    kept.entries.resize(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t* const to = kept.entries.data() + 4 * i;
        to[0] = static_cast<std::uint32_t>(index_[i]), to[1] = static_cast<std::uint32_t>(generation_[i]);
        to[2] = static_cast<std::uint32_t>(value_[i]), to[3] = word_[i];
    }
    return Status::ok;
}

namespace {

// Present priorities and tags of slots.
std::vector<OperationAnswer> look(SumTree& tree, const std::vector<std::int64_t>& slots) {
    const std::size_t n = slots.size();
    const std::vector<rlcores::Kind> kind(n, rlcores::Kind::read);
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
    for (std::size_t i = 0; i < n; ++i) index_[i] = filled(number<std::uint32_t>(payload + 8 * i));
    const auto found = look(*tree_, index_);
    kept.status = Status::ok, kept.total = static_cast<std::uint64_t>(tree_->total()), kept.size = tree_->size();
    kept.entries.assign(4 * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        std::memcpy(kept.entries.data() + 4 * i, payload + 8 * i, 8);
        kept.entries[4 * i + 2] = static_cast<std::uint32_t>(found[i].priority);
    }
}

// Whether a record is the one that was written.
bool NetServer::whole(std::size_t slot) const {
    return crc32c(data_ + slot * settings_.record_bytes, settings_.record_bytes) == checks_[slot];
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
        for (std::size_t i = 0; i < n; ++i) index_[i] = filled(marked[4 * i]);
        const auto now = look(*tree_, index_);
        for (std::size_t i = 0; i < n; ++i) {
            lost[i] = now[i].status != rlcores::Status::ok || now[i].generation != marked[4 * i + 1];
            if (lost[i]) marked[4 * i + 1] |= gone_bit;
        }
    }
    const std::size_t bytes = text_bytes(n), parts = parts_of(bytes);
    const std::size_t last = h.parts ? std::min<std::size_t>(parts, std::size_t{h.part} + h.parts) : parts;
    if (!checks_.empty()) {
        // A record of a file may be another one than was written: the records of these parts are looked at.
        const std::size_t first_byte = h.part * std::size_t{settings_.part_bytes}, end = last * settings_.part_bytes;
        std::size_t i = first_byte > list ? (first_byte - list) / record : 0;
        for (; i < n && list + i * record < end; ++i)
            if (!lost[i] && !whole((*entries)[4 * i])) {
                if (entries != &marked) marked = kept.entries, entries = &marked;
                lost[i] = true, marked[4 * i + 1] |= gone_bit;
                ++damaged_;
            }
    }
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
        seal(*out, missing ? Status::gone : Status::ok);
        if (out->bytes.size() >= limit_ && p + 1 < last) return leave_rest(h, kept, p + 1, last);
    }
}

// A request for parts that are left: of READ with its list, of SAMPLE as it was.
void NetServer::leave_rest(NetHeader h, const Kept& kept, std::size_t from, std::size_t to) {
    h.part = static_cast<std::uint16_t>(from), h.parts = static_cast<std::uint16_t>(to - from);
    rest_.resize(sizeof h);
    if (h.op == read_slots) {
        for (std::size_t i = 0; i < kept.count(); ++i) {
            put_number(rest_, kept.entries[4 * i]), put_number(rest_, kept.entries[4 * i + 1]);
        }
    } else {
        h.length = 8, h.status = 0;
        put_number(rest_, std::uint64_t{0});
    }
    std::memcpy(rest_.data(), &h, sizeof h);
}

NetServer::Status NetServer::do_weights(const std::uint8_t* payload) {
    const auto version = number<std::uint64_t>(payload);
    const auto total = number<std::uint32_t>(payload + 8), offset = number<std::uint32_t>(payload + 12);
    if ((!published_.empty() && version <= published_[0].version) || version < coming_.version) return Status::stale;
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
    return Status::ok;
}

void NetServer::do_get(const NetHeader& h, const std::uint8_t* payload, NetOut* out) {
    const auto version = number<std::uint64_t>(payload);
    const auto offset = number<std::uint32_t>(payload + 8);
    if (published_.empty()) return say(h, Status::none, out);
    const auto found = std::find_if(published_.begin(), published_.end(),
                                    [&](const Weights& w) { return !version || w.version == version; });
    if (found == published_.end() || offset >= found->data.size()) return say(h, Status::gone, out);
    const std::uint32_t total = static_cast<std::uint32_t>(found->data.size());
    std::vector<std::uint8_t> text;
    put_number(text, found->version), put_number(text, total), put_number(text, offset);
    put_bytes(text, found->data.data() + offset, std::min(chunk(), total - offset));
    say(h, Status::ok, out, text.data(), text.size());
}

}  // namespace rlcores
