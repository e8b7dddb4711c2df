// Part of program.hpp: the tables for clGetProgramInfo and clGetProgramBuildInfo.

#include "runtime/program/program.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

using P = Rows<Program>;

cl_context context_of(const Program& p) {
  return p.context().handle();
}
cl_uint device_count(const Program& p) {
  return static_cast<cl_uint>(p.devices().size());
}
std::vector<cl_device_id> device_handles(const Program& p) {
  std::vector<cl_device_id> handles;
  for (const auto& device : p.devices())
    handles.push_back(device->handle());
  return handles;
}

std::vector<std::vector<std::byte>> binaries(const Program& p) {
  std::vector<std::vector<std::byte>> all;
  for (const auto& device : p.devices())
    all.push_back(Program::binary_of(p.build_of(device.get())));
  return all;
}

std::vector<std::size_t> binary_sizes(const Program& p) {
  std::vector<std::size_t> sizes;
  for (const auto& binary : binaries(p))
    sizes.push_back(binary.size());
  return sizes;
}

/// Writes the binaries to memory of the application: the answer is an array of pointers to this memory, which
/// has the sizes that the application has asked for before.
Status write_binaries(const Program& p, Answer& answer) {
  auto all = binaries(p);
  std::size_t size = all.size() * sizeof(unsigned char*);
  if (answer.size()) *answer.size() = size;
  if (!answer.value()) return {};
  if (answer.capacity() < size)
    return fail(CL_INVALID_VALUE, "param_value_size is ", answer.capacity(), ", the answer has ", size,
                " bytes");
  auto** targets = static_cast<unsigned char**>(answer.value());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (targets[i] && !all[i].empty()) std::memcpy(targets[i], all[i].data(), all[i].size());
  return {};
}

Status kernel_count(const Program& p, Answer& answer) {
  TRY(auto loaded, p.loaded());
  std::size_t count = loaded->signatures().size();
  return answer.bytes(&count, sizeof(count));
}

Status kernel_names(const Program& p, Answer& answer) {
  TRY(auto loaded, p.loaded());
  std::string names;
  for (const auto& signature : loaded->signatures()) {
    if (!names.empty()) names += ';';
    names += signature.name;
  }
  return answer.string(names);
}

template <bool (LoadedProgram::*has)() const>
Status of_loaded(const Program& p, Answer& answer) {
  TRY(auto loaded, p.loaded());
  cl_bool value = (*loaded.*has)();
  return answer.bytes(&value, sizeof(value));
}

constexpr Row<Program> rows[] = {
    P::value<cl_uint, &Program::reference_count>(CL_PROGRAM_REFERENCE_COUNT),
    P::value<cl_context, context_of>(CL_PROGRAM_CONTEXT),
    P::value<cl_uint, device_count>(CL_PROGRAM_NUM_DEVICES),
    P::array<device_handles>(CL_PROGRAM_DEVICES),
    P::string<&Program::source>(CL_PROGRAM_SOURCE),
    P::array<&Program::il>(CL_PROGRAM_IL, "2.1 cl_khr_il_program"),
    P::array<binary_sizes>(CL_PROGRAM_BINARY_SIZES),
    {CL_PROGRAM_BINARIES, write_binaries},
    {CL_PROGRAM_NUM_KERNELS, kernel_count},
    {CL_PROGRAM_KERNEL_NAMES, kernel_names},
    {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, of_loaded<&LoadedProgram::has_constructors>, "2.2"},
    {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, of_loaded<&LoadedProgram::has_destructors>, "2.2"},
};

using Build = Program::Build;
using B = Rows<Build>;

cl_program_binary_type binary_type(const Build& build) {
  if (!build.module || build.status == CL_BUILD_ERROR) return CL_PROGRAM_BINARY_TYPE_NONE;
  switch (build.module->kind()) {
  case compiler::ModuleKind::object:
    return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  case compiler::ModuleKind::library:
    return CL_PROGRAM_BINARY_TYPE_LIBRARY;
  case compiler::ModuleKind::executable:
    return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return CL_PROGRAM_BINARY_TYPE_NONE;
}
std::size_t global_variable_bytes(const Build& build) {
  return build.loaded ? build.loaded->global_variable_bytes() : 0;
}

constexpr Row<Build> build_rows[] = {
    B::value<cl_build_status, &Build::status>(CL_PROGRAM_BUILD_STATUS),
    B::string<&Build::options>(CL_PROGRAM_BUILD_OPTIONS),
    B::string<&Build::log>(CL_PROGRAM_BUILD_LOG),
    B::value<cl_program_binary_type, binary_type>(CL_PROGRAM_BINARY_TYPE),
    B::value<std::size_t, global_variable_bytes>(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, "2.0"),
};

} // namespace

Status Program::info(cl_program_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

Status Program::build_info(const Device& device, cl_program_build_info name, Answer answer) const {
  return answer_query(build_rows, build_of(&device), name, answer);
}

} // namespace hostcl::runtime
