// sumtree.cpp — the sum tree's order: slots, tags, the largest priority, draws.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/sumtree.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "rlcores/native/log2exp2.hpp"
#include "rlcores/native/scratch.hpp"
#include "rlcores/native/sumtree_errors.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores {

namespace {

constexpr std::size_t chunk = 256, line_bytes = 64;

std::atomic<std::uint64_t> accepted_calls{0};
thread_local std::uint64_t last_call = 0;

// A level of the tree: its nodes, and the lines of each.
struct Level {
    std::size_t nodes, lines;
    std::size_t bytes() const { return nodes * lines * line_bytes; }
};

// The levels above the leaves, the root's first, then the leaves.
std::vector<Level> levels_of(const Shape& shape) {
    const int all = shape.leaves_log2;
    std::vector<Level> levels{{std::size_t{1} << std::max(all - Lines::child_bits, 0), 1}};
    for (int below = Lines::child_bits; below < all;) {
        below = std::min(below + Lines::child_bits, all);
        const bool narrow = shape.priority_width + below <= 31;
        levels.insert(levels.begin(), {std::size_t{1} << (all - below), narrow ? 1u : 2u});
    }
    return levels;
}

std::size_t bytes_of(const Shape& shape) {
    if (shape.priority_width > 32) throw std::invalid_argument("the native engine has priorities of at most 32 bits");
    std::size_t bytes = 0;
    for (const Level& level : levels_of(shape)) bytes += level.bytes();
    return bytes;
}

// An operation of each form of asking.
struct One {
    Kind kind;
    bool check, use_max;
};
One one(const Operations& given, std::size_t i) { return {given.kind[i], given.check[i], given.use_max[i]}; }
One one(const Writes& given, std::size_t) { return {given.kind, given.check, given.use_max}; }

}  // namespace

SumTree::SumTree(const Shape& shape)
    : shape_(shape),
      mask_((1u << shape.generation_width) - 1),
      memory_(bytes_of(shape)),
      lap_(static_cast<std::uint32_t>(-2)),
      draws_(shape.draw_width) {
    lay();
    clear_now();
}

void SumTree::lay() {
    const std::vector<Level> levels = levels_of(shape_);
    lines_.wide = 0;
    lines_.uppers = static_cast<int>(levels.size()) - 1;
    if (lines_.uppers > 1) lines_.second = static_cast<std::uint32_t>(levels[1].nodes);
    std::byte* at = memory_.data();
    for (int k = 0; k < lines_.uppers; ++k) {
        const Level& level = levels[static_cast<std::size_t>(k)];
        lines_.upper[k] = at;
        lines_.wide += level.lines == 2;
        at += level.bytes();
    }
    lines_.leaves = reinterpret_cast<std::uint32_t*>(at);
}

SumTree::Place SumTree::place() const {
    const std::size_t bytes = bytes_of(shape_);
    return {bytes, bytes - levels_of(shape_).back().bytes()};
}

void SumTree::adopt(std::byte* memory) {
    const Lock held = lock();
    memory_.borrow(memory, bytes_of(shape_));
    lay();
}

void SumTree::load(std::span<const std::int64_t, shared> numbers) {
    const Lock held = lock();
    std::size_t at = 0;
    total_ = numbers[at++];
    all(*this, [&](auto& number) { number = static_cast<std::remove_reference_t<decltype(number)>>(numbers[at++]); });
}

void SumTree::store(std::span<std::int64_t, shared> numbers) const {
    const Lock held = lock();
    std::size_t at = 0;
    numbers[at++] = total_;
    all(*this, [&](auto number) { numbers[at++] = static_cast<std::int64_t>(number); });
}

template <class Self, class Each>
void SumTree::all(Self& self, Each&& each) {
    each(self.cfg_initial_), each(self.cfg_capacity_), each(self.capacity_), each(self.next_), each(self.lap_);
    each(self.full_), each(self.largest_);
    Draws::all(self.draws_, each);
    auto& now = self.settings_;
    each(now.batch), each(now.stratified), each(now.weights);
    each(now.alpha), each(now.epsilon), each(now.scale), each(now.beta), each(now.follow);
    for (auto& count : self.events_.count) each(count);
    for (auto& flag : self.events_.flag) each(flag);
}

