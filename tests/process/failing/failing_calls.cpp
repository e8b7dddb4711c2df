// HOSTCL_FAIL: calls fail as the setting says. Each rule is tested in a child process, which loads the driver with the
// setting.

#include "process/own_process.hpp"
#include "support/catch.hpp"
#include "support/choice.hpp"
#include "support/poll.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  ++failures;
}
void expect_code(cl_int code, cl_int wanted, const std::string& what) {
  expect(code == wanted, what + ": " + std::to_string(code) + " instead of " + std::to_string(wanted));
}

/// Runs the body in a child with HOSTCL_FAIL. @returns the number of failed expectations
template <class Body>
int with_rules(const char* rules, Body body) {
  return test::in_child([&] {
    setenv("HOSTCL_FAIL", rules, 1);
    body();
    return failures;
  });
}

// ---- Every function

template <class T>
T argument(cl_int* code, bool is_last) {
  if constexpr (std::is_same_v<T, cl_int*>)
    return is_last ? code : nullptr;
  else
    return T{};
}

struct Answer {
  cl_int code;
  bool is_null;
};

template <class Returned, class... Args, std::size_t... indices>
Answer call(Returned(CL_API_CALL* function)(Args...), cl_int* code, std::index_sequence<indices...>) {
  if constexpr (std::is_void_v<Returned>) {
    return {0, true}; // the function cannot fail
  } else {
    Returned result = function(argument<Args>(code, indices + 1 == sizeof...(Args))...);
    if constexpr (std::is_same_v<Returned, cl_int>)
      return {result, true};
    else
      return {code ? *code : CL_SUCCESS, result == nullptr};
  }
}

/// Calls the function with zeros. A call that HOSTCL_FAIL makes fail does not look at its arguments.
template <class Returned, class... Args>
Answer call(Returned(CL_API_CALL* function)(Args...), cl_int* code) {
  return call(function, code, std::index_sequence_for<Args...>());
}

struct Slot {
  std::string_view name;
  Answer (*call)(const cl_icd_dispatch&, cl_int* code);
};

constexpr Slot slots[] = {
#define ENTRY(name, function)                                                                                \
  {#name, [](const cl_icd_dispatch& table, cl_int* code) { return call(table.name, code); }},
#define SHARED(name, function) ENTRY(name, function)
#define PLAIN(name, function) ENTRY(name, function)
#define ABSENT(name)
#define EMPTY(name)
#define VERSION(number)
#include "runtime/api/entry_points.inc"
#undef VERSION
#undef EMPTY
#undef ABSENT
#undef PLAIN
#undef SHARED
#undef ENTRY
};

/// The error that the function returns if the rule names none. For functions that begin a build, the error of their
/// wrong arguments, because only a build that has begun fails.
cl_int wanted_error(std::string_view name) {
  static const std::map<std::string_view, cl_int> errors = {
      {"clBuildProgram", CL_INVALID_PROGRAM},
      {"clCompileProgram", CL_INVALID_PROGRAM},
      {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateBufferWithProperties", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateImage", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateImage2D", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateImage3D", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateImageWithProperties", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreatePipe", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateSubBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {"clCreateSubDevices", CL_DEVICE_PARTITION_FAILED},
      {"clEnqueueMapBuffer", CL_MAP_FAILURE},
      {"clEnqueueMapImage", CL_MAP_FAILURE},
      {"clGetPlatformIDs", CL_OUT_OF_HOST_MEMORY},
      {"clGetPlatformInfo", CL_OUT_OF_HOST_MEMORY},
      {"clLinkProgram", CL_INVALID_CONTEXT},
      {"clUnloadPlatformCompiler", CL_INVALID_PLATFORM},
  };
  const auto found = errors.find(name);
  return found == errors.end() ? CL_OUT_OF_RESOURCES : found->second;
}

cl_platform_id only_platform() {
  cl_platform_id platform = nullptr;
  expect_code(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS, "the loader finds the platform");
  return platform;
}

// ---- A context with a queue and a kernel

constexpr const char* source = "kernel void set(global int* v) { v[get_global_id(0)] = 1; }";

struct World {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue;
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  cl_mem buffer;
  int zeros[4] = {};

  explicit World(cl_command_queue_properties properties = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    queue = clCreateCommandQueueWithProperties(context, device, list, nullptr);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, nullptr);
  }
  cl_kernel kernel() const {
    expect_code(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS, "build");
    cl_kernel kernel = clCreateKernel(program, "set", nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    return kernel;
  }
  cl_int launch(cl_kernel kernel, std::vector<cl_event> waits, cl_event* event) const {
    const size_t size = 4;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr,
                                  static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                  event);
  }
  int first_number() const {
    int number = -1;
    expect_code(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof number, &number, 0, nullptr, nullptr),
                CL_SUCCESS, "read");
    return number;
  }
  std::string log() const {
    char text[500] = {};
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, nullptr);
    return text;
  }
  cl_build_status status() const {
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
    return status;
  }
  /// Releases the application's objects. Expects that the context ends, because nothing else has a reference to it.
  void end() {
    std::atomic<int> ended = 0;
    clSetContextDestructorCallback(
        context, [](cl_context, void* flag) { ++*static_cast<std::atomic<int>*>(flag); }, &ended);
    clReleaseMemObject(buffer);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    test::becomes([&] { return ended != 0; });
    expect_code(ended, 1, "calls of the context's destructor callback");
  }
};

