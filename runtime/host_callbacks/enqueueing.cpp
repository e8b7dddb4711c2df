#include "runtime/host_callbacks/enqueueing.hpp"

#include "runtime/launch/enqueuer.hpp"
#include "runtime/launch/family.hpp"
#include "runtime/launch/launch_geometry.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace hostcl::runtime {

namespace {

/// Error codes of OpenCL C (OpenCL C 3.0, 6.15.17).
enum Status : std::int32_t {
  success = 0,
  enqueue_failure = -101,
  invalid_queue = -102,
  invalid_ndrange = -160,
  invalid_event_wait_list = -57,
  device_queue_full = -161,
  invalid_arg_size = -51,
  event_allocation_failure = -100,
  out_of_resources = -5,
};
enum Flags : std::int32_t { no_wait = 0, wait_kernel = 1, wait_work_group = 2 };
constexpr std::int32_t profiling_command_exec_time = 1;

/// The events of a wait list. Most lists are short.
class Waits {
public:
  /// @returns false if a value is not a live event
  bool read(const Context& context, std::uint32_t count, const std::uint64_t* numbers) {
    if (count > std::size(inline_)) more_.resize(count);
    Ref<DeviceEvent>* events = count > std::size(inline_) ? more_.data() : inline_;
    for (std::uint32_t i = 0; i < count; ++i)
      if (events[i] = DeviceEvent::find(numbers[i], context); !events[i]) return false;
    all_ = {events, count};
    return true;
  }
  std::span<const Ref<DeviceEvent>> all() const { return all_; }

private:
  Ref<DeviceEvent> inline_[8];
  std::vector<Ref<DeviceEvent>> more_;
  std::span<const Ref<DeviceEvent>> all_;
};

std::uint64_t number_of(const _cl_event* event) {
  return reinterpret_cast<std::uintptr_t>(event);
}

/// An event for a command in the queue; null if the queue has too many events, or if there is no memory.
Ref<DeviceEvent> make_event(DeviceQueue& queue) {
  if (!queue.reserve_event()) return {};
  try {
    return make_object<DeviceEvent>(queue);
  } catch (const std::bad_alloc&) {
    queue.unreserve_event();
    return {};
  }
}

/// Bytes of local memory of a group, variables and arguments; nothing if an argument has a size of 0.
std::optional<std::uint64_t> local_bytes(const LoadedKernel& kernel, const abi::BlockLaunch& launch) {
  std::uint64_t bytes = kernel.signature().static_local_bytes;
  for (std::uint32_t i = 0; i < launch.local_count; ++i) {
    if (launch.local_sizes[i] == 0) return std::nullopt;
    if (__builtin_add_overflow(bytes, launch.local_sizes[i], &bytes)) return ~std::uint64_t{0};
  }
  return bytes;
}

/// Implements the functions of device-side enqueueing for the range of work-groups that is running.
class Enqueueing {
public:
  explicit Enqueueing(Enqueuer& range) : range_(range), family_(range.parent().family()) {}

  // See abi::HostCallbacks.
  std::int32_t enqueue_kernel(const abi::BlockLaunch& launch) noexcept;
  std::int32_t enqueue_marker(std::uint64_t queue, std::uint32_t wait_count, const std::uint64_t* waits,
                              std::uint64_t* event) noexcept;
  std::uint32_t query(abi::BlockQuery query, std::uint64_t kernel, const abi::BlockRange* range) noexcept;

private:
  std::int32_t enqueue(const abi::BlockLaunch& launch, bool is_marker);
  std::int32_t add(const Child::Description& description);
  std::int32_t told(std::int32_t status) const;
  const Device& device() const { return family_.device(); }
  bool has_kernel(std::uint64_t number) const;
  LoadedKernel& kernel(std::uint64_t number) const;

