// Random commands in three queues, with events, barriers, user events and waits of the host: HOSTCL_CHECK=commands reports
// those that touch the same bytes, of which one writes, and that are not connected in the graph of what comes before what.

#include "command_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>

namespace {

using test::Event;

constexpr size_t buffers = 3, ints = 64;
constexpr size_t none = ~size_t{0};

struct Access {
  size_t buffer, begin, end; ///< in ints
  bool writes;

  bool conflicts_with(const Access& other) const {
    return buffer == other.buffer && begin < other.end && other.begin < end && (writes || other.writes);
  }
};

/// What comes before what.
class Graph {
public:
  size_t add() {
    after_.emplace_back();
    return after_.size() - 1;
  }
  void connect(size_t earlier, size_t later) { after_[earlier].push_back(later); }
  /// All that comes after a node.
  std::vector<bool> reached_from(size_t node) const {
    std::vector<bool> reached(after_.size());
    std::vector<size_t> open{node};
    while (!open.empty()) {
      const size_t now = open.back();
      open.pop_back();
      for (const size_t next : after_[now])
        if (!reached[next]) {
          reached[next] = true;
          open.push_back(next);
        }
    }
    return reached;
  }

private:
  std::vector<std::vector<size_t>> after_;
};

struct Command {
  size_t node = 0;
  Event event = {};
  std::vector<Access> accesses = {};
  bool is_kernel = false;
};

struct Lane {
  cl_command_queue queue;
  bool is_in_order;
  std::vector<size_t> commands = {};
  size_t barrier = none;
};

/// A user event.
struct Gate {
  size_t node;
  Event event;
  bool is_open = false;
};

class RandomCommands {
public:
  explicit RandomCommands(unsigned seed);

  void step();
  /// Opens all gates, and waits for all commands.
  void end();
  /// Sizes of buffers of which transfers race with each other, and 0 if a kernel races.
  std::set<size_t> expected() const;

private:
  size_t number(size_t first, size_t last) {
    return std::uniform_int_distribution<size_t>(first, last)(random_);
  }
  Access access(bool writes, size_t buffer) {
    const size_t begin = number(0, ints - 2);
    return {buffer, begin, number(begin + 1, std::min(begin + 12, ints)), writes};
  }
  /// A command that waits as its queue says, and for some events.
  Command& begin(Lane& lane, test::Waits& waits);
  void transfer(Lane& lane);
  void launch(Lane& lane);
  void order(Lane& lane);
  void wait();
  void open(Gate& gate);
  void host_comes_after(const std::vector<size_t>& nodes);
  bool can_wait_for(size_t node) const;

