// session.hpp — a client of the replay server without its waiting: what is sent when, and what answers mean.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

#include "datagrams.hpp"
#include "frames.hpp"

namespace rlcores::net {

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
    std::vector<std::uint8_t> records;                          // record_bytes each
    std::vector<std::uint32_t> slots, generations, priorities;  // generations: with a mark of the server's memory
    std::vector<float> weights;
    std::vector<std::uint8_t> gone;
    std::uint64_t total = 0;  // the sum of all priorities that it was drawn from
    std::uint32_t size = 0;   // records that the server held
};

// give() sends what is due, take() reads what came; until() waits for it.
class Session : public Protocol {
public:
    struct Options {
        std::uint32_t client = 0;
        std::optional<Key> key;
        std::uint32_t record_bytes = 0;  // 0: whatever the server has
        std::uint64_t schema = 0;        // 0: not compared
        bool ordered = false;            // every request is accepted after all before it
        unsigned batch = 16;             // messages to and from the socket in a call
    };

    // A request; `done` when it was answered.
    struct Pending {
        Header head{};
        std::vector<std::uint8_t> text;  // its whole payload
        bool done = false;
        Status status = Status::ok;
        std::vector<std::uint8_t> result;  // payload of the answer; of SAMPLE and READ the whole text

    private:
        friend class Session;
        bool admitted = false;
        std::vector<bool> parts;  // of the answer, that came
        std::size_t came = 0;
        std::uint64_t held = 0;                       // parts of the request that the server has
        std::size_t asked = 0, wanted = 0, left = 0;  // parts of the answer that were asked for last, and are missing
        double at = 0, wait = 0;                      // when it is sent (again); until then, from when it was sent
        double begun = 0, last = 0;                   // when it was sent for the first time, and the last
        bool twice = false, resent = false;
        int overtaken = 0;
        std::vector<bool> lost;    // records that were overwritten before all of them came; empty: none
        std::uint32_t memory = 0;  // the instance that answered
    };
    using Request = std::shared_ptr<Pending>;

    // Throws Refused for a client number of more than 16 bits.
    explicit Session(const Options& options) : options_(options), datagrams_(options.batch) {
        if (options.client > 0xFFFF)
            throw Refused("client is " + std::to_string(options.client) + "; it must be 0 to 65535");
        std::random_device random;
        nonce_ = std::uint64_t{random()} << 32 ^ random();
        begin();
    }

    // --- requests ---

