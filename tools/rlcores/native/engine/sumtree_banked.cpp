// sumtree_banked.cpp — how calls are cut into parts for the banks, and what is alone.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/sumtree_banked.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "rlcores/native/scratch.hpp"
#include "rlcores/native/sumtree_errors.hpp"
#include "rlcores/native/isa.hpp"

namespace rlcores {

// Where the items of a call go: those of bank b are place[first[b]] … place[first[b + 1] - 1], in the call's order.
struct BankedTree::Parts {
    std::size_t n = 0;
    std::uint8_t* bank = nullptr;
    std::uint32_t* place = nullptr;
    std::array<std::uint32_t, most + 1> first{};

    // Room for n banks.
    explicit Parts(std::size_t count)
        : n(count), bank(scratch<std::uint8_t, 10>(count)), place(scratch<std::uint32_t, 10>(count)) {}

    // When bank[] is filled.
    void sort() {
        for (std::size_t i = 0; i < n; ++i) ++first[bank[i] + 1u];
        for (std::uint32_t b = 0; b < most; ++b) first[b + 1] += first[b];
        std::array<std::uint32_t, most + 1> at = first;
        for (std::size_t i = 0; i < n; ++i) place[at[bank[i]]++] = static_cast<std::uint32_t>(i);
    }
    std::uint32_t count(std::uint32_t b) const { return first[b + 1] - first[b]; }
    // A bit for each bank that has a part.
    std::uint32_t some() const {
        std::uint32_t found = 0;
        for (std::uint32_t b = 0; b < most; ++b) found |= std::uint32_t{count(b) > 0} << b;
        return found;
    }
};

// The numbers of writes: as the call has them, and in the order of Parts, with what each bank answered.
struct BankedTree::Values {
    std::int64_t *made, *value, *index, *generation;
    bool* accepted;
    ErrorPriorities errors;
    Settings by;
    bool saturated = false, limited = false, counted = false;
    std::uint32_t stale = 0;

