// The ring of a pipe, called by threads as kernels call it.

#include "compiler/abi/pipe_ring.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace hostcl;
using namespace hostcl::compiler;

namespace {

class TestPipe {
public:
  explicit TestPipe(std::uint32_t slots, std::uint64_t start = 0)
      : storage_(static_cast<std::byte*>(
            std::aligned_alloc(alignof(abi::Pipe), (pipe_bytes(4, slots) + 127) / 128 * 128))) {
    std::fill_n(storage_.get(), pipe_header_bytes(slots), std::byte{0});
    pipe_ = &make_pipe(storage_.get(), 4, slots);
    for (abi::PipeEnd* end : {&pipe_->write, &pipe_->read})
      end->reserved = end->done = start;
  }
  operator abi::Pipe&() const { return *pipe_; }

  /// A packet of a reservation.
  std::uint32_t& packet(Reservation reservation, std::uint32_t index) const {
    const std::uint64_t slot =
        (static_cast<std::uint32_t>(reservation) + std::uint64_t{index}) % pipe_->max_packets;
    return reinterpret_cast<std::uint32_t*>(pipe_->packets)[slot];
  }
  Reservation write(std::uint32_t packets, std::uint32_t first_value) const {
    const Reservation reservation = reserve<PipeEnd::write>(*pipe_, packets);
    for (std::uint32_t i = 0; reservation != no_reservation && i < packets; ++i)
      packet(reservation, i) = first_value + i;
    return reservation;
  }
  std::vector<std::uint32_t> read(Reservation reservation) const {
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < reservation >> 32; ++i)
      values.push_back(packet(reservation, i));
    return values;
  }

private:
  struct Free {
    void operator()(std::byte* storage) const { std::free(storage); }
  };
  std::unique_ptr<std::byte, Free> storage_;
  abi::Pipe* pipe_;
};

using Values = std::vector<std::uint32_t>;

/// Writers write numbers, readers read them; some hold their reservations for a while, and some commit two in
/// the wrong order. @returns how many times each number was read
std::vector<int> contend(std::uint32_t slots, unsigned writers, unsigned readers, std::uint32_t each,
                         std::uint32_t lanes) {
  const TestPipe pipe(slots);
  std::vector<std::atomic<int>> seen(std::size_t{writers} * each);
  std::atomic<std::uint32_t> left = writers * each;
  auto writer = [&](unsigned number) {
    std::minstd_rand random(number + 1);
    for (std::uint32_t done = 0; done < each;) {
      std::uint32_t counts[64] = {};
      Reservation reservations[64];
      std::uint32_t planned = done;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        counts[lane] = std::min<std::uint32_t>(random() % 4, std::min(each - planned, slots));
        planned += counts[lane];
      }
      reserve_lanes<PipeEnd::write>(counts, reservations, lanes, pipe);
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        for (std::uint32_t i = 0; i < reservations[lane] >> 32; ++i)
          pipe.packet(reservations[lane], i) = number * each + done++;
      if (random() % 8 == 0) std::this_thread::yield();
      if (lanes > 1 && random() % 2 == 0) std::swap(reservations[0], reservations[lanes - 1]);
      commit_lanes<PipeEnd::write>(reservations, lanes, pipe);
    }
  };
  auto reader = [&](unsigned number) {
    std::minstd_rand random(number + 100);
    while (left.load() != 0) {
      const auto first = reserve<PipeEnd::read>(pipe, 1 + random() % 3),
                 second = reserve<PipeEnd::read>(pipe, 1);
      if (first == no_reservation && second == no_reservation) std::this_thread::yield();
      for (const Reservation reservation : {first, second})
        for (const std::uint32_t value : pipe.read(reservation)) {
          if (value < seen.size()) ++seen[value];
          --left;
        }
      if (random() % 8 == 0) std::this_thread::yield();
      commit<PipeEnd::read>(pipe, second);
      commit<PipeEnd::read>(pipe, first);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < writers; ++i)
    threads.emplace_back(writer, i);
  for (unsigned i = 0; i < readers; ++i)
    threads.emplace_back(reader, i);
  for (std::thread& thread : threads)
    thread.join();
  CHECK(packets_in(pipe) == 0);
  return {seen.begin(), seen.end()};
}

} // namespace

TEST_CASE("A pipe is a queue that is empty at first", "[pipe_ring]") {
  const TestPipe pipe(3);
  CHECK(packets_in(pipe) == 0);
  CHECK(reserve<PipeEnd::read>(pipe, 1) == no_reservation);
  for (std::uint32_t value = 0; value < 100; value += 2) {
    commit<PipeEnd::write>(pipe, pipe.write(2, value));
    CHECK(packets_in(pipe) == 2);
    CHECK(reserve<PipeEnd::write>(pipe, 2) == no_reservation);
    const Reservation reservation = reserve<PipeEnd::read>(pipe, 2);
    CHECK(pipe.read(reservation) == Values{value, value + 1});
    CHECK(packets_in(pipe) == 2);
    commit<PipeEnd::read>(pipe, reservation);
    CHECK(packets_in(pipe) == 0);
  }
}

