// Shared virtual memory (OpenCL 3.0 API, 5.6). Declared in runtime/api/api.hpp.

#include "runtime/memory/svm.hpp"
#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/transfer.hpp"
#include "runtime/support/application_code.hpp"

#include <bit>

namespace hostcl::runtime {

Result<void*> svm_alloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  TRY(Context & context, usable_context(handle));
  constexpr cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kind = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  cl_svm_mem_flags wanted = flags & access;
  if ((flags & ~(access | kind)) || (wanted & (wanted - 1)) ||
      ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER)))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " are not valid for SVM: they may have one of CL_MEM_READ_WRITE, CL_MEM_READ_ONLY and "
                "CL_MEM_WRITE_ONLY, CL_MEM_SVM_FINE_GRAIN_BUFFER, and with the latter CL_MEM_SVM_ATOMICS");
  cl_device_svm_capabilities kinds = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) kinds |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  if (flags & CL_MEM_SVM_ATOMICS) kinds |= CL_DEVICE_SVM_ATOMICS;
  if (!context.has_svm(kinds))
    return fail(CL_INVALID_OPERATION, "flags 0x", std::hex, flags, " need the kinds of SVM 0x", kinds,
                ", and no device of the context has all of them in CL_DEVICE_SVM_CAPABILITIES");
  if (const std::uint64_t most = context.max_allocation_bytes(nullptr); size == 0 || size > most)
    return fail(CL_INVALID_VALUE, "size ", size, "; it must be in 1 to CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", most);
  if (alignment && (!std::has_single_bit(alignment) || alignment > Device::base_address_alignment))
    return fail(CL_INVALID_VALUE, "alignment ", alignment, " is not a power of two up to ",
                Device::base_address_alignment);
  void* memory = Allocations::instance().allocate(
      size, Device::base_address_alignment,
      {.kind = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? AllocationKind::fine : AllocationKind::coarse,
       .context = Ref<Context>(context)});
  if (!memory) return fail(CL_OUT_OF_RESOURCES, "cannot allocate ", size, " bytes");
  return memory;
}

void svm_free(cl_context handle, void* pointer) {
  auto context = object_cast<Context>(handle);
  if (context.ok()) Allocations::instance().free(std::move(context).value(), pointer, AllocationApi::svm);
}

namespace {

/// clEnqueueSVMFree(): frees the memory, or calls the application's function that does.
class SvmFreeWork final : public Work {
public:
  using Callback = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*);
  SvmFreeWork(std::vector<void*> pointers, Callback callback, void* user_data)
      : pointers_(std::move(pointers)),
        callback_(callback),
        user_data_(user_data),
        mask_(callback ? SignalMask::of_this_thread() : SignalMask()) {}
  cl_int run(Queue& queue) override {
    if (callback_) {
      const ApplicationCode scope(mask_);
      callback_(queue.handle(), static_cast<cl_uint>(pointers_.size()), pointers_.data(), user_data_);
      return CL_COMPLETE;
    }
    for (void* pointer : pointers_)
      Allocations::instance().free(queue.context(), pointer, AllocationApi::svm);
    return CL_COMPLETE;
  }

private:
  std::vector<void*> pointers_;
  Callback callback_;
  void* user_data_;
  SignalMask mask_; ///< signal mask of the thread that enqueues the command
};

} // namespace

Status enqueue_svm_free(cl_command_queue queue_handle, cl_uint pointer_count, void* pointers[],
                        void(CL_CALLBACK* callback)(cl_command_queue, cl_uint, void*[], void*),
                        void* user_data, cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(validate::has_svm(queue.device()));
  if (!pointer_count != !pointers)
    return fail(CL_INVALID_VALUE, "num_svm_pointers is ", pointer_count, " and svm_pointers is ",
                static_cast<void*>(pointers), "; either both or none must be given");
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  return queue.submit<SvmFreeWork>({.type = CL_COMMAND_SVM_FREE, .waits = list, .event = event},
                                   std::vector<void*>(pointers, pointers + pointer_count), callback,
                                   user_data);
}