    Values(const Writes& given, int width)
        : made(scratch<std::int64_t, 10>(given.count)),
          value(scratch<std::int64_t, 11>(given.count)),
          index(scratch<std::int64_t, 12>(given.count)),
          generation(scratch<std::int64_t, 13>(given.count)),
          accepted(reinterpret_cast<bool*>(scratch<std::uint8_t, 11>(given.count))),
          errors(given.errors ? *given.errors : Errors{}, given.count, width, made) {}
};

namespace {

bool takes(const Writes& given) { return given.kind == Kind::insert || given.kind == Kind::reserve; }

}  // namespace

// While there is one, no other call is in any bank. has_turn: the caller has the lock of inserts.
class BankedTree::Alone {
public:
    explicit Alone(BankedTree& tree, bool has_turn = false) : tree_(tree) {
        if (!has_turn) turn_ = tree_.turn_.lock();
        for (auto& one : tree_.trees_) held_.push_back(one->lock());
        drawing_ = tree_.drawing_.lock();
        registers_ = tree_.registers_.lock();
    }
    ~Alone() {
        for (std::uint32_t b = 0; b < tree_.banks_; ++b) tree_.changed(b);
        tree_.epoch_.fetch_add(1);
    }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

private:
    BankedTree& tree_;
    Lock turn_;
    std::vector<Lock> held_;
    Lock drawing_, registers_;
};

BankedTree::BankedTree(const Shape& shape, std::uint32_t banks)
    : shape_(shape),
      banks_(banks),
      shift_(std::countr_zero(banks)),
      trees_(trees_of(shape, banks)),
      draws_(shape.draw_width) {
    capacity_ = shape.capacity;
    largest_ = trees_[0]->largest();
}

std::vector<std::unique_ptr<SumTree>> BankedTree::trees_of(const Shape& shape, std::uint32_t banks) {
    if (!std::has_single_bit(banks) || banks > most) throw std::invalid_argument("there are 1, 2, 4, 8 or 16 banks");
    const int shift = std::countr_zero(banks);
    if (shape.capacity < banks || shape.leaves_log2 < shift) throw std::invalid_argument("a bank would have no slot");
    std::vector<std::unique_ptr<SumTree>> trees(banks);
    for (std::uint32_t b = banks; b-- > 0;) {
        Shape own = shape;
        own.leaves_log2 -= shift;
        own.capacity = (shape.capacity - b + banks - 1) >> shift;
        trees[b] = std::make_unique<SumTree>(own);
    }
    return trees;
}

// With the bank's lock: what others see of it.
void BankedTree::changed(std::uint32_t bank) {
    const SumTree& tree = *trees_[bank];
    totals_[bank].now.store(tree.total_, std::memory_order_relaxed);
    std::int64_t seen = largest_.load();
    while (tree.largest_ > seen && !largest_.compare_exchange_weak(seen, tree.largest_)) {
    }
}

void BankedTree::part(Parts& parts, std::size_t n, const std::int64_t* index) const {
    if (index) {
        for (std::size_t i = 0; i < n; ++i) parts.bank[i] = static_cast<std::uint8_t>(bank_of(index[i]));
    } else {
        const std::uint32_t end = capacity_.load();
        std::uint32_t slot = next_;
        for (std::size_t i = 0; i < n; ++i) {
            parts.bank[i] = static_cast<std::uint8_t>(slot & (banks_ - 1));
            if (++slot == end) slot = 0;
        }
    }
    parts.sort();
}

// False when the scale has to move for them.
bool BankedTree::make(const Writes& given, Values& values) const {
    if (given.kind == Kind::reserve || given.kind == Kind::read) return true;
    if (given.errors) {
        values.by = settings();
        values.errors.make(values.by);
        return !(values.errors.found.above && values.by.follow);
    }
    if (given.use_max)
        std::fill_n(values.made, given.count, largest_.load());
    else
        values.saturated =
            SumTree::values_of(given, given.td ? settings() : Settings{}, shape_.priority_width, values.made);
    return true;
}

void BankedTree::gather(const Writes& given, const Parts& parts, Values& values) const {
    for (std::size_t k = 0; k < parts.n; ++k) {
        const std::uint32_t i = parts.place[k];
        values.value[k] = values.made[i];
        if (!takes(given))
            values.index[k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(given.index[i]) >> shift_);
        if (given.generation) values.generation[k] = given.generation[i];
    }
}

// A bank's part, with the bank's lock.
void BankedTree::carry(std::uint32_t bank, const Writes& given, const Parts& parts, Values& values) {
    const std::uint32_t at = parts.first[bank];
    Writes own{parts.count(bank),
               given.kind,
               values.index + at,
               values.value + at,
               values.generation + at,
               given.check,
               false,
               false};
    values.stale += takes(given) ? trees_[bank]->carry(own, values.value + at, nullptr, values.index + at,
                                                       values.generation + at, values.saturated)
                                 : trees_[bank]->carry(own, values.value + at, values.accepted + at, nullptr, nullptr,
                                                       values.saturated);
    changed(bank);
}

// Alone: TD errors that are too large for the scale move it, and every priority held with it.
void BankedTree::enlarge(const Writes& given, Values& values) {
    ErrorPriorities& errors = values.errors;
    errors.make(settings_);
    if (errors.found.above && settings_.follow && shape_.generation_width &&
        (given.kind == Kind::commit || given.check)) {
        errors.keep([&](std::size_t i) {
            const SumTree& tree = *trees_[bank_of(given.index[i])];
            const std::uint64_t slot = static_cast<std::uint64_t>(given.index[i]) >> shift_;
            return slot < tree.capacity_ && given.generation[i] == tree.tag(static_cast<std::uint32_t>(slot));
        });
        errors.make(settings_);
    }
    if (!errors.found.above || !settings_.follow) return;
    const std::int64_t bits = errors.beyond();
    for (const auto& tree : trees_) tree->move_scale(bits);
    settings_.scale -= bits * 256;
    limited_.moved += bits;
    std::int64_t most_seen = 0;
    for (const auto& tree : trees_) most_seen = std::max(most_seen, tree->largest_);
    largest_ = most_seen;
    errors.make(settings_);
    values.limited = true;
}

void BankedTree::write_alone(const Writes& given, const Parts& parts, Values& values, std::uint32_t pending) {
    const Alone alone(*this, takes(given));
    enlarge(given, values);
    values.limited |= values.errors.found.above || values.errors.found.coarse;
    if (!values.counted) limited_.above += values.errors.found.above, limited_.coarse += values.errors.found.coarse;
    gather(given, parts, values);
    for (; pending; pending &= pending - 1)
        carry(static_cast<std::uint32_t>(std::countr_zero(pending)), given, parts, values);
}

Written BankedTree::write(const Writes& given, bool* accepted, std::int64_t* index, std::int64_t* generation) {
    const std::size_t n = given.count;
    Lock turn;
    if (takes(given)) turn = turn_.lock();
    Parts parts(n);
    part(parts, n, takes(given) ? nullptr : given.index);
    Values values(given, shape_.priority_width);
    for (std::uint32_t pending = parts.some(); pending;) {
        const std::uint64_t epoch = epoch_.load();
        if (!make(given, values)) {
            write_alone(given, parts, values, pending);
            break;
        }
        if (given.errors && !values.counted) {
            const Made& found = values.errors.found;
            values.counted = true;
            if ((values.limited = found.above || found.coarse)) {
                const Lock held = registers_.lock();
                limited_.above += found.above;
                limited_.coarse += found.coarse;
            }
        }
        gather(given, parts, values);
        while (pending) {
            const auto bank = static_cast<std::uint32_t>(std::countr_zero(pending));
            const Lock held = trees_[bank]->lock();
            if (epoch_.load() != epoch) break;
            carry(bank, given, parts, values);
            pending &= pending - 1;
        }
    }
    if (takes(given)) {
        const std::uint64_t end = capacity_.load(), slot = next_ + n;
        full_ |= slot >= end;
        next_ = static_cast<std::uint32_t>(slot % end);
        lap_ += static_cast<std::uint32_t>(slot / end);
    }
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t i = parts.place[k];
        if (accepted) accepted[i] = takes(given) || values.accepted[k];
        if (index) index[i] = (values.index[k] << shift_) + parts.bank[i];
        if (generation) generation[i] = values.generation[k];
    }
    return {values.stale, values.limited};
}

