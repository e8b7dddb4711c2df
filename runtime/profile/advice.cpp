// Part of report.hpp: the advice. Each function looks for one pattern that costs time, and says what to
// change and which figure suggests it. Patterns that cost little time are not reported.

#include "runtime/profile/numbers.hpp"
#include "runtime/profile/report.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace hostcl::runtime::profile {

namespace {

using compiler::AccessStatistics;

constexpr double line_bytes = 64;
/// A kernel with a smaller share of the time gets no advice, except for the first kernel.
constexpr double least_share = 0.03;
/// An access with a smaller part of the kernel's bytes gets no advice.
constexpr double least_part = 0.1;

std::string name_of(const KernelReport& kernel, const AccessStatistics& access) {
  const auto& names = kernel.figures.arguments;
  const auto number = static_cast<std::size_t>(access.argument);
  if (access.argument < 0 || number >= names.size() || names[number].empty()) return "memory";
  return "'" + names[number] + "'";
}

bool is_in_memory(const AccessStatistics& access) {
  return access.space == AccessStatistics::global || access.space == AccessStatistics::constant;
}

double bytes_of(const KernelReport& kernel, const AccessFigures& figures) {
  return figures.runs * figures.access->bytes * kernel.longest.items;
}

/// Whether the access has a considerable part of the kernel's bytes.
bool matters(const KernelReport& kernel, const AccessFigures& figures) {
  return is_in_memory(*figures.access) && bytes_of(kernel, figures) >= least_part * kernel.longest.bytes();
}

/// Distance of neighbouring work-items in elements; 0 if it is not known.
double element_stride(const AccessFigures& figures) {
  const double stride = std::fabs(figures.along_lanes().value_or(0));
  return figures.access->bytes == 0 ? 0 : stride / figures.access->bytes;
}

bool is_step(const AccessFigures& figures, double elements) {
  return figures.access->loop >= 0 && figures.step &&
         std::fabs(*figures.step) == elements * figures.access->bytes;
}

// ---- Memory

/// Whether the loop around the access also writes to a row of each work-item. If so, its iterations depend on
/// each other, and vectors can only be made of several work-items.
bool writes_rows(const KernelReport& kernel, std::int32_t loop) {
  return std::ranges::any_of(kernel.longest.accesses, [&](const AccessFigures& other) {
    return other.access->is_write && other.access->loop == loop && is_in_memory(*other.access) &&
           element_stride(other) >= 2 && !other.access->stays;
  });
}

/// What to change about strided accesses; nothing if the compiler vectorises the loop along a row.
std::string remedy_for_far_neighbours(const KernelReport& kernel, const AccessFigures& figures) {
  const double stride = std::fabs(figures.along_lanes().value_or(0));
  const std::string where = name_of(kernel, *figures.access);
  const auto other = figures.strides[1 - figures.lane_dimension];
  if (other && std::fabs(*other) == figures.access->bytes)
    return "swap get_global_id(0) and get_global_id(1) in the kernel, and the sizes of the launch with them, "
           "so that neighbouring work-items access neighbouring elements";
  if (is_step(figures, 1)) {
    if (kernel.figures.width == 1 && !writes_rows(kernel, figures.access->loop)) return "";
    return text("store ", where,
                " transposed, so that neighbouring work-items access neighbouring elements: as it is, each "
                "work-item walks along a row of its own");
  }
  if (stride <= 2 * line_bytes)
    return text("store the records of ", where, ", ", bytes_text(stride),
                " each, as one array per member (structure of arrays), or let one work-item load a whole "
                "record as a vector");
  return text(
      "change the index so that work-items with consecutive get_global_id(0) access consecutive elements of ",
      where);
}

/// Accesses are strided along x but contiguous along y, so that vectors are along y.
void advise_swap(const KernelReport& kernel, std::vector<Advice>& advice) {
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const double apart = std::fabs(figures.strides[0].value_or(0));
    if (figures.lane_dimension != 1 || !matters(kernel, figures) || element_stride(figures) != 1 ||
        apart < 2 * figures.access->bytes)
      continue;
    advice.push_back(
        {"strided", figures.access->line,
         "swap get_global_id(0) and get_global_id(1) in the kernel, and the sizes of the launch with them: "
         "as it is, work-items with consecutive get_global_id(0) run one after the other",
         text("in ", name_of(kernel, *figures.access), ", work-items with consecutive get_global_id(0) are ",
              bytes_text(apart), " apart, those with consecutive get_global_id(1) ",
              bytes_text(figures.access->bytes))});
    return;
  }
}

/// Accesses of neighbouring work-items are strided.
void advise_far_neighbours(const KernelReport& kernel, std::vector<Advice>& advice) {
  std::set<std::int32_t> seen;
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const AccessStatistics& access = *figures.access;
    if (!matters(kernel, figures) || element_stride(figures) < 2 || access.bytes >= line_bytes) continue;
    if (!seen.insert(access.argument).second) continue;
    const std::string remedy = remedy_for_far_neighbours(kernel, figures);
    if (remedy.empty()) continue;
    const double stride = std::fabs(figures.along_lanes().value_or(0));
    advice.push_back({is_step(figures, 1) ? "rows" : "strided", access.line, remedy,
                      text(access.is_write ? "writes " : "reads ", access.bytes, " of every ",
                           bytes_text(std::min(stride, line_bytes)), ", as neighbouring work-items are ",
                           bytes_text(stride), " apart in ", name_of(kernel, access))});
  }
}

