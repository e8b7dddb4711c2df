// Random programs with cooperative matrices (SPV_KHR_cooperative_matrix), compared byte by byte with what they compute
// one component at a time. Each sub-group works on a slice of the input and output of its own.
// usage: spirv_matrices [--from=SEED] [--count=N] [--write=FILE]
//   --write  of the module of the first program

#include "matrix_program.hpp"

#include "support/choice.hpp"
#include "support/handles.hpp"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

namespace {

using test::spirv::Bytes;
using test::spirv::Program;
using test::spirv::slices;
using test::spirv::untouched;
using test::spirv::Words;

struct Device {
  cl_device_id id = test::chosen_device();
  test::Context context{clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr)};
  test::Queue queue{clCreateCommandQueueWithProperties(context, id, nullptr, nullptr)};
};

/// Where the output differs, or what failed; empty if all is well.
std::string run(const Device& device, const Program& program, const Words& words, std::uint32_t seed) {
  const test::Program built(clCreateProgramWithIL(device.context, words.data(), words.size() * 4, nullptr));
  if (!built) return "the program was not created";
  if (clBuildProgram(built, 1, &device.id, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string log(1 << 14, '\0');
    clGetProgramBuildInfo(built, device.id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    return log.c_str();
  }
  const test::Kernel kernel(clCreateKernel(built, "k", nullptr));
  // Groups of one or two dimensions and of any size, with a part of a sub-group at the end. There are at most as many
  // sub-groups as slices.
  std::mt19937 random(seed);
  std::size_t local[2] = {1 + random() % 70, random() % 2 ? 1 : 1 + random() % 5}, sub_groups = 0;
  for (;; local[local[1] > 1 ? 1 : 0] /= 2) {
    clGetKernelSubGroupInfo(kernel, device.id, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local,
                            sizeof sub_groups, &sub_groups, nullptr);
    if (sub_groups <= slices || local[0] == 1) break;
  }
  const std::size_t groups = 1 + random() % (slices / sub_groups), global[2] = {groups * local[0], local[1]};
  Bytes input = program.input();
  Bytes expected = program.output(), output(expected.size(), untouched);
  const std::size_t used = groups * sub_groups * program.output_bytes();
  std::fill(expected.begin() + std::ptrdiff_t(used), expected.end(), untouched);
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR;
  const test::Buffer in(clCreateBuffer(device.context, flags, input.size(), input.data(), nullptr)),
      out(clCreateBuffer(device.context, flags, output.size(), output.data(), nullptr));
  const cl_ulong sizes[] = {program.input_bytes(), program.output_bytes(), program.local_bytes()};
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &in);
  clSetKernelArg(kernel, 1, sizeof(cl_mem), &out);
  clSetKernelArg(kernel, 2, sub_groups * program.local_bytes(), nullptr);
  clSetKernelArg(kernel, 3, sizeof test::spirv::argument, &test::spirv::argument);
  for (cl_uint i = 0; i < 3; ++i)
    clSetKernelArg(kernel, 4 + i, sizeof sizes[i], &sizes[i]);
  if (clEnqueueNDRangeKernel(device.queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr) !=
      CL_SUCCESS)
    return "the launch failed";
  if (clEnqueueReadBuffer(device.queue, out, CL_TRUE, 0, output.size(), output.data(), 0, nullptr, nullptr) !=
      CL_SUCCESS)
    return "the kernel failed";
  const auto differs = std::ranges::mismatch(output, expected).in1;
  if (differs == output.end()) return {};
  const auto at = std::size_t(differs - output.begin());
  return "byte " + std::to_string(at % program.output_bytes()) + " of slice " +
         std::to_string(at / program.output_bytes()) + " is " + std::to_string(output[at]) + " instead of " +
         std::to_string(expected[at]) + " (local size " + std::to_string(local[0]) + " x " +
         std::to_string(local[1]) + ", " + std::to_string(groups) + " groups, " + std::to_string(sub_groups) +
         " sub-groups in each)";
}

} // namespace

int main(int count, char** arguments) {
  std::uint32_t from = 0, programs = 40;
  std::string file;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word.starts_with("--from="))
      from = std::uint32_t(std::stoul(word.substr(7)));
    else if (word.starts_with("--count="))
      programs = std::uint32_t(std::stoul(word.substr(8)));
    else if (word.starts_with("--write="))
      file = word.substr(8);
    else
      return 2;
  }
  const Device device;
  unsigned failed = 0;
  for (std::uint32_t seed = from; seed < from + programs; ++seed) {
    const Program program(seed);
    const Words words = program.words();
    if (!file.empty() && seed == from)
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
    const std::string found = run(device, program, words, seed);
    if (found.empty()) continue;
    std::printf("program %u: %s\n", seed, found.c_str());
    ++failed;
  }
  std::printf("%u of %u programs failed\n", failed, programs);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
