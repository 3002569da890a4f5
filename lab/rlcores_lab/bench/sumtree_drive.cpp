// Drives the Verilated rlc_sumtree: both ports busy every clock, or with random gaps and waits, and every answer
// compared with the reference. parameters.h holds RLC_<parameter> of the build.
// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "Vtop.h"
#include "parameters.h"
#include "sumtree_reference.h"

namespace {

constexpr unsigned LEVEL_BITS = RLC_LEAVES_LOG2, WIDTH = RLC_PRIORITY_WIDTH, DRAW_BITS = RLC_DRAW_WIDTH;
constexpr unsigned TAG_BITS = RLC_GENERATION_WIDTH, TOTAL_BITS = WIDTH + LEVEL_BITS;
constexpr unsigned VALUE_BITS = TOTAL_BITS > DRAW_BITS ? TOTAL_BITS : DRAW_BITS;
constexpr unsigned LEAF_DIGIT = RLC_RADIX_LOG2 % 10;
constexpr unsigned WORD_BITS = LEAF_DIGIT < LEVEL_BITS ? LEAF_DIGIT : LEVEL_BITS;
constexpr uint64_t STUCK = 20'000 + (uint64_t{1} << LEVEL_BITS);

// Codes of a plan: where operations go, and which priorities they write.
constexpr uint64_t UNIFORM = 0, ONE_LEAF = 1, ONE_WORD = 2, ADJACENT = 3, ZIPF = 4;
constexpr uint64_t WIDE = 0, TINY = 1, FULL = 2, MIXED = 3;

}  // namespace

extern "C" {

// What to do; all fields are 64 bits wide, so that Python writes the same structure.
struct Plan {
    uint64_t seed;
    uint64_t items;  // operations and samples together
    uint64_t traffic;
    uint64_t values;
    uint64_t reset;     // 1: reset and seed the core first
    uint64_t capacity;  // cfg_capacity, cfg_initial and cfg_strata with the reset
    uint64_t initial;
    uint64_t strata;
    uint64_t fill;        // inserts before the traffic, not in its figures
    uint64_t every_kind;  // 0: updates; draws and targets in turn. 1: all kinds on both ports
    uint64_t op_gap;      // chances in 256 that a port is not offered anything in a clock; 256: never
    uint64_t sample_gap;
    uint64_t op_wait;  // ... that an answer is not taken
    uint64_t sample_wait;
    uint64_t clears;    // one CLEAR in this many operations, with another capacity; 0: none
    uint64_t restarts;  // one cfg_restart in this many clocks, with another batch size; 0: none
    uint64_t sweep;     // 1: READ every slot at the end
};

struct Result {
    uint64_t clocks;      // of the traffic, from the first offer to the last acceptance
    uint64_t operations;  // accepted in these clocks; every one is answered and compared before the end
    uint64_t samples;
    uint64_t operation_least, operation_most;  // clocks from acceptance to answer; 0 when answers had to wait
    uint64_t sample_least, sample_most;
    uint64_t ordered;                          // samples whose total tells that an update of the same clock came first
    uint64_t stale, range, kind, empty, miss;  // refused operations, samples without a slot
    uint64_t clears, restarts;
    uint64_t total;   // the core's at the end
    uint64_t leaves;  // sum of the READ answers of the sweep
    uint64_t wrong;   // answers and states that differ from the reference; the first one in words:
    char message[512];
};

// One accepted item and its answer, for a comparison with another model.
struct Item {
    uint64_t port;                                                   // 0: operation, 1: sample
    uint64_t kind, check, max, beyond, index, generation, priority;  // of a CLEAR: priority cfg_initial,
    uint64_t value;                                                  // ... value cfg_capacity
    uint64_t status, answer_index, answer_generation, answer_priority, total;
};

}  // extern "C"

namespace {

class Bench {
public:
    Bench() : model_(&context_), reference_(LEVEL_BITS, DRAW_BITS, TAG_BITS, RLC_CAPACITY) {
        model_.clk = 0;
        model_.rst = 1;
        idle();
    }
    ~Bench() { model_.final(); }

    Item* trace = nullptr;
    uint64_t trace_room = 0, traced = 0;
    std::array<uint32_t, 4> state{};  // that the last reset loaded into the generator

