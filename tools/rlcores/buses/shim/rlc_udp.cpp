// rlc_udp.cpp — a Verilated server of datagrams (rlc_replay_server) at a UDP socket, with a memory behind its m_axi.
// SPDX-License-Identifier: Apache-2.0
//
// The core's clock moves while there is something to do, and slowly while there is not: nobody tells from outside when
// a core is at rest.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "Vtop.h"
#include "rlc_memory.h"
#include "verilated.h"

#define RLC_API extern "C" __attribute__((visibility("default")))

// What stands still from reset on, in the order of rlcores.net.rtl; stall: probability, in 1/256 a clock, that a beat
// waits.
struct rlc_udp_settings {
    uint64_t instance, alpha, scale, epsilon, initial, seed, stall, stall_seed, key[2];
};

namespace {

constexpr size_t kSources = 4096;  // addresses that may be answered
constexpr uint64_t kBusy = 20000;  // clocks after the last datagram before the clock slows down
constexpr uint64_t kSlow = 256;    // clocks every kRest milliseconds then
constexpr int kRest = 20;

struct Source {
    sockaddr_storage address;
    socklen_t length = 0;
};

struct Server {
    VerilatedContext context;
    std::unique_ptr<Vtop> top{new Vtop(&context)};
    Memory memory{8};
    std::map<uint64_t, Source> sources;  // by what stands for them at the core: of IPv4 address and port
    std::vector<uint8_t> in, out;
    size_t at = 0;
    bool offered = false, has = false;
    uint64_t where = 0;  // the datagram comes from
    uint64_t clocks = 0, given = 0, answered = 0, since = 0;
    uint64_t random = 1;
    int stall = 0;
    std::string error;
    bool held = false;  // an answer's beat was shown and not taken: it stands
    std::tuple<uint64_t, uint64_t, uint64_t> shown;

    virtual ~Server() = default;

    // Out of reset from then on.
    void begin(const rlc_udp_settings& s, const rlc_dram& dram, uint64_t base) {
        top->cfg_instance = s.instance;
        top->cfg_alpha = s.alpha;
        top->cfg_scale = s.scale;
        top->cfg_epsilon = s.epsilon;
        top->cfg_bank = 0;
        top->cfg_initial = s.initial;
        top->cfg_seed = s.seed;
        for (int word = 0; word < 4; ++word) top->cfg_key[word] = uint32_t(s.key[word / 2] >> 32 * (word % 2));
        top->cfg_base = base;
        stall = int(s.stall);
        random = s.stall_seed * 2 + 1;
        memory.configure(dram);
        top->rst = 1;
        for (int i = 0; i < 8; ++i) tick(-1);
        top->rst = 0;
    }

    bool draw(int probability) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return int(random >> 32 & 255) < probability;
    }

    bool wrong(const std::string& what) {
        error = what;
        return false;
    }

    bool tick(int file) {
        offered = has && (offered || !draw(stall));
        top->s_udp_tvalid = offered;
        size_t left = in.size() - at;
        if (offered) {
            uint64_t data = 0;
            memcpy(&data, in.data() + at, left < 8 ? left : 8);
            top->s_udp_tdata = data;
            top->s_udp_tkeep = left < 8 ? (1 << left) - 1 : 255;
            top->s_udp_tlast = left <= 8;
            top->s_udp_addr = uint32_t(where);
            top->s_udp_port = uint16_t(where >> 32);
        }
        top->m_udp_tready = !draw(stall);
        top->clk = 0;
        top->eval();
        const bool took = offered && top->s_udp_tready;
        const std::tuple<uint64_t, uint64_t, uint64_t> beat{
            top->m_udp_tdata, uint64_t(top->m_udp_addr) << 32 | uint32_t(top->m_udp_port) << 16 | top->m_udp_length,
            top->m_udp_tkeep * 2 + top->m_udp_tlast};
        if (held && !top->rst && (!top->m_udp_tvalid || beat != shown))
            return wrong("the core changed a beat of an answer that was not taken yet");
        held = top->m_udp_tvalid && !top->m_udp_tready && !top->rst;
        shown = beat;
        if (top->m_udp_tvalid && top->m_udp_tready && !take(file)) return false;
        if (top->failed && !top->rst) return wrong("the memory answered the core with an error");
        if (!memory_clock()) return wrong(memory.error);
        top->clk = 1;
        top->eval();
        memory_drive();
        ++clocks;
        ++since;
        if (took) {
            since = 0;
            offered = false;
            at += 8;
            if (left <= 8) has = false;
        }
        return true;
    }

    bool take(int file) {
        since = 0;
        const uint32_t keep = top->m_udp_tkeep;
        const int bytes = __builtin_popcount(keep);
        const uint64_t data = top->m_udp_tdata;
        out.insert(out.end(), reinterpret_cast<const uint8_t*>(&data), reinterpret_cast<const uint8_t*>(&data) + bytes);
        if (keep != (1u << bytes) - 1 || !bytes || (bytes < 8 && !top->m_udp_tlast)) return wrong("an answer has gaps");
        if (!top->m_udp_tlast) return true;
        if (out.size() != top->m_udp_length) return wrong("an answer has another length than it says");
        const uint64_t whose = top->m_udp_addr | uint64_t(top->m_udp_port) << 32;
        if (!sources.count(whose)) return wrong("an answer goes to nobody who asked");
        send(file, whose);
        ++answered;
        out.clear();
        return true;
    }

