#include "differential/sharing.hpp"

#include "differential/buffers.hpp"

#include <algorithm>
#include <stdexcept>

namespace differential {

namespace {

constexpr unsigned zones = 4, words_of_item = 4, word_bytes = 4;
constexpr std::size_t zone_alignment = 32; ///< words of what sub-buffers are aligned to

constexpr auto buffers = SharedMemory::buffers;
constexpr Sharing all[] = {
    {"disjoint", buffers, {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}}},
    {"same", buffers, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}},
    {"pairs", buffers, {{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}}},
    {"parts", buffers, {{{0, 0, 0}, {0, 0, 32}, {0, 0, 64}, {0, 0, 32}}}},
    {"whole_and_parts", buffers, {{{0, 0, 96}, {1, 0, 0}, {0, 0, 0}, {0, 0, 32}}}},
    {"parts_disjoint", buffers, {{{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}}}},
    {"two_in_parts", buffers, {{{0, 1, 0}, {0, 0, 0}, {0, 1, 64}, {1, 2, 0}}}},
    {"svm", SharedMemory::svm, {{{0, 0, 0}, {0, 0, 1}, {0, 0, 7}, {0, 0, 33}}}},
    {"svm_disjoint", SharedMemory::svm, {{{0, 0, 0}, {1, 0, 0}, {2, 0, 3}, {3, 0, 1}}}},
    {"svm_zones", SharedMemory::svm, {{{0, 0, 0}, {0, 1, 0}, {0, 3, 0}, {0, 0, 5}}}},
    {"usm", SharedMemory::usm, {{{0, 0, 0}, {0, 0, 3}, {0, 0, 64}, {0, 0, 5}}}},
    {"usm_disjoint", SharedMemory::usm, {{{0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {1, 0, 2}}}},
    {"buffer_on_svm", SharedMemory::buffer_on_svm, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 9}}}},
};

} // namespace

std::span<const Sharing> sharings() {
  return all;
}

const Sharing& sharing_of(const Range& range) {
  if (range.sharing.empty()) return all[0];
  const auto found = std::ranges::find_if(all, [&](const Sharing& s) { return range.sharing == s.name; });
  if (found == std::end(all)) throw std::runtime_error("arguments cannot be shared as " + range.sharing);
  return *found;
}

std::optional<unsigned> shared_argument(const std::string& parameter) {
  if (parameter.size() != 5 || !parameter.starts_with("over")) return std::nullopt;
  return static_cast<unsigned>(parameter[4] - '0');
}

std::size_t zone_words(const Range& range) {
  const std::size_t words = first_place + words_of_item * range.items() + 16;
  return (words + zone_alignment - 1) / zone_alignment * zone_alignment;
}

std::size_t allocation_words(const Range& range) {
  return zone_words(range) * zones;
}

std::vector<unsigned char> shared_contents(const Range& range, unsigned allocation) {
  const BufferPlan plan{BufferPlan::Fill::integers, allocation_words(range) * word_bytes, true};
  return contents(plan, "shared" + std::to_string(allocation));
}

Extent extent_of(const Range& range, unsigned argument) {
  const Sharing::Place place = sharing_of(range).places.at(argument);
  const std::size_t words = zone_words(range);
  return {(place.zone * words + place.offset) * word_bytes, (words - place.offset) * word_bytes};
}

} // namespace differential
