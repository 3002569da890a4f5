// tape.cpp — repeats the calls of a tape (tape.py) without Python: every answer and every array must be the same bits.
// SPDX-License-Identifier: Apache-2.0
//
// rlcores_tape FILE...: on each instruction set of this processor, prints how many calls were the same, or which was
// not.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rlcores/native/acting.hpp"
#include "rlcores/native/critics.hpp"
#include "rlcores/native/ddpg.hpp"
#include "rlcores/native/draws.hpp"
#include "rlcores/native/environments.hpp"
#include "rlcores/native/floats.hpp"
#include "rlcores/native/gae_rollout.hpp"
#include "rlcores/native/heads.hpp"
#include "rlcores/native/learner.hpp"
#include "rlcores/native/policy.hpp"
#include "rlcores/native/ppo.hpp"
#include "rlcores/native/replay.hpp"
#include "rlcores/native/replay_learner.hpp"
#include "rlcores/native/squashed.hpp"
#include "rlcores/native/sumtree.hpp"
#include "rlcores/native/sumtree_banked.hpp"
#include "rlcores/native/trained.hpp"
#include "rlcores/native/isa.hpp"

using namespace rlcores;

namespace {

struct Array {
    char type = 0;
    std::vector<std::int64_t> shape;
    std::vector<std::uint64_t> words;  // for their alignment
    std::size_t bytes = 0, item = 1;

    template <class T>
    T* as() {
        return reinterpret_cast<T*>(words.data());
    }
    std::size_t count() const { return bytes / item; }
};

struct Object;

struct Value {
    char kind = 'n';
    __int128 whole = 0;
    double number = 0;
    std::string text;
    std::vector<Value> items;
    Array* array = nullptr;
    Object* object = nullptr;
    std::shared_ptr<Object> fresh;  // that a call has made, as its answer

    Value() = default;
    Value(bool x) : kind('i'), whole(x) {}
    Value(int x) : kind('i'), whole(x) {}
    Value(unsigned x) : kind('i'), whole(x) {}
    Value(std::int64_t x) : kind('i'), whole(x) {}
    Value(std::uint64_t x) : kind('i'), whole(x) {}
    Value(unsigned __int128 x) : kind('i'), whole(static_cast<__int128>(x)) {}
    Value(double x) : kind('f'), number(x) {}
    Value(std::initializer_list<Value> of) : kind('l'), items(of) {}
    Value(std::shared_ptr<Object> x) : kind('o'), fresh(std::move(x)) {}
    template <class T, std::size_t n>
    Value(const std::array<T, n>& of) : kind('l'), items(of.begin(), of.end()) {}

    template <class T = std::int64_t>
    T i() const {
        return static_cast<T>(kind == 'f' ? static_cast<std::int64_t>(number) : static_cast<std::int64_t>(whole));
    }
    double f() const { return kind == 'i' ? static_cast<double>(static_cast<std::int64_t>(whole)) : number; }
    bool none() const { return kind == 'n'; }
    // Null where Python gave None.
    template <class T>
    T* as() const {
        return array ? array->as<T>() : nullptr;
    }
    std::size_t count() const { return array->count(); }
    template <class T = std::int64_t>
    std::vector<T> list() const {
        std::vector<T> found;
        for (const Value& one : items) found.push_back(one.i<T>());
        return found;
    }
};
using Args = std::vector<Value>;

struct Object {
    virtual ~Object() = default;
    virtual Value call(const std::string& name, Args& a) = 0;
};

[[noreturn]] void unknown(const std::string& name) {
    throw std::runtime_error("rlcores_tape knows no call '" + name + "': add it to verif/native/tape.cpp");
}

// One tree or one in banks, which draws for a Room.
struct Drawing : Object {
    virtual bool draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to) = 0;
};

Shape shape_of(const Args& a, std::size_t first) {
    return {a[first].i<int>(), a[first + 1].i<std::uint32_t>(), a[first + 2].i<int>(), a[first + 3].i<int>(),
            a[first + 4].i<int>()};
}

template <class Of>
struct AnyTree final : Drawing {
    Of tree;

    template <class... Given>
    explicit AnyTree(const Given&... given) : tree(given...) {}

    bool draw(std::size_t n, std::uint32_t batch, bool stratified, const Columns& to) override {
        return tree.draw(n, batch, stratified, to);
    }

    // Priorities or with an offset TD errors, as binding/sumtree.cpp takes them.
    Written write(Writes to, const Value& given, double offset, bool* accepted, std::int64_t* index,
                  std::int64_t* generation) {
        Errors errors{nullptr, nullptr, offset};
        if (given.none()) {
            to.use_max = to.kind != Kind::read;
        } else if (offset < 0) {
            to.priority = given.as<std::int64_t>();
        } else {
            (given.array->type == 'f' ? static_cast<void>(errors.floats = given.as<float>())
                                      : static_cast<void>(errors.doubles = given.as<double>()));
            to.errors = &errors;
        }
        return tree.write(to, accepted, index, generation);
    }

