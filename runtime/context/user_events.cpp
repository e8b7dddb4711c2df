#include "runtime/context/user_events.hpp"

#include <utility>

namespace hostcl::runtime {

UserEvents::~UserEvents() {
  while (first_) {
    first_->list_ = nullptr;
    unlink(*first_);
  }
}

void UserEvents::add(Place& place) {
  {
    std::scoped_lock guard(lock_);
    if (!is_ended_) {
      place.list_ = this;
      place.next_ = first_;
      if (first_) first_->previous_ = &place;
      first_ = &place;
      return;
    }
  }
  place.end_(place.event_);
}

void UserEvents::remove(Place& place) {
  std::scoped_lock guard(lock_);
  if (place.previous_ || first_ == &place) unlink(place);
}

void UserEvents::unlink(Place& place) {
  (place.previous_ ? place.previous_->next_ : first_) = place.next_;
  if (place.next_) place.next_->previous_ = place.previous_;
  place.next_ = place.previous_ = nullptr;
}

void UserEvents::end_all() {
  for (;;) {
    Ref<_cl_event> event;
    void (*end)(_cl_event&) = nullptr;
    {
      std::scoped_lock guard(lock_);
      is_ended_ = true;
      if (!first_) return;
      // An event that cannot be retained is being destroyed.
      if (first_->event_.try_retain()) event = Ref<_cl_event>::adopt(&first_->event_);
      end = first_->end_;
      unlink(*first_);
    }
    if (event) end(*event);
  }
}

} // namespace hostcl::runtime
