#pragma once

// A kernel of the survey: a .cl file with one kernel, whose opening comment says how it is launched. Its first line says
// what the kernel does; the others are
//
//   // global: 1024 512            sizes of the launch, in work-items
//   // local: 16 16
//   // w: int 1024                 an argument: a number
//   // a: float 524288 random      an argument: a buffer, the type and number of its elements, and what is in them
//   // b: float 524288 zero        (random, zero, permutation or ascending)
//
// with the arguments in their order. Buffers that begin as zeros are results, which the survey compares with those
// of the same kernel at one work-item at a time. After `zero` may stand `unchecked`, for results that depend on the
// order of work-items, and `reset`, to fill the buffer again before each round.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bench::survey {

enum class Fill { random, zero, permutation, ascending };

struct Argument {
  std::string name;
  std::string type;
  std::size_t value = 0; ///< the number, or the number of elements
  bool buffer = false;
  Fill fill = Fill::random;
  bool unchecked = false;
  bool reset = false;

  bool is_result() const { return buffer && fill == Fill::zero && !unchecked; }
};

struct Kernel {
  std::string name; ///< folder/file, without the suffix
  std::string title;
  std::string source;
  std::vector<std::size_t> global, local;
  std::vector<Argument> arguments;
};

/// Every kernel below the folder, in the order of their names. Throws std::runtime_error for a file that is not as above.
std::vector<Kernel> read_kernels(const std::filesystem::path& folder);

} // namespace bench::survey
