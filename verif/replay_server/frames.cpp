// frames.cpp — datagrams from memory into the Verilated server, and its answers back, until it is at rest.
// SPDX-License-Identifier: Apache-2.0
#include "rlc_udp.cpp"

namespace {

constexpr uint64_t kHang = 200000;  // clocks without a beat, after which nothing will come any more
constexpr uint64_t kStill = 1000;   // clocks in which nothing happens at any port

struct Frames : Server {
    std::vector<uint8_t> answers;  // where it goes to, length, bytes of each

    void send(int, uint64_t whose) override {
        const uint64_t head[2] = {whose, out.size()};
        answers.insert(answers.end(), reinterpret_cast<const uint8_t*>(head),
                       reinterpret_cast<const uint8_t*>(head + 2));
        answers.insert(answers.end(), out.begin(), out.end());
    }

    bool exchange(const uint8_t* bytes, const uint32_t* lengths, const uint64_t* from, uint64_t count,
                  uint64_t wanted) {
        answers.clear();
        wanted += answered;
        since = 0;
        for (uint64_t next = 0; next < count || has || answered < wanted;) {
            if (!has && next < count) {
                in.assign(bytes, bytes + lengths[next]);
                bytes += lengths[next];
                where = from[next++];
                at = 0;
                has = true;
                ++given;
                sources[where].length = 1;
            }
            if (!tick(-1)) return false;
            if (since > kHang)
                return wrong("nothing moves: " + std::to_string(count - next + has) + " datagrams and " +
                             std::to_string(wanted - answered) + " answers are left");
        }
        for (uint64_t rest = 0, clock = 0; rest < kStill; ++clock) {
            if (!tick(-1)) return false;
            const bool busy = top->m_udp_tvalid || top->m_axi_awvalid || top->m_axi_wvalid || top->m_axi_arvalid ||
                              top->m_axi_bvalid || top->m_axi_rvalid;
            rest = busy ? 0 : rest + 1;
            if (clock > kHang) return wrong("it does not come to rest");
        }
        return true;
    }
};

}  // namespace

// base, size: the server's part of the memory; a burst anywhere else is answered with an error, which ends the run.
RLC_API void* rlc_frames_new(const rlc_udp_settings* s, const rlc_dram* dram, uint64_t base, uint64_t size) {
    Frames* server = new Frames;
    server->begin(*s, *dram, base);
    for (const bool write : {false, true}) {
        server->memory.fail(write, 0, base, 0);
        server->memory.fail(write, base + size, ~0ull, 0);
    }
    return server;
}

RLC_API void rlc_frames_delete(void* handle) { delete static_cast<Frames*>(handle); }

// From now on; only at rest.
RLC_API void rlc_frames_pace(void* handle, uint64_t stall, const rlc_dram* dram) {
    static_cast<Frames*>(handle)->stall = int(stall);
    static_cast<Frames*>(handle)->memory.configure(*dram);
}

// 0, and how many bytes of answers there are; or -1, and rlc_udp_error says what is wrong.
RLC_API int rlc_frames_exchange(void* handle, const uint8_t* bytes, const uint32_t* lengths, const uint64_t* from,
                                uint64_t count, uint64_t wanted, uint64_t* size) {
    Frames& server = *static_cast<Frames*>(handle);
    const bool good = server.exchange(bytes, lengths, from, count, wanted);
    *size = server.answers.size();
    return good ? 0 : -1;
}

RLC_API const uint8_t* rlc_frames_answers(void* handle) { return static_cast<Frames*>(handle)->answers.data(); }

// Clocks; beats that were read from memory, and written to it.
RLC_API void rlc_frames_statistics(void* handle, uint64_t* to) {
    const Frames& server = *static_cast<Frames*>(handle);
    to[0] = server.clocks;
    to[1] = server.memory.statistics.read_beats;
    to[2] = server.memory.statistics.write_beats;
}

RLC_API void rlc_frames_peek(void* handle, uint64_t address, uint64_t count, uint8_t* data) {
    static_cast<Frames*>(handle)->memory.peek(address, count, data);
}
