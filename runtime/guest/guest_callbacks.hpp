#pragma once

// The host callbacks in a guest process. Those that only use memory of both processes, as pipes do, are the driver's
// usual ones; the others ask the application (host_calls.hpp).

#include "runtime/guest/lane.hpp"

#include <csetjmp>

namespace hostcl::runtime::guest {

/// The lane of the calling thread; null for threads without one. A signal handler reads it.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Lane* own_lane;
/// Where the thread continues when its kernel is left.
extern constinit thread_local std::jmp_buf out_of_kernel;

/// All host callbacks, also the handler of traps in functions that were not inlined (trap_handler.hpp).
const abi::HostCallbacks& guest_callbacks();

} // namespace hostcl::runtime::guest
