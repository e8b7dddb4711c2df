#pragma once

// Counts the random kernels that each heuristic of the compiler changes. If a heuristic changes no kernel, no number of
// random kernels shows its mistakes.

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

class Census {
public:
  /// Sets HOSTCL_TEST_CENSUS, so that the drivers of all processes that are started later append to a temporary file.
  Census();
  ~Census();
  Census(const Census&) = delete;

  /// Adds a kernel to the census.
  /// @returns the name for the kernel, instead of `test`, by which the census finds the kernel in the file
  std::string name_next(const std::string& theme);

  /// Prints, for each heuristic, how many kernels it has changed in any of the ways, and the theme with the largest share.
  /// @param fewest the number of kernels that each heuristic must change. Each heuristic must also change 1 % of the kernels
  ///               of one theme. With 0 there are no bounds
  /// @returns the number of heuristics below a bound
  unsigned report(std::uint64_t fewest) const;

private:
  std::string file_;
  std::vector<std::string> themes_; ///< of each kernel
};

} // namespace differential
