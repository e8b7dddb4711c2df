#include "runtime/program/compiler_settings.hpp"

#include "compiler/compiler.hpp"
#include "compiler/perf_files.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/settings/sub_group_sizes.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/coverage/coverage.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

namespace hostcl::runtime {

namespace {

/// The memory that the compiler may use: the setting, or half of the machine's memory, between 1 and 8 GiB.
std::uint64_t compile_memory() {
  constexpr std::uint64_t little = std::uint64_t{1} << 30, plenty = std::uint64_t{8} << 30;
  return options().compile_memory ? options().compile_memory
                                  : std::clamp(machine().memory / 2, little, plenty);
}

/// A folder that the user names in HOSTCL_CACHE_DIR must be usable, so an error is a warning. The default
/// folder may belong to another user, as with sudo, so an error is only information.
void open_cache() {
  const std::string folder = cache_folder();
  const compiler::Outcome<> set = compiler::set_cache(folder, options().cache_size);
  if (set) return;
  if (options().cache_dir.empty())
    log(LogLevel::info, "the cache folder ", folder, " is not used: ", set.log);
  else
    log(LogLevel::warn, "HOSTCL_CACHE_DIR=", folder, " is not used: ", set.log);
}

void open_perf_file() {
  const char* folder = secure_getenv("JITDUMPDIR");
  const auto kind = options().perf == PerfFiles::map ? compiler::PerfFile::map : compiler::PerfFile::jitdump;
  const auto report = [](std::string_view message) { log(LogLevel::warn, "HOSTCL_PERF: ", message); };
  if (const auto set = compiler::write_perf_file(kind, folder && *folder ? folder : ".", report); !set)
    report(set.log);
}

/// Some checks keep records in the application's process that kernels in a guest process do not reach.
void drop_checks_of_guests(compiler::Settings& settings) {
  using enum compiler::Check;
  if (options().guest != CompilerPlace::process) return;
  const compiler::Checks wanted = settings.checks;
  settings.checks = wanted - compiler::Checks(races, uninitialised, order);
  if (settings.checks != wanted)
    log(LogLevel::warn, "HOSTCL_CHECK=", options().check, ": HOSTCL_GUEST=process turns off ",
        compiler::names_of(wanted - settings.checks), " which need kernels in the application's process");
}

} // namespace

compiler::SettingsPtr read_compiler_settings() {
  compiler::Settings settings;
  const auto read = [](auto& setting, auto outcome, std::string_view variable, std::string_view value,
                       std::string_view instead) {
    if (outcome)
      setting = std::move(outcome.value);
    else
      log(LogLevel::warn, variable, "=", value, ": ", outcome.log, ". ", instead);
  };
  settings.cpu = compiler::host_cpu();
  read(settings.cpu, compiler::cpu_named(options().cpu, /*must_run=*/true), "HOSTCL_CPU", options().cpu,
       "Kernels are compiled for this machine's CPU.");
  read(settings.off, compiler::heuristics_named(options().without), "HOSTCL_WITHOUT", options().without,
       "All heuristics are on.");
  read(settings.last_step, compiler::step_named(options().stop_after), "HOSTCL_STOP_AFTER",
       options().stop_after, "No step is left out.");
  read(settings.checks, compiler::checks_named(options().check), "HOSTCL_CHECK", options().check,
       "No check is on.");
  drop_checks_of_guests(settings);
  if (settings.is_checked(compiler::Check::uninitialised) && !checks::reserve_shadow()) {
    settings.checks = {};
    log(LogLevel::warn, "HOSTCL_CHECK=", options().check,
        ": the system does not let the driver reserve the address space that the check uninitialised needs "
        "(see ulimit -v). No check is on.");
  }
  settings.reads_files = options().include;
  settings.assembly = options().assembly;
  settings.statistics = profile::is_on() || options().perf == PerfFiles::jitdump;
  settings.coverage = coverage::is_on();
  settings.width = compiler::may_require_sub_groups_of(options().width.items) ? options().width.items : 0;
  settings.reversed = options().reverse;
  settings.same_bits = options().bits == Bits::same;
  settings.has_tier1 = options().code != CodeChoice::tier0;
  return std::make_shared<const compiler::Settings>(std::move(settings));
}

void prepare_compiler(const compiler::Settings& settings) {
  checks::enabled = settings.checks;
  if (settings.has_checks()) checks::Findings::instance().begin();
  compiler::set_compile_limits(options().compile_seconds, compile_memory());
  compiler::report_failed_levels([](std::string_view message) { log(LogLevel::info, message); });
  if (options().cache) open_cache();
  if (options().perf != PerfFiles::none) open_perf_file();
  using compiler::CompilerProcesses;
  const bool is_always =
      options().compiler == CompilerPlace::process || options().guest == CompilerPlace::process;
  compiler::use_compiler_processes(is_always ? CompilerProcesses::always : CompilerProcesses::after_escape,
                                   [](std::string_view message) { log(LogLevel::warn, message); });
}

} // namespace hostcl::runtime
