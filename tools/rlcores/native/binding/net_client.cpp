// net_client.cpp — the replay server's client for Python, which rlcores/replay.hpp is; rlcores.net is its only caller.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/shared_ptr.h>

#include <cstring>
#include <optional>

#include "arrays.hpp"
#include "released.hpp"
#include "rlcores/session.hpp"

namespace rlcores {

namespace {

using net::Session;
using Pending = Session::Pending;
using Word = std::uint32_t;

nb::list listed(std::vector<Session::Request>&& made) {
    nb::list found;
    for (auto& one : made) found.append(std::move(one));
    return found;
}

// Done, silent, interrupted, and what a call of the session threw: 3 Failed, 4 Refused, with its sentence.
nb::tuple ended(int how, const char* sentence = "") { return nb::make_tuple(how, sentence); }

template <class Work>
nb::tuple watched(Work&& work) {
    try {
        return ended(work());
    } catch (const net::Failed& error) {
        return ended(3, error.what());
    } catch (const net::Refused& error) {
        return ended(4, error.what());
    }
}

}  // namespace

void bind_net_client(nb::module_& module) {
    nb::class_<Pending>(module, "NetPending")
        .def_prop_ro("done", [](const Pending& one) { return one.done; })
        .def_prop_ro("admitted", [](const Pending& one) { return Session::admitted(one); })
        .def_prop_ro("status", [](const Pending& one) { return static_cast<int>(one.status); })
        .def_prop_ro("count", [](const Pending& one) { return static_cast<int>(one.head.count); })
        .def_prop_ro("result", [](const Pending& one) { return nb::bytes(one.result.data(), one.result.size()); });
    nb::class_<Session>(module, "NetSession")
        .def(
            "__init__",
            [](Session* self, Word client, nb::handle key, Word record_bytes, std::uint64_t schema, bool ordered,
               unsigned batch) {
                Session::Options options;
                options.client = client, options.record_bytes = record_bytes;
                options.schema = schema, options.ordered = ordered, options.batch = batch;
                if (!key.is_none()) {
                    const View given(key, false);
                    if (given.bytes() != options.key.emplace().size())
                        throw nb::value_error("the key must have 16 bytes");
                    std::memcpy(options.key->data(), given.data(), given.bytes());
                }
                new (self) Session(options);
            },
            nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg())
        .def_prop_ro("connected", &Session::connected)
        .def_prop_ro("waiting", &Session::waiting)
        .def_prop_ro("unanswered", &Session::unanswered)
        .def_prop_ro("resent", &Session::resent)
        .def_prop_ro("instance", &Session::server_instance)
        .def_prop_ro("epoch", &Session::present_epoch)
        .def_prop_ro("credit", &Session::credit)
        .def_prop_ro("told", [](const Session& s) { return nb::bytes(&s.told(), sizeof s.told()); })
        .def("take_refused", &Session::take_refused)
        .def("flow", &Session::flow)
        .def("next_time", &Session::next_time)
        .def("put",
             [](Session& s, nb::handle rows, nb::handle words, nb::handle kinds) {
                 const View given(rows, false);
                 const Array<Word> word(words), kind(kinds);
                 const std::size_t n = word.size();
                 if (n != kind.size() || (n && given.bytes() % n))
                     throw nb::value_error("the engine was given other lengths");
                 return listed(s.put_records(given.data(), n, n ? given.bytes() / n : 0, word.data(), kind.data()));
             })
        .def(
            "sample",
            [](Session& s, std::size_t count, unsigned beta, unsigned flags, nb::handle draws) {
                if (draws.is_none()) return s.sample_batch(count, beta, flags);
                return s.sample_batch(count, beta, flags, Array<Word>(draws, std::size_t{4}).data());
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
        .def("read",
             [](Session& s, nb::handle slots, nb::handle generations) {
                 const Array<Word> slot(slots), generation(generations, slot.size());
                 return s.read_records(slot.data(), generation.data(), slot.size());
             })
        .def("update",
             [](Session& s, nb::handle slots, nb::handle generations, nb::handle words, nb::handle kinds) {
                 const Array<Word> slot(slots), generation(generations, slot.size()), word(words, slot.size()),
                     kind(kinds, slot.size());
                 return listed(
                     s.update_priorities(slot.data(), generation.data(), word.data(), kind.data(), slot.size()));
             })
        .def("publish", [](Session& s, nb::bytes data,
                           std::uint64_t version) { return listed(s.publish(data.c_str(), data.size(), version)); })
        .def("get", &Session::get_chunk)
        .def("stat", &Session::ask_stat)
        .def("unpack",
             [](const Session& s, const Pending& one, nb::handle records, nb::handle slots, nb::handle generations,
                nb::handle priorities, nb::handle weights, nb::handle gone) {
                 const std::size_t n = one.head.count;
                 const Array<std::uint8_t> record(records, n * s.told().record_bytes, true);
                 const Array<Word> slot(slots, n, true), generation(generations, n, true),
                     priority(priorities, n, true);
                 const Array<float> weight(weights, n, true);
                 const Array<bool> lost(gone, n, true);
                 s.unpack(one, record.data(), slot.data(), generation.data(), priority.data(), weight.data(),
                          reinterpret_cast<std::uint8_t*>(lost.data()));
                 return nb::make_tuple(net::number<std::uint64_t>(one.result.data()),
                                       net::number<Word>(one.result.data() + 8));
             })
        .def("give",
             [](Session& s, int socket) {
                 return watched([&] {
                     s.give(socket, rlcores::net::now());
                     return 0;
                 });
             })
        .def("take",
             [](Session& s, int socket) {
                 return watched([&] {
                     s.take(socket, rlcores::net::now());
                     return 0;
                 });
             })
        // Until a request is done; with None and nothing of `what`: "connected", "handed" over, "answered" all.
        .def(
            "until",
            [](Session& s, int socket, const Pending* one, int what, double timeout) {
                return watched([&] {
                    const Released released;
                    return static_cast<int>(s.until(
                        socket,
                        [&] {
                            if (one) return one->done;
                            return what == 0   ? s.connected()
                                   : what == 1 ? s.connected() && !s.waiting()
                                               : !s.unanswered();
                        },
                        timeout));
                });
            },
            nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
}

}  // namespace rlcores
