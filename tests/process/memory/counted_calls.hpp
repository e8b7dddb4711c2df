#pragma once

// Calls of the API whose allocations are counted and may fail. What has no excuse in a lack of memory ends the
// test.

#include "failing_allocator.hpp"
#include "support/handles.hpp"

#include <CL/cl.h>

namespace counted {

using failing_allocator::Counted;

/// What the test does, for its messages.
extern const char* where;

[[noreturn]] void fail(const char* what, cl_int code);

/// True for success; ends the test for a code that no lack of memory explains.
bool good(const char* what, cl_int code);

template <class Function, class... Arguments>
bool call(const char* what, Function function, const Arguments&... arguments) {
  cl_int code;
  {
    const Counted counted;
    code = function(arguments...);
  }
  return good(what, code);
}

/// Calls a function whose last argument is errcode_ret. @returns null where it fails.
template <class Function, class... Arguments>
auto make(const char* what, Function function, const Arguments&... arguments) {
  cl_int code = 1;
  decltype(function(arguments..., &code)) object;
  {
    const Counted counted;
    object = function(arguments..., &code);
  }
  if (good(what, code) != (object != nullptr)) fail(what, code);
  return object;
}

/// A release never fails.
template <class Handle, cl_int(CL_API_CALL* release)(Handle)>
cl_int CL_API_CALL checked(Handle handle) {
  const cl_int code = release(handle);
  if (code != CL_SUCCESS) fail("release", code);
  return code;
}
template <class Handle, cl_int(CL_API_CALL* release)(Handle)>
using Owner = test::Owner<Handle, checked<Handle, release>>;
using Context = Owner<cl_context, clReleaseContext>;
using Queue = Owner<cl_command_queue, clReleaseCommandQueue>;
using Buffer = Owner<cl_mem, clReleaseMemObject>;
using Program = Owner<cl_program, clReleaseProgram>;
using Kernel = Owner<cl_kernel, clReleaseKernel>;
using Event = Owner<cl_event, clReleaseEvent>;
using Sampler = Owner<cl_sampler, clReleaseSampler>;

/// For what has to happen in any case: no allocation fails meanwhile.
template <class Function>
void without_failures(Function function) {
  const failing_allocator::Scope scope =
      failing_allocator::state.scope.exchange(failing_allocator::Scope::none);
  function();
  failing_allocator::state.scope = scope;
}

/// Waits for the queue, also where there is no memory to do so.
void finish(cl_command_queue queue);

/// True if the command is complete; ends the test unless that or a lack of memory is its status.
bool completed(cl_event event);

} // namespace counted
