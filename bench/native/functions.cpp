#include "bench/native/code/code.hpp"

namespace bench::native {

std::map<std::string, std::map<std::string, Call>>& functions() {
  static std::map<std::string, std::map<std::string, Call>> all;
  return all;
}

Registered::Registered(const char* compiler, std::initializer_list<Entry> entries) {
  for (const Entry& entry : entries)
    functions()[entry.row][compiler] = entry.call;
}

} // namespace bench::native
