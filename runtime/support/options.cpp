#include "runtime/support/options.hpp"

#include "compiler/server/entry.hpp"
#include "runtime/support/message.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

extern char** environ;

namespace hostcl::runtime {

namespace {

/// The names of the values, in the order of the enumerations.
constexpr std::array<std::string_view, 5> level_names = {"off", "error", "warn", "info", "trace"};
constexpr std::array<std::string_view, 3> device_type_names = {"cpu", "gpu", "accelerator"};
/// The last two names are old ones for tier1 and tier0, which the next release will drop.
constexpr std::array<std::string_view, 5> code_names = {"auto", "tier1", "tier0", "best", "universal"};
constexpr std::array<std::string_view, 2> bits_names = {"cpu", "same"};
constexpr std::array<std::string_view, 2> place_names = {"thread", "process"};
constexpr std::array<std::string_view, 3> perf_names = {"none", "map", "jitdump"};

template <class Enumeration, std::size_t count>
bool parse_name(const std::array<std::string_view, count>& names, std::string_view value, Enumeration& into) {
  auto found = std::ranges::find(names, value);
  if (found == names.end()) return false;
  into = static_cast<Enumeration>(found - names.begin());
  return true;
}

template <class Integer>
std::optional<Integer> parse_integer(std::string_view value) {
  unsigned shift = 0;
  if (!value.empty()) {
    switch (value.back()) {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    default:
      break;
    }
    if (shift) value.remove_suffix(1);
  }
  Integer number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return {};
  if (number > (static_cast<Integer>(-1) >> shift)) return {};
  return number << shift;
}

bool parse(std::string_view value, LogLevel& into) {
  return parse_name(level_names, value, into);
}
bool parse(std::string_view value, DeviceType& into) {
  return parse_name(device_type_names, value, into);
}
bool parse(std::string_view value, CodeChoice& into) {
  if (!parse_name(code_names, value, into)) return false;
  constexpr int names = 3;
  if (static_cast<int>(into) >= names) into = static_cast<CodeChoice>(static_cast<int>(into) - 2);
  return true;
}
bool parse(std::string_view value, Bits& into) {
  return parse_name(bits_names, value, into);
}
bool parse(std::string_view value, CompilerPlace& into) {
  return parse_name(place_names, value, into);
}
bool parse(std::string_view value, PerfFiles& into) {
  return parse_name(perf_names, value, into);
}
bool parse(std::string_view value, bool& into) {
  constexpr std::string_view no[] = {"0", "off", "no", "false"}, yes[] = {"1", "on", "yes", "true"};
  const bool is_yes = std::ranges::find(yes, value) != std::end(yes);
  if (!is_yes && std::ranges::find(no, value) == std::end(no)) return false;
  into = is_yes;
  return true;
}
bool parse(std::string_view value, std::string& into) {
  into = value;
  return true;
}
bool parse(std::string_view value, FileName& into) {
  into.assign(absolute_name(value));
  return true;
}
/// A list of kernel names. It becomes part of the build options, so names cannot contain quotes or backslashes.
bool parse(std::string_view value, DebuggedKernels& into) {
  if (bool all = false; parse(value, all)) {
    into = {all, {}};
    return true;
  }
  if (value.find_first_of("\"'\\") != std::string_view::npos) return false;
  std::string names;
  constexpr std::string_view separators = ", \t\n\v\f\r";
  while (true) {
    value.remove_prefix(std::min(value.find_first_not_of(separators), value.size()));
    if (value.empty()) break;
    const std::size_t end = std::min(value.find_first_of(separators), value.size());
    names.append(names.empty() ? "" : ",").append(value.substr(0, end));
    value.remove_prefix(end);
  }
  if (names.empty()) return false;
  into = {false, std::move(names)};
  return true;
}
bool parse(std::string_view value, ThreadCount& into) {
  auto number = parse_integer<unsigned>(value);
  if (!number || *number > ThreadCount::most) return false;
  into = {*number};
  return true;
}
bool parse(std::string_view value, MemorySize& into) {
  auto number = parse_integer<std::uint64_t>(value);
  if (!number || (*number != 0 && *number < MemorySize::least)) return false;
  into = {*number};
  return true;
}
bool parse(std::string_view value, VendorId& into) {
  const bool is_hexadecimal = value.starts_with("0x");
  if (is_hexadecimal) value.remove_prefix(2);
  std::uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  into = {number};
  return true;
}
bool parse(std::string_view value, std::uint64_t& into) {
  auto number = parse_integer<std::uint64_t>(value);
  if (number) into = *number;
  return number.has_value();
}
bool parse(std::string_view value, VectorWidth& into) {
  auto number = parse_integer<unsigned>(value);
  if (!number || (*number != 0 && (!std::has_single_bit(*number) || *number > 64))) return false;
  into = {*number};
  return true;
}

bool is_known(std::string_view variable) {
#define OPTION(type, member, default_value, name, description)                                               \
  if (variable == name) return true;
#include "runtime/support/options.inc"
#undef OPTION
  return variable.starts_with("HOSTCL_TEST_"); // variables of the tests
}

/// The number of letters to insert, remove or replace (Levenshtein distance), without regard to upper and lower case.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  const auto capital = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  std::vector<std::size_t> row(to.size() + 1); // distances between a prefix of `from` and each prefix of `to`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : from) {
    std::size_t diagonal = row[0]++;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t replaced = diagonal + (capital(letter) != capital(to[i]));
      diagonal = row[i + 1];
      row[i + 1] = std::min({replaced, diagonal + 1, row[i] + 1});
    }
  }
  return row.back();
}

