// Drives the Verilated rlc_sumtree_banks: every lane of both ports offered every clock, updates that repeat the
// priorities they find, and draws. So every bank's total and every priority is known all the time, whatever the order.
// parameters.h holds RLC_<parameter> of the build.
// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

#include "Vtop.h"
#include "native.h"
#include "parameters.h"

namespace {

constexpr unsigned BANKS = RLC_BANKS, BANK_BITS = __builtin_ctz(BANKS), INDEX_BITS = RLC_LEAVES_LOG2 + BANK_BITS;
constexpr unsigned WIDTH = RLC_PRIORITY_WIDTH, TAG_BITS = RLC_TAG_WIDTH, SUM_BITS = WIDTH + RLC_LEAVES_LOG2;
constexpr uint64_t CAPACITY = RLC_CAPACITY;
constexpr uint64_t STUCK = 20'000 + (uint64_t{1} << RLC_LEAVES_LOG2);
constexpr uint64_t LEAD =
    1000;  // clocks of traffic before the count begins: queues and answers are then as full as they get
constexpr unsigned UPDATE = 0, INSERT = 1;  // kinds of operations

}  // namespace

extern "C" struct BanksResult {
    uint64_t clocks;
    uint64_t updates, samples;  // answered in these clocks
    uint64_t inserted;          // different slots that the fill was given
    uint64_t total, leaves;     // the core's total, and the sum of the priorities written
    uint64_t wrong;
    char message[512];
};

namespace {

class Bench {
public:
    Bench(uint64_t seed, const uint32_t* priorities, uint64_t* counts)
        : model_(&context_), random_(seed), priority_(priorities), counts_(counts), totals_(BANKS) {
        for (uint64_t s = 0; s < CAPACITY; ++s) totals_[s % BANKS] += priority_[s];
    }
    ~Bench() { model_.final(); }

    void run(uint64_t clocks, BanksResult& result) {
        result_ = &result;
        result = BanksResult{};
        reset();
        phase_ = Phase::FILL;
        given_.assign(CAPACITY, 0);
        for (left_ = CAPACITY; busy(); clock()) {
        }
        for (const uint8_t times : given_) result.inserted += times == 1;
        phase_ = Phase::WRITE;
        for (left_ = CAPACITY, at_ = 0; busy(); clock()) {
        }
        phase_ = Phase::TRAFFIC;
        for (left_ = LEAD; left_ != 0 && !trouble_; --left_) clock();
        updates_ = samples_ = 0;
        for (left_ = clocks; left_ != 0 && !trouble_; --left_) clock();
        result.clocks = clocks;
        result.updates = updates_;
        result.samples = samples_;
        phase_ = Phase::DRAIN;
        while (busy()) clock();
        for (int k = 0; k < 300; ++k) clock();
        result.total = get(model_.total);
        for (const uint64_t total : totals_) result.leaves += total;
    }

private:
    enum class Phase { FILL, WRITE, TRAFFIC, DRAIN };
    struct Asked {
        bool out = false;
        uint64_t slot = 0;
    };

    bool busy() const {
        return !trouble_ && ((phase_ != Phase::DRAIN && left_ != 0) || ops_out_ != 0 || samples_out_ != 0);
    }

    void reset() {
        model_.rst = 1;
        put(model_.cfg_capacity, CAPACITY);
        put(model_.cfg_initial, 1);
        put(model_.cfg_strata, 0);
        model_.cfg_restart = model_.cfg_seed_valid = model_.cfg_private = 0;
        put(model_.s_op_valid, 0);
        put(model_.s_sample_valid, 0);
        put(model_.m_op_ready, low_bits(BANKS));
        put(model_.m_sample_ready, low_bits(BANKS));
        for (int k = 0; k < 4; ++k) edge();
        model_.rst = 0;
        for (int k = 0; k < 4; ++k) model_.cfg_seed[k] = static_cast<uint32_t>(random_.next() >> 32);
        model_.cfg_seed_valid = 1;
        edge();
        model_.cfg_seed_valid = 0;
        edge();
        while (model_.busy) edge();
        op_asked_.assign(std::size_t{1} << TAG_BITS, {});
        sample_asked_.assign(std::size_t{1} << TAG_BITS, {});
    }

    void edge() {
        model_.clk = 0;
        model_.eval();
        model_.clk = 1;
        model_.eval();
    }

    void clock() {
        offer();
        model_.clk = 0;
        model_.eval();
        take_answers();
        const uint64_t op_taken = op_offered_ & get(model_.s_op_ready);
        const uint64_t sample_taken = sample_offered_ & get(model_.s_sample_ready);
        op_offered_ &= ~op_taken;
        sample_offered_ &= ~sample_taken;
        quiet_ = op_taken || sample_taken || answered_ ? 0 : quiet_ + 1;
        if (quiet_ > STUCK) {
            if (busy()) wrong("nothing happened in %llu clocks", static_cast<unsigned long long>(quiet_));
            trouble_ = true;
        }
        model_.clk = 1;
        model_.eval();
    }

    // A tag that no request on the way has.
    bool tag(std::vector<Asked>& asked, uint64_t& next, uint64_t slot, uint64_t& found) {
        Asked& item = asked[next & low_bits(TAG_BITS)];
        if (item.out) return false;
        item = {true, slot};
        found = next++ & low_bits(TAG_BITS);
        return true;
    }

