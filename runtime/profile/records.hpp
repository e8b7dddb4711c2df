#pragma once

// The figures that profile.hpp has collected, for report.hpp.

#include "compiler/compiler.hpp"
#include "compiler/kernel_statistics.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hostcl::runtime::profile {

/// Launches of a kernel with the same sizes and the same numbers as arguments.
struct LaunchKind {
  abi::NDRange range{};
  std::vector<std::byte> values; ///< values of all arguments that are numbers, one after the other
  std::uint64_t launches = 0, timed = 0, ns = 0, busy_ns = 0, offered_ns = 0;
  std::uint64_t least_ns = ~std::uint64_t{0}, most_ns = 0;

  /// A sum over the timed launches, scaled to all launches.
  double scaled(std::uint64_t sum) const {
    return timed ? static_cast<double>(sum) * static_cast<double>(launches) / static_cast<double>(timed) : 0;
  }
};

/// An argument that is a number, and its place in the argument block.
struct ValuePlace {
  std::uint32_t argument, offset, bytes;
  bool operator==(const ValuePlace&) const = default;
};

/// The figures of a kernel. Kernels of several programs share them if the kernels are equal.
struct KernelFigures {
  std::string name;
  std::uint32_t width = 1, vector_dimension = 0;
  std::string remark;
  std::optional<compiler::KernelStatistics> statistics;
  std::vector<std::string> arguments; ///< their names
  std::vector<ValuePlace> places;
  /// The kinds of launches. If has_others, the last element counts all launches of further kinds, and has no figures of
  /// its own.
  std::vector<LaunchKind> kinds;
  bool has_others = false; ///< whether the last element of `kinds` is for further kinds
};

/// Counts the launches of a kernel. Owned by Records; any thread may call its methods.
class KernelRecord {
public:
  explicit KernelRecord(const LaunchProperties& properties);

  bool is_of(const LaunchProperties& properties) const;
  /// Counts a launch. @returns the number of its kind if the launch is to be timed
  std::optional<std::size_t> count(const LaunchProperties& properties);
  void add(std::size_t kind, const LaunchProperties& properties, std::uint64_t ns, std::uint64_t busy_ns,
           std::uint64_t offered_ns);
  KernelFigures figures();

private:
  /// A kind of launch while it is counted. Counting takes no lock, so `launches` is used instead of the
  /// member of `figures`.
  struct CountedKind {
    LaunchKind figures;
    std::size_t number = 0;
    std::atomic<std::uint64_t> launches = 0;
    std::atomic<bool> is_sampled = false; ///< whether only some launches are timed
  };

  CountedKind& kind_of(const LaunchProperties& properties);
  bool is_kind(const LaunchKind& kind, const LaunchProperties& properties) const;

  /// Guards the members below, except atomic ones, and except range and values of kinds, which never change.
  Lock lock_;
  KernelFigures figures_; ///< without kinds
  std::deque<CountedKind> kinds_;
  std::atomic<CountedKind*> last_ = nullptr; ///< kind of the last launch
};

struct CommandFigures {
  std::uint64_t count = 0, ns = 0;
};

struct CompilerFigures {
  std::uint64_t waits = 0, waited_ns = 0, background = 0, background_ns = 0;
};

struct Event {
  std::uint64_t began, ended;
  int thread; ///< thread id of Linux
  Activity activity;
  char name[44];
};

/// All figures of the process. Never destroyed, because threads may outlive static objects.
class Records {
public:
  static Records& instance();

  KernelRecord& record_of(const LaunchProperties& properties);
  std::vector<KernelFigures> kernels();
  std::map<std::string, CommandFigures> commands();
  CompilerFigures compiler();
  std::map<std::string, std::uint64_t> compiled(); ///< nanoseconds by kernel
  std::vector<Event> events();
  std::uint64_t began() const { return began_; }

  void add_command(std::string_view name, std::uint64_t ns);
  void add_compilation(std::string_view kernel, std::uint64_t ns, bool waited);
  void add_event(Activity activity, std::string_view name, std::uint64_t began, std::uint64_t ended);

private:
  static constexpr std::size_t most_events = 4000;

  const std::uint64_t began_ = now_ns();
  std::mutex mutex_; ///< guards the members below
  std::vector<std::unique_ptr<KernelRecord>> kernels_;
  std::map<std::string, CommandFigures, std::less<>> commands_;
  std::map<std::string, std::uint64_t, std::less<>> compiled_;
  CompilerFigures compiler_;
  std::vector<Event> events_;
};

} // namespace hostcl::runtime::profile