    void run(const Plan& plan, Result& result) {
        plan_ = plan;
        result_ = &result;
        result = Result{};
        result.operation_least = result.sample_least = ~uint64_t{0};
        random_ = Random(plan.seed);
        events_ = Result{};
        hot_ = random_.below(plan.reset ? limited(plan.capacity) : reference_.capacity());
        if (plan.reset) reset();
        if (plan.fill != 0) {
            Plan fill{};
            fill.items = plan.fill;
            fill.sample_gap = 256;
            fill.values = plan.values;
            phase_ = Phase::FILL;
            traffic(fill);
            drain();
            result = Result{.operation_least = ~uint64_t{0}, .sample_least = ~uint64_t{0}, .wrong = result.wrong};
            std::memcpy(result.message, message_, sizeof message_);
        }
        phase_ = Phase::TRAFFIC;
        traffic(plan);
        drain();
        if (plan.sweep) {
            Plan sweep{};
            sweep.items = reference_.capacity();
            sweep.sample_gap = 256;
            phase_ = Phase::SWEEP;
            at_ = 0;
            const uint64_t operations = result.operations, clocks = result.clocks;
            traffic(sweep);
            drain();
            result.operations = operations;
            result.clocks = clocks;
        }
        settle();
        if (plan.op_wait || result.operation_most == 0) result.operation_least = result.operation_most = 0;
        if (plan.sample_wait || result.sample_most == 0) result.sample_least = result.sample_most = 0;
        std::memcpy(result.message, message_, sizeof message_);
    }

private:
    enum class Phase { FILL, TRAFFIC, SWEEP };
    template <class Expected>
    struct Waiting {
        Expected answer;
        uint64_t clock;
        uint64_t number;
        uint64_t item;
    };

    static uint64_t limited(uint64_t capacity) {
        return capacity == 0 || capacity > RLC_CAPACITY ? uint64_t{RLC_CAPACITY} : capacity;
    }

    // --- the core's clock ---

    void idle() {
        model_.s_op_valid = model_.s_sample_valid = 0;
        model_.m_op_ready = model_.m_sample_ready = 1;
        model_.cfg_restart = model_.cfg_seed_valid = 0;
        op_offered_ = sample_offered_ = false;
    }

    void reset() {
        idle();
        trouble_ = false;
        message_[0] = 0;
        put(model_.cfg_capacity, capacity_ = plan_.capacity);
        put(model_.cfg_initial, initial_ = plan_.initial);
        put(model_.cfg_strata, plan_.strata);
        op_held_ = sample_held_ = false;
        // What a reset takes stands a clock before; then one clock of it is enough.
        edge();
        model_.rst = 1;
        for (uint64_t k = 0; k <= plan_.seed % 4; ++k) edge();
        model_.rst = 0;
        for (int k = 0; k < 4; ++k) {
            state[k] = static_cast<uint32_t>(random_.next() >> 32);
            model_.cfg_seed[k] = state[k];
        }
        model_.cfg_seed_valid = 1;
        edge();
        model_.cfg_seed_valid = 0;
        reference_.reset(plan_.capacity, plan_.initial);
        reference_.draws.seed(state, plan_.strata);
        reserved_.clear();
        operations_.clear();
        samples_.clear();
        at_ = 0;
    }

    // One clock without a look at the streams.
    void edge() {
        model_.clk = 0;
        model_.eval();
        model_.clk = 1;
        model_.eval();
        ++clock_;
    }

    // One clock: answers are compared with what was accepted before it, then what is accepted now goes to the
    // reference, the operation first.
    void step() {
        model_.clk = 0;
        model_.eval();
        take_answers();
        const bool op = op_offered_ && model_.s_op_ready, sample = sample_offered_ && model_.s_sample_ready;
        const uint64_t before = reference_.tree.total();
        if (op) accept(op_);
        if (sample) accept(sample_, op && before != reference_.tree.total());
        events_.stale += model_.ev_stale;
        events_.range += model_.ev_range;
        events_.kind += model_.ev_kind;
        events_.empty += model_.ev_empty;
        events_.miss += model_.ev_miss;
        quiet_ = op || sample ? 0 : quiet_ + 1;
        model_.clk = 1;
        model_.eval();
        ++clock_;
    }

    // --- what is accepted ---

    void accept(const Operation& op) {
        const Answer answer = reference_.apply(op, capacity_, initial_);
        operations_.push_back({answer, clock_, accepted_ops_++, note(op)});
        op_offered_ = false;
        ++result_->operations;
        result_->stale += answer.status == STALE;
        result_->range += answer.status == RANGE;
        result_->kind += answer.status == KIND;
        result_->clears += op.kind == CLEAR;
        if (op.kind == RESERVE) {
            reserved_.push_back(answer);
            if (reserved_.size() > 64) reserved_.pop_front();
        }
    }

