// The application supplies pages of memory when they are touched, and commands and callbacks touch them: on the thread
// that waits for them, and on the driver's threads. usage: test_paging thread|sigbus|sigsegv|sigsegv_on_stack
// Exit code 77: the system does not allow it.

#include "process/pager.hpp"
#include "process/world.hpp"
#include "support/handles.hpp"

#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using test::Pager;
using test::require;

constexpr std::size_t pages = 48;

const char* const source = R"(
kernel void add(global const uint* from, global uint* to) {
  size_t i = get_global_id(0);
  to[i] += from[i];
}
kernel void gather(global const uint* from, global uint* to, uint count) {
  size_t i = get_global_id(0);
  to[i] = from[(i * 1031) % count];
}
)";

/// Where the command runs: on the thread that waits in clFinish, or on the driver's while that one is in no call.
enum class Waiting { finish, background };

struct Case {
  test::Context context;
  test::Program program;
  test::Queue queue;
  Pager& from;
  Pager& to;
  Waiting waiting = Waiting::finish;
  std::vector<std::uint32_t> plain;

  Case(Pager& source_pages, Pager& target_pages);

  test::Buffer buffer(Pager& pager) const { return over(pager.words(), pager.count()); }
  test::Buffer over(std::uint32_t* words, std::size_t count) const {
    return test::Buffer(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, count * 4, words, nullptr));
  }
  void run(const char* kernel, std::initializer_list<cl_mem> arguments, bool has_count = false);
  /// After a command was enqueued.
  void wait(cl_event command) const;
  /// For what callbacks have set.
  void wait(const std::atomic<bool>& done) const;
};

Case::Case(Pager& source_pages, Pager& target_pages)
    : from(source_pages), to(target_pages), plain(source_pages.count(), 17) {
  const test::World& world = test::lasting_world();
  cl_device_id device = world.device;
  context.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  queue.reset(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr));
  program.reset(test::make_program(context, source));
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
}

