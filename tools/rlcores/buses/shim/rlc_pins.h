// rlc_pins.h — what Python calls to reach a Verilated top of the ULX3S by its serial pins: a terminal with a bit clock
// of its own. SPDX-License-Identifier: Apache-2.0
#ifndef RLC_PINS_H
#define RLC_PINS_H
#include <cstdint>

#define RLC_API extern "C" __attribute__((visibility("default")))

// bit: clocks of a bit of the terminal's, any fraction.
RLC_API void* rlc_pins_new(double bit);
RLC_API void rlc_pins_delete(void* handle);
RLC_API uint64_t rlc_pins_cycles(void* handle);

// Hold the reset button for some clocks.
RLC_API void rlc_pins_reset(void* handle, uint64_t clocks);

// Send bytes, after those that still wait.
RLC_API void rlc_pins_send(void* handle, const uint8_t* data, uint64_t count);

// When nothing waits any more: hold the line to the core low for some clocks, and then high for as many.
RLC_API void rlc_pins_break(void* handle, uint64_t clocks);

// Let clocks pass until `count` bytes came, or none came and none was sent for `limit` clocks; how many came.
RLC_API uint64_t rlc_pins_receive(void* handle, uint8_t* data, uint64_t count, uint64_t limit);

// Forget what came.
RLC_API void rlc_pins_discard(void* handle);

// Bytes with a low stop bit that came so far; they are not received.
RLC_API uint64_t rlc_pins_bad(void* handle);

// The board's eight LEDs.
RLC_API uint32_t rlc_pins_leds(void* handle);
#endif
