// rlc_memory.h — an AXI4 memory on one DRAM channel, for the m_axi_* ports of a Verilated core.
// SPDX-License-Identifier: Apache-2.0
//
// Behaviour: INCR bursts, any number of them in flight, every beat checked. Reads of different IDs end in any order
// and, when asked, mix their beats; those of one ID stay in order. A write has its effect somewhere between its last
// beat and its answer, a read takes its data somewhere between its address and its last beat: a core that does not wait
// for the answer of a write sees the old or the new data.
//
// Timing, in clocks: a burst comes to the banks `latency` after it was taken. A bank keeps its last row open: what is
// in it takes `cas`, another row `precharge` + `rcd` + `cas`, the first one after a refresh `rcd` + `cas`, and two rows
// of a bank are opened `row_cycle` apart or more. All banks share the data bus, which moves `bus_bytes` a clock, in
// aligned pieces; each burst has the first gap that it finds after its bank is ready, with `turnaround` between reads
// and writes. Every `refresh_every` clocks all banks close their rows and stand still for `refresh`.
//
// Contents are kept in pages as they are touched; what was never written reads as 0.
#ifndef RLC_MEMORY_H
#define RLC_MEMORY_H
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

// The order of rlcores.buses.dram.Dram's fields.
struct rlc_dram {
    uint64_t latency, cas, rcd, precharge, row_cycle, banks, row_bytes, refresh_every, refresh, bus_bytes, turnaround,
        depth;
    uint64_t extra;         // up to this many clocks more for a burst, at random
    uint64_t stall;         // probability, in 1/256 a clock and channel, of a ready or valid that stays low
    uint64_t out_of_order;  // 0: bursts end in the order in which they came
    uint64_t interleave;    // 1: beats of several bursts mix
    uint64_t seed;
};

// The order of rlcores.buses.dram.STATISTICS.
struct rlc_dram_statistics {
    uint64_t reads, writes, read_beats, write_beats, row_hits, row_misses, row_opens, busy_clocks, read_clocks,
        read_errors, write_errors, reordered, interleaved;
};

class Memory {
public:
    // What the core shows in a clock, and what it is shown in the next one.
    struct Address {
        bool valid;
        uint32_t id;
        uint64_t addr;
        uint32_t len, size, burst;
        bool operator!=(const Address& o) const {
            return id != o.id || addr != o.addr || len != o.len || size != o.size || burst != o.burst;
        }
    };
    struct Answer {
        bool valid = false;
        uint32_t id = 0, resp = 0;
        bool last = false;
        const uint8_t* data = nullptr;
    };

    rlc_dram_statistics statistics{};
    std::string error;

    explicit Memory(size_t beat_bytes) : beat_(beat_bytes), spare_(beat_bytes, 0xEE) {
        configure({30, 5, 5, 5, 14, 16, 8192, 2340, 105, 64, 4, 64, 0, 0, 1, 0, 0});
    }

    void configure(const rlc_dram& d) {
        d_ = d;
        random_ = d.seed * 0x9E3779B97F4A7C15ull | 1;
        banks_.assign(d.banks, Bank());
        bus_.assign(kCalendar, 0);
    }

    // Forget what is on its way; contents stay.
    void reset() {
        reads_.clear();
        writes_.clear();
        addresses_.clear();
        beats_.clear();
        r_ = nullptr;
        r_answer = b_answer = Answer();
        ar_ready = aw_ready = w_ready = false;
        ar_held_ = aw_held_ = w_held_ = false;
    }

    bool ar_ready = false, aw_ready = false, w_ready = false;
    Answer r_answer, b_answer;

