// Prints what the device answers, for docs/features.md: the page's part before the extensions that are missing.
// usage: test_features_page

#include "support/choice.hpp"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

/// Queries of cl_khr_spirv_queries, which older headers lack.
constexpr cl_device_info spirv_instruction_sets = 0x12B9, spirv_extensions = 0x12BA,
                         spirv_capabilities = 0x12BB;

template <class T>
std::vector<T> list(cl_device_info query) {
  std::size_t bytes = 0;
  clGetDeviceInfo(test::chosen_device(), query, 0, nullptr, &bytes);
  std::vector<T> values(bytes / sizeof(T));
  clGetDeviceInfo(test::chosen_device(), query, bytes, values.data(), nullptr);
  return values;
}

std::vector<cl_name_version> platform_extensions() {
  std::size_t bytes = 0;
  clGetPlatformInfo(test::find_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes);
  std::vector<cl_name_version> values(bytes / sizeof(cl_name_version));
  clGetPlatformInfo(test::find_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, bytes, values.data(),
                    nullptr);
  return values;
}

std::string version_text(cl_version version) {
  return std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version)) + "." +
         std::to_string(CL_VERSION_PATCH(version));
}

std::string versions_of(cl_device_info query) {
  std::string text;
  for (const cl_name_version& entry : list<cl_name_version>(query))
    text += (text.empty() ? "" : ", ") + std::to_string(CL_VERSION_MAJOR(entry.version)) + "." +
            std::to_string(CL_VERSION_MINOR(entry.version));
  return text;
}

void print_named(const char* title, const char* column, cl_device_info query) {
  std::printf("\n## %s\n| %s | version |\n|---|---|\n", title, column);
  for (const cl_name_version& entry : list<cl_name_version>(query))
    std::printf("| `%s` | %s |\n", entry.name, version_text(entry.version).c_str());
}

/// The extensions that the platform lists and the device does not.
void print_extensions_of_platform() {
  std::printf("\n## Extensions of the platform alone\n"
              "The device supports these extensions as well, but its own list has no room for them: some "
              "applications "
              "read that list\ninto a buffer of 2,048 bytes.\n\n| extension | version |\n|---|---|\n");
  const auto of_device = list<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  for (const cl_name_version& entry : platform_extensions())
    if (std::ranges::none_of(of_device,
                             [&](const auto& e) { return std::string_view(e.name) == entry.name; }))
      std::printf("| `%s` | %s |\n", entry.name, version_text(entry.version).c_str());
}

/// Names that a query of cl_khr_spirv_queries lists.
void print_names(const char* title, cl_device_info query) {
  std::printf("\n## %s\n", title);
  for (const char* name : list<const char*>(query))
    std::printf("- `%s`\n", name);
}

struct Optional {
  const char* feature;
  const char* query;
  cl_device_info value;
};

#define OPTIONAL(feature, query) {feature, #query, query}
constexpr Optional optional_features[] = {
    OPTIONAL("Shared virtual memory", CL_DEVICE_SVM_CAPABILITIES),
    OPTIONAL("Orders and scopes of atomics", CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
    OPTIONAL("Orders and scopes of fences", CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    OPTIONAL("Generic address space", CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),
    OPTIONAL("Work-group collective functions", CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    OPTIONAL("Non-uniform work-groups", CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    OPTIONAL("Program-scope variables, bytes", CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    OPTIONAL("Images", CL_DEVICE_IMAGE_SUPPORT),
    OPTIONAL("Images that kernels read and write", CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    OPTIONAL("Images on buffers, alignment in texels", CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    OPTIONAL("Pipes", CL_DEVICE_PIPE_SUPPORT),
    OPTIONAL("Enqueueing from kernels", CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    OPTIONAL("Double precision", CL_DEVICE_DOUBLE_FP_CONFIG),
    OPTIONAL("Half precision", CL_DEVICE_HALF_FP_CONFIG),
    OPTIONAL("Properties of queues", CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
};

/// Up to eight bytes, as a number.
cl_ulong number(cl_device_info query) {
  cl_ulong value = 0;
  std::size_t bytes = 0;
  if (clGetDeviceInfo(test::chosen_device(), query, sizeof value, &value, &bytes) != CL_SUCCESS) return 0;
  return value;
}

void print_optional() {
  std::printf("\n## Optional features of the core\n| feature | query | value |\n|---|---|---|\n");
  for (const Optional& optional : optional_features)
    std::printf("| %s | `%s` | %#llx |\n", optional.feature, optional.query,
                static_cast<unsigned long long>(number(optional.value)));
}

/// The capabilities of SPIR-V that the reader accepts, by the names of SPIR-V's grammar.
void print_capabilities() {
  constexpr std::pair<cl_uint, const char*> names[] = {
#define SUPPORTED(number, name) {number, #name},
#define HINT(number, name) {number, #name},
#include "compiler/front/spirv/capabilities.inc"
#undef SUPPORTED
#undef HINT
  };
  std::printf("\n## Capabilities of SPIR-V\n");
  std::string line;
  for (const cl_uint number : list<cl_uint>(spirv_capabilities)) {
    const auto* name = std::ranges::find(names, number, &std::pair<cl_uint, const char*>::first);
    std::string word =
        "`" + (name == std::end(names) ? std::to_string(number) : std::string(name->second)) + "`";
    if (!line.empty()) line += ",";
    if (line.size() + 1 + word.size() > 118) {
      std::printf("%s\n", line.c_str());
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  std::printf("%s\n\n", line.c_str());
}

} // namespace

int main() {
  const auto version = list<char>(CL_DRIVER_VERSION);
  std::printf("# Features\n\n"
              "This page lists what the device of hostcl %s reports, and which published extensions and "
              "capabilities it lacks,\n"
              "and why. `build/tests/process/test_features_page` prints the part before the missing "
              "extensions, and a test compares\n"
              "that part with the program's output. Another test compares the names of extensions and "
              "capabilities with the lists\n"
              "that Khronos publishes (`tests/documents/registry.txt`).\n",
              version.data());
  std::printf("\n| | |\n|---|---|\n");
  std::printf("| OpenCL | %s |\n",
              version_text(static_cast<cl_version>(number(CL_DEVICE_NUMERIC_VERSION))).c_str());
  std::printf("| OpenCL C | %s |\n", versions_of(CL_DEVICE_OPENCL_C_ALL_VERSIONS).c_str());
  std::printf("| C++ for OpenCL | 1.0, 2021 |\n");
  std::printf("| SPIR-V | %s |\n", versions_of(CL_DEVICE_ILS_WITH_VERSION).c_str());
  print_optional();
  print_named("Optional features of OpenCL C", "feature", CL_DEVICE_OPENCL_C_FEATURES);
  print_named("Extensions", "extension", CL_DEVICE_EXTENSIONS_WITH_VERSION);
  print_extensions_of_platform();
  print_names("Extensions of SPIR-V", spirv_extensions);
  print_names("Sets of extended instructions of SPIR-V", spirv_instruction_sets);
  print_capabilities();
}
