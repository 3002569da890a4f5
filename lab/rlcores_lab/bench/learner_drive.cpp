// Drives the Verilated rlc_learner: loads and reads planes, streams records in and priorities out, with random gaps and
// waits, and notes the clock of everything. What the numbers should be is the Python side's business.
// parameters.h holds RLC_<parameter> of the build.
// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "Vtop.h"
#include "native.h"
#include "parameters.h"

namespace {

// clang-format off
#define PORTS(X)                                                                                                          \
    X(batch) X(double) X(lag) X(gamma) X(reward_scale) X(huber) X(sync_interval) X(tau) X(seed) X(fracs) X(optimisers)  \
    X(pass_delta) X(pass_frac)
// clang-format on

constexpr uint64_t STUCK = 1'000'000;  // clocks without a sign of life
constexpr unsigned STAGES = 64;

// Lanes of a beat: the first field of LANES.
constexpr unsigned first_field(const char* text) {
    unsigned value = 0;
    for (; *text >= '0' && *text <= '9'; ++text) value = 10 * value + static_cast<unsigned>(*text - '0');
    return value;
}
constexpr unsigned LANES = first_field(RLC_LANES);

}  // namespace

extern "C" {

// What to stream. All fields are 64 bits wide, so that Python writes the same structure.
struct Plan {
    uint64_t seed;  // of gaps and waits
    uint64_t batches;
    uint64_t beats;    // of a batch
    uint64_t alone;    // 1: a batch is offered only when the one before has been trained to its end
    uint64_t rec_gap;  // chances in 256 that no record is offered in a clock, or no priority taken
    uint64_t prio_wait;
    uint64_t room;  // priorities that the arrays hold
};

struct Result {
    uint64_t clocks;  // to the end of the last batch
    uint64_t priorities;
    uint64_t steps;  // the core's counter
    uint64_t busy[STAGES];
    uint64_t waiting[STAGES];
    uint64_t saturated[STAGES];
    uint64_t wrong;
    char message[256];
};

}  // extern "C"

namespace {

class Bench {
public:
    Bench() : model_(&context_) { reset(); }
    ~Bench() { model_.final(); }

    void reset() {
        idle();
        model_.rst = 1;
        for (int k = 0; k < 8; ++k) edge();
        model_.rst = 0;
        edge();
    }

    // The cfg_* ports in the order of PORTS of learner_drive.py, WORDS words of 64 bits each.
    void configure(const uint64_t* values) {
#define PUT(name) put_words(model_.cfg_##name, values), values += WORDS;
        const uint64_t batch = values[0];
        PORTS(PUT)
#undef PUT
        // The number of batch slices of a batch is counted, one a clock, while the core rests.
        for (uint64_t k = 0; k < batch + 16; ++k) edge();
    }

    // Starts the generators of stochastic rounding, and gives them time.
    void seed() {
        model_.seed_load = 1;
        edge();
        model_.seed_load = 0;
        for (int k = 0; k < 300; ++k) edge();
    }

    bool formats_fit() {
        model_.eval();
        return model_.cfg_ok;
    }

    // Moves one plane of one network, all layers. Returns the clocks it took, 0 when the core does not answer.
    uint64_t host(bool read, unsigned network, unsigned plane, uint64_t* words, uint64_t count) {
        const uint64_t before = clock_;
        model_.host_read = read;
        model_.host_network = network;
        model_.host_param_bank = plane;
        model_.host_start = 1;
        edge();
        model_.host_start = 0;
        model_.m_read_ready = read;
        uint64_t at = 0, quiet = 0;
        while (quiet < STUCK) {
            model_.s_load_valid = !read && at < count;
            if (model_.s_load_valid) put(model_.s_load_data, words[at]);
            model_.clk = 0;
            model_.eval();
            const bool took = read ? model_.m_read_valid : model_.s_load_valid && model_.s_load_ready;
            bool last = false;
            if (took) {
                if (at >= count) break;
                if (read) words[at] = get(model_.m_read_data), last = model_.m_read_last;
                ++at;
                if (read && last != (at == count)) break;
            }
            const bool over = at == count && !model_.host_busy;
            rise();
            quiet = took ? 0 : quiet + 1;
            if (over) {
                idle();
                return clock_ - before;
            }
        }
        idle();
        return 0;
    }