cl_int status_of(cl_event event) {
  cl_int status = 1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

} // namespace

TEST_CASE("each function of the API can be made to fail, and returns no object", "[failing_calls]") {
  CHECK(with_rules("cl*", [] {
          const auto* table = *reinterpret_cast<const cl_icd_dispatch* const*>(only_platform());
          int failed = 0;
          for (const Slot& slot : slots) {
            if (slot.name == "clSVMFree") continue; // it returns nothing
            const std::string name(slot.name);
            const bool has_code = slot.name != "clSVMAlloc" && !slot.name.starts_with("clGetExtension");
            cl_int code = CL_SUCCESS;
            const Answer answer = slot.call(*table, &code);
            if (has_code) expect_code(answer.code, wanted_error(slot.name), name);
            expect(answer.is_null, name + " returns an object");
            expect(slot.call(*table, nullptr).is_null, name + " without errcode_ret returns an object");
            ++failed;
          }
          expect(failed > 110, "only " + std::to_string(failed) + " functions were called");
        }) == 0);
}

TEST_CASE("a function that a program gets by its name fails as well", "[failing_calls]") {
  CHECK(with_rules("clCreateCommandBufferKHR:2,clHostMemAllocINTEL", [] {
          cl_platform_id platform = only_platform();
          const auto create = reinterpret_cast<clCreateCommandBufferKHR_fn>(
              clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR"));
          cl_int code = CL_SUCCESS;
          create(0, nullptr, nullptr, &code);
          expect_code(code, CL_INVALID_VALUE, "the first call looks at its arguments");
          create(0, nullptr, nullptr, &code);
          expect_code(code, CL_OUT_OF_RESOURCES, "the second call");
        }) == 0);
}

TEST_CASE("the queries of the Khronos ICD loader do not count as calls of the application",
          "[failing_calls]") {
  CHECK(with_rules("clGetPlatformInfo:1:CL_OUT_OF_HOST_MEMORY", [] {
          cl_platform_id platform = only_platform();
          size_t bytes = 0;
          expect_code(clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, 0, nullptr, &bytes), CL_SUCCESS,
                      "the query of a loader");
          expect_code(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &bytes),
                      CL_OUT_OF_HOST_MEMORY, "the application's first query");
        }) == 0);
}

TEST_CASE("a rule selects calls by their number", "[failing_calls]") {
  CHECK(with_rules("clCreateBuffer:3-4:CL_OUT_OF_HOST_MEMORY,create:8", [] {
          const World world; // three objects but the buffer: calls 1 to 4 of `create`
          cl_int codes[6];
          for (cl_int& code : codes) {
            cl_mem buffer = clCreateBuffer(world.context, 0, 16, nullptr, &code);
            expect((buffer != nullptr) == (code == CL_SUCCESS), "a buffer that is null, or has an error");
          }
          const cl_int wanted[] = {CL_SUCCESS,
                                   CL_OUT_OF_HOST_MEMORY,
                                   CL_OUT_OF_HOST_MEMORY,
                                   CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                   CL_SUCCESS,
                                   CL_SUCCESS};
          for (int i = 0; i < 6; ++i)
            expect_code(codes[i], wanted[i], "buffer " + std::to_string(i));
        }) == 0);
}

TEST_CASE("the context's callback gets a sentence about the call", "[failing_calls]") {
  CHECK(with_rules("clCreateBuffer:1", [] {
          std::string said;
          cl_device_id device = test::chosen_device();
          cl_context context = clCreateContext(
              nullptr, 1, &device,
              [](const char* text, const void*, size_t, void* into) {
                *static_cast<std::string*>(into) = text;
              },
              &said, nullptr);
          clCreateBuffer(context, 0, 16, nullptr, nullptr);
          expect(said == "clCreateBuffer: fails because of HOSTCL_FAIL=clCreateBuffer:1, call 1", said);
        }) == 0);
}

