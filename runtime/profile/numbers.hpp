#pragma once

// Numbers as texts for people.

#include <string>

namespace hostcl::runtime::profile {

std::string fixed(double number, int places);
/// Two decimal places below 10, one below 100, and none from 100 on: "0.01", "1.23", "45.6", "789", "12345".
std::string rounded(double number);
/// A time in a suitable unit, with the decimal places of rounded(): "45.6 ns", "3.20 µs", "1.50 ms", "2.10 s".
std::string time_text(double ns);
/// A size with a decimal prefix: "32 bytes", "4.10 KB" (4,100 bytes), "1.20 GB".
std::string bytes_text(double bytes);
/// A share between 0 and 1 as a percentage: "12 %"; below 0.95 % with one decimal place: "0.4 %".
std::string percent_text(double share);

} // namespace hostcl::runtime::profile
