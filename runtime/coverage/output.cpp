// Part of coverage.hpp: reads the setting when the driver is loaded, and has reports made when the process ends.

#include "compiler/isolation/new_file.hpp"
#include "runtime/coverage/coverage.hpp"
#include "runtime/coverage/data_files.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <vector>

#include <csignal>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" const char hostcl_coverage_script[], hostcl_coverage_script_end[];

namespace hostcl::runtime::coverage {

namespace {

/// The outputs, as absolute names. Never destroyed, because it is used at exit.
const std::vector<std::string>* outputs = nullptr;

bool is_output(std::string_view name) {
  return name.size() > 1 && (name.ends_with(".info") || name.ends_with(".profdata") ||
                             name.ends_with(".json") || name.ends_with('/'));
}

std::vector<std::string> chosen_outputs() {
  std::vector<std::string> all;
  for (std::string_view rest = options().coverage; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (is_output(one))
      all.push_back(absolute_name(one));
    else
      log(LogLevel::warn, "HOSTCL_COVERAGE=", one,
          " cannot be used; it must be FILE.info, FILE.profdata, FILE.json or FOLDER/, or several of them "
          "with commas between them");
  }
  return all;
}

/// Makes the folder for the data. @returns why it cannot be made, or nothing
std::string make_folder(const std::string& name) {
  std::error_code error;
  for (const char* part : {"/counts", "/objects", "/sources"})
    if (!error) std::filesystem::create_directories(name + part, error);
  if (error) return error.message();
  const std::string_view script(
      hostcl_coverage_script, static_cast<std::size_t>(hostcl_coverage_script_end - hostcl_coverage_script));
  const int failure = replace_file(name + "/convert", script);
  return failure ? std::strerror(failure) : "";
}

/// Runs the script, which itself warns of what is wrong.
void convert() {
  const std::string script = *folder.load() + "/convert";
  std::vector<char*> arguments;
  for (const char* word : {"sh", script.c_str()})
    arguments.push_back(const_cast<char*>(word));
  for (const std::string& output : *outputs)
    arguments.push_back(const_cast<char*>(output.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigfillset(&defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = 0;
  const int error = posix_spawn(&process, "/bin/sh", nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    log(LogLevel::warn,
        "HOSTCL_COVERAGE: no report is made, because /bin/sh cannot be started: ", std::strerror(error));
  else
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void at_exit(int, void*) {
  if (!has_data()) return;
  const CancellationDelay uncancelled;
  try {
    convert();
  } catch (const std::exception&) {
    return; // out of memory: there is no report, but the folder keeps the counts
  }
}

} // namespace

void begin() {
  auto all = chosen_outputs();
  if (all.empty()) return;
  if (options().guest == CompilerPlace::process) {
    log(LogLevel::warn, "HOSTCL_COVERAGE=", options().coverage,
        ": nothing is counted, because HOSTCL_GUEST=process runs kernels in processes that may not write "
        "files");
    return;
  }
  std::string name = all.front();
  while (name.ends_with('/'))
    name.pop_back();
  name += ".d";
  if (const std::string problem = make_folder(name); !problem.empty()) {
    log(LogLevel::warn, "HOSTCL_COVERAGE: nothing is counted, because the folder ", name,
        " cannot be used: ", problem);
    return;
  }
  outputs = new std::vector<std::string>(std::move(all));
  folder = new std::string(std::move(name));
  on_exit(at_exit, nullptr); // not std::atexit(): see icd/static_objects.cpp
}

} // namespace hostcl::runtime::coverage
