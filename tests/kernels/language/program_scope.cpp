// Variables at program scope

#include "support/session.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace {

/// Leaves new mappings no place within gigabytes of those that there are.
class Distance {
public:
  Distance() {
    const std::size_t gigabytes = std::size_t(8) << 30,
                      hole = 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), max_holes = 200000;
    const std::uintptr_t far = reserve(gigabytes);
    while (far != 0 && mappings_.size() < max_holes)
      if (const std::uintptr_t place = reserve(hole); place < far) break;
  }
  ~Distance() {
    for (const auto& [place, bytes] : mappings_)
      munmap(place, bytes);
  }

private:
  std::uintptr_t reserve(std::size_t bytes) {
    void* place = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return 0;
    mappings_.emplace_back(place, bytes);
    return reinterpret_cast<std::uintptr_t>(place);
  }

  std::vector<std::pair<void*, std::size_t>> mappings_;
};

} // namespace

TEST_CASE("Program scope: constant tables of all kinds", "[program_scope]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    typedef struct { char c; int v[3]; } Entry;
    constant Entry table[2] = {{1, {2, 3, 4}}, {5, {6, 7, 8}}};
    constant float4 vector = (float4)(1, 2, 3, 4);
    constant char text[] = "hello";
    constant int* constant pointer = &table[1].v[1];
    kernel void k(global int* o) {
      o[0] = table[1].v[2]; o[1] = vector.w; o[2] = text[1]; o[3] = *pointer; o[4] = sizeof(text);
    })",
                                     "k");
  auto buffer = session.buffer(20);
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  CHECK(session.read<cl_int>(buffer, 5) == std::vector<cl_int>{8, 4, 'e', 7, 6});
}

TEST_CASE("Program scope: several kernels, in groups of several sizes, read one table", "[program_scope]") {
  const test::Session session;
  for (const char* options : {"", "-cl-std=CL3.0"}) {
    const auto program = session.build(R"(
      constant int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
      kernel void up(global int* o) { o[get_global_id(0)] += table[get_global_id(0) % 8]; }
      kernel void down(global int* o) { o[get_global_id(0)] -= table[(get_global_id(0) + 1) % 8]; }
    )",
                                       options);
    const auto up = session.kernel(program, "up"), down = session.kernel(program, "down");
    auto buffer = session.buffer(std::vector<cl_int>(64));
    test::set_arguments(up, buffer);
    test::set_arguments(down, buffer);
    for (size_t local : {64, 8, 1})
      for (cl_kernel kernel : {cl_kernel(up), cl_kernel(down)})
        session.run(kernel, 64, local);
    const auto values = session.read<cl_int>(buffer, 64);
    CHECK(values[0] == 3 * (1 - 2));
    CHECK(values[63] == 3 * (34 - 1));
  }
}

TEST_CASE("Program scope: global variables keep their values between launches", "[program_scope]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto program = session.build(R"(
    global int counter = 5;
    global int* global place = &counter;
    static global float numbers[3] = {1.5f, 2.5f, 3.5f};
    kernel void add(int x) { *place += x; numbers[1] += x; }
    kernel void get(global int* o) { o[0] = counter; o[1] = numbers[1] * 2; }
  )",
                                     "-cl-std=CL3.0");
  const auto add = session.kernel(program, "add"), get = session.kernel(program, "get");
  auto buffer = session.buffer(8);
  test::set_arguments(get, buffer);
  for (int i : {1, 2, 3}) {
    test::set_arguments(add, cl_int(i));
    session.run(add, 1);
  }
  session.run(get, 1);
  CHECK(session.read<cl_int>(buffer, 2) == std::vector<cl_int>{11, 17});
  size_t bytes = 0;
  CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                 sizeof bytes, &bytes, nullptr));
  CHECK(bytes >= 24);
}

TEST_CASE("Program scope: two programs have their own variables", "[program_scope]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const char* source = "global int n = 0; kernel void k(global int* o) { *o = ++n; }";
  const auto a = session.kernel(source, "k", "-cl-std=CL3.0"),
             b = session.kernel(source, "k", "-cl-std=CL3.0");
  auto buffer = session.buffer(4);
  test::set_arguments(a, buffer);
  test::set_arguments(b, buffer);
  session.run(a, 1);
  session.run(a, 1);
  session.run(b, 1);
  CHECK(session.read<cl_int>(buffer, 1)[0] == 1);
}

TEST_CASE("Program scope: variables may have names of functions that machine code calls", "[program_scope]") {
  const test::Session session;
  for (const char* variable : {"constant int memset[2] = {3, 4};", "constant int memcpy[2] = {3, 4};",
                               "global int memset[2] = {3, 4};", "global int memcpy[2] = {3, 4};"}) {
    if (variable[0] == 'g' && !test::is_hostcl()) continue;
    CAPTURE(variable);
    const std::string text(variable);
    const std::string name = text.find("memset") != std::string::npos ? "memset" : "memcpy";
    const std::string source = text + R"(
      typedef struct { int a[300]; } Large;
      kernel void k(global Large* out, global const Large* in, int n) {
        out[0] = in[0];
        Large zeros = {{0}};
        if (n) out[n] = zeros;
        out[0].a[n] = )" + name +
                               "[n]; }";
    const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
    const auto in = session.buffer(std::vector<cl_int>(300, 7));
    auto out = session.buffer(std::vector<cl_int>(600, 9));
    test::set_arguments(kernel, out, in, cl_int(1));
    session.run(kernel, 1);
    std::vector<cl_int> expected(300, 7);
    expected[1] = 4;
    expected.resize(600, 0);
    CHECK(session.read<cl_int>(out, 600) == expected);
  }
}

TEST_CASE("Program scope: machine code far from the variables reaches them", "[program_scope]") {
  const test::Session session;
  std::string source = "static global int inner = 5; global int outer = 6;\n";
  for (int i = 0; i < 8; ++i) // more than are compiled before they are launched
    source += "kernel void k" + std::to_string(i) + "(global int* o) { *o = inner++ * 10 + outer++; }\n";
  const auto program = session.build(source.c_str(), "-cl-std=CL3.0");
  const auto kernel = session.kernel(program, "k7");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  const Distance distance;
  session.run(kernel, 1);
  session.run(kernel, 1);
  CHECK(session.read<cl_int>(buffer, 1) == std::vector<cl_int>{67});
}