    // Requests of n records, row_bytes each and the rest zeros. words, kinds: of their priorities, n each; nullptr: 0.
    // Throws Refused when they are too long.
    std::vector<Request> put_records(const void* rows, std::size_t n, std::size_t row_bytes, const std::uint32_t* words,
                                     const std::uint32_t* kinds) {
        if (row_bytes > told_.record_bytes)
            throw Refused("a record has " + std::to_string(row_bytes) + " bytes; this server keeps " +
                          std::to_string(told_.record_bytes));
        const std::size_t step = 8 + told_.record_bytes,
                          most = std::min<std::size_t>(most_parts * told_.part_bytes / step, 65535);
        // As many as a frame holds. Of records that are longer as many as a request holds: only a few requests of
        // several frames are under way at once.
        const std::size_t each = step <= told_.part_bytes ? std::min(told_.part_bytes / step, most) : most;
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
        std::vector<std::uint8_t> text(sizeof(Place) * n);
        for (std::size_t i = 0; i < n; ++i) {
            const Place one{slots[i], unmarked(generations[i])};
            std::memcpy(text.data() + i * sizeof one, &one, sizeof one);
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
                const Update one{slots[k], unmarked(generations[k]), words[k], kinds[k]};
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
        batch.total = number<std::uint64_t>(one.result.data()),
        batch.size = number<std::uint32_t>(one.result.data() + 8);
    }
    void unpack(const Pending& one, std::uint8_t* records, std::uint32_t* slots, std::uint32_t* generations,
                std::uint32_t* priorities, float* importance, std::uint8_t* lost) const {
        const std::size_t n = one.head.count;
        const std::uint8_t* at = one.result.data() + 16;
        for (std::size_t i = 0; i < n; ++i, at += 16) {
            std::uint32_t entry[4];
            std::memcpy(entry, at, 16);
            slots[i] = entry[0], priorities[i] = entry[2];
            generations[i] = (entry[1] & ~gone_bit) | mark(one.memory);
            importance[i] = static_cast<float>(entry[3] * 0x1p-31);
            lost[i] = entry[1] >> 31 || (!one.lost.empty() && one.lost[i]);
        }
        std::memcpy(records, at, n * told_.record_bytes);
        for (std::size_t i = 0; i < n; ++i)
            if (lost[i]) std::memset(records + i * told_.record_bytes, 0, told_.record_bytes);
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
    // How many requests of records and priorities, for whose answers nobody waits, were REFUSED since this was asked
    // last.
    std::uint64_t take_refused() { return std::exchange(refused_, 0); }
    // Bytes of an answer that are asked for, and of requests that are sent, at once: what a socket's queue holds.
    void flow(std::size_t bytes) { flow_ = bytes; }

    // --- to and from the socket; time in seconds of now() ---

    // The datagrams to send now, behind those that are there.
    void due(double time, Out& out) {
        if (hello_) {
            if (hello_->at <= time)
                again(*hello_, time), frame(hello_->head, hello_->text.data(), hello_->text.size(), out);
            return;
        }
        if (sent_.empty() && others_.empty()) heard_ = time;
        admit(time);
        // A server with other records in the place of ours answers none of these, but it does answer HELLO.
        if (time - heard_ > quiet_ && unanswered()) {
            heard_ = time;
            prove();
            return due(time, out);
        }
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
        if (h.magic != magic || h.version != version || sizeof h + h.length + tail != n) return;
        if (crc32c(data, n - 8) != number<std::uint64_t>(data + n - 8)) return;
        if (options_.key && siphash(*options_.key, data, n - 16) != number<std::uint64_t>(data + n - 16)) return;
        if (!(h.op & answer) || h.client != options_.client || h.epoch != epoch_ || !h.instance) return;
        const std::uint8_t op = h.op & ~answer, *const payload = data + sizeof h;
        heard_ = time;
        if (op == hello) return tell(h, payload, time);
        auto& among = is_sequenced(op) ? sent_ : others_;
        const auto found = among.find(h.sequence);
        if (found == among.end() && is_sequenced(op)) needless(h.sequence);
        if (hello_ || found == among.end() || found->second->head.op != op) return;
        if (Status{h.status} == Status::instance) {
            // The server's memory is another one: all requests that it has not answered are sent to the new one.
            if (h.instance != instance_) restart();
            return;
        }
        if (h.instance != instance_) return;
        if (Status{h.status} == Status::address) {
            // The server does not know this one: it began anew, or something on the way changed the address.
            prove();
            return;
        }
        credit_ = std::min(std::max<unsigned>(h.credit, 1), window);
        if (Status{h.status} == Status::epoch) taken();
        answered(found->second, h, payload, time);
    }

    // Send what is due; what was answered while nobody looked is not sent again. Whether anything came. Throws as
    // received().
    bool give(int socket, double time) {
        own();
        const bool some = next_time() <= time && take(socket, time);
        out_.clear();
        due(time, out_);
        datagrams_.give(socket, out_);
        return some;
    }

    // Read all that came; whether anything did. Throws as received().
    bool take(int socket, double time) {
        own();
        bool some = false;
        while (datagrams_.take(socket,
                               [&](const std::uint8_t* data, std::size_t n, std::size_t) { received(data, n, time); }))
            some = true;
        return some;
    }

    enum class End { done, silent, interrupted };

    // Send and receive until done() holds, nothing came for `seconds` seconds, or a signal came.
    template <class Done>
    End until(int socket, Done done, double timeout) {
        double silent = now() + timeout;
        for (;;) {
            double time = now();
            if (give(socket, time)) silent = time + timeout;
            if (done()) return End::done;
            const double wait = std::max(std::min(next_time(), silent) - time, 0.0);
            pollfd one{socket, POLLIN, 0};
            const int ready = ready_soon(&one, 1, time + std::min(wait, awake)) ? 1 : sleep(one, wait);
            if (ready < 0 && errno == EINTR) return End::interrupted;
            time = now();
            if (ready > 0 && take(socket, time))
                silent = time + timeout;
            else if (time >= silent)
                return End::silent;
        }
    }

private:
    // Two processes would give their requests the same numbers: of two with one number the server carries out one.
    void own() const {
        if (::getpid() != process_)
            throw Refused(
                "the client is that of the process which made it; in one that was forked from it make another client, "
                "with a number of its own");
    }

    // A generation has 16 bits on the wire. In a batch the 15 above them say of which memory it is, so that a batch of
    // one server never names a record of another that took its place. 0 there: nobody's, as it is.
    static constexpr std::uint32_t marks_ = 0x7FFF;
    static std::uint32_t mark(std::uint32_t memory) { return (1 + memory % marks_) << 16; }
    std::uint32_t unmarked(std::uint32_t given) const {
        const std::uint32_t found = given & marks_ << 16;
        return !found || found == mark(instance_) ? given & ~(marks_ << 16) : given | gone_bit;  // that no slot has
    }
    // Of a request that names slots of a memory which is gone: no slot has such generations.
    static void forget(Pending& one) {
        const std::size_t step = one.head.op == prio ? sizeof(Update) : one.head.op == read_slots ? sizeof(Place) : 0;
        if (!step) return;
        for (std::size_t at = 4; at < one.text.size(); at += step) {
            const std::uint32_t generation = number<std::uint32_t>(one.text.data() + at) | gone_bit;
            std::memcpy(one.text.data() + at, &generation, 4);
        }
    }

    static int sleep(pollfd& one, double wait) {
#if defined(__linux__)
        timespec span;
        span.tv_sec = static_cast<time_t>(std::min(wait, 1e6));
        span.tv_nsec = static_cast<long>((std::min(wait, 1e6) - static_cast<double>(span.tv_sec)) * 1e9);
        return ::ppoll(&one, 1, &span, nullptr);
#else
        return ::poll(&one, 1, static_cast<int>(std::ceil(std::min(wait, 1e6) * 1e3)));
#endif
    }

    static constexpr double quiet_ = 0.5;  // seconds without an answer, after which a client asks who is there
    static constexpr double first_retry_ = 0.02, least_retry_ = 0.005, last_retry_ = 0.5;
    static constexpr int overtaken_ = 3;  // later requests that were answered before one is sent again

    Request request(Code op, std::vector<std::uint8_t> text, std::size_t count = 0, unsigned flags = 0) {
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
        hello_->head.op = hello, hello_->head.client = options_.client, hello_->head.epoch = epoch_,
        hello_->head.parts = 1;
        hello_->head.sequence = nonce_;  // an answer that somebody recorded has another one
        hello_->text.resize(32);
        std::memcpy(hello_->text.data(), &nonce_, 8), std::memcpy(hello_->text.data() + 8, &options_.schema, 8);
        std::memcpy(hello_->text.data() + 16, &options_.record_bytes, 4);
        std::memcpy(hello_->text.data() + 24, &cookie_, 8);
    }

    // The same HELLO again, for its cookie: requests stay as they are.
    void prove() {
        proves_ = true;
        begin();
    }

    void restart() {
        anew();
        begin();
    }

    // All that was not answered goes to a server that knows nothing of it.
    void anew() {
        std::deque<Request> all;
        for (const auto* held : {&sent_, &others_})
            for (const auto& [sequence, one] : *held) all.push_back(one);
        for (const Request& one : all) {
            one->parts.clear(), one->came = 0, one->held = 0, one->at = 0;
            one->lost.clear(), one->admitted = false;
            one->asked = one->wanted = one->left = 0;
        }
        waiting_.insert(waiting_.begin(), all.begin(), all.end());
        for (const Request& one : waiting_) forget(*one);
        sent_.clear(), others_.clear();
        flying_ = 0, next_ = 0, last_priority_.reset(), epoch_ = 1, proves_ = false;
    }

    void tell(const Header& h, const std::uint8_t* payload, double time) {
        if (!hello_ || h.sequence != nonce_) return;
        if (Status{h.status} == Status::cookie) {
            if (h.length != sizeof cookie_ || number<std::uint64_t>(payload) == cookie_) return;
            cookie_ = number<std::uint64_t>(payload);
            return begin();
        }
        if (h.length != sizeof(Told)) return;
        const auto told = number<Told>(payload);
        check(told);
        if (instance_ && h.instance != instance_) {
            anew();
            instance_ = h.instance;
            if (Status{h.status} == Status::ok) return begin();  // that was for the epoch of the other one
        }
        if (Status{h.status} == Status::schema) {
            throw Refused("the server keeps records of " + std::to_string(told.record_bytes) + " bytes with schema " +
                          std::to_string(told.schema) + "; this client has records of " +
                          std::to_string(options_.record_bytes) + " bytes with schema " +
                          std::to_string(options_.schema));
        }
        if (Status{h.status} == Status::epoch) {
            if (proves_) taken();
            epoch_ = following(told.epoch);
            return begin();
        }
        if (Status{h.status} != Status::ok) return;
        if (told_.record_bytes) other(told);
        told_ = told, instance_ = h.instance, credit_ = std::min(std::max<unsigned>(h.credit, 1), window);
        hello_.reset();
        // What was sent before was not carried out.
        for (const auto* held : {&sent_, &others_})
            for (const auto& [sequence, one] : *held) one->at = time, one->wait = 0;
        proves_ = false;
    }

    [[noreturn]] void taken() const {
        throw Failed("another process uses client number " + std::to_string(options_.client) + " at this server");
    }

    // Throws Refused for numbers that no server has.
    static void check(const Told& told) {
        const bool good = told.capacity >= 1 && told.capacity <= 1u << 24 && told.record_bytes >= 8 &&
                          told.record_bytes <= 1u << 20 && told.record_bytes % 8 == 0 && told.part_bytes >= 256 &&
                          told.part_bytes <= 65408 && told.part_bytes % 8 == 0 && told.clients >= 1 &&
                          told.clients <= 65536 && told.sample_max >= 1 && told.sample_max <= 32768 &&
                          told.weights_max <= 1u << 30 && told.priority_width >= 1 && told.priority_width <= 32 &&
                          told.generation_width >= 1 && told.generation_width <= 16 && told.alpha <= 1u << 15 &&
                          told.other_banks <= 255 && told.bank <= told.other_banks && told.other_banks < told.clients &&
                          told.assemblies <= assemblies && told.record_bytes + 8 <= most_parts * told.part_bytes &&
                          parts_of(text_bytes(told.sample_max, told.record_bytes), told.part_bytes) <= 65535;
        int bits = told.priority_width;
        for (std::uint32_t slots = 16; slots < told.capacity; slots *= 2) ++bits;
        if (!good || bits + 4 > 52)
            throw Refused("the server says of itself what no server is: it is another program, or damaged");
    }

    // Requests are cut as the server wanted them. Throws Refused where one in its place is another one.
    void other(const Told& told) const {
        const auto differs = [](const char* what, std::uint32_t now, std::uint32_t before) {
            throw Refused("the server began anew with " + std::string(what) + " " + std::to_string(now) +
                          ", and this client's " + "requests are for " + std::to_string(before) +
                          "; make another client");
        };
        if (told.record_bytes != told_.record_bytes) differs("record_bytes", told.record_bytes, told_.record_bytes);
        if (told.part_bytes != told_.part_bytes) differs("part_bytes", told.part_bytes, told_.part_bytes);
        if (told.sample_max < told_.sample_max) differs("sample_max", told.sample_max, told_.sample_max);
        if (told.weights_max < told_.weights_max) differs("weights_max", told.weights_max, told_.weights_max);
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
            one->at = time, one->wait = 0, one->overtaken = 0, one->admitted = true;
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
            one.twice = one.resent = true;
            // Once for all lost together.
            if (time - loss_ > round_) before_ = window_, window_ = std::max(window_ / 2, 1.0), loss_ = time;
        } else {
            one.begun = time, one.twice = false;
        }
        one.last = time;
        const double first = round_ > 0 ? std::max(round_ + 4 * spread_, least_) : first_retry_;
        one.wait = std::min(std::max(one.wait * 2, first), last_retry_);
        one.at = time + one.wait;
    }

    // Something of a request was answered.
    void came(Pending& one, double time) {
        window_ += 1.0 / window_;
        // So soon after the second sending it is the answer to the first: late, but not lost (RFC 4015).
        const bool late = one.twice && round_ > 0 && time - one.last < round_ / 2;
        if (late) window_ = std::max(window_, before_);
        if (!one.twice || late) {
            least_ += (least_retry_ - least_) / 64;
            const double took = time - one.begun;
            if (round_ > 0) {
                spread_ += (std::abs(took - round_) - spread_) / 4;
                round_ += (took - round_) / 8;
            } else {
                round_ = took, spread_ = took / 2;
            }
        }
        one.twice = true, one.last = 0;  // measured
        if (!is_sequenced(one.head.op)) return;
        for (const auto& [sequence, other] : sent_) {
            if (sequence >= one.head.sequence) return;
            if (++other->overtaken == overtaken_) other->at = std::min(other->at, time);
        }
    }

    // A second answer to a request that was sent twice: nothing was lost, the server or this process only had no
    // processor.
    void needless(std::uint64_t sequence) {
        if (answered_[sequence % window] != sequence + 1) return;
        answered_[sequence % window] = 0;
        window_ = std::max(window_, before_);
        least_ = std::min(least_ * 1.5, last_retry_ / 4);
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

    // A part of a batch that lacks records: those of which it has nothing but zeros. The list may be older than this
    // part.
    void lose(Pending& one, std::size_t from, const std::uint8_t* payload, std::size_t length) const {
        const std::size_t list = text_bytes(one.head.count, 0), record = told_.record_bytes, to = from + length;
        one.lost.resize(one.head.count);
        for (std::size_t i = from > list ? (from - list) / record : 0; i < one.head.count && list + i * record < to;
             ++i) {
            const std::size_t first = std::max(list + i * record, from), last = std::min(list + (i + 1) * record, to);
            if (std::all_of(payload + (first - from), payload + (last - from), [](std::uint8_t x) { return !x; }))
                one.lost[i] = true;
        }
    }

    // Whether an answer is as long as what it says: what is read of it later is not looked at again.
    bool answers(const Header& h, const std::uint8_t* payload) const {
        if (h.op == (stat | answer)) return h.length == stat_bytes;
        if (h.op != (get | answer) || Status{h.status} != Status::ok) return true;
        if (h.length < sizeof(Chunk)) return false;
        const auto head = number<Chunk>(payload);
        if (!head.version || head.offset >= head.total || head.total > told_.weights_max) return false;
        return h.length == sizeof(Chunk) + (std::min<std::size_t>(chunk(), head.total - head.offset) + 7) / 8 * 8;
    }

    void answered(const Request one_held, const Header& h, const std::uint8_t* payload, double time) {
        Pending& one = *one_held;
        if (Status{h.status} == Status::wait) return;
        if (Status{h.status} == Status::part) {
            if (h.length != 8) return;
            one.wait = 0, one.held = number<std::uint64_t>(payload), one.at = time;
            return;
        }
        if ((h.op == (sample | answer) || h.op == (read_slots | answer)) &&
            (Status{h.status} == Status::ok || Status{h.status} == Status::gone)) {
            const std::size_t size = told_.part_bytes;
            one.memory = instance_;
            if (one.parts.empty() || h.parts != one.parts.size() || h.part >= h.parts) return;
            if (h.length != std::min(size, one.result.size() - h.part * size)) return;
            one.wait = 0;
            if (one.parts[h.part]) return;  // what came stays: a copy may be older, or have lost a record since
            one.left -= h.part >= one.asked && h.part < one.asked + one.wanted;
            one.parts[h.part] = true, ++one.came;
            std::memcpy(one.result.data() + h.part * size, payload, h.length);
            if (Status{h.status} == Status::gone) lose(one, h.part * size, payload, h.length);
            if (one.came < one.parts.size()) {
                if (!one.left) came(one, time), one.at = time;  // the next row, without waiting
                return;
            }
        } else {
            if (!answers(h, payload)) return;
            one.result.assign(payload, payload + h.length);
        }
        came(one, time);
        one.status = Status{h.status}, one.done = true;
        refused_ += Status{h.status} == Status::refused && (one.head.op == put || one.head.op == prio);
        if (is_sequenced(one.head.op)) {
            flying_ -= one.text.size();
            if (one.resent) answered_[h.sequence % window] = h.sequence + 1;
        }
        one.text = {};
        (is_sequenced(one.head.op) ? sent_ : others_).erase(h.sequence);
        for (const auto& [sequence, other] : sent_)
            if (other->head.behind && sequence - other->head.behind == h.sequence && other->wait > 0)
                other->at = std::min(other->at, time);
    }

    const Options options_;
    std::size_t flow_ = std::size_t{64} << 10, flying_ = 0;  // bytes of requests that were sent and not answered
    // As TCP has them (RFC 6298, RFC 5681): the time until an answer, and how many requests find room on the way.
    double round_ = 0, spread_ = 0, window_ = 8, before_ = 8, loss_ = -1;
    double least_ = least_retry_;                   // before which nothing is sent again
    std::array<std::uint64_t, window> answered_{};  // of those that were sent again, one more than the sequence
    Told told_{};
    const ::pid_t process_ = ::getpid();
    std::uint32_t instance_ = 0, epoch_ = 1;
    unsigned credit_ = 1;
    double heard_ = 0;     // when the server answered last
    bool proves_ = false;  // the HELLO is for the cookie alone
    std::uint64_t nonce_ = 0, cookie_ = 0, next_ = 0, tag_ = 0, resent_ = 0, refused_ = 0;
    std::optional<std::uint64_t> last_priority_;
    std::deque<Request> waiting_;
    std::map<std::uint64_t, Request> sent_, others_;  // sequenced ones, by sequence; the others, by tag
    Request hello_;
    Out out_;
    Datagrams datagrams_;
};

}  // namespace rlcores::net
