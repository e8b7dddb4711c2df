#pragma once

// How the arguments `over0` to `over3` share memory: the memory object or the allocation that each of them is given, and
// where in it. `at0` to `at3` tell the kernel where its work-items' places are from there.

#include "differential/case.hpp"

#include <span>

namespace differential {

constexpr unsigned shared_arguments = 4;

enum class SharedMemory : std::uint8_t {
  buffers,       ///< or parts of them as sub-buffers
  svm,           ///< addresses of shared virtual memory
  usm,           ///< addresses of host memory of cl_intel_unified_shared_memory
  buffer_on_svm, ///< the first two arguments are a buffer on what the others have addresses of
};

struct Sharing {
  struct Place {
    unsigned allocation;
    unsigned zone;   ///< of those that an allocation has, none of which reaches into another
    unsigned offset; ///< in words from the zone's beginning
  };
  const char* name;
  SharedMemory memory;
  std::array<Place, shared_arguments> places;
};

/// All that are known by a name.
std::span<const Sharing> sharings();

/// That of a range, or the first, in which nothing is shared.
const Sharing& sharing_of(const Range& range);

/// The number of an argument, from its name; nothing for other parameters.
std::optional<unsigned> shared_argument(const std::string& parameter);

/// In a range's allocations: words of a zone, and of all of them; where the work-items' places begin in a zone.
std::size_t zone_words(const Range& range);
std::size_t allocation_words(const Range& range);
constexpr unsigned first_place = 192;

/// The first contents of an allocation.
std::vector<unsigned char> shared_contents(const Range& range, unsigned allocation);

/// From where to where an argument goes in its allocation, in bytes.
struct Extent {
  std::size_t offset, size;
};
Extent extent_of(const Range& range, unsigned argument);

} // namespace differential
