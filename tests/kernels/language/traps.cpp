// Work-items that trap, in each form that kernels take: the launch ends with an error that names the work-item, and the
// same kernel runs afterwards. Divisions do not trap.

#include "support/trap_session.hpp"

#include <numeric>

namespace {

using Ints = std::vector<cl_int>;

constexpr const char* declarations =
    "void abort(void);\n"
    "void __assert_fail(constant char*, constant char*, uint, constant char*);\n"
    "void __devicelib_assert_fail(constant char*, constant char*, int, constant char*, ulong, ulong, ulong, "
    "ulong, ulong, ulong);\n";

/// A way to trap, and what the reason says of it.
struct Kind {
  const char *name, *statement, *reason;
};
constexpr Kind kinds[] = {
    {"trap", "__builtin_trap()", "ended by a trap"},
    {"verbose trap", "__builtin_verbose_trap(\"a\", \"b\")", "ended by a trap"},
    {"breakpoint", "__builtin_debugtrap()", "ended by a breakpoint"},
    {"abort", "abort()", "ended by abort()"},
    {"assertion", "__assert_fail(\"x < y\", \"a.cl\", 7, \"f\")",
     "assertion 'x < y' failed at a.cl:7 in function 'f'"},
    {"assertion of SYCL", "__devicelib_assert_fail(\"x\", \"b.cpp\", 8, \"g\", 0, 0, 0, 0, 0, 0)",
     "assertion 'x' failed at b.cpp:8 in function 'g'"},
};

/// A kernel that traps in the work-item whose number is `bad`, and otherwise stores what `expected` says.
struct Form {
  const char *name, *body;
  cl_int (*expected)(cl_int i);
  const char* more = "";
};

constexpr cl_int group = 24, items = 240;

cl_int same(cl_int i) {
  return i;
}
cl_int next_in_group(cl_int i) {
  return i / group * group + (i + 1) % group;
}

constexpr Form forms[] = {
    {"straight code", "if (in[i] == bad) END; out[i] = in[i];", same},
    {"a trap that replaces a store", "if (in[i] == bad) END; else out[i] = in[i];", same},
    {"loops",
     "int s = 0; for (int j = 0; j < in[i] % 7 + 2; ++j) { if (in[i] == bad && j == 1) END; s += j; }"
     "out[i] = in[i] + (s < 0);",
     same},
    {"a loop that the trap alone ends",
     "for (int j = 0;; ++j) { if (in[i] == bad) END; if (j > in[i]) break; } out[i] = in[i];", same},
    {"switches",
     "switch (in[i] & 3) { case 0: out[i] = in[i]; if (in[i] == bad) END; break; case 1: if (in[i] != bad) { "
     "out[i] = in[i]; break; } default: if (in[i] == bad) END; out[i] = in[i]; }",
     same},
    {"functions", "out[i] = checked(in[i], bad);", same,
     "__attribute__((noinline)) int checked(int x, int bad) { if (x == bad) END; return x; }\n"},
    {"functions that only trap", "if (in[i] == bad) fail(); out[i] = in[i];", same,
     "__attribute__((noinline)) void fail(void) { END; }\n"},
    {"between barriers",
     "local int t[24]; int l = get_local_id(0); t[l] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);"
     "if (t[l] == bad) END; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[(l + 1) % 24];",
     next_in_group},
    {"barriers in loops",
     "local int t[24]; int l = get_local_id(0); t[l] = in[i]; for (int j = 0; j < n; ++j) {"
     "barrier(CLK_LOCAL_MEM_FENCE); int x = t[(l + 1) % 24]; if (in[i] == bad && j == 2) END;"
     "barrier(CLK_LOCAL_MEM_FENCE); t[l] = x; } barrier(CLK_LOCAL_MEM_FENCE); out[i] = in[i];",
     same},
    {"sub-groups",
     "int all = sub_group_reduce_max(in[i]); if (in[i] == bad) END; out[i] = all < in[i] ? -1 : in[i];",
     same},
    {"work-group functions",
     "int all = work_group_reduce_max(in[i]); if (in[i] == bad) END; out[i] = all < in[i] ? -1 : in[i];",
     same},
    {"atomics",
     "atomic_inc(&out[items]); if (in[i] == bad) END; int at = atomic_add(&out[items + 1], 1);"
     "out[i] = at < 0 ? -1 : in[i];",
     same, "enum { items = 240 };\n"},
    {"private arrays",
     "int a[9]; for (int j = 0; j < 9; ++j) a[j] = in[i] + j; if (a[in[i] % 9] == bad + bad % 9) END;"
     "out[i] = a[in[i] % 9] - in[i] % 9;",
     same},
};

std::string with(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string source_of(const Form& form, const Kind& kind) {
  const std::string text = std::string(declarations) + form.more +
                           "kernel void k(global int* out, global const int* in, int bad, int n) {\n"
                           "  int i = get_global_id(0);\n" +
                           form.body + "}\n";
  return with(text, "END", kind.statement);
}

struct World : test::TrapSession {
  Ints input = Ints(items);
  test::Buffer in, out = buffer(Ints(items + 2));

  World() {
    std::iota(input.begin(), input.end(), 0);
    in = buffer(input);
  }

  cl_int launch(cl_kernel kernel, cl_int bad) const {
    test::set_arguments(kernel, out, in, bad, 5);
    const std::size_t global = items, local = group;
    REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
    return clFinish(queue);
  }
  void check_good(cl_kernel kernel, const Form& form) const {
    CHECK_CL(launch(kernel, -1));
    const auto found = read<cl_int>(out, items);
    for (cl_int i = 0; i < items; ++i)
      if (found[i] != form.expected(i)) {
        CAPTURE(i);
        CHECK(found[i] == form.expected(i));
        break;
      }
  }
};

} // namespace

TEST_CASE("A trap ends the launch and names the work-item, in all forms of kernels", "[traps]") {
  if (!test::is_hostcl()) return;
  World w;
  for (const Form& form : forms)
    for (const Kind& kind : kinds) {
      if (&kind != kinds && &form > forms + 3) continue;
      CAPTURE(form.name, kind.name);
      const auto kernel = w.kernel(source_of(form, kind).c_str(), "k", "-cl-std=CL3.0");
      w.check_good(kernel, form);
      for (const cl_int bad : {0, 5, 23, 100, items - 1}) {
        CAPTURE(bad);
        w.sentences.clear();
        CHECK_STATUS(w.launch(kernel, bad), test::trapped);
        const std::string id = std::to_string(bad), local = std::to_string(bad % group);
        CHECK(w.sentences.have({"kernel 'k'", kind.reason,
                                "work-item (" + id + ", 0, 0), local (" + local + ", 0, 0) of group (" +
                                    std::to_string(bad / group) + ", 0, 0)"}));
      }
      w.check_good(kernel, form);
    }
}

TEST_CASE("A trap in groups of three dimensions with offsets names the work-item", "[traps]") {
  if (!test::is_hostcl()) return;
  test::TrapSession session;
  const auto kernel = session.kernel("kernel void k(int x, int y, int z) { if (get_global_id(0) == x && "
                                     "get_global_id(1) == y && get_global_id(2) "
                                     "== z) __builtin_trap(); }",
                                     "k", "-cl-std=CL3.0 -g");
  const std::size_t offset[] = {3, 5, 7}, global[] = {10, 9, 5}, local[] = {4, 2, 3};
  test::set_arguments(kernel, 11, 13, 11);
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 3, offset, global, local, 0, nullptr, nullptr));
  CHECK_STATUS(clFinish(session.queue), test::trapped);
  CHECK(session.sentences.have(
      {"program.cl:1:", "work-item (11, 13, 11)", "local (0, 0, 1) of group (2, 4, 1)"}));
}

