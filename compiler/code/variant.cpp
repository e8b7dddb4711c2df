#include "compiler/code/variant.hpp"

#include "compiler/compiler.hpp"
#include "compiler/passes/2_vector/choose/width.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace hostcl::compiler {

namespace {

/// Lanes of 32-bit elements in a register, on hosts with the widest registers.
constexpr unsigned lanes_of_register = 16;

/// A group needs at least this many rows for lanes to be along y.
constexpr unsigned fewest_columns = 4;

/// The largest power of two that divides `number`, at most largest_width.
unsigned power_of_two_in(std::uint64_t number) {
  return static_cast<unsigned>(std::min<std::uint64_t>(number & ~(number - 1), largest_width));
}

bool is_uniform(const abi::NDRange& launch) {
  for (int d = 0; d < 3; ++d)
    if (launch.global_size[d] % launch.local_size[d] != 0) return false;
  return true;
}

bool has_single_items(const abi::NDRange& launch) {
  return launch.local_size[0] == 1 && launch.local_size[1] == 1 && launch.local_size[2] == 1;
}

bool has_small_ids(const abi::NDRange& launch) {
  for (int d = 0; d < 3; ++d)
    if (launch.global_offset[d] >= 1u << 31 || launch.global_size[d] > (1u << 31) - launch.global_offset[d])
      return false;
  return true;
}

/// One more than the last dimension in which a size is not 1 or an id may be other than 0.
unsigned dimensions_of(const abi::NDRange& launch) {
  for (unsigned i : {2u, 1u})
    if (launch.global_size[i] > 1 || launch.local_size[i] > 1 || launch.global_offset[i]) return i + 1;
  return 1;
}

} // namespace

std::string Variant::text() const {
  return "d" + std::to_string(dimensions) +
         (single_item      ? "1"
          : uniform_groups ? "u"
                           : "n") +
         (small_ids ? "s" : "l") + (vector_dimension ? vector_dimension == 1 ? "y" : "z" : "") +
         std::to_string(width_limit) + (forced_width ? "f" + std::to_string(forced_width) : "") +
         (reversed ? "r" : "") + (one_vector ? "e" : "x") + std::to_string(multiple) +
         (columns ? (one_column_vector ? "C" : "c") + std::to_string(columns) : "") +
         (row ? "i" + std::to_string(row) : "") + (one_row ? "o" : "") + (partial_sub_groups ? "p" : "") +
         (items_multiple ? "g" + std::to_string(items_multiple) : "") + (linearised_sub_groups ? "j" : "") +
         (tier0 ? "m" : "") + (group_size_agnostic ? "F" : "") + (buffers_disjoint ? "b" : "");
}

unsigned vector_dimension_of(const std::array<std::uint64_t, 3>& local_size) {
  for (unsigned dimension : {0u, 1u, 2u})
    if (local_size[dimension] > 1) return dimension;
  return 0;
}

Variant variant_for(const abi::NDRange& launch, const Settings& settings) {
  Variant variant;
  variant.dimensions = dimensions_of(launch);
  variant.uniform_groups = is_uniform(launch);
  variant.single_item = has_single_items(launch);
  variant.small_ids = has_small_ids(launch);
  const unsigned dimension = vector_dimension_of(std::to_array(launch.local_size));
  variant.vector_dimension = dimension < variant.dimensions ? dimension : 0;
  const std::uint64_t size = launch.global_size[variant.vector_dimension];
  const std::uint64_t local = launch.local_size[variant.vector_dimension];
  variant.width_limit = static_cast<unsigned>(
      std::bit_floor(std::clamp<std::uint64_t>(std::min(local, size), 1, largest_width)));
  variant.row = local;
  const std::uint64_t items = launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
  variant.items_multiple = power_of_two_in(items);
  variant.one_row = local == items;
  variant.buffers_disjoint = launch.buffers_disjoint != 0;
  variant.forced_width = settings.width;
  variant.reversed = settings.reversed;
  variant.multiple = power_of_two_in(local);
  variant.one_vector = variant.uniform_groups && !variant.single_item && variant.multiple == local;
  if (std::uint64_t rest = size % local) variant.multiple = std::min(variant.multiple, power_of_two_in(rest));
  if (dimension == 0 && variant.uniform_groups && !variant.single_item)
    if (const unsigned columns = power_of_two_in(launch.local_size[1]); columns >= fewest_columns)
      variant.columns = columns;
  variant.one_column_vector = variant.columns != 0 && variant.columns == launch.local_size[1];
  return variant;
}

abi::GroupSize groups_for(const abi::NDRange& launch, const KernelProperties& properties) {
  if (properties.group_rows == 0) return {};
  const unsigned along = properties.columns ? 1 : 0;
  const bool fills_vectors = launch.local_size[along] % properties.width == 0;
  const bool could = launch.global_size[along] % properties.width == 0;
  const bool long_rows = properties.group_rows <= rows_of_narrow_numbers && (fills_vectors || !could);
  return abi::suitable_group(launch, long_rows ? 1 : properties.group_rows, properties.columns != 0);
}

