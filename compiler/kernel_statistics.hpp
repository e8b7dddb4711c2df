#pragma once

// Kernel statistics: the loops, memory accesses and operations of one work-item, as far as the kernel's code shows
// them. Numbers are formulas of a launch's sizes and arguments. The data has no addresses, so that caches and messages
// can contain it.

#include <cstdint>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// One step of a formula in postfix form, on a stack of numbers.
struct FormulaStep {
  enum Kind : std::uint8_t {
    constant,  ///< `value`
    argument,  ///< the kernel's argument number `value`, as a signed integer
    size,      ///< a size of the launch: `value` is 3 * Size + dimension
    local_id,  ///< mean of the local ids in the dimension `value`, over a group
    group_id,  ///< mean of the group ids in the dimension `value`, over the launch
    iteration, ///< mean number of the iteration of the loop `value`
    add,       ///< takes two numbers from the stack, as the operations below do
    multiply,
    divide,
    smallest,
    largest,
    unknown, ///< a number that depends on what the kernel reads
  };
  enum Size : std::uint8_t { local_size, global_size, global_offset, group_count };
  Kind kind = unknown;
  std::int64_t value = 0;
  bool operator==(const FormulaStep&) const = default;
};
using Formula = std::vector<FormulaStep>;

struct LoopStatistics {
  std::int32_t outer = -1; ///< index of the enclosing loop, or -1
  std::uint32_t line = 0;  ///< line of the source; here and below, 0 if it is not known
  Formula iterations;
  bool operator==(const LoopStatistics&) const = default;
};

struct AccessStatistics {
  enum Space : std::uint8_t { global, constant, local, other };
  std::uint32_t line = 0;
  std::int32_t loop = -1;     ///< index of the innermost enclosing loop, or -1
  std::int32_t argument = -1; ///< number of the kernel's argument from which the address is derived, or -1
  std::uint32_t bytes = 0;    ///< size of the access of one work-item
  Space space = other;
  bool is_write = false, is_atomic = false;
  bool is_conditional = false; ///< work-items may branch around the access
  bool from_memory = false;    ///< the address depends on data that the kernel has read
  bool stays = false;          ///< the address is the same in all iterations of the loop
  double often = 1;            ///< accesses per iteration of the loop, or per work-item if there is no loop
  Formula strides[2];          ///< bytes between neighbouring work-items along x and y
  Formula step;                ///< bytes between iterations of the loop
  bool operator==(const AccessStatistics&) const = default;
};

/// The operations in one loop outside of its inner loops, per iteration; with loop -1, those outside of all loops.
struct OperationStatistics {
  std::int32_t loop = -1;
  double floats = 0, doubles = 0, divisions = 0, integers = 0; ///< divisions are also floats or doubles
  bool operator==(const OperationStatistics&) const = default;
};

struct LineText {
  std::uint32_t line = 0;
  std::string text;
  bool operator==(const LineText&) const = default;
};

struct KernelStatistics {
  std::uint32_t line = 0; ///< line of the kernel
  std::vector<LoopStatistics> loops;
  std::vector<AccessStatistics> accesses;
  std::vector<OperationStatistics> work;
  std::vector<std::uint32_t> widened; ///< lines that compute a float in double precision
  std::uint32_t barriers = 0;
  bool is_conditional = false;  ///< not all work-items run the same operations
  std::vector<LineText> source; ///< text of all lines that are named above
  bool operator==(const KernelStatistics&) const = default;
};

} // namespace hostcl::compiler
