#pragma once

// Fallback levels: how much of the compiler takes part in a kernel's code. If LLVM or a pass fails at one
// level, the kernel is compiled at the next one, so that a launch fails only if all levels fail.

#include <cstdint>

namespace hostcl::compiler {

enum class Effort : std::uint8_t {
  full,   ///< everything
  plain,  ///< no heuristics
  scalar, ///< no heuristics, and one work-item at a time
  bare,   ///< none of LLVM's optimisations, and LLVM's simplest code generator
  none,   ///< no level is left
};

/// The level after another one.
/// @param keeps_width whether the kernel's results depend on the vector width (KernelTraits::sees_vectors):
/// then the level `scalar` is skipped
constexpr Effort next(Effort effort, bool keeps_width) {
  if (effort == Effort::plain && keeps_width) return Effort::bare;
  return effort == Effort::none ? effort : static_cast<Effort>(static_cast<std::uint8_t>(effort) + 1);
}

/// The number of preparations: levels with the same preparation start from the same prepared IR.
inline constexpr unsigned preparations = 3;
constexpr unsigned preparation_of(Effort effort) {
  return effort == Effort::full ? 0 : effort == Effort::bare ? 2 : 1;
}
/// The first level after this one with another preparation.
constexpr Effort next_preparation(Effort effort) {
  return effort == Effort::full ? Effort::plain : effort == Effort::bare ? Effort::none : Effort::bare;
}

/// A text for cache keys that is different for each level, and empty for `full`.
constexpr const char* text_of(Effort effort) {
  constexpr const char* texts[] = {"", "plain", "scalar", "bare", "none"};
  return texts[static_cast<unsigned>(effort)];
}

/// A text for messages.
constexpr const char* name_of(Effort effort) {
  constexpr const char* names[] = {"the full form", "the form without heuristics", "the scalar form",
                                   "the form without optimisations", "no form"};
  return names[static_cast<unsigned>(effort)];
}

} // namespace hostcl::compiler
