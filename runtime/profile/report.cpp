#include "runtime/profile/report.hpp"

#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace hostcl::runtime::profile {

namespace {

void add(Workload& total, const Workload& one, double launches) {
  total.items += launches * one.items;
  total.read_bytes += launches * one.read_bytes;
  total.written_bytes += launches * one.written_bytes;
  total.local_bytes += launches * one.local_bytes;
  total.floats += launches * one.floats;
  total.doubles += launches * one.doubles;
  total.divisions += launches * one.divisions;
  total.integers += launches * one.integers;
  total.is_counted &= one.is_counted;
}

KernelReport report_of(KernelFigures figures) {
  KernelReport report;
  report.figures = std::move(figures);
  double longest = -1, least = 0;
  for (const LaunchKind& kind : report.figures.kinds) {
    const double ns = kind.scaled(kind.ns);
    report.launches += kind.launches;
    report.timed += kind.timed;
    report.ns += ns;
    report.busy_ns += kind.scaled(kind.busy_ns);
    report.offered_ns += kind.scaled(kind.offered_ns);
    report.most_ns = std::max(report.most_ns, static_cast<double>(kind.most_ns));
    if (kind.timed)
      least = least == 0 ? static_cast<double>(kind.least_ns)
                         : std::min(least, static_cast<double>(kind.least_ns));
    if (ns > longest) {
      longest = ns;
      report.longest_kind = &kind;
    }
    if (report.figures.statistics)
      add(report.total, workload_of(report.figures, kind), static_cast<double>(kind.launches));
  }
  report.least_ns = least;
  report.total.is_counted &= !report.figures.has_others;
  if (report.figures.statistics && report.longest_kind)
    report.longest = workload_of(report.figures, *report.longest_kind);
  return report;
}

} // namespace

double Report::kernel_ns() const {
  double sum = 0;
  for (const KernelReport& kernel : kernels)
    sum += kernel.ns;
  return sum;
}

double Report::command_ns() const {
  double sum = 0;
  for (const auto& [name, command] : commands)
    sum += static_cast<double>(command.ns);
  return sum;
}

Report make_report() {
  Records& records = Records::instance();
  Report report;
  report.wall_ns = static_cast<double>(now_ns() - records.began());
  report.began = records.began();
  report.application = program_invocation_short_name;
  report.device = machine().cpu_name;
  report.threads = machine().threads;
  report.process = getpid();
  const auto compiled = records.compiled();
  for (KernelFigures& figures : records.kernels()) {
    if (figures.kinds.empty()) continue;
    report.kernels.push_back(report_of(std::move(figures)));
    KernelReport& kernel = report.kernels.back();
    if (const auto found = compiled.find(kernel.figures.name); found != compiled.end())
      kernel.compile_ns = static_cast<double>(found->second);
  }
  std::ranges::sort(report.kernels, std::greater(), &KernelReport::ns);
  const double all = report.kernel_ns();
  for (KernelReport& kernel : report.kernels)
    kernel.share = all > 0 ? kernel.ns / all : 0;
  report.commands = records.commands();
  report.compiler = records.compiler();
  report.events = records.events();
  if (!report.kernels.empty()) report.roofline = roofline();
  advise(report);
  return report;
}

} // namespace hostcl::runtime::profile
