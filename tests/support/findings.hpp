#pragma once

// What checked kernels (HOSTCL_CHECK) have reported to the file HOSTCL_CHECK_REPORT.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace test {

struct Finding {
  std::string check, kernel, access, object, place, source;
  int line = 0, column = 0;
  std::array<std::uint64_t, 3> global_id{}, local_id{}, group_id{};
};

/// The findings of a piece of a test. Each place in a program is reported once in a process, so that kernels that are
/// to be compared have different names.
class Findings {
public:
  Findings() : name_(std::getenv("HOSTCL_CHECK_REPORT")) { std::ofstream(name_, std::ios::trunc); }

  std::vector<Finding> all() const {
    std::vector<Finding> findings;
    std::ifstream file(name_);
    for (std::string line; std::getline(file, line);) {
      Finding f{text(line, "check"),  text(line, "kernel"), text(line, "access"),
                text(line, "object"), text(line, "place"),  text(line, "source")};
      f.line = std::atoi(match(line, "\"line\":([0-9]+)").c_str());
      f.column = std::atoi(match(line, "\"column\":([0-9]+)").c_str());
      f.global_id = id(line, "global_id");
      f.local_id = id(line, "local_id");
      f.group_id = id(line, "group_id");
      findings.push_back(f);
    }
    return findings;
  }

private:
  static std::string match(const std::string& line, const std::string& pattern) {
    std::smatch found;
    return std::regex_search(line, found, std::regex(pattern)) ? found[1].str() : std::string();
  }
  static std::string text(const std::string& line, const std::string& key) {
    return match(line, "\"" + key + "\":\"((?:[^\"\\\\]|\\\\.)*)\"");
  }
  static std::array<std::uint64_t, 3> id(const std::string& line, const std::string& key) {
    std::array<std::uint64_t, 3> id{};
    for (unsigned d = 0; d < 3; ++d) {
      const std::string before = d == 0 ? "" : d == 1 ? "[0-9]+," : "[0-9]+,[0-9]+,";
      id[d] = std::strtoull(match(line, "\"" + key + "\":\\[" + before + "([0-9]+)").c_str(), nullptr, 10);
    }
    return id;
  }

  std::string name_;
};

/// The findings that were written since the last call, as lines of JSON.
inline std::vector<std::string> new_findings() {
  static std::streamoff read = 0;
  std::ifstream file(std::getenv("HOSTCL_CHECK_REPORT"));
  file.seekg(read);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line); read += static_cast<std::streamoff>(line.size()) + 1)
    lines.push_back(line);
  return lines;
}

} // namespace test
