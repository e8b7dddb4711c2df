// Each error of the functions of cl_khr_command_buffer, in the specification's order.

#include "support/command_buffer.hpp"
#include "support/images.hpp"

#include <functional>

namespace cb = test::cb;

namespace {

constexpr cl_int no_list = cb::invalid_sync_point_wait_list;

/// The arguments that all recording functions share.
struct Common {
  cb::Handle buffer = nullptr;
  cl_command_queue queue = nullptr;
  const cb::Property* properties = nullptr;
  cl_uint count = 0;
  const cb::Point* waits = nullptr;
  cb::Command* command = nullptr;
};

struct World {
  test::Session session;
  test::Program program = session.build("kernel void k(global uint* p) { p[0] = 1; }");
  test::Kernel kernel = session.kernel(program, "k");
  test::Buffer first = session.buffer(256), second = session.buffer(256);
  test::Buffer image, other_image;
  void* svm = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 256, 0);

  World() {
    const auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
    for (test::Buffer* made : {&image, &other_image}) {
      cl_int error = CL_SUCCESS;
      made->reset(
          clCreateImage(session.context, CL_MEM_READ_WRITE, &test::rgba8, &description, nullptr, &error));
      REQUIRE_CL(error);
    }
    test::set_arguments(kernel, first);
  }
  ~World() { clSVMFree(session.context, svm); }

  cb::Buffer buffer(std::vector<cb::Property> properties = {}) const {
    return cb::Buffer({session.queue}, std::move(properties));
  }

  using Call = std::function<cl_int(const Common&)>;
  struct Named {
    const char* name;
    Call call;
  };
  /// Each recording function, with arguments that are right but for those that all share.
  std::vector<Named> calls() const {
    static constexpr size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    static constexpr cl_uint word[4] = {1, 2, 3, 4};
    const auto& f = cb::functions();
    const auto record = [](auto function, auto... arguments) {
      return [=](const Common& c) {
        return function(c.buffer, c.queue, c.properties, arguments..., c.count, c.waits, nullptr, c.command);
      };
    };
    return {
        {"barrier", record(f.barrier)},
        {"copy buffer", record(f.copy_buffer, first.get(), second.get(), size_t{0}, size_t{0}, size_t{4})},
        {"copy buffer rect", record(f.copy_buffer_rect, first.get(), second.get(), zero, zero, one, size_t{0},
                                    size_t{0}, size_t{0}, size_t{0})},
        {"copy buffer to image",
         record(f.copy_buffer_to_image, first.get(), image.get(), size_t{0}, zero, one)},
        {"copy image", record(f.copy_image, image.get(), other_image.get(), zero, zero, one)},
        {"copy image to buffer",
         record(f.copy_image_to_buffer, image.get(), first.get(), zero, one, size_t{0})},
        {"fill buffer",
         record(f.fill_buffer, first.get(), static_cast<const void*>(word), size_t{4}, size_t{0}, size_t{8})},
        {"fill image", record(f.fill_image, image.get(), static_cast<const void*>(word), zero, one)},
        {"launch", record(f.launch, kernel.get(), cl_uint{1}, static_cast<const size_t*>(nullptr), one,
                          static_cast<const size_t*>(nullptr))},
        {"SVM copy",
         record(f.svm_copy, svm, static_cast<const void*>(static_cast<char*>(svm) + 64), size_t{8})},
        {"SVM fill", record(f.svm_fill, svm, static_cast<const void*>(word), size_t{4}, size_t{8})},
    };
  }
};

cl_int create_status(cl_uint count, const cl_command_queue* queues, const cb::Property* properties) {
  cl_int error = 1;
  const cb::Buffer made(cb::functions().create(count, queues, properties, &error));
  CHECK((made != nullptr) == (error == CL_SUCCESS));
  return error;
}

} // namespace

