#include "counted_calls.hpp"

#include <cstdio>
#include <cstdlib>

namespace counted {

using failing_allocator::state;

const char* where = "";

void fail(const char* what, cl_int code) {
  failing_allocator::end();
  std::fprintf(stderr, "failed: %s: %s, code %d, after %ld failures up to allocation %ld\n", where, what,
               code, state.failures.load(), state.counted.load());
  std::_Exit(1);
}

bool good(const char* what, cl_int code) {
  if (code == CL_SUCCESS) return true;
  if (state.failures == 0) fail(what, code);
  if (code != CL_OUT_OF_HOST_MEMORY && code != CL_OUT_OF_RESOURCES &&
      code != CL_MEM_OBJECT_ALLOCATION_FAILURE)
    fail(what, code);
  return false;
}

void finish(cl_command_queue queue) {
  call("clFinish", clFinish, queue);
  without_failures([&] {
    if (clFinish(queue) != CL_SUCCESS) fail("clFinish", 1);
  });
}

bool completed(cl_event event) {
  cl_int status = 1;
  without_failures(
      [&] { clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr); });
  if (status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && state.failures > 0) return false;
  return good("a command", status);
}

} // namespace counted
