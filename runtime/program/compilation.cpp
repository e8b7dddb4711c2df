#include "runtime/program/compilation.hpp"

#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

namespace hostcl::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds is_long(1);

/// The seconds since then, with one decimal.
std::string seconds_since(Clock::time_point start) {
  const auto tenths =
      std::chrono::round<std::chrono::duration<long, std::deci>>(Clock::now() - start).count();
  return text(tenths / 10, ".", tenths % 10);
}

std::string_view name_of(Compilation::Kind kind) {
  constexpr std::string_view names[] = {"machine code", "machine code ahead", "tier 1 machine code"};
  return names[kind];
}

} // namespace

Compilation::Compilation(Kind kind, std::string_view kernel)
    : span_(timeline::Category::build, name_of(kind)), kind_(kind), kernel_(kernel) {
  span_.argument("kernel", kernel);
}

Compilation::~Compilation() {
  if (profile::is_on()) profile::note_compilation(kernel_, began_, kind_ == awaited);
  if (Clock::now() - start_ < is_long) return;
  log(LogLevel::info, "kernel '", kernel_, "': ", name_of(kind_), " took ", seconds_since(start_),
      " s to make");
}

std::string options_of_build(const std::string& application) {
  const DebuggedKernels& debugged = options().debug;
  if (debugged.all) return application + " -g -cl-opt-disable";
  return debugged.names.empty() ? application : application + " -cl-hostcl-debug=" + debugged.names;
}

void report_long_build(Clock::time_point start) {
  if (profile::is_on())
    profile::note_compilation({}, static_cast<std::uint64_t>(start.time_since_epoch().count()),
                              /*waited=*/true);
  if (Clock::now() - start < is_long) return;
  log(LogLevel::info, "a program took ", seconds_since(start), " s to build");
}

} // namespace hostcl::runtime
