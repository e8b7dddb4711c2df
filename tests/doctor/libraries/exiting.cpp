// A driver that writes a lot and ends the process while it is loaded.

#include <cstdio>
#include <cstdlib>

namespace {

struct Exit {
  Exit() {
    for (int i = 0; i < 200'000; ++i)
      std::fputs("this driver has much to say, and says it \x01 \xff without end\n", stderr);
    std::_Exit(3);
  }
};

const Exit now;

} // namespace
