// Command buffers (OpenCL 3.0 API, 5.17). The functions that record commands are in the files of the commands
// for queues: transfer.cpp, image_transfer.cpp, svm.cpp, kernel.cpp, queue.cpp. Declared in runtime/api/api.hpp.

#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/api/api.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

using Properties = CommandBuffer::Properties;

constexpr cl_command_buffer_flags_khr all_flags = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR |
                                                  CL_COMMAND_BUFFER_MUTABLE_KHR |
                                                  CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;
constexpr cl_mutable_dispatch_asserts_khr all_asserts =
    CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;

// All defined properties are supported by all devices, so only unknown ones are invalid.
Result<Properties> parse_properties(const cl_command_buffer_properties_khr* list) {
  Properties parsed;
  if (!list) return parsed;
  for (; *list; list += 2) {
    const cl_command_buffer_properties_khr name = list[0];
    for (std::size_t i = 0; i < parsed.list.size(); i += 2)
      if (parsed.list[i] == name)
        return fail(CL_INVALID_VALUE, "property 0x", std::hex, name, " is given more than once");
    if (name != CL_COMMAND_BUFFER_FLAGS_KHR && name != CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR)
      return fail(CL_INVALID_VALUE, "property 0x", std::hex, name, " is not known");
    const bool is_flags = name == CL_COMMAND_BUFFER_FLAGS_KHR;
    const cl_command_buffer_properties_khr value = list[1];
    if (value & ~(is_flags ? all_flags : all_asserts))
      return fail(CL_INVALID_VALUE, "the value 0x", std::hex, value, " of property 0x", name,
                  " has unknown bits");
    (is_flags ? parsed.flags : parsed.asserts) = value;
    parsed.list.insert(parsed.list.end(), {name, value});
  }
  parsed.list.push_back(0);
  return parsed;
}

/// The queues of a list. All of them must belong to `context` or, if that is null, to the context of the first
/// queue.
Result<std::vector<Ref<Queue>>> queues_of(cl_uint count, const cl_command_queue* handles,
                                          const Context* context) {
  std::vector<Ref<Queue>> queues;
  for (cl_uint i = 0; i < count; ++i) {
    TRY(Queue & queue, object_cast<Queue>(handles[i]));
    queues.push_back(Ref<Queue>(queue));
  }
  for (cl_uint i = 0; i < count; ++i) {
    if (!context) context = &queues[i]->context();
    if (&queues[i]->context() != context)
      return fail(CL_INVALID_CONTEXT, "queues[", i, "] belongs to another context than queues[0]");
    TRY(context->check_not_terminated());
  }
  return queues;
}

} // namespace

Result<cl_command_buffer_khr> create_command_buffer(cl_uint queue_count, const cl_command_queue* handles,
                                                    const cl_command_buffer_properties_khr* properties) {
  TRY(std::vector<Ref<Queue>> queues, queues_of(handles ? queue_count : 0, handles, nullptr));
  if (queue_count == 0) return fail(CL_INVALID_VALUE, "num_queues is 0; it must be at least 1");
  if (!handles) return fail(CL_INVALID_VALUE, "queues is NULL");
  TRY(Properties parsed, parse_properties(properties));
  return expose(make_object<CommandBuffer>(std::move(queues), std::move(parsed)));
}

Status finalize_command_buffer(cl_command_buffer_khr handle) {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle));
  return buffer.finalize();
}

// ---- Enqueueing

namespace {

/// Whether the command buffer may be enqueued in a queue with these properties.
Status check_compatible(const Queue& queue, std::size_t i) {
  if (queue.properties() & ~CommandBuffer::supported_queue_properties)
    return fail(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queue ", i, " has the properties 0x", std::hex,
                queue.properties(),
                "; some are not in CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR");
  return {};
}

Status check_substitutes(const CommandBuffer& buffer, std::span<const Ref<Queue>> queues) {
  const auto& own = buffer.queues();
  for (std::size_t i = 0; i < queues.size(); ++i)
    TRY(check_compatible(*queues[i], i));
  for (std::size_t i = 0; i < queues.size(); ++i)
    if (&queues[i]->device() != &own[i]->device())
      return fail(CL_INVALID_DEVICE, "queues[", i, "] is for another device than queue ", i,
                  " of the command buffer");
  for (std::size_t i = 0; i < queues.size(); ++i)
    if (&queues[i]->context() != &buffer.context())
      return fail(CL_INVALID_CONTEXT, "queues[", i, "] belongs to another context than the command buffer");
  return {};
}

} // namespace

