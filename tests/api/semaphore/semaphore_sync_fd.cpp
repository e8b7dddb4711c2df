// cl_khr_external_semaphore_sync_fd, within one process; between two: tests/process/semaphores.cpp

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

/// Waits up to 10 seconds.
bool becomes_readable(const test::Descriptor& descriptor) {
  pollfd polled{descriptor.get(), POLLIN, 0};
  return poll(&polled, 1, 10'000) == 1 && (polled.revents & POLLIN);
}

} // namespace

TEST_CASE("Sync fd: -1 for what has been signalled, and the semaphore is unsignalled",
          "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto semaphore = Semaphore::exportable(session.context, sync_fd);
  REQUIRE_CL(test::wait(semaphore.signal(session.queue)));
  CHECK(semaphore.is_signaled());
  CHECK(semaphore.exported(sync_fd).get() == -1);
  CHECK_FALSE(semaphore.is_signaled());
  REQUIRE_CL(test::wait(semaphore.signal(session.queue)));
  CHECK(semaphore.is_signaled());
}

TEST_CASE("Sync fd: becomes readable when the signal happens, for all who look", "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto semaphore = Semaphore::exportable(session.context, sync_fd);
  const auto gate = test::user_event(session.context);
  const auto signal = semaphore.signal(session.queue, {gate});
  const auto fence = semaphore.exported(sync_fd);
  REQUIRE(fence.get() >= 0);
  CHECK((fcntl(fence.get(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK_FALSE(fence.is_readable());
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(test::wait(signal));
  CHECK(becomes_readable(fence));
  CHECK(becomes_readable(fence));
  CHECK_FALSE(semaphore.is_signaled());
  // The next signal is another one.
  REQUIRE_CL(test::wait(semaphore.signal(session.queue)));
  CHECK(semaphore.is_signaled());
}

TEST_CASE("A signal that nobody flushes happens all the same", "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k() {}", "k");
  const size_t one = 1;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const auto semaphore = Semaphore::exportable(session.context, sync_fd);
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    semaphore.signal(session.queue);
    const auto fence = semaphore.exported(sync_fd);
    CHECK((fence.get() == -1 || becomes_readable(fence)));
    Pair p;
    p.original.signal(p.first.queue);
    for (int i = 0; i < 500 && !p.imported.is_signaled(); ++i)
      give_time();
    CHECK(p.imported.is_signaled());
  }
}

TEST_CASE("Sync fd: an import waits for any descriptor, and consumes nothing", "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const test::Descriptor event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const auto semaphore =
      Semaphore::imported(session.context, sync_fd, fcntl(event.get(), F_DUPFD_CLOEXEC, 0));
  CHECK_FALSE(semaphore.is_signaled());
  const auto wait = semaphore.wait(session.queue);
  REQUIRE_CL(clFlush(session.queue));
  give_time();
  CHECK(test::status_of(wait) > CL_COMPLETE);
  const uint64_t one = 1;
  REQUIRE(write(event.get(), &one, sizeof one) == sizeof one);
  CHECK_CL(test::wait(wait));
  CHECK(event.is_readable());
  CHECK_FALSE(semaphore.is_signaled());
  // Afterwards it is a semaphore as others are.
  semaphore.signal(session.queue);
  CHECK_CL(test::wait(semaphore.wait(session.queue)));
}

TEST_CASE("Sync fd: from one context to the other", "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session first, second;
  const auto semaphore = Semaphore::exportable(first.context, sync_fd);
  for (const bool happens_first : {false, true}) {
    const auto gate = test::user_event(first.context);
    const auto signal = semaphore.signal(first.queue, {gate});
    if (happens_first) REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    if (happens_first) REQUIRE_CL(test::wait(signal));
    const auto imported = Semaphore::imported(second.context, sync_fd, semaphore.exported(sync_fd).detach());
    CHECK(imported.is_signaled() == happens_first);
    const auto wait = imported.wait(second.queue);
    if (!happens_first) REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_CL(test::wait(wait));
  }
}

TEST_CASE("Sync fd: a signal that fails, or a semaphore that goes, ends the waits for its copy",
          "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session first, second;
  for (const bool fails : {true, false}) {
    auto semaphore = Semaphore::exportable(first.context, sync_fd);
    const auto gate = test::user_event(first.context);
    if (fails) semaphore.signal(first.queue, {gate});
    const auto imported = Semaphore::imported(second.context, sync_fd, semaphore.exported(sync_fd).detach());
    const auto wait = imported.wait(second.queue);
    REQUIRE_CL(clSetUserEventStatus(gate, -5));
    if (!fails) semaphore.release();
    CHECK_STATUS(test::wait(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_FALSE(imported.is_signaled());
  }
}

TEST_CASE("Sync fd: who closes it before the signal gets no SIGPIPE", "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const auto semaphore = Semaphore::exportable(session.context, sync_fd);
  const auto gate = test::user_event(session.context);
  const auto signal = semaphore.signal(session.queue, {gate});
  {
    const auto fence = semaphore.exported(sync_fd);
  }
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(signal));
}

TEST_CASE("clReImportSemaphoreSyncFdKHR: as a new semaphore; enqueued waits keep theirs",
          "[semaphore_sync_fd]") {
  if (!test::has_semaphores()) return;
  const test::Session session;
  const test::Descriptor event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const int given = fcntl(event.get(), F_DUPFD_CLOEXEC, 0);
  const auto semaphore = Semaphore::imported(session.context, sync_fd, given);
  const auto earlier = semaphore.wait(session.queue);
  const auto reimport = test::semaphore_functions().clReImportSemaphoreSyncFdKHR;
  REQUIRE_CL(reimport(semaphore.get(), nullptr, -1));
  CHECK(semaphore.is_signaled());
  const auto other = test::make_queue(session.context);
  CHECK_CL(test::wait(semaphore.wait(other)));
  CHECK(test::status_of(earlier) > CL_COMPLETE);
  const uint64_t one = 1;
  REQUIRE(write(event.get(), &one, sizeof one) == sizeof one);
  CHECK_CL(test::wait(earlier));
  for (int i = 0; i < 100 && is_open(given); ++i)
    give_time();
  CHECK_FALSE(is_open(given));
  REQUIRE_CL(reimport(semaphore.get(), nullptr, fcntl(event.get(), F_DUPFD_CLOEXEC, 0)));
  CHECK(semaphore.is_signaled());
  // A wait without a signal has none to come.
  REQUIRE_CL(test::wait(semaphore.wait(session.queue)));
  const auto later = semaphore.wait(session.queue);
  REQUIRE_CL(reimport(semaphore.get(), nullptr, -1));
  CHECK_STATUS(test::wait(later), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}