    Value call(const std::string& name, Args& a) override {
        if (name == "operations") {
            tree.operations({a[0].count(), a[0].as<Kind>(), a[1].as<std::int64_t>(), a[2].as<std::int64_t>(),
                             a[3].as<std::int64_t>(), a[4].as<bool>(), a[5].as<bool>(), a[6].as<bool>()},
                            a[7].as<OperationAnswer>());
        } else if (name == "samples") {
            tree.samples(a[0].as<Ask>(), a[1].as<std::uint64_t>(), a[0].count(), a[2].as<SampleAnswer>());
        } else if (name == "draw") {
            return tree.draw(a[2].count(), a[0].i<std::uint32_t>(), a[1].i<bool>(),
                             {a[2].as<std::int64_t>(), a[3].as<std::int64_t>(), a[4].as<std::int64_t>(),
                              a[5].as<std::int64_t>(), a[6].as<float>(), a[7].as<double>()});
        } else if (name == "write") {
            const Written done = write({a[1].count(), a[0].i<Kind>(), a[1].as<std::int64_t>(), nullptr,
                                        a[3].as<std::int64_t>(), !a[3].none(), false, false},
                                       a[2], a[4].f(), a[5].as<bool>(), nullptr, nullptr);
            return static_cast<std::int64_t>(done.stale) | (done.limited ? std::int64_t{1} << 32 : 0);
        } else if (name == "insert") {
            const Written done = write({a[3].count(), a[0].i<Kind>(), nullptr, nullptr, nullptr, false, false, false},
                                       a[1], a[2].f(), nullptr, a[3].as<std::int64_t>(), a[4].as<std::int64_t>());
            return done.limited ? std::int64_t{1} << 32 : std::int64_t{0};
        } else if (name == "saturated") {
            const Limited found = tree.limited();
            return {static_cast<std::int64_t>(found.above), static_cast<std::int64_t>(found.coarse),
                    static_cast<std::int64_t>(found.lost), found.moved};
        } else if (name == "scale") {
            return tree.settings().scale;
        } else if (name == "configure") {
            std::vector<std::pair<std::string_view, std::int64_t>> registers;
            for (const Value& one : a) registers.emplace_back(one.items[0].text, one.items[1].i());
            if (!tree.configure(registers)) throw std::runtime_error("the tree has no such register");
        } else if (name == "seed") {
            tree.seed(a[0].i<std::uint64_t>());
        } else if (name == "load_draws") {
            tree.load_draws(
                {a[0].i<std::uint32_t>(), a[1].i<std::uint32_t>(), a[2].i<std::uint32_t>(), a[3].i<std::uint32_t>()});
        } else if (name == "draws") {
            return tree.draws();
        } else if (name == "restart") {
            tree.restart();
        } else if (name == "clear") {
            tree.clear();
        } else if (name == "events") {
            return {tree.events().count, tree.events().flag};
        } else if (name == "clear_flags") {
            tree.clear_flags();
        } else if (name == "size") {
            return tree.size();
        } else if (name == "next") {
            return tree.next();
        } else if (name == "total") {
            return tree.total();
        } else if (name == "largest") {
            return tree.largest();
        } else if (name == "capacity") {
            return tree.capacity();
        } else {
            unknown(name);
        }
        return {};
    }
};

using Tree = AnyTree<SumTree>;

struct Registers final : Object {
    gae::Registers registers{};

    Value call(const std::string&, Args& a) override {
        const std::string& name = a[0].text;
        const std::int64_t to = a[1].i();
        const std::map<std::string, std::int64_t gae::Registers::*> wide{
            {"value_scale", &gae::Registers::value_scale},
            {"value_offset", &gae::Registers::value_offset},
            {"s_vn", &gae::Registers::s_vn},
            {"k_cut", &gae::Registers::k_cut},
            {"k_keep", &gae::Registers::k_keep},
            {"b_step", &gae::Registers::b_step},
            {"b_loop", &gae::Registers::b_loop}};
        const std::map<std::string, int gae::Registers::*> narrow{{"shift", &gae::Registers::shift},
                                                                  {"fraction", &gae::Registers::fraction},
                                                                  {"coefficient", &gae::Registers::coefficient},
                                                                  {"drop", &gae::Registers::drop},
                                                                  {"out_bits", &gae::Registers::out_bits},
                                                                  {"lookahead", &gae::Registers::lookahead}};
        if (wide.count(name))
            registers.*wide.at(name) = to;
        else if (narrow.count(name))
            registers.*narrow.at(name) = static_cast<int>(to);
        else
            unknown(name);
        return {};
    }
};

struct Outcome final : Object {
    gae::Outcome outcome;

    explicit Outcome(Args& a)
        : outcome{a[0].f(), a[1].f(), a[2].f(), a[3].i<bool>(), a[4].items[0].f(),           a[4].items[1].f(),
                  nullptr,  a[5].f(), a[6].f(), a[7].f(),       gae::power_of(a[8].i<int>())} {}
    Value call(const std::string& name, Args&) override { unknown(name); }
};

gae::Numbers numbers(const Value& x) {
    if (x.none()) return {nullptr, nullptr};
    return {x.array->type == 'f' ? x.as<float>() : nullptr, x.array->type == 'd' ? x.as<double>() : nullptr};
}

struct Rollout final : Object {
    gae::Rollout rollout;

