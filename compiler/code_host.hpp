#pragma once

// Where machine code lives and runs, if not in memory of this process and on the threads that call it.

#include "compiler/abi/launch.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Calls of abi::Entry for parts of one launch.
struct CodeCall {
  abi::Entry entry;
  const abi::Launch& launch;
  std::span<const std::byte> arguments; ///< the argument block, and what belongs to it
  std::size_t local_bytes, context_bytes;
};

class CodeHost {
public:
  virtual ~CodeHost() = default;

  /// Memory for machine code with its constants and variables, of whole pages. Machine code there reaches all of this
  /// memory by a distance of 32 bits. @returns null if there is none left
  virtual std::byte* allocate_code(std::size_t bytes) = 0;
  virtual void free_code(std::byte* memory) noexcept = 0;
  /// Memory that kernels may use: of memory objects, and of what their arguments point to. @returns null if there is
  /// none left
  virtual std::byte* allocate_data(std::size_t bytes, std::size_t alignment) = 0;
  virtual void free_data(std::byte* memory) noexcept = 0;
  /// The address at which that code calls a function of host_functions(); null if there is none of this name.
  virtual void* host_function(std::string_view name) const = 0;

  /// Runs the groups [first, last), as abi::Entry does. @returns nothing, or the reason for which they did not all run,
  /// which completes the sentence "the kernel was ended by ..."
  virtual std::optional<std::string> run(const CodeCall& call, std::uint64_t first, std::uint64_t last) = 0;
};

} // namespace hostcl::compiler
