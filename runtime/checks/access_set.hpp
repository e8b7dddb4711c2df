#pragma once

// The accesses of a command: ranges of addresses for each place in a kernel, and for each side of a transfer.

#include "compiler/abi/check.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/rect.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hostcl::runtime::checks {

/// The bytes from `first` up to `end`, which is not included.
struct Range {
  std::uint64_t first, end;
};

/// A set of bytes as a list of ranges. After sort(), the ranges are disjoint and in ascending order.
class Ranges {
public:
  /// The most ranges that are kept for one place. Further ranges are dropped, so races on them are missed.
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// @returns false if the list is full. @throws std::bad_alloc
  bool add(Range range);
  void add(const std::byte* memory, const Rect& rect);
  void add_all(const Ranges& others);
  /// Sorts and merges the ranges. Must be called before the following methods.
  void sort();
  std::size_t size() const { return list_.size(); }
  /// The first bytes that are in both sets.
  std::optional<Range> meet(const Ranges& other) const;
  void remove(Range range);
  template <class Predicate>
  bool any(Predicate is_it) const {
    return std::ranges::any_of(list_, is_it);
  }

private:
  std::vector<Range> list_;
  std::size_t sort_at_ = std::size_t{1} << 16;
  bool is_full_ = false;
};

/// A bit of `how`, in addition to the bits of compiler/abi/check.hpp: the access is by a pointer of the host. One side
/// of each transfer between a buffer and host memory has this bit.
inline constexpr std::uint32_t command_by_host_pointer = 8;

/// A copy of a place in a kernel: the kernel's code may be destroyed while its command is still compared with
/// others.
struct AccessPlace {
  std::string kernel, file, source, object;
  std::uint32_t line = 0, column = 0;
  std::int32_t argument = -1;
  abi::Access access = abi::Access::read;
  bool operator==(const AccessPlace&) const = default;
};

/// The accesses of a command at one place in a kernel, or by one side of a transfer.
struct Accesses {
  std::optional<AccessPlace> place; ///< nothing if the access is by a transfer
  std::uint32_t how;
  Ranges ranges;

  bool writes() const { return how & abi::command_writes; }
  bool conflicts_with(const Accesses& other) const {
    return (writes() || other.writes()) && !(how & other.how & abi::command_is_atomic);
  }
};
using AccessSet = std::vector<Accesses>;

} // namespace hostcl::runtime::checks

namespace hostcl::abi {

/// Collects the accesses of a running command. All threads that run the command add to it, each in a part of
/// its own.
struct CommandAccesses {
  CommandAccesses();
  CommandAccesses(const CommandAccesses&) = delete;
  ~CommandAccesses();

  /// @param site null if the access is by a transfer
  void add(const CheckSite* site, std::uint32_t how, runtime::checks::Range range) noexcept;
  void add(std::uint32_t how, const std::byte* memory, const runtime::Rect& rect) noexcept;
  /// All accesses that have been collected. Called when no thread runs the command any more. @throws
  /// std::bad_alloc
  runtime::checks::AccessSet take();
  /// Whether accesses were dropped for lack of room or memory.
  bool is_incomplete() const { return is_incomplete_; }

private:
  class Part;
  Part& part();

  std::uint64_t number_; ///< unique in the process
  std::atomic<bool> is_incomplete_ = false;
  runtime::Lock lock_; ///< guards parts_
  std::vector<std::unique_ptr<Part>> parts_;
};

} // namespace hostcl::abi
