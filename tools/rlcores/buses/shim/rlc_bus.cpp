// SPDX-License-Identifier: Apache-2.0
#include "rlc_bus.h"

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"
#ifdef RLC_MEMORY
#include "rlc_memory.h"
#ifndef RLC_MASTERS
#define RLC_MASTERS 1
#endif
#define RLC_JOIN(port, signal) port##signal
#define RLC_PORT(port, signal) RLC_JOIN(port, signal)
#endif

namespace {

#ifdef RLC_MEMORY
// Several masters have a slice each of every port, the first one's lowest. With one, it is the whole port.
constexpr unsigned kMasters = RLC_MASTERS;
constexpr unsigned kBeat = sizeof(Vtop::RLC_PORT(RLC_MEMORY, _rdata)) / kMasters;
#ifdef RLC_ADDR_BITS
constexpr unsigned kAddrBits = RLC_ADDR_BITS, kIdBits = RLC_ID_BITS;
#else
constexpr unsigned kAddrBits = 8 * sizeof(Vtop::RLC_PORT(RLC_MEMORY, _araddr)),
                   kIdBits = 8 * sizeof(Vtop::RLC_PORT(RLC_MEMORY, _arid));
#endif

uint64_t slice(const void* port, unsigned bits, unsigned master) {
    const unsigned at = bits * master, shift = at % 8, bytes = (shift + bits + 7) / 8;
    const uint8_t* from = static_cast<const uint8_t*>(port) + at / 8;
    uint64_t word = 0;
    memcpy(&word, from, bytes > 8 ? 8 : bytes);
    word >>= shift;
    if (bytes > 8) word |= uint64_t(from[8]) << (64 - shift);
    return bits < 64 ? word & ((uint64_t(1) << bits) - 1) : word;
}

void put(void* port, unsigned bits, unsigned master, uint64_t value) {
    uint8_t* to = static_cast<uint8_t*>(port);
    for (unsigned bit = 0; bit < bits;) {
        const unsigned at = bits * master + bit, shift = at % 8,
                       count = bits - bit < 8 - shift ? bits - bit : 8 - shift;
        const unsigned mask = ((1u << count) - 1) << shift;
        to[at / 8] = uint8_t((to[at / 8] & ~mask) | ((value >> bit << shift) & mask));
        bit += count;
    }
}
#endif

// A stream port of the model, whatever its width: Verilator keeps all of them little-endian in memory.
struct Stream {
    const char* name;
    uint8_t* data;
    size_t bytes;
    CData* valid;
    CData* ready;
    CData* last;
    bool gone = false;  // a source's beat is taken at this edge
    // What a stalled sink showed in the clock before: it must show it again.
    bool held = false;
    bool held_last = false;
    std::vector<uint8_t> held_data;
};

struct Bus {
    VerilatedContext context;
    std::unique_ptr<Vtop> top;
    std::vector<Stream> sources;
    std::vector<Stream> sinks;
    uint64_t cycles = 0;
    uint64_t random = 1;
    int source_stall = 0;
    int sink_stall = 0;
    int register_stall = 0;
    std::string error;
#ifdef RLC_MEMORY
#define RLC_AXI(signal) RLC_PORT(top->RLC_MEMORY, _##signal)
    std::deque<Memory> memories;
#endif

