#pragma once
#include "runtime/support/enabled_checks.hpp"

// For checked kernels: the bounds of the objects that the pointer arguments of a launch point into. They
// follow the arguments in the argument block.

#include "compiler/abi/align.hpp"
#include "compiler/abi/check.hpp"
#include "compiler/compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace hostcl::runtime::checks {

/// The bounds of an address whose memory is not known: no access is outside of them.
inline constexpr abi::CheckedObject anywhere{std::numeric_limits<std::int64_t>::min(),
                                             std::numeric_limits<std::uint64_t>::max()};

/// The bounds of an object, relative to an address inside of the object.
inline abi::CheckedObject object_from(std::uint64_t address, std::uint64_t first, std::uint64_t bytes) {
  return {static_cast<std::int64_t>(first - address), bytes};
}

/// An address below this is reported as a null pointer, possibly with an index.
inline constexpr std::uint64_t null_bytes = 4096;

/// The bounds of an object, and what kernels may do with the object.
struct UsableObject {
  abi::CheckedObject object;
  bool may_read = true, may_write = true;

  bool is_released() const { return object.size != 0 && !may_read && !may_write; }
};

/// The object that contains an address, with bounds relative to the address. Near null, it is an object of 0
/// bytes; in memory that has been released, one that may be neither read nor written; in memory that is not
/// known, `anywhere`.
UsableObject object_at(std::uint64_t address);

/// The offset of the bounds in a block with `argument_bytes` of arguments.
inline std::size_t first_object(std::size_t argument_bytes) {
  return abi::aligned(argument_bytes, alignof(abi::CheckedObject));
}

/// The size of a block with `argument_bytes` of arguments and, if checks are on, the bounds of `count`
/// arguments.
std::size_t block_bytes(std::size_t argument_bytes, std::size_t count);

/// The bounds in a block, one element for each argument; null unless checks are on.
inline abi::CheckedObject* objects_in(std::byte* block, std::size_t argument_bytes) {
  if (!checks::has_checks()) [[likely]]
    return nullptr;
  return reinterpret_cast<abi::CheckedObject*>(block + first_object(argument_bytes));
}

/// Sets or reads the object of one of `count` arguments. abi::CheckedObject describes the layout.
void set_object(abi::CheckedObject* objects, std::size_t count, std::size_t argument,
                const UsableObject& object);
UsableObject object_in(const abi::CheckedObject* objects, std::size_t count, std::size_t argument);

/// Sets the objects of all arguments of a block by their addresses, if checks are on.
/// @param block arguments as in a launch record: the slot of a `local` argument has its size
void find_objects(const compiler::KernelSignature& signature, std::byte* block);

} // namespace hostcl::runtime::checks
