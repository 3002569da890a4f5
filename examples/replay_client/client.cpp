// client.cpp — an actor and a learner at a replay server, in C++.
// SPDX-License-Identifier: Apache-2.0
//
// build  g++ -std=c++17 -O2 -I"$(python -c 'import rlcores.net; print(rlcores.net.include())')" client.cpp -o client
// run    rlcores serve 127.0.0.1:7878 --record-bytes 40 &  ./client 127.0.0.1:7878 1000
#include <cstdio>
#include <cstdlib>

#include "rlcores/replay.hpp"

// What is in a record, actors and learners agree among themselves.
struct Transition {
    float observation[4], next_observation[4], reward;
    std::int32_t action;
};

int main(int count, char** words) try {
    using rlcores::net::Client;
    const std::string address = count > 1 ? words[1] : "127.0.0.1:7878";
    const std::size_t steps = count > 2 ? std::strtoul(words[2], nullptr, 10) : 1000;
    rlcores::net::Session::Options options;
    options.record_bytes = sizeof(Transition);

    options.client = 1;
    Client actor(address, options);
    std::vector<Transition> some;
    for (std::size_t step = 0; step < steps; ++step) {
        Transition one{};
        one.observation[0] = static_cast<float>(step), one.next_observation[0] = static_cast<float>(step + 1);
        one.reward = 1.0f, one.action = static_cast<std::int32_t>(step % 2);
        some.push_back(one);
        if (some.size() == 50 || step + 1 == steps) {
            actor.put(some.data(), some.size(), sizeof(Transition));
            some.clear();
        }
    }
    actor.flush();  // from here on they are stored, each once

    options.client = 2;
    Client learner(address, options);
    std::size_t gone = 0;
    for (int step = 0; step < 20; ++step) {
        const rlcores::net::Batch batch = learner.sample(32, 0.4);
        std::vector<double> td_errors;
        for (std::size_t i = 0; i < batch.slots.size(); ++i) {
            Transition one;
            std::memcpy(&one, batch.records.data() + i * sizeof one, sizeof one);
            gone += batch.gone[i];
            if (!batch.gone[i] && one.next_observation[0] != one.observation[0] + 1) return 3;
            td_errors.push_back(one.observation[0] / static_cast<double>(steps));
        }
        learner.update(batch, td_errors);
    }
    const std::vector<std::uint8_t> weights(5000, 7);
    learner.put_weights(weights, 1);
    const auto found = actor.get_weights();
    if (!found || found->first != 1 || found->second != weights) return 4;
    learner.flush();
    std::printf("%zu records put, 20 batches of 32 drawn, %zu overwritten; the server holds %llu\n", steps, gone,
                static_cast<unsigned long long>(learner.stats()[1]));
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
