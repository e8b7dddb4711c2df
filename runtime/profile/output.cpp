// Part of report.hpp: begins the profile when the driver is loaded, and writes the report when the process
// ends.

#include "runtime/profile/profile.hpp"
#include "runtime/profile/report.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/float_environment.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

#include "compiler/isolation/new_file.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::runtime::profile {

namespace {

enum class Form : std::uint8_t { page, json, text };

struct Output {
  Form form;
  std::string file; ///< empty for text
};

std::optional<Output> output_of(std::string value) {
  if (value == "text") return Output{Form::text, {}};
  const bool is_json = value.starts_with("json:");
  if (is_json) value.erase(0, 5);
  if (value.empty() || (!is_json && !value.ends_with(".html"))) return std::nullopt;
  if (const auto percent = value.find("%p"); percent != value.npos)
    value.replace(percent, 2, std::to_string(getpid()));
  return Output{is_json ? Form::json : Form::page, absolute_name(value)};
}

/// The outputs that HOSTCL_PROFILE lists. Logs those that cannot be used.
std::vector<Output> outputs() {
  std::vector<Output> all;
  for (std::string_view rest = options().profile; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (auto output = output_of(std::string(one)))
      all.push_back(std::move(*output));
    else
      log(LogLevel::warn, "HOSTCL_PROFILE=", one,
          " cannot be used; it must be FILE.html, json:FILE or text, or several of them with commas between "
          "them");
  }
  return all;
}

/// Replaces the file in one step, and only if it is an ordinary file. @returns why it cannot, or nothing
std::optional<std::string> write_file(const std::string& name, const std::string& content) {
  struct stat status;
  if (lstat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return "it exists and is not a regular file";
  const int error = replace_file(name, content);
  return error ? std::optional<std::string>(std::strerror(error)) : std::nullopt;
}

/// The process that has the profile; not its children.
pid_t owner = 0;
const std::vector<Output>* chosen = nullptr; // never destroyed, because it is used at exit

void write_all() {
  const DefaultLibraryFloatEnvironment environment;
  const Report report = make_report();
  std::string json;
  for (const Output& output : *chosen) {
    if (output.form == Form::text) {
      write_message("profile: ", text_of(report));
      continue;
    }
    if (json.empty()) json = json_of(report);
    if (const auto problem = write_file(output.file, output.form == Form::json ? json : page_of(json)))
      log(LogLevel::warn, "the profile ", output.file, " cannot be written: ", *problem);
  }
}

void at_exit(int, void*) {
  if (!recording.exchange(false) || getpid() != owner) return;
  const CancellationDelay uncancelled;
  try {
    write_all();
  } catch (const std::exception&) {
    return; // there is no memory for the report
  }
}

} // namespace

void begin() {
  auto all = outputs();
  if (all.empty()) return;
  chosen = new std::vector<Output>(std::move(all));
  Records::instance();
  owner = getpid();
  pthread_atfork(nullptr, nullptr, [] { recording = false; });
  on_exit(at_exit, nullptr); // not std::atexit(): see icd/static_objects.cpp
  recording = true;
}

} // namespace hostcl::runtime::profile
