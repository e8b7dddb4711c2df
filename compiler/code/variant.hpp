#pragma once

// Variants: the properties of a launch that make a kernel's code faster if they are known when it is
// compiled. There are few properties, so that few versions of a kernel are compiled.

#include "compiler/abi/group_size.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/settings/settings.hpp"
#include "compiler/settings/sub_group_sizes.hpp"

#include <array>
#include <compare>
#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// The properties of a launch that machine code may rely on.
struct Variant {
  unsigned dimensions = 3;     ///< in dimensions from this one on, global and local sizes are 1 and offsets 0
  bool uniform_groups = false; ///< all groups have the enqueued local size
  bool single_item = false;    ///< each group is a single work-item
  bool small_ids = false;      ///< global ids, with the offset, are below 2^31
  /// Dimension of the vectors' lanes: the first one in which groups have several work-items, or y.
  unsigned vector_dimension = 0;
  unsigned width_limit = 1;  ///< largest power of two that is at most the local size in that dimension
  unsigned forced_width = 0; ///< Settings::width
  bool reversed = false;     ///< Settings::reversed
  unsigned multiple = 1;     ///< largest power of two that divides the size of all groups in that dimension
  bool one_vector = false;   ///< `multiple` is the size itself
  unsigned columns = 0;      ///< `multiple` if lanes were along y; 0 if they cannot be
  bool one_column_vector = false; ///< `one_vector` if lanes were along y
  std::uint64_t row = 0;          ///< enqueued local size in the vectors' dimension; 0 in canonical variants
  bool one_row = false;           ///< groups have a single work-item in all other dimensions
  bool linearised_sub_groups = false; ///< lanes follow the linear local id, across the ends of rows
  /// In groups whose rows are not a multiple of the width, each work-item is a sub-group of its own.
  bool partial_sub_groups = false;
  bool tier0 = false; ///< code should be compiled fast rather than to run fast, so no code is duplicated
  bool group_size_agnostic = false; ///< groups may have another size than the kernel requires
  bool buffers_disjoint = false;    ///< memory of different buffer arguments is disjoint
  /// Largest power of two that divides the number of a group's work-items; 0 in canonical variants.
  unsigned items_multiple = 0;

  auto operator<=>(const Variant&) const = default;
  /// A text that is different for different variants; part of symbol names.
  std::string text() const;
};

/// The dimension along which work-items are vectorised in groups of this size.
unsigned vector_dimension_of(const std::array<std::uint64_t, 3>& local_size);

/// The properties of a launch that machine code may rely on.
Variant variant_for(const abi::NDRange& launch, const Settings& settings);

/// Kernel properties: they decide, together with the variant, how the kernel is compiled. They are found when
/// the kernel is prepared, and are the same for all launches.
struct KernelProperties {
  std::uint32_t width = 1;   ///< vector width that suits it
  std::uint32_t columns = 0; ///< 1: lanes should be along y, see passes/2_vector/choose/column_access.hpp
  std::uint32_t sees_vectors = 0; ///< 1: it uses sub-groups, so its results depend on the vector width
  std::uint32_t required = 0;     ///< 1: it requires sub-groups of size `width`, in launches of all sizes
  std::uint32_t group_rows = 0;   ///< see KernelShape
  std::uint32_t gains_if_disjoint = 0; ///< 1: code for launches with disjoint buffers may be faster
  std::uint32_t dimensions = 1;        ///< number of dimensions that it queries; launches should have as many
};

/// The size of the groups that a launch of the kernel runs in; none if the launch's own groups are used.
abi::GroupSize groups_for(const abi::NDRange& launch, const KernelProperties& properties);

/// The properties of a launch that runs in groups of this size.
Variant variant_for(const abi::NDRange& launch, abi::GroupSize groups, const Settings& settings);

/// The canonical variant of a launch, which is the key of machine code: launches for which the compiler would
/// write the same code have the same canonical variant. Its `width_limit` is the vector width, and its
/// `multiple` is the width or 1.
Variant canonical(Variant variant, const KernelProperties& properties);

/// The canonical variant of tier 0 code. The code is right for launches of all local sizes. It only relies on
/// properties of the launch that save much code: the number of dimensions, because loops over dimensions are
/// the larger part of a short kernel's code, and small ids, which save half of the address arithmetic.
/// Kernels that use sub-groups have no tier 0 code.
/// @param uniform_groups whether launches are refused whose local size does not divide the global size
std::optional<Variant> tier0_variant(const KernelProperties& properties, bool uniform_groups,
                                     const Variant& launch);

/// The number of properties that code for a canonical variant relies on.
unsigned assumptions_in(const Variant& variant);

/// Whether code for the canonical variant `code` may run a launch: the launch has all properties on which the
/// code relies. A kernel that can see the vector width, as with sub-groups, needs code for exactly the
/// launch's variant.
/// @param launch result of variant_for()
bool covers(const Variant& code, const Variant& launch, const KernelProperties& properties);

} // namespace hostcl::compiler
