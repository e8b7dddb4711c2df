// What every enqueue call has in common: its queue, its wait list and its event (OpenCL 3.0 API, 5.11)

#include "support/choice.hpp"
#include "support/images.hpp"
#include "support/semaphores.hpp"

#include <functional>
#include <span>

#include <sys/mman.h>
#include <unistd.h>

namespace {

test::Buffer external_buffer(cl_context context) {
  const int memory = memfd_create("test", MFD_CLOEXEC);
  REQUIRE(ftruncate(memory, 4096) == 0);
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                    static_cast<cl_mem_properties>(memory), 0};
  return test::Buffer(clCreateBufferWithProperties(context, list, 0, 4096, nullptr, nullptr));
}

/// Objects that the commands below work on, all good.
struct World {
  test::Session session;
  test::Buffer from = session.buffer(std::vector<int>(64, 1));
  test::Buffer to = session.buffer(256);
  test::Buffer image = test::make_image(session.context, {CL_R, CL_UNSIGNED_INT8},
                                        test::image_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4));
  test::Buffer other_image = test::make_image(session.context, {CL_R, CL_UNSIGNED_INT8},
                                              test::image_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4));
  test::Kernel kernel = session.kernel("kernel void nothing() {}", "nothing");
  void* svm = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 256, 0);
  int host[64] = {};
  void* mapped = nullptr;
  test::Semaphore semaphore{session.context};
  test::Buffer shared = external_buffer(session.context);
  ~World() {
    clFinish(session.queue);
    if (svm) clSVMFree(session.context, svm);
  }
};

struct Command {
  const char* name;
  std::function<cl_int(World&, cl_command_queue, cl_uint, const cl_event*, cl_event*)> enqueue;
};

void CL_CALLBACK native(void*) {}

constexpr size_t origin[3] = {0, 0, 0}, box[3] = {4, 4, 4}, one = 1;

