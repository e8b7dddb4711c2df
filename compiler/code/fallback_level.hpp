#pragma once

// Fallback levels: how much of the compiler takes part in a kernel's code. If LLVM or a pass fails at one
// level, the kernel is compiled at the next one, so that a launch fails only if all levels fail.

#include <cstdint>

namespace hostcl::compiler {

enum class FallbackLevel : std::uint8_t {
  full,   ///< everything
  plain,  ///< no heuristics
  scalar, ///< no heuristics, and one work-item at a time
  bare,   ///< none of LLVM's optimisations, and LLVM's unoptimised code generator
  none,   ///< no level is left
};

/// The level after another one.
/// @param keeps_width whether the kernel's results depend on the vector width (KernelProperties::sees_vectors):
/// then the level `scalar` is skipped
constexpr FallbackLevel next(FallbackLevel level, bool keeps_width) {
  if (level == FallbackLevel::plain && keeps_width) return FallbackLevel::bare;
  return level == FallbackLevel::none ? level
                                      : static_cast<FallbackLevel>(static_cast<std::uint8_t>(level) + 1);
}

/// The number of preparations: levels with the same preparation start from the same prepared IR.
inline constexpr unsigned preparations = 3;
constexpr unsigned preparation_of(FallbackLevel level) {
  return level == FallbackLevel::full ? 0 : level == FallbackLevel::bare ? 2 : 1;
}
/// The first level after this one with another preparation.
constexpr FallbackLevel next_preparation(FallbackLevel level) {
  return level == FallbackLevel::full   ? FallbackLevel::plain
         : level == FallbackLevel::bare ? FallbackLevel::none
                                        : FallbackLevel::bare;
}

/// The level's name for `hostclc --fallback-level`; empty for `full`, which is the default.
constexpr const char* text_of(FallbackLevel level) {
  constexpr const char* texts[] = {"", "plain", "scalar", "bare", "none"};
  return texts[static_cast<unsigned>(level)];
}

/// A text for messages.
constexpr const char* name_of(FallbackLevel level) {
  constexpr const char* names[] = {"fallback level 0 (full)", "fallback level 1 (without heuristics)",
                                   "fallback level 2 (scalar)", "fallback level 3 (without optimisations)",
                                   "no fallback level"};
  return names[static_cast<unsigned>(level)];
}

} // namespace hostcl::compiler
