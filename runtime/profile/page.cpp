// Part of report.hpp: the page is page.html with the JSON in place of "@PROFILE@". The page's script does the
// rest.

#include "runtime/profile/report.hpp"

#include <string_view>

extern "C" const char hostcl_profile_page[], hostcl_profile_page_end[];

namespace hostcl::runtime::profile {

std::string page_of(const std::string& json) {
  const std::string_view page(hostcl_profile_page,
                              static_cast<std::size_t>(hostcl_profile_page_end - hostcl_profile_page));
  constexpr std::string_view mark = "@PROFILE@";
  const std::size_t place = page.find(mark);
  std::string result(page.substr(0, place));
  // "</script>" in a string would end the script element.
  for (const char c : json)
    c == '<' ? result.append("\\u003c") : result.append(1, c);
  return result.append(page.substr(place + mark.size()));
}

} // namespace hostcl::runtime::profile