Variant variant_for(const abi::NDRange& launch, abi::GroupSize groups, const Settings& settings) {
  if (!groups) return variant_for(launch, settings);
  abi::NDRange chosen = launch;
  std::ranges::copy(groups.items, chosen.local_size);
  return variant_for(chosen, settings);
}

namespace {

/// The variant with the dimension that the kernel's lanes are along.
Variant oriented(Variant variant, const KernelProperties& properties) {
  const unsigned columns = std::exchange(variant.columns, 0);
  const bool one_column_vector = std::exchange(variant.one_column_vector, false);
  if (!properties.columns || !columns) return variant;
  variant.vector_dimension = 1;
  variant.width_limit = variant.multiple = columns;
  variant.one_vector = one_column_vector;
  return variant;
}

/// The vector width in an oriented variant.
unsigned width_of(const Variant& variant, const KernelProperties& properties) {
  // The application can query the sub-group size for a local size, so it must depend on nothing else.
  const bool local_only = properties.sees_vectors;
  const unsigned limit =
      local_only ? static_cast<unsigned>(std::bit_floor(std::min<std::uint64_t>(variant.row, largest_width)))
                 : variant.width_limit;
  const unsigned multiple = local_only ? power_of_two_in(variant.row) : variant.multiple;
  unsigned width = std::min(variant.forced_width ? variant.forced_width : properties.width, limit);
  // A width that does not divide the rows needs masks. These are not worth more lanes than a register has,
  // except for kernels with long groups, which need masks only at the end of a group.
  if (!variant.forced_width && width > multiple && properties.group_rows <= rows_of_narrow_numbers)
    width = std::min(width, std::max(multiple, lanes_of_register));
  // Sub-groups follow the linear local id, so rows of other lengths must not split them.
  if (properties.sees_vectors && !variant.one_row && multiple % width != 0) return 1;
  return width;
}

/// The variant for a kernel that requires this sub-group size. If rows of some groups are not a multiple of
/// it, a sub-group continues in the next row.
Variant with_required_width(Variant variant, unsigned width) {
  variant.forced_width = 0;
  variant.single_item = false;
  variant.linearised_sub_groups = !variant.one_row && variant.multiple % width != 0;
  variant.width_limit = width;
  if (!variant.linearised_sub_groups) return variant;
  variant.vector_dimension = 0;
  variant.multiple = variant.uniform_groups ? variant.items_multiple : 1;
  variant.one_vector = false;
  return variant;
}

} // namespace

Variant canonical(Variant variant, const KernelProperties& properties) {
  variant = oriented(variant, properties);
  const bool required = properties.required && properties.sees_vectors;
  if (required)
    variant = with_required_width(variant, properties.width);
  else
    variant.width_limit = width_of(variant, properties);
  variant.one_vector &= variant.multiple == variant.width_limit;
  variant.multiple = variant.multiple >= variant.width_limit ? variant.width_limit : 1;
  variant.partial_sub_groups = properties.sees_vectors && !required && !variant.uniform_groups &&
                               !variant.one_row && variant.multiple < variant.width_limit;
  variant.row = variant.items_multiple = 0;
  variant.group_size_agnostic = properties.group_rows != 0;
  variant.one_row = false;
  // Launches of kernels with sub-groups wait for this code, so there should be few versions.
  variant.buffers_disjoint &= properties.gains_if_disjoint && !properties.sees_vectors;
  if (variant.width_limit == 1) variant.vector_dimension = 0;
  return variant;
}

std::optional<Variant> tier0_variant(const KernelProperties& properties, bool uniform_groups,
                                     const Variant& launch) {
  if (properties.sees_vectors) return std::nullopt;
  Variant variant;
  variant.dimensions = std::max(launch.dimensions, properties.columns + 1);
  variant.vector_dimension = properties.columns;
  variant.width_limit = largest_width;
  variant.uniform_groups = uniform_groups;
  variant.small_ids = launch.small_ids;
  variant.tier0 = true;
  variant.forced_width = launch.forced_width;
  variant.reversed = launch.reversed;
  return canonical(variant, properties);
}

unsigned assumptions_in(const Variant& variant) {
  return (3 - variant.dimensions) + variant.uniform_groups + variant.single_item + variant.small_ids +
         (variant.multiple > 1) + variant.one_vector + variant.buffers_disjoint;
}

bool covers(const Variant& code, const Variant& launch, const KernelProperties& properties) {
  const Variant wanted = canonical(launch, properties);
  if (code == wanted) return true;
  if (properties.sees_vectors || code.forced_width != wanted.forced_width || code.reversed != wanted.reversed)
    return false;
  if (code.dimensions < wanted.dimensions || code.uniform_groups > wanted.uniform_groups ||
      code.single_item > wanted.single_item || code.small_ids > wanted.small_ids ||
      code.buffers_disjoint > wanted.buffers_disjoint)
    return false;
  // The code relies on no size in the vectors' dimension.
  if (code.multiple == 1 && !code.one_vector) return true;
  const Variant sizes = oriented(launch, properties);
  return sizes.vector_dimension == code.vector_dimension && sizes.multiple % code.multiple == 0 &&
         (!code.one_vector || (sizes.one_vector && sizes.multiple == code.multiple));
}

} // namespace hostcl::compiler