    Bus() : top(new Vtop(&context)) {
#ifdef RLC_MEMORY
        while (memories.size() < kMasters) memories.emplace_back(kBeat);
#endif
#define RLC_STREAM(port)                             \
    {#port,                                          \
     reinterpret_cast<uint8_t*>(&top->port##_tdata), \
     sizeof(top->port##_tdata),                      \
     &top->port##_tvalid,                            \
     &top->port##_tready,                            \
     &top->port##_tlast}
#define RLC_SOURCE(port) sources.push_back(RLC_STREAM(port));
#define RLC_SINK(port) sinks.push_back(RLC_STREAM(port));
#include "streams.h"
        quiet();
    }

    void quiet() {
        top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_bready = 0;
        top->s_axil_arvalid = top->s_axil_rready = 0;
        top->s_axil_awprot = top->s_axil_arprot = 0;
        for (auto& s : sources) *s.valid = *s.last = 0;
        for (auto& s : sinks) *s.ready = 0;
    }

    bool stall(int probability) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return static_cast<int>((random >> 32) & 255) < probability;
    }

    // Inputs are set before settle(); outputs are good between settle() and edge().
    void settle() {
        top->clk = 0;
        top->eval();
    }

    bool edge() {
        bool good = true;
        for (auto& s : sinks) good = check(s) && good;
#ifdef RLC_MEMORY
        good = memory_clock() && good;
#endif
        top->clk = 1;
        top->eval();
        ++cycles;
#ifdef RLC_MEMORY
        memory_drive();
#endif
        return good;
    }

#ifdef RLC_MEMORY
    bool memory_clock() {
        bool good = true;
        for (unsigned m = 0; m < kMasters; ++m) good = memory_clock(m) && good;
        return good;
    }

#define RLC_OF(signal, bits) slice(&RLC_AXI(signal), bits, m)
#define RLC_ADDRESS(c)                                                                               \
    {                                                                                                \
        bool(RLC_OF(c##valid, 1)), uint32_t(RLC_OF(c##id, kIdBits)), RLC_OF(c##addr, kAddrBits),     \
            uint32_t(RLC_OF(c##len, 8)), uint32_t(RLC_OF(c##size, 3)), uint32_t(RLC_OF(c##burst, 2)) \
    }
    bool memory_clock(unsigned m) {
        Memory& memory = memories[m];
        if (top->rst) {
            memory.reset();
            return true;
        }
        uint8_t strobes[(kBeat + 7) / 8];
        for (unsigned k = 0; k < sizeof strobes; ++k)
            strobes[k] =
                kBeat < 8 ? uint8_t(RLC_OF(wstrb, kBeat)) : uint8_t(slice(&RLC_AXI(wstrb), 8, m * kBeat / 8 + k));
        if (memory.clock(RLC_ADDRESS(ar), RLC_ADDRESS(aw), RLC_OF(wvalid, 1), RLC_OF(wlast, 1),
                         reinterpret_cast<const uint8_t*>(&RLC_AXI(wdata)) + m * kBeat, strobes, RLC_OF(rready, 1),
                         RLC_OF(bready, 1)))
            return true;
        error = memory.error;
        return false;
    }

    // What the core sees of the memory changes right after the edge, as from registers.
    void memory_drive() {
        for (unsigned m = 0; m < kMasters; ++m) memory_drive(m);
    }

#define RLC_SHOW(signal, bits, value) put(&RLC_AXI(signal), bits, m, value)
    void memory_drive(unsigned m) {
        const Memory& memory = memories[m];
        RLC_SHOW(arready, 1, memory.ar_ready);
        RLC_SHOW(awready, 1, memory.aw_ready);
        RLC_SHOW(wready, 1, memory.w_ready);
        const Memory::Answer& r = memory.r_answer;
        RLC_SHOW(rvalid, 1, r.valid);
        if (r.valid) {
            RLC_SHOW(rid, kIdBits, r.id);
            RLC_SHOW(rresp, 2, r.resp);
            RLC_SHOW(rlast, 1, r.last);
            memcpy(reinterpret_cast<uint8_t*>(&RLC_AXI(rdata)) + m * kBeat, r.data, kBeat);
        }
        const Memory::Answer& b = memory.b_answer;
        RLC_SHOW(bvalid, 1, b.valid);
        if (b.valid) {
            RLC_SHOW(bid, kIdBits, b.id);
            RLC_SHOW(bresp, 2, b.resp);
        }
    }
#endif

    bool tick() {
        settle();
        return edge();
    }

    // AXI4-Stream: once valid, a beat stays and does not change until it is taken.
    bool check(Stream& s) {
        if (top->rst) {
            s.held = false;
            return true;
        }
        if (s.held && (!*s.valid || *s.last != s.held_last || memcmp(s.data, s.held_data.data(), s.bytes) != 0)) {
            error = std::string(s.name) + " changed a beat that was not taken yet";
            return false;
        }
        s.held = *s.valid && !*s.ready;
        s.held_last = *s.last;
        if (s.held) s.held_data.assign(s.data, s.data + s.bytes);
        return true;
    }

    int timeout(const std::string& what, uint64_t limit) {
        quiet();
        error = what + " did not happen within " + std::to_string(limit) + " clocks";
        return RLC_TIMEOUT;
    }
};

Bus& bus(void* handle) { return *static_cast<Bus*>(handle); }

// The first stream that did not end, by name.
int stuck(Bus& b, const rlc_give* give, const rlc_give* gives_end, const rlc_take* take, const rlc_take* takes_end,
          uint64_t limit) {
    const auto beat = [](uint64_t number, const Stream& s) {
        return "beat " + std::to_string(number) + " of the " + s.name + " stream";
    };
    for (; give != gives_end; ++give)
        if (give->given < give->beats) return b.timeout(beat(give->given, b.sources.at(give->source)), limit);
    for (; take != takes_end; ++take)
        if (take->taken < take->capacity && !(take->until_last && take->last))
            return b.timeout(beat(take->taken, b.sinks.at(take->sink)), limit);
    return b.timeout("the end of a transfer", limit);
}

}  // namespace

void* rlc_new() { return new Bus; }

void rlc_delete(void* handle) {
    bus(handle).top->final();
    delete static_cast<Bus*>(handle);
}

const char* rlc_error(void* handle) { return bus(handle).error.c_str(); }

uint64_t rlc_cycles(void* handle) { return bus(handle).cycles; }

int rlc_reset(void* handle, uint64_t clocks) {
    Bus& b = bus(handle);
    b.quiet();
    b.top->rst = 1;
    for (uint64_t i = 0; i < clocks; ++i) b.tick();
    b.top->rst = 0;
    return b.tick() ? 0 : RLC_PROTOCOL;
}

int rlc_run(void* handle, uint64_t clocks) {
    Bus& b = bus(handle);
    for (uint64_t i = 0; i < clocks; ++i)
        if (!b.tick()) return RLC_PROTOCOL;
    return 0;
}

void rlc_stalls(void* handle, uint64_t seed, int source, int sink, int registers) {
    Bus& b = bus(handle);
    b.random = seed * 0x9E3779B97F4A7C15ull | 1;
    b.source_stall = source;
    b.sink_stall = sink;
    b.register_stall = registers;
}

int rlc_write(void* handle, uint32_t address, uint32_t data, int strobes, uint64_t limit) {
    Bus& b = bus(handle);
    Vtop& t = *b.top;
    t.s_axil_awaddr = address;
    t.s_axil_wdata = data;
    t.s_axil_wstrb = strobes;
    bool address_done = false;
    bool data_done = false;
    for (uint64_t i = 0; i < limit; ++i) {
        // A valid that is up stays up; address and data come in any order.
        t.s_axil_awvalid = !address_done && (t.s_axil_awvalid || !b.stall(b.register_stall));
        t.s_axil_wvalid = !data_done && (t.s_axil_wvalid || !b.stall(b.register_stall));
        t.s_axil_bready = !b.stall(b.register_stall);
        b.settle();
        address_done |= t.s_axil_awvalid && t.s_axil_awready;
        data_done |= t.s_axil_wvalid && t.s_axil_wready;
        const bool answered = t.s_axil_bvalid && t.s_axil_bready;
        const int response = t.s_axil_bresp;
        if (!b.edge()) return RLC_PROTOCOL;
        if (answered) {
            b.quiet();
            if (address_done && data_done) return response;
            b.error = "s_axil answered a write before it had address and data";
            return RLC_PROTOCOL;
        }
    }
    return b.timeout("the answer to an AXI4-Lite write", limit);
}

int rlc_read(void* handle, uint32_t address, uint32_t* data, uint64_t limit) {
    Bus& b = bus(handle);
    Vtop& t = *b.top;
    t.s_axil_araddr = address;
    bool address_done = false;
    for (uint64_t i = 0; i < limit; ++i) {
        t.s_axil_arvalid = !address_done && (t.s_axil_arvalid || !b.stall(b.register_stall));
        t.s_axil_rready = !b.stall(b.register_stall);
        b.settle();
        address_done |= t.s_axil_arvalid && t.s_axil_arready;
        const bool answered = t.s_axil_rvalid && t.s_axil_rready;
        const int response = t.s_axil_rresp;
        *data = t.s_axil_rdata;
        if (!b.edge()) return RLC_PROTOCOL;
        if (answered) {
            b.quiet();
            if (address_done) return response;
            b.error = "s_axil answered a read before it had the address";
            return RLC_PROTOCOL;
        }
    }
    return b.timeout("the answer to an AXI4-Lite read", limit);
}

int rlc_wait_irq(void* handle, uint64_t limit) {
    Bus& b = bus(handle);
    for (uint64_t i = 0; i < limit; ++i) {
        b.settle();
        const bool high = b.top->irq;
        if (!b.edge()) return RLC_PROTOCOL;
        if (high) return 0;
    }
    return b.timeout("an interrupt", limit);
}

uint64_t rlc_source_bytes(void* handle, int source) { return bus(handle).sources.at(source).bytes; }

uint64_t rlc_sink_bytes(void* handle, int sink) { return bus(handle).sinks.at(sink).bytes; }

int rlc_transfer(void* handle, rlc_give* gives, int n_gives, rlc_take* takes, int n_takes, uint64_t limit) {
    Bus& b = bus(handle);
    rlc_give* const gives_end = gives + n_gives;
    rlc_take* const takes_end = takes + n_takes;
    const auto ended = [](const rlc_take& t) { return t.taken == t.capacity || (t.until_last && t.last); };
    uint64_t idle = 0;
    for (auto g = gives; g != gives_end; ++g) g->given = 0;
    for (auto t = takes; t != takes_end; ++t) t->taken = t->last = 0;
    while (true) {
        bool open = false;
        for (auto g = gives; g != gives_end; ++g) {
            Stream& from = b.sources.at(g->source);
            if (g->given == g->beats) continue;
            open = true;
            if (*from.valid || b.stall(b.source_stall)) continue;
            memcpy(from.data, g->data + g->given * from.bytes, from.bytes);
            *from.last = g->given + 1 == g->beats;
            *from.valid = 1;
        }
        for (auto t = takes; t != takes_end; ++t) {
            const bool done = ended(*t);
            open |= !done;
            *b.sinks.at(t->sink).ready = !done && !b.stall(b.sink_stall);
        }
        if (!open) break;
        b.settle();
        bool moved = false;
        for (auto t = takes; t != takes_end; ++t) {
            Stream& to = b.sinks.at(t->sink);
            if (!*to.valid || !*to.ready) continue;
            memcpy(t->data + t->taken * to.bytes, to.data, to.bytes);
            t->last = *to.last;
            ++t->taken;
            moved = true;
        }
        // Whether a source's beat is taken is known now, but its valid must stay up over the edge.
        for (auto g = gives; g != gives_end; ++g) {
            Stream& from = b.sources.at(g->source);
            if (*from.valid && *from.ready) {
                from.gone = true;
                ++g->given;
                moved = true;
            }
        }
        if (!b.edge()) return RLC_PROTOCOL;
        for (auto g = gives; g != gives_end; ++g) {
            Stream& from = b.sources.at(g->source);
            if (from.gone) *from.valid = *from.last = 0;
            from.gone = false;
        }
        idle = moved ? 0 : idle + 1;
        if (idle > limit) return stuck(b, gives, gives_end, takes, takes_end, limit);
    }
    b.quiet();
    return 0;
}

#ifdef RLC_MEMORY
uint64_t rlc_memory_bytes(void*) { return kBeat; }

void rlc_memory_configure(void* handle, int master, const rlc_dram* dram) {
    bus(handle).memories.at(master).configure(*dram);
}

void rlc_memory_peek(void* handle, int master, uint64_t address, uint64_t count, uint8_t* data) {
    bus(handle).memories.at(master).peek(address, count, data);
}

void rlc_memory_poke(void* handle, int master, uint64_t address, uint64_t count, const uint8_t* data) {
    bus(handle).memories.at(master).poke(address, count, data);
}

void rlc_memory_fail(void* handle, int master, int write, uint64_t low, uint64_t high, uint64_t times) {
    bus(handle).memories.at(master).fail(write, low, high, times);
}

void rlc_memory_heal(void* handle, int master) { bus(handle).memories.at(master).heal(); }

void rlc_memory_statistics(void* handle, int master, rlc_dram_statistics* statistics) {
    *statistics = bus(handle).memories.at(master).statistics;
}
#endif
