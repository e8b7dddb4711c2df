#include "runtime/program/compilation.hpp"

#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

namespace hostcl::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds is_long(1);

/// Seconds with one decimal.
double seconds_since(Clock::time_point start) {
  const auto tenths = std::chrono::round<std::chrono::duration<long, std::deci>>(Clock::now() - start);
  return static_cast<double>(tenths.count()) / 10;
}

} // namespace

Compilation::Compilation(std::string_view what, std::string_view kernel)
    : span_(timeline::Category::build, what), what_(what), kernel_(kernel) {
  span_.argument("kernel", kernel);
}

Compilation::~Compilation() {
  if (Clock::now() - start_ < is_long) return;
  log(LogLevel::info, "kernel '", kernel_, "': ", what_, " took ", seconds_since(start_), " s to make");
}

std::string options_of_build(const std::string& application) {
  return options().debug ? application + " -g -cl-opt-disable" : application;
}

void report_long_build(Clock::time_point start) {
  if (Clock::now() - start < is_long) return;
  log(LogLevel::info, "a program took ", seconds_since(start), " s to build");
}

} // namespace hostcl::runtime
