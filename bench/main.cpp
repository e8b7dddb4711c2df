// Measures an OpenCL platform, or plain C++, and prints one JSON object per case. Every result is verified.
// bench/compare runs this program on all platforms of a machine.

#include "bench/device.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr const char* usage = R"(usage: bench [OPTION...] [CASE...]
  --platform NAME   the platform whose name contains NAME (default: the first one)
  --reference       plain C++ on all cores instead of OpenCL, for the cases that have it
  --seconds S       time for the rounds of each case, of which the median counts (default: 1.5)
  --first-launches S  instead, the seconds from each kernel's source to the end of its 1st to 100th launch, or of as many
                    launches as begin within S seconds; skips cases that are more than launches of one kernel
  --list            names and titles of the cases
Without CASE all of them run. Output: one JSON object per line.
)";

struct Options {
  std::string platform;
  bool reference = false;
  bool list = false;
  bool probe_startup = false;
  bool probe_first_kernel = false;
  std::vector<std::string> cases;
};

Options parse(int argc, char** argv) {
  Options options;
  options.cases = parse_options(argc, argv,
                                {{"--platform", &options.platform},
                                 {"--seconds", &round_seconds},
                                 {"--first-launches", &first_launch_seconds},
                                 {"--reference", &options.reference},
                                 {"--list", &options.list},
                                 {"--probe-startup", &options.probe_startup},
                                 {"--probe-first-kernel", &options.probe_first_kernel}},
                                usage);
  return options;
}

std::vector<Case> selected_cases(const Options& options) {
  std::vector<Case> all;
  for (const auto table : {host_cases(), memory_cases(), arithmetic_cases(), atomic_cases(), group_cases(),
                           pipe_cases(), image_cases()})
    all.insert(all.end(), table.begin(), table.end());
  if (options.cases.empty()) return all;

  std::vector<Case> selected;
  for (const std::string& name : options.cases) {
    const auto known = selected.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(selected),
                 [&](const Case& row) { return row.name == name; });
    if (selected.size() == known)
      throw std::invalid_argument("there is no case " + name + "; --list shows all");
  }
  return selected;
}

/// The second half of a line: what was measured, or why nothing was. Sets `failed` on a wrong result or an
/// error.
template <class Run>
std::string outcome(const Case& row, bool& failed, Run&& run) {
  failed = false;
  try {
    const Measurement measured = run();
    if (!measured.launches.empty())
      return numbers_field("launches", measured.launches) + R"(, "verified": true)";
    if (first_launch_seconds > 0) throw Unsupported("no launches of one kernel");
    char fields[160];
    std::snprintf(fields, sizeof fields,
                  R"("value": %.6g, "seconds": %.6g, "best": %.6g, "rounds": %d, "verified": true)",
                  figure(measured, row.unit), measured.seconds,
                  measured.best > 0 ? measured.best : measured.seconds, measured.rounds);
    return fields;
  } catch (const Unsupported& missing) {
    return text_field("skipped", missing.what());
  } catch (const cl::Error& error) {
    failed = true;
    return text_field("error", std::string(error.what()) + " returned " + std::to_string(error.err()));
  } catch (const std::exception& error) {
    failed = true;
    return text_field("error", error.what());
  }
}

/// Returns false where the case failed.
template <class Run>
bool print_result(const Case& row, const std::string& platform, Run&& run) {
  bool failed;
  const std::string second_half = outcome(row, failed, run);
  std::printf("{%s, %s, %s, %s, \"better\": \"%s\", %s}\n", text_field("case", row.name).c_str(),
              text_field("title", row.title).c_str(), text_field("platform", platform).c_str(),
              text_field("unit", row.unit.name).c_str(),
              row.unit.better == Better::higher ? "higher" : "lower", second_half.c_str());
  std::fflush(stdout);
  return !failed;
}

/// Builds and runs a small kernel that no process has built before.
bool run_unseen_kernel(const cl::Device& device) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const auto factor = cl_uint(now / 1000) | 1;
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  const cl::Program program(context,
                            "kernel void small(global uint* out) { uint i = get_global_id(0);"
                            " out[i] = i * " +
                                std::to_string(factor) + "u + 1; }",
                            /*build=*/true);
  cl_uint found[64];
  const cl::Buffer out(context, CL_MEM_READ_WRITE, sizeof found);
  cl::Kernel kernel(program, "small");
  kernel.setArg(0, out);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(std::size(found)));
  queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof found, found);
  return found[3] == 3 * factor + 1;
}

/// Prints the nanoseconds from the first clGetPlatformIDs until a device is known, or until a kernel has run.
int probe_startup(bool runs_kernel) {
  const auto start = std::chrono::steady_clock::now();
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
    return EXIT_FAILURE;
  if (runs_kernel && !run_unseen_kernel(cl::Device(device))) return EXIT_FAILURE;
  std::printf("%lld\n", static_cast<long long>((std::chrono::steady_clock::now() - start) /
                                               std::chrono::nanoseconds(1)));
  return EXIT_SUCCESS;
}

int run(const Options& options) {
  if (options.probe_startup || options.probe_first_kernel) return probe_startup(options.probe_first_kernel);
  const auto cases = selected_cases(options);
  bool all_right = true;
  if (options.list) {
    for (const Case& row : cases)
      std::printf("%-20s %s [%s]\n", row.name, row.title, row.unit.name);
  } else if (options.reference) {
    for (const Case& row : cases)
      if (row.run_reference) all_right &= print_result(row, "plain C++", row.run_reference);
  } else {
    const cl::Device chosen = find_device(options.platform);
    const std::string platform =
        cl::Platform(chosen.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>();
    const Device device(chosen);
    for (const Case& row : cases)
      all_right &= print_result(row, platform, [&] { return row.run(device); });
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::run(bench::parse(argc, argv));
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "bench: %s returned %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
  }
  return 2;
}