    void run(const Plan& plan, const uint32_t* beats, uint32_t* priorities, uint8_t* lasts, uint64_t* begun,
             uint64_t* done, Result& result) {
        result = Result{};
        Random random(plan.seed);
        uint64_t quiet = 0, sent = 0, finished = 0, taken = 0;
        const uint64_t total = plan.batches * plan.beats;
        bool offered = false;
        model_.sat_clear = 1;
        edge();
        model_.sat_clear = 0;
        model_.run = 1;
        while (finished < plan.batches || taken_last_ != plan.batches || model_.busy) {
            const bool may = sent < total && (!plan.alone || sent % plan.beats != 0 || !model_.busy);
            if (!offered) offered = may && !random.chance(plan.rec_gap);
            model_.s_rec_valid = offered;
            if (offered)
                for (unsigned k = 0; k < LANES; ++k) put_lane(model_.s_rec_data, k, 32, beats[sent * LANES + k]);
            model_.m_prio_ready = !random.chance(plan.prio_wait);
            model_.clk = 0;
            model_.eval();
            bool life = false;
            if (offered && model_.s_rec_ready) {
                if (sent % plan.beats == 0) begun[sent / plan.beats] = clock_;
                ++sent;
                offered = false;
                life = true;
            }
            if (model_.m_prio_valid && model_.m_prio_ready) {
                if (taken >= plan.room) {
                    wrong(result, "more priorities than %llu", plan.room);
                    break;
                }
                priorities[taken] = static_cast<uint32_t>(get(model_.m_prio_data));
                lasts[taken] = model_.m_prio_last;
                taken_last_ += model_.m_prio_last;
                ++taken;
                life = true;
            }
            if (finished < plan.batches) count(result);
            if (model_.step_done) {
                if (finished >= plan.batches) {
                    wrong(result, "more steps than %llu", plan.batches);
                    break;
                }
                done[finished++] = clock_;
                life = true;
            }
            rise();
            quiet = life ? 0 : quiet + 1;
            if (quiet > STUCK) {
                wrong(result, "nothing moves any more after %llu steps", finished);
                break;
            }
        }
        taken_last_ = 0;
        result.priorities = taken;
        idle();
        for (int k = 0; k < 8; ++k) edge();
        result.steps = model_.steps;
        for (unsigned k = 0; k < STAGES; ++k) result.saturated[k] = get_lane(model_.sat_count, k, 32);
    }

private:
    void idle() {
        model_.run = 0;
        model_.s_rec_valid = model_.s_load_valid = model_.host_start = model_.sat_clear = model_.seed_load = 0;
        model_.m_prio_ready = model_.m_read_ready = 0;
    }

    void rise() {
        model_.clk = 1;
        model_.eval();
        ++clock_;
    }

    void edge() {
        model_.clk = 0;
        model_.eval();
        rise();
    }

    void count(Result& result) {
        ++result.clocks;
        const uint64_t busy = get(model_.unit_busy), waiting = get(model_.unit_wait);
        for (unsigned k = 0; k < STAGES; ++k) {
            result.busy[k] += busy >> k & 1;
            result.waiting[k] += waiting >> k & 1;
        }
    }

    static void wrong(Result& result, const char* format, uint64_t number) {
        if (result.wrong++ == 0)
            std::snprintf(result.message, sizeof result.message, format, static_cast<unsigned long long>(number));
    }

    VerilatedContext context_;
    Vtop model_;
    uint64_t clock_ = 0, taken_last_ = 0;
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* drive_new() { return new Bench; }
EXPORT void drive_delete(void* bench) { delete static_cast<Bench*>(bench); }
EXPORT void drive_reset(void* bench) { static_cast<Bench*>(bench)->reset(); }
EXPORT void drive_configure(void* bench, const uint64_t* values) { static_cast<Bench*>(bench)->configure(values); }
EXPORT void drive_seed(void* bench) { static_cast<Bench*>(bench)->seed(); }
EXPORT int drive_formats_fit(void* bench) { return static_cast<Bench*>(bench)->formats_fit(); }
EXPORT uint64_t drive_host(void* bench, int read, unsigned network, unsigned plane, uint64_t* words, uint64_t count) {
    return static_cast<Bench*>(bench)->host(read != 0, network, plane, words, count);
}
EXPORT void drive_run(void* bench, const Plan* plan, const uint32_t* beats, uint32_t* priorities, uint8_t* lasts,
                      uint64_t* begun, uint64_t* done, Result* result) {
    static_cast<Bench*>(bench)->run(*plan, beats, priorities, lasts, begun, done, *result);
}
