#include "runtime/program/compiler_settings.hpp"

#include "compiler/compiler.hpp"
#include "compiler/perf_files.hpp"
#include "compiler/settings/assembly.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/settings/statistics.hpp"
#include "compiler/settings/tier1.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cstdlib>

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

} // namespace

void apply_compiler_settings() {
  if (auto set = compiler::set_cpu(options().cpu, /*must_run=*/true); !set)
    log(LogLevel::warn, "HOSTCL_CPU=", options().cpu, " ", set.log,
        ". Kernels are compiled for this machine's CPU.");
  if (auto set = compiler::turn_off(options().without); !set)
    log(LogLevel::warn, "HOSTCL_WITHOUT=", options().without, ": ", set.log, ". All heuristics are on.");
  if (auto set = compiler::set_last_step(options().stop_after); !set)
    log(LogLevel::warn, "HOSTCL_STOP_AFTER=", options().stop_after, ": ", set.log, ". No step is left out.");
  if (auto set = compiler::set_checks(options().check); !set)
    log(LogLevel::warn, "HOSTCL_CHECK=", options().check, ": ", set.log, ". No check is on.");
  if (compiler::is_checked(compiler::Check::uninitialised) && !checks::reserve_shadow()) {
    compiler::set_checks("");
    log(LogLevel::warn, "HOSTCL_CHECK=", options().check,
        ": the system does not let the driver reserve the address space that the check uninitialised needs "
        "(see ulimit -v). No check is on.");
  }
  if (compiler::has_checks()) checks::Findings::instance().begin();
  compiler::set_compile_limits(options().compile_seconds, compile_memory());
  compiler::report_failed_levels([](std::string_view message) { log(LogLevel::info, message); });
  if (options().cache) open_cache();
  compiler::set_reads_files(options().include);
  compiler::allow_assembly(options().assembly);
  compiler::describe_kernels(profile::is_on() || options().perf == PerfFiles::jitdump);
  if (options().perf != PerfFiles::none) open_perf_file();
  compiler::set_width(options().width.items);
  compiler::set_reversed(options().reverse);
  compiler::expect_tier1(options().code != CodeChoice::tier0);
  if (options().compiler == CompilerPlace::process)
    compiler::use_compiler_processes([](std::string_view message) { log(LogLevel::warn, message); });
}

} // namespace hostcl::runtime
