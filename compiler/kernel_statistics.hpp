#pragma once

// What a work-item of a kernel does, as far as its code tells: loops, memory accesses and operations, with numbers that
// may depend on a launch's sizes and arguments. Plain data without addresses, so that caches and messages hold it.

#include <cstdint>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// One step of a formula in postfix form, on a stack of numbers.
struct FormulaStep {
  enum Kind : std::uint8_t {
    constant,  ///< `value`
    argument,  ///< the kernel's argument number `value`, as a signed integer
    size,      ///< of the launch: `value` is 3 * Size + dimension
    local_id,  ///< mean over a group of the dimension `value`
    group_id,  ///< likewise over the launch
    iteration, ///< mean number of the iteration of the loop `value`
    add,       ///< of the two numbers on top, as all that follow
    multiply,
    divide,
    smallest,
    largest,
    unknown, ///< depends on what the kernel reads
  };
  enum Size : std::uint8_t { local_size, global_size, global_offset, group_count };
  Kind kind = unknown;
  std::int64_t value = 0;
  bool operator==(const FormulaStep&) const = default;
};
using Formula = std::vector<FormulaStep>;

struct LoopStatistics {
  std::int32_t outer = -1; ///< index of the loop around it, or -1
  std::uint32_t line = 0;  ///< 0 if it is not known, as for all lines
  Formula iterations;
  bool operator==(const LoopStatistics&) const = default;
};

struct AccessStatistics {
  enum Space : std::uint8_t { global, constant, local, other };
  std::uint32_t line = 0;
  std::int32_t loop = -1;     ///< the innermost one around it, or -1
  std::int32_t argument = -1; ///< of the kernel that the address is derived from, or -1
  std::uint32_t bytes = 0;    ///< that one work-item reads or writes
  Space space = other;
  bool is_write = false, is_atomic = false;
  bool is_conditional = false; ///< work-items may take another way
  bool from_memory = false;    ///< its address depends on what the kernel has read
  bool stays = false;          ///< the address is the same in all iterations of the loop
  double often = 1;            ///< for each iteration of the loop, or for each work-item
  Formula strides[2];          ///< bytes between neighbouring work-items along x and y
  Formula step;                ///< bytes between iterations of the loop
  bool operator==(const AccessStatistics&) const = default;
};

/// Operations of one place in the nest of loops, for each iteration there.
struct OperationStatistics {
  std::int32_t loop = -1;
  double floats = 0, doubles = 0, divisions = 0, integers = 0; ///< divisions are among the first two
  bool operator==(const OperationStatistics&) const = default;
};

struct LineText {
  std::uint32_t line = 0;
  std::string text;
  bool operator==(const LineText&) const = default;
};

struct KernelStatistics {
  std::uint32_t line = 0; ///< of the kernel
  std::vector<LoopStatistics> loops;
  std::vector<AccessStatistics> accesses;
  std::vector<OperationStatistics> work;
  std::vector<std::uint32_t> widened; ///< lines that compute a float in double precision
  std::uint32_t barriers = 0;
  bool is_conditional = false;  ///< work-items do not all run the same operations
  std::vector<LineText> source; ///< of all lines that are named
  bool operator==(const KernelStatistics&) const = default;
};

} // namespace hostcl::compiler
