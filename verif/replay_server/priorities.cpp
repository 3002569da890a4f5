// priorities.cpp — TD errors from standard input, one a line; what the C++ client makes of each, and whether it is
// saturated. SPDX-License-Identifier: Apache-2.0
//
// priorities ALPHA SCALE WIDTH EPSILON: as a server tells them.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "rlcores/replay.hpp"

int main(int count, char** words) {
    if (count != 5) return 2;
    rlcores::net::Told told{};
    told.alpha = static_cast<std::uint16_t>(std::atoi(words[1]));
    told.scale = static_cast<std::int16_t>(std::atoi(words[2]));
    told.priority_width = static_cast<std::uint16_t>(std::atoi(words[3]));
    told.epsilon = static_cast<std::uint32_t>(std::strtoul(words[4], nullptr, 10));
    const rlcores::net::Priorities priorities(told);
    for (std::string line; std::getline(std::cin, line);) {
        std::uint64_t saturated = 0;
        const std::uint32_t priority = priorities.of(std::strtod(line.c_str(), nullptr), saturated);
        std::printf("%u %llu\n", priority, static_cast<unsigned long long>(saturated));
    }
}
