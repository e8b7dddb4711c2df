#include "compiler/code/pipeline/census.hpp"

#include "compiler/settings/heuristics.hpp"

#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace hostcl::compiler {

const char* census_file() {
  static const char* const file = secure_getenv("HOSTCL_TEST_CENSUS");
  return file;
}

Census::Census(llvm::StringRef kernel) {
  if (!census_file()) return;
  kernel_ = kernel.str();
  take_changes(); // drops the changes of a compilation that did not end
}

Census::~Census() {
  if (!census_file()) return;
  std::string line = kernel_ + "," + names_of(take_changes());
  if (line.size() == kernel_.size() + 1) return;
  std::ranges::replace(line, ',', ' ');
  line.back() = '\n';
  const int file = open(census_file(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  // One call of write(), so that lines of several threads and processes do not mix.
  [[maybe_unused]] const ssize_t written = write(file, line.data(), line.size());
  close(file);
}

} // namespace hostcl::compiler
