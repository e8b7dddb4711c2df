#pragma once

// One kernel of the matrix: a function, a type, a form, where the object and the expected value live, and the
// memory order and scope. Everything else (the source, the right results) follows from it.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

enum class Kind { signed_integer, unsigned_integer, floating };

struct Type {
  const char* name;   ///< of the value, as in the source
  const char* atomic; ///< of the object
  unsigned size;      ///< bytes
  Kind kind;
};

/// The ten types of the matrix; pointer-sized ones have 64 bits.
inline constexpr std::array<Type, 10> types = {{
    {"int", "atomic_int", 4, Kind::signed_integer},
    {"uint", "atomic_uint", 4, Kind::unsigned_integer},
    {"long", "atomic_long", 8, Kind::signed_integer},
    {"ulong", "atomic_ulong", 8, Kind::unsigned_integer},
    {"float", "atomic_float", 4, Kind::floating},
    {"double", "atomic_double", 8, Kind::floating},
    {"intptr_t", "atomic_intptr_t", 8, Kind::signed_integer},
    {"uintptr_t", "atomic_uintptr_t", 8, Kind::unsigned_integer},
    {"size_t", "atomic_size_t", 8, Kind::unsigned_integer},
    {"ptrdiff_t", "atomic_ptrdiff_t", 8, Kind::signed_integer},
}};
/// Only with cl_ext_float_atomics, and without compare-exchange.
inline constexpr Type half_type = {"half", "atomic_half", 2, Kind::floating};
inline constexpr Type flag_type = {"int", "atomic_flag", 4, Kind::signed_integer};

enum class Function {
  init,
  store,
  load,
  exchange,
  compare_exchange_strong,
  compare_exchange_weak,
  fetch_add,
  fetch_sub,
  fetch_or,
  fetch_xor,
  fetch_and,
  fetch_min,
  fetch_max,
  flag_test_and_set,
  flag_clear,
};
const char* name_of(Function function);

enum class Form { plain, order, order_and_scope };

/// Where the object lives. The generic pointers are chosen while the kernel runs, so that no compiler can
/// know.
enum class Space { global, local, generic_global, generic_local };
enum class ExpectedSpace { none, global, local, private_, generic };

struct Case {
  std::string standard; ///< the value of -cl-std
  Function function = Function::load;
  Type type = types[0];
  Form form = Form::plain;
  Space space = Space::global;
  ExpectedSpace expected = ExpectedSpace::none;
  const char* order = "seq_cst"; ///< without memory_order_
  const char* failure = "seq_cst";
  const char* scope = "device"; ///< without memory_scope_
  std::string section{};        ///< the row of the report

  bool local_object() const { return space == Space::local || space == Space::generic_local; }
  bool compare_exchange() const {
    return function == Function::compare_exchange_strong || function == Function::compare_exchange_weak;
  }
  std::string name() const;
};

/// The size of every launch. A narrower scope than the device has one group only.
inline constexpr unsigned group_size = 64;
inline constexpr unsigned groups = 4;
unsigned groups_of(const Case& test);
/// How many work-items share an object.
unsigned sharers_of(const Case& test);

/// The OpenCL C of the case, which may be appended to that of other cases. Its kernel has the arguments
///   (global A* object, global C* expected, global C* returned, global C* final, global const C* initial, int
///   pick)
/// where `returned` has a value per item, and `final` one per object.
std::string source_of(const Case& test, const std::string& kernel = "k");

/// The object's value before, and what an item adds, stores, and so on.
std::int64_t initial_of(const Case& test);
std::int64_t operand_of(const Case& test, unsigned item);

/// Empty if some serial order of the items' operations explains the results; else what is wrong.
/// Values are as the kernel wrote them, `size` bytes each, one object's items after the other's.
std::string verify(const Case& test, const void* returned, const void* final);

/// The matrix proper for one language version: types × functions × forms × spaces × expected.
std::vector<Case> matrix(const std::string& standard);
/// Every order and scope of every function, for a 32-bit and a 64-bit type.
std::vector<Case> orders_and_scopes(const std::string& standard);
/// atomic_init, atomic_flag.
std::vector<Case> init_and_flags(const std::string& standard);
/// add, sub, min, max of floating-point types, and all that half has.
std::vector<Case> float_atomics(const std::string& standard, bool half);

} // namespace conformance