void Case::wait(cl_event command) const {
  require(clFlush(queue) == CL_SUCCESS, "clFlush");
  cl_int status = CL_QUEUED;
  for (int i = 0; waiting == Waiting::background && i < 20'000; ++i) {
    clGetEventInfo(command, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status <= CL_COMPLETE) break;
    usleep(1'000);
  }
  require(waiting == Waiting::finish || status == CL_COMPLETE, "a command that completes in the background");
  require(clFinish(queue) == CL_SUCCESS, "clFinish");
}

void Case::wait(const std::atomic<bool>& done) const {
  require(clFlush(queue) == CL_SUCCESS, "clFlush");
  if (waiting == Waiting::finish) require(clFinish(queue) == CL_SUCCESS, "clFinish");
  for (int i = 0; !done && i < 20'000; ++i)
    usleep(1'000);
  require(done, "a callback");
  require(clFinish(queue) == CL_SUCCESS, "clFinish");
}

void Case::run(const char* name, std::initializer_list<cl_mem> arguments, bool has_count) {
  const test::Kernel kernel(clCreateKernel(program, name, nullptr));
  cl_uint index = 0;
  for (cl_mem argument : arguments)
    clSetKernelArg(kernel, index++, sizeof argument, &argument);
  const auto count = static_cast<cl_uint>(from.count());
  if (has_count) clSetKernelArg(kernel, index, sizeof count, &count);
  const std::size_t size = from.count();
  test::Event event;
  require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, event.address()) ==
              CL_SUCCESS,
          "clEnqueueNDRangeKernel");
  wait(event);
}

using Words = std::function<std::uint32_t(std::size_t)>;

void expect(const char* what, const std::uint32_t* words, std::size_t count, const Words& expected) {
  for (std::size_t i = 0; i < count; ++i)
    if (words[i] != expected(i)) {
      std::fprintf(stderr, "word %zu is %u and should be %u\n", i, words[i], expected(i));
      require(false, what);
    }
}

// ---- Commands

void add(Case& c) {
  const test::Buffer from = c.buffer(c.from), to = c.buffer(c.to);
  c.run("add", {from, to});
  expect("what a kernel added", c.to.words(), c.to.count(),
         [](std::size_t i) { return 2 * Pager::initial(i); });
}

void gather(Case& c) {
  const test::Buffer from = c.buffer(c.from), to = c.buffer(c.to);
  c.run("gather", {from, to}, true);
  const std::size_t count = c.from.count();
  expect("what a kernel gathered", c.to.words(), count,
         [count](std::size_t i) { return Pager::initial(i * 1031 % count); });
}

void copy(Case& c) {
  const test::Buffer from = c.buffer(c.from), to = c.buffer(c.to);
  test::Event event;
  clEnqueueCopyBuffer(c.queue, from, to, 4, 0, c.from.count() * 4 - 4, 0, nullptr, event.address());
  c.wait(event);
  expect("a copy", c.to.words(), c.from.count() - 1, [](std::size_t i) { return Pager::initial(i + 1); });
}

void fill(Case& c) {
  const test::Buffer to = c.buffer(c.to);
  const std::uint32_t pattern[] = {1, 2, 3, 4};
  test::Event event;
  clEnqueueFillBuffer(c.queue, to, pattern, sizeof pattern, 64, c.to.count() * 4 - 128, 0, nullptr,
                      event.address());
  c.wait(event);
  expect("a fill", c.to.words(), c.to.count(), [count = c.to.count()](std::size_t i) {
    return i < 16 || i >= count - 16 ? Pager::initial(i) : static_cast<std::uint32_t>(i % 4 + 1);
  });
}

void write(Case& c) {
  const test::Buffer to = c.over(c.plain.data(), c.plain.size());
  test::Event event;
  clEnqueueWriteBuffer(c.queue, to, CL_FALSE, 0, c.from.count() * 4, c.from.words(), 0, nullptr,
                       event.address());
  c.wait(event);
  expect("a write", c.plain.data(), c.plain.size(), Pager::initial);
}

void read(Case& c) {
  const test::Buffer from = c.over(c.plain.data(), c.plain.size());
  test::Event event;
  clEnqueueReadBuffer(c.queue, from, CL_FALSE, 0, c.to.count() * 4, c.to.words(), 0, nullptr,
                      event.address());
  c.wait(event);
  expect("a read", c.to.words(), c.to.count(), [](std::size_t) { return 17u; });
}

void read_rect(Case& c) {
  const test::Buffer from = c.buffer(c.from);
  const std::size_t origin[] = {0, 0, 0}, region[] = {1000, c.from.count() / 256, 1};
  test::Event event;
  clEnqueueReadBufferRect(c.queue, from, CL_FALSE, origin, origin, region, 1024, 0, 1024, 0, c.to.words(), 0,
                          nullptr, event.address());
  c.wait(event);
  expect("a rectangle", c.to.words(), c.to.count(), Pager::initial);
}

// ---- Functions of the application

/// What a callback does.
struct Touch {
  const Pager& pager;
  std::atomic<bool> done = false;
  void run() {
    for (std::size_t i = 0; i < pager.count(); i += 700)
      pager.words()[i] += 1;
    done = true;
  }
  void check() const {
    expect("what a callback wrote", pager.words(), pager.count(),
           [](std::size_t i) { return Pager::initial(i) + (i % 700 == 0); });
  }
};

void event_callback(Case& c) {
  Touch touch{c.to};
  test::Event event;
  require(clEnqueueMarkerWithWaitList(c.queue, 0, nullptr, event.address()) == CL_SUCCESS, "a marker");
  clSetEventCallback(
      event, CL_COMPLETE, [](cl_event, cl_int, void* data) { static_cast<Touch*>(data)->run(); }, &touch);
  c.wait(touch.done);
  touch.check();
}

void native_kernel(Case& c) {
  Touch touch{c.to};
  Touch* argument = &touch;
  test::Event event;
  require(clEnqueueNativeKernel(
              c.queue, [](void* data) { (*static_cast<Touch**>(data))->run(); }, &argument, sizeof argument,
              0, nullptr, nullptr, 0, nullptr, event.address()) == CL_SUCCESS,
          "clEnqueueNativeKernel");
  c.wait(event);
  touch.check();
}

void svm_free(Case& c) {
  Touch touch{c.to};
  void* svm = clSVMAlloc(c.context, CL_MEM_READ_WRITE, 64, 0);
  require(clEnqueueSVMFree(
              c.queue, 1, &svm,
              [](cl_command_queue queue, cl_uint, void** pointers, void* data) {
                cl_context context = nullptr;
                clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
                clSVMFree(context, pointers[0]);
                static_cast<Touch*>(data)->run();
              },
              &touch, 0, nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueSVMFree");
  c.wait(touch.done);
  touch.check();
}

void destructor_callback(Case& c) {
  Touch touch{c.to};
  test::Buffer buffer(clCreateBuffer(c.context, 0, 4096, nullptr, nullptr));
  clSetMemObjectDestructorCallback(
      buffer, [](cl_mem, void* data) { static_cast<Touch*>(data)->run(); }, &touch);
  const std::uint32_t pattern = 1;
  clEnqueueFillBuffer(c.queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, nullptr);
  buffer.reset();
  c.wait(touch.done);
  touch.check();
}

void build_callback(Case& c) {
  Touch touch{c.to};
  const test::Program program(test::make_program(c.context, "kernel void other(global uint* v) { *v = 1; }"));
  require(clBuildProgram(
              program, 0, nullptr, "", [](cl_program, void* data) { static_cast<Touch*>(data)->run(); },
              &touch) == CL_SUCCESS,
          "clBuildProgram");
  c.wait(touch.done);
  touch.check();
}

struct Toucher {
  const char* name;
  void (*run)(Case&);
  bool is_foreign; ///< in the background none but the driver's threads touch pages
};
constexpr Toucher touchers[] = {
    {"kernel that adds", add, true},
    {"kernel that gathers", gather, true},
    {"copy", copy, true},
    {"fill", fill, true},
    {"write", write, true},
    {"read", read, true},
    {"rectangle", read_rect, true},
    {"event callback", event_callback, false},
    {"native kernel", native_kernel, true},
    {"SVM free callback", svm_free, true},
    {"destructor callback", destructor_callback, true},
    {"build callback", build_callback, true},
};

constexpr const char* ways[] = {"thread", "sigbus", "sigsegv", "sigsegv_on_stack"};

} // namespace

int main(int count, char** arguments) {
  unsigned way = 0;
  while (way < std::size(ways) && (count < 2 || std::string(arguments[1]) != ways[way]))
    ++way;
  if (way == std::size(ways)) return 2;
  const std::unique_ptr<Pager> from = Pager::make(static_cast<test::PagerWay>(way), pages);
  const std::unique_ptr<Pager> to = Pager::make(static_cast<test::PagerWay>(way), pages);
  if (!from || !to) return 77;
  Case c(*from, *to);
  for (const Waiting waiting : {Waiting::finish, Waiting::background}) {
    for (const Toucher& toucher : touchers) {
      std::printf("%s, %s: ", toucher.name, waiting == Waiting::finish ? "clFinish" : "background");
      std::fflush(stdout);
      from->evict();
      to->evict();
      c.plain.assign(c.plain.size(), 17);
      c.waiting = waiting;
      const std::size_t all = from->faults() + to->faults();
      const std::size_t foreign = from->foreign_faults() + to->foreign_faults();
      toucher.run(c);
      const std::size_t foreign_now = from->foreign_faults() + to->foreign_faults() - foreign;
      std::printf("%zu faults, %zu on other threads\n", from->faults() + to->faults() - all, foreign_now);
      require(from->faults() + to->faults() > all, "a fault");
      require(waiting == Waiting::finish || !toucher.is_foreign || foreign_now > 0,
              "a fault on a thread of the driver");
    }
  }
}
