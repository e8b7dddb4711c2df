// Kernels that have not been compiled when they are launched: from several queues and threads, in several
// shapes at once. All of it has to run, to be right, and to wait for the compiler no more than it needs.

#include "support/choice.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <thread>

namespace {

struct Shape {
  cl_uint dimensions;
  std::array<size_t, 3> offset, global, local;
  bool has_local;

  size_t items() const { return global[0] * global[1] * global[2]; }
};

/// A launch of at most 4,096 work-items; work-groups need not divide it.
Shape random_shape(std::mt19937& random) {
  const auto up_to = [&](size_t most) { return 1 + random() % most; };
  Shape shape{};
  shape.dimensions = cl_uint(up_to(3));
  shape.has_local = random() % 4 != 0;
  constexpr size_t most[] = {4096, 64, 16};
  constexpr size_t sizes[] = {1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 48, 64, 100, 128};
  for (cl_uint d = 0; d < 3; ++d) {
    const bool used = d < shape.dimensions;
    shape.offset[d] = used && random() % 3 == 0 ? random() % 100 : 0;
    shape.local[d] = used ? (d == 0 ? sizes[random() % std::size(sizes)] : up_to(4)) : 1;
    const size_t limit = most[shape.dimensions - 1];
    shape.local[d] = std::min(shape.local[d], limit);
    shape.global[d] = used ? up_to(limit) : 1;
    if (used && random() % 2)
      shape.global[d] = shape.local[d] * up_to(std::max<size_t>(1, limit / shape.local[d]));
  }
  return shape;
}

/// Whole groups in a line: few kinds of launches, so that several of one kind are under way at once.
Shape random_line(std::mt19937& random) {
  const size_t local = size_t{16} << random() % 4;
  return {1, {}, {local * (1 + random() % 8), 1, 1}, {local, 1, 1}, true};
}

/// Each work-item stores what it knows of itself at its place in the NDRange.
constexpr const char* source = R"(
  kernel void k(global uint* out, uint salt) {
    size_t at = 0, id = 0;
    for (int d = 2; d >= 0; --d) {
      at = at * get_global_size(d) + get_global_id(d) - get_global_offset(d);
      id = id * 1000 + get_global_id(d);
    }
    out[at] = (uint)id * 2654435761u + salt;
  })";

std::vector<cl_uint> expected(const Shape& shape, cl_uint salt) {
  std::vector<cl_uint> values;
  for (size_t z = 0; z < shape.global[2]; ++z)
    for (size_t y = 0; y < shape.global[1]; ++y)
      for (size_t x = 0; x < shape.global[0]; ++x) {
        const size_t id = ((z + shape.offset[2]) * 1000 + y + shape.offset[1]) * 1000 + x + shape.offset[0];
        values.push_back(cl_uint(id) * 2654435761u + salt);
      }
  return values;
}

cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const Shape& shape, cl_event* event) {
  return clEnqueueNDRangeKernel(queue, kernel, shape.dimensions, shape.offset.data(), shape.global.data(),
                                shape.has_local ? shape.local.data() : nullptr, 0, nullptr, event);
}

/// Counts what goes wrong. Catch's own checks are for one thread.
class Errors {
public:
  void note(bool is_wrong) { count_ += is_wrong; }
  void note_status(cl_int status) { note(status != CL_SUCCESS); }
  unsigned count() const { return count_; }

private:
  std::atomic<unsigned> count_{0};
};

test::Kernel new_kernel(cl_context context, Errors& errors) {
  const char* text = source;
  cl_int status = CL_SUCCESS;
  const test::Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &status));
  errors.note_status(status);
  errors.note_status(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  test::Kernel kernel(clCreateKernel(program, "k", &status));
  errors.note_status(status);
  return kernel;
}

struct Launch {
  Shape shape;
  test::Buffer output;
  test::Event event;
};

void enqueue(Launch& launch, cl_context context, cl_command_queue queue, cl_kernel kernel, cl_uint salt,
             Errors& errors) {
  cl_int status = CL_SUCCESS;
  launch.output = test::Buffer(
      clCreateBuffer(context, CL_MEM_READ_WRITE, launch.shape.items() * sizeof(cl_uint), nullptr, &status));
  errors.note_status(status);
  errors.note_status(test::set_argument(kernel, 0, launch.output));
  errors.note_status(test::set_argument(kernel, 1, salt));
  errors.note_status(enqueue(queue, kernel, launch.shape, launch.event.address()));
}

void check(const Launch& launch, cl_command_queue queue, cl_uint salt, Errors& errors) {
  const cl_event event = launch.event;
  std::vector<cl_uint> values(launch.shape.items());
  errors.note_status(clWaitForEvents(1, &event));
  errors.note_status(clEnqueueReadBuffer(queue, launch.output, CL_TRUE, 0, values.size() * sizeof(cl_uint),
                                         values.data(), 0, nullptr, nullptr));
  errors.note(values != expected(launch.shape, salt));
}