SumTree::State SumTree::state() const {
    const Lock held = lock();
    State found{};
    const Shape& s = shape_;
    found.numbers = {s.leaves_log2, s.capacity, s.priority_width, s.draw_width, s.generation_width};
    std::size_t at = 5;
    all(*this, [&](auto number) { found.numbers.at(at++) = static_cast<std::int64_t>(number); });
    std::vector<std::uint32_t> index(capacity_);
    std::iota(index.begin(), index.end(), 0);
    const std::vector<std::int64_t> unwritten(capacity_, -1);
    found.priorities.resize(capacity_);
    kernels().tree.write(lines_, index.data(), unwritten.data(), found.priorities.data(), capacity_);
    return found;
}

SumTree::SumTree(const State& state)
    : SumTree(Shape{static_cast<int>(state.numbers[0]), static_cast<std::uint32_t>(state.numbers[1]),
                    static_cast<int>(state.numbers[2]), static_cast<int>(state.numbers[3]),
                    static_cast<int>(state.numbers[4])}) {
    std::size_t at = 5;
    all(*this,
        [&](auto& number) { number = static_cast<std::remove_reference_t<decltype(number)>>(state.numbers.at(at++)); });
    if (capacity_ < 1 || capacity_ > shape_.capacity || next_ >= capacity_ || state.priorities.size() != capacity_)
        throw std::invalid_argument("that is no state of a sum tree");
    std::vector<std::uint32_t> index(capacity_);
    std::iota(index.begin(), index.end(), 0);
    std::vector<std::int64_t> old(capacity_);
    total_ = kernels().tree.write(lines_, index.data(), state.priorities.data(), old.data(), capacity_);
}

SumTree::Lock SumTree::lock() const {
    Lock held = mutex_.lock();
    last_call = accepted_calls.fetch_add(1, std::memory_order_relaxed);
    return held;
}

std::uint64_t SumTree::order() { return last_call; }

void SumTree::clear_now() {
    capacity_ = cfg_capacity_ >= 1 && cfg_capacity_ <= shape_.capacity ? cfg_capacity_ : shape_.capacity;
    largest_ = cfg_initial_;
    next_ = 0;
    full_ = false;
    lap_ += 2;
    total_ = 0;
    memory_.clear();
}

// All priorities in larger units, rounded half up; none becomes 0.
void SumTree::move_scale(std::int64_t bits) {
    const int by = static_cast<int>(std::min<std::int64_t>(bits, 40));
    const auto moved = [by](std::int64_t p) { return p ? std::max<std::int64_t>(round_shift(p, by), 1) : 0; };
    std::uint32_t index[chunk];
    std::int64_t now[chunk], old[chunk];
    for (std::uint32_t first = 0; first < capacity_; first += chunk) {
        const std::size_t n = std::min<std::size_t>(chunk, capacity_ - first);
        std::iota(index, index + n, first);
        std::fill_n(now, n, -1);
        kernels().tree.write(lines_, index, now, old, n);
        for (std::size_t i = 0; i < n; ++i) {
            now[i] = moved(old[i]);
            limited_.lost += now[i] && now[i] < least_fine && old[i] >= least_fine;
        }
        total_ += kernels().tree.write(lines_, index, now, old, n);
    }
    largest_ = moved(largest_);
    cfg_initial_ = moved(cfg_initial_);
    settings_.scale -= bits * 256;
    events_.count[Events::Count::updates] += capacity_;
    limited_.moved += bits;
}

void SumTree::restart_now() { draws_.restart(settings_.stratified ? settings_.batch : 0); }

// Writes first … last - 1 at once, as carry_out() does them one by one. False, and nothing has changed, when they are
// no more than a chunk of writes to given slots, all of them fresh, or an answer of each is wanted.
template <class Say>
bool SumTree::take_all(const Writes& given, const std::int64_t* value, std::size_t first, std::size_t last, Say& say) {
    if (given.kind == Kind::insert || given.kind == Kind::reserve || given.kind > Kind::read || say.index ||
        say.generation)
        return false;
    std::uint32_t index[chunk];
    std::int64_t same[chunk], old[chunk];
    const std::size_t n = last - first;
    const bool checked = mask_ && (given.kind == Kind::commit || (given.kind == Kind::update && given.check));
    if (!kernels().tree_maths.fresh({capacity_, next_, lap_, mask_}, given.index + first,
                                    checked ? given.generation + first : nullptr, index, n))
        return false;
    if (given.kind == Kind::read || given.use_max) {
        std::fill_n(same, n, given.kind == Kind::read ? -1 : largest_);
        value = same;
    } else {
        value += first;
        largest_ = kernels().tree_maths.largest(value, n, largest_);
    }
    if (given.kind != Kind::read) say.updated += static_cast<std::uint32_t>(n);
    total_ += kernels().tree.write(lines_, index, value, old, n);
    if (say.accepted) std::fill_n(say.accepted + first, n, true);
    return true;
}

