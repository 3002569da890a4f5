// banked.hpp — a client of all memories of a replay server with several (docs/net.md, banks).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client.hpp"

namespace rlcores::net {

namespace detail {

// xoshiro128++, seeded by splitmix64: the words that say from which bank a record is drawn.
class Words {
public:
    explicit Words(std::uint64_t seed) {
        const std::uint64_t first = splitmix64(seed, 1), second = splitmix64(seed, 2);
        state_ = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
                  static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)};
        if (!(state_[0] | state_[1] | state_[2] | state_[3])) state_[0] = 1;
    }
    static std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t number) {
        std::uint64_t z = seed + number * 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    std::uint32_t next() {
        auto& [a, b, c, d] = state_;
        const std::uint32_t sum = a + d, found = (sum << 7 | sum >> 25) + a, shifted = b << 9;
        c ^= a, d ^= b, b ^= c, a ^= d, c ^= shifted, d = d << 11 | d >> 21;
        return found;
    }

private:
    std::array<std::uint32_t, 4> state_;
};

}  // namespace detail

// As Client, of all banks. Its client numbers are the `client` of its options and those behind it, one a bank; slot s
// of bank b is slot s·banks + b of a batch. With the same seed, requests and memories it draws the same batches.
class BankedClient {
public:
    // Throws Failed, Refused.
    explicit BankedClient(const std::string& address, Session::Options options = {}, double timeout = 10,
                          std::uint64_t seed = 0)
        : words_(detail::Words::splitmix64(seed ^ options.client, 1)) {
        auto first = std::make_unique<Client>(address, options, timeout);
        clients_.resize(std::size_t{first->told().other_banks} + 1);
        for (std::size_t n = clients_.size(); n > 1; --n) {
            Session::Options own = options;
            own.client += static_cast<std::uint32_t>(n - 1);
            auto one = std::make_unique<Client>(address, own, timeout);
            const std::size_t bank = one->told().bank;
            clients_.at(bank) = std::move(one);
        }
        const std::size_t bank = first->told().bank;
        clients_.at(bank) = std::move(first);
    }

    std::size_t banks() const { return clients_.size(); }
    const Told& told() const { return clients_[0]->told(); }

    // n records of `bytes` bytes each, one bank after the other; td_errors: as Client's.
    void put(const void* records, std::size_t n, std::size_t bytes, const double* td_errors = nullptr) {
        const auto* const from = static_cast<const std::uint8_t*>(records);
        for (std::size_t k = 0; k < banks(); ++k) {
            std::vector<std::uint8_t> rows;
            std::vector<double> errors;
            for (std::size_t i = k; i < n; i += banks()) {
                rows.insert(rows.end(), from + i * bytes, from + (i + 1) * bytes);
                if (td_errors) errors.push_back(td_errors[i]);
            }
            if (!rows.empty())
                clients_[(turn_ + k) % banks()]->put(rows.data(), rows.size() / bytes, bytes,
                                                     td_errors ? errors.data() : nullptr);
        }
        turn_ = (turn_ + n) % banks();
    }