    void accept(const Sample& sample, bool ordered) {
        const SampleAnswer answer = reference_.sample(sample);
        samples_.push_back({answer, clock_, accepted_samples_++, note(sample)});
        sample_offered_ = false;
        ++result_->samples;
        result_->ordered += ordered;
        result_->empty += answer.status == SAMPLE_EMPTY;
        result_->miss += answer.status == SAMPLE_RANGE;
    }

    uint64_t note(const Operation& op) {
        if (traced >= trace_room) return ~uint64_t{0};
        Item& item = trace[traced] = Item{};
        item.kind = op.kind;
        item.check = op.check;
        item.max = op.max;
        item.beyond = op.beyond;
        item.index = op.index;
        item.generation = op.generation;
        item.priority = op.kind == CLEAR ? initial_ : op.priority;
        item.value = op.kind == CLEAR ? capacity_ : 0;
        return traced++;
    }
    uint64_t note(const Sample& sample) {
        if (traced >= trace_room) return ~uint64_t{0};
        Item& item = trace[traced] = Item{};
        item.port = 1;
        item.kind = sample.kind;
        item.value = sample.value;
        return traced++;
    }

    // --- answers ---

    void take_answers() {
        if (model_.m_op_valid) {
            const Answer got{static_cast<unsigned>(get(model_.m_op_kind)),
                             static_cast<unsigned>(get(model_.m_op_status)), get(model_.m_op_index),
                             get(model_.m_op_generation), get(model_.m_op_priority)};
            if (op_held_ && !(got == op_last_)) wrong("an operation's answer changed while it waited");
            op_last_ = got;
            if (model_.m_op_ready) compare(got);
        } else if (op_held_) {
            wrong("an operation's answer went away before it was taken");
        }
        op_held_ = model_.m_op_valid && !model_.m_op_ready;
        if (model_.m_sample_valid) {
            const SampleAnswer got{static_cast<unsigned>(get(model_.m_sample_status)), get(model_.m_sample_index),
                                   get(model_.m_sample_generation), get(model_.m_sample_priority),
                                   get(model_.m_sample_total)};
            if (sample_held_ && !(got == sample_last_)) wrong("a sample's answer changed while it waited");
            sample_last_ = got;
            if (model_.m_sample_ready) compare(got);
        } else if (sample_held_) {
            wrong("a sample's answer went away before it was taken");
        }
        sample_held_ = model_.m_sample_valid && !model_.m_sample_ready;
    }

    void compare(const Answer& got) {
        if (operations_.empty()) return wrong("an operation's answer came that nothing had asked for");
        const Waiting<Answer> due = operations_.front();
        operations_.pop_front();
        if (!(got == due.answer)) {
            const Answer& want = due.answer;
            wrong(
                "operation %llu (kind %u, accepted in clock %llu) was answered with status %u index %llu generation "
                "%llu "
                "priority %llu instead of status %u index %llu generation %llu priority %llu",
                number(due.number), got.kind == want.kind ? want.kind : 100 * want.kind + got.kind, number(due.clock),
                got.status, number(got.index), number(got.generation), number(got.priority), want.status,
                number(want.index), number(want.generation), number(want.priority));
        }
        latency(clock_ - due.clock, result_->operation_least, result_->operation_most);
        if (phase_ == Phase::SWEEP) result_->leaves += got.priority;
        if (due.item < traced) {
            Item& item = trace[due.item];
            item.status = got.status;
            item.answer_index = got.index;
            item.answer_generation = got.generation;
            item.answer_priority = got.priority;
        }
    }

    void compare(const SampleAnswer& got) {
        if (samples_.empty()) return wrong("a sample's answer came that nothing had asked for");
        const Waiting<SampleAnswer> due = samples_.front();
        samples_.pop_front();
        if (!(got == due.answer)) {
            const SampleAnswer& want = due.answer;
            wrong(
                "sample %llu (accepted in clock %llu) was answered with status %u index %llu priority %llu total %llu "
                "generation %llu instead of status %u index %llu priority %llu total %llu generation %llu",
                number(due.number), number(due.clock), got.status, number(got.index), number(got.priority),
                number(got.total), number(got.generation), want.status, number(want.index), number(want.priority),
                number(want.total), number(want.generation));
        }
        latency(clock_ - due.clock, result_->sample_least, result_->sample_most);
        if (due.item < traced) {
            Item& item = trace[due.item];
            item.status = got.status;
            item.answer_index = got.index;
            item.answer_generation = got.generation;
            item.answer_priority = got.priority;
            item.total = got.total;
        }
    }