    Value call(const std::string& name, Args& a) override {
        gae::Rollout& r = rollout;
        if (name == "load")
            return r.load(a[0].array->shape[0], a[0].array->shape[1], numbers(a[0]), numbers(a[1]),
                          a[2].as<std::uint8_t>(), a[3].as<std::uint8_t>(), numbers(a[4]), numbers(a[5]));
        if (name == "sum") return r.sum(a[0].i<bool>(), a[1].i<int>(), a[2].f(), a[3].i<bool>());
        if (name == "errors") return r.errors(a[0].f());
        if (name == "spread") return r.spread(a[0].f());
        if (name == "exact") {
            const gae::Sums sums = r.exact(a[0].i<int>());
            return {sums.total, sums.squares};
        }
        if (name == "quantise")
            return r.quantise(a[0].i<int>(), a[1].i<int>(), a[2].i<int>(), a[3].i(), a[4].i<int>(), a[5].i(),
                              a[6].list());
        if (name == "run") {
            const gae::Peak peak = r.run(dynamic_cast<Registers&>(*a[0].object).registers, a[1].list());
            return {peak.code, peak.sum, peak.value};
        }
        if (name == "lost") return r.lost(a[0].f(), a[1].f());
        if (name == "rms") return r.rms(a[0].f(), a[1].f(), a[2].as<double>());
        if (name == "steps") return r.steps;
        if (name == "lanes") return r.lanes;
        if (name == "boots") return r.boots;
        if (name == "sent") return r.sent();
        if (name == "first_reward") return r.first_reward;
        if (name == "first_value") return r.first_value;
        if (name == "rewards") return {r.rewards.least, r.rewards.most};
        if (name == "values") return {r.values.least, r.values.most};
        if (name == "threads") {
            r.threads(a[0].i<int>());
        } else if (name == "scale") {
            r.scale(a[0].f(), a[1].f());
        } else if (name == "centre") {
            r.centre(a[0].i<int>(), a[1].f(), a[2].f(), a[3].f());
        } else if (name == "outcome") {
            gae::Outcome by = dynamic_cast<Outcome&>(*a[0].object).outcome;
            by.constants = a[1].as<double>();
            r.outcome(by, a[2].list(), a[3].as<double>(), a[4].as<double>(), a[5].as<double>());
        } else if (name == "seen") {
            r.seen(dynamic_cast<Outcome&>(*a[0].object).outcome, a[1].as<double>(), a[2].as<double>(),
                   a[3].as<double>(), a[4].as<double>());
        } else {
            unknown(name);
        }
        return {};
    }
};

template <class T, class Kernel>
Value plain(Args& a, Kernel kernel) {
    const std::int64_t steps = a[0].array->shape[0], lanes = a[0].array->shape[1];
    const auto threads = a[10].i<int>();
    std::vector<int> found(static_cast<std::size_t>(threads), 0);
    gae::split(threads, steps, lanes, [&](int i, gae::Lanes mine) {
        found[static_cast<std::size_t>(i)] =
            kernel(a[0].as<T>(), a[1].as<T>(), mine, a[2].as<std::uint8_t>(), a[3].as<std::uint8_t>(), a[4].as<T>(),
                   a[5].as<T>(), static_cast<T>(a[6].f()), static_cast<T>(a[7].f()), a[8].as<T>(), a[9].as<T>());
    });
    int worst = 0;
    for (const int one : found) worst = one == 1 || !worst ? one : worst;
    return worst;
}

template <class T, class Kernel>
void product(Args& a, Kernel kernel) {
    const std::int64_t rows = a[0].array->shape[0], depth = a[0].array->shape[1];
    kernel(a[0].as<T>(), depth, 1, a[1].as<T>(), a[2].as<T>(), rows, depth, a[1].array->shape[1]);
}

struct Module final : Object {
    // SAC's head, by its arrays' places among the arguments; a sample's shape is that of its log-densities and actions.
    static heads::SquashedShape shape(std::size_t rows, std::size_t count) {
        return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(count / rows)};
    }
    static heads::Sampled sampled(Args& a, std::size_t u, std::size_t action, std::size_t log) {
        const auto at = [&](std::size_t i) { return i < a.size() ? a[i].as<std::int64_t>() : nullptr; };
        return {at(u), at(action), at(action + 1), a[action + 2].as<bool>(), at(log)};
    }

    // Stages of TD3 and SAC. False: it is another call.
    static bool critics(const std::string& name, Args& a, Value& answer) {
        using Whole = std::int64_t;
        const auto told = [](const heads::Limits& limits) { return Value{limits.limited, limits.most}; };
        const auto several = [](const Value& list) {
            std::vector<const Whole*> found;
            for (const Value& each : list.items) found.push_back(each.as<Whole>());
            return found;
        };
        if (name == "target_value") {
            answer = told(heads::target_value(several(a[0]), rows_of(a[2]), a[1].as<Whole>(), a[2].as<Whole>()));
        } else if (name == "critic_errors") {
            const heads::Targets of{a[1].as<Whole>(), a[2].as<Whole>(), a[3].as<Whole>(), a[4].as<Whole>(),
                                    rows_of(a[0]),    a[5].i(),         a[6].i()};
            const auto found = heads::critic_errors(of, a[0].as<Whole>(), a[7].as<Whole>(), a[8].as<Whole>());
            answer = {told(found.td), told(found.delta), found.reward};
        } else if (name == "least_value") {
            const auto values = several(a[0]);
            heads::least_value(values, rows_of(a[2]) / static_cast<Whole>(values.size()), a[1].i(), a[2].as<Whole>());
            answer = {};
        } else if (name == "limited_sum") {
            answer = told(heads::limited_sum(several(a[0]), rows_of(a[1]), a[1].as<Whole>()));
        } else if (name == "transition_codes") {
            const auto& from = a[0].items;
            const auto& to = a[2].items;
            const auto real = [&](std::size_t k) { return from[k].as<double>(); };
            const auto code = [&](std::size_t k) { return to[k].as<Whole>(); };
            const Whole rows = rows_of(from[2]);
            heads::Limits inputs{};
            const bool fits = heads::transition_codes({rows, rows_of(from[0]) / rows, rows_of(from[1]) / rows},
                                                      {real(0), real(1), real(2), real(3), real(4), real(5)}, a[1].i(),
                                                      {code(0), code(1), code(2), code(3), code(4), code(5)}, inputs);
            answer = fits ? told(inputs) : Value{};
        } else if (name == "normals") {
            heads::normals(*a[0].as<std::array<std::uint32_t, 4>>(), rows_of(a[2]) / a[1].i(), a[1].i(),
                           a[2].as<Whole>());
            answer = {};
        } else if (name == "exponential") {
            answer = heads::exponential(a[0].i());
        } else {
            return false;
        }
        return true;
    }
    static std::int64_t rows_of(const Value& array) { return static_cast<std::int64_t>(array.count()); }

    Value call(const std::string& name, Args& a) override {
        if (Value answer; critics(name, a, answer)) return answer;
        if (name == "squashed_sample") {
            const auto limited = heads::squashed_sample(shape(a[6].count(), a[1].count()), a[0].as<std::int64_t>(),
                                                        a[1].as<std::int64_t>(), sampled(a, 2, 3, 6));
            return {limited.samples, limited.logs};
        }
        if (name == "squashed_delta") {
            heads::squashed_delta(shape(a[4].i<std::size_t>(), a[0].count()), sampled(a, a.size(), 0, a.size()),
                                  a[3].as<std::int64_t>(), a[5].i(), a[6].i(), a[7].i(), a[8].as<std::int64_t>(),
                                  a[9].as<bool>());
            return {};
        }
        const bool single = a[0].array->type == 'f';
        const auto n = static_cast<std::int64_t>(a[0].count());
        if (name == "gae_plain")
            return single ? plain<float>(a, kernels().gae.plain32) : plain<double>(a, kernels().gae.plain64);
        if (name == "floats_product")
            single ? product<float>(a, kernels().floats.product32) : product<double>(a, kernels().floats.product64);
        else if (name == "floats_exp")
            kernels().floats.exp(a[0].as<double>(), n);
        else if (name == "floats_log")
            kernels().floats.log(a[0].as<double>(), n);
        else if (name == "floats_normal")
            kernels().floats.normal(a[0].as<double>(), n);
        else
            unknown(name);
        return {};
    }
};

