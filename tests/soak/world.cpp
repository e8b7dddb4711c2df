#include "soak/world.hpp"

#include "soak/kernels.hpp"
#include "soak/memory.hpp"
#include "support/choice.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace soak {

namespace {

/// False when a failure has been printed, or none is to be.
std::atomic<bool> is_judging = true;

} // namespace

void stop_judging() {
  is_judging = false;
}

void fail(const Place& place, const std::string& what, const std::string& expected,
          const std::string& actual) {
  if (!is_judging.exchange(false)) // the process is about to end
    for (;;)
      std::this_thread::sleep_for(std::chrono::seconds(1));
  std::fprintf(stderr,
               "failed%s: seed %llu, thread %u, operation %llu\n  %s\n  %s: expected %s, but it is %s\n"
               "  again: %s\n",
               is_child ? " in a child" : "", static_cast<unsigned long long>(place.seed), place.thread,
               static_cast<unsigned long long>(place.operation), place.text.c_str(), what.c_str(),
               expected.c_str(), actual.c_str(), repetition.c_str());
  std::fflush(stderr);
  if (std::getenv("SOAK_ABORT")) std::abort();
  std::_Exit(1);
}

void expect(const Place& place, const char* call, cl_int actual, cl_int expected) {
  if (actual == expected) return;
  if (shortage::is_permitted(actual)) throw Shortage{call, actual};
  if (is_child && actual == CL_COMPILER_NOT_AVAILABLE) std::_Exit(exit_without_compiler);
  fail(place, call, std::to_string(expected), std::to_string(actual));
}

cl_int wait_surely(cl_event event) {
  const Uncancelled whole;
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    clWaitForEvents(1, &event);
    cl_int status = CL_QUEUED;
    const cl_int error =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (error == CL_SUCCESS && status <= CL_COMPLETE) return status;
  }
}

// ---- User events

Completer::~Completer() {
  {
    std::scoped_lock guard(lock_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

test::Event Completer::make(cl_context context, cl_int status, std::chrono::microseconds delay,
                            const Place& place) {
  cl_int error = CL_SUCCESS;
  test::Event event(clCreateUserEvent(context, &error));
  expect(place, "clCreateUserEvent", error);
  expect(place, "clRetainEvent", clRetainEvent(event));
  {
    std::scoped_lock guard(lock_);
    due_.push_back({Clock::now() + delay, test::Event(event.get()), status, place});
  }
  changed_.notify_all();
  return event;
}

void Completer::wait_until_idle() {
  std::unique_lock guard(lock_);
  changed_.wait(guard, [&] { return due_.empty() && !is_calling_; });
}

void Completer::run() {
  std::unique_lock guard(lock_);
  while (!is_over_ || !due_.empty()) {
    auto next = std::ranges::min_element(due_, {}, &Due::time);
    if (next == due_.end()) {
      changed_.wait(guard);
    } else if (Clock::time_point time = next->time; time > Clock::now()) {
      changed_.wait_until(guard, time);
    } else {
      Due due = std::move(*next);
      due_.erase(next);
      is_calling_ = true;
      guard.unlock();
      // Also without memory: the commands that wait for the event would wait for ever.
      if (const cl_int error = clSetUserEventStatus(due.event, due.status); error != CL_SUCCESS)
        fail(due.place, "clSetUserEventStatus", "0", std::to_string(error));
      due.event.reset();
      guard.lock();
      is_calling_ = false;
      changed_.notify_all();
    }
  }
}

// ---- What is shared

World::World(std::uint64_t seed)
    : seed(seed), place{seed, 0, 0, "shared objects"}, device(test::chosen_device()) {
  cl_int error = CL_SUCCESS;
  context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  expect(place, "clCreateContext", error);
  program.reset(
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&kernel_source), nullptr, &error));
  expect(place, "clCreateProgramWithSource", error);
  expect(place, "clBuildProgram", clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  keeper.reset(clCreateKernel(program, "count", &error));
  expect(place, "clCreateKernel", error);
  Words zeros(counter_count, 0);
  counters.reset(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros[0] * counter_count, zeros.data(), &error));
  expect(place, "clCreateBuffer", error);
  Random random(seed);
  for (int i = 0; i < 6; ++i)
    queues_.push_back(make_queue(random, place));
}

test::Queue World::make_queue(Random& random, const Place& at) const {
  cl_queue_properties values = 0;
  if (random.chance(50)) values |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (random.chance(50)) values |= CL_QUEUE_PROFILING_ENABLE;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, values, 0};
  cl_int error = CL_SUCCESS;
  test::Queue queue(clCreateCommandQueueWithProperties(context, device, properties, &error));
  expect(at, "clCreateCommandQueueWithProperties", error);
  return queue;
}

