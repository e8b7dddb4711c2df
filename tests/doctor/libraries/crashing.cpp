// A driver that crashes while it is loaded.

#include <csignal>

namespace {

const int crash = std::raise(SIGSEGV);

} // namespace