/// Launches kernels of new programs in several queues without waiting in between.
void launch_cold(cl_context context, unsigned programs, unsigned queues, unsigned launches, unsigned seed,
                 Errors& errors, Shape (*shape)(std::mt19937&)) {
  std::mt19937 random(seed);
  std::vector<test::Queue> all;
  for (unsigned q = 0; q < queues; ++q)
    all.emplace_back(clCreateCommandQueueWithProperties(context, test::device(), nullptr, nullptr));
  for (unsigned p = 0; p < programs; ++p) {
    const auto kernel = new_kernel(context, errors);
    std::vector<Launch> made(launches);
    for (unsigned i = 0; i < launches; ++i) {
      made[i].shape = shape(random);
      enqueue(made[i], context, all[i % queues], kernel, i, errors);
    }
    for (const auto& queue : all)
      errors.note_status(clFlush(queue));
    for (unsigned i = 0; i < launches; ++i)
      check(made[i], all[i % queues], i, errors);
  }
}

/// The errors of so many threads at once, each of which launches kernels of so many programs.
unsigned errors_of_cold_launches(unsigned thread_count, unsigned programs) {
  const test::Context context = test::make_context();
  Errors errors;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] { launch_cold(context, programs, 2, 8, 100 + t, errors, random_shape); });
  for (std::thread& thread : threads)
    thread.join();
  return errors.count();
}

cl_ulong time_of(cl_event event, cl_profiling_info what) {
  cl_ulong ns = 0;
  REQUIRE_CL(clGetEventProfilingInfo(event, what, sizeof ns, &ns, nullptr));
  return ns;
}

/// A kernel that takes the compiler tens of milliseconds, and its work-items next to nothing.
std::string slow_to_compile(unsigned statements) {
  std::string text = "kernel void k(global uint* v, uint n) { uint x = v[get_global_id(0)]; if (n) {";
  for (unsigned i = 0; i < statements; ++i)
    text += "x = rotate(x * " + std::to_string(2 * i + 3) + ", x & 31) ^ v[x % n];";
  return text + "} v[get_global_id(0)] = x; }";
}

} // namespace

TEST_CASE("First launches: in eight queues and many shapes at once, all run", "[first_launches]") {
  const test::Context context = test::make_context();
  Errors errors;
  launch_cold(context, 20, 8, 16, 1, errors, random_shape);
  launch_cold(context, 40, 8, 32, 2, errors, random_line);
  CHECK(errors.count() == 0);
}

TEST_CASE("First launches: from four threads at once, all run", "[first_launches]") {
  CHECK(errors_of_cold_launches(4, 5) == 0);
}

TEST_CASE("First launches: 2,000 programs from 1, 2, 4 and 8 threads, all run", "[.long_run]") {
  for (const unsigned threads : {1u, 2u, 4u, 8u})
    CHECK(errors_of_cold_launches(threads, 2000 / threads) == 0);
}

TEST_CASE("First launches: threads that launch one new kernel in shapes of their own all run it",
          "[first_launches]") {
  const test::Session session;
  Errors errors;
  for (unsigned iteration = 0; iteration < 5; ++iteration) {
    const auto kernel = new_kernel(session.context, errors);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 6; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(10 * iteration + t);
        const test::Queue queue(
            clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, nullptr));
        const test::Kernel own(clCloneKernel(kernel, nullptr));
        for (unsigned i = 0; i < 4; ++i) {
          Launch launch{random_shape(random), {}, {}};
          enqueue(launch, session.context, queue, own, t, errors);
          check(launch, queue, t, errors);
        }
      });
    for (std::thread& thread : threads)
      thread.join();
  }
  CHECK(errors.count() == 0);
}

TEST_CASE("First launches: after the first one, no shape waits for the compiler", "[first_launches]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto kernel = session.kernel(source, "k", "-cl-std=CL3.0");
  const auto output = session.buffer(4096 * sizeof(cl_uint));
  std::mt19937 random(3);
  unsigned slow = 0, wrong = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    const Shape shape = random_shape(random);
    test::set_arguments(kernel, output, i);
    test::Event event;
    REQUIRE_CL(enqueue(session.queue, kernel, shape, event.address()));
    REQUIRE_CL(clFinish(session.queue));
    const cl_ulong waited =
        time_of(event, CL_PROFILING_COMMAND_START) - time_of(event, CL_PROFILING_COMMAND_SUBMIT);
    slow += i > 0 && waited > 1'000'000;
    wrong += session.read<cl_uint>(output, shape.items()) != expected(shape, i);
  }
  CHECK(wrong == 0);
  // A machine that does other things may hold a thread up now and then; a compiler did so for every new kind.
  if (test::is_hostcl()) CHECK(slow <= 5);
}

// Not run with guest processes: a guest process gets pages of the code while the first launch runs.
TEST_CASE("First launches: a command starts when its work-items do, not while it is compiled",
          "[first_launches][one_form]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto kernel = session.kernel(slow_to_compile(150).c_str(), "k");
  const auto values = session.buffer(64 * sizeof(cl_uint));
  test::set_arguments(kernel, values, cl_uint(64));
  const size_t items = 64;
  test::Event event;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                    event.address()));
  REQUIRE_CL(clFinish(session.queue));
  const cl_ulong before =
      time_of(event, CL_PROFILING_COMMAND_START) - time_of(event, CL_PROFILING_COMMAND_QUEUED);
  const cl_ulong ran = time_of(event, CL_PROFILING_COMMAND_END) - time_of(event, CL_PROFILING_COMMAND_START);
  CAPTURE(before, ran);
  if (test::is_hostcl()) CHECK(ran < before / 4);
}

