// sumtree.cpp — the sum tree for Python; rlcores.cores.sumtree.native_driver is its only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/sumtree.hpp"
#include "rlcores/native/sumtree_banked.hpp"
#include "rlcores/native/isa.hpp"

#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

// Calls of at most this many numbers keep Python's lock. The tree admits one call at a time in any case. A thread that
// waits for the lock sleeps, and waking up takes longer than a short call, so releasing the lock would slow all down.
constexpr std::size_t SHORT = 1024;

// Priorities, or with an offset of at least 0 TD errors, as a caller has them. `fit` is false for what needs a closer
// look: another type, what is out of range or not finite. The caller's Python then finds the words for it.
class Values {
public:
    Values(nb::handle given, std::size_t n, double offset, int width) {
        if (given.is_none()) return;
        if (!view_.taken(given) || view_.size() != n) {
            fit = false;
        } else if (offset < 0) {
            numbers = view_.as<std::int64_t>();
            fit = view_.is<std::int64_t>() && kernels().tree_maths.within(numbers, n, std::int64_t{1} << width);
        } else {
            if (view_.is<float>())
                of_.floats = view_.as<float>();
            else if (view_.is<double>())
                of_.doubles = view_.as<double>();
            fit = of_.floats    ? kernels().tree_maths.finite_floats(of_.floats, n)
                  : of_.doubles ? kernels().tree_maths.finite_doubles(of_.doubles, n)
                                : false;
            of_.offset = offset;
            errors = &of_;
        }
    }
    Values(const Values&) = delete;
    Values& operator=(const Values&) = delete;

    bool fit = true;
    const std::int64_t* numbers = nullptr;
    const Errors* errors = nullptr;

private:
    Errors of_{};
    View view_;
};

template <class Tree>
void operations(Tree& tree, nb::handle kind, nb::handle index, nb::handle priority, nb::handle generation,
                nb::handle check, nb::handle use_max, nb::handle td, nb::handle answers) {
    const Array<std::uint8_t> kinds(kind);
    const std::size_t n = kinds.size();
    const Array<std::int64_t> indices(index, n), priorities(priority, n), generations(generation, n);
    const Array<bool> checks(check, n), maxima(use_max, n), tds(td, n);
    const View to(answers, true);
    if (to.bytes() != n * sizeof(OperationAnswer)) throw nb::type_error("the engine was given other answers");
    const Released released(n > SHORT);
    tree.operations({n, reinterpret_cast<const Kind*>(kinds.data()), indices.data(), priorities.data(),
                     generations.data(), checks.data(), maxima.data(), tds.data()},
                    to.as<OperationAnswer>());
}

template <class Tree>
void samples(Tree& tree, nb::handle kind, nb::handle value, nb::handle answers) {
    const Array<std::uint8_t> kinds(kind);
    const std::size_t n = kinds.size();
    const Array<std::uint64_t> values(value, n);
    const View to(answers, true);
    if (to.bytes() != n * sizeof(SampleAnswer)) throw nb::type_error("the engine was given other answers");
    const Released released(n > SHORT);
    tree.samples(reinterpret_cast<const Ask*>(kinds.data()), values.data(), n, to.as<SampleAnswer>());
}

template <class Tree>
bool draw(Tree& tree, std::uint32_t batch, bool stratified, nb::handle index, nb::handle priority,
          nb::handle generation, nb::handle total, nb::handle weight, nb::handle probability) {
    const Array<std::int64_t> indices(index, true);
    const std::size_t n = indices.size();
    const Array<std::int64_t> priorities(priority, n, true), generations(generation, n, true);
    const Wanted<std::int64_t> totals(total, n);
    const Wanted<float> weights(weight, n);
    const Wanted<double> probabilities(probability, n);
    const Released released(n > SHORT);
    return tree.draw(
        n, batch, stratified,
        {indices.data(), priorities.data(), generations.data(), totals.data(), weights.data(), probabilities.data()});
}

constexpr std::int64_t NEWS = std::int64_t{1} << 32;  // limited() has some

// Whether every slot behind the first `size`, which inserts took, has a priority all the same, which somebody else gave
// it; or its tag is another than that given.
template <class Tree>
bool taken(Tree& tree, std::int64_t size, const std::int64_t* index, const std::int64_t* generation, std::size_t n) {
    std::vector<std::int64_t> slots, tags;
    for (std::size_t i = 0; i < n; ++i) {
        if (index[i] < size) continue;
        slots.push_back(index[i]);
        if (generation) tags.push_back(generation[i]);
    }
    const std::vector<Kind> kinds(slots.size(), Kind::read);
    const std::vector<std::int64_t> nothing(slots.size(), 0);
    const auto no = std::make_unique<bool[]>(slots.size());
    std::vector<OperationAnswer> found(slots.size());
    tree.operations(
        {slots.size(), kinds.data(), slots.data(), nothing.data(), nothing.data(), no.get(), no.get(), no.get()},
        found.data());
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (found[i].priority == 0 && (!generation || found[i].generation == tags[i])) return false;
    return true;
}

