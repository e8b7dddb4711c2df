#include "runtime/queue/new_command.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/support/cancellation.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

namespace {

/// How a command and the host synchronise, or share memory.
enum class Host {
  apart,
  writes_by_pointer, ///< the command writes to memory that the host gave as a pointer
  reads_by_pointer,
  learns, ///< the host learns of the command's end
  tells,  ///< the command comes after all commands whose end the host knows of
  runs    ///< code of the application runs in the command, so both `learns` and `tells` hold
};

struct Call {
  cl_command_type type;
  const char* name;
  Host host = Host::apart;
};

constexpr Call calls[] = {
    {CL_COMMAND_NDRANGE_KERNEL, "clEnqueueNDRangeKernel"},
    {CL_COMMAND_TASK, "clEnqueueTask"},
    {CL_COMMAND_NATIVE_KERNEL, "clEnqueueNativeKernel", Host::runs},
    {CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer", Host::writes_by_pointer},
    {CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer", Host::reads_by_pointer},
    {CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer"},
    {CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect", Host::writes_by_pointer},
    {CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect", Host::reads_by_pointer},
    {CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect"},
    {CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer"},
    {CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer"},
    {CL_COMMAND_READ_IMAGE, "clEnqueueReadImage", Host::writes_by_pointer},
    {CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage", Host::reads_by_pointer},
    {CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage"},
    {CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage"},
    {CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "clEnqueueMigrateMemObjects"},
    {CL_COMMAND_SVM_FREE, "clEnqueueSVMFree", Host::runs},
    {CL_COMMAND_SVM_MEMCPY, "clEnqueueSVMMemcpy"},
    {CL_COMMAND_SVM_MEMFILL, "clEnqueueSVMMemFill"},
    {CL_COMMAND_SVM_MAP, "clEnqueueSVMMap"},
    {CL_COMMAND_SVM_UNMAP, "clEnqueueSVMUnmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "clEnqueueSVMMigrateMem"},
    {CL_COMMAND_SEMAPHORE_WAIT_KHR, "clEnqueueWaitSemaphoresKHR", Host::tells},
    {CL_COMMAND_SEMAPHORE_SIGNAL_KHR, "clEnqueueSignalSemaphoresKHR", Host::learns},
    {CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, "clEnqueueAcquireExternalMemObjectsKHR", Host::tells},
    {CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, "clEnqueueReleaseExternalMemObjectsKHR", Host::learns},
    {CL_COMMAND_COMMAND_BUFFER_KHR, "clEnqueueCommandBufferKHR"},
    {CL_COMMAND_MEMFILL_INTEL, "clEnqueueMemFillINTEL"},
    {CL_COMMAND_MEMCPY_INTEL, "clEnqueueMemcpyINTEL"},
    {CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL, "clEnqueueReadGlobalVariableINTEL", Host::writes_by_pointer},
    {CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL, "clEnqueueWriteGlobalVariableINTEL", Host::reads_by_pointer},
};

} // namespace

void note_new_command(const Queue& queue, Command& command, const Queue::Submission& submission) noexcept {
  const CancellationDelay uncancelled; // a finding that is written is a cancellation point
  const Queue::Ordering ordering = submission.ordering;
  const auto found = std::ranges::find(calls, command.type, &Call::type);
  const Call call = found == std::end(calls) ? Call{command.type, "a command"} : *found;
  command.number = checks::note_enqueued({.queue = &queue,
                                          .call = call.name,
                                          .is_in_order = queue.is_in_order(),
                                          .comes_after_all = ordering == Queue::Ordering::after_all ||
                                                             ordering == Queue::Ordering::barrier_after_all,
                                          .is_barrier = command.is_barrier,
                                          .tells_host = call.host == Host::learns || call.host == Host::runs,
                                          .hears_host = call.host == Host::tells || call.host == Host::runs,
                                          .reads_by_host_pointer = call.host == Host::reads_by_pointer,
                                          .writes_by_host_pointer = call.host == Host::writes_by_pointer});
  for (cl_uint i = 0; i < submission.waits.count; ++i)
    checks::note_wait(command.number, submission.waits[i].number());
  if (command.event) command.event->set_number(command.number);
}

} // namespace hostcl::runtime
