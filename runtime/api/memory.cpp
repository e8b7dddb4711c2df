// Functions for all memory objects (OpenCL 3.0 API, 5.5). Declared in runtime/api/api.hpp.

#include "runtime/memory/memory.hpp"
#include "runtime/api/api.hpp"
#include "runtime/queue/transfer.hpp"

namespace hostcl::runtime {

Status get_mem_object_info(cl_mem handle, cl_mem_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  return memory.info(name, Answer(size, value, size_ret));
}

Status set_mem_object_destructor_callback(cl_mem handle, DestructorCallbacks<cl_mem>::Callback callback,
                                          void* user_data) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (!callback) return fail(CL_INVALID_VALUE, "pfn_notify is NULL");
  memory.destructor_callbacks().add(callback, user_data);
  return {};
}

Status enqueue_unmap_mem_object(cl_command_queue queue_handle, cl_mem handle, void* mapped, cl_uint count,
                                const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, memory_in<Memory>(queue.context(), handle));
  if (memory.type() == CL_MEM_OBJECT_PIPE) return of_other_type(memory, "buffer or image");
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  const auto mapping = memory.unmap(mapped);
  if (!mapping)
    return fail(CL_INVALID_VALUE, "mapped_ptr ", mapped,
                " is not a pointer that mapping the memory object returned, or it has been unmapped already");
  Status status = queue.submit<UnmapWork>({.type = CL_COMMAND_UNMAP_MEM_OBJECT,
                                           .waits = list,
                                           .event = event,
                                           .estimate = map_estimate(memory, mapping->region)},
                                          memory, *mapping);
  if (!status.ok()) memory.restore_map(*mapping);
  return status;
}

Status enqueue_migrate_mem_objects(cl_command_queue queue_handle, cl_uint memory_count, const cl_mem* handles,
                                   cl_mem_migration_flags flags, cl_uint count, const cl_event* waits,
                                   cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  if (!memory_count || !handles) return fail(CL_INVALID_VALUE, "num_mem_objects is 0 or mem_objects is NULL");
  std::vector<Ref<Memory>> keep;
  for (cl_uint i = 0; i < memory_count; ++i) {
    TRY(Memory & memory, memory_for<Memory>(queue, handles[i]));
    keep.push_back(Ref<Memory>(memory));
  }
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " have unknown bits");
  return queue.submit<EmptyWork>({.type = CL_COMMAND_MIGRATE_MEM_OBJECTS, .waits = list, .event = event},
                                 std::move(keep));
}

// ---- External memory (5.5.5)

namespace {

/// Acquires or releases external memory objects.
template <void (ExternalMemory::*hand_over)() const>
class HandOverWork final : public Work {
public:
  explicit HandOverWork(std::vector<Ref<Memory>> objects) : objects_(std::move(objects)) {}
  cl_int run(Queue&) override {
    for (const auto& object : objects_)
      (object->external().*hand_over)();
    return CL_COMPLETE;
  }

private:
  std::vector<Ref<Memory>> objects_;
};

template <class HandOver>
Status hand_over(cl_command_type type, cl_command_queue queue_handle, cl_uint memory_count,
                 const cl_mem* handles, cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  if (!memory_count != !handles)
    return fail(CL_INVALID_VALUE, "num_mem_objects is ", memory_count, " and mem_objects is ",
                static_cast<const void*>(handles), "; either both or none must be given");
  std::vector<Ref<Memory>> objects;
  for (cl_uint i = 0; i < memory_count; ++i) {
    TRY(Memory & memory, object_cast<Memory>(handles[i]));
    if (!memory.external())
      return fail(CL_INVALID_MEM_OBJECT, "memory object ", static_cast<const void*>(handles[i]),
                  " was not created from a handle of external memory");
    objects.push_back(Ref<Memory>(memory));
  }
  for (const auto& memory : objects) {
    if (!memory->external().is_usable_on(queue.device()))
      return fail(CL_INVALID_COMMAND_QUEUE,
                  "the device of command_queue is not in the list of devices of memory object ",
                  static_cast<const void*>(memory.get()));
    TRY(memory_for<Memory>(queue, memory->handle()));
  }
  TRY(WaitList list, WaitList::good(queue.context(), count, waits));
  return queue.submit<HandOver>({.type = type, .waits = list, .event = event}, std::move(objects));
}

} // namespace

Status enqueue_acquire_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event) {
  return hand_over<HandOverWork<&ExternalMemory::acquire>>(CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, queue,
                                                           memory_count, handles, count, waits, event);
}

Status enqueue_release_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event) {
  return hand_over<HandOverWork<&ExternalMemory::release>>(CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, queue,
                                                           memory_count, handles, count, waits, event);
}

} // namespace hostcl::runtime
