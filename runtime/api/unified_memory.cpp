// cl_intel_unified_shared_memory: host, device and shared allocations. All of them are memory of the host.
// Declared in runtime/api/api.hpp.

#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/transfer.hpp"

#include <bit>

namespace hostcl::runtime {

// ---- Allocations

namespace {

constexpr cl_mem_alloc_flags_intel placements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

Status check_flags(cl_mem_alloc_flags_intel flags, AllocationKind kind) {
  if (flags & ~(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | placements))
    return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL is 0x", std::hex, flags,
                ", which has unknown bits");
  if ((flags & placements) && kind != AllocationKind::shared)
    return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL is 0x", std::hex, flags,
                "; only shared allocations may have an initial placement");
  if ((flags & placements) == placements)
    return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL is 0x", std::hex, flags,
                "; the initial placement cannot be both on the host and on the device");
  return {};
}

Result<cl_mem_alloc_flags_intel> checked_flags(const cl_mem_properties_intel* list, AllocationKind kind) {
  cl_mem_alloc_flags_intel flags = 0;
  if (!list) return flags;
  for (bool seen = false; *list; list += 2, seen = true) {
    if (*list != CL_MEM_ALLOC_FLAGS_INTEL)
      return fail(CL_INVALID_PROPERTY, "memory property 0x", std::hex, *list, " is not supported");
    if (seen) return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL is given twice");
    flags = list[1];
    TRY(check_flags(flags, kind));
  }
  return flags;
}

Result<void*> allocate(Context& context, Ref<Device> device, const cl_mem_properties_intel* properties,
                       std::size_t size, cl_uint alignment, AllocationKind kind) {
  if (alignment && (!std::has_single_bit(alignment) || alignment > Device::base_address_alignment))
    return fail(CL_INVALID_VALUE, "alignment ", alignment, " is not a power of two up to ",
                Device::base_address_alignment);
  TRY(cl_mem_alloc_flags_intel flags, checked_flags(properties, kind));
  std::uint64_t most = context.max_allocation_bytes(device.get());
  if (size == 0 || size > most)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, "; it must be in 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE, ",
                most);
  void* memory = Allocations::instance().allocate(size, Device::base_address_alignment,
                                                  {.kind = kind,
                                                   .api = AllocationApi::intel,
                                                   .context = Ref<Context>(context),
                                                   .device = std::move(device),
                                                   .flags = flags});
  if (!memory) return fail(CL_OUT_OF_RESOURCES, "cannot allocate ", size, " bytes");
  return memory;
}

Result<Ref<Device>> device_of(const Context& context, cl_device_id handle) {
  TRY(Device & device, object_cast<Device>(handle));
  if (!context.has(device)) return fail(CL_INVALID_DEVICE, "device is not a device of the context");
  return Ref<Device>(device);
}

} // namespace

Result<void*> host_mem_alloc(cl_context handle, const cl_mem_properties_intel* properties, size_t size,
                             cl_uint alignment) {
  TRY(Context & context, usable_context(handle));
  return allocate(context, {}, properties, size, alignment, AllocationKind::host);
}

Result<void*> device_mem_alloc(cl_context handle, cl_device_id device_handle,
                               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment) {
  TRY(Context & context, usable_context(handle));
  TRY(Ref<Device> device, device_of(context, device_handle));
  return allocate(context, std::move(device), properties, size, alignment, AllocationKind::device);
}

Result<void*> shared_mem_alloc(cl_context handle, cl_device_id device_handle,
                               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment) {
  TRY(Context & context, usable_context(handle));
  Ref<Device> device;
  if (device_handle) {
    TRY(device, device_of(context, device_handle));
  }
  return allocate(context, std::move(device), properties, size, alignment, AllocationKind::shared);
}

Status mem_free(cl_context handle, void* pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  if (pointer && !Allocations::instance().free(context, pointer, AllocationApi::intel))
    return fail(CL_INVALID_VALUE, pointer, " is not an allocation of this context");
  return {};
}

Status mem_blocking_free(cl_context handle, void* pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  // Any kernel may use a pointer to any allocation, so all commands of the context must end.
  Queue::finish_all(context);
  return mem_free(handle, pointer);
}

// ---- Queries

