// printf in kernels (OpenCL C 3.0, 6.15.14); the driver writes to standard output

#include "support/session.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <functional>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace {

/// What is written to standard output while the function runs.
std::string captured(const std::function<void()>& function) {
  std::fflush(stdout);
  std::FILE* file = std::tmpfile();
  const int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  function();
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += char(c);
  std::fclose(file);
  return text;
}

std::string printed(const std::string& body, size_t items = 1) {
  const test::Session session;
  const auto kernel = session.kernel(("kernel void k() {" + body + "}").c_str(), "k");
  return captured([&] { session.run(kernel, items); });
}

} // namespace

TEST_CASE("printf: every conversion of integers", "[printf]") {
  CHECK(printed(R"(printf("%d %i %u %x %X %o %c %%\n", -5, 6, 7u, 255, 255, 8, 'A');)") ==
        "-5 6 7 ff FF 10 A %\n");
  CHECK(printed(R"(printf("%5d|%-5d|%05d|%+d|% d|%#x\n", 42, 42, 42, 42, 42, 42);)") ==
        "   42|42   |00042|+42| 42|0x2a\n");
  CHECK(printed(R"(printf("%ld %lu %lx\n", -5000000000L, 18000000000000000000UL, 0x123456789abcL);)") ==
        "-5000000000 18000000000000000000 123456789abc\n");
  CHECK(printed(R"(printf("%hhd %hd\n", (char)-3, (short)-300);)") == "-3 -300\n");
}

TEST_CASE("printf: z and t of OpenCL C 3.1 are for size_t and ptrdiff_t, without a warning", "[printf]") {
  const test::Session session;
  const auto kernel = session.kernel(session.build(R"(kernel void k() {
        printf("%zu %zx %zo %zd %td %tx|%6zu|%-6td|\n", (size_t)18000000000000000000UL,
               (size_t)0x123456789abcUL, (size_t)8, (ptrdiff_t)-7, (ptrdiff_t)-5000000000L, (ptrdiff_t)255,
               (size_t)42, (ptrdiff_t)-42);
      })",
                                                   "-cl-std=CL3.1 -Werror"),
                                     "k");
  CHECK(captured([&] { session.run(kernel, 1); }) ==
        "18000000000000000000 123456789abc 10 -7 -5000000000 ff|    42|-42   |\n");
}

TEST_CASE("printf: every conversion of floating-point numbers", "[printf]") {
  CHECK(printed(R"(printf("%f %.2f %10.3f|%-8.1f|\n", 1.5f, 2.345f, -3.25f, 4.0f);)") ==
        "1.500000 2.35 "
        "    -3.250|4.0     |\n");
  CHECK(printed(R"(printf("%e %g %G %a\n", 1234.5f, 0.0001f, 1e10f, 1.0f);)") ==
        "1.234500e+03 0.0001 1E+10 0x1p+0\n");
  CHECK(printed(R"(printf("%f %f\n", INFINITY, -INFINITY);)") == "inf -inf\n");
}

TEST_CASE("printf: strings", "[printf]") {
  CHECK(printed(R"(printf("%s|%8s|%-8s|%.2s\n", "one", "two", "three", "four");)") ==
        "one|     two|three   |fo\n");
  CHECK(printed(R"(printf("no arguments\n");)") == "no arguments\n");
}

TEST_CASE("printf: vectors", "[printf]") {
  CHECK(printed(R"(printf("%v4hld\n", (int4)(1, -2, 3, 4));)") == "1,-2,3,4\n");
  CHECK(printed(R"(printf("%v2hlf %v4hlx\n", (float2)(1.5f, 2.5f), (uint4)(10, 11, 12, 13));)") ==
        "1.500000,2.500000 a,b,c,d\n");
  CHECK(printed(R"(printf("%v4hhd %v2hd\n", (char4)(1, 2, 3, -4), (short2)(5, -6));)") == "1,2,3,-4 5,-6\n");
}

TEST_CASE("printf: returns 0", "[printf]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* o) { *o = printf(\"x\"); }", "k");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  CHECK(captured([&] { session.run(kernel, 1); }) == "x");
  CHECK(session.read<cl_int>(buffer, 1)[0] == 0);
}

TEST_CASE("printf: also in functions that ask not to be inlined", "[printf]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    __attribute__((noinline)) void f(int i) { if (i > 1) printf("<%d>", i); }
    __attribute__((noinline)) void g(int i) { f(i); f(i + 1); }
    kernel void k() { g(get_global_id(0)); })",
                                     "k");
  CHECK(captured([&] { session.run(kernel, 2); }) == "<2>");
}

