// Runs kernels and prints a hash of each output. check_same_bits compares the hashes of several CPUs, vector widths and
// numbers of threads.
// usage: same_bits PART,PARTS RANDOM: runs each kernel whose number modulo PARTS is PART, among all kernels of
// cases.cpp and RANDOM kernels with random expressions

#include "same_bits/cases.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

namespace {

using same_bits::Case;
using same_bits::Element;
using same_bits::items;

void require(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, status);
  std::exit(1);
}

std::size_t bytes_of(Element element) {
  return std::size_t{2} << static_cast<unsigned>(element);
}

/// The bits of a number in the element's type.
std::uint64_t bits_of(Element element, double number) {
  if (element == Element::precise) return __builtin_bit_cast(std::uint64_t, number);
  if (element == Element::single) return __builtin_bit_cast(std::uint32_t, static_cast<float>(number));
  return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(number));
}

bool is_nan(Element element, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(element) - 1);
  return (bits & (2 * sign - 1) & ~sign) > bits_of(element, std::numeric_limits<double>::infinity());
}

/// A number between -4 and 4. Unless `is_moderate`, also numbers up to 20, multiples of 1/4, special values, and any
/// bit patterns, with NaN made quiet.
std::uint64_t input(Element element, bool is_moderate, std::mt19937_64& random) {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   1e-40,
                                   -3e-310,
                                   6e-8,
                                   65504,
                                   3e38,
                                   1e308,
                                   -2e5,
                                   1e10,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity()};
  const std::uint64_t word = random(), low = word >> 8;
  const double fraction = static_cast<double>(low % (1U << 30)) / (1U << 30) - 0.5;
  if (is_moderate) return bits_of(element, fraction * 8);
  switch (word % 8) {
  case 0:
    return bits_of(element, special[low % std::size(special)]);
  case 1:
    return bits_of(element, static_cast<double>(static_cast<int>(low % 128) - 64) / 4);
  case 2: // results of signalling NaN may differ
    return is_nan(element, low) ? bits_of(element, std::numeric_limits<double>::quiet_NaN()) : low;
  default:
    return bits_of(element,
                   (static_cast<double>(low % (1U << 30)) / (1U << 30) - 0.5) * (word & 16 ? 4 : 40));
  }
}

std::vector<unsigned char> inputs(Element element, bool is_moderate, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<unsigned char> bytes(items * bytes_of(element));
  for (std::size_t i = 0; i < items; ++i) {
    const std::uint64_t bits = input(element, is_moderate, random);
    std::memcpy(&bytes[i * bytes_of(element)], &bits, bytes_of(element));
  }
  return bytes;
}

/// FNV-1a of the elements. All NaN are the same: their signs and payloads may differ.
std::uint64_t hash_of(Element element, const unsigned char* bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < items; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes + i * bytes_of(element), bytes_of(element));
    if (is_nan(element, bits)) bits = ~std::uint64_t{0};
    hash = (hash ^ bits) * 0x100000001b3;
  }
  return hash;
}

class Host {
public:
  Host() {
    device_ = test::chosen_device();
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    require(status, "clCreateContext");
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &status);
    require(status, "clCreateCommandQueueWithProperties");
  }

  void run(const Case& made) {
    cl_program program = build(made);
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    require(status, "clCreateKernel");
    const std::size_t output_bytes = items * bytes_of(made.element);
    std::mt19937 random(7);
    std::vector<cl_int> integers(items);
    for (cl_int& integer : integers)
      integer = static_cast<cl_int>(random() % 256) - 128;
    std::vector<unsigned char> results(output_bytes * made.outputs.size());
    std::vector<unsigned char> a = inputs(made.element, made.is_moderate, 1),
                               b = inputs(made.element, made.is_moderate, 2);
    cl_mem buffers[] = {buffer(a.data(), a.size()), buffer(b.data(), b.size()),
                        buffer(integers.data(), items * sizeof(cl_int)),
                        buffer(results.data(), results.size())};
    for (cl_uint i = 0; i < std::size(buffers); ++i)
      require(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    require(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, same_bits::global_size.data(),
                                   made.local.data(), 0, nullptr, nullptr),
            made.name.c_str());
    require(clEnqueueReadBuffer(queue_, buffers[3], CL_TRUE, 0, results.size(), results.data(), 0, nullptr,
                                nullptr),
            made.name.c_str());
    for (std::size_t j = 0; j < made.outputs.size(); ++j)
      std::printf("%016llx %s %s %s %s\n",
                  static_cast<unsigned long long>(hash_of(made.element, &results[j * output_bytes])),
                  same_bits::element_names[static_cast<std::size_t>(made.element)], made.name.c_str(),
                  made.outputs[j].c_str(), (made.options + " " + made.attribute).c_str());
    for (cl_mem each : buffers)
      clReleaseMemObject(each);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }

private:
  cl_program build(const Case& made) {
    const std::string source = source_of(made);
    const char* text = source.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    const std::string options = "-cl-std=CL3.0 -Dcount=" + std::to_string(items) + "ul " + made.options;
    if (clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return program;
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s\n%s\n", text, log.data());
    std::exit(1);
  }

  cl_mem buffer(void* bytes, std::size_t size) {
    cl_int status = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, size, bytes, &status);
    require(status, "clCreateBuffer");
    return made;
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

} // namespace

int main(int count, char** arguments) {
  unsigned part = 0, parts = 1;
  if (count > 1) std::sscanf(arguments[1], "%u,%u", &part, &parts);
  const std::vector<Case> cases =
      same_bits::all_cases(count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 200);
  Host host;
  for (std::size_t i = part; i < cases.size(); i += parts)
    host.run(cases[i]);
}
