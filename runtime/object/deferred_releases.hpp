#pragma once

// References that a thread releases together. Consecutive launches use the same objects. If the thread that runs the
// launches released each reference by itself, the objects' counts would move to its processor and back for each launch,
// while another thread enqueues more launches.

#include "runtime/object/object.hpp"
#include "runtime/support/application_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hostcl::runtime {

/// While an object of this class exists, references that its thread passes to release() are kept until release_all(),
/// or until the object is destroyed. A thread may have several nested objects; release() then uses the innermost.
class DeferredReleases {
public:
  DeferredReleases() : outer_(std::exchange(innermost_, this)) {}
  DeferredReleases(const DeferredReleases&) = delete;
  ~DeferredReleases() {
    release_all();
    innermost_ = outer_;
  }

  /// Releases a reference that the caller owns, at once or later. At once while the application's code runs: a callback
  /// or native kernel that releases objects sees them end.
  static void release(Object& object) {
    if (innermost_ && !ApplicationCode::is_running())
      innermost_->add(object);
    else
      object.release();
  }

  /// May call callbacks of the application, which may call release_all() themselves.
  void release_all() {
    while (count_ > 0) {
      const auto [object, references] = kept_[--count_];
      object->release(references);
    }
  }

private:
  struct Kept {
    Object* object;
    std::uint32_t references;
  };

  void add(Object& object) {
    for (std::size_t i = 0; i < count_; ++i)
      if (kept_[i].object == &object) {
        ++kept_[i].references;
        return;
      }
    if (count_ == kept_.size())
      object.release();
    else
      kept_[count_++] = {&object, 1};
  }

  static inline constinit thread_local DeferredReleases* innermost_ = nullptr;

  DeferredReleases* outer_;
  std::size_t count_ = 0;
  std::array<Kept, 4> kept_;
};

} // namespace hostcl::runtime
