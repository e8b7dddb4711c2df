#pragma once

// The incomplete events of a context that no command of the driver completes: user events of the application or of
// kernels, and waits for semaphores. A command that waits for such an event could wait for ever once the context has
// been terminated, or once the command has been cancelled.

#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <mutex>

namespace hostcl::runtime {

/// Belongs to a context. Any thread may call its methods.
class UserEvents {
public:
  /// The place of an event in the list, a member of the event.
  class Place {
  public:
    /// @param end completes the event with CL_CONTEXT_TERMINATED_KHR
    Place(_cl_event& event, void (*end)(_cl_event&)) : event_(event), end_(end) {}
    ~Place() {
      if (list_) list_->remove(*this);
    }
    Place(const Place&) = delete;

  private:
    friend UserEvents;
    _cl_event& event_;
    void (*end_)(_cl_event&);
    UserEvents* list_ = nullptr;
    Place* next_ = nullptr;
    Place* previous_ = nullptr;
  };

  UserEvents() = default;
  UserEvents(const UserEvents&) = delete;
  /// Events of kernels may outlive the context.
  ~UserEvents();

  /// Adds an event, to which the caller holds a reference. After end_all(), ends the event instead.
  void add(Place& place);
  /// Ends all events, and those that are added later. Calls callbacks of the application.
  void end_all();
  /// Calls `visit` for each event, with the lock of the list held.
  template <class Visit>
  void for_each(Visit visit) {
    std::scoped_lock guard(lock_);
    for (Place* place = first_; place; place = place->next_)
      visit(place->event_);
  }

private:
  void remove(Place& place);
  void unlink(Place& place);

  Lock lock_; ///< guards the members below and the links of the places
  Place* first_ = nullptr;
  bool is_ended_ = false;
};

} // namespace hostcl::runtime
