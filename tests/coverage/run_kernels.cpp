// run_kernels [OPTION]... FILE LAUNCH...: builds a program of OpenCL C or SPIR-V with hostcl, and launches kernels that
// take a buffer of 4,096 ints, in which element i is i. A launch is NAME:GLOBAL[:LOCAL], with sizes such as 64 or 8x8.
//   --options=TEXT  build options
//   --header=FILE   compiles the program with this file as an input header (clCompileProgram)
//   --part=FILE     compiles and links the program with this file as a second part
//   --constant=ID:N sets a specialisation constant of SPIR-V, a 32-bit number
//   --twice         builds the program a second time, and launches the kernels of both
//   --binary        launches the kernels of a program that is made of the first one's binary
//   --fork          a child makes the same launches with a program of its own before the process does
//   --end=kill      ends by SIGKILL; --end=quit: by _exit(); --end=abort: by abort()

#include <CL/cl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Options {
  std::string build, header, part, constant, file, end;
  bool twice = false, binary = false, forks = false;
  std::vector<std::string> launches;
};

void require(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", call, status);
  std::exit(1);
}

std::string read(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

cl_device_id hostcl_device() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char name[100] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    cl_device_id device = nullptr;
    if (std::strcmp(name, "hostcl") == 0 &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  std::fprintf(stderr, "there is no device of hostcl\n");
  std::exit(1);
}

class Session {
public:
  explicit Session(const Options& options) : options_(options), device_(hostcl_device()) {
    cl_int status = 0;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    require(status, "clCreateContext");
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &status);
    require(status, "clCreateCommandQueueWithProperties");
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    require((clCreateCommandQueueWithProperties(context_, device_, on_device, &status), status),
            "device queue");
  }

  void run() {
    cl_program program = built(program_of(read(options_.file)));
    if (options_.binary) program = built(of_binary_of(program));
    launch_all(program);
    if (options_.twice) launch_all(built(program_of(read(options_.file))));
  }

private:
  cl_program program_of(const std::string& source) {
    cl_int status = 0;
    const char* text = source.c_str();
    if (!source.starts_with("\3\2#\7")) { // SPIR-V begins with this number
      cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
      require(status, "clCreateProgramWithSource");
      return program;
    }
    cl_program program = clCreateProgramWithIL(context_, text, source.size(), &status);
    require(status, "clCreateProgramWithIL");
    if (const std::size_t at = options_.constant.find(':'); at != std::string::npos) {
      const auto value = static_cast<cl_uint>(std::stoul(options_.constant.substr(at + 1)));
      const auto id = static_cast<cl_uint>(std::stoul(options_.constant));
      require(clSetProgramSpecializationConstant(program, id, sizeof value, &value),
              "clSetProgramSpecializationConstant");
    }
    return program;
  }

  cl_program of_binary_of(cl_program program) {
    std::size_t size = 0;
    require(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "binary size");
    std::vector<unsigned char> bytes(size);
    unsigned char* place = bytes.data();
    require(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr), "binary");
    cl_int status = 0;
    const unsigned char* binary = place;
    cl_program made = clCreateProgramWithBinary(context_, 1, &device_, &size, &binary, nullptr, &status);
    require(status, "clCreateProgramWithBinary");
    return made;
  }

  cl_program built(cl_program program) {
    if (options_.header.empty() && options_.part.empty())
      return checked(program, clBuildProgram(program, 0, nullptr, options_.build.c_str(), nullptr, nullptr));
    std::vector<cl_program> parts = {compiled(program)};
    if (!options_.part.empty()) parts.push_back(compiled(program_of(read(options_.part))));
    cl_int status = 0;
    cl_program linked = clLinkProgram(context_, 0, nullptr, "", static_cast<cl_uint>(parts.size()),
                                      parts.data(), nullptr, nullptr, &status);
    return checked(linked, status);
  }

  cl_program compiled(cl_program program) {
    const bool has_header = !options_.header.empty();
    cl_program header = has_header ? program_of(read(options_.header)) : nullptr;
    const std::string name = options_.header.substr(options_.header.rfind('/') + 1);
    const char* text = name.c_str();
    return checked(program, clCompileProgram(program, 0, nullptr, options_.build.c_str(), has_header ? 1 : 0,
                                             has_header ? &header : nullptr, has_header ? &text : nullptr,
                                             nullptr, nullptr));
  }

  cl_program checked(cl_program program, cl_int status) {
    if (status != CL_SUCCESS && program) {
      char log[10000] = "";
      clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
      std::fprintf(stderr, "%s", log);
    }
    require(status, "build");
    return program;
  }

  static std::vector<std::size_t> sizes(std::string text) {
    std::vector<std::size_t> all;
    std::ranges::replace(text, 'x', ' ');
    for (char *at = text.data(), *end = nullptr; *at; at = end)
      all.push_back(std::strtoul(at, &end, 10));
    return all;
  }

  void launch_all(cl_program program) {
    for (const std::string& launch : options_.launches) {
      const std::size_t first = launch.find(':'), second = launch.find(':', first + 1);
      const std::vector<std::size_t> global = sizes(launch.substr(first + 1, second - first - 1));
      const std::vector<std::size_t> local =
          second == launch.npos ? std::vector<std::size_t>() : sizes(launch.substr(second + 1));
      cl_int status = 0;
      cl_kernel kernel = clCreateKernel(program, launch.substr(0, first).c_str(), &status);
      require(status, "clCreateKernel");
      std::vector<cl_int> numbers(4096);
      std::iota(numbers.begin(), numbers.end(), 0);
      cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, numbers.size() * sizeof(cl_int),
                                     numbers.data(), &status);
      require(status, "clCreateBuffer");
      require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
      require(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()), nullptr,
                                     global.data(), local.empty() ? nullptr : local.data(), 0, nullptr,
                                     nullptr),
              "clEnqueueNDRangeKernel");
      require(clFinish(queue_), "clFinish");
      clReleaseMemObject(buffer);
      clReleaseKernel(kernel);
    }
  }

  const Options& options_;
  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto value = word.substr(word.find('=') + 1);
    if (word.starts_with("--options="))
      options.build = value;
    else if (word.starts_with("--header="))
      options.header = value;
    else if (word.starts_with("--part="))
      options.part = value;
    else if (word.starts_with("--constant="))
      options.constant = value;
    else if (word.starts_with("--end="))
      options.end = value;
    else if (word == "--twice")
      options.twice = true;
    else if (word == "--binary")
      options.binary = true;
    else if (word == "--fork")
      options.forks = true;
    else if (options.file.empty())
      options.file = word;
    else
      options.launches.emplace_back(word);
  }
  return options;
}

} // namespace

int main(int count, char** words) {
  const Options options = options_of(count, words);
  if (options.forks) {
    Session(options).run(); // so that the child has the parent's mapping
    if (const pid_t child = fork(); child == 0) {
      Session(options).run();
      _exit(0);
    } else {
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) return 1;
    }
  }
  Session(options).run();
  if (options.end == "kill") std::raise(SIGKILL);
  if (options.end == "quit") _exit(0);
  if (options.end == "abort") std::abort();
  return 0;
}
