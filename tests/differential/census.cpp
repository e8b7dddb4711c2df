#include "differential/census.hpp"

#include "differential/way.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace differential {

namespace {

constexpr const char* prefix = "census_";
constexpr double least_percent = 1;

double percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

using Changed = std::map<std::string, std::set<std::size_t>>; ///< indices of kernels, by heuristic

Changed read_changes(const std::string& file) {
  Changed changed;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kernel;
    words >> kernel; // the function of a block contains the name of the block's kernel
    const std::size_t at = kernel.find(prefix);
    if (at == std::string::npos) continue;
    const std::size_t number = std::strtoull(kernel.c_str() + at + std::string(prefix).size(), nullptr, 10);
    for (std::string heuristic; words >> heuristic;)
      changed[heuristic].insert(number);
  }
  return changed;
}

} // namespace

Census::Census() : file_("/tmp/hostcl_census_XXXXXX") {
  const int made = mkstemp(file_.data());
  if (made < 0) throw std::runtime_error("there is no file for a census");
  close(made);
  setenv("HOSTCL_TEST_CENSUS", file_.c_str(), 1);
}

Census::~Census() {
  unlink(file_.c_str());
}

std::string Census::name_next(const std::string& theme) {
  themes_.push_back(theme.empty() ? "no theme" : theme);
  return prefix + std::to_string(themes_.size() - 1);
}

unsigned Census::report(std::uint64_t fewest) const {
  std::map<std::string, std::uint64_t> kernels;
  for (const std::string& theme : themes_)
    ++kernels[theme];
  Changed changed = read_changes(file_);
  unsigned below = 0;
  std::printf("%-20s %8s %7s  %s\n", "heuristic", "kernels", "%", "most in");
  for (const std::string& heuristic : heuristics()) {
    const std::set<std::size_t>& numbers = changed[heuristic];
    std::map<std::string, std::uint64_t> by_theme;
    for (const std::size_t number : numbers)
      ++by_theme[themes_.at(number)];
    std::string theme;
    double most = 0;
    for (const auto& [name, count] : by_theme)
      if (const double share = percent(count, kernels[name]); share > most) {
        most = share;
        theme = name;
      }
    const bool is_rare = fewest > 0 && (numbers.size() < fewest || most < least_percent);
    below += is_rare;
    std::printf("%-20s %8zu %7.2f  %s (%.2f %%)%s\n", heuristic.c_str(), numbers.size(),
                percent(numbers.size(), themes_.size()), theme.c_str(), most, is_rare ? ": too seldom" : "");
  }
  if (below > 0)
    std::printf("%u heuristics change fewer than %llu kernels, or less than %g %% of those of any theme\n",
                below, static_cast<unsigned long long>(fewest), least_percent);
  std::fflush(stdout);
  return below;
}

} // namespace differential
