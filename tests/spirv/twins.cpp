// Builds a source and modules that tools have made of it, runs the kernels of each on the same pseudo-random inputs, and
// compares what they write.
// usage: twins SOURCE.cl [MODULE.spv...]
// Prints a line "twins: MODULE KERNEL RESULT" for each kernel of each module: "same", "differs: ...", "refused: ..." or "built", where the kernel
// cannot be run without knowing what its arguments mean. Without modules the kernels of the source run alone. A driver bounds its time: kernels may hang on such inputs.

#include "support/choice.hpp"
#include "support/handles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t buffer_bytes = std::size_t(4) << 20, tile_bytes = 8192, local_bytes = 16384;

struct Device {
  cl_device_id id = test::chosen_device();
  test::Context context{clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr)};
  test::Queue queue{clCreateCommandQueueWithProperties(context, id, nullptr, nullptr)};
};

std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A program that is built, or the log.
struct Built {
  test::Program program;
  std::string log;
};

Built built(const Device& device, cl_program program) {
  Built result{test::Program(program), {}};
  if (!program) return {{}, "the program was not created"};
  if (clBuildProgram(program, 1, &device.id, "-cl-std=CL3.0 -cl-kernel-arg-info", nullptr, nullptr) ==
      CL_SUCCESS)
    return result;
  std::string log(1 << 14, '\0');
  clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  log.resize(std::strlen(log.c_str()));
  std::ranges::replace(log, '\n', ' ');
  return {{}, log.empty() ? "the build failed" : log};
}

/// The kernels of a program by their names.
std::map<std::string, test::Kernel> kernels_of(cl_program program) {
  cl_uint count = 0;
  clCreateKernelsInProgram(program, 0, nullptr, &count);
  std::vector<cl_kernel> handles(count);
  clCreateKernelsInProgram(program, count, handles.data(), nullptr);
  std::map<std::string, test::Kernel> kernels;
  for (cl_kernel handle : handles) {
    char name[256] = "";
    clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
    kernels[name].reset(handle);
  }
  return kernels;
}

/// An argument as the source declares it.
struct Argument {
  enum class Kind { buffer, local, number };
  Kind kind = Kind::number;
  std::string element; ///< int for int, int4 and int*
  std::size_t bytes = 0;
  bool has_padding = false; ///< its elements are vectors of 3, whose fourth component means nothing
};

std::size_t size_of(const std::string& element) {
  static const std::map<std::string, std::size_t> sizes = {
      {"char", 1},   {"uchar", 1},  {"short", 2}, {"ushort", 2},     {"half", 2},
      {"int", 4},    {"uint", 4},   {"float", 4}, {"long", 8},       {"ulong", 8},
      {"size_t", 8}, {"double", 8}, {"void", 1},  {"atomic_int", 4}, {"atomic_uint", 4}};
  auto found = sizes.find(element);
  return found == sizes.end() ? 0 : found->second;
}

/// Nothing for images, structures and their kin.
std::optional<Argument> argument_of(cl_kernel kernel, cl_uint index) {
  cl_kernel_arg_address_qualifier space = 0;
  char type[256] = "";
  clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr);
  clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr);
  std::string name = type;
  const bool is_pointer = name.ends_with('*');
  if (is_pointer) name.pop_back();
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  Argument result{.element = name.substr(0, digits), .bytes = size_of(name.substr(0, digits))};
  std::size_t count = digits == name.size() ? 1 : std::strtoul(name.c_str() + digits, nullptr, 10);
  result.has_padding = count == 3;
  result.bytes *= count == 3 ? 4 : count;
  if (!is_pointer) return result.bytes ? std::optional(result) : std::nullopt;
  result.kind = space == CL_KERNEL_ARG_ADDRESS_LOCAL ? Argument::Kind::local : Argument::Kind::buffer;
  return result;
}

std::optional<std::vector<Argument>> arguments_of(cl_kernel kernel) {
  cl_uint count = 0;
  clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  std::vector<Argument> arguments;
  for (cl_uint i = 0; i < count; ++i) {
    const auto argument = argument_of(kernel, i);
    if (!argument) return std::nullopt;
    arguments.push_back(*argument);
  }
  return arguments;
}

/// Numbers that are small, because they may be indices or counts.
Bytes numbers(const std::string& element, std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  Bytes tile(std::min(bytes, tile_bytes));
  const auto fill = [&](auto number) {
    for (std::size_t at = 0; at + sizeof number <= tile.size(); at += sizeof number) {
      number = static_cast<decltype(number)>(random() % 61 + 1);
      if constexpr (std::is_floating_point_v<decltype(number)>) number /= 64;
      std::memcpy(&tile[at], &number, sizeof number);
    }
  };
  const std::size_t size = size_of(element);
  if (element == "float")
    fill(0.0F);
  else if (element == "double")
    fill(0.0);
  else if (element == "half")
    for (std::size_t at = 0; at + 1 < tile.size(); at += 2) { // in [0.5, 1)
      const auto half = std::uint16_t(0x3800 | random() % 0x400);
      std::memcpy(&tile[at], &half, sizeof half);
    }
  else if (size == 1)
    fill(std::uint8_t());
  else if (size == 2)
    fill(std::uint16_t());
  else if (size == 8)
    fill(std::uint64_t());
  else
    fill(std::uint32_t());
  Bytes all;
  while (all.size() < bytes)
    all.insert(all.end(), tile.begin(),
               tile.begin() + std::ptrdiff_t(std::min(tile.size(), bytes - all.size())));
  return all;
}

struct Shape {
  cl_uint dimensions;
  std::size_t global[3], local[3];
};