TEST_CASE("First launches: what takes long to compile is compiled before it is launched",
          "[first_launches]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto kernel = session.kernel(slow_to_compile(600).c_str(), "k");
  const auto values = session.buffer(64 * sizeof(cl_uint));
  test::set_arguments(kernel, values, cl_uint(64));
  const size_t items = 64;
  std::array<cl_ulong, 2> waited{};
  for (cl_ulong& ns : waited) {
    test::Event event;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                      event.address()));
    REQUIRE_CL(clFinish(session.queue));
    ns = time_of(event, CL_PROFILING_COMMAND_END) - time_of(event, CL_PROFILING_COMMAND_QUEUED);
  }
  CAPTURE(waited[0], waited[1]);
  // A compile server and a guest process have to be started as well.
  if (test::is_hostcl() && !test::has_guests())
    CHECK(waited[0] < 50'000'000); // the compiler takes several times as long
}

TEST_CASE("First launches: better code takes over while a launch runs", "[first_launches]") {
  const test::Session session;
  // A long launch of many groups, so that most of them run in code made for it.
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* out, uint iterations) {
      uint i = get_global_id(0), x = i;
      for (uint r = 0; r < iterations; ++r) x = x * 1664525u + 1013904223u;
      out[i] = x;
    })",
                                     "k");
  constexpr size_t items = 1 << 16;
  constexpr cl_uint iterations = 20'000;
  const auto output = session.buffer(items * sizeof(cl_uint));
  test::set_arguments(kernel, output, iterations);
  session.run(kernel, items, 64);
  // The generator's state after `iterations` steps is an affine function of the first.
  cl_uint factor = 1, sum = 0;
  for (cl_uint r = 0; r < iterations; ++r) {
    factor *= 1664525u;
    sum = sum * 1664525u + 1013904223u;
  }
  const auto values = session.read<cl_uint>(output, items);
  size_t wrong = 0;
  for (cl_uint i = 0; i < items; ++i)
    wrong += values[i] != i * factor + sum;
  CHECK(wrong == 0);
}

namespace {

constexpr size_t answers = 21; ///< of the kernel below, for each work-item

constexpr const char* all_queries = R"(
  size_t asked(uint d, uint query) {
    switch (query) {
    case 0: return get_global_id(d);
    case 1: return get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d) + get_global_offset(d);
    case 2: return get_global_size(d);
    case 3: return get_num_groups(d);
    default: return get_local_size(d);
    }
  }
  kernel void k(global uint* out) {
    global uint* mine = out + 21 * get_global_linear_id();
    for (uint d = 0; d < 4; ++d)
      for (uint query = 0; query < 5; ++query) mine[d * 5 + query] = (uint)asked(d, query);
    mine[20] = get_work_dim();
  })";

/// A launch of whole groups, whose sizes above its dimensions are 1.
std::vector<cl_uint> expected_answers(const Shape& shape) {
  std::vector<cl_uint> expected;
  const auto& [dimensions, offset, global, local, has_local] = shape;
  for (size_t i = 0; i < shape.items(); ++i) {
    const size_t at[] = {i % global[0], i / global[0] % global[1], i / global[0] / global[1]};
    for (size_t d = 0; d < 3; ++d)
      for (const size_t answer :
           {at[d] + offset[d], at[d] + offset[d], global[d], global[d] / local[d], local[d]})
        expected.push_back(cl_uint(answer));
    expected.insert(expected.end(), {0, 0, 1, 1, 1, dimensions}); // there is no fourth dimension
  }
  return expected;
}

} // namespace

TEST_CASE("First launches: launches of each number of dimensions have their ids, whichever comes first",
          "[first_launches]") {
  const std::array shapes = {Shape{1, {5, 0, 0}, {12, 1, 1}, {4, 1, 1}, true},
                             Shape{2, {5, 2, 0}, {12, 6, 1}, {4, 3, 1}, true},
                             Shape{3, {5, 0, 7}, {12, 6, 4}, {4, 3, 2}, true}};
  const test::Session session;
  std::array<size_t, 3> order{0, 1, 2};
  do {
    const auto kernel = session.kernel(all_queries, "k", "-cl-std=CL3.0");
    for (const size_t number : order) {
      const Shape& shape = shapes[number];
      const auto out = session.buffer(shape.items() * answers * sizeof(cl_uint));
      test::set_arguments(kernel, out);
      REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, shape.dimensions, shape.offset.data(),
                                        shape.global.data(), shape.local.data(), 0, nullptr, nullptr));
      CAPTURE(order, shape.dimensions);
      CHECK(session.read<cl_uint>(out, shape.items() * answers) == expected_answers(shape));
    }
  } while (std::ranges::next_permutation(order).found);
}
