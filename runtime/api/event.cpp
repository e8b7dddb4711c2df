// Events (OpenCL 3.0 API, 5.11 and 5.14). Declared in runtime/api/api.hpp.

#include "runtime/queue/event.hpp"
#include "runtime/api/api.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

Result<cl_event> create_user_event(cl_context handle) {
  TRY(Context & context, usable_context(handle));
  return expose(make_object<Event>(context));
}

Status set_user_event_status(cl_event handle, cl_int status) {
  TRY(Event & event, object_cast<Event>(handle));
  if (!event.is_user_event())
    return fail(CL_INVALID_EVENT, "event belongs to a command; only a user event's status can be set");
  if (status > CL_COMPLETE)
    return fail(CL_INVALID_VALUE, "execution_status is ", status, "; it must be CL_COMPLETE or negative");
  Ref<Event> keep(event); // a callback may release the last reference
  if (!event.set_user_status(status))
    return fail(CL_INVALID_OPERATION, "the status of event has been set before; it can be set once");
  return {};
}

Status wait_for_events(cl_uint count, const cl_event* handles) {
  if (!count || !handles) return fail(CL_INVALID_VALUE, "num_events is 0 or event_list is NULL");
  std::vector<Ref<Event>> events;
  for (cl_uint i = 0; i < count; ++i) {
    TRY(Event & event, object_cast<Event>(handles[i]));
    if (!events.empty() && &event.context() != &events.front()->context())
      return fail(CL_INVALID_CONTEXT, "event_list[", events.size(),
                  "] belongs to another context than event_list[0]");
    events.push_back(Ref<Event>(event));
  }
  // All queues are flushed first, so that they run while this thread waits for the first event.
  if (count > 1)
    for (const auto& event : events)
      if (!event->is_done() && event->queue()) event->queue()->flush();
  Status result;
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i]->wait();
    if (const cl_int status = events[i]->tell_status(); status < 0 && result.ok())
      result =
          fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event_list[", i, "] ended with error ", status);
  }
  return result;
}

Status get_event_info(cl_event handle, cl_event_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Event & event, object_cast<Event>(handle));
  return event.info(name, Answer(size, value, size_ret));
}

Status get_event_profiling_info(cl_event handle, cl_profiling_info name, size_t size, void* value,
                                size_t* size_ret) {
  TRY(Event & event, object_cast<Event>(handle));
  return event.profiling_info(name, Answer(size, value, size_ret));
}

Status set_event_callback(cl_event handle, cl_int type, Event::Callback callback, void* user_data) {
  TRY(Event & event, object_cast<Event>(handle));
  if (!callback) return fail(CL_INVALID_VALUE, "pfn_event_notify is NULL");
  if (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE)
    return fail(CL_INVALID_VALUE, "command_exec_callback_type is ", type,
                "; it must be CL_SUBMITTED, CL_RUNNING or CL_COMPLETE");
  Ref<Event> keep(event);
  event.add_callback(type, callback, user_data);
  return {};
}

Status cancel_commands(const cl_event* handles, size_t count) {
  if (!handles != !count)
    return fail(CL_INVALID_VALUE, "num_events_in_list is ", count, " and event_list is ",
                static_cast<const void*>(handles), "; either both or none must be given");
  std::vector<Ref<Event>> events;
  for (std::size_t i = 0; i < count; ++i) {
    TRY(Event & event, object_cast<Event>(handles[i]));
    events.push_back(Ref<Event>(event));
  }
  for (const Ref<Event>& event : events)
    if (event->queue()) event->queue()->cancel(*event); // a user event belongs to no command
  return {};
}

} // namespace hostcl::runtime
