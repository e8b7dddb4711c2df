// External memory whose file becomes shorter while a memory object has it (cl_khr_external_memory). OpenCL does not say
// what happens; here commands that the driver itself makes fail.

#include "support/choice.hpp"
#include "support/images.hpp"
#include "support/session.hpp"

#include <csignal>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr size_t bytes = 4 << 20, width = 1024, height = 1024, part = 100'000;
constexpr size_t origin[3] = {4, 3, 0}, rows[3] = {400, 100, 2}, texels[3] = {500, 700, 1},
                 none[3] = {0, 0, 0};
constexpr size_t pitch = 1000, slice = 200 * pitch;

int memory_file(unsigned flags = 0) {
  const int file = memfd_create("test", MFD_CLOEXEC | flags);
  REQUIRE(file >= 0);
  REQUIRE(ftruncate(file, bytes) == 0);
  return file;
}

std::vector<cl_mem_properties> imported(int file) {
  return {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
          static_cast<cl_mem_properties>(fcntl(file, F_DUPFD_CLOEXEC, 0)), 0};
}

/// A buffer and an image of memory that is not the driver's, or is.
struct Objects {
  test::Buffer buffer, image;

  Objects(cl_context context, int file) {
    cl_int error = 1;
    buffer.reset(clCreateBufferWithProperties(context, file < 0 ? nullptr : imported(file).data(), 0, bytes,
                                              nullptr, &error));
    REQUIRE_CL(error);
    const cl_image_desc description = test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height);
    image.reset(clCreateImageWithProperties(context, file < 0 ? nullptr : imported(file).data(), 0,
                                            &test::rgba8, &description, nullptr, &error));
    REQUIRE_CL(error);
  }
};

struct Arguments {
  cl_command_queue queue;
  cl_mem buffer, image, plain, plain_image;
  std::byte* host;
};

struct Command {
  const char* name;
  cl_int (*enqueue)(const Arguments& a);
};

const cl_uint color[4] = {0x3f000000, 0x3e800000, 0, 0x3f800000};
const cl_uint pattern[4] = {1, 2, 3, 4};

constexpr Command commands[] = {
    {"write",
     [](const Arguments& a) {
       return clEnqueueWriteBuffer(a.queue, a.buffer, CL_FALSE, 12, bytes - 12, a.host, 0, nullptr, nullptr);
     }},
    {"read",
     [](const Arguments& a) {
       return clEnqueueReadBuffer(a.queue, a.buffer, CL_FALSE, 12, part, a.host, 0, nullptr, nullptr);
     }},
    {"read much",
     [](const Arguments& a) {
       return clEnqueueReadBuffer(a.queue, a.buffer, CL_FALSE, 0, bytes, a.host, 0, nullptr, nullptr);
     }},
    {"copy from",
     [](const Arguments& a) {
       return clEnqueueCopyBuffer(a.queue, a.buffer, a.plain, 8, 9, part, 0, nullptr, nullptr);
     }},
    {"copy to",
     [](const Arguments& a) {
       return clEnqueueCopyBuffer(a.queue, a.plain, a.buffer, 8, 9, part, 0, nullptr, nullptr);
     }},
    {"copy within",
     [](const Arguments& a) {
       return clEnqueueCopyBuffer(a.queue, a.buffer, a.buffer, 8, part + 8, part, 0, nullptr, nullptr);
     }},
    {"fill",
     [](const Arguments& a) {
       return clEnqueueFillBuffer(a.queue, a.buffer, pattern, sizeof pattern, 16, 160'000, 0, nullptr,
                                  nullptr);
     }},
    {"fill with zeros",
     [](const Arguments& a) {
       return clEnqueueFillBuffer(a.queue, a.buffer, none, 1, 3, bytes - 3, 0, nullptr, nullptr);
     }},
    {"write rectangle",
     [](const Arguments& a) {
       return clEnqueueWriteBufferRect(a.queue, a.buffer, CL_FALSE, origin, origin, rows, pitch, slice, pitch,
                                       slice, a.host, 0, nullptr, nullptr);
     }},
    {"read rectangle",
     [](const Arguments& a) {
       return clEnqueueReadBufferRect(a.queue, a.buffer, CL_FALSE, origin, origin, rows, pitch, slice, pitch,
                                      slice, a.host, 0, nullptr, nullptr);
     }},
    {"copy rectangle",
     [](const Arguments& a) {
       return clEnqueueCopyBufferRect(a.queue, a.buffer, a.plain, origin, none, rows, pitch, slice, 0, 0, 0,
                                      nullptr, nullptr);
     }},
    {"write image",
     [](const Arguments& a) {
       return clEnqueueWriteImage(a.queue, a.image, CL_FALSE, origin, texels, 0, 0, a.host, 0, nullptr,
                                  nullptr);
     }},
    {"read image",
     [](const Arguments& a) {
       return clEnqueueReadImage(a.queue, a.image, CL_FALSE, origin, texels, 0, 0, a.host, 0, nullptr,
                                 nullptr);
     }},
    {"copy image",
     [](const Arguments& a) {
       return clEnqueueCopyImage(a.queue, a.plain_image, a.image, origin, origin, texels, 0, nullptr,
                                 nullptr);
     }},
    {"copy image to buffer",
     [](const Arguments& a) {
       return clEnqueueCopyImageToBuffer(a.queue, a.image, a.plain, origin, texels, 0, 0, nullptr, nullptr);
     }},
    {"copy buffer to image",
     [](const Arguments& a) {
       return clEnqueueCopyBufferToImage(a.queue, a.buffer, a.plain_image, 0, origin, texels, 0, nullptr,
                                         nullptr);
     }},
    {"fill image",
     [](const Arguments& a) {
       return clEnqueueFillImage(a.queue, a.image, color, origin, texels, 0, nullptr, nullptr);
     }},
};

