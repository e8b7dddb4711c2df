#pragma once

namespace hostcl::runtime {

/// Has the function called when the calling thread ends, or exit() if it calls that. Objects of the thread
/// that the function cleans up should have no destructor: destructors of the application may be called later,
/// and use them again.
template <void (*function)()>
void at_thread_end() {
  struct Caller {
    ~Caller() { function(); }
  };
  [[maybe_unused]] static thread_local const Caller caller;
}

} // namespace hostcl::runtime
