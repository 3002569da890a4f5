// ppo.cpp — PPO for Python; rlcores.cores.ppo.native is the only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/ppo.hpp"

#include <nanobind/stl/array.h>

#include <algorithm>

#include "held_network.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

using learner::Whole;

// Numbers of any shape, as many as they have to be.
template <class T>
class Block {
public:
    Block(nb::handle object, Whole n, bool writable = false) : view_(object, writable) {
        if (!view_.is<T>(view_.dimensions()) || view_.size() != static_cast<std::size_t>(n))
            throw nb::value_error("the engine was given an array of another type or shape");
    }
    T* data() const { return view_.as<T>(); }

private:
    View view_;
};
std::uint8_t* flags(const Block<bool>& block) { return reinterpret_cast<std::uint8_t*>(block.data()); }

// An actor, a critic or None, and the log-deviations, all kept by Python while this is.
class HeldPpo {
public:
    using Logs = nb::ndarray<Whole, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

    HeldPpo(Held& actor, Held* critic, bool gaussian, Logs logs, std::array<Whole, 11> r)
        : logs_(std::move(logs)),
          actor_(actor),
          critic_(critic),
          ppo_(actor.network, checked(actor, critic, gaussian, logs_), gaussian, logs_.data(),
               {r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10]}) {}

    bool act(Codes observations, nb::handle noise, nb::handle actions, nb::handle samples, nb::handle logs,
             nb::handle values, nb::handle counters) {
        const auto n = static_cast<Whole>(observations.shape(0));
        check(observations, n, ppo_.inputs());
        const Block<Whole> action(actions, n * ppo_.width(), true), sample(samples, n * ppo_.width(), true);
        const Block<Whole> log(logs, n, true), value(values, n, true), counts(counters, ppo::COUNTERS, true);
        const Array<std::uint32_t> state(noise, 4, true);
        const Released released;
        Draws draws = from(state);
        const bool done = ppo_.act(observations.data(), n, draws,
                                   {action.data(), sample.data(), log.data(), value.data()}, counts.data());
        std::copy_n(draws.state().begin(), 4, state.data());
        return done;
    }

    bool values(Codes observations, nb::handle found, nb::handle counters) {
        const auto n = static_cast<Whole>(observations.shape(0));
        check(observations, n, ppo_.inputs());
        const Block<Whole> to(found, n, true), counts(counters, ppo::COUNTERS, true);
        const Released released;
        return ppo_.values(observations.data(), n, to.data(), counts.data());
    }

    // How many of the steps are done, from `first` on.
    Whole collect(env::Environments& envs, Whole first, Whole steps, nb::handle now, nb::handle noise,
                  nb::handle observations, nb::handle samples, nb::handle logs, nb::handle values, nb::handle rewards,
                  nb::handle terminated, nb::handle truncated, nb::handle final, nb::handle counters) {
        const Whole n = envs.count(), in = ppo_.inputs(), all = steps * n;
        if (first < 0 || first > steps || in != envs.observations() || (ppo_.gaussian() && ppo_.width() != 1) ||
            !envs.running())
            throw nb::value_error("the engine cannot collect from these environments");
        const Block<Whole> seen(now, n * in, true), observation(observations, all * in, true);
        const Block<Whole> sample(samples, all * ppo_.width(), true), log(logs, all, true), value(values, all, true);
        const Block<Whole> reward(rewards, all, true), last(final, all * in, true);
        const Block<bool> ended(terminated, all, true), cut(truncated, all, true);
        const Block<Whole> counts(counters, ppo::COUNTERS, true);
        const Array<std::uint32_t> state(noise, 4, true);
        const Released released;
        Draws draws = from(state);
        const Whole done = ppo_.collect(envs, first, steps, seen.data(), draws,
                                        {observation.data(), sample.data(), log.data(), value.data(), reward.data(),
                                         flags(ended), flags(cut), last.data()},
                                        counts.data());
        std::copy_n(draws.state().begin(), 4, state.data());
        return done;
    }

    // baselines, steps and seen are empty where bits is 0.
    void advantages(nb::handle given, nb::handle values, nb::handle finals, nb::handle bootstrap, nb::handle terminated,
                    nb::handle truncated, nb::handle rewards, nb::handle found, nb::handle baselines, Whole bits,
                    nb::handle steps, nb::handle seen, nb::handle counters) {
        if (bits && (bits < 3 || bits > 10)) throw nb::value_error("the engine has no records of that many bits");
        const auto n = static_cast<Whole>(Array<Whole>(bootstrap).size());
        const View whole(given, false);
        const auto all = static_cast<Whole>(whole.size());
        if (!n || all % n) throw nb::value_error("the engine was given arrays of different lengths");
        const Block<Whole> reward(given, all), value(values, all), final(finals, all), last(bootstrap, n);
        const Block<bool> ended(terminated, all), cut(truncated, all);
        const Block<Whole> scaled(rewards, all, true), to(found, all, true), counts(counters, ppo::COUNTERS, true);
        const Whole kinds = bits ? 3 : 0;
        const Block<Whole> base(baselines, bits ? all : 0, true), step(steps, kinds), used(seen, kinds, true);
        for (Whole i = 0; i < kinds; ++i)
            if (step.data()[i] < 0 || step.data()[i] > 26)
                throw nb::value_error("the engine has no records of such steps");
        const Released released;
        ppo::advantages({all / n,
                         n,
                         reward.data(),
                         value.data(),
                         final.data(),
                         last.data(),
                         flags(ended),
                         flags(cut),
                         scaled.data(),
                         to.data(),
                         base.data(),
                         {bits, step.data(), used.data()}},
                        ppo_.registers, counts.data());
    }

    // from, to: observations, actions, logs, values, advantages.
    void shuffle(std::array<std::uint32_t, 12> keys, std::array<nb::handle, 5> from, std::array<nb::handle, 5> to) {
        const auto n = static_cast<Whole>(Array<Whole>(from[2]).size());
        const Each given(from, n, ppo_.inputs(), ppo_.width(), false), room(to, n, ppo_.inputs(), ppo_.width(), true);
        const Released released;
        ppo_.shuffle({n, given.at(0), given.at(1), given.at(2), given.at(3), given.at(4)}, keys,
                     {room.at(0), room.at(1), room.at(2), room.at(3), room.at(4)});
    }

    bool gradients(Codes observations, nb::handle actions, nb::handle before, nb::handle values, nb::handle advantages,
                   nb::handle actor, nb::handle critic, nb::handle logs, nb::handle counters) {
        const auto n = static_cast<Whole>(observations.shape(0));
        check(observations, n, ppo_.inputs());
        const Block<Whole> action(actions, n * ppo_.width()), log(before, n), value(values, n),
            advantage(advantages, n);
        for (Whole i = 0; !ppo_.gaussian() && i < n; ++i)
            if (action.data()[i] < 0 || action.data()[i] >= ppo_.outputs())
                throw nb::value_error("the engine was given an action that is none");
        const To to(*this, actor, critic, logs, true);
        const Block<Whole> counts(counters, ppo::COUNTERS, true);
        const Released released;
        return n > 1 &&
               ppo_.gradients({n, observations.data(), action.data(), log.data(), value.data(), advantage.data()},
                              to.all(), counts.data());
    }

    bool quick() const { return ppo_.quick(); }

    void apply(nb::handle actor, nb::handle critic, nb::handle logs, Whole log_rate, nb::handle counters) {
        const To to(*this, actor, critic, logs, false);
        const Block<Whole> counts(counters, ppo::COUNTERS, true);
        const Released released;
        ppo_.apply(to.all(), log_rate, counts.data());
    }