struct Parsed {
  Options options;
  std::vector<Complaint> complaints;
};

/// Reads the environment by secure_getenv(): a program with rights that its user lacks (set-user-ID) must not let the
/// user choose which files are read and written.
/// A compile server has the application's environment, but the settings are the application's: the server would put a
/// timeline of its own in place of the application's, and repeat the warnings.
Parsed parse_environment() {
  Parsed parsed;
  if (compiler::is_server()) return parsed;
#define OPTION(type, member, default_value, name, description)                                               \
  if (const char* value = secure_getenv(name); value && *value && !parse(value, parsed.options.member))      \
    parsed.complaints.push_back({name, value, description});
#include "runtime/support/options.inc"
#undef OPTION
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view both = *entry;
    const std::string_view name = both.substr(0, both.find('='));
    if (name.starts_with("HOSTCL_") && !is_known(name))
      parsed.complaints.push_back(
          {std::string(name), std::string(both.substr(std::min(both.size(), name.size() + 1))), ""});
  }
  return parsed;
}

std::string sentence_of(const Complaint& complaint) {
  if (complaint.description.empty())
    return text("unknown variable ", complaint.variable, ", which has no effect; the nearest known one is ",
                nearest_option(complaint.variable), ". docs/settings.md has the list.");
  return text(complaint.variable, "=", complaint.value, " cannot be used and is ignored. ",
              complaint.description);
}

} // namespace

std::string absolute_name(std::string_view name) {
  std::error_code error; // the working folder may have been removed
  const std::filesystem::path path = std::filesystem::absolute(name, error);
  return error ? std::string(name) : path.string();
}

const Options& options() {
  static const Options* instance = [] {
    Parsed parsed = parse_environment();
    auto* result = new Options(parsed.options);
    if (result->log != LogLevel::off)
      for (const Complaint& complaint : parsed.complaints)
        write_message("warning: ", sentence_of(complaint));
    return result;
  }();
  return *instance;
}

std::string_view nearest_option(std::string_view name) {
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
#define OPTION(type, member, default_value, variable, description)                                           \
  if (const std::size_t distance = edit_distance(name, variable); distance < least) {                        \
    least = distance;                                                                                        \
    nearest = variable;                                                                                      \
  }
#include "runtime/support/options.inc"
#undef OPTION
  return nearest;
}

std::vector<Complaint> option_complaints() {
  return parse_environment().complaints;
}

std::string cache_folder() {
  if (!options().cache_dir.empty()) return options().cache_dir;
  if (const char* cache = secure_getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/hostcl";
  if (const char* home = secure_getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/hostcl";
  return {};
}

} // namespace hostcl::runtime
