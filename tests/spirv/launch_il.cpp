// Launches kernels of SPIR-V modules and prints what they leave in buffers, for tests that assemble modules.
// usage: launch_il [--binary] FILE.spv... [-k KERNEL GLOBAL LOCAL ARGUMENT...]...
//   Several modules are linked. --binary: the program is loaded from its binary.
//   ARGUMENT is TYPE=NUMBER, local=BYTES, or a buffer: NAME:TYPE*COUNT=NUMBER,NUMBER,... (over and over; `iota` counts
//   from 0) where it comes first, and then NAME. TYPE is one of i8, u8, ..., i64, u64, f32 and f64.
// Prints "KERNEL: done", or how the launch ended, for each launch, and then each buffer: "NAME: NUMBER NUMBER ...".

#include "support/choice.hpp"
#include "support/handles.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

[[noreturn]] void fail(const std::string& text) {
  std::printf("error: %s\n", text.c_str());
  std::exit(1);
}
void check(cl_int status, const std::string& call) {
  if (status != CL_SUCCESS) fail(call + " returns " + std::to_string(status));
}

void CL_CALLBACK print_sentence(const char* sentence, const void*, size_t, void*) {
  std::printf("%s\n", sentence);
}

struct Type {
  char kind = 'u'; ///< i, u or f
  std::size_t bytes = 4;
};

Type type_of(std::string_view text) {
  const int bits = text.size() > 1 ? std::atoi(std::string(text.substr(1)).c_str()) : 0;
  if (bits % 8 != 0 || bits < 8 || bits > 64) fail("no type: " + std::string(text));
  return {text[0], std::size_t(bits) / 8};
}

void append(Bytes& bytes, Type type, std::string_view text) {
  const std::string number(text);
  unsigned char value[8];
  if (type.kind == 'f' && type.bytes == 4) {
    const float single = std::strtof(number.c_str(), nullptr);
    std::memcpy(value, &single, sizeof single);
  } else if (type.kind == 'f') {
    const double wide = std::strtod(number.c_str(), nullptr);
    std::memcpy(value, &wide, sizeof wide);
  } else {
    const unsigned long long whole = std::strtoull(number.c_str(), nullptr, 0);
    std::memcpy(value, &whole, sizeof whole);
  }
  bytes.insert(bytes.end(), value, value + type.bytes);
}

std::string text_of(const unsigned char* at, Type type) {
  if (type.kind == 'f') {
    float single = 0;
    double wide = 0;
    std::memcpy(&single, at, sizeof single);
    if (type.bytes == 8) std::memcpy(&wide, at, sizeof wide);
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", type.bytes == 8 ? wide : double(single));
    return text;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, at, type.bytes);
  const unsigned unused = 64 - 8 * unsigned(type.bytes);
  if (type.kind == 'i') return std::to_string(std::int64_t(value << unused) >> unused);
  return std::to_string(value);
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != text.npos; text = end == text.npos ? text : text.substr(end + 1))
    parts.push_back(text.substr(0, end = text.find(by)));
  return parts;
}

struct Buffer {
  std::string name;
  Type type;
  std::size_t bytes = 0;
  test::Buffer memory;
};

class Launcher {
public:
  void build(const std::vector<std::string>& files, bool from_binary);
  void launch(const char* name, const char* global, const char* local,
              const std::vector<std::string>& arguments);
  void print_buffers();

private:
  void set(cl_kernel kernel, cl_uint index, const std::string& argument);
  const Buffer& buffer(std::string_view text);
  void check_build(cl_program program, cl_int status);

  cl_device_id device_ = test::chosen_device();
  test::Context context_{clCreateContext(nullptr, 1, &device_, print_sentence, nullptr, nullptr)};
  test::Queue queue_{clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr)};
  test::Program program_;
  std::vector<Buffer> buffers_;
};

void Launcher::check_build(cl_program program, cl_int status) {
  if (status == CL_SUCCESS) return;
  std::string log(1 << 14, '\0');
  if (program) clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  fail("the build fails with " + std::to_string(status) + ": " + log.c_str());
}