#define COMMAND(call)                                                                                        \
  [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {             \
    return call;                                                                                             \
  }
const Command commands[] = {
    {"clEnqueueReadBuffer",
     COMMAND(clEnqueueReadBuffer(q, w.from, CL_FALSE, 0, 256, w.host, n, list, event))},
    {"clEnqueueWriteBuffer",
     COMMAND(clEnqueueWriteBuffer(q, w.to, CL_FALSE, 0, 256, w.host, n, list, event))},
    {"clEnqueueReadBufferRect", COMMAND(clEnqueueReadBufferRect(q, w.from, CL_FALSE, origin, origin, box, 0,
                                                                0, 0, 0, w.host, n, list, event))},
    {"clEnqueueWriteBufferRect", COMMAND(clEnqueueWriteBufferRect(q, w.to, CL_FALSE, origin, origin, box, 0,
                                                                  0, 0, 0, w.host, n, list, event))},
    {"clEnqueueCopyBuffer", COMMAND(clEnqueueCopyBuffer(q, w.from, w.to, 0, 0, 256, n, list, event))},
    {"clEnqueueCopyBufferRect",
     COMMAND(clEnqueueCopyBufferRect(q, w.from, w.to, origin, origin, box, 0, 0, 0, 0, n, list, event))},
    {"clEnqueueFillBuffer", COMMAND(clEnqueueFillBuffer(q, w.to, w.host, 4, 0, 256, n, list, event))},
    {"clEnqueueMapBuffer",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       cl_int error = CL_SUCCESS;
       clEnqueueMapBuffer(q, w.to, CL_FALSE, CL_MAP_READ, 0, 256, n, list, event, &error);
       return error;
     }},
    {"clEnqueueReadImage",
     COMMAND(clEnqueueReadImage(q, w.image, CL_FALSE, origin, box, 0, 0, w.host, n, list, event))},
    {"clEnqueueWriteImage",
     COMMAND(clEnqueueWriteImage(q, w.image, CL_FALSE, origin, box, 0, 0, w.host, n, list, event))},
    {"clEnqueueCopyImage",
     COMMAND(clEnqueueCopyImage(q, w.image, w.other_image, origin, origin, box, n, list, event))},
    {"clEnqueueCopyImageToBuffer",
     COMMAND(clEnqueueCopyImageToBuffer(q, w.image, w.to, origin, box, 0, n, list, event))},
    {"clEnqueueCopyBufferToImage",
     COMMAND(clEnqueueCopyBufferToImage(q, w.from, w.image, 0, origin, box, n, list, event))},
    {"clEnqueueFillImage", COMMAND(clEnqueueFillImage(q, w.image, w.host, origin, box, n, list, event))},
    {"clEnqueueMapImage",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       cl_int error = CL_SUCCESS;
       size_t row = 0, slice = 0;
       clEnqueueMapImage(q, w.image, CL_FALSE, CL_MAP_READ, origin, box, &row, &slice, n, list, event,
                         &error);
       return error;
     }},
    {"clEnqueueUnmapMemObject",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       if (!w.mapped)
         w.mapped = clEnqueueMapBuffer(w.session.queue, w.to, CL_TRUE, CL_MAP_READ, 0, 256, 0, nullptr,
                                       nullptr, nullptr);
       return clEnqueueUnmapMemObject(q, w.to, w.mapped, n, list, event);
     }},
    {"clEnqueueMigrateMemObjects",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       const cl_mem object = w.to;
       return clEnqueueMigrateMemObjects(q, 1, &object, 0, n, list, event);
     }},
    {"clEnqueueNDRangeKernel",
     COMMAND(clEnqueueNDRangeKernel(q, w.kernel, 1, nullptr, &one, nullptr, n, list, event))},
    {"clEnqueueTask", COMMAND(clEnqueueTask(q, w.kernel, n, list, event))},
    {"clEnqueueNativeKernel",
     COMMAND(clEnqueueNativeKernel(q, native, nullptr, 0, 0, nullptr, nullptr, n, list, event))},
    {"clEnqueueMarkerWithWaitList", COMMAND(clEnqueueMarkerWithWaitList(q, n, list, event))},
    {"clEnqueueBarrierWithWaitList", COMMAND(clEnqueueBarrierWithWaitList(q, n, list, event))},
    {"clEnqueueSVMFree", COMMAND(clEnqueueSVMFree(q, 0, nullptr, nullptr, nullptr, n, list, event))},
    {"clEnqueueSVMMemcpy", COMMAND(clEnqueueSVMMemcpy(q, CL_FALSE, w.svm, w.host, 256, n, list, event))},
    {"clEnqueueSVMMemFill", COMMAND(clEnqueueSVMMemFill(q, w.svm, w.host, 4, 256, n, list, event))},
    {"clEnqueueSVMMap", COMMAND(clEnqueueSVMMap(q, CL_FALSE, CL_MAP_READ, w.svm, 256, n, list, event))},
    {"clEnqueueSVMUnmap", COMMAND(clEnqueueSVMUnmap(q, w.svm, n, list, event))},
    {"clEnqueueSVMMigrateMem",
     COMMAND(clEnqueueSVMMigrateMem(q, 1, const_cast<const void**>(&w.svm), nullptr, 0, n, list, event))},
    {"clEnqueueSignalSemaphoresKHR",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       const cl_semaphore_khr semaphore = w.semaphore.get();
       return test::semaphore_functions().clEnqueueSignalSemaphoresKHR(q, 1, &semaphore, nullptr, n, list,
                                                                       event);
     }},
    {"clEnqueueWaitSemaphoresKHR",
     [](World& w, cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) -> cl_int {
       w.semaphore.signal(w.session.queue);
       const cl_semaphore_khr semaphore = w.semaphore.get();
       return test::semaphore_functions().clEnqueueWaitSemaphoresKHR(q, 1, &semaphore, nullptr, n, list,
                                                                     event);
     }},
    {"clEnqueueAcquireExternalMemObjectsKHR",
     COMMAND(test::extension_function<clEnqueueAcquireExternalMemObjectsKHR_fn>(
         "clEnqueueAcquireExternalMemObjectsKHR")(q, 1, w.shared.address(), n, list, event))},
    {"clEnqueueReleaseExternalMemObjectsKHR",
     COMMAND(test::extension_function<clEnqueueReleaseExternalMemObjectsKHR_fn>(
         "clEnqueueReleaseExternalMemObjectsKHR")(q, 1, w.shared.address(), n, list, event))},
};
#undef COMMAND

constexpr cl_command_type command_types[] = {
    CL_COMMAND_READ_BUFFER,
    CL_COMMAND_WRITE_BUFFER,
    CL_COMMAND_READ_BUFFER_RECT,
    CL_COMMAND_WRITE_BUFFER_RECT,
    CL_COMMAND_COPY_BUFFER,
    CL_COMMAND_COPY_BUFFER_RECT,
    CL_COMMAND_FILL_BUFFER,
    CL_COMMAND_MAP_BUFFER,
    CL_COMMAND_READ_IMAGE,
    CL_COMMAND_WRITE_IMAGE,
    CL_COMMAND_COPY_IMAGE,
    CL_COMMAND_COPY_IMAGE_TO_BUFFER,
    CL_COMMAND_COPY_BUFFER_TO_IMAGE,
    CL_COMMAND_FILL_IMAGE,
    CL_COMMAND_MAP_IMAGE,
    CL_COMMAND_UNMAP_MEM_OBJECT,
    CL_COMMAND_MIGRATE_MEM_OBJECTS,
    CL_COMMAND_NDRANGE_KERNEL,
    CL_COMMAND_TASK,
    CL_COMMAND_NATIVE_KERNEL,
    CL_COMMAND_MARKER,
    CL_COMMAND_BARRIER,
    CL_COMMAND_SVM_FREE,
    CL_COMMAND_SVM_MEMCPY,
    CL_COMMAND_SVM_MEMFILL,
    CL_COMMAND_SVM_MAP,
    CL_COMMAND_SVM_UNMAP,
    CL_COMMAND_SVM_MIGRATE_MEM,
    CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
    CL_COMMAND_SEMAPHORE_WAIT_KHR,
    CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
    CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
};
static_assert(std::size(command_types) == std::size(commands));

