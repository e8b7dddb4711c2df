#include "runtime/queue.hpp"

#include "runtime/background.hpp"
#include "runtime/log.hpp"

#include <algorithm>
#include <optional>
#include <thread>

namespace hostcl::runtime {

namespace {

/// Work of this many nanoseconds is worth waking a background thread for.
constexpr std::uint64_t background_threshold = 30'000;
/// Commands whose estimates add up to no more than this run as one batch.
constexpr std::uint64_t batch_estimate = 20'000;
/// Recycled commands that an idle queue keeps.
constexpr std::size_t max_free_commands = 256;

struct CommandName {
  cl_command_type type;
  std::string_view name;
};
/// How a timeline calls commands that have no title of their own.
constexpr CommandName command_names[] = {
    {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
    {CL_COMMAND_READ_BUFFER, "read buffer"},
    {CL_COMMAND_WRITE_BUFFER, "write buffer"},
    {CL_COMMAND_COPY_BUFFER, "copy buffer"},
    {CL_COMMAND_READ_BUFFER_RECT, "read box"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "write box"},
    {CL_COMMAND_COPY_BUFFER_RECT, "copy box"},
    {CL_COMMAND_FILL_BUFFER, "fill buffer"},
    {CL_COMMAND_MAP_BUFFER, "map"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
    {CL_COMMAND_MARKER, "marker"},
    {CL_COMMAND_BARRIER, "barrier"},
    {CL_COMMAND_SVM_FREE, "SVM free"},
    {CL_COMMAND_SVM_MEMCPY, "SVM copy"},
    {CL_COMMAND_SVM_MEMFILL, "SVM fill"},
    {CL_COMMAND_SVM_MAP, "SVM map"},
    {CL_COMMAND_SVM_UNMAP, "SVM unmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "SVM migrate"},
    {CL_COMMAND_MEMFILL_INTEL, "memory fill"},
    {CL_COMMAND_MEMCPY_INTEL, "memory copy"},
    {CL_COMMAND_MIGRATEMEM_INTEL, "memory migrate"},
    {CL_COMMAND_MEMADVISE_INTEL, "memory advise"},
};

/// The kernel's name, or what the command does.
std::string_view name_of(const Command& command) {
  if (std::string_view title = command.work->title(); !title.empty()) return title;
  auto found = std::ranges::find(command_names, command.type, &CommandName::type);
  return found == std::end(command_names) ? "command" : found->name;
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > ~b ? ~std::uint64_t{0} : a + b;
}

} // namespace

Queue::Queue(Context& context, Device& device, cl_command_queue_properties properties, Priority priority,
             std::vector<cl_queue_properties> property_list)
    : HandleObject(destroy_object<Queue>),
      context_(Ref<Context>(context)),
      device_(Ref<Device>(device)),
      properties_(properties),
      priority_(priority),
      property_list_(std::move(property_list)) {
  Background::instance().add(*this);
}

Queue::~Queue() {
  Background::instance().remove(*this);
  while (free_)
    delete std::exchange(free_, free_->next);
}

Command* Queue::allocate() {
  {
    std::scoped_lock guard(lock_);
    if (free_) {
      --free_count_;
      return std::exchange(free_, free_->next);
    }
  }
  return new Command;
}

void Queue::recycle(Command* command) {
  command->destroy_work();
  command->event = {};
  std::scoped_lock guard(lock_);
  command->next = std::exchange(free_, command);
  ++free_count_;
}

// ---- Enqueueing

Status Queue::submit(Command* command, const Submission& submission) {
  Ref<Event> event;
  bool in_order = is_in_order();
  try {
    // A blocking call needs the event to see a failed wait list, and to wait for one command among others.
    if (submission.event || (submission.blocking && (submission.waits.count || !in_order)))
      event = make_object<Event>(*this, submission.type);
    command->queue = this;
    command->type = submission.type;
    command->estimate = submission.estimate;
    command->event = event;
    command->failed_dependency = false;
    command->needs_head = in_order || submission.ordering == Ordering::after_all ||
                          submission.ordering == Ordering::barrier_after_all;
    command->is_barrier = !in_order && (submission.ordering == Ordering::barrier ||
                                        submission.ordering == Ordering::barrier_after_all);
    // The extra one is dropped when the command is in the queue.
    command->blockers = submission.waits.count + 1;
    resolve_waits(*command, submission.waits);
  } catch (...) {
    recycle(command);
    throw;
  }
  if (submission.event) *submission.event = expose(event);

  Ref<Queue> self(*this);
  std::uint64_t sequence = link(*command, submission);
  if (submission.blocking) return wait_for_submitted(sequence, std::move(event), submission);
  return {};
}

std::uint64_t Queue::link(Command& command, const Submission& submission) {
  std::uint64_t sequence;
  bool unpublished;
  {
    std::scoped_lock guard(lock_);
    append(command);
    sequence = command.sequence;
    if (--command.blockers == 0 && may_run(command)) push_ready(command);
    // The caller of a blocking function is about to run the command itself.
    if (submission.blocking) return sequence;
    pending_estimate_ = saturating_sum(pending_estimate_, submission.estimate);
    if (pending_estimate_ > background_threshold || (command.needs_head && executors_)) {
      pending_estimate_ = 0;
      published_ = sequence;
    }
    unpublished = published_ < sequence;
    if (unpublished) has_unpublished_.store(true, std::memory_order_relaxed);
    ensure_progress();
  }
  if (unpublished) Background::instance().note_activity();
  return sequence;
}

void Queue::resolve_waits(Command& command, const WaitList& waits) {
  cl_uint registered = 0;
  try {
    for (; registered < waits.count; ++registered) {
      Event& event = waits[registered];
      if (!event.add_dependant(command)) dependency_done(command, event.status());
    }
  } catch (...) {
    cl_uint blockers = waits.count + 1 - registered;
    while (registered--)
      blockers += waits[registered].remove_dependant(command);
    // An event that did not have the command any more has told it that it is done, or is about to.
    auto all_told = [&] {
      std::scoped_lock guard(lock_);
      return command.blockers == blockers;
    };
    while (!all_told())
      std::this_thread::yield();
    throw;
  }
}

Status Queue::wait_for_submitted(std::uint64_t sequence, Ref<Event> event, const Submission& submission) {
  block_until({sequence, event.get()});
  if (!event) return take_failure(); // of this command, or one before it
  if (event->status() >= CL_COMPLETE) return {};
  cl_int status = event->status();
  if (submission.event) {
    // A failed call gives no event.
    *submission.event = nullptr;
    event->drop_application_reference();
    event->release();
  }
  return fail(status, "the command did not complete: status ", status);
}

void Queue::append(Command& command) {
  if (!head_) retain(); // the queue lives while it has commands
  command.sequence = ++last_sequence_;
  if (command.event) command.event->set_command(&command, command.sequence);
  command.next = nullptr;
  command.previous = tail_;
  (tail_ ? tail_->next : head_) = &command;
  tail_ = &command;
  if (newest_barrier_) ++command.blockers;
  if (command.is_barrier) newest_barrier_ = &command;
}

// ---- What may run

bool Queue::may_run(const Command& command) const {
  return command.blockers == 0 && (!command.needs_head || head_ == &command);
}

void Queue::push_ready(Command& command) {
  command.is_ready = true;
  command.next_ready = nullptr;
  command.previous_ready = ready_tail_;
  (ready_tail_ ? ready_tail_->next_ready : ready_head_) = &command;
  ready_tail_ = &command;
}

/// What a blocked thread should run now.
Command* Queue::ready_for(const Waiter& waiter) const {
  if (waiter.event && !is_in_order()) {
    if (waiter.event->command()->is_ready) return waiter.event->command();
    // The event may not depend on another command: only one that will be over soon is begun.
    bool helps = ready_head_ && ready_head_->sequence <= waiter.sequence &&
                 ready_head_->estimate <= background_threshold;
    return helps ? ready_head_ : nullptr;
  }
  Command* command = ready_head_;
  while (command && command->sequence > waiter.sequence)
    command = command->next_ready;
  return command;
}

/// Takes it off the list of what may run.
void Queue::take_ready(Command& command) {
  (command.previous_ready ? command.previous_ready->next_ready : ready_head_) = command.next_ready;
  (command.next_ready ? command.next_ready->previous_ready : ready_tail_) = command.previous_ready;
  command.is_ready = false;
}

void Queue::dependency_done(Command& command, cl_int status) {
  std::scoped_lock guard(lock_);
  if (status < 0) command.failed_dependency = true;
  if (--command.blockers == 0 && may_run(command)) {
    push_ready(command);
    ensure_progress();
  }
}

// Whoever makes a command ready, publishes, or stops running commands calls this: if there is something that
// may run and nobody about to run it, a blocked thread or a background thread is told.
void Queue::ensure_progress() {
  if (!ready_head_) return;
  if (executors_ && is_in_order()) return; // the executor goes on with it
  for (Waiter* w = waiters_; w; w = w->next)
    if (!is_satisfied(*w) && ready_for(*w)) {
      generation_.fetch_add(1, std::memory_order_release);
      generation_.notify_all();
      return;
    }
  if (!posted_ && ready_head_->sequence <= published_) {
    posted_ = true;
    Background::instance().post(*this);
  }
}

// ---- Running

void Queue::run_command(std::unique_lock<Lock>& guard, Command* first, std::uint64_t last_sequence) {
  Command* last = first->needs_head ? end_of_batch(*first, last_sequence) : first;
  ++executors_;
  ensure_progress(); // the other ready commands of an out-of-order queue
  guard.unlock();
  {
    std::optional<ThreadBinding> binding;
    if (auto processors = workers().callers_processors(); !processors.empty()) binding.emplace(processors);
    for (Command* command = first;; command = command->next) {
      execute(*command);
      if (command == last) break;
    }
  }
  guard.lock();
  --executors_;
  complete(first, last);
}

void Queue::begin_span(timeline::Span& span, const Command& command) const {
  span.begin(timeline::Category::command, name_of(command));
  span.argument("queue", reinterpret_cast<std::uintptr_t>(this));
  span.argument("sequence", command.sequence);
  command.work->describe(span);
}

// Short commands that follow each other run without the lock being taken for each: the thread that enqueues
// would wait for it.
Command* Queue::end_of_batch(Command& first, std::uint64_t last_sequence) const {
  Command* last = &first;
  std::uint64_t estimate = first.estimate;
  for (Command* next = first.next; next && next->needs_head && next->blockers == 0; next = next->next) {
    estimate = saturating_sum(estimate, next->estimate);
    if (estimate > batch_estimate || next->sequence > last_sequence || next->is_barrier || last->is_barrier)
      break;
    last = next;
  }
  return last;
}

void Queue::execute(Command& command) {
  timeline::Span span;
  if (timeline::is_on()) [[unlikely]]
    begin_span(span, command);
  // Stays in the command until that is complete: flush() looks at it under the lock.
  Event* event = command.event.get();
  if (event) event->advance(CL_SUBMITTED);
  const cl_int status =
      command.failed_dependency ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : run_work(command);
  if (event) event->note_end();
  command.destroy_work();
  if (event) event->advance(status);
  if (status < 0 && !event && !command.failed_dependency) failure_.store(status, std::memory_order_relaxed);
  if (status < 0) context_->notify("a command ended with error ", status);
}

/// @returns the status that the command's event gets
cl_int Queue::run_work(Command& command) {
  try {
    if (const cl_int status = command.work->prepare(*this); status != CL_SUCCESS) return status;
    if (command.event) command.event->advance(CL_RUNNING);
    return command.work->run(*this);
  } catch (const std::bad_alloc&) {
    log(LogLevel::error, "'", name_of(command), "' out of memory when it ran");
    return CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    log(LogLevel::error, "'", name_of(command), "' failed when it ran: ", error.what());
  } catch (...) { // a native kernel may throw anything
    log(LogLevel::error, "'", name_of(command), "' failed when it ran");
  }
  return CL_OUT_OF_RESOURCES;
}

// The commands from first to last follow each other in the queue.
void Queue::complete(Command* first, Command* last) {
  bool was_head = head_ == first;
  (first->previous ? first->previous->next : head_) = last->next;
  (last->next ? last->next->previous : tail_) = first->previous;
  if (first->is_barrier) {
    if (newest_barrier_ == first) newest_barrier_ = nullptr;
    for (Command* c = last->next; c; c = c->next) {
      // One that needs the head becomes ready below, when it has it.
      if (--c->blockers == 0 && !c->needs_head) push_ready(*c);
      if (c->is_barrier) break; // those behind it wait for that one
    }
  }
  if (was_head && head_ && head_->needs_head && may_run(*head_)) push_ready(*head_);
  wake_waiters();
  last->next = nullptr;
  while (first) {
    Command* next = first->next;
    // Not the end of anything big: whoever runs commands holds the queue, and that its context.
    first->event = {};
    if (free_count_ < max_free_commands) {
      first->next = std::exchange(free_, first);
      ++free_count_;
    } else {
      delete first;
    }
    first = next;
  }
  if (!head_) release(); // never the last reference: whoever runs commands has one
}

void Queue::run_in_background() {
  std::unique_lock guard(lock_);
  posted_ = false;
  while (Command* command = ready_head_) {
    take_ready(*command);
    run_command(guard, command, ~std::uint64_t{0});
    if (Background::instance().has_others_waiting(priority_)) break;
  }
  ensure_progress();
}

// ---- Waiting

/// Events of commands that no flush has seen, the latest first.
std::vector<Ref<Event>> Queue::newly_submitted() const {
  std::vector<Ref<Event>> events;
  try {
    for (Command* c = tail_; c && c->sequence > submitted_; c = c->previous)
      if (c->event) events.push_back(c->event);
  } catch (const std::bad_alloc&) {
    return events; // the others pass that state when they run
  }
  return events;
}

void Queue::flush() {
  std::vector<Ref<Event>> submitted;
  {
    std::scoped_lock guard(lock_);
    published_ = last_sequence_;
    pending_estimate_ = 0;
    has_unpublished_.store(false, std::memory_order_relaxed);
    submitted = newly_submitted();
    submitted_ = last_sequence_;
    ensure_progress();
  }
  for (auto event = submitted.rbegin(); event != submitted.rend(); ++event)
    (*event)->advance(CL_SUBMITTED);
}

void Queue::drain() {
  std::uint64_t last;
  {
    std::scoped_lock guard(lock_);
    if (!head_) return;
    last = last_sequence_;
  }
  block_until({last, nullptr});
}

Status Queue::finish() {
  drain();
  return take_failure();
}

Status Queue::take_failure() {
  if (failure_.load(std::memory_order_relaxed) == CL_SUCCESS) return {};
  const cl_int status = failure_.exchange(CL_SUCCESS, std::memory_order_relaxed);
  if (status == CL_SUCCESS) return {}; // another thread took it
  return fail(status, "a command of the queue, one without an event, ended with error ", status);
}

void Queue::wait_for(Event& event) {
  if (!event.is_done()) block_until({event.sequence(), &event});
}

bool Queue::is_satisfied(const Waiter& waiter) const {
  if (waiter.event) return waiter.event->is_done();
  return !head_ || head_->sequence > waiter.sequence;
}

void Queue::wake_waiters() {
  for (Waiter* w = waiters_; w; w = w->next)
    if (is_satisfied(*w)) {
      generation_.fetch_add(1, std::memory_order_release);
      generation_.notify_all();
      return;
    }
}

void Queue::block_until(Waiter waiter) {
  Ref<Queue> self(*this);
  std::unique_lock guard(lock_);
  published_ = std::max(published_, waiter.sequence);
  if (published_ == last_sequence_) {
    pending_estimate_ = 0;
    has_unpublished_.store(false, std::memory_order_relaxed);
  }
  bool published_others = false;
  while (!is_satisfied(waiter)) {
    if (Command* command = ready_for(waiter)) {
      take_ready(*command);
      run_command(guard, command, waiter.sequence);
      continue;
    }
    if (!published_others) {
      // What this waits for may wait for commands of other queues that nobody has flushed.
      published_others = true;
      guard.unlock();
      Background::instance().publish_all();
      guard.lock();
      continue;
    }
    ensure_progress(); // what this thread does not begin itself
    sleep(guard, waiter);
  }
  ensure_progress();
}

void Queue::sleep(std::unique_lock<Lock>& guard, Waiter& waiter) {
  waiter.next = std::exchange(waiters_, &waiter);
  std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  guard.unlock();
  generation_.wait(generation, std::memory_order_acquire);
  guard.lock();
  Waiter** link = &waiters_;
  while (*link != &waiter)
    link = &(*link)->next;
  *link = waiter.next;
}

namespace {

using Q = Rows<Queue>;
cl_context context_of(const Queue& q) {
  return q.context().handle();
}
cl_device_id device_of(const Queue& q) {
  return q.device().handle();
}
cl_command_queue no_queue(const Queue&) {
  return nullptr;
}

constexpr Row<Queue> rows[] = {
    Q::value<cl_context, context_of>(CL_QUEUE_CONTEXT),
    Q::value<cl_device_id, device_of>(CL_QUEUE_DEVICE),
    Q::value<cl_uint, &Queue::reference_count>(CL_QUEUE_REFERENCE_COUNT),
    Q::value<cl_command_queue_properties, &Queue::properties>(CL_QUEUE_PROPERTIES),
    Q::array<&Queue::property_list>(CL_QUEUE_PROPERTIES_ARRAY),
    Q::value<cl_command_queue, no_queue>(CL_QUEUE_DEVICE_DEFAULT),
};

} // namespace

Status Queue::info(cl_command_queue_info name, Answer answer) const {
  if (name == CL_QUEUE_SIZE)
    return fail(CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE is for queues on the device");
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
