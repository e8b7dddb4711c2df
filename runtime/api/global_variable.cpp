// Access of the host to program-scope variables by name (cl_intel_global_variable_access).

#include "runtime/api/global_variable.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/program/program.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/transfer.hpp"

#include <cstring>

namespace hostcl::runtime {

namespace {

using Access = compiler::HostAccess;

/// Copies from or to a variable of a program, which it keeps loaded.
class VariableWork final : public Work {
public:
  VariableWork(std::shared_ptr<LoadedProgram> program, void* to, const void* from, std::size_t bytes)
      : program_(std::move(program)), to_(to), from_(from), bytes_(bytes) {}
  cl_int run(Queue&) override {
    const Rect all = Rect::row(0, bytes_);
    checks::note_transfer(static_cast<std::byte*>(to_), all, static_cast<const std::byte*>(from_), all);
    std::memcpy(to_, from_, bytes_);
    return CL_COMPLETE;
  }
  void describe(timeline::Span& span) const override { span.argument("bytes", bytes_); }

private:
  std::shared_ptr<LoadedProgram> program_;
  void* to_;
  const void* from_;
  std::size_t bytes_;
};

/// The arguments of both functions.
struct Request {
  cl_command_queue queue;
  cl_program program;
  const char* name;
  cl_bool blocking;
  std::size_t size, offset;
  const void* ptr;
  cl_uint count;
  const cl_event* waits;
  cl_event* event;
};

/// The address of the requested part of the variable, if the host may access the variable in this way.
Result<std::byte*> part_of(const LoadedProgram& program, const Request& request, Access wanted) {
  if (!request.name || !request.ptr)
    return fail(CL_INVALID_VALUE, !request.name ? "name" : "ptr", " is NULL");
  const auto [variable, address] = program.variable(request.name);
  if (!variable) return fail(CL_INVALID_ARG_VALUE, "the program has no global variable '", request.name, "'");
  if (request.size > variable->bytes || request.offset > variable->bytes - request.size)
    return fail(CL_INVALID_VALUE, "offset ", request.offset, " and size ", request.size,
                " are outside of variable '", request.name, "', which has ", variable->bytes, " bytes");
  if (!(std::uint32_t(variable->access) & std::uint32_t(wanted)))
    return fail(CL_INVALID_OPERATION, "the host may not ", wanted == Access::read ? "read" : "write",
                " variable '", request.name, "': its HostAccessINTEL is ", std::uint32_t(variable->access));
  return static_cast<std::byte*>(address) + request.offset;
}

Status enqueue(const Request& request, Access wanted, cl_command_type type) {
  TRY(Queue & queue, object_cast<Queue>(request.queue));
  TRY(Program & program, object_cast<Program>(request.program));
  if (&program.context() != &queue.context())
    return fail(CL_INVALID_CONTEXT, "the queue and the program belong to different contexts");
  TRY(const auto executables, program.executables());
  std::shared_ptr<LoadedProgram> loaded;
  for (std::size_t i = 0; i < executables.size(); ++i)
    if (program.devices()[i].get() == &queue.device()) loaded = executables[i];
  if (!loaded)
    return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program has not been built for the queue's device");
  TRY(std::byte * part, part_of(*loaded, request, wanted));
  TRY(WaitList list, WaitList::checked(queue.context(), request.count, request.waits));
  void* host = const_cast<void*>(request.ptr);
  const bool reads = wanted == Access::read;
  return queue.submit<VariableWork>({.type = type,
                                     .waits = list,
                                     .event = request.event,
                                     .blocking = request.blocking != CL_FALSE,
                                     .estimate = transfer_estimate(request.size)},
                                    std::move(loaded), reads ? host : part, reads ? part : host,
                                    request.size);
}

} // namespace

Status enqueue_read_global_variable(cl_command_queue queue, cl_program program, const char* name,
                                    cl_bool blocking, size_t size, size_t offset, void* ptr, cl_uint count,
                                    const cl_event* waits, cl_event* event) {
  return enqueue({queue, program, name, blocking, size, offset, ptr, count, waits, event}, Access::read,
                 CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL);
}

Status enqueue_write_global_variable(cl_command_queue queue, cl_program program, const char* name,
                                     cl_bool blocking, size_t size, size_t offset, const void* ptr,
                                     cl_uint count, const cl_event* waits, cl_event* event) {
  return enqueue({queue, program, name, blocking, size, offset, ptr, count, waits, event}, Access::write,
                 CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL);
}

} // namespace hostcl::runtime
