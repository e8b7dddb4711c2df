#pragma once

// Commands that signal semaphores and wait for them.

#include "runtime/queue/command.hpp"
#include "runtime/semaphore/payload.hpp"

#include <memory>
#include <vector>

namespace hostcl::runtime {

struct PendingSignal {
  std::shared_ptr<Payload> payload;
  std::shared_ptr<Signal> signal;
};

/// Signals semaphores. If the command is not run, its signals fail.
class SignalWork final : public Work {
public:
  explicit SignalWork(std::vector<PendingSignal> signals) : signals_(std::move(signals)) {}
  ~SignalWork() override { complete(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST); }
  SignalWork(const SignalWork&) = delete;
  cl_int run(Queue&) override {
    complete(CL_COMPLETE);
    return CL_COMPLETE;
  }
  void append_dependants(std::vector<Command*>& dependants) const override {
    for (const PendingSignal& each : signals_)
      if (const Ref<Event> wait = each.payload->wait_for(*each.signal)) {
        const std::vector<Command*> more = wait->dependants();
        dependants.insert(dependants.end(), more.begin(), more.end());
      }
  }

private:
  void complete(cl_int outcome) {
    for (const PendingSignal& each : signals_)
      each.payload->complete(*each.signal, outcome);
  }
  std::vector<PendingSignal> signals_;
};

struct PendingWait {
  std::shared_ptr<Payload> payload;
  Ref<Event> event;
};

/// Waits for semaphores. It has nothing to do when it runs, because its command has waited for the events of
/// the waits.
class WaitWork final : public Work {
public:
  explicit WaitWork(std::vector<PendingWait> waits) : waits_(std::move(waits)) {}
  ~WaitWork() override {
    for (const PendingWait& each : waits_) {
      each.event->advance(no_signal); // if the command was cancelled before the signal
      each.payload->note_waited(each.event->status());
    }
  }
  WaitWork(const WaitWork&) = delete;
  cl_int run(Queue&) override { return CL_COMPLETE; }

private:
  std::vector<PendingWait> waits_;
};

/// If payloads are shared: a command before that of WaitWork, which begins the waits. See
/// Payload::is_shared().
class BeginWaitsWork final : public Work {
public:
  struct Begun {
    std::shared_ptr<Payload> payload;
    WaitNode wait; ///< empty once the wait has begun
  };
  explicit BeginWaitsWork(std::vector<Begun> waits) : waits_(std::move(waits)) {}
  ~BeginWaitsWork() override {
    for (const Begun& each : waits_)
      if (!each.wait.empty()) each.wait.front()->advance(no_signal);
  }
  BeginWaitsWork(const BeginWaitsWork&) = delete;
  cl_int run(Queue&) override {
    for (Begun& each : waits_)
      each.payload->add_wait(std::exchange(each.wait, {}));
    return CL_COMPLETE;
  }

private:
  std::vector<Begun> waits_;
};

} // namespace hostcl::runtime
