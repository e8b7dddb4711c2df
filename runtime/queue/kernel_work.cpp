#include "runtime/queue/kernel_work.hpp"

#include "runtime/capture/capture.hpp"
#include "runtime/launch/family_run.hpp"
#include "runtime/launch/launch_run.hpp"
#include "runtime/program/nd_range.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/log.hpp"

#include <atomic>
#include <utility>

namespace hostcl::runtime {

namespace {

/// If a kernel's first launch has at least this many work-items, tier 1 code is compiled in the background while tier 0
/// code runs the launch: the launch probably takes long enough to gain from tier 1 code.
constexpr std::uint64_t many_items = 1 << 16;

/// The number of enqueued launches each of which is the first launch of its kernel and has no machine code yet.
std::atomic<unsigned> new_launches = 0;

} // namespace

Result<const Kernel::Code&> code_for(const Queue& queue, const Kernel& kernel) {
  if (&queue.context() != &kernel.context())
    return fail(CL_INVALID_CONTEXT, "kernel and command queue belong to different contexts");
  if (const Kernel::Code* code = kernel.code_for(queue.device())) return *code;
  return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program of kernel '", kernel.signature().name,
              "' was not built for the device of the command queue");
}

cl_int find_code(const LaunchRecord& record, const Context& context, compiler::KernelChoice& choice) {
  std::string log_text;
  choice = record.kernel().code(record.range(), &log_text);
  if (choice.code) return CL_SUCCESS;
  const std::string& name = record.signature().name;
  log(LogLevel::error, "kernel '", name, "' could not be compiled: ", log_text);
  context.notify("kernel '", name, "' could not be compiled: ", log_text);
  return CL_OUT_OF_RESOURCES;
}

void describe_launch(const LaunchRecord& record, timeline::Span& span) {
  span.argument("global_size", record.range().global_size);
  span.argument("global_offset", record.range().global_offset);
  span.argument("local_size", record.range().local_size);
}

KernelWork::KernelWork(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
                       Ref<DeviceQueue> default_queue)
    : default_queue_(std::move(default_queue)), record_(kernel, code, range) {
  if (record_.is_valid() && record_.kernel().claim_first_launch()) note_first_launch();
}

KernelWork::~KernelWork() {
  forget_first_launch();
}

/// If several kernels have been enqueued for the first time, the thread that runs their launches compiles the first
/// kernel, and compiler threads compile the other kernels at the same time.
void KernelWork::note_first_launch() {
  const CancellationDelay uncancelled; // the compiler's log is a cancellation point
  is_first_ = true;
  LoadedKernel& kernel = record_.kernel();
  kernel.forget_ahead();
  if (new_launches.fetch_add(1, std::memory_order_relaxed) > 0 && group_total(record_.range()) > 0)
    kernel.compile_in_background(Background::Reason::launched, record_.range());
}

void KernelWork::forget_first_launch() {
  if (is_first_) new_launches.fetch_sub(1, std::memory_order_relaxed);
  is_first_ = false;
}

std::uint64_t KernelWork::estimate(const LoadedKernel& kernel, const abi::NDRange& range) {
  const double ns = kernel.group_ns(items_per_group(range));
  if (ns == 0) return Queue::unknown;
  const double total = ns * static_cast<double>(group_total(range));
  return total > 1e18 ? Queue::unknown : static_cast<std::uint64_t>(total);
}

cl_int KernelWork::prepare(Queue& queue) {
  const abi::NDRange& range = record_.range();
  if (group_total(range) == 0) return CL_SUCCESS;
  if (is_first_ && item_total(range) >= many_items) record_.kernel().want_tier1_code(range);
  const cl_int status = find_code(record_, queue.context(), choice_);
  forget_first_launch();
  return status;
}

cl_int KernelWork::run(Queue& queue) {
  if (group_total(record_.range()) == 0) return CL_COMPLETE;
  return capture::captured(record_, queue.device(), [&] { return run_groups(queue); });
}

cl_int KernelWork::run_groups(Queue& queue) {
  if (record_.signature().enqueues)
    return run_family(record_, choice_, queue.context(), queue.device(), queue.workers(), default_queue_,
                      own_end_);
  const Context& context = queue.context();
  return status_of(run_launch(record_, choice_, context.host_callbacks(), queue.device(), queue.workers()),
                   context);
}

} // namespace hostcl::runtime
