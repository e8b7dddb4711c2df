#include "runtime/profile/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hostcl::runtime::profile {

namespace {

using compiler::AccessStatistics;
using compiler::Formula;
using compiler::FormulaStep;
using compiler::KernelStatistics;

/// The assumed trip count of a loop whose trip count depends on data.
constexpr double guessed_iterations = 16;

class Evaluation {
public:
  Evaluation(const KernelStatistics& statistics, const KernelFigures& kernel, const LaunchKind& kind)
      : statistics_(statistics), kernel_(kernel), kind_(kind), iterations_(statistics_.loops.size()) {
    // In the list, a loop comes after the loops that contain it.
    for (std::size_t i = 0; i < iterations_.size(); ++i) {
      const auto number = value_of(statistics_.loops[i].iterations);
      is_guessed_ |= !number;
      iterations_[i] = std::max(0.0, number.value_or(guessed_iterations));
    }
  }

  Workload workload();

private:
  std::optional<double> value_of(const Formula& formula) const;
  std::optional<double> leaf(const FormulaStep& step) const;
  std::optional<double> argument(std::int64_t number) const;
  static std::optional<double> combined(FormulaStep::Kind kind, double a, double b);
  double runs_in(std::int32_t loop) const;
  void add(const AccessStatistics& access, Workload& total) const;

  const KernelStatistics& statistics_;
  const KernelFigures& kernel_;
  const LaunchKind& kind_;
  std::vector<double> iterations_;
  bool is_guessed_ = false;
};

std::optional<double> Evaluation::argument(std::int64_t number) const {
  const std::byte* value = kind_.values.data();
  for (const ValuePlace& place : kernel_.places) {
    if (place.argument == number) {
      std::int64_t bits = 0;
      std::memcpy(&bits, value, place.bytes);
      const unsigned unused = 64 - 8 * place.bytes;
      return static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused) >>
                                 unused);
    }
    value += place.bytes;
  }
  return std::nullopt;
}

std::optional<double> Evaluation::leaf(const FormulaStep& step) const {
  const abi::NDRange& range = kind_.range;
  const auto d = static_cast<std::size_t>(step.value) % 3;
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const std::uint64_t* const sizes[] = {range.local_size, range.global_size, range.global_offset,
                                        range.group_count};
  switch (step.kind) {
  case FormulaStep::constant:
    return static_cast<double>(step.value);
  case FormulaStep::argument:
    return argument(step.value);
  case FormulaStep::size:
    return number(sizes[static_cast<std::size_t>(step.value) / 3 % 4][d]);
  case FormulaStep::local_id:
    return (number(range.local_size[d]) - 1) / 2;
  case FormulaStep::group_id:
    return (number(range.group_count[d]) - 1) / 2;
  case FormulaStep::iteration:
    if (static_cast<std::size_t>(step.value) >= iterations_.size()) return std::nullopt;
    return std::max(0.0, iterations_[static_cast<std::size_t>(step.value)] - 1) / 2;
  default:
    return std::nullopt;
  }
}

std::optional<double> Evaluation::combined(FormulaStep::Kind kind, double a, double b) {
  switch (kind) {
  case FormulaStep::add:
    return a + b;
  case FormulaStep::multiply:
    return a * b;
  case FormulaStep::divide:
    return b == 0 ? std::nullopt : std::optional(a / b);
  case FormulaStep::smallest:
    return std::min(a, b);
  case FormulaStep::largest:
    return std::max(a, b);
  default:
    return std::nullopt;
  }
}

std::optional<double> Evaluation::value_of(const Formula& formula) const {
  std::vector<double> stack;
  for (const FormulaStep& step : formula) {
    std::optional<double> result;
    if (step.kind < FormulaStep::add) {
      result = leaf(step);
    } else if (stack.size() >= 2) {
      const double b = stack.back();
      stack.pop_back();
      result = combined(step.kind, stack.back(), b);
      stack.pop_back();
    }
    if (!result) return std::nullopt;
    stack.push_back(*result);
  }
  return stack.size() == 1 && std::isfinite(stack[0]) ? std::optional(stack[0]) : std::nullopt;
}

/// How often the body of a loop runs for each work-item.
double Evaluation::runs_in(std::int32_t loop) const {
  double runs = 1;
  for (; loop >= 0; loop = statistics_.loops[static_cast<std::size_t>(loop)].outer)
    runs *= iterations_[static_cast<std::size_t>(loop)];
  return runs;
}

void Evaluation::add(const AccessStatistics& access, Workload& total) const {
  AccessFigures figures;
  figures.access = &access;
  figures.runs = access.often * runs_in(access.loop);
  figures.lane_dimension = std::min(1U, kernel_.vector_dimension);
  for (std::size_t d = 0; d < 2; ++d)
    figures.strides[d] = value_of(access.strides[d]);
  if (access.loop >= 0) {
    figures.step = value_of(access.step);
    figures.iterations = iterations_[static_cast<std::size_t>(access.loop)];
  }
  const double bytes = figures.runs * access.bytes * total.items;
  if (access.space == AccessStatistics::local)
    total.local_bytes += bytes;
  else
    (access.is_write ? total.written_bytes : total.read_bytes) += bytes;
  total.is_counted &= !access.is_conditional;
  total.accesses.push_back(figures);
}

Workload Evaluation::workload() {
  Workload total;
  total.items = 1;
  for (std::size_t d = 0; d < 3; ++d)
    total.items *= static_cast<double>(kind_.range.global_size[d]);
  total.is_counted = !is_guessed_ && !statistics_.is_conditional;
  for (const AccessStatistics& access : statistics_.accesses)
    add(access, total);
  for (const compiler::OperationStatistics& work : statistics_.work) {
    const double runs = runs_in(work.loop) * total.items;
    total.floats += work.floats * runs;
    total.doubles += work.doubles * runs;
    total.divisions += work.divisions * runs;
    total.integers += work.integers * runs;
  }
  return total;
}

} // namespace

std::optional<double> AccessFigures::along_lanes() const {
  return strides[lane_dimension];
}

Workload workload_of(const KernelFigures& kernel, const LaunchKind& kind) {
  return kernel.statistics ? Evaluation(*kernel.statistics, kernel, kind).workload() : Workload();
}

} // namespace hostcl::runtime::profile