TEST_CASE("an object lives until its release succeeds, and then calls its callback", "[failing_calls]") {
  CHECK(with_rules("clReleaseMemObject:1", [] {
          World world;
          int calls = 0;
          clSetMemObjectDestructorCallback(
              world.buffer, [](cl_mem, void* count) { ++*static_cast<int*>(count); }, &calls);
          expect_code(clReleaseMemObject(world.buffer), CL_OUT_OF_RESOURCES, "the first release");
          expect_code(calls, 0, "calls after the first release");
          expect_code(world.first_number(), 0, "the buffer's contents");
          world.end();
          expect_code(calls, 1, "calls after the second release");
        }) == 0);
}

TEST_CASE("a build that fails has a log, and the next one succeeds", "[failing_calls]") {
  CHECK(with_rules("build:1", [] {
          World world;
          expect_code(clBuildProgram(world.program, 0, nullptr, "", nullptr, nullptr),
                      CL_BUILD_PROGRAM_FAILURE, "the first build");
          expect_code(world.status(), CL_BUILD_ERROR, "its status");
          expect(world.log().find("HOSTCL_FAIL=build:1") != std::string::npos, "its log: " + world.log());
          cl_int code = CL_SUCCESS;
          expect(!clCreateKernel(world.program, "set", &code), "a kernel of a program that is not built");
          expect_code(code, CL_INVALID_PROGRAM_EXECUTABLE, "clCreateKernel");
          clReleaseKernel(world.kernel());
          expect_code(world.status(), CL_BUILD_SUCCESS, "the status of the second build");
          world.end();
        }) == 0);
}

