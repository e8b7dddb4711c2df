#pragma once

// Messages for humans on standard error, one line each, chosen by HOSTCL_LOG.

#include "runtime/options.hpp"
#include "runtime/result.hpp"

#include <string_view>

namespace hostcl::runtime {

inline bool logs(LogLevel level) {
  return level <= options().log;
}

/// Writes unconditionally, in one write.
void write_log(LogLevel level, std::string_view message);

template <class... Parts>
void log(LogLevel level, const Parts&... parts) {
  if (logs(level)) write_log(level, text(parts...));
}

} // namespace hostcl::runtime
