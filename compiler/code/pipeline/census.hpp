#pragma once

// The census, for tests: a list of the heuristics that have changed each kernel. A heuristic that changes no
// kernel of the tests is not tested, because its mistakes cannot appear in any result.

#include "llvm/ADT/StringRef.h"

#include <string>

namespace hostcl::compiler {

/// The file that HOSTCL_TEST_CENSUS names; null if the variable is not set.
const char* census_file();

/// Exists while this thread compiles a kernel. The destructor appends a line to the file that
/// HOSTCL_TEST_CENSUS names: the kernel's name, followed by the heuristics that have changed the kernel
/// (note_change()), separated by spaces. A kernel that no heuristic has changed gets no line. Several threads
/// and processes may append to one file.
class Census {
public:
  explicit Census(llvm::StringRef kernel);
  ~Census();
  Census(const Census&) = delete;

private:
  std::string kernel_;
};

} // namespace hostcl::compiler