TEST_CASE("a build with a callback fails later", "[failing_calls]") {
  CHECK(with_rules("build:1", [] {
          World world;
          std::atomic<int> calls = 0;
          expect_code(clBuildProgram(
                          world.program, 0, nullptr, "",
                          [](cl_program, void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls),
                      CL_SUCCESS, "clBuildProgram");
          test::becomes([&] { return calls != 0; });
          expect_code(calls, 1, "calls of the callback");
          expect_code(world.status(), CL_BUILD_ERROR, "the status");
          world.end();
        }) == 0);
}

TEST_CASE("clCompileProgram and clLinkProgram fail with their errors", "[failing_calls]") {
  CHECK(with_rules("clCompileProgram:1,clLinkProgram:1", [] {
          World world;
          const auto compile = [&] {
            return clCompileProgram(world.program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
          };
          expect_code(compile(), CL_COMPILE_PROGRAM_FAILURE, "the first clCompileProgram");
          expect_code(compile(), CL_SUCCESS, "the second clCompileProgram");
          cl_int code = CL_SUCCESS;
          cl_program linked =
              clLinkProgram(world.context, 0, nullptr, "", 1, &world.program, nullptr, nullptr, &code);
          expect_code(code, CL_LINK_PROGRAM_FAILURE, "clLinkProgram");
          if (linked) clReleaseProgram(linked); // it has the log
          world.end();
        }) == 0);
}

TEST_CASE("a lost launch ends with an error, and so do the commands that wait for it", "[failing_calls]") {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    CHECK(with_rules("launch:1:lost", [&] {
            World world(properties);
            cl_kernel kernel = world.kernel();
            cl_event lost = nullptr, later = nullptr;
            expect_code(world.launch(kernel, {}, &lost), CL_SUCCESS, "the lost launch");
            std::atomic<int> seen = 1;
            clSetEventCallback(
                lost, CL_COMPLETE,
                [](cl_event, cl_int status, void* into) { *static_cast<std::atomic<int>*>(into) = status; },
                &seen);
            expect_code(world.launch(kernel, {lost}, &later), CL_SUCCESS, "a launch that waits for it");
            expect_code(clWaitForEvents(1, &later), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                        "clWaitForEvents");
            expect_code(status_of(lost), CL_OUT_OF_RESOURCES, "the status of the lost launch");
            expect_code(status_of(later), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                        "the status of the other");
            clFinish(world.queue);
            test::becomes([&] { return seen != 1; });
            expect_code(seen, CL_OUT_OF_RESOURCES, "the status that the callback gets");
            expect_code(world.first_number(), 0, "what the launches did not write");
            expect_code(world.launch(kernel, {}, nullptr), CL_SUCCESS, "the next launch");
            expect_code(clFinish(world.queue), CL_SUCCESS, "clFinish");
            expect_code(world.first_number(), 1, "what the next launch wrote");
            clReleaseEvent(lost);
            clReleaseEvent(later);
            clReleaseKernel(kernel);
            world.end();
          }) == 0);
}

TEST_CASE("clFinish reports a lost command once", "[failing_calls]") {
  CHECK(with_rules("launch:1:lost", [] {
          World world;
          cl_kernel kernel = world.kernel();
          expect_code(world.launch(kernel, {}, nullptr), CL_SUCCESS, "the launch");
          expect_code(clFinish(world.queue), CL_OUT_OF_RESOURCES, "the first clFinish");
          expect_code(clFinish(world.queue), CL_SUCCESS, "the second clFinish");
          clReleaseKernel(kernel);
          world.end();
        }) == 0);
}

TEST_CASE("a blocking transfer that is lost fails, and returns no event", "[failing_calls]") {
  CHECK(with_rules("read:1:lost", [] {
          World world;
          int number = 7;
          cl_event event = nullptr;
          expect_code(
              clEnqueueReadBuffer(world.queue, world.buffer, CL_TRUE, 0, 4, &number, 0, nullptr, &event),
              CL_OUT_OF_RESOURCES, "clEnqueueReadBuffer");
          expect(!event, "an event of a call that failed");
          expect_code(number, 7, "what was not read");
          expect_code(world.first_number(), 0, "the second read");
          world.end();
        }) == 0);
}

TEST_CASE("commands that a callback enqueues during a lost call are not lost", "[failing_calls]") {
  CHECK(with_rules("read:1:lost", [] {
          struct Nested {
            World world;
            std::atomic<cl_event> event = nullptr;
            static void CL_CALLBACK enqueue(cl_event, cl_int, void* data) {
              Nested& self = *static_cast<Nested*>(data);
              cl_event event = nullptr;
              clEnqueueMarkerWithWaitList(self.world.queue, 0, nullptr, &event);
              self.event = event;
            }
          } nested;
          int number = 0;
          cl_event first = nullptr, user = clCreateUserEvent(nested.world.context, nullptr);
          // The blocking read runs the marker, whose callback enqueues another one.
          clEnqueueMarkerWithWaitList(nested.world.queue, 1, &user, &first);
          clSetEventCallback(first, CL_COMPLETE, &Nested::enqueue, &nested);
          clSetUserEventStatus(user, CL_COMPLETE);
          expect_code(clEnqueueReadBuffer(nested.world.queue, nested.world.buffer, CL_TRUE, 0, 4, &number, 0,
                                          nullptr, nullptr),
                      CL_OUT_OF_RESOURCES, "the lost read");
          clFinish(nested.world.queue);
          test::becomes([&] { return nested.event != nullptr; });
          const cl_event second = nested.event;
          expect_code(clWaitForEvents(1, &second), CL_SUCCESS, "the callback's command");
        }) == 0);
}

TEST_CASE("commands of every kind can be lost", "[failing_calls]") {
  CHECK(with_rules("enqueue:lost", [] {
          World world;
          const int one = 1;
          cl_int code = CL_SUCCESS;
          std::vector<cl_event> events;
          const auto event = [&] { return &events.emplace_back(); };
          clEnqueueFillBuffer(world.queue, world.buffer, &one, 4, 0, 16, 0, nullptr, event());
          clEnqueueWriteBuffer(world.queue, world.buffer, CL_FALSE, 0, 4, &one, 0, nullptr, event());
          clEnqueueCopyBuffer(world.queue, world.buffer, world.buffer, 0, 8, 4, 0, nullptr, event());
          clEnqueueMigrateMemObjects(world.queue, 1, &world.buffer, 0, 0, nullptr, event());
          clEnqueueMarkerWithWaitList(world.queue, 0, nullptr, event());
          clEnqueueBarrierWithWaitList(world.queue, 0, nullptr, event());
          void* mapped = clEnqueueMapBuffer(world.queue, world.buffer, CL_FALSE, CL_MAP_READ, 0, 4, 0,
                                            nullptr, event(), &code);
          expect_code(code, CL_SUCCESS, "clEnqueueMapBuffer");
          clEnqueueUnmapMemObject(world.queue, world.buffer, mapped, 0, nullptr, event());
          clFinish(world.queue);
          for (std::size_t i = 0; i < events.size(); ++i)
            expect_code(status_of(events[i]), CL_OUT_OF_RESOURCES, "command " + std::to_string(i));
          for (cl_event each : events)
            clReleaseEvent(each);
          world.end();
        }) == 0);
}
