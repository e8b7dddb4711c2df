#pragma once

// Programs that were written to end, hang or exhaust a compiler, in classes.

#include <string>
#include <string_view>
#include <vector>

namespace test {

/// One program. If it has a kernel k(global int*), that may be launched with one work-item and a megabyte.
struct HostileSource {
  std::string name;
  std::string text;
  std::string options;
  bool is_long = false; ///< takes seconds or gigabytes: not in every run
};

/// @param folder has what programs include: `endless`, a FIFO without a writer, and `self.h`, which includes itself
std::vector<HostileSource> hostile_sources(const std::string& folder);

/// The text with a few tokens changed, taken from elsewhere in it, repeated or left out.
std::string mutated(std::string_view text, unsigned seed);

} // namespace test
