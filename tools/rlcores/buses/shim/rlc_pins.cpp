// SPDX-License-Identifier: Apache-2.0
#include "rlc_pins.h"

#include <deque>
#include <memory>

#include "Vtop.h"
#include "verilated.h"

namespace {

struct Pins {
    VerilatedContext context;
    std::unique_ptr<Vtop> top;
    const double bit;
    uint64_t cycles = 0;
    uint64_t bad = 0;

    // To the core: a byte is ten levels, each until a moment of its own.
    std::deque<uint8_t> waiting;
    uint32_t sending = 0;
    int sent = 10;  // levels of the byte that are over
    double began = 0;

    // From the core.
    std::deque<uint8_t> came;
    bool was_high = false;
    int taken = -1;  // data bits so far; -1 while no byte is on its way
    uint32_t shift = 0;
    double next = 0;

    explicit Pins(double bit_) : top(new Vtop(&context)), bit(bit_) {
        top->clk_25mhz = 0;
        top->ftdi_txd = 1;
        top->btn_reset = 0;
    }

    void clock() {
        top->clk_25mhz = 0;
        top->eval();
        top->clk_25mhz = 1;
        top->eval();
        ++cycles;
        listen(top->ftdi_rxd);
    }

    bool quiet() const { return sent == 10 && waiting.empty(); }

    // One clock in which the terminal sends and listens.
    void step() {
        while (sent < 10 && cycles >= began + (sent + 1) * bit) ++sent;
        if (sent == 10 && !waiting.empty()) {
            sending = waiting.front() << 1 | 0x200;
            waiting.pop_front();
            sent = 0;
            began = cycles;
        }
        top->ftdi_txd = sent < 10 ? sending >> sent & 1 : 1;
        clock();
    }

    void listen(bool high) {
        if (taken < 0) {
            if (was_high && !high) {
                taken = 0;
                next = cycles + 1.5 * bit;
            }
        } else if (cycles >= next) {
            next += bit;
            if (taken < 8) {
                shift = shift >> 1 | high << 7;
                ++taken;
            } else {
                if (high)
                    came.push_back(shift);
                else
                    ++bad;
                taken = -1;
            }
        }
        was_high = high;
    }
};

Pins& pins(void* handle) { return *static_cast<Pins*>(handle); }

}  // namespace

void* rlc_pins_new(double bit) { return new Pins(bit); }

void rlc_pins_delete(void* handle) {
    pins(handle).top->final();
    delete static_cast<Pins*>(handle);
}

uint64_t rlc_pins_cycles(void* handle) { return pins(handle).cycles; }

void rlc_pins_reset(void* handle, uint64_t clocks) {
    Pins& p = pins(handle);
    p.top->btn_reset = 1;
    for (uint64_t i = 0; i < clocks; ++i) p.clock();
    p.top->btn_reset = 0;
}

void rlc_pins_send(void* handle, const uint8_t* data, uint64_t count) {
    Pins& p = pins(handle);
    p.waiting.insert(p.waiting.end(), data, data + count);
}

void rlc_pins_break(void* handle, uint64_t clocks) {
    Pins& p = pins(handle);
    while (!p.quiet()) p.step();
    for (int level = 0; level < 2; ++level)
        for (uint64_t i = 0; i < clocks; ++i) {
            p.top->ftdi_txd = level;
            p.clock();
        }
}

uint64_t rlc_pins_receive(void* handle, uint8_t* data, uint64_t count, uint64_t limit) {
    Pins& p = pins(handle);
    uint64_t idle = 0;
    while (p.came.size() < count && idle < limit) {
        const size_t before = p.came.size();
        p.step();
        idle = p.quiet() && p.came.size() == before ? idle + 1 : 0;
    }
    const uint64_t found = count < p.came.size() ? count : p.came.size();
    for (uint64_t i = 0; i < found; ++i) data[i] = p.came[i];
    p.came.erase(p.came.begin(), p.came.begin() + found);
    return found;
}

void rlc_pins_discard(void* handle) { pins(handle).came.clear(); }

uint64_t rlc_pins_bad(void* handle) { return pins(handle).bad; }

uint32_t rlc_pins_leds(void* handle) { return pins(handle).top->led; }
