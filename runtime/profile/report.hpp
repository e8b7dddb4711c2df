#pragma once

// The report of a profile: as JSON, as an HTML page that contains the JSON, and as lines of text.

#include "runtime/profile/evaluation.hpp"
#include "runtime/profile/records.hpp"
#include "runtime/profile/roofline.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hostcl::runtime::profile {

/// A change that would make the application faster, and the figure that suggests it.
struct Advice {
  std::string topic;      ///< a word for programs that read the report, such as "strided"
  std::uint32_t line = 0; ///< source line, or 0
  std::string text, figure;
};

struct KernelReport {
  KernelFigures figures;
  std::uint64_t launches = 0, timed = 0;
  double ns = 0, share = 0; ///< part of the time of all kernels
  double least_ns = 0, most_ns = 0;
  double busy_ns = 0, offered_ns = 0; ///< of all threads while the kernel ran
  Workload total;                     ///< of all launches; empty without kernel statistics
  Workload longest;                   ///< of one launch of the kind that took the most time
  const LaunchKind* longest_kind = nullptr;
  double compile_ns = 0; ///< time that launches waited for the compiler
  std::vector<Advice> advice;

  double mean_ns() const { return launches ? ns / static_cast<double>(launches) : 0; }
  double idle_share() const { return offered_ns > busy_ns ? 1 - busy_ns / offered_ns : 0; }
};

struct Report {
  std::string application, device;
  unsigned threads = 1;
  int process = 0;
  double wall_ns = 0; ///< since the driver was loaded
  Roofline roofline;
  std::vector<KernelReport> kernels; ///< in descending order of their time
  std::map<std::string, CommandFigures> commands;
  CompilerFigures compiler;
  std::vector<Advice> advice; ///< advice that concerns no single kernel
  std::vector<Event> events;
  std::uint64_t began = 0;

  double kernel_ns() const;
  double command_ns() const;
};

/// Arranges that a report is written when the process ends, if HOSTCL_PROFILE asks for a report.
void begin();

Report make_report();

/// Adds advice for the kernels and for the whole application.
void advise(Report& report);

std::string json_of(const Report& report);
/// At most ten lines.
std::string text_of(const Report& report);
/// An HTML page that needs no other file.
std::string page_of(const std::string& json);

} // namespace hostcl::runtime::profile
