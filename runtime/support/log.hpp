#pragma once

// Messages for humans on standard error, one line each, chosen by HOSTCL_LOG.

#include "runtime/support/message.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/result.hpp"

#include <new>

namespace hostcl::runtime {

inline bool logs(LogLevel level) {
  return level <= options().log;
}

/// What a message begins with.
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
    return; // a message is not worth failing for
  }
}

} // namespace hostcl::runtime