    // One rising edge with these values on the core's outputs. False: a rule was broken, error says which.
    bool clock(const Address& ar, const Address& aw, bool w_valid, bool w_last, const uint8_t* w_data,
               const uint8_t* w_strb, bool r_ready, bool b_ready) {
        ++now_;
        bus_[now_ & (kCalendar - 1)] = 0;
        if (!held(ar, ar_ready, ar_held_, ar_shown_, "AR") || !held(aw, aw_ready, aw_held_, aw_shown_, "AW"))
            return false;
        if (ar.valid && ar_ready && !take_read(ar)) return false;
        if (aw.valid && aw_ready) {
            if (!good(aw, "AW")) return false;
            addresses_.push_back(aw);
        }
        if (w_held_ && (!w_valid || w_last != w_shown_last_ || memcmp(w_shown_.data(), w_data, beat_) != 0))
            return broken("the core changed a beat of W that was not taken yet");
        w_held_ = w_valid && !w_ready;
        if (w_held_) {
            w_shown_.assign(w_data, w_data + beat_);
            w_shown_last_ = w_last;
        }
        if (w_valid && w_ready) {
            beats_.push_back({std::vector<uint8_t>(w_data, w_data + beat_),
                              std::vector<uint8_t>(w_strb, w_strb + (beat_ + 7) / 8), w_last});
            ++statistics.write_beats;
        }
        if (!addresses_.empty() && beats_.size() > addresses_.front().len && !take_write()) return false;
        if (r_answer.valid && r_ready) next_read_beat();
        if (b_answer.valid && b_ready) b_answer.valid = false;
        show_read();
        show_write();
        // A slave may wait for the data before it takes an address, and the other way round.
        ar_ready = reads_.size() < d_.depth && !stalled();
        aw_ready =
            addresses_.size() + writes_.size() < d_.depth && !stalled() && (d_.stall == 0 || w_valid || (draw() & 7));
        w_ready = beats_.size() < 512 && !stalled();
        return true;
    }

    void peek(uint64_t address, uint64_t count, uint8_t* data) { copy(address, count, data, nullptr); }
    void poke(uint64_t address, uint64_t count, const uint8_t* data) { copy(address, count, nullptr, data); }

    // Bursts that touch [low, high) are answered with SLVERR, the next `times` of them (0: all).
    void fail(bool write, uint64_t low, uint64_t high, uint64_t times) { faults_.push_back({write, low, high, times}); }
    void heal() { faults_.clear(); }

private:
    static constexpr uint64_t kCalendar = 1 << 16;  // clocks that the bus is planned ahead
    static constexpr uint64_t kPage = 1 << 16;
    struct Bank {
        uint64_t row = 0, opened = 0, free = 0, epoch = ~0ull;
    };
    struct Beat {
        std::vector<uint8_t> data, strb;
        bool last;
    };
    struct Read {
        uint32_t id;
        uint64_t addr, ready;
        uint32_t beats, beat, bad;  // bad: the beat that has an error, or beats
        bool late;
        std::vector<uint8_t> data;
    };
    struct Write {
        uint32_t id;
        uint64_t addr, ready;
        bool bad, done;
        std::vector<Beat> beats;
    };
    struct Fault {
        bool write;
        uint64_t low, high, times;
    };

    rlc_dram d_{};
    size_t beat_;
    uint64_t now_ = 0, random_ = 1;
    std::vector<Bank> banks_;
    std::vector<uint8_t> bus_;  // by clock: 0 free, 1 read, 2 write
    std::deque<Read> reads_;    // in the order of their addresses
    std::deque<Write> writes_;
    std::deque<Address> addresses_;  // of writes whose data is not here yet
    std::deque<Beat> beats_;
    Read* r_ = nullptr;  // whose beat is shown
    std::vector<uint8_t> spare_, w_shown_;
    bool ar_held_ = false, aw_held_ = false, w_held_ = false, w_shown_last_ = false;
    Address ar_shown_{}, aw_shown_{};
    std::vector<Fault> faults_;
    std::unordered_map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;

    uint64_t draw() {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return random_ >> 24;
    }
    bool stalled() { return d_.stall && (draw() & 255) < d_.stall; }
    bool broken(const std::string& what) {
        error = what;
        return false;
    }

    bool held(const Address& a, bool ready, bool& held, Address& shown, const char* name) {
        if (held && (!a.valid || a != shown))
            return broken(std::string("the core changed an address of ") + name + " that was not taken yet");
        held = a.valid && !ready;
        shown = a;
        return true;
    }