// How many were stale, with NEWS; or -1, and nothing was done, when the arguments need a closer look. only_taken: so do
// slots that nobody took yet.
template <class Tree>
std::int64_t write(Tree& tree, int kind, nb::handle index, nb::handle value, nb::handle generation, double offset,
                   nb::handle accepted, bool only_taken) {
    View indices, generations;
    if (!indices.taken(index) || !indices.is<std::int64_t>()) return -1;
    const std::size_t n = indices.size();
    const bool checked = !generation.is_none();
    if ((static_cast<Kind>(kind) == Kind::commit && !checked) || (value.is_none() && offset >= 0)) return -1;
    if (checked && (!generations.taken(generation) || !generations.is<std::int64_t>() || generations.size() != n))
        return -1;
    const Wanted<bool> to(accepted, n);
    const Values values(value, n, offset, tree.shape().priority_width);
    if (!values.fit) return -1;
    const Released released(n > SHORT);
    const std::int64_t size = only_taken ? tree.size() : tree.capacity();
    const bool old = kernels().tree_maths.within(indices.as<std::int64_t>(), n, size);  // one look at most calls' slots
    if (!old && !kernels().tree_maths.within(indices.as<std::int64_t>(), n, tree.capacity())) return -1;
    if (checked && !kernels().tree_maths.within(generations.as<std::int64_t>(), n,
                                                std::int64_t{1} << tree.shape().generation_width))
        return -1;
    const std::int64_t* const tags =
        checked && tree.shape().generation_width ? generations.as<std::int64_t>() : nullptr;
    if (only_taken && !old && !taken(tree, size, indices.as<std::int64_t>(), tags, n)) return -1;
    const Written done = tree.write(
        {n, static_cast<Kind>(kind), indices.as<std::int64_t>(), values.numbers, generations.as<std::int64_t>(),
         checked, value.is_none() && static_cast<Kind>(kind) != Kind::read, false, values.errors},
        to.data(), nullptr, nullptr);
    return static_cast<std::int64_t>(done.stale) | (done.limited ? NEWS : 0);
}

// 0, or NEWS; -1, and nothing was done, when the values need a closer look.
template <class Tree>
std::int64_t insert_slots(Tree& tree, int kind, nb::handle value, double offset, nb::handle index,
                          nb::handle generation) {
    const Array<std::int64_t> indices(index, true);
    const std::size_t n = indices.size();
    const Array<std::int64_t> generations(generation, n, true);
    const Values values(value, n, offset, tree.shape().priority_width);
    if (!values.fit) return -1;
    const Released released(n > SHORT);
    const Written done = tree.write(
        {n, static_cast<Kind>(kind), nullptr, values.numbers, nullptr, false, value.is_none(), false, values.errors},
        nullptr, indices.data(), generations.data());
    return done.limited ? NEWS : 0;
}

template <class Tree>
nb::tuple limited(Tree& tree) {
    const Limited found = tree.limited();
    return nb::make_tuple(found.above, found.coarse, found.lost, found.moved);
}

// maths.of_errors of finite float64 TD errors into int64 priorities: how many were above, and how many are coarse.
nb::typed<nb::tuple, std::size_t, std::size_t> priorities(nb::handle errors, std::int64_t alpha, double offset,
                                                          std::int64_t scale, int width, nb::handle priority) {
    const Array<double> from(errors);
    const Array<std::int64_t> to(priority, from.size(), true);
    Made made;
    kernels().tree_maths.priorities_of_doubles(from.data(), to.data(), from.size(), {alpha, scale, width, offset},
                                               made);
    return nb::borrow<nb::typed<nb::tuple, std::size_t, std::size_t>>(nb::make_tuple(made.above, made.coarse));
}

// All registers at once, or none.
template <class Tree>
void configure(Tree& tree, nb::kwargs given) {
    std::vector<std::pair<std::string_view, std::int64_t>> numbers;
    for (auto [key, value] : given)
        numbers.emplace_back(nb::borrow<nb::str>(key).c_str(), nb::cast<std::int64_t>(nb::int_(nb::borrow(value))));
    if (!tree.configure(numbers)) throw nb::type_error("the engine has no such register");
}

template <class Tree>
nb::tuple events(const Tree& tree) {
    const Events found = tree.events();
    nb::list counts, flags;
    for (const std::uint32_t count : found.count) counts.append(count);
    for (const bool flag : found.flag) flags.append(flag);
    return nb::make_tuple(nb::tuple(counts), nb::tuple(flags));
}

// For pickle and copy: numbers, and the priorities of the slots.
nb::tuple state(const SumTree& tree) {
    const SumTree::State found = tree.state();
    nb::list numbers;
    for (const std::int64_t number : found.numbers) numbers.append(number);
    const std::vector<std::int64_t>& held = found.priorities;
    return nb::make_tuple(SumTree::State::version, nb::tuple(numbers),
                          nb::bytes(held.data(), held.size() * sizeof(held[0])));
}

