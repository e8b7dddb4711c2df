#include "soak/worker.hpp"

#include "soak/household.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <new>

#include <pthread.h>

namespace soak {

namespace {

constexpr std::size_t memory_count = 5;
constexpr std::size_t max_pending = 30;
constexpr std::size_t longest_note = 256;

std::uint64_t stream(const Place& place) {
  return Random(Random(place.seed * 1000 + place.thread).next() + place.operation).next();
}

std::vector<Operation> operations_of(const Limits& limits) {
  const shortage::Lifted lifted;
  std::vector<Operation> all;
  auto add = [&all](std::span<const Operation> table) { all.insert(all.end(), table.begin(), table.end()); };
  for (auto table : {transfers(), launches(), builds(), events(), objects()})
    add(table);
  if (limits.with_processes) add(processes());
  if (limits.with_processes && axes.forks) add(forks());
  if (axes.stacks) add(stacks());
  if (axes.limits) add(recoveries());
  if (limits.with_exits) add(exits());
  return all;
}

} // namespace

Worker::Worker(World& world, unsigned thread)
    : world(world), random(0), place_{world.seed, thread, 0, "begin"} {
  random = Random(stream(place_));
  place_.text.reserve(longest_note); // so that note() needs no memory
  for (std::size_t i = 0; i < memory_count; ++i)
    memories_.push_back(make_memory(world, random, place_));
  for (const char* name : function_names) {
    cl_int error = CL_SUCCESS;
    kernels_.emplace_back(clCreateKernel(world.program, name, &error));
    expect("clCreateKernel", error);
  }
}

Worker::~Worker() = default;

void Worker::run(const Limits& limits) {
  const std::vector<Operation> all = operations_of(limits);
  while (place_.operation < limits.operations && Clock::now() < limits.end)
    one_operation(all);
  finish();
  is_over_ = true;
}

void Worker::run_some(std::uint64_t operations) {
  const std::vector<Operation> all = operations_of({.with_processes = false});
  for (; operations > 0; --operations)
    one_operation(all);
}

void Worker::one_operation(std::span<const Operation> all) {
  unsigned weights = 0;
  for (const Operation& operation : all)
    weights += operation.weight;
  {
    std::scoped_lock guard(place_lock_);
    ++place_.operation;
  }
  random = Random(stream(place_));
  std::size_t chosen = random.below(weights);
  const Operation* operation = all.data();
  for (; chosen >= operation->weight; ++operation)
    chosen -= operation->weight;
  note("%s", operation->name);
  began_ = Clock::now();
  run_or_recover(*operation);
  pthread_testcancel();
}

void Worker::run_or_recover(const Operation& operation) {
  try {
    touched_.clear();
    operation.run(*this);
    touched_.clear();
    drain(max_pending);
  } catch (const Shortage&) {
    recover();
  } catch (const std::bad_alloc&) {
    recover();
  }
}

/// After a failure of the operation, which may have been in the middle of its changes.
void Worker::recover() {
  if (!axes.limits) fail(place_, "memory for the soak itself", "enough", "too little");
  ++counts.shortages;
  for (const Memory* memory : touched_)
    renew(memory);
  renew(nullptr);
}

void Worker::succeed(const Operation& operation) {
  drain(0);
  overcome(place_, [&] {
    try {
      touched_.clear();
      operation.run(*this);
      touched_.clear();
      if (drain(0) > 0) throw Shortage{operation.name, CL_OUT_OF_RESOURCES};
    } catch (const Shortage&) {
      recover();
      throw;
    }
  });
}

void Worker::renew(const Memory* lost) {
  for (std::unique_ptr<Memory>& memory : memories_) {
    if (memory.get() != lost) continue;
    memory.reset();
    overcome(place_, [&] { memory = make_memory(world, random, place_); });
    ++counts.renewed;
  }
}

void Worker::finish() {
  const Uncancelled whole;
  note("final comparison");
  began_ = Clock::now();
  await_children(*this, 0);
  overcome(place_, [this] {
    drain(0);
    for (std::unique_ptr<Memory>& memory : memories_)
      verify(*memory, world.queue(random), place_);
  });
  if (axes.limits) use_again(*this);
  memories_.clear();
  household.reset();
}

void Worker::note(const char* format, ...) {
  char text[longest_note];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  std::scoped_lock guard(place_lock_);
  place_.text = text;
}

void Worker::expect_equal(const char* what, std::uint64_t actual, std::uint64_t expected) const {
  if (actual != expected) fail(place_, what, std::to_string(expected), std::to_string(actual));
}

std::string Worker::state() const {
  std::scoped_lock guard(place_lock_);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(busy()).count();
  return "thread " + std::to_string(place_.thread) + ", operation " + std::to_string(place_.operation) +
         ": " + (is_over_ ? "over" : place_.text + " for " + std::to_string(seconds) + " s");
}

Memory& Worker::memory_beside(const Memory& other) {
  Memory* found = &memory();
  while (found == &other)
    found = &memory();
  return *found;
}

// ---- Commands

test::Event Worker::late_event(cl_int status) {
  return world.completer->make(world.context, status, std::chrono::microseconds(random.below(5000)), place_);
}

cl_event Worker::some_event() {
  if (pending_.empty()) return nullptr;
  const Pending& chosen = pending_[random.below(pending_.size())];
  return chosen.outcome == CL_SUCCESS ? chosen.event.get() : nullptr;
}

Step Worker::step(std::initializer_list<const Memory*> memories) {
  Step step;
  step.queue = world.queue(random);
  touched_.insert(touched_.end(), memories.begin(), memories.end());
  for (const Memory* memory : memories)
    if (memory->last) step.waits.push_back(memory->last);
  if (cl_event other = some_event(); other && random.chance(20)) step.waits.push_back(other);
  const std::size_t kind = random.below(100);
  if (kind < 12) {
    step.fails = kind < 6;
    step.owned.push_back(late_event(step.fails ? -1 - static_cast<cl_int>(random.below(1000)) : CL_COMPLETE));
    step.waits.push_back(step.owned.back());
  }
  return step;
}

void Worker::settle(Step& step, std::initializer_list<Memory*> memories, std::unique_ptr<Words> data,
                    Words expected) {
  if (!step.event) return; // a blocking call that failed
  ++counts.commands;
  if (!step.fails) {
    for (Memory* memory : memories) {
      expect("clRetainEvent", clRetainEvent(step.event));
      memory->last.reset(step.event);
    }
  }
  for (Memory* memory : memories)
    if (memory->host && random.chance(30)) pager::protect(random, memory->host, memory->words() * 4);
  if (data && random.chance(50)) pager::protect(random, data->data(), data->size() * 4);
  try {
    pending_.push_back(
        {test::Event(), step.outcome(), place_, {memories.begin(), memories.end()}, nullptr, {}});
  } catch (const std::bad_alloc&) {
    const cl_int status = wait_surely(step.event); // which uses the data
    if (memories.size() == 0 && status != step.outcome()) world.has_lost_counts = true;
    throw;
  }
  pending_.back().event = std::move(step.event);
  pending_.back().data = std::move(data);
  pending_.back().expected = std::move(expected);
  if (random.chance(10)) expect("clFlush", clFlush(step.queue));
}

std::size_t Worker::drain(std::size_t remaining) {
  std::size_t lost = 0;
  for (; pending_.size() > remaining; pending_.pop_front()) {
    pthread_testcancel();
    if (is_lost(pending_.front()))
      ++lost;
    else
      check(pending_.front());
  }
  return lost;
}

/// Whether the command failed because limits were low. Nothing is known of what it should have changed.
bool Worker::is_lost(const Pending& pending) {
  if (!axes.limits) return false;
  const cl_int status = wait_surely(pending.event);
  if (status == pending.outcome || !shortage::is_permitted(status)) return false;
  ++counts.shortages;
  if (pending.memories.empty()) world.has_lost_counts = true;
  for (const Memory* memory : pending.memories)
    renew(memory);
  return true;
}

void Worker::check(const Pending& pending) const {
  cl_event event = pending.event;
  soak::expect(pending.place, "clWaitForEvents", clWaitForEvents(1, &event), pending.outcome);
  cl_int status = CL_QUEUED;
  soak::expect(pending.place, "clGetEventInfo",
               clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  soak::expect(pending.place, "CL_EVENT_COMMAND_EXECUTION_STATUS", status, pending.outcome);
  if (pending.data) compare(pending.place, "data of the command", pending.data->data(), pending.expected);
}

void run_alone(std::uint64_t seed, std::uint64_t operations) {
  World world(seed);
  {
    Worker worker(world, 0);
    worker.run({.operations = operations, .with_processes = false});
  }
  world.check();
}

} // namespace soak
