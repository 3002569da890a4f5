// refused.cpp — asks a server for what it refuses, and prints what the client says.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <functional>

#include "rlcores/replay.hpp"

int main(int, char** arguments) {
    namespace net = rlcores::net;
    net::Client client(arguments[1]);
    net::Session::Options beyond;
    const std::uint64_t records[2] = {1, 2};
    const double errors[2] = {0.5, 1.5}, wrong[2] = {0.5, std::nan("")};
    const std::function<void()> calls[] = {
        [&] { client.put(records, 2, 8, errors), client.flush(); },
        [&] { client.put(records, 2, 8, wrong); },
        [&] { client.sample(1); },
        [&] { client.sample(1, 1.5); },
        [&] {
            client.put_weights({1, 2, 3}, 1);
        },
        [&] { beyond.client = 65536, net::Client(arguments[1], beyond); },
    };
    for (const auto& call : calls) try {
            call();
            return 1;
        } catch (const net::Refused& refused) {
            std::puts(refused.what());
        }
    client.put(records, 2, 8);
    client.flush();
    try {
        beyond.client = 999, net::Client(arguments[1], beyond, 0.05);
        return 1;
    } catch (const net::Failed& failed) {
        std::puts(failed.what());
    }
}
