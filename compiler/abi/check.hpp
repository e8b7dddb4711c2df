#pragma once

// What checked kernels, and those that trap, tell the host.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// What an access does that is checked.
enum class Access : std::uint32_t { read, write, update };

/// A place in a kernel's source where a check may find something. Machine code has one for each, which lives as long as
/// the code does. Texts may be empty, but are never null.
struct CheckSite {
  const char* check;  ///< its name in compiler/settings/checks.inc
  const char* kernel; ///< the kernel's name
  const char* file;
  const char* source;         ///< the line of `file`
  const char* object;         ///< name of the variable or parameter that an access belongs to
  const char* sentence;       ///< what is wrong, if the check says it itself
  std::uint64_t object_bytes; ///< of a variable
  std::uint64_t bytes;        ///< of the access; 0 if it differs
  std::uint32_t line, column; ///< 0 if they are not known
  std::int32_t argument;      ///< number of the parameter that an access belongs to; -1 for none
  Access access;
  /// 1: findings tell the position in the object, in bytes; 0: an address.
  std::uint32_t tells_position;
  /// 1: what a report tells is a value that all work-items of a group have to have; it is a finding if they do not.
  std::uint32_t must_be_uniform;
  std::uint32_t arguments; ///< of the kernel
  std::uint32_t reserved;
  const CheckSite* other; ///< of divergence: the barrier that is missed; otherwise null
};

/// How a kernel accesses memory that commands share (compiler/passes/checks/commands/check_commands.hpp): bits.
inline constexpr std::uint32_t command_writes = 1, command_is_atomic = 2,
                               command_orders = 4; ///< it may release or acquire

/// A place in a kernel at which a work-item may trap. Machine code has one for each, as for CheckSite.
struct TrapSite {
  const char* what;   ///< "a trap"
  const char* file;   ///< empty if it is not known
  const char* source; ///< the line of `file`, or an empty text
  std::uint32_t line, column;
};

/// Memory has a shadow for the check `uninitialised`: a bit for each bit, 1 if that is uninitialised. It lies at
/// the memory's address XOR this bit.
inline constexpr std::uint64_t shadow_bit = std::uint64_t{1} << 46;

/// The shadow of a local argument follows it, after its size rounded up to this; it begins with bits of 1 for every group.
inline constexpr std::uint64_t local_shadow_alignment = 128;

/// The object that a pointer argument points into, for checked kernels. The objects of all arguments are followed by one
/// each that tells what kernels may do to it: `low` bytes may be read, `size` bytes written.
struct CheckedObject {
  std::int64_t low;   ///< where it begins, counted in bytes from the argument
  std::uint64_t size; ///< bytes
};

} // namespace hostcl::abi
