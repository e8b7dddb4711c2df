#pragma once

// What a command has accessed: ranges of addresses by the place in a kernel, or by the side of a transfer.

#include "compiler/abi/check.hpp"
#include "runtime/support/box.hpp"
#include "runtime/support/lock.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hostcl::runtime::checks {

/// Bytes from `first` to before `end`.
struct Range {
  std::uint64_t first, end;
};

/// Disjoint ranges in ascending order, once they have been sorted.
class Ranges {
public:
  /// The most that are kept of one place; of further ones nothing is known.
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// @returns whether there was room. @throws std::bad_alloc
  bool add(Range range);
  void add(const std::byte* memory, const Box& box);
  void add_all(const Ranges& others);
  /// To be called before what follows.
  void sort();
  std::size_t size() const { return list_.size(); }
  /// The first bytes that both have.
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

/// More bits beside those of compiler/abi/check.hpp: by a pointer of the host, which a transfer has beside its buffer.
inline constexpr std::uint32_t command_by_host_pointer = 8;

/// A place in a kernel, copied: the kernel's code may go before its command is forgotten.
struct AccessPlace {
  std::string kernel, file, source, object;
  std::uint32_t line = 0, column = 0;
  std::int32_t argument = -1;
  abi::Access access = abi::Access::read;
  bool operator==(const AccessPlace&) const = default;
};

/// Accesses of one kind.
struct Accesses {
  std::optional<AccessPlace> place; ///< unless it is the command's own
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

/// Collects the accesses of a running command, from all threads that run it.
struct CommandAccesses {
  CommandAccesses();
  CommandAccesses(const CommandAccesses&) = delete;
  ~CommandAccesses();

  /// @param site null for accesses of the command itself
  void add(const CheckSite* site, std::uint32_t how, runtime::checks::Range range) noexcept;
  void add(std::uint32_t how, const std::byte* memory, const runtime::Box& box) noexcept;
  /// What has been collected, when no thread runs the command any more. @throws std::bad_alloc
  runtime::checks::AccessSet take();
  /// Whether there was no room for all.
  bool is_incomplete() const { return is_incomplete_; }

private:
  class Part;
  Part& part();

  std::uint64_t number_; ///< among all of the process
  std::atomic<bool> is_incomplete_ = false;
  runtime::Lock lock_; ///< guards the list
  std::vector<std::unique_ptr<Part>> parts_;
};

} // namespace hostcl::abi
