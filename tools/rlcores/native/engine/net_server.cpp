// net_server.cpp — which frames the replay server accepts, and what it answers (cores/replay_server/server.py).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "rlcores/native/net.hpp"
#include "net_bytes.hpp"

namespace rlcores {

namespace {

bool zeros(const std::uint8_t* at, std::size_t n) {
    return std::all_of(at, at + n, [](std::uint8_t x) { return !x; });
}

}  // namespace

bool NetServer::Client::accepted(std::uint64_t sequence) const {
    return sequence < low || (sequence - low < window && (bits >> (sequence - low) & 1));
}

void NetServer::Client::accept(std::uint64_t sequence, Status as) {
    bits |= std::uint64_t{1} << (sequence - low);
    status[sequence % window] = static_cast<std::uint8_t>(as);
    for (; bits & 1; ++low) bits >>= 1;
}

// --- frames ---

bool NetServer::is_frame(const std::uint8_t* data, std::size_t n) {
    ++counts_[Counter::frames];
    const auto bad = [&](Counter what) {
        ++counts_[what];
        return false;
    };
    if (n < sizeof(NetHeader) + tail() || n % 8) return bad(Counter::bad_length);
    const auto h = number<NetHeader>(data);
    if (h.length > settings_.part_bytes || sizeof(NetHeader) + h.length + tail() != n) return bad(Counter::bad_length);
    if (h.magic != magic || h.version != version) return bad(Counter::bad_version);
    if (crc32c(data, n - 8) != number<std::uint64_t>(data + n - 8)) return bad(Counter::bad_crc);
    if (key_ && siphash(*key_, data, n - 16) != number<std::uint64_t>(data + n - 16)) return bad(Counter::bad_key);
    return true;
}

void NetServer::carry_out(const std::uint8_t* data, std::uint64_t source, NetOut& out, std::size_t limit, bool left) {
    limit_ = limit;
    const std::uint64_t before = counts_[Counter::repeated];
    carry_out(number<NetHeader>(data), data + sizeof(NetHeader), false, source, &out);
    limit_ = ~std::size_t{0};
    if (left) counts_[Counter::repeated] = before;  // nobody sent that again
}

void NetServer::frame(const std::uint8_t* data, std::size_t n, std::uint64_t source, NetOut& out) {
    if (is_frame(data, n)) carry_out(number<NetHeader>(data), data + sizeof(NetHeader), false, source, &out);
}

bool NetServer::asks_batch(const NetHeader& h, std::uint64_t source) const {
    return (h.op == sample || h.op == read_slots) && h.client < settings_.clients && clients_[h.client] &&
           clients_[h.client]->source == source;
}

std::size_t NetServer::replay(const std::uint8_t* data, std::size_t n) {
    std::size_t at = 0;
    while (n - at >= sizeof(NetHeader) + 8) {
        const auto h = number<NetHeader>(data + at);
        const std::size_t size = sizeof(NetHeader) + h.length + 8;
        if (h.length % 8 || size > n - at || h.magic != magic || h.version != version ||
            crc32c(data + at, size - 8) != number<std::uint64_t>(data + at + size - 8) ||
            !well_formed(h, data + at + sizeof(NetHeader), true))
            break;
        carry_out(h, data + at + sizeof(NetHeader), true, nobody, nullptr);
        at += size;
    }
    return at;
}

bool NetServer::well_formed(const NetHeader& h, const std::uint8_t* payload, bool whole) const {
    const NetSettings& s = settings_;
    const std::size_t length = h.length;
    if (h.op > stat || h.client >= s.clients || h.client % s.banks != s.bank || h.epoch < 1 || h.credit) return false;
    if (h.behind && !(is_sequenced(h.op) && h.behind < window && h.behind <= h.sequence)) return false;
    if (h.status && !(h.op == sample && h.status <= (stratified | weighted | given_draws))) return false;
    if (h.op == sample || h.op == read_slots) {
        if (h.count < 1 || h.count > s.sample_max || h.part >= parts_of(text_bytes(h.count))) return false;
    } else {
        if (h.part >= h.parts || (h.op != put && h.parts != 1)) return false;
        if ((h.op == put || h.op == prio) != (h.count >= 1)) return false;
    }
    switch (h.op) {
        case hello: return length == 32 && !h.instance && zeros(payload + 20, 4);
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
        case read_slots: return length == std::size_t{h.count} * 8;
        case prio: return length == std::size_t{h.count} * 16;
        case weights: {
            if (length <= 16) return false;
            const auto total = number<std::uint32_t>(payload + 8), offset = number<std::uint32_t>(payload + 12);
            if (!number<std::uint64_t>(payload) || offset >= total || total > s.weights_max || offset % chunk())
                return false;
            const std::size_t bytes = std::min(chunk(), total - offset), even = (bytes + 7) / 8 * 8;
            return length == 16 + even && zeros(payload + 16 + bytes, even - bytes);
        }
        case get: return length == 16 && zeros(payload + 12, 4) && number<std::uint32_t>(payload + 8) % chunk() == 0;
        default: return length == 0;
    }
}

void NetServer::carry_out(const NetHeader& h, const std::uint8_t* payload, bool whole, std::uint64_t source,
                          NetOut* out) {
    if (!well_formed(h, payload, whole)) {
        ++counts_[Counter::malformed];
        return;
    }
    if (h.op == hello) return say_hello(h, payload, whole, source, out);
    if (h.instance != settings_.instance) {
        ++counts_[Counter::other_instance];
        return say(h, Status::instance, out);
    }
    Client* const client = clients_[h.client].get();
    if (!client || client->epoch != h.epoch) {
        ++counts_[Counter::other_epoch];
        return say(h, Status::epoch, out);
    }
    if (client->source != source && !whole) {
        ++counts_[Counter::unproved];
        return say(h, Status::address, out);
    }
    switch (h.op) {
        case read_slots: do_read(h, payload, found_); return batch(h, found_, false, out);
        case get: return do_get(h, payload, out);
        case stat: {
            std::vector<std::uint8_t> text;
            for (const std::uint64_t x :
                 {std::uint64_t{tree_->capacity()}, std::uint64_t{tree_->size()}, std::uint64_t{tree_->next()},
                  static_cast<std::uint64_t>(tree_->total()), static_cast<std::uint64_t>(tree_->largest()),
                  published_.empty() ? 0 : published_[0].version})
                put_number(text, x);
            for (const std::uint64_t x : counts_) put_number(text, x);
            return say(h, Status::ok, out, text.data(), text.size());
        }
        default: return sequenced(h, payload, *client, out);
    }
}

net::Told NetServer::told(std::uint32_t present) const {
    const NetSettings& s = settings_;
    return {schema_,
            s.capacity,
            s.record_bytes,
            s.part_bytes,
            s.clients,
            s.sample_max,
            s.weights_max,
            present,
            kept_batches,
            assemblies,
            s.priority_width,
            s.generation_width,
            s.alpha,
            s.scale,
            s.epsilon,
            static_cast<std::uint16_t>(s.banks - 1),
            static_cast<std::uint16_t>(s.bank)};
}

void NetServer::say_hello(const NetHeader& h, const std::uint8_t* payload, bool whole, std::uint64_t source,
                          NetOut* out) {
    if (!whole) {
        // Before anything is looked up, and shorter than what it answers: whoever says this cookie gets datagrams
        // there.
        std::uint8_t from[16];
        std::memcpy(from, &source, 8), std::memcpy(from + 8, &h.client, 4),
            std::memcpy(from + 12, &settings_.instance, 4);
        const std::uint64_t wanted = siphash(secret_, from, sizeof from);
        if (number<std::uint64_t>(payload + 24) != wanted) {
            ++counts_[Counter::unproved];
            return say(h, Status::cookie, out, &wanted, sizeof wanted);
        }
    }
    const auto nonce = number<std::uint64_t>(payload), wanted = number<std::uint64_t>(payload + 8);
    const auto bytes = number<std::uint32_t>(payload + 16);
    auto& client = clients_[h.client];
    const std::uint32_t present = client ? client->epoch : 0;
    Status status = Status::ok;
    if ((bytes && bytes != settings_.record_bytes) || (wanted && schema_ && schema_ != wanted)) {
        status = Status::schema;
    } else if (h.epoch == following(present)) {
        if (client)
            while (!client->assembling.empty()) finish(*client, client->assembling.begin()->first);
        client = std::make_unique<Client>();
        client->epoch = h.epoch, client->nonce = nonce;
        if (!schema_) schema_ = wanted;
        log(h, payload, h.length);
    } else if (h.epoch != present || client->nonce != nonce) {
        ++counts_[Counter::other_epoch];
        status = Status::epoch;
    }
    if (status == Status::ok) client->source = source;
    const auto text = told(status == Status::ok ? h.epoch : present);
    say(h, status, out, &text, sizeof text);
}

void NetServer::sequenced(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out) {
    if (client.accepted(h.sequence)) {
        ++counts_[Counter::repeated];
        return repeat(h, client, out);
    }
    if (h.sequence - client.low >= settings_.credit) {
        ++counts_[Counter::no_credit];
        return;
    }
    if (h.behind && !client.accepted(h.sequence - h.behind)) {
        ++counts_[Counter::waits];
        return say(h, Status::wait, out);
    }
    if (h.op == put && h.parts > 1) {
        if (!assemble(h, payload, client, out)) return;
        const std::vector<std::uint8_t> text = std::move(client.assembling.at(h.sequence).text);
        const Status status = do_put(h.count, text.data());
        accept(h, text.data(), text.size(), client, status);
        return say(h, status, out);
    }
    if (h.op == sample) {
        Kept& kept = client.kept[h.sequence % kept_batches];
        const Status status = do_sample(h, payload, kept);
        accept(h, payload, h.length, client, status);
        return status == Status::ok ? batch(h, kept, true, out) : say(h, status, out);
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
    if (!client.assembling.empty()) finish(client, h.sequence);
    log(h, payload, length);
}

void NetServer::repeat(const NetHeader& h, const Client& client, NetOut* out) {
    if (client.accepted(h.sequence + window)) return say(h, Status::old, out);  // its place holds a later one's status
    const auto status = Status{client.status[h.sequence % window]};
    if (h.op != sample || status != Status::ok) return say(h, status, out);
    const Kept& kept = client.kept[h.sequence % kept_batches];
    if (kept.status != Status::ok || kept.sequence != h.sequence || kept.count() != h.count)
        return say(h, Status::old, out);
    batch(h, kept, false, out);
}

// Whatever came of its parts is not needed any more.
void NetServer::finish(Client& client, std::uint64_t sequence) {
    const auto found = client.assembling.find(sequence);
    if (found == client.assembling.end()) return;
    unfinished_bytes_ -= std::size_t{found->second.head.count} * (8 + settings_.record_bytes);
    unfinished_.erase(found->second.age);
    client.assembling.erase(found);
}

// Whether the request is whole.
bool NetServer::assemble(const NetHeader& h, const std::uint8_t* payload, Client& client, NetOut* out) {
    auto found = client.assembling.find(h.sequence);
    if (found == client.assembling.end()) {
        if (client.assembling.size() >= assemblies) {
            ++counts_[Counter::no_credit];
            return false;
        }
        const std::size_t row = std::size_t{h.count} * (8 + settings_.record_bytes);
        while (unfinished_bytes_ + row > most_unfinished_ && !unfinished_.empty()) {
            const auto [whose, sequence] = unfinished_.begin()->second;
            finish(*clients_[whose], sequence);
        }
        Assembly made{h, age_++, 0, {}};
        made.text.resize(row);
        unfinished_bytes_ += row;
        unfinished_.emplace(made.age, std::pair{h.client, h.sequence});
        found = client.assembling.emplace(h.sequence, std::move(made)).first;
    } else if (found->second.head.count != h.count) {
        ++counts_[Counter::malformed];
        return false;
    }
    Assembly& held = found->second;
    const std::uint64_t bit = std::uint64_t{1} << h.part;
    const bool again = held.mask & bit;
    if (!again) std::memcpy(held.text.data() + std::size_t{h.part} * settings_.part_bytes, payload, h.length);
    held.mask |= bit;
    if (held.mask == ~std::uint64_t{0} >> (most_parts - h.parts)) return true;
    if (again || h.part == h.parts - 1) say(h, Status::part, out, &held.mask, 8);
    return false;
}

// --- answers ---

void NetServer::say(const NetHeader& h, Status status, NetOut* out, const void* payload, std::size_t n) {
    if (!out) return;
    std::uint8_t* const to = begin(h, n, 0, 1, *out);
    if (n) std::memcpy(to, payload, n);
    seal(*out, status);
}

// Room for a frame of an answer; where its payload goes.
std::uint8_t* NetServer::begin(const NetHeader& h, std::size_t length, std::size_t at, std::size_t parts,
                               NetOut& out) const {
    NetHeader head = h;
    head.op |= answer, head.status = 0, head.instance = settings_.instance;
    head.part = static_cast<std::uint16_t>(at), head.parts = static_cast<std::uint16_t>(parts);
    head.behind = 0, head.credit = static_cast<std::uint8_t>(settings_.credit);
    return out.begin(head, length, key_.has_value());
}

void NetServer::seal(NetOut& out, Status status) const {
    const auto word = static_cast<std::uint16_t>(status);
    std::memcpy(out.bytes.data() + (out.ends.empty() ? 0 : out.ends.back()) + 6, &word, 2);
    out.seal(key_);
}

}  // namespace rlcores
