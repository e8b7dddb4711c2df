#pragma once

// Messages for users on standard error, one line each. HOSTCL_LOG chooses which levels are written.

#include "runtime/support/message.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/result.hpp"

#include <new>

namespace hostcl::runtime {

inline bool logs(LogLevel level) {
  return level <= options().log;
}

/// The beginning of a message of this level.
inline const char* kind_of(LogLevel level) {
  static constexpr const char* kinds[] = {"", "error: ", "warning: ", "", ""};
  return kinds[static_cast<int>(level)];
}

template <class... Parts>
void log(LogLevel level, const Parts&... parts) noexcept {
  if (!logs(level)) return;
  try {
    write_message(kind_of(level), text(parts...));
  } catch (const std::bad_alloc&) {
    return; // no memory for the message: the call itself need not fail
  }
}

} // namespace hostcl::runtime
