// net_socket.cpp — the replay server's loop on a socket: what comes is carried out, and batches are answered in turns.
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "rlcores/native/net.hpp"
#include "rlcores/native/net_xdp.hpp"

namespace rlcores {

namespace {

// Bytes of batches: of a client in its turn, and of all between two looks at the socket. Of answers that are sent at
// once; and of requests that wait.
constexpr std::size_t turn_bytes = std::size_t{512} << 10, look_bytes = std::size_t{2} << 20,
                      send_bytes = std::size_t{1} << 20, wait_bytes = std::size_t{16} << 20;

// Batches of a client: what it asks beyond its turn waits, as much as its credit; and the rest of a long one comes
// later.
template <class Whose>
struct Turn {
    struct Asked {
        std::vector<std::uint8_t> frame;  // header and payload
        std::uint64_t source;
        Whose whose;
        bool left;  // the rest of a batch
    };
    std::deque<Asked> waiting;
    std::size_t spent = 0;
    std::uint64_t look = 0;  // of `spent`

    bool waits(const NetHeader& h) const {
        return std::any_of(waiting.begin(), waiting.end(), [&](const Asked& one) {
            const auto other = number<NetHeader>(one.frame.data());
            return other.op == h.op && other.sequence == h.sequence && other.epoch == h.epoch &&
                   (one.left || other.part == h.part);
        });
    }
};

// Mail: net::Datagrams, or what has its calls.
template <class Mail>
class Loop {
public:
    Loop(NetServer& server, Mail& mail, int socket)
        : server_(server), mail_(mail), socket_(socket), turns_(server.settings().clients) {}

    bool busy() const { return !ring_.empty(); }
    std::uint64_t sent() const { return sent_; }

    // What came, and the turns of those who wait; whether anything did.
    bool look() {
        ++look_, spent_ = 0;
        const std::size_t came =
            mail_.take(socket_, [&](const std::uint8_t* data, std::size_t n, std::size_t k) { datagram(data, n, k); });
        give();
        for (std::size_t n = ring_.size(); n && spent_ < look_bytes; --n) {
            const std::uint32_t client = ring_.front();
            ring_.pop_front();
            Turn<Whose>& turn = turns_[client];
            const std::size_t before = mine(turn);
            while (!turn.waiting.empty() && mine(turn) < before + turn_bytes) {
                const Asked one = std::move(turn.waiting.front());
                turn.waiting.pop_front();
                waiting_ -= one.frame.size();
                answer(turn, client, one.frame.data(), one.source, one.whose, one.left);
                give_long();
            }
            give();
            if (!turn.waiting.empty()) stand(client);
        }
        server_.most_in_turn = std::max<std::uint64_t>(server_.most_in_turn, spent_);
        return came > 0;
    }

private:
    using Whose = typename Mail::Whose;
    using Asked = typename Turn<Whose>::Asked;

    std::size_t& mine(Turn<Whose>& turn) {
        if (turn.look != look_) turn.look = look_, turn.spent = 0;
        return turn.spent;
    }

    void datagram(const std::uint8_t* data, std::size_t n, std::size_t k) {
        if (!server_.is_frame(data, n)) return;
        const std::uint64_t source = mail_.source(k);
        const auto h = number<NetHeader>(data);
        if (!server_.asks_batch(h, source)) {
            server_.carry_out(data, source, out_, ~std::size_t{0});
            to_.resize(out_.ends.size(), mail_.whose(k));
        } else if (Turn<Whose>& turn = turns_[h.client];
                   turn.waiting.empty() && mine(turn) < turn_bytes && spent_ < look_bytes) {
            answer(turn, h.client, data, source, *mail_.whose(k));
        } else if (const std::size_t size = sizeof h + h.length;
                   turn.waiting.size() < server_.settings().credit && waiting_ + size <= wait_bytes && !turn.waits(h)) {
            wait(turn, h.client, {{data, data + size}, source, *mail_.whose(k), false});
        } else {
            server_.drop_for_credit();
        }
        give_long();
    }

    // A request for a batch, or for the rest of one.
    void answer(Turn<Whose>& turn, std::uint32_t client, const std::uint8_t* frame, std::uint64_t source,
                const Whose& whose, bool left = false) {
        const std::size_t before = out_.bytes.size();
        server_.carry_out(frame, source, out_, before + turn_bytes, left);
        const std::size_t bytes = out_.bytes.size() - before;
        mine(turn) += bytes, spent_ += bytes;
        if (out_.ends.size() > to_.size()) {
            kept_.push_back(whose);
            to_.resize(out_.ends.size(), &kept_.back());
        }
        if (auto rest = server_.take_rest(); !rest.empty())
            wait(turn, client, {std::move(rest), source, whose, true}, true);
    }

    void wait(Turn<Whose>& turn, std::uint32_t client, Asked one, bool first = false) {
        waiting_ += one.frame.size();
        if (turn.waiting.empty()) stand(client);
        first ? turn.waiting.push_front(std::move(one)) : turn.waiting.push_back(std::move(one));
    }

    void stand(std::uint32_t client) {
        if (std::find(ring_.begin(), ring_.end(), client) == ring_.end()) ring_.push_back(client);
    }

    void give_long() {
        if (out_.bytes.size() >= send_bytes) give();
    }
    void give() {
        if (to_.empty()) {
            server_.flush();
            return;
        }
        server_.flush();
        mail_.give(socket_, out_, to_.data());
        sent_ += to_.size();
        out_.clear(), to_.clear(), kept_.clear();
    }

    NetServer& server_;
    Mail& mail_;
    const int socket_;
    NetOut out_;
    std::vector<const Whose*> to_;
    std::deque<Whose> kept_;  // addresses of to_ that are not of the last take
    std::vector<Turn<Whose>> turns_;
    std::deque<std::uint32_t> ring_;  // clients that wait
    std::size_t waiting_ = 0, spent_ = 0;
    std::uint64_t look_ = 0, sent_ = 0;
};

// Whether something comes before `end`, without sleeping.
bool soon(net::Datagrams&, pollfd (&wait)[2], double end) { return net::ready_soon(wait, 2, end); }
bool soon(Xdp& mail, pollfd (&wait)[2], double end) {
    do {
        if (mail.ready()) return true;
        ::sched_yield();
    } while (net::now() < end);
    return ::poll(wait, 2, 0) > 0;
}

template <class Mail>
std::uint64_t serve(NetServer& server, Mail& mail, int socket, int stop, std::size_t snapshot_bytes) {
    Loop<Mail> loop(server, mail, socket);
    for (;;) {
        pollfd wait[2] = {{socket, POLLIN, 0}, {stop, POLLIN, 0}};
        if (!soon(mail, wait, net::now() + net::awake) && ::poll(wait, 2, -1) < 0 && errno != EINTR)
            throw std::runtime_error(std::string("the server's socket: ") + std::strerror(errno));
        if (wait[1].revents) return loop.sent();
        while (loop.look() || loop.busy()) {
            if (server.journal_bytes() > snapshot_bytes) server.snapshot();
            if (::poll(wait + 1, 1, 0) > 0) return loop.sent();
        }
    }
}

}  // namespace

std::uint64_t net_serve(NetServer& server, int socket, int stop, std::size_t snapshot_bytes, std::size_t batch) {
    net::Datagrams mail(batch);
    return serve(server, mail, socket, stop, snapshot_bytes);
}

std::uint64_t net_serve(NetServer& server, Xdp& mail, int stop, std::size_t snapshot_bytes) {
    return serve(server, mail, mail.socket(), stop, snapshot_bytes);
}

}  // namespace rlcores
