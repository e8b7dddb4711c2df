// Variables without initial value that some work-items set before a barrier, and that only those read after it. Each
// work-item computes its result from its own values and from constant memory, so that the same text without its
// barriers is the reference.

#include "support/session.hpp"

#include <algorithm>
#include <array>

namespace {

/// Four elements that a kernel has as int4.
struct Four {
  std::array<int, 4> s{};
  Four operator+(const Four& other) const {
    Four result;
    for (size_t i = 0; i < 4; ++i)
      result.s[i] = s[i] + other.s[i];
    return result;
  }
  Four operator*(int factor) const {
    Four result;
    for (size_t i = 0; i < 4; ++i)
      result.s[i] = s[i] * factor;
    return result;
  }
};

template <class T>
T make(int value) {
  return T(value);
}
template <>
Four make(int v) {
  return {{v, v + 1, v * 2, 7}};
}
template <class T>
int number(T value) {
  return int(value);
}
template <>
int number(Four v) {
  return v.s[0] + v.s[1] * 3 + v.s[2] * 5 + v.s[3] * 7;
}

/// Patterns as text of both languages. `w`: this work-item sets the variable; `a`: constant memory of the group;
/// SIDE: a store, so that what stands beside it is not computed by all work-items; RESULT: a store, so that the
/// value stays undefined for the rest; WAIT: a barrier.
#define PATTERNS(PATTERN)                                                                                    \
  PATTERN(                                                                                                   \
      loaded, T x UNSET; if (w) {                                                                            \
        x = MAKE(a[0]);                                                                                      \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      poisoned_late, T x UNSET; if (!w) { SIDE; } else {                                                     \
        x = MAKE(a[0]);                                                                                      \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      WAIT; if (w) RESULT(NUMBER(x));)                                                                       \
  PATTERN(                                                                                                   \
      a_constant, T x UNSET; if (w) {                                                                        \
        SIDE;                                                                                                \
        x = MAKE(5);                                                                                         \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      computed_by_a_loop, T x UNSET; if (w) {                                                                \
        x = MAKE(a[0]);                                                                                      \
        for (int k = 0; k < 5; ++k)                                                                          \
          x = x * 3 + MAKE(a[k]);                                                                            \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      nested, T x UNSET; if (w) {                                                                            \
        SIDE;                                                                                                \
        if (a[1] & 1) {                                                                                      \
          x = MAKE(a[1]);                                                                                    \
          SIDE;                                                                                              \
        } else if (a[2] & 1) {                                                                               \
          x = MAKE(a[2] + 1);                                                                                \
        } else {                                                                                             \
          SIDE;                                                                                              \
          x = MAKE(a[3]);                                                                                    \
        }                                                                                                    \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      switched, T x UNSET; switch (w ? a[1] & 3 : 4) {                                                       \
        case 0:                                                                                              \
          x = MAKE(a[1]);                                                                                    \
          SIDE;                                                                                              \
          break;                                                                                             \
        case 1:                                                                                              \
          SIDE;                                                                                              \
          x = MAKE(a[2]);                                                                                    \
          break;                                                                                             \
        case 2:                                                                                              \
        case 3:                                                                                              \
          x = MAKE(a[3]);                                                                                    \
          SIDE;                                                                                              \
          break;                                                                                             \
        default:                                                                                             \
          SIDE;                                                                                              \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      several_barriers, T x UNSET; if (w) {                                                                  \
        x = MAKE(a[0]);                                                                                      \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) { x = x + MAKE(a[1]); } WAIT; if (w) {                                                          \
        SIDE;                                                                                                \
        x = x * 3;                                                                                           \
      } WAIT;                                                                                                \
      WAIT; if (w) RESULT(NUMBER(x));)                                                                       \
  PATTERN(                                                                                                   \
      in_a_loop_of_barriers, T x UNSET; for (int k = 0; k < 4; ++k) {                                        \
        if (k == 2 && w) {                                                                                   \
          x = MAKE(a[k]);                                                                                    \
          SIDE;                                                                                              \
        }                                                                                                    \
        WAIT;                                                                                                \
        if (k == 3 && w) RESULT(NUMBER(x));                                                                  \
      })                                                                                                     \
  PATTERN(                                                                                                   \
      carried, T x UNSET; for (int k = 0; k < 4; ++k) {                                                      \
        if (w) {                                                                                             \
          if (k == 0)                                                                                        \
            x = MAKE(a[0]);                                                                                  \
          else                                                                                               \
            x = x * 3 + MAKE(a[k]);                                                                          \
          SIDE;                                                                                              \
        }                                                                                                    \
        WAIT;                                                                                                \
      } if (w) RESULT(NUMBER(x));)                                                                           \
  PATTERN(                                                                                                   \
      found, T x UNSET; int f = 0; for (int k = 0; k < 6; ++k) if (w && (a[k] & 7) > 4) {                    \
        x = MAKE(a[k]);                                                                                      \
        f = 1;                                                                                               \
        SIDE;                                                                                                \
        break;                                                                                               \
      } WAIT;                                                                                                \
      if (f) RESULT(NUMBER(x));)                                                                             \
  PATTERN(                                                                                                   \
      left_at_different_times, T x UNSET; int k = 0; do {                                                    \
        if (k == l % 5) {                                                                                    \
          x = MAKE(a[k]);                                                                                    \
          SIDE;                                                                                              \
          if (w) break;                                                                                      \
        }                                                                                                    \
      } while (++k < 5);                                                                                     \
      WAIT; if (k < 5) RESULT(NUMBER(x));)                                                                   \
  PATTERN(                                                                                                   \
      one_or_the_other, T x UNSET; T y UNSET; if (w) {                                                       \
        x = MAKE(a[0]);                                                                                      \
        SIDE;                                                                                                \
      } else {                                                                                               \
        SIDE;                                                                                                \
        y = MAKE(a[1]);                                                                                      \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x)); else RESULT(NUMBER(y));)                                                     \
  PATTERN(jumps, T x UNSET; int k = 0; if (l & 1) goto in; out : SIDE; if (w) x = MAKE(a[1]); in : ++k;      \
          if (k < 3) goto out; WAIT; if (w) RESULT(NUMBER(x));)                                              \
  PATTERN(                                                                                                   \
      array, T t[3]; if (w) {                                                                                \
        for (int k = 0; k < 3; ++k)                                                                          \
          t[k] = MAKE(a[k]);                                                                                 \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(t[a[3] % 3]));)                                                                   \
  PATTERN(                                                                                                   \
      structure,                                                                                             \
      struct {                                                                                               \
        T x;                                                                                                 \
        int y;                                                                                               \
      } s;                                                                                                   \
      if (w) {                                                                                               \
        s.x = MAKE(a[0]);                                                                                    \
        s.y = a[1];                                                                                          \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(s.x) + s.y);)                                                                     \
  PATTERN(                                                                                                   \
      decided_before, T x UNSET; int c UNSET; if (w) {                                                       \
        c = a[0] & 1;                                                                                        \
        SIDE;                                                                                                \
      } if (w && c) {                                                                                        \
        x = MAKE(a[1]);                                                                                      \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w && c) RESULT(NUMBER(x));)                                                                        \
  PATTERN(                                                                                                   \
      pointer, CONSTANT int* p UNSET; if (w) {                                                               \
        p = a + a[0] % 7;                                                                                    \
        SIDE;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(*p);)                                                                                    \
  PATTERN(                                                                                                   \
      decides_about_barriers, T x UNSET; int c = a[0] & 1; if (c) {                                          \
        if (w) {                                                                                             \
          x = MAKE(a[1]);                                                                                    \
          SIDE;                                                                                              \
        }                                                                                                    \
      } else {                                                                                               \
        if (w) {                                                                                             \
          x = MAKE(a[2]);                                                                                    \
          SIDE;                                                                                              \
        }                                                                                                    \
        WAIT;                                                                                                \
      } WAIT;                                                                                                \
      if (w) RESULT(NUMBER(x));)

#define TEXT(NAME, ...)                                                                                      \
  {#NAME, "kernel void " #NAME "(CONSTANT int* all, global int* o) {\n"                                      \
          "  int l = get_local_id(0), i = get_global_id(0), w = WHO;\n"                                      \
          "  CONSTANT int* a = all + get_group_id(0);\n  " #__VA_ARGS__ "\n}\n"},
struct Pattern {
  const char *name, *source;
};
constexpr Pattern patterns[] = {PATTERNS(TEXT)};

#define CONSTANT const
#define UNSET                                                                                                \
  {                                                                                                          \
  }
#define RESULT(VALUE) r = VALUE
#define MAKE make<T>
#define NUMBER number<T>
#define SIDE (void)0
#define WAIT (void)0
#define REFERENCE(NAME, ...)                                                                                 \
  +[](CONSTANT int* a, int l, int w) {                                                                       \
    int r = -1;                                                                                              \
    (void)l;                                                                                                 \
    __VA_ARGS__ return r;                                                                                    \
  },
using Reference = int (*)(const int* a, int l, int w);
template <class T>
constexpr Reference references[] = {PATTERNS(REFERENCE)};

struct Type {
  const char *options, *name;
  const Reference* references;
};
constexpr Type types[] = {
    {"-DMAKE(v)=(v) -DNUMBER(v)=(v)", "int", references<int>},
    {"-DMAKE(v)=((double)(v)) -DNUMBER(v)=((int)(v))", "double", references<double>},
    {"-DMAKE(v)=((int4)(v,(v)+1,(v)*2,7)) -DNUMBER(v)=((v).x+(v).y*3+(v).z*5+(v).w*7)", "int4",
     references<Four>},
};

struct Who {
  const char* text;
  bool (*sets)(int l);
};
constexpr Who all_who[] = {{"l==0", [](int l) { return l == 0; }},
                           {"l%7==3", [](int l) { return l % 7 == 3; }},
                           {"l>=11", [](int l) { return l >= 11; }}};

constexpr size_t groups = 5;

void check(const test::Session& session, cl_kernel kernel, Reference reference, const Who& who) {
  std::vector<cl_int> constants(64);
  for (size_t i = 0; i < constants.size(); ++i)
    constants[i] = cl_int(i * i * 37 % 101);
  auto all = session.buffer(constants);
  for (size_t local : {3, 16, 40}) {
    const size_t global = groups * local;
    auto out = session.buffer(std::vector<cl_int>(global * 2, -1));
    test::set_arguments(kernel, all, out);
    session.run(kernel, global, local);
    const auto results = session.read<cl_int>(out, global * 2);
    size_t wrong = 0;
    for (size_t i = 0; i < global; ++i) {
      const int l = int(i % local);
      wrong += results[i * 2] != reference(constants.data() + i / local, l, who.sets(l));
    }
    CAPTURE(local);
    CHECK(wrong == 0);
  }
}

/// Runs all patterns with the types and work-items that the arguments choose.
void check_patterns(std::initializer_list<std::pair<const Type*, const Who*>> chosen) {
  const test::Session session;
  std::string source = "#define CONSTANT global const\n#define UNSET\n#define SIDE o[i * 2 + 1] = l\n"
                       "#define RESULT(VALUE) o[i * 2] = VALUE\n"
                       "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n";
  for (const Pattern& pattern : patterns)
    source += pattern.source;
  for (const auto& [type, who] : chosen) {
    const auto program = session.build(
        source.c_str(),
        (std::string(type->options) + " -DT=" + type->name + " -DWHO=(" + who->text + ")").c_str());
    for (size_t i = 0; i < std::size(patterns); ++i) {
      CAPTURE(type->name, who->text, patterns[i].name);
      check(session, session.kernel(program, patterns[i].name), type->references[i], *who);
    }
  }
}

} // namespace

TEST_CASE("Barrier: a variable without initial value keeps what the work-items that read it have set",
          "[undefined_values][one_form]") {
  check_patterns({{types, all_who},
                  {types, all_who + 1},
                  {types, all_who + 2},
                  {types + 1, all_who},
                  {types + 2, all_who}});
}

TEST_CASE("Barrier: an int or a vector without initial value keeps what the work-items that read it have set",
          "[.short_undefined_values]") {
  check_patterns({{types, all_who + 1}, {types + 2, all_who}});
}

TEST_CASE(
    "Barrier: what a work-item reads between two writes of its own stays, though others could read it safely",
    "[undefined_values]") {
  const test::Session session;
  for (const char* read :
       {"if (l == w) y = s[0];", "y = l == w ? s[0] : 0;", "if (l == w && s[0] != 5) y = s[0];"}) {
    const std::string source = std::string(R"(
      kernel void k(global int* o, int w, int zero) {
        local int s[8];
        int l = get_local_id(0), y;
        if (l < 8) s[l] = 100 + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == w) for (int i = 0; i < zero + 3; ++i) s[i & zero] = 1;
        )") + read + R"(
        if (l == w) for (int i = 0; i < zero + 3; ++i) s[i & zero] = 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == w) o[get_group_id(0)] = y;
      })";
    const auto kernel = session.kernel(source.c_str(), "k");
    for (const cl_int who : {0, 9, 20, 39}) {
      auto out = session.buffer(std::vector<cl_int>(groups));
      test::set_arguments(kernel, out, who, cl_int(0));
      session.run(kernel, groups * 40, 40);
      CAPTURE(read, who);
      CHECK(session.read<cl_int>(out, groups) == std::vector<cl_int>(groups, 1));
    }
  }
}
