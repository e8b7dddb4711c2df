#pragma once

// Messages for humans on standard error, one line each, chosen by HOSTCL_LOG.

#include "runtime/object/result.hpp"
#include "runtime/support/options.hpp"

#include <new>
#include <string_view>

namespace hostcl::runtime {

inline bool logs(LogLevel level) {
  return level <= options().log;
}

/// Writes unconditionally, in one write.
void write_log(LogLevel level, std::string_view message);

template <class... Parts>
void log(LogLevel level, const Parts&... parts) noexcept {
  if (!logs(level)) return;
  try {
    write_log(level, text(parts...));
  } catch (const std::bad_alloc&) {
    return; // a message is not worth failing for
  }
}

} // namespace hostcl::runtime
