// sycl::atomic_ref (SYCL 2020, 4.15.3) in real SYCL kernels: every order that it can have by default, every scope,
// address space and type; each operation by all work-items of a launch at once.
//   examples/sycl/run conformance/sycl/source/atomic_ref.cpp

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

/// A row of results for each operation; integers have three more.
enum Operation {
  fetch_add,
  fetch_sub,
  fetch_max,
  fetch_min,
  exchange,
  compare_exchange,
  plus_equal,
  store_load,
  common_count,
  fetch_or = common_count,
  fetch_and,
  fetch_xor,
  integer_count
};

// TYPE, IS_INTEGER, SPACE and IS_LOCAL are put in front. Combination c = order * 5 + scope has its objects at
// objects[c * 11], one for each operation, and what work-item i got back from it at results[(c * 11 + operation) * n + i].
constexpr const char* source = R"(
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi;

constexpr int operations = 11;
constexpr sycl::memory_order orders[] = {sycl::memory_order::relaxed, sycl::memory_order::acq_rel, sycl::memory_order::seq_cst};
constexpr sycl::memory_scope scopes[] = {sycl::memory_scope::work_item, sycl::memory_scope::sub_group,
                                         sycl::memory_scope::work_group, sycl::memory_scope::device, sycl::memory_scope::system};

template <int c>
void operate(TYPE* objects, TYPE* results, unsigned i, unsigned n) {
  using Ref = sycl::atomic_ref<TYPE, orders[c / 5], scopes[c % 5], sycl::access::address_space::SPACE>;
  TYPE* object = objects + c * operations;
  TYPE* result = results + c * operations * n + i;
  result[0 * n] = Ref(object[0]).fetch_add(1);
  result[1 * n] = Ref(object[1]).fetch_sub(1);
  result[2 * n] = Ref(object[2]).fetch_max(TYPE(i));
  result[3 * n] = Ref(object[3]).fetch_min(TYPE(i));
  result[4 * n] = Ref(object[4]).exchange(TYPE(i + 1));
  Ref counted(object[5]);
  TYPE expected = counted.load();
  while (!(i % 2 ? counted.compare_exchange_weak(expected, expected + 1)
                 : counted.compare_exchange_strong(expected, expected + 1))) {}
  result[5 * n] = expected;
  result[6 * n] = Ref(object[6]) += 2;
  Ref(object[7]).store(TYPE(n));
  result[7 * n] = Ref(object[7]).load();
#if IS_INTEGER
  result[8 * n] = Ref(object[8]).fetch_or(TYPE(1) << i % 16);
  result[9 * n] = Ref(object[9]).fetch_and(~(TYPE(1) << i % 16));
  result[10 * n] = Ref(object[10]).fetch_xor(TYPE(i));
#endif
}

template <int... c>
void operate_all(std::integer_sequence<int, c...>, TYPE* objects, TYPE* results, unsigned i, unsigned n) {
  (operate<c>(objects, results, i, n), ...);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::experimental::nd_range_kernel<1>))
void test(TYPE* objects, TYPE* results, sycl::local_accessor<TYPE, 1> local_copies) {
  const auto item = oneapi::this_work_item::get_nd_item<1>();
  const unsigned i = item.get_global_linear_id(), n = item.get_global_range(0);
  TYPE* used = objects;
#if IS_LOCAL
  TYPE* copies = &local_copies[0];
  if (i == 0) for (int k = 0; k < 15 * operations; ++k) copies[k] = objects[k];
  sycl::group_barrier(item.get_group());
  used = copies;
#endif
  operate_all(std::make_integer_sequence<int, 15>(), used, results, i, n);
#if IS_LOCAL
  sycl::group_barrier(item.get_group());
  if (i == 0) for (int k = 0; k < 15 * operations; ++k) objects[k] = copies[k];
#endif
}
)";

constexpr const char* operation_names[] = {"fetch_add", "fetch_sub",        "fetch_max", "fetch_min",
                                           "exchange",  "compare_exchange", "+=",        "store and load",
                                           "fetch_or",  "fetch_and",        "fetch_xor"};
constexpr int combinations = 15, operations = integer_count;