/// Work-groups read columns: each iteration reads a few bytes of another page, once.
void advise_columns(const KernelReport& kernel, std::vector<Advice>& advice) {
  const LaunchKind& kind = *kernel.longest_kind;
  constexpr double least_step = 1024;
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const AccessStatistics& access = *figures.access;
    const double step = std::fabs(figures.step.value_or(0));
    const double piece = static_cast<double>(kind.range.local_size[figures.lane_dimension]) * access.bytes;
    const bool is_read_once = figures.runs <= 1.01 * figures.iterations && kind.range.global_size[1] == 1;
    if (access.is_write || access.loop < 0 || !matters(kernel, figures) || !is_read_once ||
        step < least_step || element_stride(figures) != 1 || piece >= 2 * step || figures.iterations < 64)
      continue;
    advice.push_back(
        {"columns", access.line,
         text("store ", name_of(kernel, access),
              " transposed, so that each work-item walks along a row: the CPU then prefetches the next "
              "elements, and the loop is vectorised"),
         text("a work-group reads ", bytes_text(piece), " in each iteration of the loop, with a stride of ",
              bytes_text(step), " between iterations")});
    return;
  }
}

/// A loop reads and writes the same element of memory in each iteration.
void advise_sums_in_memory(const KernelReport& kernel, std::vector<Advice>& advice) {
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const AccessStatistics& access = *figures.access;
    if (!access.is_write || access.is_atomic || !access.stays || figures.iterations < 8 ||
        !matters(kernel, figures))
      continue;
    advice.push_back(
        {"sum", access.line,
         text("accumulate in a private variable, and write ", name_of(kernel, access),
              " once, after the loop"),
         text("the loop writes the same element in each of ", rounded(figures.iterations), " iterations")});
  }
}

/// The address of an access is computed from an index that was read from memory.
void advise_gathers(const KernelReport& kernel, std::vector<Advice>& advice) {
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const AccessStatistics& access = *figures.access;
    if (!access.from_memory || access.is_atomic || !matters(kernel, figures)) continue;
    advice.push_back({"gather", access.line,
                      text("sort the indices, or reorder ", name_of(kernel, access),
                           " by them, so that neighbouring work-items access the same cache lines"),
                      text(percent_text(bytes_of(kernel, figures) / kernel.longest.bytes()),
                           " of the bytes are accessed at indices that the kernel loads from memory")});
    return;
  }
}

/// Each work-item does atomic operations in a loop.
void advise_atomics(const KernelReport& kernel, std::vector<Advice>& advice) {
  for (const AccessFigures& figures : kernel.longest.accesses) {
    const AccessStatistics& access = *figures.access;
    if (!access.is_atomic || access.space != AccessStatistics::global || figures.runs < 2) continue;
    advice.push_back(
        {"atomics", access.line,
         "accumulate in a private variable or in local memory, and do one atomic operation per work-group",
         text(rounded(figures.runs), " atomic operations per work-item")});
    return;
  }
}

// ---- Operations

void advise_doubles(const KernelReport& kernel, std::vector<Advice>& advice) {
  if (!kernel.figures.statistics || kernel.figures.statistics->widened.empty()) return;
  const auto& lines = kernel.figures.statistics->widened;
  advice.push_back(
      {"double", lines.front(),
       "write 0.5f instead of 0.5, or build with -cl-single-precision-constant: a constant without f is a "
       "double, and so are the results of operations with it",
       text("floats are converted to double and back at ", lines.size(),
            lines.size() == 1 ? " line" : " lines", "; a vector holds half as many doubles as floats")});
}

void advise_divisions(const KernelReport& kernel, std::vector<Advice>& advice) {
  const Workload& work = kernel.longest;
  if (work.divisions < 0.08 * work.operations() || work.divisions < work.items) return;
  advice.push_back({"division", 0,
                    "build with -cl-fast-relaxed-math if its lower accuracy is acceptable, or multiply by a "
                    "reciprocal that is computed once",
                    text(percent_text(work.divisions / work.operations()),
                         " of the operations are divisions or square roots, each of which takes as long as "
                         "about ten others")});
}

// ---- The form of the code

void advise_scalar(const KernelReport& kernel, std::vector<Advice>& advice) {
  const std::string& reason = kernel.figures.remark;
  const LaunchKind& kind = *kernel.longest_kind;
  if (kernel.figures.width > 1) return;
  const std::uint64_t group = kind.range.local_size[0] * kind.range.local_size[1] * kind.range.local_size[2];
  if (kernel.longest.items > 16 && group < 4)
    advice.push_back({"groups", 0,
                      "give no local size (NULL), or one of at least 64 work-items: all work-items of a "
                      "vector belong to one work-group",
                      text("work-groups of ", group, group == 1 ? " work-item" : " work-items")});
  else if (reason.find("rows of different lengths") != reason.npos)
    advice.push_back(
        {"scalar", 0, "sort rows by length, or store them in blocks of equal length (ELLPACK)", reason});
  else if (reason.find("waits for another") != reason.npos)
    advice.push_back({"scalar", 0, "wait with a barrier, or end the kernel and launch another one", reason});
  else if (reason.find("moves whole records") != reason.npos ||
           reason.find("gathers and scatters") != reason.npos)
    advice.push_back({"scalar", 0,
                      "let neighbouring work-items access neighbouring elements, for instance by one array "
                      "per member instead of an array of records",
                      reason});
}

