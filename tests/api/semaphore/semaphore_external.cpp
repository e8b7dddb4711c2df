// cl_khr_external_semaphore_opaque_fd and cl_khr_external_semaphore_sync_fd, within one process; between two:
// tests/process/semaphores.cpp

#include "support/semaphores.hpp"
#include "support/shared_semaphores.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

namespace {

using namespace test::shared_semaphores;

using test::Semaphore;

size_t open_files() {
  const auto files = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

/// Lowers the limit of open files to those that are open, for as long as it lives.
class NoMoreFiles {
public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const test::Descriptor next(fcntl(0, F_DUPFD_CLOEXEC, 0));
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(next.get());
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(const NoMoreFiles&) = delete;

private:
  rlimit before_{};
};

} // namespace

TEST_CASE("Opaque fd: semaphores in two contexts are one", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  p.original.signal(p.first.queue);
  REQUIRE_CL(clFinish(p.first.queue));
  CHECK(p.original.is_signaled());
  CHECK(p.imported.is_signaled());
  CHECK_CL(test::wait(p.imported.wait(p.second.queue)));
  CHECK_FALSE(p.original.is_signaled());
  p.imported.signal(p.second.queue);
  CHECK_CL(test::wait(p.original.wait(p.first.queue)));
  CHECK_FALSE(p.imported.is_signaled());
  CHECK(p.imported.info<cl_bool>(CL_SEMAPHORE_EXPORTABLE_KHR) == CL_FALSE);
}

TEST_CASE("Opaque fd: a wait that comes first is let go by a signal of the other semaphore",
          "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const auto wait = p.imported.wait(p.second.queue);
    REQUIRE_CL(clFlush(p.second.queue));
    if (iteration == 0) give_time();
    CHECK(test::status_of(wait) > CL_COMPLETE);
    p.original.signal(p.first.queue);
    REQUIRE_CL(clFlush(p.first.queue));
    CHECK_CL(test::wait(wait));
  }
}

