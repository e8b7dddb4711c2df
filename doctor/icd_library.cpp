#include "doctor/icd_library.hpp"

#include "doctor/elf.hpp"
#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/load_errors.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <CL/cl_icd.h>

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>

namespace hostcl::doctor {

namespace {

constexpr llvm::StringLiteral own_name = "hostcl";

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

std::string platform_name(void* library, cl_platform_id platform) {
  auto* query = function_of<decltype(clGetPlatformInfo)>(library, "clGetPlatformInfo");
  // The first member of the object behind a handle is a pointer to the dispatch table of the driver.
  if (!query) query = (*reinterpret_cast<cl_icd_dispatch**>(platform))->clGetPlatformInfo;
  char name[256] = {};
  if (!query || query(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr) != CL_SUCCESS) return "?";
  return name;
}

/// Loads a library and queries its platforms, as an ICD loader does. @returns the results as a JSON object (facts.hpp)
llvm::json::Value load(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return llvm::json::Object{{"error", llvm::json::fixUTF8(::dlerror())}};
  const link_map* map = nullptr;
  ::dlinfo(library, RTLD_DI_LINKMAP, &map);
  llvm::json::Object facts{{"path", llvm::json::fixUTF8(map ? map->l_name : name)}};
  using Find = void*(const char*);
  auto* find = function_of<Find>(library, "clGetExtensionFunctionAddress");
  using List = cl_int(cl_uint, cl_platform_id*, cl_uint*);
  auto* list = find ? reinterpret_cast<List*>(find("clIcdGetPlatformIDsKHR")) : nullptr;
  facts["is_driver"] = list != nullptr;
  if (!list) return facts;
  cl_uint number = 0;
  facts["status"] = list(0, nullptr, &number);
  std::vector<cl_platform_id> platforms(number);
  if (number) list(number, platforms.data(), nullptr);
  llvm::json::Array names;
  for (cl_platform_id platform : platforms)
    names.push_back(llvm::json::fixUTF8(platform_name(library, platform)));
  facts["platforms"] = std::move(names);
  return facts;
}

/// Reports a library that cannot be loaded, crashes, is no driver, or has no platform. @returns whether a problem was
/// reported
bool report_broken(Report& report, const Candidate& candidate, const Answer& answer) {
  const std::string what = candidate.origin + ": " + candidate.library;
  const llvm::json::Object& facts = answer.object();
  if (!answer.failure.empty()) {
    report.problem("icd.crash", what + ": while it was loaded and asked for its platforms, " + answer.failure,
                   "applications crash in the same way: remove " + candidate.origin +
                       " or install its driver again" +
                       (answer.output.empty() ? "" : "; it said: " + answer.output));
  } else if (const auto error = facts.getString("error")) {
    const LoadError found = explain_load_error(*error, candidate.library);
    report.problem(found.name, what + ": " + found.text, found.remedy);
  } else if (!facts.getBoolean("is_driver").value_or(false)) {
    report.problem("icd.not-driver",
                   what + " does not export clGetExtensionFunctionAddress, through which a loader finds "
                          "clIcdGetPlatformIDsKHR, so no loader accepts it",
                   "write the path of an OpenCL driver's library there");
  } else if (facts.getArray("platforms")->empty()) {
    report.problem("icd.no-platform",
                   what + " has no platform: its clIcdGetPlatformIDsKHR returns " +
                       std::to_string(number_in(facts, "status")),
                   "read in this driver's documentation what it needs" +
                       (answer.output.empty() ? "" : "; it said: " + answer.output));
  } else {
    return false;
  }
  return true;
}

std::string glibc_sentence(const std::string& path) {
  const std::string needed = needed_glibc(path);
  return needed.empty() ? "" : "; it needs glibc " + needed + ", this is " + ::gnu_get_libc_version();
}

std::vector<std::string> names_in(const llvm::json::Object& facts) {
  std::vector<std::string> names;
  for (const llvm::json::Value& name : *facts.getArray("platforms"))
    names.push_back(name.getAsString().value_or("").str());
  return names;
}

/// The path of libhostcl.so in the build or the installation that this program belongs to; empty if there is none.
std::string own_library() {
  static const int anchor = 0;
  const std::string program = llvm::sys::fs::getMainExecutable(nullptr, const_cast<int*>(&anchor));
  const llvm::StringRef folder = llvm::sys::path::parent_path(program);
  for (const char* place : {"/libhostcl.so", "/../" HOSTCL_DRIVER_FOLDER "/libhostcl.so"})
    if (llvm::SmallString<256> path; !llvm::sys::fs::real_path(folder + place, path)) return path.str().str();
  return {};
}

} // namespace

bool is_hostcl(const Driver& driver) {
  return llvm::is_contained(driver.platforms, own_name);
}

std::vector<Driver> check_libraries(Report& report, const std::vector<Candidate>& candidates) {
  std::vector<Driver> drivers;
  for (const Candidate& candidate : candidates) {
    const Answer answer = run_isolated([&](In) { return load(candidate.library); });
    if (report_broken(report, candidate, answer)) continue;
    const llvm::json::Object& facts = answer.object();
    Driver driver{candidate.origin, text_in(facts, "path"), names_in(facts)};
    report.well("icd",
                driver.origin + ": " + driver.path + ", platform " + llvm::join(driver.platforms, ", ") +
                    glibc_sentence(driver.path),
                llvm::json::Object{{"path", llvm::json::fixUTF8(driver.path)},
                                   {"platforms", llvm::json::Array(*facts.getArray("platforms"))},
                                   {"needs_glibc", needed_glibc(driver.path)}});
    drivers.push_back(std::move(driver));
  }
  return drivers;
}

void check_own_library(Report& report, const Loader& loader, const std::vector<Candidate>& candidates,
                       const std::vector<Driver>& drivers) {
  if (llvm::any_of(drivers, is_hostcl)) return;
  const std::string library = own_library();
  // If the loader finds hostcl's own library, check_libraries() has already reported why the library does not work.
  auto is_own = [&](const Candidate& each) { return llvm::sys::fs::equivalent(each.library, library); };
  if (llvm::any_of(candidates, is_own)) return;
  if (library.empty()) {
    report.problem("icd.hostcl-missing", "no .icd file or variable names hostcl's library",
                   "install it: apt-get install ./hostcl_*.deb");
    return;
  }
  const char* variable = takes_file_names(loader) ? "OCL_ICD_FILENAMES=" : "OCL_ICD_VENDORS=";
  report.problem("icd.hostcl-missing", "no .icd file or variable names hostcl's library, " + library,
                 std::string("set ") + variable + library + ", or write this path into " +
                     loader.vendors_folder + "/hostcl.icd");
  check_libraries(report, {{"the library beside this program", library}});
}

} // namespace hostcl::doctor
