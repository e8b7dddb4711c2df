// Declared in icd/thunk.hpp and icd/failing.hpp.

#include "icd/failing.hpp"
#include "icd/thunk.hpp"

#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/semaphore/semaphore.hpp"

namespace hostcl::icd {

using runtime::object_cast;
using runtime::Ref;

namespace {

template <class T>
Ref<Context> context_through(typename T::Handle handle) {
  auto object = object_cast<T>(handle);
  return object.ok() ? Ref<Context>(std::move(object).value().context()) : Ref<Context>();
}

} // namespace

Ref<Context> context_of(cl_context handle) {
  auto context = object_cast<Context>(handle);
  return context.ok() ? Ref<Context>(std::move(context).value()) : Ref<Context>();
}
Ref<Context> context_of(cl_command_queue handle) {
  return context_through<runtime::Queue>(handle);
}
Ref<Context> context_of(cl_mem handle) {
  return context_through<runtime::Memory>(handle);
}
Ref<Context> context_of(cl_sampler handle) {
  return context_through<runtime::Sampler>(handle);
}
Ref<Context> context_of(cl_program handle) {
  return context_through<runtime::Program>(handle);
}
Ref<Context> context_of(cl_kernel handle) {
  return context_through<runtime::Kernel>(handle);
}
Ref<Context> context_of(cl_event handle) {
  return context_through<runtime::Event>(handle);
}
Ref<Context> context_of(cl_semaphore_khr handle) {
  return context_through<runtime::Semaphore>(handle);
}

Ref<Context> context_of(cl_command_buffer_khr handle) {
  return context_through<runtime::CommandBuffer>(handle);
}
Ref<Context> context_of(cl_mutable_command_khr handle) {
  return context_through<runtime::MutableCommand>(handle);
}

Ref<Context> first_context(cl_uint count, const cl_event* events) {
  for (cl_uint i = 0; events && i < count; ++i)
    if (Ref<Context> context = context_of(events[i])) return context;
  return {};
}

Ref<Context> first_context(cl_uint count, const cl_command_queue* queues,
                           const cl_command_buffer_properties_khr*) {
  for (cl_uint i = 0; queues && i < count; ++i)
    if (Ref<Context> context = context_of(queues[i])) return context;
  return {};
}

Ref<Context> first_context(cl_uint, cl_command_queue*, cl_command_buffer_khr buffer, cl_uint, const cl_event*,
                           cl_event*) {
  return context_of(buffer);
}

cl_int report(const char* function, const Error& error, const Ref<Context>& context) {
  const runtime::CancellationDelay uncancelled;
  runtime::log(runtime::LogLevel::info, function, ": error ", error.code(), ": ", error.sentence());
  if (context) context->notify(function, ": ", error.sentence());
  return error.code();
}

cl_int report_fault(const char* function, const runtime::faults::Fault& fault,
                    const Ref<Context>& context) noexcept {
  const runtime::CancellationDelay uncancelled;
  const RaceDetector::InDriver in_driver;
  runtime::timeline::Span span(runtime::timeline::Category::api, function);
  span.argument("result", fault.code);
  (void)guarded<Status>([&]() -> Status { // there may be no memory for the message
    report(function, Error(fault.code, fault.sentence), context);
    return {};
  });
  trace(function, fault.code);
  return fault.code;
}

void trace(const char* function, cl_int code) {
  if (!runtime::logs(runtime::LogLevel::trace)) [[likely]]
    return;
  const runtime::CancellationDelay uncancelled;
  runtime::log(runtime::LogLevel::trace, function, " -> ", code);
}

} // namespace hostcl::icd