/// All that commands may have changed.
std::vector<std::byte> contents(const Arguments& a) {
  std::vector<std::byte> all(5 * bytes);
  std::byte* next = all.data();
  for (cl_mem buffer : {a.buffer, a.plain}) {
    REQUIRE_CL(clEnqueueReadBuffer(a.queue, buffer, CL_TRUE, 0, bytes, next, 0, nullptr, nullptr));
    next += bytes;
  }
  const size_t region[3] = {width, height, 1};
  for (cl_mem image : {a.image, a.plain_image}) {
    REQUIRE_CL(clEnqueueReadImage(a.queue, image, CL_TRUE, none, region, 0, 0, next, 0, nullptr, nullptr));
    next += bytes;
  }
  std::memcpy(next, a.host, bytes);
  return all;
}

/// What each command makes of the same contents, one after the other.
std::vector<std::vector<std::byte>> results(const test::Session& session, int file, int image_file) {
  const Objects objects(session.context, file), images(session.context, image_file),
      plain(session.context, -1);
  std::vector<std::byte> host(bytes);
  for (size_t i = 0; i < bytes; ++i)
    host[i] = static_cast<std::byte>(i * 7 + i / 251);
  const Arguments a{session.queue, objects.buffer, images.image, plain.buffer, plain.image, host.data()};
  for (cl_mem buffer : {a.buffer, a.plain})
    REQUIRE_CL(clEnqueueWriteBuffer(a.queue, buffer, CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr));
  const size_t region[3] = {width, height, 1};
  for (cl_mem image : {a.image, a.plain_image})
    REQUIRE_CL(
        clEnqueueWriteImage(a.queue, image, CL_TRUE, none, region, 0, 0, host.data(), 0, nullptr, nullptr));
  std::vector<std::vector<std::byte>> all;
  for (const Command& command : commands) {
    REQUIRE_CL(command.enqueue(a));
    REQUIRE_CL(clFinish(a.queue));
    all.push_back(contents(a));
  }
  return all;
}

