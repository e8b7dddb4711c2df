#pragma once

// Data by which checked kernels, and kernels that trap, tell the host what has happened and where. A checked kernel is
// a kernel into which passes have inserted checks (HOSTCL_CHECK). A site is the place in the kernel's source to which a
// check or a trap belongs.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// The kind of an access that is checked; `update` reads and writes.
enum class Access : std::uint32_t { read, write, update };

/// A place in a kernel's source where a check may find something. Machine code contains a CheckSite for each such
/// place. Texts may be empty, but are never null.
struct CheckSite {
  const char* check;  ///< its name in compiler/settings/checks.inc
  const char* kernel; ///< the kernel's name
  const char* file;
  const char* source;         ///< the line of `file`
  const char* object;         ///< name of the variable or parameter that is accessed
  const char* sentence;       ///< the message of the finding, if the check has its own
  std::uint64_t object_bytes; ///< size of the variable
  std::uint64_t bytes;        ///< size of the access; 0 if it is not constant
  std::uint32_t line, column; ///< 0 if they are not known
  std::int32_t argument;      ///< number of the parameter that is accessed; -1 for none
  Access access;
  /// 1: findings report the position in the object, in bytes; 0: findings report an address.
  std::uint32_t tells_position;
  /// 1: a report has a value that must be the same for all work-items of a group; it is a finding only if the values
  /// differ.
  std::uint32_t must_be_uniform;
  std::uint32_t arguments; ///< number of the kernel's arguments
  std::uint32_t reserved;
  const CheckSite* other; ///< for the check `divergence`, the barrier that is missed; otherwise null
};

/// How a kernel accesses memory that commands share (compiler/passes/checks/commands/check_commands.cpp): bits.
inline constexpr std::uint32_t command_writes = 1, command_is_atomic = 2,
                               command_orders = 4; ///< it may release or acquire

/// A place in a kernel's source at which a work-item may trap. Machine code contains a TrapSite for each such place.
struct TrapSite {
  const char* what;   ///< "a trap"
  const char* file;   ///< empty if it is not known
  const char* source; ///< the line of `file`, or an empty text
  std::uint32_t line, column;
};

/// Memory has a shadow for the check `uninitialised`: a bit for each bit of memory, 1 if that bit is uninitialised. The
/// address of the shadow is the address of the memory XOR the host's `shadow_mask` (compiler/code/host_functions.hpp).
/// The shadow of a local argument follows the argument, whose size is rounded up to this alignment. All bits of the
/// shadow are 1 when a group begins.
inline constexpr std::uint64_t local_shadow_alignment = 128;

/// The object into which a pointer argument points, for checked kernels. A launch of a kernel with n arguments has an
/// array of 2 n CheckedObjects. Element k describes argument k as below. In element n + k, `low` is the number of bytes
/// that kernels may read, and `size` the number of bytes that kernels may write.
struct CheckedObject {
  std::int64_t low;   ///< start of the object, in bytes relative to the argument
  std::uint64_t size; ///< size of the object in bytes
};

} // namespace hostcl::abi
