#pragma once

#include "runtime/support/application_code.hpp"
#include "runtime/support/cl.hpp"
#include "runtime/support/lock.hpp"

#include <mutex>
#include <ranges>
#include <vector>

namespace hostcl::runtime {

/// Callbacks of the application for the end of an object. The callback that was registered last is called
/// first.
template <class Handle>
class DestructorCallbacks {
public:
  using Callback = void(CL_CALLBACK*)(Handle, void*);

  void add(Callback callback, void* user_data) {
    const SignalMask mask = SignalMask::of_this_thread();
    std::scoped_lock guard(lock_);
    registered_.push_back({callback, user_data, mask});
  }
  // The following are called by the object's destructor, when no thread can add a callback any more.

  bool is_empty() const { return registered_.empty(); }
  void call(Handle handle) const {
    for (const Registered& r : std::views::reverse(registered_)) {
      const ApplicationCode scope(r.mask);
      r.callback(handle, r.user_data);
    }
  }

private:
  struct Registered {
    Callback callback;
    void* user_data;
    SignalMask mask;
  };
  Lock lock_; ///< guards registered_
  std::vector<Registered> registered_;
};

} // namespace hostcl::runtime