Status enqueue_command_buffer(cl_uint queue_count, cl_command_queue* handles, cl_command_buffer_khr handle,
                              cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle));
  TRY(buffer.check_executable());
  if (!handles != !queue_count)
    return fail(CL_INVALID_VALUE, "num_queues is ", queue_count, " and queues is ",
                static_cast<const void*>(handles), "; either both or none must be given");
  if (queue_count && queue_count != buffer.queues().size())
    return fail(CL_INVALID_VALUE, "num_queues is ", queue_count, "; the command buffer was created with ",
                buffer.queues().size(), " queues, and needs as many");
  std::vector<Ref<Queue>> substitutes;
  for (cl_uint i = 0; i < queue_count; ++i) {
    TRY(Queue & queue, object_cast<Queue>(handles[i]));
    substitutes.push_back(Ref<Queue>(queue));
  }
  const auto& queues = queue_count ? substitutes : buffer.queues();
  TRY(check_substitutes(buffer, queues));
  TRY(WaitList list, WaitList::checked(buffer.context(), count, waits));
  return buffer.enqueue(queues, list, event);
}

// ---- Remapping and updates

Result<cl_command_buffer_khr> remap_command_buffer(cl_command_buffer_khr handle, cl_bool automatic,
                                                   cl_uint queue_count, const cl_command_queue* queue_handles,
                                                   cl_uint handle_count,
                                                   const cl_mutable_command_khr* handles,
                                                   cl_mutable_command_khr* new_handles) {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle));
  if (!queue_count || !queue_handles)
    return fail(CL_INVALID_VALUE, "num_queues is ", queue_count, " and queues is ",
                static_cast<const void*>(queue_handles), "; both must be given");
  if (!automatic && queue_count != buffer.queues().size())
    return fail(CL_INVALID_VALUE, "num_queues is ", queue_count, "; the command buffer was created with ",
                buffer.queues().size(), " queues, and needs as many");
  if (!handles != !handle_count || !new_handles != !handle_count)
    return fail(CL_INVALID_VALUE, "num_handles is ", handle_count, ", handles is ",
                static_cast<const void*>(handles), ", handles_ret is ", static_cast<void*>(new_handles),
                "; either all or none must be given");
  for (cl_uint i = 0; i < handle_count; ++i)
    if (auto command = buffer.command(handles[i]); !command.ok())
      return fail(CL_INVALID_VALUE, "handles[", i, "]: ", command.error().sentence());
  TRY(std::vector<Ref<Queue>> queues, queues_of(queue_count, queue_handles, &buffer.context()));
  TRY(Ref<CommandBuffer> made, buffer.remapped(std::move(queues), {handles, handle_count}, new_handles));
  return expose(std::move(made));
}

Status update_mutable_commands(cl_command_buffer_khr handle, cl_uint count,
                               const cl_command_buffer_update_type_khr* types, const void** configs) {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle));
  if (buffer.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
    return fail(CL_INVALID_OPERATION,
                "the command buffer has not been finalized (clFinalizeCommandBufferKHR)");
  if (!buffer.is_mutable())
    return fail(CL_INVALID_OPERATION, "the command buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
  if (!types != !count)
    return fail(CL_INVALID_VALUE, "num_configs is ", count, " and config_types is ",
                static_cast<const void*>(types), "; either both or none must be given");
  if (!configs != !count)
    return fail(CL_INVALID_VALUE, "num_configs is ", count, " and configs is ",
                static_cast<const void*>(configs), "; either both or none must be given");
  for (cl_uint i = 0; i < count; ++i)
    if (types[i] != mutable_dispatch_config)
      return fail(CL_INVALID_VALUE, "config_types[", i, "] is ", types[i],
                  "; it must be CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR");
  for (cl_uint i = 0; i < count; ++i)
    if (!configs[i]) return fail(CL_INVALID_VALUE, "configs[", i, "] is NULL");
  std::vector<const MutableDispatchConfig*> list(count);
  std::transform(configs, configs + count, list.begin(),
                 [](const void* config) { return static_cast<const MutableDispatchConfig*>(config); });
  return buffer.update(list);
}

// ---- Queries

Status get_command_buffer_info(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, size_t size,
                               void* value, size_t* size_ret) {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle));
  return buffer.info(name, Answer(size, value, size_ret));
}

Status get_mutable_command_info(cl_mutable_command_khr handle, cl_mutable_command_info_khr name, size_t size,
                                void* value, size_t* size_ret) {
  TRY(MutableCommand & command, object_cast<MutableCommand>(handle));
  return command.info(name, Answer(size, value, size_ret));
}

} // namespace hostcl::runtime