// Operations first … last - 1, none a CLEAR. say(i, status, index, tag): tag after it; where status is ok, say is
// called a second time with what the slot had before.
template <class Given, class Say>
void SumTree::carry_out(const Given& given, const std::int64_t* value, std::size_t first, std::size_t last, Say&& say) {
    std::uint32_t index[chunk];
    std::int64_t written[chunk], old[chunk];
    std::size_t place[chunk];
    for (; first < last; first += chunk) {
        const std::size_t end = std::min(last, first + chunk);
        if constexpr (std::is_same_v<Given, Writes>)
            if (take_all(given, value, first, end, say)) continue;
        std::size_t writes = 0;
        for (std::size_t i = first; i < end; ++i) {
            const One asked = one(given, i);
            if (asked.kind == Kind::insert || asked.kind == Kind::reserve) {
                const std::uint32_t slot = next_;
                const std::int64_t now = asked.kind == Kind::reserve ? 0 : asked.use_max ? largest_ : value[i];
                if (now > largest_) largest_ = now;
                if (++next_ == capacity_) {
                    next_ = 0;
                    full_ = true;
                    ++lap_;
                }
                index[writes] = slot;
                written[writes] = now;
                place[writes++] = i;
                say.answer(i, Status::ok, slot, tag(slot));
                continue;
            }
            const std::uint64_t slot = static_cast<std::uint64_t>(given.index[i]);
            const std::uint32_t low = static_cast<std::uint32_t>(slot);
            if (asked.kind > Kind::clear) {
                ++say.odd;
                say.answer(i, Status::unknown, low, 0);
                continue;
            }
            if (slot >= capacity_) {
                ++say.outside;
                say.answer(i, Status::range, low, 0);
                continue;
            }
            const std::uint32_t now = tag(low);
            const bool checked = mask_ && (asked.kind == Kind::commit || (asked.kind == Kind::update && asked.check));
            if (checked && given.generation[i] != now) {
                ++say.stale;
                say.answer(i, Status::stale, low, now);
                continue;
            }
            std::int64_t to = -1;
            if (asked.kind != Kind::read) {
                to = asked.use_max ? largest_ : value[i];
                if (to > largest_) largest_ = to;
                ++say.updated;
            }
            index[writes] = low;
            written[writes] = to;
            place[writes++] = i;
            say.answer(i, Status::ok, low, now);
        }
        total_ += kernels().tree.write(lines_, index, written, old, writes);
        for (std::size_t k = 0; k < writes; ++k) say.before(place[k], old[k]);
    }
}

namespace {

struct Tally {
    std::uint32_t stale = 0, outside = 0, odd = 0, updated = 0;

    void into(Events& events, std::uint32_t inserts, bool saturated) const {
        events.count[Events::Count::updates] += updated;
        events.count[Events::Count::inserts] += inserts;
        events.count[Events::Count::stale] += stale;
        events.count[Events::Count::range] += outside;
        events.flag[Events::Flag::stale] |= stale > 0;
        events.flag[Events::Flag::range] |= outside > 0;
        events.flag[Events::Flag::kind] |= odd > 0;
        events.flag[Events::Flag::saturated] |= saturated;
    }
};

struct Answers : Tally {
    OperationAnswer* to;
    const Kind* kind;
    void answer(std::size_t i, Status status, std::uint32_t index, std::uint32_t generation) {
        to[i] = {kind[i], status, index, generation, 0};
    }
    void before(std::size_t i, std::int64_t old) { to[i].priority = static_cast<std::uint64_t>(old); }
};

struct Accepted : Tally {
    bool* accepted;
    std::int64_t *index, *generation;
    void answer(std::size_t i, Status status, std::uint32_t slot, std::uint32_t tag) {
        if (accepted) accepted[i] = status == Status::ok;
        if (index) index[i] = slot;
        if (generation) generation[i] = tag;
    }
    void before(std::size_t, std::int64_t) {}
};

}  // namespace