void check_that_commands_fail(const test::Session& session) {
  for (const off_t left : {off_t{0}, off_t{8192}}) {
    const int file = memory_file();
    const Objects objects(session.context, file), plain(session.context, -1);
    REQUIRE(ftruncate(file, left) == 0);
    std::vector<std::byte> host(bytes);
    const Arguments a{session.queue, objects.buffer, objects.image, plain.buffer, plain.image, host.data()};
    for (const Command& command : commands) {
      CAPTURE(command.name, left);
      REQUIRE_CL(command.enqueue(a));
      CHECK(clFinish(a.queue) == CL_OUT_OF_RESOURCES);
    }
    const cl_buffer_region region{16'384, 4096};
    cl_int error = 1;
    const test::Buffer sub(clCreateSubBuffer(a.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    REQUIRE_CL(error);
    CHECK(clEnqueueReadBuffer(a.queue, sub, CL_TRUE, 0, 4096, host.data(), 0, nullptr, nullptr) ==
          CL_OUT_OF_RESOURCES);
    CHECK(clEnqueueReadBuffer(a.queue, a.buffer, CL_TRUE, 0, 4096, host.data(), 0, nullptr, nullptr) ==
          (left ? CL_SUCCESS : CL_OUT_OF_RESOURCES));
    void* const mapped =
        clEnqueueMapBuffer(a.queue, a.buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error);
    REQUIRE_CL(error);
    REQUIRE_CL(clEnqueueUnmapMemObject(a.queue, a.buffer, mapped, 0, nullptr, nullptr));
    REQUIRE_CL(clFinish(a.queue));
    close(file);
  }
}

int bus_errors = 0;

/// While it lives, the application handles SIGBUS.
class OwnHandler {
public:
  OwnHandler() {
    struct sigaction own{};
    own.sa_handler = [](int) { ++bus_errors; };
    sigaction(SIGBUS, &own, &before_);
  }
  ~OwnHandler() { sigaction(SIGBUS, &before_, nullptr); }
  OwnHandler(const OwnHandler&) = delete;

private:
  struct sigaction before_;
};

} // namespace

TEST_CASE("Commands do the same with external memory as with other memory", "[external_shrinks]") {
  if (!test::has_extension("cl_khr_external_memory_opaque_fd")) return;
  const test::Session session;
  const int file = memory_file(), image_file = memory_file();
  const auto external = results(session, file, image_file), plain = results(session, -1, -1);
  for (size_t i = 0; i < std::size(commands); ++i) {
    CAPTURE(commands[i].name);
    CHECK((external[i] == plain[i]));
  }
  close(file);
  close(image_file);
}

TEST_CASE("Commands fail when the file of external memory has become shorter", "[external_shrinks]") {
  if (!test::is_hostcl() || test::has_guests()) return;
  const test::Session session;
  session.kernel("kernel void nothing() {}", "nothing"); // faults come to the driver first from then on
  SECTION("on a thread that takes SIGBUS") {
    check_that_commands_fail(session);
  }
  SECTION("on a thread that blocks it") {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    check_that_commands_fail(session);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, &before, &after);
    CHECK(sigismember(&after, SIGBUS) == 1);
  }
  SECTION("and the application handles SIGBUS, whose handler is not called") {
    const OwnHandler handler;
    check_that_commands_fail(session);
    CHECK(bus_errors == 0);
  }
}

TEST_CASE("A command in the background fails as well, and its event says so", "[external_shrinks]") {
  if (!test::is_hostcl() || test::has_guests()) return;
  const test::Session session;
  const int file = memory_file();
  const Objects objects(session.context, file), plain(session.context, -1);
  REQUIRE(ftruncate(file, 0) == 0);
  cl_event event = nullptr;
  REQUIRE_CL(
      clEnqueueCopyBuffer(session.queue, objects.buffer, plain.buffer, 0, 0, bytes, 0, nullptr, &event));
  REQUIRE_CL(clFlush(session.queue));
  cl_int status = CL_QUEUED;
  while (status > CL_COMPLETE) {
    usleep(1000);
    REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  }
  CHECK(status == CL_OUT_OF_RESOURCES);
  clReleaseEvent(event);
  close(file);
}