// Alone: operations none of which is a CLEAR, or looks at the largest priority unless it is the only one.
void BankedTree::operations_alone(const Operations& given, const std::int64_t* value, std::size_t first,
                                  std::size_t last, OperationAnswer* answers) {
    const std::size_t n = last - first;
    if (!n) return;
    Parts parts(n);
    const std::uint32_t end = capacity_.load();
    for (std::size_t i = 0; i < n; ++i) {
        const Kind kind = given.kind[first + i];
        const bool taken = kind == Kind::insert || kind == Kind::reserve;
        parts.bank[i] = static_cast<std::uint8_t>(bank_of(taken ? next_ : given.index[first + i]));
        if (taken && ++next_ == end) next_ = 0, full_ = true, ++lap_;
    }
    parts.sort();
    auto* kind = scratch<Kind, 12>(n);
    auto *index = scratch<std::int64_t, 12>(n), *now = scratch<std::int64_t, 11>(n),
         *tag = scratch<std::int64_t, 13>(n);
    bool *check = reinterpret_cast<bool*>(scratch<std::uint8_t, 11>(n)),
         *no = reinterpret_cast<bool*>(scratch<std::uint8_t, 13>(n));
    auto* found = scratch<OperationAnswer, 10>(n);
    std::fill_n(no, n, false);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = first + parts.place[k];
        kind[k] = given.kind[i];
        index[k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(given.index[i]) >> shift_);
        now[k] = given.use_max[i] ? largest_.load() : value[i];
        tag[k] = given.generation[i];
        check[k] = given.check[i];
    }
    for (std::uint32_t b = 0; b < banks_; ++b) {
        if (!parts.count(b)) continue;
        trees_[b]->carry({n, kind, index, nullptr, tag, check, no, no}, now, parts.first[b], parts.first[b + 1], found,
                         false);
        changed(b);
    }
    for (std::size_t k = 0; k < n; ++k) {
        OperationAnswer& to = answers[first + parts.place[k]];
        to = found[k];
        to.index = (to.index << shift_) + parts.bank[parts.place[k]];
    }
}

void BankedTree::operations(const Operations& given, OperationAnswer* answers) {
    const std::size_t n = given.count;
    std::int64_t* value = scratch<std::int64_t, 10>(n);
    const bool saturated = SumTree::values_of(given, settings(), shape_.priority_width, value);
    const Alone alone(*this);
    trees_[0]->events_.flag[Events::Flag::saturated] |= saturated;
    std::size_t first = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const bool clears = given.kind[i] == Kind::clear;
        if (!clears && !given.use_max[i]) continue;
        operations_alone(given, value, first, i, answers);
        first = i + 1;
        if (clears) {
            clear_now();
            answers[i] = {Kind::clear, Status::ok, 0, 0, 0};
        } else {
            operations_alone(given, value, i, i + 1, answers);
        }
    }
    operations_alone(given, value, first, n, answers);
}