    bool good(const Address& a, const char* name) {
        const std::string what = std::string("an address of ") + name;
        const uint64_t bytes = (uint64_t(a.len) + 1) * beat_;
        if (a.burst != 1) return broken(what + " is not of an INCR burst");
        if (1ull << a.size != beat_) return broken(what + " is not of beats as wide as the bus");
        if (a.addr % beat_) return broken(what + " is not a multiple of the beat's bytes");
        if (a.addr % 4096 + bytes > 4096) return broken(what + " begins a burst that crosses 4096 bytes");
        return true;
    }

    bool faulty(bool write, uint64_t addr, uint64_t bytes) {
        for (size_t i = 0; i < faults_.size(); ++i) {
            Fault& f = faults_[i];
            if (f.write != write || addr >= f.high || addr + bytes <= f.low) continue;
            if (f.times && --f.times == 0) faults_.erase(faults_.begin() + i);
            ++(write ? statistics.write_errors : statistics.read_errors);
            return true;
        }
        return false;
    }

    // No bank does anything during a refresh.
    uint64_t awake(uint64_t t) const {
        if (!d_.refresh_every || !d_.refresh) return t;
        const uint64_t into = t % d_.refresh_every;
        return into < d_.refresh ? t - into + d_.refresh : t;
    }

    // When a burst's last byte has crossed the data bus.
    uint64_t plan(uint64_t addr, uint64_t bytes, bool write) {
        const uint64_t row = addr / d_.row_bytes / d_.banks;
        Bank& bank = banks_[addr / d_.row_bytes % d_.banks];
        uint64_t start = now_ + d_.latency;
        if (bank.free > start) start = bank.free;
        start = awake(start);
        const uint64_t epoch = d_.refresh_every ? start / d_.refresh_every : 0;
        uint64_t ready = start + d_.cas;
        if (bank.epoch == epoch && bank.row == row) {
            ++statistics.row_hits;
        } else {
            uint64_t open = start;
            if (bank.epoch == epoch) {
                open += d_.precharge;
                if (open < bank.opened + d_.row_cycle) open = bank.opened + d_.row_cycle;
                ++statistics.row_misses;
            } else {
                ++statistics.row_opens;
            }
            bank.opened = open;
            ready = open + d_.rcd + d_.cas;
        }
        bank.row = row;
        bank.epoch = epoch;
        const uint64_t pieces = (addr + bytes - 1) / d_.bus_bytes - addr / d_.bus_bytes + 1;
        const uint8_t mark = write ? 2 : 1;
        uint64_t at = awake(ready);
        while (!room(at, pieces, mark)) at = awake(at + 1);
        if (at + pieces - now_ < kCalendar)
            for (uint64_t t = at; t < at + pieces; ++t) bus_[t & (kCalendar - 1)] = mark;
        statistics.busy_clocks += pieces;
        // The next column of an open row may be asked for while this one is still on its way.
        bank.free = at + pieces > d_.cas ? at + pieces - d_.cas : 0;
        return at + pieces;
    }

    bool room(uint64_t at, uint64_t pieces, uint8_t mark) const {
        if (at + pieces + d_.turnaround - now_ >= kCalendar) return true;  // planned too far ahead to matter
        for (uint64_t t = at; t < at + pieces; ++t)
            if (bus_[t & (kCalendar - 1)]) return false;
        const uint64_t before = at - now_ > d_.turnaround ? d_.turnaround : at - now_ - 1;
        for (uint64_t i = 1; i <= before; ++i)
            if (bus_[(at - i) & (kCalendar - 1)] == 3 - mark) return false;
        for (uint64_t i = 0; i < d_.turnaround; ++i)
            if (bus_[(at + pieces + i) & (kCalendar - 1)] == 3 - mark) return false;
        return true;
    }

    uint64_t extra() { return d_.extra ? draw() % (d_.extra + 1) : 0; }

    bool take_read(const Address& a) {
        if (!good(a, "AR")) return false;
        const uint32_t beats = a.len + 1;
        const uint64_t bytes = uint64_t(beats) * beat_;
        const uint32_t bad = faulty(false, a.addr, bytes) ? uint32_t(draw() % beats) : beats;
        reads_.push_back({a.id, a.addr, plan(a.addr, bytes, false) + extra(), beats, 0, bad, bool(draw() & 1), {}});
        if (!reads_.back().late) load(reads_.back());
        ++statistics.reads;
        return true;
    }

