// Reductions in local memory, in the forms that kernels have: all that is left in the array, in groups of many sizes

#include "support/barrier_case.hpp"

#include <algorithm>
#include <string>

namespace {

using test::check, test::Values;

constexpr size_t sizes[] = {1, 2, 7, 16, 17, 24, 32, 48, 64, 100, 128, 256};

/// A kernel that sets the array, reduces it by `steps`, and gives out all of it. `type` is that of its elements.
std::string kernel(const std::string& type, const std::string& steps) {
  return "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n"
         "kernel void k(global int* o, local int* memory) {\n"
         "  int l = get_local_id(0), n = get_local_size(0);\n"
         "  size_t i = get_local_id(0);\n"
         "  local " +
         type + "* t = (local " + type +
         "*)memory;\n"
         "  t[l] = (l * 37 + get_group_id(0)) % 101;\n"
         "  WAIT;\n" +
         steps +
         "  WAIT;\n"
         "  o[get_global_id(0)] = t[l];\n"
         "}\n";
}

void set(Values& t, size_t group, size_t n) {
  t.resize(n);
  for (size_t l = 0; l < n; ++l)
    t[l] = int((l * 37 + group) % 101);
}

template <class Combine>
void halve(Values& t, size_t half, size_t n, Combine combine) {
  for (size_t offset = half; offset > 0; offset /= 2)
    for (size_t l = 0; l < offset && l < n; ++l)
      t[l] = combine(t[l], t[l + offset]);
}

template <class Combine>
void doubled(Values& t, size_t n, Combine combine) {
  for (size_t offset = 1; offset < n; offset *= 2)
    for (size_t l = 0; l + offset < n; l += 2 * offset)
      t[l] = combine(t[l], t[l + offset]);
}

int sum(int a, int b) {
  return a + b;
}

int larger(int a, int b) {
  return std::max(a, b);
}

} // namespace

TEST_CASE("Tree reductions: halved offsets, with the barrier before or after the step", "[tree_reductions]") {
  const char* forms[] = {
      "for (int s = n / 2; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; WAIT; }",
      "for (uint s = n / 2; s > 0; s >>= 1) { WAIT; if (l < s) t[l] = t[l + s] + t[l]; }",
      "for (size_t s = get_local_size(0) >> 1; s != 0; s >>= 1) { WAIT; if (i < s) t[i] += t[i + s]; }"};
  for (const char* type : {"int", "float", "uchar", "short"})
    for (const char* form : forms)
      for (const size_t size : sizes)
        check({kernel(type, form).c_str(), 3 * size, size, [type](Values& v, size_t group, size_t n) {
                 set(v, group, n);
                 halve(v, n / 2, n, [type](int a, int b) { return type[0] == 'u' ? (a + b) & 255 : a + b; });
               }});
}

TEST_CASE("Tree reductions: doubled offsets", "[tree_reductions]") {
  const char* forms[] = {
      "for (int s = 1; s < n; s *= 2) { if (l % (2 * s) == 0) t[l] = max(t[l], t[l + s]); WAIT; }",
      "for (uint s = 1; s < n; s <<= 1) { WAIT; if ((l & (2 * s - 1)) == 0) t[l] = max(t[l + s], t[l]); }"};
  for (const char* form : forms)
    for (const size_t size : sizes)
      if ((size & (size - 1)) == 0)
        check({kernel("int", form).c_str(), 3 * size, size, [](Values& v, size_t group, size_t n) {
                 set(v, group, n);
                 doubled(v, n, larger);
               }});
}

TEST_CASE("Tree reductions: part of a group, and several trees", "[tree_reductions]") {
  for (const size_t size : {64, 100, 256}) {
    check({kernel("int", "for (int s = 16; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; WAIT; }").c_str(),
           2 * size, size, [](Values& v, size_t group, size_t n) {
             set(v, group, n);
             halve(v, 16, n, sum);
           }});
    check({kernel("int", "for (int r = 0; r < 3; ++r) {"
                         " for (int s = 32; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; WAIT; }"
                         " if (l == 5) t[0] += r; WAIT; }")
               .c_str(),
           2 * size, size, [](Values& v, size_t group, size_t n) {
             set(v, group, n);
             for (int iteration = 0; iteration < 3; ++iteration) {
               halve(v, 32, n, sum);
               v[0] += iteration;
             }
           }});
  }
}
