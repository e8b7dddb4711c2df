// Does what applications do, step by step, and measures the memory of its own process after each step. Prints the
// results as one JSON object. bench/memory runs this program on all drivers of a machine.

#include "bench/device.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"
#include "bench/unseen_programs.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

constexpr const char* usage = R"(usage: bench_footprint [--count N] [STEP...]
Finds a device, makes a context with a queue and a buffer, and does the steps. Prints the memory after each step.
  --count N   the number of programs of `live` and `churn` (default: 1000)
  kernel      builds a small program, and launches its kernel
  large       builds a program of 40 kernels with barriers, and launches all of them
  scratch     launches a kernel that has 32 KiB of local memory, and 4 KiB of private memory for each of 256 work-items
  live        builds N small programs, launches a kernel of each, and keeps all objects
  release     releases the objects of `live`
  churn       builds, launches and releases N small programs, one after the other
)";

constexpr const char* scratch_source = R"(kernel void small(global uint* out, uint count) {
  local uint shared[8192];
  uint own[1024];
  const uint lid = get_local_id(0), gid = get_global_id(0);
  for (uint i = 0; i < 1024; ++i) own[i] = gid + i * out[i];
  for (uint i = lid; i < 8192; i += get_local_size(0)) shared[i] = own[i % 1024];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint i = 0; i < 1024; ++i) sum += own[(i * 7 + lid) % 1024] + shared[(i * 13 + lid) % 8192];
  if (gid >= 1024 && gid < count) out[gid] = sum;
})";

std::string small_source() {
  return "kernel void small(global uint* out, uint count) {\n"
         "  uint i = get_global_id(0);\n"
         "  if (i < count) out[i] = out[i] * " +
         std::to_string(unseen_number()) + "u + i;\n}\n";
}

/// The steps of the usage, on one device.
class Application {
public:
  Application(const cl::Device& device, std::size_t count)
      : count_(count), device_(device), buffer_(device_.empty_buffer<cl_uint>(items)) {}

  void kernel() { launch(small_source()); }
  void large() {
    const cl::Program program = device_.build_source(source_of_many_kernels(unseen_number()));
    for (int i = 0; i < kernel_count; ++i) {
      cl::Kernel kernel(program, ("step" + std::to_string(i)).c_str());
      kernel.setArg(0, buffer_);
      kernel.setArg(1, cl::Local(group * sizeof(cl_uint)));
      device_.launch(kernel, cl::NDRange(items), cl::NDRange(group));
    }
    device_.queue().finish();
  }
  void scratch() { launch(scratch_source); }
  void live() {
    for (std::size_t i = 0; i < count_; ++i)
      kernels_.push_back(launch(small_source()));
  }
  void release() { kernels_.clear(); }
  void churn() {
    for (std::size_t i = 0; i < count_; ++i)
      kernel();
  }

private:
  static constexpr std::size_t items = 1 << 18, group = 256;

  /// @returns the kernel, which keeps its program
  cl::Kernel launch(const std::string& source) {
    cl::Kernel kernel(device_.build_source(source), "small");
    kernel.setArg(0, buffer_);
    kernel.setArg(1, cl_uint(items));
    device_.launch(kernel, cl::NDRange(items), cl::NDRange(group));
    device_.queue().finish();
    return kernel;
  }

  std::size_t count_;
  Device device_;
  cl::Buffer buffer_;
  std::vector<cl::Kernel> kernels_;
};

using Step = void (Application::*)();

/// @throws std::invalid_argument with the usage if no step has the name
Step step_of(const std::string& name) {
  constexpr std::pair<const char*, Step> steps[] = {
      {"kernel", &Application::kernel},   {"large", &Application::large},
      {"scratch", &Application::scratch}, {"live", &Application::live},
      {"release", &Application::release}, {"churn", &Application::churn}};
  for (const auto& [known, step] : steps)
    if (name == known) return step;
  throw std::invalid_argument(usage);
}

/// Makes the system forget the peak of this process's resident memory, and measure it anew.
void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// A JSON object with the current resident memory of this process in KiB: `own` is the pages that other processes
/// cannot share, `files` the pages of files, such as libraries, and `peak` the largest sum of both since reset_peak().
std::string footprint(const std::string& step) {
  std::map<std::string, double> sizes;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.ends_with(" kB"))
      sizes[line.substr(0, line.find(':'))] = std::stod(line.substr(line.find(':') + 1));
  char fields[120];
  std::snprintf(fields, sizeof fields, R"(, "own": %.0f, "files": %.0f, "peak": %.0f})",
                sizes.at("RssAnon") + sizes.at("RssShmem"), sizes.at("RssFile"), sizes.at("VmHWM"));
  return "{" + text_field("step", step) + fields;
}

void run(int argc, char** argv) {
  std::string count = "1000";
  const auto words = parse_options(argc, argv, {{"--count", &count}}, usage);
  std::vector<Step> steps;
  for (const std::string& word : words)
    steps.push_back(step_of(word));

  const cl::Device device = find_device("");
  std::string line = footprint("device");
  reset_peak();
  Application application(device, std::stoul(count));
  line += ", " + footprint("context");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    reset_peak();
    (application.*steps[i])();
    line += ", " + footprint(words[i]);
  }
  std::printf("{\"units\": %u, \"steps\": [%s]}\n", device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(),
              line.c_str());
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  try {
    bench::run(argc, argv);
    return EXIT_SUCCESS;
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "bench_footprint: %s returned %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_footprint: %s\n", error.what());
  }
  return 2;
}
