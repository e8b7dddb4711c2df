#pragma once

// Which heuristics of the compiler change random kernels. A heuristic that no kernel makes act is one whose mistakes no
// kernel shows, however many there are.

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

class Census {
public:
  /// Has drivers in processes that begin from now on write to a file (HOSTCL_TEST_CENSUS).
  Census();
  ~Census();
  Census(const Census&) = delete;

  /// Counts a kernel.
  /// @returns the name that the kernel is to have, instead of `test`
  std::string name_next(const std::string& theme);

  /// Prints, for each heuristic, the kernels that it has changed in any of the ways, and the theme that has most of them.
  /// @param fewest kernels that each heuristic is to change; besides, 1 % of the kernels of that theme. 0: there is no bound
  /// @returns the number of heuristics below the bounds
  unsigned report(std::uint64_t fewest) const;

private:
  std::string file_;
  std::vector<std::string> themes_; ///< of each kernel
};

} // namespace differential