#define RLCORES_NEXT(name) a[at++].i(),
#define RLCORES_ONE(name) +1

struct Learner final : Object {
    using Whole = learner::Whole;
    learner::Network network;
    learner::ValueStep step;

    explicit Learner(Args& a)
        : network(
              {a[1].list(),
               a[2].list(),
               a[3].list(),
               a[4].list(),
               a[5].i<int>(),
               learner::optimiser_of(a[6].text.c_str()),
               a[7].i<bool>(),
               static_cast<learner::RoundingMode>(a[8].i<int>()),
               a[9].i<bool>(),
               {a[10].items[0].i<int>(), a[10].items[1].i<int>(), a[10].items[2].i<int>(), a[10].items[3].i<int>()}},
              a[0].as<Whole>()),
          step(network) {}

    // Stages by themselves, of matrices of Python's, as binding/stages.cpp takes them.
    std::size_t layers() const { return static_cast<std::size_t>(network.layers); }
    static learner::Matrix taken(const Value& from);
    static void give(const learner::Matrix& from, const Value& to);
    bool forward(Args& a);
    bool backward(Args& a);
    bool gradient(Args& a);

    // The settings of a loss, which stand at `at` among the arguments, and how many there are.
    static learner::LossSettings loss(Args& a, std::size_t at) { return {RLCORES_LOSS(RLCORES_NEXT)}; }
    static learner::LossSettings critic_loss(Args& a, std::size_t at) { return {RLCORES_CRITIC_LOSS(RLCORES_NEXT) 0}; }
    static constexpr std::size_t LOSS = 0 RLCORES_LOSS(RLCORES_ONE);
    static constexpr std::size_t CRITIC_LOSS = 0 RLCORES_CRITIC_LOSS(RLCORES_ONE);

    Value call(const std::string& name, Args& a) override {
        if (name == "gradients")
            return step.gradients({a[0].array->shape[0], a[6].i(), a[0].as<Whole>(), a[1].as<Whole>(), a[2].as<Whole>(),
                                   a[3].as<Whole>(), a[4].as<std::uint8_t>(), a[5].as<Whole>()},
                                  loss(a, 7), a[LOSS + 7].as<Whole>(), a[LOSS + 8].as<Whole>(),
                                  a[LOSS + 9].as<Whole>());
        if (name == "replayed")
            return ReplayStep{dynamic_cast<Tree&>(*a[0].object).tree, network, step}(
                {a[1].as<std::uint32_t>(), static_cast<std::size_t>(a[1].array->shape[0]),
                 static_cast<std::size_t>(a[1].array->shape[1]), a[2].i<std::size_t>(), a[3].i<std::size_t>()},
                {a[4].array->bytes / sizeof(SampleAnswer), a[4].as<SampleAnswer>(), a[5].i(), a[6].i<int>(),
                 a[7].i<bool>()},
                loss(a, 8), a[LOSS + 8].as<Whole>(), a[LOSS + 9].as<Whole>(), a[LOSS + 10].i());
        if (name == "forward") return forward(a);
        if (name == "backward") return backward(a);
        if (name == "gradient") return gradient(a);
        if (name == "outputs") return network.outputs(a[0].as<double>(), a[0].array->shape[0], a[1].as<double>());
        if (name == "refresh") {
            network.refresh(a[0].i<bool>());
        } else if (name == "activate") {
            learner::Hidden kind{};
            learner::hidden_of(a[0].text, kind);
            network.activate(kind);
        } else if (name == "rates") {
            network.rates(
                {a[0].i(), a[1].i(), a[2].i(), a[3].i(), a[4].i(), a[7].i(), a[8].i(), a[5].list(), a[6].list()});
        } else if (name == "log_rate") {
            network.log_rate(a[0].i());
        } else if (name == "update") {
            learner::Network::Counts found{};
            network.update(a[0].as<Whole>(), a[1].i<bool>(), a[2].as<Whole>(), found);
            learner::add(found, a[3].as<Whole>(), a[4].i(), network.layers);
        } else {
            unknown(name);
        }
        return {};
    }
};

learner::Matrix Learner::taken(const Value& from) {
    learner::Matrix to;
    to.shape(from.array->shape[0], from.array->shape[1]);
    const Whole* x = from.as<Whole>();
    for (Whole r = 0; r < to.rows; ++r)
        for (Whole c = 0; c < to.columns; ++c) to.row(r)[c] = static_cast<double>(*x++);
    return to;
}