    // The bank of each record in proportion to the banks' totals, then a draw inside it. Throws Refused when there is
    // nothing to sample.
    Batch sample(std::size_t count, double beta = 0.4, bool stratified = true, bool weighted = true) {
        for (;;) {
            const std::vector<std::vector<std::uint64_t>> held = stats();
            const std::vector<std::uint64_t> sums = totals(held);
            if (!sums.back()) throw Refused("there is nothing to sample: no record has a priority above 0");
            clients_[0]->check_count(count), Client::check_beta(beta);
            std::vector<std::size_t> bank(count);
            for (std::size_t i = 0; i < count; ++i) {
                std::uint64_t u = words_.next();
                if (stratified) u = ((static_cast<std::uint64_t>(i) << 32) + u) / count;
                // u · total / 2^32, in two halves, for the product has more than 64 bits.
                const std::uint64_t at = (sums.back() >> 32) * u + ((sums.back() & 0xFFFFFFFFu) * u >> 32);
                bank[i] = static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), at) - sums.begin());
            }
            std::vector<Session::Request> asked(banks());
            for (std::size_t b = 0; b < banks(); ++b) {
                const auto n = static_cast<std::size_t>(std::count(bank.begin(), bank.end(), b));
                if (!n) continue;
                std::uint32_t draws[4];
                do {
                    for (std::uint32_t& word : draws) word = words_.next();
                } while (!(draws[0] | draws[1] | draws[2] | draws[3]));
                const unsigned flags = Protocol::stratified * unsigned{stratified};
                asked[b] = clients_[b]->begin(clients_[b]->session_.sample_batch(n, 0, flags, draws));
            }
            bool empty = false;
            for (std::size_t b = 0; b < banks(); ++b)
                if (asked[b]) empty |= clients_[b]->done(asked[b])->status == Protocol::Status::empty;
            // A bank lost its priorities in between: once more.
            if (!empty) return joined(bank, asked, held, weighted ? beta : 0.0);
        }
    }

    // New priorities for the records of a batch, from their TD errors, one each.
    void update(const Batch& of, const std::vector<double>& td_errors) {
        if (td_errors.size() != of.slots.size()) throw Refused("there must be a TD error for each record of the batch");
        for (std::size_t b = 0; b < banks(); ++b) {
            Batch part;
            std::vector<double> errors;
            for (std::size_t i = 0; i < of.slots.size(); ++i) {
                if (of.slots[i] % banks() != b) continue;
                part.slots.push_back(static_cast<std::uint32_t>(of.slots[i] / banks()));
                part.generations.push_back(of.generations[i]), errors.push_back(td_errors[i]);
            }
            if (!errors.empty()) clients_[b]->update(part, errors);
        }
    }

    // To every bank, so that a client of any one finds them.
    void put_weights(const std::vector<std::uint8_t>& data, std::uint64_t version) {
        for (const auto& one : clients_) one->put_weights(data, version);
    }
    auto get_weights() { return clients_[0]->get_weights(); }

    // The numbers of STAT, of each bank.
    std::vector<std::vector<std::uint64_t>> stats() {
        std::vector<Session::Request> asked;
        for (const auto& one : clients_) asked.push_back(one->begin(one->session_.ask_stat()));
        std::vector<std::vector<std::uint64_t>> found;
        for (std::size_t b = 0; b < banks(); ++b) found.push_back(Client::numbers(*clients_[b]->done(asked[b])));
        return found;
    }

    // Until everything was acknowledged.
    void flush() {
        for (const auto& one : clients_) one->flush();
    }

private:
    // The totals of the first bank, of the first two, and so on.
    static std::vector<std::uint64_t> totals(const std::vector<std::vector<std::uint64_t>>& held) {
        std::vector<std::uint64_t> found;
        std::uint64_t sum = 0;
        for (const auto& one : held) found.push_back(sum += one.at(3));
        return found;
    }

    Batch joined(const std::vector<std::size_t>& bank, const std::vector<Session::Request>& asked,
                 const std::vector<std::vector<std::uint64_t>>& held, double beta) {
        const std::size_t bytes = told().record_bytes;
        Batch found;
        std::vector<Batch> parts(banks());
        for (std::size_t b = 0; b < banks(); ++b)
            if (asked[b]) {
                parts[b] = clients_[b]->batch(asked[b]);
                found.total += parts[b].total, found.size += parts[b].size;
            } else {
                found.total += held[b].at(3), found.size += static_cast<std::uint32_t>(held[b].at(1));
            }
        std::vector<std::size_t> next(banks());
        for (const std::size_t b : bank) {
            const Batch& part = parts[b];
            const std::size_t i = next[b]++;
            found.records.insert(found.records.end(), part.records.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                                 part.records.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes));
            found.slots.push_back(static_cast<std::uint32_t>(part.slots[i] * banks() + b));
            found.generations.push_back(part.generations[i]), found.priorities.push_back(part.priorities[i]);
            found.gone.push_back(part.gone[i]);
        }
        const std::uint32_t least = *std::min_element(found.priorities.begin(), found.priorities.end());
        for (const std::uint32_t p : found.priorities)
            found.weights.push_back(static_cast<float>(std::pow(static_cast<double>(p) / least, -beta)));
        return found;
    }

    std::vector<std::unique_ptr<Client>> clients_;  // by bank
    detail::Words words_;
    std::size_t turn_ = 0;  // the bank of the next record
};

}  // namespace rlcores::net
