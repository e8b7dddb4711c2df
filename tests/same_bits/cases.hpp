#pragma once

// Kernels whose floating-point results must have the same bits on every CPU (HOSTCL_BITS=same).

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace same_bits {

/// The type of the inputs and outputs, T in the kernels.
enum class Element { half, single, precise };
constexpr std::array<const char*, 3> element_names = {"half", "float", "double"};

/// A kernel `k(global const T* a, global const T* b, global const int* ns, global T* o)`. Its statements may use the
/// work-item's linear ids `i` (global) and `l` (local), the inputs x = a[i], y = b[i] and n = ns[i], `z`, which is 0 or
/// -0, the variables `T s, t; int m;`, and the number of work-items, `count`. Output number j of the kernel is
/// o[j * count + i].
struct Case {
  std::string name = {};
  Element element = Element::single;
  std::string statements = {};
  std::vector<std::string> outputs = {};         ///< a name for each output
  std::string options = {};                      ///< of the build
  std::string attribute = {};                    ///< of the kernel
  bool is_moderate = false;                      ///< inputs are between -4 and 4, so that sums are finite
  std::array<std::size_t, 3> local = {64, 1, 1}; ///< divides global_size in each dimension
};

constexpr std::array<std::size_t, 3> global_size = {1920, 3, 2};
constexpr std::size_t items = 1920 * 3 * 2;

/// The kernel's program.
std::string source_of(const Case& made);

/// All kernels. @param random how many kernels with random expressions there are
std::vector<Case> all_cases(unsigned random);

} // namespace same_bits