namespace {

using Allocation = Allocations::Allocation;
using A = Rows<Allocation>;

cl_unified_shared_memory_type_intel type_of(const Allocation& allocation) {
  if (allocation.traits.api != AllocationApi::intel) return CL_MEM_TYPE_UNKNOWN_INTEL;
  switch (allocation.traits.kind) {
  case AllocationKind::host:
    return CL_MEM_TYPE_HOST_INTEL;
  case AllocationKind::device:
    return CL_MEM_TYPE_DEVICE_INTEL;
  case AllocationKind::shared:
    return CL_MEM_TYPE_SHARED_INTEL;
  default:
    return CL_MEM_TYPE_UNKNOWN_INTEL;
  }
}
cl_device_id device_handle_of(const Allocation& allocation) {
  return allocation.traits.device ? allocation.traits.device->handle() : nullptr;
}
cl_mem_alloc_flags_intel flags_of(const Allocation& allocation) {
  return allocation.traits.flags;
}

constexpr Row<Allocation> rows[] = {
    A::value<cl_unified_shared_memory_type_intel, type_of>(CL_MEM_ALLOC_TYPE_INTEL),
    A::value<void*, &Allocation::first>(CL_MEM_ALLOC_BASE_PTR_INTEL),
    A::value<std::size_t, &Allocation::bytes>(CL_MEM_ALLOC_SIZE_INTEL),
    A::value<cl_device_id, device_handle_of>(CL_MEM_ALLOC_DEVICE_INTEL),
    A::value<cl_mem_alloc_flags_intel, flags_of>(CL_MEM_ALLOC_FLAGS_INTEL),
};

} // namespace

Status get_mem_alloc_info(cl_context handle, const void* pointer, cl_mem_info_intel name, size_t size,
                          void* value, size_t* size_ret) {
  TRY(Context & context, object_cast<Context>(handle));
  Allocation allocation = Allocations::instance().find(pointer);
  if (allocation.traits.context.get() != &context || type_of(allocation) == CL_MEM_TYPE_UNKNOWN_INTEL)
    allocation = {};
  return answer_query(rows, allocation, name, Answer(size, value, size_ret));
}

// ---- Commands

namespace {

Status fill(ToQueue destination, void* to, const void* pattern, std::size_t pattern_bytes, std::size_t size) {
  TRY(destination.resolve());
  TRY(destination.check_waits());
  if (!to) return fail(CL_INVALID_VALUE, "dst_ptr is NULL");
  TRY(validate::fill(to, pattern, pattern_bytes, size));
  return destination.take<FillWork>(CL_COMMAND_MEMFILL_INTEL, transfer_estimate(size), to, pattern,
                                    pattern_bytes, size);
}

/// Enqueues a hint about the placement of memory. It only takes part in the order of the queue.
Status submit_hint(Queue& queue, cl_command_type type, cl_uint count, const cl_event* waits,
                   cl_event* event) {
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  return queue.submit<EmptyWork>({.type = type, .waits = list, .event = event});
}

} // namespace

Status enqueue_mem_fill(cl_command_queue queue, void* to, const void* pattern, size_t pattern_bytes,
                        size_t size, cl_uint count, const cl_event* waits, cl_event* event) {
  return fill(ToQueue(queue, count, waits, event), to, pattern, pattern_bytes, size);
}

Status enqueue_memset(cl_command_queue queue, void* to, cl_int value, size_t size, cl_uint count,
                      const cl_event* waits, cl_event* event) {
  auto byte = static_cast<unsigned char>(value); // as memset() does
  return fill(ToQueue(queue, count, waits, event), to, &byte, 1, size);
}

Status enqueue_memcpy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t size,
                      cl_uint count, const cl_event* waits, cl_event* event) {
  ToQueue destination(queue, count, waits, event, blocking);
  TRY(destination.resolve());
  TRY(destination.check_waits());
  if (!to || !from) return fail(CL_INVALID_VALUE, "dst_ptr or src_ptr is NULL");
  TRY(validate::no_overlap(to, from, size));
  return destination.take<CopyWork>(CL_COMMAND_MEMCPY_INTEL, transfer_estimate(size), to, from, size);
}

Status enqueue_migrate_mem(cl_command_queue queue_handle, const void*, size_t, cl_mem_migration_flags flags,
                           cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " have unknown bits");
  return submit_hint(queue, CL_COMMAND_MIGRATEMEM_INTEL, count, waits, event);
}

Status enqueue_mem_advise(cl_command_queue queue_handle, const void*, size_t, cl_mem_advice_intel advice,
                          cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  // These values are reserved for the extension, which does not define any of them.
  if (advice != 0 && (advice < 0x4208 || advice > 0x420f))
    return fail(CL_INVALID_VALUE, "advice 0x", std::hex, advice, " is not known");
  return submit_hint(queue, CL_COMMAND_MEMADVISE_INTEL, count, waits, event);
}

} // namespace hostcl::runtime
