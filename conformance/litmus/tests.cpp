// The classic shapes. x, y and z are the locations; r0 to r3 the registers.

#include "conformance/litmus/test.hpp"

namespace conformance {
namespace {

constexpr int x = 0, y = 1, z = 2;
constexpr int r0 = 0, r1 = 1, r2 = 2, r3 = 3;

Step store(int location, int value, Order order) {
  return {Step::store, location, value, order};
}
Step load(int reg, int location, Order order) {
  return {Step::load, location, reg, order};
}
Step add(int reg, int location, Order order) {
  return {Step::add, location, reg, order};
}
Step plain_store(int location, int value) {
  return {Step::plain_store, location, value, Order::relaxed};
}
Step plain_load(int reg, int location) {
  return {Step::plain_load, location, reg, Order::relaxed};
}
Step fence(Order order) {
  return {Step::fence, 0, 0, order};
}

using Test = std::function<bool(const Outcome&)>;
const Test never = [](const Outcome&) { return false; };

constexpr Order relaxed = Order::relaxed, acquire = Order::acquire, release = Order::release,
                acq_rel = Order::acq_rel, seq_cst = Order::seq_cst;

std::string with(const char* name, Order a, Order b) {
  return std::string(name) + ", " + name_of(a) + (a == b ? "" : std::string("/") + name_of(b));
}

void message_passing(std::vector<Litmus>& tests) {
  const Test stale = [](const Outcome& o) { return o.registers[r0] == 1 && o.registers[r1] == 0; };
  const Test early = [](const Outcome& o) { return o.registers[r0] == 0 && o.registers[r1] == 1; };
  for (auto [write, read] : {std::pair{release, acquire}, {seq_cst, seq_cst}, {release, seq_cst}})
    tests.push_back({with("message passing", write, read),
                     {{store(x, 1, relaxed), store(y, 1, write)}, {load(r0, y, read), load(r1, x, relaxed)}},
                     stale,
                     early});
  tests.push_back(
      {"message passing, relaxed",
       {{store(x, 1, relaxed), store(y, 1, relaxed)}, {load(r0, y, relaxed), load(r1, x, relaxed)}},
       never,
       early});
  tests.push_back({"message passing of plain data, release/acquire",
                   {{plain_store(x, 1), store(y, 1, release)}, {load(r0, y, acquire), plain_load(r1, x)}},
                   stale,
                   early});
  tests.push_back(
      {"message passing through a read-modify-write, acq_rel",
       {{store(x, 1, relaxed), add(r2, y, acq_rel)}, {load(r0, y, acquire), load(r1, x, relaxed)}},
       stale,
       early});
  tests.push_back({"message passing, fences release/acquire",
                   {{store(x, 1, relaxed), fence(release), store(y, 1, relaxed)},
                    {load(r0, y, relaxed), fence(acquire), load(r1, x, relaxed)}},
                   stale,
                   early});
  for (Order both : {acq_rel, seq_cst})
    tests.push_back({with("message passing, fences", both, both),
                     {{plain_store(x, 1), fence(both), store(y, 1, relaxed)},
                      {load(r0, y, relaxed), fence(both), plain_load(r1, x)}},
                     stale,
                     early});
}

void store_and_load_buffering(std::vector<Litmus>& tests) {
  const Test both_old = [](const Outcome& o) { return o.registers[r0] == 0 && o.registers[r1] == 0; };
  const Test both_new = [](const Outcome& o) { return o.registers[r0] == 1 && o.registers[r1] == 1; };
  tests.push_back(
      {"store buffering, seq_cst",
       {{store(x, 1, seq_cst), load(r0, y, seq_cst)}, {store(y, 1, seq_cst), load(r1, x, seq_cst)}},
       both_old,
       both_new});
  tests.push_back({"store buffering, fences seq_cst",
                   {{store(x, 1, relaxed), fence(seq_cst), load(r0, y, relaxed)},
                    {store(y, 1, relaxed), fence(seq_cst), load(r1, x, relaxed)}},
                   both_old,
                   both_new});
  tests.push_back({"store buffering by read-modify-writes, seq_cst",
                   {{add(r2, x, seq_cst), load(r0, y, seq_cst)}, {add(r3, y, seq_cst), load(r1, x, seq_cst)}},
                   both_old,
                   both_new});
  tests.push_back(
      {"store buffering, release/acquire",
       {{store(x, 1, release), load(r0, y, acquire)}, {store(y, 1, release), load(r1, x, acquire)}},
       never,
       both_old});
  for (auto [read, write] : {std::pair{acquire, release}, {seq_cst, seq_cst}})
    tests.push_back({with("load buffering", read, write),
                     {{load(r0, x, read), store(y, 1, write)}, {load(r1, y, read), store(x, 1, write)}},
                     both_new,
                     both_old});
}

void multiple_locations(std::vector<Litmus>& tests) {
  const auto readers = [](const Outcome& o, int a, int b) {
    return o.registers[r0] == a && o.registers[r1] == b && o.registers[r2] == a && o.registers[r3] == b;
  };
  tests.push_back({"independent reads of independent writes, seq_cst",
                   {{store(x, 1, seq_cst)},
                    {store(y, 1, seq_cst)},
                    {load(r0, x, seq_cst), load(r1, y, seq_cst)},
                    {load(r2, y, seq_cst), load(r3, x, seq_cst)}},
                   [=](const Outcome& o) { return readers(o, 1, 0); },
                   [](const Outcome& o) { return o.registers[r0] + o.registers[r1] == 1; }});
  tests.push_back({"independent reads of independent writes, fences seq_cst",
                   {{store(x, 1, relaxed)},
                    {store(y, 1, relaxed)},
                    {load(r0, x, relaxed), fence(seq_cst), load(r1, y, relaxed)},
                    {load(r2, y, relaxed), fence(seq_cst), load(r3, x, relaxed)}},
                   [=](const Outcome& o) { return readers(o, 1, 0); },
                   [](const Outcome& o) { return o.registers[r0] + o.registers[r1] == 1; }});
  const Test first_wins = [](const Outcome& o) { return o.locations[x] == 1 && o.locations[y] == 1; };
  tests.push_back(
      {"2+2W, seq_cst",
       {{store(x, 1, seq_cst), store(y, 2, seq_cst)}, {store(y, 1, seq_cst), store(x, 2, seq_cst)}},
       first_wins,
       [](const Outcome& o) { return o.locations[x] == 2 && o.locations[y] == 2; }});
  tests.push_back(
      {"write to read causality, release/acquire",
       {{store(x, 1, release)},
        {load(r0, x, acquire), store(y, 1, release)},
        {load(r1, y, acquire), load(r2, x, relaxed)}},
       [](const Outcome& o) { return o.registers[r0] == 1 && o.registers[r1] == 1 && o.registers[r2] == 0; },
       [](const Outcome& o) { return o.registers[r0] == 1 && o.registers[r1] == 0; }});
}

void coherence(std::vector<Litmus>& tests) {
  for (auto [write, read] : {std::pair{relaxed, relaxed}, {release, acquire}, {seq_cst, seq_cst}}) {
    tests.push_back(
        {with("coherence of reads", write, read),
         {{store(x, 1, write), store(x, 2, write)}, {load(r0, x, read), load(r1, x, read)}},
         [](const Outcome& o) { return o.registers[r0] > o.registers[r1]; },
         [](const Outcome& o) { return o.registers[r0] == 1 || o.registers[r0] < o.registers[r1]; }});
    tests.push_back({with("coherence of a write and its read", write, read),
                     {{store(x, 1, write), load(r0, x, read)}, {store(x, 2, write)}},
                     [](const Outcome& o) {
                       return o.registers[r0] == 0 || (o.registers[r0] == 2 && o.locations[x] == 1);
                     },
                     [](const Outcome& o) { return o.registers[r0] == 2; }});
  }
  for (Order order : {relaxed, acquire, release, acq_rel, seq_cst})
    tests.push_back({with("no increment is lost", order, order),
                     {{add(r0, x, order)}, {add(r1, x, order)}, {add(r2, x, order)}, {add(r3, x, order)}},
                     [](const Outcome& o) {
                       int seen = 0;
                       for (int value : o.registers)
                         seen |= 1 << value;
                       return seen != 15 || o.locations[x] != 4;
                     },
                     [](const Outcome& o) { return o.registers[r0] != 0 && o.registers[r0] != 3; }});
}

void release_sequences(std::vector<Litmus>& tests) {
  const Test stale = [](const Outcome& o) {
    return o.registers[r2] == 1 && o.registers[r0] == 2 && o.registers[r1] == 0;
  };
  const Test carried = [](const Outcome& o) { return o.registers[r2] == 1 && o.registers[r0] == 2; };
  tests.push_back({"release sequence through a relaxed read-modify-write",
                   {{store(x, 1, relaxed), store(y, 1, release)},
                    {add(r2, y, relaxed)},
                    {load(r0, y, acquire), load(r1, x, relaxed)}},
                   stale,
                   carried});
  tests.push_back({"release sequence headed by a fence",
                   {{plain_store(x, 1), fence(release), store(y, 1, relaxed)},
                    {add(r2, y, relaxed)},
                    {load(r0, y, relaxed), fence(acquire), plain_load(r1, x)}},
                   stale,
                   carried});
  tests.push_back({"two messages through one counter",
                   {{store(x, 1, relaxed), add(r2, y, release)},
                    {store(z, 1, relaxed), add(r3, y, release)},
                    {load(r0, y, acquire), load(r1, x, relaxed)}},
                   [](const Outcome& o) { return o.registers[r0] == 2 && o.registers[r1] == 0; },
                   [](const Outcome& o) { return o.registers[r0] == 1; }});
}

} // namespace

const char* name_of(Order order) {
  static constexpr const char* names[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<int>(order)];
}

std::vector<Litmus> all_litmus_tests() {
  std::vector<Litmus> tests;
  message_passing(tests);
  store_and_load_buffering(tests);
  multiple_locations(tests);
  coherence(tests);
  release_sequences(tests);
  return tests;
}

} // namespace conformance
