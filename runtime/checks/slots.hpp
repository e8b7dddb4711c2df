#pragma once

// Sets of slots, as bit vectors. A slot is a small number that command_order.hpp gives each command that it keeps.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hostcl::runtime::checks {

using Slots = std::vector<std::uint64_t>;

inline bool has(const Slots& slots, std::size_t slot) {
  return slot / 64 < slots.size() && (slots[slot / 64] >> slot % 64 & 1);
}

inline void set(Slots& slots, std::size_t slot) {
  if (slots.size() <= slot / 64) slots.resize(slot / 64 + 1);
  slots[slot / 64] |= std::uint64_t{1} << slot % 64;
}

inline void reset(Slots& slots, std::size_t slot) {
  if (slot / 64 < slots.size()) slots[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
}

/// Calls `visit` with each slot that is in both sets.
template <class Visit>
void for_each_common(const Slots& a, const Slots& b, Visit visit) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (std::uint64_t bits = a[i] & b[i]; bits; bits &= bits - 1)
      visit(i * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

inline void take_away(Slots& slots, const Slots& others) {
  for (std::size_t i = 0; i < std::min(slots.size(), others.size()); ++i)
    slots[i] &= ~others[i];
}

inline void join(Slots& slots, const Slots& others) {
  if (slots.size() < others.size()) slots.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i)
    slots[i] |= others[i];
}

} // namespace hostcl::runtime::checks