TEST_CASE("Reservations committed out of order appear in their order", "[pipe_ring]") {
  const TestPipe pipe(8);
  std::uint32_t next = 0, expected = 0;
  for (int iteration = 0; iteration < 200; ++iteration) {
    std::array<Reservation, 4> writes{};
    for (Reservation& write : writes) {
      write = pipe.write(1 + static_cast<std::uint32_t>(iteration) % 2, next);
      next += 1 + static_cast<std::uint32_t>(iteration) % 2;
    }
    std::array<int, 4> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), std::minstd_rand(static_cast<unsigned>(iteration) + 1));
    std::array<bool, 4> is_done{};
    for (const int i : order) {
      commit<PipeEnd::write>(pipe, writes[i]);
      is_done[i] = true;
      const auto visible = std::find(is_done.begin(), is_done.end(), false) - is_done.begin();
      CHECK(packets_in(pipe) == static_cast<std::uint32_t>(visible * (1 + iteration % 2)));
    }
    std::array<Reservation, 4> reads{};
    for (Reservation& read : reads) {
      read = reserve<PipeEnd::read>(pipe, 1 + static_cast<std::uint32_t>(iteration) % 2);
      for (const std::uint32_t value : pipe.read(read))
        CHECK(value == expected++);
    }
    for (const int i : order)
      commit<PipeEnd::read>(pipe, reads[i]);
    CHECK(packets_in(pipe) == 0);
  }
}

TEST_CASE("Positions go on where their high bits change", "[pipe_ring]") {
  for (const std::uint32_t slots : {1u, 3u, 4u, 1000u}) {
    const std::uint64_t lap = std::bit_ceil(std::uint64_t{slots});
    const TestPipe pipe(slots, (std::uint64_t{1} << 32) - 2 * lap);
    for (std::uint32_t value = 0; value < 20 * slots; ++value) {
      commit<PipeEnd::write>(pipe, pipe.write(1, value));
      const Reservation reservation = reserve<PipeEnd::read>(pipe, 1);
      CHECK(pipe.read(reservation) == Values{value});
      commit<PipeEnd::read>(pipe, reservation);
    }
  }
}

TEST_CASE("What is no reservation is ignored", "[pipe_ring]") {
  const TestPipe pipe(4);
  for (const Reservation none :
       {no_reservation, empty_reservation, ~Reservation{0}, Reservation{1} << 32 | 4}) {
    commit<PipeEnd::write>(pipe, none);
    commit<PipeEnd::read>(pipe, none);
    commit_lanes<PipeEnd::write>(&none, 1, pipe);
  }
  CHECK(packets_in(pipe) == 0);
  CHECK(reserve<PipeEnd::write>(pipe, 0) == empty_reservation);
  CHECK(reserve<PipeEnd::write>(pipe, 5) == no_reservation);
  CHECK(reserve<PipeEnd::write>(pipe, ~0u) == no_reservation);
  CHECK(reserve<PipeEnd::write>(pipe, 4) != no_reservation);
}

TEST_CASE("Lanes share what there is in their order", "[pipe_ring]") {
  const TestPipe pipe(10);
  const std::uint32_t counts[] = {3, 0, 8, 4, 2, 3, 1};
  Reservation r[7];
  reserve_lanes<PipeEnd::write>(counts, r, 7, pipe);
  CHECK(r[0] == (Reservation{3} << 32 | 0));
  CHECK(r[1] == empty_reservation);
  CHECK(r[2] == no_reservation); // 7 are left
  CHECK(r[3] == (Reservation{4} << 32 | 3));
  CHECK(r[4] == (Reservation{2} << 32 | 7));
  CHECK(r[5] == no_reservation);
  CHECK(r[6] == (Reservation{1} << 32 | 9));
  commit_lanes<PipeEnd::write>(&r[3], 4, pipe); // all but the first lane's
  CHECK(packets_in(pipe) == 0);
  commit_lanes<PipeEnd::write>(r, 1, pipe);
  CHECK(packets_in(pipe) == 10);
  const std::uint32_t none[] = {0, 0};
  reserve_lanes<PipeEnd::read>(none, r, 2, pipe);
  CHECK(packets_in(pipe) == 10);
}

TEST_CASE("Nothing is lost or read twice by threads that contend for a pipe", "[pipe_ring]") {
  for (const std::uint32_t slots : {1u, 2u, 7u, 64u, 1000u})
    for (const std::uint32_t lanes : {1u, 8u}) {
      CAPTURE(slots, lanes);
      const std::vector<int> seen = contend(slots, 3, 3, slots < 8 ? 2000 : 20000, lanes);
      CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }
}
