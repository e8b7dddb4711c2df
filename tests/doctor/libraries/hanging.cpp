// A driver that does not return from being loaded.

#include <unistd.h>

namespace {

const int forever = [] {
  for (;;)
    ::pause();
  return 0;
}();

} // namespace
