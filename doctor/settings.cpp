#include "doctor/settings.hpp"

#include "runtime/support/message.hpp"
#include "runtime/support/options.hpp"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

namespace hostcl {

// The part of the driver that reads settings writes messages about them to standard error. Here it writes nothing,
// because findings say the same.
void runtime::write_message(std::string_view, std::string_view) {}

namespace doctor {

namespace {

struct Variable {
  const char *name, *description;
};

constexpr Variable own[] = {
#define OPTION(type, member, default_value, name, description) {name, description},
#include "runtime/support/options.inc"
#undef OPTION
};

constexpr Variable others[] = {
    {"OCL_ICD_PLATFORM_SORT", "order of the platforms with ocl-icd"},
    {"OCL_ICD_DEFAULT_PLATFORM", "the platform that ocl-icd takes where the application names none"},
    {"OPENCL_LAYERS", "libraries between applications and drivers"},
    {"OPENCL_LAYER_PATH", "folder of libraries between applications and drivers"},
    {"PYOPENCL_CTX", "the device that PyOpenCL chooses"},
    {"POCL_DEVICES", "devices of PoCL"},
    {"SYCL_DEVICE_ALLOWLIST", "devices that SYCL programs may see"},
    {"SYCL_DEVICE_FILTER", "devices that SYCL programs see"},
    {"LD_LIBRARY_PATH", "folders in which libraries are found first, loaders and drivers among them"},
    {"LD_PRELOAD", "libraries that are loaded first"},
};

void report_complaints(Report& report) {
  for (const runtime::Complaint& complaint : runtime::option_complaints()) {
    const std::string both = complaint.variable + "=" + complaint.value,
                      nearest(runtime::nearest_option(complaint.variable));
    if (complaint.description.empty())
      report.problem(
          "settings.unknown", both + " has no effect: there is no such variable",
          "the nearest name is " + nearest,
          llvm::json::Object{{"variable", llvm::json::fixUTF8(complaint.variable)}, {"nearest", nearest}});
    else
      report.problem("settings.value", both + " has no effect: the value is not valid",
                     std::string(complaint.description));
  }
}

std::string describe(const Variable& variable, const char* value) {
  return std::string(variable.name) + "=" + value + ": " + variable.description;
}

/// SYCL programs see the devices that this variable names, as "opencl:cpu;level_zero:gpu".
void report_selector(Report& report) {
  const char* value = ::getenv("ONEAPI_DEVICE_SELECTOR");
  if (!value || !*value) return;
  const llvm::StringRef selector = value;
  if (selector.contains("opencl:") || selector.contains("*:"))
    report.note("settings.other",
                ("ONEAPI_DEVICE_SELECTOR=" + selector + ": devices that SYCL programs see").str());
  else
    report.problem(
        "settings.selector",
        ("ONEAPI_DEVICE_SELECTOR=" + selector + " hides OpenCL's devices from SYCL programs").str(),
        "add opencl:*");
}

} // namespace

void check_settings(Report& report) {
  report.begin_section("Variables");
  report_complaints(report);
  const std::vector<runtime::Complaint> wrong = runtime::option_complaints();
  for (const Variable& variable : own) {
    const char* value = ::secure_getenv(variable.name);
    if (value && *value &&
        llvm::none_of(wrong, [&](const auto& each) { return each.variable == variable.name; }))
      report.note("settings.set", describe(variable, value));
  }
  for (const Variable& variable : others)
    if (const char* value = ::getenv(variable.name); value && *value)
      report.note("settings.other", describe(variable, value));
  report_selector(report);
}

} // namespace doctor
} // namespace hostcl
