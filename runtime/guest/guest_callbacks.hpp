#pragma once

// The host callbacks of kernels in a guest process. Callbacks of pipes only use shared memory; in the guest and in the
// application they are the same functions. All other callbacks are host calls, which the application answers
// (host_calls.hpp).

#include "runtime/guest/lane.hpp"

#include <csetjmp>

namespace hostcl::runtime::guest {

/// The lane of the calling thread; null for threads without one. A signal handler reads it.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Lane* own_lane;
/// Where the calling thread continues when it leaves its kernel (longjmp()).
extern constinit thread_local std::jmp_buf out_of_kernel;

/// The table of host callbacks. Its first call also sets the handler of traps in functions that were not inlined
/// (trap_handler.hpp).
const abi::HostCallbacks& guest_callbacks();

} // namespace hostcl::runtime::guest
