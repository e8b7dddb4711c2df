#include "differential/way.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <regex>
#include <sstream>

namespace differential {

namespace {

/// Seeds in a row that share their ways: a way is a process, which takes as long to start as a kernel or two
/// to run.
constexpr std::uint64_t seeds_together = 25;

class Choice {
public:
  explicit Choice(std::uint64_t seed) : random_(seed) {}
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::string pick(const std::vector<std::string>& from) { return from[random_() % from.size()]; }

private:
  std::mt19937_64 random_;
};

/// A few heuristics, or many.
std::string some_heuristics(Choice& choice) {
  const unsigned percent = choice.chance(50) ? 15 : 60;
  std::string names;
  for (const std::string& name : heuristics())
    if (choice.chance(percent)) names += (names.empty() ? "" : ",") + name;
  return names.empty() ? heuristics().front() : names;
}

} // namespace

const std::vector<std::string>& heuristics() {
  static const std::vector<std::string> names = {
#define HEURISTIC(name, file, description) #name,
#include "compiler/settings/heuristics.inc"
#undef HEURISTIC
  };
  return names;
}

/// A form of code that the compiler fails to make is a failure: the next form would hide it.
Way way_of(const std::string& settings) {
  Way way{settings, "hostcl", {{"HOSTCL_CACHE", "0"}, {"HOSTCL_TEST_STEPS", "strict"}}, false, 1, {}, {}};
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (word.starts_with("launches=")) {
      way.launches = static_cast<unsigned>(std::max(1, std::atoi(word.c_str() + equals + 1)));
      way.one_by_one |= way.launches > 1;
      continue;
    }
    if (word.starts_with("il=")) {
      way.environment[il_setting] = "-" + word.substr(equals + 1);
      continue;
    }
    std::string name = "HOSTCL_" + word.substr(0, equals);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    way.environment[name] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
  return way;
}

Way other_driver(const std::string& file) {
  return {file.substr(file.rfind('/') + 1),
          "",
          {{"OCL_ICD_VENDORS", file},
           {"OCL_ICD_FILENAMES", file.ends_with(".icd") ? "" : file},
           {"POCL_KERNEL_CACHE", "0"}},
          true,
          1,
          {},
          {}};
}

Way host_way(const std::string& folder) {
  return {"c++ of the host", host_platform, {{"HOSTCL_DIFFERENTIAL_FOLDER", folder}}, true, 1, {}, {}};
}

std::string Way::with_fault(const std::string& source) const {
  return fault.empty() ? source : std::regex_replace(source, std::regex(fault), fault_text);
}

Way faulty_way(const std::string& settings, const std::string& fault) {
  Way way = way_of(settings);
  const std::size_t arrow = std::min(fault.find("=>"), fault.size());
  way.name += " with a fault";
  way.fault = fault.substr(0, arrow);
  way.fault_text = arrow < fault.size() ? fault.substr(arrow + 2) : "";
  return way;
}

std::vector<Way> ways_for(std::uint64_t seed) {
  const std::uint64_t number = seed / seeds_together;
  Choice choice(number);
  const std::vector<std::string> widths = {"0", "1", "4", "8", "16"}, vectors = {"0", "4", "8", "16"};
  auto threads = [&] { return choice.chance(50) ? " threads=1" : ""; };
  auto code = [&] { return choice.chance(70) ? " code=tier1" : ""; };
  auto cpu = [&] {
    return choice.chance(40) ? " cpu=" + choice.pick({"x86-64", "x86-64-v3", "haswell"}) : std::string();
  };
  const std::string off =
      choice.chance(60) ? heuristics()[number % heuristics().size()] : some_heuristics(choice);
  const std::string amd = choice.chance(40) ? " test_steps=strict,amd" : "";
  std::vector<Way> ways = {
      way_of("width=1"), way_of("width=4 code=tier1"), way_of("width=8 code=tier1 threads=1"),
      way_of("width=16 code=tier1"),
      way_of("width=0 code=tier1" + amd), // the compiler's choice for each launch
      // As in any application; tier 1 code may replace the first one between two launches.
      way_of(choice.chance(75) ? "width=0" : "width=0 launches=60"),
      way_of("code=tier0 test_steps=strict,first,long:" + choice.pick({"0", "60", "200"}) + cpu()),
      way_of("check=" + choice.pick({"bounds", "races"}) + " width=0" + code() + threads()),
      way_of("reverse width=" + choice.pick(widths) + code() + threads() + cpu()),
      way_of("without=" + off + " width=" + choice.pick(vectors) + code() + threads() + cpu())};
  ways.front().one_by_one = true;
  return ways;
}

Way without(const Way& way, const std::string& heuristic) {
  std::string settings = way.name;
  const std::string word = "without=";
  const std::size_t at = settings.find(word);
  if (at == std::string::npos)
    settings += " " + word + heuristic;
  else
    settings.insert(at + word.size(), heuristic + ",");
  return way_of(settings);
}

} // namespace differential
