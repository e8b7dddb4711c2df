#include "differential/case.hpp"

#include <sstream>

namespace differential {

namespace {

std::string line_of(const Range& range) {
  std::string line = "// range: dimensions " + std::to_string(range.dimensions);
  auto add = [&](const char* name, const std::array<std::size_t, 3>& sizes) {
    line += std::string(" ") + name;
    for (unsigned d = 0; d < range.dimensions; ++d)
      line += ' ' + std::to_string(sizes[d]);
  };
  add("global", range.global);
  if (range.has_local)
    add("local", range.local);
  else
    line += " local driver";
  add("offset", range.offset);
  if (!range.sharing.empty()) line += " sharing " + range.sharing;
  return line + '\n';
}

/// "NAME 1 2 3", as many numbers as there are dimensions; or "NAME driver".
bool read_sizes(std::istream& words, const char* name, const Range& range, std::array<std::size_t, 3>& sizes,
                bool* has_sizes = nullptr) {
  std::string word;
  if (!(words >> word) || word != name) return false;
  const auto at = words.tellg();
  if (has_sizes && words >> word && word == "driver") {
    *has_sizes = false;
    return true;
  }
  words.seekg(at);
  for (unsigned d = 0; d < range.dimensions; ++d)
    if (!(words >> sizes[d])) return false;
  return true;
}

std::optional<Range> range_of(std::istream& words) {
  Range range;
  std::string word;
  if (!(words >> word >> range.dimensions) || range.dimensions < 1 || range.dimensions > 3 ||
      !read_sizes(words, "global", range, range.global) ||
      !read_sizes(words, "local", range, range.local, &range.has_local) ||
      !read_sizes(words, "offset", range, range.offset))
    return std::nullopt;
  if (words >> word && word == "sharing") words >> range.sharing;
  return range;
}

} // namespace

std::optional<Launches> launches_of(const std::string& text) {
  Launches launches;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    std::istringstream words(line);
    std::string word;
    words >> word >> word;
    if (word == "range:") {
      std::optional<Range> range = range_of(words);
      if (!range) return std::nullopt;
      launches.ranges.push_back(*range);
    } else if (word == "at") { // "at once: queues 3 threads 2"
      words >> word >> word >> launches.queues >> word >> launches.threads;
    }
  }
  if (launches.ranges.empty()) return std::nullopt;
  return launches;
}

std::string Case::text() const {
  std::string text;
  for (const Range& range : launches.ranges)
    text += line_of(range);
  if (launches.queues > 0)
    text += "// at once: queues " + std::to_string(launches.queues) + " threads " +
            std::to_string(launches.threads) + '\n';
  return text + print(kernel);
}

bool emulates_sub_groups(const std::string& source) {
  return source.find("EMULATE") != std::string::npos;
}

bool requires_sub_groups(const std::string& source) {
  return source.find("#define REQUIRED") != std::string::npos;
}

} // namespace differential