  std::mt19937 random_;
  test::CommandWorld world_;
  std::vector<size_t> sizes_;
  std::vector<test::Buffer> memory_;
  std::vector<std::unique_ptr<int[]>> host_memory_; ///< each transfer has its own
  std::vector<Lane> lanes_;
  std::vector<Gate> gates_;
  std::vector<Command> commands_;
  cl_kernel put_, get_;
  Graph graph_;
  size_t host_; ///< the host after its last call that waited
};

RandomCommands::RandomCommands(unsigned seed)
    : random_(seed),
      lanes_{{world_.first, true}, {world_.second, true}, {world_.unordered, false}},
      put_(world_.kernel("put")),
      get_(world_.kernel("get")),
      host_(graph_.add()) {
  static size_t last = 1000; // tells the buffers of the process apart
  for (size_t i = 0; i < buffers; ++i) {
    sizes_.push_back(++last);
    memory_.push_back(world_.session.buffer(last));
  }
  for (int i = 0; i < 2; ++i)
    gates_.push_back({graph_.add(), test::user_event(world_.session.context)});
}

Command& RandomCommands::begin(Lane& lane, test::Waits& waits) {
  Command made{graph_.add()};
  graph_.connect(host_, made.node);
  if (lane.is_in_order && !lane.commands.empty())
    graph_.connect(commands_[lane.commands.back()].node, made.node);
  if (lane.barrier != none) graph_.connect(commands_[lane.barrier].node, made.node);
  for (size_t count = commands_.empty() ? 0 : number(0, 3) / 2; count > 0; --count) {
    const Command& awaited = commands_[number(0, commands_.size() - 1)];
    waits.push_back(awaited.event);
    graph_.connect(awaited.node, made.node);
  }
  if (number(0, 7) == 0) {
    const Gate& gate = gates_[number(0, gates_.size() - 1)];
    waits.push_back(gate.event);
    graph_.connect(gate.node, made.node);
  }
  lane.commands.push_back(commands_.size());
  commands_.push_back(std::move(made));
  return commands_.back();
}

void RandomCommands::transfer(Lane& lane) {
  test::Waits waits;
  Command& made = begin(lane, waits);
  const auto count = static_cast<cl_uint>(waits.size());
  const cl_event* list = waits.empty() ? nullptr : waits.data();
  const size_t kind = number(0, 3), buffer = number(0, buffers - 1);
  const Access part = access(kind != 0, buffer);
  const size_t first = part.begin * sizeof(int), bytes = (part.end - part.begin) * sizeof(int);
  int* host = host_memory_.emplace_back(std::make_unique<int[]>(ints)).get();
  made.accesses.push_back(part);
  if (kind == 0) {
    REQUIRE_CL(clEnqueueReadBuffer(lane.queue, memory_[buffer], CL_FALSE, first, bytes, host, count, list,
                                   made.event.address()));
  } else if (kind == 1) {
    REQUIRE_CL(clEnqueueWriteBuffer(lane.queue, memory_[buffer], CL_FALSE, first, bytes, host, count, list,
                                    made.event.address()));
  } else if (kind == 2) {
    REQUIRE_CL(clEnqueueFillBuffer(lane.queue, memory_[buffer], host, sizeof(int), first, bytes, count, list,
                                   made.event.address()));
  } else {
    const size_t source = (buffer + 1) % buffers;
    made.accesses.push_back({source, part.begin, part.end, false});
    REQUIRE_CL(clEnqueueCopyBuffer(lane.queue, memory_[source], memory_[buffer], first, first, bytes, count,
                                   list, made.event.address()));
  }
}

void RandomCommands::launch(Lane& lane) {
  test::Waits waits;
  Command& made = begin(lane, waits);
  const size_t buffer = number(0, buffers - 1);
  const bool writes = number(0, 1);
  const cl_kernel kernel = writes ? put_ : get_;
  const Access part = access(writes, buffer);
  made.accesses.push_back(part);
  made.is_kernel = true;
  REQUIRE_CL(set_argument(kernel, 0, memory_[buffer]));
  if (!writes) {
    const size_t target = (buffer + 1) % buffers;
    made.accesses.push_back({target, part.begin, part.end, true});
    REQUIRE_CL(set_argument(kernel, 1, memory_[target]));
  }
  const size_t size = part.end - part.begin;
  REQUIRE_CL(clEnqueueNDRangeKernel(lane.queue, kernel, 1, &part.begin, &size, nullptr,
                                    static_cast<cl_uint>(waits.size()),
                                    waits.empty() ? nullptr : waits.data(), made.event.address()));
}

/// A marker or a barrier.
void RandomCommands::order(Lane& lane) {
  test::Waits waits;
  const size_t own = commands_.size();
  Command& made = begin(lane, waits);
  if (waits.empty())
    for (const size_t earlier : lane.commands)
      if (earlier != own) graph_.connect(commands_[earlier].node, made.node);
  const bool is_barrier = number(0, 1);
  REQUIRE_CL((is_barrier ? clEnqueueBarrierWithWaitList : clEnqueueMarkerWithWaitList)(
      lane.queue, static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
      made.event.address()));
  if (is_barrier) lane.barrier = own;
}

void RandomCommands::host_comes_after(const std::vector<size_t>& nodes) {
  const size_t now = graph_.add();
  graph_.connect(host_, now);
  for (const size_t node : nodes)
    graph_.connect(node, now);
  host_ = now;
}

/// Whether no closed gate holds it up.
bool RandomCommands::can_wait_for(size_t node) const {
  return std::ranges::all_of(
      gates_, [&](const Gate& gate) { return gate.is_open || !graph_.reached_from(gate.node)[node]; });
}

void RandomCommands::wait() {
  if (commands_.empty()) return;
  if (number(0, 1)) {
    const Command& awaited = commands_[number(0, commands_.size() - 1)];
    if (!can_wait_for(awaited.node)) return;
    REQUIRE_CL(test::wait(awaited.event));
    return host_comes_after({awaited.node});
  }
  const Lane& lane = lanes_[number(0, lanes_.size() - 1)];
  std::vector<size_t> nodes;
  for (const size_t command : lane.commands)
    nodes.push_back(commands_[command].node);
  if (!std::ranges::all_of(nodes, [&](size_t node) { return can_wait_for(node); })) return;
  REQUIRE_CL(clFinish(lane.queue));
  host_comes_after(nodes);
}

void RandomCommands::open(Gate& gate) {
  if (gate.is_open) return;
  gate.is_open = true;
  graph_.connect(host_, gate.node);
  REQUIRE_CL(clSetUserEventStatus(gate.event, CL_COMPLETE));
}

void RandomCommands::step() {
  const size_t what = number(0, 15);
  Lane& lane = lanes_[number(0, lanes_.size() - 1)];
  if (what < 8)
    transfer(lane);
  else if (what < 11)
    launch(lane);
  else if (what < 13)
    order(lane);
  else if (what < 15)
    wait();
  else
    open(gates_[number(0, gates_.size() - 1)]);
}

void RandomCommands::end() {
  for (Gate& gate : gates_)
    open(gate);
  world_.finish();
}

std::set<size_t> RandomCommands::expected() const {
  std::set<size_t> racing;
  for (size_t a = 0; a < commands_.size(); ++a) {
    const std::vector<bool> after = graph_.reached_from(commands_[a].node);
    for (size_t b = 0; b < commands_.size(); ++b) {
      if (a == b || after[commands_[b].node] || graph_.reached_from(commands_[b].node)[commands_[a].node])
        continue;
      for (const Access& of_a : commands_[a].accesses)
        for (const Access& of_b : commands_[b].accesses)
          if (of_a.conflicts_with(of_b))
            racing.insert(commands_[a].is_kernel || commands_[b].is_kernel ? 0 : sizes_[of_a.buffer]);
    }
  }
  return racing;
}

/// The same of what has been reported.
std::set<size_t> reported() {
  std::set<size_t> racing;
  for (const std::string& line : test::command_findings()) {
    const bool is_of_transfers = line.find(R"("kernel":"",)") < line.find(R"("message")");
    const size_t size = line.find(", ", line.find(R"("creation":"allocation)"));
    racing.insert(is_of_transfers ? std::strtoull(line.c_str() + size + 2, nullptr, 10) : 0);
  }
  return racing;
}

} // namespace

TEST_CASE("commands: random ones are reported if and only if nothing orders them", "[commands]") {
  size_t racing = 0, clean = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    CAPTURE(seed);
    test::command_findings();
    RandomCommands commands(seed);
    for (unsigned steps = 3 + seed % 25; steps > 0; --steps)
      commands.step();
    commands.end();
    const std::set<size_t> expected = commands.expected();
    CHECK(reported() == expected);
    ++(expected.empty() ? clean : racing);
  }
  CHECK(racing > 20);
  CHECK(clean > 10);
}
