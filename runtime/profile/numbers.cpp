#include "runtime/profile/numbers.hpp"

#include <charconv>
#include <cmath>
#include <iterator>

namespace hostcl::runtime::profile {

/// Not by printf(), whose result depends on the application's locale.
std::string fixed(double number, int places) {
  char digits[400];
  return {digits, std::to_chars(digits, std::end(digits), number, std::chars_format::fixed, places).ptr};
}

std::string rounded(double number) {
  const double size = std::fabs(number);
  return fixed(number, size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string time_text(double ns) {
  if (ns < 999.5) return rounded(ns) + " ns";
  if (ns < 999.5e3) return rounded(ns / 1e3) + " µs";
  if (ns < 999.5e6) return rounded(ns / 1e6) + " ms";
  return rounded(ns / 1e9) + " s";
}

std::string bytes_text(double bytes) {
  if (bytes < 999.5) return std::to_string(std::llround(bytes)) + " bytes";
  if (bytes < 999.5e3) return rounded(bytes / 1e3) + " KB";
  if (bytes < 999.5e6) return rounded(bytes / 1e6) + " MB";
  return rounded(bytes / 1e9) + " GB";
}

std::string percent_text(double share) {
  return fixed(100 * share, share > 0 && share < 0.0095 ? 1 : 0) + " %";
}

} // namespace hostcl::runtime::profile