void Learner::give(const learner::Matrix& from, const Value& to) {
    Whole* x = to.as<Whole>();
    for (Whole r = 0; r < from.rows; ++r)
        for (Whole c = 0; c < from.columns; ++c) *x++ = static_cast<Whole>(from.row(r)[c]);
}

bool Learner::forward(Args& a) {
    const std::vector<Value>& found = a[2].items;
    std::vector<learner::Matrix> vectors(layers() + 1), before;
    vectors[0] = taken(a[0]);
    learner::Network::Counts limited{};
    if (!network.forward(vectors, a[1].i<bool>(), static_cast<Whole>(found.size()), limited, &before)) return false;
    if (a.size() > 5) {
        const std::vector<Value>& to = a[5].items;
        for (std::size_t l = 0; l < to.size(); ++l) give(before[l + 1], to[l]);
    }
    for (std::size_t l = 0; l < found.size(); ++l) give(vectors[l + 1], found[l]);
    learner::add(limited, a[3].as<Whole>(), a[4].i(), static_cast<Whole>(found.size()));
    return true;
}

bool Learner::backward(Args& a) {
    std::vector<learner::Matrix> vectors(layers() + 1), deltas(layers() + 1);
    for (std::size_t l = 1; l < layers(); ++l) vectors[l] = taken(a[0].items[l - 1]);
    deltas[layers()] = taken(a[1]);
    learner::Network::Counts limited{};
    if (!network.backward(vectors, deltas, a[2].list(), limited)) return false;
    for (std::size_t l = 1; l < layers(); ++l) give(deltas[l], a[3].items[layers() - 1 - l]);
    learner::add(limited, a[4].as<Whole>(), a[5].i(), network.layers);
    return true;
}

bool Learner::gradient(Args& a) {
    std::vector<learner::Matrix> vectors(layers() + 1), deltas(layers() + 1);
    for (std::size_t l = 0; l < layers(); ++l) vectors[l] = taken(a[0].items[l]), deltas[l + 1] = taken(a[1].items[l]);
    learner::Network::Counts limited{};
    if (!network.gradient(vectors, deltas, a[2].as<Whole>(), limited)) return false;
    learner::add(limited, a[3].as<Whole>(), a[4].i(), network.layers);
    return true;
}

// A batch's vectors and deltas.
struct Pass final : Object {
    learner::Pass own;

    Value call(const std::string& name, Args& a) override {
        const auto layer = a[0].i<std::size_t>();
        if (name == "vector")
            own.vectors.at(layer).give(a[1].as<learner::Whole>());
        else if (name == "delta")
            own.give_delta(static_cast<learner::Whole>(layer), a[1].as<learner::Whole>());
        else
            unknown(name);
        return {};
    }
};

// A network of SAC, TD3 or DQN.
struct Trained final : Object {
    using Whole = learner::Whole;
    learner::Trained network;

    explicit Trained(Args& a)
        : network({a[1].list(),
                   zeros(a[1]),
                   zeros(a[1]),
                   zeros(a[1]),
                   a[2].i<int>(),
                   learner::optimiser_of(a[3].text.c_str()),
                   a[4].i<bool>(),
                   learner::RoundingMode::nearest,
                   a[5].i<bool>(),
                   {a[6].items[0].i<int>(), a[6].items[1].i<int>(), a[6].items[2].i<int>(), a[6].items[3].i<int>()}},
                  a[0].as<Whole>()) {}
    static std::vector<Whole> zeros(const Value& sizes) { return std::vector<Whole>(sizes.items.size()); }
    static learner::Pass& pass(const Value& x) { return dynamic_cast<Pass&>(*x.object).own; }

    // What a stage counts and sees, into its caller's counters from `base` on and its largest magnitudes.
    template <class Stage>
    static bool told(Stage stage, const Value& counters, const Value& base, const Value& most) {
        learner::Counts counted{};
        learner::Trained::Most found{};
        if (!stage(counted, found)) return false;
        for (std::size_t l = 0; l < found.size(); ++l) {
            counters.as<Whole>()[base.i() + static_cast<Whole>(l)] += counted[l];
            most.as<Whole>()[l] = found[l];
        }
        return true;
    }

    Value call(const std::string& name, Args& a) override {
        if (name == "forward") {
            auto made = std::make_shared<Pass>();
            const auto stage = [&](auto& counted, auto& found) {
                return network.forward(made->own, a[0].as<Whole>(), a[0].array->shape[0], a[1].i<bool>(), a[2].i(),
                                       counted, found);
            };
            if (!told(stage, a[4], a[5], a[6])) return {};
            made->own.vectors[a[2].i<std::size_t>()].give(a[3].as<Whole>());
            return std::shared_ptr<Object>(std::move(made));
        }
        if (name == "backward")
            return told(
                [&](auto& counted, auto& found) {
                    return network.backward(pass(a[0]), a[1].as<Whole>(), a[2].list(), counted, found);
                },
                a[3], a[4], a[5]);
        if (name == "gradient")
            return told([&](auto& counted,
                            auto& found) { return network.gradient(pass(a[0]), a[1].as<Whole>(), counted, found); },
                        a[2], a[3], a[4]);
        if (name == "to_input") return network.to_input(pass(a[0]), a[1].list(), a[2].as<Whole>());
        if (name == "formats") {
            network.formats(a[0].list(), a[1].list(), a[2].list());
        } else if (name == "refresh") {
            network.stale(a[0].i<bool>());
        } else if (name == "rates") {
            network.rates(
                {a[0].i(), a[1].i(), a[2].i(), a[3].i(), a[4].i(), a[7].i(), a[8].i(), a[5].list(), a[6].list()});
        } else if (name == "log_rate") {
            network.log_rate(a[0].i());
        } else if (name == "update") {
            learner::Counts found{};
            network.update(a[0].as<Whole>(), a[1].i<bool>(), found);
            learner::add(found, a[2].as<Whole>(), a[3].i(), network.layers);
        } else {
            unknown(name);
        }
        return {};
    }
};

