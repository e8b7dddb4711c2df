#pragma once

// The forms that a kernel's code can have, from the fastest to the simplest. A form that LLVM or a pass fails at is
// given up for the next one, so that a launch fails only if there is none left.

#include <cstdint>

namespace hostcl::compiler {

enum class Effort : std::uint8_t {
  full,   ///< all that the compiler can do
  plain,  ///< without heuristics
  scalar, ///< that, one work-item at a time
  bare,   ///< without LLVM's optimisations, and with its simplest code generator
  none,   ///< no form is left
};

/// The form after another one.
/// @param keeps_width whether the kernel sees its vectors: then it keeps them
constexpr Effort next(Effort effort, bool keeps_width) {
  if (effort == Effort::plain && keeps_width) return Effort::bare;
  return effort == Effort::none ? effort : static_cast<Effort>(static_cast<std::uint8_t>(effort) + 1);
}

/// Prepared kernels differ between these alone.
inline constexpr unsigned preparations = 3;
constexpr unsigned preparation_of(Effort effort) {
  return effort == Effort::full ? 0 : effort == Effort::bare ? 2 : 1;
}
/// The first form with another preparation.
constexpr Effort next_preparation(Effort effort) {
  return effort == Effort::full ? Effort::plain : effort == Effort::bare ? Effort::none : Effort::bare;
}

/// Distinct for distinct efforts, empty for the full one; part of cache keys.
constexpr const char* text_of(Effort effort) {
  constexpr const char* texts[] = {"", "plain", "scalar", "bare", "none"};
  return texts[static_cast<unsigned>(effort)];
}

/// For messages: "compiling with all optimisations failed".
constexpr const char* name_of(Effort effort) {
  constexpr const char* names[] = {"with all optimisations", "without heuristics",
                                   "for one work-item at a time", "without optimisations", "not at all"};
  return names[static_cast<unsigned>(effort)];
}

} // namespace hostcl::compiler
