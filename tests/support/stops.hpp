#pragma once

// clTerminateContextKHR and clCancelCommandsIMG, and what their tests need.

#include "support/session.hpp"

#include <atomic>
#include <thread>

// A name that older headers lack
#ifndef CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
#define CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR (1 << 0)
#endif

namespace test {

inline constexpr cl_int cancelled = -1126; ///< CL_CANCELLED_IMG, which older headers lack
using CancelCommands = cl_int(CL_API_CALL*)(const cl_event*, size_t);

inline cl_int terminate(cl_context context) {
  static const auto function = extension_function<clTerminateContextKHR_fn>("clTerminateContextKHR");
  return function(context);
}
inline cl_int cancel(const std::vector<cl_event>& events) {
  static const auto function = extension_function<CancelCommands>("clCancelCommandsIMG");
  return function(events.data(), events.size());
}
inline bool can_terminate() {
  return platform_has_extension("cl_khr_terminate_context");
}
inline bool can_cancel() {
  return platform_has_extension("cl_img_cancel_command");
}

/// A context that can be terminated.
inline Context make_terminable_context(void(CL_CALLBACK* notify)(const char*, const void*, size_t,
                                                                 void*) = nullptr,
                                       void* data = nullptr) {
  const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const cl_device_id id = device();
  cl_int error = 1;
  Context context(clCreateContext(properties, 1, &id, notify, data, &error));
  REQUIRE_CL(error);
  return context;
}

struct TerminableSession : Session {
  explicit TerminableSession(cl_command_queue_properties properties = 0) : Session(properties) {
    queue.reset(); // the queue of the other context
    context = make_terminable_context();
    queue = make_queue(context, properties);
  }
};

/// Counts the calls of a callback for CL_COMPLETE.
struct Ends {
  explicit Ends(cl_event event) { REQUIRE_CL(clSetEventCallback(event, CL_COMPLETE, note, this)); }
  Ends(const Ends&) = delete;
  static void CL_CALLBACK note(cl_event, cl_int status, void* data) {
    auto& ends = *static_cast<Ends*>(data);
    ends.status = status;
    ++ends.calls;
  }
  /// Waits for the first call, which may come after a wait for the event has returned. @returns its status
  cl_int first() const {
    while (calls == 0)
      std::this_thread::yield();
    return status;
  }
  std::atomic<int> calls = 0;
  std::atomic<cl_int> status = 99;
};

inline Event marker(cl_command_queue queue, const std::vector<cl_event>& waits) {
  Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                         waits.empty() ? nullptr : waits.data(), event.address()));
  return event;
}

/// Waits until the command has begun.
inline void wait_until_running(cl_event event) {
  while (status_of(event) > CL_RUNNING)
    std::this_thread::yield();
}

/// A kernel `spin`, whose work-items take about 100 microseconds each.
inline constexpr const char* spin_source = R"(
  kernel void spin(global volatile uint* out) {
    uint x = (uint)get_global_id(0);
    for (uint i = 0; i < 100000; ++i) x = x * 1664525u + out[0];
    if (x == 1) out[0] = x;
  })";

} // namespace test