test::Queue World::queue(Random& random) {
  std::scoped_lock guard(lock_);
  test::Queue& chosen = queues_[random.below(queues_.size())];
  expect(place, "clRetainCommandQueue", clRetainCommandQueue(chosen));
  return test::Queue(chosen.get());
}

void World::replace_queue(Random& random, const Place& at) {
  test::Queue queue = make_queue(random, at);
  std::scoped_lock guard(lock_);
  std::swap(queues_[random.below(queues_.size())], queue);
}

SharedBuild World::shared_build(Random& random, const Place& at) {
  std::scoped_lock guard(lock_);
  if (!shared_build_.program || random.chance(15)) {
    shared_build_.number = random.word();
    const std::string source = "kernel void generated(global uint* v) { v[get_global_linear_id()] += " +
                               std::to_string(shared_build_.number) + "u; }";
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    shared_build_.program.reset(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    expect(at, "clCreateProgramWithSource", error);
  }
  expect(at, "clRetainProgram", clRetainProgram(shared_build_.program));
  return {test::Program(shared_build_.program.get()), shared_build_.number};
}

std::unique_ptr<Memory> World::exchange(std::unique_ptr<Memory> memory, Random& random) {
  std::scoped_lock guard(lock_);
  exchanged_.push_back(std::move(memory));
  std::swap(exchanged_.back(), exchanged_[random.below(exchanged_.size())]);
  if (exchanged_.size() < 4) return nullptr;
  std::unique_ptr<Memory> taken = std::move(exchanged_.back());
  exchanged_.pop_back();
  return taken;
}

void World::keep(test::Event event) {
  std::scoped_lock guard(lock_);
  kept_.push_back(std::move(event));
  if (kept_.size() < 1000) return;
  std::erase_if(kept_, [](const test::Event& kept) {
    cl_int status = CL_QUEUED;
    clGetEventInfo(kept, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status == CL_COMPLETE;
  });
}

void World::become_idle() {
  const Uncancelled whole;
  completer->wait_until_idle();
  for (test::Queue& queue : queues_)
    expect(place, "clFinish", clFinish(queue));
  await("callbacks that have not been called", outstanding_callbacks);
  for (test::Queue& queue : queues_) // again, for what the callbacks enqueued
    expect(place, "clFinish", clFinish(queue));
  for (test::Event& event : kept_) {
    const cl_int status = wait_surely(event);
    if (shortage::is_permitted(status))
      has_lost_counts = true;
    else
      expect(place, "status of a callback's command", status);
  }
  kept_.clear();
  // The next owner would wait for a command that has failed, in a child without limits as well.
  std::erase_if(exchanged_, [](const std::unique_ptr<Memory>& memory) {
    return memory->last && shortage::is_permitted(wait_surely(memory->last));
  });
}

void World::await(const char* what, const std::atomic<int>& count) const {
  for (auto end = Clock::now() + std::chrono::seconds(60); count > 0;) {
    if (Clock::now() > end) fail(place, what, "0", std::to_string(count));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void World::go_on_in_child() {
  static_cast<void>(completer.release()); // whose destructor would wait for its thread
  completer = std::make_unique<Completer>();
}

void World::check() {
  for (std::unique_ptr<Memory>& memory : exchanged_)
    verify(*memory, queues_[0], place);
  exchanged_.clear();
  become_idle();
  await("memory objects whose destructor callbacks have not been called", host_blocks);
  Words actual(counter_count);
  expect(place, "clEnqueueReadBuffer",
         clEnqueueReadBuffer(queues_[0], counters, CL_TRUE, 0, sizeof actual[0] * counter_count,
                             actual.data(), 0, nullptr, nullptr));
  for (std::size_t i = 0; i < counter_count && !has_lost_counts; ++i)
    if (actual[i] != expected_counters[i])
      fail(place, "counter " + std::to_string(i), std::to_string(expected_counters[i]),
           std::to_string(actual[i]));
}

} // namespace soak
