// Declared in runtime/profile/report.hpp.

#include "runtime/profile/numbers.hpp"
#include "runtime/profile/report.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>

namespace hostcl::runtime::profile {

namespace {

constexpr std::size_t most_lines = 10, most_kernels = 5;

std::string line_of(const KernelReport& kernel) {
  std::string line = text(percent_text(kernel.share), "  ", kernel.figures.name, ": ", kernel.launches,
                          kernel.launches == 1 ? " launch, " : " launches, ", time_text(kernel.ns));
  if (kernel.figures.statistics && kernel.ns > 0) {
    line += text(", ", rounded(kernel.total.bytes() / kernel.ns), " GB/s");
    if (kernel.total.operations() > 0)
      line += text(", ", rounded(kernel.total.operations() / kernel.ns), " GFLOP/s");
  }
  return line + (kernel.figures.width > 1 ? text(", ", kernel.figures.width, " work-items at a time")
                                          : ", one work-item at a time");
}

std::string line_of(const Advice& advice, std::string_view kernel) {
  std::string line = "  → ";
  if (!kernel.empty()) line.append(kernel);
  if (advice.line) line += text(":", advice.line);
  return text(line, kernel.empty() ? "" : ": ", advice.text, " (", advice.figure, ")");
}

} // namespace

std::string text_of(const Report& report) {
  std::vector<std::string> lines;
  lines.push_back(
      text("kernels ", time_text(report.kernel_ns()), ", other commands ", time_text(report.command_ns()),
           ", waited for the compiler ", time_text(static_cast<double>(report.compiler.waited_ns)), ", of ",
           time_text(report.wall_ns), " on ", report.threads, report.threads == 1 ? " thread" : " threads"));
  const std::size_t shown = std::min(report.kernels.size(), most_kernels);
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back(line_of(report.kernels[i]));
  if (shown < report.kernels.size())
    lines.back() += text(" (and ", report.kernels.size() - shown, " more kernels)");
  for (const Advice& advice : report.advice)
    if (lines.size() < most_lines) lines.push_back(line_of(advice, ""));
  for (const KernelReport& kernel : report.kernels)
    for (const Advice& advice : kernel.advice)
      if (lines.size() < most_lines) lines.push_back(line_of(advice, kernel.figures.name));
  std::string all;
  for (const std::string& line : lines)
    all += (all.empty() ? "" : "\n") + line;
  return all;
}

} // namespace hostcl::runtime::profile
