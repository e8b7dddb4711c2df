#include "runtime/queue/command_name.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

namespace {

struct CommandName {
  cl_command_type type;
  std::string_view name;
};
/// Names in the timeline of commands whose work has no title.
constexpr CommandName command_names[] = {
    {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
    {CL_COMMAND_READ_BUFFER, "read buffer"},
    {CL_COMMAND_WRITE_BUFFER, "write buffer"},
    {CL_COMMAND_COPY_BUFFER, "copy buffer"},
    {CL_COMMAND_READ_BUFFER_RECT, "read rectangle"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "write rectangle"},
    {CL_COMMAND_COPY_BUFFER_RECT, "copy rectangle"},
    {CL_COMMAND_FILL_BUFFER, "fill buffer"},
    {CL_COMMAND_MAP_BUFFER, "map"},
    {CL_COMMAND_READ_IMAGE, "read image"},
    {CL_COMMAND_WRITE_IMAGE, "write image"},
    {CL_COMMAND_COPY_IMAGE, "copy image"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
    {CL_COMMAND_FILL_IMAGE, "fill image"},
    {CL_COMMAND_MAP_IMAGE, "map image"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
    {CL_COMMAND_MARKER, "marker"},
    {CL_COMMAND_BARRIER, "barrier"},
    {CL_COMMAND_SVM_FREE, "SVM free"},
    {CL_COMMAND_SVM_MEMCPY, "SVM copy"},
    {CL_COMMAND_SVM_MEMFILL, "SVM fill"},
    {CL_COMMAND_SVM_MAP, "SVM map"},
    {CL_COMMAND_SVM_UNMAP, "SVM unmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "SVM migrate"},
    {CL_COMMAND_SEMAPHORE_WAIT_KHR, "semaphore wait"},
    {CL_COMMAND_SEMAPHORE_SIGNAL_KHR, "semaphore signal"},
    {CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, "acquire memory"},
    {CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, "release memory"},
    {CL_COMMAND_COMMAND_BUFFER_KHR, "command buffer"},
    {CL_COMMAND_MEMFILL_INTEL, "memory fill"},
    {CL_COMMAND_MEMCPY_INTEL, "memory copy"},
    {CL_COMMAND_MIGRATEMEM_INTEL, "memory migrate"},
    {CL_COMMAND_MEMADVISE_INTEL, "memory advise"},
    {CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL, "read variable"},
    {CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL, "write variable"},
};

} // namespace

std::string_view name_of(const Command& command) {
  if (std::string_view title = command.work->title(); !title.empty()) return title;
  return type_name_of(command);
}

std::string_view type_name_of(const Command& command) {
  auto found = std::ranges::find(command_names, command.type, &CommandName::type);
  return found == std::end(command_names) ? "command" : found->name;
}

} // namespace hostcl::runtime
