// Every atomic of OpenCL C, kernel by kernel, on any OpenCL device; see usage() and conformance/README.md.

#include "conformance/atomics/case.hpp"
#include "conformance/atomics/legacy.hpp"
#include "conformance/atomics/report.hpp"
#include "conformance/atomics/restrictions.hpp"
#include "conformance/atomics/runner.hpp"

#include <cstdlib>
#include <cstring>

#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#endif

using namespace conformance;

namespace {

struct Options {
  std::string platform;
  std::vector<std::string> standards = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CLC++2021"};
  std::string filter, markdown;
  bool verbose = false, quick = false, print = false;
};

[[noreturn]] void usage() {
  std::puts(
      "atomics_matrix [--platform NAME] [--std VERSION[,VERSION...]] [--filter TEXT] [--quick] [--verbose]\n"
      "               [--markdown FILE] [--print]\n"
      "Builds and runs a kernel for each atomic function, type, form, address space, order and scope, and\n"
      "checks its results. NAME is part of a platform's name (default: $HOSTCL_TEST_PLATFORM, or hostcl);\n"
      "VERSION is a value of -cl-std; TEXT selects kernels by part of their names; --quick runs every 7th.\n"
      "--print prints the source of the kernels with C11 atomics instead, and needs no platform.\n"
      "Exit status: 0 if all passed, 1 if some failed, 2 if there was nothing to test.");
  std::exit(2);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i >= count) usage();
      return arguments[i];
    };
    if (name == "--platform")
      options.platform = value();
    else if (name == "--std")
      options.standards = split(value());
    else if (name == "--filter")
      options.filter = value();
    else if (name == "--markdown")
      options.markdown = value();
    else if (name == "--verbose")
      options.verbose = true;
    else if (name == "--quick")
      options.quick = true;
    else if (name == "--print")
      options.print = true;
    else
      usage();
  }
  return options;
}

bool is_old(const std::string& standard) {
  return standard.rfind("CL1", 0) == 0;
}

/// All cases of a language version with C11 atomics, for a device with or without these extensions.
std::vector<Case> cases_of(const std::string& standard, bool floats, bool half) {
  std::vector<Case> cases = matrix(standard);
  const auto append = [&](std::vector<Case> more) { cases.insert(cases.end(), more.begin(), more.end()); };
  append(init_and_flags(standard));
  if (standard == "CL3.0") append(orders_and_scopes(standard));
  if (floats && standard != "CL2.0") append(float_atomics(standard, half));
  return cases;
}

void run_cases(const Device& device, const std::string& standard, const Options& options, Report& report) {
  const bool floats = device.has_extension("cl_ext_float_atomics");
  const bool half = floats && device.value<cl_bitfield>(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT) != 0;
  const std::vector<Case> cases = cases_of(standard, floats, half);
  if (!device.compiles(standard)) {
    report.not_offered("matrix", standard, unsigned(cases.size()));
    return;
  }
  Runner runner(device);
  size_t number = 0;
  for (const Case& test : cases) {
    if (options.quick && ++number % 7 != 1) continue;
    const std::string name = test.name();
    if (name.find(options.filter) == std::string::npos) continue;
    const std::string wrong = runner.run(test);
    if (wrong.empty())
      report.pass(test.section, standard, name, runner.milliseconds());
    else
      report.fail(test.section, standard, name, wrong, runner.milliseconds());
  }
}

/// Prints one program with all cases that the options select.
void print_cases(const std::string& standard, const Options& options) {
  size_t number = 0, kernel = 0;
  for (const Case& test : cases_of(standard, true, true)) {
    if (options.quick && ++number % 7 != 1) continue;
    if (test.name().find(options.filter) == std::string::npos) continue;
    std::printf("// %s\n%s\n", test.name().c_str(), source_of(test, "k" + std::to_string(kernel++)).c_str());
  }
}

} // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  if (options.print) {
    for (const std::string& standard : options.standards)
      if (!is_old(standard)) print_cases(standard, options);
    return 0;
  }
  const Device device(options.platform);
  Report report(options.verbose);
  for (const std::string& standard : options.standards) {
    if (is_old(standard) || standard == "CL2.0" || standard == "CL3.0") {
      if (device.compiles(standard))
        run_legacy(device, standard, options.filter, report);
      else
        report.not_offered("legacy", standard, 1);
    }
    if (!is_old(standard)) run_cases(device, standard, options, report);
    if (standard == "CL3.0") run_restrictions(device, options.filter, report);
    std::fflush(stdout);
  }
  const std::string name = device.text(CL_DEVICE_NAME) + " (" + device.text(CL_DRIVER_VERSION) + ")";
  report.print(stdout, name);
  if (!options.markdown.empty()) {
    std::FILE* file = std::fopen(options.markdown.c_str(), "w");
    if (!file) stop("cannot write " + options.markdown);
    report.print(file, name);
    std::fclose(file);
  }
  return report.good() ? 0 : 1;
}