TEST_CASE("Opaque fd: a signal that fails ends a wait of the other semaphore", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  const auto gate = test::user_event(p.first.context);
  p.original.signal(p.first.queue, {gate});
  const auto wait = p.imported.wait(p.second.queue);
  REQUIRE_CL(clFlush(p.second.queue));
  REQUIRE_CL(clSetUserEventStatus(gate, -5));
  CHECK_STATUS(test::wait(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  p.original.signal(p.first.queue);
  CHECK_CL(test::wait(p.imported.wait(p.second.queue)));
}

TEST_CASE("Opaque fd: a wait takes a signal when its wait list is done, and none if that fails",
          "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  const auto gate = test::user_event(p.second.context), other_gate = test::user_event(p.second.context);
  const auto out_of_order = test::make_queue(p.second.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto held = p.imported.wait(out_of_order, {gate}),
             failing = p.imported.wait(out_of_order, {other_gate});
  REQUIRE_CL(clFlush(out_of_order));
  p.original.signal(p.first.queue);
  REQUIRE_CL(clFinish(p.first.queue));
  REQUIRE_CL(clSetUserEventStatus(other_gate, -5));
  CHECK_STATUS(test::wait(failing), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(p.original.is_signaled());
  CHECK_CL(test::wait(p.original.wait(p.first.queue))); // which the wait that is held up leaves it to
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  give_time();
  CHECK(test::status_of(held) > CL_COMPLETE);
  p.original.signal(p.first.queue);
  CHECK_CL(test::wait(held));
}

TEST_CASE("Opaque fd: a later signal does not overtake an earlier one", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  const auto queue = test::make_queue(p.first.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = test::user_event(p.first.context);
  p.original.signal(queue, {gate});
  const auto wait = p.imported.wait(p.second.queue);
  CHECK_CL(test::wait(p.original.signal(queue)));
  REQUIRE_CL(clFlush(p.second.queue));
  give_time();
  CHECK(test::status_of(wait) > CL_COMPLETE);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(wait));
  CHECK_CL(test::wait(p.imported.wait(p.second.queue)));
}

TEST_CASE("Opaque fd: waits of a released semaphore go on while others have the payload",
          "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  Pair p;
  const auto wait = p.imported.wait(p.second.queue);
  REQUIRE_CL(clFlush(p.second.queue));
  p.imported.release();
  give_time();
  p.original.signal(p.first.queue);
  REQUIRE_CL(clFlush(p.first.queue));
  CHECK_CL(test::wait(wait));
}

TEST_CASE("Opaque fd: the descriptor is the driver's after an import, and closed with the semaphore",
          "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto original = Semaphore::exportable(session.context, opaque_fd);
  const int descriptor = original.exported(opaque_fd).detach();
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  {
    const auto imported = Semaphore::imported(session.context, opaque_fd, descriptor);
    CHECK(is_open(descriptor));
  }
  CHECK_FALSE(is_open(descriptor));
  // After a wait on the poller's thread as well
  const int second = original.exported(opaque_fd).detach();
  {
    const auto imported = Semaphore::imported(session.context, opaque_fd, second);
    const auto other = test::make_queue(session.context);
    const auto wait = imported.wait(other);
    REQUIRE_CL(clFlush(other));
    give_time();
    original.signal(session.queue);
    REQUIRE_CL(clFlush(session.queue));
    CHECK_CL(test::wait(wait));
  }
  for (int i = 0; i < 100 && is_open(second); ++i)
    give_time();
  CHECK_FALSE(is_open(second));
}

TEST_CASE("Opaque fd: threads in two contexts play thousands of iterations", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  constexpr int games = 4, iterations = 500;
  std::vector<std::array<Pair, 2>> pairs(games);
  std::atomic<int> failures = 0;
  std::vector<std::thread> running;
  const auto play = [&](const test::Session& session, const Semaphore& first, const Semaphore& second,
                        bool begins) {
    const auto& f = test::semaphore_functions();
    const cl_semaphore_khr to = first.get(), from = second.get();
    for (int iteration = 0; iteration < iterations; ++iteration) {
      if (begins)
        failures += f.clEnqueueSignalSemaphoresKHR(session.queue, 1, &to, nullptr, 0, nullptr, nullptr) != 0;
      failures += f.clEnqueueWaitSemaphoresKHR(session.queue, 1, &from, nullptr, 0, nullptr, nullptr) != 0;
      if (!begins)
        failures += f.clEnqueueSignalSemaphoresKHR(session.queue, 1, &to, nullptr, 0, nullptr, nullptr) != 0;
      if (iteration % 50 == 0) failures += clFinish(session.queue) != CL_SUCCESS;
    }
    failures += clFinish(session.queue) != CL_SUCCESS;
  };
  // The first Pair's semaphores lead from its first context to its second one; those of the other Pair lead
  // back, and are imported into the same two contexts.
  std::vector<std::array<Semaphore, 2>> back;
  for (const auto& [there, other] : pairs)
    back.push_back(
        {Semaphore::imported(there.first.context, opaque_fd, other.original.exported(opaque_fd).detach()),
         Semaphore::imported(there.second.context, opaque_fd, other.original.exported(opaque_fd).detach())});
  for (int game = 0; game < games; ++game) {
    running.emplace_back(
        [&, game] { play(pairs[game][0].first, pairs[game][0].original, back[game][0], true); });
    running.emplace_back(
        [&, game] { play(pairs[game][0].second, back[game][1], pairs[game][0].imported, false); });
  }
  for (auto& thread : running)
    thread.join();
  CHECK(failures == 0);
}

TEST_CASE("Without file descriptors: CL_OUT_OF_RESOURCES, and all goes on afterwards",
          "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto& f = test::semaphore_functions();
  const auto shared = Semaphore::exportable(session.context, opaque_fd);
  const auto fence = Semaphore::exportable(session.context, sync_fd);
  const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR,
                                              CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                              opaque_fd,
                                              0,
                                              0};
  cl_int error = CL_SUCCESS;
  int descriptor = -2;
  {
    const NoMoreFiles limit;
    CHECK(f.clCreateSemaphoreWithPropertiesKHR(session.context, list, &error) == nullptr);
    CHECK_STATUS(error, CL_OUT_OF_RESOURCES);
    for (const auto& [semaphore, type] :
         {std::pair(shared.get(), opaque_fd), std::pair(fence.get(), sync_fd)})
      CHECK_STATUS(f.clGetSemaphoreHandleForTypeKHR(semaphore, test::device(), type, sizeof descriptor,
                                                    &descriptor, nullptr),
                   CL_OUT_OF_RESOURCES);
    CHECK(descriptor == -2);
    const Semaphore plain(session.context);
    plain.signal(session.queue);
    CHECK_CL(test::wait(plain.wait(session.queue)));
  }
  CHECK(shared.exported(opaque_fd).get() >= 0);
}

TEST_CASE("Waits go on in a process that may have fewer descriptors than it has", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  constexpr int count = 8;
  std::vector<test::Descriptor> events;
  std::vector<Semaphore> semaphores;
  std::vector<test::Event> waits;
  const auto queue = test::make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (int i = 0; i < count; ++i) {
    events.emplace_back(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    semaphores.push_back(
        Semaphore::imported(session.context, sync_fd, fcntl(events.back().get(), F_DUPFD_CLOEXEC, 0)));
  }
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit fewer = before;
  fewer.rlim_cur = 3;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &fewer) == 0);
  for (const auto& semaphore : semaphores)
    waits.push_back(semaphore.wait(queue));
  const cl_int flushed = clFlush(queue);
  give_time();
  const uint64_t one = 1;
  for (const auto& event : events)
    if (write(event.get(), &one, sizeof one) != sizeof one) FAIL("write");
  const cl_int finished = clFinish(queue);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK_CL(flushed);
  CHECK_CL(finished);
  for (const auto& wait : waits)
    CHECK(test::status_of(wait) == CL_COMPLETE);
}

TEST_CASE("No descriptor is left when semaphores and what they are for are gone", "[semaphore_external]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  const auto play = [&](cl_semaphore_properties_khr type) {
    const auto original = Semaphore::exportable(session.context, type);
    const auto gate = test::user_event(session.context);
    const auto signal = original.signal(session.queue, {gate});
    const auto copy =
        Semaphore::imported(session.context, type, original.exported(static_cast<cl_uint>(type)).detach());
    const auto wait = copy.wait(other);
    REQUIRE_CL(clFlush(other));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_CL(test::wait(wait));
  };
  play(opaque_fd); // the poller's own
  give_time();
  const size_t before = open_files();
  for (int iteration = 0; iteration < 200; ++iteration) {
    play(opaque_fd);
    play(sync_fd);
  }
  for (int i = 0; i < 100 && open_files() > before; ++i)
    give_time();
  CHECK(open_files() <= before);
}
