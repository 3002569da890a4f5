// rlc_bus.h — what Python calls to drive a Verilated core: clock, AXI4-Lite, AXI4-Stream, interrupt.
// SPDX-License-Identifier: Apache-2.0
//
// One shim serves every core whose top has clk, rst, s_axil_*, irq, any number of AXI4-Stream ports and, when it is
// built with RLC_MEMORY, an AXI4 master. Which streams there are is told by streams.h, written for each build:
// RLC_SOURCE(name) for a port that takes beats, RLC_SINK(name) for one that gives them; the index of a stream is its
// place in that list.
//
// A negative result is an error: RLC_TIMEOUT or RLC_PROTOCOL, and rlc_error() says it in words.
#ifndef RLC_BUS_H
#define RLC_BUS_H
#include <cstdint>

#define RLC_API extern "C" __attribute__((visibility("default")))

constexpr int RLC_TIMEOUT = -1, RLC_PROTOCOL = -2;

RLC_API void* rlc_new(void);
RLC_API void rlc_delete(void* handle);
RLC_API const char* rlc_error(void* handle);
RLC_API uint64_t rlc_cycles(void* handle);

// Hold rst for some clocks, with every valid and ready low.
RLC_API int rlc_reset(void* handle, uint64_t clocks);

// Let clocks pass.
RLC_API int rlc_run(void* handle, uint64_t clocks);

// From now on leave a beat, an address or an answer waiting with this probability, in 1/256 a clock. A probability
// of 0 is full speed. The same seed gives the same stalls.
RLC_API void rlc_stalls(void* handle, uint64_t seed, int source, int sink, int registers);

// One AXI4-Lite access; the result is the response (0 = OKAY). strobes: WSTRB.
RLC_API int rlc_write(void* handle, uint32_t address, uint32_t data, int strobes, uint64_t limit);
RLC_API int rlc_read(void* handle, uint32_t address, uint32_t* data, uint64_t limit);

// Let clocks pass until irq is high.
RLC_API int rlc_wait_irq(void* handle, uint64_t limit);

// How many bytes a beat of a stream has.
RLC_API uint64_t rlc_source_bytes(void* handle, int source);
RLC_API uint64_t rlc_sink_bytes(void* handle, int sink);

// What one call gives to a source: beats one after another, TLAST on the last one. *given becomes how many it took.
struct rlc_give {
    int32_t source;
    const uint8_t* data;
    uint64_t beats;
    uint64_t given;
};

// What one call takes from a sink: up to `capacity` beats, and not beyond a TLAST when `until_last` is set.
// taken becomes how many came, last whether the last of them had TLAST.
struct rlc_take {
    int32_t sink;
    int32_t until_last;
    uint8_t* data;
    uint64_t capacity;
    uint64_t taken;
    int32_t last;
};

// Serve all these sources and sinks at the same time, each of them at most once in a call, until every give is given
// and every take has ended. `limit` is the number of clocks without a beat that is a timeout.
RLC_API int rlc_transfer(void* handle, struct rlc_give* gives, int n_gives, struct rlc_take* takes, int n_takes,
                         uint64_t limit);

// A build with RLC_MEMORY=<prefix> has the memory of rlc_memory.h at the AXI4 ports <prefix>_*: timing, which may
// change only while nothing is on its way; contents; bursts that get an error; what happened. With RLC_MASTERS=<n>,
// RLC_ADDR_BITS and RLC_ID_BITS the ports are those of n masters, and each has its memory.
#ifdef RLC_MEMORY
struct rlc_dram;
struct rlc_dram_statistics;
RLC_API uint64_t rlc_memory_bytes(void* handle);
RLC_API void rlc_memory_configure(void* handle, int master, const struct rlc_dram* dram);
RLC_API void rlc_memory_peek(void* handle, int master, uint64_t address, uint64_t count, uint8_t* data);
RLC_API void rlc_memory_poke(void* handle, int master, uint64_t address, uint64_t count, const uint8_t* data);
RLC_API void rlc_memory_fail(void* handle, int master, int write, uint64_t low, uint64_t high, uint64_t times);
RLC_API void rlc_memory_heal(void* handle, int master);
RLC_API void rlc_memory_statistics(void* handle, int master, struct rlc_dram_statistics* statistics);
#endif
#endif