    void latency(uint64_t clocks, uint64_t& least, uint64_t& most) {
        if (phase_ != Phase::TRAFFIC) return;
        least = clocks < least ? clocks : least;
        most = clocks > most ? clocks : most;
    }

    static unsigned long long number(uint64_t x) { return x; }

    [[gnu::format(printf, 2, 3)]] void wrong(const char* form, ...) {
        ++result_->wrong;
        if (message_[0] != 0) return;
        va_list list;
        va_start(list, form);
        std::vsnprintf(message_, sizeof message_, form, list);
        va_end(list);
    }

    // --- what is offered ---

    void traffic(const Plan& plan) {
        const uint64_t start = clock_;
        uint64_t last = clock_, made_ops = 0, made_samples = 0;
        accepted_ops_ = accepted_samples_ = 0;
        quiet_ = 0;
        while (!trouble_ && accepted_ops_ + accepted_samples_ < plan.items) {
            if (plan.restarts != 0 && random_.below(plan.restarts) == 0) restart();
            // Only the fill and the sweep count their operations; the traffic ends after its items.
            if (!op_offered_ && plan.op_gap < 256 && !random_.chance(plan.op_gap) &&
                (phase_ == Phase::TRAFFIC || made_ops < plan.items)) {
                offer_operation(plan);
                ++made_ops;
            }
            if (!sample_offered_ && plan.sample_gap < 256 && !random_.chance(plan.sample_gap)) {
                offer_sample(plan, made_samples++);
            }
            model_.m_op_ready = !random_.chance(plan.op_wait);
            model_.m_sample_ready = !random_.chance(plan.sample_wait);
            const uint64_t before = accepted_ops_ + accepted_samples_;
            step();
            if (op_offered_ == false) model_.s_op_valid = 0;
            if (sample_offered_ == false) model_.s_sample_valid = 0;
            if (accepted_ops_ + accepted_samples_ != before) last = clock_;
            if (quiet_ > STUCK) {
                wrong("nothing was accepted in %llu clocks", number(quiet_));
                trouble_ = true;
            }
        }
        result_->clocks = last - start;
    }

    // Everything that is offered is accepted, everything accepted is answered.
    void drain() {
        model_.m_op_ready = model_.m_sample_ready = 1;
        // What was offered when the items were complete stays offered: a valid is never taken back.
        const uint64_t ops = result_->operations, samples = result_->samples;
        uint64_t waited = 0;
        while (!trouble_ && (op_offered_ || sample_offered_ || !operations_.empty() || !samples_.empty())) {
            step();
            if (!op_offered_) model_.s_op_valid = 0;
            if (!sample_offered_) model_.s_sample_valid = 0;
            if (++waited > STUCK + 10'000) {
                wrong("%llu operations and %llu samples were never answered", number(operations_.size()),
                      number(samples_.size()));
                trouble_ = true;
            }
        }
        result_->operations = ops;
        result_->samples = samples;
    }

    // State that is not in an answer.
    void settle() {
        for (int k = 0; k < 200 && !trouble_; ++k) step();
        result_->total = get(model_.total);
        expect("total", result_->total, reference_.tree.total());
        expect("size", get(model_.size), reference_.size());
        expect("largest", get(model_.largest), reference_.largest);
        expect("capacity", get(model_.capacity), reference_.capacity());
        expect("busy", model_.busy, 0);
        expect("ev_stale pulses", events_.stale, result_->stale);
        expect("ev_range pulses", events_.range, result_->range);
        expect("ev_kind pulses", events_.kind, result_->kind);
        expect("ev_empty pulses", events_.empty, result_->empty);
        expect("ev_miss pulses", events_.miss, result_->miss);
    }

    void expect(const char* what, uint64_t got, uint64_t want) {
        if (got != want) wrong("%s is %llu instead of %llu at the end", what, number(got), number(want));
    }

