// An OpenCL layer (CL/cl_layer.h) that lets unchanged programs use SPIR-V: what is built from source is first
// compiled by clang's back end for SPIR-V. A program that it cannot compile stays what it is.
//   OPENCL_LAYERS=build/tests/spirv/libil_layer.so IL_FLAGS="-O2" application
// IL_FLAGS are flags of clang; IL_REPORT names a file that gets a line for each program; IL_KEEP keeps the files.

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const cl_icd_dispatch* target;
cl_icd_dispatch layer;

std::mutex mutex; ///< guards replacements
/// Programs in SPIR-V for those that an application made from source.
std::map<cl_program, cl_program> replacements;

cl_program replacement(cl_program program) {
  std::scoped_lock lock(mutex);
  auto found = replacements.find(program);
  return found == replacements.end() ? program : found->second;
}

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

std::string source_of(cl_program program) {
  size_t size = 0;
  if (target->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size) != CL_SUCCESS || size <= 1)
    return {};
  std::string source(size, '\0');
  target->clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source.data(), nullptr);
  source.resize(size - 1);
  return source;
}

/// Whether the shell's command does.
bool succeeds(const std::string& command) {
  const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t shell = 0;
  int status = -1;
  return posix_spawn(&shell, "/bin/sh", nullptr, nullptr, const_cast<char* const*>(words), environ) == 0 &&
         waitpid(shell, &status, 0) == shell && status == 0;
}

std::vector<unsigned char> compiled(const std::string& source, const std::string& options) {
  char folder[] = "/tmp/il_layer.XXXXXX";
  if (!mkdtemp(folder)) return {};
  const std::string input = std::string(folder) + "/k.cl", output = std::string(folder) + "/k.spv";
  std::ofstream(input) << source;
  const std::string flags = setting("IL_FLAGS", "-O0 -Xclang -disable-O0-optnone");
  const std::string command =
      "clang-22 --target=spirv64 -w -I. -Xclang -cl-ext=+all -D__OPENCL_VERSION__=300 " + flags + " " +
      options +
      " -mllvm --spirv-ext=+SPV_EXT_relaxed_printf_string_address_space,"
      "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max,"
      "+SPV_INTEL_subgroups,+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product,"
      "+SPV_KHR_no_integer_wrap_decoration,+SPV_KHR_subgroup_rotate,+SPV_KHR_uniform_group_instructions"
      " -c " +
      input + " -o " + output + " 2> " + folder + "/errors";
  std::vector<unsigned char> bytes;
  if (succeeds(command)) {
    std::ifstream file(output, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  if (!std::getenv("IL_KEEP")) std::filesystem::remove_all(folder);
  return bytes;
}

void report(const char* what) {
  const std::string file = setting("IL_REPORT", "");
  if (!file.empty()) std::ofstream(file, std::ios::app) << what << '\n';
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* user_data) {
  const std::string source = source_of(program);
  if (source.empty() || notify)
    return target->clBuildProgram(program, count, devices, options, notify, user_data);
  const std::vector<unsigned char> il = compiled(source, options ? options : "");
  cl_context context = nullptr;
  target->clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr);
  cl_int error = CL_SUCCESS;
  cl_program made =
      il.empty() ? nullptr : target->clCreateProgramWithIL(context, il.data(), il.size(), &error);
  if (!made) {
    report(il.empty() ? "source: clang's back end failed" : "failed: the module is not well-formed");
    return target->clBuildProgram(program, count, devices, options, notify, user_data);
  }
  // The source is built as well, so that queries of the program itself are answered.
  target->clBuildProgram(program, count, devices, options, nullptr, nullptr);
  error = target->clBuildProgram(made, count, devices, options, nullptr, nullptr);
  if (error == CL_SUCCESS) {
    report("il");
    std::scoped_lock lock(mutex);
    replacements[program] = made;
    return CL_SUCCESS;
  }
  char log[400] = "";
  cl_device_id device = nullptr;
  target->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, nullptr);
  std::vector<char> text(1 << 16);
  target->clGetProgramBuildInfo(made, device, CL_PROGRAM_BUILD_LOG, text.size(), text.data(), nullptr);
  std::snprintf(log, sizeof log, "failed: %.380s", text.data());
  report(log);
  target->clReleaseProgram(made);
  return CL_SUCCESS;
}

/// A new program may have the handle of one that is gone.
cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** strings,
                                      const size_t* lengths, cl_int* error) {
  cl_program program = target->clCreateProgramWithSource(context, count, strings, lengths, error);
  std::scoped_lock lock(mutex);
  replacements.erase(program);
  return program;
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
  return target->clCreateKernel(replacement(program), name, error);
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* needed) {
  return target->clCreateKernelsInProgram(replacement(program), count, kernels, needed);
}

} // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void* value, size_t* needed) {
  if (name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value && size < sizeof(cl_layer_api_version)) return CL_INVALID_VALUE;
  if (value) *static_cast<cl_layer_api_version*>(value) = CL_LAYER_API_VERSION_100;
  if (needed) *needed = sizeof(cl_layer_api_version);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* next, cl_uint* made,
                                            const cl_icd_dispatch** dispatch) {
  if (count < sizeof layer / sizeof(void*)) return CL_INVALID_VALUE;
  target = next;
  layer = *next;
  layer.clCreateProgramWithSource = create_program;
  layer.clBuildProgram = build_program;
  layer.clCreateKernel = create_kernel;
  layer.clCreateKernelsInProgram = create_kernels;
  *made = sizeof layer / sizeof(void*);
  *dispatch = &layer;
  return CL_SUCCESS;
}
