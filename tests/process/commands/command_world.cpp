#include "command_world.hpp"

#include <algorithm>

namespace test {

namespace {

/// Tells the worlds of the process apart.
size_t next_number() {
  static size_t last = 0;
  return ++last;
}

constexpr const char* source = R"(kernel void put(global int* a) { a[get_global_id(0)] = 1; }
kernel void get(global const int* a, global int* o) {
  o[get_global_id(0)] = a[get_global_id(0)];
}
kernel void count(global int* a) { atomic_inc(a); }
kernel void look(constant int* a, global int* o) {
  o[get_global_id(0)] = a[get_global_id(0) + 1];
}
)";

size_t ints_of(cl_mem memory) {
  size_t size = 0;
  REQUIRE_CL(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr));
  return size / sizeof(int);
}

std::string renamed(std::string text, const std::string& suffix) {
  for (const std::string name : {"put", "get", "count", "look"}) {
    const std::string before = "void " + name;
    text.insert(text.find(before) + before.size(), suffix);
  }
  return text;
}

cl_uint size_of(const Waits& waits) {
  return static_cast<cl_uint>(waits.size());
}
const cl_event* list_of(const Waits& waits) {
  return waits.empty() ? nullptr : waits.data();
}

} // namespace

CommandWorld::CommandWorld()
    : first(session.queue),
      second(make_queue(session.context)),
      unordered(make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)),
      a(session.buffer(bytes + next_number())),
      b(session.buffer(bytes + next_number())),
      other(session.buffer(bytes + next_number())),
      suffix_("_" + std::to_string(next_number())),
      program_(session.build(renamed(source, suffix_).c_str(), "-cl-std=CL3.0")) {}

cl_kernel CommandWorld::kernel(const char* name) {
  kernels_.push_back(session.kernel(program_, (name + suffix_).c_str()));
  return kernels_.back();
}

Event CommandWorld::launch(cl_command_queue queue, cl_kernel kernel, const Waits& waits, size_t begin,
                           size_t end) const {
  Event event;
  const size_t size = end - begin;
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, &begin, &size, nullptr, size_of(waits), list_of(waits),
                                    event.address()));
  return event;
}

Event CommandWorld::put(cl_command_queue queue, const Waits& waits, size_t begin, size_t end) {
  const cl_kernel k = kernel("put");
  set_arguments(k, a);
  return launch(queue, k, waits, begin, end);
}

Event CommandWorld::get(cl_command_queue queue, const Waits& waits, size_t begin, size_t end) {
  const cl_kernel k = kernel("get");
  set_arguments(k, a, other);
  return launch(queue, k, waits, begin, end);
}

Event CommandWorld::put(cl_command_queue queue, cl_mem memory) {
  const cl_kernel k = kernel("put");
  REQUIRE_CL(clSetKernelArg(k, 0, sizeof memory, &memory));
  return launch(queue, k, {}, 0, ints_of(memory));
}

Event CommandWorld::get(cl_command_queue queue, cl_mem memory) {
  const cl_kernel k = kernel("get");
  REQUIRE_CL(clSetKernelArg(k, 0, sizeof memory, &memory));
  REQUIRE_CL(set_argument(k, 1, other));
  return launch(queue, k, {}, 0, ints_of(memory));
}

Event CommandWorld::count(cl_command_queue queue, const Waits& waits) {
  const cl_kernel k = kernel("count");
  set_arguments(k, a);
  return launch(queue, k, waits, 0, items);
}

Event CommandWorld::look(cl_command_queue queue) {
  const cl_kernel k = kernel("look");
  set_arguments(k, a, other);
  return launch(queue, k, {}, 0, items - 1);
}

Event CommandWorld::write(cl_command_queue queue, cl_mem to, size_t begin, size_t end, const Waits& waits) {
  Event event;
  REQUIRE_CL(clEnqueueWriteBuffer(queue, to, CL_FALSE, begin, end - begin, host.data(), size_of(waits),
                                  list_of(waits), event.address()));
  return event;
}

Event CommandWorld::read(cl_command_queue queue, cl_mem from, size_t begin, size_t end, const Waits& waits) {
  Event event;
  REQUIRE_CL(clEnqueueReadBuffer(queue, from, CL_FALSE, begin, end - begin, more.data(), size_of(waits),
                                 list_of(waits), event.address()));
  return event;
}

Event CommandWorld::copy(cl_command_queue queue, const Waits& waits) {
  Event event;
  REQUIRE_CL(clEnqueueCopyBuffer(queue, a, b, 0, 0, bytes, size_of(waits), list_of(waits), event.address()));
  return event;
}

Event CommandWorld::fill(cl_command_queue queue, cl_mem to, const Waits& waits) {
  Event event;
  const int pattern = 7;
  REQUIRE_CL(clEnqueueFillBuffer(queue, to, &pattern, sizeof pattern, 0, bytes, size_of(waits),
                                 list_of(waits), event.address()));
  return event;
}

void CommandWorld::finish() const {
  for (const cl_command_queue queue : {first, second.get(), unordered.get()})
    REQUIRE_CL(clFinish(queue));
}

Buffer CommandWorld::part(cl_mem of, size_t begin, size_t size) const {
  const cl_buffer_region region{begin, size};
  cl_int error = 1;
  Buffer made(clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  return made;
}

std::vector<std::string> command_findings() {
  std::vector<std::string> found = new_findings();
  std::erase_if(
      found, [](const std::string& line) { return line.find(R"("check":"commands")") == std::string::npos; });
  return found;
}

} // namespace test