    // The answer `out`, to the source of a datagram. A queue that is full loses it, as a network would.
    virtual void send(int file, uint64_t whose) {
        const Source& to = sources[whose];
        if (file >= 0)
            sendto(file, out.data(), out.size(), MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&to.address),
                   to.length);
    }

    // 48 bits; of IPv6 a hash.
    static uint64_t number_of(const sockaddr_storage& address) {
        if (address.ss_family == AF_INET) {
            const auto& of = reinterpret_cast<const sockaddr_in&>(address);
            return ntohl(of.sin_addr.s_addr) | uint64_t(ntohs(of.sin_port)) << 32;
        }
        const auto& of = reinterpret_cast<const sockaddr_in6&>(address);
        uint64_t found = 0xCBF29CE484222325 ^ of.sin6_port;
        for (const uint8_t byte : of.sin6_addr.s6_addr) found = (found ^ byte) * 0x100000001B3;
        return (found ^ found >> 16) & 0xFFFFFFFFFFFF;
    }

    // Whether a datagram was there.
    bool receive(int file) {
        in.resize(1 << 16);
        Source from{};
        from.length = sizeof from.address;
        const ssize_t count = recvfrom(file, in.data(), in.size(), MSG_DONTWAIT,
                                       reinterpret_cast<sockaddr*>(&from.address), &from.length);
        if (count < 0) return false;
        in.resize(size_t(count));
        at = 0;
        has = true;
        where = number_of(from.address);
        if (sources.size() >= kSources && !sources.count(where)) sources.erase(sources.begin());
        sources[where] = from;
        ++given;
        since = 0;
        return true;
    }

    bool memory_clock() {
        if (top->rst) {
            memory.reset();
            return true;
        }
        const Memory::Address ar{bool(top->m_axi_arvalid), top->m_axi_arid,   top->m_axi_araddr,
                                 top->m_axi_arlen,         top->m_axi_arsize, top->m_axi_arburst};
        const Memory::Address aw{bool(top->m_axi_awvalid), top->m_axi_awid,   top->m_axi_awaddr,
                                 top->m_axi_awlen,         top->m_axi_awsize, top->m_axi_awburst};
        const uint64_t data = top->m_axi_wdata;
        const uint8_t strobes = top->m_axi_wstrb;
        return memory.clock(ar, aw, top->m_axi_wvalid, top->m_axi_wlast, reinterpret_cast<const uint8_t*>(&data),
                            &strobes, top->m_axi_rready, top->m_axi_bready);
    }

    void memory_drive() {
        top->m_axi_arready = memory.ar_ready;
        top->m_axi_awready = memory.aw_ready;
        top->m_axi_wready = memory.w_ready;
        const Memory::Answer& r = memory.r_answer;
        top->m_axi_rvalid = r.valid;
        if (r.valid) {
            uint64_t data;
            memcpy(&data, r.data, sizeof data);
            top->m_axi_rdata = data;
            top->m_axi_rid = r.id;
            top->m_axi_rresp = r.resp;
            top->m_axi_rlast = r.last;
        }
        const Memory::Answer& b = memory.b_answer;
        top->m_axi_bvalid = b.valid;
        if (b.valid) {
            top->m_axi_bid = b.id;
            top->m_axi_bresp = b.resp;
        }
    }
};

}  // namespace

RLC_API void* rlc_udp_new(const rlc_udp_settings* s, const rlc_dram* dram) {
    Server* server = new Server;
    server->begin(*s, *dram, 0);
    return server;
}

RLC_API void rlc_udp_delete(void* handle) { delete static_cast<Server*>(handle); }

RLC_API const char* rlc_udp_error(void* handle) { return static_cast<Server*>(handle)->error.c_str(); }

// Clocks, datagrams in, and out.
RLC_API void rlc_udp_statistics(void* handle, uint64_t* to) {
    const Server& server = *static_cast<Server*>(handle);
    to[0] = server.clocks;
    to[1] = server.given;
    to[2] = server.answered;
}

// Serve a bound socket until `stop` can be read. 0, or -1 when the core breaks a rule: rlc_udp_error says which.
RLC_API int rlc_udp_serve(void* handle, int file, int stop) {
    Server& server = *static_cast<Server*>(handle);
    for (uint64_t turn = 0;; ++turn) {
        if (!server.has && (server.since < 2 || turn % 16 == 0)) server.receive(file);
        if (!server.tick(file)) return -1;
        const bool rest = server.since > kBusy && turn % kSlow == 0;
        if (rest || turn % 1024 == 0) {
            pollfd wait[] = {{stop, POLLIN, 0}, {file, POLLIN, 0}};
            poll(wait, 2, rest ? kRest : 0);
            if (wait[0].revents) return 0;
            if (wait[1].revents && rest) server.since = 0;
        }
    }
}
