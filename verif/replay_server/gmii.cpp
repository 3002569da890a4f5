// gmii.cpp — a Verilated chip at a GMII line, whose other end is a file of Ethernet frames: a tap device or a socket.
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr int kGap = 12;  // bytes between two frames

uint32_t fcs(const uint8_t* data, size_t count) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < count; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

struct Line {
    VerilatedContext context;
    std::unique_ptr<Vtop> top{new Vtop(&context)};
    std::vector<uint8_t> in, out;
    size_t at = 0;
    int gap = 0, silent = kGap;
    uint64_t clocks = 0, frames_in = 0, frames_out = 0, damaged = 0, dropped = 0;
    uint64_t random = 1;
    int damage = 0;  // of 256 frames that come in
    std::string error;

    bool tick() {
        bool carry = at < in.size();
        top->gmii_rx_dv = carry;
        top->gmii_rx_data = carry ? in[at] : 0;
        if (carry && ++at == in.size()) {
            in.clear();
            at = 0;
            gap = kGap;
        } else if (!carry && gap) {
            --gap;
        }
        top->clk = 0;
        top->eval();
        dropped += top->dropped;
        top->clk = 1;
        top->eval();
        ++clocks;
        return true;
    }

    // The line carries it with preamble, padding and check.
    void give(const uint8_t* frame, size_t count) {
        in.assign(7, 0x55);
        in.push_back(0xD5);
        in.insert(in.end(), frame, frame + count);
        if (count < 60) in.resize(8 + 60);
        uint32_t check = fcs(in.data() + 8, in.size() - 8);
        for (int i = 0; i < 4; ++i) in.push_back(uint8_t(check >> 8 * i));
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (int(random >> 33 & 255) < damage) {
            // Behind the Ethernet header: a damaged one would not reach anybody.
            size_t where = 8 + 14 + (random >> 41) % (in.size() - 8 - 14);
            in[where] ^= 1 << (random >> 60 & 7);
            ++damaged;
        }
        ++frames_in;
    }

    // What the chip sends; a frame is handed on when it ends. False: error says what is wrong with it.
    bool take(int file) {
        if (top->gmii_tx_en) {
            if (out.empty() && silent < kGap) return wrong("frames are too close to each other");
            silent = 0;
            out.push_back(top->gmii_tx_data);
            return true;
        }
        ++silent;
        if (out.empty()) return true;
        for (size_t i = 0; i < 8; ++i)
            if (i >= out.size() || out[i] != (i < 7 ? 0x55 : 0xD5)) return wrong("a frame has no preamble");
        if (out.size() < 8 + 64)
            return wrong("a frame has " + std::to_string(out.size() - 8) + " bytes, fewer than 64");
        size_t count = out.size() - 12;
        uint32_t check = 0;
        for (int i = 0; i < 4; ++i) check |= uint32_t(out[8 + count + i]) << 8 * i;
        if (check != fcs(out.data() + 8, count)) return wrong("a frame has a wrong check");
        // A file that is full loses it, as a line would.
        if (write(file, out.data() + 8, count) == ssize_t(count)) ++frames_out;
        out.clear();
        return true;
    }

    bool wrong(const std::string& what) {
        error = what;
        return false;
    }
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* gmii_new(uint64_t mac, uint32_t address, uint32_t port, uint64_t seed, int damage) {
    Line* line = new Line;
    line->random = seed * 2 + 1;
    line->damage = damage;
    line->top->mac_address = mac;
    line->top->ip_address = address;
    line->top->udp_port = port;
    line->top->rst = 1;
    for (int i = 0; i < 8; ++i) line->tick();
    line->top->rst = 0;
    return line;
}

EXPORT void gmii_delete(void* handle) { delete static_cast<Line*>(handle); }

EXPORT const char* gmii_error(void* handle) { return static_cast<Line*>(handle)->error.c_str(); }

// Clocks, frames in and out, frames damaged, and datagrams dropped.
EXPORT void gmii_statistics(void* handle, uint64_t* to) {
    const Line& line = *static_cast<Line*>(handle);
    const uint64_t all[] = {line.clocks, line.frames_in, line.frames_out, line.damaged, line.dropped};
    for (int i = 0; i < 5; ++i) to[i] = all[i];
}

// Run until `stop` can be read. 0, or -1 when the chip breaks a rule of the line. `file` does not block.
EXPORT int gmii_serve(void* handle, int file, int stop) {
    Line& line = *static_cast<Line*>(handle);
    uint8_t frame[2048];
    uint64_t idle = 0;
    for (uint64_t turn = 0;; ++turn) {
        if (line.in.empty() && line.gap == 0 && turn % 8 == 0) {
            ssize_t count = read(file, frame, sizeof frame);
            if (count >= 14) {
                line.give(frame, size_t(count));
                idle = 0;
            }
        }
        line.tick();
        if (!line.take(file)) return -1;
        if (!line.out.empty() || !line.in.empty()) idle = 0;
        bool rest = ++idle > 4000;
        if (rest || turn % 4096 == 0) {
            pollfd wait[] = {{stop, POLLIN, 0}, {file, POLLIN, 0}};
            poll(wait, 2, rest ? 2 : 0);
            if (wait[0].revents) return 0;
            if (rest) idle = 2000;
        }
    }
}