/// What an object holds before.
template <class T>
T initial(int operation, unsigned n) {
  switch (operation) {
  case fetch_sub:
  case fetch_min:
    return T(n);
  case fetch_and:
    return T(0xffff);
  default:
    return 0;
  }
}

/// Whether the object's last value and what all work-items got back are those of one order of n operations.
template <class T>
bool is_right(int operation, T last, std::vector<T> got, unsigned n) {
  std::vector<T> ranks(n);
  std::iota(ranks.begin(), ranks.end(), T(0));
  std::sort(got.begin(), got.end());
  switch (operation) {
  case fetch_add:
  case compare_exchange:
    return last == T(n) && got == ranks;
  case fetch_sub:
    for (T& value : ranks)
      value += 1;
    return last == 0 && got == ranks;
  case fetch_max:
    return last == T(n - 1) &&
           std::all_of(got.begin(), got.end(), [&](T value) { return value <= T(n - 1); });
  case fetch_min:
    return last == 0 && std::all_of(got.begin(), got.end(), [&](T value) { return value <= T(n); });
  case exchange: // each value is got once, but for the last
    got.push_back(last);
    std::sort(got.begin(), got.end());
    ranks.push_back(T(n));
    return got == ranks;
  case plus_equal:
    for (T& value : ranks)
      value = value * 2 + 2;
    return last == T(2 * n) && got == ranks;
  case store_load:
    return last == T(n) && std::all_of(got.begin(), got.end(), [&](T value) { return value == T(n); });
  default:
    break;
  }
  std::uint64_t wanted = 0;
  for (unsigned i = 0; i < n; ++i)
    wanted = operation == fetch_xor ? wanted ^ i : wanted | (std::uint64_t(1) << i % 16);
  return last == T(operation == fetch_and ? ~wanted & 0xffff : wanted);
}

template <class T>
int failures(sycl::queue& queue, const char* type, bool is_integer, const char* space) {
  const bool is_local = std::string(space) == "local_space" || std::string(space) == "generic_space (local)";
  const unsigned n = is_local ? 64 : 4096, group = 64;
  const std::string name = std::string(space).substr(0, std::string(space).find(' '));
  auto bundle = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::sycl,
      std::string("using TYPE = ") + type + ";\n#define IS_INTEGER " + (is_integer ? "1" : "0") +
          "\n#define SPACE " + name + "\n#define IS_LOCAL " + (is_local ? "1" : "0") + "\n" + source);
  sycl::kernel kernel = experimental::build(bundle).ext_oneapi_get_kernel("test");
  T* objects = sycl::malloc_shared<T>(combinations * operations, queue);
  T* results = sycl::malloc_shared<T>(std::size_t(combinations) * operations * n, queue);
  for (int k = 0; k < combinations * operations; ++k)
    objects[k] = initial<T>(k % operations, n);
  queue.submit([&](sycl::handler& handler) {
    handler.set_args(objects, results, sycl::local_accessor<T, 1>(combinations * operations, handler));
    handler.parallel_for(sycl::nd_range<1>{n, group}, kernel);
  });
  queue.wait();
  int failed = 0;
  for (int k = 0; k < combinations * operations; ++k) {
    const int operation = k % operations, combination = k / operations;
    if (operation >= common_count && !is_integer) continue;
    const T* got = results + std::size_t(k) * n;
    if (is_right<T>(operation, objects[k], std::vector<T>(got, got + n), n)) continue;
    ++failed;
    std::printf("failed: %s of %s in %s, order %d, scope %d\n", operation_names[operation], type, space,
                combination / 5, combination % 5);
  }
  sycl::free(objects, queue);
  sycl::free(results, queue);
  return failed;
}

} // namespace

int main() {
  sycl::queue queue{sycl::cpu_selector_v};
  int failed = 0;
  for (const char* space : {"global_space", "local_space", "generic_space", "generic_space (local)"}) {
    failed += failures<int>(queue, "int", true, space);
    failed += failures<unsigned>(queue, "unsigned", true, space);
    failed += failures<long>(queue, "long", true, space);
    failed += failures<unsigned long>(queue, "unsigned long", true, space);
    failed += failures<float>(queue, "float", false, space);
    failed += failures<double>(queue, "double", false, space);
    std::printf("%s: %d failures so far\n", space, failed);
  }
  return failed != 0;
}