bool SumTree::values_of(const Operations& given, const Settings& now, int width, std::int64_t* value) {
    const std::size_t n = given.count;
    std::int64_t* delta = scratch<std::int64_t, 1>(n);
    std::uint8_t* beyond = scratch<std::uint8_t, 0>(n);
    for (std::size_t i = 0; i < n; ++i) delta[i] = static_cast<std::int32_t>(given.priority[i]);
    if (std::any_of(given.td, given.td + n, [](bool td) { return td; }))
        kernels().tree_maths.priorities(delta, value, beyond, n, {now.alpha, now.epsilon, now.scale, width});
    const std::int64_t top = (std::int64_t{1} << width) - 1;
    bool saturated = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (!given.td[i]) {
            beyond[i] = given.priority[i] > top;
            value[i] = beyond[i] ? top : given.priority[i];
        }
        const Kind k = given.kind[i];
        saturated |= beyond[i] && !given.use_max[i] && (k == Kind::update || k == Kind::commit || k == Kind::insert);
    }
    return saturated;
}

bool SumTree::values_of(const Writes& given, const Settings& now, int width, std::int64_t* value) {
    bool saturated = false;
    if (given.td) {
        std::uint8_t* beyond = scratch<std::uint8_t, 0>(given.count);
        kernels().tree_maths.priorities(given.priority, value, beyond, given.count,
                                        {now.alpha, now.epsilon, now.scale, width});
        for (std::size_t i = 0; i < given.count; ++i) saturated |= beyond[i] != 0;
    } else {
        const std::int64_t top = (std::int64_t{1} << width) - 1;
        for (std::size_t i = 0; i < given.count; ++i) {
            saturated |= given.priority[i] > top;
            value[i] = std::min(given.priority[i], top);
        }
    }
    return saturated;
}

void SumTree::carry(const Operations& given, const std::int64_t* value, std::size_t first, std::size_t last,
                    OperationAnswer* answers, bool saturated) {
    Answers say{{}, answers, given.kind};
    carry_out(given, value, first, last, say);
    std::uint32_t inserts = 0;
    for (std::size_t i = first; i < last; ++i)
        inserts += given.kind[i] == Kind::insert || given.kind[i] == Kind::reserve;
    say.into(events_, inserts, saturated);
}

std::uint32_t SumTree::carry(const Writes& given, const std::int64_t* value, bool* accepted, std::int64_t* index,
                             std::int64_t* generation, bool saturated) {
    Accepted say{{}, accepted, index, generation};
    carry_out(given, value, 0, given.count, say);
    const bool takes = given.kind == Kind::insert || given.kind == Kind::reserve;
    say.into(events_, takes ? static_cast<std::uint32_t>(given.count) : 0, saturated);
    return say.stale;
}

void SumTree::operations(const Operations& given, OperationAnswer* answers) {
    const std::size_t n = given.count;
    std::int64_t* value = scratch<std::int64_t, 0>(n);
    const bool saturated = values_of(given, settings(), shape_.priority_width, value);
    const Lock held = lock();
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first;
        while (last < n && given.kind[last] != Kind::clear) ++last;
        carry(given, value, first, last, answers, saturated);
        if (last < n) {
            clear_now();
            answers[last] = {Kind::clear, Status::ok, 0, 0, 0};
        }
        first = last + 1;
    }
}

