#pragma once

// Upper bounds and alignment of the integers and addresses that work-items compute. The results do not rely on flags
// (nsw, nuw), so they hold for every work-item, including lanes that are not active where the value is computed. The
// caller's assumptions about the launch are a parameter (AddressAssumptions). linear_forms.hpp represents values as
// sums of products.
//
//   %group = call i64 @__hostcl_group_id(i32 0)
//   %size = call i64 @__hostcl_enqueued_local_size(i32 0)     ; or local_size
//   %start = mul i64 %group, %size                            ; the start of a group
//   %x = call i64 @__hostcl_local_id(i32 0)                   ; below the largest size of a group
//   %id = add i64 %start, %x                                  ; a global id without the launch's offset
//   %row = shl i64 %x, 2                                      ; the first lane's value has 2 more low zero bits than %x
//
// Tests: compiler/tests/addresses.cpp, compiler/tests/address_properties.cpp

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct AddressAssumptions {
  unsigned width = 1;              ///< number of lanes
  bool partial_sub_groups = false; ///< if false, the first lane's local id in x is a multiple of `width`
  bool ids_fit_31_bits = true;     ///< see VectoriseOptions
};

/// Answers queries under the assumptions that it was constructed with.
class Addresses {
public:
  explicit Addresses(AddressAssumptions assumptions) : assumptions_(assumptions) {}

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};

  /// An upper bound of an integer read as unsigned, or `unbounded`.
  std::uint64_t upper_bound(const llvm::Value& value, unsigned depth = 0) const;

  /// A lower bound of the number of low bits that are zero in the first lane's value.
  unsigned zero_bits_of_first_lane(const llvm::Value& value, unsigned depth = 0) const;

  unsigned width() const { return assumptions_.width; }

private:
  AddressAssumptions assumptions_;
};

/// If `value` is the start of a group, group_id(d) * local_size(d), its dimension d: the global id of the group's first
/// work-item, without the launch's offset.
std::optional<unsigned> start_of_group(const llvm::Value& value);

/// Whether `value` is group_id(d) * local_size(d) + local_id(d), with or without the global offset.
bool is_global_id(const llvm::Value& value);

/// Whether `address` is a sum of multiples of all ids that `kernel` queries, and so most likely different for each
/// work-item. Only for decisions about speed: a multiple may be zero, or sums may coincide.
/// Test: tests/passes/atomics/deferrable_atomics.ll
bool is_divergent(const llvm::Value& address, const llvm::Function& kernel);

} // namespace hostcl::compiler