// Alone: one sample.
SampleAnswer BankedTree::found(Ask kind, std::uint64_t value, std::uint64_t draw) {
    const std::int64_t all = total();
    SampleAnswer answer{SampleStatus::empty, 0, 0, static_cast<std::uint64_t>(all), 0, 0};
    if (!all) {
        ++trees_[0]->events_.count[Events::Count::empty];
        trees_[0]->events_.flag[Events::Flag::empty] = true;
        return answer;
    }
    const std::uint64_t range = (std::uint64_t{1} << (shape_.priority_width + shape_.leaves_log2)) - 1;
    const bool inside = std::min(value, range) < static_cast<std::uint64_t>(all);
    if (kind == Ask::target && !inside) {
        ++trees_[0]->events_.count[Events::Count::miss];
        trees_[0]->events_.flag[Events::Flag::miss] = true;
        answer.status = SampleStatus::miss;
        return answer;
    }
    const bool given_target = kind == Ask::target || (kind == Ask::soft && inside);
    std::int64_t at = given_target ? static_cast<std::int64_t>(value) : SumTree::scaled(draw, all, shape_.draw_width);
    std::uint32_t bank = 0, index = 0;
    while (at >= trees_[bank]->total_) at -= trees_[bank++]->total_;
    SumTree& tree = *trees_[bank];
    kernels().tree.find(tree.lines_, &at, &index, 1);
    ++tree.events_.count[Events::Count::samples];
    answer.status = SampleStatus::found;
    answer.index = (index << shift_) + bank;
    answer.priority = static_cast<std::uint64_t>(at);
    answer.generation = tree.tag(index);
    return answer;
}

void BankedTree::samples(const Ask* kind, const std::uint64_t* value, std::size_t n, SampleAnswer* answers) {
    std::uint64_t* u = scratch<std::uint64_t, 10>(n);
    std::int64_t* priority = scratch<std::int64_t, 10>(n);
    Settings now;
    {
        const Alone alone(*this);
        now = settings_;
        now.batch = batch_;
        std::size_t internal = 0, drawn_now = 0;
        for (std::size_t i = 0; i < n; ++i) internal += kind[i] == Ask::drawn || kind[i] == Ask::soft;
        draws_.take(u, internal);
        for (std::size_t i = 0; i < n; ++i) {
            const bool inner = kind[i] == Ask::drawn || kind[i] == Ask::soft;
            answers[i] = found(kind[i], value[i],
                               inner ? u[drawn_now++] : value[i] & ((std::uint64_t{1} << shape_.draw_width) - 1));
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        answers[i].weight = answers[i].status == SampleStatus::found || !now.weights ? 1u << 31 : 0;
        priority[i] = static_cast<std::int64_t>(answers[i].priority);
    }
    SumTree::weigh(now, n, priority, scratch<std::uint32_t, 11>(n), answers);
}

bool BankedTree::draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to) {
    std::uint64_t* u = scratch<std::uint64_t, 10>(n);
    std::int64_t *rest = scratch<std::int64_t, 10>(n), *found = scratch<std::int64_t, 11>(n);
    std::int64_t *slot = scratch<std::int64_t, 12>(n), *tag = scratch<std::int64_t, 13>(n);
    std::uint32_t* index = scratch<std::uint32_t, 11>(n);
    {
        const Lock held = drawing_.lock();
        if (!total()) return false;
        if (batch_ != batch || stratified_ != stratified) {
            batch_ = batch;
            stratified_ = stratified;
            restart_now();
        }
        draws_.take(u, n);
    }
    std::int64_t all = 0;
    Settings now;
    for (bool whole = false; !whole;) {
        const std::uint64_t epoch = epoch_.load();
        now = settings();
        now.batch = batch;
        std::array<std::int64_t, most + 1> sums{};
        for (std::uint32_t b = 0; b < banks_; ++b)
            sums[b + 1] = sums[b] + totals_[b].now.load(std::memory_order_relaxed);
        if (!(all = sums[banks_])) return false;
        Parts parts(n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t at = SumTree::scaled(u[i], all, shape_.draw_width);
            std::uint32_t bank = 0;
            for (std::uint32_t b = 1; b < banks_; ++b) bank += sums[b] <= at;
            parts.bank[i] = static_cast<std::uint8_t>(bank);
            rest[i] = at - sums[bank];
        }
        parts.sort();
        for (std::size_t k = 0; k < n; ++k) found[k] = rest[parts.place[k]];
        whole = true;
        for (std::uint32_t b = 0; b < banks_ && whole; ++b) {
            const std::uint32_t first = parts.first[b], count = parts.count(b);
            if (!count) continue;
            SumTree& tree = *trees_[b];
            Tags tags;
            {
                const Lock held = tree.lock();
                // A bank that has lost all since, or has other units: all once more.
                if (epoch_.load() != epoch || !tree.total_) {
                    whole = false;
                    break;
                }
                const std::int64_t before = sums[b + 1] - sums[b];
                if (tree.total_ < before)
                    for (std::uint32_t k = first; k < first + count; ++k)
                        if (found[k] >= tree.total_)
                            found[k] =
                                static_cast<std::int64_t>(static_cast<__int128>(found[k]) * tree.total_ / before);
                kernels().tree.find(tree.lines_, found + first, index + first, count);
                tree.events_.count[Events::Count::samples] += count;
                tags = tree.tags();
            }
            kernels().tree_maths.tagged(tags, index + first, slot + first, tag + first, count);
        }
        if (!whole) continue;
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t i = parts.place[k];
            to.index[i] = (slot[k] << shift_) + parts.bank[i];
            to.priority[i] = found[k];
            to.generation[i] = tag[k];
        }
    }
    all = kernels().tree_maths.largest(to.priority, n, all);  // which may have grown since the totals were read
    if (to.total) std::fill_n(to.total, n, all);
    if (to.probability) kernels().tree_maths.shares(to.priority, all, to.probability, n);
    if (to.weight) SumTree::weigh(now, n, to.priority, index, to.weight);
    return true;
}

