// net.cpp — the replay server for Python; rlcores.cores.replay_server.native is its only caller.
// SPDX-License-Identifier: Apache-2.0
#include "rlcores/native/net.hpp"
#include "rlcores/native/net_xdp.hpp"

#include <cstring>
#include <stdexcept>

#include "arrays.hpp"
#include "released.hpp"

namespace rlcores {

namespace {

NetKey key_of(nb::bytes given) {
    NetKey key;
    if (given.size() != key.size()) throw nb::value_error("the key must have 16 bytes");
    std::memcpy(key.data(), given.c_str(), key.size());
    return key;
}

const std::uint8_t* bytes_of(const View& view) { return static_cast<const std::uint8_t*>(view.data()); }

nb::list frame(NetServer& server, nb::handle data, std::uint64_t source) {
    const View view(data, false);
    thread_local NetOut out;
    out.clear();
    server.frame(bytes_of(view), view.bytes(), source, out);
    nb::list found;
    std::size_t from = 0;
    for (const std::size_t end : out.ends) {
        found.append(nb::bytes(out.bytes.data() + from, end - from));
        from = end;
    }
    return found;
}

}  // namespace

void bind_net(nb::module_& module) {
    module.def("crc32c", [](nb::handle data) {
        const View view(data, false);
        return crc32c(bytes_of(view), view.bytes());
    });
    module.def("siphash", [](nb::bytes key, nb::handle data) {
        const View view(data, false);
        return siphash(key_of(key), bytes_of(view), view.bytes());
    });
    nb::class_<Xdp>(module, "Xdp")
        .def("__init__", [](Xdp* self, nb::str device, std::uint32_t here, std::uint16_t port,
                            std::size_t longest) { new (self) Xdp(device.c_str(), here, port, longest); })
        .def_prop_ro("native", &Xdp::native)
        .def_prop_ro("lost", &Xdp::lost);
    nb::class_<NetServer>(module, "NetServer")
        .def(
            "__init__",
            [](NetServer* self, nb::bytes settings, nb::handle key, nb::str folder, bool journal, nb::bytes secret) {
                // 8 numbers of 32 bits, 4 of 16, 2 of 32, 1 of 64, 2 of 32.
                NetSettings s;
                static_assert(sizeof s == 64);
                if (settings.size() != sizeof s) throw nb::type_error("the engine was given other settings");
                std::memcpy(&s, settings.c_str(), sizeof s);
                std::optional<NetKey> held;
                if (!key.is_none()) held = key_of(nb::borrow<nb::bytes>(key));
                new (self) NetServer(s, held, folder.c_str(), journal, key_of(secret));
            },
            nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
        .def("frame", &frame, nb::arg(), nb::arg("source") = 0)
        .def("replay",
             [](NetServer& server, nb::handle data) {
                 const View view(data, false);
                 return server.replay(bytes_of(view), view.bytes());
             })
        .def("journal",
             [](NetServer& server) {
                 const auto& held = server.journal();
                 return nb::bytes(held.data(), held.size());
             })
        .def("forget", [](NetServer& server) { server.journal().clear(); })
        .def("state",
             [](const NetServer& server) {
                 const auto found = server.state();
                 return nb::bytes(found.data(), found.size());
             })
        .def("restore",
             [](NetServer& server, nb::handle data) {
                 const View view(data, false);
                 server.restore(bytes_of(view), view.bytes());
             })
        .def("snapshot", &NetServer::snapshot)
        .def("leave", &NetServer::leave)
        .def_prop_ro("damaged", &NetServer::damaged)
        .def_ro("most_in_turn", &NetServer::most_in_turn)
        .def("records",
             [](const NetServer& server) {
                 const NetSettings& s = server.settings();
                 return nb::bytes(server.record_data(), std::size_t{s.capacity} * s.record_bytes);
             })
        .def("counts",
             [](const NetServer& server) {
                 nb::list found;
                 for (const std::uint64_t count : server.counts()) found.append(count);
                 return found;
             })
        .def("serve",
             [](NetServer& server, int socket, int stop, std::size_t snapshot_bytes, std::size_t batch) {
                 const Released released;
                 return net_serve(server, socket, stop, snapshot_bytes, batch);
             })
        .def("serve_xdp", [](NetServer& server, Xdp& mail, int stop, std::size_t snapshot_bytes) {
            const Released released;
            return net_serve(server, mail, stop, snapshot_bytes);
        });
}

}  // namespace rlcores
