#include "conformance/atomics/report.hpp"

#include <algorithm>

namespace conformance {

Row& Report::row(const std::string& section, const std::string& standard, double milliseconds) {
  Row& result = rows_[{section, standard}];
  result.milliseconds += milliseconds;
  result.slowest = std::max(result.slowest, milliseconds);
  return result;
}

void Report::pass(const std::string& section, const std::string& standard, const std::string& name,
                  double milliseconds) {
  ++row(section, standard, milliseconds).passed;
  if (verbose_) std::printf("ok      %s (%.1f ms)\n", name.c_str(), milliseconds);
}

void Report::fail(const std::string& section, const std::string& standard, const std::string& name,
                  const std::string& reason, double milliseconds) {
  ++row(section, standard, milliseconds).failed;
  failures_.push_back(name + ": " + reason.substr(0, reason.find('\n')));
  if (verbose_) std::printf("FAILED  %s: %s\n", name.c_str(), reason.c_str());
}

void Report::not_offered(const std::string& section, const std::string& standard, unsigned count) {
  row(section, standard, 0).not_offered += count;
}

void Report::print(std::FILE* out, const std::string& device) const {
  std::fprintf(
      out, "Atomics on %s. A kernel's time is that of its build, its run and the reading of its results.\n\n",
      device.c_str());
  std::fprintf(out, "| section | version | kernels | passed | failed | not offered | mean ms | slowest ms |\n"
                    "|---|---|---:|---:|---:|---:|---:|---:|\n");
  Row all;
  const auto line = [&](const char* section, const char* standard, const Row& row) {
    const unsigned kernels = row.passed + row.failed;
    std::fprintf(out, "| %s | %s | %u | %u | %u | %u | %.2f | %.1f |\n", section, standard, kernels,
                 row.passed, row.failed, row.not_offered, kernels ? row.milliseconds / kernels : 0.0,
                 row.slowest);
  };
  for (const auto& [key, row] : rows_) {
    line(key.first.c_str(), key.second.c_str(), row);
    all.passed += row.passed;
    all.failed += row.failed;
    all.not_offered += row.not_offered;
    all.milliseconds += row.milliseconds;
    all.slowest = std::max(all.slowest, row.slowest);
  }
  line("**all**", "", all);
  if (failures_.empty()) return;
  std::fprintf(out, "\nFailures:\n\n");
  constexpr size_t most = 60;
  for (size_t i = 0; i < failures_.size() && i < most; ++i)
    std::fprintf(out, "- %s\n", failures_[i].c_str());
  if (failures_.size() > most)
    std::fprintf(out, "- and %zu more (--verbose shows all)\n", failures_.size() - most);
}

} // namespace conformance
