// Native kernels and callbacks that make blocking calls, one inside the other. The driver runs the awaited
// commands on the thread that waits, and must not run out of stack.

#include "support/session.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <pthread.h>

namespace {

constexpr unsigned depth = 10'000;

/// What the nested functions share; their own checks are not for other threads.
struct Chain {
  cl_context context;
  cl_command_queue queue;
  std::atomic<unsigned> begun = 0, ended = 0, wrong = 0;

  void check(cl_int status) { wrong += status != CL_SUCCESS; }
};

// ---- Native kernels, each of which waits for the next one in a queue of its own

void enqueue_next(Chain* chain, cl_command_queue queue);

void CL_CALLBACK wait_for_next(void* argument) {
  Chain* chain = *static_cast<Chain**>(argument);
  const unsigned number = ++chain->begun;
  if (number < depth) {
    cl_int status = CL_SUCCESS;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(chain->context, test::device(), nullptr, &status);
    chain->check(status);
    enqueue_next(chain, queue);
    chain->check(clFinish(queue));
    chain->check(clReleaseCommandQueue(queue));
  }
  chain->wrong += ++chain->ended != depth - number + 1; // the last one to begin is the first to end
}

void enqueue_next(Chain* chain, cl_command_queue queue) {
  chain->check(clEnqueueNativeKernel(queue, wait_for_next, &chain, sizeof chain, 0, nullptr, nullptr, 0,
                                     nullptr, nullptr));
}

void CL_CALLBACK finish_other(void* argument) {
  Chain* chain = *static_cast<Chain**>(argument);
  chain->check(clEnqueueMarkerWithWaitList(chain->queue, 0, nullptr, nullptr));
  chain->check(clFinish(chain->queue));
  ++chain->ended;
}

// ---- Callbacks, each of which waits for a command with the next one

void CL_CALLBACK wait_for_marker(cl_event, cl_int, void* argument) {
  auto* chain = static_cast<Chain*>(argument);
  if (++chain->begun < depth) {
    test::Event next;
    chain->check(clEnqueueMarkerWithWaitList(chain->queue, 0, nullptr, next.address()));
    chain->check(clSetEventCallback(next, CL_COMPLETE, wait_for_marker, chain));
    chain->check(clFinish(chain->queue));
  }
  ++chain->ended;
}

// ---- Callbacks that set the next user event, and wait in the end for what another callback does

struct UserChain {
  std::vector<test::Event> events;
  test::Event last;
  std::atomic<unsigned> called = 0, wrong = 0;
};

void CL_CALLBACK set_last(cl_event, cl_int, void* argument) {
  auto* chain = static_cast<UserChain*>(argument);
  chain->wrong += clSetUserEventStatus(chain->last, CL_COMPLETE) != CL_SUCCESS;
}

void CL_CALLBACK set_next(cl_event, cl_int, void* argument) {
  auto* chain = static_cast<UserChain*>(argument);
  const unsigned number = ++chain->called;
  chain->wrong += clSetUserEventStatus(chain->events[number], CL_COMPLETE) != CL_SUCCESS;
  if (number + 1 == chain->events.size()) {
    const cl_event last = chain->last;
    chain->wrong += clWaitForEvents(1, &last) != CL_SUCCESS;
  }
}

bool has_native_kernels() {
  return test::is_hostcl() &&
         (test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) &
          CL_EXEC_NATIVE_KERNEL);
}

/// Calls clFinish on a thread with 1 MB of stack.
cl_int finish_on_small_stack(cl_command_queue queue) {
  struct Call {
    cl_command_queue queue;
    cl_int status = 1;
  } call{queue};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  const auto run = [](void* argument) -> void* {
    auto* call = static_cast<Call*>(argument);
    call->status = clFinish(call->queue);
    return nullptr;
  };
  pthread_t thread;
  REQUIRE(pthread_create(&thread, &attributes, run, &call) == 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  return call.status;
}

void wait_for(const std::atomic<unsigned>& number, unsigned wanted) {
  while (number < wanted)
    std::this_thread::yield();
}

} // namespace

TEST_CASE("Native kernels that wait for native kernels may nest without bound", "[nesting]") {
  if (!has_native_kernels()) return;
  const test::Session session;
  Chain chain{session.context, session.queue};
  enqueue_next(&chain, session.queue);
  REQUIRE_CL(finish_on_small_stack(session.queue));
  CHECK(chain.begun == depth);
  CHECK(chain.ended == depth);
  CHECK(chain.wrong == 0);
}

TEST_CASE("Many native kernels may finish another queue, one after the other", "[nesting]") {
  if (!has_native_kernels()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  Chain chain{session.context, other};
  Chain* argument = &chain;
  for (unsigned i = 0; i < depth; ++i)
    REQUIRE_CL(clEnqueueNativeKernel(session.queue, finish_other, &argument, sizeof argument, 0, nullptr,
                                     nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(chain.ended == depth);
  CHECK(chain.wrong == 0);
}

TEST_CASE("Callbacks that wait for commands with callbacks may nest without bound", "[nesting]") {
  if (!test::is_hostcl()) return;
  for (const cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Session session(order);
    Chain chain{session.context, session.queue};
    test::Event first;
    REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, first.address()));
    REQUIRE_CL(clSetEventCallback(first, CL_COMPLETE, wait_for_marker, &chain));
    REQUIRE_CL(clFinish(session.queue));
    wait_for(chain.ended, depth);
    CHECK(chain.begun == depth);
    CHECK(chain.wrong == 0);
    REQUIRE_CL(clFinish(session.queue));
  }
}

TEST_CASE("A callback that waits for one that was put off has it called", "[nesting]") {
  if (!test::is_hostcl()) return;
  for (const unsigned count : {10u, 64u, 65u, 66u, 130u, 1000u}) {
    const test::Session session;
    UserChain chain;
    for (unsigned i = 0; i < count; ++i)
      chain.events.push_back(test::user_event(session.context));
    chain.last = test::user_event(session.context);
    for (unsigned i = 0; i < count; ++i)
      REQUIRE_CL(
          clSetEventCallback(chain.events[i], CL_COMPLETE, i + 1 < count ? set_next : set_last, &chain));
    REQUIRE_CL(clSetUserEventStatus(chain.events[0], CL_COMPLETE));
    CHECK(test::status_of(chain.last) == CL_COMPLETE);
    CHECK(chain.called == count - 1);
    CHECK(chain.wrong == 0);
  }
}
