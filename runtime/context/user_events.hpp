#pragma once

// The incomplete events of a context that are not completed by a command: user events of the application or of kernels,
// and events of waits for semaphores. When the context is terminated, all these events are ended, because commands that
// wait for them could otherwise wait for ever. For the same reason, a command that is cancelled no longer waits for
// them.

#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <mutex>

namespace hostcl::runtime {

/// A context's list of incomplete events that no command of the driver completes. Any thread may call the methods.
class UserEvents {
public:
  /// An event's element of the list: a member of the event.
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
  /// Removes all events from the list, because events of kernels may outlive the context.
  ~UserEvents();

  /// Adds an event. The caller holds a reference to the event. After end_all(), the event is ended instead.
  void add(Place& place);
  /// Ends all events of the list, and has add() end later events. Calls callbacks of the application.
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
