#pragma once

// Numbers as texts for people.

#include <string>

namespace hostcl::runtime::profile {

std::string fixed(double number, int places);
/// Three significant digits: "1.23", "45.6", "789", "12300".
std::string rounded(double number);
/// "3.2 µs", "1.5 ms", "2.1 s".
std::string time_text(double ns);
/// "32 bytes", "4.1 KB", "1.2 GB".
std::string bytes_text(double bytes);
/// "12 %".
std::string percent_text(double share);

} // namespace hostcl::runtime::profile