void Launcher::build(const std::vector<std::string>& files, bool from_binary) {
  std::vector<test::Program> parts;
  std::vector<cl_program> handles;
  cl_int status = CL_SUCCESS;
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    const std::string il{std::istreambuf_iterator<char>(file), {}};
    handles.push_back(parts.emplace_back(clCreateProgramWithIL(context_, il.data(), il.size(), &status)));
    check(status, "clCreateProgramWithIL");
    if (files.size() > 1)
      check_build(handles.back(),
                  clCompileProgram(handles.back(), 1, &device_, "", 0, nullptr, nullptr, nullptr, nullptr));
  }
  if (files.size() > 1) {
    program_.reset(clLinkProgram(context_, 1, &device_, "", cl_uint(handles.size()), handles.data(), nullptr,
                                 nullptr, &status));
    check_build(program_, status);
  } else {
    program_ = std::move(parts.front());
    check_build(program_, clBuildProgram(program_, 1, &device_, "", nullptr, nullptr));
  }
  if (!from_binary) return;
  std::size_t size = 0;
  check(clGetProgramInfo(program_, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
  Bytes binary(size);
  unsigned char* data = binary.data();
  check(clGetProgramInfo(program_, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), "clGetProgramInfo");
  const unsigned char* loaded = data;
  program_.reset(clCreateProgramWithBinary(context_, 1, &device_, &size, &loaded, nullptr, &status));
  check(status, "clCreateProgramWithBinary");
  check_build(program_, clBuildProgram(program_, 1, &device_, "", nullptr, nullptr));
}

const Buffer& Launcher::buffer(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  for (const Buffer& known : buffers_)
    if (known.name == name) return known;
  if (name.size() == text.size()) fail("no buffer: " + std::string(text));
  const auto parts = split(text.substr(name.size() + 1), '=');
  const auto kind = split(parts[0], '*');
  if (parts.size() != 2 || kind.size() != 2) fail("no buffer: " + std::string(text));
  const Type type = type_of(kind[0]);
  const auto count = std::strtoull(std::string(kind[1]).c_str(), nullptr, 10);
  const auto numbers = split(parts[1], ',');
  Bytes bytes;
  for (std::uint64_t i = 0; i < count; ++i)
    append(bytes, type, parts[1] == "iota" ? std::to_string(i) : numbers[i % numbers.size()]);
  cl_int status = CL_SUCCESS;
  buffers_.push_back(
      {std::string(name), type, bytes.size(),
       test::Buffer(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &status))});
  check(status, "clCreateBuffer");
  return buffers_.back();
}

void Launcher::set(cl_kernel kernel, cl_uint index, const std::string& argument) {
  const auto parts = split(argument, '=');
  cl_int status = CL_SUCCESS;
  if (argument.find(':') != argument.npos || parts.size() != 2) {
    status = clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer(argument).memory);
  } else if (parts[0] == "local") {
    status =
        clSetKernelArg(kernel, index, std::strtoull(std::string(parts[1]).c_str(), nullptr, 10), nullptr);
  } else {
    Bytes bytes;
    append(bytes, type_of(parts[0]), parts[1]);
    status = clSetKernelArg(kernel, index, bytes.size(), bytes.data());
  }
  check(status, "clSetKernelArg(" + argument + ")");
}

void Launcher::launch(const char* name, const char* global, const char* local,
                      const std::vector<std::string>& arguments) {
  cl_int status = CL_SUCCESS;
  const test::Kernel kernel(clCreateKernel(program_, name, &status));
  check(status, std::string("clCreateKernel(") + name + ")");
  for (cl_uint i = 0; i < arguments.size(); ++i)
    set(kernel, i, arguments[i]);
  const std::size_t all = std::strtoull(global, nullptr, 10), group = std::strtoull(local, nullptr, 10);
  check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &all, &group, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  status = clFinish(queue_);
  std::printf("%s: %s\n", name,
              status == CL_SUCCESS ? "done" : ("failed with " + std::to_string(status)).c_str());
}

void Launcher::print_buffers() {
  for (const Buffer& each : buffers_) {
    Bytes bytes(each.bytes);
    check(
        clEnqueueReadBuffer(queue_, each.memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    std::printf("%s:", each.name.c_str());
    for (std::size_t at = 0; at < bytes.size(); at += each.type.bytes)
      std::printf(" %s", text_of(bytes.data() + at, each.type).c_str());
    std::printf("\n");
  }
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  std::vector<std::string> files;
  bool from_binary = false;
  std::size_t next = 0;
  for (; next < words.size() && words[next] != "-k"; ++next)
    if (words[next] == "--binary")
      from_binary = true;
    else
      files.push_back(words[next]);
  if (files.empty()) fail("no file");
  Launcher launcher;
  launcher.build(files, from_binary);
  while (next < words.size()) {
    std::size_t end = next + 1;
    while (end < words.size() && words[end] != "-k")
      ++end;
    if (end - next < 4) fail("-k takes the kernel and the sizes");
    launcher.launch(words[next + 1].c_str(), words[next + 2].c_str(), words[next + 3].c_str(),
                    {words.begin() + std::ptrdiff_t(next) + 4, words.begin() + std::ptrdiff_t(end)});
    next = end;
  }
  launcher.print_buffers();
  return 0;
}
