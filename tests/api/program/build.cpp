// clBuildProgram and its log (OpenCL 3.0 API, 5.8.4)

#include "support/session.hpp"

#include <atomic>
#include <thread>

namespace {

constexpr const char* good = "kernel void k(global int* v) { *v = 1; }";

void CL_CALLBACK built(cl_program, void* data) {
  ++*static_cast<std::atomic<int>*>(data);
}

} // namespace

TEST_CASE("clBuildProgram: a program without kernels builds", "[build]") {
  const test::Session session;
  session.build("int twice(int x) { return 2 * x; }");
  session.build("");
}

TEST_CASE("clBuildProgram: takes the device list", "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  const cl_device_id id = test::device();
  CHECK_CL(clBuildProgram(program, 1, &id, nullptr, nullptr, nullptr));
}

TEST_CASE("clBuildProgram: a syntax error is CL_BUILD_PROGRAM_FAILURE, and the log says where", "[build]") {
  const test::Session session;
  std::string log;
  CHECK_STATUS(session.try_build("kernel void k() {\n  int x = 1\n  x++;\n}\n", "", &log),
               CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find(":2:12:") != std::string::npos);
  CHECK(log.find("error") != std::string::npos);
}

TEST_CASE("clBuildProgram: a failed program says so", "[build]") {
  const test::Session session;
  const auto program = session.source("kernel void k() { nonsense; }");
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  cl_build_status status = 0;
  CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                 nullptr));
  CHECK(status == CL_BUILD_ERROR);
  cl_int error = 0;
  CHECK(clCreateKernel(program, "k", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("clBuildProgram: a program builds again, with other options", "[build]") {
  const test::Session session;
  const auto program = session.source("kernel void k(global int* v) { *v = X; }");
  auto buffer = session.buffer(4);
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  for (int x : {1, 2}) {
    REQUIRE_CL(clBuildProgram(program, 0, nullptr, x == 1 ? "-DX=1" : "-DX=2", nullptr, nullptr));
    const auto kernel = session.kernel(program, "k");
    test::set_arguments(kernel, buffer);
    session.run(kernel, 1);
    CHECK(session.read<int>(buffer, 1)[0] == x);
  }
}

TEST_CASE("clBuildProgram: an undefined function is a failure, and the log names it", "[build]") {
  const test::Session session;
  std::string log;
  CHECK_STATUS(
      session.try_build("int nowhere_defined(int); kernel void k(global int* v) { *v = nowhere_defined(1); }",
                        "", &log),
      CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find("nowhere_defined") != std::string::npos);
}

TEST_CASE("clBuildProgram: samplers that meet no image, in programs, functions and arguments", "[build]") {
  const test::Session session;
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(options);
    const auto kernel =
        session.kernel("constant sampler_t outer = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
                       "void store(sampler_t s, global int* v, int x) { v[get_global_id(0)] += x; }\n"
                       "kernel void k(sampler_t s, global int* v) {\n"
                       "  const sampler_t inner = CLK_FILTER_LINEAR;\n"
                       "  store(outer, v, 1); store(inner, v, 2); store(s, v, 4);\n}\n",
                       "k", options);
    cl_int error = 1;
    const test::Sampler sampler(
        clCreateSampler(session.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    REQUIRE_CL(error);
    const auto values = session.buffer(std::vector<cl_int>{10, 20});
    test::set_arguments(kernel, static_cast<cl_sampler>(sampler), values);
    session.run(kernel, 2);
    CHECK(session.read<cl_int>(values, 2) == std::vector<cl_int>{17, 27});
  }
}

TEST_CASE("clBuildProgram: pointers to another type are a warning, and an error on request", "[build]") {
  const test::Session session;
  const char* source = "kernel void k(global float* a) { global float4* v = a; *v = 1; }";
  std::string log;
  CHECK_CL(session.try_build(source, "", &log));
  CHECK_THAT(log, Catch::Matchers::ContainsSubstring("warning: incompatible pointer types"));
  CHECK_STATUS(session.try_build(source, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
  CHECK_STATUS(session.try_build("kernel void k(global float* a) { local float* v = a; *v = 1; }"),
               CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("clBuildProgram: warnings are in the log of a good build", "[build]") {
  const test::Session session;
  std::string log;
  CHECK_CL(session.try_build("#warning look here\nkernel void k() {}", "", &log));
  CHECK(log.find("look here") != std::string::npos);
}

TEST_CASE("clBuildProgram: calls back when done", "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  std::atomic<int> calls = 0;
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", built, &calls));
  for (int i = 0; i < 5000 && calls == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(calls == 1);
  session.kernel(program, "k");
}

TEST_CASE("clCreateKernel: waits for a build that calls back when done", "[build]") {
  const test::Session session;
  for (const char* source : {good, "kernel void k() { nonsense; }"}) {
    const auto program = session.source(source);
    std::atomic<int> calls = 0;
    clBuildProgram(program, 0, nullptr, "", built, &calls);
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    CHECK_STATUS(error, source == good ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE);
    if (kernel) clReleaseKernel(kernel);
    for (int i = 0; i < 5000 && calls == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(calls == 1);
  }
}

TEST_CASE("clBuildProgram: calls back after a failure", "[build]") {
  const test::Session session;
  const auto program = session.source("kernel void k() { nonsense; }");
  std::atomic<int> calls = 0;
  clBuildProgram(program, 0, nullptr, "", built, &calls);
  for (int i = 0; i < 5000 && calls == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(calls == 1);
}

TEST_CASE("clBuildProgram: a count of devices without a list, or a list without a count, is CL_INVALID_VALUE",
          "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  const cl_device_id id = test::device();
  CHECK_STATUS(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clBuildProgram(program, 0, &id, "", nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clBuildProgram: data without a callback are CL_INVALID_VALUE", "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  int data = 0;
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, &data), CL_INVALID_VALUE);
}

TEST_CASE("clBuildProgram: a NULL device is CL_INVALID_DEVICE", "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  const cl_device_id id = nullptr;
  CHECK_STATUS(clBuildProgram(program, 1, &id, "", nullptr, nullptr), CL_INVALID_DEVICE);
}

TEST_CASE("clBuildProgram: an unknown option is CL_INVALID_BUILD_OPTIONS", "[build]") {
  const test::Session session;
  const auto program = session.source(good);
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "-cl-no-such-option", nullptr, nullptr),
               CL_INVALID_BUILD_OPTIONS);
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "--no-such-option", nullptr, nullptr),
               CL_INVALID_BUILD_OPTIONS);
}

TEST_CASE("clBuildProgram: a program with kernels is CL_INVALID_OPERATION until they are released",
          "[build]") {
  const test::Session session;
  const auto program = session.build(good);
  auto kernel = session.kernel(program, "k");
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  kernel.reset();
  CHECK_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
}

TEST_CASE("clBuildProgram: a program can be built while launches of its released kernels wait", "[build]") {
  const test::Session session;
  const auto program = session.build(good);
  auto kernel = session.kernel(program, "k");
  auto buffer = session.buffer(std::vector<cl_int>(1, 0));
  test::set_arguments(kernel, buffer);
  const auto gate = test::user_event(session.context);
  const cl_event waits = gate;
  const std::size_t one = 1;
  CHECK_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &waits, nullptr));
  kernel.reset();
  CHECK_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(session.read<cl_int>(buffer, 1) == std::vector<cl_int>{1});
}

TEST_CASE("clBuildProgram: a large source builds", "[build]") {
  const test::Session session;
  std::string source;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    source += "float f" + n + "(float x) { return x * " + n + ".5f + 1.0f; }\n" + "kernel void k" + n +
              "(global float* v) { v[get_global_id(0)] = f" + n + "(v[get_global_id(0)]); }\n";
  }
  const auto program = session.build(source.c_str());
  auto buffer = session.buffer(std::vector<float>(16, 2.0f));
  const auto kernel = session.kernel(program, "k99");
  test::set_arguments(kernel, buffer);
  session.run(kernel, 16);
  CHECK(session.read<float>(buffer, 16) == std::vector<float>(16, 200.0f));
}

TEST_CASE("clBuildProgram: what crashes lesser compilers is an error", "[build]") {
  const test::Session session;
  std::string deep = "kernel void k(global int* v) { *v = ";
  deep += std::string(2000, '(') + "1" + std::string(2000, ')') + "; }";
  session.try_build(deep.c_str());
  CHECK_STATUS(session.try_build("kernel void k(global int* v) { *v = 1;"), CL_BUILD_PROGRAM_FAILURE);
  CHECK_STATUS(session.try_build("kernel int k() { return 1; }"), CL_BUILD_PROGRAM_FAILURE);
  CHECK_STATUS(session.try_build("#include <no/such/file.h>"), CL_BUILD_PROGRAM_FAILURE);
  CHECK_STATUS(session.try_build("\x01\x02\xff"), CL_BUILD_PROGRAM_FAILURE);
  for (int i = 0; i < 12; ++i) { // the later ones with precompiled headers
    CHECK_STATUS(session.try_build("#if __has_embed(\"no/such/file\") == 0\n#error none\n#endif"),
                 CL_BUILD_PROGRAM_FAILURE);
    CHECK_STATUS(session.try_build("constant char c[] = {\n#embed \"no/such/file\"\n};"),
                 CL_BUILD_PROGRAM_FAILURE);
  }
  session.build(good);
}

TEST_CASE("clBuildProgram: a function that calls itself and has to be inlined is an error that names it",
          "[build]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  std::string log;
  for (const char* use : {"barrier(CLK_LOCAL_MEM_FENCE);", "t[get_local_id(0)] = 1;", "printf(\"%d\", n);"}) {
    CAPTURE(use);
    const std::string source = std::string("void walk(local int* t, int n) { ") + use +
                               " if (n > 0) { walk(t, n - 1); walk(t, n - 2); } }\n"
                               "kernel void k(int n) { local int t[64]; walk(t, n); }";
    CHECK_STATUS(session.try_build(source.c_str(), "", &log), CL_BUILD_PROGRAM_FAILURE);
    CHECK(log.find("'walk' calls itself") != std::string::npos);
  }
  const char* indirectly = "void b(int n); void a(int n) { if (n) b(n - 1); barrier(CLK_LOCAL_MEM_FENCE); }\n"
                           "void b(int n) { if (n) a(n - 1); }\n"
                           "kernel void k(int n) { a(n); }";
  CHECK_STATUS(session.try_build(indirectly, "", &log), CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find("'a' calls itself") != std::string::npos);
  CHECK_STATUS(
      session.try_build("kernel void k(int n) { if (n) k(n - 1); barrier(CLK_LOCAL_MEM_FENCE); }", "", &log),
      CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find("'k' calls itself") != std::string::npos);
}

TEST_CASE("clBuildProgram: atomic functions are for global and local memory, a program's own for any",
          "[build]") {
  const test::Session session;
  std::string log;
  CHECK(session.try_build("kernel void k(global int* v) { int x = 1; *v = atomic_inc(&x); }", "-cl-std=CL3.0",
                          &log) == CL_BUILD_PROGRAM_FAILURE);
  CHECK_THAT(log, Catch::Matchers::ContainsSubstring("atomic_inc"));
  const auto kernel =
      session.kernel("void atomic_note(int* x, int v) { *x += v; }\n"
                     "kernel void k(global int* v) { int x = 1; atomic_note(&x, *v); *v = x; }",
                     "k", "-cl-std=CL3.0");
  const auto buffer = session.buffer(std::vector<int>{41});
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == 42);
}

TEST_CASE("A function that calls itself works where it may stay a function", "[build]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel =
      session.kernel("int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }\n"
                     "kernel void k(global int* v) { *v = fibonacci(10); }",
                     "k");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == 55);
}

TEST_CASE("Each call of a function that calls itself has private variables of its own, also in a kernel with "
          "much private memory",
          "[build]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel = session.kernel(
      "int add_all(int n, const int* values) {\n"
      "  int sums[8];\n"
      "  for (int i = 0; i < 8; ++i) sums[i] = values[i] + n;\n"
      "  const int rest = n == 0 ? sums[5] : add_all(n - 1, sums);\n"
      "  return rest + sums[0] - values[0] - n;\n" // 0, unless a call has overwritten the caller's variables
      "}\n"
      "kernel void k(global int* v) {\n"
      "  int values[8192];\n"
      "  for (int i = 0; i < 8192; ++i) values[i] = v[0] + i;\n"
      "  *v = add_all(10, values + v[0]);\n"
      "}",
      "k");
  auto buffer = session.buffer(std::vector<int>{1000});
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == 1000 + 1000 + 5 + 55);
}