struct Ddpg final : Object {
    using Whole = learner::Whole;
    learner::DdpgStep step;

    explicit Ddpg(Args& a) : Ddpg(dynamic_cast<Learner&>(*a[0].object), dynamic_cast<Learner&>(*a[1].object), a) {}
    Ddpg(Learner& critic, Learner& actor, Args& a)
        : step({a[2].i(), a[3].i(), a[4].i(), a[5].list()}, critic.network, critic.step, actor.network) {}

    Value call(const std::string& name, Args& a) override {
        const Whole count = a[0].array->shape[0];
        if (name == "critic")
            return step.critic({count, a[7].i(), a[0].as<Whole>(), a[6].as<Whole>(), a[2].as<Whole>(), a[3].as<Whole>(),
                                a[4].as<std::uint8_t>(), a[5].as<Whole>()},
                               a[1].as<Whole>(), Learner::critic_loss(a, 8), a[Learner::CRITIC_LOSS + 8].as<Whole>(),
                               a[Learner::CRITIC_LOSS + 9].as<Whole>(), a[Learner::CRITIC_LOSS + 10].as<Whole>());
        if (name != "actor") unknown(name);
        return step.actor({count, a[2].i(), a[0].as<Whole>(), a[1].as<Whole>(), nullptr, nullptr, nullptr, nullptr},
                          a[3].i(), a[4].as<Whole>(), a[5].as<Whole>());
    }
};

struct Policy final : Object {
    learner::Policy policy;

    explicit Policy(Args& a)
        : policy(a[0].list(), a[1].list(), a[2].i<int>(), a[3].i<bool>(),
                 std::vector<learner::Whole>(a[4].as<learner::Whole>(), a[4].as<learner::Whole>() + a[4].count())) {}

    Value call(const std::string& name, Args& a) override {
        if (name != "act") unknown(name);
        const learner::Whole rows = a[0].array->shape[0];
        return a[0].array->type == 'f' ? policy.act(a[0].as<float>(), rows, a[1].as<double>())
                                       : policy.act(a[0].as<double>(), rows, a[1].as<double>());
    }
};

struct Acting final : Object {
    using Whole = learner::Whole;
    policy::Acting policy;

    explicit Acting(Args& a)
        : policy(a[0].list(), a[1].list(), a[2].i<int>(), a[3].i<bool>(), numbers(a[4]), numbers(a[5])) {}
    static std::vector<Whole> numbers(const Value& array) {
        return {array.as<Whole>(), array.as<Whole>() + array.count()};
    }

    Value call(const std::string& name, Args& a) override {
        if (name != "act") unknown(name);
        auto* words = a[1].as<std::uint32_t>();
        Draws draws(32);
        draws.load({words[0], words[1], words[2], words[3]});
        const std::vector<Whole> s = a[5].list();
        const policy::Settings settings{s.at(0), s.at(1) != 0, static_cast<policy::Squash>(s.at(2)), s.at(3)};
        const bool done = policy.act(a[0].as<Whole>(), a[0].array->shape[0], draws, settings,
                                     {a[2].as<Whole>(), a[3].as<Whole>(), a[4].as<Whole>()}, a[6].as<Whole>());
        std::memcpy(words, draws.state().data(), 16);
        return done;
    }
};

struct Environments final : Object {
    env::Environments envs;

    explicit Environments(Args& a) : envs(env::named(a[0].text).value(), a[1].i(), a[2].i()) {}

    Value call(const std::string& name, Args& a) override {
        if (name == "counters") return envs.counters();
        if (name == "start") {
            const auto words = a[0].list<std::uint32_t>();
            envs.start({words.at(0), words.at(1), words.at(2), words.at(3)}, a[1].as<float>());
        } else if (name == "step") {
            envs.step(a[0].as<std::int64_t>(), static_cast<std::int64_t>(a[0].count()) / envs.components(),
                      {a[1].as<float>(), a[2].as<float>(), a[3].as<double>(), a[4].as<std::uint8_t>(),
                       a[5].as<std::uint8_t>()});
        } else if (name == "going") {
            envs.going(a[0].i<bool>(), {a[1].as<std::int64_t>(), a[2].as<std::int64_t>(), a[3].as<std::int64_t>(),
                                        a[4].as<std::int64_t>()});
        } else {
            unknown(name);
        }
        return {};
    }
};

struct Ppo final : Object {
    using Whole = learner::Whole;
    ppo::Ppo own;

    explicit Ppo(Args& a)
        : own(dynamic_cast<Learner&>(*a[0].object).network,
              a[1].none() ? nullptr : &dynamic_cast<Learner&>(*a[1].object).network, a[2].i<bool>(), a[3].as<Whole>(),
              registers(a[4].list())) {}
    static ppo::Registers registers(const std::vector<Whole>& r) {
        return {r.at(0), r.at(1), r.at(2), r.at(3), r.at(4), r.at(5), r.at(6), r.at(7), r.at(8), r.at(9), r.at(10)};
    }

    // Calls with the generator of an array's words, which go on with it.
    template <class Call>
    static Value drawing(const Value& state, Call call) {
        auto* words = state.as<std::uint32_t>();
        Draws draws(32);
        draws.load({words[0], words[1], words[2], words[3]});
        const Value found = call(draws);
        std::memcpy(words, draws.state().data(), 16);
        return found;
    }

