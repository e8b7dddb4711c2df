#pragma once

// Facts about a launch that make a kernel's code faster when they are known. They are few, so that few
// versions of a kernel are compiled.

#include "compiler/abi/group_size.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/settings/sub_group_sizes.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct Variant {
  unsigned dimensions = 3;        ///< above this dimension global and local sizes are 1, offsets 0
  bool uniform_groups = false;    ///< every group has the enqueued local size
  bool single_item = false;       ///< every group is one work-item
  bool small_ids = false;         ///< global ids, offset included, are below 2^31
  unsigned vector_dimension = 0;  ///< that lanes lie along: the first with several items in a group, or y
  unsigned width_limit = 1;       ///< largest power of two that is at most the local size along it
  unsigned forced_width = 0;      ///< the argument of set_width()
  bool reversed = false;          ///< the argument of set_reversed()
  unsigned multiple = 1;          ///< largest power of two that divides the size along it of every group
  bool one_vector = false;        ///< `multiple` is that size
  unsigned columns = 0;           ///< `multiple`, if lanes were to lie along y; 0: of no use
  bool one_column_vector = false; ///< `one_vector`, likewise
  std::uint64_t row = 0;          ///< the enqueued local size along it; 0: of no use, like the next one
  bool one_row = false;           ///< groups have one work-item in all other dimensions
  bool joined_rows = false;       ///< lanes lie along the linear local id, over the ends of rows
  bool split_rows = false;     ///< sub-groups of groups whose rows are not a multiple are single work-items
  bool compact = false;        ///< compiled soon rather than run fast: no code is made twice
  bool free_groups = false;    ///< groups may have another size than the kernel requires
  bool buffers_apart = false;  ///< buffers of different arguments do not overlap
  unsigned items_multiple = 0; ///< largest power of two that divides a group's work-items; 0: of no use

  auto operator<=>(const Variant&) const = default;
  /// Distinct for distinct variants; part of symbol names and cache keys.
  std::string text() const;
};

/// Whether set_width() has set one width for all kernels, instead of a width that suits each kernel.
bool is_width_set();

/// The dimension that work-items of groups of this size are vectorised along.
unsigned vector_dimension_of(const std::array<std::uint64_t, 3>& local_size);

/// The facts of a launch that machine code may rely on.
Variant variant_for(const abi::NDRange& launch);

/// The facts of a kernel that decide, beside the launch, how it is compiled. They are found when it is
/// prepared, and are the same for all its launches.
struct KernelTraits {
  std::uint32_t width = 1;        ///< work-items per vector that suit it
  std::uint32_t columns = 0;      ///< 1: vectors lie along y, see passes/vectorise/choose/column_access.hpp
  std::uint32_t sees_vectors = 0; ///< 1: it has sub-groups, so that the width is part of its results
  std::uint32_t required = 0;     ///< 1: it asks for sub-groups of `width`, which launches of all shapes have
  std::uint32_t group_rows = 0;   ///< as KernelShape has it
  std::uint32_t gains_apart = 0;  ///< 1: code may be faster for launches whose buffers do not overlap
  std::uint32_t dimensions = 1;   ///< that it asks about, which launches should have
};

/// The size of the groups that a launch of the kernel runs in; none for those of the launch.
abi::GroupSize groups_for(const abi::NDRange& launch, const KernelTraits& traits);

/// The facts of a launch that runs in groups of this size.
Variant variant_for(const abi::NDRange& launch, abi::GroupSize groups);

/// The variant that a kernel is compiled for when it is compiled for a launch: the same for launches that
/// would get the same code. Its `width_limit` is the work-items per vector, its `multiple` that or 1.
Variant canonical(Variant variant, const KernelTraits& traits);

/// The canonical variant whose code runs launches of every shape that are alike in what saves much code, at the price of
/// speed. Kernels that see their vectors have none.
/// @param uniform_groups whether launches are refused whose groups are not all alike
/// @param launch whose dimensions, loops over which are the larger part of a short kernel's code, and whose small ids,
/// which spare it half of its address arithmetic, matter
std::optional<Variant> universal(const KernelTraits& traits, bool uniform_groups, const Variant& launch);

/// The number of facts that code for a canonical variant relies on.
unsigned facts_in(const Variant& variant);

/// Whether code that was compiled for the canonical variant `code` is right for a launch.
/// @param launch the result of variant_for()
bool covers(const Variant& code, const Variant& launch, const KernelTraits& traits);

} // namespace hostcl::compiler