    // The stratum counter goes back to 0 and another batch size begins, while updates go on and answers are awaited.
    void restart() {
        model_.m_op_ready = model_.m_sample_ready = 1;
        for (uint64_t waited = 0; !samples_.empty() || sample_offered_; ++waited) {
            if (waited > STUCK) return;
            step();
            if (!op_offered_) model_.s_op_valid = 0;
            if (!sample_offered_) model_.s_sample_valid = 0;
        }
        const uint64_t strata = random_.below(4) == 0 ? random_.below(65536) : random_.below(40);
        put(model_.cfg_strata, strata);
        model_.cfg_restart = 1;
        step();
        if (!op_offered_) model_.s_op_valid = 0;
        model_.cfg_restart = 0;
        reference_.draws.restart(strata);
        ++result_->restarts;
    }

    uint64_t pick_index(uint64_t traffic) {
        const uint64_t capacity = reference_.capacity();
        uint64_t index = 0;
        switch (traffic) {
            case ONE_LEAF: index = hot_; break;
            case ONE_WORD: index = (hot_ & ~low_bits(WORD_BITS)) + random_.below(uint64_t{1} << WORD_BITS); break;
            case ADJACENT: index = at_++; break;
            case ZIPF: return random_.zipf(capacity);
            default: return random_.below(capacity);
        }
        return index % capacity;
    }

    // For samples: a slot that the updates are at, without a step of theirs.
    uint64_t near_index(uint64_t traffic) {
        const uint64_t capacity = reference_.capacity();
        return traffic == ADJACENT ? (at_ + capacity - 1) % capacity : pick_index(traffic);
    }

    uint64_t pick_priority(uint64_t values) {
        const uint64_t most = low_bits(WIDTH);
        if (values == MIXED) values = random_.next() & 3;  // another one a time
        switch (values) {
            case TINY: return random_.next() & 1;
            case FULL: return random_.chance(250) ? most : 0;
            default: {
                const uint64_t r = random_.next();
                return (r >> 60) == 0 ? 0 : r & most;
            }
        }
    }

    void offer_operation(const Plan& plan) {
        Operation op;
        if (phase_ == Phase::SWEEP) {
            op.kind = READ;
            op.index = at_++;
        } else if (phase_ == Phase::FILL) {
            op.kind = INSERT;
            op.priority = pick_priority(plan.values);
        } else {
            op.index = pick_index(plan.traffic);
            op.priority = pick_priority(plan.values);
            if (plan.every_kind) any_operation(op, plan);
        }
        op_ = op;
        op_offered_ = true;
        model_.s_op_valid = 1;
        put(model_.s_op_kind, op.kind);
        put(model_.s_op_check, op.check);
        put(model_.s_op_max, op.max);
        put(model_.s_op_beyond, op.beyond);
        put(model_.s_op_index, op.index);
        put(model_.s_op_generation, op.generation);
        put(model_.s_op_priority, op.priority);
    }

    void any_operation(Operation& op, const Plan& plan) {
        const uint64_t roll = random_.next() & 255;
        op.check = random_.next() & 1;
        op.max = random_.chance(16);
        op.generation = right_or_not(op.index);
        if (plan.clears != 0 && random_.below(plan.clears) == 0) {
            op.kind = CLEAR;
            // Quasi-static inputs: they stay until the next CLEAR.
            const uint64_t choice = random_.below(8);
            capacity_ = choice == 0 ? random_.below(4) : choice == 1 ? RLC_CAPACITY : 1 + random_.below(RLC_CAPACITY);
            initial_ = pick_priority(WIDE);
            put(model_.cfg_capacity, capacity_);
            put(model_.cfg_initial, initial_);
        } else if (roll < 140) {
            op.kind = UPDATE;
        } else if (roll < 175) {
            op.kind = INSERT;
        } else if (roll < 190) {
            op.kind = RESERVE;
        } else if (roll < 215) {
            op.kind = COMMIT;
            if (!reserved_.empty() && random_.chance(192)) {
                const Answer& slot = reserved_[random_.below(reserved_.size())];
                op.index = slot.index;
                op.generation = slot.generation;
            }
        } else if (roll < 240) {
            op.kind = READ;
        } else if (roll < 248) {
            // Beyond the capacity but in the tree, where the capacity leaves such slots.
            op.kind = std::array<unsigned, 3>{UPDATE, COMMIT, READ}[random_.below(3)];
            op.index = reference_.capacity() + random_.below((uint64_t{1} << LEVEL_BITS) - reference_.capacity() + 1);
            op.index &= low_bits(LEVEL_BITS);
        } else if (roll < 252) {
            op.kind = std::array<unsigned, 3>{UPDATE, COMMIT, READ}[random_.below(3)];
            op.beyond = 1;
        } else {
            op.kind = 6 + random_.below(2);
        }
    }