    Value call(const std::string& name, Args& a) override {
        const auto w = [&](std::size_t i) { return a[i].as<Whole>(); };
        if (name == "act")
            return drawing(a[1], [&](Draws& draws) {
                return own.act(w(0), a[0].array->shape[0], draws, {w(2), w(3), w(4), w(5)}, w(6));
            });
        if (name == "collect")
            return drawing(a[4], [&](Draws& draws) {
                return own.collect(
                    dynamic_cast<Environments&>(*a[0].object).envs, a[1].i(), a[2].i(), w(3), draws,
                    {w(5), w(6), w(7), w(8), w(9), a[10].as<std::uint8_t>(), a[11].as<std::uint8_t>(), w(12)}, w(13));
            });
        if (name == "quick") return own.quick();
        if (name == "values") return own.values(w(0), a[0].array->shape[0], w(1), w(2));
        if (name == "shuffle") {
            std::array<std::uint32_t, 12> keys;
            std::ranges::copy(a[0].list<std::uint32_t>(), keys.begin());
            const auto at = [&](std::size_t of, std::size_t i) { return a[of].items[i].as<Whole>(); };
            const auto n = static_cast<Whole>(a[1].items[2].count());
            own.shuffle({n, at(1, 0), at(1, 1), at(1, 2), at(1, 3), at(1, 4)}, keys,
                        {at(2, 0), at(2, 1), at(2, 2), at(2, 3), at(2, 4)});
            return {};
        }
        if (name == "gradients")
            return own.gradients({a[0].array->shape[0], w(0), w(1), w(2), w(3), w(4)}, {w(5), w(6), w(7)}, w(8));
        if (name == "advantages") {
            const auto all = static_cast<Whole>(a[0].count()), envs = static_cast<Whole>(a[3].count());
            ppo::advantages({all / envs,
                             envs,
                             w(0),
                             w(1),
                             w(2),
                             w(3),
                             a[4].as<std::uint8_t>(),
                             a[5].as<std::uint8_t>(),
                             w(6),
                             w(7),
                             w(8),
                             {a[9].i(), w(10), w(11)}},
                            own.registers, w(12));
        } else if (name == "apply") {
            own.apply({w(0), w(1), w(2)}, a[3].i(), w(4));
        } else {
            unknown(name);
        }
        return {};
    }
};

struct Rows final : Object {
    ReplayRows rows{};

    static ReplayField field(const Value& where, std::int64_t count) {
        const Array& array = *where.items[0].array;
        return {where.items[0].as<std::byte>() + where.items[1].i(), array.bytes / static_cast<std::size_t>(count),
                where.items[2].i<std::size_t>()};
    }
    template <class T>
    static ReplayNumbers<T> numbers(const Value& where, std::int64_t count) {
        const ReplayField found = field(where, count);
        return {found.data, found.stride};
    }
    static std::vector<std::byte*> each(const Value& arrays) {
        std::vector<std::byte*> found;
        for (const Value& one : arrays.items) found.push_back(one.as<std::byte>());
        return found;
    }

    explicit Rows(Args& a) {
        rows.rows = a[0].i(), rows.columns = a[1].i(), rows.ring = a[2].i();
        const std::int64_t all = rows.rows * rows.columns, ring = rows.ring * rows.columns;
        rows.reward = numbers<float>(a[3], all), rows.flags = numbers<std::uint8_t>(a[4], all);
        rows.first = numbers<bool>(a[5], ring), rows.place = numbers<std::int64_t>(a[6], all);
        rows.free = a[7].as<std::int64_t>(), rows.counts = a[8].as<std::int64_t>();
        for (const Value& one : a[9].items)
            rows.observations.push_back({field(one, ring), one.items[3].as<std::byte>(), one.items[4].i()});
        for (const Value& one : a[10].items) rows.others.push_back(field(one, all));
    }

    Value call(const std::string& name, Args& a) override {
        if (name == "put") {
            const auto from = [](const Value& arrays) {
                const std::vector<std::byte*> found = each(arrays);
                return std::vector<const std::byte*>(found.begin(), found.end());
            };
            const bool look = put(rows, {a[0].i(), a[5].count() / static_cast<std::size_t>(rows.columns), from(a[1]),
                                         from(a[2]), from(a[3]), a[4].as<float>(), a[5].as<std::uint8_t>()});
            return static_cast<std::int64_t>(look ? -2 : -1);
        }
        unknown(name);
    }
};

struct Room final : Object {
    const Object* rows;
    ReplayBatch batch{};
    std::vector<std::int64_t> priorities;
    Args arrays;

    explicit Room(Args& a) : rows(a[0].object), arrays(a) {
        batch.slots = a[1].as<std::int64_t>(), batch.n = a[1].count();
        batch.observations = Rows::each(a[2]), batch.following = Rows::each(a[3]), batch.others = Rows::each(a[4]);
        batch.reward = a[5].as<float>(), batch.discount = a[6].as<float>();
        batch.terminated = a[7].as<bool>(), batch.truncated = a[8].as<bool>();
        priorities.resize(batch.n);
    }

    Value call(const std::string& name, Args& a) override {
        if (name == "of") return a[0].object == rows;
        if (name != "gather" && name != "sample") unknown(name);
        if (name == "sample" && !dynamic_cast<Drawing&>(*a[5].object)
                                     .draw(batch.n, a[6].i<std::uint32_t>(), a[7].i<bool>(),
                                           {arrays[1].as<std::int64_t>(), priorities.data(),
                                            arrays[9].as<std::int64_t>(), nullptr, arrays[10].as<float>(), nullptr}))
            return false;
        batch.time = a[1].i(), batch.steps = a[2].i(), batch.gamma = a[3].f();
        gather(dynamic_cast<Rows&>(*a[0].object).rows, batch, a[4].i<unsigned>());
        return name == "sample" ? Value(true) : Value();
    }
};