  Enqueuer& range_;
  Family& family_;
};

/// Whether there is a kernel of this number. Machine code of a guest process may pass any number.
bool Enqueueing::has_kernel(std::uint64_t number) const {
  return number < family_.launch().program().block_kernels().size();
}

LoadedKernel& Enqueueing::kernel(std::uint64_t number) const {
  return *family_.launch().program().block_kernels()[number];
}

/// The status that the kernel gets. It says the reason for a failure only if the kernel was compiled with -g.
std::int32_t Enqueueing::told(std::int32_t status) const {
  return status == success || range_.running().signature().names_enqueue_errors ? status : enqueue_failure;
}

std::int32_t Enqueueing::enqueue_kernel(const abi::BlockLaunch& launch) noexcept try {
  return told(enqueue(launch, /*is_marker=*/false));
} catch (const std::exception&) {
  return told(out_of_resources);
}

std::int32_t Enqueueing::enqueue_marker(std::uint64_t queue, std::uint32_t wait_count,
                                        const std::uint64_t* waits, std::uint64_t* event) noexcept try {
  if (!waits || wait_count == 0) return told(invalid_event_wait_list);
  abi::BlockLaunch launch{};
  launch.queue = queue;
  launch.wait_count = wait_count;
  launch.waits = waits;
  launch.event = event;
  return told(enqueue(launch, /*is_marker=*/true));
} catch (const std::exception&) {
  return told(out_of_resources);
}

/// Checks in the order in which the specification lists the errors.
std::int32_t Enqueueing::enqueue(const abi::BlockLaunch& launch, bool is_marker) {
  auto* handle = reinterpret_cast<_cl_command_queue*>(launch.queue);
  if (!handle_arena::contains(handle) || !handle->is_live(DeviceQueue::kind)) return invalid_queue;
  auto& queue = static_cast<DeviceQueue&>(*handle);
  if (&queue.device() != &device() || &queue.context() != &family_.context()) return invalid_queue;
  if (is_marker) return add({queue, launch, nullptr, {}});
  if (!has_kernel(launch.kernel)) return enqueue_failure;
  LoadedKernel& child = kernel(launch.kernel);
  if (launch.local_count + 1 != child.signature().arguments.size()) return enqueue_failure;
  const std::optional<abi::NDRange> range = block_range(*launch.range, child, device());
  if (!range) return invalid_ndrange;
  if (launch.flags < no_wait || launch.flags > wait_work_group) return enqueue_failure;
  if (!launch.waits != !launch.wait_count) return invalid_event_wait_list;
  const std::optional<std::uint64_t> bytes = local_bytes(child, launch);
  if (!bytes) return invalid_arg_size;
  if (*bytes > device().local_memory_bytes()) return out_of_resources;
  return add({queue, launch, &child, *range});
}

/// Creates the child, and its event if the kernel asks for one. Adds the child to the list of children with which it
/// waits.
std::int32_t Enqueueing::add(const Child::Description& description) {
  const abi::BlockLaunch& launch = description.launch;
  Waits waits;
  if (!waits.read(family_.context(), launch.wait_count, launch.waits)) return invalid_event_wait_list;
  Ref<DeviceEvent> event;
  if (launch.event) {
    event = make_event(description.queue);
    if (!event) return event_allocation_failure;
  }
  Child* child = Child::make(range_.parent(), description, waits.all(), event);
  if (!child) return device_queue_full;
  if (launch.event) *launch.event = number_of(expose(std::move(event)));
  if (launch.flags == wait_kernel)
    range_.parent().wait_for_kernel(*child);
  else
    range_.add(*child);
  return success;
}

std::uint32_t Enqueueing::query(abi::BlockQuery query, std::uint64_t number,
                                const abi::BlockRange* given) noexcept try {
  if (query == abi::BlockQuery::preferred_multiple)
    return static_cast<std::uint32_t>(device().preferred_multiple());
  if (!has_kernel(number)) return 0;
  LoadedKernel& child = kernel(number);
  if (query == abi::BlockQuery::work_group_size)
    return static_cast<std::uint32_t>(device().max_group_items(child.signature().private_bytes));
  const std::optional<abi::NDRange> range = given ? block_range(*given, child, device()) : std::nullopt;
  if (!range) return 0;
  const auto& local = range->local_size;
  const std::size_t items = items_per_group(*range);
  const std::size_t width = child.sub_group_width({local[0], local[1], local[2]});
  return static_cast<std::uint32_t>(
      query == abi::BlockQuery::max_sub_group_size ? width : (items + width - 1) / width);
} catch (const std::exception&) {
  return 0;
}

// ---- Host callbacks

/// Null if nothing can be enqueued: in constructors of variables in program scope.
Enqueuer* enqueuer_of(const abi::Launch* launch) {
  return static_cast<Enqueuer*>(launch->enqueuer);
}

std::int32_t enqueue_kernel(void*, const abi::Launch* launch, const abi::BlockLaunch* child) {
  Enqueuer* enqueuer = enqueuer_of(launch);
  return enqueuer ? Enqueueing(*enqueuer).enqueue_kernel(*child) : enqueue_failure;
}

std::int32_t enqueue_marker(void*, const abi::Launch* launch, std::uint64_t queue, std::uint32_t wait_count,
                            const std::uint64_t* waits, std::uint64_t* event) {
  Enqueuer* enqueuer = enqueuer_of(launch);
  return enqueuer ? Enqueueing(*enqueuer).enqueue_marker(queue, wait_count, waits, event) : enqueue_failure;
}

std::uint32_t query_block(void*, const abi::Launch* launch, abi::BlockQuery query, std::uint64_t kernel,
                          const abi::BlockRange* range) {
  Enqueuer* enqueuer = enqueuer_of(launch);
  return enqueuer ? Enqueueing(*enqueuer).query(query, kernel, range) : 0;
}

Context& context_of(void* context) {
  return *static_cast<Context*>(context);
}

std::uint64_t create_user_event(void* context) {
  try {
    return number_of(expose(make_object<DeviceEvent>(context_of(context))));
  } catch (const std::bad_alloc&) {
    return abi::no_event;
  }
}

void retain_event(void* context, std::uint64_t number) {
  if (const auto event = DeviceEvent::find(number, context_of(context))) event->retain_for_application();
}

void release_event(void* context, std::uint64_t number) {
  const auto event = DeviceEvent::find(number, context_of(context));
  if (event && event->drop_application_reference() != 0) event->release();
}

std::uint32_t is_valid_event(void* context, std::uint64_t number) {
  const auto event = DeviceEvent::find(number, context_of(context));
  return event && event->reference_count() != 0;
}

void set_user_event_status(void* context, std::uint64_t number, std::int32_t status) {
  const auto event = DeviceEvent::find(number, context_of(context));
  if (event && event->is_user_event() && status <= CL_COMPLETE) complete_event(*event, status, {});
}

void capture_event_profile(void* context, std::uint64_t number, std::int32_t name, std::uint64_t* value) {
  if (const auto event = DeviceEvent::find(number, context_of(context));
      event && name == profiling_command_exec_time)
    event->capture(value);
}

} // namespace

void add_enqueue_callbacks(abi::HostCallbacks& host_callbacks) {
  host_callbacks.enqueue_kernel = enqueue_kernel;
  host_callbacks.enqueue_marker = enqueue_marker;
  host_callbacks.query_block = query_block;
  host_callbacks.create_user_event = create_user_event;
  host_callbacks.retain_event = retain_event;
  host_callbacks.release_event = release_event;
  host_callbacks.is_valid_event = is_valid_event;
  host_callbacks.set_user_event_status = set_user_event_status;
  host_callbacks.capture_event_profile = capture_event_profile;
}

} // namespace hostcl::runtime