void from_state(SumTree& tree, nb::tuple given) {
    SumTree::State to;
    if (given.size() != 3 || nb::cast<std::int64_t>(given[0]) != to.version)
        throw nb::value_error("that is the state of a sum tree of another version of rlcores");
    const nb::tuple numbers = nb::cast<nb::tuple>(given[1]);
    const nb::bytes held = nb::cast<nb::bytes>(given[2]);
    if (numbers.size() != to.numbers.size()) throw nb::value_error("that is no state of a sum tree");
    for (std::size_t i = 0; i < numbers.size(); ++i) to.numbers[i] = nb::cast<std::int64_t>(numbers[i]);
    to.priorities.resize(held.size() / sizeof(std::int64_t));
    std::memcpy(to.priorities.data(), held.c_str(), to.priorities.size() * sizeof(std::int64_t));
    new (&tree) SumTree(to);
}

// The memory of a tree that processes share. The caller keeps it as long as the tree.
void adopt_shared(SumTree& tree, nb::handle memory) {
    const Array<std::uint8_t> bytes(memory, true);
    if (bytes.size() != tree.place().bytes || reinterpret_cast<std::uintptr_t>(bytes.data()) % 64)
        throw nb::type_error("the engine was given other memory");
    tree.adopt(reinterpret_cast<std::byte*>(bytes.data()));
}

void load_shared(SumTree& tree, nb::handle numbers) {
    const Array<std::int64_t> from(numbers, SumTree::shared);
    tree.load(std::span<const std::int64_t, SumTree::shared>(from.data(), SumTree::shared));
}

void store_shared(const SumTree& tree, nb::handle numbers) {
    const Array<std::int64_t> to(numbers, SumTree::shared, true);
    tree.store(std::span<std::int64_t, SumTree::shared>(to.data(), SumTree::shared));
}

// What a tree of one lock and one in banks have alike.
template <class Tree>
void bind_calls(nb::class_<Tree>& type) {
    type.def("operations", &operations<Tree>)
        .def("samples", &samples<Tree>)
        .def("draw", &draw<Tree>, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none(), nb::arg().none())
        .def("write", &write<Tree>, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
             nb::arg())
        .def("insert", &insert_slots<Tree>, nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
        .def("configure", &configure<Tree>)
        .def("seed", &Tree::seed)
        .def("load_draws",
             [](Tree& tree, std::uint32_t s0, std::uint32_t s1, std::uint32_t s2, std::uint32_t s3) {
                 tree.load_draws({s0, s1, s2, s3});
             })
        .def("draws",
             [](const Tree& tree) {
                 const auto state = tree.draws();
                 return nb::make_tuple(state[0], state[1], state[2], state[3]);
             })
        .def("restart", &Tree::restart)
        .def("clear", &Tree::clear)
        .def("events", &events<Tree>)
        .def("clear_flags", &Tree::clear_flags)
        .def("saturated", &limited<Tree>)
        .def_prop_ro("scale", [](const Tree& tree) { return tree.settings().scale; })
        .def_prop_ro("size", &Tree::size)
        .def_prop_ro("next", &Tree::next)
        .def_prop_ro("total", &Tree::total)
        .def_prop_ro("largest", &Tree::largest)
        .def_prop_ro("capacity", &Tree::capacity)
        .def_static("order", &Tree::order);
}

}  // namespace

void bind_sumtree(nb::module_& module) {
    nb::class_<SumTree> tree(module, "SumTree");
    tree.def("__init__",
             [](SumTree* self, int leaves_log2, std::uint32_t capacity, int priority_width, int draw_width,
                int generation_width) {
                 new (self) SumTree(Shape{leaves_log2, capacity, priority_width, draw_width, generation_width});
             })
        .def("__getstate__", &state)
        .def("__setstate__", &from_state)
        .def_prop_ro("node_bytes", [](const SumTree& self) { return self.place().bytes; })
        .def_prop_ro("leaves_at", [](const SumTree& self) { return self.place().leaves; })
        .def_prop_ro("alpha", [](const SumTree& self) { return self.settings().alpha; })
        .def_prop_ro("beta", [](const SumTree& self) { return self.settings().beta; })
        .def("adopt", &adopt_shared, nb::keep_alive<1, 2>())
        .def("load", &load_shared)
        .def("store", &store_shared);
    bind_calls(tree);
    nb::class_<BankedTree> banked(module, "BankedTree");
    banked.def("__init__", [](BankedTree* self, std::uint32_t banks, int leaves_log2, std::uint32_t capacity,
                              int priority_width, int draw_width, int generation_width) {
        new (self) BankedTree(Shape{leaves_log2, capacity, priority_width, draw_width, generation_width}, banks);
    });
    bind_calls(banked);
    module.def("priorities", &priorities);
}

}  // namespace rlcores
