// banked.cpp — a C++ client of all banks: puts what it is told, and prints the batch that it draws.
// SPDX-License-Identifier: Apache-2.0
//
// banked ADDRESS CLIENT SEED COUNT BATCH: records of 16 bytes with their number, priority of the TD error number /
// COUNT, if COUNT is above 0; then slots of a batch, one a line, with the number of the record and its weight.
#include <cstdio>
#include <cstdlib>

#include "rlcores/replay.hpp"

int main(int count, char** words) try {
    if (count != 6) return 2;
    rlcores::net::Session::Options options;
    options.ordered = true;
    options.client = static_cast<std::uint32_t>(std::atoi(words[2]));
    rlcores::net::BankedClient client(words[1], options, 60, std::strtoull(words[3], nullptr, 10));
    const std::size_t n = std::strtoul(words[4], nullptr, 10);
    std::vector<std::uint64_t> rows(2 * n);
    std::vector<double> errors(n);
    for (std::size_t i = 0; i < n; ++i) rows[2 * i] = i, errors[i] = static_cast<double>(i) / static_cast<double>(n);
    // In two calls: the second goes on at the next bank.
    const std::size_t first = n / 3;
    client.put(rows.data(), first, 16, errors.data());
    client.put(rows.data() + 2 * first, n - first, 16, errors.data() + first);
    client.flush();
    const rlcores::net::Batch batch = client.sample(std::strtoul(words[5], nullptr, 10), 0.5);
    for (std::size_t i = 0; i < batch.slots.size(); ++i)
        std::printf("%u %llu %.6f\n", batch.slots[i],
                    static_cast<unsigned long long>(rlcores::net::number<std::uint64_t>(batch.records.data() + 16 * i)),
                    static_cast<double>(batch.weights[i]));
    std::uint64_t total = 0, size = 0;
    for (const auto& one : client.stats()) total += one.at(3), size += one.at(1);
    const rlcores::net::Batch one = client.sample(1);  // of one bank, and yet it says what all hold
    if (one.total != total || one.size != size) return 4;
    client.update(batch, std::vector<double>(batch.slots.size(), 1.0));
    client.flush();
    const std::vector<std::uint8_t> weights(3000, 9);
    client.put_weights(weights, 1);
    if (!client.get_weights() || client.get_weights()->second != weights) return 3;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
