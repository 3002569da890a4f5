// client.hpp — a client of the replay server that waits for its answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "priorities.hpp"
#include "session.hpp"

namespace rlcores::net {

// put() and update() hand over and go on; flush() waits until all of it was acknowledged. What was acknowledged is
// stored, once. All calls throw Failed where nothing comes for `timeout` seconds; requests stay valid, and the next
// call goes on with them. All throw Refused, once, where the server has refused records or priorities before.
class Client {
public:
    // address: HOST:PORT. Throws Failed, Refused.
    explicit Client(const std::string& address, const Session::Options& options = {}, double timeout = 10)
        : session_(options), address_(address), number_(options.client), timeout_(timeout) {
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

    // n records of `bytes` bytes each, with the priorities of their TD errors; nullptr: the largest so far. Throws
    // Refused for one that is no finite number.
    void put(const void* records, std::size_t n, std::size_t bytes, const double* td_errors = nullptr) {
        put_words(records, n, bytes, td_errors ? words(td_errors, n) : nullptr, Protocol::raw_kind);
    }
    // With whole numbers as priorities.
    void put_priorities(const void* records, std::size_t n, std::size_t bytes, const std::uint32_t* priorities) {
        put_words(records, n, bytes, priorities, Protocol::raw_kind);
    }

    // Throws Refused when there is nothing to sample.
    Batch sample(std::size_t count, double beta = 0.4, bool stratified = true, bool weighted = true) {
        const unsigned flags = Protocol::stratified * unsigned{stratified} | Protocol::weighted * unsigned{weighted};
        check_count(count), check_beta(beta);
        const double raw = std::floor(beta * 32768 + 0.5);
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
        kinds_.assign(td_errors.size(), Protocol::raw_kind);
        session_.update_priorities(of.slots.data(), of.generations.data(), given, kinds_.data(), of.slots.size());
        until([this] { return !session_.waiting(); });
    }

    // Publish weights, whole or not at all. Throws Refused when the version is not above the published one.
    void put_weights(const std::vector<std::uint8_t>& data, std::uint64_t version) {
        if (data.empty() || data.size() > told().weights_max || !version)
            throw Refused("this server takes weights of 1 to " + std::to_string(told().weights_max) +
                          " bytes, from version 1 on");
        const auto made = session_.publish(data.data(), data.size(), version);
        until([&] { return std::all_of(made.begin(), made.end(), [](const auto& one) { return one->done; }); });
        for (const auto& one : made) {
            if (one->status == Protocol::Status::stale)
                throw Refused("that version is not above the newest one of the server");
            if (one->status == Protocol::Status::refused)
                throw Refused("this server has weights of its own learner, and takes none");
        }
    }

    // Version and bytes of the newest weights; nothing while there are none.
    std::optional<std::pair<std::uint64_t, std::vector<std::uint8_t>>> get_weights() {
        for (;;) {
            const auto first = done(session_.get_chunk(0, 0));
            if (first->status != Protocol::Status::ok) return std::nullopt;
            const auto head = number<Chunk>(first->result.data());
            std::vector<Session::Request> all{first};
            for (std::size_t offset = session_.chunk(); offset < head.total; offset += session_.chunk())
                all.push_back(session_.get_chunk(head.version, offset));
            until([&] { return std::all_of(all.begin(), all.end(), [](const auto& one) { return one->done; }); });
            if (std::any_of(all.begin(), all.end(),
                            [](const auto& one) { return one->status != Protocol::Status::ok; }))
                continue;  // two newer ones came while it was read
            std::vector<std::uint8_t> data;
            for (const auto& one : all) data.insert(data.end(), one->result.begin() + sizeof(Chunk), one->result.end());
            data.resize(head.total);
            return std::pair{head.version, std::move(data)};
        }
    }

    // The numbers of STAT, in the protocol's order.
    std::vector<std::uint64_t> stats() { return numbers(*done(session_.ask_stat())); }

    // Until everything was acknowledged.
    void flush() {
        until([this] { return !session_.unanswered(); });
    }

    const Told& told() const { return session_.told(); }
    // How many TD errors given to it are beyond what the server's bits tell apart within 1 %.
    std::uint64_t saturated() const { return saturated_; }

private:
    friend class BankedClient;

    void check_count(std::size_t count) const {
        if (!count || count > told().sample_max)
            throw Refused("the batch has " + std::to_string(count) + " records; this server draws 1 to " +
                          std::to_string(told().sample_max));
    }
    static void check_beta(double beta) {
        if (!(beta >= 0 && beta <= 1)) throw Refused("beta is " + std::to_string(beta) + "; it must be 0 to 1");
    }
    static std::vector<std::uint64_t> numbers(const Session::Pending& stat) {
        std::vector<std::uint64_t> found(stat.result.size() / 8);
        std::memcpy(found.data(), stat.result.data(), 8 * found.size());
        return found;
    }
    // Send it, and do not wait for its answer.
    Session::Request begin(Session::Request one) {
        session_.give(socket_, now());
        return one;
    }
    template <class Done>
    void until(Done done) {
        for (;;) {
            const Session::End end = session_.until(socket_, done, timeout_);
            if (end == Session::End::done) break;
            if (end == Session::End::silent)
                throw Failed("no answer from " + address_ + " for " + std::to_string(timeout_) + " s" +
                             (session_.connected() ? ""
                                                   : ": is a server there, is client " + std::to_string(number_) +
                                                         " below its --clients, and has this client its key?"));
        }
        if (const std::uint64_t count = session_.take_refused())
            throw Refused(
                "the server refused " + std::to_string(count) +
                " of this client's requests, and stored nothing of them: it takes no priorities of that kind");
    }
    Session::Request done(Session::Request one) {
        until([&] { return one->done; });
        return one;
    }
    Batch batch(const Session::Request& one) {
        done(one);
        if (one->status == Protocol::Status::empty)
            throw Refused("there is nothing to sample: no record has a priority above 0");
        if (one->status == Protocol::Status::refused)
            throw Refused("this server gives no records: a learner of its own samples them");
        if (one->status != Protocol::Status::ok && one->status != Protocol::Status::gone)
            throw Failed("the server answered status " + std::to_string(static_cast<int>(one->status)));
        Batch found;
        session_.unpack(*one, found);
        return found;
    }
    const std::uint32_t* words(const double* td_errors, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i)
            if (!std::isfinite(td_errors[i]))
                throw Refused("td_errors[" + std::to_string(i) + "] is " + std::to_string(td_errors[i]) +
                              "; it must be a finite number");
        words_.resize(n);
        const Priorities priorities(told());
        for (std::size_t i = 0; i < n; ++i) {
            std::uint64_t saturated = 0;
            words_[i] = priorities.of(td_errors[i], saturated);
            saturated_ += saturated;
        }
        return words_.data();
    }
    void put_words(const void* records, std::size_t n, std::size_t bytes, const std::uint32_t* given,
                   std::uint32_t kind) {
        kinds_.assign(n, given ? kind : Protocol::largest_kind);
        session_.put_records(records, n, bytes, given, kinds_.data());
        until([this] { return !session_.waiting(); });
    }

    Session session_;
    const std::string address_;
    const std::uint32_t number_;
    const double timeout_;
    int socket_ = -1;
    std::vector<std::uint32_t> words_, kinds_;
    std::uint64_t saturated_ = 0;
};

}  // namespace rlcores::net