TEST_CASE("Kernels that trap in any case, also around barriers", "[traps]") {
  if (!test::is_hostcl()) return;
  const test::TrapSession session;
  for (const char* body :
       {"__builtin_trap();", "o[0] = 1; __builtin_trap();", "barrier(1); __builtin_trap();",
        "if (o[0]) __builtin_trap(); else __builtin_debugtrap();",
        "if (n) { barrier(1); __builtin_trap(); } o[1] = 1; barrier(1); __builtin_trap();"}) {
    CAPTURE(body);
    const std::string text = std::string("kernel void k(global int* o, int n) {") + body + "}";
    const auto kernel = session.kernel(text.c_str(), "k");
    const auto out = session.buffer(Ints(4));
    test::set_arguments(kernel, out, 1);
    const std::size_t global = 64;
    REQUIRE_CL(
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    CHECK_STATUS(clFinish(session.queue), test::trapped);
  }
}

TEST_CASE("What a work-item would do after a trap is not done", "[traps]") {
  if (!test::is_hostcl()) return;
  const test::TrapSession session;
  const auto kernel = session.kernel(
      "kernel void k(global int* o, int bad) { int i = get_global_id(0); o[i] = 1; if (i == bad) "
      "__builtin_debugtrap(); o[i] = 2; }",
      "k");
  const auto out = session.buffer(Ints(64));
  test::set_arguments(kernel, out, 9);
  const std::size_t global = 64;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  CHECK_STATUS(clFinish(session.queue), test::trapped);
  CHECK(session.read<cl_int>(out, 64)[9] != 2);
}

TEST_CASE("Divisions of integers do not trap, whatever their operands", "[traps]") {
  const test::Session session;
  const auto kernel = session.kernel(
      "kernel void k(global long* o, global const long* n, global const long* d) { int i = get_global_id(0);"
      "o[i] = n[i] / d[i] + n[i] % d[i] + (int)n[i] / (int)d[i] + (int)n[i] % (int)d[i] + (short)n[i] / "
      "(short)d[i] +"
      "(char)n[i] % (char)d[i] + (ulong)n[i] / (ulong)d[i] + (uint)n[i] % (uint)d[i]; }",
      "k");
  constexpr cl_long least = std::numeric_limits<cl_long>::min(),
                    least_int = std::numeric_limits<cl_int>::min();
  std::vector<cl_long> n, d;
  for (const cl_long a : {least, least_int, cl_long{-32768}, cl_long{-128}, cl_long{0}, cl_long{7}})
    for (const cl_long b : {cl_long{0}, cl_long{-1}, cl_long{1}, cl_long{256}, cl_long{1} << 32}) {
      n.push_back(a);
      d.push_back(b);
    }
  const auto out = session.buffer(n), first = session.buffer(n), second = session.buffer(d);
  test::set_arguments(kernel, out, first, second);
  session.run(kernel, n.size());
}
