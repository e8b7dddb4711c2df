// sycl::atomic_ref in C++ for OpenCL kernels

#include "tests/support/session.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace {

constexpr const char* options = "-cl-std=CLC++2021";

bool offered() {
  if (test::is_hostcl()) return true;
  const test::Session session;
  return session.try_build("#include <sycl/atomic_ref.hpp>\nkernel void k() {}", options) == CL_SUCCESS;
}

/// A kernel over `global T* object, global T* out`, whose body uses `ref`, an atomic_ref on the object.
template <class T>
struct Bench {
  static constexpr const char* name = std::is_same_v<T, cl_int>     ? "int"
                                      : std::is_same_v<T, cl_uint>  ? "unsigned int"
                                      : std::is_same_v<T, cl_long>  ? "long"
                                      : std::is_same_v<T, cl_ulong> ? "unsigned long"
                                      : std::is_same_v<T, cl_float> ? "float"
                                                                    : "double";
  std::vector<T> out;
  T object;

  Bench(const std::string& body, size_t items, T initial, const std::string& order = "relaxed",
        const std::string& space = "generic_space") {
    const test::Session session;
    const std::string source = std::string("#include <sycl/atomic_ref.hpp>\ntypedef ") + name +
                               " T;\n"
                               "kernel void k(global T* object, global T* out) {\n"
                               "  sycl::atomic_ref<T, sycl::memory_order::" +
                               order + ", sycl::memory_scope::device, sycl::access::address_space::" + space +
                               "> ref(*object);\n  size_t i = get_global_id(0);\n" + body + "\n}\n";
    const auto kernel = session.kernel(source.c_str(), "k", options);
    auto buffer = session.buffer(std::vector<T>{initial});
    auto results = session.buffer(std::vector<T>(items, T(0)));
    test::set_arguments(kernel, buffer, results);
    session.run(kernel, items);
    out = session.read<T>(results, items);
    object = session.read<T>(buffer, 1)[0];
  }
  /// Every item saw another of the values first, first + 1, ...
  bool saw_range_from(T first) const {
    auto sorted = out;
    std::sort(sorted.begin(), sorted.end());
    for (T value : sorted)
      if (value != first++) return false;
    return true;
  }
};

constexpr size_t items = 500;

} // namespace

#define ALL_TYPES cl_int, cl_uint, cl_long, cl_ulong, cl_float, cl_double
#define INTEGRAL_TYPES cl_int, cl_uint, cl_long, cl_ulong

TEST_CASE("sycl::atomic_ref: static members", "[sycl]") {
  if (!offered()) return;
  const test::Session session;
  session.build(R"(
    #include <sycl/atomic_ref.hpp>
    template <class T, sycl::memory_order O> using Ref = sycl::atomic_ref<T, O, sycl::memory_scope::work_group>;
    using Relaxed = Ref<int, sycl::memory_order::relaxed>;
    using AcqRel = Ref<double, sycl::memory_order::acq_rel>;
    using SeqCst = Ref<float*, sycl::memory_order::seq_cst>;
    static_assert(Relaxed::required_alignment >= alignof(int));
    static_assert(AcqRel::required_alignment >= alignof(double));
    static_assert(Relaxed::is_always_lock_free && AcqRel::is_always_lock_free && SeqCst::is_always_lock_free);
    static_assert(Relaxed::default_read_order == sycl::memory_order::relaxed);
    static_assert(Relaxed::default_write_order == sycl::memory_order::relaxed);
    static_assert(Relaxed::default_read_modify_write_order == sycl::memory_order::relaxed);
    static_assert(AcqRel::default_read_order == sycl::memory_order::acquire);
    static_assert(AcqRel::default_write_order == sycl::memory_order::release);
    static_assert(AcqRel::default_read_modify_write_order == sycl::memory_order::acq_rel);
    static_assert(SeqCst::default_read_order == sycl::memory_order::seq_cst);
    static_assert(SeqCst::default_write_order == sycl::memory_order::seq_cst);
    static_assert(SeqCst::default_read_modify_write_order == sycl::memory_order::seq_cst);
    static_assert(Relaxed::default_scope == sycl::memory_scope::work_group);
    kernel void k() {}
  )",
                options);
}