    void offer() {
        for (unsigned lane = 0; lane < BANKS; ++lane) {
            if (!(op_offered_ >> lane & 1) && phase_ != Phase::DRAIN && (phase_ == Phase::TRAFFIC || left_ != 0)) {
                const uint64_t slot = phase_ == Phase::WRITE ? at_ : random_.below(CAPACITY);
                uint64_t own = 0;
                if (tag(op_asked_, op_tag_, slot, own)) {
                    if (phase_ != Phase::TRAFFIC) --left_;
                    ++at_;
                    ++ops_out_;
                    op_offered_ |= uint64_t{1} << lane;
                    put_lane(model_.s_op_kind, lane, 3, phase_ == Phase::FILL ? INSERT : UPDATE);
                    put_lane(model_.s_op_index, lane, INDEX_BITS, slot);
                    put_lane(model_.s_op_priority, lane, WIDTH, phase_ == Phase::FILL ? 1 : priority_[slot]);
                    put_lane(model_.s_op_tag, lane, TAG_BITS, own);
                }
            }
            uint64_t own = 0;
            if (!(sample_offered_ >> lane & 1) && phase_ == Phase::TRAFFIC &&
                tag(sample_asked_, sample_tag_, lane, own)) {
                ++samples_out_;
                sample_offered_ |= uint64_t{1} << lane;
                put_lane(model_.s_sample_kind, lane, 2, 0);
                put_lane(model_.s_sample_tag, lane, TAG_BITS, own);
            }
        }
        put(model_.s_op_valid, op_offered_);
        put(model_.s_sample_valid, sample_offered_);
    }

    void take_answers() {
        answered_ = false;
        for (unsigned bank = 0; bank < BANKS; ++bank) {
            if (get(model_.m_op_valid) >> bank & 1) take_operation(bank);
            if (get(model_.m_sample_valid) >> bank & 1) take_sample(bank);
        }
    }

    void take_operation(unsigned bank) {
        answered_ = true;
        const uint64_t index = get_lane(model_.m_op_index, bank, INDEX_BITS);
        const uint64_t before = get_lane(model_.m_op_priority, bank, WIDTH);
        Asked& asked = op_asked_[get_lane(model_.m_op_tag, bank, TAG_BITS)];
        if (!asked.out) return wrong("bank %u answered an operation that nothing had asked for", bank);
        asked.out = false;
        --ops_out_;
        ++updates_;
        if (get_lane(model_.m_op_status, bank, 2) != 0) wrong("bank %u refused slot %llu", bank, number(asked.slot));
        if (index % BANKS != bank) wrong("bank %u answered for slot %llu", bank, number(index));
        if (phase_ == Phase::FILL) {
            if (index < CAPACITY) ++given_[index];
            return;
        }
        if (index != asked.slot) wrong("slot %llu was updated instead of %llu", number(index), number(asked.slot));
        if (phase_ != Phase::WRITE && index < CAPACITY && before != priority_[index])
            wrong("slot %llu had priority %llu instead of %llu", number(index), number(before),
                  number(priority_[index]));
    }

    void take_sample(unsigned bank) {
        answered_ = true;
        const uint64_t index = get_lane(model_.m_sample_index, bank, INDEX_BITS);
        const uint64_t priority = get_lane(model_.m_sample_priority, bank, WIDTH);
        const uint64_t total = get_lane(model_.m_sample_total, bank, SUM_BITS);
        Asked& asked = sample_asked_[get_lane(model_.m_sample_tag, bank, TAG_BITS)];
        if (!asked.out) return wrong("bank %u answered a sample that nothing had asked for", bank);
        asked.out = false;
        --samples_out_;
        ++samples_;
        if (get_lane(model_.m_sample_status, bank, 2) != 0) return wrong("bank %u found no slot", bank);
        if (index >= CAPACITY || index % BANKS != bank) return wrong("bank %u sampled slot %llu", bank, number(index));
        if (priority != priority_[index] || priority == 0)
            wrong("slot %llu was sampled with priority %llu instead of %llu", number(index), number(priority),
                  number(priority_[index]));
        if (total != totals_[bank])
            wrong("bank %u has total %llu instead of %llu", bank, number(total), number(totals_[bank]));
        ++counts_[index];
    }

    static unsigned long long number(uint64_t x) { return x; }

    [[gnu::format(printf, 2, 3)]] void wrong(const char* form, ...) {
        if (result_->wrong++ != 0) return;
        va_list list;
        va_start(list, form);
        std::vsnprintf(result_->message, sizeof result_->message, form, list);
        va_end(list);
    }

    VerilatedContext context_;
    Vtop model_;
    Random random_;
    const uint32_t* priority_;
    uint64_t* counts_;
    std::vector<uint64_t> totals_;
    std::vector<uint8_t> given_;
    std::vector<Asked> op_asked_, sample_asked_;
    BanksResult* result_ = nullptr;
    Phase phase_ = Phase::FILL;
    uint64_t left_ = 0, at_ = 0, op_tag_ = 0, sample_tag_ = 0, ops_out_ = 0, samples_out_ = 0, quiet_ = 0;
    uint64_t updates_ = 0, samples_ = 0, op_offered_ = 0, sample_offered_ = 0;
    bool trouble_ = false, answered_ = false;
};

}  // namespace

// priorities: one a slot. counts: one a slot, in which the samples of the traffic are counted.
extern "C" __attribute__((visibility("default"))) void banks_run(uint64_t seed, uint64_t clocks,
                                                                 const uint32_t* priorities, uint64_t* counts,
                                                                 BanksResult* result) {
    Bench(seed, priorities, counts).run(clocks, *result);
}
