#pragma once

// Where machine code lives and runs, if not in memory of this process and on the threads that call it.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// When code is ended: at a time of the steady clock, but not before the host has used as much CPU time, so that a machine
/// that is busy with other work ends no launch; or at a later time in any case.
struct CodeLimit {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t wall_ns = never, cpu_ns = 0, last_ns = never;
};

/// Calls of abi::Entry for parts of one launch.
struct CodeCall {
  abi::Entry entry;
  const abi::Launch& launch;
  std::span<const std::byte> arguments; ///< the argument block, and what belongs to it
  std::size_t local_bytes, context_bytes;
  std::span<const abi::CheckedObject> objects = {}; ///< abi::Launch::objects, if accesses are checked
  CodeLimit limit = {};
};

/// Why machine code was ended early. For a signal, also the instruction that caused it, and the address that it accessed.
struct CodeEnd {
  std::string reason;       ///< completes the sentence "the kernel was ended by ..."
  int signal = 0, code = 0; ///< as in siginfo_t; 0 for other reasons
  std::uintptr_t instruction = 0, address = 0;
};

class CodeHost {
public:
  virtual ~CodeHost() = default;

  /// Memory of whole pages for machine code and its constants, or for its variables, which it may write. Machine code
  /// reaches all memory of both kinds by a distance of 32 bits. @returns null if there is none left
  virtual std::byte* allocate_code(std::size_t bytes, bool is_writable) = 0;
  virtual void free_code(std::byte* memory) noexcept = 0;
  /// Memory that kernels may use: of memory objects, and of what their arguments point to. @returns null if there is
  /// none left
  virtual std::byte* allocate_data(std::size_t bytes, std::size_t alignment) = 0;
  virtual void free_data(std::byte* memory) noexcept = 0;
  /// The address at which that code calls a function of host_functions(); null if there is none of this name.
  virtual void* host_function(std::string_view name) const = 0;

  /// Runs the groups [first, last), as abi::Entry does. @returns nothing, or the reason for which they did not all run
  virtual std::optional<CodeEnd> run(const CodeCall& call, std::uint64_t first, std::uint64_t last) = 0;
  /// CPU time in nanoseconds that the host has used.
  virtual std::uint64_t cpu_ns() = 0;
  /// Ends all code that runs now.
  /// @param reason see CodeEnd
  virtual void stop(const std::string& reason) = 0;
};

} // namespace hostcl::compiler