    void load(Read& r) {
        r.data.resize(r.beats * beat_);
        if (r.bad == r.beats)
            peek(r.addr, r.data.size(), r.data.data());
        else
            r.data.assign(r.data.size(), 0xEE);
    }

    bool take_write() {
        const Address a = addresses_.front();
        addresses_.pop_front();
        const uint64_t bytes = (uint64_t(a.len) + 1) * beat_;
        Write w{a.id, a.addr, plan(a.addr, bytes, true) + extra(), faulty(true, a.addr, bytes), false, {}};
        for (uint32_t i = 0; i <= a.len; ++i) {
            if (beats_.front().last != (i == a.len)) return broken("WLAST does not come with the last beat of a write");
            w.beats.push_back(std::move(beats_.front()));
            beats_.pop_front();
        }
        writes_.push_back(std::move(w));
        // Writes have their effects in order, as AXI asks of those with one ID.
        if (draw() & 1)
            for (Write& each : writes_) store(each);
        ++statistics.writes;
        return true;
    }

    void store(Write& w) {
        if (!w.done && !w.bad)
            for (size_t i = 0; i < w.beats.size(); ++i)
                for (size_t k = 0; k < beat_; ++k)
                    if (w.beats[i].strb[k / 8] >> (k % 8) & 1) poke(w.addr + i * beat_ + k, 1, &w.beats[i].data[k]);
        w.done = true;
    }

    // Of the bursts that may answer now, each the first of its ID, the one to go on with; size() if there is none.
    template <typename Queue>
    size_t pick(const Queue& queue, bool mix) {
        uint64_t seen[4] = {0, 0, 0, 0};
        size_t best = queue.size(), count = 0;
        for (size_t i = 0; i < queue.size(); ++i) {
            const uint32_t id = queue[i].id & 255;
            const bool first = !(seen[id / 64] >> (id % 64) & 1);
            seen[id / 64] |= 1ull << (id % 64);
            if (first && queue[i].ready <= now_) {
                ++count;
                if (mix ? draw() % count == 0 : best == queue.size() || queue[i].ready < queue[best].ready) best = i;
            }
            if (!d_.out_of_order) break;
        }
        return best;
    }

    void show_read() {
        if (r_answer.valid || reads_.empty() || stalled()) return;
        if (r_ == nullptr || d_.interleave) {
            const size_t i = pick(reads_, d_.interleave);
            if (i == reads_.size()) return;
            if (i) ++statistics.reordered;
            if (r_ != nullptr && r_ != &reads_[i]) ++statistics.interleaved;
            r_ = &reads_[i];
        }
        if (r_->data.empty()) load(*r_);
        r_answer.valid = true;
        r_answer.id = r_->id;
        r_answer.resp = r_->beat == r_->bad ? 2 : 0;
        r_answer.last = r_->beat + 1 == r_->beats;
        r_answer.data = r_->data.data() + r_->beat * beat_;
        ++statistics.read_clocks;
    }

    void next_read_beat() {
        r_answer.valid = false;
        ++statistics.read_beats;
        if (++r_->beat < r_->beats) return;
        for (size_t i = 0; i < reads_.size(); ++i)
            if (&reads_[i] == r_) {
                reads_.erase(reads_.begin() + i);
                break;
            }
        r_ = nullptr;
    }

    void show_write() {
        if (b_answer.valid || writes_.empty() || stalled()) return;
        const size_t i = pick(writes_, false);
        if (i == writes_.size()) return;
        for (size_t k = 0; k <= i; ++k) store(writes_[k]);
        b_answer.valid = true;
        b_answer.id = writes_[i].id;
        b_answer.resp = writes_[i].bad ? 2 : 0;
        writes_.erase(writes_.begin() + i);
    }

    void copy(uint64_t address, uint64_t count, uint8_t* out, const uint8_t* in) {
        while (count) {
            const uint64_t at = address % kPage, part = count < kPage - at ? count : kPage - at;
            auto& page = pages_[address / kPage];
            if (!page) page.reset(new uint8_t[kPage]());
            if (out) {
                memcpy(out, page.get() + at, part);
                out += part;
            } else {
                memcpy(page.get() + at, in, part);
                in += part;
            }
            address += part;
            count -= part;
        }
    }
};
#endif
