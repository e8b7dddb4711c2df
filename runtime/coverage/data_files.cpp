// Part of coverage.hpp: descriptions and sources of programs.

#include "runtime/coverage/data_files.hpp"

#include "compiler/isolation/new_file.hpp"
#include "runtime/coverage/coverage.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace hostcl::runtime::coverage {

namespace {

constinit std::atomic<bool> data_exist = false;

/// Whether a name stays inside the folder: a program binary from the application may contain any name.
bool is_inside(const std::filesystem::path& name) {
  return name.is_relative() && std::ranges::find(name, "..") == name.end();
}

int keep_source(const compiler::Header& source) {
  if (!is_inside(source.name)) return 0;
  const std::filesystem::path name = *folder.load() + "/sources/" + source.name;
  std::error_code error;
  std::filesystem::create_directories(name.parent_path(), error);
  return error ? error.value() : replace_file(name, source.source);
}

void keep_unit(const compiler::CoverageUnit& unit) {
  if (!is_inside(unit.build)) return;
  const auto warn = [](std::string_view lack, int error) {
    log(LogLevel::warn, "HOSTCL_COVERAGE: the report will lack ", lack, ", because a file in ",
        *folder.load(), " cannot be written: ", std::strerror(error));
  };
  if (const int error = replace_file(*folder.load() + "/objects/" + unit.build + ".o", unit.object))
    return warn("a program", error);
  for (const compiler::Header& source : unit.sources)
    if (const int error = keep_source(source)) warn("the text of the source " + source.name, error);
}

} // namespace

void note_data() {
  data_exist.store(true, std::memory_order_relaxed);
}

bool has_data() {
  return data_exist.load(std::memory_order_relaxed);
}

void keep(std::span<const compiler::CoverageUnit> units) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<std::string>& kept = *new std::set<std::string>;
  const std::scoped_lock lock(mutex);
  static bool has_warned_of_binary = false, has_warned_of_lines = false;
  if (units.empty() && !std::exchange(has_warned_of_binary, true))
    log(LogLevel::warn,
        "HOSTCL_COVERAGE: the report will lack a program, because it is a binary that was built "
        "without HOSTCL_COVERAGE");
  for (const compiler::CoverageUnit& unit : units) {
    if (unit.object.empty()) {
      if (!std::exchange(has_warned_of_lines, true))
        log(LogLevel::warn,
            "HOSTCL_COVERAGE: the report will lack a program or a part of it, because its SPIR-V "
            "has no source lines; compile it to SPIR-V with debug information (the option -g of "
            "most compilers)");
      continue;
    }
    if (!kept.insert(unit.build).second) continue;
    note_data();
    keep_unit(unit);
  }
}

} // namespace hostcl::runtime::coverage
