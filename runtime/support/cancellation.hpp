#pragma once

#include <pthread.h>

namespace hostcl::runtime {

/// While an object of this class exists, pthread_cancel() of the calling thread is delayed, because it would unwind the
/// driver's frames in the middle of their work. The thread ends at its first cancellation point afterwards.
class CancellationDelay {
public:
  CancellationDelay() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationDelay() { pthread_setcancelstate(before_, nullptr); }
  CancellationDelay(const CancellationDelay&) = delete;

private:
  int before_;
};

} // namespace hostcl::runtime