private:
    // The gradients' arrays; the critic's is empty where there is none.
    struct To {
        To(const HeldPpo& self, nb::handle actor, nb::handle critic, nb::handle logs, bool writable)
            : actor_(actor, self.actor_.network.size, writable),
              critic_(critic, self.critic_ ? self.critic_->network.size : 0, writable),
              logs_(logs, self.ppo_.gaussian() ? self.ppo_.outputs() : 0, writable) {}
        ppo::Gradients all() const { return {actor_.data(), critic_.data(), logs_.data()}; }
        Block<Whole> actor_, critic_, logs_;
    };

    struct Each {
        Each(const std::array<nb::handle, 5>& of, Whole n, Whole inputs, Whole width, bool writable)
            : arrays{Block<Whole>(of[0], n * inputs, writable), Block<Whole>(of[1], n * width, writable),
                     Block<Whole>(of[2], n, writable), Block<Whole>(of[3], n, writable),
                     Block<Whole>(of[4], n, writable)} {}
        Whole* at(int i) const { return arrays[i].data(); }
        Block<Whole> arrays[5];
    };

    static Draws from(const Array<std::uint32_t>& state) {
        Draws draws(32);
        draws.load({state[0], state[1], state[2], state[3]});
        return draws;
    }
    static learner::Network* checked(const Held& actor, Held* critic, bool gaussian, const Logs& logs) {
        const auto& sizes = actor.network.shape.sizes;
        const Whole outputs = sizes.back() - !critic;
        if (outputs < 1 || actor.network.shape.output_width != 27 || logs.shape(0) != 3 ||
            !aligned<Whole>(logs.data()) || static_cast<Whole>(logs.shape(1)) != (gaussian ? outputs : 0) ||
            (critic &&
             (critic->network.shape.sizes.front() != sizes.front() || critic->network.shape.sizes.back() != 1)))
            throw nb::value_error("the engine has no such actor and critic");
        return critic ? &critic->network : nullptr;
    }

    Logs logs_;
    Held& actor_;
    Held* critic_;
    ppo::Ppo ppo_;
};

}  // namespace

void bind_ppo(nb::module_& module) {
    nb::class_<HeldPpo>(module, "Ppo", "PPO's actor and critic: acting, rollouts and gradient steps.")
        .def(nb::init<Held&, Held*, bool, HeldPpo::Logs, std::array<Whole, 11>>(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
        .def("act", &HeldPpo::act)
        .def("values", &HeldPpo::values)
        .def("collect", &HeldPpo::collect)
        .def("advantages", &HeldPpo::advantages)
        .def("shuffle", &HeldPpo::shuffle)
        .def("gradients", &HeldPpo::gradients)
        .def("quick", &HeldPpo::quick)
        .def("apply", &HeldPpo::apply);
}

}  // namespace rlcores
