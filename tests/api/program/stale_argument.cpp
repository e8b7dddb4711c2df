// Kernel arguments whose buffers were released before the launch. Setting an argument keeps no buffer alive
// (OpenCL 3.0 API, 5.9.2), and a later object may have the handle.

#include "support/session.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace {

constexpr size_t count = 1 << 12;

/// Sets the first argument to `old`, releases that, and makes buffers until one has its handle.
/// @returns the buffers; none of them has it on a driver that does not use handles again.
std::vector<test::Buffer> replace(const test::Session& session, cl_kernel kernel, test::Buffer old) {
  REQUIRE_CL(test::set_argument(kernel, 0, old));
  const cl_mem handle = old;
  old.reset();
  std::vector<test::Buffer> made;
  while (made.size() < 64 && (made.empty() || made.back().get() != handle))
    made.push_back(session.buffer(std::vector<int>(2 * count, 7)));
  if (test::is_hostcl()) REQUIRE(made.back().get() == handle);
  return made;
}

void check_refused(const test::Session& session, cl_kernel kernel) {
  const size_t items = count;
  CHECK_STATUS(
      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
      CL_INVALID_KERNEL_ARGS);
  CHECK_CL(clFinish(session.queue));
}

constexpr const char* source = "kernel void k(global int* v) { v[get_global_id(0)] = 1; }";

} // namespace

TEST_CASE("A launch with a released buffer is CL_INVALID_KERNEL_ARGS, though another one has its handle",
          "[stale_argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const auto others = replace(session, kernel, session.buffer(count * sizeof(int)));
  check_refused(session, kernel);
  for (const auto& other : others)
    CHECK(session.read<int>(other, count) == std::vector<int>(count, 7));
  REQUIRE_CL(test::set_argument(kernel, 0, others.back()));
  session.run(kernel, count);
  CHECK(session.read<int>(others.back(), count) == std::vector<int>(count, 1));
}

TEST_CASE("A launch with a released sub-buffer is CL_INVALID_KERNEL_ARGS, though a buffer has its handle",
          "[stale_argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const auto parent = session.buffer(std::vector<int>(2 * count, 7));
  const cl_buffer_region region{count * sizeof(int), count * sizeof(int)};
  cl_int error = 1;
  test::Buffer part(
      clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  const auto others = replace(session, kernel, std::move(part));
  check_refused(session, kernel);
  CHECK(session.read<int>(parent, 2 * count) == std::vector<int>(2 * count, 7));
}

TEST_CASE("A clone remembers the buffer, not its handle", "[stale_argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  auto old = session.buffer(count * sizeof(int));
  REQUIRE_CL(test::set_argument(kernel, 0, old));
  cl_int error = 1;
  const test::Kernel clone(clCloneKernel(kernel, &error));
  REQUIRE_CL(error);
  const auto others = replace(session, kernel, std::move(old));
  REQUIRE_CL(test::set_argument(kernel, 0, others.back()));
  check_refused(session, clone);
  CHECK(session.read<int>(others.back(), count) == std::vector<int>(count, 7));
}

TEST_CASE("A launch with a released counter is CL_INVALID_KERNEL_ARGS, though another buffer has its handle",
          "[stale_argument]") {
  if (!test::has_extension("cl_ext_atomic_counters_32")) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(counter32_t c) { atomic_inc(c); }", "k");
  const auto others = replace(session, kernel, session.buffer(count * sizeof(int)));
  check_refused(session, kernel);
  CHECK(session.read<int>(others.back(), 1)[0] == 7);
}

namespace {

/// Numbers in a buffer of a megabyte, whose memory the next one gets.
constexpr size_t many = 1 << 18;

/// A thread that releases the buffers it is given, and makes another one after each.
class Releaser {
public:
  explicit Releaser(const test::Session& session)
      : thread_([this, &session] {
          const std::vector<int> sevens(many, 7);
          while (!stop_) {
            const cl_mem old = to_release_.exchange(nullptr);
            if (!old) continue;
            for (volatile int pause = delay_; pause > 0;)
              pause = pause - 1;
            clReleaseMemObject(old);
            made_ = clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, many * sizeof(int),
                                   const_cast<int*>(sevens.data()), nullptr);
          }
        }) {}
  ~Releaser() {
    stop_ = true;
    thread_.join();
  }
  void release(test::Buffer buffer, int delay) {
    delay_ = delay;
    to_release_ = buffer.release();
  }
  test::Buffer made() {
    while (!made_)
      std::this_thread::yield();
    return test::Buffer(made_.exchange(nullptr));
  }

private:
  std::atomic<cl_mem> to_release_ = nullptr, made_ = nullptr;
  std::atomic<int> delay_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

} // namespace

TEST_CASE("A launch uses a buffer that another thread releases meanwhile as a whole or not at all",
          "[stale_argument]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  // The more arguments, the longer a launch takes.
  std::string text = "kernel void k(global int* v";
  for (int i = 0; i < 60; ++i)
    text += ", global int* a" + std::to_string(i);
  const auto kernel = session.kernel((text + ") { v[get_global_id(0)] = 1; }").c_str(), "k");
  const auto constant = session.buffer(4);
  for (cl_uint i = 1; i <= 60; ++i)
    REQUIRE_CL(test::set_argument(kernel, i, constant));
  Releaser releaser(session);
  const size_t items = 64;
  int wrong = 0, delay = 300;
  for (int i = 0; i < 2000; ++i) {
    auto buffer = session.buffer(many * sizeof(int));
    REQUIRE_CL(test::set_argument(kernel, 0, buffer));
    releaser.release(std::move(buffer), delay);
    const cl_int status =
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    REQUIRE((status == CL_SUCCESS || status == CL_INVALID_KERNEL_ARGS));
    delay = std::clamp(delay + (status == CL_SUCCESS ? -7 : 7), 0, 2000); // as close to each other as can be
    const auto next = releaser.made();
    REQUIRE_CL(clFinish(session.queue));
    const auto values = session.read<int>(next, items);
    wrong += std::ranges::any_of(values, [](int value) { return value != 7; });
  }
  CHECK(wrong == 0);
}
