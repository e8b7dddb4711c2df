// HOSTCL_CHECK=commands reports nothing of commands that anything orders, or that do not meet.

#include "command_cases.hpp"

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

using namespace test::command_cases;

void CL_CALLBACK complete_user_event(cl_event, cl_int, void* gate) {
  clSetUserEventStatus(static_cast<cl_event>(gate), CL_COMPLETE);
}

void CL_CALLBACK note_call(cl_event, cl_int, void* flag) {
  *static_cast<std::atomic<bool>*>(flag) = true;
}

void CL_CALLBACK nothing(void*) {}

void CL_CALLBACK wait_for_flag(void* arguments) {
  while (!**static_cast<std::atomic<bool>**>(arguments))
    std::this_thread::yield();
}

/// Waits without a call that waits.
void poll(cl_event event) {
  while (test::status_of(event) != CL_COMPLETE)
    std::this_thread::yield();
}

const Case right[] = {
    {"one queue in order",
     [](World& w) {
       w.put(w.first);
       w.get(w.first);
       w.write(w.first);
     }},
    {"an event",
     [](World& w) {
       const Event before = w.put(w.first);
       w.get(w.second, {before});
     }},
    {"events by way of a third queue",
     [](World& w) {
       const Event before = w.put(w.first), between = w.fill(w.unordered, w.b, {before});
       w.get(w.second, {between});
     }},
    {"an event of a later command of the queue",
     [](World& w) {
       w.put(w.first);
       const Event later = w.fill(w.first, w.b);
       w.get(w.second, {later});
     }},
    {"a barrier",
     [](World& w) {
       w.put(w.unordered);
       barrier(w.unordered);
       w.get(w.unordered);
     }},
    {"a barrier that waits for an event of another queue",
     [](World& w) {
       const Event before = w.put(w.first);
       barrier(w.unordered, {before});
       w.get(w.unordered);
     }},
    {"a marker that is waited for",
     [](World& w) {
       w.put(w.unordered);
       const Event all = marker(w.unordered);
       w.get(w.second, {all});
     }},
    {"the host finishes the queue",
     [](World& w) {
       w.put(w.first);
       REQUIRE_CL(clFinish(w.first));
       w.get(w.second);
     }},
    {"the host waits for the event",
     [](World& w) {
       const Event before = w.put(w.unordered);
       REQUIRE_CL(test::wait(before));
       w.get(w.unordered);
     }},
    {"the host waits for an event after it",
     [](World& w) {
       w.put(w.first);
       const Event later = w.fill(w.first, w.b);
       REQUIRE_CL(test::wait(later));
       w.get(w.second);
     }},
    {"the host asks for the status",
     [](World& w) {
       const Event before = w.put(w.first);
       REQUIRE_CL(clFlush(w.first));
       poll(before);
       w.get(w.second);
     }},
    {"the host waits in another thread",
     [](World& w) {
       const Event before = w.put(w.first);
       std::thread([&] { test::wait(before); }).join();
       w.get(w.second);
     }},
    {"a blocking command",
     [](World& w) {
       w.put(w.first);
       REQUIRE_CL(clEnqueueReadBuffer(w.first, w.b, CL_TRUE, 0, bytes, w.more.data(), 0, nullptr, nullptr));
       w.get(w.second);
     }},
    {"a callback has been called",
     [](World& w) {
       std::atomic<bool> is_called = false;
       const Event before = w.put(w.first);
       REQUIRE_CL(clSetEventCallback(before, CL_COMPLETE, note_call, &is_called));
       while (!is_called)
         std::this_thread::yield();
       w.get(w.second);
     }},
    {"a callback has been called as a command after it was about to run",
     [](World& w) {
       std::atomic<bool> is_called = false;
       const Event gate = test::user_event(w.session.context);
       w.put(w.first, {gate});
       const Event next = w.fill(w.first, w.b);
       REQUIRE_CL(clSetEventCallback(next, CL_RUNNING, note_call, &is_called));
       REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
       while (!is_called)
         std::this_thread::yield();
       w.get(w.second);
     }},
    {"threads that enqueue in one queue in order",
     [](World& w) {
       const auto put_often = [&w](cl_kernel kernel) {
         for (int i = 0; i < 100; ++i) {
           const size_t size = n;
           if (clEnqueueNDRangeKernel(w.first, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr))
             std::abort();
         }
       };
       const cl_kernel one = w.kernel("put"), other = w.kernel("put");
       test::set_arguments(one, w.a);
       test::set_arguments(other, w.a);
       std::thread thread(put_often, one);
       put_often(other);
       thread.join();
     }},
    {"a callback sets a user event",
     [](World& w) {
       const Event gate = test::user_event(w.session.context);
       w.get(w.second, {gate});
       const Event before = w.put(w.first);
       REQUIRE_CL(clSetEventCallback(before, CL_COMPLETE, complete_user_event, gate.get()));
       REQUIRE_CL(test::wait(gate));
     }},
    {"a user event that is set after the host has waited",
     [](World& w) {
       const Event gate = test::user_event(w.session.context);
       w.get(w.second, {gate});
       w.put(w.first);
       REQUIRE_CL(clFinish(w.first));
       REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
     }},
    {"the same by way of a further command",
     [](World& w) {
       const Event gate = test::user_event(w.session.context), between = w.fill(w.unordered, w.b, {gate});
       w.get(w.second, {between});
       w.put(w.first);
       REQUIRE_CL(clFinish(w.first));
       REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
     }},
    {"halves",
     [](World& w) {
       w.put(w.first, {}, 0, half);
       w.put(w.second, {}, half, n);
     }},
    {"two that read",
     [](World& w) {
       w.get(w.first);
       w.read(w.second);
       w.copy(w.unordered);
     }},
    {"two that count atomically",
     [](World& w) {
       w.count(w.first);
       w.count(w.second);
     }},
    {"parts of a buffer that do not overlap",
     [](World& w) {
       const test::Buffer low = w.part(w.a, 0, 128), high = w.part(w.a, 128, 128);
       w.put(w.first, low);
       w.put(w.second, high);
     }},
    {"rectangles beside each other",
     [](World& w) {
       write_rect(w, w.first, 0);
       write_rect(w, w.second, 32);
     }},
    {"a command buffer that runs twice in one queue",
     [](World& w) {
       replay(w, w.first);
       replay(w, w.first);
       w.get(w.first);
     }},
    {"a kernel after the end of a map",
     [](World& w) {
       w.put(w.first);
       const Event end = unmap(w, w.first, map(w, w.first, CL_MAP_WRITE));
       w.get(w.second, {end});
     }},
    {"a kernel that reads while the buffer is mapped for reading",
     [](World& w) {
       void* mapped = map(w, w.first, CL_MAP_READ);
       w.get(w.first);
       unmap(w, w.first, mapped);
     }},
    {"transfers by way of mapped memory",
     [](World& w) {
       void* mapped = map(w, w.first, CL_MAP_READ | CL_MAP_WRITE);
       REQUIRE_CL(clEnqueueWriteBuffer(w.first, w.b, CL_FALSE, 0, bytes, mapped, 0, nullptr, nullptr));
       REQUIRE_CL(clEnqueueReadBuffer(w.first, w.b, CL_FALSE, 0, bytes, mapped, 0, nullptr, nullptr));
       unmap(w, w.first, mapped);
     }},
    {"shared memory that is freed when all is done",
     [](World& w) {
       void* memory = shared_memory(w);
       put_into(w, w.first, memory);
       REQUIRE_CL(clFinish(w.first));
       clSVMFree(w.session.context, memory);
     }},
    {"shared memory that the same queue frees",
     [](World& w) {
       void* memory = shared_memory(w);
       put_into(w, w.first, memory);
       REQUIRE_CL(clEnqueueSVMFree(w.first, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr));
     }},
    {"a native kernel tells another thread",
     [](World& w) {
       w.put(w.first);
       Event told;
       REQUIRE_CL(clEnqueueNativeKernel(w.first, nothing, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                                        told.address()));
       REQUIRE_CL(test::wait(told));
       w.get(w.second);
     }},
    {"a native kernel waits for the host, which has waited for the other command",
     [](World& w) {
       std::atomic<bool> is_over = false;
       void* argument = &is_over;
       w.put(w.first);
       REQUIRE_CL(clEnqueueNativeKernel(w.second, wait_for_flag, &argument, sizeof argument, 0, nullptr,
                                        nullptr, 0, nullptr, nullptr));
       w.get(w.second);
       REQUIRE_CL(clFlush(w.second));
       REQUIRE_CL(clFinish(w.first));
       is_over = true;
       REQUIRE_CL(clFinish(w.second));
     }},
    {"memory that takes the place of other memory",
     [](World& w) {
       for (int i = 0; i < 20; ++i) {
         std::vector<int> numbers(n);
         const test::Buffer made = w.session.buffer(bytes, CL_MEM_USE_HOST_PTR, numbers.data());
         w.fill(i % 2 ? w.first : w.second, made);
         w.finish();
       }
     }},
};

} // namespace

TEST_CASE("commands: those that something orders, or that do not meet, are not reported", "[commands]") {
  for (const Case& test : right) {
    CAPTURE(test.name);
    test::command_findings();
    {
      World world;
      test.enqueue(world);
    }
    const std::vector<std::string> found = test::command_findings();
    CAPTURE(found);
    CHECK(found.empty());
  }
}
