// Part of description.hpp: the descriptions in the folder devices/, which the library contains (shipped.S.in).

#include "runtime/description/description.hpp"

#include <span>

namespace hostcl::runtime {

namespace {

/// A row of the table in shipped.S.in.
struct Shipped {
  const char* name;
  const char* begin;
  const char* end;
};

extern "C" {
[[gnu::visibility("hidden")]] extern const Shipped hostcl_devices[];
[[gnu::visibility("hidden")]] extern const Shipped hostcl_devices_end[];
}

std::span<const Shipped> all() {
  return {hostcl_devices, hostcl_devices_end};
}

} // namespace

std::vector<std::string_view> shipped_descriptions() {
  std::vector<std::string_view> names;
  for (const Shipped& one : all())
    names.emplace_back(one.name);
  return names;
}

std::string_view shipped_description(std::string_view name) {
  for (const Shipped& one : all())
    if (name == one.name) return {one.begin, one.end};
  return {};
}

} // namespace hostcl::runtime
