// Counts the bytes of a file, twice (global and local atomics), and finds all positions of a byte pattern
// (atomic index), on any OpenCL device. All results are compared with plain C++.

#include "bar_chart.hpp"

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;
using Positions = std::vector<cl_ulong>;

struct Arguments {
  std::string platform = "hostcl";
  std::string file;
  std::string pattern = "the";
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 2 && words[0] == "--platform") {
    arguments.platform = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.empty() || words.size() > 2 || words.back().empty())
    throw std::runtime_error("usage: byte_census [--platform NAME] FILE [PATTERN]");
  arguments.file = words[0];
  if (words.size() == 2) arguments.pattern = words[1];
  return arguments;
}

Bytes read_file(const std::string& name) {
  std::error_code error;
  Bytes bytes(std::filesystem::is_regular_file(name, error) ? std::filesystem::file_size(name, error) : 0);
  std::ifstream file(name, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!file || error) throw std::runtime_error("cannot read " + name);
  return bytes;
}

/// The first device of the first platform whose name contains `name`.
cl::Device find_device(const std::string& name) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::string found;
  for (const cl::Platform& platform : platforms) {
    const auto platform_name = platform.getInfo<CL_PLATFORM_NAME>();
    found += "\n  " + platform_name;
    if (platform_name.find(name) == std::string::npos) continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.at(0);
  }
  throw std::runtime_error("no OpenCL platform is called " + name + "; these are here:" + found);
}

/// The device, one queue on it, and the kernels built for it.
class Census {
public:
  explicit Census(const cl::Device& device)
      : device_(device), context_(device), queue_(context_, device), program_(build(context_)) {
    items_ = cl::NDRange(group_size * 16 * device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  }

  void load(Bytes& bytes) {
    bytes_ = cl::Buffer(context_, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes.size(), bytes.data());
    size_ = bytes.size();
  }

  Histogram histogram(const char* kernel_name) {
    Histogram result{};
    const cl::Buffer bins(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof result, result.data());
    run(kernel_name, bytes_, size_, bins);
    queue_.enqueueReadBuffer(bins, CL_TRUE, 0, sizeof result, result.data());
    return result;
  }

  Positions find_all(std::string& pattern) {
    const cl::Buffer wanted(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pattern.size(),
                            pattern.data());
    Positions result(1 << 16);
    for (;;) {
      cl_uint count = 0;
      const cl::Buffer counter(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof count, &count);
      const cl::Buffer positions(context_, CL_MEM_WRITE_ONLY, result.size() * sizeof result[0]);
      run("find_all", bytes_, size_, wanted, cl_uint(pattern.size()), counter, positions,
          cl_uint(result.size()));
      queue_.enqueueReadBuffer(counter, CL_TRUE, 0, sizeof count, &count);
      const bool fits = count <= result.size();
      result.resize(count);
      if (!fits) continue; // once more, with enough room
      if (count != 0)
        queue_.enqueueReadBuffer(positions, CL_TRUE, 0, count * sizeof result[0], result.data());
      std::sort(result.begin(), result.end());
      return result;
    }
  }

private:
  static constexpr std::size_t group_size = 256;

  static cl::Program build(const cl::Context& context) {
    const auto text = read_file(KERNEL_FILE);
    cl::Program program(context, std::string(text.begin(), text.end()));
    try {
      program.build();
    } catch (const cl::BuildError& error) {
      throw std::runtime_error("the kernels do not build:\n" + error.getBuildLog().at(0).second);
    }
    return program;
  }

  template <class... Arguments>
  void run(const char* kernel_name, const Arguments&... arguments) {
    cl::Kernel kernel(program_, kernel_name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, items_, cl::NDRange(group_size));
  }

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
  cl::NDRange items_;
  cl::Buffer bytes_;
  cl_ulong size_ = 0;
};

Histogram count_in_cpp(const Bytes& bytes) {
  Histogram histogram{};
  for (const unsigned char byte : bytes)
    ++histogram[byte];
  return histogram;
}

Positions find_in_cpp(const Bytes& bytes, const std::string& pattern) {
  Positions positions;
  // The text's bytes are unsigned, and a searcher compares them with its table of the pattern's type.
  const Bytes bytes_of_pattern(pattern.begin(), pattern.end());
  const std::boyer_moore_horspool_searcher searcher(bytes_of_pattern.begin(), bytes_of_pattern.end());
  for (auto from = bytes.begin();; ++from) {
    from = std::search(from, bytes.end(), searcher);
    if (from == bytes.end()) return positions;
    positions.push_back(cl_ulong(from - bytes.begin()));
  }
}

/// Calls `work` a few times, prints the best time, and returns the last result.
template <class Work>
auto timed(const char* what, std::size_t bytes, Work&& work) {
  auto best = std::chrono::duration<double>::max();
  decltype(work()) result;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    result = work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start));
  }
  std::printf("  %-34s %9.3f ms %8.2f GB/s\n", what, best.count() * 1e3, double(bytes) / best.count() * 1e-9);
  return result;
}

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error(std::string(what) + " differs from plain C++");
}

void run(Arguments arguments) {
  const cl::Device device = find_device(arguments.platform);
  auto bytes = read_file(arguments.file);
  if (bytes.empty()) throw std::runtime_error(arguments.file + " is empty or not a file");
  if (bytes.size() > device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>() || bytes.size() >> 32 != 0)
    throw std::runtime_error(arguments.file +
                             " is too large: at most 4 GiB, and one allocation of the device");

  std::printf("%s\n%s: %zu bytes\n\n", device.getInfo<CL_DEVICE_NAME>().c_str(), arguments.file.c_str(),
              bytes.size());
  Census census(device);
  census.load(bytes);
  const auto global =
      timed("histogram, global atomics", bytes.size(), [&] { return census.histogram("histogram_global"); });
  const auto local =
      timed("histogram, local atomics", bytes.size(), [&] { return census.histogram("histogram_local"); });
  const auto counted =
      timed("histogram, plain C++, 1 thread", bytes.size(), [&] { return count_in_cpp(bytes); });
  const auto found =
      timed("search, atomic index", bytes.size(), [&] { return census.find_all(arguments.pattern); });
  const auto searched = timed("search, plain C++, 1 thread", bytes.size(),
                              [&] { return find_in_cpp(bytes, arguments.pattern); });
  check(global == counted, "the histogram with global atomics");
  check(local == counted, "the histogram with local atomics");
  check(found == searched, "the list of positions");

  std::printf("\n%s\n\"%s\" occurs %zu times", bar_chart(local).c_str(), arguments.pattern.c_str(),
              found.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 4); ++i)
    std::printf("%s 0x%llx", i == 0 ? ":" : ",", static_cast<unsigned long long>(found[i]));
  std::printf("%s\nverified\n", found.size() > 4 ? ", ..." : "");
}

} // namespace

int main(int argc, char** argv) {
  try {
    run(parse(argc, argv));
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "byte_census: %s failed with error %d\n", error.what(), error.err());
    return EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "byte_census: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