bool BankedTree::configure(std::span<const std::pair<std::string_view, std::int64_t>> registers) {
    const Alone alone(*this);
    Settings now = settings_;
    std::uint32_t batch = batch_;
    bool stratified = stratified_;
    std::int64_t capacity = cfg_capacity_, initial = trees_[0]->cfg_initial_, largest = -1;
    for (const auto& [name, number] : registers) {
        if (name == "capacity")
            capacity = number;
        else if (name == "initial")
            initial = number;
        else if (name == "batch")
            batch = static_cast<std::uint32_t>(number);
        else if (name == "stratified")
            stratified = number;
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
    batch_ = batch;
    stratified_ = stratified;
    cfg_capacity_ = static_cast<std::uint32_t>(capacity);
    for (const auto& tree : trees_) tree->cfg_initial_ = initial;
    if (largest >= 0) {
        for (const auto& tree : trees_) tree->largest_ = largest;
        largest_ = largest;
    }
    return true;
}

void BankedTree::clear_now() {
    const std::uint32_t wanted = cfg_capacity_, all = shape_.capacity;
    capacity_ = wanted < 1 || wanted > all ? all : std::max(wanted, banks_);
    lap_ += 2;
    for (std::uint32_t b = 0; b < banks_; ++b) {
        trees_[b]->cfg_capacity_ = share(capacity_.load(), b);
        trees_[b]->clear_now();
        trees_[b]->lap_ = lap_;  // a bank may have gone round before the whole did
    }
    next_ = 0;
    full_ = false;
    largest_ = trees_[0]->largest_;
}

void BankedTree::clear() {
    const Alone alone(*this);
    clear_now();
}

void BankedTree::clear_flags() {
    const Alone alone(*this);
    for (const auto& tree : trees_) tree->events_.flag = {};
}

Limited BankedTree::limited() {
    const Alone alone(*this);
    Limited said = std::exchange(limited_, {});
    for (const auto& tree : trees_) said.lost += std::exchange(tree->limited_, {}).lost;
    return said;
}

Settings BankedTree::settings() const {
    const Lock held = registers_.lock();
    return settings_;
}

void BankedTree::seed(std::uint64_t seed) {
    const Lock held = drawing_.lock();
    draws_.seed(seed);
    restart_now();
}

void BankedTree::load_draws(const std::array<std::uint32_t, 4>& state) {
    const Lock held = drawing_.lock();
    draws_.load(state);
    restart_now();
}

void BankedTree::restart() {
    const Lock held = drawing_.lock();
    restart_now();
}

std::array<std::uint32_t, 4> BankedTree::draws() const {
    const Lock held = drawing_.lock();
    return draws_.state();
}

std::uint32_t BankedTree::size() const {
    const Lock held = turn_.lock();
    return full_ ? capacity_.load() : next_;
}

std::uint32_t BankedTree::next() const {
    const Lock held = turn_.lock();
    return next_;
}

std::int64_t BankedTree::total() const {
    std::int64_t sum = 0;
    for (std::uint32_t b = 0; b < banks_; ++b) sum += totals_[b].now.load(std::memory_order_relaxed);
    return sum;
}

Events BankedTree::events() const {
    Events sum;
    for (const auto& tree : trees_) {
        const Events one = tree->events();
        for (std::size_t k = 0; k < sum.count.size(); ++k) sum.count[k] += one.count[k];
        for (std::size_t k = 0; k < sum.flag.size(); ++k) sum.flag[k] |= one.flag[k];
    }
    return sum;
}

}  // namespace rlcores
