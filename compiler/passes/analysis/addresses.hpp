#pragma once

// Facts about numbers and addresses that work-items compute. They depend on no flag: they hold for every work-item,
// also for lanes that are not active where the value is computed. What an asker takes for granted is a value of
// its own. What values are as sums of products, linear_forms.hpp says.
//
//   %group = call i64 @__hostcl_group_id(i32 0)
//   %size = call i64 @__hostcl_enqueued_local_size(i32 0)     ; or local_size
//   %start = mul i64 %group, %size                            ; the start of a group
//   %x = call i64 @__hostcl_local_id(i32 0)                   ; below the largest size of a group
//   %id = add i64 %start, %x                                  ; a global id, less the launch's offset
//   %row = shl i64 %x, 2                                      ; its first lane's has 2 low bits more that are zero
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
  unsigned width = 1;          ///< lanes; the first lane's local id in x is a multiple of it, unless
  bool split_rows = false;     ///< as VectoriseOptions has it
  bool ids_fit_31_bits = true; ///< likewise
};

class Addresses {
public:
  explicit Addresses(AddressAssumptions assumptions) : assumptions_(assumptions) {}

  static constexpr std::uint64_t unbounded = ~std::uint64_t{0};

  /// An upper bound of an integer read as unsigned, or `unbounded`.
  std::uint64_t upper_bound(const llvm::Value& value, unsigned depth = 0) const;

  /// The number of low bits that are zero in the first lane's value.
  unsigned zero_bits_of_first_lane(const llvm::Value& value, unsigned depth = 0) const;

  unsigned width() const { return assumptions_.width; }

private:
  AddressAssumptions assumptions_;
};

/// The dimension of the group's start that `value` is: the number of its first work-item without the launch's
/// offset.
std::optional<unsigned> start_of_group(const llvm::Value& value);

/// Whether `value` is group_id(d) * local_size(d) + local_id(d), with or without the global offset.
bool is_global_id(const llvm::Value& value);

/// Whether `address` is a sum of multiples of ids, of all those that `kernel` asks for, and so most likely
/// different for each work-item. This is for decisions about speed alone: multiples can be zero or coincide.
/// Test: tests/passes/atomics/deferrable_atomics.ll
bool differs_between_work_items(const llvm::Value& address, const llvm::Function& kernel);

} // namespace hostcl::compiler