Written SumTree::write(const Writes& given, bool* accepted, std::int64_t* index, std::int64_t* generation) {
    const std::size_t n = given.count;
    const std::int64_t* value = given.priority;
    bool saturated = false;
    std::int64_t* made = scratch<std::int64_t, 0>(n);
    Settings before;
    ErrorPriorities errors(given.errors ? *given.errors : Errors{}, n, shape_.priority_width, made);
    if (given.errors) {
        before = settings();
        errors.make(before);
        value = made;
    } else if (!given.use_max && given.kind != Kind::reserve && given.kind != Kind::read) {
        saturated = values_of(given, given.td ? settings() : before, shape_.priority_width, made);
        value = made;
    }
    const Lock held = lock();
    bool limited = false;
    if (given.errors) {
        if (settings_.scale != before.scale || settings_.alpha != before.alpha)
            errors.make(settings_);  // by another thread
        if (errors.found.above && settings_.follow && mask_ && (given.kind == Kind::commit || given.check)) {
            errors.keep([&](std::size_t i) {
                const std::uint64_t slot = static_cast<std::uint64_t>(given.index[i]);
                return slot < capacity_ && given.generation[i] == tag(static_cast<std::uint32_t>(slot));
            });
            errors.make(settings_);
        }
        if (errors.found.above && settings_.follow) {
            move_scale(errors.beyond());
            errors.make(settings_);
            limited = true;
        }
        limited |= errors.found.above || errors.found.coarse;
        limited_.above += errors.found.above;
        limited_.coarse += errors.found.coarse;
    }
    return {carry(given, value, accepted, index, generation, saturated), limited};
}

Limited SumTree::limited() {
    const Lock held = lock();
    return std::exchange(limited_, {});
}

void SumTree::samples(const Ask* kind, const std::uint64_t* value, std::size_t n, SampleAnswer* answers) {
    std::int64_t* priority = scratch<std::int64_t, 2>(n);
    std::uint64_t* u = scratch<std::uint64_t, 3>(n);
    std::uint32_t* index = scratch<std::uint32_t, 4>(n);
    SampleStatus* status = scratch<SampleStatus, 5>(n);
    Settings now;
    {
        const Lock held = lock();
        now = settings_;
        const std::uint64_t range = (std::uint64_t{1} << (shape_.priority_width + shape_.leaves_log2)) - 1;
        std::size_t internal = 0;
        for (std::size_t i = 0; i < n; ++i) internal += kind[i] == Ask::drawn || kind[i] == Ask::soft;
        draws_.take(u, internal);
        std::size_t asked = 0, drawn_now = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const bool inner = kind[i] == Ask::drawn || kind[i] == Ask::soft;
            const std::uint64_t draw =
                inner ? u[drawn_now++] : value[i] & ((std::uint64_t{1} << shape_.draw_width) - 1);
            const bool inside = std::min(value[i], range) < static_cast<std::uint64_t>(total_);
            answers[i] = {SampleStatus::empty, 0, 0, static_cast<std::uint64_t>(total_), 0, 0};
            if (!total_) continue;
            answers[i].status = kind[i] == Ask::target && !inside ? SampleStatus::miss : SampleStatus::found;
            if (answers[i].status != SampleStatus::found) continue;
            const bool given_target = kind[i] == Ask::target || (kind[i] == Ask::soft && inside);
            priority[asked++] =
                given_target ? static_cast<std::int64_t>(value[i]) : scaled(draw, total_, shape_.draw_width);
        }
        kernels().tree.find(lines_, priority, index, asked);
        for (std::size_t i = n; i-- > 0;) {
            status[i] = answers[i].status;
            ++events_.count[status[i] == SampleStatus::found   ? Events::Count::samples
                            : status[i] == SampleStatus::empty ? Events::Count::empty
                                                               : Events::Count::miss];
            if (status[i] == SampleStatus::found) {
                --asked;
                answers[i].index = index[asked];
                answers[i].priority = static_cast<std::uint64_t>(priority[asked]);
                answers[i].generation = tag(index[asked]);
            } else {
                events_.flag[status[i] == SampleStatus::empty ? Events::Flag::empty : Events::Flag::miss] = true;
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        answers[i].weight = status[i] == SampleStatus::found || !now.weights ? 1u << 31 : 0;
        priority[i] = static_cast<std::int64_t>(answers[i].priority);
    }
    weigh(now, n, priority, index, answers);
}

void SumTree::weigh(const Settings& now, std::size_t n, const std::int64_t* priority, std::uint32_t* raw,
                    SampleAnswer* answers) {
    if (!now.weights || now.batch < 2) return;
    for (std::size_t first = 0; first < n; first += now.batch) {
        const std::size_t count = std::min<std::size_t>(now.batch, n - first);
        kernels().tree_maths.weights(priority + first, raw, count, now.beta);
        for (std::size_t i = 0; i < count; ++i) answers[first + i].weight = raw[i];
    }
}

void SumTree::weigh(const Settings& now, std::size_t n, const std::int64_t* priority, std::uint32_t* raw,
                    float* weight) {
    if (!now.weights || now.batch < 2) {
        std::fill_n(weight, n, 1.0f);
        return;
    }
    for (std::size_t first = 0; first < n; first += now.batch) {
        const std::size_t count = std::min<std::size_t>(now.batch, n - first);
        kernels().tree_maths.weights(priority + first, raw, count, now.beta);
        kernels().tree_maths.weight_floats(raw, weight + first, count);
    }
}

bool SumTree::draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to) {
    std::int64_t* priority = to.priority;
    std::uint64_t* u = scratch<std::uint64_t, 3>(n);
    std::uint32_t* index = scratch<std::uint32_t, 4>(n);
    Settings now;
    Tags tags;
    std::int64_t total;
    {
        const Lock held = lock();
        total = total_;
        tags = this->tags();
        if (!total) return false;
        if (settings_.batch != batch || settings_.stratified != stratified) {
            settings_.batch = batch;
            settings_.stratified = stratified;
            restart_now();
        }
        now = settings_;
        draws_.take(u, n);
        for (std::size_t i = 0; i < n; ++i) priority[i] = scaled(u[i], total, shape_.draw_width);
        kernels().tree.find(lines_, priority, index, n);
        events_.count[Events::Count::samples] += static_cast<std::uint32_t>(n);
    }
    kernels().tree_maths.tagged(tags, index, to.index, to.generation, n);
    if (to.total) std::fill_n(to.total, n, total);
    if (to.probability) kernels().tree_maths.shares(priority, total, to.probability, n);
    if (to.weight) weigh(now, n, priority, index, to.weight);
    return true;
}

