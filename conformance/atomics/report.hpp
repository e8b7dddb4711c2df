#pragma once

// Counts results by section and language version, keeps the failures, and prints both as Markdown.

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace conformance {

struct Row {
  unsigned passed = 0, failed = 0, not_offered = 0;
  double milliseconds = 0, slowest = 0;
};

class Report {
public:
  explicit Report(bool verbose) : verbose_(verbose) {}

  void pass(const std::string& section, const std::string& standard, const std::string& name,
            double milliseconds);
  void fail(const std::string& section, const std::string& standard, const std::string& name,
            const std::string& reason, double milliseconds = 0);
  /// The device does not claim to have it.
  void not_offered(const std::string& section, const std::string& standard, unsigned count);

  bool good() const { return failures_.empty(); }
  void print(std::FILE* out, const std::string& device) const;

private:
  Row& row(const std::string& section, const std::string& standard, double milliseconds);

  std::map<std::pair<std::string, std::string>, Row> rows_;
  std::vector<std::string> failures_;
  bool verbose_;
};

} // namespace conformance