TEST_CASE("clCreateCommandBufferKHR: its errors", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const cl_command_queue queue = w.session.queue;
  const cl_command_queue invalid[] = {queue, reinterpret_cast<cl_command_queue>(w.kernel.get())};
  CHECK_STATUS(create_status(2, invalid, nullptr), CL_INVALID_COMMAND_QUEUE);
  const cl_command_queue null = nullptr;
  CHECK_STATUS(create_status(1, &null, nullptr), CL_INVALID_COMMAND_QUEUE);
  const cl_command_queue mixed[] = {queue, other.queue};
  CHECK_STATUS(create_status(2, mixed, nullptr), CL_INVALID_CONTEXT);
  CHECK_STATUS(create_status(0, &queue, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(create_status(1, nullptr, nullptr), CL_INVALID_VALUE);
  const cb::Property unknown[] = {0x7777, 0, 0}, bits[] = {cb::flags, 1 << 20, 0},
                     asserts[] = {cb::buffer_asserts, 2, 0},
                     twice[] = {cb::flags, cb::mutable_commands, cb::flags, cb::mutable_commands, 0},
                     all[] = {cb::flags, 7, cb::buffer_asserts, 1, 0}, none[] = {0};
  CHECK_STATUS(create_status(1, &queue, unknown), CL_INVALID_VALUE);
  CHECK_STATUS(create_status(1, &queue, bits), CL_INVALID_VALUE);
  CHECK_STATUS(create_status(1, &queue, asserts), CL_INVALID_VALUE);
  CHECK_STATUS(create_status(1, &queue, twice), CL_INVALID_VALUE);
  CHECK_STATUS(create_status(1, &queue, all), CL_SUCCESS);
  CHECK_STATUS(create_status(1, &queue, none), CL_SUCCESS);
}

TEST_CASE("Command buffer: what is no command buffer is CL_INVALID_COMMAND_BUFFER_KHR",
          "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto& f = cb::functions();
  cb::Handle gone = w.buffer().release();
  REQUIRE_CL(f.release(gone));
  for (void* handle :
       {static_cast<void*>(nullptr), static_cast<void*>(w.kernel.get()), static_cast<void*>(gone)}) {
    const auto wrong = static_cast<cb::Handle>(handle);
    const auto check = [](cl_int code) { CHECK_STATUS(code, cb::invalid_command_buffer); };
    for (const auto& [name, call] : w.calls()) {
      CAPTURE(name);
      check(call({.buffer = wrong}));
    }
    check(f.retain(wrong));
    check(f.release(wrong));
    check(f.finalize(wrong));
    check(f.enqueue(0, nullptr, wrong, 0, nullptr, nullptr));
    check(f.info(wrong, cb::state, 0, nullptr, nullptr));
    check(f.update(wrong, 0, nullptr, nullptr));
    cl_int error = 0;
    const cl_command_queue queue = w.session.queue;
    CHECK_FALSE(f.remap(wrong, CL_FALSE, 1, &queue, 0, nullptr, nullptr, &error));
    check(error);
  }
}

TEST_CASE("Command buffer: errors that all recording functions share", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto buffer = w.buffer(), finalized = w.buffer();
  finalized.finalize();
  const auto second_queue = test::make_queue(w.session.context);
  const cb::Buffer two({w.session.queue, second_queue});
  const cb::Property property[] = {cb::flags, 0, 0}, none[] = {0};
  const cb::Point zero = 0, beyond = 1000;
  cb::Point point = 0;
  REQUIRE_CL(cb::functions().barrier(buffer, nullptr, nullptr, 0, nullptr, &point, nullptr));
  CHECK(point != 0);
  for (const auto& [name, call] : w.calls()) {
    CAPTURE(name);
    CHECK_STATUS(call({.buffer = two}), CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(call({.buffer = buffer, .queue = second_queue}), CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(call({.buffer = buffer, .queue = reinterpret_cast<cl_command_queue>(w.kernel.get())}),
                 CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(call({.buffer = buffer, .queue = other.queue}), CL_INVALID_CONTEXT);
    CHECK_STATUS(call({.buffer = finalized}), CL_INVALID_OPERATION);
    CHECK_STATUS(call({.buffer = buffer, .properties = property}), CL_INVALID_VALUE);
    cb::Command command = nullptr;
    if (name != std::string_view("launch"))
      CHECK_STATUS(call({.buffer = buffer, .command = &command}), CL_INVALID_VALUE);
    CHECK_STATUS(call({.buffer = buffer, .count = 1}), no_list);
    CHECK_STATUS(call({.buffer = buffer, .count = 0, .waits = &point}), no_list);
    CHECK_STATUS(call({.buffer = buffer, .count = 1, .waits = &zero}), no_list);
    CHECK_STATUS(call({.buffer = buffer, .count = 1, .waits = &beyond}), no_list);
    CHECK_CL(
        call({.buffer = buffer, .queue = w.session.queue, .properties = none, .count = 1, .waits = &point}));
    CHECK_CL(call({.buffer = buffer}));
    CHECK_CL(call({.buffer = two, .queue = second_queue}));
  }
}

TEST_CASE("Command buffer: recording functions have the errors of those that enqueue",
          "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto foreign = other.buffer(256);
  const auto buffer = w.buffer();
  const auto& f = cb::functions();
  const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, far[3] = {4, 0, 0};
  const cl_uint word[4] = {};
  const auto copy = [&](cl_mem from, cl_mem to, size_t source, size_t target, size_t size) {
    return f.copy_buffer(buffer, nullptr, nullptr, from, to, source, target, size, 0, nullptr, nullptr,
                         nullptr);
  };
  CHECK_STATUS(copy(foreign, w.second, 0, 0, 4), CL_INVALID_CONTEXT);
  CHECK_STATUS(copy(w.first, foreign, 0, 0, 4), CL_INVALID_CONTEXT);
  CHECK_STATUS(copy(nullptr, w.second, 0, 0, 4), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(copy(w.first, w.second, 254, 0, 4), CL_INVALID_VALUE);
  CHECK_STATUS(copy(w.first, w.second, 0, 256, 4), CL_INVALID_VALUE);
  CHECK_STATUS(copy(w.first, w.first, 0, 2, 4), CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(f.copy_buffer_rect(buffer, nullptr, nullptr, w.first, w.first, zero, zero, one, 0, 0, 0, 0, 0,
                                  nullptr, nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(f.fill_buffer(buffer, nullptr, nullptr, w.first, word, 3, 0, 6, 0, nullptr, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(
      f.fill_image(buffer, nullptr, nullptr, w.image, nullptr, zero, one, 0, nullptr, nullptr, nullptr),
      CL_INVALID_VALUE);
  CHECK_STATUS(f.fill_image(buffer, nullptr, nullptr, w.first, word, zero, one, 0, nullptr, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(f.copy_image(buffer, nullptr, nullptr, w.image, w.other_image, far, zero, one, 0, nullptr,
                            nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(f.svm_copy(buffer, nullptr, nullptr, nullptr, w.svm, 4, 0, nullptr, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(f.svm_copy(buffer, nullptr, nullptr, w.svm, w.svm, 4, 0, nullptr, nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(f.svm_fill(buffer, nullptr, nullptr, nullptr, word, 4, 4, 0, nullptr, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clCommandNDRangeKernelKHR: its errors", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto foreign = other.kernel("kernel void f() {}", "f");
  const auto buffer = w.buffer();
  const size_t one = 1, large = size_t{1} << 20;
  const auto launch = [&](cl_kernel kernel, cl_uint dimensions, const size_t* global, const size_t* local,
                          std::vector<cb::Property> properties = {}, const cb::Buffer* in = nullptr) {
    properties.push_back(0);
    return cb::functions().launch(in ? *in : buffer, nullptr, properties.data(), kernel, dimensions, nullptr,
                                  global, local, 0, nullptr, nullptr, nullptr);
  };
  CHECK_STATUS(launch(w.kernel, 1, &one, nullptr, {cb::fields, 1 << 20}), CL_INVALID_VALUE);
  CHECK_STATUS(launch(w.kernel, 1, &one, nullptr, {cb::asserts, 2}), CL_INVALID_VALUE);
  CHECK_STATUS(launch(w.kernel, 1, &one, nullptr, {cb::fields, 1, cb::fields, 1}), CL_INVALID_VALUE);
  CHECK_STATUS(launch(nullptr, 1, &one, nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(launch(foreign, 1, &one, nullptr), CL_INVALID_CONTEXT);
  const auto unset = w.session.kernel(w.program, "k");
  CHECK_STATUS(launch(unset, 1, &one, nullptr), CL_INVALID_KERNEL_ARGS);
  // Arguments may come later only where commands can be updated, and this one asks for it.
  CHECK_STATUS(launch(unset, 1, &one, nullptr, {cb::fields, cb::arguments}), CL_INVALID_KERNEL_ARGS);
  const auto changeable = w.buffer({cb::flags, cb::mutable_commands});
  CHECK_STATUS(launch(unset, 1, &one, nullptr, {}, &changeable), CL_INVALID_KERNEL_ARGS);
  CHECK_STATUS(launch(unset, 1, &one, nullptr, {cb::fields, cb::global_size}, &changeable),
               CL_INVALID_KERNEL_ARGS);
  CHECK_STATUS(launch(w.kernel, 0, &one, nullptr), CL_INVALID_WORK_DIMENSION);
  CHECK_STATUS(launch(w.kernel, 4, &one, nullptr), CL_INVALID_WORK_DIMENSION);
  CHECK_STATUS(launch(w.kernel, 1, &large, &large), CL_INVALID_WORK_ITEM_SIZE);
  CHECK_STATUS(launch(w.kernel, 1, &one, nullptr, {cb::asserts, cb::no_additional_work_groups}),
               CL_INVALID_VALUE);
  const auto asserting = w.buffer({cb::buffer_asserts, cb::no_additional_work_groups});
  CHECK_STATUS(launch(w.kernel, 1, &one, nullptr, {}, &asserting), CL_INVALID_VALUE);
  CHECK_CL(launch(w.kernel, 1, &one, &one, {}, &asserting));
  CHECK_CL(launch(unset, 1, &one, &one, {cb::fields, cb::arguments}, &changeable));
  CHECK_CL(launch(w.kernel, 1, nullptr, nullptr)); // no work-items

  auto gone = w.session.buffer(64);
  test::set_arguments(unset, gone);
  gone.reset();
  CHECK_STATUS(launch(unset, 1, &one, nullptr), CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("clFinalizeCommandBufferKHR: once", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  buffer.finalize();
  CHECK_STATUS(cb::functions().finalize(buffer), CL_INVALID_OPERATION);
}

TEST_CASE("clEnqueueCommandBufferKHR: its errors", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto buffer = w.buffer();
  cl_command_queue queue = w.session.queue;
  const auto enqueue = [&](cl_uint count, cl_command_queue* queues, cl_uint wait_count = 0,
                           const cl_event* waits = nullptr) {
    return cb::functions().enqueue(count, queues, buffer, wait_count, waits, nullptr);
  };
  CHECK_STATUS(enqueue(0, nullptr), CL_INVALID_OPERATION);
  buffer.finalize();
  CHECK_STATUS(enqueue(1, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(enqueue(0, &queue), CL_INVALID_VALUE);
  cl_command_queue two[] = {queue, queue};
  CHECK_STATUS(enqueue(2, two), CL_INVALID_VALUE);
  cl_command_queue wrong = nullptr;
  CHECK_STATUS(enqueue(1, &wrong), CL_INVALID_COMMAND_QUEUE);
  wrong = reinterpret_cast<cl_command_queue>(w.kernel.get());
  CHECK_STATUS(enqueue(1, &wrong), CL_INVALID_COMMAND_QUEUE);
  cl_command_queue foreign = other.queue;
  CHECK_STATUS(enqueue(1, &foreign), CL_INVALID_CONTEXT);
  const auto event = test::user_event(other.context);
  const cl_event foreign_event = event, no_event = nullptr;
  CHECK_STATUS(enqueue(0, nullptr, 1, &foreign_event), CL_INVALID_CONTEXT);
  CHECK_STATUS(enqueue(0, nullptr, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_STATUS(enqueue(0, nullptr, 0, &foreign_event), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_STATUS(enqueue(0, nullptr, 1, &no_event), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_CL(enqueue(1, &queue));
  CHECK_CL(clFinish(queue));
}

TEST_CASE("clGetCommandBufferInfoKHR: its errors", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  cl_uint value = 0;
  CHECK_STATUS(cb::functions().info(buffer, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  for (const cl_uint name : {cb::queues, cb::num_queues, cb::reference_count, cb::state, cb::context}) {
    CAPTURE(name);
    size_t size = 0;
    CHECK_CL(cb::functions().info(buffer, name, 0, nullptr, &size));
    std::vector<char> answer(size);
    CHECK_CL(cb::functions().info(buffer, name, size, answer.data(), nullptr));
    CHECK_STATUS(cb::functions().info(buffer, name, size - 1, answer.data(), nullptr), CL_INVALID_VALUE);
  }
}

TEST_CASE("Command buffer: errors reach the context's callback with a sentence", "[command_buffer_errors]") {
  if (!cb::is_supported()) return;
  static std::string sentence;
  const auto tell = [](const char* text, const void*, size_t, void*) { sentence = text; };
  const cl_device_id device = test::device();
  cl_int error = CL_SUCCESS;
  const test::Context context(clCreateContext(nullptr, 1, &device, tell, nullptr, &error));
  REQUIRE_CL(error);
  const auto queue = test::make_queue(context);
  const cb::Buffer buffer({queue});
  CHECK_STATUS(cb::functions().enqueue(0, nullptr, buffer, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  CHECK(sentence.find("clEnqueueCommandBufferKHR") == 0);
  CHECK(sentence.find("has not been finalized") != std::string::npos);
  const cl_command_queue handle = queue;
  const cb::Property unknown[] = {0x7777, 0, 0};
  CHECK_STATUS(create_status(1, &handle, unknown), CL_INVALID_VALUE);
  CHECK(sentence.find("7777") != std::string::npos);
  const cb::Point point = 5;
  CHECK_STATUS(cb::functions().barrier(buffer, nullptr, nullptr, 1, &point, nullptr, nullptr), no_list);
  CHECK(sentence.find("sync_point_wait_list[0] is 5") != std::string::npos);
}
