#pragma once

// A profile's figures as they are shown: JSON, which the page has in it, and lines of text.

#include "runtime/profile/evaluation.hpp"
#include "runtime/profile/records.hpp"
#include "runtime/profile/roofline.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hostcl::runtime::profile {

/// What to change, in plain words, with the figure that says why.
struct Advice {
  std::string topic;      ///< one word for programs, such as "strided"
  std::uint32_t line = 0; ///< of the source, or 0
  std::string text, figure;
};

struct KernelReport {
  KernelFigures figures;
  std::uint64_t launches = 0, timed = 0;
  double ns = 0, share = 0; ///< of the time of all kernels
  double least_ns = 0, most_ns = 0;
  double busy_ns = 0, offered_ns = 0; ///< of all threads, while it ran
  Workload total;                     ///< of all launches; empty without insight
  Workload longest;                   ///< one launch of the kind that took the most time
  const LaunchKind* longest_kind = nullptr;
  double compile_ns = 0; ///< that launches waited for
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
  std::vector<KernelReport> kernels; ///< those that took the most time first
  std::map<std::string, CommandFigures> commands;
  CompilerFigures compiler;
  std::vector<Advice> advice; ///< about the whole
  std::vector<Event> events;
  std::uint64_t began = 0;

  double kernel_ns() const;
  double command_ns() const;
};

/// Has a report written when the process ends, where HOSTCL_PROFILE wants one.
void begin();

Report make_report();

/// Appends to the advice of the kernels and of the whole.
void advise(Report& report);

std::string json_of(const Report& report);
/// Ten lines at most.
std::string text_of(const Report& report);
/// A page that needs no other file.
std::string page_of(const std::string& json);

} // namespace hostcl::runtime::profile
