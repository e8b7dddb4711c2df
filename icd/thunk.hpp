#pragma once

// Makes the C function for a typed entry point (runtime/api/api.hpp). No exception leaves the C function, an error
// becomes its code, the error's message goes to the log and the context's callback, and cancellation of the thread is
// delayed during the call.

#include "compiler/isolation/race_detector.hpp"
#include "runtime/api/api.hpp"
#include "runtime/memory/sampler.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/timeline.hpp"

#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>

namespace hostcl::icd {

using runtime::Context;
using runtime::Error;
using runtime::Result;
using runtime::Status;

/// A string as a template argument.
template <std::size_t length>
struct Name {
  constexpr Name(const char (&string)[length]) {
    for (std::size_t i = 0; i < length; ++i)
      text[i] = string[i];
  }
  constexpr std::string_view view() const { return {text, length - 1}; }
  char text[length];
};

struct NoDelay {
  NoDelay() {}
};
/// Delays cancellation during a call. Calls that take a few nanoseconds, or about a hundred, do not need the delay if
/// they reach cancellation points only in functions that delay cancellation themselves. These functions are report(),
/// trace(), the timeline and, for an enqueued launch, the check of commands and the work that is done once for each
/// kernel or thread.
template <Name name>
using CancellationDelay =
    std::conditional_t<name.view().starts_with("clRetain") || name.view().starts_with("clSetKernelArg") ||
                           name.view() == "clEnqueueNDRangeKernel",
                       NoDelay, runtime::CancellationDelay>;

/// The context that an error of a call on this handle is reported to; empty if the handle is not valid.
runtime::Ref<Context> context_of(cl_context);
runtime::Ref<Context> context_of(cl_command_queue);
runtime::Ref<Context> context_of(cl_mem);
runtime::Ref<Context> context_of(cl_sampler);
runtime::Ref<Context> context_of(cl_program);
runtime::Ref<Context> context_of(cl_kernel);
runtime::Ref<Context> context_of(cl_event);
runtime::Ref<Context> context_of(cl_semaphore_khr);
runtime::Ref<Context> context_of(cl_command_buffer_khr);
runtime::Ref<Context> context_of(cl_mutable_command_khr);
template <class Other>
runtime::Ref<Context> context_of(Other) {
  return {};
}

/// The context of a list of events, the argument of clWaitForEvents.
runtime::Ref<Context> first_context(cl_uint count, const cl_event* events);
/// The context of a list of queues, or of what is enqueued in them: clCreateCommandBufferKHR,
/// clEnqueueCommandBufferKHR.
runtime::Ref<Context> first_context(cl_uint count, const cl_command_queue* queues,
                                    const cl_command_buffer_properties_khr* properties);
runtime::Ref<Context> first_context(cl_uint queue_count, cl_command_queue* queues,
                                    cl_command_buffer_khr buffer, cl_uint event_count, const cl_event* waits,
                                    cl_event* event);

/// Logs an error and tells the context. @returns its code.
cl_int report(const char* function, const Error& error, const runtime::Ref<Context>& context);
void trace(const char* function, cl_int code);

template <class... Args>
runtime::Ref<Context> first_context(const Args&... args) {
  if constexpr (sizeof...(Args) == 0) {
    return {};
  } else {
    return [](const auto& first, const auto&...) { return context_of(first); }(args...);
  }
}

/// Calls the function; an exception becomes an error.
template <class Returned, class Function, class... Args>
Returned guarded(Function function, Args... args) noexcept {
  try {
    return function(args...);
  } catch (const std::bad_alloc&) {
    return Error(CL_OUT_OF_HOST_MEMORY);
  } catch (...) {
    return Error(CL_OUT_OF_RESOURCES);
  }
}

template <Name name, auto function>
struct Thunk;

template <Name name, class... Args, Status (*function)(Args...)>
struct Thunk<name, function> {
  static cl_int CL_API_CALL call(Args... args) noexcept {
    const CancellationDelay<name> uncancelled;
    const RaceDetector::InDriver in_driver;
    runtime::timeline::Span span(runtime::timeline::Category::api, name.text);
    Status status = guarded<Status>(function, args...);
    cl_int code = CL_SUCCESS;
    if (!status.ok()) [[unlikely]]
      code = report(name.text, std::move(status).error(), first_context(args...));
    span.argument("result", code);
    trace(name.text, code);
    return code;
  }
};

template <Name name, class T, class... Args, Result<T> (*function)(Args...)>
struct Thunk<name, function> {
  /// With errcode_ret as the last argument.
  static T CL_API_CALL call(Args... args, cl_int* code_ret) noexcept {
    cl_int code = CL_SUCCESS;
    T value = take(code, args...);
    if (code_ret) *code_ret = code;
    return value;
  }
  /// Without errcode_ret.
  static T CL_API_CALL call_without_code(Args... args) noexcept {
    cl_int code = CL_SUCCESS;
    return take(code, args...);
  }

private:
  static T take(cl_int& code, Args... args) noexcept {
    const CancellationDelay<name> uncancelled;
    const RaceDetector::InDriver in_driver;
    runtime::timeline::Span span(runtime::timeline::Category::api, name.text);
    Result<T> result = guarded<Result<T>>(function, args...);
    if (!result.ok()) [[unlikely]]
      code = report(name.text, result.error(), first_context(args...));
    span.argument("result", code);
    trace(name.text, code);
    return std::move(result).value();
  }
};

/// The C function for a typed entry point.
template <Name name, auto function>
inline constexpr auto thunk = &Thunk<name, function>::call;
template <Name name, auto function>
inline constexpr auto thunk_without_code = &Thunk<name, function>::call_without_code;

/// The C function for an entry point of an extension, or of a version of OpenCL, that the platform does not have. It
/// returns CL_INVALID_OPERATION, or null with this code in errcode_ret.
template <class Pointer>
struct Absent;
template <class... Args>
struct Absent<cl_int(CL_API_CALL*)(Args...)> {
  static cl_int CL_API_CALL call(Args...) noexcept { return CL_INVALID_OPERATION; }
};
template <class... Args>
struct Absent<void(CL_API_CALL*)(Args...)> {
  static void CL_API_CALL call(Args...) noexcept {}
};
template <class T, class... Args>
struct Absent<T*(CL_API_CALL*)(Args...)> {
  static T* CL_API_CALL call(Args... args) noexcept {
    if (cl_int* code = last(args...)) *code = CL_INVALID_OPERATION;
    return nullptr;
  }

private:
  static cl_int* last() { return nullptr; }
  static cl_int* last(cl_int* code) { return code; }
  template <class First, class... Rest>
  static cl_int* last(First, Rest... rest) {
    return last(rest...);
  }
};
template <class Pointer>
inline constexpr Pointer absent = &Absent<Pointer>::call;

} // namespace hostcl::icd
