#include "runtime/support/message.hpp"

#include "compiler/isolation/write_signals.hpp"
#include "runtime/support/result.hpp"

#include <string>
#include <unistd.h>

namespace hostcl::runtime {

void write_message(std::string_view kind, std::string_view message) {
  std::string line = text("hostcl: ", kind, message);
  if (line.back() != '\n') line += '\n';
  WriteSignalsBlocked no_signals; // a pipe without a reader must not raise SIGPIPE
  // If the write fails, there is no other place to report that.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

} // namespace hostcl::runtime