bool SumTree::configure(std::span<const std::pair<std::string_view, std::int64_t>> registers) {
    const Lock held = lock();
    Settings now = settings_;
    std::int64_t capacity = cfg_capacity_, initial = cfg_initial_, largest = largest_;
    for (const auto& [name, number] : registers) {
        if (name == "capacity")
            capacity = number;
        else if (name == "initial")
            initial = number;
        else if (name == "batch")
            now.batch = static_cast<std::uint32_t>(number);
        else if (name == "stratified")
            now.stratified = number;
        else if (name == "weights")
            now.weights = number;
        else if (name == "follow")
            now.follow = number;
        else if (name == "largest")
            largest = number;
        else if (name == "alpha")
            now.alpha = number;
        else if (name == "epsilon")
            now.epsilon = number;
        else if (name == "scale")
            now.scale = number;
        else if (name == "beta")
            now.beta = number;
        else
            return false;
    }
    settings_ = now;
    cfg_capacity_ = static_cast<std::uint32_t>(capacity);
    cfg_initial_ = initial;
    largest_ = largest;
    return true;
}

Settings SumTree::settings() const {
    const Lock held = lock();
    return settings_;
}

void SumTree::seed(std::uint64_t seed) {
    const Lock held = lock();
    draws_.seed(seed);
    restart_now();
}

void SumTree::load_draws(const std::array<std::uint32_t, 4>& state) {
    const Lock held = lock();
    draws_.load(state);
    restart_now();
}

void SumTree::restart() {
    const Lock held = lock();
    restart_now();
}

void SumTree::clear() {
    const Lock held = lock();
    clear_now();
}

void SumTree::clear_flags() {
    const Lock held = lock();
    events_.flag = {};
}

std::uint32_t SumTree::size() const {
    const Lock held = lock();
    return full_ ? capacity_ : next_;
}

std::uint32_t SumTree::next() const {
    const Lock held = lock();
    return next_;
}

std::int64_t SumTree::total() const {
    const Lock held = lock();
    return total_;
}

std::int64_t SumTree::largest() const {
    const Lock held = lock();
    return largest_;
}

std::uint32_t SumTree::capacity() const {
    const Lock held = lock();
    return capacity_;
}

std::array<std::uint32_t, 4> SumTree::draws() const {
    const Lock held = lock();
    return draws_.state();
}

Events SumTree::events() const {
    const Lock held = lock();
    return events_;
}

}  // namespace rlcores
