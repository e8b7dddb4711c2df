// Attributes, builtins and statements that clang knows beyond OpenCL C: each works, or is refused when the
// program is built, with a message that says where. Nothing fails only at launch.

#include "support/session.hpp"

namespace {

constexpr size_t items = 64, local = 32;

struct Row {
  const char* name;
  const char* source;
  const char* refusal = nullptr; ///< part of the first error; null: kernel k(int* o) leaves 3 * i in o[i]
  const char* options = "-cl-std=CL3.0";
};

constexpr const char* cpp = "-cl-std=CLC++2021";

/// A kernel that calls `f`, twice and on both sides of a barrier.
#define CALLS_F                                                                                              \
  "kernel void k(global int* o) { local int l[64]; int i = get_global_id(0), x = f(l, i);"                   \
  " barrier(CLK_LOCAL_MEM_FENCE); o[i] = x + f(l, 2 * i); }"
/// The body of a function that asks where it is and meets a barrier: adds to x what is taken away again.
#define PART_BODY                                                                                            \
  "{ int t = get_local_id(0); l[t] = x + t; barrier(CLK_LOCAL_MEM_FENCE); x = l[t] - t;"                     \
  " barrier(CLK_LOCAL_MEM_FENCE); return x; }"
#define PART_WITH(attribute) "__attribute__((" attribute ")) int f(local int* l, int x) " PART_BODY CALLS_F
#define PLAIN_WITH(attribute)                                                                                \
  "__attribute__((" attribute ")) int f(int x) { return x * 3; }"                                            \
  "kernel void k(global int* o) { int i = get_global_id(0); o[i] = f(i); }"
/// `r` is what the statements leave in it.
#define STATEMENTS(text)                                                                                     \
  "kernel void k(global int* o) { int i = get_global_id(0), r = 3 * i; " text " o[i] = r; }"

// clang-format off
const Row functions[] = {
    {"noinline", PLAIN_WITH("noinline")},
    {"noinline with a barrier", PART_WITH("noinline")},
    {"optnone", PLAIN_WITH("optnone")},
    {"optnone with a barrier", PART_WITH("optnone")},
    {"minsize", PART_WITH("minsize")},
    {"flatten", PART_WITH("flatten")},
    {"always_inline", PART_WITH("always_inline")},
    {"noreturn that is not called", "__attribute__((noreturn)) void f(void) { for (;;); }"
     STATEMENTS("if (i > 1000000) f();")},
    {"no_instrument_function", PART_WITH("no_instrument_function")},
    {"disable_tail_calls", PART_WITH("disable_tail_calls")},
    {"not_tail_called", PART_WITH("not_tail_called")},
    {"convergent", PART_WITH("convergent")},
    {"noduplicate", PART_WITH("noduplicate")},
    {"returns_twice", PART_WITH("returns_twice")},
    {"pure", PLAIN_WITH("pure, noinline")},
    {"const", PLAIN_WITH("const, noinline")},
    {"nothrow, leaf, cold", PART_WITH("nothrow, leaf, cold")},
    {"weak", PART_WITH("weak")},
    {"section", PART_WITH("section(\".functions\")")},
    {"used", PART_WITH("used")},
    {"retain", PART_WITH("retain")},
    {"hidden", PART_WITH("visibility(\"hidden\")")},
    {"internal_linkage", PART_WITH("internal_linkage")},
    {"gnu_inline", "__attribute__((gnu_inline)) inline int f(local int* l, int x) " PART_BODY CALLS_F},
    {"inline", "inline int f(local int* l, int x) " PART_BODY CALLS_F},
    {"static", "static int f(local int* l, int x) " PART_BODY CALLS_F},
    {"vectorcall", PART_WITH("vectorcall")},
    {"preserve_all", PART_WITH("preserve_all")},
    {"preserve_most", PLAIN_WITH("preserve_most, noinline")},
    {"fastcall", PART_WITH("fastcall")},
    {"ms_abi", PART_WITH("ms_abi")},
    {"regparm", PART_WITH("regparm(2)"), "'regparm' is not valid"},
    {"target", PART_WITH("target(\"avx2\")")},
    {"target_clones", PART_WITH("target_clones(\"avx2\", \"default\")"), "not supported"},
    {"another name for the linker", "int f(local int* l, int x) __asm__(\"memcpy\"); int f(local int* l, int x) "
     PART_BODY CALLS_F},
    {"recursion", "int f(int x) { return x <= 0 ? 0 : 3 + f(x - 1); }" STATEMENTS("r = f(i);")},
    {"always_inline and recursion",
     "__attribute__((always_inline)) int f(int x) { return x <= 0 ? 0 : 3 + f(x - 1); }"
     STATEMENTS("r = f(i);")},
    {"recursion with a barrier", "void f(int x) { barrier(1); if (x) f(x - 1); }" STATEMENTS("f(3);"),
     "calls itself and uses a barrier"},
    {"naked", "__attribute__((naked)) void f(void) {}" STATEMENTS("f();"), "program.cl:1:16: error: attribute 'naked'"},
    {"naked kernel", "__attribute__((naked)) kernel void k(global int* o) {}", "attribute 'naked'"},
    {"alias", "int g(int x) { return x * 3; }\nint f(int x) __attribute__((alias(\"g\")));"
     STATEMENTS("r = f(i);"), "program.cl:2:29: error: attribute 'alias'"},
    {"weak alias", "int g(int x) { return x; } int f(int x) __attribute__((weak, alias(\"g\")));"
     STATEMENTS("r = f(i);"), "attribute 'alias'"},
    {"alias of a kernel", "kernel void g(global int* o) {} kernel void k(global int* o) __attribute__((alias(\"g\")));",
     "attribute 'alias'"},
    {"alias of a variable", "global int v; extern global int w __attribute__((alias(\"v\")));"
     STATEMENTS("r = w;"), "attribute 'alias'"},
    {"ifunc", "void* g(void) { return 0; } int f(int x) __attribute__((ifunc(\"g\")));" STATEMENTS("r = f(i);"),
     "undefined function 'f'"},
    {"constructor", "global int v; __attribute__((constructor)) void f(void) { v = 1; }" STATEMENTS("r += v;"),
     "attribute 'constructor'"},
    {"destructor", "global int v; __attribute__((destructor)) void f(void) { v = 1; }" STATEMENTS("r += v;"),
     "attribute 'destructor'"},
    {"cleanup", "void f(int* x) {}" STATEMENTS("__attribute__((cleanup(f))) int x;"), "address of function"},
    {"undefined function", "int f(int x);" STATEMENTS("r = f(i);"), "program.cl:1:5: error: undefined function 'f'"},
    {"undefined weak function", "__attribute__((weak)) int f(int x);" STATEMENTS("r = f(i);"),
     "undefined function 'f'"},
    {"undefined variable", "extern global int v;" STATEMENTS("r = v;"),
     "program.cl:1:19: error: undefined variable 'v'"},
    {"undefined sub-group function", "int __hostcl_sub_group_reduce_nand_i32(int x);"
     STATEMENTS("r = __hostcl_sub_group_reduce_nand_i32(i);"), "undefined function '__hostcl_sub_group"},
    {"function pointer", "int f(int x) { return x; }" STATEMENTS("int (*p)(int) = f; r = p(i);"), "not allowed"},
    {"variable arguments", "int f(int x, ...) { return x; }" STATEMENTS("r = f(i, 1);"), "not allowed"}};

const Row kernels[] = {
    {"inline", "inline kernel void k(global int* o) { int i = get_global_id(0); o[i] = 3 * i; }"},
    {"inline in C++", "inline kernel void k(global int* o) { int i = get_global_id(0); o[i] = 3 * i; }", nullptr, cpp},
    {"always_inline", "__attribute__((always_inline)) kernel void k(global int* o) { int i = get_global_id(0);"
     " o[i] = i; barrier(2); o[i] *= 3; }"},
    {"noinline", "__attribute__((noinline)) kernel void k(global int* o) { int i = get_global_id(0);"
     " o[i] = i; barrier(2); o[i] *= 3; }"},
    {"optnone", "__attribute__((optnone)) kernel void k(global int* o) { int i = get_global_id(0);"
     " o[i] = i; barrier(2); o[i] *= 3; }"},
    {"weak", "__attribute__((weak)) kernel void k(global int* o) { int i = get_global_id(0); o[i] = 3 * i; }"},
    {"hidden", "__attribute__((visibility(\"hidden\"))) kernel void k(global int* o)"
     " { int i = get_global_id(0); o[i] = 3 * i; }"},
    {"section", "__attribute__((section(\".x\"))) kernel void k(global int* o)"
     " { int i = get_global_id(0); o[i] = 3 * i; }"},
    {"called by a kernel", "__attribute__((noinline)) kernel void f(global int* o) { local int l[64]; int i = get_global_id(0);"
     " l[get_local_id(0)] = i; barrier(1); o[i] = l[get_local_id(0)]; }"
     "kernel void k(global int* o) { f(o); barrier(2); o[get_global_id(0)] *= 3; }"},
    {"static", "static kernel void k(global int* o) {}", "cannot be declared static"},
    {"internal_linkage", "__attribute__((internal_linkage)) kernel void k(global int* o) {}", "internal linkage"},
    {"in an anonymous namespace", "namespace { kernel void k(global int* o) { int i = get_global_id(0); o[i] = 3 * i; } }",
     nullptr, cpp}};

const Row statements[] = {
    {"noinline on a call of a part", "int f(local int* l, int x) " PART_BODY
     "kernel void k(global int* o) { local int l[64]; int i = get_global_id(0), x;"
     " [[clang::noinline]] x = f(l, i); barrier(1); [[clang::noinline]] o[i] = x + f(l, 2 * i); }"},
    {"noinline on a query", STATEMENTS("[[clang::noinline]] r = 3 * get_global_id(0);")},
    {"noinline on a barrier", STATEMENTS("o[i] = 1; [[clang::noinline]] barrier(2); r += o[i] - 1;")},
    {"noinline on a library function", STATEMENTS("[[clang::noinline]] r = max(r, -1);")},
    {"noinline on a call", "int f(int x) { return 3 * x; }" STATEMENTS("[[clang::noinline]] r = f(i);")},
    {"always_inline on a call", "__attribute__((noinline)) int f(int x) { return 3 * x; }"
     STATEMENTS("[[clang::always_inline]] r = f(i);")},
    {"musttail", "int g(int x) { return 3 * x; } int f(int x) { [[clang::musttail]] return g(x); }"
     STATEMENTS("r = f(i);")},
    {"statement expression", STATEMENTS("r = ({ int x = i; barrier(1); 3 * x; });")},
    {"jump into a loop", STATEMENTS("int j = 0; r = 0; if (i & 1) goto in; for (; j < i; ++j) { r += 1; in: r += 2; }"
     " r = 3 * i;")},
    {"loop without an end that is not entered", STATEMENTS("if (i > 1000000) for (;;);")},
    {"switch over cases in order", STATEMENTS("switch (i & 3) { case 0 ... 1: r += 1; break; default: r += 1; } r -= 1;")},
    {"empty assembly", STATEMENTS("__asm__ volatile(\"\" : \"+r\"(r) : : \"memory\");")},
    {"assembly", STATEMENTS("\n __asm__ volatile(\"nop\");"), "program.cl:2:2: error: assembly"},
    {"assembly for the file", "__asm__(\".globl x\");" STATEMENTS(""), "assembly"},
    {"label address", STATEMENTS("l: r += &&l == 0;"), "address of a label"},
    {"computed goto", STATEMENTS("void* p = 0; goto *p;"), "changes address space"},
    {"array of variable size", STATEMENTS("int a[i]; r += a[0];"), "variable length arrays"},
    {"thread-local", "__thread global int v;" STATEMENTS("r += v;"), "thread-local storage"},
    {"long string search", // LLVM knows this loop as strlen
     STATEMENTS("char s[64]; for (int j = 0; j < 64; ++j) s[j] = j < i % 60 ? o[j] + 70 : 0; int n = 0;"
                " while (s[n]) ++n; r += n - i % 60;")}};

const Row types[] = {
    {"_BitInt(37)", STATEMENTS("_BitInt(37) x = i; x = x * 3 / 1; r = x;")},
    {"_BitInt(128)", STATEMENTS("_BitInt(128) x = i + 1; x = x * x * 3 / x; r = x - 3;")},
    {"_BitInt(129)", STATEMENTS("_BitInt(129) x = i;"), "not supported"},
    {"long long", STATEMENTS("long long x = i + 1; x = x * x * 3 / x; r = x - 3;")},
    {"complex float", STATEMENTS("float _Complex x = i, y = 3; x = x * y / 1.0f; r = __real__ x;")},
    {"complex double", STATEMENTS("double _Complex x = i + 1; x = x * x / x * 3.0; r = __real__ x - 3;")},
    {"complex int", STATEMENTS("int _Complex x = i; x *= 3; r = __real__ x;")},
    {"vector of 32", "typedef int int32 __attribute__((ext_vector_type(32)));" STATEMENTS("int32 v = i; r = v[i & 31] * 3;")},
    {"over-aligned", STATEMENTS("int x __attribute__((aligned(4096))) = i; volatile int* p = &x; r = *p * 3 + ((long)p & 4095);")},
    {"__int128", STATEMENTS("__int128 x = i;"), "not supported"},
    {"__float128", STATEMENTS("__float128 x = i;"), "not supported"},
    {"long double", STATEMENTS("\n long double x = i;"), "program.cl:2:2: error: type 'long double'"},
    {"literal of long double", STATEMENTS("r = i * 3.0L;"), "type 'long double'"},
    {"__bf16", STATEMENTS("__bf16 x = 1.0f;"), "type '__bf16'"},
    {"long double in a template", "template <class T> int f(T x) { long double y = x; return y; }"
     STATEMENTS("r = f(3 * i);"), "type 'long double'", cpp}};

const Row builtins[] = {
    {"trap that is not reached", STATEMENTS("if (i > 1000000) __builtin_trap();")},
    {"debugtrap that is not reached", STATEMENTS("if (i > 1000000) __builtin_debugtrap();")},
    {"unreachable", STATEMENTS("if (i > 1000000) __builtin_unreachable();")},
    {"expect, assume, prefetch", STATEMENTS("__builtin_assume(i >= 0); __builtin_prefetch((const void*)&r);"
     " r = __builtin_expect(r, 3);")},
    {"bits", STATEMENTS("r += __builtin_popcount(i) + __builtin_parity(i) + __builtin_ffs(i) + __builtin_clzg((uint)i, 32)"
     " + (int)__builtin_bswap32(i) + (int)__builtin_rotateleft32(i, 3); r = 3 * i;")},
    {"overflow", STATEMENTS("int x; r += __builtin_mul_overflow(i, i, &x) + __builtin_sadd_overflow(i, i, &x);"
     " _BitInt(128) w; r += __builtin_mul_overflow((_BitInt(128))i, (_BitInt(128))i, &w);")},
    {"memory", STATEMENTS("int a[40], b[40]; __builtin_memset(a, i, 160); __builtin_memcpy(b, a, 4 * (i & 31) + 4);"
     " __builtin_memmove(b + 1, b, 8); __builtin_bzero(a, 160); r += a[i & 31] + b[0] - i * 0x1010101;")},
    {"rounding", STATEMENTS("float x = __builtin_floorf(r + 0.5f) + __builtin_ceilf(0.5f) + __builtin_rintf(-1.0f)"
     " + __builtin_truncf(0.1f) + __builtin_roundf(0.1f) + __builtin_fabsf(0.0f); r = __builtin_fmaxf(x, -1.0f);")},
    {"classification", STATEMENTS("float x = i; r += __builtin_isnan(x) + __builtin_isinf(x) + __builtin_signbit(x)"
     " + __builtin_isfpclass(x, 3) + (__builtin_isgreater(x, 1e9f) || __builtin_isunordered(x, x));")},
    {"elementwise", STATEMENTS("int4 v = i; float4 x = i; v = __builtin_elementwise_max(v, v - 1);"
     " x = __builtin_elementwise_fma(x, x, x) - __builtin_elementwise_sqrt(x * x * x * x);"
     " r = __builtin_reduce_add(v) - __builtin_reduce_max(v) + (int)x.x - i;")},
    {"fences and exchanges", STATEMENTS("o[i] = 1; __sync_fetch_and_add(&o[i], 2); __sync_synchronize();"
     " __atomic_fetch_nand(&o[i], -1, 0); __atomic_thread_fence(5); r += o[i] + 4;")},
    {"nontemporal", STATEMENTS("__builtin_nontemporal_store(r, &o[i]); r = __builtin_nontemporal_load(&o[i]);")},
    {"a length that is known", STATEMENTS("r += __builtin_strlen(\"abc\") - 3;")},
    {"size of an object", STATEMENTS("int a[4]; r += __builtin_object_size(a, 0) - 16;")},
    {"return_address", STATEMENTS("\n r += (long)__builtin_return_address(0) == 0;"),
     "program.cl:2:13: error: '__builtin_return_address' is not supported"},
    {"return_address of a caller", STATEMENTS("r += (long)__builtin_return_address(1) == 0;"), "'__builtin_return_address'"},
    {"frame_address", STATEMENTS("r += (long)__builtin_frame_address(0) == 0;"), "'__builtin_frame_address'"},
    {"setjmp", "int setjmp(int* b);" STATEMENTS("int b[40]; r += setjmp(b);"), "undefined function 'setjmp'"},
    {"alloca", STATEMENTS("int* p = __builtin_alloca(16); *p = r; r = *p;"), "'__builtin_alloca'"},
    {"malloc", STATEMENTS("int* p = __builtin_malloc(4); *p = r; r = *p;"), "'__builtin_malloc'"},
    {"abort", STATEMENTS("if (i > 1000000) __builtin_abort();"), "'__builtin_abort'"},
    {"printf", STATEMENTS("__builtin_printf(\"x\");"), "'__builtin_printf'"},
    {"memcmp", STATEMENTS("r += __builtin_memcmp(&i, &i, 4);"), "'__builtin_memcmp'"},
    {"a length that is not known", STATEMENTS("char s[2] = {i, 0}; r += __builtin_strlen(s);"), "'__builtin_strlen'"},
    {"sinf", STATEMENTS("r += __builtin_sinf(0.1f * i);"), "'__builtin_sinf'"},
    {"powf in a template", "template <class T> T f(T x) { return __builtin_powf(x, 2.5f); }"
     STATEMENTS("r = f(1.0f * i);"), "'__builtin_powf'", cpp},
    {"frexpf", STATEMENTS("int e; r += __builtin_frexpf(i, &e);"), "'__builtin_frexpf'"},
    {"lrintf", STATEMENTS("r += __builtin_lrintf(i);"), "'__builtin_lrintf'"},
    {"elementwise_exp", STATEMENTS("r += __builtin_elementwise_exp((float)i);"), "'__builtin_elementwise_exp'"},
    {"readcyclecounter", STATEMENTS("r += __builtin_readcyclecounter() == 0;"), "'__builtin_readcyclecounter'"},
    {"clear_cache", STATEMENTS("__builtin___clear_cache((private char*)0, (private char*)0);"), "'__builtin___clear_cache'"},
    {"unwind_init", STATEMENTS("__builtin_unwind_init();"), "'__builtin_unwind_init'"},
    {"atomic structure", "typedef struct { int a, b, c; } S;" STATEMENTS("S a = {i}, b; __atomic_load(&a, &b, 5); r += b.a;"),
     "atomic operation on an object of 12 bytes"},
    {"atomic of 128 bits", STATEMENTS("_BitInt(128) x = i; __sync_fetch_and_add(&x, 1);"), "more than 64 bits"},
    {"atomic that is not aligned", "typedef struct __attribute__((packed)) { char a; int b; } S;"
     STATEMENTS("__atomic_fetch_add(&((global S*)o)->b, 1, 0);"), "misaligned"},
    {"new", STATEMENTS("int* p = new int(i); r += *p;"), "not supported", cpp},
    {"throw", STATEMENTS("if (i > 1000000) throw 1;"), "exceptions disabled", cpp},
    {"virtual", "struct A { virtual int f(int x) { return x; } };" STATEMENTS("A a; r = a.f(r);"), "not supported", cpp},
    {"typeid", STATEMENTS("r += typeid(int) == typeid(float);"), "not supported", cpp}};
// clang-format on

void check_works(const test::Session& session, const Row& row) {
  const auto kernel = session.kernel(row.source, "k", row.options);
  auto out = session.buffer(std::vector<cl_int>(items, -1));
  test::set_arguments(kernel, out);
  session.run(kernel, items, local);
  std::vector<cl_int> expected;
  for (cl_int i = 0; i < cl_int(items); ++i)
    expected.push_back(3 * i);
  CHECK(session.read<cl_int>(out, items) == expected);
}

void check_refused(const test::Session& session, const Row& row) {
  std::string log;
  CHECK_STATUS(session.try_build(row.source, row.options, &log), CL_BUILD_PROGRAM_FAILURE);
  const std::size_t error = log.find("error: ");
  REQUIRE(error != std::string::npos);
  const std::size_t line = log.rfind('\n', error) + 1; // 0 in the first one
  const std::string first = log.substr(line, log.find('\n', error) - line);
  CAPTURE(log);
  CHECK(first.find(row.refusal) != std::string::npos);
  // What the linked program alone tells has no place.
  if (first.find("calls itself") == std::string::npos) CHECK(first.starts_with("program.cl:"));
}

template <std::size_t N>
void check_rows(const Row (&rows)[N]) {
  const test::Session session;
  for (const Row& row : rows) {
    CAPTURE(row.name);
    row.refusal ? check_refused(session, row) : check_works(session, row);
  }
}

} // namespace

TEST_CASE("Attributes of functions work or are refused when the program is built", "[attributes]") {
  check_rows(functions);
}
TEST_CASE("Attributes of kernels work or are refused when the program is built", "[attributes]") {
  check_rows(kernels);
}
TEST_CASE("Statements beyond OpenCL C work or are refused when the program is built", "[attributes]") {
  check_rows(statements);
}
TEST_CASE("Types beyond OpenCL C work or are refused when the program is built", "[attributes]") {
  check_rows(types);
}
TEST_CASE("clang's builtins work or are refused when the program is built", "[attributes]") {
  check_rows(builtins);
}