    uint64_t right_or_not(uint64_t index) {
        const uint64_t choice = random_.below(8);
        const uint64_t generation = reference_.generation(index);
        return (choice == 0 ? random_.next() : choice == 1 ? generation - 1 : generation) & low_bits(TAG_BITS);
    }

    void offer_sample(const Plan& plan, uint64_t made) {
        Sample sample;
        if (plan.every_kind) {
            any_sample(sample, plan);
        } else if (made & 1) {
            sample.kind = TARGET;
            sample.value = at_slot(plan);
        }
        sample_ = sample;
        sample_offered_ = true;
        model_.s_sample_valid = 1;
        put(model_.s_sample_kind, sample.kind);
        put(model_.s_sample_value, sample.value);
    }

    // A target inside a slot that the traffic names, so that samples meet the updates; 0 when nothing has a priority.
    uint64_t at_slot(const Plan& plan) {
        const uint64_t total = reference_.tree.total();
        if (total == 0) return 0;
        const uint64_t index = near_index(plan.traffic);
        const uint64_t leaf = reference_.tree.leaf(index);
        const uint64_t target = reference_.tree.before(index) + (leaf > 1 ? random_.below(leaf) : 0);
        return target < total ? target : total - 1;
    }

    void any_sample(Sample& sample, const Plan& plan) {
        const uint64_t total = reference_.tree.total();
        const uint64_t roll = random_.next() & 255;
        if (roll < 96) {
            sample.kind = DRAW;
            sample.value = random_.next() & low_bits(VALUE_BITS);
        } else if (roll < 128) {
            sample.kind = GIVEN;
            sample.value = random_.chance(64) ? low_bits(DRAW_BITS) : random_.next();
        } else {
            sample.kind = roll < 232 ? TARGET : SOFT;
            // Exact edges between slots are where a comparison goes wrong.
            switch (random_.below(8)) {
                case 0: sample.value = total; break;
                case 1: sample.value = total == 0 ? 0 : total - 1; break;
                case 2: sample.value = random_.next() & low_bits(TOTAL_BITS); break;
                case 3: sample.value = at_slot(plan); break;
                case 4: sample.value = random_.below(total + 1); break;
                case 5: sample.value = reference_.tree.before(near_index(plan.traffic)) - 1; break;
                default: sample.value = reference_.tree.before(near_index(plan.traffic)); break;
            }
        }
        sample.value &= low_bits(sample.kind == TARGET || sample.kind == SOFT ? TOTAL_BITS : VALUE_BITS);
    }

    VerilatedContext context_;
    Vtop model_;
    Reference reference_;
    Plan plan_{};
    Result* result_ = nullptr;
    Result events_{};
    Random random_;
    Phase phase_ = Phase::TRAFFIC;
    uint64_t clock_ = 0, quiet_ = 0, capacity_ = 0, initial_ = 0, hot_ = 0, at_ = 0;
    uint64_t accepted_ops_ = 0, accepted_samples_ = 0;
    bool trouble_ = false;
    bool op_offered_ = false, sample_offered_ = false, op_held_ = false, sample_held_ = false;
    Operation op_;
    Sample sample_;
    Answer op_last_;
    SampleAnswer sample_last_;
    std::deque<Waiting<Answer>> operations_;
    std::deque<Waiting<SampleAnswer>> samples_;
    std::deque<Answer> reserved_;
    char message_[sizeof Result::message] = {};
};

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void* drive_new() { return new Bench; }
EXPORT void drive_delete(void* bench) { delete static_cast<Bench*>(bench); }
EXPORT void drive_run(void* bench, const Plan* plan, Result* result) {
    static_cast<Bench*>(bench)->run(*plan, *result);
}
// The next runs leave their first `room` items in `items`, which must live as long.
EXPORT void drive_trace(void* bench, Item* items, uint64_t room) {
    auto& b = *static_cast<Bench*>(bench);
    b.trace = items;
    b.trace_room = room;
    b.traced = 0;
}
EXPORT uint64_t drive_traced(void* bench) { return static_cast<Bench*>(bench)->traced; }
EXPORT uint32_t drive_state(void* bench, unsigned word) { return static_cast<Bench*>(bench)->state[word]; }