TEST_CASE("sycl::atomic_ref: is_lock_free is true, and references are copied", "[sycl]") {
  if (!offered()) return;
  const Bench<cl_int> bench(
      "auto copy = ref; copy.fetch_add(1); out[i] = ref.is_lock_free() && copy.is_lock_free();", items, 0);
  CHECK(bench.object == int(items));
  CHECK(bench.out == std::vector<cl_int>(items, 1));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: store, load, assignment and conversion", "[sycl]", ALL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  CHECK(Bench<T>("ref.store(7); out[i] = ref.load();", 1, 1).out[0] == T(7));
  CHECK(Bench<T>("out[i] = (ref = T(9)); out[i] += ref;", 1, 1).out[0] == T(18));
  CHECK(Bench<T>("T x = ref; out[i] = x;", items, 5).out == std::vector<T>(items, T(5)));
  CHECK(Bench<T>("ref.store(3, sycl::memory_order::release, sycl::memory_scope::system);"
                 "out[i] = ref.load(sycl::memory_order::acquire, sycl::memory_scope::work_group);",
                 1, 1)
            .out[0] == T(3));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: exchange loses no value", "[sycl]", ALL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  Bench<T> bench("out[i] = ref.exchange(T(i + 1));", items, 0);
  bench.out.push_back(bench.object);
  CHECK(bench.saw_range_from(0));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: compare_exchange, strong and weak, both overloads", "[sycl]",
                   ALL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  for (const char* function : {"compare_exchange_strong", "compare_exchange_weak"})
    for (const char* orders :
         {"", ", sycl::memory_order::acq_rel", ", sycl::memory_order::seq_cst, sycl::memory_order::relaxed",
          ", sycl::memory_order::acq_rel, sycl::memory_order::acquire, sycl::memory_scope::device"}) {
      CAPTURE(function, orders);
      const Bench<T> bench(
          "T e = ref.load(); while (!ref." + std::string(function) + "(e, e + 1" + orders +
              ")) {} out[i] = e; T wrong = T(-1) * 3; if (ref.compare_exchange_strong(wrong, 0) || "
              "wrong == T(-1) * 3) out[i] = 0;",
          items, 10);
      CHECK(bench.object == T(10 + items));
      CHECK(bench.saw_range_from(10));
    }
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: fetch_add, fetch_sub and their operators", "[sycl]", ALL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  const Bench<T> up("out[i] = ref.fetch_add(1);", items, 3);
  CHECK(up.object == T(3 + items));
  CHECK(up.saw_range_from(3));
  const Bench<T> down("out[i] = ref.fetch_sub(1);", items, 1000);
  CHECK(down.object == T(1000 - items));
  CHECK(down.saw_range_from(T(1001 - items)));
  const Bench<T> plus("out[i] = (ref += 1);", items, 3);
  CHECK(plus.saw_range_from(4));
  const Bench<T> minus("out[i] = (ref -= 1);", items, 1000);
  CHECK(minus.saw_range_from(T(1000 - items)));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: ++ and --, before and after", "[sycl]", INTEGRAL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  CHECK(Bench<T>("out[i] = ref++;", items, 3).saw_range_from(3));
  CHECK(Bench<T>("out[i] = ++ref;", items, 3).saw_range_from(4));
  CHECK(Bench<T>("out[i] = ref--;", items, 1000).saw_range_from(T(1001 - items)));
  CHECK(Bench<T>("out[i] = --ref;", items, 1000).saw_range_from(T(1000 - items)));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: fetch_min and fetch_max", "[sycl]", ALL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  CHECK(Bench<T>("out[i] = ref.fetch_min(T(i + 10));", items, 300).object == T(10));
  CHECK(Bench<T>("out[i] = ref.fetch_min(T(i + 10));", items, 3).out == std::vector<T>(items, T(3)));
  CHECK(Bench<T>("out[i] = ref.fetch_max(T(i + 10));", items, 300).object == T(items + 9));
  CHECK(Bench<T>("out[i] = ref.fetch_max(T(i + 10));", items, 3000).out == std::vector<T>(items, T(3000)));
}