/// Rows of work-items do not fill whole vectors.
void advise_group_size(const KernelReport& kernel, std::vector<Advice>& advice) {
  const LaunchKind& kind = *kernel.longest_kind;
  const std::uint64_t row = kind.range.local_size[kernel.figures.vector_dimension];
  const std::uint64_t width = kernel.figures.width;
  // If a vector is longer than a row, the driver has chosen the groups.
  if (width < 2 || row < width || row % width == 0 || row > 4 * width) return;
  const std::uint64_t vectors = (row + width - 1) / width;
  const double used = static_cast<double>(row) / static_cast<double>(vectors * width);
  if (used > 0.8) return;
  advice.push_back({"groups", 0,
                    text("make local_work_size[", kernel.figures.vector_dimension, "] a multiple of ", width,
                         ", or give no local size (NULL)"),
                    text("local_work_size[", kernel.figures.vector_dimension, "] is ", row,
                         ", so vectors of ", width, " work-items are ", percent_text(used), " full")});
}

/// The kernel has one work-item or few, or too few work-groups for the threads.
void advise_parallelism(const KernelReport& kernel, unsigned threads, std::vector<Advice>& advice) {
  const LaunchKind& kind = *kernel.longest_kind;
  const abi::NDRange& range = kind.range;
  const std::uint64_t groups = range.group_count[0] * range.group_count[1] * range.group_count[2];
  if (kernel.longest.items < 8 && kernel.mean_ns() > 20e3)
    advice.push_back({"parallel", 0, "replace its outer loop by one work-item per iteration",
                      text("a launch of ", rounded(kernel.longest.items),
                           kernel.longest.items == 1 ? " work-item" : " work-items", " takes ",
                           time_text(kernel.mean_ns()))});
  else if (groups < threads && kernel.mean_ns() > 50e3)
    advice.push_back(
        {"parallel", 0, "use smaller work-groups, so that there is at least one for each thread",
         text(groups, groups == 1 ? " work-group" : " work-groups", " for ", threads, " threads")});
}

void advise_short_launches(const KernelReport& kernel, std::vector<Advice>& advice) {
  if (kernel.launches < 200 || kernel.mean_ns() > 15e3) return;
  advice.push_back({"launches", 0,
                    "do more work in each launch, or record the launches in a command buffer "
                    "(cl_khr_command_buffer), whose replay costs a tenth per launch",
                    text(kernel.launches, " launches of ", time_text(kernel.mean_ns()), " on average")});
}

void advise_kernel(KernelReport& kernel, unsigned threads) {
  if (!kernel.longest_kind) return;
  if (kernel.figures.statistics) {
    advise_columns(kernel, kernel.advice);
    advise_swap(kernel, kernel.advice);
    advise_far_neighbours(kernel, kernel.advice);
    advise_sums_in_memory(kernel, kernel.advice);
    advise_gathers(kernel, kernel.advice);
    advise_atomics(kernel, kernel.advice);
    advise_doubles(kernel, kernel.advice);
    advise_divisions(kernel, kernel.advice);
  }
  advise_scalar(kernel, kernel.advice);
  advise_group_size(kernel, kernel.advice);
  advise_parallelism(kernel, threads, kernel.advice);
  advise_short_launches(kernel, kernel.advice);
}

// ---- The whole

void advise_whole(Report& report) {
  const double kernels = report.kernel_ns(), compiler = static_cast<double>(report.compiler.waited_ns);
  const double commands = report.command_ns(), all = kernels + compiler + commands;
  if (compiler > 0.3 * all && compiler > 20e6)
    report.advice.push_back(
        {"compiler", 0,
         "run the application again: its compiled kernels are then in the cache (HOSTCL_CACHE). If the "
         "source differs in each run, pass the numbers that change as kernel arguments instead of macros",
         text("calls and launches waited ", time_text(compiler), " for the compiler, kernels ran for ",
              time_text(kernels))});
  if (commands > 0.25 * all)
    report.advice.push_back(
        {"transfers", 0,
         "map buffers (clEnqueueMapBuffer) instead of reading and writing them, or create them with "
         "CL_MEM_USE_HOST_PTR: device memory is host memory, so neither copies",
         text("copies and other commands take ", percent_text(commands / all), " of the time")});
}

} // namespace

void advise(Report& report) {
  bool is_first = true;
  for (KernelReport& kernel : report.kernels)
    if (std::exchange(is_first, false) || kernel.share >= least_share) advise_kernel(kernel, report.threads);
  advise_whole(report);
}

} // namespace hostcl::runtime::profile