std::unique_ptr<Object> made(const std::string& name, Args& a) {
    if (name == "Ppo") return std::make_unique<Ppo>(a);
    if (name == "Environments") return std::make_unique<Environments>(a);
    if (name == "SumTree") return std::make_unique<Tree>(shape_of(a, 0));
    if (name == "BankedTree") return std::make_unique<AnyTree<BankedTree>>(shape_of(a, 1), a[0].i<std::uint32_t>());
    if (name == "GaeRegisters") return std::make_unique<Registers>();
    if (name == "GaeOutcome") return std::make_unique<Outcome>(a);
    if (name == "GaeRollout") return std::make_unique<Rollout>();
    if (name == "LearnerNetwork") return std::make_unique<Learner>(a);
    if (name == "LearnerDdpg") return std::make_unique<Ddpg>(a);
    if (name == "TrainedNetwork") return std::make_unique<Trained>(a);
    if (name == "LearnerPolicy") return std::make_unique<Policy>(a);
    if (name == "Acting") return std::make_unique<Acting>(a);
    if (name == "ReplayRoom") return std::make_unique<Room>(a);
    if (name == "ReplayRows") return std::make_unique<Rows>(a);
    unknown(name);
}

class Player {
public:
    explicit Player(const std::string& tape) : tape_(tape) { objects_.push_back(std::make_unique<Module>()); }

    std::uint64_t calls = 0;

    void play() {
        for (std::uint64_t left = take<std::uint64_t>(); left; --left) {
            call();
            ++calls;
        }
        if (at_ != tape_.size()) throw std::runtime_error("the tape has a rest");
    }

private:
    const std::string& tape_;
    std::size_t at_ = 0;
    std::vector<std::shared_ptr<Object>> objects_;
    std::map<std::uint32_t, Array> arrays_;

    const char* bytes(std::size_t n) {
        if (tape_.size() - at_ < n) throw std::runtime_error("the tape is cut short");
        at_ += n;
        return tape_.data() + at_ - n;
    }
    template <class T>
    T take() {
        T found;
        std::memcpy(&found, bytes(sizeof(T)), sizeof(T));
        return found;
    }

    Value value() {
        Value found;
        found.kind = take<char>();
        switch (found.kind) {
            case 'n': break;
            case 'i': found.whole = take<__int128>(); break;
            case 'f': found.number = take<double>(); break;
            case 's': {
                const auto n = take<std::uint32_t>();
                found.text.assign(bytes(n), n);
                break;
            }
            case 'l': {
                const auto n = take<std::uint32_t>();
                for (std::uint32_t i = 0; i < n; ++i) found.items.push_back(value());
                break;
            }
            case 'o': found.object = objects_.at(take<std::uint32_t>()).get(); break;
            case 'a': found.array = &arrays_.at(take<std::uint32_t>()); break;
            default: throw std::runtime_error("the tape has a value of no kind");
        }
        return found;
    }

    static void write(std::string& to, const Value& x) {
        const auto put = [&](const auto& number) { to.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
        to += x.kind;
        if (x.kind == 'i') put(x.whole);
        if (x.kind == 'f') put(x.number);
        if (x.kind != 'l') return;
        put(static_cast<std::uint32_t>(x.items.size()));
        for (const Value& one : x.items) write(to, one);
    }

    // Of an array, its place is kept: objects may hold it.
    void call() {
        for (auto n = take<std::uint32_t>(); n; --n) {
            Array& array = arrays_[take<std::uint32_t>()];
            array.type = static_cast<char>(take<std::uint8_t>());
            const auto dimensions = take<std::uint8_t>();
            array.item = take<std::uint32_t>();
            array.shape.clear();
            array.bytes = array.item;
            for (int i = 0; i < dimensions; ++i) {
                array.shape.push_back(take<std::int64_t>());
                array.bytes *= static_cast<std::size_t>(array.shape.back());
            }
            if (array.words.size() != array.bytes / 8 + 1) array.words.resize(array.bytes / 8 + 1);
            std::memcpy(array.words.data(), bytes(array.bytes), array.bytes);
        }
        const auto number = take<std::uint32_t>();
        const std::string name = value().text;
        Args args = value().items;
        const auto size = take<std::uint32_t>();
        const std::string wanted(bytes(size), size);
        std::map<std::uint32_t, std::vector<std::uint64_t>> left;
        for (auto n = take<std::uint32_t>(); n; --n) {
            const auto which = take<std::uint32_t>();
            auto& content = left[which] = arrays_.at(which).words;
            if (const std::size_t length = take<bool>() ? arrays_.at(which).bytes : 0)
                std::memcpy(content.data(), bytes(length), length);
        }
        std::string found;
        if (number == objects_.size()) {
            objects_.push_back(made(name, args));
            found = "n";
        } else {
            const Value answer = objects_.at(number)->call(name, args);
            write(found, answer);
            if (answer.fresh) {
                const auto place = static_cast<std::uint32_t>(objects_.size());
                found.append(reinterpret_cast<const char*>(&place), sizeof(place));
                objects_.push_back(answer.fresh);
            }
        }
        const auto fail = [&](const std::string& what) {
            throw std::runtime_error(what + " of call " + std::to_string(calls) + ", '" + name + "', is another");
        };
        if (found != wanted) fail("the answer");
        for (const auto& [which, content] : left) {
            const Array& array = arrays_.at(which);
            if (std::memcmp(array.words.data(), content.data(), array.bytes)) fail("array " + std::to_string(which));
        }
    }
};

}  // namespace

int main(int count, char** given) {
    try {
        for (const Isa& each : isas())
            for (int i = 1; choose_isa(each.name) && i < count; ++i) {
                std::ifstream file(given[i], std::ios::binary);
                const std::string tape{std::istreambuf_iterator<char>(file), {}};
                Player player(tape);
                player.play();
                std::printf("%s: %llu calls of %s are the same\n", isa().name.data(),
                            static_cast<unsigned long long>(player.calls), given[i]);
            }
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
