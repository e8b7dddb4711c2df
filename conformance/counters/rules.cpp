// cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64: what they refuse, and what queries say of them

#include "conformance/counters/support.hpp"

#include <regex>

using namespace counters;

TEST_CASE("clSetKernelArg: a counter of a wrong size is CL_INVALID_ARG_SIZE", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Narrow::options);
  auto counter = session.buffer(64);
  const cl_mem handle = counter;
  CHECK_STATUS(clSetKernelArg(up, 0, 4, &handle), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: a NULL counter is CL_INVALID_ARG_VALUE or CL_INVALID_MEM_OBJECT", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Narrow::options);
  const cl_mem none = nullptr;
  for (const void* value : {static_cast<const void*>(&none), static_cast<const void*>(nullptr)}) {
    const cl_int error = clSetKernelArg(up, 0, sizeof none, value);
    CHECK((error == CL_INVALID_ARG_VALUE || error == CL_INVALID_MEM_OBJECT));
  }
}

TEST_CASE("clSetKernelArg: a buffer smaller than a counter is refused", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  auto three = session.buffer(3), seven = session.buffer(7), four = session.buffer(4);
  const auto narrow = kernel(session, count_up, Narrow::options),
             wide = kernel(session, count_up, Wide::options);
  for (auto [k, buffer] : {std::pair{narrow.get(), three.get()}, {wide.get(), seven.get()}}) {
    const cl_int error = clSetKernelArg(k, 0, sizeof buffer, &buffer);
    CHECK(
        (error == CL_INVALID_ARG_VALUE || error == CL_INVALID_BUFFER_SIZE || error == CL_INVALID_MEM_OBJECT));
  }
  CHECK_CL(test::set_argument(narrow, 0, four));
}

TEST_CASE("clGetKernelArgInfo: names the counter types", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto both =
      kernel(session, "kernel void k(counter32_t a, counter64_t b) { atomic_inc(a); atomic_dec(b); }",
             "-cl-kernel-arg-info");
  const char* expected[] = {"counter32_t", "counter64_t"};
  for (cl_uint i = 0; i < 2; ++i) {
    char name[64] = {};
    CHECK_CL(clGetKernelArgInfo(both, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr));
    CHECK(std::string(name) == expected[i]);
  }
}

TEST_CASE("Counters: what the extension forbids is refused, with its line", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  struct Row {
    const char *name, *source; ///< what is wrong stands on line 3 of the source
  };
  const Row rows[] = {
      {"a local variable", "kernel void k(counter32_t c) {\ncounter32_t d = c; }"},
      {"a variable without a value", "kernel void k(counter32_t c) {\ncounter32_t d; }"},
      {"assignment", "kernel void k(counter32_t c, counter32_t d) {\nc = d; }"},
      {"an expression", "kernel void k(counter32_t c, global uint* v) {\n*v = c + 1; }"},
      {"a comparison", "kernel void k(counter32_t c, counter32_t d, global uint* v) {\n*v = c == d; }"},
      {"a conversion", "kernel void k(counter32_t c, global uint* v) {\n*v = (uint)c; }"},
      {"a return type", "int f(int x);\ncounter32_t f(counter32_t c) { return c; }"},
      {"a structure's member", "kernel void k(counter32_t c) {\nstruct S { counter32_t c; } s; }"},
      {"an array", "kernel void k(counter32_t c) {\ncounter32_t a[2]; }"},
      {"a pointer to one", "kernel void k(counter32_t c) {\ncounter32_t* p = &c; }"},
      {"a variable at program scope", "int f(void);\nglobal counter32_t c;"},
      {"a parameter that points to one", "int f(int x);\nvoid f(counter32_t* c) {}"},
      {"a kernel's argument that points to one", "int f(int x);\nkernel void k(global counter32_t* c) {}"},
      {"another view of one", "kernel void k(counter32_t c, global uint* v) {\n*v = *(uint*)&c; }"},
      {"an operator", "kernel void k(counter32_t c) {\nc++; }"},
      {"a condition", "kernel void k(counter32_t c, global uint* v) {\n*v = c ? 1 : 2; }"},
      {"another atomic function", "kernel void k(counter32_t c) {\natomic_add(c, 1); }"},
      {"assignment in a function", "void f(counter32_t c, counter32_t d) {\nc = d; }"},
      {"inc and dec in one kernel", "kernel void k(counter32_t c) { atomic_inc(c);\natomic_dec(c); }"},
      {"inc in a kernel and dec in a function that it calls",
       "void down(counter32_t c) { atomic_dec(c); }\nkernel void k(counter32_t c) { atomic_inc(c); down(c); "
       "}"},
      {"inc and dec in functions that a kernel calls",
       "void up(counter32_t c) { atomic_inc(c); } void down(counter32_t c) { atomic_dec(c); }\n"
       "kernel void k(counter32_t c) { up(c); down(c); }"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::string log;
    const std::string source =
        "#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable\n" + std::string(row.source);
    CHECK_STATUS(session.try_build(source.c_str(), "", &log), CL_BUILD_PROGRAM_FAILURE);
    CAPTURE(log);
    CHECK(std::regex_search(log, std::regex(":3:[1-9][0-9]*: error: ")));
  }
}

TEST_CASE("Counters: more of them than the device has are refused", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto most = test::device_value<cl_uint>(max_counters);
  if (most > 4096) return;
  std::string parameters, body;
  for (cl_uint i = 0; i <= most; ++i) {
    parameters += std::string(i ? ", " : "") + "counter32_t c" + std::to_string(i);
    body += "atomic_inc(c" + std::to_string(i) + ");";
  }
  const std::string source = std::string(pragmas) + "kernel void k(" + parameters + ") {" + body + "}";
  CHECK_STATUS(session.try_build(source.c_str()), CL_BUILD_PROGRAM_FAILURE);
}
