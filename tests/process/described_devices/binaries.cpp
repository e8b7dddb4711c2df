// HOSTCL_DEVICE: a program binary of a device with an extension is refused on a device that lacks the extension.

#include "process/described_devices/described.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using namespace test;

constexpr const char* source = "kernel void k(global int* a) { a[get_global_id(0)] = 7; }";

/// A device of OpenCL 3.0 without cl_khr_fp64.
const DescriptionFile& without_double() {
  static const DescriptionFile file("'CL_DEVICE_NAME': 'single', 'CL_DEVICE_DOUBLE_FP_CONFIG': []");
  return file;
}

/// A file for a binary.
class BinaryFile {
public:
  BinaryFile() { close(mkstemp(name_.data())); }
  BinaryFile(const BinaryFile&) = delete;
  ~BinaryFile() { unlink(name_.c_str()); }

  void write(cl_program program) const {
    size_t bytes = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr);
    std::vector<unsigned char> binary(bytes);
    unsigned char* pointer = binary.data();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, static_cast<void*>(&pointer), nullptr);
    std::ofstream(name_, std::ios::binary).write(reinterpret_cast<char*>(pointer), std::streamsize(bytes));
  }
  std::string read() const {
    std::ifstream file(name_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

private:
  std::string name_ = "/tmp/hostcl-binary-XXXXXX";
};

/// A program of two objects, which are compiled on a device and linked.
cl_int write_linked(const BinaryFile& file) {
  const Described d;
  cl_program objects[] = {test::make_program(d.context, "int seven(void) { return 7; }"),
                          test::make_program(d.context, "int seven(void);\n"
                                                        "kernel void k(global int* a) { *a = seven(); }")};
  for (cl_program object : objects)
    require(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS,
            "an object");
  cl_program linked = clLinkProgram(d.context, 0, nullptr, "", 2, objects, nullptr, nullptr, nullptr);
  require(linked, "a linked program");
  file.write(linked);
  return CL_SUCCESS;
}

cl_int write_built(const BinaryFile& file) {
  const Described d;
  cl_program program = test::make_program(d.context, source);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
  file.write(program);
  return CL_SUCCESS;
}

/// Loads a binary, and runs its kernel. @returns the error of clCreateProgramWithBinary()
cl_int run(const BinaryFile& file) {
  static std::string message;
  cl_device_id device = chosen_device();
  cl_context context = clCreateContext(
      nullptr, 1, &device, [](const char* text, const void*, size_t, void*) { message += text; }, nullptr,
      nullptr);
  const std::string binary = file.read();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int status = 1, code = 1;
  cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &code);
  require(status == code, "the status of the binary");
  if (code != CL_SUCCESS) {
    require(message.find("built for a device that has __opencl_c_fp64, which the device 'small' lacks") !=
                std::string::npos,
            message.c_str());
    return code;
  }
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  cl_int value = 0;
  cl_mem buffer = clCreateBuffer(context, 0, sizeof value, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  const size_t one = 1;
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
  require(value == 7, "the kernel's result");
  return CL_SUCCESS;
}

} // namespace

TEST_CASE("HOSTCL_DEVICE: a binary of a device with more extensions is refused", "[described_devices]") {
  const BinaryFile built, linked;
  REQUIRE(code_of("", [&] { return write_built(built); }) == CL_SUCCESS);
  REQUIRE(code_of("", [&] { return write_linked(linked); }) == CL_SUCCESS);
  for (const BinaryFile* file : {&built, &linked}) {
    CHECK(code_of("", [&] { return run(*file); }) == CL_SUCCESS);
    CHECK(code_of(without_double().name(), [&] { return run(*file); }) == -CL_INVALID_BINARY);
  }
}

TEST_CASE("HOSTCL_DEVICE: a binary of a device with fewer extensions runs", "[described_devices]") {
  const BinaryFile built, linked;
  REQUIRE(code_of(without_double().name(), [&] { return write_built(built); }) == CL_SUCCESS);
  REQUIRE(code_of(without_double().name(), [&] { return write_linked(linked); }) == CL_SUCCESS);
  for (const BinaryFile* file : {&built, &linked}) {
    CHECK(code_of(without_double().name(), [&] { return run(*file); }) == CL_SUCCESS);
    CHECK(code_of("", [&] { return run(*file); }) == CL_SUCCESS);
  }
}
