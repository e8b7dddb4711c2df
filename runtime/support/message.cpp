#include "runtime/support/log.hpp"

#include "compiler/write_signals.hpp"

#include <unistd.h>

namespace hostcl::runtime {

void write_log(LogLevel level, std::string_view message) {
  static constexpr const char* names[] = {"", "error: ", "warning: ", "", ""};
  std::string line = text("hostcl: ", names[static_cast<int>(level)], message);
  if (line.back() != '\n') line += '\n';
  WriteSignalsBlocked no_signals; // a pipe whose reader is gone
  // A failure of this write is ignored: there is no other place to report it to.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

} // namespace hostcl::runtime
