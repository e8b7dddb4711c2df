#include "runtime/description/chosen_devices.hpp"

#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace hostcl::runtime {

namespace {

/// The text of a shipped description or of a file. If there is neither, the text is empty and a warning says so.
std::string text_of(const std::string& name) {
  if (const std::string_view shipped = shipped_description(name); !shipped.empty())
    return std::string(shipped);
  std::ifstream file(name);
  std::string contents{std::istreambuf_iterator<char>(file), {}};
  if (!contents.empty()) return contents;
  std::string known;
  for (const std::string_view one : shipped_descriptions())
    known.append(known.empty() ? "" : ", ").append(one);
  log(LogLevel::warn, "HOSTCL_DEVICE=", name,
      " is ignored: there is no shipped description of this name, and no file "
      "that can be read. Shipped descriptions are ",
      known);
  return {};
}

} // namespace

std::vector<DeviceDescription> chosen_descriptions() {
  std::vector<DeviceDescription> descriptions;
  std::string_view list = options().device;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string name(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    const std::string contents = name.empty() ? "" : text_of(name);
    if (contents.empty()) continue;
    auto parsed = parse_device_description(contents);
    if (!parsed.ok()) {
      log(LogLevel::warn, "HOSTCL_DEVICE=", name, " is ignored: ", parsed.error().sentence());
      continue;
    }
    descriptions.push_back(std::move(parsed).value());
    DeviceDescription& description = descriptions.back();
    if (description.name.empty()) description.name = name;
    for (const std::string& warning : description.warnings)
      log(LogLevel::warn, "HOSTCL_DEVICE=", name, ": ", warning);
  }
  return descriptions;
}

} // namespace hostcl::runtime