TEMPLATE_TEST_CASE("sycl::atomic_ref: fetch_and, fetch_or, fetch_xor and their operators", "[sycl]",
                   INTEGRAL_TYPES) {
  if (!offered()) return;
  using T = TestType;
  CHECK(Bench<T>("ref.fetch_or(T(1) << (i % 16));", 16, 0).object == T(0xffff));
  CHECK(Bench<T>("ref.fetch_and(~(T(1) << (i % 8)));", 64, 0x1ff).object == T(0x100));
  CHECK(Bench<T>("ref.fetch_xor(T(1) << (i % 4));", 12, 0).object == T(0xf));
  CHECK(Bench<T>("out[i] = (ref |= 6);", 1, 1).out[0] == T(7));
  CHECK(Bench<T>("out[i] = (ref &= 6);", 1, 3).out[0] == T(2));
  CHECK(Bench<T>("out[i] = (ref ^= 6);", 1, 3).out[0] == T(5));
}

TEST_CASE("sycl::atomic_ref: every default order, scope and address space", "[sycl]") {
  if (!offered()) return;
  for (const char* order : {"relaxed", "acq_rel", "seq_cst"})
    for (const char* space : {"global_space", "generic_space"}) {
      CAPTURE(order, space);
      CHECK(Bench<cl_int>("out[i] = ref++;", items, 0, order, space).saw_range_from(0));
      CHECK(Bench<cl_float>("out[i] = ref.fetch_add(1.0f);", items, 0, order, space).saw_range_from(0));
    }
}

TEST_CASE("sycl::atomic_ref: on local memory", "[sycl]") {
  if (!offered()) return;
  const test::Session session;
  for (const char* space : {"local_space", "generic_space"}) {
    const std::string source =
        std::string("#include <sycl/atomic_ref.hpp>\nkernel void k(global int* out) {\n"
                    "  local int sum;\n  if (get_local_id(0) == 0) sum = 0;\n"
                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "  sycl::atomic_ref<int, sycl::memory_order::relaxed, "
                    "sycl::memory_scope::work_group, sycl::access::address_space::") +
        space +
        "> ref(sum);\n  ref += get_local_id(0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  out[get_global_id(0)] = ref;\n}\n";
    const auto kernel = session.kernel(source.c_str(), "k", options);
    auto out = session.buffer(4 * 256);
    test::set_arguments(kernel, out);
    session.run(kernel, 256, 64);
    CHECK(session.read<cl_int>(out, 256) == std::vector<cl_int>(256, 64 * 63 / 2));
  }
}

TEST_CASE("sycl::atomic_ref: every member for pointers", "[sycl]") {
  if (!offered()) return;
  const test::Session session;
  const auto kernel = session.kernel(R"(
    #include <sycl/atomic_ref.hpp>
    kernel void k(global int* data, global long* out) {
      __generic int* base = data;
      struct Holder { __generic int* p; };
      global Holder* holder = (global Holder*)(out + 20);
      holder->p = data + 10;
      sycl::atomic_ref<__generic int*, sycl::memory_order::acq_rel, sycl::memory_scope::device> ref(holder->p);
      int n = 0;
      out[n++] = ref.load() - base;              // 10
      out[n++] = ref.fetch_add(5) - base;        // 10
      out[n++] = (ref += 2) - base;              // 17
      out[n++] = ref.fetch_sub(3) - base;        // 17
      out[n++] = (ref -= 4) - base;              // 10
      out[n++] = ref++ - base;                   // 10
      out[n++] = ++ref - base;                   // 12
      out[n++] = ref-- - base;                   // 12
      out[n++] = --ref - base;                   // 10
      out[n++] = ref.exchange(base + 3) - base;  // 10
      __generic int* expected = base;
      out[n++] = ref.compare_exchange_strong(expected, base + 9); // 0
      out[n++] = expected - base;                // 3
      while (!ref.compare_exchange_weak(expected, base + 9)) {}
      out[n++] = ref - base;                     // 9
      ref.store(base + 1);
      out[n++] = (ref = base + 2) - base;        // 2
      out[n++] = ref.is_lock_free();             // 1
    })",
                                     "k", options);
  auto data = session.buffer(400), out = session.buffer(8 * 32);
  test::set_arguments(kernel, data, out);
  session.run(kernel, 1);
  CHECK(session.read<cl_long>(out, 15) ==
        std::vector<cl_long>{10, 10, 17, 17, 10, 10, 12, 12, 10, 10, 0, 3, 9, 2, 1});
}