/// All commands, but for those of external memory where none can be imported.
std::span<const Command> usable_commands() {
  return std::span(commands).first(std::size(commands) - (test::has_guests() ? 2 : 0));
}

} // namespace

TEST_CASE("Every enqueue call: its event tells type, queue, context and completion", "[wait_list]") {
  World world;
  for (size_t i = 0; i < usable_commands().size(); ++i) {
    DYNAMIC_SECTION(commands[i].name) {
      test::Event event;
      REQUIRE_CL(commands[i].enqueue(world, world.session.queue, 0, nullptr, event.address()));
      REQUIRE(event);
      cl_command_type type = 0;
      cl_command_queue queue = nullptr;
      cl_context context = nullptr;
      CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
      CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
      CHECK_CL(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr));
      CHECK(type == command_types[i]);
      CHECK(queue == world.session.queue.get());
      CHECK(context == world.session.context.get());
      CHECK_CL(clFinish(world.session.queue));
      CHECK(test::status_of(event) == CL_COMPLETE);
    }
  }
}

TEST_CASE("Every enqueue call: waits for the events of its list", "[wait_list]") {
  for (const Command& command : usable_commands()) {
    DYNAMIC_SECTION(command.name) {
      World world;
      const auto gate = test::user_event(world.session.context);
      const cl_event wait = gate;
      test::Event event;
      REQUIRE_CL(command.enqueue(world, world.session.queue, 1, &wait, event.address()));
      REQUIRE_CL(clFlush(world.session.queue));
      CHECK(test::status_of(event) > CL_RUNNING);
      CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
      CHECK_CL(clFinish(world.session.queue));
      CHECK(test::status_of(event) == CL_COMPLETE);
    }
  }
}

TEST_CASE("Every enqueue call: is cancelled by a failed event of its list", "[wait_list]") {
  for (const Command& command : usable_commands()) {
    DYNAMIC_SECTION(command.name) {
      World world;
      const auto gate = test::user_event(world.session.context);
      const cl_event wait = gate;
      test::Event event;
      REQUIRE_CL(command.enqueue(world, world.session.queue, 1, &wait, event.address()));
      CHECK_CL(clSetUserEventStatus(gate, -42));
      const cl_event handle = event;
      CHECK_STATUS(clWaitForEvents(1, &handle), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      CHECK(test::status_of(event) < 0);
    }
  }
}

TEST_CASE("Every enqueue call: a count without a list is CL_INVALID_EVENT_WAIT_LIST", "[wait_list]") {
  World world;
  for (const Command& command : usable_commands()) {
    CAPTURE(command.name);
    CHECK_STATUS(command.enqueue(world, world.session.queue, 1, nullptr, nullptr),
                 CL_INVALID_EVENT_WAIT_LIST);
  }
}

TEST_CASE("Every enqueue call: a list without a count is CL_INVALID_EVENT_WAIT_LIST", "[wait_list]") {
  World world;
  const auto event = test::user_event(world.session.context);
  const cl_event wait = event;
  for (const Command& command : usable_commands()) {
    CAPTURE(command.name);
    CHECK_STATUS(command.enqueue(world, world.session.queue, 0, &wait, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  }
}

TEST_CASE("Every enqueue call: NULL in the list is CL_INVALID_EVENT_WAIT_LIST", "[wait_list]") {
  World world;
  const cl_event wait = nullptr;
  for (const Command& command : usable_commands()) {
    CAPTURE(command.name);
    CHECK_STATUS(command.enqueue(world, world.session.queue, 1, &wait, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  }
}

TEST_CASE("Every enqueue call: an event of another context is CL_INVALID_CONTEXT", "[wait_list]") {
  World world;
  const auto other = test::make_context();
  const auto event = test::user_event(other);
  const cl_event wait = event;
  for (const Command& command : usable_commands()) {
    CAPTURE(command.name);
    CHECK_STATUS(command.enqueue(world, world.session.queue, 1, &wait, nullptr), CL_INVALID_CONTEXT);
  }
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("Every enqueue call: no queue is CL_INVALID_COMMAND_QUEUE", "[wait_list]") {
  World world;
  for (const Command& command : usable_commands()) {
    CAPTURE(command.name);
    CHECK_STATUS(command.enqueue(world, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  }
}

TEST_CASE("Enqueue calls on objects of another context are CL_INVALID_CONTEXT", "[wait_list]") {
  World world;
  const auto other = test::make_context();
  const auto queue = test::make_queue(other);
  for (const Command& command : usable_commands()) {
    const std::string name = command.name;
    const bool uses_object =
        name.find("Buffer") != std::string::npos || name.find("Image") != std::string::npos ||
        name.find("MemObject") != std::string::npos || name.find("Semaphore") != std::string::npos ||
        name == "clEnqueueNDRangeKernel" || name == "clEnqueueTask";
    if (!uses_object) continue;
    CAPTURE(name);
    CHECK_STATUS(command.enqueue(world, queue, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  }
}