TEST_CASE("printf: in constructors and destructors of program-scope variables", "[printf]") {
  if (!test::is_hostcl() && !test::has_extension("cl_ext_cxx_for_opencl")) return;
  const test::Session session;
  const char* source = R"(
    struct Talker {
      int x = 3;
      Talker() { printf("<in %d>", x); }
      ~Talker() { printf("<out %d>", x); }
    };
    Talker talker;
    kernel void k() { talker.x++; })";
  CHECK(captured([&] { session.run(session.kernel(source, "k", "-cl-std=CLC++2021"), 1); }) ==
        "<in 3><out 4>");
}

TEST_CASE("printf: a wrong format gives -1", "[printf]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* o) { *o = printf(\"%d\", 1.5f); }", "k");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  CHECK(captured([&] { session.run(kernel, 1); }) == "1.5");
  CHECK(session.read<cl_int>(buffer, 1)[0] == -1);
}

TEST_CASE("printf: only the items that reach it print, each message whole", "[printf]") {
  const auto text =
      printed(R"(if (get_global_id(0) % 10 == 3) printf("<item %d>\n", (int)get_global_id(0));)", 1000);
  CHECK(std::count(text.begin(), text.end(), '\n') == 100);
  for (int i = 3; i < 1000; i += 10) {
    CAPTURE(i);
    CHECK(text.find("<item " + std::to_string(i) + ">\n") != std::string::npos);
  }
}

TEST_CASE("printf: ten thousand messages are complete when the queue is finished", "[printf]") {
  const auto text = printed(R"(printf("%d\n", (int)get_global_id(0));)", 10000);
  std::vector<bool> seen(10000, false);
  size_t lines = 0;
  for (size_t at = 0; at < text.size(); ++lines) {
    const size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    const int value = std::stoi(text.substr(at, end - at));
    REQUIRE(value >= 0);
    REQUIRE(value < 10000);
    seen[value] = true;
    at = end + 1;
  }
  CHECK(lines == 10000);
  CHECK(std::count(seen.begin(), seen.end(), true) == 10000);
}

TEST_CASE("printf: eight threads, 100,000 items: nothing is lost, mixed or out of its item's order",
          "[printf]") {
  constexpr int threads = 8, items = 12'500;
  const test::Session session;
  const auto program = session.build(R"(
    kernel void k(int thread) {
      int i = get_global_id(0);
      printf("<%d %d first %v4d>\n", thread, i, (int4)(thread, i, -i, 7));
      if (i % 2) printf("<%d %d second %.3f %s>\n", thread, i, i * 0.5f, i % 3 ? "one string" : "another, which is longer");
    })");
  std::atomic<int> failed = 0;
  const std::string text = captured([&] {
    std::vector<std::thread> pool;
    for (cl_int thread = 0; thread < threads; ++thread)
      pool.emplace_back([&, thread] {
        cl_int error = 0;
        const size_t size = items;
        const test::Kernel kernel(clCreateKernel(program, "k", &error));
        const test::Queue queue(
            clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
        failed += clSetKernelArg(kernel, 0, sizeof thread, &thread) != CL_SUCCESS ||
                  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) !=
                      CL_SUCCESS ||
                  clFinish(queue) != CL_SUCCESS;
      });
    for (std::thread& thread : pool)
      thread.join();
  });
  CHECK(failed == 0);

  // Every line is one of those expected, exactly, and takes its item one step further.
  std::vector<std::array<int, items>> steps(threads);
  size_t lines = 0, wrong = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); ++lines) {
    int thread = -1, i = -1;
    if (std::sscanf(line.c_str(), "<%d %d ", &thread, &i) != 2 || thread < 0 || thread >= threads || i < 0 ||
        i >= items) {
      ++wrong;
      continue;
    }
    const std::string item = "<" + std::to_string(thread) + " " + std::to_string(i);
    const std::string half = std::to_string(i / 2) + (i % 2 ? ".500" : ".000");
    const std::string expected =
        steps[thread][i]++ == 0
            ? item + " first " + std::to_string(thread) + "," + std::to_string(i) + "," + std::to_string(-i) +
                  ",7>"
            : item + " second " + half + (i % 3 ? " one string>" : " another, which is longer>");
    wrong += line != expected;
  }
  CHECK(wrong == 0);
  CHECK(lines == threads * (items + items / 2));
  for (const auto& of_thread : steps)
    for (int i = 0; i < items; ++i)
      wrong += of_thread[i] != 1 + i % 2;
  CHECK(wrong == 0);
}