/// One shape, or one of one dimension and one of two.
std::vector<Shape> shapes(const Device& device, cl_kernel kernel) {
  std::size_t required[3] = {};
  clGetKernelWorkGroupInfo(kernel, device.id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                           nullptr);
  if (required[0] == 0) return {{1, {256, 1, 1}, {64, 1, 1}}, {2, {32, 16, 1}, {16, 4, 1}}};
  Shape shape{3, {}, {}};
  for (int d = 0; d < 3; ++d) {
    shape.local[d] = required[d];
    shape.global[d] = required[d] * (d == 2 ? 1 : 2);
  }
  return {shape};
}

/// The contents of all buffers after a run, or nothing if it failed.
std::optional<std::vector<Bytes>> run(const Device& device, cl_kernel kernel,
                                      const std::vector<Argument>& arguments, const Shape& shape) {
  std::vector<test::Buffer> buffers;
  for (cl_uint i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    cl_int error = CL_SUCCESS;
    if (argument.kind == Argument::Kind::local) {
      error = clSetKernelArg(kernel, i, local_bytes, nullptr);
    } else if (argument.kind == Argument::Kind::buffer) {
      Bytes initial = numbers(argument.element, buffer_bytes, i + 1);
      buffers.emplace_back(clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                          initial.size(), initial.data(), nullptr));
      error = clSetKernelArg(kernel, i, sizeof(cl_mem), buffers.back().address());
    } else {
      error =
          clSetKernelArg(kernel, i, argument.bytes, numbers(argument.element, argument.bytes, i + 1).data());
    }
    if (error != CL_SUCCESS) return std::nullopt;
  }
  if (clEnqueueNDRangeKernel(device.queue, kernel, shape.dimensions, nullptr, shape.global, shape.local, 0,
                             nullptr, nullptr) != CL_SUCCESS)
    return std::nullopt;
  std::vector<Bytes> results;
  for (const test::Buffer& buffer : buffers) {
    Bytes& bytes = results.emplace_back(buffer_bytes);
    if (clEnqueueReadBuffer(device.queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                            nullptr) != CL_SUCCESS)
      return std::nullopt;
  }
  if (clFinish(device.queue) != CL_SUCCESS) return std::nullopt;
  return results;
}

/// Floating-point numbers may be rounded otherwise, because products and sums are contracted in other places.
template <class T>
std::string difference(const Bytes& actual, const Bytes& expected, double relative, bool has_padding) {
  for (std::size_t at = 0; at + sizeof(T) <= expected.size(); at += sizeof(T)) {
    T have, want;
    std::memcpy(&have, &actual[at], sizeof have);
    std::memcpy(&want, &expected[at], sizeof want);
    if (std::memcmp(&have, &want, sizeof have) == 0 || (has_padding && at / sizeof(T) % 4 == 3)) continue;
    const double a = double(have), b = double(want);
    if ((std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= relative * (std::abs(b) + 1)) continue;
    return "element " + std::to_string(at / sizeof(T)) + " is " + std::to_string(have) + " instead of " +
           std::to_string(want);
  }
  return {};
}

std::string difference(const std::vector<Argument>& arguments, const std::vector<Bytes>& actual,
                       const std::vector<Bytes>& expected) {
  std::size_t next = 0;
  for (const Argument& argument : arguments) {
    if (argument.kind != Argument::Kind::buffer) continue;
    const Bytes &have = actual[next], &want = expected[next++];
    const bool is_padded = argument.has_padding;
    std::string found =
        argument.element == "float"    ? difference<float>(have, want, 1e-4, is_padded)
        : argument.element == "double" ? difference<double>(have, want, 1e-10, is_padded)
        : argument.element == "half"
            ? difference<std::int16_t>(have, want, 1e-3, is_padded)
            : difference<std::uint32_t>(have, want, 0, is_padded && size_of(argument.element) == 4);
    if (!found.empty()) return found;
  }
  return {};
}

/// What becomes of a kernel of a module, beside that of the source.
std::string compared(const Device& device, cl_kernel source, cl_kernel module) {
  const auto arguments = arguments_of(source);
  if (!arguments) return "built";
  for (const Shape& shape : shapes(device, source)) {
    const auto expected = run(device, source, *arguments, shape),
               again = run(device, source, *arguments, shape);
    if (!expected || !again || !difference(*arguments, *again, *expected).empty()) return "built";
    const auto actual = run(device, module, *arguments, shape);
    if (!actual) return "differs: the launch failed";
    const std::string found = difference(*arguments, *actual, *expected);
    if (!found.empty()) return "differs: " + found;
  }
  return "same";
}

void check_module(const Device& device, const std::map<std::string, test::Kernel>& sources,
                  const char* path) {
  const std::string words = contents(path);
  const Built module =
      built(device, clCreateProgramWithIL(device.context, words.data(), words.size(), nullptr));
  if (!module.program) {
    std::printf("twins: %s - refused: %s\n", path, module.log.c_str());
    return;
  }
  const auto kernels = kernels_of(module.program);
  for (const auto& [name, source] : sources) {
    auto found = kernels.find(name);
    const std::string result =
        found == kernels.end() ? "differs: it has no such kernel" : compared(device, source, found->second);
    std::printf("\ntwins: %s %s %s\n", path, name.c_str(), result.c_str());
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Device device;
  const std::string text = contents(argv[1]);
  const char* lines = text.c_str();
  const Built source = built(device, clCreateProgramWithSource(device.context, 1, &lines, nullptr, nullptr));
  if (!source.program) {
    std::printf("twins: %s - source: %s\n", argv[1], source.log.c_str());
    return EXIT_SUCCESS;
  }
  const auto sources = kernels_of(source.program);
  if (argc == 2)
    for (const auto& [name, kernel] : sources)
      compared(device, kernel, kernel);
  for (int i = 2; i < argc; ++i)
    check_module(device, sources, argv[i]);
}
