#include "runtime/object/object.hpp"

namespace hostcl::runtime {

void (*limit_dispatch_table)(cl_version) = nullptr;
const cl_icd_dispatch* dispatch_table = nullptr;

const char* name_of(Kind kind) {
  switch (kind) {
  case Kind::platform:
    return "platform";
  case Kind::device:
    return "device";
  case Kind::context:
    return "context";
  case Kind::queue:
    return "command queue";
  case Kind::device_queue:
    return "device queue";
  case Kind::memory:
    return "memory object";
  case Kind::sampler:
    return "sampler";
  case Kind::program:
    return "program";
  case Kind::kernel:
    return "kernel";
  case Kind::event:
    return "event";
  case Kind::device_event:
    return "device event";
  case Kind::semaphore:
    return "semaphore";
  case Kind::command_buffer:
    return "command buffer";
  case Kind::mutable_command:
    return "mutable command";
  }
  return "object";
}

} // namespace hostcl::runtime
