#pragma once

// What machine code is made for: facts about a launch that make a kernel's code faster when they are known.
// Few, so that few versions of a kernel are compiled.

#include "compiler/abi.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// No vector has more lanes.
inline constexpr unsigned largest_width = 64;

struct Variant {
  unsigned dimensions = 3;        ///< above this dimension global and local sizes are 1, offsets 0
  bool uniform_groups = false;    ///< every group has the enqueued local size
  bool single_item = false;       ///< every group is one work-item
  bool small_ids = false;         ///< global ids, offset included, are below 2^31
  unsigned vector_dimension = 0;  ///< of the lanes: the first with several items in a group, or y
  unsigned width_limit = 1;       ///< largest power of two that is at most the local size along it
  unsigned forced_width = 0;      ///< what set_width() asks for
  bool reversed = false;          ///< what set_reversed() asks for
  unsigned multiple = 1;          ///< largest power of two that divides the size along it of every group
  bool one_vector = false;        ///< `multiple` is that size; once the width is known, so is the width
  unsigned columns = 0;           ///< what `multiple` would be along y; 0: of no use
  bool one_column_vector = false; ///< and `one_vector`

  auto operator<=>(const Variant&) const = default;
  /// Distinct for distinct variants; part of symbol names and cache keys.
  std::string text() const;
};

/// The dimension that work-items of groups of this size are vectorised along.
unsigned vector_dimension_of(const std::array<std::uint64_t, 3>& local_size);

/// The variant that suits a launch best.
Variant variant_for(const abi::Launch& launch);

/// What kernels want that does not depend on the launch.
struct Preference {
  unsigned width = largest_width; ///< until one version has been compiled, a guess
  std::optional<bool> columns;    ///< to be vectorised along y, see passes/vectorise/column_access.hpp
};

/// The same launch, vectorised along y if that is possible.
Variant along_columns(Variant variant);

/// Work-items per vector for a kernel that prefers `preferred`.
unsigned width_of(const Variant& variant, unsigned preferred);

/// Merges variants that give the same code for a kernel with this preference.
Variant canonical(Variant variant, const Preference& preference);

} // namespace hostcl::compiler
