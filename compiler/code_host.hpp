#pragma once

// The interface to a process that holds and runs machine code for this process: runtime/guest/guest.hpp implements it.
// Without a CodeHost, machine code is in memory of this process alone, and runs on the threads that call it.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// When code is ended. Code is ended when both `wall_ns` and `cpu_ns` are reached: a launch on a machine that is busy
/// with other work does not reach `cpu_ns`, and so may take longer. At `last_ns`, code is ended in any case.
struct CodeLimit {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t wall_ns = never; ///< a value of CodeHost::wall_ns()
  std::uint64_t cpu_ns = 0;      ///< a value of CodeHost::cpu_ns()
  std::uint64_t last_ns = never; ///< a value of CodeHost::wall_ns()
};

/// Calls of abi::Entry for parts of one launch.
struct CodeCall {
  abi::Entry entry;
  const abi::Launch& launch;
  std::span<const std::byte> arguments; ///< the argument block, with the values that it points to
  std::size_t local_bytes, context_bytes;
  std::span<const abi::CheckedObject> objects = {}; ///< abi::Launch::objects, if accesses are checked
  CodeLimit limit = {};
  /// The initial value of each byte of local and private memory; no value: the memory is uninitialised.
  std::optional<std::byte> fill = {};
};

/// Why machine code was ended early. If a signal ended it, also the instruction that caused the signal, and the address
/// that this instruction accessed.
struct CodeEnd {
  std::string reason;       ///< completes the sentence "the kernel was ended by ..."
  int signal = 0, code = 0; ///< as in siginfo_t; 0 for other reasons
  std::uintptr_t instruction = 0, address = 0;
};

class CodeHost {
public:
  virtual ~CodeHost() = default;

  /// Memory of whole pages: for machine code and its constants, or, if `is_writable`, for variables that machine code
  /// may write. Distances between any two addresses of both kinds of memory fit in 32 bits. @returns null if there is
  /// no room
  virtual std::byte* allocate_code(std::size_t bytes, bool is_writable) = 0;
  virtual void free_code(std::byte* memory) noexcept = 0;
  /// Memory that kernels may read and write: for memory objects, and for data that kernel arguments point to.
  /// @returns null if there is no room
  virtual std::byte* allocate_data(std::size_t bytes, std::size_t alignment) = 0;
  virtual void free_data(std::byte* memory) noexcept = 0;
  /// The address at which machine code of this host calls a function of host_functions(); null if no function has this
  /// name.
  virtual void* host_function(std::string_view name) const = 0;

  /// Runs the work-groups [first, last), as abi::Entry does.
  /// @param ended called if some groups did not run, before the host ends the code of other calls for the same reason
  virtual void run(const CodeCall& call, std::uint64_t first, std::uint64_t last,
                   const std::function<void(const CodeEnd&)>& ended) = 0;
  /// Wall time in nanoseconds during which this process could watch its code. Time in which this process or the machine
  /// stood still does not count, because the code could not run in that time.
  virtual std::uint64_t wall_ns() = 0;
  /// CPU time in nanoseconds that the host has used.
  virtual std::uint64_t cpu_ns() = 0;
  /// Ends all code that runs now.
  /// @param reason CodeEnd::reason for this code
  virtual void stop(const std::string& reason) = 0;
};

} // namespace hostcl::compiler
