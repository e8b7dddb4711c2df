// Loops over pointers, which differ between work-items: rows that are walked to an end, pointers that are compared,
// subtracted, chosen and converted (compiler/passes/2_vector/memory/address_numbers.hpp).

#include "support/session.hpp"

#include <array>
#include <functional>

namespace {

constexpr size_t items = 192, room = 8, elements = items * room;

constexpr const char* walks = R"(
#define WALK(name, ...) \
  kernel void name(global const T* a, global const T* b, global const uint* length, global T* out, T x) { \
    size_t i = get_global_id(0); uint n = length[i]; T s = 0; __VA_ARGS__ }
#define ROW(condition, step) for (global const T *p = a + i, *end = p + n; condition; step) s += *p; out[i * 8] = s;
WALK(sum, ROW(p != end, ++p))
WALK(sum_below, ROW(p < end, ++p))
WALK(sum_not_above, ROW(p <= end, ++p))
WALK(sum_end_apart, for (global const T *p = a + i, *end = a + i + n; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_by_id, for (global const T *p = a + i, *end = p + i % 5; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_back, for (global const T *p = a + i + n, *end = a + i; p != end;) s += *--p; out[i * 8] = s;)
WALK(sum_back_above, for (global const T *p = a + i + n, *end = a + i; p > end;) s += *--p; out[i * 8] = s;)
WALK(sum_by_difference, for (global const T *p = a + i, *end = p + n; end - p; ++p) s += *p; out[i * 8] = s;)
WALK(sum_columns, for (global const T *p = a + i, *end = p + n * 64; p != end; p += 64) s += *p; out[i * 8] = s;)
WALK(sum_to_both, for (global const T *p = a + i, *q = p + 2 * n; p != q; ++p, --q) s += *p - q[-1]; out[i * 8] = s;)
WALK(sum_at_least_one, global const T *p = a + i, *end = p + n + 1; do s += *p; while (++p != end); out[i * 8] = s;)
WALK(sum_nested, for (global const T *p = a + i, *end = p + n; p != end; ++p)
                   for (global const T* q = p; q != end; ++q) s += *q;
                 out[i * 8] = s;)
WALK(sum_generic, for (const T *p = a + i, *end = p + n; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_of_either, global const T* p = i % 3 ? a + i : b + n;
                    for (global const T* end = p + n; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_of_rows, const global T* rows[2] = {a + i, b + i};
                  for (global const T *p = rows[n & 1], *end = p + n; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_private, T own[8]; for (int k = 0; k < 8; ++k) own[k] = a[i + k];
                  for (T *p = own, *end = own + n; p != end; ++p) s += *p; out[i * 8] = s;)
WALK(sum_local, local T all[64]; size_t l = get_local_id(0); all[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);
                for (local T *p = all + l / 2, *end = all + l; p != end; ++p) s += *p;
                out[i * 8] = s;)
WALK(find, global const T *p = a + i, *end = p + n; while (p != end && *p != x) ++p; out[i * 8] = p - (a + i);)
WALK(find_backwards, global const T *p = a + i + n; while (p != a + i && p[-1] != x) --p; out[i * 8] = p - (a + i);)
WALK(fill, for (global T *p = out + 8 * i, *end = p + n; p != end; ++p) *p = x + a[i];)
WALK(fill_end_apart, for (global T *p = out + 8 * i, *end = out + 8 * i + n; p != end; ++p) *p = x + a[i];)
WALK(fill_back, for (global T *p = out + 8 * i + n, *end = out + 8 * i; p != end;) *--p = a[i];)
WALK(fill_one, for (global T *p = out + i, *end = p + (n & 1); p != end; ++p) *p = a[i];)
WALK(copy_row, global T* q = out + 8 * i; for (global const T *p = a + i, *end = p + n; p != end;) *q++ = *p++;)
WALK(compare, global const T *p = a + i + n, *q = a + 2 * i; out[i * 8] = p == q; out[i * 8 + 1] = p != q;
              out[i * 8 + 2] = p < q; out[i * 8 + 3] = p <= q; out[i * 8 + 4] = p > q; out[i * 8 + 5] = p >= q;)
WALK(compare_chosen, global const T *p = n & 1 ? a + i : a + n, *q = n & 2 ? a + n : a + i;
                     out[i * 8] = p == q; out[i * 8 + 1] = p < q; out[i * 8 + 2] = q - p;)
WALK(not_null, global const T* p = n & 1 ? a + i : 0; out[i * 8] = p ? *p : x; out[i * 8 + 1] = p != 0;)
WALK(as_numbers, ulong p = (ulong)(a + i + n), q = (ulong)(a + 2 * i); out[i * 8] = (p - q) / sizeof(T);
                 out[i * 8 + 1] = p == q; out[i * 8 + 2] = (p > q) + 2 * ((uint)p == (uint)q);)
WALK(even_address, global const T* p = a + i;
                   for (uint k = 0; ((ulong)p / sizeof(T) - (ulong)a / sizeof(T)) % 4 != n % 4; ++k) s += *p++;
                   out[i * 8] = s;)
)";

/// The same in C++.
template <class T>
struct Item {
  const T *a, *b;
  T* out;
  size_t i, n, local; ///< ids, and the length
  T x;

  T sum(const T* p, ptrdiff_t count, ptrdiff_t step = 1) const {
    T s = 0;
    for (ptrdiff_t k = 0; k < count; ++k)
      s = T(s + p[k * step]);
    return s;
  }
  void fill(size_t count, T value) const { std::fill_n(out + 8 * i, count, value); }
};

template <class T>
struct Walk {
  const char* name;
  std::function<void(const Item<T>&)> reference;
};

template <class T>
std::vector<Walk<T>> sums() {
  auto walk = [](const char* name, auto sum) {
    return Walk<T>{name, [sum](const Item<T>& m) { m.out[m.i * 8] = T(sum(m)); }};
  };
  auto row = [](const Item<T>& m) { return m.sum(m.a + m.i, ptrdiff_t(m.n)); };
  return {
      walk("sum", row),
      walk("sum_below", row),
      walk("sum_end_apart", row),
      walk("sum_back", row),
      walk("sum_back_above", row),
      walk("sum_by_difference", row),
      walk("sum_generic", row),
      walk("sum_private", row),
      walk("sum_not_above", [](auto& m) { return m.sum(m.a + m.i, ptrdiff_t(m.n) + 1); }),
      walk("sum_at_least_one", [](auto& m) { return m.sum(m.a + m.i, ptrdiff_t(m.n) + 1); }),
      walk("sum_by_id", [](auto& m) { return m.sum(m.a + m.i, ptrdiff_t(m.i % 5)); }),
      walk("sum_columns", [](auto& m) { return m.sum(m.a + m.i, ptrdiff_t(m.n), 64); }),
      walk("sum_to_both",
           [](auto& m) { return m.sum(m.a + m.i, ptrdiff_t(m.n)) - m.sum(m.a + m.i + m.n, ptrdiff_t(m.n)); }),
      walk("sum_nested",
           [](auto& m) {
             T s = 0;
             for (size_t k = 0; k < m.n; ++k)
               s = T(s + T(k + 1) * m.a[m.i + k]);
             return s;
           }),
      walk("sum_of_either", [](auto& m) { return m.sum(m.i % 3 ? m.a + m.i : m.b + m.n, ptrdiff_t(m.n)); }),
      walk("sum_of_rows", [](auto& m) { return m.sum((m.n & 1 ? m.b : m.a) + m.i, ptrdiff_t(m.n)); }),
      walk("sum_local", [](auto& m) {
        return m.sum(m.a + m.i - m.local + m.local / 2, ptrdiff_t(m.local - m.local / 2));
      })};
}

template <class T>
size_t found(const Item<T>& m) {
  return size_t(std::find(m.a + m.i, m.a + m.i + m.n, m.x) - (m.a + m.i));
}

template <class T>
std::vector<Walk<T>> stores() {
  return {{"find", [](auto& m) { m.out[m.i * 8] = T(found(m)); }},
          {"find_backwards",
           [](auto& m) {
             size_t k = m.n;
             while (k != 0 && m.a[m.i + k - 1] != m.x)
               --k;
             m.out[m.i * 8] = T(k);
           }},
          {"fill", [](auto& m) { m.fill(m.n, T(m.x + m.a[m.i])); }},
          {"fill_end_apart", [](auto& m) { m.fill(m.n, T(m.x + m.a[m.i])); }},
          {"fill_back", [](auto& m) { m.fill(m.n, m.a[m.i]); }},
          {"fill_one",
           [](auto& m) {
             if (m.n & 1) m.out[m.i] = m.a[m.i];
           }},
          {"copy_row", [](auto& m) { std::copy_n(m.a + m.i, m.n, m.out + 8 * m.i); }}};
}

template <class T>
std::vector<Walk<T>> comparisons() {
  return {{"compare",
           [](auto& m) {
             const size_t p = m.i + m.n, q = 2 * m.i;
             const std::array<bool, 6> all = {p == q, p != q, p<q, p <= q, p> q, p >= q};
             for (size_t k = 0; k < all.size(); ++k)
               m.out[m.i * 8 + k] = all[k];
           }},
          {"compare_chosen",
           [](auto& m) {
             const size_t p = m.n & 1 ? m.i : m.n, q = m.n & 2 ? m.n : m.i;
             m.out[m.i * 8] = p == q;
             m.out[m.i * 8 + 1] = p < q;
             m.out[m.i * 8 + 2] = T(ptrdiff_t(q - p));
           }},
          {"not_null",
           [](auto& m) {
             m.out[m.i * 8] = m.n & 1 ? m.a[m.i] : m.x;
             m.out[m.i * 8 + 1] = T(m.n & 1);
           }},
          {"as_numbers",
           [](auto& m) {
             const size_t p = m.i + m.n, q = 2 * m.i;
             const size_t distance = (p - q) * sizeof(T) / sizeof(T);
             m.out[m.i * 8] = T(distance);
             m.out[m.i * 8 + 1] = p == q;
             m.out[m.i * 8 + 2] = T((p > q) + 2 * (p == q));
           }},
          {"even_address", [](auto& m) { m.out[m.i * 8] = m.sum(m.a + m.i, ptrdiff_t((m.n - m.i) % 4)); }}};
}

template <class T>
struct Data {
  std::vector<T> a, b, out;
  std::vector<cl_uint> length;

  explicit Data(size_t longest) : a(elements), b(elements), out(elements), length(items) {
    for (size_t k = 0; k < elements; ++k) {
      a[k] = T(k * 7 % 11 + 1);
      b[k] = T(k * 5 % 13 + 1);
      out[k] = T(99);
    }
    for (size_t k = 0; k < items; ++k)
      length[k] = cl_uint(k * k % longest);
  }
};

template <class T>
void check(const test::Session& session, cl_program program, const Walk<T>& walk, size_t local) {
  Data<T> data(std::string_view(walk.name).find("one") != std::string_view::npos ? 3 : room);
  const T x = 5;
  const auto kernel = session.kernel(program, walk.name);
  auto a = session.buffer(data.a), b = session.buffer(data.b), length = session.buffer(data.length),
       out = session.buffer(data.out);
  test::set_arguments(kernel, a, b, length, out, x);
  const size_t global = items;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
  for (size_t i = 0; i < items; ++i)
    walk.reference({data.a.data(), data.b.data(), data.out.data(), i, data.length[i], i % local, x});
  CAPTURE(walk.name, local);
  CHECK(session.read<T>(out, elements) == data.out);
}

template <class T>
constexpr const char* name_of = nullptr;
template <>
constexpr const char* name_of<cl_char> = "char";
template <>
constexpr const char* name_of<cl_short> = "short";
template <>
constexpr const char* name_of<cl_int> = "int";
template <>
constexpr const char* name_of<cl_long> = "long";
template <>
constexpr const char* name_of<cl_float> = "float";

template <class T>
void check_all(const std::vector<Walk<T>>& all) {
  const test::Session session;
  const auto program = session.build(walks, (std::string("-cl-std=CL3.0 -D T=") + name_of<T>).c_str());
  CAPTURE(name_of<T>);
  for (const Walk<T>& walk : all)
    for (const size_t local : {1, 8, 24, 64})
      check(session, program, walk, local);
}

} // namespace

// Chars in all forms of code.
TEMPLATE_TEST_CASE("Pointer walks: rows are added up to their ends", "[pointer_walks]", cl_char) {
  check_all<TestType>(sums<TestType>());
}
TEMPLATE_TEST_CASE("Pointer walks: rows are added up to their ends", "[pointer_walks][one_form]", cl_int,
                   cl_short, cl_long, cl_float) {
  check_all<TestType>(sums<TestType>());
}

TEMPLATE_TEST_CASE("Pointer walks: rows are searched, filled and copied to their ends", "[pointer_walks]",
                   cl_char) {
  check_all<TestType>(stores<TestType>());
}
TEMPLATE_TEST_CASE("Pointer walks: rows are searched, filled and copied to their ends",
                   "[pointer_walks][one_form]", cl_int, cl_short, cl_long, cl_float) {
  check_all<TestType>(stores<TestType>());
}

TEMPLATE_TEST_CASE("Pointer walks: pointers are compared, subtracted and converted", "[pointer_walks]",
                   cl_char) {
  check_all<TestType>(comparisons<TestType>());
}
TEMPLATE_TEST_CASE("Pointer walks: pointers are compared, subtracted and converted",
                   "[pointer_walks][one_form]", cl_int, cl_short, cl_long, cl_float) {
  check_all<TestType>(comparisons<TestType>());
}