TEST_CASE("sycl::atomic_ref: a list that is pushed and popped through an atomic pointer, over SVM",
          "[sycl]") {
  if (!offered()) return;
  const test::Session session;
  const auto program = session.build(R"(
    #include <sycl/atomic_ref.hpp>
    struct List {
      __generic int* top;
      __generic int* data;
      using Top = sycl::atomic_ref<__generic int*, sycl::memory_order::relaxed, sycl::memory_scope::device>;
      void push(int value) __generic { *Top(top).fetch_add(1) = value; }
      int pop() __generic { return *(Top(top).fetch_add(-1) - 1); }
    };
    kernel void fill(global List* in) { in->push(get_global_id(0)); }
    kernel void move(global List* in, global List* out) { out->push(get_global_id(0) * 100 + in->pop()); }
  )",
                                     options);
  struct List {
    int *top, *data;
  };
  constexpr int size = 1000;
  const auto make = [&] {
    auto* list =
        static_cast<List*>(clSVMAlloc(session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(List), 0));
    auto* data = static_cast<int*>(clSVMAlloc(session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, size * 4, 0));
    *list = {data, data};
    return list;
  };
  List *in = make(), *out = make();
  const auto fill = session.kernel(program, "fill"), move = session.kernel(program, "move");
  REQUIRE_CL(clSetKernelArgSVMPointer(fill, 0, in));
  REQUIRE_CL(clSetKernelArgSVMPointer(move, 0, in));
  REQUIRE_CL(clSetKernelArgSVMPointer(move, 1, out));
  session.run(fill, size);
  CHECK(in->top == in->data + size);
  session.run(move, size);
  CHECK(in->top == in->data);
  REQUIRE(out->top == out->data + size);
  // Each popped value went into one sum with one id; who met whom is open, the total is not.
  const long sum = std::accumulate(out->data, out->data + size, 0L);
  CHECK(sum == long(size) * (size - 1) / 2 * 101);
  for (List* list : {in, out}) {
    clSVMFree(session.context, list->data);
    clSVMFree(session.context, list);
  }
}

TEST_CASE("sycl::atomic_ref: types and orders that it does not take are refused", "[sycl]") {
  if (!offered()) return;
  const test::Session session;
  const auto refused = [&](const char* type, const char* order) {
    const std::string source = std::string("#include <sycl/atomic_ref.hpp>\nkernel void k(global ") + type +
                               "* p) { sycl::atomic_ref<" + type + ", sycl::memory_order::" + order +
                               ", sycl::memory_scope::device> ref(*p); }";
    return session.try_build(source.c_str(), options) == CL_BUILD_PROGRAM_FAILURE;
  };
  CHECK(refused("char", "relaxed"));
  CHECK(refused("short", "relaxed"));
  CHECK(refused("int", "acquire"));
  CHECK(refused("int", "release"));
  CHECK_FALSE(refused("int", "relaxed"));
}

TEST_CASE("sycl::atomic_ref: 64-bit atomics are reported as SYCL runtimes look for them", "[sycl]") {
  if (!test::is_hostcl()) return;
  CHECK(test::has_extension("cl_khr_int64_base_atomics"));
  CHECK(test::has_extension("cl_khr_int64_extended_atomics"));
}
