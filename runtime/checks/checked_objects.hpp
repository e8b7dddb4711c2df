#pragma once

// The objects that the pointer arguments of a launch point into, for checked kernels. They lie after the arguments, in
// the same block.

#include "compiler/abi/align.hpp"
#include "compiler/abi/check.hpp"
#include "compiler/compiler.hpp"
#include "compiler/settings/checks.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace hostcl::runtime::checks {

/// For addresses of memory that is not known: no access is outside of it.
inline constexpr abi::CheckedObject anywhere{std::numeric_limits<std::int64_t>::min(),
                                             std::numeric_limits<std::uint64_t>::max()};

/// An object as an address in it sees it.
inline abi::CheckedObject object_from(std::uint64_t address, std::uint64_t first, std::uint64_t bytes) {
  return {static_cast<std::int64_t>(first - address), bytes};
}

/// Addresses below this are taken for null and an index.
inline constexpr std::uint64_t null_bytes = 4096;

/// An object and what kernels may do to it.
struct UsableObject {
  abi::CheckedObject object;
  bool may_read = true, may_write = true;

  bool is_released() const { return object.size != 0 && !may_read && !may_write; }
};

/// The object around an address, as the address sees it: one of no bytes around null, and one that cannot be used where
/// memory has been released.
UsableObject object_at(std::uint64_t address);

/// Where the objects begin after `argument_bytes` of arguments.
inline std::size_t first_object(std::size_t argument_bytes) {
  return abi::aligned(argument_bytes, alignof(abi::CheckedObject));
}

/// Bytes of a block with `argument_bytes` of arguments and, if checks are on, the objects of `count`.
std::size_t block_bytes(std::size_t argument_bytes, std::size_t count);

/// The objects in a block, one for each argument; null unless checks are on.
inline abi::CheckedObject* objects_in(std::byte* block, std::size_t argument_bytes) {
  if (!compiler::has_checks()) [[likely]]
    return nullptr;
  return reinterpret_cast<abi::CheckedObject*>(block + first_object(argument_bytes));
}

/// Sets and reads the object of an argument, of `count`, and what kernels may do to it (abi::CheckedObject).
void set_object(abi::CheckedObject* objects, std::size_t count, std::size_t argument,
                const UsableObject& object);
UsableObject object_in(const abi::CheckedObject* objects, std::size_t count, std::size_t argument);

/// Fills in the objects of a block, which are found by their addresses, if checks are on.
/// @param block with arguments as a launch has them before it runs: local arguments are sizes
void find_objects(const compiler::KernelSignature& signature, std::byte* block);

} // namespace hostcl::runtime::checks
