#pragma once

// For tests: which heuristics have changed which kernels. Wrong results go unseen as long as no kernel of the tests makes
// the heuristic act that is wrong.

#include "llvm/ADT/StringRef.h"

#include <string>

namespace hostcl::compiler {

/// Whether HOSTCL_TEST_CENSUS names a file.
bool is_census_taken();

/// While one lives, this thread compiles a kernel. At the end, the file that HOSTCL_TEST_CENSUS names gets a line: the
/// kernel's name, then the heuristics that have changed the kernel (note_change()), with spaces between them. There is no
/// line without a heuristic. Several threads and processes may append to one file.
class Census {
public:
  explicit Census(llvm::StringRef kernel);
  ~Census();
  Census(const Census&) = delete;

private:
  std::string kernel_;
};

} // namespace hostcl::compiler
