// net.cpp — frames of a file to a replay server, to be watched by GCC's detectors.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores_net FILE: NetSettings, then datagrams, each behind its source (64 bits) and length (32 bits). Prints the
// CRC32C of all answers and that of the state.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "rlcores/native/net.hpp"

using namespace rlcores;

int main(int count, char** words) {
    if (count != 2) return 2;
    std::ifstream file(words[1], std::ios::binary);
    const std::vector<std::uint8_t> all((std::istreambuf_iterator<char>(file)), {});
    NetSettings settings;
    if (all.size() < sizeof settings) return 2;
    std::memcpy(&settings, all.data(), sizeof settings);
    NetServer server(settings, std::nullopt, "", true), again(settings, std::nullopt, "", false);
    NetOut out;
    std::uint32_t answers = 0;
    for (std::size_t at = sizeof settings; at + 12 <= all.size();) {
        std::uint64_t source;
        std::uint32_t length;
        std::memcpy(&source, all.data() + at, 8), std::memcpy(&length, all.data() + at + 8, 4);
        // A copy of just this length: a look beyond its end is seen.
        const auto data = std::make_unique<std::uint8_t[]>(length);
        std::memcpy(data.get(), all.data() + at + 12, length);
        out.clear();
        server.frame(data.get(), length, source, out);
        answers = crc32c(out.bytes.data(), out.bytes.size(), answers);
        at += 12 + length;
    }
    const std::vector<std::uint8_t> state = server.state();
    const std::vector<std::uint8_t>& journal = server.journal();
    if (again.replay(journal.data(), journal.size()) != journal.size() || again.state() != state) return 1;
    again.restore(state.data(), state.size());
    if (again.state() != state) return 1;
    std::printf("%08x %08x\n", answers, crc32c(state.data(), state.size()));
}