namespace {

template <class Destination>
Status svm_copy(Destination destination, void* to, const void* from, std::size_t size) {
  TRY(destination.resolve());
  TRY(validate::has_svm(destination.queue().device()));
  TRY(destination.check_waits());
  if ((!to || !from) && size)
    return fail(CL_INVALID_VALUE, "dst_ptr is ", to, " and src_ptr is ", from, "; neither may be NULL");
  TRY(validate::no_overlap(to, from, size));
  return destination.template take<CopyWork>(CL_COMMAND_SVM_MEMCPY, transfer_estimate(size), to, from, size);
}

template <class Destination>
Status svm_fill(Destination destination, void* to, const void* pattern, std::size_t pattern_bytes,
                std::size_t size) {
  TRY(destination.resolve());
  TRY(validate::has_svm(destination.queue().device()));
  TRY(destination.check_waits());
  if (!to && size) return fail(CL_INVALID_VALUE, "svm_ptr is NULL");
  TRY(validate::fill(to, pattern, pattern_bytes, size));
  return destination.template take<FillWork>(CL_COMMAND_SVM_MEMFILL, transfer_estimate(size), to, pattern,
                                             pattern_bytes, size);
}

} // namespace

Status enqueue_svm_memcpy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t size,
                          cl_uint count, const cl_event* waits, cl_event* event) {
  return svm_copy(ToQueue(queue, count, waits, event, blocking), to, from, size);
}

Status command_svm_memcpy(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, void* to, const void* from,
                          size_t size, cl_uint count, const cl_sync_point_khr* waits,
                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle) {
  return svm_copy(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), to, from,
                  size);
}

Status enqueue_svm_mem_fill(cl_command_queue queue, void* to, const void* pattern, size_t pattern_bytes,
                            size_t size, cl_uint count, const cl_event* waits, cl_event* event) {
  return svm_fill(ToQueue(queue, count, waits, event), to, pattern, pattern_bytes, size);
}

Status command_svm_mem_fill(cl_command_buffer_khr buffer, cl_command_queue queue,
                            const cl_command_properties_khr* properties, void* to, const void* pattern,
                            size_t pattern_bytes, size_t size, cl_uint count, const cl_sync_point_khr* waits,
                            cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle) {
  return svm_fill(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), to, pattern,
                  pattern_bytes, size);
}

Status enqueue_svm_map(cl_command_queue queue_handle, cl_bool blocking, cl_map_flags flags, void* pointer,
                       size_t size, cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(validate::has_svm(queue.device()));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (!pointer || size == 0) return fail(CL_INVALID_VALUE, "svm_ptr is NULL or size is 0");
  TRY(validate::map_flags(flags));
  const bool has_to_be_mapped = Allocations::instance().find(pointer).traits.kind == AllocationKind::coarse;
  const Queue::Submission submission{
      .type = CL_COMMAND_SVM_MAP, .waits = list, .event = event, .blocking = blocking != CL_FALSE};
  if (!has_to_be_mapped) return queue.submit<EmptyWork>(submission);
  return queue.submit<SvmMapWork>(submission, pointer, size, writes(flags));
}

Status enqueue_svm_unmap(cl_command_queue queue_handle, void* pointer, cl_uint count, const cl_event* waits,
                         cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(validate::has_svm(queue.device()));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (!pointer) return fail(CL_INVALID_VALUE, "svm_ptr is NULL");
  return queue.submit<SvmUnmapWork>({.type = CL_COMMAND_SVM_UNMAP, .waits = list, .event = event}, pointer);
}

Status enqueue_svm_migrate_mem(cl_command_queue queue_handle, cl_uint pointer_count, const void** pointers,
                               const size_t* sizes, cl_mem_migration_flags flags, cl_uint count,
                               const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(validate::has_svm(queue.device()));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (!pointer_count || !pointers)
    return fail(CL_INVALID_VALUE, "num_svm_pointers is 0 or svm_pointers is NULL");
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " have unknown bits");
  // Memory that no function of the driver has allocated counts as system SVM, of unknown size.
  for (cl_uint i = 0; i < pointer_count; ++i)
    if (sizes && sizes[i] > bytes_of_allocation(pointers[i]))
      return fail(CL_INVALID_VALUE, "sizes[", i, "] is ", sizes[i], "; from svm_pointers[", i,
                  "] on, the allocation has ", bytes_of_allocation(pointers[i]), " bytes");
  return queue.submit<EmptyWork>({.type = CL_COMMAND_SVM_MIGRATE_MEM, .waits = list, .event = event});
}

} // namespace hostcl::runtime