TEST_CASE("clBuildProgram: the twelfth program with the same options is built as the first was", "[build]") {
  const test::Session session;
  const auto binary = [](cl_program program) {
    size_t size = 0;
    REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
    std::vector<unsigned char> bytes(size);
    unsigned char* pointer = bytes.data();
    REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr));
    return bytes;
  };
  const char* options = GENERATE("", "-cl-std=CL3.0 -D FACTOR=3", "-cl-std=CLC++2021 -cl-fast-relaxed-math");
  const char* good = "kernel void k(global float* v) { barrier(CLK_LOCAL_MEM_FENCE);"
                     "  vstore4(vload4(0, v) * M_PI_F, 1, v); v[0] = sqrt(v[get_global_id(0)]); }";
  const char* bad = "kernel void k(global int* v) { v[0] = memory_scope_devise + CLK_NO_SUCH_FENCE; }";
  std::vector<unsigned char> first_binary;
  std::string first_log;
  for (int i = 0; i < 12; ++i) {
    const auto program = session.build(good, options);
    std::string log;
    CHECK(session.try_build(bad, options, &log) == CL_BUILD_PROGRAM_FAILURE);
    if (i == 0) {
      first_binary = binary(program);
      first_log = log;
    }
    CHECK(binary(program) == first_binary);
    CHECK(log == first_log);
  }
}
