// C++ for OpenCL kernels (1.0 and 2021)

#include "support/session.hpp"

namespace {

bool supported() {
  return test::has_extension("cl_ext_cxx_for_opencl") || test::is_hostcl();
}

std::vector<cl_int> run(const char* source, size_t items, const char* options) {
  const test::Session session;
  const auto kernel = session.kernel(source, "k", options);
  auto buffer = session.buffer(std::vector<cl_int>(items, 0));
  test::set_arguments(kernel, buffer);
  session.run(kernel, items);
  return session.read<cl_int>(buffer, items);
}

} // namespace

TEST_CASE("C++ for OpenCL: templates, classes, references, lambdas, overloads", "[cxx]") {
  if (!supported()) return;
  const char* source = R"(
    template <class T, int N> struct Ring {
      T values[N];
      Ring() { for (int i = 0; i < N; ++i) values[i] = T(i); }
      T& operator[](int i) { return values[i % N]; }
      T sum() const { T s = 0; for (T v : values) s += v; return s; }
    };
    int twice(int x) { return 2 * x; }
    int twice(short x) { return -2 * x; }
    template <class F> int apply(F f, int x) { return f(x); }
    namespace deep { constexpr int seven() { return 7; } }
    kernel void k(global int* o) {
      Ring<int, 4> ring;
      ring[5] = 100;
      auto add = [&](int x) { return x + ring.sum(); };
      int i = get_global_id(0);
      o[i] = apply(add, i) + twice(i) + twice((short)1) + deep::seven();
    }
  )";
  for (const char* options : {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"}) {
    const auto values = run(source, 100, options);
    for (int i = 0; i < 100; ++i)
      REQUIRE(values[i] == i + 105 + 2 * i - 2 + 7);
  }
}

TEST_CASE("C++ for OpenCL: classes with virtual inheritance of data and casts between address spaces",
          "[cxx]") {
  if (!supported()) return;
  const auto values = run(R"(
    struct Base { int a; Base(int x) : a(x) {} int get() const { return a; } };
    struct Derived : Base { int b; Derived(int x) : Base(x), b(x + 1) {} int get() const { return a + b; } };
    int read(const Derived& d) { return d.get(); }
    kernel void k(global int* o) {
      local int shared[1];
      Derived d(get_global_id(0));
      __generic int* p = addrspace_cast<__generic int*>(o + get_global_id(0));
      *p = read(d) + static_cast<Base&>(d).get();
    })",
                          50, "-cl-std=CLC++2021");
  for (int i = 0; i < 50; ++i)
    REQUIRE(values[i] == 3 * i + 1);
}

TEST_CASE("C++ for OpenCL: constructors of program scope run before the first kernel", "[cxx]") {
  if (!supported() || !test::is_hostcl()) return;
  const auto values = run(R"(
    struct Table { int v[4]; Table(int s) { for (int i = 0; i < 4; ++i) v[i] = s * i; } };
    global Table table(11);
    kernel void k(global int* o) { o[get_global_id(0)] = table.v[get_global_id(0) % 4]; }
  )",
                          8, "-cl-std=CLC++2021");
  CHECK(values == std::vector<cl_int>{0, 11, 22, 33, 0, 11, 22, 33});
}

TEST_CASE("C++ for OpenCL: constructors of program scope enqueue nothing and have no blocks to ask about",
          "[cxx]") {
  if (!supported() || !test::is_hostcl()) return;
  const auto values = run(R"(
    struct Tried {
      int size, multiple, marker;
      Tried() {
        clk_event_t event;
        size = get_kernel_work_group_size(^{});
        multiple = get_kernel_preferred_work_group_size_multiple(^{});
        marker = enqueue_marker(get_default_queue(), 0, nullptr, &event) != CLK_SUCCESS;
      }
    };
    global Tried tried;
    kernel void k(global int* o) { o[0] = tried.size, o[1] = tried.multiple, o[2] = tried.marker; }
  )",
                          3, "-cl-std=CLC++2021");
  CHECK(values == std::vector<cl_int>{0, 0, 1});
}

namespace {

cl_bool has(cl_program program, cl_program_info name) {
  cl_bool value = 2;
  CHECK_CL(clGetProgramInfo(program, name, sizeof value, &value, nullptr));
  return value;
}

} // namespace

TEST_CASE("C++ for OpenCL: programs tell whether they have constructors and destructors", "[cxx]") {
  if (!supported() || !test::is_hostcl()) return;
  const test::Session session;
  const auto plain = session.build("kernel void k() {}");
  CHECK(has(plain, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_FALSE);
  CHECK(has(plain, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_FALSE);
  const auto constructed = session.build(
      "struct S { int v; S(int x) { v = x * get_work_dim(); } }; global S s(2); kernel void k() {}",
      "-cl-std=CLC++2021");
  CHECK(has(constructed, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_TRUE);
  CHECK(has(constructed, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_FALSE);
  const auto destroyed = session.build("struct S { int v; ~S() { v = 0; } }; global S s; kernel void k() {}",
                                       "-cl-std=CLC++2021");
  CHECK(has(destroyed, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_TRUE);
  const auto unbuilt = session.source("kernel void k() {}");
  for (cl_program_info name :
       {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT}) {
    cl_bool value = CL_FALSE;
    CHECK_STATUS(clGetProgramInfo(unbuilt, name, sizeof value, &value, nullptr),
                 CL_INVALID_PROGRAM_EXECUTABLE);
  }
}

TEST_CASE("C++ for OpenCL: objects are destroyed with the program, last constructed first", "[cxx]") {
  if (!supported() || !test::is_hostcl()) return;
  const test::Session session;
  auto* seen = static_cast<cl_int*>(
      clSVMAlloc(session.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 16 * sizeof(cl_int), 0));
  REQUIRE(seen != nullptr);
  std::fill_n(seen, 16, -1);
  {
    const auto kernel = session.kernel(R"(
      global int* seen; // [0]: how many destructors ran; then which
      struct Noted { int v; Noted(int x) : v(x) {} ~Noted() { seen[++seen[0]] = v; } };
      global Noted first(1);
      global Noted several[2] = {Noted(2), Noted(3)};
      namespace inner { static global Noted last(4); }
      int touch(bool once) {
        if (!once) { static global Noted never(5); return never.v; }
        static global Noted local_object(6);
        return local_object.v;
      }
      kernel void k(global int* where) { seen = where; seen[0] = 0; seen[10] = touch(true); }
    )",
                                       "k", "-cl-std=CLC++2021");
    CHECK_CL(clSetKernelArgSVMPointer(kernel, 0, seen));
    session.run(kernel, 1);
    CHECK(seen[0] == 0);
    CHECK(seen[10] == 6);
  }
  CHECK(std::vector<cl_int>(seen, seen + 7) == std::vector<cl_int>{5, 6, 4, 3, 2, 1, -1});
  clSVMFree(session.context, seen);
}

TEST_CASE("C++ for OpenCL: errors of templates name file, line and column", "[cxx]") {
  if (!supported()) return;
  const test::Session session;
  std::string log;
  CHECK_STATUS(session.try_build("template <class T>\nint f(T t) { return t.missing; }\n"
                                 "kernel void k(global int* o) { *o = f(1); }\n",
                                 "-cl-std=CLC++2021", &log),
               CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find(":2:") != std::string::npos);
}
